//! Analyses of JavaScript snapshots only: objects retained by detached nodes, contexts, the console and event listeners
//! ([`retained_by`]), memory per native context ([`native_contexts`]), detached nodes and their retainers
//! ([`detached`]), closures with captured variables ([`closures`]), allocation timeline ([`timeline`]), and leaks
//! between snapshots of one process ([`leaks`], [`growth`]). Rules and where they come from: `docs/javascript.md`.

pub mod by_class;
pub mod closures;
pub mod clusters;
pub mod detached;
pub mod growth;
pub mod leaks;
pub mod native_contexts;
pub mod object_numbers;
pub mod path_table;
pub mod retained_by;
pub mod rules;
pub mod timeline;

use std::cmp::Reverse;

use crate::answers::DumpData;
use heaplens_heap::{ObjectId, ReferenceKind, ReferenceName, Snapshot, snapshot::kind};

impl<'a> DumpData<'a> {
    /// Snapshot data besides objects and references; `None` if the dump is not a snapshot.
    pub fn snapshot(self) -> Option<&'a Snapshot> {
        self.heap.snapshot()
    }

    /// Targets of an object's edges except weak ones, retaining edges first.
    fn leads_to(self, object: ObjectId) -> impl Iterator<Item = u32> + 'a {
        let non_retaining = self.snapshot().into_iter().flat_map(move |snapshot| {
            snapshot.non_retaining_edges(object).filter(|&(_, kind)| kind & kind::WEAK == 0).map(|(to, _)| to)
        });
        self.heap.references(object).iter().copied().chain(non_retaining)
    }

    /// At most `limit` edges of an object with their names, including weak ones.
    fn edges(self, object: ObjectId, limit: usize) -> Vec<(ReferenceName, ObjectId)> {
        self.contents.named_references_of(self.heap, object, limit).unwrap_or_default()
    }

    /// Objects by row.
    fn objects(self) -> impl Iterator<Item = ObjectId> {
        (0..self.heap.len()).filter_map(ObjectId::new)
    }
}

/// Example objects per group.
const LISTED: usize = 100;

/// Example objects of a group, largest retained size first.
fn most_retaining(of: DumpData<'_>, group: &[ObjectId]) -> Vec<ObjectId> {
    let key = |object: &ObjectId| (Reverse(of.analysis.retained(*object)), *object);
    let mut first = group.to_vec();
    if first.len() > LISTED {
        first.select_nth_unstable_by_key(LISTED, key);
        first.truncate(LISTED);
    }
    first.sort_unstable_by_key(key);
    first
}

/// True if the program named the edge, not the engine.
fn is_of_program(name: &ReferenceName) -> bool {
    matches!(name.kind, ReferenceKind::Property | ReferenceKind::Context | ReferenceKind::Element)
}
