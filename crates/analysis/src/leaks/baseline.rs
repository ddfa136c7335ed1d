//! Leaks of a dump with an earlier one as the baseline: growth is the strongest evidence, and structures that grew are
//! findings even if the later dump alone does not show them.

use super::query::{BaselineQuery, LeakQuery};
use super::{LeakFinding, growing_owners, growth::EarlierFindings, judge, leaks, rank};
use heaplens_base::{Bytes, Cancelled, Task, Unit};

/// Divisor of the least size: findings of the baseline may be this much smaller, as they were before they grew.
const SMALLER: u64 = 16;

/// Adds [`Evidence::Grew`](super::Evidence::Grew) or [`Evidence::DidNotGrow`](super::Evidence::DidNotGrow) to findings of
/// the later dump, and findings about other structures that grew by at least the least size. Judged and ranked: grown
/// findings come first in their group, by bytes grown.
///
/// A structure is looked up in the baseline by its fingerprint, else by its name without keys and indices, else by its
/// matched objects and by the growth of the owners in it. Without any of these, a finding gets no evidence.
pub fn with_baseline(
    query: BaselineQuery<'_>,
    mut findings: Vec<LeakFinding>,
    task: &Task,
) -> Result<Vec<LeakFinding>, Cancelled> {
    let LeakQuery { namer, rules, least } = query.question;
    let before = LeakQuery { namer: query.before, rules, least: Bytes((least.0 / SMALLER).max(1)) };
    let earlier = leaks(before, task)?;
    task.step("Comparing leaks with the baseline", Unit::Objects, 0);
    let mut earlier = EarlierFindings::new(&earlier, &findings);
    for finding in &mut findings {
        task.checkpoint()?;
        let evidence = earlier.evidence(query, finding);
        finding.signs.splice(0..0, evidence);
        finding.regroup(least);
    }
    growing_owners::add(query, &mut findings, task)?;
    judge(namer.analysis, rules, &mut findings);
    rank(&mut findings);
    Ok(findings)
}
