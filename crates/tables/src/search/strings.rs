//! Strings by content: read in the background, shown as they are found. Because every string of the dump has to be
//! read, a search starts after a pause in typing, and stops when the query changes.

use std::ops::Range;

use crossbeam_channel::Receiver;

use super::hits::{Hit, HitTarget, Hits};
use super::matching::{Fit, Tier};
use heaplens_analysis::TextFilter;
use heaplens_analysis::search::{CHARACTERS, SearchResult, search};
use heaplens_heap::ObjectId;
use heaplens_session::{JobError, Jobs, OpenDump, jobs::Job};

/// Minimum number of letters for a search among other kinds.
const MIN_LETTERS: usize = 3;
/// Seconds without a key before a search starts: for at least that many letters, and for fewer.
const PAUSE: (f64, f64) = (0.2, 0.6);
/// Maximum number of strings with text; the others are only counted.
const MAX_HITS: usize = 200;
/// Maximum number of strings whose text is compared with the query; exact matches come first.
const MAX_COMPARED: usize = 10_000;
/// Maximum number of shown characters of a string.
const EXCERPT: usize = 120;

/// A matching string.
struct StringHit {
    object: ObjectId,
    text: String,
    matched_parts: Range<usize>,
    fit: Fit,
}

/// Search for strings of one dump.
#[derive(Default)]
pub struct StringSearch {
    query: Option<(u64, String)>,
    since: f64,
    job: Option<Job<SearchResult>>,
    arriving: Option<Receiver<(Vec<StringHit>, u64)>>,
    hits: Vec<StringHit>,
    total: u64,
    /// True if the hits belong to the previous text.
    stale: bool,
    note: Option<String>,
}

impl StringSearch {
    /// Cancels the search.
    pub fn stop(&mut self) {
        *self = Self::default();
    }

    /// Starts a search for the text if `now` is after the pause, and takes over its results. Returns the seconds until
    /// the next call is due.
    pub fn tick(
        &mut self,
        key: u64,
        open_dump: &OpenDump,
        jobs: &Jobs,
        (text, is_only): (&str, bool),
        now: f64,
    ) -> Option<f64> {
        let letters = text.chars().count();
        if letters < if is_only { 1 } else { MIN_LETTERS } {
            self.stop();
            return None;
        }
        if self.query.as_ref().is_none_or(|(of, query)| *of != key || query != text) {
            // Previous hits that match the new text stay until new ones arrive.
            let same = self.query.as_ref().is_some_and(|(of, _)| *of == key);
            let (mut hits, typed) = (std::mem::take(&mut self.hits), text.to_lowercase());
            hits.retain(|hit| same && hit.text.to_lowercase().contains(&typed));
            let (query, total) = (Some((key, text.to_owned())), hits.len() as u64);
            *self = Self { query, since: now, hits, total, stale: true, ..Self::default() };
        }
        if self.job.is_none() && self.arriving.is_none() && self.note.is_none() {
            let pause = if letters < MIN_LETTERS { PAUSE.1 } else { PAUSE.0 };
            let left = self.since + pause - now;
            if left > 0.0 {
                return Some(left);
            }
            self.begin(open_dump, jobs, text);
        }
        self.take();
        None
    }

    fn begin(&mut self, dump: &OpenDump, jobs: &Jobs, text: &str) {
        let query = match TextFilter::parse(text) {
            Ok(query) => query,
            Err(why) => {
                self.note = Some(why);
                return;
            }
        };
        let (sender, arriving) = crossbeam_channel::unbounded();
        let (dump, waker, text) = (dump.clone(), jobs.clone(), text.to_lowercase());
        self.arriving = Some(arriving);
        self.job = Some(jobs.start("search strings", move |task| {
            let (mut hit_count, mut compared) = ((0, 0), 0);
            let mut report = |objects: Vec<ObjectId>| {
                let mut hits = Vec::new();
                for &object in &objects {
                    let full = hit_count.0 >= MAX_HITS && hit_count.1 >= MAX_HITS;
                    if full || compared >= MAX_COMPARED || task.is_cancelled() {
                        break;
                    }
                    compared += 1;
                    let hit = read(&dump, object, &query, &text);
                    let hit_count = if hit.fit.tier == Tier::Exact { &mut hit_count.0 } else { &mut hit_count.1 };
                    *hit_count += 1;
                    if *hit_count <= MAX_HITS {
                        hits.push(hit);
                    }
                }
                // If the receiver is gone, the job ends at its next checkpoint.
                let _unwanted = sender.send((hits, objects.len() as u64));
                waker.wake();
            };
            Ok(search(dump.data(), &query, task, &mut report)?)
        }));
    }

    fn take(&mut self) {
        let ended = self.job.as_ref().and_then(Job::poll);
        let mut new = false;
        let arrived: Vec<(Vec<StringHit>, u64)> = self.arriving.iter().flat_map(Receiver::try_iter).collect();
        if (ended.is_some() || !arrived.is_empty()) && std::mem::take(&mut self.stale) {
            self.hits.clear();
            self.total = 0;
        }
        for (hits, objects) in arrived {
            new |= !hits.is_empty();
            self.hits.extend(hits);
            self.total += objects;
        }
        if new {
            self.hits.sort_by_key(|hit| (hit.fit, hit.object));
            self.hits.truncate(MAX_HITS);
        }
        let Some(ended) = ended else { return };
        self.job = None;
        self.note = match ended {
            Ok(searched) if searched.strings > 0 && searched.unreadable == searched.strings => {
                Some("String contents are not available: the file does not record them, or it is missing".to_owned())
            }
            Err(JobError::Failed(why)) => Some(why),
            _ => None,
        };
    }

    /// True while a search is running or about to start.
    pub fn is_running(&self) -> bool {
        self.job.is_some() || self.query.is_some() && self.arriving.is_none() && self.note.is_none()
    }

    /// Hits, with the progress of the search.
    pub fn hits(&self, dump: &OpenDump, most: usize) -> Hits {
        let hits = self.hits.iter().take(most).map(|hit| Hit {
            matched_parts: vec![hit.matched_parts.clone()],
            quoted: true,
            aside: dump.heap.id_text(hit.object),
            more: dump.analysis.retained(hit.object).to_string(),
            fit: hit.fit,
            ..Hit::plain(&*hit.text, HitTarget::Object(hit.object))
        });
        let running = self.job.as_ref().map(|job| job.task.progress());
        Hits { hits: hits.collect(), total: self.total, note: self.note.clone(), running }
    }
}

/// Excerpt of a string and the quality of its match.
fn read(dump: &OpenDump, object: ObjectId, query: &TextFilter, typed: &str) -> StringHit {
    let content = dump.contents.text(&dump.heap, object, CHARACTERS).unwrap_or_default();
    let tier = match query.first_in(&content) {
        Some(range) if range == (0..content.len()) || content.to_lowercase() == typed => Tier::Exact,
        Some(range) if range.start == 0 => Tier::Prefix,
        _ => Tier::Inside,
    };
    let (text, range) = query.excerpt(&content, EXCERPT);
    StringHit { object, text, matched_parts: range, fit: Fit { tier, skipped: 0 } }
}
