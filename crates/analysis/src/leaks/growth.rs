//! Growth of a finding since the baseline.

use std::collections::{HashMap, HashSet};

use super::evidence::{Evidence, is_bounded_though_grown};
use super::kinds::{Group, Kind};
use super::{finding::LeakFinding, fingerprint::general, query::BaselineQuery};
use crate::diff::{MatchStatus, Owner};
use heaplens_base::Bytes;
use heaplens_core::heap::ObjectId;

/// Divisor of the earlier size: smaller growth is ordinary fluctuation.
const FLUCTUATION: u64 = 100;
/// Percentage of the growth of a finding above which another finding grew as much.
const AS_MUCH: u64 = 90;

/// Bytes that a cut frees, and objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Freed {
    bytes: Bytes,
    objects: u64,
}

impl Freed {
    fn of(finding: &LeakFinding) -> Self {
        Self { bytes: finding.frees, objects: finding.objects }
    }

    fn plus(self, other: Self) -> Self {
        Self { bytes: self.bytes + other.bytes, objects: self.objects + other.objects }
    }
}

/// Findings of the baseline.
pub(super) struct EarlierFindings {
    by_fingerprint: HashMap<String, Freed>,
    /// Sums of those whose fingerprint no later finding has.
    by_name: HashMap<String, Freed>,
}

impl EarlierFindings {
    pub(super) fn new(earlier: &[LeakFinding], later: &[LeakFinding]) -> Self {
        let known: HashSet<&str> = later.iter().map(|finding| &*finding.fingerprint).collect();
        let mut found = Self { by_fingerprint: HashMap::new(), by_name: HashMap::new() };
        for finding in earlier {
            if known.contains(&*finding.fingerprint) {
                found.by_fingerprint.insert(finding.fingerprint.clone(), Freed::of(finding));
            } else if !finding.name.is_empty() {
                let sum = found.by_name.entry(general(&finding.name)).or_default();
                *sum = sum.plus(Freed::of(finding));
            }
        }
        found
    }

    /// Evidence from the size of a finding in the baseline; `None` if that is not known.
    pub(super) fn evidence(&mut self, query: BaselineQuery<'_>, finding: &LeakFinding) -> Option<Evidence> {
        if finding.cut.is_empty() {
            return None;
        }
        let by_fingerprint = self.by_fingerprint.get(&finding.fingerprint).copied();
        // Of several later findings with the name, the first and largest takes the sum. Siblings have the name of the
        // largest alone, which may be a finding of its own in the baseline.
        let by_name = || self.by_name.remove(&general(&finding.name)).filter(|_| finding.kind != Kind::Siblings);
        let before = by_fingerprint.or_else(by_name);
        let before = before.filter(|&before| is_possible(query, before, Freed::of(finding)));
        before.map_or_else(|| of_objects(query, finding), |before| Some(evidence(before, Freed::of(finding))))
    }
}

/// Evidence from the objects that the references to cut hold: those of the baseline that they are matched with, else the
/// growth of the owners among and below them.
pub(super) fn of_objects(query: BaselineQuery<'_>, finding: &LeakFinding) -> Option<Evidence> {
    let (earlier, analysis) = (query.before.analysis, query.question.namer.analysis);
    let mut held: Vec<ObjectId> = finding.cut.iter().map(|cut| cut.to).collect();
    held.sort_unstable();
    held.dedup();
    // Further objects that are held in the same way are not listed.
    let mut before = (finding.unlisted == 0).then_some(Freed::default());
    for &object in &held {
        before = match query.matches.match_status_of_after(object) {
            MatchStatus::Matched(old, _) => {
                let was = Freed { bytes: earlier.retained(old), objects: earlier.dominated_count(old) + 1 };
                before.map(|before| before.plus(was))
            }
            MatchStatus::Alone => before,
            MatchStatus::Unknown => None,
        };
    }
    let now = Freed::of(finding);
    if let Some(before) = before.filter(|&before| is_possible(query, before, now)) {
        return Some(evidence(before, now));
    }
    let is_inside = |owner: &Owner| match owner {
        Owner::Object { after, .. } => held.iter().any(|&held| analysis.dominates(held, *after)),
        Owner::Top(_) => false,
    };
    let rows = query.growth.rows.iter().filter(|row| !row.owners.is_empty() && row.owners.iter().all(is_inside));
    let (bytes, objects, count) =
        rows.fold((0_i64, 0_i64, 0), |sum, row| (sum.0 + row.bytes.0, sum.1 + row.objects.0, sum.2 + 1));
    let less = |now: u64, growth: i64| now.saturating_add_signed(growth.saturating_neg());
    let before = Freed { bytes: Bytes(less(now.bytes.0, bytes)), objects: less(now.objects, objects) };
    (count > 0).then(|| evidence(before, now))
}

/// False if a finding grew by more than all owners together: other objects held its objects, too, in the baseline, so
/// that cutting the same references freed less.
fn is_possible(query: BaselineQuery<'_>, before: Freed, after: Freed) -> bool {
    let all: u64 = query.growth.rows.iter().map(|row| row.bytes.0.max(0).unsigned_abs()).sum();
    after.bytes.0.saturating_sub(before.bytes.0) <= all
}

fn evidence(before: Freed, after: Freed) -> Evidence {
    let grown = after.bytes.0.saturating_sub(before.bytes.0);
    if grown > before.bytes.0 / FLUCTUATION {
        Evidence::Grew { bytes: (before.bytes, after.bytes), objects: (before.objects, after.objects) }
    } else {
        Evidence::DidNotGrow { bytes: (before.bytes, after.bytes), objects: (before.objects, after.objects) }
    }
}

impl LeakFinding {
    /// Evidence from the baseline; `None` without one, or if the structure is not known there.
    pub fn growth(&self) -> Option<&Evidence> {
        self.signs.iter().find(|sign| matches!(sign, Evidence::Grew { .. } | Evidence::DidNotGrow { .. }))
    }

    /// Takes growth for what it shows: a fixed capacity of the outermost array bounds nothing that grew, and memory of the
    /// runtime that grew by at least `least` is no table filled at start. A limit that is reached still bounds it, as do
    /// entries that are removed unless it grew much, and a verdict of the user still excuses it.
    pub(super) fn regroup(&mut self, least: Bytes) {
        let before = Bytes(self.frees.0.saturating_sub(self.grown().0));
        let is_bounded = is_bounded_though_grown(&self.signs, (before, self.grown()));
        let is_excused = self.verdict.as_ref().is_some_and(|verdict| verdict.is_of_user);
        let is_leak = match self.unjudged {
            Group::Bounded => self.grown() > Bytes(0) && !is_bounded,
            Group::Normal => self.grown() >= least && !is_bounded && !is_excused,
            Group::Leak | Group::Waste | Group::Expected => false,
        };
        if is_leak {
            self.unjudged = Group::Leak;
        }
    }

    /// Bytes that it grew by since the baseline; 0 if it did not, or that is not known.
    pub fn grown(&self) -> Bytes {
        match self.growth() {
            Some(Evidence::Grew { bytes: (before, after), .. }) => Bytes(after.0.saturating_sub(before.0)),
            _ => Bytes(0),
        }
    }
}

/// Orders findings of one group that grew as much as each other: those first of which the largest part is new. One
/// growth is often seen in a structure and in objects that it shares with others. `findings` are ordered by growth.
pub(super) fn put_specific_first(findings: &mut [LeakFinding]) {
    let mut rest = &mut *findings;
    while let Some(first) = rest.first() {
        let (group, grown) = (first.group, u128::from(first.grown().0));
        let is_as_much = |finding: &&LeakFinding| {
            finding.group == group && u128::from(finding.grown().0) * 100 >= grown * u128::from(AS_MUCH)
        };
        let count = if grown == 0 { 1 } else { rest.iter().take_while(is_as_much).count() };
        let (alike, others) = std::mem::take(&mut rest).split_at_mut(count);
        // Thousandths of the size that are new. The sort is stable.
        let new = |finding: &LeakFinding| u128::from(finding.grown().0) * 1_000 / u128::from(finding.frees.0.max(1));
        alike.sort_by_key(|finding| std::cmp::Reverse(new(finding)));
        rest = others;
    }
    put_structures_first(findings);
}

/// Puts a structure that grew before shared objects that grew by at most twice as much, whether it shares them or not: it
/// is freed by one cut, and where it shares them they grew because of it.
fn put_structures_first(findings: &mut [LeakFinding]) {
    for at in 0..findings.len() {
        let first = &findings[at];
        if first.kind != Kind::Shared || first.grown().0 == 0 {
            continue;
        }
        let is_structure = |finding: &LeakFinding| {
            finding.group == first.group
                && finding.kind != Kind::Shared
                && finding.grown().0.saturating_mul(2) >= first.grown().0
        };
        if let Some(later) = findings[at..].iter().position(is_structure) {
            findings[at..=at + later].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::waste::WasteKind;

    /// A finding of a kind that grew by so many bytes from as many.
    fn grown(name: &str, kind: Kind, bytes: u64) -> LeakFinding {
        let waste = LeakFinding::of_waste(WasteKind::ZeroArrays, 1, Bytes(2 * bytes), Bytes(1_000));
        let signs = vec![Evidence::Grew { bytes: (Bytes(bytes), Bytes(2 * bytes)), objects: (1, 2) }];
        LeakFinding { kind, name: name.to_owned(), group: Group::Leak, signs, ..waste }
    }

    #[test]
    fn structures_come_before_what_they_share_unless_it_grew_by_much_more() {
        let order = |mut findings: Vec<LeakFinding>| {
            put_specific_first(&mut findings);
            findings.into_iter().map(|finding| finding.name).collect::<Vec<_>>().join(" ")
        };
        let (shared, queue) =
            (|bytes| grown("shared", Kind::Shared, bytes), |bytes| grown("queue", Kind::Queue, bytes));
        assert_eq!(order(vec![shared(100), queue(60)]), "queue shared");
        assert_eq!(order(vec![shared(100), queue(40)]), "shared queue");
        assert_eq!(order(vec![queue(100), shared(60), grown("map", Kind::Cache, 50)]), "queue map shared");
    }
}
