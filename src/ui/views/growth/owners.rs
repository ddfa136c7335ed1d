//! Owners of added and removed objects: two lines each, the second lists these objects.

use std::sync::Arc;

use super::rows::{lent, most, report_rows, summary};
use crate::analysis::diff::growth::{GrowthRow, Owner, Part};
use crate::analysis::diff::matches::MatchMethod;
use crate::analysis::diff::{Amount, Change, Side};
use crate::heap::ids::ObjectId;
use crate::session::jobs::JobError;
use crate::tables::diff::{BorrowedHeaps, ChangeFilter, DiffRows, OwnerChanges, OwnerDetail, owner_name};
use crate::task::Task;
use crate::ui::baseline::SharedComparison;
use crate::ui::over_time::{Lines, OverTime};
use crate::ui::view_context::OpenDump;
use crate::ui::views::report::rows::{Cell, Name, Row, RowLabel, RowTarget, Rows};
use crate::ui::widgets::object_link::split_class;
use crate::units::{ByteDelta, Bytes, CountDelta};

/// Maximum number of owners listed in a group of similar ones.
const LISTED: usize = 200;
/// Maximum number of classes named in a summary.
const PARTS: usize = 6;
/// Complete lists of keys and names, as in JSON output.
const ALL: OwnerDetail = OwnerDetail { keys: usize::MAX, names: usize::MAX };

/// Owners, grouped by similarity.
pub(super) fn rows(answers: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let shared = SharedComparison::of(answers, task)?;
    let heaps = lent(&shared)?;
    let table = OwnerChanges::new(Box::new(shared.clone()), ChangeFilter::All, ALL);
    let all = &heaps.comparison.growth.rows;
    let listed: Vec<(u32, &GrowthRow)> = (0..).zip(all).filter(|(_, grown)| has_news(grown)).collect();
    let bytes = || listed.iter().map(|(_, grown)| grown.bytes.0);
    let most = most(bytes());
    let over = answers.over_time.as_deref();
    let mut rows = Vec::new();
    for &(place, grown) in &listed {
        task.checkpoint()?;
        let row = top(heaps, grown, table.name(place as usize), most);
        rows.push(with_line(row, over, place, |lines| Some(&lines.together)));
        if grown.owners.len() > 1 {
            for (nth, owner) in grown.owners.iter().take(LISTED).enumerate() {
                task.checkpoint()?;
                rows.push(with_line(single(heaps, owner, most), over, place, |lines| lines.each.get(nth)));
            }
        }
    }
    let summary = summary("owners", bytes());
    let places = listed.iter().map(|&(place, _)| place).collect();
    Ok(report_rows(&shared, DiffRows::Owners, Arc::new(table), rows, summary).at(places))
}

/// Inserts the retained sizes in all dumps as the first figure, if more than two are open.
fn with_line(mut row: Row, over: Option<&OverTime>, place: u32, of: impl Fn(&Lines) -> Option<&Arc<[Bytes]>>) -> Row {
    if let Some(over) = over {
        let line = over.rows.get(place as usize).and_then(of);
        row.cells.insert(0, line.map_or(Cell::Empty, |line| Cell::OverTime(Arc::clone(line))));
    }
    row
}

/// False for an owner without any change of its own, such as one that merely replaced a dominator.
fn has_news(grown: &GrowthRow) -> bool {
    let turned = |part: &Part| part.came > 0 || part.went > 0 || part.moved.0 != 0;
    grown.bytes.0 != 0 || grown.objects.0 != 0 || grown.parts.iter().any(turned)
}

fn top(heaps: BorrowedHeaps<'_>, grown: &GrowthRow, name: &str, most: u64) -> Row {
    let (times, first) = (grown.owners.len() as u64, grown.owners.first());
    let object = first.and_then(in_both);
    let how = object.filter(|_| times == 1).map(|(_, how)| how);
    let told = |class| came_and_went(heaps, grown, class);
    let called = RowLabel {
        name: name.into(),
        times,
        more: told(|class| split_class(class).1).into(),
        object: object.map(|(object, _)| object),
    };
    let found_by = format!("{name} {} {} {}", told(|class| class), grown.objects, grown.bytes);
    let change = object.map(|_| grown.change);
    row(0, called, found_by, cells((grown.objects, grown.bytes, most), change, how))
}

/// One owner of a group: its growth is the change in its retained size.
fn single(heaps: BorrowedHeaps<'_>, owner: &Owner, most: u64) -> Row {
    let name = owner_name(heaps.namer, &heaps.comparison.matches, owner);
    let change = match *owner {
        Owner::Object { before, after, .. } => {
            let amount = |side: Side<'_>, object: ObjectId| Amount {
                objects: side.analysis.dominated_count(object) + 1,
                shallow: side.heap.shallow(object),
                retained: side.analysis.retained(object),
            };
            Some(Change { before: amount(heaps.pair.before, before), after: amount(heaps.pair.after, after) })
        }
        Owner::Top(_) => None,
    };
    let (object, how) = in_both(owner).unzip();
    let more = change.unwrap_or_default();
    let called = RowLabel { name: name.as_str().into(), times: 1, more: "".into(), object };
    let found_by = format!("{name} {} {}", more.objects(), more.retained());
    row(1, called, found_by, cells((more.objects(), more.retained(), most), change, how))
}

/// Owner in the newer heap, and the criterion of its match.
fn in_both(owner: &Owner) -> Option<(ObjectId, MatchMethod)> {
    match *owner {
        Owner::Object { after, how, .. } => Some((after, how)),
        Owner::Top(_) => None,
    }
}

fn row(depth: usize, called: RowLabel, found_by: String, cells: Vec<Cell>) -> Row {
    let leads = called.object.map_or(RowTarget::Nowhere, RowTarget::To);
    Row { depth, name: Name::Called(called), found_by, cells, leads }
}

fn cells(
    (objects, bytes, most): (CountDelta, ByteDelta, u64),
    change: Option<Change>,
    how: Option<MatchMethod>,
) -> Vec<Cell> {
    let retained = |of: fn(Change) -> Amount| change.map_or(Cell::Empty, |change| Cell::Size(of(change).retained));
    let sure = |how: MatchMethod| Cell::Words(format!("{} · {}", how.name(), how.sureness().name()).into());
    vec![
        Cell::More(objects),
        Cell::Grown(bytes, most),
        retained(|change| change.before),
        retained(|change| change.after),
        how.map_or(Cell::Empty, sure),
    ]
}

/// Added and removed objects by class, named by `short`: `+1,000 Session, −3 Receipt`.
fn came_and_went(heaps: BorrowedHeaps<'_>, grown: &GrowthRow, short: fn(&str) -> &str) -> String {
    let class = |part: &Part| heaps.comparison.matches.kinds.get(part.kind).map_or("", |kind| &*kind.name);
    let mut parts: Vec<&Part> = grown.parts.iter().collect();
    // Application classes come first: `Session` is more meaningful than its `byte[]`, though these are larger.
    parts.sort_by_key(|part| heaps.namer.index.rules.contains(class(part)));
    let told = |part: &&Part| {
        let (came, went) = (CountDelta(part.came.cast_signed()), CountDelta(-part.went.cast_signed()));
        let class = short(class(part));
        match (came.0, went.0) {
            (0, 0) => None,
            (_, 0) => Some(format!("{came} {class}")),
            (0, _) => Some(format!("{went} {class}")),
            _ => Some(format!("{came} {went} {class}")),
        }
    };
    let moved = (grown.moved.0 != 0).then(|| format!("{} moved", grown.moved));
    parts.iter().take(PARTS).filter_map(told).chain(moved).collect::<Vec<_>>().join(", ")
}
