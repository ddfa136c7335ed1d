//! Starting points of matching by references: class objects, threads, other GC roots.

use crate::answers::DumpData;
use std::collections::BTreeMap;

use super::context::Candidate;
use super::state::{Matching, mark_alone};
use crate::diff::{kinds::ComparedClassId, matches::MatchMethod};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId, RootKind};

/// Matches objects that can be identified without a holder.
pub(super) fn match_seeds(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    task.checkpoint()?;
    for candidate in classes(matching) {
        matching.take(candidate);
    }
    task.checkpoint()?;
    for candidate in roots(matching) {
        matching.take(candidate);
    }
    Ok(())
}

/// Matches threads, by name only, so this comes first.
pub(super) fn match_threads(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    task.checkpoint()?;
    for candidate in threads(matching) {
        matching.take(candidate);
    }
    Ok(())
}

/// Class objects of kinds with one class in each heap, and their loaders.
fn classes(matching: &Matching<'_>) -> Vec<Candidate> {
    let pair = matching.pair;
    let mut candidates = Vec::new();
    for kind in matching.matches.kinds.all() {
        let ([before], [after]) = (&kind.before[..], &kind.after[..]) else { continue };
        let (before, after) = (pair.before.heap.classes.get(*before), pair.after.heap.classes.get(*after));
        candidates.extend(both(before.object, after.object, MatchMethod::Class));
        candidates.extend(both(before.loader, after.loader, MatchMethod::Path));
    }
    candidates
}

fn both(before: Option<ObjectId>, after: Option<ObjectId>, method: MatchMethod) -> Option<Candidate> {
    Some(Candidate { before: before?, after: after?, method, inside: false })
}

/// Threads of a heap by kind and name.
type Threads = BTreeMap<(ComparedClassId, String), Vec<ObjectId>>;

/// Threads by class and name; several of one name in their order, if equally many. A thread whose name is
/// in one heap only exists in that heap only.
fn threads(matching: &mut Matching<'_>) -> Vec<Candidate> {
    let (kinds, pair) = (&matching.matches.kinds, matching.pair);
    let before = named(pair.before, &|class| kinds.of_before(class));
    let after = named(pair.after, &|class| kinds.of_after(class));
    let mut candidates = Vec::new();
    for (key, before) in &before {
        let Some(after) = after.get(key).filter(|after| after.len() == before.len()) else { continue };
        // Threads without a name cannot be distinguished.
        if before.len() == 1 || !key.1.is_empty() {
            candidates
                .extend(before.iter().zip(after).filter_map(|(&b, &a)| both(Some(b), Some(a), MatchMethod::Thread)));
        }
    }
    let alone = |threads: &Threads, others: &Threads| -> Vec<ObjectId> {
        let without = threads.iter().filter(|(key, _)| !key.1.is_empty() && !others.contains_key(key));
        without.flat_map(|(_, threads)| threads.iter().copied()).collect()
    };
    let (ended, begun) = (alone(&before, &after), alone(&after, &before));
    let with_name = |threads: &Threads| -> Vec<ObjectId> {
        threads.iter().filter(|(key, _)| !key.1.is_empty()).flat_map(|(_, threads)| threads.iter().copied()).collect()
    };
    for thread in with_name(&before) {
        matching.threads.0.insert(thread.raw());
    }
    for thread in with_name(&after) {
        matching.threads.1.insert(thread.raw());
    }
    for thread in ended {
        mark_alone(&matching.matches.of_before, &mut matching.matches.methods_before, thread);
    }
    for thread in begun {
        mark_alone(&matching.matches.of_after, &mut matching.matches.methods_after, thread);
    }
    candidates
}

fn named(side: DumpData<'_>, kind_of: &dyn Fn(ClassId) -> ComparedClassId) -> Threads {
    let roots = side.heap.roots.all().iter().filter(|root| root.kind == RootKind::Thread);
    let owners = side.contents.stack_owners().into_iter().filter_map(|owner| owner.object);
    let mut objects: Vec<ObjectId> = roots.map(|root| root.object).chain(owners).collect();
    objects.sort_unstable();
    objects.dedup();
    let mut threads = Threads::new();
    for object in objects.into_iter().filter(|&object| side.analysis.is_reachable(object)) {
        let name = side.contents.label(side.heap, object).unwrap_or_default();
        threads.entry((kind_of(side.heap.class_id(object)), name)).or_default().push(object);
    }
    threads
}

/// Other roots that are the only ones of their root and class kind.
fn roots(matching: &Matching<'_>) -> Vec<Candidate> {
    let of_kind = |side: DumpData<'_>, kind_of: &dyn Fn(ClassId) -> ComparedClassId| {
        let mut roots: BTreeMap<ComparedClassId, Vec<ObjectId>> = BTreeMap::new();
        for object in side.heap.roots.objects().iter().copied().filter_map(ObjectId::from_raw) {
            roots.entry(kind_of(side.heap.class_id(object))).or_default().push(object);
        }
        roots
    };
    let kinds = &matching.matches.kinds;
    let before = of_kind(matching.pair.before, &|class| kinds.of_before(class));
    let after = of_kind(matching.pair.after, &|class| kinds.of_after(class));
    let alone = before.into_iter().filter_map(|(kind, before)| match (&before[..], after.get(&kind)?.as_slice()) {
        ([before], [after]) => both(Some(*before), Some(*after), MatchMethod::Path),
        _ => None,
    });
    alone.collect()
}
