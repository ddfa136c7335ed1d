//! What only snapshots of JavaScript engines answer: what detached nodes, contexts, the console and event handlers keep
//! ([`held`]), whose bytes are which page's ([`native_contexts`]), detached nodes and who holds them ([`detached`]),
//! functions with what they capture ([`closures`]), when what is there was allocated ([`timeline`]), and what leaks
//! between snapshots of one process ([`leaks`], [`growth`]). Rules and where they come from: `docs/javascript.md`.

pub mod by_class;
pub mod closures;
pub mod clusters;
pub mod detached;
pub mod growth;
pub mod held;
pub mod leaks;
pub mod native_contexts;
pub mod rules;
pub mod same;
pub mod timeline;
pub mod ways;

use std::cmp::Reverse;

use crate::heap::analyzed::Analyzed;
use crate::heap::contents::{Contents, ReferenceKind, ReferenceName};
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::heap::snapshot::{Snapshot, kind};

/// The format that is asked.
pub const FORMAT: &str = "v8";

/// An opened snapshot.
#[derive(Clone, Copy)]
pub struct Opened<'a> {
    /// The facts.
    pub heap: &'a Heap,
    /// The inside of objects.
    pub contents: &'a dyn Contents,
    /// What follows.
    pub analyzed: &'a Analyzed,
}

impl<'a> Opened<'a> {
    /// What the file says beside objects and references; `None` of a dump that is no snapshot.
    pub fn snapshot(self) -> Option<&'a Snapshot> {
        self.heap.snapshot()
    }

    /// Where the edges of an object lead that are not weak, those that hold first.
    fn leads_to(self, object: ObjectId) -> impl Iterator<Item = u32> + 'a {
        let beside = self.snapshot().into_iter().flat_map(move |snapshot| {
            snapshot.edges_beside(object).filter(|&(_, how)| how & kind::WEAK == 0).map(|(to, _)| to)
        });
        self.heap.references(object).iter().copied().chain(beside)
    }

    /// The edges of an object with their names, weak ones too, as far as `limit`.
    fn edges(self, object: ObjectId, limit: usize) -> Vec<(ReferenceName, ObjectId)> {
        self.contents.named_references_of(self.heap, object, limit).unwrap_or_default()
    }

    /// Objects by row.
    fn objects(self) -> impl Iterator<Item = ObjectId> {
        (0..self.heap.len()).filter_map(ObjectId::new)
    }
}

/// Objects of a group that are told one by one.
const TOLD: usize = 100;

/// The first objects of a group, most retained first.
fn most_retaining(of: Opened<'_>, group: &[ObjectId]) -> Vec<ObjectId> {
    let key = |object: &ObjectId| (Reverse(of.analyzed.retained(*object)), *object);
    let mut first = group.to_vec();
    if first.len() > TOLD {
        first.select_nth_unstable_by_key(TOLD, key);
        first.truncate(TOLD);
    }
    first.sort_unstable_by_key(key);
    first
}

/// Whether the program gave an edge its name, and not the engine.
fn is_of_program(name: &ReferenceName) -> bool {
    matches!(name.kind, ReferenceKind::Property | ReferenceKind::Context | ReferenceKind::Element)
}
