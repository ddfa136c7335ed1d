//! Path to GC root: a path from a GC root to the selected object, root on top. Steps that dominate the object, which
//! all paths go through, are marked. At steps with several referrers, an alternative path can be shown; a reference can
//! be ignored, to see paths without it.

mod baseline_path;
mod cutting;
mod draw;
mod group_path;
mod header;

use eframe::egui::containers::menu::menu_style;
use eframe::egui::{self, Align, Id, Layout, Popup, PopupAnchor, PopupKind, Rect, SetOpenCommand, Ui, pos2, vec2};

use self::baseline_path::BaselinePath;
use self::draw::LineActions;
use self::group_path::GroupPath;
use super::{baseline_object, group, strengths};
use crate::ui::theme::{Icon, sizes, tokens};
use crate::ui::widgets::controls::part_ui;
use crate::ui::widgets::{Column, Table, TableState, object_menu, waiting};
use crate::ui::{Command, Pane, Reference, ViewContext};
use heaplens_analysis::ReferencePath;
use heaplens_analysis::paths::ignored::IgnoredReference;
use heaplens_analysis::paths::to_path;
use heaplens_heap::{ObjectId, Strength, split_class};
use heaplens_session::{OpenDump, Slot};
use heaplens_tables::export::copy::ClipBody;
use heaplens_tables::export::report::words;
use heaplens_tables::paths::details::StepDetails;
use heaplens_tables::paths::lines::{Line, Lines};
use heaplens_tables::paths::query::{AlternativePath, PathAnswer, PathQuery, ShownPath, find};
use heaplens_tables::{Question, clips};

const COLUMNS: [Column; 1] = [Column::words("Step", "Object on the path, from the GC root down", 120.0)];
const STEP: f32 = 46.0;
/// Height of the line about the match in the baseline, in points.
const ORIGIN: f32 = 26.0;
/// Number of steps copied at each end of a long path.
const ENDS: usize = 500;
/// Maximum number of steps that the command line prints by default.
const COMPLETE: usize = 100;

/// Referrers of a step that were shown so far.
struct StepReferrers {
    /// Position of the step, counted from the object: it stays the same when the steps before it change.
    from_end: usize,
    befores: Vec<ObjectId>,
    /// Index of the referrer on the current path.
    at: usize,
    /// True if there are no more.
    ended: bool,
}

/// The pane.
#[derive(Default)]
pub struct Paths {
    weakest: Strength,
    ignored: Vec<IgnoredReference>,
    slot: Slot<PathAnswer>,
    requested: Option<PathQuery>,
    answer: Option<PathAnswer>,
    /// Alternative path to a step; the old path stays visible until it is found.
    turning: Slot<PathAnswer>,
    /// Index of that path among the known ones, if it is known.
    turn_to: Option<usize>,
    taken: Vec<StepReferrers>,
    lines: Lines,
    details: StepDetails,
    table: TableState,
    /// Path in the baseline, in a comparison.
    before: BaselinePath,
    /// Path that several objects have in common, if a group is selected.
    group: GroupPath,
    copy: Option<ObjectId>,
    more: bool,
    /// Index of the step whose menu is open.
    menu: Option<usize>,
    /// Object whose referring reference is cut once its path is known; true to cut the field in all instances.
    cutting: Option<(ObjectId, bool)>,
}

impl Paths {
    fn path(&self) -> Option<&ShownPath> {
        self.answer.as_ref()?.path.as_ref()
    }

    fn steps(&self) -> &[ObjectId] {
        self.path().map_or(&[], |path| path.steps.as_slice())
    }

    /// Both ends of the reference to a step; `None` for the first step.
    fn reference_to(&self, at: usize) -> Option<(ObjectId, ObjectId)> {
        Some((*self.steps().get(at.checked_sub(1)?)?, *self.steps().get(at)?))
    }

    /// Starts the search for the path to the selected object.
    fn ask(&mut self, context: &ViewContext<'_>) {
        let Some(object) = context.location.object else { return self.forget() };
        let options = PathQuery { object, min_strength: self.weakest, ignored: self.ignored.clone() };
        if self.requested.as_ref() == Some(&options) {
            return;
        }
        self.requested = Some(options.clone());
        self.turning.cancel();
        let (dump, jobs) = (context.dump.clone(), context.jobs.clone());
        self.slot.ask(context.jobs, "path to GC root", move |task| find(&dump, &jobs, options, None, task));
    }

    /// Drops the path of an object that is no longer selected.
    fn forget(&mut self) {
        if self.requested.take().is_some() {
            (self.slot, self.turning, self.answer) = (Slot::default(), Slot::default(), None);
            (self.lines, self.details, self.menu) = (Lines::default(), StepDetails::default(), None);
            self.taken.clear();
        }
    }

    /// Weakest reference strength to follow.
    pub fn weakest(&self) -> Strength {
        self.weakest
    }

    /// Sets the weakest reference strength to follow, if it is one of the choices.
    pub fn put_weakest(&mut self, weakest: Strength) {
        if strengths::is_offered(weakest) {
            self.weakest = weakest;
        }
    }

    /// Copies the path, once it is found.
    pub fn copy(&mut self, object: Option<ObjectId>) {
        self.copy = object;
    }

    /// Shows the next path, once it is found.
    pub fn more(&mut self) {
        self.more = true;
    }

    /// Takes over results, also while the pane is hidden.
    pub fn tick(&mut self, context: &mut ViewContext<'_>) {
        self.ask(context);
        self.group.tick(context);
        if let Some(object) = context.location.object {
            self.before.ask(context, object, self.weakest);
        }
        if let Some(answer) = self.slot.take_new() {
            self.taken.clear();
            self.put(answer);
        }
        self.take_turn(context);
        if std::mem::take(&mut self.more) && !self.slot.is_running() {
            self.next_path(context);
        }
        if let Some(PathAnswer { path: Some(path), options }) = &self.answer {
            self.details.tick((context.dump, context.jobs), &path.steps, options);
        }
        self.tick_copy(context);
        self.tick_cut(context);
    }

    /// Shows a path, scrolled to its end.
    fn put(&mut self, answer: PathAnswer) {
        self.details = StepDetails::default();
        self.table = TableState::default();
        self.menu = None;
        self.lines = match &answer.path {
            Some(path) => Lines::new(path.steps.as_slice().len(), &path.chains),
            None => Lines::default(),
        };
        self.answer = Some(answer);
        self.table.select_and_show(self.lines.count().saturating_sub(1));
    }

    fn tick_copy(&mut self, context: &mut ViewContext<'_>) {
        if self.copy != context.location.object {
            // The selection changed before the path was found.
            self.copy = None;
        }
        let Some(answer) = self.answer.as_ref().filter(|answer| Some(answer.options.object) == self.copy) else {
            return;
        };
        if self.slot.is_running() {
            return;
        }
        self.copy = None;
        let Some(steps) = answer.path.as_ref().map(|shown_path| shown_path.steps.clone()) else {
            context.push(Command::Hint("No path to copy: the object is unreachable".to_owned()));
            return;
        };
        let (options, number) = (answer.options.clone(), self.number());
        context.copy(move |dump, task| {
            let path = to_path(dump.data(), steps.as_slice(), ENDS, task)?;
            let command = command(dump, &options, number, &path);
            let title = format!("Path to {}", clips::name(dump, options.object));
            Ok(clips::clip(dump, &title, command, ClipBody::Path(path)))
        });
    }

    /// Shows the next path, through another referrer of the object.
    fn next_path(&mut self, context: &mut ViewContext<'_>) {
        let last = self.steps().len().saturating_sub(1);
        if last == 0 {
            context.push(Command::Hint("No other path: the object is a GC root or unreachable".to_owned()));
        } else {
            self.turn(context, last, true);
        }
    }

    /// Searches for the next or previous path to a step.
    fn turn(&mut self, context: &mut ViewContext<'_>, at: usize, forward: bool) {
        let Some(steps) = self.path().map(|path| path.steps.clone()) else { return };
        let before = at.checked_sub(1).and_then(|before| steps.as_slice().get(before));
        let Some((&before, from_end)) = before.zip(steps.as_slice().len().checked_sub(at)) else { return };
        // Choices nearer the root belong to the path that is dropped.
        self.taken.retain(|taken| taken.from_end <= from_end);
        if self.taken.last().is_none_or(|taken| taken.from_end != from_end) {
            self.taken.push(StepReferrers { from_end, befores: vec![before], at: 0, ended: false });
        }
        let Some(taken) = self.taken.last() else { return };
        let known = taken.befores.len();
        self.turn_to = match (forward, taken.at + 1 < known) {
            (true, true) => Some(taken.at + 1),
            (true, false) => taken.ended.then_some(0),
            (false, _) => Some(taken.at.checked_sub(1).unwrap_or(known - 1)),
        };
        let by = self.turn_to.map(|to| taken.befores[to]);
        let turn = AlternativePath { path: steps, at, barred: taken.befores.clone(), by };
        let Some(options) = self.answer.as_ref().map(|answer| answer.options.clone()) else { return };
        let (dump, jobs) = (context.dump.clone(), context.jobs.clone());
        self.turning.ask(context.jobs, "next path", move |task| find(&dump, &jobs, options, Some(&turn), task));
    }

    /// Takes over an alternative path to a step.
    fn take_turn(&mut self, context: &mut ViewContext<'_>) {
        if !self.turning.poll() {
            return;
        }
        let (Some(answer), Some(taken)) = (self.turning.take(), self.taken.last_mut()) else { return };
        let from_end = taken.from_end;
        match (&answer.path, self.turn_to) {
            (Some(_), Some(to)) => taken.at = to,
            (Some(path), None) => {
                let steps = path.steps.as_slice();
                let before = steps.len().checked_sub(from_end + 1).and_then(|at| steps.get(at));
                taken.befores.extend(before);
                taken.at = taken.befores.len() - 1;
            }
            (None, _) => {
                taken.ended = true;
                context.push(Command::Hint("No other path to this step".to_owned()));
                return;
            }
        }
        self.put(answer);
        let step = self.steps().len().saturating_sub(from_end);
        self.table.select_and_show(self.lines.of_step(step));
    }

    /// Number of the current path to the object, from 1.
    fn number(&self) -> usize {
        Self::which(&self.taken, 1, 1).0
    }

    /// Number of the current path to a step, and of all its paths: the known ones, if there are no more.
    fn which(taken: &[StepReferrers], from_end: usize, choices: usize) -> (usize, usize) {
        match taken.iter().find(|taken| taken.from_end == from_end) {
            Some(taken) if taken.ended => (taken.at + 1, taken.befores.len()),
            Some(taken) => (taken.at + 1, taken.befores.len().max(choices)),
            None => (1, choices),
        }
    }

    /// Draws the pane.
    pub fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.header_ui(ui, context);
        Self::origin_ui(ui, context);
        let area = ui.available_rect_before_wrap();
        let below = self.before.height(context, area.height());
        if below > 0.0 {
            let at = Rect::from_min_max(pos2(area.left(), area.bottom() - below), area.max);
            self.before.ui(ui, context, at);
            let upper = Rect::from_min_max(area.min, pos2(area.right(), area.bottom() - below));
            self.path_ui(&mut part_ui(ui, upper, "path in the target"), context);
            ui.advance_cursor_after_rect(area);
        } else {
            self.path_ui(ui, context);
        }
    }

    /// Draws the match of the selected object in the baseline.
    fn origin_ui(ui: &mut Ui, context: &ViewContext<'_>) {
        let Some(object) = context.location.object.filter(|_| context.dump.baseline.is_some()) else { return };
        // In the heap after removals there is nothing to say of what is not freed.
        if context.is_after && !context.dump.heap.is_freed(object) {
            return;
        }
        let (width, t) = (ui.available_width(), tokens(ui));
        let (rect, _) = ui.allocate_exact_size(vec2(width, ORIGIN), egui::Sense::HOVER);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let inner = rect.shrink2(vec2(sizes::PAD, 0.0));
        ui.scope_builder(egui::UiBuilder::new().max_rect(inner).layout(layout), |ui| {
            baseline_object::line_ui(ui, context, object);
        });
        ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, (1.0, t.border));
    }

    fn path_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let area = ui.available_rect_before_wrap();
        if let Some(error) = self.slot.error().or(self.turning.error()) {
            return waiting::empty_ui(ui, area, Icon::Warning, "Cannot find a path", error);
        }
        match (&self.answer, context.location.object) {
            (None, Some(_)) => waiting::line_ui(ui, "Searching for a path…"),
            (_, None) if group::count(context).is_some() => {
                let count = group::count(context).unwrap_or_default();
                self.group.ui(ui, context, count);
            }
            (_, None) => {
                let hint = "Select an object to see the path from a GC root to it, the reason it is alive";
                waiting::empty_pane_ui(ui, Icon::Search, "No object is selected", hint);
            }
            (Some(PathAnswer { path: None, options }), _) => {
                let (title, hint) = if context.dump.heap.is_freed(options.object) {
                    ("Freed", "The object is not in the heap after the removals: nothing holds it any more")
                } else if options.ignored.is_empty() {
                    ("Unreachable", words::unreachable(&context.dump.heap))
                } else {
                    ("No other path", "Without the ignored references, the object is unreachable")
                };
                waiting::empty_ui(ui, area, Icon::Search, title, hint);
            }
            (Some(_), _) => self.steps_ui(ui, context),
        }
        if self.slot.is_running() || self.turning.is_running() {
            let progress = self.slot.progress().or_else(|| self.turning.progress());
            waiting::progress_ui(ui, area, progress.as_ref());
        }
    }

    fn steps_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let Some(PathAnswer { path: Some(path), .. }) = &self.answer else { return };
        let table = Table::new("Path to GC root", &COLUMNS, self.lines.count())
            .active(context.focus == Pane::Path)
            .without_header()
            .row_height(STEP);
        let mut actions = LineActions::default();
        let (lines, details, taken) = (&self.lines, &mut self.details, &self.taken);
        let which = |from_end, choices| Self::which(taken, from_end, choices);
        let output = table.show(ui, &mut self.table, |row| {
            draw::line(row, context, path, lines, details, &which, &mut actions);
        });
        let steps = path.steps.clone();
        match output.clicked.or(output.activated).map(|line| self.lines.at(line)) {
            Some(Line::Step(step)) if !actions.is_some() => {
                context.select(steps.as_slice().get(step).copied());
            }
            Some(Line::Chain(chain)) => actions.toggle = Some(chain),
            _ => {}
        }
        if let Some(chain) = actions.toggle {
            self.lines.toggle(chain, steps.as_slice().len(), &path.chains);
        }
        if let Some((at, forward)) = actions.turn {
            self.turn(context, at, forward);
        }
        if let Some((from, to)) = actions.ignore.and_then(|at| self.reference_to(at)) {
            self.ignore(IgnoredReference::Between(from, to));
        }
        self.menu_ui(ui, context, actions.menu);
    }

    /// Ignores a reference and searches again. References stay ignored for other objects.
    fn ignore(&mut self, ignored: IgnoredReference) {
        if !self.ignored.contains(&ignored) {
            self.ignored.push(ignored);
        }
    }

    /// Draws the menu of a step: the references to ignore.
    fn menu_ui(&mut self, ui: &Ui, context: &ViewContext<'_>, opened: Option<usize>) {
        self.menu = opened.or(self.menu);
        let Some(at) = self.menu else { return };
        let id = Id::unique("menu of a step");
        // Like the menus that egui opens by itself.
        let popup = Popup::new(id, ui.ctx().clone(), PopupAnchor::PointerFixed, ui.layer_id())
            .kind(PopupKind::Menu)
            .layout(Layout::top_down_justified(Align::Min))
            .style(menu_style)
            .gap(0.0);
        let popup = popup.open_memory(opened.map(|_| SetOpenCommand::Bool(true)));
        if self.path().is_none() {
            return;
        }
        let (ends, object) = (self.reference_to(at), self.steps().get(at).copied());
        let field = self.details.step(at).and_then(|step| step.reference.clone());
        let mut chosen = None;
        let heap = &context.dump.heap;
        let reference = ends.map(|(from, to)| Reference::between(heap, from, to, field.as_deref()));
        let items_ui = |ui: &mut Ui| {
            if ui.button("Ignore reference").clicked() {
                chosen = ends.map(|(from, to)| IgnoredReference::Between(from, to));
                ui.close();
            }
            // Array elements and class references are no fields of instances.
            if let Some(((before, _), field)) = ends.zip(field.filter(|field| !field.starts_with(['[', '<']))) {
                let stands_for = heap.classes.of_object(before);
                let class = &heap.classes.get(stands_for.unwrap_or_else(|| heap.class_id(before))).name;
                let (_, short) = split_class(class);
                let text = match stands_for {
                    Some(_) => format!("Ignore static field {short}.{field}"),
                    None => format!("Ignore field {short}.{field} in all instances"),
                };
                if ui.button(text).clicked() {
                    chosen = Some(IgnoredReference::ClassField(class.to_string(), field.clone()));
                    ui.close();
                }
            }
            if let Some(object) = object {
                ui.separator();
                object_menu::about_ui(ui, object, reference.as_ref());
            }
        };
        popup.show(|ui| {
            ui.set_min_width(180.0);
            object_menu::scrolling_ui(ui, items_ui);
        });
        if !Popup::is_id_open(ui.ctx(), id) {
            self.menu = None;
        }
        chosen.into_iter().for_each(|ignored| self.ignore(ignored));
    }

    /// True while a path is being searched for.
    pub fn is_running(&self) -> bool {
        self.slot.is_at_work()
            || self.cutting.is_some()
            || self.turning.is_at_work()
            || self.details.is_running()
            || self.before.is_running()
            || self.group.is_running()
    }
}

/// The command that finds a path. With several paths, the current one is the last it prints.
fn command(dump: &OpenDump, options: &PathQuery, number: usize, path: &ReferencePath) -> Question {
    let mut command = Question::new("paths", &dump.opened).argument(dump.heap.id_text(options.object));
    let weakest = options.min_strength.max(path.strength);
    if weakest != Strength::Strong && dump.opened.rules.min_strength == Strength::Phantom {
        let word = if weakest == Strength::Phantom { "all" } else { weakest.name() };
        command = command.option("strength", word);
    }
    if number > 1 {
        command = command.option("count", number.to_string());
    }
    for ignored in &options.ignored {
        command = command.option("ignore", ignored.text(&dump.heap));
    }
    if path.length() > COMPLETE {
        command = command.option("top", ENDS.to_string());
    }
    command
}
