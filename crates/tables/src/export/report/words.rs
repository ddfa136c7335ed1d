//! Sentences of the overview's findings, with the figures of this dump. The window, the command line and the
//! reports share them.

use crate::export::leaks::words::meaning;
use crate::export::printable::one_line;
use heaplens_analysis::leaks::rules::Verdict;
use heaplens_analysis::leaks::{Group, LeakFinding};
use heaplens_analysis::overview::{FactKind, Finding, FindingSubject, Holder, Overview, SharedObjects};
use heaplens_analysis::waste::WasteKind;
use heaplens_base::units::{Bytes, Count, Share};

/// Title of a finding.
pub fn sentence(finding: &Finding) -> String {
    let size = format!("{}, {} of the heap", finding.bytes, Share::of(finding.bytes, finding.whole));
    match &finding.about {
        FindingSubject::Holder(holder) => {
            format!("{} holds {}: {size}", holder.name, held(holder))
        }
        FindingSubject::Shared(shared) => {
            let holding = finding.leak.as_ref().map(|leak| held_in(leak, &shared.class)).unwrap_or_default();
            format!("{} {}{holding}, each held by several objects, retain {size}", Count(shared.objects), shared.class)
        }
        FindingSubject::DuplicateStrings(strings, _, _) => waste(WasteKind::DuplicateStrings, *strings, &size),
        FindingSubject::Waste(kind, objects) => waste(*kind, *objects, &size),
        FindingSubject::Garbage(objects) => {
            let share = Share::of(finding.bytes, finding.whole);
            let garbage = Count(*objects).of("unreachable object takes", "unreachable objects take");
            format!("{garbage} {}, {share} of the dump", finding.bytes)
        }
        FindingSubject::Finalizers(objects) => {
            let waiting =
                Count(*objects).of("object awaiting finalization retains", "objects awaiting finalization retain");
            format!("{waiting} {size}")
        }
        FindingSubject::Loaders(names) => {
            format!("Class loaders held only by their own classes ({}) retain {size}", names.join(", "))
        }
    }
}

/// ` in Array objects` where the object that a finding selects holds the counted ones and is of another class; else empty.
pub(in crate::export) fn held_in(leak: &LeakFinding, counted: &str) -> String {
    let holding = leak.point.as_ref().filter(|point| point.class != counted);
    holding.map(|point| format!(" in {} objects", point.class)).unwrap_or_default()
}

/// The user's verdict and its reason.
pub fn said(verdict: &Verdict) -> String {
    let what = if verdict.group == Group::Expected { "expected" } else { "leaking" };
    let reason = one_line(&verdict.reason);
    if reason.is_empty() { format!("Your verdict: {what}") } else { format!("Your verdict: {what} ({reason})") }
}

/// Explanation in one to three sentences, after the user's verdict if there is one.
pub fn why(finding: &Finding) -> String {
    let why = by_itself(finding);
    finding.verdict.as_ref().map_or_else(|| why.clone(), |verdict| format!("{}. {why}", said(verdict)))
}

fn by_itself(finding: &Finding) -> String {
    match &finding.about {
        FindingSubject::Holder(holder) if finding.group == Some(Group::Bounded) => {
            format!("{}. {}", of_holder(holder, finding.bytes), meaning(Group::Bounded))
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
        FindingSubject::Garbage(_) => {
            "No GC root reaches them: the next garbage collection frees them. All other figures exclude them".to_owned()
        }
        FindingSubject::Finalizers(_) => {
            "Only the finalizer queue holds them. Look for a blocked or slow finalizer".to_owned()
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
        FindingSubject::Finalizers(_) => "finalizers",
        FindingSubject::Loaders(_) => "class loaders",
    }
}

/// `1,200 desk.Session` if these are the entries of its collection, else `8,925 objects, including 1,200 desk.Order`.
fn held(holder: &Holder) -> String {
    let all = match holder.dominated {
        0 => "no other object".to_owned(),
        1 => "one object".to_owned(),
        n => format!("{} objects", Count(n)),
    };
    match (&holder.holds, &holder.collection) {
        (Some((class, objects)), Some((_, _, size))) if objects == size => format!("{} {class}", Count(*objects)),
        (Some((class, objects)), _) if holder.dominated > 1 => {
            format!("{all}, including {} {class}", Count(*objects))
        }
        _ => all,
    }
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
        format!("Largest child retains only {}; the total comes from many small objects", holder.biggest)
    } else {
        format!("Largest child retains {}", holder.biggest)
    };
    let dominated = Count(holder.dominated).of("object", "objects");
    format!("{inside}{spread}. Cutting its reference frees {dominated} ({} bytes)", bytes.exact())
}

fn of_shared(shared: &SharedObjects) -> String {
    let holders = match shared.holders.as_slice() {
        [] => String::new(),
        holders => format!("Classes that hold them: {}. ", holders.join(", ")),
    };
    let biggest = shared.biggest;
    format!("{holders}No single object retains all of them. The largest of them retains {biggest}")
}

/// The objects that waste memory, with their number: `4,567 duplicate strings`.
pub(in crate::export) fn wasting(kind: WasteKind, objects: u64) -> String {
    let (one, many) = match kind {
        WasteKind::DuplicateStrings => ("duplicate string", "duplicate strings"),
        WasteKind::DuplicateArrays => ("duplicate primitive array", "duplicate primitive arrays"),
        WasteKind::ZeroArrays => ("zero-filled primitive array", "zero-filled primitive arrays"),
        WasteKind::EmptyCollections => ("empty collection", "empty collections"),
        WasteKind::SparseCollections => ("sparse collection", "sparse collections"),
        WasteKind::UnusedRoom => ("collection with unused capacity", "collections with unused capacity"),
        WasteKind::UnusedBuffers => ("string builder with unused capacity", "string builders with unused capacity"),
        WasteKind::DuplicateNumbers => ("duplicate boxed value", "duplicate boxed values"),
        WasteKind::ObjectHeaders => ("object header", "object headers"),
    };
    Count(objects).of(one, many)
}

/// Title of a waste finding: `4,567 duplicate strings waste 284 kB (3.1 %)`.
pub(in crate::export) fn waste(kind: WasteKind, objects: u64, size: &str) -> String {
    format!("{} {} {size}", wasting(kind, objects), if objects == 1 { "wastes" } else { "waste" })
}

/// Explanation of the wasted bytes, with advice.
pub(in crate::export) fn reason(kind: WasteKind) -> &'static str {
    match kind {
        WasteKind::DuplicateStrings => "Savings if deduplicated, for example by interning",
        WasteKind::DuplicateArrays => "Savings if equal arrays share one copy; safe if they are never modified",
        WasteKind::ZeroArrays => "Arrays that contain only zeros. Allocate them on first use, or smaller",
        WasteKind::EmptyCollections => "Backing arrays of empty collections. Create collections on first use",
        WasteKind::SparseCollections => "Less than a quarter of the capacity is used. Set a smaller capacity, or trim",
        WasteKind::UnusedRoom => "Backing arrays have more capacity than entries. Set a smaller capacity, or trim",
        WasteKind::UnusedBuffers => "Buffers have more capacity than characters. Set a smaller capacity, or trim",
        WasteKind::DuplicateNumbers => "Savings if equal values are shared: use valueOf() or primitive types",
        WasteKind::ObjectHeaders => "Headers of all objects. Fewer, larger objects need fewer headers",
    }
}

/// The text with a capital first letter.
pub(in crate::export) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// Message where there is no finding.
pub const NOTHING: &str = "No findings: neither an application object nor a kind of waste takes 1 % of the heap";

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

/// The id of the object that a finding is about, if it is about one.
pub fn id(finding: &Finding) -> Option<&str> {
    match &finding.about {
        FindingSubject::Holder(holder) => Some(&holder.id),
        _ => None,
    }
}
