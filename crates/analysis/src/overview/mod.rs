//! The overview of a dump: facts, totals and at most [`FINDINGS`] findings, each with a link.
//!
//! [`glance()`] computes from columns what is known at once. [`holders()`] takes the findings of the leak search, which is
//! not repeated here. [`DetailedOverview`] and [`WasteTotals`] come from other analyses; after each,
//! [`Overview::findings`] ranks the findings again.

mod health;
mod holders;
mod runtime_rule;
mod summary;

pub use self::health::{Fact, FactKind, Mark};
pub use self::holders::{HolderFindings, holders};
pub use self::summary::{BigObject, HeapSummary, RuntimeObjects, SumRow, Totals, glance};

use std::ops::Range;
use std::sync::Arc;

use crate::extent::Extent;
use crate::leaks::rules::Verdict;
use crate::leaks::{self, DominantClass, Group};
use crate::native_owners::NativeOwner;
use crate::waste::WasteKind;
use heaplens_base::Bytes;
use heaplens_heap::{ClassId, LogicalKind, ObjectId, ThreadState};
use serde::{Deserialize, Serialize};

/// Maximum number of findings.
pub const FINDINGS: usize = 5;
/// Maximum number of findings about holders, to leave room for others.
const HOLDERS: usize = 3;

/// All parts of the overview that are computed so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overview {
    /// The part computed from columns.
    pub glance: HeapSummary,
    /// Findings of the leak search.
    pub holders: Option<HolderFindings>,
    /// The part that visits every object.
    pub closer: Option<DetailedOverview>,
    /// The part that reads the contents of every object.
    pub wasted: Option<WasteTotals>,
    /// The process in a sentence, if it tells more than the size of the heap.
    pub process: Option<String>,
}

/// Packages, threads, class loaders and finalizers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DetailedOverview {
    /// Packages that retain most.
    pub packages: Vec<SumRow>,
    /// Threads that retain most.
    pub threads: Vec<ThreadSum>,
    /// Number of threads.
    pub thread_count: u64,
    /// Findings of this part.
    pub findings: Vec<Finding>,
}

/// A thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThreadSum {
    /// Its object; `None` if the dump has only its stack.
    pub object: Option<ObjectId>,
    /// Id of that object as the format writes it.
    pub id: Option<String>,
    /// Its name, or its number in the dump.
    pub name: String,
    /// Thread state.
    pub state: Option<ThreadState>,
    /// Retained size.
    pub retained: Bytes,
    /// True if it was throwing an `OutOfMemoryError`.
    pub out_of_memory: bool,
}

/// Waste by kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WasteTotals {
    /// One row per kind, most wasted bytes first.
    pub rows: Vec<WasteSum>,
    /// Findings of this part.
    pub findings: Vec<Finding>,
}

/// One kind of waste.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WasteSum {
    /// The kind.
    pub kind: WasteKind,
    /// Number of wasteful or redundant objects.
    pub objects: u64,
    /// Wasted bytes.
    pub wasted: Bytes,
    /// Those that no other kind has.
    pub own: heaplens_heap::Totals,
    /// The view that shows it.
    pub target: Target,
}

/// Target of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Target {
    /// An object in the dominator tree.
    Object(ObjectId),
    /// The finding in view Leaks that names this object.
    Leak(ObjectId),
    /// View Leaks.
    Leaks,
    /// The objects of a class.
    Class(ClassId),
    /// View Threads, with one selected.
    Threads(Option<ObjectId>),
    /// View Duplicate strings.
    Strings,
    /// View Collections.
    Collections,
    /// View Waste.
    Waste,
    /// View Class loaders.
    Loaders,
    /// View Finalizers.
    Finalizers,
    /// View Process.
    Process,
    /// View Histogram.
    Histogram,
    /// View GC roots.
    Roots,
    /// View Parse warnings.
    ParseWarnings,
    /// View Growth, if there is an earlier dump.
    Growth,
    /// View Dominator tree.
    Dominators,
}

/// A finding of the overview.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Subject of the finding.
    pub about: FindingSubject,
    /// Bytes retained or wasted.
    pub bytes: Bytes,
    /// Bytes of the whole heap.
    pub total: Bytes,
    /// Link to the view with details.
    pub target: Target,
    /// The user's verdict.
    pub verdict: Option<Verdict>,
    /// True if the dump is incomplete, so that nothing is known that only a complete one tells: whether objects are
    /// unreachable, or held by one reference only.
    pub is_incomplete: bool,
    /// Group in the leak search; `None` unless it is about a holder.
    pub group: Option<Group>,
    /// The leak search's finding, for copying, cutting and verdicts; `None` unless it is about a holder.
    #[serde(skip)]
    pub leak: Option<Arc<leaks::LeakFinding>>,
    /// Where the wasted bytes are; empty unless it is about waste.
    pub extent: Extent,
    /// Positions in the dominator tree of what its cuts free; empty unless it is about a holder.
    #[serde(skip)]
    pub freed: Vec<Range<u32>>,
    /// Findings about waste that are not listed for themselves: nearly all of it is part of this one, or this one is about
    /// waste, too, and has the largest part of it.
    #[serde(skip)]
    pub includes: Vec<Finding>,
}

/// A large holder marked as expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedFinding {
    /// Name of the holding reference: `desk.SessionCache.ENTRIES`.
    pub name: String,
    /// Bytes freed by cutting it.
    pub bytes: Bytes,
    /// The user's verdict.
    pub verdict: Verdict,
}

/// Subject of a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FindingSubject {
    /// An object with a large retained size.
    Holder(Holder),
    /// Objects of a class that several objects hold and none dominates.
    Shared(SharedObjects),
    /// Duplicate strings: number of redundant strings, the most expensive value, and its number of occurrences.
    DuplicateStrings(u64, String, u64),
    /// Waste of another kind, and the number of objects.
    Waste(WasteKind, u64),
    /// Number of unreachable objects.
    Garbage(u64),
    /// What holds much memory outside the heap.
    Native(NativeOwner),
    /// Number of objects awaiting finalization.
    Finalizers(u64),
    /// Names of class loaders retained only by their own classes.
    Loaders(Vec<String>),
}

/// An object with a large retained size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Holder {
    /// The object.
    pub object: ObjectId,
    /// Its id as the format writes it.
    pub id: String,
    /// Its class.
    pub class: String,
    /// Its name: `desk.SessionCache.ENTRIES`.
    pub name: String,
    /// The name to show: class and field in the source.
    pub label: String,
    /// Accumulation point: no child retains most of it.
    pub point: ObjectId,
    /// Its id.
    pub point_id: String,
    /// The collection on the path to it: class, kind, number of entries.
    pub collection: Option<(String, LogicalKind, u64)>,
    /// The class that accumulates.
    pub holds: Option<DominantClass>,
    /// Number of objects it dominates.
    pub dominated: u64,
    /// Retained size of the largest child of the accumulation point.
    pub biggest: Bytes,
}

/// Objects of a class that several objects hold and none dominates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SharedObjects {
    /// The class.
    pub class: String,
    /// Number of them.
    pub objects: u64,
    /// Retained size of the largest.
    pub biggest: Bytes,
    /// Application classes that hold some of them, most frequent first.
    pub holders: Vec<String>,
}

impl Overview {
    /// The findings so far: those marked as leaks first, then by weight. Waste that is part of another finding is told with
    /// that.
    pub fn findings(&self) -> Vec<Finding> {
        let closer = self.closer.iter().flat_map(|closer| &closer.findings);
        let wasted = self.wasted.iter().flat_map(|wasted| &wasted.findings);
        let holders = self.holders.iter().flat_map(|holders| &holders.findings);
        let all: Vec<&Finding> = holders.chain(closer).chain(wasted).collect();
        // Leaks keep the order of the leak search: a likely one counts as much as a larger one that is less likely.
        let mut weights: Vec<u64> = all.iter().map(|finding| finding.weight()).collect();
        let mut most = 0;
        for (finding, weight) in all.iter().zip(&mut weights).rev().filter(|(finding, _)| finding.is_leak()) {
            most = most.max(finding.weight());
            *weight = most;
        }
        let mut all: Vec<WeightedFinding<'_>> = all.into_iter().zip(weights).collect();
        // Stable: equal weights keep the order in which they were found.
        all.sort_by_key(order);
        leaks::put_among_first(&mut all, |(finding, _)| finding.is_dominating());
        let mut included: Vec<(&Finding, &Finding)> = Vec::new();
        let first = loop {
            let first = first(&all);
            let part = first.iter().find_map(|(part, _)| {
                let (larger, _) = first.iter().find(|(larger, _)| part.is_part_of(larger))?;
                Some((*larger, *part))
            });
            let Some((larger, part)) = part else { break first };
            included.push((larger, part));
            all.retain(|(finding, _)| !std::ptr::eq(*finding, part));
        };
        // Waste has one line, with the largest kind first.
        let wastes: Vec<&Finding> =
            all.iter().map(|(finding, _)| *finding).filter(|finding| finding.is_waste()).collect();
        if let Some((&larger, others)) = wastes.split_first() {
            included.extend(others.iter().map(|&part| (larger, part)));
        }
        let with_parts = |(finding, _): WeightedFinding<'_>| {
            let parts = included.iter().filter(|(larger, _)| std::ptr::eq(*larger, finding));
            Finding { includes: parts.map(|(_, part)| Finding::clone(part)).collect(), ..finding.clone() }
        };
        first.into_iter().map(with_parts).collect()
    }
}

/// A finding and its weight.
type WeightedFinding<'a> = (&'a Finding, u64);

fn order(&(finding, weight): &WeightedFinding<'_>) -> (bool, std::cmp::Reverse<u64>) {
    (!finding.is_said_to_leak(), std::cmp::Reverse(weight))
}

/// The first findings of all in order, with room for others than holders.
fn first<'a>(all: &[WeightedFinding<'a>]) -> Vec<WeightedFinding<'a>> {
    let (mut holders, mut has_waste) = (0, false);
    // Further kinds of waste are told with the first.
    let mut is_told = |finding: &Finding| finding.is_waste() && std::mem::replace(&mut has_waste, true);
    let listed = all.iter().copied().filter(|(finding, _)| !is_told(finding));
    let (mut first, mut rest): (Vec<_>, Vec<_>) = listed.enumerate().partition(|(_, (finding, _))| {
        let is_holder = matches!(finding.about, FindingSubject::Holder(_));
        holders += usize::from(is_holder);
        !is_holder || holders <= HOLDERS
    });
    first.truncate(FINDINGS);
    rest.truncate(FINDINGS - first.len());
    first.append(&mut rest);
    first.sort_by_key(|&(at, _)| at);
    first.into_iter().map(|(_, finding)| finding).collect()
}

impl Finding {
    /// A finding that is about no holder.
    pub fn new(about: FindingSubject, bytes: Bytes, total: Bytes, target: Target) -> Self {
        let (extent, freed, includes) = (Extent::default(), Vec::new(), Vec::new());
        let (verdict, group, leak, is_incomplete) = (None, None, None, false);
        Self { about, bytes, total, target, verdict, is_incomplete, group, leak, extent, freed, includes }
    }

    /// True of waste nearly all of which another finding frees.
    fn is_part_of(&self, other: &Self) -> bool {
        self.extent.is_nearly_within(&other.freed)
    }

    /// Weight for ranking. Waste counts half, because leaks contain much of it. Bounded findings count a tenth, because
    /// they do not grow. Unreachable objects of an incomplete dump count nothing: what leads to them may be missing.
    fn weight(&self) -> u64 {
        match (&self.about, self.group) {
            (FindingSubject::Garbage(_), _) if self.is_incomplete => 0,
            (_, Some(Group::Bounded)) => self.bytes.0 / 10,
            _ if self.is_waste() => self.bytes.0 / 2,
            _ => self.bytes.0,
        }
    }

    /// True of a finding of the leak search that may keep growing.
    fn is_leak(&self) -> bool {
        self.group == Some(Group::Leak)
    }

    /// The kind of a finding about waste, as the leak search has it.
    pub fn waste_kind(&self) -> Option<leaks::Kind> {
        match self.about {
            FindingSubject::DuplicateStrings(..) => Some(leaks::Kind::Waste(WasteKind::DuplicateStrings)),
            FindingSubject::Waste(kind, _) => Some(leaks::Kind::Waste(kind)),
            _ => None,
        }
    }

    /// True of memory that holds no useful data.
    pub fn is_waste(&self) -> bool {
        self.waste_kind().is_some()
    }

    /// True of a structure that is listed whatever is known about it.
    fn is_dominating(&self) -> bool {
        self.leak.as_ref().is_some_and(|leak| leak.is_dominating())
    }

    /// True if the user marked it as a leak.
    fn is_said_to_leak(&self) -> bool {
        self.verdict.as_ref().is_some_and(|verdict| verdict.group == Group::Leak)
    }
}

/// True if the bytes are at least 1 % of the heap.
pub fn is_much(bytes: Bytes, total: Bytes) -> bool {
    bytes > Bytes(0) && bytes.0 >= total.0.div_ceil(100)
}
