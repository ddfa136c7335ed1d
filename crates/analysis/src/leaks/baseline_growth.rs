//! Growth of a finding since the baseline: that of the owners among what its cuts free, as the comparison of both dumps
//! attributes it, so that both tell the same.

use crate::answers::DumpData;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::accumulation_point::{common_dominator, is_most};
use super::evidence::{Evidence, is_bounded_though_grown};
use super::kinds::{Group, Kind};
use super::{certainty, finding::LeakFinding, fingerprint::general, query::BaselineQuery};
use crate::diff::{GrowthOwner, GrowthRow, MatchStatus};
use crate::naming::Namer;
use crate::structure;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{Analysis, ObjectId};

/// Divisor of the earlier size: smaller growth is ordinary fluctuation.
const FLUCTUATION: u64 = 100;
/// Percentage of the growth of a finding above which another finding grew as much.
const AS_MUCH: u64 = 90;
/// Fewer removed objects are no turnover.
const REPLACED: u64 = 16;
/// Maximum number of objects of a finding that are looked up in the baseline.
const SAMPLE: usize = 1 << 16;
/// Maximum number of steps from a reference to the structure through which shared objects grow.
const STEPS: usize = 16;

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
        let mut findings = Self { by_fingerprint: HashMap::new(), by_name: HashMap::new() };
        for finding in earlier {
            if known.contains(&*finding.fingerprint) {
                findings.by_fingerprint.insert(finding.fingerprint.clone(), Freed::of(finding));
            } else if !finding.name.is_empty() {
                let sum = findings.by_name.entry(general(&finding.name)).or_default();
                *sum = sum.plus(Freed::of(finding));
            }
        }
        findings
    }

    /// Evidence from the size of a finding in the baseline, where its objects do not tell; `None` if that is not known.
    /// `new` is the number of bytes among what it frees that are new, and `all` that by which the heap grew.
    fn evidence(&mut self, (new, all): (u64, u64), finding: &LeakFinding) -> Option<Evidence> {
        let by_fingerprint = self.by_fingerprint.get(&finding.fingerprint).copied();
        // Of several later findings with the name, the first and largest takes the sum. Siblings have the name of the
        // largest alone, which may be a finding of its own in the baseline.
        let by_name = || self.by_name.remove(&general(&finding.name)).filter(|_| finding.kind != Kind::Siblings);
        let (before, now) = (by_fingerprint.or_else(by_name)?, Freed::of(finding));
        // Where it grew by more than all owners together, other objects held its objects, too, in the baseline, so that
        // cutting the same references freed less.
        let grown = now.bytes.0.saturating_sub(before.bytes.0);
        if grown > all {
            return None;
        }
        // Objects that it has besides others since are no growth.
        let grown = grown.min(new);
        let added = OwnerSum { bytes: grown.cast_signed(), added: 1, ..OwnerSum::default() };
        Some(evidence((before, now), added, all))
    }
}

/// Growth of some owners.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct OwnerSum {
    bytes: i64,
    code: i64,
    added: u64,
    removed: u64,
    owners: usize,
}

impl OwnerSum {
    fn plus(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            code: self.code + other.code,
            added: self.added + other.added,
            removed: self.removed + other.removed,
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
            for (owner, each) in row.owners.iter().zip(&row.each) {
                let structure = owner.structure().or_else(|| owner_after(owner));
                let Some(preorder) = structure.and_then(|object| analysis.preorder(object)) else { continue };
                let (added, removed) = (each.added, each.removed);
                sums.push((preorder, OwnerSum { bytes: each.bytes.0, code: each.code.0, added, removed, owners: 1 }));
            }
        }
        sums.sort_by_key(|&(preorder, _)| preorder);
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
        let preorders = self.query.question.namer.analysis.subtree(object);
        preorders.map_or(OwnerSum::default(), |preorders| self.between(preorders))
    }

    /// Growth of an object as an owner.
    fn own(&self, object: ObjectId) -> OwnerSum {
        let preorder = self.query.question.namer.analysis.preorder(object);
        preorder.map_or(OwnerSum::default(), |preorder| self.between(preorder..preorder + 1))
    }

    /// Sum of the owners at some positions.
    fn between(&self, preorders: Range<u32>) -> OwnerSum {
        let before = |preorder: u32| {
            let at = self.sums.partition_point(|&(of, _)| of < preorder);
            at.checked_sub(1).map_or(OwnerSum::default(), |at| self.sums[at].1)
        };
        let (start, end) = (before(preorders.start), before(preorders.end));
        OwnerSum {
            bytes: end.bytes - start.bytes,
            code: end.code - start.code,
            added: end.added - start.added,
            removed: end.removed - start.removed,
            owners: end.owners - start.owners,
        }
    }

    /// Evidence from the growth of the owners among what the cuts of a finding free; `None` if no owner tells.
    pub(super) fn evidence(
        &self,
        finding: &LeakFinding,
        earlier: &EarlierFindings,
        task: &Task,
    ) -> Result<Option<Evidence>, Cancelled> {
        if finding.cut.is_empty() {
            return Ok(None);
        }
        if let Some(of_holders) = self.of_holders(finding, earlier) {
            return Ok(Some(of_holders));
        }
        // Further objects that are held in the same way are not listed.
        if finding.unlisted > 0 { Ok(None) } else { self.of_objects(finding, task) }
    }

    /// Bytes by which the owners at some positions grew.
    pub(super) fn bytes(&self, positions: Range<u32>) -> i64 {
        self.between(positions).bytes
    }

    /// Positions of the owners whose growth is that of a finding, without overlaps.
    pub(super) fn positions(&self, finding: &LeakFinding, task: &Task) -> Result<Vec<Range<u32>>, Cancelled> {
        let analysis = self.query.question.namer.analysis;
        let mut positions: Vec<Range<u32>> =
            self.holders(finding).into_iter().filter_map(|at| analysis.preorder(at)).map(|at| at..at + 1).collect();
        for top in outermost(analysis, &released(finding)) {
            positions.extend(analysis.subtree(self.structure(top, task)?));
        }
        positions.sort_unstable_by_key(|part| (part.start, Reverse(part.end)));
        let mut end = 0;
        positions.retain(|part| {
            let is_outer = part.end > end;
            end = end.max(part.end);
            is_outer
        });
        Ok(positions)
    }

    /// Evidence from the size of a finding in the baseline, where no owner tells; `None` if that is not known.
    pub(super) fn by_size(&self, earlier: &mut EarlierFindings, finding: &LeakFinding) -> Option<Evidence> {
        if finding.cut.is_empty() {
            return None;
        }
        let new = self.new_bytes(finding).unwrap_or(finding.frees.0);
        earlier.evidence((new, self.all), finding)
    }

    /// Bytes among what the cuts of a finding free that have no match in the baseline: it cannot have grown by more. Where
    /// not all of its objects are listed, at most the growth of all that one object holds beside them; `None` if no object
    /// holds those that are.
    fn new_bytes(&self, finding: &LeakFinding) -> Option<u64> {
        let released = released(finding);
        let new = if finding.unlisted > 0 {
            let above = common_dominator(self.query.question.namer.analysis, &released)?;
            self.below(above).bytes.max(0).cast_unsigned()
        } else {
            self.new_among(&released, finding.frees)
        };
        Some(new.min(finding.frees.0))
    }

    /// Bytes that have no match in the baseline among the `bytes` that some objects and what they hold have. Of many objects,
    /// by a sample of them.
    pub(super) fn new_among(&self, tops: &[ObjectId], bytes: Bytes) -> u64 {
        let (query, analysis) = (self.query, self.query.question.namer.analysis);
        let preorders: Vec<Range<u32>> = tops.iter().filter_map(|&top| analysis.subtree(top)).collect();
        let count: usize = preorders.iter().map(Range::len).sum();
        let sample = preorders.into_iter().flatten().step_by(count.div_ceil(SAMPLE).max(1));
        let (mut new, mut all) = (0, 0);
        for object in sample.filter_map(|preorder| analysis.at_preorder(preorder)) {
            let bytes = u128::from(query.question.namer.heap.shallow(object).0);
            let is_matched = matches!(query.matches.match_status_of_after(object), MatchStatus::Matched(..));
            (new, all) = (new + if is_matched { 0 } else { bytes }, all + bytes);
        }
        (u128::from(bytes.0) * new / all.max(1)).try_into().unwrap_or(u64::MAX)
    }

    /// The objects that grew through which shared objects are held, nearest to the references to cut. Empty of other
    /// findings. Classes and threads lead to unrelated objects.
    fn holders(&self, finding: &LeakFinding) -> Vec<ObjectId> {
        let Namer { dump: DumpData { heap, analysis, .. }, index } = self.query.question.namer;
        if finding.kind != Kind::Shared {
            return Vec::new();
        }
        let holder = |from| {
            let up = std::iter::successors(Some(from), |&at| analysis.immediate_dominator(at)).take(STEPS);
            let mut up = up.take_while(|&at| heap.classes.of_object(at).is_none() && !index.is_thread(at));
            up.find(|&at| self.own(at).owners > 0)
        };
        let mut holders: Vec<ObjectId> = finding.cut.iter().filter_map(|cut| holder(cut.from)).collect();
        holders.sort_unstable();
        holders.dedup();
        holders
    }

    /// Evidence from the growth of the objects that hold shared ones, and of the owners among these. `None` if the holders
    /// did not grow.
    fn of_holders(&self, finding: &LeakFinding, earlier: &EarlierFindings) -> Option<Evidence> {
        let analysis = self.query.question.namer.analysis;
        let sum = self.holders(finding).iter().fold(OwnerSum::default(), |sum, &holder| sum.plus(self.own(holder)));
        if sum.bytes <= 0 {
            return None;
        }
        let released = released(finding);
        let tops = outermost(analysis, &released);
        let sum = tops.into_iter().fold(sum, |sum, top| sum.plus(self.below(top)));
        // The holders may have grown by other objects, too. What is released first may hold the others by links alone.
        let now = Freed::of(finding);
        let is_all = finding.unlisted > 0 || is_most(analysis.retained_together(released), finding.frees);
        let before = earlier.by_fingerprint.get(&finding.fingerprint);
        let most = match before.map(|before| now.bytes.0.saturating_sub(before.bytes.0)) {
            Some(more) if more > 0 || !is_all => more,
            _ if is_all => self.new_bytes(finding).unwrap_or(now.bytes.0),
            _ => now.bytes.0,
        };
        let bytes = sum.bytes.min(most.cast_signed());
        let objects = sum.added.cast_signed() - sum.removed.cast_signed();
        let before = Freed { bytes: Bytes(less(now.bytes.0, bytes)), objects: less(now.objects, objects) };
        let earlier_growth = evidence((before, now), OwnerSum { bytes, ..sum }, self.all);
        matches!(earlier_growth, Evidence::Grew { .. }).then_some(earlier_growth)
    }

    /// Names shared objects that grew by the structure through which most of the growth came, as the comparison does.
    pub(super) fn name(&self, finding: &mut LeakFinding, task: &Task) -> Result<(), Cancelled> {
        if finding.kind != Kind::Shared || finding.grown() == Bytes(0) {
            return Ok(());
        }
        let structures = finding.cut.iter().map(|cut| cut.to).filter(|&to| self.own(to).owners > 0);
        let holders = self.holders(finding).into_iter().chain(structures);
        let Some(most) = holders.max_by_key(|&holder| (self.own(holder).bytes, Reverse(holder))) else {
            return Ok(());
        };
        if self.own(most).bytes.saturating_mul(2) >= finding.grown().0.cast_signed()
            && let Some(name) = self.query.question.namer.short_name(most, task)?
        {
            finding.rename(&name);
        }
        Ok(())
    }

    /// The object whose owners tell the growth of what a cut releases: where that is a part of an owner, such as the table
    /// of a map, the owner.
    fn structure(&self, object: ObjectId, task: &Task) -> Result<ObjectId, Cancelled> {
        let DumpData { heap, analysis, .. } = self.query.question.namer.dump;
        let head = structure::head(self.query.question.namer, object, task)?;
        // The head of a tree has other branches.
        if self.own(object).owners > 0 || heap.class_id(head) == heap.class_id(object) {
            return Ok(object);
        }
        let mut at = object;
        while at != head {
            task.checkpoint()?;
            let Some(above) = analysis.immediate_dominator(at) else { break };
            at = above;
            // Its own size may be large, too, as that of a map in V8 snapshots.
            let is_half = analysis.retained(object).0.saturating_mul(2) >= analysis.retained(at).0;
            if self.own(at).owners > 0 && is_half {
                return Ok(at);
            }
        }
        let is_told = self.below(object).owners == 0 && self.below(head).owners > 0;
        Ok(if is_told { head } else { object })
    }

    fn of_objects(&self, finding: &LeakFinding, task: &Task) -> Result<Option<Evidence>, Cancelled> {
        let (query, analysis) = (self.query, self.query.question.namer.analysis);
        let tops = outermost(analysis, &released(finding));
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
            let (bytes, objects) = (less(now.bytes.0, sum.bytes), sum.added.cast_signed() - sum.removed.cast_signed());
            before = Freed { bytes: Bytes(bytes), objects: less(now.objects, objects) };
        }
        Ok(Some(evidence((before, now), sum, self.all)))
    }

    /// Evidence from the growth of a row.
    pub(super) fn of_row(&self, row: &GrowthRow) -> Evidence {
        let (before, after) = (row.change.before, row.change.after);
        let freed = |bytes: Bytes, objects: u64| Freed { bytes, objects };
        let (added, removed) = turnover(row);
        let sum = OwnerSum { bytes: row.bytes.0, code: row.code.0, added, removed, owners: row.owners.len() };
        let sizes = (freed(before.retained, before.objects), freed(after.retained, after.objects));
        evidence(sizes, sum, self.all)
    }
}

/// The objects that the cuts of a finding release.
fn released(finding: &LeakFinding) -> Vec<ObjectId> {
    let mut released: Vec<ObjectId> = finding.cut.iter().map(|cut| cut.to).collect();
    released.sort_unstable();
    released.dedup();
    released
}

/// Those of some objects that none of the others dominates.
fn outermost(analysis: &Analysis, objects: &[ObjectId]) -> Vec<ObjectId> {
    let is_inner = |object: ObjectId| objects.iter().any(|&top| top != object && analysis.dominates(top, object));
    objects.iter().copied().filter(|&object| !is_inner(object)).collect()
}

/// What was before, of what is now and how much more that is.
fn less(now: u64, more: i64) -> u64 {
    now.saturating_add_signed(more.saturating_neg())
}

/// Number of added and of removed objects of a row.
fn turnover(row: &GrowthRow) -> (u64, u64) {
    row.parts.iter().fold((0, 0), |sum, part| (sum.0 + part.added, sum.1 + part.removed))
}

fn owner_after(owner: &GrowthOwner) -> Option<ObjectId> {
    if let GrowthOwner::Object { after, .. } = owner { Some(*after) } else { None }
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
    // A table that was replaced by a larger one is no turnover.
    let is_replaced = sum.removed >= REPLACED && sum.removed.saturating_mul(2) >= sum.added;
    Evidence::Grew { grown, code: Bytes(code.0.min(grown.0)), share, is_replaced, bytes, objects }
}

impl LeakFinding {
    /// Evidence from the baseline; `None` without one, or if the structure is not known there.
    pub fn growth(&self) -> Option<&Evidence> {
        self.evidence.iter().find(|sign| matches!(sign, Evidence::Grew { .. } | Evidence::DidNotGrow { .. }))
    }

    /// Takes growth for what it shows: a fixed capacity of the outermost array bounds nothing that grew, and memory of the
    /// runtime that grew by at least `min_bytes` is no table filled at start. A limit that is reached still bounds it, as
    /// do entries that are removed unless it grew much, and a verdict of the user still excuses it.
    fn regroup(&mut self, min_bytes: Bytes) {
        let before = match self.growth() {
            Some(Evidence::Grew { bytes: (before, _), .. }) => *before,
            _ => self.frees,
        };
        let is_bounded = is_bounded_though_grown(&self.evidence, (before, self.grown()));
        let is_excused = self.verdict.as_ref().is_some_and(|verdict| verdict.is_of_user);
        let is_leak = match self.unjudged {
            Group::Bounded => self.grown() > Bytes(0) && !is_bounded,
            Group::Normal => self.grown() >= min_bytes && !is_bounded && !is_excused,
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
    pub(super) fn add_growth(&mut self, growth: Option<Evidence>, min_bytes: Bytes) {
        self.evidence.splice(0..0, growth);
        self.certainty = certainty::with_growth(self.certainty, &self.evidence);
        self.regroup(min_bytes);
    }
}

/// Orders findings of one group that grew as much as each other: those first of which the largest part is new. One
/// growth is often seen in a structure and in objects that it shares with others. `findings` are ordered by growth.
pub(super) fn put_specific_first(findings: &mut [LeakFinding]) {
    let mut rest = &mut *findings;
    while let Some(first) = rest.first() {
        let (group, grown) = (first.section(), u128::from(first.grown().0));
        let is_as_much = |finding: &&LeakFinding| {
            finding.section() == group && u128::from(finding.grown().0) * 100 >= grown * u128::from(AS_MUCH)
        };
        let count = if grown == 0 { 1 } else { rest.iter().take_while(is_as_much).count() };
        let (alike, others) = std::mem::take(&mut rest).split_at_mut(count);
        // Thousandths of the size that are new; of what a cut frees little of, thousandths of the growth. The sort is stable.
        let new = |finding: &LeakFinding| {
            let (grown, frees) = (u128::from(finding.grown().0), u128::from(finding.frees.0));
            grown.min(frees) * 1_000 / grown.max(frees).max(1)
        };
        alike.sort_by_key(|finding| Reverse(new(finding)));
        rest = others;
    }
    put_structures_first(findings);
}

/// Puts a structure that grew before shared objects that grew by at most twice as much, whether it shares them or not: it
/// is freed by one cut, and where it shares them they grew because of it. A structure of which a cut frees less than half of
/// what it grew by has most of that in the shared objects.
fn put_structures_first(findings: &mut [LeakFinding]) {
    for at in 0..findings.len() {
        let first = &findings[at];
        if first.kind != Kind::Shared || first.grown().0 == 0 {
            continue;
        }
        let is_structure = |finding: &LeakFinding| {
            finding.section() == first.section()
                && finding.frees.0.saturating_mul(2) >= finding.grown().0
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
        let evidence = vec![growth];
        LeakFinding { kind, name: name.to_owned(), group: Group::Leak, evidence, ..waste }
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
    #[test]
    fn a_structure_that_a_cut_frees_little_of_is_no_holder_of_shared_objects() {
        let (shared, mut queue) = (grown("shared", Kind::Shared, 100), grown("queue", Kind::Queue, 90));
        queue.frees = Bytes(10);
        let mut findings = vec![shared, queue];
        put_specific_first(&mut findings);
        assert_eq!(findings[0].name, "shared");
    }

    #[test]
    fn growth_by_size_is_at_most_what_is_new() {
        let finding = |frees: u64| LeakFinding {
            fingerprint: "a".to_owned(),
            ..LeakFinding::of_waste(WasteKind::ZeroArrays, 1, Bytes(frees), Bytes(100_000))
        };
        let (earlier, later) = ([finding(1_000)], [finding(9_000)]);
        let growth = |new: u64, all: u64| {
            let earlier_growth = EarlierFindings::new(&earlier, &later).evidence((new, all), &later[0]);
            earlier_growth.map(|earlier_growth| match earlier_growth {
                Evidence::Grew { grown, .. } => grown.0,
                _ => 0,
            })
        };
        assert_eq!(growth(8_500, 10_000), Some(8_000));
        assert_eq!(growth(3_000, 10_000), Some(3_000));
        // Its objects were there before: others held them, too.
        assert_eq!(growth(0, 10_000), Some(0));
        assert_eq!(growth(8_500, 7_000), None);
    }
}
