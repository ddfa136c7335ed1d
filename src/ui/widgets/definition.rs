//! Tooltips that define the terms in the title they belong to, with the words of the glossary.

use eframe::egui;
use egui::{Response, RichText, Ui};

use super::marked_text;
use crate::glossary::{Term, find, terms_in};
use crate::ui::theme::{fonts, tokens};

/// Width of a tooltip, in points.
const WIDTH: f32 = 340.0;
/// Terms defined at most: a tooltip is read in a moment.
const TERMS: usize = 2;

/// Shows `about` while the pointer is on `response`, and below it the definitions of the terms in `title`. `about` may be
/// empty if the title is a term: then its definition says everything.
pub fn tooltip(response: Response, title: &str, about: &str) -> Response {
    response.on_hover_ui(|ui| tooltip_ui(ui, title, about))
}

/// The same, next to the pointer: for places much wider than the tooltip.
pub fn tooltip_at_pointer(response: Response, title: &str, about: &str) -> Response {
    response.on_hover_ui_at_pointer(|ui| tooltip_ui(ui, title, about))
}

/// Definition of a term in one sentence, its name first: for the tooltip of a row. Empty if the glossary has no such term.
pub fn sentence(name: &str) -> String {
    find(name).map(|term| format!("{}: {}", term.name, short(term))).unwrap_or_default()
}

/// The first sentence of the definition as plain text.
fn short(term: &Term) -> String {
    marked_text::plain(term.first_sentence())
}

fn tooltip_ui(ui: &mut Ui, title: &str, about: &str) {
    ui.set_max_width(WIDTH);
    ui.spacing_mut().item_spacing.y = 2.0;
    let terms = terms_in(title);
    debug_assert!(!about.is_empty() || !terms.is_empty(), "no definition of “{title}”");
    if !about.is_empty() {
        ui.label(about);
    }
    for term in terms.into_iter().take(TERMS) {
        if !about.is_empty() {
            ui.add_space(6.0);
        }
        term_ui(ui, term);
    }
}

/// A term and the first sentence of its definition.
fn term_ui(ui: &mut Ui, term: &Term) {
    let t = tokens(ui);
    ui.label(RichText::new(term.name).font(fonts::small_medium()).color(t.accent));
    ui.label(marked_text::layout(term.first_sentence(), &fonts::small(), t.muted));
}
