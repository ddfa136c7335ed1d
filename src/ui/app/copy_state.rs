//! Pending copy: its format, and the open *Copy as* dialog.

use crate::ui::DumpKey;
use crate::ui::shell::copy_as::Chooser;
use heaplens_heap::ObjectId;
use heaplens_tables::export::copy::CopyFormat;

/// Format selection of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum CopyAs {
    /// The format used last.
    #[default]
    LastForm,
    /// The given format, for this copy only.
    As(CopyFormat),
    /// The format selected in the *Copy as* dialog.
    Chosen,
}

/// Pending copy and open *Copy as* dialog.
#[derive(Default)]
pub(super) struct Copying {
    pub(super) how: CopyAs,
    pub(super) chooser: Option<Chooser>,
    /// Object whose name is copied once it is known.
    pub(super) naming: Option<(DumpKey, ObjectId)>,
}
