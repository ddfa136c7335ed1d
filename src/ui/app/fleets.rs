//! Opening fleets, and their dumps.

use std::path::{Path, PathBuf};

use super::App;
use super::pending::FileSelection;
use crate::ui::View;
use crate::ui::file_dialog::{Purpose, Question};
use crate::ui::location::NamedLocation;

impl App {
    /// Asks for a file of digests, whose folder is opened.
    pub(super) fn pick_fleet(&mut self) {
        let kinds = vec![("Digests", vec!["parquet", "jsonl"])];
        let question = Question { title: "Open fleet", suggested: PathBuf::new(), kinds, purpose: Purpose::Open };
        self.pick_file(question, |path| FileSelection {
            paths: path.iter().filter_map(|path| path.parent()).map(Path::to_owned).collect(),
            ..FileSelection::default()
        });
    }

    /// Opens a dump of a fleet at a finding.
    pub(super) fn open_finding(&mut self, path: &Path, fingerprint: String) {
        self.open(path);
        if let Some(tab) = self.tab_now_mut() {
            tab.views.leaks.look_for_finding(fingerprint);
            tab.awaited = Some(NamedLocation { view: Some(View::Leaks), object: None, class: None });
        }
    }
}
