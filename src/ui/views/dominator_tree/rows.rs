//! Rows of the dominator tree: objects, chains and groups.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use super::draw;
use crate::ui::ViewContext;
use crate::ui::controllers::{Placeholder, TableController, TableSource, TreeSource};
use crate::ui::theme::Icon;
use crate::ui::views::{copying, object_columns};
use crate::ui::widgets::{Column, Row};
use heaplens_analysis::dominator_tree::{FoldKind, GroupId, LevelForm};
use heaplens_heap::ObjectId;
use heaplens_session::open_dump::selection::AT_ONCE;
use heaplens_tables::clips::tree_rows::{TreeRow, tree_rows};
use heaplens_tables::relations::{LEVEL, OBJECTS};
use heaplens_tables::trees::dominators::{Level, Levels, RowContent};
use heaplens_tables::trees::tree::{Spot, Tree};
use heaplens_tables::{RowTarget, TableQuery, TypedFilter};

/// Name of the view.
pub(super) const NAME: &str = "Dominator tree";

/// Expanded levels.
pub(super) struct DominatorRows {
    pub(super) levels: Levels,
    /// True while an accumulation point is searched for.
    pub(super) is_searching: bool,
}

/// Object that a row names: itself, or the head of a chain; `None` for a group.
pub(super) fn named_object(row: &RowContent<'_>) -> Option<ObjectId> {
    let is_named = row.fold.is_none_or(|fold| matches!(fold.kind, FoldKind::Chain { .. }));
    is_named.then_some(row.object)
}

impl DominatorRows {
    pub(super) fn new(context: &ViewContext<'_>, form: LevelForm) -> Self {
        Self { levels: Levels::new(context.dump, context.jobs, form), is_searching: false }
    }
}

impl TableSource for DominatorRows {
    const TOGGLES: bool = true;
    const NAME: &'static str = NAME;

    fn columns(&self, context: &ViewContext<'_>) -> Cow<'static, [Column]> {
        object_columns::columns(context).into()
    }

    fn count(&self) -> u64 {
        self.levels.tree.rows()
    }

    fn target(&self, context: &ViewContext<'_>, row: u64) -> Option<RowTarget> {
        let shown = self.levels.shown_at(context.dump, row)?;
        Some(match (named_object(&shown), shown.below) {
            (Some(object), _) => RowTarget::Object(object),
            (None, Some(part)) => RowTarget::Group(GroupId { part, first: shown.object }),
            (None, None) => RowTarget::None,
        })
    }

    fn draw(&mut self, row: &mut Row<'_>, context: &mut ViewContext<'_>) {
        draw::row_ui(row, &self.levels, context);
    }

    fn placeholder(&self, _context: &ViewContext<'_>, table: &TableController) -> Placeholder<'_> {
        let page = match (self.levels.top(), table.filter.is_empty()) {
            (Some(0), true) => {
                let hint = "The dump has no GC roots, or none that refers to an object";
                Placeholder::empty(Icon::Search, "No reachable objects", hint)
            }
            (Some(0), false) => {
                let hint = "The filter applies to the top level of the tree only";
                Placeholder::empty(Icon::Search, "No object matches the filter", hint)
            }
            _ => Placeholder::default(),
        };
        page.with_progress(self.levels.is_running() || self.is_searching, self.levels.progress())
    }

    fn publish(&self, context: &mut ViewContext<'_>, table: &TableController, range: RangeInclusive<u64>) {
        let (dump, version) = (context.dump, self.levels.version());
        if context.selection.keeps(&range, version) {
            return;
        }
        let is_few = range.end() - range.start() < AT_ONCE;
        if is_few && self.levels.has_folds(dump, &range) {
            let label = |loader| context.labels.known(loader).map(str::to_owned);
            let listing = self.levels.of_folds(dump, &range, &table.filter, label);
            context.select_listed(range, version, || listing);
        } else {
            context.select_rows(range.clone(), version, || self.levels.of_rows(dump, range, &table.filter));
        }
    }

    fn copy(&self, context: &mut ViewContext<'_>, table: &TableController, range: RangeInclusive<u64>) {
        let levels = &self.levels;
        let row = |spot: Spot| {
            let shown = levels.shown(context.dump, &spot)?;
            let (object, fold) = (shown.object, shown.fold.cloned());
            Some((spot, TreeRow { depth: spot.depth, object, fold, part: shown.part }))
        };
        let spots = range.filter_map(|row| levels.tree.locate(row));
        let (spots, rows): (Vec<Spot>, Vec<TreeRow>) = spots.filter_map(row).unzip();
        let objects = rows.iter().filter_map(TreeRow::id).collect();
        let request = levels.request(&spots, objects, &table.filter);
        let are_objects = rows.iter().all(|row| row.fold.is_none());
        let relation = request.kind.relation();
        if relation == Some(&LEVEL) || (are_objects && relation == Some(&OBJECTS)) {
            let rows = rows.into_iter().map(|row| (row.depth, row.object)).collect();
            copying::objects(context, NAME, rows, request);
        } else if !rows.is_empty() {
            let shared = levels.shared().cloned();
            context.copy(move |dump, task| tree_rows(dump, NAME, &rows, shared.as_deref(), &request, task));
        }
    }

    /// The top level with its grouping, order and filter.
    fn query(&self, _context: &ViewContext<'_>, table: &TableController) -> Option<TableQuery> {
        Some(self.levels.request_of_top(&table.filter))
    }

    fn sort(&mut self, context: &ViewContext<'_>, table: &mut TableController, column: usize) {
        self.levels.sort(context.dump, context.jobs, object_columns::order_of(column), &table.filter);
    }
}

impl TreeSource for DominatorRows {
    type Node = Level;

    fn tree(&self) -> Option<&Tree<Level>> {
        Some(&self.levels.tree)
    }

    fn toggle_node(&mut self, context: &ViewContext<'_>, filter: &TypedFilter, row: u64) {
        self.levels.toggle(context.dump, context.jobs, row, filter);
    }
}
