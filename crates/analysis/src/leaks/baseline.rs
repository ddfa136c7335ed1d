//! Leaks of a dump with an earlier one as the baseline: growth is the strongest evidence, and structures that grew are
//! findings even if the later dump alone does not show them.

use super::query::{BaselineQuery, LeakQuery};
use super::{
    LeakFinding,
    baseline_growth::{EarlierFindings, OwnerGrowths},
    find_leaks, growth_stated, judge, owner_growth, rank, tell_apart,
};
use heaplens_base::{Bytes, Cancelled, Task, Unit};

/// Divisor of the least size: findings of the baseline may be this much smaller, as they were before they grew.
const SMALLER: u64 = 16;

/// Adds [`Evidence::Grew`](super::Evidence::Grew) or [`Evidence::DidNotGrow`](super::Evidence::DidNotGrow) to findings of
/// the later dump, and findings about other structures that grew by at least the least size. Judged and ranked: grown
/// findings come first in their group, by bytes grown.
///
/// The growth of a structure is that of the owners in it. Where that is not known, as its objects are new, it is looked up
/// in the baseline by its fingerprint, else by its name without keys and indices. Without any of these, a finding gets no
/// evidence.
pub fn with_baseline(
    query: BaselineQuery<'_>,
    mut findings: Vec<LeakFinding>,
    task: &Task,
) -> Result<Vec<LeakFinding>, Cancelled> {
    let LeakQuery { namer, rules, min_bytes, .. } = query.question;
    // Names, sizes and cuts of the earlier structures are looked up, not their evidence.
    let before =
        LeakQuery { namer: query.before, with_ages: false, rules, min_bytes: Bytes((min_bytes.0 / SMALLER).max(1)) };
    let earlier = find_leaks(before, task)?;
    task.step("Comparing leaks with the baseline", Unit::Objects, 0);
    let (owners, mut earlier) = (OwnerGrowths::new(query), EarlierFindings::new(&earlier, &findings));
    for finding in &mut findings {
        task.checkpoint()?;
        let evidence = owners.evidence(finding, &earlier, task)?;
        finding.add_growth(evidence, min_bytes);
        owners.name(finding, task)?;
    }
    owner_growth::add(query, (&owners, &earlier), &mut findings, task)?;
    for finding in findings.iter_mut().filter(|finding| finding.growth().is_none()) {
        task.checkpoint()?;
        let evidence = owners.by_size(&mut earlier, finding);
        finding.add_growth(evidence, min_bytes);
    }
    judge(namer.analysis, rules, &mut findings);
    rank(&mut findings);
    tell_apart(&mut findings);
    growth_stated::mark(&owners, &mut findings, task)?;
    Ok(findings)
}
