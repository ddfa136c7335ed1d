//! `dominators`: the tree below an object, row by row as it is walked. A level
//! may have ten million rows and a tree five million levels, so nothing is kept
//! but the way down.

use std::io::Write;

use super::args::{DominatorsArguments, FormatArgument, OpenArguments, PrintArguments};
use super::commands::{Answer, filter, object_named, print_rows, rows_wanted};
use super::failure::Failure;
use super::held::Held;
use super::{folded, open, report};
use crate::analysis::dominator_tree::{LevelOrder, level};
use crate::analysis::filter::TextFilter;
use crate::analysis::unreachable::Unreachable;
use crate::export::json::DominatorRow;
use crate::export::table::{Cell, column};
use crate::heap::ids::ObjectId;
use crate::session::dump::OpenDump;
use crate::task::{Cancelled, Task};
use crate::units::Share;

/// Levels that text indents; below, rows stay where they are.
const INDENTED: usize = 40;

/// Which part of the tree is wanted.
pub(super) struct Wanted<'a> {
    /// Begin below this object; `None`: below the virtual root.
    pub(super) of: Option<ObjectId>,
    /// Rows of each level at most.
    pub(super) top: usize,
    /// Levels at most.
    pub(super) depth: usize,
    /// Which rows of the first level.
    pub(super) filter: &'a TextFilter,
    /// Only rows of these; what is below an unreachable object is unreachable too.
    pub(super) only: Option<&'a Unreachable>,
}

/// Walks the tree, each object before those below it: depth and object.
pub(super) struct Walk<'a> {
    dump: &'a OpenDump,
    wanted: Wanted<'a>,
    task: Task,
    /// What is left of each level on the way down.
    levels: Vec<std::iter::Take<std::vec::IntoIter<ObjectId>>>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(dump: &'a OpenDump, wanted: Wanted<'a>) -> Result<Self, Cancelled> {
        let mut walk = Self { dump, wanted, task: Task::new(), levels: Vec::new() };
        let mut first = walk.below(walk.wanted.of)?;
        if let Some(only) = walk.wanted.only {
            first.retain(|&object| only.contains(object));
        }
        if !walk.wanted.filter.is_empty() {
            let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
            first.retain(|&o| walk.wanted.filter.matches_object(&heap.class(o).name, || contents.label(heap, o)));
        }
        walk.levels.push(first.into_iter().take(walk.wanted.top));
        Ok(walk)
    }

    fn below(&self, object: Option<ObjectId>) -> Result<Vec<ObjectId>, Cancelled> {
        let facts = &self.dump.facts;
        level(&facts.heap, &self.dump.analyzed, object, |_| true, (LevelOrder::Retained, false), &self.task)
    }
}

impl Iterator for Walk<'_> {
    type Item = (usize, ObjectId);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let depth = self.levels.len().checked_sub(1)?;
            if let Some(object) = self.levels.last_mut()?.next() {
                if depth + 1 < self.wanted.depth {
                    // Nobody cancels this task.
                    let below = self.below(Some(object)).unwrap_or_default();
                    self.levels.push(below.into_iter().take(self.wanted.top));
                }
                return Some((depth, object));
            }
            self.levels.pop();
        }
    }
}

/// The cells of a row, as [`report::DOMINATORS`] names them.
pub(super) fn cells(dump: &OpenDump, object: ObjectId) -> Vec<Cell> {
    let (heap, analyzed) = (&dump.facts.heap, &dump.analyzed);
    let retained = analyzed.retained(object);
    vec![
        Cell::Text(heap.id_text(object)),
        Cell::Text(heap.class(object).name.to_string()),
        dump.facts.contents.label(heap, object).map_or(Cell::Nothing, Cell::Text),
        Cell::Size(heap.shallow(object)),
        Cell::Size(retained),
        Cell::Share(Share::of(retained, analyzed.shown.shallow)),
        Cell::Count(analyzed.dominated(object)),
    ]
}

pub(super) fn dominators(arguments: &DominatorsArguments) -> Answer {
    if folded::is_asked(arguments) {
        return folded::dominators(arguments);
    }
    let print = &arguments.print;
    let filter = filter(print)?;
    let keep_unreachable = print.open.keep_unreachable || arguments.unreachable;
    let (dump, _) = open(&arguments.file, &OpenArguments { keep_unreachable, ..print.open.clone() })?;
    let find = || Unreachable::find(&dump.facts.heap, &dump.analyzed, &Task::new());
    let unreachable = arguments.unreachable.then(find).transpose()?;
    let of = arguments.of.as_deref().map(|id| object_named(&dump, &arguments.file, id)).transpose()?;
    let depth = arguments.depth.unwrap_or(1) as usize;
    let walk =
        Walk::new(&dump, Wanted { of, top: rows_wanted(print), depth, filter: &filter, only: unreachable.as_ref() })?;
    // `--top` counts the rows of each level, and has done so already.
    let all = PrintArguments { top: Some(usize::MAX), ..print.clone() };
    match print.format {
        FormatArgument::Json => tree_json(&dump, walk, depth),
        FormatArgument::Text => {
            let rows = walk.map(|(depth, object)| {
                let mut cells = cells(&dump, object);
                if let Some(Cell::Text(id)) = cells.first_mut() {
                    id.insert_str(0, &"  ".repeat(depth.min(INDENTED)));
                }
                cells
            });
            print_rows(&dump, &all, &report::DOMINATORS, rows, &[])
        }
        FormatArgument::Csv if arguments.depth.is_some() => {
            let columns: Vec<_> = report::DOMINATORS.into_iter().chain([column("depth", "Depth")]).collect();
            let with_depth = |(depth, object)| [cells(&dump, object), vec![Cell::Count(depth as u64)]].concat();
            print_rows(&dump, &all, &columns, walk.map(with_depth), &[])
        }
        FormatArgument::Csv => {
            print_rows(&dump, &all, &report::DOMINATORS, walk.map(|(_, object)| cells(&dump, object)), &[])
        }
    }
}

/// Objects within objects, written as they are walked: brackets are opened and
/// closed as the depth changes.
fn tree_json(dump: &OpenDump, walk: Walk<'_>, levels: usize) -> Result<(), Failure> {
    let mut out = Held::of(dump);
    let (heap, contents, analyzed) = (&dump.facts.heap, &*dump.facts.contents, &dump.analyzed);
    out.write_all(b"{\"rows\":[")?;
    let mut before = None;
    // A row above the lowest level ends with the list of its children.
    let close = |out: &mut dyn Write, depth: usize| {
        out.write_all(if depth + 1 < levels { b"]}".as_slice() } else { b"}".as_slice() })
    };
    for (depth, object) in walk {
        if let Some(before) = before {
            for closed in (depth..=before).rev() {
                close(&mut out, closed)?;
            }
            if depth <= before {
                out.write_all(b",")?;
            }
        }
        let row = serde_json::to_string(&DominatorRow::new(heap, contents, analyzed, object))?;
        out.write_all(row.strip_suffix('}').unwrap_or(&row).as_bytes())?;
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
