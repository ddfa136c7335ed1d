//! Dominator tree as a table: each object below its immediate dominator, expanded level by level. By default, chains,
//! many siblings of a class and objects shared by several owners are one row each. Levels are computed in the
//! background when they are expanded, unless they are small.

mod draw;
mod keys;

use eframe::egui;
use egui::{Id, Rect, Ui, vec2};

use self::keys::RowAction;
use super::copying;
use super::copying::tree_rows::{TreeRow, tree_rows};
use super::{object_columns, regions};
use crate::ui::command::{Command, RowCommand};
use crate::ui::controllers::table::AT_MOST;
use crate::ui::location::ViewState;
use crate::ui::theme::icons::Icon;
use crate::ui::theme::sizes;
use crate::ui::view_context::ViewContext;
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::filter::filter_ui;
use crate::ui::widgets::table::{Table, TableOutput, TableState};
use crate::ui::widgets::{toolbar, waiting};
use heaplens_analysis::dominator_tree::drops::{BigDrop, DropRule, accumulation_point};
use heaplens_analysis::dominator_tree::fold::FoldKind;
use heaplens_analysis::dominator_tree::parts::{LevelForm, LevelPart, PartitionBy};
use heaplens_base::units::Count;
use heaplens_core::heap::ids::ObjectId;
use heaplens_session::open_dump::selection::AT_ONCE;
use heaplens_session::slot::Slot;
use heaplens_tables::RowQuery;
use heaplens_tables::table_query::{TableKind, TableQuery};
use heaplens_tables::trees::dominators::{Levels, RevealTarget};
use heaplens_tables::trees::tree::Spot;
use heaplens_tables::typed_filter::TypedFilter;

/// Number of rows from the top searched for a default selection.
const FIRST_ROWS: u64 = 64;

/// The view.
#[derive(Default)]
pub struct DominatorTree {
    levels: Option<Levels>,
    /// Initial grouping.
    form: LevelForm,
    table: TableState,
    filter: TypedFilter,
    /// Object that this view last selected or was asked to select.
    chosen: Option<ObjectId>,
    /// Group under the cursor: its level and its representative.
    group: Option<(LevelPart, ObjectId)>,
    /// Rows were sorted or filtered: the selected object may be in another row.
    rearranged: bool,
    /// After sorting, show the first rows.
    stay_at_top: bool,
    /// State to restore.
    stands: Option<ViewState>,
    /// Accumulation point below the selected object.
    point: Slot<BigDrop>,
    point_wanted: bool,
}

impl DominatorTree {
    /// State of the table, for its column widths.
    pub fn table(&mut self) -> &mut TableState {
        &mut self.table
    }
}

impl ViewPage for DominatorTree {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.follow(context);
        self.go_to_point(context);
        self.tools_ui(ui, context);
        self.table_ui(ui, context);
    }

    /// Copies the selected object and exports the top level while a chart replaces the table.
    fn unseen(&mut self, context: &mut ViewContext<'_>) {
        if let Some(object) = context.place.object.filter(|_| context.copy_rows) {
            let request = TableQuery { subject: TableKind::Named(vec![object]), how: RowQuery::default() };
            copying::objects(context, "Dominator tree", vec![(0, object)], request);
        }
        if context.export {
            self.levels.get_or_insert_with(|| Levels::new(context.dump, context.jobs, self.form));
            self.export(context);
        }
    }

    fn is_running(&self) -> bool {
        self.point_wanted || self.point.is_at_work() || self.levels.as_ref().is_none_or(Levels::is_running)
    }

    fn view_state(&self) -> Option<ViewState> {
        let (order, reversed) = self.levels.as_ref().map(Levels::order).unwrap_or_default();
        let sort = object_columns::marked(order, reversed);
        Some(ViewState { filter: self.filter.text().to_owned(), sort, top: self.table.top(), ..ViewState::default() })
    }

    fn restore(&mut self, view_state: &ViewState) {
        self.stands = Some(view_state.clone());
        self.table.come_back_to(view_state.top);
    }
}

impl DominatorTree {
    /// Grouping of the tree.
    pub fn form(&self) -> LevelForm {
        self.levels.as_ref().map_or(self.form, Levels::form)
    }

    /// Sets the initial grouping.
    pub fn begin_with(&mut self, form: LevelForm) {
        self.form = form;
    }

    /// Takes over finished levels, and moves the cursor to the selected object.
    fn follow(&mut self, context: &mut ViewContext<'_>) {
        let levels = self.levels.get_or_insert_with(|| Levels::new(context.dump, context.jobs, self.form));
        if let Some(view_state) = self.stands.take() {
            let order = object_columns::unmarked(view_state.sort);
            let filtered = self.filter.text() != view_state.filter;
            self.filter.set(&view_state.filter);
            if levels.order() != order {
                levels.put_order(context.dump, context.jobs, order, &self.filter);
            } else if filtered {
                levels.filter(context.dump, context.jobs, &self.filter);
            }
            self.rearranged = true;
        }
        self.rearranged |= levels.compare(context.dump, context.jobs, &self.filter);
        let made = levels.take_in(context.dump, context.jobs, &self.filter);
        let elsewhere = context.place.object != self.chosen;
        let rearranged = std::mem::take(&mut self.rearranged) || made;
        if elsewhere {
            (self.chosen, self.group) = (context.place.object, None);
        }
        if let Some((part, object)) = self.group {
            if rearranged && let Some(row) = levels.row_in(context.dump, part, object) {
                self.table.select(Some(row));
                if std::mem::take(&mut self.stay_at_top) {
                    self.table.to_top();
                }
            }
        } else if elsewhere || rearranged {
            levels.aim(context.dump, context.jobs, self.chosen, elsewhere);
        }
        match levels.approach(context.dump, context.jobs, &mut self.filter) {
            RevealTarget::Reached(row) if std::mem::take(&mut self.stay_at_top) => {
                self.table.select(Some(row));
                self.table.to_top();
            }
            RevealTarget::Reached(row) => self.table.select_and_show(row),
            RevealTarget::Missing(why) => {
                self.table.select(None);
                context.push(Command::Hint(why));
            }
            RevealTarget::Hidden => self.table.select(None),
            RevealTarget::Nothing => {}
        }
    }

    /// Goes to the accumulation point below the selected object once it is found.
    pub fn show_accumulation_point(&mut self) {
        self.point_wanted = true;
    }

    fn go_to_point(&mut self, context: &mut ViewContext<'_>) {
        if std::mem::take(&mut self.point_wanted)
            && let Some(object) = context.place.object
        {
            let dump = context.dump.clone();
            self.point.ask(context.jobs, "accumulation point", move |task| {
                let percent = DropRule::of(&dump.analysis).percent;
                Ok(accumulation_point(&dump.heap, &dump.analysis, object, percent, task)?)
            });
        }
        if self.point.poll()
            && let Some(drop) = self.point.take().filter(|drop| Some(drop.holder) == context.place.object)
        {
            if drop.point == drop.holder {
                context.push(Command::Hint(
                    "The selected object is the accumulation point: no single object below retains most of it"
                        .to_owned(),
                ));
            } else {
                context.push_row(RowCommand::Reveal(drop.point));
            }
        }
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let Some(levels) = &mut self.levels else { return };
        toolbar::tools(ui, |ui| {
            let mut form = levels.form();
            if draw::form_ui(ui, &mut form) {
                levels.choose(context.dump, context.jobs, form, &self.filter);
                (self.group, self.rearranged) = (None, true);
            }
            let chosen = regions::choice_ui(ui, context.dump, "dominator tree", &mut self.filter);
            let width = (ui.available_width() * 0.5).clamp(140.0, 320.0).min(ui.available_width());
            let id = Id::unique("filter of the dominator tree");
            if filter_ui(&mut self.filter, ui, id, "Filter the top level by class", width, context.focus_filter)
                || chosen
            {
                levels.filter(context.dump, context.jobs, &self.filter);
                self.rearranged = true;
            }
            let rows = match (levels.top(), self.filter.is_empty()) {
                (Some(n), true) => format!("{} top-level rows", Count(n)),
                (Some(n), false) => format!("{} top-level rows match", Count(n)),
                (None, _) => String::new(),
            };
            let sharing = levels.sharing_progress();
            let text = match sharing.filter(|progress| progress.total > 0) {
                Some(progress) => {
                    let percent = (progress.done.saturating_mul(100) / progress.total).min(100);
                    format!("{}… {percent} % · {rows}", progress.step)
                }
                None => rows,
            };
            toolbar::hint(ui, &text);
        });
    }

    fn table_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let Some(levels) = &self.levels else { return };
        let area = ui.available_rect_before_wrap();
        let (order, reversed) = levels.order();
        let columns = object_columns::columns(context);
        let table =
            Table::new("Dominator tree", &columns, levels.tree.rows()).sorted(object_columns::marked(order, reversed));
        let actions: Vec<RowAction> = keys::take(ui, levels, &self.table).into_iter().collect();
        let output = table.show(ui, &mut self.table, |row| draw::row_ui(row, levels, context));
        if levels.top() == Some(0) {
            let below = Rect::from_min_max(area.min + vec2(0.0, sizes::HEADER), area.max);
            let (title, hint) = if self.filter.is_empty() {
                ("No reachable objects", "The dump has no GC roots, or none that refers to an object")
            } else {
                ("No object matches the filter", "The filter applies to the top level of the tree only")
            };
            waiting::empty_ui(ui, below, Icon::Search, title, hint);
        }
        if levels.is_running() || self.point.is_running() {
            let line = Rect::from_min_size(area.min, vec2(area.width(), 2.0));
            waiting::progress_ui(ui, line, levels.progress().as_ref());
        }
        self.handle(context, &output, actions);
    }

    fn handle(&mut self, context: &mut ViewContext<'_>, output: &TableOutput, mut actions: Vec<RowAction>) {
        let Some(levels) = &mut self.levels else { return };
        if let Some(column) = output.sort {
            levels.sort(context.dump, context.jobs, object_columns::order_of(column), &self.filter);
            self.rearranged = true;
            self.stay_at_top = true;
        }
        actions.extend(output.activated.or(output.toggled).map(RowAction::Toggle));
        if let Some(row) = output.clicked.or(output.moved) {
            self.choose_row(context, row, output.clicked.is_some());
        } else if context.place.object.is_none() && self.table.cursor().is_none() {
            self.settle(context);
        }
        for options in actions {
            let Some(levels) = &mut self.levels else { return };
            let (dump, jobs, table) = (context.dump, context.jobs, &mut self.table);
            match options {
                RowAction::Toggle(row) => {
                    if let Some(row) = levels.toggle((dump, jobs), row, table.cursor(), &self.filter) {
                        table.select(Some(row));
                    }
                }
                RowAction::Branch(row) => levels.branch(dump, jobs, row, &self.filter),
                RowAction::Fold(row) => {
                    if let Some(above) = levels.fold(row) {
                        table.select_and_show(above);
                    }
                    if let Some(row) = self.table.cursor() {
                        self.choose_row(context, row, false);
                    }
                }
                RowAction::Go(row) => {
                    table.select_and_show(row);
                    self.choose_row(context, row, false);
                }
            }
        }
        self.select(context);
        if context.copy_rows {
            self.copy(context);
        }
        if context.export {
            self.export(context);
        }
    }

    /// Exports the top level with its grouping, order and filter.
    fn export(&self, context: &mut ViewContext<'_>) {
        if let Some(levels) = &self.levels {
            let request = Box::new(levels.request_of_top(&self.filter));
            context.push_row(RowCommand::Export(request, "Dominator tree".to_owned()));
        }
    }

    /// Selects the object of the row under the cursor, or the class of a group.
    fn choose_row(&mut self, context: &mut ViewContext<'_>, row: u64, clicked: bool) {
        let Some(levels) = &self.levels else { return };
        let Some(spot) = levels.tree.locate(row) else { return };
        let Some(shown) = levels.shown(context.dump, &spot) else { return };
        let part = levels.tree.payload(spot.parent).map(|level| level.part);
        match shown.fold.map(|fold| &fold.kind) {
            None | Some(FoldKind::Chain { .. }) => {
                (self.chosen, self.group) = (Some(shown.object), None);
                let object = shown.object;
                context.push_row(if clicked { RowCommand::Select(object) } else { RowCommand::MoveCursor(object) });
            }
            Some(kind) => {
                (self.chosen, self.group) = (None, part.map(|part| (part, shown.object)));
                let class = if let FoldKind::Group(PartitionBy::Class, class) = *kind { Some(class) } else { None };
                context.push_row(RowCommand::MoveCursorToGroup(class));
            }
        }
    }

    /// Default selection: the first row that is an object.
    fn settle(&mut self, context: &mut ViewContext<'_>) {
        let Some(levels) = &self.levels else { return };
        let is_object = |row: &u64| {
            let shown = levels.shown_at(context.dump, *row);
            shown.is_some_and(|shown| shown.fold.is_none_or(|fold| matches!(fold.kind, FoldKind::Chain { .. })))
        };
        let Some(row) = (0..levels.tree.rows().min(FIRST_ROWS)).find(is_object) else { return };
        if let Some(shown) = levels.shown_at(context.dump, row) {
            let object = shown.object;
            self.table.select(Some(row));
            self.chosen = Some(object);
            context.push_row(RowCommand::InitialSelection(object));
        }
    }

    /// Publishes the selection.
    fn select(&self, context: &mut ViewContext<'_>) {
        let (Some(levels), Some(range)) = (&self.levels, self.table.selection()) else { return };
        let (dump, version) = (context.dump, levels.version());
        if context.selection.keeps(&range, version) {
            return;
        }
        let is_few = range.end() - range.start() < AT_ONCE;
        if is_few && levels.has_folds(dump, &range) {
            context.select_listed(range.clone(), version, || levels.of_folds(dump, &range, &self.filter));
        } else {
            context.select_rows(range.clone(), version, || levels.of_rows(dump, range, &self.filter));
        }
    }

    fn copy(&self, context: &mut ViewContext<'_>) {
        let (Some(levels), Some(range)) = (&self.levels, self.table.selection()) else { return };
        let last = (*range.end()).min(range.start() + AT_MOST - 1);
        let spots = (*range.start()..=last).filter_map(|row| levels.tree.locate(row));
        let row = |spot: Spot| {
            let shown = levels.shown(context.dump, &spot)?;
            Some((spot, TreeRow { depth: spot.depth, object: shown.object, fold: shown.fold.cloned() }))
        };
        let (spots, rows): (Vec<Spot>, Vec<TreeRow>) = spots.filter_map(row).unzip();
        let objects = rows.iter().filter_map(TreeRow::id).collect();
        let request = levels.request(&spots, objects, &self.filter);
        let are_objects = rows.iter().all(|row| row.fold.is_none());
        if matches!(request.subject, TableKind::Level(..))
            || (are_objects && matches!(request.subject, TableKind::Named(_)))
        {
            let rows = rows.into_iter().map(|row| (row.depth, row.object)).collect();
            copying::objects(context, "Dominator tree", rows, request);
        } else {
            tree_rows(context, "Dominator tree", rows, levels.shared().cloned(), request);
        }
    }
}
