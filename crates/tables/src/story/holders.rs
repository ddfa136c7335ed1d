//! Who holds the memory, why it is alive, and what cutting the references frees.

use std::sync::Arc;

use super::page::{Claim, HOLDERS, StoryInput};
use super::sample::{EntrySample, SampledEntry, sample};
use super::suspects::{
    filled_heap, has_part, holder_name, is_most, is_small, of_limit, outside, owners, stacks, weak_suspects,
};
use crate::export::traces::to_clear;
use heaplens_analysis::android::shark::{Leak, LeakReport};
use heaplens_analysis::cuts::{Cut, what_if};
use heaplens_analysis::leaks::{Group, Kind, LeakFinding, ReferenceToCut, words};
use heaplens_analysis::overview::Target;
use heaplens_analysis::paths::text::dotted;
use heaplens_analysis::process::PartKind;
use heaplens_base::invisible::one_line;
use heaplens_base::{Bytes, Cancelled, Count, Share, Task};

/// A longer name of a reference, such as a path of JavaScript, is not told.
const LONG: usize = 80;
/// Where nothing looks like a leak, a structure with one part in so many of the heap or more is told; with this one if only
/// the runtime has it.
const LARGE: u128 = 10;
const OF_RUNTIME: u128 = 3;

/// A sentence for each holder, with one of its entries below the first.
pub(super) fn claims(
    input: StoryInput<'_>,
    holders: &[Arc<LeakFinding>],
    task: &Task,
) -> Result<Vec<Claim>, Cancelled> {
    let mut claims = Vec::new();
    if let Some(report) = input.traces {
        claims.extend(leak_traces(report));
    }
    claims.extend(stacks(input).map(|text| Claim::new(text).to(Target::Process)));
    claims.extend(owners(input).map(|owner| Claim::new(owner.to_string()).to(Target::Process)));
    for finding in holders {
        let likelihood = match words::likelihood(finding) {
            // How likely it grows is no question where it fills the heap that ran out.
            _ if filled_heap(input) && is_most(finding) => ". It is most of the heap that ran out".to_owned(),
            Some(likelihood) => format!(". {likelihood}"),
            None => String::new(),
        };
        claims.push(Claim::new(format!("{}{likelihood}", words::title(finding))).about(finding));
        if let Some(entry) = entry(input, finding, task)? {
            claims.push(Claim::new(entry).about(finding));
        }
    }
    if let Some(largest) = largest_structure(input).filter(|_| holders.first().is_some_and(|first| is_small(first))) {
        claims.push(of_largest(largest));
    }
    let has_others = !claims.is_empty();
    claims.extend(limited(input));
    // Beside what ran out outside of the heap, a structure of the heap that is no leak says nothing.
    if holders.is_empty() && input.traces.is_none() && of_limit(input).is_none() {
        let read = if input.dump.facts.heap.is_incomplete() { " in what was read" } else { "" };
        let subject = if has_others { "Beside that, no structure" } else { "No structure" };
        let weak = weak_suspects(input).map_or_else(String::new, |weak| format!(", but {weak}"));
        let clearly = if weak.is_empty() { "" } else { " clearly" };
        let text = format!("{subject} of the heap{clearly} looks like a leak{read}{weak}");
        claims.push(Claim::new(text).to(Target::Leaks));
        let structure = largest_structure(input).map(of_largest);
        if !has_others && !input.dump.facts.heap.is_incomplete() {
            claims.push(structure.unwrap_or_else(|| largest(input)));
        }
        claims.retain(|claim| !claim.text.is_empty());
    }
    Ok(claims)
}

/// The leaks of an Android dump, those of the application first, and the number of those that are not listed.
fn leak_traces(report: &LeakReport) -> Vec<Claim> {
    let (known, of_application): (Vec<&Leak>, Vec<&Leak>) = report.leaks.iter().partition(|leak| leak.known.is_some());
    let all: Vec<&Leak> = of_application.into_iter().chain(known).collect();
    let claim = |leak: &&Leak| {
        let held = leak.traces.first().and_then(to_clear).map_or_else(String::new, |by| format!(" is held by {by}"));
        let times = match leak.traces.len() {
            0 | 1 => String::new(),
            several => format!(", {} times", Count(several as u64)),
        };
        let known = if leak.known.is_some() { " (leak of a library)" } else { "" };
        let text = format!("{}{held}{times}{known}; without it {} are freed", leak.class(), leak.retained());
        let leaking = leak.traces.first().and_then(|trace| trace.leaking());
        let target = leaking.map_or(Target::Leaks, |leaking| Target::Leak(leaking.object));
        Claim::new(one_line(&text)).to(target)
    };
    let rest = all.len().saturating_sub(HOLDERS) as u64;
    let unreachable = Count(report.unreachable.len() as u64).of("unreachable object", "unreachable objects");
    let rest = (rest > 0).then(|| format!("{} in the view Leaks", Count(rest).of("more leak is", "more leaks are")));
    let waiting = (!report.unreachable.is_empty())
        .then(|| format!("{unreachable} among those that LeakCanary watches: the next garbage collection frees them"));
    let further = rest.into_iter().chain(waiting).map(|text| Claim::new(text).to(Target::Leaks));
    all.iter().take(HOLDERS).map(claim).chain(further).collect()
}

/// What has most of what ran out besides the heap.
fn limited(input: StoryInput<'_>) -> Option<Claim> {
    let (part, holder) = of_limit(input)?;
    let (words, target) = match part {
        PartKind::ClassMetadata => ("Many of the classes were loaded by", Target::Loaders),
        _ => ("Most of the threads are", Target::Threads(None)),
    };
    Some(Claim::new(one_line(&format!("{words} {holder}"))).to(target))
}

fn of_largest(structure: &LeakFinding) -> Claim {
    Claim::new(format!("The largest structure: {}", words::title(structure))).about(&Arc::new(structure.clone()))
}

/// The largest structure, if it has a part of the heap that is worth a look.
pub(super) fn largest_structure(input: StoryInput<'_>) -> Option<&LeakFinding> {
    let is_told = |finding: &&LeakFinding| {
        !matches!(finding.kind, Kind::Waste(_))
            && finding.section() != Group::Expected
            && (has_part(finding, OF_RUNTIME) || finding.is_of_application && has_part(finding, LARGE))
    };
    input.findings.iter().filter(is_told).max_by_key(|finding| finding.frees)
}

/// The largest object, where there is no large structure.
fn largest(input: StoryInput<'_>) -> Claim {
    let Some(first) = input.overview.glance.objects.first() else { return Claim::new("") };
    let share = Share::of(first.retained, input.overview.glance.totals.shallow);
    let name = first.label.as_deref().map_or_else(|| first.class.clone(), |label| format!("{} {label}", first.class));
    let text = format!("The largest object is {}: it retains {}, {share} of the heap", one_line(&name), first.retained);
    Claim::new(text).to(Target::Object(first.object))
}

/// `One of 1,200 entries: "sess-17" → Session user "anna", 4.4 kB`.
fn entry(input: StoryInput<'_>, finding: &LeakFinding, task: &Task) -> Result<Option<String>, Cancelled> {
    // Not the first, which is often special.
    let Some(EntrySample { size, entries }) = sample(input, finding, 1, task)? else { return Ok(None) };
    // Where most of the memory is elsewhere, an entry is no example of it.
    let is_example = |entry: &&SampledEntry| entry.retained.0.saturating_mul(size) >= finding.frees.0 / 10;
    Ok(entries.first().filter(is_example).map(|entry| {
        let key = entry.key.as_ref().map(|key| format!("{key} → ")).unwrap_or_default();
        // Of several structures of one name, the first has these.
        let of_first = if finding.locations > 1 { " of the first of them" } else { "" };
        let all = Count(size).of("entry", "entries");
        format!("One of {all}{of_first}: {key}{}, {}", entry.value, entry.retained)
    }))
}

/// What cutting the references frees, exactly; of what is outside of the heap, what is freed without the structure.
pub(super) fn fixes(input: StoryInput<'_>, holders: &[Arc<LeakFinding>], task: &Task) -> Result<Vec<Claim>, Cancelled> {
    let mut claims = Vec::new();
    for owner in outside(input) {
        let what = what_if(input.dump.data(), &[Cut::Object(owner.object)], task)?;
        if let Some(name) = owner.name.as_ref().filter(|_| what.native > Bytes(0)) {
            let (freed, exact) = (what.native, what.native.exact());
            let rest = if what.native < owner.bytes { "; others hold the rest, too" } else { "" };
            let text =
                format!("Without what {name} refers to, {freed} outside the heap are freed ({exact} bytes){rest}");
            claims.push(Claim::new(text).to(Target::Process));
        }
    }
    for finding in holders {
        let is_long = |cut: &ReferenceToCut| cut.name.chars().count() > LONG;
        let cuts = words::references_to_cut(finding);
        let is_one_name = |first: &str| cuts.iter().all(|cut| cut.name == first);
        let name = || holder_name(holders, finding);
        let cutting = match cuts.as_slice() {
            _ if finding.label.is_empty() => None,
            [first, _, ..] if finding.unlisted == 0 && is_one_name(&first.name) => {
                Some(format!("Cutting the {} references to {}", Count(cuts.len() as u64), name()))
            }
            // Names that nobody reads say less than their number.
            [first, _, ..] if is_long(first) => {
                let all = Count(cuts.len() as u64 + finding.unlisted);
                Some(format!("Cutting {all} references below {}", name()))
            }
            [only] if is_long(only) => Some(cutting(input, finding, only, &name())),
            _ => None,
        };
        let remedy = cutting.map_or_else(
            || words::remedy(finding),
            |cutting| {
                let objects = Count(finding.objects).of("object", "objects");
                format!("{cutting} frees {} in {objects}{}", finding.frees, words::when_freed(finding))
            },
        );
        let and_stacks =
            if finding.kind == Kind::Thread && stacks(input).is_some() { ", and their stacks" } else { "" };
        let exact = format!("{remedy} ({} bytes, {} of the heap){and_stacks}", finding.frees.exact(), finding.share());
        if !remedy.is_empty() {
            claims.push(Claim::new(one_line(&exact)).about(finding));
        }
    }
    Ok(claims)
}

/// Cutting a reference whose own name is too long, by the name of the holder: `Cutting ConnectionPool.idle`,
/// `Cutting .data below ConnectionPool.idle`.
fn cutting(input: StoryInput<'_>, finding: &LeakFinding, cut: &ReferenceToCut, name: &str) -> String {
    let is_below =
        finding.named_object.is_some_and(|named| named != cut.to && input.dump.analysis.dominates(named, cut.to));
    if is_below { format!("Cutting {} below {name}", dotted(&cut.reference)) } else { format!("Cutting {name}") }
}
