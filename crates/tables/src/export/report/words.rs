//! Sentences of the overview's findings, with the figures of this dump. The window, the command line and the
//! reports share them.

use crate::export::printable::one_line;
use heaplens_analysis::leaks::words::{capital, held_in, likelihood, meaning};
use heaplens_analysis::leaks::{DominantClass, Group, rules::Verdict};
use heaplens_analysis::native_owners::NativeOwner;
use heaplens_analysis::overview::{FactKind, Finding, FindingSubject, Holder, Mark, SharedObjects};
use heaplens_analysis::waste_words::{reason, waste, wasting};
use heaplens_analysis::{Overview, WasteKind};
use heaplens_base::{Bytes, Count, Share};
use heaplens_heap::Heap;

/// Title of a finding.
pub fn sentence(finding: &Finding) -> String {
    let size = format!("{}, {} of the heap", finding.bytes, Share::of(finding.bytes, finding.total));
    match &finding.about {
        FindingSubject::Holder(holder) => format!("{} holds {}: {size}", holder.label, held(holder)),
        FindingSubject::Shared(shared) if finding.leak.as_ref().is_some_and(|leak| !leak.label.is_empty()) => {
            let label = finding.leak.as_ref().map_or("", |leak| leak.label.as_str());
            format!("{label} holds {} {}: {size}", Count(shared.objects), shared.class)
        }
        FindingSubject::Shared(shared) => {
            let holding = finding.leak.as_ref().map(|leak| held_in(leak, &shared.class)).unwrap_or_default();
            format!("{} {}{holding}, each held by several objects, retain {size}", Count(shared.objects), shared.class)
        }
        FindingSubject::DuplicateStrings(strings, _, _) => waste(WasteKind::DuplicateStrings, *strings, &size),
        FindingSubject::Waste(kind, objects) => waste(*kind, *objects, &size),
        FindingSubject::Garbage(objects) if finding.is_incomplete => {
            let share = Share::of(finding.bytes, finding.total);
            let garbage = Count(*objects).of("object is", "objects are");
            format!("{garbage} unreachable in what was read: {}, {share} of it", finding.bytes)
        }
        FindingSubject::Garbage(objects) => {
            let share = Share::of(finding.bytes, finding.total);
            let garbage = Count(*objects).of("unreachable object takes", "unreachable objects take");
            format!("{garbage} {}, {share} of the dump", finding.bytes)
        }
        FindingSubject::Native(owner) => owner.to_string(),
        FindingSubject::Finalizers(objects) => {
            let waiting =
                Count(*objects).of("object awaiting finalization retains", "objects awaiting finalization retain");
            format!("{waiting} {size}")
        }
        FindingSubject::Loaders(names) if finding.is_incomplete => {
            format!("Class loaders held by nothing else that was read ({}) retain {size}", names.join(", "))
        }
        FindingSubject::Loaders(names) => {
            format!("Class loaders held only by their own classes ({}) retain {size}", names.join(", "))
        }
    }
}

/// The user's verdict and its reason.
pub fn verdict_text(verdict: &Verdict) -> String {
    let what = if verdict.group == Group::Expected { "expected" } else { "leaking" };
    let reason = one_line(&verdict.reason);
    if reason.is_empty() { format!("Your verdict: {what}") } else { format!("Your verdict: {what} ({reason})") }
}

/// Explanation: how likely it leaks, then one to three sentences; after the user's verdict if there is one.
pub fn why(finding: &Finding) -> String {
    let parts: Vec<String> = finding.includes.iter().map(|part| included(finding, part)).collect();
    let parts = match parts.as_slice() {
        [] => String::new(),
        others if finding.is_waste() => format!(". Besides: {}", others.join("; ")),
        parts => format!(". {}", parts.join(". ")),
    };
    let likelihood = finding.leak.as_ref().and_then(|leak| likelihood(leak));
    let why =
        likelihood.map_or_else(String::new, |likelihood| format!("{likelihood}. ")) + &by_itself(finding) + &parts;
    finding.verdict.as_ref().map_or_else(|| why.clone(), |verdict| format!("{}. {why}", verdict_text(verdict)))
}

/// `It includes nearly all of the 19,040 zero-filled primitive arrays: 304 MB of waste`; of other waste, `22 sparse
/// collections waste 12.9 kB`.
fn included(larger: &Finding, part: &Finding) -> String {
    let (kind, objects) = match &part.about {
        FindingSubject::DuplicateStrings(strings, _, _) => (WasteKind::DuplicateStrings, *strings),
        FindingSubject::Waste(kind, objects) => (*kind, *objects),
        _ => return sentence(part),
    };
    if larger.is_waste() {
        return waste(kind, objects, &part.bytes.to_string());
    }
    format!("It includes nearly all of the {}: {} of waste", wasting(kind, objects), part.bytes)
}

fn by_itself(finding: &Finding) -> String {
    match &finding.about {
        FindingSubject::Holder(holder) if finding.group == Some(Group::Bounded) => {
            let bound = finding.leak.iter().flat_map(|leak| &leak.evidence).find(|sign| sign.is_bound_of_structure());
            let why = bound.map_or_else(|| meaning(Group::Bounded).to_owned(), |bound| capital(&bound.to_string()));
            format!("{}. {why}", of_holder(holder, finding.bytes))
        }
        FindingSubject::Holder(holder) => of_holder(holder, finding.bytes),
        FindingSubject::Shared(shared) => of_shared(shared),
        FindingSubject::DuplicateStrings(_, text, times) => {
            format!(
                "The most expensive value, “{}”, occurs {} times. {}",
                one_line(text),
                Count(*times),
                reason(WasteKind::DuplicateStrings)
            )
        }
        FindingSubject::Waste(kind, _) => reason(*kind).to_owned(),
        FindingSubject::Garbage(_) if finding.is_incomplete => {
            "The dump is incomplete: GC roots and references to them may be missing. All other figures exclude them"
                .to_owned()
        }
        FindingSubject::Garbage(_) => {
            "No GC root reaches them: the next garbage collection frees them. All other figures exclude them".to_owned()
        }
        FindingSubject::Native(owner) => of_native(owner),
        FindingSubject::Finalizers(_) if finding.is_incomplete => {
            "In what was read of the dump, only the finalizer queue holds them. Look for a blocked or slow finalizer"
                .to_owned()
        }
        FindingSubject::Finalizers(_) => {
            "Only the finalizer queue holds them. Look for a blocked or slow finalizer".to_owned()
        }
        FindingSubject::Loaders(_) if finding.is_incomplete => {
            "In what was read of the incomplete dump, nothing else holds them. Their applications may be stopped or replaced"
                .to_owned()
        }
        FindingSubject::Loaders(_) => {
            "Their applications were stopped or replaced, but an object of one of their classes is still referenced"
                .to_owned()
        }
    }
}

/// The stable key of the kind of finding, in JSON.
pub fn kind(finding: &Finding) -> &'static str {
    match &finding.about {
        FindingSubject::Holder(_) => "holder",
        FindingSubject::Shared(_) => "shared",
        FindingSubject::DuplicateStrings(..) => WasteKind::DuplicateStrings.key(),
        FindingSubject::Waste(kind, _) => kind.key(),
        FindingSubject::Garbage(_) => "garbage",
        FindingSubject::Native(_) => "native",
        FindingSubject::Finalizers(_) => "finalizers",
        FindingSubject::Loaders(_) => "class loaders",
    }
}

/// `1,200 desk.Session` if these are the entries, else `8,925 objects, including 1,200 desk.Order`: the objects are those
/// that cutting the reference frees, and so are those of the class.
fn held(holder: &Holder) -> String {
    let all = match holder.dominated {
        0 => "no other object".to_owned(),
        1 => "one object".to_owned(),
        n => format!("{} objects", Count(n)),
    };
    let Some(DominantClass { class, objects, freed, .. }) = &holder.holds else { return all };
    let are_entries = holder.collection.as_ref().is_some_and(|(_, _, size)| objects == size);
    if are_entries || is_shared(holder) {
        return format!("{} {class}", Count(*objects));
    }
    if holder.dominated > 1 { format!("{all}, including {} {class}", Count(*freed)) } else { all }
}

/// True if other objects hold some of the entries, too.
fn is_shared(holder: &Holder) -> bool {
    holder.holds.as_ref().is_some_and(|holds| holds.objects > holds.freed)
}

fn of_holder(holder: &Holder, bytes: Bytes) -> String {
    let inside = match &holder.collection {
        Some((class, kind, size)) => {
            format!("Collection: {class} ({}, {}). ", kind.name(), Count(*size).of("entry", "entries"))
        }
        None => String::new(),
    };
    let several = holder.biggest.0.saturating_mul(10) < bytes.0;
    let spread = if holder.biggest == Bytes(0) {
        "Its shallow size accounts for all of it".to_owned()
    } else if several {
        format!("No child retains more than {}", holder.biggest)
    } else {
        format!("Largest child retains {}", holder.biggest)
    };
    let dominated = Count(holder.dominated).of("object", "objects");
    let shared = if is_shared(holder) { ". Other references hold some of its entries, too" } else { "" };
    format!("{inside}{spread}. Cutting its reference frees {dominated} ({} bytes){shared}", bytes.exact())
}

fn of_native(owner: &NativeOwner) -> String {
    let shared = match owner.shared {
        Bytes(0) => String::new(),
        shared => format!(". Other fields hold {shared} of it, too"),
    };
    let estimated = if owner.kind.is_measured() { "" } else { ", by what zlib usually allocates" };
    format!("It is no part of the heap, and no limit of the heap applies to it{estimated}{shared}")
}

fn of_shared(shared: &SharedObjects) -> String {
    let holders = match shared.holders.as_slice() {
        [] => String::new(),
        holders => format!("Held by {}. ", holders.join(", ")),
    };
    let biggest = shared.biggest;
    format!("{holders}No single object retains all of them. The largest of them retains {biggest}")
}

/// Message where there is no finding.
pub const NOTHING: &str = "No findings: neither an application object nor a kind of waste takes 1 % of the heap";

/// The same of an incomplete dump.
pub const NOTHING_READ: &str = "No findings in the part of the dump that could be read";

/// Runtime, size and object counts of a dump in one sentence.
pub fn lead(overview: &Overview) -> String {
    let totals = &overview.glance.totals;
    let objects = Count(totals.objects).of("reachable object", "reachable objects");
    let classes = Count(totals.classes).of("class", "classes");
    let garbage = match totals.unreachable_objects {
        0 => String::new(),
        garbage => {
            let garbage = Count(garbage).of("unreachable object", "unreachable objects");
            format!(", plus {garbage} ({})", totals.unreachable)
        }
    };
    let runtime =
        overview.glance.health.iter().find(|fact| fact.kind == FactKind::Runtime).and_then(|fact| fact.value.as_ref());
    let runtime = runtime.map(|runtime| format!("{}: ", one_line(runtime))).unwrap_or_default();
    format!("{runtime}{} in {objects} of {classes}{garbage}", totals.shallow)
}

/// What it means that an object is unreachable. In an incomplete dump, what leads to it may be missing.
pub fn unreachable(heap: &Heap) -> &'static str {
    if heap.is_incomplete() {
        "No GC root reaches this object in what was read: GC roots or references may be missing in the incomplete dump"
    } else {
        "No GC root reaches this object: the next garbage collection frees it"
    }
}

/// What every answer about an incomplete dump says, before the reason.
pub const INCOMPLETE: &str = "Incomplete dump: figures are of the part that was read.";

/// What could not be read of an incomplete dump, for an answer without an overview; `None` of a complete one.
pub fn loss_of(heap: &Heap) -> Option<String> {
    heap.worst_note().map(|note| format!("{INCOMPLETE} {}: {}", note.severity.title(), one_line(&note.message)))
}

/// What could not be read of an incomplete dump, in a sentence; `None` of a complete one.
pub fn loss(overview: &Overview) -> Option<String> {
    let completeness = overview.glance.health.iter().find(|fact| fact.kind == FactKind::Completeness)?;
    let loss_text = completeness.value.as_ref().filter(|_| completeness.mark == Mark::Careful)?;
    Some(format!("{INCOMPLETE} {}", one_line(loss_text)))
}

/// The id of the object that a finding is about, if it is about one.
pub fn id(finding: &Finding) -> Option<&str> {
    match &finding.about {
        FindingSubject::Holder(holder) => Some(&holder.id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heaplens_analysis::overview::{DetailedOverview, Target, WasteTotals};

    #[test]
    fn waste_is_one_line_that_tells_all_kinds() {
        let of = |kind, bytes| {
            Finding::new(FindingSubject::Waste(kind, 3), Bytes(bytes), Bytes(1_000_000), Target::Collections)
        };
        let findings = vec![of(WasteKind::SparseCollections, 20_000), of(WasteKind::ZeroArrays, 30_000)];
        let overview =
            Overview { wasted: Some(WasteTotals { findings, ..WasteTotals::default() }), ..Overview::default() };
        let listed = overview.findings();
        assert_eq!(listed.iter().map(kind).collect::<Vec<_>>(), [WasteKind::ZeroArrays.key()]);
        assert!(why(&listed[0]).ends_with("Besides: 3 sparse collections waste 20.0 kB"), "{}", why(&listed[0]));
    }

    #[test]
    fn unreachable_objects_of_an_incomplete_dump_are_last_and_no_garbage() {
        let (bytes, total) = (Bytes(600_000), Bytes(1_000_000));
        let mut garbage = Finding::new(FindingSubject::Garbage(26_310), bytes, total, Target::Histogram);
        assert_eq!(sentence(&garbage), "26,310 unreachable objects take 600 kB, 60.0 % of the dump");
        assert!(why(&garbage).contains("the next garbage collection frees them"));
        let sparse = FindingSubject::Waste(WasteKind::SparseCollections, 3);
        let waste = Finding::new(sparse, Bytes(20_000), total, Target::Collections);
        let first = |garbage: &Finding| {
            let overview = Overview {
                closer: Some(DetailedOverview { findings: vec![garbage.clone()], ..DetailedOverview::default() }),
                wasted: Some(WasteTotals { findings: vec![waste.clone()], ..WasteTotals::default() }),
                ..Overview::default()
            };
            overview.findings().first().map(|finding| kind(finding))
        };
        assert_eq!(first(&garbage), Some("garbage"));
        garbage.is_incomplete = true;
        let title = "26,310 objects are unreachable in what was read: 600 kB, 60.0 % of it";
        assert_eq!(sentence(&garbage), title);
        assert!(why(&garbage).contains("GC roots and references to them may be missing"));
        assert_eq!(first(&garbage), Some(kind(&waste)));
    }
}
