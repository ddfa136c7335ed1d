//! Rules for the edges of a snapshot: detachedness, owners, distances, and retaining edges. The results determine class
//! names and are the input of [`super::build`].

use super::essential::{Split, of_page, split};
use super::{detached, distances, edges::Edges, flags::node, owners};
use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_graph::Bits;

use rayon::prelude::*;

/// Data from a reader about all nodes and edges.
pub struct RuleInput<'a> {
    /// Edges by node.
    pub edges: Edges,
    /// Root node.
    pub root: u32,
    /// Bits of [`node`] by node.
    pub flags: Buffer<u8>,
    /// Size of each node in the file, in bytes.
    pub sizes: Buffer<u64>,
    /// State of each node in the file: 0 unknown, 1 attached, 2 detached.
    pub states: Option<Buffer<u8>>,
    /// Edges with [`super::kind::PAIRED`], ascending, with the common key of the two edges of an entry.
    pub pairs: &'a [(u64, u32)],
    /// Keep sizes as in the file, and treat every edge as retaining that is neither weak nor a shortcut.
    pub raw: bool,
}

/// Results of the rules for nodes.
pub struct RuleOutput {
    pub(super) root: u32,
    /// Size of each node in bytes, with those of internal nodes moved to their owners.
    pub sizes: Buffer<u64>,
    /// Bits of [`node`] by node.
    pub flags: Buffer<u8>,
    /// Detached nodes, ascending.
    pub detached: Vec<u32>,
    pub(super) split: Split,
    pub(super) distances: distances::Distances,
    pub(super) has_user_roots: bool,
}

impl RuleInput<'_> {
    /// Applies all rules.
    pub fn rule(self, budget: &MemoryBudget, task: &Task) -> Result<RuleOutput, Cancelled> {
        let Self { edges, root, mut flags, mut sizes, states, pairs, raw } = self;
        let detached = match states {
            Some(mut states) => detached::spread(&edges, &flags, &mut states, task)?,
            None => Vec::new(),
        };
        // Detached nodes get their names before other rules use names.
        for &row in &detached {
            let flags = &mut flags[row as usize];
            if *flags & node::NATIVE != 0 {
                *flags &= !node::OWNABLE;
            }
        }
        let user_roots = user_roots(&edges, root, &flags);
        let owned = !raw && !user_roots.is_empty();
        let (measured, moved) = rayon::join(
            || distances::distances(&edges, root, &user_roots, pairs, budget, task),
            || {
                count_edges_to_elements(&edges, &mut flags, task)?;
                if owned {
                    owners::transfer(&edges, root, &flags, &mut sizes, budget, task)?;
                }
                if raw { Ok(None) } else { of_page(&edges, root, &flags, task) }
            },
        );
        let (distances, page): (_, Option<Bits>) = (measured?, moved?);
        let split = split(edges, root, page.as_ref(), raw, budget, task)?;
        Ok(RuleOutput { root, sizes, flags, detached, split, distances, has_user_roots: !user_roots.is_empty() })
    }
}

/// Children of the root that belong to the program: all but synthetic ones, and the one above all documents.
fn user_roots(edges: &Edges, root: u32, flags: &[u8]) -> Vec<u32> {
    let of = |row: u32| flags.get(row as usize).copied().unwrap_or_default();
    let is_user = |&(to, _): &(u32, u8)| of(to) & node::SYNTHETIC == 0 || of(to) & node::DOCUMENTS != 0;
    edges.of(root).filter(is_user).map(|(to, _)| to).collect()
}

/// Marks backing stores of elements by their number of incoming edges: one or more.
fn count_edges_to_elements(edges: &Edges, flags: &mut Buffer<u8>, task: &Task) -> Result<(), Cancelled> {
    if !flags.iter().any(|flags| flags & node::ELEMENTS != 0) {
        return Ok(());
    }
    let targets = &edges.to[..];
    let holds = &flags[..];
    let targets_by_block = targets.par_chunks(CHECKPOINT_EVERY).with_max_len(1).map(|targets| {
        task.checkpoint()?;
        let is_one = |to: &&u32| holds.get(**to as usize).is_some_and(|flags| flags & node::ELEMENTS != 0);
        Ok(targets.iter().filter(is_one).copied().collect::<Vec<u32>>())
    });
    for to in targets_by_block.collect::<Result<Vec<_>, Cancelled>>()?.into_iter().flatten() {
        let flags = &mut flags[to as usize];
        *flags |= if *flags & node::ONE_EDGE == 0 { node::ONE_EDGE } else { node::MORE_EDGES };
    }
    Ok(())
}
