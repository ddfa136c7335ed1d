//! Named variables of the program: statics and fields of classes, variables that JavaScript functions capture,
//! properties of global objects, modules and classes. Read from class declarations and few sample objects, so that a
//! dump of any size has a list that can be searched by name.

mod declared;
mod snapshot;
mod variable;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::answers::{DumpData, Question};
use heaplens_base::{Cancelled, Task};

pub use self::variable::{Variable, VariableKind, VariableTarget};

/// Maximum number of variables.
const MOST: usize = 1_000_000;

/// All variables of a dump: one of each kind, declaring class or script, and name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariablesQuestion;

impl Question for VariablesQuestion {
    type Answer = Vec<Variable>;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Self::Answer, Cancelled> {
        variables(dump, task)
    }

    fn bytes(answer: &Self::Answer) -> usize {
        answer.iter().map(|variable| size_of::<Variable>() + variable.name.len()).sum()
    }
}

/// Variables by name, then by what declares them.
pub fn variables(dump: DumpData<'_>, task: &Task) -> Result<Vec<Variable>, Cancelled> {
    let all = if dump.heap.snapshot().is_some() {
        snapshot::variables(dump, task)?
    } else {
        declared::variables(dump, task)?
    };
    let mut variables: Vec<Variable> = Vec::with_capacity(all.len());
    let mut known: FxHashMap<(VariableKind, Arc<str>, Box<str>), usize> = FxHashMap::default();
    for (at, variable) in all.into_iter().enumerate() {
        task.checkpoint_at(at)?;
        let key = (variable.kind, variable.declared_by.clone(), variable.name.clone());
        if let Some(same) = known.get(&key).and_then(|&known| variables.get_mut(known)) {
            merge(dump, same, &variable);
        } else if variables.len() < MOST {
            known.insert(key, variables.len());
            variables.push(variable);
        }
    }
    variables.sort_unstable_by(|one, other| {
        (&one.name, &one.declared_by, one.kind).cmp(&(&other.name, &other.declared_by, other.kind))
    });
    Ok(variables)
}

/// Adds another variable of the same name: a list of instances is shown rather than what one of them holds, a value
/// rather than null, then what retains most.
fn merge(dump: DumpData<'_>, into: &mut Variable, other: &Variable) {
    into.holders += other.holders;
    let retained = |target| match target {
        VariableTarget::Instances(class) => (2, dump.analysis.class_retained(class)),
        VariableTarget::Value(object) => (1, dump.analysis.retained(object)),
        VariableTarget::Declaring(object) => (0, dump.analysis.retained(object)),
    };
    if retained(other.target) > retained(into.target) {
        into.target = other.target;
    }
}
