//! Files that accompany a dump (mappings, KOOM reports): selected in a dialog or dropped on the window.

use std::path::{Path, PathBuf};

use super::App;
use super::pending::FileSelection;
use crate::ui::Command;
use crate::ui::file_dialog::{Purpose, Question};

/// File extensions of mappings; no dump format uses them.
pub(super) const MAPPINGS: [&str; 2] = ["txt", "map"];
/// File extensions of reports from other tools.
pub(super) const REPORTS: [&str; 1] = ["json"];

/// Command for a dropped file, or `None` if its extension may be that of a dump.
pub(super) fn command_for(path: &Path) -> Option<Command> {
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
    /// Asks for a file about the current dump. `kind` is the label of the file type and its extensions.
    pub(super) fn pick_beside(
        &mut self,
        title: &'static str,
        kind: (&'static str, &'static [&'static str]),
        command: fn(PathBuf) -> Command,
    ) {
        let Some(about) = self.dump_now() else { return };
        let question = Question {
            title,
            suggested: PathBuf::new(),
            kinds: vec![(kind.0, kind.1.to_vec())],
            purpose: Purpose::Open,
        };
        self.pick_file(question, move |path| FileSelection {
            command: path.map(|path| (about, command(path))),
            ..FileSelection::default()
        });
    }
}
