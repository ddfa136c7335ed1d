//! Fixes in a tab: its removals are saved to a file, and those of a file or of another dump are applied to it.

use std::path::PathBuf;

use super::Tab;
use super::fix_jobs::{FixSource, SavedFix};
use heaplens_session::cuts::{Fix, KnownFix, ResolvedFix, SavedCuts, name_for};
use heaplens_session::link::has_text;
use heaplens_session::output_file::{OutputFile, OutputKind};
use heaplens_session::{JobError, Jobs};

impl Tab {
    /// Saves the removals to a file; without a name they are called like the file.
    pub fn save_fix(&mut self, path: PathBuf, jobs: &Jobs) {
        let Some(dump) = self.open_dump.clone() else { return };
        let as_fix = self.cuts.as_fix(&dump);
        self.fixes.saving.ask(jobs, "save a fix", move |task| {
            let fix = as_fix(task)?;
            let name = if fix.name.is_empty() { name_for(&path) } else { fix.name };
            let fix = Fix { name, ..fix };
            let has_values = fix.removals.iter().any(|removal| has_text(&removal.cut));
            let inputs = dump.files();
            let output = OutputFile::new(&path, OutputKind::Text, &inputs).with_values(has_values);
            let written = output.write(|out| out.write_all(fix.text().as_bytes()));
            written.map_err(|error| JobError::Failed(format!("{}: {error}", path.display())))?;
            Ok(SavedFix { name: fix.name, removals: fix.removals.len(), path })
        });
    }

    /// Fixes that can be applied: those of other dumps. A comparison has none of the removals of its dump, so that the fix
    /// of the dump itself is one, too.
    pub fn known_fixes<'a>(&'a self, cuts: &'a SavedCuts) -> impl Iterator<Item = KnownFix<'a>> {
        let own = self.open_dump.as_ref().map(|dump| &*dump.identity);
        cuts.fixes(own.filter(|_| self.comparing.is_none())).filter(move |_| own.is_some())
    }

    /// Looks up the references of a fix in the dump.
    pub fn look_up_fix(&mut self, source: FixSource, jobs: &Jobs) {
        let Some(dump) = self.open_dump.clone() else { return };
        self.fixes.applying.ask(jobs, "references of a fix", move |task| {
            let fix = match source {
                FixSource::File(path) => Fix::read(&path).map_err(JobError::Failed)?,
                FixSource::Known(fix) => fix,
            };
            Ok(dump.resolve_fix(&fix, heaplens_sql::resolve_cut, task)?)
        });
    }

    /// A fix that was saved, or why it was not; returned once.
    pub fn take_saved_fix(&mut self) -> Option<Result<SavedFix, String>> {
        self.fixes.saving.take_ended()
    }

    /// A fix whose references were looked up, or why they were not; returned once.
    pub fn take_looked_up_fix(&mut self) -> Option<Result<ResolvedFix, String>> {
        self.fixes.applying.take_ended()
    }
}
