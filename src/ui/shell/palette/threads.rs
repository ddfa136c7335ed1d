//! Threads by name. The list of a dump is computed once, on the first search.

use super::matching::Matcher;
use super::offers::Offer;
use crate::ui::command::Command;
use crate::ui::location::DumpKey;
use heaplens_analysis::threads::{ThreadRow, threads};
use heaplens_session::jobs::Jobs;
use heaplens_session::open_dump::OpenDump;
use heaplens_session::slot::Slot;

/// Threads of one dump.
#[derive(Default)]
pub(super) struct ThreadSearch {
    dump: Option<DumpKey>,
    rows: Slot<Vec<ThreadRow>>,
}

impl ThreadSearch {
    /// Requests the list and takes it over.
    pub(super) fn tick(&mut self, dump: DumpKey, open_dump: &OpenDump, jobs: &Jobs) {
        if self.dump != Some(dump) {
            *self = Self { dump: Some(dump), ..Self::default() };
            let open_dump = open_dump.clone();
            self.rows.ask(jobs, "list threads", move |task| {
                let mut rows = threads(&open_dump.heap, &*open_dump.contents, &open_dump.analysis, task)?;
                // A thread without an object cannot be selected.
                rows.retain(|row| row.object.is_some() && row.name.is_some());
                Ok(rows)
            });
        }
        self.rows.poll();
    }

    /// Cancels a running job.
    pub(super) fn stop(&mut self) {
        if self.rows.is_running() {
            *self = Self::default();
        }
    }

    /// True while the list is being computed.
    pub(super) fn is_running(&self) -> bool {
        self.rows.is_running()
    }

    /// Threads with matching names, best first; without a text all, largest retained size first.
    pub(super) fn offers(&self, dump: &OpenDump, matcher: &mut Matcher) -> Vec<Offer> {
        let offer = |row: &ThreadRow| {
            let (object, name) = (row.object?, row.name.as_deref()?);
            let command = Command::Select(object);
            let state = row.state.map(heaplens_core::heap::threads::ThreadState::name).unwrap_or_default();
            let out_of_memory = if row.out_of_memory { "OutOfMemoryError · " } else { "" };
            let mut offer = Offer {
                aside: dump.heap.class(object).name.to_string(),
                more: format!("{out_of_memory}{state} · {}", row.retained),
                ..Offer::plain(name, command)
            };
            if !matcher.is_empty() {
                offer.fit = matcher.fit(name, 0)?;
                offer.found = matcher.found();
            }
            Some(offer)
        };
        let mut offers: Vec<Offer> = self.rows.get().into_iter().flatten().filter_map(offer).collect();
        offers.sort_by_key(|offer| offer.fit);
        offers
    }
}
