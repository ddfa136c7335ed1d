//! Classes by their name, however many there are: compared in the background, at every key anew among those that
//! the text before left over. Which letters are in a name is worked out once for all.

use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

use super::matching::{Fit, Matcher, Tier, mask};
use super::offers::Offer;
use crate::heap::ids::ClassId;
use crate::session::jobs::Jobs;
use crate::session::slot::Slot;
use crate::task::{Cancelled, Task};
use crate::ui::command::Command;
use crate::ui::location::DumpKey;
use crate::ui::view_context::OpenDump;
use crate::ui::widgets::object_link::split_class;
use crate::units::{Bytes, Count};

/// Classes that are kept of an answer; the others are only counted.
const MOST: usize = 200;
/// Names compared between two checkpoints.
const BLOCK: usize = 1 << 12;

/// Looks for classes of one dump.
#[derive(Default)]
pub(super) struct ClassSearch {
    dump: Option<DumpKey>,
    masks: Arc<OnceLock<Vec<u64>>>,
    asked: Option<String>,
    found: Slot<Found>,
}

/// Classes whose names fit a text.
struct Found {
    text: String,
    best: Vec<ClassId>,
    total: u64,
    /// All that fit in any way.
    passing: Arc<Vec<ClassId>>,
}

impl ClassSearch {
    /// Asks for what is wanted now, and takes in what has come.
    pub(super) fn tick(&mut self, dump: DumpKey, answers: &OpenDump, jobs: &Jobs, text: &str) {
        if self.dump != Some(dump) {
            *self = Self { dump: Some(dump), ..Self::default() };
        }
        self.found.poll();
        if self.asked.as_deref() == Some(text) {
            return;
        }
        self.asked = Some(text.to_owned());
        let before = self.found.get().filter(|f| !f.text.is_empty() && text.starts_with(&*f.text));
        let among = before.map(|found| found.passing.clone());
        let (masks, answers, text) = (self.masks.clone(), answers.clone(), text.to_owned());
        self.found.ask(jobs, "find classes", move |task| {
            let masks = masks.get_or_init(|| answers.heap.classes.all().iter().map(|c| mask(&c.name)).collect());
            Ok(find(&answers, masks, text, among.as_deref().map(Vec::as_slice), task)?)
        });
    }

    /// Nothing is wanted any more.
    pub(super) fn stop(&mut self) {
        if self.found.is_running() {
            (self.asked, self.found) = (None, Slot::default());
        }
    }

    /// Whether the answer is not there yet.
    pub(super) fn is_running(&self) -> bool {
        self.found.is_running()
    }

    /// The best of them for the text of `matcher`, and how many there are. While the answer is on its way, those of
    /// the text before that fit this one too.
    pub(super) fn offers(&self, answers: &OpenDump, matcher: &mut Matcher, most: usize) -> (Vec<Offer>, u64) {
        let Some(found) = self.found.get() else { return (Vec::new(), 0) };
        let offer = |&class: &ClassId| offer(answers, class, matcher);
        let offers: Vec<Offer> = found.best.iter().filter_map(offer).take(most).collect();
        let total = if self.is_running() { offers.len() as u64 } else { found.total };
        (offers, total)
    }
}

/// The row of a class.
fn offer(answers: &OpenDump, class: ClassId, matcher: &mut Matcher) -> Option<Offer> {
    let row = answers.heap.classes.get(class);
    let package = split_class(&row.name).0.len();
    let fit =
        if matcher.is_empty() { Fit { tier: Tier::Scattered, skipped: 0 } } else { matcher.fit(&row.name, package)? };
    let objects = answers.analyzed.class_totals(class).objects;
    let (command, more) = match row.object {
        Some(object) if objects == 0 => {
            (Command::Select(object), format!("class object · {}", answers.analyzed.retained(object)))
        }
        _ => {
            let noun = if objects == 1 { "object" } else { "objects" };
            let retained = answers.analyzed.class_retained(class);
            (Command::ObjectsOf(class), format!("{} {noun} · {retained}", Count(objects)))
        }
    };
    let found = matcher.found();
    Some(Offer { package, found, more, fit, ..Offer::plain(&*row.name, command) })
}

/// Finds classes, best first: the way in which they fit, the words between, shorter names, more objects, names.
/// Those that only have the letters count where there is nothing better. Without a text it is the biggest ones.
fn find(
    answers: &OpenDump,
    masks: &[u64],
    text: String,
    among: Option<&[ClassId]>,
    task: &Task,
) -> Result<Found, Cancelled> {
    let (heap, analyzed) = (&answers.heap, &answers.analyzed);
    let mut matcher = Matcher::new(&text);
    let (mut ranked, mut passing) = (Vec::new(), Vec::new());
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
            let (row, objects) = (heap.classes.get(class), analyzed.class_totals(class).objects);
            if objects == 0 && row.object.is_none() {
                continue;
            }
            let package = split_class(&row.name).0.len();
            let (fit, first) = if matcher.is_empty() {
                (Fit { tier: Tier::Words, skipped: 0 }, Reverse(analyzed.class_retained(class)))
            } else {
                let Some(fit) = matcher.fit(&row.name, package) else { continue };
                (fit, Reverse(Bytes(0)))
            };
            passing.push(class);
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
    if ranked.len() > MOST {
        ranked.select_nth_unstable_by(MOST, order);
        ranked.truncate(MOST);
    }
    ranked.sort_unstable_by(order);
    let best = ranked.into_iter().map(|(.., class)| class).collect();
    Ok(Found { text, best, total, passing: Arc::new(passing) })
}
