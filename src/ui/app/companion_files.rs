//! Files that accompany a dump (mappings, KOOM reports): selected in a dialog or dropped on the window.

use std::path::{Path, PathBuf};

use eframe::egui::Context;

use super::{App, Picked};
use crate::ui::command::Command;
use crate::ui::file_dialog::Question;

/// File extensions of mappings; no dump format uses them.
pub(super) const MAPPINGS: [&str; 2] = ["txt", "map"];
/// File extensions of reports from other tools.
pub(super) const REPORTS: [&str; 1] = ["json"];

/// Command for a dropped file, or `None` if its extension may be that of a dump.
pub(super) fn wish(path: &Path) -> Option<Command> {
    let ends = |ends: &[&str]| path.extension().is_some_and(|end| ends.iter().any(|e| end.eq_ignore_ascii_case(e)));
    if ends(&MAPPINGS) {
        Some(Command::UseMapping(path.to_owned()))
    } else if ends(&REPORTS) {
        Some(Command::ReadReport(path.to_owned()))
    } else {
        None
    }
}

impl App {
    /// Shows a file dialog on its own thread. `kind` is the label of the file type and its extensions.
    pub(super) fn pick_beside(
        &mut self,
        ctx: &Context,
        title: &'static str,
        kind: (&'static str, &'static [&'static str]),
        wish: fn(PathBuf) -> Command,
    ) {
        let Some(about) = self.history.now().map(|place| place.dump) else { return };
        if std::mem::replace(&mut self.dialog_open, true) {
            return;
        }
        let (sender, waker) = (self.picking.0.clone(), ctx.clone());
        let dialogs = self.file_prompts.handle();
        let question =
            Question { title, suggested: PathBuf::new(), kinds: vec![(kind.0, kind.1.to_vec())], is_save: false };
        let started = std::thread::Builder::new().name("file dialog".to_owned()).spawn(move || {
            let wish = dialogs.ask(&question).map(|path| (about, wish(path)));
            // The window may be closed; then the receiver is gone.
            let _unwanted = sender.send(Picked { wish, ..Picked::default() });
            waker.request_repaint();
        });
        if started.is_err() {
            self.dialog_open = false;
        }
    }
}
