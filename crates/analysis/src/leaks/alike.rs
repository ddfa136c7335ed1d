//! Findings that are alike: the same field of several threads of a pool, or of several objects of a class.

use std::collections::{BTreeSet, HashMap};

use super::finding::LeakFinding;
use super::query::LeakQuery;
use crate::cuts::{Cut, what_if};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// Merges findings of equal fingerprint.
pub(super) fn together(
    question: LeakQuery<'_>,
    findings: Vec<LeakFinding>,
    task: &Task,
) -> Result<Vec<LeakFinding>, Cancelled> {
    let mut together: Vec<LeakFinding> = Vec::with_capacity(findings.len());
    let mut at: HashMap<String, usize> = HashMap::new();
    let mut overlapping: BTreeSet<usize> = BTreeSet::new();
    for finding in findings {
        let Some(&first) = at.get(&finding.fingerprint) else {
            at.insert(finding.fingerprint.clone(), together.len());
            together.push(finding);
            continue;
        };
        // The first is the largest and represents all.
        let all = &mut together[first];
        all.frees += finding.frees;
        all.objects += finding.objects;
        all.locations += finding.locations;
        all.unlisted += finding.unlisted;
        if finding.cut.iter().any(|cut| all.cut.iter().any(|known| known.to == cut.to)) {
            overlapping.insert(first);
        }
        all.cut.extend(finding.cut);
        if let (Some(all), Some(more)) = (&mut all.accumulated, &finding.accumulated) {
            all.objects += more.objects;
            all.freed += more.freed;
        }
    }
    for at in overlapping {
        count_once(question, &mut together[at], task)?;
    }
    Ok(together)
}

/// Several groups of shared objects may have the same holders, each counted with each group: lists every reference once, and
/// computes what cutting all of them frees.
fn count_once(question: LeakQuery<'_>, finding: &mut LeakFinding, task: &Task) -> Result<(), Cancelled> {
    let mut known: BTreeSet<(ObjectId, ObjectId, String)> = BTreeSet::new();
    finding.cut.retain(|cut| known.insert((cut.from, cut.to, cut.reference.clone())));
    if finding.unlisted > 0 {
        return Ok(());
    }
    let cuts: Vec<Cut> = finding.cut.iter().map(|cut| Cut::Reference { from: cut.from, to: cut.to }).collect();
    let freed = what_if(question.namer.dump, &cuts, task)?.freed;
    (finding.frees, finding.objects) = (freed.shallow, freed.objects);
    Ok(())
}
