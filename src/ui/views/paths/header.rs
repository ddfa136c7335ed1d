//! Header of the pane: number of the path, reference strengths, and ignored references.

use eframe::egui::{self, RichText, Ui, vec2};

use super::Paths;
use super::draw::of_text;
use crate::ui::theme::{Icon, fonts, icons, sizes, tokens};
use crate::ui::views::{group, strengths};
use crate::ui::widgets::{controls, table, toolbar};
use crate::ui::{Command, Pane, Verb, ViewContext};
use heaplens_analysis::paths::ignored::IgnoredReference;
use heaplens_base::Count;
use heaplens_heap::{Heap, Strength, split_class};

/// Minimum room for the number of references, in points.
const ROOM: f32 = 72.0;
/// Width of a narrow pane, in points.
const NARROW: f32 = 200.0;
/// Height of a chip, in points.
const CHIP: f32 = 24.0;

impl Paths {
    pub(super) fn header_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let length = self.path().map(|path| path.steps.as_slice().len());
        toolbar::tools(ui, |ui| {
            let t = tokens(ui);
            // In the narrowest pane the heading would touch the buttons.
            let font = if ui.available_width() < NARROW { fonts::medium() } else { fonts::heading() };
            let title = if group::count(context).is_some() { "Merged path" } else { "Path to GC root" };
            ui.label(RichText::new(title).font(font).color(t.text));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                if controls::icon_button(ui, Icon::Cross, "Hide the path (F2)", true).clicked() {
                    context.push(Command::Toggle(Pane::Path));
                }
                if controls::icon_button(ui, Icon::Copy, "Copy path", length.is_some()).clicked() {
                    context.push(Command::from(Verb::CopyPath));
                }
                // The same number as the object's distance, which does not count the object itself.
                let references = length.map(|objects| Count(objects as u64 - 1).of("reference", "references"));
                // The first letters alone would say nothing.
                if ui.available_width() >= ROOM {
                    let words = RichText::new(references.unwrap_or_default()).font(fonts::small()).color(t.faint);
                    let label = egui::Label::new(words).truncate();
                    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| ui.add(label));
                }
            });
        });
        let width = ui.available_width();
        let (rect, _) = ui.allocate_exact_size(vec2(width, 32.0), egui::Sense::HOVER);
        let inner = rect.shrink2(vec2(sizes::PAD, 0.0)) - egui::Margin { left: 0, right: 0, top: 0, bottom: 6 };
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.scope_builder(egui::UiBuilder::new().max_rect(inner).layout(layout), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            self.strength_ui(ui);
            self.which_ui(ui, context, length.unwrap_or(0));
        });
        self.ignored_ui(ui, &context.dump.heap);
        self.weaker_ui(ui);
        let line = ui.cursor().min;
        ui.painter().hline(line.x..=(line.x + width), line.y - 0.5, (1.0, tokens(ui).border));
    }

    fn strength_ui(&mut self, ui: &mut Ui) {
        let now = strengths::name(self.weakest);
        let width = (ui.available_width() - 160.0).clamp(40.0, 150.0);
        let combo = egui::ComboBox::from_id_salt("strength of paths").width(width).truncate();
        let combo = combo.selected_text(RichText::new(now).font(fonts::small()));
        let shown = strengths::choice_ui(ui, combo, &mut self.weakest);
        shown.on_hover_text("Reference strengths a path may contain");
    }

    /// Draws `1 of 3` with buttons for the next and the previous path.
    fn which_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, length: usize) {
        let last = length.saturating_sub(1);
        let choices = if last == 0 { 0 } else { self.details.choices(last).unwrap_or(0) };
        let (at, of) = Self::which(&self.taken, 1, choices);
        if of < 2 {
            return;
        }
        let t = tokens(ui);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let known = at > 1 || self.taken.iter().any(|taken| taken.from_end == 1 && taken.ended);
            let small = |ui: &mut Ui, icon, name: &str, enabled| {
                ui.scope(|ui| controls::icon_button(ui, icon, name, enabled)).inner.clicked()
            };
            if small(ui, Icon::Closed, "Next path", true) {
                self.turn(context, last, true);
            }
            if small(ui, Icon::Back, "Previous path", known) {
                self.turn(context, last, false);
            }
            let text = RichText::new(of_text(at, of)).font(fonts::small()).color(t.muted);
            ui.add(egui::Label::new(text).truncate()).on_hover_text("Referrers of this object, shortest path first");
        });
    }

    /// Draws a chip for each ignored reference.
    fn ignored_ui(&mut self, ui: &mut Ui, heap: &Heap) {
        let t = tokens(ui);
        let mut removed = None;
        for (number, ignored) in self.ignored.iter().enumerate() {
            let width = ui.available_width();
            let (rect, _) = ui.allocate_exact_size(vec2(width, CHIP + 4.0), egui::Sense::HOVER);
            let chip =
                egui::Rect::from_min_size(rect.min + vec2(sizes::PAD, 0.0), vec2(width - 2.0 * sizes::PAD, CHIP));
            ui.painter().rect(chip, CHIP / 2.0, t.raised, (1.0, t.border), egui::StrokeKind::Inside);
            let text = reference_text(heap, ignored);
            let area = egui::Rect::from_min_size(chip.min + vec2(10.0, 0.0), chip.size() - vec2(38.0, 0.0));
            table::line_ui(ui, area, format!("ignoring {text}"), fonts::small(), t.muted);
            let cross = egui::Rect::from_center_size(chip.right_center() - vec2(14.0, 0.0), vec2(CHIP, CHIP));
            let response = ui.interact(cross, egui::Id::unique(("ignored reference", number)), egui::Sense::CLICK);
            let hot = response.hovered() || response.has_focus();
            icons::paint(ui.painter(), Icon::Cross, cross, 9.0, if hot { t.text } else { t.faint });
            let name = format!("Stop ignoring {text}");
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
            if response.on_hover_text(&name).clicked() {
                removed = Some(number);
            }
        }
        if let Some(number) = removed {
            self.ignored.remove(number);
        }
    }

    /// Draws a warning if the path contains a weaker reference than selected.
    fn weaker_ui(&self, ui: &mut Ui) {
        let Some((answer, path)) = self.answer.as_ref().zip(self.path()) else { return };
        if path.strength <= answer.options.min_strength {
            return;
        }
        let t = tokens(ui);
        let text = match (answer.options.min_strength, path.strength) {
            (Strength::Strong, weaker) => {
                format!("Not strongly reachable: the path contains a {} reference", weaker.name())
            }
            (_, weaker) => format!("Only reachable through a {} reference", weaker.name()),
        };
        ui.horizontal(|ui| {
            ui.add_space(sizes::PAD);
            ui.add(egui::Label::new(RichText::new(text).font(fonts::small()).color(t.warn)).wrap());
        });
        ui.add_space(6.0);
    }
}

fn reference_text(heap: &Heap, ignored: &IgnoredReference) -> String {
    let short = |object| {
        let class = match heap.classes.of_object(object) {
            Some(class) => heap.classes.get(class),
            None => heap.class(object),
        };
        split_class(&class.name).1
    };
    match ignored {
        IgnoredReference::Between(from, to) => format!("{} → {} {}", short(*from), short(*to), heap.id_text(*to)),
        IgnoredReference::Member(object, name) => format!("{}.{name} {}", short(*object), heap.id_text(*object)),
        IgnoredReference::ClassField(class, name) => format!("{}.{name} (all)", split_class(class).1),
    }
}
