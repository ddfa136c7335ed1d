//! How sure it is that a finding is a leak: a logistic regression over its evidence.
//!
//! The weight of a piece of evidence is what it adds to the logarithm of the odds, given the others. The weights were
//! fitted on the dumps of `benches/corpus`, of all collectors, by its `weigh.py`, and checked on programs that were left
//! out of the fit: what a finding states is how often such findings are true. Findings are ranked by certainty times
//! the eighth root of the bytes freed, so that neither a large table filled at start nor a certain trifle comes first.

use super::evidence::{Evidence, Novelty};
use super::finding::LeakFinding;

/// Logarithm of the odds of a finding without any evidence.
const BASE: f64 = -3.5;

/// With a baseline, the estimate of a finding that did not grow is below this, and that of one that grew above.
const GROWN: f64 = 0.1;
/// Logarithm of the odds of a finding that grew, without any further evidence. This and the weights of growth are fitted by
/// `benches/corpus/weigh_growth.py`.
const GROWN_BASE: f64 = 1.0;
/// Weights of growth: the percentage of all growth that it explains, at least.
const SHARES: [(u8, f64); 3] = [(50, 2.2), (5, -0.3), (0, -0.8)];
/// Weight of growth that is less than this part of the earlier size: a structure that was large before.
const LITTLE: f64 = -1.8;
const LITTLE_PART: u64 = 7;
/// Weight of entries that were replaced. An estimate: few findings have it.
const REPLACED: f64 = -1.2;
/// Weight of growth of a structure whose size is limited: it was not full yet. An estimate.
const LIMITED: f64 = -2.0;
/// Part of the weight that evidence of one dump has beside growth.
const BESIDE_GROWTH: f64 = 0.6;

/// Findings with less certainty are ranked by size alone.
const UNLIKELY: f64 = 0.02;
/// Certainties between these tell little.
const UNCERTAIN: f64 = 0.03;
const LIKELY: f64 = 0.6;

/// Weights of the age: the percentage of other objects that were allocated before nine tenths of its own, at least. An
/// age that is only likely weighs as much, by measurement. What is rather new may be either.
const AGES: [(u8, f64); 6] = [(99, 1.7), (97, 1.4), (87, -0.4), (70, -0.7), (50, -0.9), (0, -1.6)];

/// Weights by [`Evidence::key`]. The last ones, which few findings have, are estimates; what weighs about nothing is left
/// out, as similar entries do. *Never removed* is true of nearly all tables filled at start, and of few leaks: a program
/// that forgets some entries removes the others. Objects of a library count for nothing: libraries leak, too, and it
/// tells whom to ask.
const WEIGHTS: [(&str, f64); 19] = [
    ("known pattern", 2.2),
    ("hold functions", 2.1),
    ("functions", 1.6),
    ("refer to others", 1.2),
    ("nearly all", 1.4),
    ("creation times", 1.3),
    ("can grow", 1.0),
    ("recent", 1.0),
    ("earlier creation times", -0.6),
    ("never removed", -0.8),
    ("not recent", -0.8),
    ("of runtime", -1.0),
    ("single array", -0.5),
    ("fixed capacity", -1.2),
    ("limit", -2.7),
    ("loaders", 3.5),
    ("waiting", 3.0),
    ("in threads", 1.2),
    ("enclosing object", 1.0),
];

/// The estimate for some evidence, from 0 to 1.
pub(super) fn certainty(evidence: &[Evidence]) -> f64 {
    let of_age = |last: u8| AGES.iter().find(|(least, _)| last >= *least).map_or(0.0, |(_, weight)| *weight);
    let weight = |sign: &Evidence| match *sign {
        // What was added over a long time may be either.
        _ if sign.novelty() == Some(Novelty::OverTime) => 0.0,
        Evidence::Allocated(_, last) | Evidence::LikelyAllocated(_, last) => of_age(last),
        _ => WEIGHTS.iter().find(|(key, _)| *key == sign.key()).map_or(0.0, |(_, weight)| *weight),
    };
    let odds = BASE + evidence.iter().map(weight).sum::<f64>();
    1.0 / (1.0 + (-odds).exp())
}

/// The estimate with a baseline, given that of the later dump alone. Growth dominates it: how much of all growth it is, and
/// of the earlier size.
pub(super) fn with_growth(alone: f64, evidence: &[Evidence]) -> f64 {
    let Some(odds) = evidence.iter().find_map(odds_of_growth) else { return alone };
    if odds.is_infinite() {
        return alone * GROWN;
    }
    let limited = if evidence.iter().any(Evidence::is_limit) { LIMITED } else { 0.0 };
    let beside = BESIDE_GROWTH * (alone.max(UNLIKELY).ln() - (1.0 - alone).max(UNLIKELY).ln());
    GROWN + (1.0 - GROWN) / (1.0 + (-(odds + limited + beside)).exp())
}

/// Logarithm of the odds of a finding with this growth alone; minus infinity if it did not grow, or by code alone. `None` of
/// other evidence.
fn odds_of_growth(sign: &Evidence) -> Option<f64> {
    let (data, share, is_replaced, before) = match *sign {
        Evidence::Grew { grown, code, share, is_replaced, bytes: (before, _), .. } => {
            (grown.0.saturating_sub(code.0), share, is_replaced, before.0)
        }
        Evidence::DidNotGrow { .. } => (0, 0, false, 0),
        _ => return None,
    };
    if data == 0 {
        return Some(f64::NEG_INFINITY);
    }
    let of_share = SHARES.iter().find(|(least, _)| share >= *least).map_or(0.0, |(_, weight)| *weight);
    let little = if data.saturating_mul(LITTLE_PART) < before { LITTLE } else { 0.0 };
    let replaced = if is_replaced { REPLACED } else { 0.0 };
    Some(GROWN_BASE + of_share + little + replaced)
}

impl LeakFinding {
    /// True if it is likely a leak; else it is a suspect.
    pub fn is_likely(&self) -> bool {
        self.certainty >= LIKELY
    }

    /// The rank of a finding within its group: what cutting it frees, and how sure it is.
    pub fn score(&self) -> f64 {
        self.certainty.max(UNLIKELY) * (self.frees.0 as f64).sqrt().sqrt().sqrt()
    }

    /// What the finding weighs against another that has it within: there, bytes count for more than in the ranking.
    pub(super) fn weight(&self) -> f64 {
        self.certainty.max(UNLIKELY) * (self.frees.0 as f64).sqrt()
    }

    /// True if the dump does not tell whether the memory grows: an earlier dump would.
    pub fn is_uncertain(&self) -> bool {
        (UNCERTAIN..LIKELY).contains(&self.certainty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heaplens_base::Bytes;

    fn grew(grown: u64, share: u8, before: u64) -> Evidence {
        let bytes = (Bytes(before), Bytes(before + grown));
        Evidence::Grew { grown: Bytes(grown), code: Bytes(0), share, is_replaced: false, bytes, objects: (1, 2) }
    }

    #[test]
    fn what_grew_is_above_all_that_did_not() {
        let did_not = Evidence::DidNotGrow { bytes: (Bytes(9), Bytes(9)), objects: (1, 1) };
        for alone in [0.0, 0.02, 0.5, 0.98, 1.0] {
            assert!(with_growth(alone, std::slice::from_ref(&did_not)) <= 0.1);
            let of_code = Evidence::Grew {
                grown: Bytes(9),
                code: Bytes(9),
                share: 0,
                is_replaced: false,
                bytes: (Bytes(9), Bytes(18)),
                objects: (1, 2),
            };
            assert!(with_growth(alone, &[of_code]) <= 0.1);
            for (grown, share, before) in [(9, 100, 9), (9, 0, 9), (9, 0, 9_000), (9, 60, 9_000)] {
                assert!(with_growth(alone, &[grew(grown, share, before)]) > 0.1, "{alone} {grown} {share} {before}");
            }
        }
    }

    #[test]
    fn growth_that_is_little_of_a_large_structure_tells_less() {
        let of = |grown, share, before| with_growth(0.1, &[grew(grown, share, before)]);
        assert!(of(100, 60, 100) > of(100, 60, 1_000) && of(100, 60, 100) > of(100, 4, 100));
        assert!(of(100, 60, 100) > 0.6 && of(100, 4, 1_000) < 0.3);
    }

    /// Evidence of each key that has a weight.
    fn all() -> Vec<Evidence> {
        let text = String::new;
        vec![
            Evidence::NearlyAll(text(), 1, 1),
            Evidence::Grows(text()),
            Evidence::Room(1, 2),
            Evidence::Recent(1),
            Evidence::Made(text(), 0, 1),
            Evidence::MadeBefore(text(), 1, 2),
            Evidence::NotRecent(1),
            Evidence::NeverRemoved(1),
            Evidence::OfRuntime,
            Evidence::OneSize(1),
            Evidence::SingleArray(1),
            Evidence::Bound(text(), 1),
            Evidence::WeightBound(text(), 1, 1),
            Evidence::Evicts(1),
            Evidence::Generations(text()),
            Evidence::Loaders { count: 2, class: text(), twice: None },
            Evidence::Waiting(1, 1),
            Evidence::InThreads(2),
            Evidence::Outer(text(), 1, 1),
            Evidence::Functions(text(), 1, 1),
            Evidence::HoldFunctions(text(), 1, 1),
            Evidence::Refer(text(), 1, 1),
            Evidence::Known(text()),
        ]
    }

    #[test]
    fn what_lowers_the_certainty_is_no_reason_for_it() {
        let none = certainty(&[]);
        let spans = [0, 30].into_iter().flat_map(|first| (first..=100).map(move |last| (first, last)));
        let ages =
            spans.flat_map(|(first, last)| [Evidence::Allocated(first, last), Evidence::LikelyAllocated(first, last)]);
        let others = [Evidence::OfLibrary(None), Evidence::Alike(1, Bytes(1), Bytes(1)), Evidence::Removed(1, 1)];
        for sign in all().into_iter().chain(ages).chain(others) {
            let alone = certainty(std::slice::from_ref(&sign));
            let is_right = if sign.is_for() { alone >= none } else { alone <= none };
            assert!(is_right, "{sign:?}: {alone} of {none}");
        }
        assert!(all().iter().all(|sign| WEIGHTS.iter().any(|(key, _)| *key == sign.key())));
        assert!(WEIGHTS.iter().all(|(key, _)| all().iter().any(|sign| sign.key() == *key)));
    }
}
