//! Contents of one object, read page by page while scrolling: the last of ten million rows is as fast as the first.

use std::{collections::BTreeMap, ops::Range};

use super::OpenDump;
use crate::{JobError, Jobs, Slot};
use heaplens_heap::ObjectId;

const PAGE: u64 = 256;
/// Maximum number of cached pages.
const MAX_PAGES: usize = 64;

/// Pages that were read; `T` is a row.
pub struct Pages<T>(BTreeMap<u64, Slot<Vec<T>>>);

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

/// Function that reads some rows of an object.
type Read<T> = fn(&OpenDump, ObjectId, Range<u64>) -> Result<Vec<T>, JobError>;

/// State of a row.
pub enum PageRow<'a, T> {
    /// The row.
    Row(&'a T),
    /// Its page was read and ends before the row.
    Missing,
    /// Its page is being read.
    Waiting,
    /// Its page could not be read.
    Failed(&'a str),
}

impl<T: Send + 'static> Pages<T> {
    /// Takes over the pages that were read.
    pub fn poll(&mut self) {
        for slot in self.0.values_mut() {
            slot.poll();
        }
    }

    /// A row.
    pub fn row(&self, index: u64) -> PageRow<'_, T> {
        let Some(page) = self.0.get(&(index / PAGE)) else { return PageRow::Waiting };
        match (page.get(), page.error()) {
            (Some(rows), _) => rows.get((index % PAGE) as usize).map_or(PageRow::Missing, PageRow::Row),
            (None, Some(error)) => PageRow::Failed(error),
            (None, None) => PageRow::Waiting,
        }
    }

    /// Requests missing pages on screen with `read`, and drops those far away.
    pub fn read(
        &mut self,
        (dump, jobs): (&OpenDump, &Jobs),
        name: &str,
        object: ObjectId,
        visible: Range<u64>,
        read: Read<T>,
    ) {
        if visible.is_empty() {
            return;
        }
        let (first, last) = (visible.start / PAGE, (visible.end - 1) / PAGE);
        if self.0.len() > MAX_PAGES {
            self.0.retain(|page, _| (first..=last).contains(page));
        }
        for page in first..=last {
            let slot = self.0.entry(page).or_default();
            if slot.get().is_some() || slot.is_running() || slot.error().is_some() {
                continue;
            }
            let dump = dump.clone();
            slot.ask(jobs, name, move |_| read(&dump, object, page * PAGE..(page + 1) * PAGE));
        }
    }

    /// True while pages are being read.
    pub fn is_running(&self) -> bool {
        self.0.values().any(Slot::is_at_work)
    }
}
