//! One object of a leak trace: name, leaking status, reason, labels, and its reference to the next object.

use eframe::egui::{
    self, Color32, Label, Rect, RichText, Role, Sense, Shape, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::rail::{OBJECT, REFERENCE, WORDS, dot, line};
use crate::ui::theme::{Tokens, fonts, sizes, tokens};
use crate::ui::widgets::{ObjectName, controls, elided, line_ui, object_menu, rail};
use crate::ui::{Reference, ViewContext};
use heaplens_analysis::android::shark::{LeakReference, LeakStep, LeakSubject, Status, SubjectKind};
use heaplens_base::{Bytes, Count};
use heaplens_heap::ObjectId;
use heaplens_tables::export::printable::one_line;
use heaplens_tables::export::traces::{size, status};

/// Maximum number of drawn labels, and of characters of each.
const LABELS: usize = 16;
const LETTERS: usize = 800;

/// Position of an object in its trace.
pub(super) struct StepPosition {
    /// Index in the trace.
    pub(super) nth: usize,
    /// Target of its reference.
    pub(super) next: Option<ObjectId>,
    /// True if the reference to it is suspicious.
    pub(super) is_below_suspect: bool,
    /// Retained bytes and objects, if it is the leaking object.
    pub(super) retained: Option<(Bytes, u64)>,
}

/// Colour of a status, always shown together with its text.
fn color(status: Status, t: &Tokens) -> Color32 {
    match status {
        Status::NotLeaking => t.good,
        Status::Unknown => t.warn,
        Status::Leaking => t.error,
    }
}

pub(super) fn ui(ui: &mut Ui, context: &mut ViewContext<'_>, step: &LeakStep, position: &StepPosition) {
    let t = tokens(ui);
    let ink = color(step.status, t);
    let (left, top) = (ui.cursor().left(), ui.cursor().top());
    let middle = top + OBJECT / 2.0;
    object_ui(ui, context, step, position.nth, ink);
    words_ui(ui, |ui| {
        if step.status != Status::Unknown {
            wrapped(ui, &step.subject.reason, t.muted);
        }
        if let Some((bytes, count)) = position.retained {
            wrapped(ui, &format!("Retaining {} in {}", size(bytes), objects(count)), t.text);
        }
        labels_ui(ui, &step.subject);
    });
    if let Some(reference) = &step.reference {
        reference_ui(ui, context, (step, reference), position);
    }
    let bottom = ui.cursor().top();
    let before = if position.is_below_suspect { t.accent } else { t.edge };
    line(ui, left, top, middle - 6.0, before, position.is_below_suspect);
    if let Some(reference) = &step.reference {
        let after = if reference.is_suspect { t.accent } else { t.edge };
        line(ui, left, middle + 6.0, bottom, after, reference.is_suspect);
    }
}

/// Draws an object outside of a trace.
pub(super) fn subject_ui(ui: &mut Ui, context: &mut ViewContext<'_>, subject: &LeakSubject) {
    let t = tokens(ui);
    ui.spacing_mut().item_spacing.y = 0.0;
    let step = LeakStep { subject: subject.clone(), status: Status::Leaking, reference: None };
    object_ui(ui, context, &step, 1, color(Status::Leaking, t));
    words_ui(ui, |ui| {
        wrapped(ui, &subject.reason, t.muted);
        labels_ui(ui, subject);
    });
}

fn labels_ui(ui: &mut Ui, subject: &LeakSubject) {
    let t = tokens(ui);
    for label in subject.labels.iter().take(LABELS) {
        wrapped(ui, label, t.faint);
    }
    if subject.labels.len() > LABELS {
        wrapped(ui, &format!("and {} more", Count((subject.labels.len() - LABELS) as u64)), t.faint);
    }
}

/// Draws lines below an object, aligned with its text.
fn words_ui(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let area = ui.available_rect_before_wrap();
    let area = Rect::from_min_max(pos2(area.left() + WORDS, area.top()), area.max);
    let used = ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        add(ui);
    });
    if used.response.rect.height() > 1.0 {
        ui.add_space(3.0);
    }
}

fn wrapped(ui: &mut Ui, text: &str, color: Color32) {
    if text.is_empty() {
        return;
    }
    let short: String = one_line(text).chars().take(LETTERS).collect();
    let more = if text.chars().nth(LETTERS).is_some() { "…" } else { "" };
    ui.add(Label::new(RichText::new(short + more).font(fonts::small()).color(color)).wrap());
}

/// Draws the line of the object: a click selects it, a double click shows it in the dominator tree.
fn object_ui(ui: &mut Ui, context: &mut ViewContext<'_>, step: &LeakStep, nth: usize, ink: Color32) {
    let t = tokens(ui);
    let subject = &step.subject;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), OBJECT), Sense::click());
    let is_chosen = context.location.object == Some(subject.object);
    rail::highlight(ui, rect, rect.left() + WORDS, is_chosen, &response);
    dot(ui, rect, ink);
    let word = status(step.status);
    let chip = chip(ui, rect, word, ink);
    let id = context.dump.heap.id_text(subject.object);
    let class = one_line(&subject.class);
    let is_class = subject.is == SubjectKind::Class;
    let (of, label) = if is_class { ("java.lang.Class", Some(&*class)) } else { (&*class, None) };
    let name = ObjectName { class: of, label, id: &id };
    let area = Rect::from_min_max(pos2(rect.left() + WORDS, rect.top()), pos2(chip - 10.0, rect.bottom()));
    name.paint(ui, t, area);
    let spoken = format!("Trace {nth}: {} {}, {word}", name.plain(), subject.is.name());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, &spoken));
    object_menu::of(&response, subject.object);
    context.follow(&response, subject.object);
    response.on_hover_text(format!("{}\n{word}{}", name.plain(), because(step)));
}

fn because(step: &LeakStep) -> String {
    if step.subject.reason.is_empty() { String::new() } else { format!(": {}", one_line(&step.subject.reason)) }
}

/// Draws the status at the right end; returns its left edge.
fn chip(ui: &Ui, rect: Rect, word: &str, ink: Color32) -> f32 {
    let galley = elided(ui, word.to_owned(), fonts::small_medium(), ink, 120.0);
    let size = vec2(galley.size().x + 14.0, 19.0);
    let area = Rect::from_min_size(pos2(rect.right() - size.x, rect.center().y - size.y / 2.0), size);
    let fill = ink.gamma_multiply(0.10);
    ui.painter().rect(area, 9.5, fill, (1.0, ink.gamma_multiply(0.45)), egui::StrokeKind::Inside);
    ui.painter().galley(area.center() - galley.size() / 2.0, galley, ink);
    area.left()
}

/// Draws the reference to the next object; a suspicious one is underlined as in LeakCanary.
fn reference_ui(
    ui: &mut Ui,
    context: &mut ViewContext<'_>,
    (step, reference): (&LeakStep, &LeakReference),
    position: &StepPosition,
) {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), REFERENCE), Sense::click());
    let ink = if reference.is_suspect { t.accent } else { t.field };
    if response.hovered() {
        let back = Rect::from_min_max(pos2(rect.left() + WORDS - 6.0, rect.top()), rect.max);
        ui.painter().rect_filled(back, f32::from(sizes::CORNER), t.hover);
    }
    controls::focus_ring(ui, &response, rect);
    let y = rect.center().y;
    arrow(ui, pos2(rect.left() + WORDS + 4.0, y), ink);
    let mut left = rect.left() + WORDS + 18.0;
    let before = format!("{}{}", if reference.is_static() { "static " } else { "" }, one_line(&reference.prefix()));
    let name = one_line(&reference.name);
    let area = Rect::from_min_size(pos2(left, rect.top()), vec2((rect.right() - left) * 0.6, rect.height()));
    let prefix = line_ui(ui, area, &*before, fonts::mono(), t.muted).size();
    left += prefix.x;
    let area = Rect::from_min_size(pos2(left, rect.top()), vec2((rect.right() - left).max(20.0), rect.height()));
    let end = left + line_ui(ui, area, &*name, fonts::mono(), ink).size().x;
    if reference.is_suspect {
        wave(ui, left, end, y + prefix.y / 2.0 + 1.5, ink);
    }
    let suspect = if reference.is_suspect { ", a likely cause" } else { "" };
    let known = if reference.known.is_some() { ", known leak" } else { "" };
    let label = format!("Reference {}: {before}{name}{suspect}{known}", position.nth);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    if let Some(next) = position.next {
        let between = || Reference::between(&context.dump.heap, step.subject.object, next, Some(&reference.name));
        // A synthetic reference to a collection entry is not in the heap and cannot be cut.
        object_menu::of_reference(&response, next, reference.is_field().then(between).as_ref());
        context.follow(&response, next);
    }
    let about = if reference.is_suspect { "\nOne of the underlined references causes the leak" } else { "" };
    response.on_hover_text(format!("{before}{name}{about}"));
}

fn arrow(ui: &Ui, at: egui::Pos2, ink: Color32) {
    let stroke = Stroke::new(1.4, ink);
    ui.painter().line_segment([at - vec2(0.0, 5.0), at + vec2(0.0, 5.0)], stroke);
    let head = vec![at + vec2(-3.2, 1.8), at + vec2(0.0, 5.0), at + vec2(3.2, 1.8)];
    ui.painter().add(Shape::line(head, stroke));
}

/// Draws a wavy line, as in LeakCanary.
fn wave(ui: &Ui, left: f32, right: f32, y: f32, ink: Color32) {
    const STEP: f32 = 2.5;
    let last = ((right - left) / STEP).max(1.0) as usize;
    let at = |n: usize| pos2(left + n as f32 * STEP, y + if n.is_multiple_of(2) { -1.0 } else { 1.0 });
    ui.painter().add(Shape::line((0..=last).map(at).collect(), Stroke::new(1.2, ink)));
}

/// `1 object`, `3 objects`
pub(super) fn objects(count: u64) -> String {
    Count(count).of("object", "objects")
}
