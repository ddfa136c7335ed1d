//! Spans of several rounds, and what grows from one to the next.

use std::collections::{BTreeMap, VecDeque};

use super::rules::AlarmRules;

/// Least and most bytes of each class in some rounds.
pub(super) type Span = BTreeMap<String, Extent>;

/// Least and most bytes of a class in a span. A class that has no row has none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Extent {
    lowest: u64,
    highest: u64,
}

impl Extent {
    /// Of a single round.
    pub(super) fn of(bytes: u64) -> Self {
        Self { lowest: bytes, highest: bytes }
    }

    fn with(self, other: Self) -> Self {
        Self { lowest: self.lowest.min(other.lowest), highest: self.highest.max(other.highest) }
    }
}

/// The last spans of one length, and what came before them.
#[derive(Debug, Clone, Default)]
pub(super) struct Scale {
    /// Oldest first.
    recent: VecDeque<Span>,
    /// Most bytes of a class before these spans: a class that only comes and goes does not exceed it for long.
    highest: BTreeMap<String, u64>,
    /// The first half of a span of twice the length.
    half: Option<Span>,
}

impl Scale {
    /// Adds a span, and forgets all but it and the `length` before it. Returns the span of twice the length that ends
    /// with it.
    pub(super) fn add(&mut self, span: Span, length: usize) -> Option<Span> {
        let double = match self.half.take() {
            Some(half) => Some(merged(half, &span)),
            None => {
                self.half = Some(span.clone());
                None
            }
        };
        self.recent.push_back(span);
        while self.recent.len() > length + 1 {
            for (class, extent) in self.recent.pop_front().into_iter().flatten() {
                let highest = self.highest.entry(class).or_default();
                *highest = extent.highest.max(*highest);
            }
        }
        double
    }

    /// The classes whose least bytes grew in every one of the last spans, and that in the last are above all before by
    /// as much as the rules ask: class, most bytes before, least bytes in the last span.
    pub(super) fn grown(&self, rules: &AlarmRules) -> Vec<(String, u64, u64)> {
        let (Some(last), true) = (self.recent.back(), rules.rounds > 0 && self.recent.len() > rules.rounds) else {
            return Vec::new();
        };
        let mut grown = Vec::new();
        for (class, extent) in last {
            let extents = self.recent.iter().map(|span| span.get(class).copied().unwrap_or_default());
            let extents: Vec<Extent> = extents.collect();
            let before = extents[0].highest.max(self.highest.get(class).copied().unwrap_or(0));
            let growth = extent.lowest.saturating_sub(before);
            let is_steady = extents.is_sorted_by(|a, b| a.lowest < b.lowest);
            let is_large = growth >= rules.min_growth.0
                && u128::from(growth) * 100 >= u128::from(before) * u128::from(rules.percent);
            if is_steady && is_large {
                grown.push((class.clone(), before, extent.lowest));
            }
        }
        grown
    }
}

/// A class without a row in one of the halves had no bytes there.
fn merged(mut first: Span, second: &Span) -> Span {
    for (class, extent) in &mut first {
        *extent = extent.with(second.get(class).copied().unwrap_or_default());
    }
    for (class, extent) in second {
        first.entry(class.clone()).or_insert_with(|| extent.with(Extent::default()));
    }
    first
}
