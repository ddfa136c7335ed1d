//! What fills the memory: the process, the heap in its limit, garbage, one line of waste.

use super::page::{Claim, StoryInput};
use crate::export::report::words::{loss, sentence};
use heaplens_analysis::overview::{Finding, Target};
use heaplens_base::invisible::one_line;
use heaplens_base::{Bytes, Count, Share};

/// Percentage of the heap from which on garbage is told.
const GARBAGE: u64 = 1;

pub(super) fn claims(input: StoryInput<'_>) -> Vec<Claim> {
    let (memory, totals) = (input.memory, &input.overview.glance.totals);
    let losses = loss(input.overview).map(|loss| Claim::new(loss).to(Target::ParseWarnings));
    let mut claims: Vec<Claim> = losses.into_iter().collect();
    claims.extend(memory.telling_sentence().map(|sentence| Claim::new(sentence).to(Target::Process)));
    let objects = Count(totals.objects).of("object", "objects");
    let is_incomplete = input.dump.facts.heap.is_incomplete();
    let limit = memory.heap.limit.or(input.overview.glance.out_of_memory.fill.max);
    // Sizes of a snapshot include what the engine has outside of its heap.
    let beside = totals.shallow.0.saturating_sub(memory.heap.live.0);
    let outside = if beside > 0 && beside.saturating_mul(100) >= totals.shallow.0 {
        format!(", plus {} outside of the JavaScript heap: {} in all", Bytes(beside), totals.shallow)
    } else {
        String::new()
    };
    let live = if beside > 0 { memory.heap.live } else { totals.shallow };
    let heap = match limit {
        _ if is_incomplete => format!("In what was read, {objects} are reachable: {}", totals.shallow),
        Some(limit) if limit > Bytes(0) => {
            let share = Share::of(memory.heap.live, limit);
            format!("The live heap is {live} in {objects}, {share} of its limit of {limit}{outside}")
        }
        _ => format!("The live heap is {live} in {objects}{outside}"),
    };
    claims.push(Claim::new(heap).to(Target::Histogram));
    let is_much = totals.unreachable.0.saturating_mul(100) >= totals.shallow.0.saturating_mul(GARBAGE);
    if totals.unreachable_objects > 0 && is_much && !is_incomplete {
        let garbage = Count(totals.unreachable_objects).of("unreachable object takes", "unreachable objects take");
        let text = format!("{garbage} {} more of the heap until the next garbage collection", totals.unreachable);
        claims.push(Claim::new(text).to(Target::Histogram));
    }
    let findings = input.overview.findings();
    // Of a part of the heap, shares say nothing.
    let waste = largest_waste(&findings).filter(|_| !is_incomplete);
    claims.extend(waste.map(|(finding, holder)| {
        let text = sentence(finding);
        Claim::new(match holder {
            Some(holder) => format!("{text}, nearly all in what {} holds", one_line(&holder)),
            None => text,
        })
        .to(Target::Waste)
    }));
    claims
}

/// The kind of waste with most bytes, and the name of what holds nearly all of it, if a finding about that includes it.
fn largest_waste(findings: &[Finding]) -> Option<(&Finding, Option<String>)> {
    let alone = findings.iter().filter(|finding| finding.is_waste()).map(|finding| (finding, None));
    let of_holders = findings.iter().filter(|finding| !finding.is_waste()).flat_map(|finding| {
        let name = finding.leak.as_ref().map(|leak| leak.label.clone()).filter(|name| !name.is_empty());
        finding.includes.iter().filter(|part| part.is_waste()).filter_map(move |part| Some((part, Some(name.clone()?))))
    });
    alone.chain(of_holders).max_by_key(|(finding, _)| finding.bytes)
}
