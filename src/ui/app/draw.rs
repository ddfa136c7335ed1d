//! How the window is laid out: menus and tabs above, status below, the view in
//! the middle with the path at its left and the inspector at its right.

use eframe::egui;
use egui::{CentralPanel, Frame, Margin, Panel, Rect, Ui, vec2};

use super::App;
use crate::ui::command::{Command, Verb};
use crate::ui::place::Place;
use crate::ui::shell::palette::providers::Around;
use crate::ui::shell::{help, menu, status, tabs};
use crate::ui::tab::Asked;
use crate::ui::theme::{sizes, tokens};

/// Room that panes leave to the table between them.
const TABLE: f32 = 470.0;
/// Places before this one that the palette looks at.
const SEEN: usize = 60;

impl App {
    pub(super) fn draw(&mut self, ui: &mut Ui, asked: Asked, commands: &mut Vec<Command>) {
        let t = tokens(ui);
        let place = self.history.now();
        let bar = |fill| Frame::NONE.fill(fill).inner_margin(Margin::symmetric(sizes::PAD as i8, 4));
        Panel::top("menus").frame(bar(t.surface)).show_separator_line(false).show(ui, |ui| {
            menu::bar_ui(ui, &|verb| self.usable(verb), &|verb| self.is_set(verb), commands);
        });
        if !self.tabs.is_empty() {
            let frame = Frame::NONE.fill(t.surface).inner_margin(Margin { left: 8, right: 8, top: 0, bottom: 0 });
            Panel::top("tabs").frame(frame).show_separator_line(false).show(ui, |ui| {
                tabs::ui(ui, &self.tabs, place.map(|p| p.dump), commands);
            });
        }
        Panel::bottom("status").exact_size(28.0).frame(bar(t.panel)).show(ui, |ui| {
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                status::ui(ui, place.and_then(|p| self.tab(p.dump)), place);
            });
        });
        match place {
            Some(place) if !self.opening_page && self.tab(place.dump).is_some_and(|t| t.answers().is_some()) => {
                self.views_bar_ui(ui, place, commands);
                self.open_ui(ui, place, asked, commands);
            }
            Some(place) if self.tab(place.dump).is_some() => {
                if let Some(tab) = self.tab_mut(place.dump) {
                    tab.opening_ui(ui, commands);
                }
            }
            _ => {
                let dropping = ui.input(|i| !i.raw.hovered_files.is_empty());
                CentralPanel::default().frame(Frame::NONE.fill(t.surface)).show(ui, |ui| {
                    self.welcome.ui(ui, &self.saved.recent, dropping, commands);
                });
            }
        }
        self.over_ui(ui, place, commands);
    }

    fn views_bar_ui(&mut self, ui: &mut Ui, place: Place, commands: &mut Vec<Command>) {
        let t = tokens(ui);
        let notes = self.tab(place.dump).and_then(|t| t.answers()).map_or(0, |a| a.heap.notes.len() + a.remarks.len());
        let frame = Frame::NONE.fill(t.panel).inner_margin(Margin::symmetric(8, 1));
        Panel::top("views").frame(frame).show(ui, |ui| {
            ui.horizontal(|ui| menu::views_ui(ui, place.view, notes, &|verb| self.usable(verb), commands));
        });
    }

    /// The view and the panes beside it.
    fn open_ui(&mut self, ui: &mut Ui, place: Place, asked: Asked, commands: &mut Vec<Command>) {
        let t = tokens(ui);
        let width = ui.available_width();
        let about_objects = place.view.is_about_objects();
        let (left, right) = (self.saved.path_pane && about_objects, self.saved.inspector_pane && about_objects);
        let jobs = self.jobs.clone();
        let Some(tab) = self.tab_mut(place.dump) else { return };
        tab.scene(&jobs, place, asked, commands, |views, scene| {
            let pane = Frame::NONE.fill(t.panel);
            // In a narrow window the panes give way before the columns of the table do.
            let spare = (width - TABLE).max(0.0);
            if left {
                let most = (spare * 0.42).max(190.0);
                let panel = Panel::left("held by").default_size((width * 0.2).clamp(220.0, 300.0));
                panel.size_range(190.0..=most).frame(pane).show(ui, |ui| views.paths.ui(ui, scene));
            }
            if right {
                let most = (spare * 0.58).max(240.0);
                let panel = Panel::right("inspector").default_size((width * 0.28).clamp(270.0, 400.0));
                panel.size_range(230.0..=most).frame(pane).show(ui, |ui| views.inspector.ui(ui, scene));
            }
            CentralPanel::default().frame(Frame::NONE.fill(t.surface)).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                views.main_ui(ui, scene);
            });
        });
    }

    /// What lies over the window.
    fn over_ui(&mut self, ui: &mut Ui, place: Option<Place>, commands: &mut Vec<Command>) {
        let ctx = ui.ctx().clone();
        if !self.tabs.is_empty() && ctx.input(|i| !i.raw.hovered_files.is_empty()) {
            let t = tokens(ui);
            let room = ctx.content_rect().shrink(6.0);
            let painter = ctx.layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop")));
            painter.rect_stroke(room, 10.0, (3.0, t.accent), egui::StrokeKind::Inside);
            let sign = Rect::from_center_size(room.center(), vec2(280.0, 48.0));
            painter.rect(sign, 8.0, t.raised, (1.0, t.accent), egui::StrokeKind::Inside);
            let text = "Drop to open in a new tab";
            let font = crate::ui::theme::fonts::medium();
            painter.text(sign.center(), egui::Align2::CENTER_CENTER, text, font, t.text);
        }
        if self.help && !help::ui(&ctx) {
            self.help = false;
        }
        self.palette_ui(&ctx, place, commands);
    }

    fn palette_ui(&mut self, ctx: &egui::Context, place: Option<Place>, commands: &mut Vec<Command>) {
        if !self.palette.is_open() {
            return;
        }
        let mut palette = std::mem::take(&mut self.palette);
        let shown = place.map(|place| place.dump);
        let places: Vec<Place> = self.history.seen().take(SEEN).collect();
        let around = Around {
            usable: &|verb: Verb| self.usable(verb),
            answers: shown.and_then(|key| Some((key, self.tab(key)?.answers()?))),
            tabs: &self.tabs,
            shown,
            recent: &self.saved.recent,
            places: &places,
            jobs: &self.jobs,
        };
        palette.ui(ctx, &around, commands);
        self.palette = palette;
    }
}
