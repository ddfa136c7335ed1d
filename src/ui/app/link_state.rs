//! Links that are being copied or opened.

use crate::ui::DumpKey;
use heaplens_session::open_dump::link_target::LinkTarget;
use heaplens_session::{Link, OpenDump, Slot};

/// Links being copied and opened.
#[derive(Default)]
pub(super) struct Links {
    /// Text of the link to copy.
    pub(super) copying: Slot<String>,
    /// Links that wait until it is known which dumps are open.
    pub(super) waiting: Vec<Link>,
    /// The link to open, and the tab of its dump, which may still be opening.
    pub(super) opening: Option<(DumpKey, Link)>,
    /// What that link names.
    pub(super) target: Slot<(DumpKey, OpenDump, Link, LinkTarget)>,
}

impl Links {
    /// True while a link is being copied or opened.
    pub(super) fn is_running(&self) -> bool {
        self.copying.is_running() || self.target.is_running() || self.opening.is_some() || !self.waiting.is_empty()
    }
}
