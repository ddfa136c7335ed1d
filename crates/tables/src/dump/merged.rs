//! Merged paths: the tree of paths from GC roots to many objects, each row before
//! its children; in JSON these are nested.

use std::io::{self, Write};
use std::sync::Arc;

use crate::columns::{Columns, Record, Value, heading, headings};
use crate::query::{Question, RowQuery, TableKind, TableResult};
use crate::relation::{Relation, relation};
use crate::{Table, TableContext, TableError, Totals, TypedTable, export::json::MergedNode};
use heaplens_analysis::TextFilter;
use heaplens_analysis::paths::merged::{MergeBy, MergedTree, Node, PathTargets, TOP, merged_paths};
use heaplens_base::{Bytes, Named, Task};
use heaplens_heap::{ClassId, Heap, ObjectId, Rules, Strength};
use heaplens_session::OpenSettings;

/// The columns of merged paths.
pub(crate) const COLUMNS: Columns<PathRow<'static>> = &[&[
    headings::DEPTH.number(|row, _| Some(row.depth)),
    heading("reference", "Reference", "Field or element through which the object above holds this one")
        .text(|row, dump| row.node(dump)?.reference.map(Into::into)),
    headings::ID.object(|row, _| row.single_object()),
    headings::CLASS.text(|row, dump| match row.node {
        PathNode::Class(class) => dump.class_name(class),
        PathNode::Step(node, _) => {
            row.tree.node(node)?.object().map_or(Some("".into()), |object| dump.class_of(object))
        }
    }),
    headings::LABEL.text(|row, dump| dump.label(row.single_object()?)),
    heading("steps", "Steps", "Number of objects merged into this node").number(|row, _| match row.node {
        PathNode::Class(_) => None,
        PathNode::Step(..) => Some(row.figures()?.steps),
    }),
    heading("objects", "Objects", "Number of the examined objects whose shortest path runs through this node")
        .number(|row, _| Some(row.figures()?.objects)),
    heading("shallow_bytes", "Shallow size", "Shallow size of those objects")
        .bytes(|row, _| Some(row.figures()?.shallow)),
    heading("retained_bytes", "Retained size", "Retained size of those objects; each byte counts once")
        .bytes(|row, _| Some(row.figures()?.retained)),
    headings::LOADER_OF_NAMESAKE.text(|row, dump| dump.loader_of(row.class(dump)?)),
    headings::LOADER_ID.text(|row, dump| dump.loader_id(row.class(dump)?)),
]];

/// Merged paths.
pub const MERGED: Relation = relation!("paths --all", COLUMNS);

/// A row of a tree of paths.
#[derive(Clone, Copy)]
pub struct PathRow<'a> {
    /// The tree.
    pub(crate) tree: &'a MergedTree,
    /// Level.
    pub(crate) depth: u32,
    /// What the row shows.
    pub(crate) node: PathNode,
}

impl PathRow<'_> {
    /// Class of its objects.
    fn class(self, dump: TableContext<'_>) -> Option<ClassId> {
        match self.node {
            PathNode::Class(class) => Some(class),
            PathNode::Step(node, _) => self.tree.node(node)?.object().map(|object| dump.heap.class_id(object)),
        }
    }
}

/// What a row of a tree of paths shows.
#[derive(Clone, Copy)]
pub enum PathNode {
    /// The class to whose objects the paths lead.
    Class(ClassId),
    /// A node of the tree.
    Step(usize, MergeBy),
}

impl Record for PathRow<'static> {
    type Row<'a> = PathRow<'a>;
}

impl<'a> PathRow<'a> {
    /// Numbers of the row.
    fn figures(self) -> Option<&'a Node> {
        self.tree.node(match self.node {
            PathNode::Class(_) => TOP,
            PathNode::Step(node, _) => node,
        })
    }

    /// The object of a node that represents only one.
    fn single_object(self) -> Option<ObjectId> {
        match self.node {
            PathNode::Class(_) => None,
            PathNode::Step(node, by) => MergedNode::single_object(self.tree, node, by),
        }
    }

    /// The node with its names; reads the dump file.
    pub(crate) fn node(self, dump: TableContext<'_>) -> Option<MergedNode> {
        match self.node {
            PathNode::Class(_) => None,
            PathNode::Step(node, by) => Some(MergedNode::new(dump.data(), self.tree, node, by)),
        }
    }
}

/// Query for merged paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedPathsQuery {
    /// The objects.
    pub of: PathTargets,
    /// Kind of rows.
    pub by: MergeBy,
    /// Weakest reference strength to follow.
    pub min_strength: Strength,
}

impl TableKind for MergedPathsQuery {
    fn relation(&self) -> Option<&'static Relation> {
        Some(&MERGED)
    }

    fn table(&self, dump: TableContext<'_>, _rows: &RowQuery, task: &Task) -> TableResult<Arc<dyn Table>> {
        Ok(Arc::new(MergedPaths::find(dump, self, task)?))
    }

    fn command(&self, heap: &Heap, opened: &OpenSettings) -> Question {
        let line = question(opened);
        let line = match &self.of {
            PathTargets::Class(class) => line.option("class", &*heap.classes.get(*class).name),
            PathTargets::Objects(objects) => {
                objects.iter().fold(line, |line, &object| line.option("of", heap.id_text(object)))
            }
        };
        let line = if self.by == MergeBy::Class { line.option("merge", "class") } else { line };
        line.some("strength", strength_wanted(self.min_strength, opened))
    }
}

/// Question for merged paths. `--strength` applies to the paths, so the strength of the opened dump, if it has one, is
/// given there.
pub(crate) fn question(opened: &OpenSettings) -> Question {
    let rules = Rules { min_strength: Strength::Phantom, ..opened.rules };
    Question::new("paths", &OpenSettings { rules, ..opened.clone() }).flag("all")
}

/// Value of `--strength`; `None` if it is the default.
pub(crate) fn strength_wanted(min_strength: Strength, opened: &OpenSettings) -> Option<&'static str> {
    let of_dump = Some(opened.rules.min_strength).filter(|&strength| strength != Strength::Phantom);
    of_dump.or(Some(min_strength).filter(|&strength| strength != Strength::Strong)).map(Named::word)
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
    pub fn find(dump: TableContext<'_>, query: &MergedPathsQuery, task: &Task) -> Result<Self, TableError> {
        let MergedPathsQuery { of, by, min_strength } = query;
        let tree = merged_paths(dump.data(), of, *by, *min_strength, task)?;
        Ok(Self::new(tree, *by, (u64::MAX, usize::MAX)))
    }

    /// Builds the rows of a tree: at most `top` per level, and at most `levels` levels.
    pub fn new(tree: MergedTree, by: MergeBy, (top, levels): (u64, usize)) -> Self {
        let (mut nodes, mut depths) = (Vec::new(), Vec::new());
        // Stack of nodes, with the index of the next child of each.
        let mut stack = vec![(TOP, 0_u64)];
        while let Some((node, next)) = stack.last_mut() {
            let child = tree.child(*node, *next).filter(|_| *next < top);
            *next += 1;
            match child.filter(|_| stack.len() <= levels) {
                Some(child) => {
                    nodes.push(child);
                    depths.push(stack.len() as u32 - 1);
                    stack.push((child, 0));
                }
                None => drop(stack.pop()),
            }
        }
        Self { tree, by, nodes, depths }
    }

    /// The tree.
    pub fn tree(&self) -> &MergedTree {
        &self.tree
    }

    /// Depth and node of a row.
    pub fn node(&self, dump: TableContext<'_>, row: usize) -> Option<(usize, MergedNode)> {
        let row = self.row(row)?;
        Some((row.depth as usize, row.node(dump)?))
    }
}

impl TypedTable for MergedPaths {
    type Record = PathRow<'static>;
    const COLUMNS: Columns<PathRow<'static>> = COLUMNS;
    const LIST: (&'static str, bool) = ("rows", true);

    fn count(&self) -> usize {
        self.nodes.len()
    }

    fn row(&self, row: usize) -> Option<PathRow<'_>> {
        let node = PathNode::Step(*self.nodes.get(row)?, self.by);
        Some(PathRow { tree: &self.tree, depth: *self.depths.get(row)?, node })
    }

    fn passes(&self, dump: TableContext<'_>, row: PathRow<'_>, filter: &TextFilter) -> bool {
        row.node(dump).is_some_and(|node| filter.matches_object(&node.class, || node.label))
    }

    fn totals(&self, _: TableContext<'_>, _: &[u32]) -> Totals {
        let top = self.tree.node(TOP).map_or((0, Bytes(0), Bytes(0)), |top| (top.objects, top.shallow, top.retained));
        vec![
            ("objects", Value::Count(u64::from(top.0))),
            ("shallow_bytes", Value::Bytes(top.1)),
            ("retained_bytes", Value::Bytes(top.2)),
            ("unreached", Value::Count(self.tree.unreached)),
        ]
    }

    fn depths(&self) -> Option<&[u32]> {
        Some(&self.depths)
    }

    fn write_row(&self, dump: TableContext<'_>, row: PathRow<'_>, _: usize, out: &mut dyn Write) -> io::Result<()> {
        row.node(dump).map_or(Ok(()), |node| Ok(serde_json::to_writer(out, &node)?))
    }
}
