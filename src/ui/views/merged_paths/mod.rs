//! Merged paths: the shortest paths from GC roots to all objects of a class, or to selected ones, as one tree with the
//! roots at the top. It shows the objects that many paths have in common.

mod answer;
mod baseline_counts;
mod classes;
mod copy;
mod draw;

use std::sync::Arc;

use eframe::egui;
use egui::{Rect, RichText, Ui, vec2};

use self::answer::Answer;
use self::classes::Classes;
use super::strengths;
use crate::ui::command::RowCommand;
use crate::ui::controllers::table::AT_MOST;
use crate::ui::theme::icons::Icon;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::view_context::ViewContext;
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::object_link::split_class;
use crate::ui::widgets::table::{Column, Table, TableOutput, TableState};
use crate::ui::widgets::toolbar::{hint, tools};
use crate::ui::widgets::tree_row::{self, Step};
use crate::ui::widgets::waiting;
use heaplens_analysis::paths::merged::{MergeBy, Node, PathTargets, TOP};
use heaplens_base::units::Count;
use heaplens_core::heap::classes::Strength;
use heaplens_core::heap::ids::ObjectId;
use heaplens_session::jobs::DeferredDrop;
use heaplens_session::slot::Slot;
use heaplens_tables::RowQuery;
use heaplens_tables::merged::MergedPathsQuery;
use heaplens_tables::table_query::{TableKind, TableQuery};
use heaplens_tables::trees::row_anchor::RowAnchor;
use heaplens_tables::trees::tree::{ROOT, Tree};

const COLUMNS: [Column; 6] = [
    Column::words(
        "Path",
        "Shortest paths merged into a tree: GC roots at the top, below each object the next ones on the paths",
        230.0,
    )
    .unsorted(),
    Column::numbers(
        "Retained size",
        "Retained size of the target objects reached through this row, each byte counted once",
        152.0,
        8,
    )
    .unsorted(),
    Column::numbers("Objects", "Number of target objects whose shortest path goes through this row", 96.0, 7)
        .unsorted(),
    Column::numbers("Shallow size", "Shallow size of the target objects reached through this row", 98.0, 4).unsorted(),
    Column::numbers("Before", "Number of objects reached through the same path in the baseline", 84.0, 5).unsorted(),
    Column::numbers("Δ objects", "Change in the number of objects (after − before)", 92.0, 6).unsorted(),
];
/// Number of columns without a comparison.
const ALONE: usize = 4;
/// From this width on, the classes are beside the tree instead of above it, in points.
const BESIDE: f32 = 660.0;
/// Number of levels expanded automatically while each has a single row.
const UNFOLDED: usize = 12;

/// The view.
pub struct MergedPaths {
    of: Option<PathTargets>,
    by: MergeBy,
    weakest: Strength,
    slot: Slot<Arc<DeferredDrop<Answer>>>,
    /// Query, and true in a comparison.
    asked: Option<(MergedPathsQuery, bool)>,
    answer: Option<Arc<DeferredDrop<Answer>>>,
    /// Expanded nodes, each with its index in the answer.
    tree: Tree<usize>,
    names: answer::Names,
    table: TableState,
    /// Object that this view last selected.
    chosen: Option<ObjectId>,
    classes: Classes,
    /// User's choice to show the list of classes, if any.
    lists_classes: Option<bool>,
    /// True if the list of classes has the keyboard focus, not the tree.
    in_classes: bool,
    /// Number of the pass in which it was drawn last.
    drawn: u64,
}

impl Default for MergedPaths {
    fn default() -> Self {
        Self {
            of: None,
            by: MergeBy::default(),
            weakest: Strength::Strong,
            slot: Slot::default(),
            asked: None,
            answer: None,
            tree: Tree::new(0, TOP),
            names: answer::Names::default(),
            table: TableState::default(),
            chosen: None,
            classes: Classes::default(),
            lists_classes: None,
            in_classes: false,
            drawn: 0,
        }
    }
}

impl MergedPaths {
    /// Objects of the selected rows, in order. A row for a class yields its first object.
    pub fn selected_objects(&self) -> Vec<ObjectId> {
        let Some(range) = self.table.selection() else { return Vec::new() };
        let last = (*range.end()).min(range.start() + AT_MOST - 1);
        (*range.start()..=last).filter_map(|row| self.object_at(row)).collect()
    }

    fn node_at(&self, row: u64) -> Option<usize> {
        let spot = self.tree.locate(row)?;
        self.answer.as_ref()?.get()?.tree.child(*self.tree.payload(spot.parent)?, spot.index)
    }

    fn object_at(&self, row: u64) -> Option<ObjectId> {
        self.answer.as_ref()?.get()?.tree.node(self.node_at(row)?)?.object()
    }
}

impl ViewPage for MergedPaths {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.choose(ui, context);
        self.classes_ui(ui, context);
        self.ask(context);
        self.tools_ui(ui, context);
        if !self.in_classes {
            self.side_keys(ui, context);
        }
        self.table_ui(ui, context);
    }

    fn is_running(&self) -> bool {
        // A hidden list does not count.
        self.slot.is_at_work() || self.names.is_running() || (self.lists_classes() && self.classes.is_running())
    }
}

impl MergedPaths {
    /// True if the list of classes is shown: by choice of the user, or by default without a target.
    fn lists_classes(&self) -> bool {
        self.lists_classes.unwrap_or(self.of.is_none())
    }

    fn classes_ui(&mut self, ui: &mut Ui, context: &ViewContext<'_>) {
        if !self.lists_classes() {
            self.in_classes = false;
            return;
        }
        // Selecting from the list keeps the list open.
        self.lists_classes = Some(true);
        let area = ui.available_size();
        let frame = egui::Frame::NONE.fill(tokens(ui).surface);
        let panel = if area.x > BESIDE {
            let panel = egui::Panel::left("classes over thresholds").default_size(area.x * 0.4);
            panel.size_range(240.0..=area.x * 0.6)
        } else {
            let panel = egui::Panel::top("classes over thresholds, above").default_size(area.y * 0.4);
            panel.size_range((area.y * 0.2).min(100.0)..=area.y * 0.7)
        };
        let panel = panel.resizable(true).frame(frame);
        let shown = match self.of {
            Some(PathTargets::Class(class)) => Some(class),
            _ => None,
        };
        let response = panel.show(ui, |ui| self.classes.ui(ui, context, shown, self.in_classes));
        let pressed = ui.input(|input| input.pointer.primary_pressed().then(|| input.pointer.interact_pos()).flatten());
        if let Some(at) = pressed {
            self.in_classes = response.response.rect.contains(at);
        }
        if let Some(class) = response.inner {
            self.of = Some(PathTargets::Class(class));
            self.in_classes = true;
        }
    }

    /// Sets the target of the paths: the requested one, or, when the view is entered, the selected class.
    fn choose(&mut self, ui: &Ui, context: &ViewContext<'_>) {
        let frame = ui.ctx().cumulative_frame_nr();
        let anew = std::mem::replace(&mut self.drawn, frame) + 1 < frame || self.of.is_none();
        // After going back to one of its own rows, the view keeps its target.
        let own = self.chosen.is_some() && context.place.object == self.chosen;
        if anew && let Some(class) = context.place.class.filter(|_| !own || self.of.is_none()) {
            self.of = Some(PathTargets::Class(class));
        }
    }

    fn ask(&mut self, context: &ViewContext<'_>) {
        if let Some(of) = &self.of {
            let question = MergedPathsQuery { of: of.clone(), by: self.by, weakest: self.weakest };
            let compares = context.dump.baseline.is_some();
            if self.asked.as_ref().is_none_or(|(asked, with)| (asked, *with) != (&question, compares)) {
                self.asked = Some((question.clone(), compares));
                let (dump, jobs) = (context.dump.clone(), context.jobs.clone());
                self.slot.ask(context.jobs, "merged paths", move |task| {
                    Ok(Arc::new(jobs.defer_drop(answer::find(&dump, question, task)?)))
                });
            }
        }
        if self.slot.poll()
            && let Some(answer) = self.slot.take()
        {
            let tops = answer.get().and_then(|answer| answer.tree.node(TOP)).map_or(0, Node::children);
            self.tree = Tree::new(tops, TOP);
            self.table = TableState::default();
            self.names = answer::Names::default();
            self.answer = Some(answer);
            let mut at = ROOT;
            for _ in 0..UNFOLDED {
                if self.tree.children(at) != 1 {
                    break;
                }
                let Some(open) = self.unfold(self.tree.row_of(at, 0)) else { break };
                at = open;
            }
        }
        if let Some(answer) = &self.answer {
            self.names.tick(context, answer);
        }
    }

    fn unfold(&mut self, row: u64) -> Option<usize> {
        let (spot, node) = (self.tree.locate(row)?, self.node_at(row)?);
        let children = self.answer.as_ref()?.get()?.tree.node(node)?.children();
        (children > 0).then(|| self.tree.open(spot.parent, spot.index, children, node))
    }

    /// Expands or collapses a row; the cursor stays on its row.
    fn toggle(&mut self, row: u64) {
        let kept = RowAnchor::of(&self.tree, self.table.cursor(), Some(row));
        match self.tree.locate(row).and_then(|spot| spot.open) {
            Some(open) => self.tree.close(open),
            None => drop(self.unfold(row)),
        }
        kept.into_iter().for_each(|kept| self.table.select(Some(kept.row(&self.tree))));
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &ViewContext<'_>) {
        tools(ui, |ui| {
            let open = self.lists_classes();
            let button = ui.selectable_label(open, "Classes");
            let about = "List classes with a large retained size, to show the merged paths of one of them";
            if button.on_hover_text(about).clicked() {
                self.lists_classes = Some(!open);
            }
            ui.add_space(6.0);
            let combo = |ui: &mut Ui, salt: &str, said: &str, now: &str, width: f32, add: &mut dyn FnMut(&mut Ui)| {
                let shown = egui::ComboBox::from_id_salt(salt).selected_text(now).width(width).truncate();
                let shown = shown.show_ui(ui, |ui| add(ui));
                let said = format!("{said}: {now}");
                shown.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &said));
                ui.add_space(6.0);
            };
            let name = |by| if by == MergeBy::Class { "By class and field" } else { "By object" };
            combo(ui, "merged by", "Rows", name(self.by), 92.0, &mut |ui| {
                for by in [MergeBy::Object, MergeBy::Class] {
                    ui.selectable_value(&mut self.by, by, name(by));
                }
            });
            let now = strengths::name(self.weakest);
            combo(ui, "merged along", "References to follow", now, 118.0, &mut |ui| {
                strengths::choices_ui(ui, &mut self.weakest);
            });
            let t = tokens(ui);
            let tree = self.answer.as_ref().and_then(|answer| Some(&answer.get()?.tree));
            let unreached = tree.map_or(0, |tree| tree.unreached);
            let more = if unreached > 0 { 150.0 } else { 0.0 };
            ui.scope(|ui| {
                ui.set_max_width((ui.available_width() - more).max(60.0));
                ui.add(
                    egui::Label::new(RichText::new(self.said(context)).font(fonts::medium()).color(t.text)).truncate(),
                );
            });
            if unreached > 0 {
                hint(ui, &format!("{} without a path", Count(unreached)));
            }
        });
    }

    /// Description of the target.
    fn said(&self, context: &ViewContext<'_>) -> String {
        let count = self.answer.as_ref().and_then(|answer| Some(answer.get()?.tree.node(TOP)?.objects));
        let count = count.map(|count| Count(u64::from(count)).to_string()).unwrap_or_default();
        match &self.of {
            Some(PathTargets::Class(class)) => {
                format!("{count} {}", split_class(&context.dump.heap.classes.get(*class).name).1).trim().to_owned()
            }
            Some(PathTargets::Objects(_)) => format!("{count} selected objects").trim().to_owned(),
            None => String::new(),
        }
    }

    fn table_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let area = ui.available_rect_before_wrap();
        let below = Rect::from_min_max(area.min + vec2(0.0, sizes::HEADER), area.max);
        let table = Table::new(
            "Merged paths",
            if context.comparing.is_some() { &COLUMNS } else { &COLUMNS[..ALONE] },
            self.tree.rows(),
        )
        .active(!self.in_classes);
        let (answer, tree, names) = (self.answer.clone(), &self.tree, &mut self.names);
        let output = table.show(ui, &mut self.table, |row| {
            if let Some(answer) = answer.as_ref().and_then(|answer| answer.get()) {
                draw::row(row, context, answer, tree, names);
            }
        });
        let is_empty =
            self.answer.as_ref().and_then(|answer| answer.get()).is_some_and(|answer| answer.tree.is_empty());
        let error = self.slot.error();
        if let Some(error) = error {
            waiting::empty_ui(ui, below, Icon::Warning, "Cannot merge the paths", error);
        } else if self.of.is_none() {
            let text = "Merged paths show how GC roots reach the objects of a class. Select a class here or in the histogram, or any object";
            waiting::empty_ui(ui, below, Icon::Search, "No class or object is selected", text);
        } else if self.slot.is_running() {
            if self.answer.is_none() {
                waiting::empty_ui(ui, below, Icon::Search, "Computing paths…", "");
            }
            let line = Rect::from_min_size(area.min, vec2(area.width(), 2.0));
            waiting::progress_ui(ui, line, self.slot.progress().as_ref());
        } else if is_empty {
            let text = "No GC root reaches these objects through the references to follow; include weaker references";
            waiting::empty_ui(ui, below, Icon::Search, "No path", text);
        }
        self.handle(context, &output);
    }

    fn handle(&mut self, context: &mut ViewContext<'_>, output: &TableOutput) {
        if let Some(object) = output.clicked.or(output.moved).and_then(|row| self.object_at(row)) {
            self.chosen = Some(object);
            context.push_row(if output.clicked.is_none() {
                RowCommand::MoveCursor(object)
            } else {
                RowCommand::Select(object)
            });
        }
        if let Some(row) = output.toggled.or(output.activated) {
            self.toggle(row);
        }
        if context.copy_rows {
            self.copy(context);
        }
        if context.export {
            let one = self.answer.as_ref().and_then(|answer| Some(TableKind::Merged(answer.get()?.question.clone())));
            let all = || TableKind::MergedByClass(self.classes.question(context, self.weakest));
            let subject = if self.lists_classes() { Some(all()) } else { one };
            if let Some(subject) = subject {
                let request = TableQuery { subject, how: RowQuery::default() };
                context.push_row(RowCommand::Export(Box::new(request), "Merged paths".to_owned()));
            }
        }
    }

    fn side_keys(&mut self, ui: &Ui, context: &mut ViewContext<'_>) {
        let Some(row) = self.table.cursor() else { return };
        match tree_row::side_step(ui, &self.tree, row) {
            Some(Step::Toggle) => self.toggle(row),
            Some(Step::To(row)) => {
                if let Some(object) = self.object_at(row) {
                    self.table.select_and_show(row);
                    self.chosen = Some(object);
                    context.push_row(RowCommand::MoveCursor(object));
                }
            }
            None => {}
        }
    }

    fn copy(&self, context: &mut ViewContext<'_>) {
        let (Some(range), Some(answer)) = (self.table.selection(), self.answer.clone()) else { return };
        let last = (*range.end()).min(range.start() + AT_MOST - 1);
        let row = |row| Some((self.tree.locate(row)?.depth, self.node_at(row)?));
        copy::copy(context, answer, (*range.start()..=last).filter_map(row).collect());
    }
}
