//! Immediate dominators by semi-NCA.
//!
//! The method is SEMI-NCA of L. Georgiadis and R. E. Tarjan ("Finding
//! Dominators Revisited", 2004; also Georgiadis, Werneck, Tarjan, Triantafyllis
//! and August, "Finding Dominators in Practice", ESA 2004). Its first half is
//! that of Lengauer and Tarjan ("A Fast Algorithm for Finding Dominators in a
//! Flowgraph", TOPLAS 1979): nodes are taken in reverse preorder, *link* joins a
//! node to the forest of those done, and *eval* finds the smallest
//! semidominator on the forest path above a node, compressing the path. The
//! second half needs no buckets: in preorder, the immediate dominator is the
//! nearest ancestor, along the dominators already known, whose number is not
//! above the semidominator, that is, the nearest common ancestor of the tree
//! parent and the semidominator.
//!
//! Linking is implicit. The ancestor of a node starts as its tree parent, and a
//! node counts as linked once its number is above the one in hand.

use rayon::prelude::*;

use super::NONE;
use super::csr::Csr;
use super::search::Search;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// What is known of one number. One record, so that following a path costs one
/// cache miss a node and not four.
#[derive(Clone, Copy)]
struct Vertex {
    /// Compressed way up: a forest ancestor.
    ancestor: u32,
    /// Smallest semidominator between here and `ancestor`, the latter excluded.
    label: u32,
    /// Semidominator.
    semi: u32,
    /// Immediate dominator; the tree parent until the second half.
    idom: u32,
}

/// The immediate dominator of each number of the search; 0 is the virtual root.
/// Consumes the crossings and parents of `search`. Progress counts nodes, twice.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn immediate_dominators(search: &mut Search, task: &Task) -> Result<Vec<u32>, Cancelled> {
    let count = search.order.len();
    let predecessors = predecessors(count, std::mem::take(&mut search.crossings), task)?;
    let mut vertices: Vec<Vertex> = std::mem::take(&mut search.parent)
        .into_par_iter()
        .enumerate()
        .map(|(n, parent)| Vertex { ancestor: parent, label: n as u32, semi: n as u32, idom: parent })
        .collect();
    let mut path = Vec::new();
    for n in (1..count as u32).rev() {
        if (n as usize).is_multiple_of(CHECKPOINT_EVERY) {
            task.advance_checked(CHECKPOINT_EVERY as u64)?;
        }
        let mut semi = vertices[n as usize].idom;
        for &from in predecessors.row(n) {
            // Nothing is smaller than the virtual root: the rest need not be looked at.
            if semi == 0 {
                break;
            }
            semi = semi.min(eval(&mut vertices, from, n, &mut path));
        }
        let vertex = &mut vertices[n as usize];
        vertex.semi = semi;
        vertex.label = semi;
    }
    for n in 1..count {
        if n.is_multiple_of(CHECKPOINT_EVERY) {
            task.advance_checked(CHECKPOINT_EVERY as u64)?;
        }
        let Vertex { semi, mut idom, .. } = vertices[n];
        while idom > semi {
            idom = vertices[idom as usize].idom;
        }
        vertices[n].idom = idom;
    }
    Ok(vertices.into_iter().map(|v| v.idom).collect())
}

/// Smallest semidominator on the forest path from `from` up to, not including,
/// the first node that is not linked yet (number at most `current`). A node
/// that is itself not linked answers with its own number.
#[inline]
fn eval(vertices: &mut [Vertex], from: u32, current: u32, path: &mut Vec<u32>) -> u32 {
    if from <= current {
        return from;
    }
    let mut at = from;
    let mut ancestor = vertices[at as usize].ancestor;
    if ancestor <= current {
        return vertices[at as usize].label;
    }
    // Up to the highest linked node, then down again, handing the smallest label and the top down.
    path.clear();
    while ancestor > current {
        path.push(at);
        at = ancestor;
        ancestor = vertices[at as usize].ancestor;
    }
    let top = ancestor;
    let mut label = vertices[at as usize].label;
    for &below in path.iter().rev() {
        let vertex = &mut vertices[below as usize];
        label = label.min(vertex.label);
        vertex.label = label;
        vertex.ancestor = top;
    }
    label
}

/// Sources of the crossings into each number, a row each, in the order in which they were found.
fn predecessors(count: usize, chunks: Vec<Vec<(u32, u32)>>, task: &Task) -> Result<Csr, Cancelled> {
    let mut degrees = vec![0_u32; count];
    for chunk in &chunks {
        task.checkpoint()?;
        for &(_, to) in chunk {
            degrees[to as usize] += 1;
        }
    }
    let positions = Csr::layout(&degrees);
    let mut sources = vec![NONE; positions.total()];
    // From the last to the first, so that the degrees count down to each place.
    for chunk in chunks.into_iter().rev() {
        task.checkpoint()?;
        for (from, to) in chunk.into_iter().rev() {
            let left = &mut degrees[to as usize];
            *left -= 1;
            sources[positions.of(to as usize) + *left as usize] = from;
        }
    }
    Ok(positions.with(sources))
}
