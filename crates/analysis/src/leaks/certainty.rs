//! How sure it is that a finding is a leak: a naive Bayes estimate over its evidence.
//!
//! The weight of a piece of evidence is the logarithm of its odds among true leaks over those among other findings,
//! measured on the dumps of `benches/corpus` by its `weigh.py`. Findings are ranked by certainty times the square root
//! of the bytes freed, so that neither a large table filled at start nor a certain trifle comes first.

use super::evidence::Evidence;
use super::finding::LeakFinding;

/// Logarithm of the odds of a finding without any evidence.
const BASE: f64 = -1.9;
/// Weight of a location without an age in a heap of which the order of allocation is known: it has few objects.
const AGELESS: f64 = -2.0;

/// With a baseline, the estimate of a finding that did not grow is below this, and that of one that grew above.
const GROWN: f64 = 0.1;
/// Logarithm of the odds of a finding that grew, without any further evidence.
const GROWN_BASE: f64 = -0.7;
/// Weights of growth: the percentage of all growth that it explains, at least. Estimates.
const SHARES: [(u8, f64); 5] = [(50, 2.5), (20, 1.7), (5, 0.6), (1, -0.9), (0, -2.5)];
/// Weight of entries that were only added, and of those that were replaced.
const ADDED: f64 = 0.8;
const REPLACED: f64 = -1.2;
/// Weight of growth of a structure whose size is limited: it was not full yet.
const LIMITED: f64 = -2.0;
/// Part of the weight that evidence of one dump has beside growth.
const BESIDE_GROWTH: f64 = 0.3;

/// Findings with less certainty are ranked by size alone.
const UNLIKELY: f64 = 0.05;
/// Certainties between these tell little.
const UNCERTAIN: f64 = 0.1;
const LIKELY: f64 = 0.6;

/// Weights of the age: the percentage of other objects that were allocated before nine tenths of its own, at least.
const AGES: [(u8, f64); 7] = [(99, 2.8), (97, 1.4), (92, 0.5), (87, -0.4), (70, -1.6), (50, -3.7), (0, -4.3)];

/// Weights by [`Evidence::key`]. Measured where at least 15 findings have the evidence; the last ones are estimates, and
/// evidence that only few findings have is left out. Objects of a library count for nothing: libraries leak, too, and it
/// tells whom to ask. Removed entries count for nothing: a program that forgets some removes the others.
const WEIGHTS: [(&str, f64); 14] = [
    ("recent", 1.4),
    ("not recent", -1.6),
    ("nearly all", 1.1),
    ("can grow", 0.9),
    ("alike", 0.8),
    ("of runtime", -1.6),
    ("fixed capacity", -1.2),
    ("single array", -1.7),
    ("limit", -4.0),
    ("taken from", -1.0),
    ("loaders", 2.5),
    ("waiting", 2.0),
    ("creation times", 1.5),
    ("enclosing object", 1.0),
];

/// The estimate for some evidence, from 0 to 1. `is_age_expected`: whether the heap would tell the age of a location with
/// many objects.
pub(super) fn certainty(signs: &[Evidence], is_age_expected: bool) -> f64 {
    let weight = |sign: &Evidence| match *sign {
        Evidence::Allocated(_, last) => {
            AGES.iter().find(|(least, _)| last >= *least).map_or(0.0, |(_, weight)| *weight)
        }
        _ => WEIGHTS.iter().find(|(key, _)| *key == sign.key()).map_or(0.0, |(_, weight)| *weight),
    };
    let has_age = signs.iter().any(|sign| matches!(sign, Evidence::Allocated(..)));
    let age = if is_age_expected && !has_age { AGELESS } else { 0.0 };
    let odds = BASE + age + signs.iter().map(weight).sum::<f64>();
    1.0 / (1.0 + (-odds).exp())
}

/// The estimate with a baseline, given that of the later dump alone. Growth dominates it: how much of all growth it is,
/// and how.
pub(super) fn with_growth(alone: f64, signs: &[Evidence]) -> f64 {
    let growth = signs.iter().find_map(|sign| match *sign {
        Evidence::Grew { grown, code, share, is_replaced, .. } => Some((code.0 >= grown.0, share, is_replaced)),
        Evidence::DidNotGrow { .. } => Some((true, 0, false)),
        _ => None,
    });
    let Some((is_nothing, share, is_replaced)) = growth else { return alone };
    if is_nothing {
        return alone * GROWN;
    }
    let of_share = SHARES.iter().find(|(least, _)| share >= *least).map_or(0.0, |(_, weight)| *weight);
    let turnover = if is_replaced { REPLACED } else { ADDED };
    let limited = if signs.iter().any(Evidence::is_limit) { LIMITED } else { 0.0 };
    let beside = BESIDE_GROWTH * (alone.max(UNLIKELY).ln() - (1.0 - alone).max(UNLIKELY).ln());
    let odds = GROWN_BASE + of_share + turnover + limited + beside;
    GROWN + (1.0 - GROWN) / (1.0 + (-odds).exp())
}

impl LeakFinding {
    /// True if it is likely a leak; else it is a suspect.
    pub fn is_likely(&self) -> bool {
        self.certainty >= LIKELY
    }

    /// The rank of a finding within its group: what cutting it frees, and how sure it is.
    pub fn score(&self) -> f64 {
        self.certainty.max(UNLIKELY) * (self.frees.0 as f64).sqrt()
    }

    /// True if the dump does not tell whether the memory grows: an earlier dump would.
    pub fn is_uncertain(&self) -> bool {
        (UNCERTAIN..LIKELY).contains(&self.certainty)
    }
}
