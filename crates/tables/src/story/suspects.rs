//! What is told as a holder: suspects of the leak search, and what has much outside of the heap.

use std::sync::Arc;

use super::page::{HOLDERS, StoryInput};
use heaplens_analysis::leaks::{Group, Kind, LeakFinding, Likelihood, leaking, words};
use heaplens_analysis::native_owners::NativeOwner;
use heaplens_analysis::out_of_memory::ErrorKind;
use heaplens_analysis::process::PartKind;
use heaplens_base::{Bytes, Count, Share};
use heaplens_heap::split_class;

/// Certainty below which a finding of one dump is not told as a suspect.
const CERTAIN: f64 = 0.1;
/// A finding that frees less than one part in so many of the first is not told.
const LEAST: u64 = 20;
/// Number of open files or sockets from which on their owner is told.
const HANDLES: u64 = 50;
/// Suspects that are not told are mentioned from one part in so many of the heap on.
const WEAK: u64 = 20;
/// A suspect with less than one part in so many of the heap is a small one.
const SMALL: u128 = 20;

/// The findings that are told, in the order of the leak search: those with some certainty, those that grew, and what fills
/// the heap that ran out. None of an Android dump with leak traces, which say more.
pub(super) fn leading(input: StoryInput<'_>) -> Vec<Arc<LeakFinding>> {
    if input.traces.is_some() {
        return Vec::new();
    }
    let is_suspect = |finding: &LeakFinding| {
        finding.grown() > Bytes(0)
            || finding.stated_certainty().is_some_and(|certainty| certainty >= CERTAIN)
            || filled_heap(input) && is_most(finding)
    };
    let is_listed =
        |finding: &&LeakFinding| finding.section() == Group::Leak && finding.within.is_none() && is_suspect(finding);
    let leaks: Vec<&LeakFinding> = input.findings.iter().filter(is_listed).take(HOLDERS).collect();
    let most = leaks.iter().map(|finding| finding.frees.0).max().unwrap_or(0);
    let large = leaks.into_iter().enumerate().filter(|(at, finding)| *at == 0 || finding.frees.0 >= most / LEAST);
    large.map(|(_, finding)| Arc::new(finding.clone())).collect()
}

/// True if the heap was full when the dump was written.
pub(super) fn filled_heap(input: StoryInput<'_>) -> bool {
    let errors = &input.overview.glance.out_of_memory;
    let is_heap = errors.first().is_some_and(|error| error.is_cause() && error.kinds.contains(&ErrorKind::JavaHeap));
    is_heap && errors.fill.is_full() == Some(true)
}

/// True of a suspect with so little of the heap that it does not fill it.
pub(super) fn is_small(finding: &LeakFinding) -> bool {
    finding.growth().is_none() && !has_part(finding, SMALL)
}

/// True of half of the heap or more.
pub(super) fn is_most(finding: &LeakFinding) -> bool {
    has_part(finding, 2)
}

/// True of a finding with one part in `parts` of the heap or more.
pub(super) fn has_part(finding: &LeakFinding, parts: u128) -> bool {
    u128::from(finding.frees.0) * parts >= u128::from(finding.total.0)
}

/// Who holds much that is no part of the heap: memory outside of it, then open files and sockets.
pub(super) fn owners(input: StoryInput<'_>) -> impl Iterator<Item = &NativeOwner> {
    outside(input).chain(open_handles(input))
}

/// Who holds much outside of the heap.
pub(super) fn outside(input: StoryInput<'_>) -> impl Iterator<Item = &NativeOwner> {
    let heap = input.overview.glance.totals.shallow;
    input.memory.owners.iter().filter(move |owner| owner.is_beside_findings(heap)).take(HOLDERS)
}

/// Who holds many open files or sockets.
pub(super) fn open_handles(input: StoryInput<'_>) -> impl Iterator<Item = &NativeOwner> {
    let is_many = |owner: &&NativeOwner| !owner.kind.has_bytes() && owner.is_of_program && owner.objects >= HANDLES;
    input.memory.owners.iter().filter(is_many).take(HOLDERS)
}

/// What has most of what ran out besides the heap: class loaders, or threads.
pub(super) fn of_limit(input: StoryInput<'_>) -> Option<(PartKind, &str)> {
    let kinds = &input.overview.glance.out_of_memory.first()?.kinds;
    let is_all = |wanted: &[ErrorKind]| kinds.iter().all(|kind| wanted.contains(kind));
    let part = if is_all(&[ErrorKind::Metaspace, ErrorKind::ClassSpace]) {
        PartKind::ClassMetadata
    } else if is_all(&[ErrorKind::NativeThread]) {
        PartKind::ThreadStacks
    } else {
        return None;
    };
    let holder = input.memory.parts.iter().find(|of| of.kind == part)?.holder.as_deref()?;
    Some((part, holder))
}

/// True if what failed is the length of an array, and no memory.
pub(super) fn is_too_long_array(input: StoryInput<'_>) -> bool {
    let error = input.overview.glance.out_of_memory.first();
    error.is_some_and(|error| error.kinds == [ErrorKind::ArraySize])
}

/// The stacks of threads, if they have more than the live heap and a quarter of the process.
pub(super) fn stacks(input: StoryInput<'_>) -> Option<String> {
    let part = input.memory.parts.iter().find(|part| part.kind == PartKind::ThreadStacks)?;
    let all = input.memory.resident?;
    let is_much = part.bytes > input.memory.heap.live && part.bytes.0.saturating_mul(4) >= all.0;
    let alike = input.findings.iter().find(|finding| finding.kind == Kind::Thread);
    let threads = match (&part.holder, alike) {
        (Some(holder), _) => format!("Threads, most of them {holder},"),
        (None, Some(finding)) => format!("Threads, such as {},", finding.name),
        (None, None) => "Threads".to_owned(),
    };
    let share = Share::of(part.bytes, all);
    is_much.then(|| format!("{threads} have {} of stacks, {share} of the process", part.bytes))
}

/// The name of a holder, with the class that it accumulates if another holder has the same name.
pub(super) fn holder_name(holders: &[Arc<LeakFinding>], finding: &LeakFinding) -> String {
    let name = finding.whole_name();
    if let Some(accumulated) = finding.accumulated.as_ref().filter(|_| name.is_empty()) {
        return format!("the {} {}", Count(accumulated.objects), split_class(&accumulated.class).1);
    }
    let is_shared = holders.iter().filter(|other| other.whole_name() == name).count() > 1;
    match finding.accumulated.as_ref().filter(|_| is_shared) {
        Some(accumulated) => format!("{name} ({})", split_class(&accumulated.class).1),
        None => name,
    }
}

/// What the suspects retain that are too unlikely or too small to be told, if that is a part of the heap worth a look.
pub(super) fn weak_suspects(input: StoryInput<'_>) -> Option<String> {
    let findings = input.findings;
    let total = findings.first()?.total;
    let is_worth = leaking(findings).0.saturating_mul(WEAK) >= total.0;
    let count = findings.iter().filter(|finding| finding.likelihood() == Some(Likelihood::Suspect)).count();
    let none = if count == 1 { "which is not likely one" } else { "none of them likely" };
    (is_worth && count > 0).then(|| format!("{}, {none}", words::summary(findings)))
}
