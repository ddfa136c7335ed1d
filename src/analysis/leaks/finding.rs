//! A finding as plain data: what the window draws, the command line prints and
//! scripts read.

use super::fingerprint::fingerprint;
use super::rules::Verdict;
use super::signs::Sign;
use crate::analysis::paths::Path;
use crate::analysis::waste::WasteKind;
use crate::heap::contents::{Contents, LogicalKind};
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::units::{Bytes, Share};

/// What is a leak, and what is only big. In the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// It may grow without end, or should be gone.
    Leak,
    /// It takes room for nothing.
    Waste,
    /// Big, but the dump itself shows that it is complete or has a bound.
    Bounded,
    /// What every program of this runtime has.
    Normal,
    /// The user says that it is as it should be.
    Expected,
}

/// How memory is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A map that keeps what is put into it.
    Cache,
    /// A list or set.
    Collection,
    /// A queue that nobody empties fast enough.
    Queue,
    /// Objects that refer to each other one by one.
    Chain,
    /// An array of references.
    Array,
    /// A single array of numbers or characters.
    Buffer,
    /// An object that holds many different things.
    Holder,
    /// Many objects of one class below one holder.
    Siblings,
    /// What several hold and none alone.
    Shared,
    /// Class loaders with all their classes.
    ClassLoaders,
    /// Local variables of a running method.
    Thread,
    /// Thread locals.
    ThreadLocals,
    /// Objects that wait for their finalizer.
    Finalizers,
    /// What the actions of a cleaner hold.
    Cleaners,
    /// Memory that holds no useful data.
    Waste(WasteKind),
}

/// An object as people know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The object.
    pub object: ObjectId,
    /// Its id as the format writes it.
    pub id: String,
    /// Its class.
    pub class: String,
    /// A short name.
    pub label: Option<String>,
}

/// A reference to cut, or one in many objects alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// What it is called: `desk.SessionCache.ENTRIES`.
    pub name: String,
    /// The object that holds.
    pub from: ObjectId,
    /// Its id.
    pub from_id: String,
    /// The object that is held.
    pub to: ObjectId,
    /// Its id.
    pub to_id: String,
    /// How the first names its reference: `ENTRIES`, `[17]`.
    pub reference: String,
    /// In how many objects the same reference is meant: 1 as a rule, more for a field in all instances.
    pub times: u64,
}

/// What there is most of in what is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accumulated {
    /// The class.
    pub class: String,
    /// How many objects of it are held.
    pub objects: u64,
    /// How many of it the heap has.
    pub of_all: u64,
}

/// The collection that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inside {
    /// Its class.
    pub class: String,
    /// How it is thought of.
    pub kind: LogicalKind,
    /// How many entries it has.
    pub size: u64,
}

/// Something found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// How it is held.
    pub kind: Kind,
    /// Whether it is a leak.
    pub group: Group,
    /// The same as the dump alone says it, without rules and the user.
    pub unjudged: Group,
    /// Who holds it, by address-free name.
    pub name: String,
    /// Who holds it; `None` of waste all over the heap.
    pub holder: Option<Named>,
    /// The object that the title names and a click selects: the object that the named reference holds (the collection,
    /// never its internal array), the thread, the loader. Where several objects are one finding, the largest of them:
    /// `name` is its name, or it is one of the objects that the title counts. `None` of waste.
    pub named_object: Option<ObjectId>,
    /// Where what is held stops being in one piece.
    pub point: Option<Named>,
    /// What there is most of in it.
    pub accumulated: Option<Accumulated>,
    /// The collection that holds it.
    pub collection: Option<Inside>,
    /// The shortest path to the accumulation point, root first.
    pub path: Option<Path>,
    /// Which references to cut: all of them.
    pub cut: Vec<Cut>,
    /// Further objects to be cut off in the same way: of very many only the first are listed.
    pub unlisted: u64,
    /// What that frees.
    pub frees: Bytes,
    /// How many objects that frees; of waste in how many it is.
    pub objects: u64,
    /// Of how many bytes that are reachable.
    pub whole: Bytes,
    /// What speaks for a leak, and against it.
    pub signs: Vec<Sign>,
    /// Whether an object of the application holds it.
    pub is_of_application: bool,
    /// How many places alike this stands for.
    pub places: u64,
    /// What the user or a rule says of it.
    pub verdict: Option<Verdict>,
    /// Names, classes and fields of what keeps all of it alive: what somebody says of one of these goes for it, too.
    pub explained_by: Vec<String>,
    /// Equal in the next dump of the program.
    pub fingerprint: String,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 5] = [Self::Leak, Self::Waste, Self::Bounded, Self::Normal, Self::Expected];

    /// The word of JSON.
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
    /// The word of JSON.
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

impl Finding {
    /// Share of the reachable heap.
    pub fn share(&self) -> Share {
        Share::of(self.frees, self.whole)
    }
}

impl Named {
    pub(super) fn of(heap: &Heap, contents: &dyn Contents, object: ObjectId) -> Self {
        let class = heap.class(object).name.to_string();
        Self { object, id: heap.id_text(object), class, label: contents.label(heap, object) }
    }
}

impl Finding {
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
