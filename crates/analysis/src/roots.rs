//! GC roots by kind, with the retained size of each kind.

use std::collections::BTreeMap;

use heaplens_base::Bytes;
use heaplens_heap::{Analysis, ObjectId, RootKind, ThreadStacks};

/// The roots of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootsOfKind {
    /// The kind.
    pub kind: RootKind,
    /// The objects, by address, each once.
    pub objects: Vec<ObjectId>,
    /// Retained size of all of them; each byte counts once.
    pub retained: Bytes,
}

/// GC roots by kind, largest retained size first. Objects on thread stacks count as in the file,
/// although in the heap model the thread object holds them.
pub fn roots_by_kind(contents: &dyn ThreadStacks, analysis: &Analysis) -> Vec<RootsOfKind> {
    let mut kinds: BTreeMap<RootKind, Vec<ObjectId>> = BTreeMap::new();
    let of_heap = analysis.roots().all().iter().map(|root| (root.kind, root.object));
    let of_stacks = contents.stack_locals().into_iter().map(|local| (local.kind, local.object));
    of_heap.chain(of_stacks).for_each(|(kind, object)| kinds.entry(kind).or_default().push(object));
    let row = |(kind, mut objects): (RootKind, Vec<ObjectId>)| {
        objects.sort_unstable();
        objects.dedup();
        let retained = analysis.retained_together(objects.iter().copied());
        RootsOfKind { kind, objects, retained }
    };
    let mut rows: Vec<RootsOfKind> = kinds.into_iter().map(row).collect();
    rows.sort_by(|a, b| b.retained.cmp(&a.retained).then(a.kind.cmp(&b.kind)));
    rows
}
