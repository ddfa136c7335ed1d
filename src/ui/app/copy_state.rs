//! Pending copy: its format, and the open *Copy as* dialog.

use eframe::egui::Context;

use crate::ui::shell::copy_as::Chooser;
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
}

impl Copying {
    /// True while the *Copy as* dialog is open.
    pub(super) fn is_choosing(&self) -> bool {
        self.chooser.is_some()
    }

    /// Handles the keys of the *Copy as* dialog.
    pub(super) fn keys(&mut self, ctx: &Context) {
        self.chooser.iter_mut().for_each(|chooser| chooser.keys(ctx));
    }
}
