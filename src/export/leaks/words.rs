//! A finding in sentences, with this dump's own figures: what it is, what to
//! cut, why it is thought to be a leak, what speaks against.

use super::leaking;
use crate::analysis::leaks::{Finding, Group, Kind, Sign};
use crate::export::json::rfc3339;
use crate::export::printable::one_line;
use crate::export::report::words::{capital, reason, waste, wasting};
use crate::units::{Bytes, Count, Share};

/// References that are named one by one.
const NAMED: usize = 3;

/// What is found, in one sentence: `desk.SessionCache.ENTRIES holds 1,200 desk.Session, 2.1 MB (75 %)`.
pub fn title(finding: &Finding) -> String {
    let size = format!("{} ({})", finding.frees, finding.share());
    let what = what(finding);
    let what = if what.is_empty() { size.clone() } else { format!("{what}, {size}") };
    let name = one_line(&finding.name);
    let places = Count(finding.places);
    match finding.kind {
        Kind::ThreadLocals if finding.places > 1 => format!("{name} holds {what} in {places} threads"),
        Kind::Siblings if finding.name.is_empty() => capital(&format!("{what} held alike")),
        Kind::Shared if finding.name.is_empty() => capital(&format!("{what} held by many")),
        Kind::Waste(kind) => waste(kind, finding.objects, &size),
        Kind::Thread if finding.places > 1 => format!("{name} holds {size} in {places} threads"),
        kind if finding.places > 1 && !is_together(kind) => {
            format!("{name} {} hold {what}", like_it(finding.places - 1))
        }
        _ => format!("{name} holds {what}"),
    }
}

/// Who holds what, without its size: `desk.SessionCache.ENTRIES holds 1,200 desk.Session`.
pub fn statement(finding: &Finding) -> String {
    let (name, what, more) = (one_line(&finding.name), what(finding), finding.places.saturating_sub(1));
    let who = match finding.kind {
        Kind::Waste(kind) => return wasting(kind, finding.objects),
        Kind::Siblings if finding.name.is_empty() => return capital(&format!("{what} held alike")),
        Kind::Shared if finding.name.is_empty() => return capital(&format!("{what} held by many")),
        kind if is_together(kind) => name,
        Kind::Thread | Kind::ThreadLocals if more > 0 => format!("{name} in {} threads", Count(finding.places)),
        _ if more > 0 => format!("{name} {}", like_it(more)),
        _ => name,
    };
    let is_one = more == 0 || is_together(finding.kind) || matches!(finding.kind, Kind::Thread | Kind::ThreadLocals);
    let holds = if is_one { "holds" } else { "hold" };
    if what.is_empty() { who } else { format!("{who} {holds} {what}") }
}

/// `and 3 more places like it`
fn like_it(more: u64) -> String {
    if more == 1 { "and one more place like it".to_owned() } else { format!("and {} more places like it", Count(more)) }
}

/// Whether several objects are one place, and no places like each other.
fn is_together(kind: Kind) -> bool {
    matches!(kind, Kind::Siblings | Kind::Shared | Kind::Finalizers | Kind::Cleaners)
}

/// How it is held, and what says most about it: `cache · it was changed 1,200 times, …`.
pub fn hint(finding: &Finding) -> String {
    let kind = if matches!(finding.kind, Kind::Waste(_)) { "" } else { finding.kind.key() };
    let is_leak = finding.group == Group::Leak;
    let why = match (&finding.verdict, finding.kind) {
        (Some(verdict), _) if !verdict.reason.is_empty() => Some(verdict.reason.clone()),
        (_, Kind::Waste(kind)) => Some(reason(kind).to_owned()),
        _ => finding.signs.iter().find(|sign| sign.is_for() == is_leak).map(sign),
    };
    [Some(kind.to_owned()), why].into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// `1,200 desk.Session`
fn what(finding: &Finding) -> String {
    match &finding.accumulated {
        Some(found) if found.objects > 0 => format!("{} {}", Count(found.objects), one_line(&found.class)),
        _ => String::new(),
    }
}

/// What to do about it: `Cutting desk.SessionCache.ENTRIES frees 2.1 MB in 12,345 objects`.
pub fn remedy(finding: &Finding) -> String {
    let frees = format!("frees {} in {}", finding.frees, Count(finding.objects).of("object", "objects"));
    match finding.cut.as_slice() {
        [] => String::new(),
        several @ [first, ..] if finding.kind == Kind::Shared && finding.unlisted > 0 => {
            let references = Count(several.len() as u64 + finding.unlisted);
            let (first, objects) = (one_line(&first.name), Count(finding.objects));
            let frees = format!("Without all of them {} in {objects} objects would be free", finding.frees);
            format!("At least {references} references hold it, one is {first}. {frees}")
        }
        [one] => format!("Cutting {} {frees}", one_line(&one.name)),
        several => {
            let mut names: Vec<String> = Vec::new();
            for cut in several {
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

/// Everything that is known of it, in one text.
pub fn explanation(finding: &Finding) -> String {
    sentences(finding).join(". ")
}

/// Everything that is known of it, sentence by sentence.
pub fn sentences(finding: &Finding) -> Vec<String> {
    let mut sentences = facts(finding);
    let signs = |for_leak: bool| finding.signs.iter().filter(move |sign| sign.is_for() == for_leak).map(sign);
    sentences.extend(signs(true).map(|why| format!("{FOR}: {why}")));
    sentences.extend(signs(false).map(|why| format!("{AGAINST}: {why}")));
    sentences
}

/// What is said before a sign that speaks for a leak, and before one that speaks against.
pub const FOR: &str = "For a leak";
/// See [`FOR`].
pub const AGAINST: &str = "Against";

/// What is known of it apart from what speaks for a leak and against one.
pub fn facts(finding: &Finding) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Kind::Waste(kind) = finding.kind {
        sentences.push(reason(kind).to_owned());
    }
    if let Some(verdict) = &finding.verdict {
        let who = if verdict.is_of_user { "Your rule" } else { "The rule" };
        let reason = if verdict.reason.is_empty() { String::new() } else { format!(": {}", verdict.reason) };
        sentences.push(format!("{who} {} says it is {}{reason}", verdict.pattern, judged(finding.group)));
    }
    if let Some(inside) = &finding.collection {
        let entries = if inside.size == 1 { "one entry".to_owned() } else { format!("{} entries", Count(inside.size)) };
        sentences.push(format!("It is a {} of {entries}, a {}", inside.kind.name(), one_line(&inside.class)));
    }
    sentences.push(remedy(finding));
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

fn judged(group: Group) -> &'static str {
    match group {
        Group::Leak => "leaking",
        Group::Waste => "waste",
        Group::Bounded => "bounded",
        Group::Normal => "normal",
        Group::Expected => "expected",
    }
}

/// Heading of a finding with a verdict of the user.
pub(super) fn judged_as(group: Group) -> &'static str {
    match group {
        Group::Leak => "Leaking",
        Group::Normal => "Normal",
        Group::Expected | Group::Waste | Group::Bounded => "Expected",
    }
}

/// What one sign says.
pub fn sign(sign: &Sign) -> String {
    match sign {
        Sign::NeverRemoved(size) => {
            format!("it was changed {} times, as often as it has entries, so nothing was ever taken out", Count(*size))
        }
        Sign::Removed(removed, size) => {
            format!("about {} entries were taken out again, {} are in it", Count(*removed), Count(*size))
        }
        Sign::Grows(class) => {
            let class = one_line(class);
            let article = if class.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
            format!("{article} {class} grows with what is put into it")
        }
        Sign::Unchanging(class) => format!("a {} never changes", one_line(class)),
        Sign::OneSize(length) => format!("it has room for {} and cannot grow", Count(*length)),
        Sign::Bound(field, value) => {
            format!("{} is {}, what it holds now, and entries were taken out before", one_line(field), Count(*value))
        }
        Sign::SingleArray(length) => format!("it is one array of {} elements that cannot grow", Count(*length)),
        Sign::NearlyAll(class, objects, all) if objects == all => {
            format!("all {} {} of the heap are in it", Count(*all), one_line(class))
        }
        Sign::NearlyAll(class, objects, all) => {
            format!("{} of the {} {} of the heap are in it", Count(*objects), Count(*all), one_line(class))
        }
        Sign::Alike(entries, least, most) => {
            format!("its {} entries are alike, {}", Count(*entries), range(*least, *most))
        }
        Sign::Loaders { count, class, twice } => {
            let loaders = format!("it keeps {} class loaders alive, of {}", Count(*count), one_line(class));
            match twice {
                Some(twice) => format!("{loaders}, which define {} more than once", one_line(twice)),
                None => loaders,
            }
        }
        Sign::Mostly(reference, bytes) => {
            format!("{} alone, in each of them, frees {bytes}", one_line(reference))
        }
        Sign::Waiting(waiting, of) => {
            format!(
                "{} of its {} actions have nothing left to clean up after and wait to be run",
                Count(*waiting),
                Count(*of)
            )
        }
        Sign::OfRuntime => "the runtime would keep it alive without the application".to_owned(),
        Sign::Outer(field, times, of) => format!(
            "nearly all that its entries keep alive hangs on {}: so in {} of {} that were looked at",
            one_line(field),
            Count(*times),
            Count(*of)
        ),
        Sign::Made(field, first, last) => {
            let (first, last) = (time(*first), time(*last));
            format!("its entries are of different age, by {} from {first} to {last}", one_line(field))
        }
        Sign::Full(size) => {
            format!("it is full: {} wait in it, more than are taken out in time", Count(*size))
        }
        Sign::Soft(objects) => {
            format!("soft references hold its {} entries, which go before memory runs out", Count(*objects))
        }
    }
}

/// `2026-03-01T10:00:00Z`
fn time(millis: u64) -> String {
    rfc3339(millis).unwrap_or_else(|| format!("{millis} ms"))
}

fn range(least: Bytes, most: Bytes) -> String {
    if least.to_string() == most.to_string() { format!("{most} each") } else { format!("{least} to {most} each") }
}

/// What a group is called.
pub fn group(group: Group) -> &'static str {
    match group {
        Group::Leak => "Leaks",
        Group::Waste => "Waste",
        Group::Bounded => "Big, but bounded",
        Group::Normal => "Normal for every program",
        Group::Expected => "Expected",
    }
}

/// What a group means.
pub fn meaning(group: Group) -> &'static str {
    match group {
        Group::Leak => "What keeps growing, or should be gone",
        Group::Waste => "Room that is taken for nothing",
        Group::Bounded => "The dump itself shows that it is complete or has a bound",
        Group::Normal => "The runtime's own: rules tell it apart",
        Group::Expected => "Somebody looked at it and found it right",
    }
}

/// All of them in one sentence: `2 leaks hold 5.6 MB (80 %)`
pub fn summary(findings: &[Finding]) -> String {
    let leaks = findings.iter().filter(|finding| finding.group == Group::Leak).count() as u64;
    let (bytes, whole) = (leaking(findings), findings.first().map_or_else(Default::default, |finding| finding.whole));
    match leaks {
        0 => "Nothing looks like a leak".to_owned(),
        1 => format!("1 leak holds {bytes} ({})", Share::of(bytes, whole)),
        _ => format!("{} leaks hold {bytes} ({})", Count(leaks), Share::of(bytes, whole)),
    }
}

/// What is said where no finding is shown, of so many that were found.
pub fn none_of(found: usize) -> &'static str {
    if found == 0 { NOTHING } else { "No finding passes the filter" }
}

/// What is said where nothing was found.
pub const NOTHING: &str = "Nothing holds that much";
