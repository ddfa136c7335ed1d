//! Help window: the keys of the view, all commands with their keys, the glossary, and the manual, which is part of the
//! program. One field searches all of them.

mod commands;
mod glossary;
mod keys;
mod manual;
mod pages;
mod search;

use eframe::egui;
use egui::{Context, Id, Modal, RichText, TextEdit, Ui, UiBuilder};

use self::keys::KeySheet;
use self::manual::Manual;
use crate::ui::View;
use crate::ui::theme::{Icon, fonts, sizes, tokens};
use crate::ui::widgets::controls;
use crate::ui::widgets::tabs::{Tab, tabs_ui};

/// Free space around the window, in points.
const FREE: egui::Vec2 = egui::vec2(60.0, 150.0);

/// A section of the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Keys of the current view, and those that work everywhere.
    Keys,
    /// Commands, their keys and what they do.
    Commands,
    /// Terms and their definitions.
    Glossary,
    /// The pages of the manual.
    Manual,
}

/// All sections with their names.
const SECTIONS: [(Section, &str); 4] = [
    (Section::Keys, "Keys"),
    (Section::Commands, "Commands"),
    (Section::Glossary, "Glossary"),
    (Section::Manual, "Manual"),
];

/// The help window.
#[derive(Default)]
pub struct Help {
    shown: Option<Section>,
    search: String,
    /// Focus the search field in the next frame.
    focus: bool,
    manual: Manual,
    keys: KeySheet,
}

impl Help {
    /// True while it is on screen.
    pub fn is_open(&self) -> bool {
        self.shown.is_some()
    }

    /// Shows a section with an empty search.
    pub fn open(&mut self, section: Section) {
        self.shown = Some(section);
        self.search.clear();
        self.focus = true;
    }

    /// Shows the keys of a view, with those of `views`, which the dump has.
    pub fn open_keys(&mut self, view: Option<View>, views: Vec<View>) {
        self.keys = KeySheet { view, views };
        self.open(Section::Keys);
    }

    /// Shows the page of the manual about a view, or its table of contents.
    pub fn open_manual(&mut self, view: Option<View>) {
        self.manual.show(view.map_or(pages::CONTENTS, pages::of_view));
        self.open(Section::Manual);
    }

    /// Draws the window.
    pub fn ui(&mut self, ctx: &Context) {
        let Some(section) = self.shown else { return };
        let area = ctx.content_rect().size();
        let modal = Modal::new(Id::unique("help")).show(ctx, |ui| {
            ui.set_width(sizes::HELP.min(area.x - FREE.x));
            self.header_ui(ui, section);
            ui.add_space(6.0);
            // The height of the window does not depend on the search results.
            let height = (area.y - FREE.y).max(160.0);
            let (rect, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), height), egui::Sense::HOVER);
            ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| match section {
                Section::Keys => {
                    if keys::ui(ui, &self.keys, &self.search) {
                        self.shown = Some(Section::Commands);
                    }
                }
                Section::Commands => commands::ui(ui, &self.search),
                Section::Glossary => glossary::ui(ui, &self.search),
                Section::Manual => self.manual.ui(ui, &self.search),
            });
        });
        if modal.should_close() {
            self.shown = None;
        }
    }

    /// Number of matches in each section; `None` without a search.
    fn counts(&self, ctx: &Context) -> Option<[usize; SECTIONS.len()]> {
        let search = &self.search;
        (!search.trim().is_empty()).then(|| {
            let keys = keys::count(ctx, &self.keys, search);
            [keys, commands::count(search), glossary::count(search), manual::count(search)]
        })
    }

    fn header_ui(&mut self, ui: &mut Ui, section: Section) {
        let counts = self.counts(ui.ctx());
        ui.horizontal(|ui| {
            let count = |at: usize| counts.map(|counts| counts[at].to_string());
            let tab = |(at, &(_, name))| Tab { name, count: count(at) };
            let tabs: Vec<Tab> = SECTIONS.iter().enumerate().map(tab).collect();
            let now = SECTIONS.iter().position(|&(of, _)| of == section);
            if let Some(at) = tabs_ui(ui, &tabs, now, 420.0) {
                self.shown = Some(SECTIONS[at].0);
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if controls::icon_button(ui, Icon::Cross, "Close help", true).clicked() {
                    ui.close();
                }
                ui.add_space(4.0);
                self.search_ui(ui);
            });
        });
    }

    fn search_ui(&mut self, ui: &mut Ui) {
        let t = tokens(ui);
        let id = Id::unique("search the help");
        let hint = RichText::new("Search keys, commands, terms and manual").color(t.faint).font(fonts::text());
        let width = ui.available_width().clamp(80.0, 320.0);
        let edit = TextEdit::singleline(&mut self.search).id(id).hint_text(hint).desired_width(width);
        let response = ui.add(edit.margin(egui::Margin::symmetric(8, 5)));
        ui.ctx().accesskit_node_builder(id, |node| node.set_label("Search the help"));
        // A word that is on another page only leads there.
        if response.changed()
            && let Some(counts) = self.counts(ui.ctx())
        {
            self.shown = self.shown.map(|shown| section_with_matches(shown, counts));
        }
        if std::mem::take(&mut self.focus) {
            response.request_focus();
        }
    }
}

/// The section shown, or the first with matches if it has none.
fn section_with_matches(shown: Section, counts: [usize; SECTIONS.len()]) -> Section {
    let mut with_matches =
        SECTIONS.iter().zip(counts).filter(|&(_, count)| count > 0).map(|(&(section, _), _)| section);
    let mut others = with_matches.clone();
    if with_matches.any(|section| section == shown) { shown } else { others.next().unwrap_or(shown) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_shows_a_section_with_matches() {
        assert_eq!(section_with_matches(Section::Keys, [0, 0, 3, 5]), Section::Glossary);
        assert_eq!(section_with_matches(Section::Manual, [1, 0, 3, 5]), Section::Manual);
        assert_eq!(section_with_matches(Section::Keys, [0; 4]), Section::Keys);
    }

    #[test]
    fn the_search_reaches_all_sections() {
        assert!(commands::count("dominator tree") > 0);
        assert!(glossary::count("retained heap") > 0);
        assert!(manual::count("merged paths") > 0);
    }
}
