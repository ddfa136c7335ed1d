//! Section with the manual: the list of pages and the current page.

use eframe::egui;
use egui::{Id, RichText, ScrollArea, Sense, Ui, UiBuilder, vec2};
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};

use super::pages::{self, CONTENTS, Page, SCHEME};
use super::search::{contains, matches, nothing_ui};
use crate::ui::key_names::in_text;
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::controls;
use crate::ui::widgets::table::line_ui;

/// Width of the list of pages, gap beside it, and height of its rows, in points.
const LIST: f32 = 210.0;
const GAP: f32 = 24.0;
const ROW: f32 = 26.0;
/// Pages that name keys of the terminal, which are the same on all systems.
const TERMINAL: [&str; 2] = ["commands/take", "commands/watch"];

/// Current page and state of the viewer.
pub(super) struct Manual {
    path: &'static str,
    cache: CommonMarkCache,
    /// Scroll to the top in the next frame.
    to_top: bool,
}

impl Default for Manual {
    fn default() -> Self {
        Self { path: CONTENTS, cache: with_links(), to_top: false }
    }
}

/// A cache that reports clicks on links to pages instead of opening them in a browser.
fn with_links() -> CommonMarkCache {
    let mut cache = CommonMarkCache::default();
    for page in pages::all() {
        cache.add_link_hook(format!("{SCHEME}{}", page.path));
    }
    cache
}

impl Manual {
    /// Shows a page from its top.
    pub(super) fn show(&mut self, path: &'static str) {
        self.path = path;
        self.to_top = true;
        self.cache = with_links();
    }

    /// Draws the list of matching pages and the current page.
    pub(super) fn ui(&mut self, ui: &mut Ui, search: &str) {
        let pages = matching_pages(search);
        if pages.is_empty() {
            return nothing_ui(ui, search);
        }
        // A search shows its best page, unless the current page matches, too.
        if !pages.iter().any(|page| page.path == self.path) {
            self.show(pages[0].path);
        }
        let area = ui.available_rect_before_wrap();
        let (list, page) = area.split_left_right_at_x(area.left() + LIST);
        let is_searched = !search.trim().is_empty();
        ui.scope_builder(UiBuilder::new().max_rect(list), |ui| self.list_ui(ui, &pages, is_searched));
        ui.painter().vline(page.left() + GAP / 2.0, page.y_range(), (1.0, tokens(ui).border));
        let page = page.with_min_x(page.left() + GAP);
        ui.scope_builder(UiBuilder::new().max_rect(page), |ui| self.page_ui(ui));
        let followed = pages::all()
            .iter()
            .find(|page| self.cache.get_link_hook(&format!("{SCHEME}{}", page.path)).unwrap_or_default());
        if let Some(page) = followed {
            self.show(page.path);
        }
    }

    fn list_ui(&mut self, ui: &mut Ui, pages: &[&'static Page], is_searched: bool) {
        let area = ScrollArea::vertical().id_salt("pages of the manual").auto_shrink([false, false]);
        area.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let mut folder = "";
            for page in pages {
                let of = page.path.split_once('/').map_or("", |(folder, _)| folder);
                if !is_searched && of != folder {
                    ui.add_space(8.0);
                    controls::caption(ui, folder_name(of));
                }
                folder = of;
                if page_row_ui(ui, page.title, page.path == self.path) {
                    self.show(page.path);
                }
            }
        });
    }

    fn page_ui(&mut self, ui: &mut Ui) {
        let mut area = ScrollArea::vertical().id_salt(Id::unique(("page", self.path))).auto_shrink([false, false]);
        if std::mem::take(&mut self.to_top) {
            area = area.vertical_scroll_offset(0.0);
        }
        area.show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Wrap);
            let text = &pages::find(self.path).text;
            let keys_of_system = if TERMINAL.contains(&self.path) { text.into() } else { in_text(ui.ctx(), text) };
            CommonMarkViewer::new().show(ui, &mut self.cache, &keys_of_system);
        });
    }
}

/// Number of pages that match.
pub(super) fn count(search: &str) -> usize {
    matching_pages(search).len()
}

/// Pages that match; those with a matching title first.
fn matching_pages(search: &str) -> Vec<&'static Page> {
    let mut matching_pages: Vec<&Page> = pages::all().iter().filter(|page| contains(search, &page.searched)).collect();
    if !search.trim().is_empty() {
        matching_pages.sort_by_cached_key(|page| !matches(search, page.title));
    }
    matching_pages
}

fn folder_name(folder: &str) -> &'static str {
    match folder {
        "cases" => "Case studies",
        "views" => "Views",
        "commands" => "Command line",
        _ => "Rules and formats",
    }
}

/// A row of the list; true if it was clicked.
fn page_row_ui(ui: &mut Ui, title: &str, is_shown: bool) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_shown, title));
    controls::row_background(ui, rect, is_shown, response.hovered());
    controls::focus_ring(ui, &response, rect);
    let font = if is_shown { fonts::medium() } else { fonts::text() };
    line_ui(ui, rect.shrink2(vec2(8.0, 0.0)), title, font, tokens(ui).text);
    response.on_hover_text(RichText::new(title)).clicked()
}
