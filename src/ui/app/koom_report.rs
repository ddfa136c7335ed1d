//! Import of KOOM reports: stars the reported objects of the current dump, with the reason as a note, and shows them.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::Context;

use super::App;
use super::companion_files::REPORTS;
use crate::ui::{Command, DumpKey, Verb, View};
use heaplens_heap::ObjectId;
use heaplens_session::files::file_name;
use heaplens_session::{JobError, KoomFile};

impl App {
    /// Shows the file dialog for a report.
    pub(super) fn pick_report(&mut self) {
        self.pick_beside("Select a KOOM report", ("KOOM reports", &REPORTS), Command::ReadReport);
    }

    /// Reads a report and finds its objects in the current dump.
    pub(super) fn read_report(&mut self, ctx: &Context, path: PathBuf) {
        let tab = self.tab_now().filter(|tab| tab.open_dump().is_some());
        let Some((key, facts)) = tab.and_then(|tab| Some((tab.key, tab.dump.facts().cloned()?))) else {
            let why = "No dump is open: open the dump that the KOOM report describes, then import the report";
            return self.toasts.hint(ctx, why.to_owned());
        };
        self.reported.ask(&self.jobs, "find the objects of a KOOM report", move |task| {
            let report = KoomFile::read(&path).map_err(JobError::Failed)?;
            let reported = report.in_dump(&facts, task)?;
            Ok((key, facts, reported))
        });
    }

    /// Stars the objects that were found.
    pub(super) fn take_reported(&mut self, ctx: &Context) {
        let (key, of, reported) = match self.reported.take_ended() {
            Some(Ok(ended)) => ended,
            Some(Err(error)) => return self.toasts.warn(ctx, error),
            None => return,
        };
        // Object numbers are invalid if the dump was reloaded meanwhile.
        let now = self.tab(key).and_then(|tab| tab.dump.facts());
        if now.is_none_or(|now| !Arc::ptr_eq(&now.heap, &of.heap)) {
            let said = "KOOM report not imported: its dump was closed, reopened or renamed meanwhile. Import it again";
            return self.toasts.warn(ctx, said.to_owned());
        }
        if reported.objects.is_empty() {
            self.toasts.warn(ctx, reported.summary());
        } else {
            self.toasts.done(ctx, reported.summary());
        }
        self.star(ctx, key, reported.objects);
    }

    fn star(&mut self, ctx: &Context, key: DumpKey, objects: Vec<(ObjectId, String)>) {
        let Some(tab) = self.tabs.iter().find(|tab| tab.key == key) else { return };
        let Some(dump) = tab.open_dump() else { return };
        let (file, any) = (file_name(tab.dump.path()), !objects.is_empty());
        for (object, why) in objects {
            self.saved.marks.change(&dump.identity, &file, &dump.heap.id_text(object), |mark| {
                mark.star = true;
                // A note of the user is kept.
                if mark.note.is_empty() {
                    mark.note = format!("KOOM: {why}");
                }
            });
        }
        if any && self.history.now().is_some_and(|location| location.dump == key) {
            self.apply(ctx, Command::from(Verb::Show(View::Stars)));
        }
    }
}
