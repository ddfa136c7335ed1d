//! Owners of added and removed objects: two lines each, the second lists these objects.

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use super::rows::{borrowed, most, report_rows, summary};
use crate::RowTarget;
use crate::diff::{
    BorrowedHeaps, ChangeFilter, DiffRows, OwnerChanges, OwnerDetail, SharedComparison, naming_part, owner_name,
};
use crate::export::diff::{similar, words};
use crate::reports::rows::{Cell, Name, Row, RowLabel, Rows};
use crate::reports::second_line::{ClassList, SecondLine};
use heaplens_analysis::diff::growth::Part;
use heaplens_analysis::diff::{Amount, Change, GrowthRow, MatchMethod, Owner, Side};
use heaplens_base::{ByteDelta, Bytes, CountDelta, Task};
use heaplens_core::heap::{ObjectId, split_class};
use heaplens_session::open_dump::{Lines, OverTime};
use heaplens_session::{JobError, OpenDump};

/// Maximum number of owners listed in a group of similar ones.
const LISTED: usize = 200;
/// Maximum number of last steps of a path that tell owners of one name apart.
const STEPS: usize = 6;
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
    let listed: Vec<(u32, &GrowthRow)> = (0..).zip(all).filter(|(_, grown)| has_news(grown)).collect();
    let bytes = || listed.iter().map(|(_, grown)| grown.bytes.0);
    let most = most(bytes());
    let over = dump.over_time.as_deref();
    let distinctions = distinctions(&table, &listed, task)?;
    let mut rows = Vec::new();
    for &(place, grown) in &listed {
        task.checkpoint()?;
        let mut singles = Vec::new();
        if grown.owners.len() > 1 {
            for owner in grown.owners.iter().take(LISTED) {
                task.checkpoint()?;
                singles.push(single(heaps, owner, most));
            }
        }
        let names: Vec<&str> = singles.iter().map(|(name, _)| name.as_str()).collect();
        let name = table.name(place as usize);
        // Parts of one structure have its name.
        let title = match names.first() {
            Some(first) if *first == name => similar::title(grown.owners.len() as u64, &names),
            _ => distinctions.get(&place).map_or_else(|| name.to_owned(), |other| format!("{name} ({other})")),
        };
        rows.push(with_line(top(heaps, grown, &title, most), over, place, |lines| Some(&lines.together)));
        let singles = singles.into_iter().enumerate();
        rows.extend(singles.map(|(nth, (_, row))| with_line(row, over, place, |lines| lines.each.get(nth))));
    }
    let summary = summary(("changed owner", "changed owners"), bytes());
    let places = listed.iter().map(|&(place, _)| place).collect();
    Ok(report_rows(&shared, DiffRows::Owners, Arc::new(table), rows, summary).at(places))
}

/// By row what tells its owner from others of its name.
fn distinctions(
    table: &OwnerChanges<'_>,
    listed: &[(u32, &GrowthRow)],
    task: &Task,
) -> Result<BTreeMap<u32, String>, JobError> {
    let mut of_name: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for &(place, _) in listed {
        task.checkpoint()?;
        of_name.entry(table.name(place as usize)).or_default().push(place);
    }
    let mut distinctions = BTreeMap::new();
    for places in of_name.into_values().filter(|places| places.len() > 1) {
        let mut told = Vec::with_capacity(places.len());
        for place in places {
            told.extend(table.distinction(place as usize, task)?.map(|path| (place, path)));
        }
        let paths: Vec<&str> = told.iter().map(|(_, path)| path.as_str()).collect();
        distinctions.extend(told.iter().map(|(place, path)| (*place, own_ending(path, &paths).to_owned())));
    }
    Ok(distinctions)
}

/// The last steps of a path that no other of some paths ends with; the whole path if there are none.
fn own_ending<'a>(path: &'a str, paths: &[&str]) -> &'a str {
    let is_own = |ending: &&str| paths.iter().filter(|other| other.ends_with(*ending)).nth(1).is_none();
    let mut endings = steps(path).into_iter().rev().take(STEPS).filter_map(|at| path.get(at..));
    endings.find(is_own).map_or(path, |ending| ending.trim_start_matches('.'))
}

/// Where the steps of a path begin: its dots, but those of class names and keys in brackets or quotes.
fn steps(path: &str) -> Vec<usize> {
    let (mut depth, mut is_quoted, mut starts) = (0_u32, false, Vec::new());
    for (at, letter) in path.char_indices() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '[' | '<' if !is_quoted => depth += 1,
            ']' | '>' if !is_quoted => depth = depth.saturating_sub(1),
            '.' if !is_quoted && depth == 0 => starts.push(at),
            _ => {}
        }
    }
    starts
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
    let parts = changed_parts(heaps, grown);
    let classes: Vec<String> =
        parts.iter().map(|part| words::objects(part.came, part.went, class_of(heaps, part))).collect();
    let called = RowLabel {
        name: name.into(),
        times: 1,
        more: SecondLine::Classes(class_list(heaps, &parts, grown.moved)),
        object: object.map(|(object, _)| object),
    };
    let found_by = format!("{name} {} {} {}", classes.join(" "), grown.objects, grown.bytes);
    let change = object.map(|_| grown.change);
    row(0, called, found_by, cells((grown.objects, grown.bytes, most), change, how))
}

/// Name and row of one owner of a group: its growth is the change in its retained size.
fn single(heaps: BorrowedHeaps<'_>, owner: &Owner, most: u64) -> (String, Row) {
    let name = owner_name(heaps.namer, &heaps.comparison.matches, owner);
    let change = match *owner {
        Owner::Object { .. } => {
            let amount = |side: Side<'_>, object: ObjectId| Amount {
                objects: side.analysis.dominated_count(object) + 1,
                shallow: side.heap.shallow(object),
                retained: side.analysis.retained(object),
            };
            let of = |side: Side<'_>, object: Option<ObjectId>| {
                object.map(|object| amount(side, object)).unwrap_or_default()
            };
            let (before, after) = (owner.structure_before(), owner.structure());
            Some(Change { before: of(heaps.pair.before, before), after: of(heaps.pair.after, after) })
        }
        Owner::Top(_) => None,
    };
    let (object, how) = in_both(owner).unzip();
    let more = change.unwrap_or_default();
    let called = RowLabel { name: name.as_str().into(), times: 1, more: "".into(), object };
    let found_by = format!("{name} {} {}", more.objects(), more.retained());
    (name, row(1, called, found_by, cells((more.objects(), more.retained(), most), change, how)))
}

/// Owner in the newer heap, and the criterion of its match.
fn in_both(owner: &Owner) -> Option<(ObjectId, MatchMethod)> {
    match *owner {
        Owner::Object { after, how, .. } => Some((owner.structure().unwrap_or(after), how)),
        Owner::Top(_) => None,
    }
}

fn row(depth: usize, called: RowLabel, found_by: String, cells: Vec<Cell>) -> Row {
    let leads = called.object.map_or(RowTarget::None, RowTarget::Object);
    Row { depth, name: Name::Called(called), found_by, cells, leads }
}

fn cells(
    (objects, bytes, most): (CountDelta, ByteDelta, u64),
    change: Option<Change>,
    how: Option<MatchMethod>,
) -> Vec<Cell> {
    let none = Cell::Missing(NO_RETAINED);
    let retained =
        |of: fn(Change) -> Amount| change.map_or_else(|| none.clone(), |change| Cell::Size(of(change).retained));
    let sure = |how: MatchMethod| Cell::Words(format!("{} · {}", how.name(), how.sureness().name()).into());
    vec![
        Cell::More(objects),
        Cell::Grown(bytes, most),
        retained(|change| change.before),
        retained(|change| change.after),
        how.map_or(Cell::Empty, sure),
    ]
}

/// Parts with added or removed objects: first the class that names the growth (of the application, as in the text of the
/// command line), then most bytes first.
fn changed_parts<'a>(heaps: BorrowedHeaps<'_>, grown: &'a GrowthRow) -> Vec<&'a Part> {
    let turned = |part: &&Part| part.came > 0 || part.went > 0 || part.bytes.0 != 0;
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
        let class = split_class(class_of(heaps, part)).1;
        (words::objects(part.came, part.went, class), part.bytes.to_string())
    };
    let bytes = Bytes(moved.0.unsigned_abs());
    let fewer = format!("{bytes} moved {}", if moved.0 > 0 { "here" } else { "away" });
    ClassList { parts: parts.iter().map(part).collect(), moved: words::moved(moved).map(|moved| (moved, fewer)) }
}

#[cfg(test)]
mod tests {
    use super::own_ending;

    #[test]
    fn owners_of_one_name_have_the_shortest_endings_that_differ() {
        let paths = ["app.a.loader.lock", "app.b.loader.lock", "app.a.loader.classes", "lock"];
        let endings = paths.map(|path| own_ending(path, &paths));
        assert_eq!(endings, ["a.loader.lock", "b.loader.lock", "classes", "lock"]);
        let (one, other) = ("thread.locals[java.nio.Buffers][0]", "thread.\"a.locals\"[java.nio.Buffers][1]");
        assert_eq!(own_ending(one, &[one, other]), "locals[java.nio.Buffers][0]");
        assert_eq!(own_ending(other, &[one, other]), "\"a.locals\"[java.nio.Buffers][1]");
        assert_eq!(own_ending("same.path", &["same.path", "same.path"]), "same.path");
    }
}
