//! Strings by what they say: read in the background, shown as they are found. It begins after a pause in typing,
//! since every text of the dump has to be read, and ends when something else is wanted.

use std::ops::Range;

use crossbeam_channel::Receiver;

use super::matching::{Fit, Tier};
use super::offers::{Group, Kind, Offer};
use crate::analysis::filter::TextFilter;
use crate::analysis::search::{CHARACTERS, SearchResult, search};
use crate::heap::ids::ObjectId;
use crate::session::jobs::{Job, JobError, Jobs};
use crate::ui::command::Command;
use crate::ui::location::DumpKey;
use crate::ui::view_context::OpenDump;

/// Letters from which on a text is looked for among everything else.
const LETTERS: usize = 3;
/// Seconds without a key before a search begins: for that many letters, and for fewer.
const PAUSE: (f64, f64) = (0.2, 0.6);
/// Strings that are kept; the others are only counted.
const MOST: usize = 200;
/// Strings whose text is compared with what was typed: those that say no more than that come first.
const COMPARED: usize = 10_000;
/// Characters of a text that are shown.
const SHOWN: usize = 120;

/// A string that says it.
struct Hit {
    object: ObjectId,
    text: String,
    found: Range<usize>,
    fit: Fit,
}

/// Looks for strings of one dump.
#[derive(Default)]
pub(super) struct StringSearch {
    wanted: Option<(DumpKey, String)>,
    since: f64,
    job: Option<Job<SearchResult>>,
    arriving: Option<Receiver<(Vec<Hit>, u64)>>,
    hits: Vec<Hit>,
    total: u64,
    /// Hits are of the text before.
    stale: bool,
    note: Option<String>,
}

impl StringSearch {
    /// Gives up what is being looked for.
    pub(super) fn stop(&mut self) {
        *self = Self::default();
    }

    /// Asks for what is wanted at `now`, and takes in what has come. Says when to look again.
    pub(super) fn tick(
        &mut self,
        dump: DumpKey,
        answers: &OpenDump,
        jobs: &Jobs,
        (text, alone): (&str, bool),
        now: f64,
    ) -> Option<f64> {
        let letters = text.chars().count();
        if letters < if alone { 1 } else { LETTERS } {
            self.stop();
            return None;
        }
        if self.wanted.as_ref().is_none_or(|(of, wanted)| *of != dump || wanted != text) {
            // Of what was found before, what says this too stays until there is something new.
            let same = self.wanted.as_ref().is_some_and(|(of, _)| *of == dump);
            let (mut hits, typed) = (std::mem::take(&mut self.hits), text.to_lowercase());
            hits.retain(|hit| same && hit.text.to_lowercase().contains(&typed));
            let (wanted, total) = (Some((dump, text.to_owned())), hits.len() as u64);
            *self = Self { wanted, since: now, hits, total, stale: true, ..Self::default() };
        }
        if self.job.is_none() && self.arriving.is_none() && self.note.is_none() {
            let pause = if letters < LETTERS { PAUSE.1 } else { PAUSE.0 };
            let left = self.since + pause - now;
            if left > 0.0 {
                return Some(left);
            }
            self.begin(answers, jobs, text);
        }
        self.take();
        None
    }

    fn begin(&mut self, answers: &OpenDump, jobs: &Jobs, text: &str) {
        let wanted = match TextFilter::parse(text) {
            Ok(wanted) => wanted,
            Err(why) => {
                self.note = Some(why);
                return;
            }
        };
        let (sender, arriving) = crossbeam_channel::unbounded();
        let (answers, waker, text) = (answers.clone(), jobs.clone(), text.to_lowercase());
        self.arriving = Some(arriving);
        self.job = Some(jobs.start("search strings", move |task| {
            let (mut kept, mut compared) = ((0, 0), 0);
            let mut tell = |objects: Vec<ObjectId>| {
                let mut hits = Vec::new();
                for &object in &objects {
                    let full = kept.0 >= MOST && kept.1 >= MOST;
                    if full || compared >= COMPARED || task.is_cancelled() {
                        break;
                    }
                    compared += 1;
                    let hit = read(&answers, object, &wanted, &text);
                    let kept = if hit.fit.tier == Tier::Exact { &mut kept.0 } else { &mut kept.1 };
                    *kept += 1;
                    if *kept <= MOST {
                        hits.push(hit);
                    }
                }
                // Nobody may be listening any more; then the job ends at its next checkpoint.
                let _unwanted = sender.send((hits, objects.len() as u64));
                waker.wake();
            };
            Ok(search(&answers.heap, &*answers.contents, &answers.analyzed, &wanted, task, &mut tell)?)
        }));
    }

    fn take(&mut self) {
        let ended = self.job.as_ref().and_then(Job::poll);
        let mut new = false;
        let arrived: Vec<(Vec<Hit>, u64)> = self.arriving.iter().flat_map(Receiver::try_iter).collect();
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
            self.hits.truncate(MOST);
        }
        let Some(ended) = ended else { return };
        self.job = None;
        self.note = match ended {
            Ok(searched) if searched.strings > 0 && searched.unreadable == searched.strings => {
                Some("String contents are not available: the dump file is missing".to_owned())
            }
            Err(JobError::Failed(why)) => Some(why),
            _ => None,
        };
    }

    /// Whether it is being looked for, or about to be.
    pub(super) fn is_running(&self) -> bool {
        self.job.is_some() || self.wanted.is_some() && self.arriving.is_none() && self.note.is_none()
    }

    /// The rows, and how far the search is.
    pub(super) fn group(&self, answers: &OpenDump, most: usize) -> Group {
        let offers = self.hits.iter().take(most).map(|hit| Offer {
            found: vec![hit.found.clone()],
            quoted: true,
            aside: answers.heap.id_text(hit.object),
            more: answers.analyzed.retained(hit.object).to_string(),
            fit: hit.fit,
            ..Offer::plain(&*hit.text, Command::Select(hit.object))
        });
        let running = self.job.as_ref().map(|job| job.task.progress());
        Group { total: self.total, note: self.note.clone(), running, ..Group::of(Kind::Strings, offers.collect()) }
    }
}

/// What is shown of a string, and whether it says just that.
fn read(answers: &OpenDump, object: ObjectId, wanted: &TextFilter, typed: &str) -> Hit {
    let whole = answers.contents.text(&answers.heap, object, CHARACTERS).unwrap_or_default();
    let tier = match wanted.first_in(&whole) {
        Some(found) if found == (0..whole.len()) || whole.to_lowercase() == typed => Tier::Exact,
        Some(found) if found.start == 0 => Tier::Prefix,
        _ => Tier::Inside,
    };
    let (text, found) = wanted.excerpt(&whole, SHOWN);
    Hit { object, text, found, fit: Fit { tier, skipped: 0 } }
}
