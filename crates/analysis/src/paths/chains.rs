//! Chains in a path: consecutive steps of one class through one field, as in a list. They are shown
//! as one line with their number.

use rayon::prelude::*;

use crate::answers::DumpData;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_heap::ObjectId;

/// Number of steps up to which a chain is not collapsed.
const FEW: usize = 3;
/// Steps whose names are read at once.
const PIECE: usize = CHECKPOINT_EVERY >> 4;

/// A chain of steps, shown as one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// Index of the first step, counted from the root.
    pub first: usize,
    /// Number of steps.
    pub steps: usize,
    /// Name of the reference from each step to the next.
    pub field: String,
}

/// Chains of a path, from the root on. Its last step, the target, is never part of one.
pub fn chains(dump: DumpData<'_>, path: &[ObjectId], task: &Task) -> Result<Vec<Chain>, Cancelled> {
    let mut chains = Vec::new();
    let inner = &path[..path.len().saturating_sub(1)];
    let mut first = 1;
    while first < inner.len() {
        if first.is_multiple_of(PIECE) {
            task.checkpoint()?;
        }
        let class = dump.heap.class_id(inner[first - 1]);
        let alike = inner[first..].iter().take_while(|&&step| dump.heap.class_id(step) == class).count();
        if alike > FEW {
            by_field(dump, inner, first..first + alike, &mut chains, task)?;
        }
        first += alike + 1;
    }
    Ok(chains)
}

/// Chains among steps of one class.
fn by_field(
    dump: DumpData<'_>,
    path: &[ObjectId],
    steps: std::ops::Range<usize>,
    chains: &mut Vec<Chain>,
    task: &Task,
) -> Result<(), Cancelled> {
    task.step("Collapsing chains", Unit::Objects, steps.len() as u64);
    let name =
        |at: usize| dump.contents.reference_names(dump.heap, path[at - 1], path[at], 1).pop().map(|name| name.text);
    let pieces: Vec<usize> = steps.clone().step_by(PIECE).collect();
    let runs = pieces.into_par_iter().with_max_len(1).map(|from| {
        task.checkpoint()?;
        let mut runs: Vec<Chain> = Vec::new();
        let until = steps.end.min(from + PIECE);
        for at in from..until {
            let field = name(at).unwrap_or_default();
            match runs.last_mut().filter(|run| run.field == field) {
                Some(run) => run.steps += 1,
                None => runs.push(Chain { first: at, steps: 1, field }),
            }
        }
        task.advance((until - from) as u64);
        Ok(runs)
    });
    let runs: Vec<Vec<Chain>> = runs.collect::<Result<_, Cancelled>>()?;
    let mut open: Option<Chain> = None;
    let mut end =
        |chain: Option<Chain>| chains.extend(chain.filter(|chain| chain.steps >= FEW && !chain.field.is_empty()));
    for run in runs.into_iter().flatten() {
        match &mut open {
            Some(chain) if chain.field == run.field => chain.steps += run.steps,
            _ => end(open.replace(run)),
        }
    }
    end(open);
    Ok(())
}
