//! The tour of two minutes: a few steps through the views of a dump that comes with the program, each with what to try.

use eframe::egui;
use egui::{Align, Layout, RichText, Ui, vec2};

use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::widgets::controls;
use crate::ui::{Command, View};

/// Height of the strip, in points.
const HEIGHT: f32 = 64.0;

/// A step: the view that it shows, its title, and what to see and to try there.
struct Step {
    view: View,
    title: &'static str,
    text: &'static str,
}

const STEPS: [Step; 6] = [
    Step {
        view: View::Overview,
        title: "The largest holder",
        text: "The first line of the overview names the holder and its share. Below it: why it is alive, what a fix \
               frees, and what is not known. Every line leads to the view that shows it.",
    },
    Step {
        view: View::Leaks,
        title: "The suspects",
        text: "One row for each structure that may leak, largest gain first, with the path that keeps it alive and the \
               reference to cut. One dump only suspects; a second one shows growth.",
    },
    Step {
        view: View::Dominators,
        title: "Dominators",
        text: "Each object is listed below the one that keeps it alive, its immediate dominator. → opens a row. At the \
               left is the path to a GC root, at the right the fields of the selected object.",
    },
    Step {
        view: View::Histogram,
        title: "What there is",
        text: "Objects and bytes by class. / filters, Enter lists the objects of a class, 5 shows the paths that lead \
               to all of them as one tree.",
    },
    Step {
        view: View::Dominators,
        title: "What if",
        text: "X removes the reference that holds the selected object. W shows all views as they would be without it, \
               and what that frees. Ctrl+Z takes it back; the dump never changes.",
    },
    Step {
        view: View::Overview,
        title: "Everything else",
        text: "Ctrl+K finds commands, classes, fields, strings and threads. ? shows the keys of the view, F1 its page of \
               the manual. Now open a dump of your own: Ctrl+O.",
    },
];

/// The tour while it is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tour {
    step: usize,
}

impl Tour {
    /// The tour at its first step.
    pub fn begin() -> Self {
        Self { step: 0 }
    }

    /// View of the current step.
    pub fn view(self) -> View {
        STEPS[self.step].view
    }

    /// The tour so many steps further; `None` behind its end.
    #[must_use]
    pub fn moved(self, by: isize) -> Option<Self> {
        let step = self.step.checked_add_signed(by)?;
        (step < STEPS.len()).then_some(Self { step })
    }

    /// Draws the strip of the current step.
    pub fn ui(self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let t = tokens(ui);
        let step = &STEPS[self.step];
        let size = vec2(ui.available_width(), HEIGHT);
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            if controls::icon_button(ui, Icon::Cross, "End the tour", true).clicked() {
                commands.push(Command::EndTour);
            }
            let is_last = self.step + 1 == STEPS.len();
            if controls::primary_button(ui, if is_last { "Done" } else { "Next" }).clicked() {
                commands.push(if is_last { Command::EndTour } else { Command::StepTour(1) });
            }
            let back = ui.add_enabled(self.step > 0, egui::Button::new("Back").min_size(vec2(0.0, 34.0)));
            if back.clicked() {
                commands.push(Command::StepTour(-1));
            }
            ui.add_space(8.0);
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                ui.add_space(6.0);
                let title = format!("Tour, {} of {}: {}", self.step + 1, STEPS.len(), step.title);
                ui.label(RichText::new(title).font(fonts::medium()).color(t.text));
                ui.add(egui::Label::new(RichText::new(step.text).font(fonts::small()).color(t.muted)).wrap());
            });
        });
    }
}
