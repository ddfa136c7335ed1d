//! What helps tonight, and what to change in the program.

use std::sync::Arc;

use super::growth::duration;
use super::page::{Claim, HOLDERS, StoryInput};
use super::suspects::outside;
use crate::export::traces::held_by;
use heaplens_analysis::entry_groups::{CommonValue, common_value};
use heaplens_analysis::leaks::{Evidence, Kind, LeakFinding, words};
use heaplens_analysis::out_of_memory::ErrorKind;
use heaplens_analysis::overview::Target;
use heaplens_analysis::policies::{Policy, PolicyRule};
use heaplens_base::invisible::one_line;
use heaplens_base::{Bytes, Cancelled, Count, Share, Task};
use heaplens_heap::{LogicalKind, value_rules};
use heaplens_session::policies::PoliciesQuestion;

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
    let policies = input.dump.answer(&PoliciesQuestion, task)?;
    // A limit on another structure of this name helps little.
    let of_holder = |policy: &&Policy| {
        let is_much = |finding: &LeakFinding| policy.what.freed.shallow.0 >= finding.frees.0 / 4;
        holders.iter().any(|finding| finding.whole_name() == policy.of && is_much(finding))
    };
    let limit = policies.iter().filter(of_holder).find(|policy| matches!(policy.rule, PolicyRule::Limit { .. }));
    claims.extend(limit.map(|policy| {
        let freed = policy.what.freed.shallow;
        Claim::new(format!("If {}, that frees {freed}", one_line(&policy.to_string()))).to(Target::Leaks)
    }));
    claims.extend(setting(input));
    Ok(claims)
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

/// The setting that moves the limit which was reached: it buys time.
fn setting(input: StoryInput<'_>) -> Option<Claim> {
    let errors = &input.overview.glance.out_of_memory;
    let error = errors.first()?;
    let [kind] = error.kinds.as_slice() else { return None };
    let now = |limit: Option<Bytes>| limit.map_or_else(String::new, |limit| format!(", now {limit}"));
    let text = match kind {
        ErrorKind::JavaHeap => format!("A larger heap (-Xmx{}) buys time, not more", now(errors.fill.max)),
        ErrorKind::DirectMemory => {
            format!("The limit of direct buffers is set by -XX:MaxDirectMemorySize{}", now(error.limit))
        }
        ErrorKind::Metaspace => "The limit of metaspace is set by -XX:MaxMetaspaceSize".to_owned(),
        ErrorKind::ClassSpace => "The limit of the class space is set by -XX:CompressedClassSpaceSize".to_owned(),
        ErrorKind::NativeThread => {
            "Limits of the system (ulimit -u, pids.max) and the memory of stacks (-Xss) bound the threads".to_owned()
        }
        _ => return None,
    };
    Some(Claim::new(text))
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
    outside.chain(traced).chain(holders.iter().filter_map(claim)).collect()
}
