//! Rules for when a dump is due.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use heaplens_base::Bytes;

use super::watched::Round;

/// Name of the sum over all classes, for processes without a histogram.
const HEAP: &str = "heap";

/// When a dump is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlarmRules {
    /// Number of rounds in a row in which a class must grow.
    pub rounds: usize,
    /// Bytes that it must grow by in these rounds together.
    pub least: Bytes,
    /// Percent of its size that it must grow by in these rounds together.
    pub percent: u64,
    /// Percent of its limit that the old generation must fill; `None` for no such rule.
    pub old_generation: Option<u8>,
}

impl Default for AlarmRules {
    fn default() -> Self {
        Self { rounds: 3, least: Bytes(1 << 20), percent: 10, old_generation: Some(90) }
    }
}

/// Why a dump is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Alarm {
    /// A class grew in every one of the last rounds.
    Growth {
        /// The class; `heap` for the sum of all.
        class: String,
        /// Bytes before these rounds.
        before: Bytes,
        /// Bytes now.
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
                write!(f, "{class} grew in {rounds} rounds in a row, from {before} to {after}")
            }
            Self::OldGeneration { used, limit } => write!(f, "the old generation uses {used} of {limit}"),
        }
    }
}

/// Compares each round with the ones before.
#[derive(Debug, Clone)]
pub struct Alarms {
    rules: AlarmRules,
    /// Bytes by class of the last rounds, oldest first.
    recent: VecDeque<BTreeMap<String, u64>>,
    /// Most bytes of a class in the rounds before these: a class that only comes and goes does not exceed it for long.
    highest: BTreeMap<String, u64>,
    /// Bytes of a class when its alarm went off: the next is due when they have doubled.
    reported: BTreeMap<String, u64>,
    /// True while the old generation is above its limit and that was reported.
    is_full: bool,
}

impl Alarms {
    /// Without rounds yet.
    pub fn new(rules: AlarmRules) -> Self {
        Self { rules, recent: VecDeque::new(), highest: BTreeMap::new(), reported: BTreeMap::new(), is_full: false }
    }

    /// Adds a round; returns what is due after it, the largest growth first.
    pub fn add(&mut self, round: &Round) -> Vec<Alarm> {
        let mut bytes: BTreeMap<String, u64> = round.classes.iter().map(|row| (row.class.clone(), row.bytes)).collect();
        if bytes.is_empty() {
            bytes.extend(round.used.map(|used| (HEAP.to_owned(), used.0)));
        }
        self.recent.push_back(bytes);
        while self.recent.len() > self.rules.rounds + 1 {
            for (class, bytes) in self.recent.pop_front().into_iter().flatten() {
                let highest = self.highest.entry(class).or_default();
                *highest = bytes.max(*highest);
            }
        }
        let mut alarms = self.growth();
        alarms.extend(self.old_generation(round));
        alarms
    }

    fn growth(&mut self) -> Vec<Alarm> {
        let rounds = self.rules.rounds;
        let (Some(last), true) = (self.recent.back(), rounds > 0 && self.recent.len() > rounds) else {
            return Vec::new();
        };
        let mut grown: Vec<(&String, u64, u64)> = Vec::new();
        for (class, &after) in last {
            let values = self.recent.iter().map(|round| round.get(class).copied().unwrap_or(0));
            let values: Vec<u64> = values.collect();
            let before = values[0].max(self.highest.get(class).copied().unwrap_or(0));
            let growth = after.saturating_sub(before);
            let is_steady = values.is_sorted_by(|a, b| a < b);
            let is_large = growth >= self.rules.least.0
                && u128::from(growth) * 100 >= u128::from(before) * u128::from(self.rules.percent);
            let is_new = self.reported.get(class).is_none_or(|&reported| after >= reported.saturating_mul(2));
            if is_steady && is_large && is_new {
                grown.push((class, before, after));
            }
        }
        grown.sort_by_key(|&(_, before, after)| std::cmp::Reverse(after - before));
        let alarm = |(class, before, after): &(&String, u64, u64)| Alarm::Growth {
            class: (*class).clone(),
            before: Bytes(*before),
            after: Bytes(*after),
            rounds,
        };
        let alarms: Vec<Alarm> = grown.iter().map(alarm).collect();
        let reported: Vec<(String, u64)> = grown.iter().map(|&(class, _, after)| (class.clone(), after)).collect();
        self.reported.extend(reported);
        alarms
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
        let fired: Vec<usize> = (1..=12).filter(|&n| !alarms.add(&round("a", n as u64 * MB)).is_empty()).collect();
        assert_eq!(fired, [4, 8]);
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
    fn waves_are_no_alarm_once_their_height_is_known() {
        let mut alarms = Alarms::new(AlarmRules::default());
        let wave = [10, 13, 16, 19, 16, 13];
        let fired: Vec<usize> = (0..60).filter(|&n| !alarms.add(&round("a", wave[n % 6] * MB)).is_empty()).collect();
        assert_eq!(fired, [3], "only the first rise could be a leak");
    }

    #[test]
    fn a_full_old_generation_is_an_alarm_once() {
        let mut alarms = Alarms::new(AlarmRules::default());
        let of = |used| Round { old_generation: Some((Bytes(used), Bytes(100))), ..Round::default() };
        let fired: Vec<bool> = [50, 90, 95, 60, 91].map(|used| !alarms.add(&of(used)).is_empty()).into_iter().collect();
        assert_eq!(fired, [false, true, false, false, true]);
    }
}
