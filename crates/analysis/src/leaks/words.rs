//! Sentences about a finding, with the figures of this dump: what is held, which reference holds it, how much
//! cutting that frees, evidence for and against a leak, and what to do.

use std::fmt;

use super::evidence::Evidence;
use super::finding::{LeakFinding, ReferenceToCut, leaking};
use super::fitting::{fitting, shortest};
use super::kinds::{Group, Kind};
use super::{known_rules::KnownLeak, likelihood::Likelihood};
use crate::source_classes;
use crate::waste_words::{reason, waste, wasting};
use heaplens_base::invisible::one_line;
use heaplens_base::{Bytes, Count, Share};

/// References that a remedy lists by name; the others are counted.
const NAMED: usize = 3;

/// Title of a finding, shortened to fit a line: `desk.SessionCache.ENTRIES holds 1,200 desk.Session, 2.1 MB (75 %)`.
pub fn title(finding: &LeakFinding) -> String {
    fitting(finding, |name, class| titled(finding, name, class))
}

fn titled(finding: &LeakFinding, name: &str, class: &str) -> String {
    let title = sentence_of(finding, name, class);
    match in_each(finding) {
        Some(field) => format!("{title}, mostly in {field}"),
        None => title,
    }
}

/// The field that holds most in each entry, shortened.
fn in_each(finding: &LeakFinding) -> Option<String> {
    let field = |sign: &Evidence| match sign {
        Evidence::InEach(field, _) => Some(shortest(field)),
        _ => None,
    };
    finding.evidence.iter().find_map(field)
}

/// The title without the part of each entry.
fn sentence_of(finding: &LeakFinding, name: &str, class: &str) -> String {
    let size = format!("{} ({})", finding.frees, finding.share());
    let counted = what(finding, class);
    let what = if counted.is_empty() { size.clone() } else { format!("{counted}, {size}") };
    let locations = Count(finding.locations);
    match finding.kind {
        Kind::ThreadLocals if finding.locations > 1 => format!("{name} {} {what} in {locations} threads", hold(name)),
        Kind::Siblings if name.is_empty() => capital(&format!("{what}, held by objects of one class")),
        Kind::Shared if name.is_empty() && counted.is_empty() => shared(finding, &size),
        Kind::Shared if name.is_empty() => format!("{}, {size}", shared(finding, &counted)),
        Kind::Waste(kind) => waste(kind, finding.objects, &size),
        Kind::Thread if finding.locations > 1 => format!("{name} holds {size} in {locations} threads"),
        kind if finding.locations > 1 && !is_together(kind) => {
            format!("{name} {} hold {what}", like_it(finding.locations - 1))
        }
        _ => format!("{name} {} {what}", hold(name)),
    }
}

/// The verb of a name: two fields joined by a plus hold, one holds.
fn hold(name: &str) -> &'static str {
    if name.contains(" + ") { "hold" } else { "holds" }
}

/// Title without sizes: `desk.SessionCache.ENTRIES holds 1,200 desk.Session`.
pub fn statement(finding: &LeakFinding) -> String {
    fitting(finding, |name, class| stated(finding, name, class))
}

fn stated(finding: &LeakFinding, name: &str, class: &str) -> String {
    let (name, what, more) = (name.to_owned(), what(finding, class), finding.locations.saturating_sub(1));
    let who = match finding.kind {
        Kind::Waste(kind) => return wasting(kind, finding.objects),
        Kind::Siblings if name.is_empty() => return capital(&format!("{what}, held by objects of one class")),
        Kind::Shared if name.is_empty() => return shared(finding, &what),
        kind if is_together(kind) => name,
        Kind::Thread | Kind::ThreadLocals if more > 0 => format!("{name} in {} threads", Count(finding.locations)),
        _ if more > 0 => format!("{name} {}", like_it(more)),
        _ => name,
    };
    let is_one = more == 0 || is_together(finding.kind) || matches!(finding.kind, Kind::Thread | Kind::ThreadLocals);
    let holds = if is_one { "holds" } else { "hold" };
    if what.is_empty() { who } else { format!("{who} {holds} {what}") }
}

/// `and 3 similar locations`
fn like_it(more: u64) -> String {
    if more == 1 { "and one similar location".to_owned() } else { format!("and {} similar locations", Count(more)) }
}

/// True if the finding stands for a set of objects, not for several similar locations.
fn is_together(kind: Kind) -> bool {
    matches!(kind, Kind::Siblings | Kind::Shared | Kind::Finalizers | Kind::Cleaners)
}

/// What the finding is, its kind, and the title of the known leak or its strongest evidence: `Leak suspect · Cache · entries
/// were never removed`.
pub fn hint(finding: &LeakFinding) -> String {
    let likelihood = finding.likelihood().map(|likelihood| likelihood.title().to_owned());
    let kind = if matches!(finding.kind, Kind::Waste(_)) { "" } else { finding.kind.title() };
    let is_leak = finding.group == Group::Leak;
    let why = match (&finding.verdict, finding.kind) {
        (Some(verdict), _) if !verdict.reason.is_empty() => Some(verdict.reason.clone()),
        (_, Kind::Waste(kind)) => Some(reason(kind).to_owned()),
        _ if finding.growth().is_some() => finding.growth().map(Evidence::to_string),
        _ if is_leak && finding.known.is_some() => finding.known.as_ref().map(|known| known.title.clone()),
        _ => finding
            .evidence
            .iter()
            .find(|sign| if is_leak { sign.is_for() } else { sign.is_against() })
            .map(Evidence::to_string),
    };
    [likelihood, Some(kind.to_owned()), why]
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" · ")
}

/// `1,200 desk.Session`
fn what(finding: &LeakFinding, class: &str) -> String {
    match &finding.accumulated {
        Some(accumulated) if accumulated.objects > 0 => format!("{} {class}", Count(accumulated.objects)),
        _ => String::new(),
    }
}

/// Objects that no single object holds: `50 Setting in Array objects, each held by several objects`.
fn shared(finding: &LeakFinding, what: &str) -> String {
    let counted = finding.accumulated.as_ref().map_or("", |accumulated| accumulated.class.as_str());
    capital(&format!("{what}{}, each held by several objects", one_line(&held_in(finding, counted))))
}

/// References to cut, and what that frees: `Cutting desk.SessionCache.ENTRIES frees 2.1 MB in 12,345 objects`.
pub fn remedy(finding: &LeakFinding) -> String {
    let objects = Count(finding.objects).of("object", "objects");
    let frees = format!("frees {} in {objects}{}", finding.frees, when_freed(finding));
    match references_to_cut(finding).as_slice() {
        [] => String::new(),
        several @ [first, ..] if finding.kind == Kind::Shared && finding.unlisted > 0 => {
            let references = Count(several.len() as u64 + finding.unlisted);
            let (first, objects) = (one_line(&first.name), Count(finding.objects));
            let frees = format!("Cutting all of them frees {} in {objects} objects", finding.frees);
            format!("At least {references} references hold these objects, for example {first}. {frees}")
        }
        [one] => format!("Cutting {} {frees}", one_line(&one.name)),
        several => {
            let mut names: Vec<String> = Vec::new();
            for &cut in several {
                let name = one_line(&cut.name);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            let more = names.len().saturating_sub(NAMED) as u64 + finding.unlisted;
            names.truncate(NAMED);
            let names = match (names.split_last(), more) {
                (Some((only, [])), 0) => format!("{only}, {} times,", Count(several.len() as u64)),
                (Some((last, first)), 0) => format!("{} and {last}", first.join(", ")),
                _ => format!("{} and {} more", names.join(", "), Count(more)),
            };
            format!("Cutting {names} together {frees}")
        }
    }
}

/// The references that a change of the program removes: without local variables, which end by themselves, if there are
/// others.
pub fn references_to_cut(finding: &LeakFinding) -> Vec<&ReferenceToCut> {
    let (locals, others): (Vec<&ReferenceToCut>, Vec<_>) = finding.cut.iter().partition(|cut| cut.is_local);
    if others.is_empty() { locals } else { others }
}

/// What a cut waits for, before it frees anything: `, once the method that uses it returns`; often nothing.
pub fn when_freed(finding: &LeakFinding) -> &'static str {
    match finding.cut.len() - references_to_cut(finding).len() {
        0 => "",
        1 => ", once the method that uses it returns",
        _ => ", once the methods that use it return",
    }
}

/// All [`sentences`] in one text.
pub fn explanation(finding: &LeakFinding) -> String {
    sentences(finding).join(". ")
}

/// Facts, then evidence for and against a leak.
pub fn sentences(finding: &LeakFinding) -> Vec<String> {
    let mut sentences = facts(finding);
    let evidence = || finding.evidence.iter();
    sentences.extend(evidence().filter(|fact| fact.is_for()).map(|fact| format!("{FOR}: {fact}")));
    sentences.extend(evidence().filter(|fact| fact.is_against()).map(|fact| format!("{AGAINST}: {fact}")));
    sentences
}

/// Label of evidence for a leak.
pub const FOR: &str = "Evidence for a leak";
/// Label of evidence against a leak.
pub const AGAINST: &str = "Evidence against a leak";

/// Advice on a leak: the change to make in the program. Empty for waste, which has its own advice.
pub fn advice(kind: Kind) -> &'static str {
    match kind {
        Kind::Cache => "Limit the size of the map, or remove entries that are no longer needed",
        Kind::Collection => "Remove elements that are no longer needed",
        Kind::Queue => "Limit the length of the queue, or take elements out faster",
        Kind::Chain => "Unlink objects that are no longer needed",
        Kind::Array => "Clear array elements that are no longer needed",
        Kind::Buffer => "Release or shrink the buffer after use",
        Kind::Holder | Kind::Siblings => "Clear the reference when these objects are no longer needed",
        Kind::Shared => "Clear every reference to these objects",
        Kind::ClassLoaders => {
            "Release all references to the classes and objects of an application or plug-in that was stopped or replaced"
        }
        Kind::Thread => "Clear the local variable, or let the method return",
        Kind::ThreadLocals => "Call ThreadLocal.remove() after use",
        Kind::Finalizers => "Look for a blocked or slow finalizer, and replace finalizers by cleaners",
        Kind::Cleaners => "Close the resources explicitly, or look for a blocked cleaner thread",
        Kind::Waste(_) => "",
    }
}

/// Verdict, collection, remedy and advice, which a known leak replaces: everything but the evidence.
pub fn facts(finding: &LeakFinding) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Kind::Waste(kind) = finding.kind {
        sentences.push(reason(kind).to_owned());
    }
    sentences.extend(within(finding));
    sentences.extend(growth_within(finding));
    if let Some(verdict) = &finding.verdict {
        let who = if verdict.is_of_user { "Your rule" } else { "Built-in rule" };
        let reason = if verdict.reason.is_empty() { String::new() } else { format!(": {}", verdict.reason) };
        sentences.push(format!("{who} {} marks it as {}{reason}", verdict.pattern, words(verdict.group)[2]));
    }
    sentences.extend(dominating(finding));
    if let Some(inside) = &finding.collection {
        let entries = Count(inside.size).of("entry", "entries");
        sentences.push(format!("Collection: {} ({}, {entries})", one_line(&inside.class), inside.kind.name()));
    }
    sentences.extend(finding.evidence.iter().filter(|sign| sign.is_neutral()).map(|fact| capital(&fact.to_string())));
    sentences.push(remedy(finding));
    sentences.extend(held_elsewhere(finding));
    sentences.extend(certainty(finding));
    match &finding.known {
        _ if finding.group != Group::Leak => {}
        Some(known) => sentences.extend(known_leak(known)),
        None => sentences.push(advice(finding.kind).to_owned()),
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// The finding that holds the same bytes, too.
fn within(finding: &LeakFinding) -> Option<String> {
    let outer = finding.within.as_ref().filter(|label| !label.is_empty())?;
    let part = if matches!(finding.kind, Kind::Waste(_)) { "Nearly all of it is in" } else { "It is part of" };
    Some(format!("{part} what {} holds: those bytes are in both findings", one_line(outer)))
}

/// The finding that states the same growth, too.
fn growth_within(finding: &LeakFinding) -> Option<String> {
    let outer = finding.growth_within.as_ref().filter(|_| finding.grown() > Bytes(0))?;
    Some(format!("Its growth is part of the growth of {}: those bytes are in both findings", one_line(outer)))
}

/// Why a finding is among the first although it is no leak by what is known about it.
fn dominating(finding: &LeakFinding) -> Option<String> {
    let is_excused = finding.verdict.is_some() || finding.unjudged == Group::Normal;
    match finding.group {
        _ if !finding.is_dominating() => None,
        Group::Bounded => Some(format!("{}. {LISTED}", meaning(Group::Bounded))),
        Group::Leak if is_excused && finding.is_uncertain() && finding.growth().is_none() => {
            Some(format!("{LISTED}. One dump cannot tell a leak from a table here: compare with an earlier dump"))
        }
        Group::Leak if is_excused => Some(LISTED.to_owned()),
        _ => None,
    }
}

/// Why a finding that a rule knows is listed.
const LISTED: &str = "Listed because it is more than a third of the heap";

/// That cutting frees fewer of the counted objects than there are, as other objects hold the others, too.
fn held_elsewhere(finding: &LeakFinding) -> Option<String> {
    let accumulated = finding.accumulated.as_ref().filter(|accumulated| accumulated.objects > accumulated.freed)?;
    let (freed, all) = (Count(accumulated.freed), Count(accumulated.objects));
    let class = source_classes::class_or_lambda(&accumulated.class, accumulated.objects);
    Some(format!("It frees {freed} of the {all} {class}: other references hold the others, too"))
}

/// What is known about a leak: its title, what to do, and where that is described.
fn known_leak(known: &KnownLeak) -> [String; 3] {
    let versions = if known.versions.is_empty() { String::new() } else { format!(" (versions: {})", known.versions) };
    let source = if known.source.is_empty() { String::new() } else { format!("Source: {}", known.source) };
    [format!("Known pattern {}: {}{versions}", known.id, known.title), known.advice.clone(), source]
}

/// What a finding is, and how sure that is: `Leak suspect, certainty 14 %`. Empty of what is no leak. The estimate is that of
/// the evidence, whatever the user says.
pub fn likelihood(finding: &LeakFinding) -> Option<String> {
    let percent = finding.stated_certainty()? * 100.0;
    let is_said = finding.verdict.as_ref().is_some_and(|verdict| verdict.is_of_user);
    let of = if is_said { " of the evidence" } else { "" };
    finding.likelihood().map(|likelihood| format!("{}, certainty{of} {percent:.0} %", likelihood.title()))
}

/// How sure a leak is, and what would tell.
fn certainty(finding: &LeakFinding) -> Option<String> {
    let percent = likelihood(finding)?;
    let says_nothing = "This dump does not tell whether it grows; an earlier dump would";
    // With a baseline, growth is known.
    let is_unknown = finding.growth().is_none() && finding.is_uncertain();
    Some(if is_unknown { format!("{percent}. {says_nothing}") } else { percent })
}

/// Heading of a finding with a verdict of the user.
pub fn judged_as(group: Group) -> &'static str {
    match group {
        Group::Leak => "Leaking",
        Group::Normal => "Normal",
        Group::Expected | Group::Waste | Group::Bounded => "Expected",
    }
}

/// The title, which fits a line.
impl fmt::Display for LeakFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&title(self))
    }
}

/// Title and definition of a group, and what a verdict marks its findings as.
fn words(group: Group) -> [&'static str; 3] {
    match group {
        Group::Leak => ["Leaks", "Memory that may keep growing, or should have been released", "leaking"],
        Group::Waste => ["Waste", "Memory that holds no useful data", "waste"],
        Group::Bounded => ["Large but bounded", "The dump shows that its size is limited", "bounded"],
        Group::Normal => ["Runtime", "Memory of the runtime itself, according to built-in rules", "normal"],
        Group::Expected => ["Expected", "Marked as expected by a verdict", "expected"],
    }
}

/// Title and definition of a section of the list, given its findings: of leaks whether they are leaks or suspects, unless all
/// are bounded structures that are more than a third of the heap.
pub fn section<'a>(section: Group, findings: impl Iterator<Item = &'a LeakFinding>) -> (&'static str, &'static str) {
    let (mut has_own, mut has_bounded, mut leaks, mut suspects) = (false, false, false, false);
    for finding in findings {
        has_own |= finding.group == section;
        has_bounded |= finding.group != section;
        leaks |= finding.likelihood() == Some(Likelihood::Leak);
        suspects |= finding.likelihood() == Some(Likelihood::Suspect);
    }
    let title = match (leaks, suspects, has_bounded) {
        _ if !has_own => group(Group::Bounded),
        // The figures beside the title count them, too.
        (true, true, true) => "Leaks, leak suspects and bounded structures",
        (true, false, true) => "Leaks and bounded structures",
        (false, true, true) => "Leak suspects and bounded structures",
        (true, true, false) => "Leaks and leak suspects",
        (true, false, false) => Likelihood::Leak.plural(),
        (false, true, false) => Likelihood::Suspect.plural(),
        (false, false, _) => group(section),
    };
    (title, meaning(if has_own { section } else { Group::Bounded }))
}

/// Kind of a finding, and its group where the heading is of another.
pub fn kind(finding: &LeakFinding) -> String {
    let kind = finding.kind.title();
    if finding.section() == finding.group { kind.to_owned() } else { format!("{kind} · {}", group(finding.group)) }
}

/// Title of a group.
pub fn group(group: Group) -> &'static str {
    words(group)[0]
}

/// Definition of a group.
pub fn meaning(group: Group) -> &'static str {
    words(group)[1]
}

/// Count and size of all leaks and suspects: `1 leak and 2 suspects retain 5.6 MB (80 %)`
pub fn summary(findings: &[LeakFinding]) -> String {
    let count = |of: Likelihood| findings.iter().filter(|finding| finding.likelihood() == Some(of)).count() as u64;
    let (leaks, suspects) = (count(Likelihood::Leak), count(Likelihood::Suspect));
    let (bytes, total) = (leaking(findings), findings.first().map_or_else(Default::default, |finding| finding.total));
    let what = match (leaks, suspects) {
        (0, 0) => return "No leaks found".to_owned(),
        (0, _) => Count(suspects).of("leak suspect", "leak suspects"),
        (_, 0) => Count(leaks).of("leak", "leaks"),
        (_, _) => format!("{} and {}", Count(leaks).of("leak", "leaks"), Count(suspects).of("suspect", "suspects")),
    };
    let retain = if leaks + suspects == 1 { "retains" } else { "retain" };
    format!("{what} {retain} {bytes} ({})", Share::of(bytes, total))
}

/// Message for an empty list, of `count` findings before the filter.
pub fn none_of(count: usize) -> &'static str {
    if count == 0 { NOTHING } else { "No findings match the filter" }
}

/// Message where nothing was found.
pub const NOTHING: &str = "No findings of this size";

/// ` in Array objects` where the object that a finding selects holds the counted ones and is of another class; else empty.
pub fn held_in(leak: &LeakFinding, counted: &str) -> String {
    let holding = leak.point.as_ref().filter(|point| point.class != counted);
    holding.map(|point| format!(" in {} objects", point.class)).unwrap_or_default()
}

/// The text with a capital first letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}
