//! First page: begin with a question, or open a dump from a dialog, by path, by dropping it, or from the list of recent
//! files.

mod path_field;
mod questions;
mod recent;

use std::path::PathBuf;

use eframe::egui::{self, Align, Layout, RichText, ScrollArea, Sense, Ui, vec2};

pub use self::questions::{Start, StartQuestion};
pub use self::recent::RecentFiles;

use self::path_field::PathField;
use self::questions::Questions;
use crate::ui::theme::{Icon, fonts, icons, tokens};
use crate::ui::widgets::controls;
use crate::ui::{Command, Verb};
use heaplens_base::Count;
use heaplens_session::Jobs;

/// Height of the line about the previous session, in points.
const LAST: f32 = 34.0;
/// Width of the page, and space around it.
const WIDTH: f32 = 680.0;
const AROUND: f32 = 24.0;
/// Space above a caption.
const ABOVE: f32 = 18.0;

/// The page.
#[derive(Default)]
pub struct Welcome {
    path: PathField,
    questions: Questions,
    /// Height of the page in the previous frame, by which it is centred.
    height: f32,
}

impl Welcome {
    /// Draws the page; `last` contains the names of the dumps of the previous session, and `drops` is
    /// true while files are dragged over the window.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        recent: RecentFiles<'_>,
        (last, drops): (&[String], bool),
        jobs: &Jobs,
        commands: &mut Vec<Command>,
    ) {
        let area = ui.available_rect_before_wrap();
        if drops {
            let t = tokens(ui);
            let inner = area.shrink(10.0);
            ui.painter().rect(inner, 12.0, t.selected, (2.0, t.accent), egui::StrokeKind::Inside);
        }
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let width = WIDTH.min(area.width() - 2.0 * AROUND);
            let above = ((area.height() - self.height) / 2.0 - 10.0).max(AROUND);
            ui.add_space(above);
            let content = ui.horizontal_top(|ui| {
                ui.add_space((area.width() - width) / 2.0);
                ui.vertical(|ui| {
                    ui.set_width(width);
                    self.page_ui(ui, recent, last, jobs, commands);
                });
            });
            self.height = content.response.rect.height();
            ui.add_space(AROUND);
        });
    }

    /// Takes dumps that were chosen to be opened. `None` while the selected question needs another one.
    pub fn choose(&mut self, dumps: Vec<PathBuf>) -> Option<Start> {
        self.questions.choose(dumps)
    }

    /// Takes the selected question, for a dump that was taken of a process.
    pub fn take_question(&mut self) -> Option<StartQuestion> {
        self.questions.take()
    }

    fn page_ui(
        &mut self,
        ui: &mut Ui,
        recent: RecentFiles<'_>,
        last: &[String],
        jobs: &Jobs,
        commands: &mut Vec<Command>,
    ) {
        let t = tokens(ui);
        ui.horizontal(|ui| {
            let (mark, _) = ui.allocate_exact_size(vec2(48.0, 48.0), Sense::HOVER);
            icons::paint(ui.painter(), Icon::Lens, mark, 42.0, t.accent);
            ui.add_space(6.0);
            ui.vertical(|ui| {
                ui.label(RichText::new("heaplens").font(fonts::title()).color(t.text));
                ui.label(RichText::new("Open a heap dump to find out why memory is in use").color(t.muted));
            });
        });
        ui.add_space(ABOVE);
        controls::caption(ui, "Begin with a question");
        ui.add_space(4.0);
        ui.scope(|ui| self.questions.ui(ui));
        ui.add_space(4.0);
        let hint = self.questions.hint();
        let (hint, color) = match &hint {
            Some(hint) => (hint.as_str(), t.accent),
            None => ("Or open a dump: its overview says what stands out", t.muted),
        };
        ui.add(egui::Label::new(RichText::new(hint).color(color)).truncate());
        ui.add_space(8.0);
        ui.horizontal_wrapped(|ui| {
            if controls::primary_button(ui, "Open a heap dump…").clicked() {
                commands.push(Command::from(Verb::Open));
            }
            let take = egui::Button::new("Take dump of process…").min_size(vec2(0.0, 34.0));
            if ui.add(take).on_hover_text("List the processes of this machine").clicked() {
                commands.push(Command::from(Verb::TakeDump));
            }
            if recent.files.is_empty() {
                let tour = egui::Button::new("Take the tour").min_size(vec2(0.0, 34.0));
                if ui.add(tour).on_hover_text(Verb::Tour.entry().about).clicked() {
                    commands.push(Command::from(Verb::Tour));
                }
            }
            ui.add_space(4.0);
            ui.label(RichText::new("or drop files anywhere in the window").color(t.faint));
        });
        ui.add_space(8.0);
        self.path.ui(ui, jobs, commands);
        ui.add_space(6.0);
        let formats = "HPROF (HotSpot, Android), Perfetto heap graphs, snapshots of V8, JavaScriptCore and ArkTS, IBM and OpenJ9 heap dumps, archives of them, stored analyses";
        ui.add(egui::Label::new(RichText::new(formats).font(fonts::small()).color(t.faint)).wrap());
        if !last.is_empty() {
            ui.add_space(ABOVE);
            controls::caption(ui, "Previous session");
            last_ui(ui, last, commands);
        }
        if !recent.files.is_empty() {
            ui.add_space(ABOVE);
            controls::caption(ui, "Recent files");
            ui.spacing_mut().item_spacing.y = 2.0;
            if let Some(file) = recent.ui(ui) {
                commands.push(Command::Open(vec![file]));
            }
        }
    }
}

/// Draws the previous session: names of its dumps and a button to reopen them.
fn last_ui(ui: &mut Ui, last: &[String], commands: &mut Vec<Command>) {
    let t = tokens(ui);
    let size = vec2(ui.available_width(), LAST);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        let button = egui::Button::new("Reopen").min_size(vec2(64.0, 30.0));
        if ui.add(button).on_hover_text("Reopen all dumps of the previous session at their last position").clicked() {
            commands.push(Command::from(Verb::OpenLast));
        }
        ui.add_space(8.0);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let names = last.join(", ");
            let text = format!("{}: {names}", Count(last.len() as u64).of("dump", "dumps"));
            let label = egui::Label::new(RichText::new(text).color(t.text)).truncate().sense(Sense::click());
            if ui.add(label).on_hover_text(&names).clicked() {
                commands.push(Command::from(Verb::OpenLast));
            }
        });
    });
}
