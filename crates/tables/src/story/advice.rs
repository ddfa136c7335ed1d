//! What helps tonight, and what to change in the program.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::growth::duration;
use super::page::{Claim, Earlier, HOLDERS, StoryInput};
use super::suspects::{filled_heap, holder_name, is_most, of_limit, outside, owners, stacks};
use crate::export::traces::to_clear;
use heaplens_analysis::android::shark::Leak;
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
    let mut claims = restart(input, holders);
    for finding in holders {
        for structure in finding.structures() {
            if let Some(common) = common_value(input.dump.data(), structure, task)? {
                claims.push(Claim::new(in_common(finding, &common)).about(finding));
                break;
            }
        }
    }
    let most = holders.first().map_or(0, |finding| finding.frees.0);
    let is_large = |finding: &&Arc<LeakFinding>| finding.frees.0 >= most / 2 && finding.locations <= 1;
    for finding in holders.iter().filter(is_large) {
        if let Some(limit) = limit(input, finding, task)? {
            let freed = limit.what.freed.shallow;
            claims
                .push(Claim::new(format!("If {}, that frees {freed}", one_line(&limit.to_string()))).to(Target::Leaks));
            break;
        }
    }
    let is_outside = stacks(input).is_some() || of_limit(input).is_some() || owners(input).next().is_some();
    if claims.is_empty() && is_outside {
        claims.push(Claim::new("A restart gives this back until it has grown again").to(Target::Process));
    }
    claims.extend(settings(input));
    if input.dump.facts.heap.is_incomplete() {
        let text = "Copy the dump again, or take another one: the disk may have been full, or the copy has ended early";
        claims.push(Claim::new(text).to(Target::ParseWarnings));
    }
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

/// What a restart buys: until the first holder is as large again, at the measured rate if there is one.
fn restart(input: StoryInput<'_>, holders: &[Arc<LeakFinding>]) -> Vec<Claim> {
    let text = |freed: Bytes, name: &str, lasts: String| format!("A restart gives back the {freed} of {name}{lasts}");
    let of_heap = holders.first().and_then(|first| {
        let is_leak = !first.is_uncertain() || filled_heap(input) && is_most(first);
        let lasts = match (first.growth(), input.earlier.filter(|earlier| earlier.is_long())) {
            (Some(Evidence::Grew { grown, .. }), Some(earlier)) => {
                let rate = earlier.rate(*grown)?;
                let seconds = u128::from(first.frees.0) * 60 / u128::from(rate.0.max(1));
                let seconds = duration(u64::try_from(seconds).unwrap_or(u64::MAX));
                format!("; at {rate} a minute they are there again after about {seconds}")
            }
            (Some(Evidence::Grew { grown, .. }), None) => match input.earlier.and_then(Earlier::millis) {
                Some(millis) => format!("; {grown} of it came within {}", duration(millis / 1_000)),
                None => String::new(),
            },
            _ if is_leak => "; how long that lasts, a second dump tells".to_owned(),
            _ => return None,
        };
        let name = holder_name(holders, first);
        Some(Claim::new(one_line(&text(first.frees, &name, lasts))).about(first))
    });
    let of_owner = outside(input).next().filter(|_| holders.is_empty()).and_then(|owner| {
        let name = owner.name.as_ref()?;
        Some(Claim::new(one_line(&text(owner.bytes, name, " outside the heap".to_owned()))).to(Target::Process))
    });
    of_heap.into_iter().chain(of_owner).collect()
}

/// `740 of 1,200 entries of SessionCache.ENTRIES (61.7 %) have tenant "acme": look there first`.
fn in_common(finding: &LeakFinding, common: &CommonValue) -> String {
    let share = Share::of(Bytes(common.entries), Bytes(common.compared));
    let (entries, compared) = (Count(common.entries), Count(common.compared));
    let of = if common.compared < common.all { "the first " } else { "" };
    let value = one_line(&common.value);
    let has = match &common.field {
        Some(field) => format!("have {} {value:?}", one_line(field)),
        None => format!("have keys that begin with {value:?}"),
    };
    format!("{entries} of {of}{compared} entries of {} ({share}) {has}: look there first", finding.whole_name())
}

/// The settings that move the limit which was reached: they buy time. None if the dump does not tell which limit it was.
fn settings(input: StoryInput<'_>) -> Vec<Claim> {
    let errors = &input.overview.glance.out_of_memory;
    let Some(error) = errors.first() else { return Vec::new() };
    let now = |limit: Option<Bytes>| limit.map_or_else(String::new, |limit| format!(", now {}", as_flag(limit)));
    let is_only = error.kinds.len() == 1;
    let setting = |kind: &ErrorKind| match kind {
        ErrorKind::JavaHeap | ErrorKind::GcOverhead => {
            Some(format!("A larger heap (-Xmx{}) buys time until there is a fix", now(errors.fill.max)))
        }
        // Beside other kinds, no advice holds for all.
        ErrorKind::ArraySize => {
            is_only.then(|| "A larger heap does not help: read, write or build the data in smaller parts".to_owned())
        }
        ErrorKind::DirectMemory => {
            Some(format!("A larger -XX:MaxDirectMemorySize{} buys time until there is a fix", now(error.limit)))
        }
        ErrorKind::Metaspace => Some("A larger -XX:MaxMetaspaceSize buys time until there is a fix".to_owned()),
        ErrorKind::ClassSpace => {
            Some("A larger -XX:CompressedClassSpaceSize buys time until there is a fix".to_owned())
        }
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

/// A size as the options of the virtual machine take it: `96m`.
fn as_flag(size: Bytes) -> String {
    let units = [(1 << 30, "g"), (1 << 20, "m"), (1 << 10, "k")];
    let unit = units.into_iter().find(|&(unit, _)| size.0 >= unit && size.0.is_multiple_of(unit));
    unit.map_or_else(|| size.0.to_string(), |(unit, letter)| format!("{}{letter}", size.0 / unit))
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
    let outside = owners(input).filter_map(|owner| {
        let (name, (thing, things)) = (owner.qualified.as_ref()?, owner.kind.nouns());
        let end = if owner.kind.can_be_closed() { "close" } else { "drop all references to" };
        let text = match owner.objects {
            1 => format!("{name}: When the {thing} is no longer needed, {end} it"),
            _ => format!("{name}: Limit how many {things} it holds, and {end} those that are no longer needed"),
        };
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
        let of_class = holder_name(holders, finding).strip_prefix(&finding.whole_name()).unwrap_or_default().to_owned();
        let advice = match &finding.known {
            Some(known) => {
                let source = if known.source.is_empty() { String::new() } else { format!(" ({})", known.source) };
                format!("known pattern {}. {}{source}", known.id, known.advice)
            }
            None => words::advice(kind_of(finding)).to_owned(),
        };
        let source = finding.source.as_ref().map_or_else(String::new, |source| value_rules::name(source).to_string());
        // The name of a variable may begin with its file.
        let is_named = source.is_empty() || name.starts_with(&source);
        let source = if is_named { String::new() } else { format!(" in {source}") };
        (!name.is_empty() && !advice.is_empty())
            .then(|| Claim::new(one_line(&format!("{name}{of_class}{source}: {advice}"))).about(finding))
    };
    // A leak of a library is not the program's to mend.
    let of_application = |leak: &&Leak| leak.known.is_none();
    let leaks = input.traces.iter().flat_map(|report| report.leaks.iter().filter(of_application).take(HOLDERS));
    let traced = leaks.filter_map(|leak| {
        let reference = to_clear(leak.traces.first()?)?;
        let text = format!("{}: Clear it when the {} is no longer needed", words::capital(&reference), leak.class());
        Some(Claim::new(one_line(&text)).to(Target::Leaks))
    });
    let mut claims: Vec<Claim> =
        limited.into_iter().chain(outside).chain(traced).chain(holders.iter().filter_map(claim)).collect();
    // Findings of one field may have the same advice.
    let mut known = BTreeSet::new();
    claims.retain(|claim| known.insert(claim.text.clone()));
    claims
}
