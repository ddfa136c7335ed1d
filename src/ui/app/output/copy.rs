//! Pending copy: its format, and the open *Copy as* dialog.

use crate::ui::shell::copy_as::Chooser;
use crate::ui::view_request::CopyTarget;
use heaplens_tables::export::copy::CopyFormat;

/// Format selection of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum CopyAs {
    /// The format used last.
    #[default]
    LastForm,
    /// The given format, for this copy only.
    As(CopyFormat),
    /// The format selected in the *Copy as* dialog.
    Chosen,
}

/// Format of the pending copy, and the open *Copy as* dialog.
#[derive(Default)]
pub(crate) struct Copying {
    pub(crate) format: CopyAs,
    pub(crate) chooser: Option<Chooser>,
}

impl Copying {
    /// Prepares for content to copy; the *Copy as* dialog begins with the format used last.
    pub(crate) fn begin(&mut self, target: CopyTarget, format: CopyAs, last: CopyFormat) {
        self.format = format;
        if format == CopyAs::Chosen && self.chooser.is_none() {
            self.chooser = Some(Chooser::new(last));
        }
        self.chooser.iter_mut().for_each(|chooser| chooser.wait_for(target));
    }
}
