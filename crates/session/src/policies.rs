//! Policies for the structures of the first findings of a dump.

use super::leaks::{LeakRules, findings};
use heaplens_analysis::leaks::default_min_bytes;
use heaplens_analysis::policies::{Policy, policies_of, shared_strings};
use heaplens_analysis::{DumpData, Question};
use heaplens_base::{Cancelled, Task};

/// Number of findings whose structures are tried.
const FINDINGS: usize = 5;

/// What would usual fixes free?
#[derive(Clone, PartialEq, Eq)]
pub struct PoliciesQuestion;

impl Question for PoliciesQuestion {
    type Answer = Vec<Policy>;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Vec<Policy>, Cancelled> {
        let (rules, min_bytes) = (LeakRules::default(), default_min_bytes(dump.analysis.shown.shallow));
        let (namer, mut structures, mut policies) = (dump.namer(task)?, Vec::new(), Vec::new());
        for finding in findings(dump, (&rules, min_bytes), task)?.iter().take(FINDINGS) {
            for structure in finding.structures() {
                if structures.contains(&structure) {
                    continue;
                }
                structures.push(structure);
                let of_one = policies_of(namer, structure, &finding.whole_name(), task)?;
                if !of_one.is_empty() {
                    policies.extend(of_one);
                    break;
                }
            }
        }
        policies.extend(shared_strings(namer, task)?);
        policies.sort_by_key(|policy| std::cmp::Reverse(policy.what.freed.shallow));
        Ok(policies)
    }

    fn bytes(policies: &Vec<Policy>) -> usize {
        policies.len() * size_of::<Policy>()
    }
}
