//! The field for the path of a dump, with the files that begin as what is typed.

use std::path::PathBuf;

use eframe::egui::{self, Id, Key, Modifiers, RichText, TextEdit, Ui, vec2};

use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::text_selection;
use crate::ui::{Command, Verb};
use heaplens_session::path_completion::files_like;
use heaplens_session::{Jobs, Slot};

/// Maximum number of files offered.
const OFFERED: usize = 6;

/// The field.
#[derive(Default)]
pub(super) struct PathField {
    text: String,
    /// Text for which files were looked for.
    completed: String,
    looking: Slot<Vec<String>>,
    offers: Vec<String>,
    /// Number of the frame in which it was drawn last: it takes the keyboard focus whenever the page appears.
    drawn: u64,
}

impl PathField {
    /// Draws the field, the button beside it, and the files offered.
    pub(super) fn ui(&mut self, ui: &mut Ui, jobs: &Jobs, commands: &mut Vec<Command>) {
        self.look(jobs);
        let t = tokens(ui);
        ui.horizontal(|ui| {
            let id = Id::unique("path of a dump");
            let is_focused = ui.memory(|memory| memory.has_focus(id));
            // Tab completes while there is something to complete; else it goes on to the button.
            let completes = is_focused && self.offers.first().is_some_and(|offer| *offer != self.text);
            if completes && ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Tab)) {
                self.complete(ui, id);
            }
            // The field has the focus whenever the page appears, also after the last tab was closed: without text there is
            // nothing of its own to undo.
            if is_focused && self.text.is_empty() && ui.input_mut(|i| i.consume_key(Modifiers::COMMAND, Key::Z)) {
                commands.push(Command::from(Verb::Undo));
            }
            let edit = TextEdit::singleline(&mut self.text)
                .id(id)
                .lock_focus(completes)
                .hint_text(RichText::new("Path of a dump or a folder").color(t.faint))
                .margin(egui::Margin::symmetric(10, 6))
                .desired_width(ui.available_width() - 72.0);
            let response = ui.add(edit);
            let frame = ui.ctx().cumulative_frame_nr();
            let last = std::mem::replace(&mut self.drawn, frame);
            if last == 0 || last + 1 < frame {
                response.request_focus();
            }
            ui.ctx().accesskit_node_builder(id, |node| node.set_label("Path of a dump"));
            let entered = response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
            let path = self.text.trim();
            let button = egui::Button::new("Open").min_size(vec2(64.0, 30.0));
            let clicked = ui.add_enabled(!path.is_empty(), button).clicked();
            if (entered || clicked) && !path.is_empty() {
                commands.push(Command::Open(vec![PathBuf::from(path)]));
                self.text.clear();
            }
        });
        let mut chosen = None;
        for offer in self.offers.iter().filter(|offer| **offer != self.text) {
            let link = ui.link(RichText::new(offer).font(fonts::small()));
            if link.on_hover_text("Complete the path (Tab completes the first)").clicked() {
                chosen = Some(offer.clone());
            }
        }
        if let Some(chosen) = chosen {
            self.offers = vec![chosen];
            self.complete(ui, Id::unique("path of a dump"));
        }
    }

    /// Takes the first offer, with the cursor behind it.
    fn complete(&mut self, ui: &Ui, id: Id) {
        let Some(first) = self.offers.first() else { return };
        self.text.clone_from(first);
        let end = self.text.chars().count();
        text_selection::select(ui, id, end..end);
        ui.memory_mut(|memory| memory.request_focus(id));
    }

    /// Looks for files in the background: a folder may be on a slow disk.
    fn look(&mut self, jobs: &Jobs) {
        if let Some(Ok(offers)) = self.looking.take_ended() {
            self.offers = offers;
        }
        if self.completed == self.text {
            return;
        }
        self.completed.clone_from(&self.text);
        self.offers.clear();
        let typed = self.text.clone();
        if !typed.is_empty() {
            self.looking.ask(jobs, "complete a path", move |_| Ok(files_like(&typed, OFFERED)));
        }
    }
}
