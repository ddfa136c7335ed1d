//! Path to the selected object in the baseline, if it differs from the current one: a second, shorter chain below the
//! first.

use eframe::egui::{self, Rect, RichText, Ui, UiBuilder, pos2, vec2};
use heaplens_tables::RowTarget;

use super::draw::{rail, words};
use crate::ui::ViewContext;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::widgets::controls::part_ui;
use crate::ui::widgets::{Column, ObjectName, Row, Table, TableState, definition};
use heaplens_analysis::paths::text::dotted;
use heaplens_analysis::paths::{PathOptions, paths};
use heaplens_analysis::{PathStep, ReferencePath};
use heaplens_base::{Count, Task};
use heaplens_heap::{ObjectId, Strength};
use heaplens_session::{JobError, OpenDump, Slot};

const COLUMNS: [Column; 1] = [Column::words("Step", "Object on the path, from the GC root down", 120.0)];
const STEP: f32 = 42.0;
const HEADING: f32 = 32.0;
/// Number of steps listed at each end of a long chain.
const ENDS: usize = 50;

/// Search for the path in the baseline.
#[derive(Default)]
pub(super) struct BaselinePath {
    requested: Option<(ObjectId, Strength, bool)>,
    slot: Slot<Option<ReferencePath>>,
    table: TableState,
}

impl BaselinePath {
    /// Requests the path of the match of `object`, once there is a comparison.
    pub(super) fn ask(&mut self, context: &ViewContext<'_>, object: ObjectId, weakest: Strength) {
        let question = Some((object, weakest, context.dump.baseline.is_some()));
        self.slot.poll();
        if context.comparing.is_none() || std::mem::replace(&mut self.requested, question) == question {
            return;
        }
        self.table = TableState::default();
        let dump = context.dump.clone();
        self.slot.ask(context.jobs, "path in the baseline", move |task| other(&dump, object, weakest, task));
    }

    fn path(&self, context: &ViewContext<'_>) -> Option<&ReferencePath> {
        let (object, ..) = self.requested?;
        let path = self.slot.get()?.as_ref();
        path.filter(|_| context.location.object == Some(object) && !self.slot.is_running())
    }

    /// Height of the chain, if `available` points are free.
    pub(super) fn height(&self, context: &ViewContext<'_>, available: f32) -> f32 {
        let Some(path) = self.path(context) else { return 0.0 };
        let height = HEADING + STEP * (lines(path) as f32) + 4.0;
        height.min(available * 0.45)
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, area: Rect) {
        let mut state = std::mem::take(&mut self.table);
        if let Some(path) = self.path(context) {
            let clicked = chain_ui(ui, path, &mut state, area);
            let step = clicked.and_then(|row| step_of(path, row));
            step.into_iter().for_each(|step| context.open(RowTarget::BaselineObject(step.object)));
        }
        self.table = state;
    }

    pub(super) fn is_running(&self) -> bool {
        self.slot.is_at_work()
    }
}

/// Number of lines: the root, the steps, and a line for omitted ones.
fn lines(path: &ReferencePath) -> usize {
    path.steps.len() + 1 + usize::from(path.omission.is_some())
}

/// The path in the baseline, if the names of its steps differ; other objects with the same names do not count.
fn other(dump: &OpenDump, object: ObjectId, weakest: Strength, task: &Task) -> Result<Option<ReferencePath>, JobError> {
    let Some((before, comparison)) = dump.compared() else { return Ok(None) };
    let Some(old) = comparison.matches.before(object) else { return Ok(None) };
    let options = PathOptions::default().min_strength(weakest).max_listed_at_end(ENDS);
    let first = |of: &OpenDump, object| paths(of.data(), object, options, task);
    let (now, then) = (first(dump, object)?.pop(), first(before, old)?.pop());
    Ok(then.filter(|then| now.as_ref().is_none_or(|now| names(now) != names(then))))
}

/// Identity of a chain: its root, and class and field of each step. Array indices change without meaning.
fn names(path: &ReferencePath) -> (heaplens_heap::RootKind, Vec<(&str, Option<&str>)>) {
    (path.root_kind, path.steps.iter().map(named).collect())
}

fn named(step: &PathStep) -> (&str, Option<&str>) {
    let field = step.reference.as_deref().map(|reference| reference.split('[').next().unwrap_or_default());
    (&step.class, field)
}

/// Draws the chain; returns the line that was activated.
fn chain_ui(ui: &mut Ui, path: &ReferencePath, state: &mut TableState, area: Rect) -> Option<u64> {
    let t = tokens(ui);
    ui.painter().hline(area.x_range(), area.top(), (1.0, t.border));
    let mut child = part_ui(ui, area, "path in the baseline");
    let heading = Rect::from_min_size(area.min, vec2(area.width(), HEADING)).shrink2(vec2(sizes::PAD, 0.0));
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    child.scope_builder(UiBuilder::new().max_rect(heading).layout(layout), |ui| {
        ui.label(RichText::new("Path in the baseline").font(fonts::medium()).color(t.text));
        let text = Count(path.length().saturating_sub(1) as u64).of("reference", "references");
        ui.add(egui::Label::new(RichText::new(text).font(fonts::small()).color(t.faint)).truncate());
    });
    let below = Rect::from_min_max(pos2(area.left(), area.top() + HEADING), area.max);
    let mut body = child.new_child(UiBuilder::new().max_rect(below).id_salt("steps before"));
    let table = Table::new("Path in the baseline", &COLUMNS, lines(path) as u64)
        .active(false)
        .without_header()
        .row_height(STEP);
    table.show(&mut body, state, |row| line_ui(row, path)).activated
}

/// Index of the step on a line; `None` for the root and for omitted steps.
fn step_number(path: &ReferencePath, line: u64) -> Option<usize> {
    let at = (line as usize).checked_sub(1)?;
    match path.omission {
        Some(left_out) if at == left_out.after => None,
        Some(left_out) => Some(at - usize::from(at > left_out.after)),
        None => Some(at),
    }
}

fn step_of(path: &ReferencePath, line: u64) -> Option<&PathStep> {
    path.steps.get(step_number(path, line)?)
}

fn line_ui(row: &mut Row<'_>, path: &ReferencePath) {
    let t = row.tokens;
    let last = row.index + 1 == lines(path) as u64;
    let right = row.rect.right() - 6.0;
    if row.index == 0 {
        let x = rail(row, true, last, true, t.root);
        words(row, x, right, -8.5, "GC root", fonts::small(), t.muted);
        words(row, x, right, 8.0, path.root_kind.name(), fonts::medium(), t.root);
        row.name(format!("Baseline GC root: {}", path.root_kind.name()));
        row.hover(definition::sentence(path.root_kind.name()));
        return;
    }
    if let Some(left_out) = path.omission.filter(|left_out| left_out.after + 1 == row.index as usize) {
        let x = rail(row, false, last, false, t.edge);
        let text = format!("… {} steps", Count(left_out.steps as u64));
        words(row, x, right, 0.0, &text, fonts::text(), t.muted);
        row.name(text);
        return;
    }
    let Some((at, step)) = step_number(path, row.index).zip(step_of(path, row.index)) else { return };
    let x = rail(row, false, last, step.dominates, if step.dominates { t.accent } else { t.faint });
    let name = ObjectName { class: &step.class, label: step.label.as_deref(), id: &step.id };
    let upper = Rect::from_min_max(pos2(x, row.rect.top() + 3.0), pos2(right, row.rect.center().y + 1.0));
    name.paint(row.ui, t, upper);
    let via = step.reference.as_deref().map(|field| format!("via {}", dotted(field))).unwrap_or_default();
    words(row, x, right, 9.0, &via, fonts::mono(), t.field);
    let about = "Double-click to show it in the baseline";
    row.hover(format!("{}\nRetained size {} bytes in the baseline\n{about}", name.plain(), step.retained.exact()));
    row.name(format!("Baseline step {}: {}", Count(at as u64 + 1), name.plain()));
}
