//! `dominators` in a form that reads well: folded, grouped, what is shared by
//! whom, and where what is held accumulates.

use std::io::Write;

use super::args::{DominatorsArguments, DominatorsBy, FormatArgument, OpenArguments, PrintArguments};
use super::commands::{Answer, filter, print_rows, rows_wanted};
use super::held::Held;
use super::names::object_named;
use super::open;
use crate::analysis::dominator_tree::LevelOrder;
use crate::analysis::dominator_tree::drops::{BigDrop, DropRule, big_drops};
use crate::analysis::dominator_tree::folding::Folding;
use crate::analysis::dominator_tree::parts::{By, Form, Part, Partition};
use crate::analysis::dominator_tree::rows::{Fold, FoldKind, Rows};
use crate::analysis::dominator_tree::shared::{Shared, SharedSet};
use crate::export::table::{Cell, Column, JsonRow, column};
use crate::heap::ids::{ClassId, ObjectId};
use crate::session::dump::OpenDump;
use crate::task::{Cancelled, Task};
use crate::units::{Bytes, Count, Share};

/// Levels that text indents; below, rows stay where they are.
const INDENTED: usize = 40;

/// Columns of a tree whose rows may stand for several objects.
const COLUMNS: [Column; 10] = [
    column("row", "Row"),
    column("kind", "Kind"),
    column("id", "Object"),
    column("class", "Class"),
    column("label", "Label"),
    column("objects", "Objects"),
    column("shallow_bytes", "Shallow"),
    column("retained_bytes", "Retained"),
    column("share", "Share"),
    column("dominated", "Dominated"),
];

/// Columns of `--drops`.
const DROPS: [Column; 12] = [
    column("holder", "Holder"),
    column("holder_class", "Holder class"),
    column("holder_label", "Holder label"),
    column("holder_retained_bytes", "Retained"),
    column("share", "Share"),
    column("id", "Accumulates in"),
    column("class", "Class"),
    column("label", "Label"),
    column("retained_bytes", "Retained there"),
    column("children", "Objects below"),
    column("biggest_child", "Biggest"),
    column("biggest_child_bytes", "Retains"),
];

/// Whether the arguments ask for a form of this file.
pub(super) fn is_asked(arguments: &DominatorsArguments) -> bool {
    arguments.fold || arguments.by.is_some() || arguments.shared || arguments.drops
}

pub(super) fn dominators(arguments: &DominatorsArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &OpenArguments { ..print.open.clone() })?;
    let (heap, analyzed, contents) = (&dump.facts.heap, &dump.analyzed, &*dump.facts.contents);
    let task = Task::new();
    let passes = |object: ObjectId| {
        filter.is_empty() || filter.matches_object(&heap.class(object).name, || contents.label(heap, object))
    };
    if arguments.drops {
        let rule = DropRule { percent: arguments.drop_share, ..DropRule::of(analyzed) };
        let drops = big_drops(heap, analyzed, rule, &task)?;
        let drops = drops.into_iter().filter(|drop| passes(drop.holder) || passes(drop.point));
        return print_rows(&dump, print, &DROPS, drops.map(|drop| drop_cells(&dump, drop)));
    }
    let of = arguments.of.as_deref().map(|id| object_named(&dump, &arguments.file, id)).transpose()?;
    let by = match arguments.by {
        Some(DominatorsBy::Package) => By::Package,
        Some(DominatorsBy::Loader) => By::Loader,
        Some(DominatorsBy::Class) | None => By::Class,
    };
    let form = if arguments.by.is_some() { Form::By(by) } else { Form::Folded };
    let partition = Partition::new(heap, by);
    let wants_shared = arguments.shared || (form == Form::Folded && of.is_none());
    let shared = wants_shared.then(|| Shared::find(heap, contents, analyzed, &task)).transpose()?;
    let folding = Folding {
        heap,
        analyzed,
        contents: Some(contents),
        form,
        partition: &partition,
        shared: shared.as_ref(),
        order: (LevelOrder::Retained, false),
    };
    let depth = arguments.depth.unwrap_or(1) as usize;
    let top = of.map_or(Part::TOP, Part::below);
    let walk = Walk { folding, task, top: rows_wanted(print), depth, levels: Vec::new() };
    let walk = if arguments.shared { walk.at_shared(&passes)? } else { walk.at(top, &passes)? };
    // `--top` counts the rows of each level, and has done so already.
    let all = PrintArguments { top: Some(usize::MAX), ..print.clone() };
    let cells = |row: &Shown| cells(&dump, shared.as_ref(), row);
    match print.format {
        FormatArgument::Json => tree_json(&dump, shared.as_ref(), walk, depth, cells),
        FormatArgument::Text => {
            let columns = [COLUMNS[0], COLUMNS[2], COLUMNS[5], COLUMNS[6], COLUMNS[7], COLUMNS[8], COLUMNS[9]];
            let rows = walk.map(|(depth, row)| {
                let mut cells = cells(&row);
                // A row for people is one name: class, label, how many.
                for at in [4, 3, 1] {
                    cells.remove(at);
                }
                if let Some(Cell::Text(name)) = cells.first_mut() {
                    name.insert_str(0, &"  ".repeat(depth.min(INDENTED)));
                }
                cells
            });
            print_rows(&dump, &all, &columns, rows)
        }
        FormatArgument::Csv => {
            let columns: Vec<_> = COLUMNS.into_iter().chain([column("depth", "Depth")]).collect();
            let with_depth = |(depth, row): (usize, Shown)| [cells(&row), vec![Cell::Count(depth as u64)]].concat();
            print_rows(&dump, &all, &columns, walk.map(with_depth))
        }
    }
}

/// A row: an object, or what it stands for.
struct Shown {
    object: ObjectId,
    fold: Option<Fold>,
}

/// A level on the way down.
struct Level {
    part: Part,
    rows: Rows,
    next: usize,
}

/// Walks the tree, each row before those below it: depth and row.
struct Walk<'a> {
    folding: Folding<'a>,
    task: Task,
    /// Rows of each level at most.
    top: usize,
    /// Levels at most.
    depth: usize,
    levels: Vec<Level>,
}

impl Walk<'_> {
    fn at(mut self, part: Part, passes: &(dyn Fn(ObjectId) -> bool + Sync)) -> Result<Self, Cancelled> {
        let rows = self.folding.rows(part, passes, &self.task)?;
        self.levels.push(Level { part, rows, next: 0 });
        Ok(self)
    }

    /// Only what is shared.
    fn at_shared(mut self, passes: &(dyn Fn(ObjectId) -> bool + Sync)) -> Result<Self, Cancelled> {
        let rows = self.folding.shared_rows(passes, &self.task)?;
        self.levels.push(Level { part: Part::TOP, rows, next: 0 });
        Ok(self)
    }
}

impl Iterator for Walk<'_> {
    type Item = (usize, Shown);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let depth = self.levels.len().checked_sub(1)?;
            let level = self.levels.last_mut()?;
            let Some(&object) = level.rows.rows.get(level.next).filter(|_| level.next < self.top) else {
                self.levels.pop();
                continue;
            };
            level.next += 1;
            let shown = Shown { object, fold: level.rows.fold(object).cloned() };
            if depth + 1 < self.depth
                && let Some(part) = level.rows.below(self.folding.analyzed, level.part, object)
            {
                // Nobody cancels this task.
                let rows = self.folding.rows(part, &|_| true, &self.task).unwrap_or_default();
                self.levels.push(Level { part, rows, next: 0 });
            }
            return Some((depth, shown));
        }
    }
}

/// The cells of a row, as [`COLUMNS`] names them.
fn cells(dump: &OpenDump, shared: Option<&Shared>, row: &Shown) -> Vec<Cell> {
    let (heap, analyzed, contents) = (&dump.facts.heap, &dump.analyzed, &*dump.facts.contents);
    let whole = analyzed.shown.shallow;
    let class = heap.class(row.object).name.to_string();
    let Some(fold) = &row.fold else {
        let (label, retained) = (contents.label(heap, row.object), analyzed.retained(row.object));
        let name = label.as_ref().map_or_else(|| class.clone(), |label| format!("{class} {label}"));
        return vec![
            Cell::Text(name),
            Cell::Text("object".to_owned()),
            Cell::Text(heap.id_text(row.object)),
            Cell::Text(class),
            label.map_or(Cell::Nothing, Cell::Text),
            Cell::Count(1),
            Cell::Size(heap.shallow(row.object)),
            Cell::Size(retained),
            Cell::Share(Share::of(retained, whole)),
            Cell::Count(analyzed.dominated(row.object)),
        ];
    };
    let times = Count(fold.objects);
    let (kind, name, id, class) = match &fold.kind {
        FoldKind::Chain { chain, via } => {
            let via = if via.is_empty() { String::new() } else { format!(" via {via}") };
            ("chain", format!("{class} ×{times}{via}"), Some(chain.head), Some(class))
        }
        FoldKind::Members(_) => ("members", format!("the chain itself: {class} ×{times}"), None, Some(class)),
        FoldKind::Group(By::Class, _) => ("group", format!("{class} ×{times}"), None, Some(class)),
        FoldKind::Group(by, group) => ("group", format!("{} ×{times}", group_name(dump, *by, *group)), None, None),
        FoldKind::Shared(set) => {
            let owners = set_of(shared, *set).map(SharedSet::owners_text).unwrap_or_default();
            ("shared", format!("{times} shared by {owners}"), None, None)
        }
    };
    vec![
        Cell::Text(name),
        Cell::Text(kind.to_owned()),
        id.map_or(Cell::Nothing, |id| Cell::Text(heap.id_text(id))),
        class.map_or(Cell::Nothing, Cell::Text),
        Cell::Nothing,
        Cell::Count(fold.objects),
        Cell::Size(fold.shallow),
        Cell::Size(fold.retained),
        Cell::Share(Share::of(fold.retained, whole)),
        Cell::Count(fold.dominated),
    ]
}

fn set_of(shared: Option<&Shared>, set: u32) -> Option<&SharedSet> {
    shared.and_then(|shared| shared.sets.get(set as usize))
}

fn group_name(dump: &OpenDump, by: By, class: ClassId) -> String {
    let heap = &dump.facts.heap;
    let class = heap.classes.get(class);
    match (by, class.loader) {
        (By::Class, _) => class.name.to_string(),
        (By::Package, _) => class.package().to_owned(),
        (By::Loader, None) => "<system class loader>".to_owned(),
        (By::Loader, Some(loader)) => {
            let label = dump.facts.contents.label(heap, loader).map(|label| format!(" {label}")).unwrap_or_default();
            format!("{} @ {}{label}", heap.class(loader).name, heap.id_text(loader))
        }
    }
}

fn drop_cells(dump: &OpenDump, drop: BigDrop) -> Vec<Cell> {
    let (heap, analyzed, contents) = (&dump.facts.heap, &dump.analyzed, &*dump.facts.contents);
    let id = |object| Cell::Text(heap.id_text(object));
    let label = |object| contents.label(heap, object).map_or(Cell::Nothing, Cell::Text);
    let class = |object| Cell::Text(heap.class(object).name.to_string());
    let retained = analyzed.retained(drop.holder);
    let biggest: Option<Bytes> = drop.biggest.child.map(|_| drop.biggest.retained);
    vec![
        id(drop.holder),
        class(drop.holder),
        label(drop.holder),
        Cell::Size(retained),
        Cell::Share(Share::of(retained, analyzed.shown.shallow)),
        id(drop.point),
        class(drop.point),
        label(drop.point),
        Cell::Size(analyzed.retained(drop.point)),
        Cell::Count(drop.biggest.children),
        drop.biggest.child.map_or(Cell::Nothing, class),
        biggest.map_or(Cell::Nothing, Cell::Size),
    ]
}

/// Rows within rows, written as they are walked: brackets are opened and closed as the depth changes.
fn tree_json(
    dump: &OpenDump,
    shared: Option<&Shared>,
    walk: Walk<'_>,
    levels: usize,
    cells: impl Fn(&Shown) -> Vec<Cell>,
) -> Answer {
    let mut out = Held::of(dump);
    let heap = &dump.facts.heap;
    out.write_all(b"{\"rows\":[")?;
    let mut before = None;
    // A row above the lowest level ends with the list of its children.
    let close = |out: &mut dyn Write, depth: usize| {
        out.write_all(if depth + 1 < levels { b"]}".as_slice() } else { b"}".as_slice() })
    };
    for (depth, row) in walk {
        if let Some(before) = before {
            for closed in (depth..=before).rev() {
                close(&mut out, closed)?;
            }
            if depth <= before {
                out.write_all(b",")?;
            }
        }
        let text = serde_json::to_string(&JsonRow { columns: &COLUMNS, cells: &cells(&row) })?;
        out.write_all(text.strip_suffix('}').unwrap_or(&text).as_bytes())?;
        if let Some(Fold { kind: FoldKind::Shared(set), .. }) = &row.fold
            && let Some(set) = set_of(shared, *set)
        {
            let ids = set.owners.as_ref().map(|owners| owners.iter().map(|&o| heap.id_text(o)).collect::<Vec<_>>());
            write!(out, ",\"owners\":{}", serde_json::to_string(&ids)?)?;
            write!(out, ",\"owner_names\":{}", serde_json::to_string(&set.names)?)?;
        }
        if depth + 1 < levels {
            out.write_all(b",\"children\":[")?;
        }
        before = Some(depth);
    }
    for closed in (0..before.map_or(0, |b| b + 1)).rev() {
        close(&mut out, closed)?;
    }
    out.write_all(b"]}\n")?;
    out.flush()?;
    Ok(())
}
