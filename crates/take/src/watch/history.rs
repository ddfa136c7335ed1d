//! What a watched process used over time, in bounded memory.

use std::collections::BTreeMap;
use std::time::Duration;

use heaplens_base::Bytes;

use super::watched::Round;

/// Rounds after which every second one is forgotten.
const ROUNDS: usize = 600;

/// Totals of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundFacts {
    /// Time since the start of the watch.
    pub at: Duration,
    /// Bytes used in the heap.
    pub used: Option<Bytes>,
    /// Time that the answers took.
    pub cost: Duration,
}

/// Memory of a class in every round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassSeries {
    /// Name of the class.
    pub class: String,
    /// Shallow size of its objects in bytes, for each round.
    pub bytes: Vec<u64>,
    /// Number of its objects in the last round.
    pub objects: u64,
}

impl ClassSeries {
    /// Bytes in the last round less those in the first.
    pub fn growth(&self) -> i64 {
        let end = |bytes: Option<&u64>| bytes.map_or(0, |&bytes| i64::try_from(bytes).unwrap_or(i64::MAX));
        end(self.bytes.last()) - end(self.bytes.first())
    }
}

/// All rounds, thinned out when there are many.
#[derive(Debug, Clone, Default)]
pub struct History {
    rounds: Vec<RoundFacts>,
    classes: BTreeMap<String, (Vec<u64>, u64)>,
}

impl History {
    /// Adds the answers of a round.
    pub fn add(&mut self, at: Duration, round: &Round) {
        if self.rounds.len() >= ROUNDS {
            self.thin();
        }
        let before = self.rounds.len();
        self.rounds.push(RoundFacts { at, used: round.used, cost: round.cost });
        for row in &round.classes {
            let (bytes, objects) = self.classes.entry(row.class.clone()).or_default();
            // A class that is new had no objects before.
            bytes.resize(before, 0);
            bytes.push(row.bytes);
            *objects = row.objects;
        }
        for (bytes, objects) in self.classes.values_mut() {
            if bytes.len() <= before {
                bytes.resize(before + 1, 0);
                *objects = 0;
            }
        }
    }

    /// Forgets every second round, but neither the first nor the last.
    fn thin(&mut self) {
        let last = self.rounds.len().saturating_sub(1);
        let is_kept = |at: usize| at.is_multiple_of(2) || at == last;
        let mut at = 0..;
        self.rounds.retain(|_| at.next().is_some_and(is_kept));
        for (bytes, _) in self.classes.values_mut() {
            let mut at = 0..;
            bytes.retain(|_| at.next().is_some_and(is_kept));
        }
    }

    /// Totals of the rounds, in order.
    pub fn rounds(&self) -> &[RoundFacts] {
        &self.rounds
    }

    /// The classes that grew most, at most `count` of them, largest growth first; equal ones by name.
    pub fn growing(&self, count: usize) -> Vec<ClassSeries> {
        let series = |(class, (bytes, objects)): (&String, &(Vec<u64>, u64))| ClassSeries {
            class: class.clone(),
            bytes: bytes.clone(),
            objects: *objects,
        };
        let growth = |bytes: &[u64]| i128::from(*bytes.last().unwrap_or(&0)) - i128::from(*bytes.first().unwrap_or(&0));
        let mut order: Vec<_> = self.classes.iter().collect();
        order.sort_by_key(|(_, (bytes, _))| -growth(bytes));
        order.into_iter().take(count).map(series).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClassRow;

    fn round(classes: &[(&str, u64)]) -> Round {
        let row = |&(class, bytes): &(&str, u64)| ClassRow { class: class.to_owned(), objects: bytes / 8, bytes };
        Round { classes: classes.iter().map(row).collect(), ..Round::default() }
    }

    #[test]
    fn classes_that_come_and_go_have_a_value_for_every_round() {
        let mut history = History::default();
        history.add(Duration::ZERO, &round(&[("a", 80)]));
        history.add(Duration::from_secs(1), &round(&[("a", 88), ("b", 800)]));
        history.add(Duration::from_secs(2), &round(&[("b", 1600)]));
        let growing = history.growing(9);
        let all: Vec<_> = growing.iter().map(|s| (s.class.as_str(), s.bytes.clone(), s.objects)).collect();
        assert_eq!(all, [("b", vec![0, 800, 1600], 200), ("a", vec![80, 88, 0], 0)]);
        assert_eq!(growing[1].growth(), -80);
    }

    #[test]
    fn memory_is_bounded() {
        let mut history = History::default();
        for n in 0..5000 {
            history.add(Duration::from_secs(n), &round(&[("a", n)]));
        }
        assert!(history.rounds().len() <= ROUNDS);
        assert_eq!((history.rounds()[0].at.as_secs(), history.growing(1)[0].growth()), (0, 4999));
        assert_eq!(history.growing(1)[0].bytes.len(), history.rounds().len());
    }
}
