//! The tab of a fleet, beside those of dumps.

use std::path::PathBuf;

use crate::ui::fleet::FleetPage;
use heaplens_session::Jobs;

/// A fleet, if one is open.
#[derive(Default)]
pub(super) struct FleetTab {
    page: Option<FleetPage>,
    is_shown: bool,
}

impl FleetTab {
    /// Opens digests, if there are some, and shows them.
    pub(super) fn open(&mut self, paths: Vec<PathBuf>, jobs: &Jobs) {
        if paths.is_empty() {
            return;
        }
        self.page = Some(FleetPage::open(paths, jobs));
        self.is_shown = true;
    }

    /// True if one is open, shown or not.
    pub(super) fn is_open(&self) -> bool {
        self.page.is_some()
    }

    /// True while it is shown instead of a dump.
    pub(super) fn is_shown(&self) -> bool {
        self.is_shown && self.is_open()
    }

    /// True while digests are read.
    pub(super) fn is_running(&self) -> bool {
        self.page.as_ref().is_some_and(FleetPage::is_running)
    }

    /// Shows dumps.
    pub(super) fn hide(&mut self) {
        self.is_shown = false;
    }

    /// Shows it, if one is open.
    pub(super) fn show(&mut self) {
        self.is_shown = true;
    }

    /// Closes it.
    pub(super) fn close(&mut self) {
        *self = Self::default();
    }

    /// Name of the tab; `None` if no fleet is open.
    pub(super) fn name(&self) -> Option<String> {
        self.page.as_ref().map(FleetPage::name)
    }

    /// The page, while it is shown.
    pub(super) fn page(&self) -> Option<&FleetPage> {
        self.page.as_ref().filter(|_| self.is_shown)
    }

    /// The same, to draw it.
    pub(super) fn shown(&mut self) -> Option<&mut FleetPage> {
        self.page.as_mut().filter(|_| self.is_shown)
    }
}
