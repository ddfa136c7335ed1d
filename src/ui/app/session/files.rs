//! Files that are dropped on the window, selected in a dialog, or handed over by another process.

use std::path::{Path, PathBuf};
use std::sync::mpsc;

use crossbeam_channel::{Receiver, Sender};
use eframe::egui;
use egui::{Context, ViewportCommand};

use super::super::event::Event;
use crate::ui::file_dialog::{FilePrompts, Purpose, Question};
use crate::ui::{Command, DumpKey};
use heaplens_dump::record::is_record;
use heaplens_heap::format::FILE_EXTENSIONS;
use heaplens_platform::documents::DocumentRequest;
use heaplens_session::cuts::FIX_EXTENSION;

/// File extensions of mappings; no dump format uses them.
const MAPPINGS: [&str; 2] = ["txt", "map"];
/// File extensions of fixes.
const FIXES: [&str; 1] = [FIX_EXTENSION];
/// File extensions of reports from other tools.
const REPORTS: [&str; 1] = ["json"];
/// Extensions of texts about a process; their content tells them from other files.
const RECORDS: [&str; 3] = ["json", "txt", "log"];

/// Dialogs that ask for files, and the files that were selected.
pub(crate) struct Files {
    pub(crate) prompts: FilePrompts,
    selected: (Sender<FileSelection>, Receiver<FileSelection>),
    /// True while a dialog is open: one question is asked at a time.
    is_asking: bool,
}

/// Files from a dialog or from another process; none if the dialog was dismissed.
#[derive(Default)]
struct FileSelection {
    paths: Vec<PathBuf>,
    /// Links from another process.
    links: Vec<String>,
    /// Command for a companion file, and the dump that was current when the dialog opened.
    command: Option<(DumpKey, Command)>,
    /// Sent by another process; the window may be behind others.
    from_outside: bool,
}

impl Files {
    /// No open dialog.
    pub(super) fn new(ctx: &Context) -> Self {
        Self { prompts: FilePrompts::new(ctx), selected: crossbeam_channel::unbounded(), is_asking: false }
    }

    /// Opens files and links that the system and other starts of the program ask for.
    pub(crate) fn take_documents(&self, ctx: &Context, requests: mpsc::Receiver<DocumentRequest>) {
        let (sender, waker) = (self.selected.0.clone(), ctx.clone());
        // Without the thread the requests are ignored.
        let _refused = heaplens_base::threads::start("documents", move || {
            for DocumentRequest { paths, links } in requests {
                // The window may be closing; then the receiver is gone.
                let _unwanted = sender.send(FileSelection { paths, links, from_outside: true, command: None });
                waker.request_repaint();
            }
        });
    }

    /// Asks for a heap dump to open.
    pub(crate) fn ask_dump(&mut self) {
        let kinds = vec![("Heap dumps", FILE_EXTENSIONS.to_vec())];
        let question =
            Question { title: "Open heap dump", suggested: PathBuf::new(), kinds, purpose: Purpose::OpenAny };
        self.ask_by(|| question, to_open);
    }

    /// Asks for a folder of dumps or digests to open.
    pub(crate) fn ask_folder(&mut self) {
        let question =
            Question { title: "Open folder", suggested: PathBuf::new(), kinds: Vec::new(), purpose: Purpose::Folder };
        self.ask_by(|| question, to_open);
    }

    /// Asks for a mapping of the dump `about`.
    pub(crate) fn ask_mapping(&mut self, about: DumpKey) {
        let kind = ("Mappings", MAPPINGS.to_vec());
        self.ask_about(about, "Select a ProGuard or R8 mapping, or a source map", kind, Command::UseMapping);
    }

    /// Asks for a KOOM report of the dump `about`.
    pub(crate) fn ask_report(&mut self, about: DumpKey) {
        self.ask_about(about, "Select a KOOM report", ("KOOM reports", REPORTS.to_vec()), Command::ReadReport);
    }

    /// Asks for a text about the process of a dump.
    pub(in crate::ui::app) fn ask_record(&mut self, about: DumpKey) {
        let kind = ("Texts about a process", RECORDS.to_vec());
        self.ask_about(about, "Select what is known of the process", kind, Command::ReadRecord);
    }

    /// Asks for a fix to apply to the dump `about`.
    pub(crate) fn ask_fix(&mut self, about: DumpKey) {
        self.ask_about(about, "Apply fix", ("Fixes", FIXES.to_vec()), Command::ReadFix);
    }

    /// Asks for the file to save the fix of the dump `about` to.
    pub(crate) fn ask_fix_output(&mut self, about: DumpKey, suggested: impl FnOnce() -> PathBuf + Send + 'static) {
        let question = move || Question {
            title: "Save fix",
            suggested: suggested(),
            kinds: vec![("Fixes", FIXES.to_vec())],
            purpose: Purpose::Save,
        };
        self.ask_by(question, move |path| FileSelection {
            command: path.map(|path| (about, Command::SaveFix(about, path))),
            ..FileSelection::default()
        });
    }

    fn ask_about(
        &mut self,
        about: DumpKey,
        title: &'static str,
        kind: (&'static str, Vec<&'static str>),
        command: fn(PathBuf) -> Command,
    ) {
        self.ask(title, kind, move |path| FileSelection {
            command: path.map(|path| (about, command(path))),
            ..FileSelection::default()
        });
    }

    /// Asks for a file to read. `kind` is the label of the file type and its extensions.
    fn ask(
        &mut self,
        title: &'static str,
        kind: (&'static str, Vec<&'static str>),
        selection: impl FnOnce(Option<PathBuf>) -> FileSelection + Send + 'static,
    ) {
        let question = Question { title, suggested: PathBuf::new(), kinds: vec![kind], purpose: Purpose::Open };
        self.ask_by(|| question, selection);
    }

    fn ask_by(
        &mut self,
        question: impl FnOnce() -> Question + Send + 'static,
        selection: impl FnOnce(Option<PathBuf>) -> FileSelection + Send + 'static,
    ) {
        if std::mem::replace(&mut self.is_asking, true) {
            return;
        }
        let sender = self.selected.0.clone();
        self.is_asking = self.prompts.handle().ask_aside(question, move |path| {
            // The window may be closed; then the receiver is gone.
            let _unwanted = sender.send(selection(path));
        });
    }

    /// Takes dropped files and results of dialogs.
    pub(super) fn poll(&mut self, ctx: &Context) -> Vec<Event> {
        let dropped: Vec<PathBuf> = ctx.input(|i| i.raw.dropped_files.iter().map(|f| f.path().to_owned()).collect());
        let dropped = dropped.into_iter().filter(|path| !path.as_os_str().is_empty());
        let (about, dumps): (Vec<PathBuf>, Vec<PathBuf>) = dropped.partition(|path| command_for(path).is_some());
        let mut events: Vec<Event> = opening(dumps).into_iter().collect();
        events.extend(about.iter().filter_map(|path| command_for(path)).map(Event::Run));
        let selected: Vec<FileSelection> = self.selected.1.try_iter().collect();
        for FileSelection { paths, links, from_outside, command } in selected {
            if from_outside {
                // Where the system does not allow a window to raise itself, it requests attention.
                ctx.send_viewport_cmd(ViewportCommand::Minimized(false));
                ctx.send_viewport_cmd(ViewportCommand::Focus);
                ctx.send_viewport_cmd(ViewportCommand::RequestUserAttention(egui::UserAttentionType::Informational));
            } else {
                self.is_asking = false;
            }
            events.extend(command.map(|(about, command)| Event::RunIn(about, command)));
            events.extend(opening(paths));
            events.extend(links.into_iter().map(Command::OpenLink).map(Event::Run));
        }
        events
    }
}

/// A file or folder to open.
fn to_open(path: Option<PathBuf>) -> FileSelection {
    FileSelection { paths: path.into_iter().collect(), ..FileSelection::default() }
}

/// Command for a dropped file, or `None` if its extension may be that of a dump.
fn command_for(path: &Path) -> Option<Command> {
    let ends = |ends: &[&str]| path.extension().is_some_and(|end| ends.iter().any(|e| end.eq_ignore_ascii_case(e)));
    if is_record(path) {
        Some(Command::ReadRecord(path.to_owned()))
    } else if ends(&MAPPINGS) {
        Some(Command::UseMapping(path.to_owned()))
    } else if ends(&FIXES) {
        Some(Command::ReadFix(path.to_owned()))
    } else if ends(&REPORTS) {
        Some(Command::ReadReport(path.to_owned()))
    } else {
        None
    }
}

/// Opens `paths`, if there are some.
fn opening(paths: Vec<PathBuf>) -> Option<Event> {
    (!paths.is_empty()).then_some(Event::Run(Command::Open(paths)))
}
