//! Starts of paths to leaking objects: GC roots in the order of Shark's search.

use super::{matchers::Kind, references::References, roots::Roots};
use heaplens_heap::{ObjectId, RootKind, roots::Root};

/// A root and the known leak it matches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    pub(super) object: ObjectId,
    pub(super) kind: RootKind,
    pub(super) matcher: Option<u32>,
    pub(super) is_last: bool,
}

/// True if KOOM skips roots of a kind.
fn is_pruned(kind: RootKind) -> bool {
    matches!(kind, RootKind::JavaFrame | RootKind::Monitor | RootKind::JniMonitor)
}

/// Position of a root kind in the search order: reverse alphabetical by the names of Shark's classes; `None`
/// for kinds that Shark skips.
fn rank(kind: RootKind) -> Option<u8> {
    Some(match kind {
        RootKind::Thread => 0,
        RootKind::ThreadBlock => 1,
        RootKind::SystemClass => 2,
        RootKind::NativeStack => 3,
        RootKind::Monitor => 4,
        RootKind::JniMonitor => 5,
        RootKind::JniLocal => 6,
        RootKind::JniGlobal => 7,
        RootKind::JavaFrame => 8,
        _ => return None,
    })
}

/// Roots at which paths begin, threads first. Objects that threads hold outside frames are roots, too.
pub(super) fn starts(references: &References<'_>, roots: Roots) -> Vec<Start> {
    let phone = references.phone;
    let held = phone.contents.stack_owners().into_iter().enumerate().filter(|(_, owner)| owner.object.is_some());
    let held = held.flat_map(|(at, _)| {
        let stack = phone.contents.whole_stack(at);
        let inside = stack.frames.into_iter().flat_map(|frame| frame.locals);
        inside.chain(stack.outside).collect::<Vec<_>>()
    });
    let held = held.filter(|local| local.kind != RootKind::JavaFrame);
    let held = held.map(|local| Root { object: local.object, kind: local.kind });
    let all: Vec<Root> = phone.heap.roots.all().iter().copied().chain(held).collect();
    // A tool may have written all roots as unknown: better those than none.
    let any = all.iter().any(|root| rank(root.kind).is_some());
    let rank = |kind: RootKind| rank(kind).or((!any).then_some(u8::MAX));
    let rank = |kind: RootKind| rank(kind).filter(|_| roots == Roots::All || !is_pruned(kind));
    let mut starts: Vec<(u8, &str, Start)> = Vec::new();
    for Root { object, kind } in all {
        let Some(rank) = rank(kind) else { continue };
        let class = phone.class_name(object);
        let known = if kind == RootKind::JniGlobal { references.matchers.find(Kind::Native, class, "") } else { None };
        if known.is_some_and(|matcher| references.is_ignored(matcher)) {
            continue;
        }
        let is_last = known.is_some() || kind == RootKind::JavaFrame;
        starts.push((rank, class, Start { object, kind, matcher: known, is_last }));
    }
    starts.sort_by_key(|&(rank, class, start)| (rank, class, start.object));
    starts.into_iter().map(|(_, _, start)| start).collect()
}
