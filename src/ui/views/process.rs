//! The memory of the process: a sentence, a bar of its parts, and the parts with what holds each.

use eframe::egui::{self, Align2, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use std::path::PathBuf;
use std::sync::Arc;

use super::report::{Report, kinds};
use crate::ui::theme::{Tokens, fonts, sizes, tokens};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::elided;
use crate::ui::{Command, Verb, ViewContext, ViewState};
use crate::view::View;
use heaplens_analysis::process::{PartKind, ProcessGrowth, ProcessMemory, ProcessPart, ProcessQuestion};
use heaplens_base::{Bytes, Share};
use heaplens_session::Slot;
use heaplens_tables::export::process::further_facts;

/// Height of the bar, in points.
const BAR: f32 = 26.0;
/// Narrowest segment with a name in it, in points.
const NAMED: f32 = 54.0;

/// The view.
pub(super) struct ProcessPage {
    requested: bool,
    /// The baseline of the answer.
    baseline: Option<PathBuf>,
    memory: Slot<ProcessAnswers>,
    report: Report,
}

/// What the header shows.
struct ProcessAnswers {
    memory: Arc<ProcessMemory>,
    /// What grew since the baseline, in a sentence.
    growth: Option<String>,
}

impl Default for ProcessPage {
    fn default() -> Self {
        Self { requested: false, baseline: None, memory: Slot::default(), report: Report::new(&kinds::PROCESS) }
    }
}

impl ViewPage for ProcessPage {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.ask(context);
        self.memory.poll();
        if let Some(answers) = self.memory.get()
            && let Some(view) = header_ui(ui, answers)
        {
            context.push(Command::from(Verb::Show(view)));
        }
        self.report.ui(ui, context);
    }

    fn is_running(&self) -> bool {
        !self.requested || self.memory.is_at_work() || self.report.is_running()
    }

    fn unseen(&mut self, context: &mut ViewContext<'_>) {
        self.report.unseen(context);
    }

    fn view_state(&self) -> Option<ViewState> {
        self.report.view_state()
    }

    fn restore(&mut self, view_state: &ViewState) {
        self.report.restore(view_state);
    }
}

impl ProcessPage {
    /// Asks for the answer, again when the baseline has changed. Removals do not change the process.
    fn ask(&mut self, context: &ViewContext<'_>) {
        let baseline = context.dump.baseline.as_ref().filter(|_| !context.is_after);
        let baseline = baseline.map(|baseline| baseline.before.opened.file.clone());
        if std::mem::replace(&mut self.requested, true) && self.baseline == baseline {
            return;
        }
        let is_compared = baseline.is_some();
        if self.baseline != baseline {
            self.report = Report::new(if is_compared { &kinds::PROCESS_COMPARED } else { &kinds::PROCESS });
        }
        self.baseline = baseline;
        let dump = context.dump.clone();
        self.memory.ask(context.jobs, "memory of the process", move |task| {
            let memory = dump.answer(&ProcessQuestion, task)?;
            let growth = match dump.pair().filter(|_| is_compared) {
                Some(pair) => {
                    let before = pair.before.answer(&ProcessQuestion, task)?;
                    Some(ProcessGrowth { before: &before, after: &memory }.to_string())
                }
                None => None,
            };
            Ok(ProcessAnswers { memory, growth })
        });
    }
}

/// The view that has more about a part.
fn view_of(kind: PartKind) -> Option<View> {
    match kind {
        PartKind::LiveHeap | PartKind::RestOfHeap => Some(View::Overview),
        PartKind::ThreadStacks => Some(View::Threads),
        PartKind::ClassMetadata => Some(View::Loaders),
        _ => None,
    }
}

/// Draws the sentences and the bar; returns the view that a click on a part leads to.
fn header_ui(ui: &mut Ui, ProcessAnswers { memory, growth }: &ProcessAnswers) -> Option<View> {
    let t = tokens(ui);
    let sentences: Vec<String> = growth.iter().cloned().chain([memory.to_string()]).collect();
    let sentence = sentences.join("\n");
    let width = ui.available_width() - 2.0 * sizes::PAD;
    let text = ui.painter().layout(sentence.clone(), fonts::medium(), t.text, width);
    let facts = further_facts(memory).join("\n");
    let facts_text = ui.painter().layout(facts.clone(), fonts::small(), t.muted, width);
    let more = if facts.is_empty() { 0.0 } else { facts_text.size().y + 8.0 };
    let height = text.size().y + BAR + 26.0 + more;
    let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::HOVER);
    let left_top = area.min + vec2(sizes::PAD, 8.0);
    let label = Rect::from_min_size(left_top, text.size());
    let response = ui.interact(label, egui::Id::unique("sentence about the process"), Sense::HOVER);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &sentence));
    let below = left_top.y + text.size().y + 8.0;
    ui.painter().galley(left_top, text, t.text);
    if !facts.is_empty() {
        let at = pos2(left_top.x, below + BAR + 8.0);
        let area = Rect::from_min_size(at, facts_text.size());
        let response = ui.interact(area, egui::Id::unique("facts about the process"), Sense::HOVER);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &facts));
        ui.painter().galley(at, facts_text, t.muted);
    }
    bar_ui(ui, Rect::from_min_size(pos2(left_top.x, below), vec2(width, BAR)), &memory.parts, t)
}

/// Draws the parts as segments.
fn bar_ui(ui: &Ui, bar: Rect, parts: &[ProcessPart], t: &Tokens) -> Option<View> {
    ui.painter().rect_filled(bar, 4.0, t.track);
    let total: Bytes = parts.iter().map(|part| part.bytes).sum();
    let (mut left, mut leads_to) = (bar.left(), None);
    for (at, part) in parts.iter().enumerate() {
        let share = Share::of(part.bytes, total);
        let width = bar.width() * (part.bytes.0 as f64 / total.0.max(1) as f64) as f32;
        let right = (left + width).min(bar.right());
        let area = Rect::from_min_max(pos2(left, bar.top()), pos2((right - 1.0).max(left), bar.bottom()));
        left = right;
        if area.width() < 1.0 {
            continue;
        }
        let hue = if part.kind == PartKind::Unexplained { t.rest } else { t.hues[at % t.hues.len()] };
        ui.painter().rect_filled(area, 2.0, hue.fill);
        if area.width() >= NAMED {
            let name = elided(ui, part.title().to_owned(), fonts::small(), hue.ink, area.width() - 10.0);
            let position = Align2::LEFT_CENTER.anchor_size(area.left_center() + vec2(6.0, 0.0), name.size()).min;
            ui.painter().galley(position, name, hue.ink);
        }
        let view = view_of(part.kind);
        let sense = if view.is_some() { Sense::click() } else { Sense::HOVER };
        let response = ui.interact(area, egui::Id::unique(("part of the process", at)), sense);
        let spoken = format!("{}: {}, {share}", part.title(), part.bytes);
        let role = if view.is_some() { Role::Button } else { Role::Label };
        response.widget_info(|| WidgetInfo::labeled(role, true, &spoken));
        if response.clicked() {
            leads_to = view;
        }
        if view.is_some() && response.hovered() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        response.on_hover_text(spoken);
    }
    leads_to
}
