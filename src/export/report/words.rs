//! Findings in sentences: what it is, and why it is said, with this dump's own
//! figures. The window, the command line and the reports say the same.

use crate::analysis::leaks::Group;
use crate::analysis::leaks::rules::Verdict;
use crate::analysis::overview::{About, FactKind, Finding, Holder, Overview, Shared};
use crate::analysis::waste::WasteKind;
use crate::export::leaks::words::meaning;
use crate::export::printable::one_line;
use crate::units::{Bytes, Count, Share};

/// What a finding says, in one sentence.
pub fn sentence(finding: &Finding) -> String {
    let size = format!("{}, {} of the heap", finding.bytes, Share::of(finding.bytes, finding.whole));
    match &finding.about {
        About::Holder(holder) => {
            format!("{} holds {}: {size}", holder.name, held(holder))
        }
        About::Shared(shared) => {
            format!("{} objects of {} are held from several sides: {size}", Count(shared.objects), shared.class)
        }
        About::DuplicateStrings(strings, _, _) => waste(WasteKind::DuplicateStrings, *strings, &size),
        About::Waste(kind, objects) => waste(*kind, *objects, &size),
        About::Garbage(objects) => {
            let share = Share::of(finding.bytes, finding.whole);
            let garbage = Count(*objects).of("object is", "objects are");
            format!("{garbage} garbage: {}, {share} of all that is in the dump", finding.bytes)
        }
        About::Finalizers(objects) => {
            let waiting = Count(*objects)
                .of("object waits for its finalizer and keeps", "objects wait for their finalizer and keep");
            format!("{waiting} {size}")
        }
        About::Loaders(names) => {
            format!("Only their own classes keep class loaders alive, {}: {size}", names.join(", "))
        }
    }
}

/// What the user says of it, if anything.
pub fn said(verdict: &Verdict) -> String {
    let what = if verdict.group == Group::Expected { "is expected" } else { "leaks" };
    let reason = one_line(&verdict.reason);
    if reason.is_empty() { format!("You said that it {what}") } else { format!("You said that it {what}: {reason}") }
}

/// Why it is said, in a sentence or two.
pub fn why(finding: &Finding) -> String {
    let why = by_itself(finding);
    finding.verdict.as_ref().map_or_else(|| why.clone(), |verdict| format!("{}. {why}", said(verdict)))
}

fn by_itself(finding: &Finding) -> String {
    match &finding.about {
        About::Holder(holder) if finding.group == Some(Group::Bounded) => {
            format!("{}. {}", of_holder(holder, finding.bytes), meaning(Group::Bounded))
        }
        About::Holder(holder) => of_holder(holder, finding.bytes),
        About::Shared(shared) => of_shared(shared),
        About::DuplicateStrings(_, text, times) => {
            format!("The costliest text, “{}”, stands there {} times", one_line(text), Count(*times))
        }
        About::Waste(kind, _) => reason(*kind).to_owned(),
        About::Garbage(_) => {
            "No GC root reaches them: the next collection would free them, so they are left out of all other figures"
                .to_owned()
        }
        About::Finalizers(_) => {
            "Nothing else holds them; the thread of finalizers is behind, or stuck in one of them".to_owned()
        }
        About::Loaders(_) => {
            "Their applications were taken down or replaced, but an object of one of their classes is still held"
                .to_owned()
        }
    }
}

/// One word for what kind of finding it is.
pub fn kind(finding: &Finding) -> &'static str {
    match &finding.about {
        About::Holder(_) => "holder",
        About::Shared(_) => "shared",
        About::DuplicateStrings(..) => WasteKind::DuplicateStrings.key(),
        About::Waste(kind, _) => kind.key(),
        About::Garbage(_) => "garbage",
        About::Finalizers(_) => "finalizers",
        About::Loaders(_) => "class loaders",
    }
}

/// `1,200 desk.Session`, if that is what its collection is for; else `8,925 objects, among them 1,200 desk.Order`.
fn held(holder: &Holder) -> String {
    let all = match holder.dominated {
        0 => "nothing but its own bytes".to_owned(),
        1 => "one object".to_owned(),
        n => format!("{} objects", Count(n)),
    };
    match (&holder.holds, &holder.collection) {
        (Some((class, objects)), Some((_, _, size))) if objects == size => format!("{} {class}", Count(*objects)),
        (Some((class, objects)), _) if holder.dominated > 1 => {
            format!("{all}, among them {} {class}", Count(*objects))
        }
        _ => all,
    }
}

fn of_holder(holder: &Holder, bytes: Bytes) -> String {
    let inside = match &holder.collection {
        Some((class, kind, 1)) => format!("In a {class}, a {kind} of one; "),
        Some((class, kind, size)) => format!("In a {class}, a {kind} of {}; ", Count(*size)),
        None => String::new(),
    };
    let several = holder.biggest.0.saturating_mul(10) < bytes.0;
    let spread = if holder.biggest == Bytes(0) {
        "it takes all that by itself".to_owned()
    } else if several {
        format!("the biggest below keeps only {}: it is how many there are that adds up", holder.biggest)
    } else {
        format!("the biggest below keeps {}", holder.biggest)
    };
    let dominated = Count(holder.dominated).of("object", "objects");
    let words = format!("{inside}{spread}. {dominated} would go with it ({} bytes)", bytes.exact());
    capital(&words)
}

fn of_shared(shared: &Shared) -> String {
    let holders = match shared.holders.as_slice() {
        [] => String::new(),
        holders => format!("Among those that hold them: {}. ", holders.join(", ")),
    };
    let biggest = shared.biggest;
    format!("{holders}No single object keeps them alive, the biggest keeps {biggest} itself")
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

/// How much they waste: `4,567 duplicate strings waste 284 kB (3.1 %)`.
pub(in crate::export) fn waste(kind: WasteKind, objects: u64, size: &str) -> String {
    format!("{} {} {size}", wasting(kind, objects), if objects == 1 { "wastes" } else { "waste" })
}

/// Why it is waste, and what to do about it.
pub(in crate::export) fn reason(kind: WasteKind) -> &'static str {
    match kind {
        WasteKind::DuplicateStrings => "Equal strings are stored more than once. Intern or share them",
        WasteKind::DuplicateArrays => "Arrays have equal elements. Share one copy if they are never modified",
        WasteKind::ZeroArrays => "Arrays contain only zeros: never filled, or oversized. Allocate them on first use",
        WasteKind::EmptyCollections => "Empty collections keep a backing array. Allocate it on first insertion",
        WasteKind::SparseCollections => "Less than a quarter of the capacity is used. Size or trim these collections",
        WasteKind::UnusedRoom => "Backing arrays are larger than needed. Trim collections that no longer grow",
        WasteKind::UnusedBuffers => "Buffers are larger than their text. Drop builders after calling toString()",
        WasteKind::DuplicateNumbers => "Equal boxed values are stored more than once. Use valueOf() or primitives",
        WasteKind::ObjectHeaders => "Headers of all objects. Fewer, larger objects reduce them",
    }
}

/// With a capital letter at its head.
pub(in crate::export) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// What is said where there is no finding.
pub const NOTHING: &str = "Nothing stands out: no object of the application holds a hundredth of the heap, \
                           and no kind of waste takes that much";

/// What a dump is, in one sentence.
pub fn lead(overview: &Overview) -> String {
    let totals = &overview.glance.totals;
    let objects = Count(totals.objects).of("reachable object", "reachable objects");
    let classes = Count(totals.classes).of("class", "classes");
    let garbage = match totals.unreachable_objects {
        0 => String::new(),
        garbage => {
            let garbage = Count(garbage).of("unreachable one", "unreachable ones");
            format!(", and {garbage} of {}", totals.unreachable)
        }
    };
    let runtime =
        overview.glance.health.iter().find(|fact| fact.kind == FactKind::Runtime).and_then(|fact| fact.value.as_ref());
    let runtime = runtime.map(|runtime| format!("{}: ", one_line(runtime))).unwrap_or_default();
    format!("{runtime}{} in {objects} of {classes}{garbage}", totals.shallow)
}

/// The object a finding is about, if it is about one.
pub fn id(finding: &Finding) -> Option<&str> {
    match &finding.about {
        About::Holder(holder) => Some(&holder.id),
        _ => None,
    }
}
