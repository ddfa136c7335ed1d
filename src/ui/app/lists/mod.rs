//! What the user tells heaplens about dumps: verdicts, runtime classes, mappings, reports of other tools.

pub(crate) mod finished;
mod runtime_classes;
pub(crate) mod verdicts;

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::Context;

use self::finished::{MappedDump, RecordedDump, ReportedObjects};
use self::runtime_classes::ListWork;
use self::verdicts::Verdicts;
use super::event::{Event, Owner};
use crate::ui::DumpKey;
use crate::ui::shell::toasts::Toasts;
use heaplens_dump::facts::Facts;
use heaplens_dump::mapping::MappingFile;
use heaplens_dump::record::read_record;
use heaplens_session::{JobError, Jobs, KoomFile, Slot};

/// Lists of the user, and work on them.
#[derive(Default)]
pub(super) struct Lists {
    /// The user's verdicts and the built-in rules.
    pub(super) verdicts: Verdicts,
    /// Work on the list of runtime classes.
    pub(super) runtime_classes: ListWork,
    /// Mapping being applied.
    pub(super) mapping: Slot<Box<MappedDump>>,
    /// Text about a process being read.
    pub(super) record: Slot<Box<RecordedDump>>,
    /// KOOM report being imported.
    pub(super) report: Slot<Box<ReportedObjects>>,
}

impl Lists {
    /// Part of the work that is still running.
    pub(super) fn busy_with(&self) -> Option<&'static str> {
        let work = [
            (self.runtime_classes.is_running(), "the runtime classes"),
            (self.mapping.is_running(), "a mapping"),
            (self.record.is_running(), "a text about the process"),
            (self.report.is_running(), "a report"),
            (self.verdicts.is_running(), "verdicts"),
        ];
        work.into_iter().find_map(|(is_running, what)| is_running.then_some(what))
    }

    /// Reads a mapping and applies it to the names of a dump.
    pub(super) fn read_mapping(&mut self, key: DumpKey, of: Facts, file: PathBuf, jobs: &Jobs) {
        let read = move || MappingFile::read(&file).map(Arc::new).map_err(JobError::Failed);
        self.apply_mapping(key, of, read, jobs);
    }

    /// Applies a mapping to the names of a dump.
    pub(super) fn apply_mapping(
        &mut self,
        key: DumpKey,
        of: Facts,
        mapping: impl FnOnce() -> Result<Arc<MappingFile>, JobError> + Send + 'static,
        jobs: &Jobs,
    ) {
        self.mapping.ask(jobs, "read the mapping", move |_| {
            let mapping = mapping()?;
            let renamed = of.renamed(&mapping);
            Ok(Box::new(MappedDump { key, mapping, of, renamed }))
        });
    }

    /// Reads a text about the process of a dump.
    pub(super) fn read_record(&mut self, key: DumpKey, file: PathBuf, jobs: &Jobs) {
        self.record.ask(jobs, "read a text about the process", move |_| {
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let record = read_record(&file).map_err(|why| JobError::Failed(format!("{name}: {why}")))?;
            Ok(Box::new(RecordedDump { key, name, record }))
        });
    }

    /// Reads a KOOM report and finds its objects in a dump.
    pub(super) fn read_report(&mut self, key: DumpKey, of: Facts, file: PathBuf, jobs: &Jobs) {
        self.report.ask(jobs, "find the objects of a KOOM report", move |task| {
            let report = KoomFile::read(&file).map_err(JobError::Failed)?;
            let matched = report.in_dump(&of, task)?;
            Ok(Box::new(ReportedObjects { key, of, matched }))
        });
    }
}

impl Owner for Lists {
    fn poll(&mut self, ctx: &Context, jobs: &Jobs, toasts: &mut Toasts) -> Vec<Event> {
        let mut events = Vec::new();
        self.verdicts.poll(ctx, jobs, toasts);
        events.extend(self.runtime_classes.poll(ctx, toasts).map(Event::RuntimeClasses));
        let mapped = self.mapping.take_ended().map(|ended| ended.map(Event::Mapped));
        let recorded = self.record.take_ended().map(|ended| ended.map(Event::Recorded));
        let reported = self.report.take_ended().map(|ended| ended.map(Event::Reported));
        for ended in [mapped, recorded, reported] {
            match ended {
                Some(Ok(event)) => events.push(event),
                Some(Err(error)) => toasts.warn(ctx, error),
                None => {}
            }
        }
        events
    }
}
