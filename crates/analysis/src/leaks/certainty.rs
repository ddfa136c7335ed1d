//! How sure it is that a finding is a leak: a logistic regression over its evidence.
//!
//! The weight of a piece of evidence is what it adds to the logarithm of the odds, given the others. The weights were
//! fitted on the dumps of `benches/corpus`, of all collectors, by its `weigh.py`, and checked on programs that were left
//! out of the fit: what a finding states is how often such findings are true. Findings are ranked by certainty times
//! the cube root of the bytes freed, so that neither a large table filled at start nor a certain trifle comes first.

use super::evidence::Evidence;
use super::finding::LeakFinding;

/// Logarithm of the odds of a finding without any evidence.
const BASE: f64 = -3.0;

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
const UNLIKELY: f64 = 0.02;
/// Certainties between these tell little.
const UNCERTAIN: f64 = 0.1;
const LIKELY: f64 = 0.6;

/// Weights of the age: the percentage of other objects that were allocated before nine tenths of its own, at least. An
/// age that is only likely weighs as much, by measurement.
const AGES: [(u8, f64); 7] = [(99, 2.1), (97, 1.4), (92, -0.2), (87, -0.2), (70, -1.3), (50, -1.4), (0, -1.8)];

/// Weights by [`Evidence::key`]. The last ones, which few findings have, are estimates; what weighs about nothing is left
/// out, as similar entries do. *Never removed* is true of nearly all tables filled at start, and of few leaks: a program
/// that forgets some entries removes the others. Objects of a library count for nothing: libraries leak, too, and it
/// tells whom to ask.
const WEIGHTS: [(&str, f64); 14] = [
    ("nearly all", 2.1),
    ("can grow", 1.2),
    ("recent", 1.0),
    ("creation times", 0.4),
    ("not recent", -0.9),
    ("never removed", -0.9),
    ("of runtime", -1.0),
    ("fixed capacity", -1.0),
    ("single array", -1.0),
    ("limit", -3.0),
    ("loaders", 3.5),
    ("waiting", 3.0),
    ("in threads", 1.5),
    ("enclosing object", 1.0),
];

/// The estimate for some evidence, from 0 to 1.
pub(super) fn certainty(signs: &[Evidence]) -> f64 {
    let of_age = |last: u8| AGES.iter().find(|(least, _)| last >= *least).map_or(0.0, |(_, weight)| *weight);
    let weight = |sign: &Evidence| match *sign {
        Evidence::Allocated(_, last) | Evidence::LikelyAllocated(_, last) => of_age(last),
        _ => WEIGHTS.iter().find(|(key, _)| *key == sign.key()).map_or(0.0, |(_, weight)| *weight),
    };
    let odds = BASE + signs.iter().map(weight).sum::<f64>();
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
        self.certainty.max(UNLIKELY) * (self.frees.0 as f64).cbrt()
    }

    /// True if the dump does not tell whether the memory grows: an earlier dump would.
    pub fn is_uncertain(&self) -> bool {
        (UNCERTAIN..LIKELY).contains(&self.certainty)
    }
}
