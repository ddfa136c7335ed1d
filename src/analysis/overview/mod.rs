//! The page a dump opens on: what the dump is, what there is in it, and at
//! most five findings, each with a place to go to.
//!
//! Part of it follows from columns ([`glance()`]) and is there at once. The
//! rest comes from other analyses: whoever asks those hands over their plain
//! answers ([`Closer`], [`Wasted`]), and the findings are ranked anew.

mod glance;
mod health;
mod holders;
mod runtime;

pub use self::glance::{BigObject, Glance, SumRow, Totals, glance};
pub use self::health::{Fact, FactKind, Mark};

use std::sync::Arc;

use crate::analysis::leaks::rules::{LeakRules, Verdict};
use crate::analysis::leaks::{self, Group};
use crate::analysis::runtime_classes::RuntimeClasses;
use crate::analysis::waste::WasteKind;
use crate::heap::ids::{ClassId, ObjectId};
use crate::units::Bytes;

/// Findings that are shown.
pub const FINDINGS: usize = 5;
/// Of those, objects that hold much: there is more to say of a heap than who holds it.
const HOLDERS: usize = 3;

/// By which rules a dump is looked over.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// Which classes are not the application's.
    pub runtime: &'a RuntimeClasses,
    /// What is normal, and what the user says of leaks.
    pub leaks: &'a LeakRules,
}

/// Everything about a dump that is known so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overview {
    /// What follows from columns.
    pub glance: Glance,
    /// What takes a look at every object.
    pub closer: Option<Closer>,
    /// What takes a look inside every object.
    pub wasted: Option<Wasted>,
}

/// Packages, threads, and what is about loaders and finalizers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Closer {
    /// Packages that retain most.
    pub packages: Vec<SumRow>,
    /// Threads that retain most.
    pub threads: Vec<ThreadSum>,
    /// How many threads there are.
    pub thread_count: u64,
    /// Direct buffers and their bytes outside the heap; `None` where the dump is not here to say.
    pub outside: Option<(u64, Bytes)>,
    /// What there is to say of these.
    pub findings: Vec<Finding>,
}

/// A thread.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreadSum {
    /// Its object; `None` where the dump has only its stack.
    pub object: Option<ObjectId>,
    /// The id of that as the format writes it.
    pub id: Option<String>,
    /// Its name, or the number by which the dump knows it.
    pub name: String,
    /// What it is doing.
    pub state: Option<&'static str>,
    /// What it keeps alive.
    pub retained: Bytes,
    /// Whether it was throwing an `OutOfMemoryError`.
    pub out_of_memory: bool,
}

/// Waste by kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wasted {
    /// One row per kind, most wasted bytes first.
    pub rows: Vec<WasteSum>,
    /// What there is to say of these.
    pub findings: Vec<Finding>,
}

/// One kind of waste.
#[derive(Debug, Clone, PartialEq)]
pub struct WasteSum {
    /// The kind.
    pub kind: WasteKind,
    /// Objects that waste something, or are one too many.
    pub objects: u64,
    /// Bytes that would be free without.
    pub wasted: Bytes,
    /// Where it is shown.
    pub target: Target,
}

/// Where something leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// To an object in the dominator tree.
    Object(ObjectId),
    /// To what leaks, and of that to the finding that names this object.
    Leak(ObjectId),
    /// To what leaks.
    Leaks,
    /// To the objects of a class.
    Class(ClassId),
    /// To the threads, one of them chosen.
    Threads(Option<ObjectId>),
    /// To duplicate strings.
    Strings,
    /// To collections.
    Collections,
    /// To all kinds of waste.
    Waste,
    /// To class loaders.
    Loaders,
    /// To finalizers.
    Finalizers,
    /// To the histogram.
    Histogram,
    /// To GC roots by kind.
    Roots,
}

/// Something worth a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What it is about.
    pub about: About,
    /// What it comes to.
    pub bytes: Bytes,
    /// Of how much.
    pub whole: Bytes,
    /// Where to look.
    pub target: Target,
    /// What the user says of it.
    pub verdict: Option<Verdict>,
    /// How it stands to what leaks; `None` of what is no holder.
    pub group: Option<Group>,
    /// The finding of the leak search behind it, to be copied, cut or judged; `None` of what is no holder.
    pub leak: Option<Arc<leaks::Finding>>,
}

/// Something big that the user expects to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// Who holds it: `desk.SessionCache.ENTRIES`.
    pub name: String,
    /// What would be freed without.
    pub bytes: Bytes,
    /// What the user says.
    pub verdict: Verdict,
}

/// What a finding is about.
#[derive(Debug, Clone, PartialEq)]
pub enum About {
    /// An object that alone holds much.
    Holder(Holder),
    /// Objects of a class that are held from several sides each.
    Shared(Shared),
    /// The same text in several strings: how many are too many, the costliest, and how often that stands there.
    DuplicateStrings(u64, String, u64),
    /// Waste of another kind, and the number of objects.
    Waste(WasteKind, u64),
    /// So many objects that no GC root reaches.
    Garbage(u64),
    /// So many objects wait for their finalizer.
    Finalizers(u64),
    /// Class loaders that only their own classes keep alive, by name.
    Loaders(Vec<String>),
}

/// An object that alone holds much.
#[derive(Debug, Clone, PartialEq)]
pub struct Holder {
    /// The object.
    pub object: ObjectId,
    /// Its id as the format writes it.
    pub id: String,
    /// Its class.
    pub class: String,
    /// What people call it: `desk.SessionCache.ENTRIES`.
    pub name: String,
    /// Where what it holds fans out: below there is no single object that holds most of it.
    pub point: ObjectId,
    /// The id of that.
    pub point_id: String,
    /// The collection on the way there: its class, how it is thought of, what it holds.
    pub collection: Option<(String, &'static str, u64)>,
    /// Of what it holds most: the class, and how many.
    pub holds: Option<(String, u64)>,
    /// Objects that only it keeps alive.
    pub dominated: u64,
    /// What the biggest object below the point keeps alive.
    pub biggest: Bytes,
}

/// Objects of a class that are held from several sides each.
#[derive(Debug, Clone, PartialEq)]
pub struct Shared {
    /// The class.
    pub class: String,
    /// How many.
    pub objects: u64,
    /// What the biggest keeps alive.
    pub biggest: Bytes,
    /// Classes of the application that hold some of them, commonest first.
    pub holders: Vec<String>,
}

impl Overview {
    /// The findings there are so far: what the user says leaks, then the biggest first; what is bounded weighs less.
    pub fn findings(&self) -> Vec<&Finding> {
        let closer = self.closer.iter().flat_map(|closer| &closer.findings);
        let wasted = self.wasted.iter().flat_map(|wasted| &wasted.findings);
        let mut all: Vec<&Finding> = self.glance.findings.iter().chain(closer).chain(wasted).collect();
        // Stable: equal ones stay in the order in which they were found.
        let order = |finding: &&Finding| (!finding.is_said_to_leak(), std::cmp::Reverse(finding.weight()));
        all.sort_by_key(order);
        let mut holders = 0;
        let (mut first, mut rest): (Vec<&Finding>, Vec<&Finding>) = all.into_iter().partition(|finding| {
            let is_holder = matches!(finding.about, About::Holder(_));
            holders += usize::from(is_holder);
            !is_holder || holders <= HOLDERS
        });
        first.truncate(FINDINGS);
        rest.truncate(FINDINGS - first.len());
        first.append(&mut rest);
        first.sort_by_key(order);
        first
    }
}

impl Finding {
    /// What it comes to, where all are put in order. Waste weighs half: what leaks has much of it. What is complete or
    /// has a bound weighs a tenth: it is big, but will not grow.
    fn weight(&self) -> u64 {
        match (&self.about, self.group) {
            (_, Some(Group::Bounded)) => self.bytes.0 / 10,
            (About::Waste(..) | About::DuplicateStrings(..), _) => self.bytes.0 / 2,
            _ => self.bytes.0,
        }
    }

    /// Whether the user says that it leaks.
    fn is_said_to_leak(&self) -> bool {
        self.verdict.as_ref().is_some_and(|verdict| verdict.group == Group::Leak)
    }
}

/// Whether so many bytes are worth a sentence: a hundredth of all.
pub fn is_much(bytes: Bytes, whole: Bytes) -> bool {
    bytes > Bytes(0) && bytes.0 >= whole.0.div_ceil(100)
}
