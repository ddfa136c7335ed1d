//! Rules for when a dump is due.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use heaplens_base::Bytes;

use super::rules::AlarmRules;
use super::scale::{Extent, Scale, Span};
use super::watched::Round;

/// Name of the sum over all classes, for processes without a histogram.
const HEAP: &str = "heap";

/// Why a dump is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Alarm {
    /// A class grew in every one of the last rounds, or of longer spans of rounds.
    Growth {
        /// The class; `heap` for the sum of all.
        class: String,
        /// Most bytes before these rounds.
        before: Bytes,
        /// Least bytes of the last round, or of the last span.
        after: Bytes,
        /// Number of rounds.
        rounds: usize,
    },
    /// The old generation is nearly full.
    OldGeneration {
        /// Bytes used.
        used: Bytes,
        /// Its size limit.
        limit: Bytes,
    },
}

impl fmt::Display for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Growth { class, before, after, rounds } => {
                write!(f, "{class} grew over {rounds} rounds, from {before} to {after}")
            }
            Self::OldGeneration { used, limit } => write!(f, "the old generation uses {used} of {limit}"),
        }
    }
}

/// Compares each round with the ones before.
///
/// A leak that is slow beside the interval hides in the noise between two rounds. So the
/// rule also looks at spans: of 2 rounds, of 4, of 8 and so on. A class grows over spans if
/// its least size in each is above that in the one before, and in the last above all sizes
/// before these spans.
#[derive(Debug, Clone)]
pub struct Alarms {
    rules: AlarmRules,
    /// Number of rounds so far.
    rounds: usize,
    /// Spans of 1 round, of 2, of 4 and so on.
    scales: Vec<Scale>,
    /// Bytes of a class when its alarm went off: the next is due when they have doubled.
    reported: BTreeMap<String, u64>,
    /// True while the old generation is above its limit and that was reported.
    is_full: bool,
}

/// Number of lengths of spans: the longest has 512 rounds.
const SCALES: usize = 10;

impl Alarms {
    /// Without rounds yet.
    pub fn new(rules: AlarmRules) -> Self {
        Self { rules, rounds: 0, scales: Vec::new(), reported: BTreeMap::new(), is_full: false }
    }

    /// Adds a round; returns what is due after it, the largest growth first.
    pub fn add(&mut self, round: &Round) -> Vec<Alarm> {
        let mut span: Span = round.classes.iter().map(|row| (row.class.clone(), Extent::of(row.bytes))).collect();
        if span.is_empty() {
            span.extend(round.used.map(|used| (HEAP.to_owned(), Extent::of(used.0))));
        }
        let mut alarms = self.growth(span);
        alarms.extend(self.old_generation(round));
        alarms
    }

    /// Adds a round to the spans; returns the classes that grew in those that end with it.
    fn growth(&mut self, round: Span) -> Vec<Alarm> {
        self.rounds += 1;
        let mut grown: Vec<(String, u64, u64, usize)> = Vec::new();
        let mut ended = Some(round);
        for at in 0..SCALES {
            let Some(span) = ended else { break };
            if self.scales.len() == at {
                self.scales.push(Scale::default());
            }
            ended = self.scales[at].add(span, self.rules.rounds);
            // Three of few single rounds rise by chance, and while a program fills its caches.
            if at == 0 && self.rounds <= 2 * self.rules.rounds {
                continue;
            }
            for (class, before, after) in self.scales[at].grown(&self.rules) {
                // Of two spans that end now, the longer has the smaller least size: no class is reported twice.
                if self.reported.get(&class).is_none_or(|&reported| after >= reported.saturating_mul(2)) {
                    self.reported.insert(class.clone(), after);
                    grown.push((class, before, after, self.rules.rounds << at));
                }
            }
        }
        grown.sort_by_cached_key(|(class, before, after, _)| (Reverse(after.saturating_sub(*before)), class.clone()));
        let alarm = |(class, before, after, rounds)| Alarm::Growth {
            class,
            before: Bytes(before),
            after: Bytes(after),
            rounds,
        };
        grown.into_iter().map(alarm).collect()
    }

    fn old_generation(&mut self, round: &Round) -> Option<Alarm> {
        let (used, limit) = round.old_generation.filter(|&(_, limit)| limit.0 > 0)?;
        let percent = u128::from(self.rules.old_generation?);
        let is_full = u128::from(used.0) * 100 >= u128::from(limit.0) * percent;
        let is_new = is_full && !self.is_full;
        self.is_full = is_full;
        is_new.then_some(Alarm::OldGeneration { used, limit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClassRow;

    const MB: u64 = 1 << 20;

    fn round(class: &str, bytes: u64) -> Round {
        Round { classes: vec![ClassRow { class: class.to_owned(), objects: 1, bytes }], ..Round::default() }
    }

    #[test]
    fn three_growing_rounds_are_an_alarm_once_until_it_doubles() {
        let mut alarms = Alarms::new(AlarmRules::default());
        let fired: Vec<usize> = (1..=30).filter(|&n| !alarms.add(&round("a", n as u64 * MB)).is_empty()).collect();
        assert_eq!(fired, [7, 14, 28]);
    }

    #[test]
    fn noise_and_small_growth_are_none() {
        let mut alarms = Alarms::new(AlarmRules::default());
        for n in 0..200_u64 {
            let noise = n * 7919 % 13;
            assert_eq!(alarms.add(&round("a", 100 * MB + noise * MB / 2 + n * 100)), []);
        }
    }

    #[test]
    fn waves_are_no_alarm() {
        let mut alarms = Alarms::new(AlarmRules::default());
        let wave = [10, 13, 16, 19, 16, 13];
        let fired: Vec<usize> =
            (0..60_usize).filter(|&n| !alarms.add(&round("a", wave[n % 6] * MB)).is_empty()).collect();
        assert!(fired.is_empty(), "{fired:?}");
    }

    #[test]
    fn a_slow_leak_in_noise_is_an_alarm_once_it_is_above_the_noise() {
        let mut alarms = Alarms::new(AlarmRules::default());
        // 1 % a round under noise of 6 %: no three rounds in a row say anything.
        let size = |n: u64| 100 * MB + n * MB + n * 7919 % 13 * MB / 2;
        let fired: Vec<(u64, Alarm)> =
            (0..120).flat_map(|n| alarms.add(&round("a", size(n))).into_iter().map(move |alarm| (n, alarm))).collect();
        let [(at, Alarm::Growth { rounds, before, after, .. })] = fired.as_slice() else { panic!("{fired:?}") };
        assert!((15..=64).contains(at) && *rounds > 3, "{fired:?}");
        assert!(after.0 * 10 >= before.0 * 11, "{fired:?}");
    }

    #[test]
    fn a_full_old_generation_is_an_alarm_once() {
        let mut alarms = Alarms::new(AlarmRules::default());
        let of = |used| Round { old_generation: Some((Bytes(used), Bytes(100))), ..Round::default() };
        let fired: Vec<bool> = [50, 90, 95, 60, 91].map(|used| !alarms.add(&of(used)).is_empty()).into_iter().collect();
        assert_eq!(fired, [false, true, false, false, true]);
    }
}
