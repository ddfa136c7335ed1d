//! The page in a sentence: what is wrong, or that nothing is.

use std::sync::Arc;

use super::holders::largest_structure;
use super::page::{Claim, StoryInput};
use super::suspects::{
    filled_heap, has_part, is_most, is_small, is_too_long_array, of_limit, open_handles, outside, stacks, weak_suspects,
};
use heaplens_analysis::leaks::{Group, LeakFinding, words};
use heaplens_analysis::out_of_memory::ErrorKind;
use heaplens_analysis::overview::Target;
use heaplens_base::invisible::one_line;
use heaplens_base::{Bytes, Share};
use heaplens_heap::split_class;

/// Percentage of the process from which on what nothing explains is told first. A virtual machine that does not track its
/// memory has less of its own.
const UNEXPLAINED: u64 = 40;

/// The most important claim of the page.
pub(super) fn claims(input: StoryInput<'_>, holders: &[Arc<LeakFinding>]) -> Vec<Claim> {
    let (first, is_incomplete) = (holders.first(), input.dump.facts.heap.is_incomplete());
    let claim = if let Some(full) = first.filter(|finding| filled_heap(input) && is_most(finding)) {
        Claim::new(format!("The heap is full, and {}", words::title(full))).about(full)
    } else if let Some(error) = error_outside(input) {
        error
    } else if is_too_long_array(input) {
        let first = first.map_or_else(String::new, |finding| format!("; {}", words::title(finding)));
        let class = input.overview.glance.out_of_memory.first().and_then(|error| error.location.as_ref());
        let by = class.map_or_else(String::new, |location| format!(" by {}", split_class(&location.class).1));
        Claim::new(format!("An array was asked for{by} that is longer than the virtual machine allows{first}"))
            .to(Target::Threads(None))
    } else if let Some(report) = input.traces {
        Claim::new(crate::export::traces::headline(report)).to(Target::Leaks)
    } else if let Some(threads) = stacks(input) {
        Claim::new(threads).to(Target::Process)
    } else if let Some(holder) = holders.iter().find(|finding| is_incomplete && !is_small(finding)) {
        let text = format!("Incomplete dump: in the part that was read, {}", words::title(holder));
        Claim::new(text).about(holder)
    } else if let Some(leak) = first.filter(|finding| !finding.is_uncertain()) {
        Claim::new(format!("Leak: {}", words::title(leak))).about(leak)
    } else if let Some(claim) = unexplained(input) {
        claim
    } else if let Some(owner) = outside(input).next() {
        Claim::new(owner.to_string()).to(Target::Process)
    } else if let Some(suspect) = first.filter(|finding| !is_small(finding)) {
        Claim::new(format!("Suspect: {}", words::title(suspect))).about(suspect)
    } else if let Some(owner) = open_handles(input).next() {
        Claim::new(owner.to_string()).to(Target::Process)
    } else if !input.overview.glance.out_of_memory.is_empty() && !is_incomplete {
        Claim::new("An OutOfMemoryError was thrown, and nothing in the heap looks like its cause").to(Target::Leaks)
    } else if is_incomplete {
        let at = input.overview.glance.out_of_memory.first().and_then(|error| error.location.as_ref());
        let class = at.map_or_else(String::new, |at| format!(" in {}", split_class(&at.class).1));
        Claim::new(if input.overview.glance.out_of_memory.is_empty() {
            "Too little of the dump could be read to tell".to_owned()
        } else {
            format!("An OutOfMemoryError{class}; too little of the dump could be read to tell what holds the memory")
        })
    } else if let Some(largest) = largest_structure(input).filter(|largest| is_large(largest)) {
        let text = format!("Nothing in the heap looks like a leak. The largest part: {}", words::title(largest));
        Claim::new(text).about(&Arc::new(largest.clone()))
    } else if let Some(suspect) = first {
        Claim::new(format!("No clear leak. A small suspect: {}", words::title(suspect))).about(suspect)
    } else if let Some(weak) = weak_suspects(input) {
        Claim::new(format!("No clear leak: {weak}")).to(Target::Leaks)
    } else {
        Claim::new("Nothing in the heap looks wrong").to(Target::Leaks)
    };
    vec![Claim { text: one_line(&claim.text), ..claim }]
}

/// True of a third of the heap or more that is not known to be normal: the leak search lists it first, whatever its
/// certainty.
fn is_large(finding: &LeakFinding) -> bool {
    finding.section() == Group::Leak && has_part(finding, 3)
}

/// What ran out, if that is not the heap.
fn error_outside(input: StoryInput<'_>) -> Option<Claim> {
    let error = input.overview.glance.out_of_memory.first()?;
    let is_outside = error.kinds.iter().all(|kind| kind.is_outside_heap());
    let kinds: Vec<&str> = error.kinds.iter().map(|kind| kind.title()).collect();
    let of_buffers = outside(input).next().filter(|_| error.kinds == [ErrorKind::DirectMemory]);
    let owner = of_buffers.map(ToString::to_string).or_else(|| of_limit(input).map(|(_, holder)| holder.to_owned()));
    let owner = owner.map_or_else(String::new, |owner| format!(": {owner}"));
    let text = format!("The heap is not what ran out, but {}{owner}", kinds.join(" or "));
    is_outside.then(|| Claim::new(text).to(Target::Process))
}

/// That most of the process is no part of what was recorded.
fn unexplained(input: StoryInput<'_>) -> Option<Claim> {
    let (bytes, all) = (input.memory.unexplained()?, input.memory.resident?);
    let share = Share::of(bytes, all);
    let text = format!("{bytes} of the process ({share}) are explained neither by the heap nor by the record");
    (bytes > Bytes(0) && bytes.0.saturating_mul(100) >= all.0.saturating_mul(UNEXPLAINED))
        .then(|| Claim::new(text).to(Target::Process))
}
