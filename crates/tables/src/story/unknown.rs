//! What is not known, and which second dump or flag would tell.

use std::sync::Arc;

use super::page::{Claim, StoryInput};
use super::suspects::{filled_heap, holder_name, is_most, is_too_long_array};
use heaplens_analysis::leaks::LeakFinding;
use heaplens_analysis::leaks::words::capital;
use heaplens_analysis::overview::Target;
use heaplens_base::invisible::one_line;
use heaplens_heap::format::Format;

/// Percentage of the process from which on what nothing explains is a question.
const UNEXPLAINED: u64 = 20;

pub(super) fn claims(input: StoryInput<'_>, holders: &[Arc<LeakFinding>]) -> Vec<Claim> {
    let mut claims = Vec::new();
    // Growth is no question of what is longer than possible.
    if input.earlier.is_none() && !is_too_long_array(input) {
        let is_stated =
            |finding: &&Arc<LeakFinding>| finding.is_uncertain() && !(filled_heap(input) && is_most(finding));
        let uncertain = holders.iter().find(is_stated);
        let what = match uncertain {
            Some(finding) if finding.label.is_empty() => "Whether the first of them grows".to_owned(),
            Some(finding) => format!("Whether {} grows", finding.whole_name()),
            None => match holders.first().filter(|finding| !finding.is_uncertain()) {
                Some(finding) => format!("How fast {} grows", holder_name(holders, finding)),
                None => "What grows".to_owned(),
            },
        };
        let estimate = if uncertain.is_some() { ", so its certainty is an estimate" } else { "" };
        let text = format!(
            "{what}: one dump does not tell{estimate}. Take another one later: heaplens report NEW --before THIS"
        );
        claims.push(Claim::new(one_line(&text)));
    }
    let gap = |what: &str, why: &str| Claim::new(one_line(&format!("{}: {why}", capital(what)))).to(Target::Process);
    claims.extend(input.memory.gaps.iter().map(|gap_of| gap(&gap_of.what, &gap_of.why)));
    if input.memory.gaps.is_empty() {
        claims.extend(unexplained(input));
    }
    if input.shown.facts.is_redacted() {
        claims.push(Claim::new("Values, such as keys and names of threads, are hidden: --values shows them"));
    }
    claims
}

/// How to learn what a large unexplained part of the process is.
fn unexplained(input: StoryInput<'_>) -> Option<Claim> {
    let (bytes, all) = (input.memory.unexplained()?, input.memory.resident?);
    let is_much = bytes.0.saturating_mul(100) >= all.0.saturating_mul(UNEXPLAINED);
    let is_jvm = input.dump.facts.heap.origin.format == Format::Hprof;
    let jvm = input.dump.data().record.and_then(|record| record.jvm.as_ref());
    let method = if is_jvm && jvm.is_none_or(|jvm| jvm.native.is_none()) {
        "start the JVM with -XX:NativeMemoryTracking=summary, and take the dump with 'heaplens take'"
    } else {
        "no dump records what native code allocates. A profiler of malloc, such as heaptrack, shows where"
    };
    is_much.then(|| Claim::new(format!("What the unexplained {bytes} are: {method}")).to(Target::Process))
}
