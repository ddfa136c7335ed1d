//! The overview written to a file. The dialog, what is still to be worked out,
//! and the writing are one job in the background.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::AT_ONCE;
use crate::analysis::overview::{Overview, Rules, glance};
use crate::export::identity::Identity;
use crate::export::report::{write_html, write_markdown};
use crate::session::jobs::{JobError, Jobs};
use crate::session::leaks::LeakRules;
use crate::session::overview::{closer, save, wasted};
use crate::session::slot::Slot;
use crate::task::{Cancelled, Task};
use crate::ui::command::Command;
use crate::ui::tab::file_name;
use crate::ui::view_context::Answers;

/// A dialog that ends sooner was never seen.
const SEEN: Duration = Duration::from_millis(300);

/// The export under way, if there is one. It answers with where the file is; with nothing where none was wanted.
#[derive(Default)]
pub(super) struct Export {
    slot: Slot<Option<PathBuf>>,
}

impl Export {
    pub(super) fn start(
        &mut self,
        answers: &Answers,
        jobs: &Jobs,
        rules: &Arc<LeakRules>,
        dump: &Path,
        known: Overview,
    ) {
        if self.slot.is_running() {
            return;
        }
        let (answers, dump, rules) = (answers.clone(), dump.to_owned(), Arc::clone(rules));
        self.slot.ask(jobs, "export overview", move |task| {
            let suggested = format!("{}-overview.html", file_name(&dump));
            let began = Instant::now();
            let dialog = rfd::FileDialog::new().set_title("Export overview").set_file_name(&suggested);
            let dialog = dialog.add_filter("HTML", &["html"]).add_filter("Markdown", &["md"]);
            let picked = dialog.save_file();
            let places = match picked {
                Some(path) => vec![path],
                None if began.elapsed() > SEEN => return Ok(None),
                // No dialog could be shown: beside the dump, or where the program was started.
                None => vec![dump.with_file_name(&suggested), PathBuf::from(&suggested)],
            };
            let overview = complete(&answers, &rules, known, task)?;
            if let Some(why) = answers.doubt() {
                return Err(JobError::Failed(why));
            }
            write(&places, &Identity::new(&dump, &answers.heap, &answers.analyzed), &overview).map(Some)
        });
    }

    /// What there is to say of it.
    pub(super) fn poll(&mut self) -> Option<Command> {
        if !self.slot.is_running() {
            return None;
        }
        if self.slot.poll() {
            let path = self.slot.take().flatten()?;
            return Some(Command::Done(format!("Overview written to {}", path.display())));
        }
        self.slot.error().map(|why| Command::Warn(format!("The overview could not be written: {why}")))
    }

    pub(super) fn is_running(&self) -> bool {
        self.slot.is_running()
    }
}

/// With what is not known yet, as far as that takes no minutes.
fn complete(answers: &Answers, leaks: &LeakRules, mut known: Overview, task: &Task) -> Result<Overview, Cancelled> {
    let (heap, contents, analyzed) = (&answers.heap, &*answers.contents, &answers.analyzed);
    if known.glance.health.is_empty() {
        let rules = Rules { runtime: &answers.runtime_classes, leaks };
        known.glance = glance(heap, contents, analyzed, &answers.remarks, rules, task)?;
    }
    if known.closer.is_none() {
        known.closer = Some(closer(heap, contents, analyzed, task)?);
    }
    if known.wasted.is_none() && heap.len() <= AT_ONCE {
        known.wasted = Some(wasted(heap, contents, analyzed, task)?);
    }
    Ok(known)
}

/// Writes it to the first of the places that takes it; Markdown where the name says so.
fn write(places: &[PathBuf], identity: &Identity, overview: &Overview) -> Result<PathBuf, JobError> {
    let mut why = String::new();
    for place in places {
        let is_markdown = place.extension().is_some_and(|e| e.eq_ignore_ascii_case("md"));
        let mut bytes = Vec::new();
        let written = if is_markdown {
            write_markdown(&mut bytes, identity, overview)
        } else {
            write_html(&mut bytes, identity, overview)
        };
        match written.and_then(|()| save(place, &bytes)) {
            Ok(()) => return Ok(std::path::absolute(place).unwrap_or_else(|_| place.clone())),
            Err(error) => why = format!("{}: {error}", place.display()),
        }
    }
    Err(JobError::Failed(why))
}
