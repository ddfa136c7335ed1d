//! Dominator tree as a table: each object below its immediate dominator, expanded level by level. By default, chains,
//! many siblings of a class and objects shared by several owners are one row each. Levels are computed in the
//! background when they are expanded, unless they are small.

mod draw;
mod rows;

use crate::ui::export_content::ExportContent;
use eframe::egui::{Event, Key, Modifiers, Ui};

use self::rows::{DominatorRows, NAME};
use super::copying;
use super::{object_columns, regions};
use crate::ui::controllers::{TableSource, TreeController};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::toolbar;
use crate::ui::{Command, SelectedBy, ViewContext, ViewState};
use heaplens_analysis::dominator_tree::drops::{BigDrop, accumulation_point};
use heaplens_analysis::dominator_tree::{DropRule, GroupId, LevelForm};
use heaplens_base::Count;
use heaplens_heap::ObjectId;
use heaplens_session::Slot;
use heaplens_tables::dump::folded::LevelConditions;
use heaplens_tables::dump::objects::ObjectsQuery;
use heaplens_tables::trees::dominators::RevealTarget;
use heaplens_tables::{RowTarget, TableContext, TableQuery};

/// Number of rows from the top searched for a default selection.
const FIRST_ROWS: u64 = 64;

/// The view.
#[derive(Default)]
pub struct DominatorTree {
    rows: Option<DominatorRows>,
    /// Initial grouping.
    form: LevelForm,
    tree: TreeController,
    /// Object that this view last selected or was asked to select.
    chosen: Option<ObjectId>,
    /// Group that this view last selected or was asked to select.
    group: Option<GroupId>,
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

impl ViewPage for DominatorTree {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.follow(context);
        self.go_to_point(context);
        self.tools_ui(ui, context);
        self.keys(ui, context);
        self.tree_ui(ui, context);
    }

    fn unseen(&mut self, context: &mut ViewContext<'_>) {
        if let Some(object) = context.location.object.filter(|_| context.copies_rows()) {
            let request = TableQuery::all(ObjectsQuery::Listed(vec![object]));
            copying::objects(context, NAME, vec![(0, object)], request);
        }
        if context.exports() {
            let rows = self.rows.get_or_insert_with(|| DominatorRows::new(context, self.form));
            let query = rows.levels.request_of_top(&self.tree.filter);
            context.export(ExportContent::Rows(query), NAME);
        }
    }

    fn is_running(&self) -> bool {
        self.point_wanted || self.point.is_at_work() || self.rows.as_ref().is_none_or(|rows| rows.levels.is_running())
    }

    fn view_state(&self) -> Option<ViewState> {
        Some(ViewState { selected: None, ..self.tree.view_state() })
    }

    fn restore(&mut self, view_state: &ViewState) {
        self.stands = Some(view_state.clone());
        self.tree.state.come_back_to(view_state.top);
    }
}

impl DominatorTree {
    /// Grouping of the tree.
    pub fn form(&self) -> LevelForm {
        self.rows.as_ref().map_or(self.form, |rows| rows.levels.form())
    }

    /// Sets the initial grouping.
    pub fn begin_with(&mut self, form: LevelForm) {
        self.form = form;
    }

    /// Takes over finished levels, and moves the cursor to the selected object.
    fn follow(&mut self, context: &mut ViewContext<'_>) {
        let levels = &mut self.rows.get_or_insert_with(|| DominatorRows::new(context, self.form)).levels;
        if let Some(view_state) = self.stands.take() {
            let order = object_columns::unmarked(view_state.sort);
            let filtered = self.tree.filter.text() != view_state.filter;
            self.tree.filter.set(&view_state.filter);
            LevelConditions::of_typed(TableContext::of(context.dump), &mut self.tree.filter);
            if levels.order() != order {
                levels.put_order(context.dump, context.jobs, order, &self.tree.filter);
            } else if filtered {
                levels.filter(context.dump, context.jobs, &self.tree.filter);
            }
            self.rearranged = true;
        }
        self.rearranged |= levels.compare(context.dump, context.jobs, &self.tree.filter);
        let made = levels.take_in(context.dump, context.jobs, &self.tree.filter);
        let selected = (context.location.object, context.location.group);
        let elsewhere = selected != (self.chosen, self.group);
        let rearranged = std::mem::take(&mut self.rearranged) || made;
        (self.chosen, self.group) = selected;
        if elsewhere || rearranged {
            match self.group {
                Some(group) => levels.aim_at_group(context.dump, context.jobs, group, elsewhere),
                None => levels.aim(context.dump, context.jobs, self.chosen, elsewhere),
            }
        }
        match levels.approach(context.dump, context.jobs, &mut self.tree.filter) {
            RevealTarget::Reached(row) if std::mem::take(&mut self.stay_at_top) => {
                self.tree.state.select(Some(row));
                self.tree.state.to_top();
            }
            RevealTarget::Reached(row) => self.tree.state.select_and_show(row),
            RevealTarget::Missing(why) => {
                self.tree.state.select(None);
                context.push(Command::Hint(why));
            }
            RevealTarget::Hidden => self.tree.state.select(None),
            RevealTarget::Nothing => {}
        }
    }

    /// Goes to the accumulation point below the selected object once it is found.
    pub fn show_accumulation_point(&mut self) {
        self.point_wanted = true;
    }

    fn go_to_point(&mut self, context: &mut ViewContext<'_>) {
        if std::mem::take(&mut self.point_wanted)
            && let Some(object) = context.location.object
        {
            let dump = context.dump.clone();
            self.point.ask(context.jobs, "accumulation point", move |task| {
                let percent = DropRule::of(&dump.analysis).percent;
                Ok(accumulation_point(dump.data(), object, percent, task)?)
            });
        }
        if let Some(drop) = self.point.take_new().filter(|drop| Some(drop.holder) == context.location.object) {
            if drop.point == drop.holder {
                let hint = "The selected object is the accumulation point: no single object below retains most of it";
                context.push(Command::Hint(hint.to_owned()));
            } else {
                context.open(RowTarget::Object(drop.point));
            }
        }
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let Some(DominatorRows { levels, .. }) = &mut self.rows else { return };
        toolbar::tools(ui, |ui| {
            let mut form = levels.form();
            if draw::form_ui(ui, &mut form) {
                levels.choose(context.dump, context.jobs, form, &self.tree.filter);
                self.rearranged = true;
                // Another grouping has other groups.
                if context.location.group.is_some() {
                    context.select_target(RowTarget::None, SelectedBy::Cursor);
                }
            }
            let chosen = regions::choice_ui(ui, context.dump, "dominator tree", &mut self.tree.filter);
            let width = (ui.available_width() * 0.5).clamp(140.0, 320.0).min(ui.available_width());
            let (id, hint) = ("filter of the dominator tree", "Filter the top level by class");
            if self.tree.filter_ui(ui, id, hint, width, context.focuses_filter()) || chosen {
                // Reports conditions on numbers that rows do not have.
                LevelConditions::of_typed(TableContext::of(context.dump), &mut self.tree.filter);
                levels.filter(context.dump, context.jobs, &self.tree.filter);
                self.rearranged = true;
            }
            let rows = match (levels.top(), self.tree.filter.is_empty()) {
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

    /// Acts on the keys that expand and collapse: → and ← for a row, `*` for all rows below it, `-` to collapse it.
    fn keys(&mut self, ui: &Ui, context: &mut ViewContext<'_>) {
        let Some(rows) = &mut self.rows else { return };
        let Some(row) = self.tree.state.cursor().filter(|_| !ui.ctx().egui_wants_keyboard_input()) else { return };
        let mut moved = self.tree.side_keys(ui, context, rows);
        if ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Minus)) {
            let to = rows.levels.fold(row).unwrap_or(row);
            moved = self.tree.go(context, rows, to).then_some(to);
        } else if is_star_pressed(ui) {
            rows.levels.branch(context.dump, context.jobs, row, &self.tree.filter);
        }
        moved.into_iter().for_each(|row| self.note(context, row));
    }

    fn tree_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let Some(rows) = &mut self.rows else { return };
        let (order, reversed) = rows.levels.order();
        self.tree.sort = object_columns::marked(order, reversed);
        rows.is_searching = self.point.is_running();
        let output = self.tree.ui(ui, context, rows);
        if output.sort.is_some() {
            (self.rearranged, self.stay_at_top) = (true, true);
        }
        if let Some(row) = output.clicked.or(output.moved) {
            self.note(context, row);
        } else if (context.location.object, context.location.group) == (None, None)
            && self.tree.state.cursor().is_none()
        {
            self.settle(context);
        }
    }

    /// Remembers the object or the group of a row that was selected here.
    fn note(&mut self, context: &ViewContext<'_>, row: u64) {
        match self.rows.as_ref().and_then(|rows| rows.target(context, row)) {
            Some(RowTarget::Object(object)) => (self.chosen, self.group) = (Some(object), None),
            Some(RowTarget::Group(group)) => (self.chosen, self.group) = (None, Some(group)),
            _ => {}
        }
    }

    /// Default selection: the first row that is an object.
    fn settle(&mut self, context: &mut ViewContext<'_>) {
        let Some(DominatorRows { levels, .. }) = &self.rows else { return };
        let object_of = |row| rows::named_object(&levels.shown_at(context.dump, row)?);
        let first = (0..levels.tree.rows().min(FIRST_ROWS)).find_map(|row| Some((row, object_of(row)?)));
        if let Some((row, object)) = first {
            self.tree.state.select(Some(row));
            self.chosen = Some(object);
            context.select_initially(object);
        }
    }
}

/// True if a star was typed; its key differs between keyboard layouts.
fn is_star_pressed(ui: &Ui) -> bool {
    let is_star = |event: &Event| matches!(event, Event::Text(text) if text == "*");
    ui.input_mut(|i| {
        let before = i.events.len();
        i.events.retain(|event| !is_star(event));
        i.events.len() < before
    })
}
