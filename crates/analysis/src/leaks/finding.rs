//! Findings as plain data, for the window, the command line and JSON.

use super::evidence::Evidence;
use super::fingerprint::fingerprint;
use super::rules::Verdict;
use crate::paths::Path;
use crate::waste::WasteKind;
use heaplens_base::units::{Bytes, Share};
use heaplens_core::heap::contents::{LogicalKind, ObjectTexts};
use heaplens_core::heap::facts::Heap;
use heaplens_core::heap::ids::ObjectId;

/// Groups of findings, in the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// May keep growing, or should have been released.
    Leak,
    /// Memory that holds no useful data.
    Waste,
    /// Large, but the dump shows that its size is limited.
    Bounded,
    /// Memory of the runtime itself, in every program.
    Normal,
    /// Marked as expected by the user.
    Expected,
}

/// Kind of a finding, by how memory is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A map.
    Cache,
    /// A list or set.
    Collection,
    /// A queue filled faster than it is emptied.
    Queue,
    /// Objects of one class linked to each other.
    Chain,
    /// An array of references.
    Array,
    /// A single primitive array.
    Buffer,
    /// An object with many different objects in its retained set.
    Holder,
    /// Many objects of one class below one holder.
    Siblings,
    /// Objects shared by several holders of which none dominates them.
    Shared,
    /// Class loaders with all their classes.
    ClassLoaders,
    /// Local variables of a running method.
    Thread,
    /// Thread locals.
    ThreadLocals,
    /// Objects that await finalization.
    Finalizers,
    /// Objects held by cleaning actions.
    Cleaners,
    /// Memory that holds no useful data.
    Waste(WasteKind),
}

/// An object with its id and label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedObject {
    /// The object.
    pub object: ObjectId,
    /// Its id as the format writes it.
    pub id: String,
    /// Its class.
    pub class: String,
    /// A short label, if its class has one.
    pub label: Option<String>,
}

/// A reference to cut, or the same field in many objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceToCut {
    /// Its name: `desk.SessionCache.ENTRIES`.
    pub name: String,
    /// The holding object.
    pub from: ObjectId,
    /// Its id.
    pub from_id: String,
    /// The held object.
    pub to: ObjectId,
    /// Its id.
    pub to_id: String,
    /// Name of the reference within the holding object: `ENTRIES`, `[17]`.
    pub reference: String,
    /// Number of objects it is cut in: more than 1 for a field in all instances.
    pub times: u64,
}

/// The class that accumulates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DominantClass {
    /// The class.
    pub class: String,
    /// Number of its objects in the finding.
    pub objects: u64,
    /// Number of its objects in the heap.
    pub of_all: u64,
}

/// The holding collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldingCollection {
    /// Its class.
    pub class: String,
    /// Map, list or set.
    pub kind: LogicalKind,
    /// Number of entries.
    pub size: u64,
}

/// A finding: memory that may leak or is wasted.
#[derive(Debug, Clone, PartialEq)]
pub struct LeakFinding {
    /// Kind.
    pub kind: Kind,
    /// Group after rules and verdicts.
    pub group: Group,
    /// Group by the evidence of the dump alone, before rules and verdicts.
    pub unjudged: Group,
    /// Name of the holding reference, without addresses. Of waste, the key of its kind.
    pub name: String,
    /// The holding object; `None` of waste.
    pub holder: Option<NamedObject>,
    /// The object that the title names and a click selects: the object that the named reference holds (the collection,
    /// never its internal array), the thread, the loader. Where several objects are one finding, the largest of them:
    /// `name` is its name, or it is one of the objects that the title counts. `None` of waste.
    pub named_object: Option<ObjectId>,
    /// The accumulation point: below it, many small objects add up.
    pub point: Option<NamedObject>,
    /// The class that accumulates in it.
    pub accumulated: Option<DominantClass>,
    /// The collection that holds the accumulated objects.
    pub collection: Option<HoldingCollection>,
    /// The shortest path to the accumulation point, root first.
    pub path: Option<Path>,
    /// References that must all be cut to free it.
    pub cut: Vec<ReferenceToCut>,
    /// Number of further references to cut in the same way that `cut` does not list.
    pub unlisted: u64,
    /// Bytes freed by these cuts.
    pub frees: Bytes,
    /// Number of objects freed; of waste, of wasteful objects.
    pub objects: u64,
    /// Reachable bytes of the heap.
    pub whole: Bytes,
    /// Evidence for and against a leak.
    pub signs: Vec<Evidence>,
    /// True if an application object holds it.
    pub is_of_application: bool,
    /// Number of similar locations combined in this finding.
    pub places: u64,
    /// The verdict of the user or of a built-in rule.
    pub verdict: Option<Verdict>,
    /// Names, classes and fields on every path to it: verdicts on them apply to the finding, too.
    pub explained_by: Vec<String>,
    /// Identifies the finding in later dumps of the program.
    pub fingerprint: String,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 5] = [Self::Leak, Self::Waste, Self::Bounded, Self::Normal, Self::Expected];

    /// The stable key in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Self::Leak => "leak",
            Self::Waste => "waste",
            Self::Bounded => "bounded",
            Self::Normal => "normal",
            Self::Expected => "expected",
        }
    }
}

impl Kind {
    /// The stable key in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Self::Cache => "cache",
            Self::Collection => "collection",
            Self::Queue => "queue",
            Self::Chain => "chain",
            Self::Array => "array",
            Self::Buffer => "buffer",
            Self::Holder => "holder",
            Self::Siblings => "siblings",
            Self::Shared => "shared",
            Self::ClassLoaders => "class loaders",
            Self::Thread => "thread",
            Self::ThreadLocals => "thread locals",
            Self::Finalizers => "finalizers",
            Self::Cleaners => "cleaners",
            Self::Waste(kind) => kind.key(),
        }
    }
}

impl Kind {
    /// Label for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Cache => "Cache",
            Self::Collection => "Collection",
            Self::Queue => "Queue",
            Self::Chain => "Linked objects",
            Self::Array => "Array",
            Self::Buffer => "Buffer",
            Self::Holder => "Holder",
            Self::Siblings => "Objects of one class",
            Self::Shared => "Shared objects",
            Self::ClassLoaders => "Class loaders",
            Self::Thread => "Thread",
            Self::ThreadLocals => "Thread locals",
            Self::Finalizers => "Finalizers",
            Self::Cleaners => "Cleaners",
            Self::Waste(kind) => kind.title(),
        }
    }
}

impl LeakFinding {
    /// Share of the reachable heap.
    pub fn share(&self) -> Share {
        Share::of(self.frees, self.whole)
    }
}

impl NamedObject {
    pub(super) fn of(heap: &Heap, contents: &dyn ObjectTexts, object: ObjectId) -> Self {
        let class = heap.class(object).name.to_string();
        Self { object, id: heap.id_text(object), class, label: contents.label(heap, object) }
    }
}

impl LeakFinding {
    /// Waste of one kind in `objects` objects of the whole heap. Its name, which verdicts match, is the kind's key.
    pub fn of_waste(kind: WasteKind, objects: u64, wasted: Bytes, whole: Bytes) -> Self {
        let name = kind.key().to_owned();
        Self {
            kind: Kind::Waste(kind),
            group: Group::Waste,
            unjudged: Group::Waste,
            fingerprint: fingerprint(Kind::Waste(kind), &name, "", None),
            name,
            holder: None,
            named_object: None,
            point: None,
            accumulated: None,
            collection: None,
            path: None,
            cut: Vec::new(),
            unlisted: 0,
            frees: wasted,
            objects,
            whole,
            signs: Vec::new(),
            is_of_application: false,
            places: 1,
            verdict: None,
            explained_by: Vec::new(),
        }
    }
}
