//! Findings in sentences: what it is, and why it is said, with this dump's own
//! figures. The window, the command line and the reports say the same.

use crate::analysis::leaks::Group;
use crate::analysis::leaks::rules::Verdict;
use crate::analysis::overview::{About, Finding, Holder, Overview, Shared};
use crate::export::leaks::words::meaning;
use crate::export::printable::one_line;
use crate::units::{Bytes, Count, Share};

/// What a finding says, in one sentence.
pub fn sentence(finding: &Finding) -> String {
    let size = format!("{}, {} of the heap", finding.bytes, Share::of(finding.bytes, finding.whole));
    let wasted = format!("{} for nothing, {} of the heap", finding.bytes, Share::of(finding.bytes, finding.whole));
    match &finding.about {
        About::Holder(holder) => {
            format!("{} holds {}: {size}", holder.name, held(holder))
        }
        About::Shared(shared) => {
            format!("{} objects of {} are held from several sides: {size}", Count(shared.objects), shared.class)
        }
        About::DuplicateStrings(strings, _, _) => {
            format!("{} strings repeat a text that stands there already: {wasted}", Count(*strings))
        }
        About::Waste(kind, objects) => format!("{} {}: {wasted}", Count(*objects), waste(kind)),
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
        About::Waste(kind, _) => reason(kind).to_owned(),
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
        About::DuplicateStrings(..) => "duplicate strings",
        About::Waste(kind, _) => kind,
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

/// What so many objects of a kind of waste do.
pub(in crate::export) fn waste(kind: &str) -> &str {
    match kind {
        "duplicate strings" => "strings repeat a text that stands there already",
        "duplicate primitive arrays" => "primitive arrays have the same elements as another",
        "zero-filled primitive arrays" => "primitive arrays hold nothing but zeros",
        "empty collections" => "collections hold nothing but have room",
        "sparse collections" => "collections use less than a quarter of their room",
        "unused room of other collections" => "collections have room that nothing is in",
        "unused room of string builders" => "string builders have room that nothing is in",
        "duplicate boxed values" => "boxed values are there more than once",
        other => other,
    }
}

/// Why it is waste.
pub(in crate::export) fn reason(kind: &str) -> &'static str {
    match kind {
        "duplicate primitive arrays" => "One of each would do, where nobody writes into them",
        "zero-filled primitive arrays" => "They were made and not filled, or are larger than what is in them",
        "empty collections" => "An empty collection needs no room until something is put into it",
        "sparse collections" => "They were made for more than they hold, or what they held was taken out",
        _ => "Counted is what would be free without",
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
    let runtime = overview.glance.health.iter().find(|fact| fact.key == "runtime").and_then(|fact| fact.value.as_ref());
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
