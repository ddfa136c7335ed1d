//! Export of the overview. File dialog, missing results and writing are one job in the background.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::OverviewPage;
use super::steps::AT_ONCE;
use crate::ui::Command;
use crate::ui::file_dialog::{FileDialogs, Purpose, Question};
use heaplens_analysis::Overview;
use heaplens_analysis::overview::{DetailedOverview, WasteTotals, glance, holders};
use heaplens_base::Task;
use heaplens_session::files::file_name;
use heaplens_session::overview::{DetailsQuestion, WasteTotalsQuestion, save};
use heaplens_session::{JobError, Jobs, LeakRules, OpenDump};
use heaplens_tables::OutputForm;
use heaplens_tables::export::identity::Identity;
use heaplens_tables::export::report::{write_html, write_markdown};

/// Forms of the file, the default first.
const FORMS: [OutputForm; 2] = [OutputForm::Html, OutputForm::Markdown];

impl OverviewPage {
    /// Asks for a file and exports the overview to it.
    pub fn export(
        &mut self,
        open_dump: &OpenDump,
        jobs: &Jobs,
        rules: &Arc<LeakRules>,
        dialogs: FileDialogs,
        dump: &Path,
    ) {
        if self.exporting.is_running() {
            return;
        }
        let mut known = self.known.clone();
        if !self.steps.is_complete_for(rules) {
            // Findings that other rules judged are judged again.
            known.holders = None;
        }
        let (open_dump, dump, rules) = (open_dump.clone(), dump.to_owned(), Arc::clone(rules));
        self.exporting.ask(jobs, "export overview", move |task| {
            let suggested = dump.with_file_name(format!("{}-overview.html", file_name(&dump)));
            let kinds = FORMS.map(OutputForm::file_kind).into();
            let question = Question { title: "Export overview", suggested, kinds, purpose: Purpose::Save };
            let Some(path) = dialogs.ask(&question) else { return Ok(None) };
            let overview = complete(&open_dump, &rules, known, task)?;
            if let Some(why) = open_dump.doubt() {
                return Err(JobError::Failed(why));
            }
            let identity = Identity::new(&dump, &open_dump);
            let mut inputs = open_dump.files();
            inputs.push(dump);
            write((&path, &inputs), !open_dump.facts.is_redacted(), &identity, &overview).map(Some)
        });
    }

    /// Message about the outcome of an export, once it has ended.
    pub(super) fn poll_export(&mut self) -> Option<Command> {
        if !self.exporting.is_running() {
            return None;
        }
        if self.exporting.poll() {
            let path = self.exporting.take().flatten()?;
            return Some(Command::Done(format!("Overview written to {}", path.display())));
        }
        self.exporting.error().map(|why| Command::Warn(format!("Cannot write the overview: {why}")))
    }
}

/// Adds missing results, except those that may take minutes.
fn complete(dump: &OpenDump, rules: &LeakRules, mut known: Overview, task: &Task) -> Result<Overview, JobError> {
    let analysis = &dump.analysis;
    if known.glance.health.is_empty() {
        known.glance = glance(dump.data(), &dump.open_warnings, task)?;
    }
    if known.holders.is_none() {
        known.holders = Some(holders(analysis, &dump.leak_findings(rules, task)?));
    }
    if known.closer.is_none() {
        known.closer = Some(DetailedOverview::clone(&*dump.answer(&DetailsQuestion, task)?));
    }
    if known.wasted.is_none() && dump.heap.len() <= AT_ONCE {
        known.wasted = Some(WasteTotals::clone(&*dump.answer(&WasteTotalsQuestion, task)?));
    }
    Ok(known)
}

/// Writes the overview in the form of the file name. Returns its path.
fn write(
    (path, inputs): (&Path, &[PathBuf]),
    has_values: bool,
    identity: &Identity,
    overview: &Overview,
) -> Result<PathBuf, JobError> {
    let mut bytes = Vec::new();
    let written = match OutputForm::of_file(path, &FORMS) {
        OutputForm::Markdown => write_markdown(&mut bytes, identity, overview),
        _ => write_html(&mut bytes, identity, overview),
    };
    written
        .and_then(|()| save(path, inputs, has_values, &bytes))
        .map_err(|error| JobError::Failed(format!("{}: {error}", path.display())))?;
    Ok(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}
