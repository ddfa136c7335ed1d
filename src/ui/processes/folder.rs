//! The folder that dumps go to, and the question for another one.

use std::path::{Path, PathBuf};

use crossbeam_channel::Receiver;
use eframe::egui;
use egui::{RichText, Ui};

use crate::ui::file_dialog::{FileDialogs, Purpose, Question};
use crate::ui::theme::fonts;

/// Where dumps go.
pub(super) struct DumpsFolder {
    path: PathBuf,
    dialogs: FileDialogs,
    /// The answer to an open question.
    coming: Option<Receiver<Option<PathBuf>>>,
}

impl DumpsFolder {
    pub(super) fn new(path: PathBuf, dialogs: FileDialogs) -> Self {
        Self { path, dialogs, coming: None }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Draws the link that asks for another folder; true once there is one.
    pub(super) fn change_ui(&mut self, ui: &mut Ui) -> bool {
        let link = ui.link(RichText::new("Change folder…").font(fonts::small()));
        if link.on_hover_text("Choose the folder that dumps go to").clicked() && self.coming.is_none() {
            self.ask();
        }
        let Some(answer) = self.coming.as_ref().and_then(|coming| coming.try_recv().ok()) else { return false };
        self.coming = None;
        answer.map(|path| self.path = path).is_some()
    }

    fn ask(&mut self) {
        let (sender, coming) = crossbeam_channel::bounded(1);
        let suggested = self.path.clone();
        let question =
            move || Question { title: "Folder for dumps", suggested, kinds: Vec::new(), purpose: Purpose::Folder };
        let is_asked = self.dialogs.clone().ask_aside(question, move |path| {
            // If the page was closed, the folder is not needed.
            let _unwanted = sender.send(path);
        });
        self.coming = is_asked.then_some(coming);
    }
}
