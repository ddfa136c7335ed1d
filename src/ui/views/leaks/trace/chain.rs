//! Leak trace from its GC root down: each object with its leaking status and reason, and below it the reference to the
//! next object, underlined if suspicious.

use eframe::egui::{Role, Sense, Ui, WidgetInfo, vec2};

use super::rail::{OBJECT, WORDS, dot, line};
use super::step::{self, StepPosition};
use crate::ui::ViewContext;
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::line_ui;
use heaplens_analysis::android::shark::{LeakTrace, root_text};
use heaplens_base::Count;
use heaplens_heap::ObjectId;
use heaplens_tables::export::printable::one_line;

/// Maximum number of objects drawn at each end of a long trace; copies contain all of it.
const DRAWN: usize = 60;

pub(super) fn ui(ui: &mut Ui, context: &mut ViewContext<'_>, trace: &LeakTrace) {
    // No space between rows: they form one line from top to bottom.
    let between = std::mem::replace(&mut ui.spacing_mut().item_spacing.y, 0.0);
    root_ui(ui, trace);
    let all = trace.steps.len();
    let omitted = DRAWN..all.saturating_sub(DRAWN);
    let mut is_cut = false;
    for (at, step) in trace.steps.iter().enumerate() {
        if omitted.contains(&at) {
            if at == omitted.start {
                omission_ui(ui, omitted.len());
            }
            continue;
        }
        let next: Option<ObjectId> = trace.steps.get(at + 1).map(|next| next.subject.object);
        let retained = (at + 1 == all).then_some((trace.retained, trace.objects));
        step::ui(ui, context, step, &StepPosition { nth: at + 1, next, is_below_suspect: is_cut, retained });
        is_cut = step.reference.as_ref().is_some_and(|reference| reference.is_suspect);
    }
    ui.spacing_mut().item_spacing.y = between;
}

fn root_ui(ui: &mut Ui, trace: &LeakTrace) {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), OBJECT), Sense::HOVER);
    dot(ui, rect, t.root);
    line(ui, rect.left(), rect.center().y + 6.0, rect.bottom(), t.edge, false);
    let text = format!("GC root: {}", one_line(root_text(trace.root)));
    line_ui(ui, rect.with_min_x(rect.left() + WORDS), &*text, fonts::medium(), t.root);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
}

fn omission_ui(ui: &mut Ui, steps: usize) {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), OBJECT), Sense::HOVER);
    line(ui, rect.left(), rect.top(), rect.bottom(), t.edge, false);
    let text = format!("… {} more objects; the copied trace has all", Count(steps as u64));
    line_ui(ui, rect.with_min_x(rect.left() + WORDS), &*text, fonts::small(), t.faint);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
}
