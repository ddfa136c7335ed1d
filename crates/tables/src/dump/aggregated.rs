//! Merged paths of all significant classes: a row for each class, and
//! below it the tree of paths to its objects, merged by class and field.

use std::io::{self, Write};
use std::sync::Arc;

use serde::Serializer as _;

use crate::columns::{Columns, Value};
use crate::dump::merged::{COLUMNS, MERGED, PathNode, PathRow, question, strength_wanted};
use crate::query::{Question, RowQuery, TableKind, TableResult};
use crate::relation::Relation;
use crate::{MergedPaths, TableContext, TableError, Totals, TypedTable};
use heaplens_analysis::TextFilter;
use heaplens_analysis::paths::aggregated::{Thresholds, aggregated, classes_over};
use heaplens_analysis::paths::merged::{MergeBy, MergedTree, TOP};
use heaplens_base::Task;
use heaplens_heap::{ClassId, Heap, Strength};
use heaplens_session::OpenSettings;

/// Query for merged paths of classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AggregatedQuery {
    /// Thresholds of significant classes.
    pub least: Thresholds,
    /// Weakest reference strength to follow.
    pub min_strength: Strength,
}

impl TableKind for AggregatedQuery {
    fn relation(&self) -> Option<&'static Relation> {
        Some(&MERGED)
    }

    fn table(&self, dump: TableContext<'_>, _rows: &RowQuery, task: &Task) -> TableResult<Arc<dyn crate::Table>> {
        Ok(Arc::new(AggregatedPaths::find(dump, self, task)?))
    }

    fn command(&self, _heap: &Heap, opened: &OpenSettings) -> Question {
        let line = question(opened);
        let line = line.option("least-retained", self.least.retained.0.to_string());
        let line = line.option("least-objects", self.least.objects.to_string());
        line.some("strength", strength_wanted(self.min_strength, opened))
    }
}

/// The trees one after the other, in the order of their rows.
pub struct AggregatedPaths {
    classes: Vec<(ClassId, MergedPaths)>,
    /// Row of each class; its tree follows.
    starts: Vec<usize>,
    depths: Vec<u32>,
}

impl AggregatedPaths {
    /// Computes the trees of all queried classes.
    pub fn find(dump: TableContext<'_>, query: &AggregatedQuery, task: &Task) -> Result<Self, TableError> {
        let classes = classes_over(dump.data(), query.least);
        let trees = aggregated(dump.data(), &classes, query.min_strength, task)?;
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

    /// Text and depth of a row.
    pub fn line(&self, dump: TableContext<'_>, row: usize) -> Option<(usize, String)> {
        let row = self.row(row)?;
        let text = match row.node {
            PathNode::Class(class) => dump.heap.classes.get(class).name.to_string(),
            PathNode::Step(..) => row.node(dump)?.text(),
        };
        Some((row.depth as usize, text))
    }
}

/// Writes the row of a class as a JSON object.
fn write_class(dump: TableContext<'_>, class: ClassId, tree: &MergedTree, out: &mut dyn Write) -> io::Result<()> {
    let (objects, shallow, retained) =
        tree.node(TOP).map_or_else(Default::default, |top| (top.objects, top.shallow, top.retained));
    let cells = [
        ("class", Value::text(dump.heap.classes.get(class).name.to_string())),
        ("objects", Value::Count(objects.into())),
        ("shallow_bytes", Value::Bytes(shallow)),
        ("retained_bytes", Value::Bytes(retained)),
        ("unreached", Value::Count(tree.unreached)),
    ];
    Ok(serde_json::Serializer::new(out).collect_map(cells)?)
}

impl TypedTable for AggregatedPaths {
    type Record = PathRow<'static>;
    const COLUMNS: Columns<PathRow<'static>> = COLUMNS;
    const LIST: (&'static str, bool) = ("rows", true);

    fn count(&self) -> usize {
        self.depths.len()
    }

    fn row(&self, row: usize) -> Option<PathRow<'_>> {
        let at = self.starts.partition_point(|&start| start <= row).checked_sub(1)?;
        let (class, rows) = self.classes.get(at)?;
        let depth = *self.depths.get(row)?;
        match (row - self.starts[at]).checked_sub(1) {
            None => Some(PathRow { tree: rows.tree(), depth, node: PathNode::Class(*class) }),
            Some(nth) => Some(PathRow { depth, ..rows.row(nth)? }),
        }
    }

    fn passes(&self, dump: TableContext<'_>, row: PathRow<'_>, filter: &TextFilter) -> bool {
        match row.node {
            PathNode::Class(class) => filter.matches(&dump.heap.classes.get(class).name),
            PathNode::Step(..) => row.node(dump).is_some_and(|node| filter.matches_object(&node.class, || node.label)),
        }
    }

    fn totals(&self, _: TableContext<'_>, _: &[u32]) -> Totals {
        vec![("classes", Value::Count(self.classes.len() as u64))]
    }

    fn depths(&self) -> Option<&[u32]> {
        Some(&self.depths)
    }

    fn write_row(&self, dump: TableContext<'_>, row: PathRow<'_>, _: usize, out: &mut dyn Write) -> io::Result<()> {
        match row.node {
            PathNode::Class(class) => write_class(dump, class, row.tree, out),
            PathNode::Step(..) => row.node(dump).map_or(Ok(()), |node| Ok(serde_json::to_writer(out, &node)?)),
        }
    }
}
