//! What grew since the dump before, and who holds it: a sentence about all of
//! it, and a table of owners, classes, packages, loaders, threads, texts or
//! collections, each before and after.

mod header;
mod owners;
mod rows;
mod tables;

use std::collections::BTreeMap;

use eframe::egui;
use egui::{Rect, Ui, vec2};

use super::picture::dominators::Dominators;
use super::picture::mode::Mode;
use super::picture::pictured::Pictured;
use super::report::Report;
use crate::answers::diff::Of;
use crate::session::side_by_side::What;
use crate::ui::command::Command;
use crate::ui::place::Stance;
use crate::ui::scene::Scene;
use crate::ui::theme::icons::Icon;
use crate::ui::theme::{sizes, tokens};
use crate::ui::widgets::{controls, tabs, waiting};

/// The tables, in the order in which they are offered.
const TABLES: [(Of, &str); 7] = [
    (Of::Owners, "Owners"),
    (Of::Classes, "Classes"),
    (Of::Side(What::Packages), "Packages"),
    (Of::Side(What::Loaders), "Loaders"),
    (Of::Side(What::Threads), "Threads"),
    (Of::Side(What::Strings), "Strings"),
    (Of::Side(What::Collections), "Collections"),
];

/// The view.
pub struct Growth {
    of: Of,
    only_grown: bool,
    /// Whether it is listed how the bytes were matched.
    is_told: bool,
    reports: BTreeMap<Of, Report>,
    /// The heap after, coloured by growth.
    picture: Pictured<Dominators>,
}

impl Default for Growth {
    fn default() -> Self {
        Self {
            of: Of::Owners,
            only_grown: false,
            is_told: false,
            reports: BTreeMap::new(),
            picture: Pictured::default(),
        }
    }
}

impl Growth {
    /// Draws the view.
    pub fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let Some(comparing) = scene.comparing else {
            let room = ui.available_rect_before_wrap();
            let hint = "Open another dump of the program and press B: what grew between the two stands here";
            waiting::empty_ui(ui, room, Icon::Search, "This dump is not compared with another", hint);
            return;
        };
        let Some(baseline) = comparing.done() else {
            waiting_ui(ui, scene);
            return;
        };
        let baseline = baseline.clone();
        header::ui(ui, scene, &baseline, &mut self.is_told);
        self.chooser_ui(ui);
        let report = self.reports.entry(self.of).or_insert_with(|| Report::new(tables::of(self.of)));
        report.show_only_grown(self.only_grown);
        let only = &mut self.only_grown;
        self.picture.ui(ui, scene, |ui, scene| {
            report.ui_with(ui, scene, |ui| {
                ui.checkbox(only, "Only what grew").on_hover_text("Leave out what shrank or stayed as it was");
                ui.add_space(8.0);
            });
        });
        // Nobody chose anything yet: what grew most is looked at first.
        if self.of == Of::Owners
            && scene.place.object.is_none()
            && let Some(first) = report.first_object()
        {
            report.select(first);
            scene.push(Command::Settle(first));
        }
    }

    /// Which table is shown.
    fn chooser_ui(&mut self, ui: &mut Ui) {
        let (width, t) = (ui.available_width(), tokens(ui));
        let row = ui.horizontal(|ui| {
            ui.add_space(4.0);
            let names: Vec<tabs::Tab> = TABLES.iter().map(|&(_, name)| tabs::Tab { name, count: None }).collect();
            let now = TABLES.iter().position(|&(of, _)| of == self.of);
            if let Some(at) = tabs::tabs_ui(ui, &names, now, width - 8.0) {
                self.of = TABLES[at].0;
            }
        });
        let rect = row.response.rect;
        let line = Rect::from_min_size(rect.left_bottom() - vec2(0.0, 1.0), vec2(width, 1.0));
        ui.painter().hline(line.x_range(), line.top(), (1.0, t.border));
    }

    /// How the table stands.
    pub fn stance(&self) -> Option<Stance> {
        self.reports.get(&self.of).map(Report::stance)
    }

    /// Puts it as it stood.
    pub fn stand(&mut self, stance: &Stance) {
        if let Some(report) = self.reports.get_mut(&self.of) {
            report.stand(stance);
        }
    }

    /// Shows a table.
    pub fn show(&mut self, of: Of) {
        self.of = of;
    }

    /// Whether the rows are shown as a table, a picture, or both.
    pub fn mode(&mut self) -> &mut Mode {
        &mut self.picture.shown.mode
    }

    /// Whether anything of it is being worked out.
    pub fn is_running(&self) -> bool {
        // Until there is a comparison nothing is asked for.
        !self.reports.is_empty() && self.picture.is_running(self.reports.get(&self.of).is_some_and(Report::is_running))
    }
}

/// What stands here until the comparison is there.
fn waiting_ui(ui: &mut Ui, scene: &mut Scene<'_>) {
    let Some(comparing) = scene.comparing else { return };
    let room = ui.available_rect_before_wrap();
    let key = scene.place.dump;
    if let Some(why) = comparing.refused() {
        waiting::empty_ui(ui, room, Icon::Warning, "These two dumps cannot be compared", why);
        return;
    }
    let (title, hint, button, command) = match (comparing.progress(), comparing.error()) {
        (Some(progress), _) => {
            let done = super::opening::percent(&progress).map(|percent| format!(" {percent} %")).unwrap_or_default();
            let step = if progress.step.is_empty() { "Comparing" } else { progress.step };
            let line = Rect::from_min_size(room.min, vec2(room.width(), 2.0));
            waiting::progress_ui(ui, line, Some(&progress));
            let hint = "Meanwhile everything about the dump after can be looked at in the other views";
            (format!("{step}…{done}"), hint.to_owned(), "Stop", Command::StopComparing(key))
        }
        (None, Some(error)) => {
            ("The dumps could not be compared".to_owned(), error.to_owned(), "Try again", Command::CompareAgain(key))
        }
        (None, None) => {
            let hint = "Nothing of it was kept";
            ("Comparing was stopped".to_owned(), hint.to_owned(), "Compare", Command::CompareAgain(key))
        }
    };
    let icon = if comparing.error().is_some() { Icon::Warning } else { Icon::Search };
    waiting::empty_ui(ui, room, icon, &title, &hint);
    let place = Rect::from_center_size(room.center() + vec2(0.0, 52.0), vec2(120.0, sizes::TOOLS));
    let mut child =
        ui.new_child(egui::UiBuilder::new().max_rect(place).layout(egui::Layout::top_down(egui::Align::Center)));
    if controls::primary_button(&mut child, button).clicked() {
        scene.push(command);
    }
}
