//! Merged paths: the tree of paths from GC roots to many objects, each row before
//! its children; in JSON these are nested.

use std::io::{self, Write};

use super::{Table, TableError, optional};
use crate::export::command_line::CommandLine;
use crate::export::json::MergedNode;
use crate::export::table::Cell;
use crate::export::table_context::TableContext;
use crate::heading::{Heading, heading};
use crate::headings;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::paths::merged::{MergeBy, MergedTree, PathTargets, TOP, merged_paths};
use heaplens_base::named::Named;
use heaplens_base::task::Task;
use heaplens_base::units::Bytes;
use heaplens_core::heap::classes::Strength;
use heaplens_core::heap::facts::Heap;
use heaplens_session::open_settings::OpenSettings;

/// The columns of merged paths.
pub(super) const COLUMNS: [Heading; 9] = [
    headings::DEPTH,
    heading("reference", "Reference", "Field or element through which the object above holds this one"),
    headings::ID,
    headings::CLASS,
    headings::LABEL,
    heading("steps", "Steps", "Number of objects merged into this node"),
    heading("objects", "Objects", "Number of the examined objects whose shortest path runs through this node"),
    heading("shallow_bytes", "Shallow size", "Shallow size of those objects"),
    heading("retained_bytes", "Retained size", "Retained size of those objects; each byte counts once"),
];

/// Query for merged paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedPathsQuery {
    /// The objects.
    pub of: PathTargets,
    /// Kind of rows.
    pub by: MergeBy,
    /// Weakest reference strength to follow.
    pub weakest: Strength,
}

impl MergedPathsQuery {
    /// The command line that prints the tree.
    pub fn command(&self, heap: &Heap, opened: &OpenSettings) -> CommandLine {
        let line = CommandLine::new("paths", opened).flag("all");
        let line = match &self.of {
            PathTargets::Class(class) => line.option("class", &*heap.classes.get(*class).name),
            PathTargets::Objects(objects) => {
                objects.iter().fold(line, |line, &object| line.option("of", heap.id_text(object)))
            }
        };
        let line = if self.by == MergeBy::Class { line.option("merge", "class") } else { line };
        line.some("strength", strength_wanted(self.weakest, opened))
    }
}

/// Value of `--strength`; `None` if it is the default, or given by the options of the opened dump.
pub(super) fn strength_wanted(weakest: Strength, opened: &OpenSettings) -> Option<&'static str> {
    let is_wanted = opened.rules.min_strength == Strength::Phantom && weakest != Strength::Strong;
    is_wanted.then(|| weakest.word())
}

/// The tree, in the order in which its rows are written.
pub struct MergedPaths {
    tree: MergedTree,
    by: MergeBy,
    nodes: Vec<usize>,
    depths: Vec<u32>,
}

impl MergedPaths {
    /// Merges the paths.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn find(from: TableContext<'_>, asked: &MergedPathsQuery, task: &Task) -> Result<Self, TableError> {
        let MergedPathsQuery { of, by, weakest } = asked;
        let tree = merged_paths(from.heap, from.contents, from.analysis, of, *by, *weakest, task)?;
        Ok(Self::new(tree, *by, (u64::MAX, usize::MAX)))
    }

    /// Builds the rows of a tree: at most `top` per level, and at most `levels` levels.
    pub fn new(tree: MergedTree, by: MergeBy, (top, levels): (u64, usize)) -> Self {
        let (mut nodes, mut depths) = (Vec::new(), Vec::new());
        // Stack of nodes, with the index of the next child of each.
        let mut way = vec![(TOP, 0_u64)];
        while let Some((node, next)) = way.last_mut() {
            let child = tree.child(*node, *next).filter(|_| *next < top);
            *next += 1;
            match child.filter(|_| way.len() <= levels) {
                Some(child) => {
                    nodes.push(child);
                    depths.push(way.len() as u32 - 1);
                    way.push((child, 0));
                }
                None => drop(way.pop()),
            }
        }
        Self { tree, by, nodes, depths }
    }

    /// The tree.
    pub fn tree(&self) -> &MergedTree {
        &self.tree
    }

    /// Depth and node of a row.
    pub fn row(&self, from: TableContext<'_>, row: usize) -> Option<(usize, MergedNode)> {
        let (&node, &depth) = self.nodes.get(row).zip(self.depths.get(row))?;
        Some((depth as usize, MergedNode::new(from.heap, from.contents, &self.tree, node, self.by)))
    }
}

impl Table for MergedPaths {
    fn old_columns(&self) -> &'static [Heading] {
        &COLUMNS
    }

    fn count(&self) -> usize {
        self.nodes.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(found) = self.nodes.get(row).and_then(|&node| self.tree.node(node)) else { return Cell::Nothing };
        // The dump file is read only if the cell needs it.
        match column {
            0 => return self.depths.get(row).map_or(Cell::Nothing, |&depth| Cell::Count(u64::from(depth))),
            5 => return Cell::Count(u64::from(found.steps)),
            6 => return Cell::Count(u64::from(found.objects)),
            7 => return Cell::Size(found.shallow),
            8 => return Cell::Size(found.retained),
            _ => {}
        }
        let Some((_, node)) = self.row(from, row) else { return Cell::Nothing };
        match column {
            1 => optional(node.reference),
            2 => optional(node.id),
            3 => Cell::Text(node.class),
            _ => optional(node.label),
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.row(from, row).is_some_and(|(_, node)| filter.matches_object(&node.class, || node.label))
    }

    fn totals(&self, _: TableContext<'_>, _: &[u32]) -> Vec<(&'static str, Cell)> {
        let top = self.tree.node(TOP).map_or((0, Bytes(0), Bytes(0)), |top| (top.objects, top.shallow, top.retained));
        vec![
            ("objects", Cell::Count(u64::from(top.0))),
            ("shallow_bytes", Cell::Size(top.1)),
            ("retained_bytes", Cell::Size(top.2)),
            ("unreached", Cell::Count(self.tree.unreached)),
        ]
    }

    fn list(&self) -> (&'static str, bool) {
        ("rows", true)
    }

    fn depths(&self) -> Option<&[u32]> {
        Some(&self.depths)
    }

    fn write_row(&self, from: TableContext<'_>, row: usize, _: usize, out: &mut dyn Write) -> io::Result<()> {
        self.row(from, row).map_or(Ok(()), |(_, node)| Ok(serde_json::to_writer(out, &node)?))
    }
}
