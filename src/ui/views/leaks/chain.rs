//! Path of a finding from the GC root down: each step with the field that refers to it, references to cut underlined,
//! and the accumulated objects at its end.

use eframe::egui::{self, Label, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::ui::theme::{Icon, Tokens, fonts, icons, tokens};
use crate::ui::widgets::{ObjectName, controls, definition, line_at_right_ui, line_ui, object_menu, rail, units};
use crate::ui::{Command, Reference, Verb, ViewContext};
use heaplens_analysis::leaks::ReferenceToCut;
use heaplens_analysis::paths::text::dotted;
use heaplens_analysis::{LeakFinding, PathStep, ReferencePath};
use heaplens_base::Count;
use heaplens_heap::ObjectId;
use heaplens_session::{OpenDump, VerdictTargets};
use heaplens_tables::export::printable::one_line;

/// Height of a step, normal and compact, in points.
const STEP: f32 = 28.0;
const LOW_STEP: f32 = 22.0;
/// Horizontal offsets of the line through all steps and of their text, in points.
const RAIL: f32 = 8.0;
const WORDS: f32 = 24.0;
/// Maximum number of listed references besides those of the path.
const LISTED: usize = 8;

pub(super) fn ui(ui: &mut Ui, context: &mut ViewContext<'_>, finding: &LeakFinding, is_low: bool) {
    let high = if is_low { LOW_STEP } else { STEP };
    if let Some(path) = &finding.path {
        heading(ui, "Path to GC root");
        // No space between rows: they form one line from top to bottom.
        ui.spacing_mut().item_spacing.y = 0.0;
        root_ui(ui, path, high);
        let mut before: Option<&PathStep> = None;
        for (at, step) in path.steps.iter().enumerate() {
            if let Some(omission) = path.omission.filter(|omission| omission.after == at) {
                let label = format!("{} more steps", Count(omission.steps as u64));
                words_ui(ui, &format!("… {label}"), &label, high);
                before = None;
            }
            step_ui(ui, context, finding, (at, high), before, step);
            before = Some(step);
        }
        accumulated_ui(ui, context, finding, high);
        ui.spacing_mut().item_spacing.y = 6.0;
    }
    others_ui(ui, context, finding);
}

fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(6.0);
    controls::caption(ui, text);
}

fn is_cut(finding: &LeakFinding, from: ObjectId, to: ObjectId) -> bool {
    finding.cut.iter().any(|cut| cut.from == from && cut.to == to)
}

/// Text of a row.
fn text_place(rect: Rect) -> Rect {
    rect.with_min_x(rect.left() + WORDS)
}

fn root_ui(ui: &mut Ui, path: &ReferencePath, high: f32) {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), high), Sense::HOVER);
    rail::paint(ui, rect, rect.left() + RAIL, (true, false), (true, t.root));
    let text = format!("GC root: {}", path.root_kind.name());
    line_ui(ui, text_place(rect), &*text, fonts::medium(), t.root);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Path starts at {text}")));
    definition::tooltip_at_pointer(response, path.root_kind.name(), "");
}

fn words_ui(ui: &mut Ui, text: &str, label: &str, high: f32) {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), high), Sense::HOVER);
    ui.painter().vline(rect.left() + RAIL, rect.y_range(), (1.5, t.edge));
    line_ui(ui, text_place(rect), text, fonts::small(), t.faint);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, label));
}

/// Draws one step: a click selects the object, a double click shows it in the dominator tree.
fn step_ui(
    ui: &mut Ui,
    context: &mut ViewContext<'_>,
    finding: &LeakFinding,
    (at, high): (usize, f32),
    before: Option<&PathStep>,
    step: &PathStep,
) {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), high), Sense::click());
    let is_chosen = context.location.object == Some(step.object);
    rail::highlight(ui, rect, rect.left() + WORDS, is_chosen, &response);
    let is_point = finding.point.as_ref().is_some_and(|point| point.object == step.object);
    let is_last = finding.accumulated.is_none() && finding.path.as_ref().is_some_and(|p| at + 1 == p.steps.len());
    let dot = (step.dominates, if step.dominates { t.accent } else { t.faint });
    rail::paint(ui, rect, rect.left() + RAIL, (false, is_last), dot);

    let size = units::written(ui.ctx(), step.retained);
    let size = line_at_right_ui(ui, rect.with_min_x(rect.right() - 90.0), size, fonts::small(), t.muted).size();
    let mut right = rect.right() - size.x.max(56.0) - 12.0;
    if is_point && rect.width() > 420.0 {
        right = here(ui, t, pos2(right, rect.center().y)) - 10.0;
    }
    let mut left = rect.left() + WORDS;
    let cuts = before.is_some_and(|from| is_cut(finding, from.object, step.object));
    if let Some(reference) = step.reference.as_deref() {
        let color = if cuts { t.accent } else { t.field };
        let width = ((right - left) * 0.55).max(40.0);
        let area = Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
        let size = line_ui(ui, area, dotted(reference), fonts::mono(), color).size();
        if cuts {
            let y = rect.center().y + size.y / 2.0 + 1.0;
            ui.painter().hline(left..=left + size.x, y, (2.0, t.accent));
        }
        left += size.x + 10.0;
    }
    let name = ObjectName { class: &step.class, label: step.label.as_deref(), id: &step.id };
    name.paint(ui, t, Rect::from_min_max(pos2(left, rect.top()), pos2(right.max(left), rect.bottom())));

    let reference = step.reference.as_deref().map(|name| format!("{name} → ")).unwrap_or_default();
    let to_cut = if cuts { ", the reference to cut" } else { "" };
    let here = if is_point { ", accumulation point" } else { "" };
    let label = format!("Path {}: {reference}{}{to_cut}{here}", at + 1, name.plain());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, &label));
    let note = if cuts { "\nReference to cut: press X to see the heap without it" } else { "" };
    let about = format!("{reference}{}\nRetained size {} bytes{note}", name.plain(), step.retained.exact());
    let heap = &context.dump.heap;
    let leads_here = |from: &PathStep| Reference::between(heap, from.object, step.object, step.reference.as_deref());
    let verdict = || about_step(context.dump, before, step);
    object_menu::of_step(&response, step.object, before.map(leads_here).as_ref(), verdict);
    context.follow(&response, step.object);
    response.on_hover_text(about);
}

/// Targets of a verdict on a step: the object, its class, and the field that holds it.
fn about_step(dump: &OpenDump, before: Option<&PathStep>, step: &PathStep) -> VerdictTargets {
    let heap = &dump.heap;
    let about = VerdictTargets::object(heap, step.object, dump.analysis.is_reachable(step.object));
    match before.zip(step.reference.as_deref()) {
        Some((from, field)) if !field.starts_with(['[', '<']) => {
            let class = heap.classes.of_object(from.object).unwrap_or_else(|| heap.class_id(from.object));
            about.with("Field that holds it", &format!("{}.{field}", heap.classes.get(class).name))
        }
        _ => about,
    }
}

/// Draws the mark of the accumulation point; returns its left edge.
fn here(ui: &Ui, t: &Tokens, end: egui::Pos2) -> f32 {
    let area = Rect::from_min_max(pos2(end.x - 120.0, end.y), end);
    let left = end.x - line_at_right_ui(ui, area, "accumulation point", fonts::small(), t.grew).size().x;
    let icon = Rect::from_center_size(pos2(left - 10.0, end.y), vec2(12.0, 12.0));
    icons::paint(ui.painter(), Icon::Drop, icon, 10.0, t.grew);
    left - 18.0
}

/// Draws the class that accumulates below the end of the path; a click shows its next object.
fn accumulated_ui(ui: &mut Ui, context: &mut ViewContext<'_>, finding: &LeakFinding, high: f32) {
    let Some(accumulated) = &finding.accumulated else { return };
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), high), Sense::click());
    rail::highlight(ui, rect, rect.left() + WORDS, false, &response);
    rail::paint(ui, rect, rect.left() + RAIL, (false, true), (false, t.grew));
    let area = Rect::from_min_size(pos2(rect.left() + WORDS, rect.top()), vec2(120.0, rect.height()));
    let count = line_ui(ui, area, format!("{} ×", Count(accumulated.objects)), fonts::medium(), t.grew);
    let after = area.left() + count.size().x + 6.0;
    let of_all = if accumulated.of_all > accumulated.objects {
        format!("of {} of this class", Count(accumulated.of_all))
    } else {
        "all of this class".to_owned()
    };
    let of = line_at_right_ui(ui, rect.with_min_x(rect.right() - 150.0), &*of_all, fonts::small(), t.muted);
    let right = rect.right() - of.size().x;
    let name = ObjectName { class: &accumulated.class, label: None, id: "" };
    name.paint(ui, t, Rect::from_min_max(pos2(after, rect.top()), pos2((right - 10.0).max(after), rect.bottom())));
    let label = format!("{} {} accumulate, {of_all}: show next", Count(accumulated.objects), accumulated.class);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    if response.on_hover_text("Step through these objects: ] next, [ previous").clicked() {
        context.push(Command::from(Verb::NextOfClass));
    }
}

/// Draws the references to cut that are not on the path.
fn others_ui(ui: &mut Ui, context: &mut ViewContext<'_>, finding: &LeakFinding) {
    let steps = finding.path.as_ref().map_or(&[][..], |path| &path.steps);
    let is_on_path =
        |cut: &ReferenceToCut| steps.windows(2).any(|two| (two[0].object, two[1].object) == (cut.from, cut.to));
    let others: Vec<_> = finding.cut.iter().filter(|cut| !is_on_path(cut)).collect();
    if others.is_empty() {
        return;
    }
    let t = tokens(ui);
    let is_all = others.len() == finding.cut.len();
    heading(ui, if is_all { "References to cut" } else { "Additional references to cut" });
    for (at, cut) in others.iter().take(LISTED).enumerate() {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::click());
        let name = one_line(&cut.name);
        let times = if cut.times > 1 { format!(" ×{}", Count(cut.times)) } else { String::new() };
        let size = line_ui(ui, rect, name.clone() + &times, fonts::mono(), t.accent).size();
        if response.hovered() {
            let y = rect.center().y + size.y / 2.0 + 1.0;
            ui.painter().hline(rect.left()..=rect.left() + size.x, y, (1.0, t.accent));
        }
        controls::focus_ring(ui, &response, rect);
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Link, true, format!("Reference to cut {}: {name}{times}", at + 1))
        });
        let is_one = cut.from != cut.to;
        let reference = || Reference::between(&context.dump.heap, cut.from, cut.to, Some(&cut.reference));
        object_menu::of_reference(&response, cut.to, is_one.then(reference).as_ref());
        context.follow(&response, cut.to);
    }
    if others.len() > LISTED {
        let more = format!("and {} more", Count((others.len() - LISTED) as u64));
        ui.add(Label::new(RichText::new(more).font(fonts::small()).color(t.faint)));
    }
}
