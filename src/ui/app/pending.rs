//! Answers that the window waits for: selected files, a renamed dump, dumps to compare.

use std::path::PathBuf;
use std::sync::Arc;

use crate::ui::{Command, DumpKey};
use heaplens_core::dump::facts::Facts;
use heaplens_core::dump::mapping::MappingFile;

/// Files from a dialog or from another process; none if the dialog was dismissed.
#[derive(Default)]
pub(super) struct FileSelection {
    pub(super) paths: Vec<PathBuf>,
    /// Links from another process.
    pub(super) links: Vec<String>,
    /// Command for a companion file, and the dump that was current when the dialog opened.
    pub(super) command: Option<(DumpKey, Command)>,
    /// Sent by another process; the window may be behind others.
    pub(super) from_outside: bool,
}

/// Dump after its names were replaced.
pub(super) struct MappedDump {
    pub(super) key: DumpKey,
    pub(super) mapping: Arc<MappingFile>,
    /// Dump before the mapping was applied.
    pub(super) of: Facts,
    pub(super) renamed: Facts,
}

/// Dumps that were opened together and are compared once all are open.
#[derive(Debug, Default)]
pub(super) struct PendingComparison {
    pub(super) dumps: Vec<DumpKey>,
    /// True to show the comparison; `None` to show it unless the user has navigated meanwhile.
    pub(super) shown: Option<bool>,
}

impl PendingComparison {
    /// True if no comparison is pending.
    pub(super) fn is_empty(&self) -> bool {
        self.dumps.is_empty()
    }
}
