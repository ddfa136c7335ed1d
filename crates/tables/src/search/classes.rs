//! Classes by name: matched in the background, and after each key only among the previous matches. The letter masks of
//! all names are computed once.

use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

use super::hits::{Hit, HitTarget, Hits};
use super::matching::{Fit, Matcher, Tier, mask};
use heaplens_base::{Bytes, Cancelled, Count, Task};
use heaplens_heap::{ClassId, split_class};
use heaplens_session::{Jobs, OpenDump, Slot};

/// Maximum number of classes in a result; the others are only counted.
const MAX_RESULTS: usize = 200;
/// Number of names compared between two checkpoints.
const BLOCK: usize = 1 << 12;

/// Search for classes of one dump.
#[derive(Default)]
pub struct ClassSearch {
    key: Option<u64>,
    masks: Arc<OnceLock<Vec<u64>>>,
    requested: Option<String>,
    matches: Slot<ClassMatches>,
}

/// Classes with matching names.
struct ClassMatches {
    text: String,
    best: Vec<ClassId>,
    total: u64,
    /// All classes that match in any way.
    all_matches: Arc<Vec<ClassId>>,
}

impl ClassSearch {
    /// Starts a search if the text changed, and takes over its result.
    pub fn tick(&mut self, key: u64, open_dump: &OpenDump, jobs: &Jobs, text: &str) {
        if self.key != Some(key) {
            *self = Self { key: Some(key), ..Self::default() };
        }
        self.matches.poll();
        if self.requested.as_deref() == Some(text) {
            return;
        }
        self.requested = Some(text.to_owned());
        let before = self.matches.get().filter(|f| !f.text.is_empty() && text.starts_with(&*f.text));
        let among = before.map(|matches| matches.all_matches.clone());
        let (masks, open_dump, text) = (self.masks.clone(), open_dump.clone(), text.to_owned());
        self.matches.ask(jobs, "find classes", move |task| {
            let masks = masks.get_or_init(|| open_dump.heap.classes.all().iter().map(|c| mask(&c.name)).collect());
            Ok(find(&open_dump, masks, text, among.as_deref().map(Vec::as_slice), task)?)
        });
    }

    /// Cancels a running search.
    pub fn stop(&mut self) {
        if self.matches.is_running() {
            (self.requested, self.matches) = (None, Slot::default());
        }
    }

    /// True while a search is running.
    pub fn is_running(&self) -> bool {
        self.matches.is_running()
    }

    /// The best matches for the text of `matcher`, and the number of all matches. While a search is running, those of
    /// the previous result that still match.
    pub fn hits(&self, dump: &OpenDump, matcher: &mut Matcher, most: usize) -> Hits {
        let Some(matches) = self.matches.get() else { return Hits::default() };
        let hit = |&class: &ClassId| hit(dump, class, matcher);
        let hits = Hits::of(matches.best.iter().filter_map(hit).take(most).collect());
        if self.is_running() { hits } else { Hits { total: matches.total, ..hits } }
    }
}

/// Hit for a class.
fn hit(dump: &OpenDump, class: ClassId, matcher: &mut Matcher) -> Option<Hit> {
    let row = dump.heap.classes.get(class);
    let package = split_class(&row.name).0.len();
    let fit =
        if matcher.is_empty() { Fit { tier: Tier::Scattered, skipped: 0 } } else { matcher.fit(&row.name, package)? };
    let objects = dump.analysis.class_totals(class).objects;
    let (target, more) = match row.object {
        Some(object) if objects == 0 => {
            (HitTarget::Object(object), format!("class object · {}", dump.analysis.retained(object)))
        }
        _ => {
            let noun = if objects == 1 { "object" } else { "objects" };
            let retained = dump.analysis.class_retained(class);
            (HitTarget::Class(class), format!("{} {noun} · {retained}", Count(objects)))
        }
    };
    let matched_parts = matcher.matched_parts();
    Some(Hit { package, matched_parts, more, fit, ..Hit::plain(&*row.name, target) })
}

/// Finds classes, best first: by tier, number of skipped words, length of the name, number of objects, name. Matches of
/// scattered letters count only if there are no better ones. Without a text, the classes with the largest retained
/// size.
fn find(
    dump: &OpenDump,
    masks: &[u64],
    text: String,
    among: Option<&[ClassId]>,
    task: &Task,
) -> Result<ClassMatches, Cancelled> {
    let (heap, analysis) = (&dump.heap, &dump.analysis);
    let mut matcher = Matcher::new(&text);
    let (mut ranked, mut all_matches) = (Vec::new(), Vec::new());
    let all: Vec<ClassId>;
    let among = match among {
        Some(among) => among,
        None => {
            all = heap.classes.iter().map(|(class, _)| class).collect();
            &all
        }
    };
    for block in among.chunks(BLOCK) {
        task.checkpoint()?;
        for &class in block {
            if !masks.get(class.index()).is_some_and(|&mask| matcher.may_fit(mask)) {
                continue;
            }
            let (row, objects) = (heap.classes.get(class), analysis.class_totals(class).objects);
            if objects == 0 && row.object.is_none() {
                continue;
            }
            let package = split_class(&row.name).0.len();
            let (fit, first) = if matcher.is_empty() {
                (Fit { tier: Tier::Words, skipped: 0 }, Reverse(analysis.class_retained(class)))
            } else {
                let Some(fit) = matcher.fit(&row.name, package) else { continue };
                (fit, Reverse(Bytes(0)))
            };
            all_matches.push(class);
            ranked.push((fit, first, row.name.len() - package, Reverse(objects), class));
        }
    }
    if ranked.iter().any(|(fit, ..)| fit.tier < Tier::Scattered) {
        ranked.retain(|(fit, ..)| fit.tier < Tier::Scattered);
    }
    let total = ranked.len() as u64;
    let by_name = |class: &ClassId| &heap.classes.get(*class).name;
    let order = |a: &(Fit, Reverse<Bytes>, usize, Reverse<u64>, ClassId), b: &(_, _, _, _, ClassId)| {
        (a.0, a.1, a.2, a.3)
            .cmp(&(b.0, b.1, b.2, b.3))
            .then_with(|| by_name(&a.4).cmp(by_name(&b.4)))
            .then(a.4.cmp(&b.4))
    };
    if ranked.len() > MAX_RESULTS {
        ranked.select_nth_unstable_by(MAX_RESULTS, order);
        ranked.truncate(MAX_RESULTS);
    }
    ranked.sort_unstable_by(order);
    let best = ranked.into_iter().map(|(.., class)| class).collect();
    Ok(ClassMatches { text, best, total, all_matches: Arc::new(all_matches) })
}
