//! Merged paths: the shortest paths from GC roots to all objects of a class, or to selected ones, as one tree with the
//! roots at the top. It shows the objects that many paths have in common.

mod classes;
mod draw;
mod rows;

use crate::ui::export_content::ExportContent;
use std::sync::Arc;

use eframe::egui::{self, RichText, Ui};

use self::classes::Classes;
use self::rows::{MergedRows, NAME};
use super::strengths;
use crate::ui::controllers::TreeController;
use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::{TableState, controls, toolbar};
use crate::ui::{Command, Verb, ViewContext};
use heaplens_analysis::paths::merged::{MergeBy, PathTargets, TOP};
use heaplens_base::Count;
use heaplens_heap::{ObjectId, Strength, split_class};
use heaplens_tables::TableQuery;
use heaplens_tables::dump::merged::MergedPathsQuery;
use heaplens_tables::trees::merged_paths;

/// Width of the copy button with its margin, in points.
const COPY: f32 = 36.0;
/// From this width on, the classes are beside the tree instead of above it, in points.
const BESIDE: f32 = 660.0;

/// The view.
pub struct MergedPaths {
    of: Option<PathTargets>,
    by: MergeBy,
    weakest: Strength,
    /// Target set by the user, to be shown in the next frame.
    wanted: Option<PathTargets>,
    /// Query, and true in a comparison.
    requested: Option<(MergedPathsQuery, bool)>,
    rows: MergedRows,
    tree: TreeController,
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
    /// Rows by class and field: objects that differ only by their index or key are one row with a count.
    fn default() -> Self {
        Self {
            of: None,
            by: MergeBy::Class,
            weakest: Strength::default(),
            wanted: None,
            requested: None,
            rows: MergedRows::default(),
            tree: TreeController::default(),
            chosen: None,
            classes: Classes::default(),
            lists_classes: None,
            in_classes: false,
            drawn: 0,
        }
    }
}

impl ViewPage for MergedPaths {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.choose(ui, context);
        self.classes_ui(ui, context);
        self.ask(context);
        self.tools_ui(ui, context);
        self.rows.is_active = !self.in_classes;
        self.rows.has_target = self.of.is_some();
        let moved = if self.in_classes { None } else { self.tree.side_keys(ui, context, &mut self.rows) };
        let output = self.tree.ui(ui, context, &mut self.rows);
        self.chosen =
            output.clicked.or(output.moved).or(moved).and_then(|row| self.rows.object_at(row)).or(self.chosen);
        self.export(context);
    }

    fn is_running(&self) -> bool {
        // A hidden list does not count.
        self.rows.is_running() || (self.lists_classes() && self.classes.is_running())
    }
}

impl MergedPaths {
    /// Shows the paths to other objects, along references of at least this strength.
    pub fn show(&mut self, of: PathTargets, weakest: Strength) {
        (self.wanted, self.weakest) = (Some(of), weakest);
    }

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
        let shown = if let Some(PathTargets::Class(class)) = self.of { Some(class) } else { None };
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
        if let Some(wanted) = self.wanted.take() {
            (self.of, self.drawn) = (Some(wanted), frame);
            return;
        }
        let anew = std::mem::replace(&mut self.drawn, frame) + 1 < frame || self.of.is_none();
        // After going back to one of its own rows, the view keeps its target.
        let own = self.chosen.is_some() && context.location.object == self.chosen;
        if anew && let Some(class) = context.location.class.filter(|_| !own || self.of.is_none()) {
            self.of = Some(PathTargets::Class(class));
        }
    }

    fn ask(&mut self, context: &ViewContext<'_>) {
        if let Some(of) = &self.of {
            let question = MergedPathsQuery { of: of.clone(), by: self.by, min_strength: self.weakest };
            let compares = context.dump.baseline.is_some();
            if self.requested.as_ref().is_none_or(|(requested, with)| (requested, *with) != (&question, compares)) {
                self.requested = Some((question.clone(), compares));
                let (dump, jobs) = (context.dump.clone(), context.jobs.clone());
                self.rows.slot.ask(context.jobs, "merged paths", move |task| {
                    Ok(Arc::new(jobs.defer_drop(merged_paths::find(&dump, question, task)?)))
                });
            }
        }
        if let Some(answer) = self.rows.slot.take_new() {
            self.rows.put(answer);
            self.tree.state = TableState::default();
        }
        self.rows.tick(context);
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        toolbar::tools(ui, |ui| {
            let open = self.lists_classes();
            let button = ui.selectable_label(open, "Classes");
            let about = "List classes with a large retained size, to show the merged paths of one of them";
            if button.on_hover_text(about).clicked() {
                self.lists_classes = Some(!open);
            }
            ui.add_space(6.0);
            let name = |by| if by == MergeBy::Class { "By class and field" } else { "By object" };
            let combo = |salt, width| egui::ComboBox::from_id_salt(salt).width(width).truncate();
            let label = |by| format!("Rows: {}", name(by));
            let all = [MergeBy::Class, MergeBy::Object];
            controls::choice_ui(ui, combo("merged by", 92.0), label, &mut self.by, all, name);
            ui.add_space(6.0);
            let combo = combo("merged along", 118.0).selected_text(strengths::name(self.weakest));
            strengths::choice_ui(ui, combo, &mut self.weakest);
            ui.add_space(6.0);
            let t = tokens(ui);
            let tree = self.rows.answer().map(|answer| &answer.tree);
            let unreached = tree.map_or(0, |tree| tree.unreached);
            let more = COPY + if unreached > 0 { 150.0 } else { 0.0 };
            ui.scope(|ui| {
                ui.set_max_width((ui.available_width() - more).max(60.0));
                let label = RichText::new(self.summary(context)).font(fonts::medium()).color(t.text);
                ui.add(egui::Label::new(label).truncate());
            });
            if unreached > 0 {
                toolbar::hint(ui, &format!("{} without a path", Count(unreached)));
            }
            if controls::icon_button(ui, Icon::Copy, "Copy rows of the tree", tree.is_some()).clicked() {
                // The button is that of the tree: all rows that are expanded, which are then selected.
                self.tree.state.select_all();
                context.push(Command::from(Verb::CopyRows));
            }
        });
    }

    fn summary(&self, context: &ViewContext<'_>) -> String {
        let count = self.rows.answer().and_then(|answer| Some(answer.tree.node(TOP)?.objects));
        let count = count.map(|count| Count(u64::from(count)).to_string()).unwrap_or_default();
        match &self.of {
            Some(PathTargets::Class(class)) => {
                format!("{count} {}", split_class(&context.dump.heap.classes.get(*class).name).1).trim().to_owned()
            }
            Some(PathTargets::Objects(_)) => format!("{count} selected objects").trim().to_owned(),
            None => String::new(),
        }
    }

    /// Exports the rows, or the trees of all listed classes.
    fn export(&self, context: &mut ViewContext<'_>) {
        let request = if !context.exports() {
            None
        } else if self.lists_classes() {
            Some(TableQuery::all(self.classes.question(context, self.weakest)))
        } else {
            self.rows.answer().map(|answer| TableQuery::all(answer.question.clone()))
        };
        if let Some(request) = request {
            context.export(ExportContent::Rows(request), NAME);
        }
    }
}
