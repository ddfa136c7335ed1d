//! Terms and their definitions, by topic.

use eframe::egui;
use egui::{RichText, ScrollArea, Ui};

use super::search::{matches, nothing_ui};
use crate::glossary::{Term, terms};
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::{controls, marked_text};

fn is_found(term: &Term, search: &str) -> bool {
    matches(search, &format!("{} {} {}", term.name, term.definition, term.also.join(" ")))
}

/// Number of terms that match.
pub(super) fn count(search: &str) -> usize {
    terms().iter().filter(|term| is_found(term, search)).count()
}

/// Draws the terms that match: first those with a matching name, then those with a matching definition.
pub(super) fn ui(ui: &mut Ui, search: &str) {
    let mut terms_found: Vec<&Term> = terms().iter().filter(|term| is_found(term, search)).collect();
    if terms_found.is_empty() {
        return nothing_ui(ui, search);
    }
    let is_searched = !search.trim().is_empty();
    if is_searched {
        let is_named = |term: &Term| matches(search, &format!("{} {}", term.name, term.also.join(" ")));
        terms_found.sort_by_key(|term| !is_named(term));
    }
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        let mut topic = "";
        for term in terms_found {
            if !is_searched && term.topic != topic {
                topic = term.topic;
                ui.add_space(10.0);
                controls::caption(ui, topic);
            }
            term_ui(ui, term);
        }
    });
}

fn term_ui(ui: &mut Ui, term: &Term) {
    let t = tokens(ui);
    ui.add_space(6.0);
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.label(RichText::new(term.name).font(fonts::medium()));
    ui.add(egui::Label::new(marked_text::layout(&term.definition, &fonts::text(), t.text)).wrap());
    if !term.also.is_empty() {
        let also = format!("Also called: {}", term.also.join(", "));
        ui.add(egui::Label::new(RichText::new(also).font(fonts::small()).color(t.muted)).wrap());
    }
}
