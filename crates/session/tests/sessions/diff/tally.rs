//! Match results for the objects of a generated program, compared with the truth.

use std::collections::{BTreeMap, HashMap};

use heaplens_analysis::DumpData;
use heaplens_analysis::diff::Comparison;
use heaplens_analysis::diff::matches::Confidence;
use heaplens_analysis::diff::{MatchMethod, MatchStatus};
use heaplens_heap::ObjectId;
use heaplens_testkit::world::PartKey;

use super::programs::Case;

/// Holders of each object, with the reference.
type Holders = HashMap<ObjectId, Vec<(ObjectId, String)>>;

/// Match results of many cases.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Objects that the program kept.
    in_both: u64,
    /// Of these, correctly matched ones, by match method.
    right: BTreeMap<MatchMethod, u64>,
    /// Matched to another that is alike in all it holds, and held by the same.
    twins: u64,
    /// Removed, and matched to an equal object added elsewhere: only its holder differs.
    coincidences: u64,
    /// Matched to the replacement in the same field or under the same key.
    replaced: u64,
    /// Guessed, and wrongly.
    misguessed: BTreeMap<MatchMethod, u64>,
    /// Reported as added or removed, though in both heaps.
    removed: u64,
    /// Unmatched, though in both heaps.
    unknown: u64,
    /// Definite errors.
    pub(super) wrong: Vec<String>,
    /// First lost or wrongly matched objects, for debugging.
    pub(super) examples: Vec<String>,
}

impl Tally {
    /// Counts one case.
    pub(super) fn add(&mut self, case: &Case, actual: &Comparison) {
        let holders = (case.before.holders(), case.after.holders());
        for (part, before) in case.before.parts() {
            let truth = case.after.object(part);
            self.in_both += u64::from(truth.is_some());
            match (actual.matches.match_status_of_before(before), truth) {
                (MatchStatus::Matched(other, method), Some(truth)) if other == truth => {
                    *self.right.entry(method).or_default() += 1;
                }
                (MatchStatus::Matched(other, method), _) => {
                    self.doubt(case, actual, &holders, (part, before), (other, method));
                }
                (MatchStatus::Alone, Some(_)) => {
                    self.removed += 1;
                    self.examples.push(format!("{}: {} is lost", case.name, case.before.content_of(part, 2)));
                }
                (MatchStatus::Unknown, Some(_)) => self.unknown += 1,
                (MatchStatus::Alone | MatchStatus::Unknown, None) => {}
            }
        }
    }

    /// A match that is not with itself: may it be?
    fn doubt(
        &mut self,
        case: &Case,
        actual: &Comparison,
        holders: &(Holders, Holders),
        (part, before): (PartKey, ObjectId),
        (after, method): (ObjectId, MatchMethod),
    ) {
        let one = holders.0.get(&before).into_iter().flatten();
        let held_by = |same_step: bool| {
            one.clone().any(|(holder, step)| {
                let holder = actual.matches.after(*holder);
                let two = holders.1.get(&after).into_iter().flatten();
                two.into_iter().any(|(other, by)| Some(*other) == holder && (!same_step || by == step))
            })
        };
        let other = case.after.part(after).map(|other| case.after.content_of(other, 3));
        let content = case.before.content_of(part, 3);
        let is_owned_alike = || {
            let matched = |object: ObjectId| actual.matches.after(object);
            let owner = owner(case.pair().before, before, |object| matched(object).is_some());
            owner.and_then(matched)
                == self::owner(case.pair().after, after, |object| actual.matches.before(object).is_some())
        };
        // Equal objects at one address cannot be distinguished.
        if other.as_ref() == Some(&content) && (method == MatchMethod::Address || held_by(false) || is_owned_alike()) {
            self.twins += 1;
        } else if held_by(true) {
            self.replaced += 1;
        } else if other.as_ref() == Some(&content) && case.after.object(part).is_none() {
            self.coincidences += 1;
        } else {
            let truth = if case.after.object(part).is_some() { "is there" } else { "is gone" };
            let by_holder = format!(
                "{}:\n    {content} {truth}, matched by {method:?} to\n    {}",
                case.name,
                other.unwrap_or_default()
            );
            if method.confidence() == Confidence::Guess {
                *self.misguessed.entry(method).or_default() += 1;
                self.examples.push(by_holder);
            } else {
                self.wrong.push(by_holder);
            }
        }
    }

    /// Kept objects that are unmatched, and removed ones matched by coincidence, per ten thousand kept objects.
    pub(super) fn per_ten_thousand(&self) -> (u64, u64) {
        let share = |count: u64| count * 10_000 / self.in_both.max(1);
        (share(self.removed + self.unknown), share(self.coincidences))
    }

    /// Right and wrong guesses of a match method.
    pub(super) fn guesses(&self, method: MatchMethod) -> (u64, u64) {
        let count = |of: &BTreeMap<MatchMethod, u64>| of.get(&method).copied().unwrap_or(0);
        (count(&self.right), count(&self.misguessed))
    }

    /// All but the examples, on a line.
    pub(super) fn line(&self) -> String {
        let Self { in_both: stored, right, twins, coincidences, replaced, misguessed, removed, unknown, wrong, .. } =
            self;
        format!(
            "{stored} kept, right {right:?}, twins {twins}, coincidences {coincidences}, replaced {replaced}, \
             misguessed {misguessed:?}, lost {removed}, unknown {unknown}, wrong {}",
            wrong.len()
        )
    }
}

/// The nearest dominator that is matched.
fn owner(side: DumpData<'_>, object: ObjectId, is_matched: impl Fn(ObjectId) -> bool) -> Option<ObjectId> {
    let above = |&object: &ObjectId| side.analysis.immediate_dominator(object);
    std::iter::successors(above(&object), above).find(|&object| is_matched(object))
}
