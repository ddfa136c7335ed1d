//! Contents of one object as a table of the inspector, read page by page while scrolling.

use std::ops::Range;

use crate::ui::controllers::table::AT_MOST;
use crate::ui::widgets::TableState;
use heaplens_heap::ObjectId;
use heaplens_session::open_dump::pages::Pages;
use heaplens_tables::clips::object::INSIDE;

/// Pages that were read; `T` is a row.
pub struct Paged<T> {
    pub(super) of: Option<ObjectId>,
    pub(super) pages: Pages<T>,
    pub(super) table: TableState,
}

impl<T> Default for Paged<T> {
    fn default() -> Self {
        Self { of: None, pages: Pages::default(), table: TableState::default() }
    }
}

impl<T: Send + 'static> Paged<T> {
    /// Takes over the pages that were read.
    pub fn poll(&mut self) {
        self.pages.poll();
    }

    /// True while pages are being read.
    pub fn is_running(&self) -> bool {
        self.pages.is_running()
    }

    /// Begins at the top if the object is another one.
    pub(super) fn begin(&mut self, object: ObjectId) {
        if self.of != Some(object) {
            *self = Self { of: Some(object), ..Self::default() };
        }
    }

    /// Rows to copy: the selected ones, without a selection the first; and the number of selected ones, if there are
    /// any.
    pub(super) fn copied(&self) -> (Range<u64>, Option<u64>) {
        let selected = self.table.selection();
        let count = selected.as_ref().map(|range| range.end() - range.start() + 1);
        let range = selected.unwrap_or(0..=INSIDE - 1);
        (*range.start()..(range.end() + 1).min(range.start() + AT_MOST), count)
    }
}
