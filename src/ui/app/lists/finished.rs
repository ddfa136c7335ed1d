//! Finished work on a dump that the lists of the user name: a renamed dump, reported objects.

use std::sync::Arc;

use crate::ui::DumpKey;
use heaplens_dump::facts::Facts;
use heaplens_dump::mapping::MappingFile;
use heaplens_session::koom::KoomMatch;

/// Dump after its names were replaced.
pub(in crate::ui::app) struct MappedDump {
    pub(in crate::ui::app) key: DumpKey,
    pub(in crate::ui::app) mapping: Arc<MappingFile>,
    /// Dump before the mapping was applied.
    pub(in crate::ui::app) of: Facts,
    pub(in crate::ui::app) renamed: Facts,
}

/// Objects of a dump that a KOOM report names.
pub(in crate::ui::app) struct ReportedObjects {
    pub(in crate::ui::app) key: DumpKey,
    /// Dump in which they were found.
    pub(in crate::ui::app) of: Facts,
    pub(in crate::ui::app) found: KoomMatch,
}
