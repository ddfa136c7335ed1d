//! Rows of merged paths: the expanded part of the answer as a tree.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::draw;
use crate::ui::ViewContext;
use crate::ui::controllers::{Placeholder, TableController, TableSource, TreeSource};
use crate::ui::theme::Icon;
use crate::ui::widgets::{Column, Row};
use heaplens_analysis::paths::merged::{Node, TOP};
use heaplens_heap::ObjectId;
use heaplens_session::{DeferredDrop, JobError, Slot};
use heaplens_tables::clips::merged_paths::merged_paths;
use heaplens_tables::trees::merged_paths::{MergedAnswer, ReferenceNames};
use heaplens_tables::trees::tree::{ROOT, Tree};
use heaplens_tables::{RowTarget, TypedFilter};

/// Name of the view.
pub(super) const NAME: &str = "Merged paths";

static COLUMNS: [Column; 6] = [
    Column::words("Path", "", 230.0)
        .about("Shortest paths merged into a tree: GC roots at the top, below each object the next ones on the paths")
        .unsorted(),
    Column::numbers("Retained size", "", 152.0, 8)
        .about("Retained size of the target objects reached through this row, each byte counted once")
        .unsorted(),
    Column::numbers("Objects", "Number of target objects whose shortest path goes through this row", 96.0, 7)
        .unsorted(),
    Column::numbers("Shallow size", "Shallow size of the target objects reached through this row", 98.0, 4).unsorted(),
    Column::numbers("Before", "Number of objects reached through the same path in the baseline", 84.0, 5).unsorted(),
    Column::numbers("Δ objects", "Change in the number of objects (after − before)", 92.0, 6).unsorted(),
];
/// Number of columns without a comparison.
const ALONE: usize = 4;
/// Number of levels expanded automatically while each has a single row.
const UNFOLDED: usize = 12;

/// The answer, and its expanded nodes.
pub(super) struct MergedRows {
    pub(super) slot: Slot<Arc<DeferredDrop<MergedAnswer>>>,
    answer: Option<Arc<DeferredDrop<MergedAnswer>>>,
    /// Expanded nodes, each with its index in the answer.
    tree: Tree<usize>,
    names: ReferenceNames,
    /// True if the tree handles keys.
    pub(super) is_active: bool,
    /// True if objects are selected as the target of the paths.
    pub(super) has_target: bool,
}

impl Default for MergedRows {
    fn default() -> Self {
        let (slot, tree, names) = (Slot::default(), Tree::new(0, TOP), ReferenceNames::default());
        Self { slot, answer: None, tree, names, is_active: true, has_target: false }
    }
}

impl MergedRows {
    pub(super) fn answer(&self) -> Option<&MergedAnswer> {
        self.answer.as_ref()?.get()
    }

    /// Shows an answer, expanded down to the first row that is not alone in its level.
    pub(super) fn put(&mut self, answer: Arc<DeferredDrop<MergedAnswer>>) {
        let tops = answer.get().and_then(|answer| answer.tree.node(TOP)).map_or(0, Node::children);
        (self.tree, self.names, self.answer) = (Tree::new(tops, TOP), ReferenceNames::default(), Some(answer));
        let mut at = ROOT;
        for _ in 0..UNFOLDED {
            if self.tree.children(at) != 1 {
                break;
            }
            let Some(open) = self.unfold(self.tree.row_of(at, 0)) else { break };
            at = open;
        }
    }

    /// Takes over names that were read, and requests missing ones.
    pub(super) fn tick(&mut self, context: &ViewContext<'_>) {
        if let Some(answer) = &self.answer {
            self.names.tick(context.dump, context.jobs, answer);
        }
    }

    fn node_at(&self, row: u64) -> Option<usize> {
        let spot = self.tree.locate(row)?;
        self.answer()?.tree.child(*self.tree.payload(spot.parent)?, spot.index)
    }

    pub(super) fn object_at(&self, row: u64) -> Option<ObjectId> {
        self.answer()?.tree.node(self.node_at(row)?)?.object()
    }

    fn unfold(&mut self, row: u64) -> Option<usize> {
        let (spot, node) = (self.tree.locate(row)?, self.node_at(row)?);
        let children = self.answer()?.tree.node(node)?.children();
        (children > 0).then(|| self.tree.open(spot.parent, spot.index, children, node))
    }

    pub(super) fn is_running(&self) -> bool {
        self.slot.is_at_work() || self.names.is_running()
    }
}

impl TableSource for MergedRows {
    const TOGGLES: bool = true;
    const NAME: &'static str = NAME;

    fn columns(&self, context: &ViewContext<'_>) -> Cow<'static, [Column]> {
        Cow::Borrowed(if context.comparing.is_some() { &COLUMNS } else { &COLUMNS[..ALONE] })
    }

    fn count(&self) -> u64 {
        self.tree.rows()
    }

    fn is_active(&self) -> bool {
        self.is_active
    }

    fn target(&self, _context: &ViewContext<'_>, row: u64) -> Option<RowTarget> {
        self.object_at(row).map(RowTarget::Object)
    }

    fn draw(&mut self, row: &mut Row<'_>, context: &mut ViewContext<'_>) {
        if let Some(answer) = self.answer.as_ref().and_then(|answer| answer.get()) {
            draw::row(row, context, answer, &self.tree, &mut self.names);
        }
    }

    fn placeholder(&self, _context: &ViewContext<'_>, _table: &TableController) -> Placeholder<'_> {
        if let Some(error) = self.slot.error() {
            return Placeholder::failed("Cannot merge the paths", error);
        }
        if !self.has_target {
            let hint = "Merged paths show how GC roots reach the objects of a class. Select a class here or in the histogram, or any object";
            return Placeholder::empty(Icon::Search, "No class or object is selected", hint);
        }
        if self.slot.is_running() {
            let page = match self.answer {
                None => Placeholder::waiting("Computing paths…", ""),
                Some(_) => Placeholder::default(),
            };
            return page.with_progress(true, self.slot.progress());
        }
        if self.answer().is_some_and(|answer| answer.tree.is_empty()) {
            let hint = "No GC root reaches these objects through the references to follow; include weaker references";
            return Placeholder::empty(Icon::Search, "No path", hint);
        }
        Placeholder::default()
    }

    fn copy(&self, context: &mut ViewContext<'_>, _table: &TableController, rows: RangeInclusive<u64>) {
        let Some(answer) = self.answer.clone() else { return };
        let row = |row| Some((self.tree.locate(row)?.depth, self.node_at(row)?));
        let rows: Vec<(usize, usize)> = rows.filter_map(row).collect();
        if !rows.is_empty() {
            context.copy(move |dump, task| merged_paths(dump, answer.get().ok_or(JobError::Cancelled)?, &rows, task));
        }
    }
}

impl TreeSource for MergedRows {
    type Node = usize;

    fn tree(&self) -> Option<&Tree<usize>> {
        Some(&self.tree)
    }

    fn toggle_node(&mut self, _context: &ViewContext<'_>, _filter: &TypedFilter, row: u64) {
        match self.tree.locate(row).and_then(|spot| spot.open) {
            Some(open) => self.tree.close(open),
            None => drop(self.unfold(row)),
        }
    }
}
