//! What helps tonight, and what to change in the program.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::growth::duration;
use super::page::{Claim, HOLDERS, StoryInput};
use super::suspects::{of_limit, outside};
use crate::export::traces::held_by;
use heaplens_analysis::entry_groups::{CommonValue, common_value};
use heaplens_analysis::leaks::{Evidence, Kind, LeakFinding, words};
use heaplens_analysis::out_of_memory::ErrorKind;
use heaplens_analysis::overview::Target;
use heaplens_analysis::policies::{Policy, tightest_limit};
use heaplens_analysis::process::PartKind;
use heaplens_base::invisible::one_line;
use heaplens_base::{Bytes, Cancelled, Count, Share, Task};
use heaplens_dump::Dump;
use heaplens_heap::{LogicalKind, ObjectId, value_rules};

/// More settings than these are none that help.
const SETTINGS: usize = 2;

/// What to try before there is a fix: a restart and what it buys, what the entries have in common, what a limit would free,
/// and which setting moves the limit.
pub(super) fn tonight(
    input: StoryInput<'_>,
    holders: &[Arc<LeakFinding>],
    task: &Task,
) -> Result<Vec<Claim>, Cancelled> {
    let mut claims: Vec<Claim> = restart(input, holders).into_iter().collect();
    for finding in holders {
        for structure in finding.structures() {
            if let Some(common) = common_value(input.dump.data(), structure, task)? {
                claims.push(Claim::new(in_common(finding, &common)).about(finding));
                break;
            }
        }
    }
    let most = holders.first().map_or(0, |finding| finding.frees.0);
    for finding in holders.iter().filter(|finding| finding.frees.0 >= most / 2) {
        if let Some(limit) = limit(input, finding, task)? {
            let freed = limit.what.freed.shallow;
            claims
                .push(Claim::new(format!("If {}, that frees {freed}", one_line(&limit.to_string()))).to(Target::Leaks));
            break;
        }
    }
    claims.extend(settings(input));
    Ok(claims)
}

/// A limit on the entries of a holder that frees much of it: one on another structure of this name helps little.
fn limit(input: StoryInput<'_>, finding: &LeakFinding, task: &Task) -> Result<Option<Policy>, Cancelled> {
    let (namer, least) = (input.dump.namer(task)?, finding.frees.0 / 4);
    // What entries free is what their structure dominates, so a structure that retains little is not asked.
    for structure in finding.structures().filter(|&structure| retained_by(input.dump, structure).0 >= least) {
        let limit = tightest_limit(namer, structure, &finding.whole_name(), task)?;
        if let Some(limit) = limit.filter(|limit| limit.what.freed.shallow.0 >= least) {
            return Ok(Some(limit));
        }
    }
    Ok(None)
}

/// Retained size of a structure and of its own parts that something else holds, too.
fn retained_by(dump: &Dump, structure: ObjectId) -> Bytes {
    let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
    let own = dump.facts.contents.logical(heap, structure, 0..0).map(|logical| logical.internals).unwrap_or_default();
    let apart = own.into_iter().filter(|&part| !analysis.dominates(structure, part));
    apart.chain([structure]).map(|part| analysis.retained(part)).sum()
}

/// What a restart buys: until the first holder is as large again, at the measured rate.
fn restart(input: StoryInput<'_>, holders: &[Arc<LeakFinding>]) -> Option<Claim> {
    let first = holders.first()?;
    let earlier = input.earlier.filter(|earlier| earlier.is_long())?;
    let Some(Evidence::Grew { grown, .. }) = first.growth() else { return None };
    let rate = earlier.rate(*grown)?;
    let seconds = u128::from(first.frees.0) * 60 / u128::from(rate.0.max(1));
    let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
    let text = format!(
        "A restart gives back the {} of {}; at {rate} a minute they are there again after about {}",
        first.frees,
        first.whole_name(),
        duration(seconds)
    );
    Some(Claim::new(one_line(&text)).about(first))
}

/// `740 of 1,200 entries of SessionCache.ENTRIES (61.7 %) have tenant "acme"`.
fn in_common(finding: &LeakFinding, common: &CommonValue) -> String {
    let share = Share::of(Bytes(common.entries), Bytes(common.compared));
    let (entries, compared) = (Count(common.entries), Count(common.compared));
    let of = if common.compared < common.all { "the first " } else { "" };
    let value = one_line(&common.value);
    let has = match &common.field {
        Some(field) => format!("have {} {value:?}", one_line(field)),
        None => format!("have keys that begin with {value:?}"),
    };
    format!("{entries} of {of}{compared} entries of {} ({share}) {has}", finding.whole_name())
}

/// The settings that move the limit which was reached: they buy time. None if the dump does not tell which limit it was.
fn settings(input: StoryInput<'_>) -> Vec<Claim> {
    let errors = &input.overview.glance.out_of_memory;
    let Some(error) = errors.first() else { return Vec::new() };
    let now = |limit: Option<Bytes>| limit.map_or_else(String::new, |limit| format!(", now {limit}"));
    let setting = |kind: &ErrorKind| match kind {
        ErrorKind::JavaHeap | ErrorKind::GcOverhead => {
            Some(format!("A larger heap (-Xmx{}) buys time, not more", now(errors.fill.max)))
        }
        ErrorKind::ArraySize => Some("A larger heap does not help: read or write in parts".to_owned()),
        ErrorKind::DirectMemory => {
            Some(format!("The limit of direct buffers is set by -XX:MaxDirectMemorySize{}", now(error.limit)))
        }
        ErrorKind::Metaspace => Some("The limit of metaspace is set by -XX:MaxMetaspaceSize".to_owned()),
        ErrorKind::ClassSpace => Some("The limit of the class space is set by -XX:CompressedClassSpaceSize".to_owned()),
        ErrorKind::NativeThread => Some(
            "Limits of the system (ulimit -u, pids.max) and the memory of stacks (-Xss) bound the threads".to_owned(),
        ),
        _ => None,
    };
    let Some(mut settings) = error.kinds.iter().map(setting).collect::<Option<Vec<String>>>() else {
        return Vec::new();
    };
    settings.dedup();
    if settings.len() > SETTINGS { Vec::new() } else { settings.into_iter().map(Claim::new).collect() }
}

/// The kind by which to advise: of a collection that a local variable holds, too, that of the collection.
fn kind_of(finding: &LeakFinding) -> Kind {
    match (&finding.collection, finding.kind) {
        (Some(inside), Kind::Thread) if inside.kind == LogicalKind::Map => Kind::Cache,
        (Some(_), Kind::Thread) => Kind::Collection,
        (_, kind) => kind,
    }
}

/// What to change in the program: the member that holds the memory, and how.
pub(super) fn change(input: StoryInput<'_>, holders: &[Arc<LeakFinding>]) -> Vec<Claim> {
    let outside = outside(input).filter_map(|owner| {
        let (name, things) = (owner.qualified.as_ref()?, owner.kind.nouns().1);
        let text = format!("{name}: Limit how many {things} it holds, or close them when they are no longer needed");
        Some(Claim::new(one_line(&text)).to(Target::Process))
    });
    let limited = of_limit(input).map(|(part, _)| match part {
        PartKind::ClassMetadata => {
            Claim::new("Create these class loaders once, or drop the references to those that are no longer needed")
                .to(Target::Loaders)
        }
        _ => {
            Claim::new("Limit the number of threads, and end those that are no longer needed").to(Target::Threads(None))
        }
    });
    let claim = |finding: &Arc<LeakFinding>| {
        let name = if finding.qualified.is_empty() { &finding.name } else { &finding.qualified };
        let advice = match &finding.known {
            Some(known) => {
                let source = if known.source.is_empty() { String::new() } else { format!(" ({})", known.source) };
                format!("known pattern {}. {}{source}", known.id, known.advice)
            }
            None => words::advice(kind_of(finding)).to_owned(),
        };
        let source =
            finding.source.as_ref().map_or_else(String::new, |source| format!(" in {}", value_rules::name(source)));
        (!name.is_empty() && !advice.is_empty())
            .then(|| Claim::new(one_line(&format!("{name}{source}: {advice}"))).about(finding))
    };
    let leaks = input.traces.iter().flat_map(|report| report.leaks.iter().take(HOLDERS));
    let traced = leaks.filter_map(|leak| {
        let reference = held_by(leak.traces.first()?)?;
        let text = format!("{reference}: Clear it when the {} is no longer needed", leak.class());
        Some(Claim::new(one_line(&text)).to(Target::Leaks))
    });
    let mut claims: Vec<Claim> =
        limited.into_iter().chain(outside).chain(traced).chain(holders.iter().filter_map(claim)).collect();
    // Findings of one field may have the same advice.
    let mut known = BTreeSet::new();
    claims.retain(|claim| known.insert(claim.text.clone()));
    claims
}
