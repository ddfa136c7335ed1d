//! Export of the report, as the command `report` writes it. File dialog, missing answers and writing are one job in the background.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::OverviewPage;
use super::steps::all_steps;
use crate::ui::Command;
use crate::ui::file_dialog::{FileDialogs, Purpose, Question};
use heaplens_base::Task;
use heaplens_session::files::file_name;
use heaplens_session::overview::save;
use heaplens_session::{JobError, Jobs, LeakRules, OpenDump};
use heaplens_tables::OutputForm;
use heaplens_tables::export::identity::Identity;
use heaplens_tables::export::story::{StoryViews, write_story_html, write_story_markdown};
use heaplens_tables::story::{StorySource, story};

/// Forms of the file, the default first.
const FORMS: [OutputForm; 2] = [OutputForm::Html, OutputForm::Markdown];

impl OverviewPage {
    /// Asks for a file and exports the report to it.
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
        // Findings that other rules judged are judged again.
        let known = self.steps.source().filter(|_| self.steps.is_complete_for(rules)).cloned();
        let (open_dump, dump, rules) = (open_dump.clone(), dump.to_owned(), Arc::clone(rules));
        self.exporting.ask(jobs, "export report", move |task| {
            let suggested = dump.with_file_name(format!("{}-report.html", file_name(&dump)));
            let kinds = FORMS.map(OutputForm::file_kind).into();
            let question = Question { title: "Export report", suggested, kinds, purpose: Purpose::Save };
            let Some(path) = dialogs.ask(&question) else { return Ok(None) };
            let source = match known {
                Some(known) => known,
                None => all_steps(&open_dump, &rules, task)?,
            };
            let page = page(OutputForm::of_file(&path, &FORMS), (&open_dump, &dump), &source, task)?;
            if let Some(why) = open_dump.doubt() {
                return Err(JobError::Failed(why));
            }
            let mut inputs = open_dump.files();
            inputs.push(dump);
            save(&path, &inputs, !open_dump.facts.is_redacted(), &page)
                .map_err(|error| JobError::Failed(format!("{}: {error}", path.display())))?;
            Ok(Some(std::path::absolute(&path).unwrap_or(path)))
        });
    }

    /// Message about the outcome of an export, once it has ended.
    pub(super) fn poll_export(&mut self) -> Option<Command> {
        if !self.exporting.is_running() {
            return None;
        }
        if self.exporting.poll() {
            let path: PathBuf = self.exporting.take().flatten()?;
            return Some(Command::Done(format!("Report written to {}", path.display())));
        }
        self.exporting.error().map(|why| Command::Warn(format!("Cannot write the report: {why}")))
    }
}

/// The report in a form.
fn page(
    form: OutputForm,
    (open_dump, path): (&OpenDump, &Path),
    source: &StorySource,
    task: &Task,
) -> Result<Vec<u8>, JobError> {
    let identity = Identity::new(path, open_dump);
    let input = source.input((&open_dump.dump, &open_dump.dump));
    let story = story(input, task)?;
    let mut page = Vec::new();
    let written = if form == OutputForm::Markdown {
        write_story_markdown(&mut page, &identity, &story)
    } else {
        let views = StoryViews::new(input, &story, task)?;
        write_story_html(&mut page, &identity, input, (&story, &views))
    };
    written.map_err(|error| JobError::Failed(error.to_string()))?;
    Ok(page)
}
