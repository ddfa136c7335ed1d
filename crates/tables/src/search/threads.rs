//! Threads by name. The list of a dump is computed once, on the first search.

use super::hits::{Hit, HitTarget, Hits};
use super::matching::Matcher;
use heaplens_analysis::{ThreadRow, threads::ThreadsQuestion};
use heaplens_session::{Jobs, OpenDump, Slot};

/// Threads of one dump.
#[derive(Default)]
pub struct ThreadSearch {
    key: Option<u64>,
    rows: Slot<Vec<ThreadRow>>,
}

impl ThreadSearch {
    /// Requests the list and takes it over.
    pub fn tick(&mut self, key: u64, open_dump: &OpenDump, jobs: &Jobs) {
        if self.key != Some(key) {
            *self = Self { key: Some(key), ..Self::default() };
            let open_dump = open_dump.clone();
            self.rows.ask(jobs, "list threads", move |task| {
                let mut rows = Vec::clone(&*open_dump.answer(&ThreadsQuestion, task)?);
                // A thread without an object cannot be selected.
                rows.retain(|row| row.object.is_some() && row.name.is_some());
                Ok(rows)
            });
        }
        self.rows.poll();
    }

    /// Cancels a running job.
    pub fn stop(&mut self) {
        if self.rows.is_running() {
            *self = Self::default();
        }
    }

    /// True while the list is being computed.
    pub fn is_running(&self) -> bool {
        self.rows.is_running()
    }

    /// Threads with matching names, best first; without a text all, largest retained size first.
    pub fn hits(&self, dump: &OpenDump, matcher: &mut Matcher) -> Hits {
        let hit = |row: &ThreadRow| {
            let (object, name) = (row.object?, row.name.as_deref()?);
            let state = row.state.map(heaplens_heap::ThreadState::name).unwrap_or_default();
            let out_of_memory = if row.out_of_memory { "OutOfMemoryError · " } else { "" };
            let mut hit = Hit {
                aside: dump.heap.class(object).name.to_string(),
                more: format!("{out_of_memory}{state} · {}", row.retained),
                ..Hit::plain(name, HitTarget::Object(object))
            };
            if !matcher.is_empty() {
                hit.fit = matcher.fit(name, 0)?;
                hit.matched_parts = matcher.matched_parts();
            }
            Some(hit)
        };
        let mut hits: Vec<Hit> = self.rows.get().into_iter().flatten().filter_map(hit).collect();
        hits.sort_by_key(|hit| hit.fit);
        Hits::of(hits)
    }
}
