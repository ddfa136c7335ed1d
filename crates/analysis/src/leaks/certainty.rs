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

impl LeakFinding {
    /// The rank of a finding within its group: what cutting it frees, and how sure it is.
    pub fn score(&self) -> f64 {
        self.certainty.max(UNLIKELY) * (self.frees.0 as f64).sqrt()
    }

    /// True if the dump does not tell whether the memory grows: an earlier dump would.
    pub fn is_uncertain(&self) -> bool {
        (UNCERTAIN..LIKELY).contains(&self.certainty)
    }
}
