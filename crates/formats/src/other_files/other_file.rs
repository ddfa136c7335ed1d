//! A kind of file that is no heap dump, and the advice that several kinds share.

use std::borrow::Cow;

/// A kind of file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OtherFile {
    /// What it is, as a noun phrase.
    pub(crate) what: Cow<'static, str>,
    /// What to do, as sentences.
    pub(crate) advice: &'static str,
}

impl OtherFile {
    /// A kind of file with a fixed name.
    pub(super) const fn new(what: &'static str, advice: &'static str) -> Self {
        Self { what: Cow::Borrowed(what), advice }
    }
}

/// Advice for files of the tools that also write dumps of the JVM.
pub(super) const DUMP_OF_JVM: &str =
    "It lists no objects and references. Write a heap dump with jcmd PID GC.heap_dump FILE.";
/// Advice for files of the tools that also take heap snapshots.
pub(super) const SNAPSHOT: &str = "It lists no objects and references. Take a heap snapshot with v8.writeHeapSnapshot(), or in DevTools on the Memory tab.";
/// Advice for files of which no dump can be made.
pub(super) const OPENS: &str = "heaplens opens HPROF dumps of the JVM and of Android, heap snapshots of V8, JavaScriptCore and ArkTS, heap graphs of Perfetto, and heap dumps of IBM J9.";
