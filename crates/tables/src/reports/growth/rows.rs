//! Rows of classes, and of groups with the same name in both dumps, as in the tables of the command line.

use std::sync::Arc;

use crate::columns::Value;
use crate::diff::{
    BorrowedHeaps, ChangeFilter, Changes, ClassChanges, ClassLookup, DiffRows, HeapLender, NamedDump, SharedComparison,
    SideChanges, head,
};
use crate::reports::rows::{Cell, Name, Row, Rows};
use crate::{RowTarget, Table, export::diff::DocumentHeader};
use heaplens_analysis::diff::{Change, classes::ClassRow, entry_diff::turnover};
use heaplens_analysis::naming::distinctions;
use heaplens_base::{ByteDelta, Bytes, Cancelled, Count, CountDelta, Task};
use heaplens_session::side_by_side::{Measure, SideValues, side_by_side};
use heaplens_session::{JobError, OpenDump, SideRow, SideRowKind};

/// Maximum number of strings listed.
const TEXTS: usize = 10_000;

/// Classes.
pub fn classes(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let shared = SharedComparison::of(dump, task)?;
    let heaps = borrowed(&shared)?;
    let turned = turnover(heaps.pair, &heaps.comparison.matches, task)?;
    let table = ClassChanges::new(Box::new(shared.clone()), &turned, ChangeFilter::All);
    let classes = &heaps.comparison.classes;
    let most = most(classes.iter().map(|row| row.change.shallow().0));
    let rows = classes.iter().map(|row| class(heaps, row, 0, most)).collect();
    let summary = summary(("class", "classes"), classes.iter().map(|row| row.change.shallow().0));
    Ok(report_rows(&shared, DiffRows::Classes, Arc::new(table), rows, summary))
}

/// Packages and loaders with their classes below, threads, strings, collections.
pub fn side(dump: &OpenDump, what: SideRowKind, task: &Task) -> Result<Rows, JobError> {
    let shared = SharedComparison::of(dump, task)?;
    let heaps = borrowed(&shared)?;
    let table = SideChanges::new(what, side_by_side(heaps.pair, what, task)?, ChangeFilter::All);
    let inside = ClassLookup::new(heaps);
    let bars = |row: &SideRow| row.growth(what.size());
    // Rows that grew come first; the tail of the list of strings is dropped.
    let listed = if what == SideRowKind::Strings { TEXTS } else { usize::MAX };
    let listed = &table.rows()[..table.rows().len().min(listed)];
    let full = most(listed.iter().map(bars));
    let mut rows = Vec::new();
    let owners = if what == SideRowKind::Leaks { owner_names(heaps, listed, task)? } else { Vec::new() };
    for (at, row) in listed.iter().enumerate() {
        task.checkpoint()?;
        rows.push(line(what, row, owners.get(at).map(String::as_str), full));
        if matches!(what, SideRowKind::Packages | SideRowKind::Loaders) {
            rows.extend(inside.of(row).iter().map(|row| class(heaps, row, 1, full)));
        }
    }
    let named = match what {
        SideRowKind::Packages => ("package", "packages"),
        SideRowKind::Loaders => ("class loader", "class loaders"),
        SideRowKind::Threads => ("thread name", "thread names"),
        SideRowKind::Strings => ("string", "strings"),
        SideRowKind::Collections => ("collection class", "collection classes"),
        SideRowKind::Leaks | SideRowKind::Outside => ("owner", "owners"),
    };
    let summary = summary(named, table.rows().iter().map(bars));
    Ok(report_rows(&shared, DiffRows::Side(what), Arc::new(table), rows, summary))
}

/// A dump for the heading of a comparison.
fn named<'a>(dump: &'a OpenDump, file: &'a str) -> NamedDump<'a> {
    NamedDump { side: dump.data(), file, open_warnings: &dump.open_warnings }
}

/// Rows on screen, and their query.
pub(super) fn report_rows(
    shared: &SharedComparison,
    of: DiffRows,
    table: Arc<dyn Table>,
    rows: Vec<Row>,
    summary: String,
) -> Rows {
    let mut rows = Rows::shared(Arc::clone(&table), rows, summary);
    if let Some(heaps) = shared.lend() {
        let [before, after] = [&shared.before, &shared.after].map(|dump| dump.opened.file.display().to_string());
        let head = head(
            named(&shared.before, &before),
            named(&shared.after, &after),
            of.needs_matches().then_some(&heaps.comparison.growth),
        );
        let files = [&shared.before, &shared.after].map(|dump| dump.opened.file.clone()).into();
        let head = Arc::new(DocumentHeader::Pair(Box::new(head)));
        rows.subject = Some(Arc::new(Changes { of, files, head, table }));
    }
    rows
}

/// The two heaps compared. Fails without a comparison.
pub(super) fn borrowed(shared: &SharedComparison) -> Result<BorrowedHeaps<'_>, JobError> {
    shared.lend().ok_or_else(|| JobError::Failed("no comparison is active".to_owned()))
}

/// Largest absolute growth of all rows, which fills the bar.
pub(super) fn most(growth: impl Iterator<Item = i64>) -> u64 {
    growth.map(i64::unsigned_abs).max().unwrap_or(0).max(1)
}

/// Number of rows, named in singular and plural, and of those that grew and shrank.
pub(super) fn summary((one, many): (&str, &str), growth: impl Iterator<Item = i64>) -> String {
    let (mut all, mut grew, mut shrank) = (0, 0, 0);
    for bytes in growth {
        all += 1;
        grew += u64::from(bytes > 0);
        shrank += u64::from(bytes < 0);
    }
    format!("{} · {} grew · {} shrank", Count(all).of(one, many), Count(grew), Count(shrank))
}

/// Short names of the owners of leaks, as the table of owners has them; of those of one name with the end of their path.
/// The path itself if nothing in the source names an owner, or if it is in the baseline only.
fn owner_names(heaps: BorrowedHeaps<'_>, rows: &[SideRow], task: &Task) -> Result<Vec<String>, JobError> {
    let mut names = Vec::with_capacity(rows.len());
    for row in rows {
        let object = row.after.as_ref().and_then(|side| side.objects.first().copied());
        let name = object.map(|object| heaps.namer.short_name(object, task)).transpose()?.flatten();
        names.push(name.map_or_else(|| row.name.clone(), |name| name.to_string()));
    }
    let shown: Vec<&str> = names.iter().map(String::as_str).collect();
    let path = |at: usize| Ok::<_, Cancelled>(rows.get(at).map(|row| row.name.clone()));
    let told_apart = distinctions(&shown, path, |_| None)?;
    let noted = |(at, name): (usize, String)| match told_apart.get(&at) {
        Some(distinction) => format!("{name} ({distinction})"),
        None => name,
    };
    Ok(names.into_iter().enumerate().map(noted).collect())
}

fn line(what: SideRowKind, row: &SideRow, owner: Option<&str>, most: u64) -> Row {
    let (before, after) = row.things(what);
    // Strings that occur once are not counted, so a count of zero does not mean new.
    let new = if what == SideRowKind::Strings { "" } else { new_or_gone(before, after) };
    let bytes = ByteDelta(row.growth(what.size()));
    let found_by =
        format!("{} {} {new} {} {bytes}", row.name, owner.unwrap_or_default(), CountDelta::between(before, after));
    let name = match what {
        SideRowKind::Collections => Name::Class(row.name.clone().into()),
        SideRowKind::Strings => Name::Words(format!("“{}”", row.name)),
        SideRowKind::Packages | SideRowKind::Loaders | SideRowKind::Outside => Name::Qualified(row.name.clone()),
        SideRowKind::Leaks => Name::Qualified(owner.unwrap_or(&row.name).to_owned()),
        SideRowKind::Threads => Name::Words(row.name.clone()),
    };
    let (now, was) = (row.after.as_ref(), row.before.as_ref());
    let object = |side: Option<&SideValues>| side?.objects.first().copied();
    let class = |side: Option<&SideValues>| side?.classes.first().copied();
    // Removed objects are shown in the baseline.
    let leads = match what {
        SideRowKind::Packages | SideRowKind::Loaders => None,
        SideRowKind::Threads | SideRowKind::Strings | SideRowKind::Leaks | SideRowKind::Outside => {
            object(now).map(RowTarget::Object).or_else(|| object(was).map(RowTarget::BaselineObject))
        }
        SideRowKind::Collections => {
            class(now).map(RowTarget::Class).or_else(|| class(was).map(RowTarget::BaselineClass))
        }
    };
    let cells = cells(what, row, Cell::grown(bytes, most));
    Row { depth: 0, name, found_by, cells, leads: leads.unwrap_or(RowTarget::None) }
}

/// Figures of a row; `grown` contains the bar.
fn cells(what: SideRowKind, row: &SideRow, grown: Cell) -> Vec<Cell> {
    let counts = |wanted: Measure| {
        let nth = what.measures().iter().position(|&measure| measure == wanted);
        nth.map_or((0, 0), |nth| row.counts(nth))
    };
    let (before, after) = row.things(what);
    let (bytes_before, bytes_after) = row.counts(what.size());
    let change = Cell::from(Value::Change { before: bytes_before, after: bytes_after });
    let (was, is, objects) = (Cell::count(before), Cell::count(after), more(before, after));
    let size = |(before, after): (u64, u64)| (Cell::minor(Bytes(before)), Cell::minor(Bytes(after)));
    match what {
        SideRowKind::Packages | SideRowKind::Loaders => {
            let (shallow, now) = size(counts(Measure::Shallow));
            let retained_counts = counts(Measure::Retained);
            let (retained, still) = size(retained_counts);
            let retained_counts =
                Cell::byte_delta(ByteDelta::between(Bytes(retained_counts.0), Bytes(retained_counts.1)));
            vec![was, is, objects, shallow, now, grown, change, retained, still, retained_counts]
        }
        SideRowKind::Threads => {
            let (retained, still) = size(counts(Measure::Retained));
            vec![retained, still, grown, change]
        }
        SideRowKind::Leaks => {
            let (freed, frees) = size(counts(Measure::Frees));
            vec![was, is, objects, freed, frees, grown, change]
        }
        SideRowKind::Outside => {
            let (native, now) = size(counts(Measure::Native));
            vec![was, is, objects, native, now, grown, change]
        }
        SideRowKind::Strings => {
            let few = |count: u64| if count == 0 { Cell::words("0 or 1") } else { Cell::count(count) };
            vec![few(before), few(after), objects, grown]
        }
        SideRowKind::Collections => {
            let (held, holds) = counts(Measure::Elements);
            vec![was, is, objects, Cell::count(holds), more(held, holds), grown, change]
        }
    }
}

fn more(before: u64, after: u64) -> Cell {
    Cell::count_delta(CountDelta::between(before, after))
}

/// A class, in its own table or below its group.
fn class(heaps: BorrowedHeaps<'_>, row: &ClassRow, depth: usize, most: u64) -> Row {
    let kind = heaps.comparison.matches.kinds.get(row.kind);
    let name = kind.map_or("", |kind| &*kind.name);
    let change @ Change { before, after } = row.change;
    let cells = vec![
        Cell::count(before.objects),
        Cell::count(after.objects),
        Cell::count_delta(change.objects()),
        Cell::minor(before.shallow),
        Cell::minor(after.shallow),
        Cell::grown(change.shallow(), most),
        Cell::from(Value::Change { before: before.shallow.0, after: after.shallow.0 }),
        Cell::minor(before.retained),
        Cell::minor(after.retained),
        Cell::byte_delta(change.retained()),
    ];
    let new = new_or_gone(before.objects, after.objects);
    let found_by = format!("{name} {new} {} {}", change.objects(), change.shallow());
    // A class may still be defined, though no object is left.
    let leads = kind.and_then(|kind| match (kind.after.first(), kind.before.first()) {
        (Some(&class), _) if after.objects > 0 => Some(RowTarget::Class(class)),
        (_, Some(&class)) if before.objects > 0 => Some(RowTarget::BaselineClass(class)),
        (class, _) => class.map(|&class| RowTarget::Class(class)),
    });
    let leads = leads.unwrap_or(RowTarget::None);
    Row { depth, name: Name::Class(name.into()), found_by, cells, leads }
}

fn new_or_gone(before: u64, after: u64) -> &'static str {
    match (before, after) {
        (0, 1..) => "new",
        (1.., 0) => "removed",
        _ => "",
    }
}
