//! Merged paths of all significant classes: a row for each class, and
//! below it the tree of paths to its objects, merged by class and field.

use std::io::{self, Write};

use serde::Serialize;

use super::merged::{COLUMNS, strength_wanted};
use super::{MergedPaths, Table, TableError};
use crate::export::command_line::CommandLine;
use crate::export::table::Cell;
use crate::export::table_context::TableContext;
use crate::heading::Heading;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::paths::aggregated::{Thresholds, aggregated, classes_over};
use heaplens_analysis::paths::merged::{MergeBy, MergedTree, TOP};
use heaplens_base::task::Task;
use heaplens_core::heap::classes::Strength;
use heaplens_core::heap::ids::ClassId;
use heaplens_session::open_settings::OpenSettings;

/// Query for merged paths of classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AggregatedQuery {
    /// Thresholds of significant classes.
    pub least: Thresholds,
    /// Weakest reference strength to follow.
    pub weakest: Strength,
}

impl AggregatedQuery {
    /// The command line that prints the trees.
    pub(super) fn command(&self, opened: &OpenSettings) -> CommandLine {
        let line = CommandLine::new("paths", opened).flag("all");
        let line = line.option("least-retained", self.least.retained.0.to_string());
        let line = line.option("least-objects", self.least.objects.to_string());
        line.some("strength", strength_wanted(self.weakest, opened))
    }
}

/// The trees one after the other, in the order of their rows.
pub struct AggregatedPaths {
    classes: Vec<(ClassId, MergedPaths)>,
    /// Row of each class; its tree follows.
    starts: Vec<usize>,
    depths: Vec<u32>,
}

/// The row of a class.
#[derive(Debug, Serialize)]
struct ClassRow<'a> {
    class: &'a str,
    objects: u64,
    shallow_bytes: u64,
    retained_bytes: u64,
    unreached: u64,
}

/// A row: a class, or a node of its tree.
enum AggregatedNode<'a> {
    Class(ClassId, &'a MergedTree),
    Path(&'a MergedPaths, usize),
}

impl AggregatedPaths {
    /// Computes the trees of all queried classes.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn find(from: TableContext<'_>, asked: &AggregatedQuery, task: &Task) -> Result<Self, TableError> {
        let TableContext { heap, contents, analysis, .. } = from;
        let classes = classes_over(heap, analysis, asked.least);
        let trees = aggregated(heap, contents, analysis, &classes, asked.weakest, task)?;
        Ok(Self::new(trees, (u64::MAX, usize::MAX)))
    }

    /// Builds the rows: at most `top` per level, and at most `levels` levels.
    pub fn new(trees: Vec<(ClassId, MergedTree)>, (top, levels): (u64, usize)) -> Self {
        let mut all = Self { classes: Vec::new(), starts: Vec::new(), depths: Vec::new() };
        for (class, tree) in trees {
            let rows = MergedPaths::new(tree, MergeBy::Class, (top, levels));
            all.starts.push(all.depths.len());
            all.depths.push(0);
            all.depths.extend(rows.depths().unwrap_or_default().iter().map(|depth| depth + 1));
            all.classes.push((class, rows));
        }
        all
    }

    fn place(&self, row: usize) -> Option<AggregatedNode<'_>> {
        let at = self.starts.partition_point(|&start| start <= row).checked_sub(1)?;
        let (class, rows) = self.classes.get(at)?;
        Some(match row - self.starts[at] {
            0 => AggregatedNode::Class(*class, rows.tree()),
            way => AggregatedNode::Path(rows, way - 1),
        })
    }

    /// Text and depth of a row.
    pub fn line(&self, from: TableContext<'_>, row: usize) -> Option<(usize, String)> {
        Some(match self.place(row)? {
            AggregatedNode::Class(class, _) => (0, from.heap.classes.get(class).name.to_string()),
            AggregatedNode::Path(rows, way) => rows.row(from, way).map(|(depth, node)| (depth + 1, node.text()))?,
        })
    }
}

impl<'a> ClassRow<'a> {
    fn new(from: TableContext<'a>, class: ClassId, tree: &MergedTree) -> Self {
        let top = tree.node(TOP);
        Self {
            class: &from.heap.classes.get(class).name,
            objects: top.map_or(0, |top| u64::from(top.objects)),
            shallow_bytes: top.map_or(0, |top| top.shallow.0),
            retained_bytes: top.map_or(0, |top| top.retained.0),
            unreached: tree.unreached,
        }
    }
}

impl Table for AggregatedPaths {
    fn old_columns(&self) -> &'static [Heading] {
        &COLUMNS
    }

    fn count(&self) -> usize {
        self.depths.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let top = |tree: &MergedTree| tree.node(TOP).copied();
        match (self.place(row), column) {
            (Some(_), 0) => Cell::Count(self.depths.get(row).copied().unwrap_or_default().into()),
            (Some(AggregatedNode::Path(rows, way)), _) => rows.cell(from, way, column),
            (Some(AggregatedNode::Class(class, _)), 3) => Cell::Text(from.heap.classes.get(class).name.to_string()),
            (Some(AggregatedNode::Class(_, tree)), 6) => {
                top(tree).map_or(Cell::Nothing, |t| Cell::Count(t.objects.into()))
            }
            (Some(AggregatedNode::Class(_, tree)), 7) => top(tree).map_or(Cell::Nothing, |top| Cell::Size(top.shallow)),
            (Some(AggregatedNode::Class(_, tree)), 8) => {
                top(tree).map_or(Cell::Nothing, |top| Cell::Size(top.retained))
            }
            _ => Cell::Nothing,
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        match self.place(row) {
            Some(AggregatedNode::Class(class, _)) => filter.matches(&from.heap.classes.get(class).name),
            Some(AggregatedNode::Path(rows, way)) => rows.passes(from, way, filter),
            None => false,
        }
    }

    fn totals(&self, _: TableContext<'_>, _: &[u32]) -> Vec<(&'static str, Cell)> {
        vec![("classes", Cell::Count(self.classes.len() as u64))]
    }

    fn list(&self) -> (&'static str, bool) {
        ("rows", true)
    }

    fn depths(&self) -> Option<&[u32]> {
        Some(&self.depths)
    }

    fn write_row(&self, from: TableContext<'_>, row: usize, nth: usize, out: &mut dyn Write) -> io::Result<()> {
        match self.place(row) {
            Some(AggregatedNode::Class(class, tree)) => {
                Ok(serde_json::to_writer(out, &ClassRow::new(from, class, tree))?)
            }
            Some(AggregatedNode::Path(rows, way)) => rows.write_row(from, way, nth, out),
            None => Ok(()),
        }
    }
}
