//! Finished work on a dump that the lists of the user name: a renamed dump, reported objects.

use std::sync::Arc;

use crate::ui::DumpKey;
use heaplens_dump::facts::Facts;
use heaplens_dump::mapping::MappingFile;
use heaplens_process::ProcessRecord;
use heaplens_session::koom::KoomMatch;

/// Dump after its names were replaced.
pub(crate) struct MappedDump {
    pub(crate) key: DumpKey,
    pub(crate) mapping: Arc<MappingFile>,
    /// Dump before the mapping was applied.
    pub(crate) of: Facts,
    pub(crate) renamed: Facts,
}

/// What a text says of the process of a dump.
pub(crate) struct RecordedDump {
    pub(crate) key: DumpKey,
    /// Name of the file.
    pub(crate) name: String,
    pub(crate) record: ProcessRecord,
}

/// Objects of a dump that a KOOM report names.
pub(crate) struct ReportedObjects {
    pub(crate) key: DumpKey,
    /// Dump in which they were found.
    pub(crate) of: Facts,
    pub(crate) matched: KoomMatch,
}
