//! What the owners of the parts of the window report once a frame: finished work that concerns more than one of them.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::Context;

use super::lists::finished::{MappedDump, RecordedDump, ReportedObjects};
use crate::ui::shell::toasts::Toasts;
use crate::ui::{Command, DumpKey, Verb};
use heaplens_analysis::RuntimeClasses;
use heaplens_session::Jobs;
use heaplens_session::cuts::Fix;
use heaplens_session::watch::Change;

/// An owner of a part of the window.
pub(super) trait Owner {
    /// Takes over finished work. Returns what concerns other owners too, in the order in which it happened.
    fn poll(&mut self, ctx: &Context, jobs: &Jobs, toasts: &mut Toasts) -> Vec<Event>;
}

/// Finished work that concerns more than one owner.
pub(super) enum Event {
    /// A dump is completely open, for the first time in its tab.
    Opened(DumpKey),
    /// The kept cuts of an open dump can be restored.
    CutsAwaited(DumpKey),
    /// The kept cuts of a dump are restored, besides cuts made meanwhile.
    CutsRestored(DumpKey),
    /// The names of the references of a fix of a dump are known.
    FixNamed(DumpKey, Box<Fix>),
    /// The stored analysis of a dump is damaged.
    Damaged(DumpKey),
    /// The file of a dump can no longer be read, and why.
    Lost(DumpKey, String),
    /// A comparison has unreliable results, and why.
    ComparisonOver(DumpKey, &'static str),
    /// The file of an open dump has changed.
    FileChanged(PathBuf, Change),
    /// The address-free name of an object that is to be copied is known; `None` if it has none.
    Named(Option<String>),
    /// A mapping was read and applied to the names of a dump.
    Mapped(Box<MappedDump>),
    /// A text about the process of a dump was read.
    Recorded(Box<RecordedDump>),
    /// The objects of a KOOM report were found.
    Reported(Box<ReportedObjects>),
    /// There is another list of runtime classes.
    RuntimeClasses(Arc<RuntimeClasses>),
    /// An action was chosen in the menu bar of the system.
    Chosen(Verb),
    /// A file or link was selected.
    Run(Command),
    /// A file that belongs to a dump was selected.
    RunIn(DumpKey, Command),
}
