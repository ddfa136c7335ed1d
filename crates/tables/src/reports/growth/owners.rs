//! Owners of added and removed objects: two lines each, the second lists these objects.

use std::{cmp::Reverse, sync::Arc};

use super::rows::{borrowed, most, report_rows, summary};
use crate::RowTarget;
use crate::diff::{
    BorrowedHeaps, ChangeFilter, DiffRows, OwnerChanges, OwnerDetail, SharedComparison, naming_part, owner_name,
};
use crate::export::diff::{similar, words};
use crate::reports::rows::{Cell, Name, Row, RowLabel, Rows};
use crate::reports::second_line::{ClassList, SecondLine};
use heaplens_analysis::DumpData;
use heaplens_analysis::diff::growth::Part;
use heaplens_analysis::diff::{Amount, Change, GrowthOwner, GrowthRow, MatchMethod};
use heaplens_analysis::source_classes;
use heaplens_base::{ByteDelta, Bytes, CountDelta, Task};
use heaplens_heap::ObjectId;
use heaplens_session::open_dump::{Lines, OverTime};
use heaplens_session::{JobError, OpenDump};

/// Maximum number of owners listed in a group of similar ones.
const LISTED: usize = 200;
/// Tooltip of a missing retained size.
const NO_RETAINED: &str = "No retained size: these objects are GC roots or have several owners";
/// Complete lists of keys and names, as in JSON output.
const ALL: OwnerDetail = OwnerDetail { keys: usize::MAX, names: usize::MAX };

/// Owners, grouped by similarity.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let shared = SharedComparison::of(dump, task)?;
    let heaps = borrowed(&shared)?;
    let table = OwnerChanges::new(Box::new(shared.clone()), ChangeFilter::All, ALL);
    let all = &heaps.comparison.growth.rows;
    let listed: Vec<(u32, &GrowthRow)> = (0..).zip(all).filter(|(_, grown)| has_change(grown)).collect();
    let bytes = || listed.iter().map(|(_, grown)| grown.bytes.0);
    let most = most(bytes());
    let over = dump.over_time.as_deref();
    let mut rows = Vec::new();
    for &(index, grown) in &listed {
        task.checkpoint()?;
        let mut singles = Vec::new();
        if grown.owners.len() > 1 {
            for owner in grown.owners.iter().take(LISTED) {
                task.checkpoint()?;
                singles.push(single(heaps, owner, most));
            }
        }
        let names: Vec<&str> = singles.iter().map(|(name, _)| name.as_str()).collect();
        let name = table.name(index as usize);
        let name = (name, table.distinction(index as usize));
        let (name, times) = similar::pattern_of(grown.owners.len() as u64, name, &names);
        rows.push(with_line(top(heaps, grown, (&name, times), most), over, index, |lines| Some(&lines.together)));
        let singles = singles.into_iter().enumerate();
        rows.extend(singles.map(|(nth, (_, row))| with_line(row, over, index, |lines| lines.each.get(nth))));
    }
    let summary = summary(("changed owner", "changed owners"), bytes());
    let indexes = listed.iter().map(|&(index, _)| index).collect();
    Ok(report_rows(&shared, DiffRows::Owners, Arc::new(table), rows, summary).at(indexes))
}

/// Inserts the retained sizes in all dumps as the first figure, if more than two are open.
fn with_line(mut row: Row, over: Option<&OverTime>, nth: u32, of: impl Fn(&Lines) -> Option<&Arc<[Bytes]>>) -> Row {
    if let Some(over) = over {
        let line = over.rows.get(nth as usize).and_then(of);
        row.cells.insert(0, line.map_or(Cell::EMPTY, |line| Cell::over_time(Arc::clone(line))));
    }
    row
}

/// False for an owner without any change of its own, such as one that merely replaced a dominator.
fn has_change(grown: &GrowthRow) -> bool {
    let turned = |part: &Part| part.added > 0 || part.removed > 0 || part.moved.0 != 0;
    grown.bytes.0 != 0 || grown.objects.0 != 0 || grown.parts.iter().any(turned)
}

fn top(heaps: BorrowedHeaps<'_>, grown: &GrowthRow, (name, times): (&str, u64), most: u64) -> Row {
    let object = grown.owners.first().and_then(in_both);
    let method = object.filter(|_| grown.owners.len() == 1).map(|(_, method)| method);
    let parts = changed_parts(heaps, grown);
    let classes: Vec<String> =
        parts.iter().map(|part| words::objects(part.added, part.removed, class_of(heaps, part))).collect();
    let called = RowLabel {
        name: name.into(),
        times,
        more: SecondLine::Classes(class_list(heaps, &parts, grown.moved)),
        object: object.map(|(object, _)| object),
    };
    let found_by = format!("{name} {} {} {}", classes.join(" "), grown.objects, grown.bytes);
    let change = object.map(|_| grown.change);
    row(0, called, found_by, cells((grown.objects, grown.bytes, most), change, method))
}

/// Name and row of one owner of a group: its growth is the change in its retained size.
fn single(heaps: BorrowedHeaps<'_>, owner: &GrowthOwner, most: u64) -> (String, Row) {
    let name = owner_name(heaps.namer, &heaps.comparison.matches, owner);
    let change = match *owner {
        GrowthOwner::Object { .. } => {
            let amount = |side: DumpData<'_>, object: ObjectId| Amount {
                objects: side.analysis.dominated_count(object) + 1,
                shallow: side.heap.shallow(object),
                retained: side.analysis.retained(object),
            };
            let of = |side: DumpData<'_>, object: Option<ObjectId>| {
                object.map(|object| amount(side, object)).unwrap_or_default()
            };
            let (before, after) = (owner.structure_before(), owner.structure());
            Some(Change { before: of(heaps.pair.before, before), after: of(heaps.pair.after, after) })
        }
        GrowthOwner::Top(_) => None,
    };
    let (object, method) = in_both(owner).unzip();
    let more = change.unwrap_or_default();
    let called = RowLabel { name: name.as_str().into(), times: 1, more: "".into(), object };
    let found_by = format!("{name} {} {}", more.objects(), more.retained());
    (name, row(1, called, found_by, cells((more.objects(), more.retained(), most), change, method)))
}

/// Owner in the newer heap, and the criterion of its match.
fn in_both(owner: &GrowthOwner) -> Option<(ObjectId, MatchMethod)> {
    match *owner {
        GrowthOwner::Object { after, method, .. } => Some((owner.structure().unwrap_or(after), method)),
        GrowthOwner::Top(_) => None,
    }
}

fn row(depth: usize, called: RowLabel, found_by: String, cells: Vec<Cell>) -> Row {
    let leads = called.object.map_or(RowTarget::None, RowTarget::Object);
    Row { depth, name: Name::Called(called), found_by, cells, leads }
}

fn cells(
    (objects, bytes, most): (CountDelta, ByteDelta, u64),
    change: Option<Change>,
    method: Option<MatchMethod>,
) -> Vec<Cell> {
    let none = Cell::missing(NO_RETAINED);
    let retained =
        |of: fn(Change) -> Amount| change.map_or_else(|| none.clone(), |change| Cell::minor(of(change).retained));
    let sure = |method: MatchMethod| Cell::words(format!("{} · {}", method.name(), method.confidence().name()));
    vec![
        Cell::count_delta(objects),
        Cell::grown(bytes, most),
        retained(|change| change.before),
        retained(|change| change.after),
        method.map_or(Cell::EMPTY, sure),
    ]
}

/// Parts with added or removed objects: first the class that names the growth (of the application, as in the text of the
/// command line), then most bytes first.
fn changed_parts<'a>(heaps: BorrowedHeaps<'_>, grown: &'a GrowthRow) -> Vec<&'a Part> {
    let turned = |part: &&Part| part.added > 0 || part.removed > 0 || part.bytes.0 != 0;
    let mut parts: Vec<&Part> = grown.parts.iter().filter(turned).collect();
    let named = naming_part(heaps, grown, None).and_then(|at| grown.parts.get(at)).map(|part| part.kind);
    parts.sort_by_key(|part| (Some(part.kind) != named, Reverse(part.bytes.0.unsigned_abs())));
    parts
}

/// Class of the objects of a part, with its package.
fn class_of<'a>(heaps: BorrowedHeaps<'a>, part: &Part) -> &'a str {
    heaps.comparison.matches.kinds.get(part.kind).map_or("", |kind| &*kind.name)
}

/// The second line of an owner: `parts` by their classes without packages, and bytes moved.
fn class_list(heaps: BorrowedHeaps<'_>, parts: &[&Part], moved: ByteDelta) -> ClassList {
    let part = |part: &&Part| {
        let class = source_classes::simple(class_of(heaps, part), part.added.max(part.removed));
        (words::objects(part.added, part.removed, &class), part.bytes.to_string())
    };
    let bytes = Bytes(moved.0.unsigned_abs());
    let fewer = format!("{bytes} moved {}", if moved.0 > 0 { "here" } else { "away" });
    ClassList { parts: parts.iter().map(part).collect(), moved: words::moved(moved).map(|moved| (moved, fewer)) }
}
