//! Parse warnings, and the origin of the dump.

use eframe::egui::{self, Rect, RichText, ScrollArea, Ui};

use crate::ui::ViewContext;
use crate::ui::theme::{Icon, fonts, sizes, tokens};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::{controls, waiting};
use heaplens_base::Count;
use heaplens_heap::Severity;

/// The view.
pub struct ParseWarnings;

impl ViewPage for ParseWarnings {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let heap = &context.dump.heap;
        let t = tokens(ui);
        if heap.notes.is_empty() && context.dump.open_warnings.is_empty() {
            let area = ui.available_rect_before_wrap();
            let hint = "All records of the file were parsed without problems";
            waiting::empty_ui(ui, area, Icon::Check, "No parse warnings", hint);
        }
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            egui::Frame::NONE.inner_margin(sizes::PAD * 1.5).show(ui, |ui| {
                let origin = &heap.origin;
                let facts = [
                    ("Written by", origin.producer.clone()),
                    ("Format", origin.format.title().to_owned()),
                    ("File size", format!("{} ({})", origin.file_size, origin.file_size.exact())),
                    ("Object size model", origin.size_model.name().to_owned()),
                    ("Opened from", context.dump.opened_from.to_owned()),
                ];
                egui::Grid::new("origin").spacing([24.0, 6.0]).show(ui, |ui| {
                    for (what, value) in facts {
                        ui.label(RichText::new(what).color(t.muted));
                        ui.label(value);
                        ui.end_row();
                    }
                });
                ui.add_space(12.0);
                for note in heap.notes.iter().chain(&*context.dump.open_warnings) {
                    note_ui(ui, note);
                }
            });
        });
    }
}

/// Definition of a severity for its tooltip.
const fn meaning(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "Information only: unusual but complete, no data is missing",
        Severity::DataLost => "Part of the file could not be read: objects, values or references may be missing",
        Severity::Error => "Invalid data: the rest of the record or section could not be read, or only partly",
    }
}

fn note_ui(ui: &mut Ui, note: &heaplens_heap::ImportNote) {
    let t = tokens(ui);
    let color = match note.severity {
        Severity::Info => t.accent,
        Severity::DataLost => t.warn,
        Severity::Error => t.error,
    };
    let frame = egui::Frame::NONE.fill(t.panel).corner_radius(8.0).inner_margin(12.0);
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            controls::pill(ui, note.severity.name(), color, meaning(note.severity));
            let times = (note.count > 1).then(|| format!("{} times", Count(note.count)));
            let first = if note.count > 1 { "first at" } else { "at" };
            let first_at = note.first_offset.map(|offset| format!("{first} offset {}", Count(offset)));
            let more = [times, first_at].into_iter().flatten().collect::<Vec<_>>().join(", ");
            ui.label(RichText::new(more).font(fonts::small()).color(t.faint));
        });
        ui.add(egui::Label::new(sentence(&note.message)).wrap());
    });
    let edge = Rect::from_min_size(shown.response.rect.min, egui::vec2(3.0, shown.response.rect.height()));
    ui.painter().rect_filled(edge, 1.5, color);
    ui.add_space(8.0);
}

/// The text with a capital first letter.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}
