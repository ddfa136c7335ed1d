//! Growth of a finding since the baseline: that of the owners among what its cuts free, as the comparison of both dumps
//! attributes it, so that both tell the same.

use std::collections::{HashMap, HashSet};

use super::evidence::{Evidence, is_bounded_though_grown};
use super::kinds::{Group, Kind};
use super::{certainty, finding::LeakFinding, fingerprint::general, query::BaselineQuery};
use crate::diff::{GrowthRow, MatchStatus, Owner};
use crate::naming::Namer;
use crate::structure;
use heaplens_base::{Bytes, Cancelled, Task};
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

    /// Evidence from the size of a finding in the baseline, where its objects do not tell; `None` if that is not known.
    fn evidence(&mut self, all: u64, finding: &LeakFinding) -> Option<Evidence> {
        let by_fingerprint = self.by_fingerprint.get(&finding.fingerprint).copied();
        // Of several later findings with the name, the first and largest takes the sum. Siblings have the name of the
        // largest alone, which may be a finding of its own in the baseline.
        let by_name = || self.by_name.remove(&general(&finding.name)).filter(|_| finding.kind != Kind::Siblings);
        let (before, now) = (by_fingerprint.or_else(by_name)?, Freed::of(finding));
        // Where it grew by more than all owners together, other objects held its objects, too, in the baseline, so that
        // cutting the same references freed less.
        let grown = now.bytes.0.saturating_sub(before.bytes.0);
        let added = OwnerSum { bytes: grown.cast_signed(), came: 1, ..OwnerSum::default() };
        (grown <= all).then(|| evidence((before, now), added, all))
    }
}

/// Growth of some owners.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct OwnerSum {
    bytes: i64,
    code: i64,
    came: u64,
    went: u64,
    owners: usize,
}

impl OwnerSum {
    fn plus(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            code: self.code + other.code,
            came: self.came + other.came,
            went: self.went + other.went,
            owners: self.owners + other.owners,
        }
    }
}

/// Growth of all owners, by their position in the dominator tree of the later dump.
pub(super) struct OwnerGrowths<'a> {
    query: BaselineQuery<'a>,
    /// Position of each owner, and the sum of those before it and its own.
    sums: Vec<(u32, OwnerSum)>,
    /// Bytes of all rows that grew, code left out.
    all: u64,
}

impl<'a> OwnerGrowths<'a> {
    pub(super) fn new(query: BaselineQuery<'a>) -> Self {
        let analysis = query.question.namer.analysis;
        let mut sums = Vec::new();
        for row in &query.growth.rows {
            let (came, went) = turnover(row);
            for (at, (owner, each)) in row.owners.iter().zip(&row.each).enumerate() {
                let structure = owner.structure().or_else(|| owner_after(owner));
                let Some(place) = structure.and_then(|object| analysis.place(object)) else { continue };
                // Parts are those of the whole row.
                let (came, went) = if at == 0 { (came, went) } else { (0, 0) };
                sums.push((place, OwnerSum { bytes: each.bytes.0, code: each.code.0, came, went, owners: 1 }));
            }
        }
        sums.sort_by_key(|&(place, _)| place);
        let mut all = OwnerSum::default();
        for (_, sum) in &mut sums {
            all = all.plus(*sum);
            *sum = all;
        }
        let grown = |row: &GrowthRow| (row.bytes.0 - row.code.0).max(0).unsigned_abs();
        Self { query, sums, all: query.growth.rows.iter().map(grown).sum() }
    }

    /// Sum of the owners among what an object retains.
    fn below(&self, object: ObjectId) -> OwnerSum {
        let Some(range) = self.query.question.namer.analysis.subtree(object) else { return OwnerSum::default() };
        let before = |place: u32| {
            let at = self.sums.partition_point(|&(of, _)| of < place);
            at.checked_sub(1).map_or(OwnerSum::default(), |at| self.sums[at].1)
        };
        let (start, end) = (before(range.start), before(range.end));
        OwnerSum {
            bytes: end.bytes - start.bytes,
            code: end.code - start.code,
            came: end.came - start.came,
            went: end.went - start.went,
            owners: end.owners - start.owners,
        }
    }

    /// Evidence from the growth of the owners among what the cuts of a finding free; `None` if no owner tells.
    pub(super) fn evidence(&self, finding: &LeakFinding, task: &Task) -> Result<Option<Evidence>, Cancelled> {
        // Further objects that are held in the same way are not listed.
        if finding.cut.is_empty() || finding.unlisted > 0 {
            return Ok(None);
        }
        self.of_objects(finding, task)
    }

    /// Evidence from the size of a finding in the baseline, where no owner tells; `None` if that is not known.
    pub(super) fn by_size(&self, earlier: &mut EarlierFindings, finding: &LeakFinding) -> Option<Evidence> {
        if finding.cut.is_empty() { None } else { earlier.evidence(self.all, finding) }
    }

    /// The object whose owners tell the growth of what a cut releases: where that is a part of a collection, such as its
    /// table, the collection.
    fn structure(&self, object: ObjectId, task: &Task) -> Result<ObjectId, Cancelled> {
        let Namer { heap, .. } = self.query.question.namer;
        if self.below(object).owners > 0 {
            return Ok(object);
        }
        let head = structure::head(self.query.question.namer, object, task)?;
        // The head of a tree has other branches.
        let is_part = heap.class_id(head) != heap.class_id(object);
        Ok(if is_part && self.below(head).owners > 0 { head } else { object })
    }

    fn of_objects(&self, finding: &LeakFinding, task: &Task) -> Result<Option<Evidence>, Cancelled> {
        let (query, analysis) = (self.query, self.query.question.namer.analysis);
        let mut held: Vec<ObjectId> = finding.cut.iter().map(|cut| cut.to).collect();
        held.sort_unstable();
        held.dedup();
        let is_inner = |&object: &ObjectId| held.iter().any(|&top| top != object && analysis.dominates(top, object));
        let tops: Vec<ObjectId> = held.iter().copied().filter(|object| !is_inner(object)).collect();
        let (mut before, mut now, mut sum) = (Freed::default(), Freed::default(), OwnerSum::default());
        let mut is_before_known = true;
        let retained = |namer: Namer<'_>, object: ObjectId| Freed {
            bytes: namer.analysis.retained(object),
            objects: namer.analysis.dominated_count(object) + 1,
        };
        for &top in &tops {
            let structure = self.structure(top, task)?;
            let below = self.below(structure);
            now = now.plus(retained(query.question.namer, structure));
            match query.matches.match_status_of_after(structure) {
                MatchStatus::Matched(old, _) => before = before.plus(retained(query.before, old)),
                // It is new: the field that holds it tells, or the finding that it was in the baseline.
                _ if below.owners == 0 => return Ok(None),
                _ => is_before_known = false,
            }
            sum = sum.plus(below);
        }
        if finding.kind == Kind::Shared {
            // Its cuts free what these structures share, too.
            (now, is_before_known) = (Freed::of(finding), false);
        }
        if !is_before_known {
            let less = |now: u64, more: i64| now.saturating_add_signed(more.saturating_neg());
            let (bytes, objects) = (less(now.bytes.0, sum.bytes), sum.came.cast_signed() - sum.went.cast_signed());
            before = Freed { bytes: Bytes(bytes), objects: less(now.objects, objects) };
        }
        Ok(Some(evidence((before, now), sum, self.all)))
    }

    /// Evidence from the growth of a row.
    pub(super) fn of_row(&self, row: &GrowthRow) -> Evidence {
        let (before, after) = (row.change.before, row.change.after);
        let freed = |bytes: Bytes, objects: u64| Freed { bytes, objects };
        let (came, went) = turnover(row);
        let sum = OwnerSum { bytes: row.bytes.0, code: row.code.0, came, went, owners: row.owners.len() };
        let sizes = (freed(before.retained, before.objects), freed(after.retained, after.objects));
        evidence(sizes, sum, self.all)
    }
}

/// Number of added and of removed objects of a row.
fn turnover(row: &GrowthRow) -> (u64, u64) {
    row.parts.iter().fold((0, 0), |sum, part| (sum.0 + part.came, sum.1 + part.went))
}

fn owner_after(owner: &Owner) -> Option<ObjectId> {
    if let Owner::Object { after, .. } = owner { Some(*after) } else { None }
}

fn evidence((before, now): (Freed, Freed), sum: OwnerSum, all: u64) -> Evidence {
    let bytes = |bytes: i64| Bytes(bytes.max(0).unsigned_abs());
    let (grown, code) = (bytes(sum.bytes), bytes(sum.code));
    let (bytes, objects) = ((before.bytes, now.bytes), (before.objects, now.objects));
    if grown.0 <= before.bytes.0 / FLUCTUATION {
        return Evidence::DidNotGrow { bytes, objects };
    }
    let data = u128::from(grown.0.saturating_sub(code.0));
    let share = (data * 100 / u128::from(all.max(1))).min(100) as u8;
    let is_replaced = sum.went.saturating_mul(2) >= sum.came.max(1);
    Evidence::Grew { grown, code: Bytes(code.0.min(grown.0)), share, is_replaced, bytes, objects }
}

impl LeakFinding {
    /// Evidence from the baseline; `None` without one, or if the structure is not known there.
    pub fn growth(&self) -> Option<&Evidence> {
        self.signs.iter().find(|sign| matches!(sign, Evidence::Grew { .. } | Evidence::DidNotGrow { .. }))
    }

    /// Takes growth for what it shows: a fixed capacity of the outermost array bounds nothing that grew, and memory of the
    /// runtime that grew by at least `least` is no table filled at start. A limit that is reached still bounds it, as do
    /// entries that are removed unless it grew much, and a verdict of the user still excuses it.
    fn regroup(&mut self, least: Bytes) {
        let before = match self.growth() {
            Some(Evidence::Grew { bytes: (before, _), .. }) => *before,
            _ => self.frees,
        };
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

    /// Bytes that it grew by since the baseline, code left out; 0 if it did not, or that is not known.
    pub fn grown(&self) -> Bytes {
        match self.growth() {
            Some(Evidence::Grew { grown, code, .. }) => Bytes(grown.0.saturating_sub(code.0)),
            _ => Bytes(0),
        }
    }

    /// Adds evidence from the baseline, and takes it for what it shows.
    pub(super) fn add_growth(&mut self, growth: Option<Evidence>, least: Bytes) {
        self.signs.splice(0..0, growth);
        self.certainty = certainty::with_growth(self.certainty, &self.signs);
        self.regroup(least);
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
        let new = |finding: &LeakFinding| {
            (u128::from(finding.grown().0) * 1_000 / u128::from(finding.frees.0.max(1))).min(1_000)
        };
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
        let (grown, sizes) = (Bytes(bytes), (Bytes(bytes), Bytes(2 * bytes)));
        let growth =
            Evidence::Grew { grown, code: Bytes(0), share: 50, is_replaced: false, bytes: sizes, objects: (1, 2) };
        let signs = vec![growth];
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
