//! Inferred GC roots, for files with few or no recorded roots, as Eclipse MAT does if a dump has no thread stacks.
//! Every object without incoming references becomes a root; then, in address order, each that no root reaches.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{ObjectId, Root, RootKind, builder::CompleteHeap, roots::Roots};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_graph::{Bits, Digraph, NONE, reach::reach};

impl CompleteHeap {
    /// Sets the roots: `known_roots`, and inferred ones of unknown kind. Afterwards every object is reachable.
    pub fn with_inferred_roots(mut self, mut known_roots: Vec<Root>, task: &Task) -> Result<Self, Cancelled> {
        let nodes = self.heap.len();
        task.step("Inferring GC roots", Unit::Objects, nodes as u64);
        let graph = self.heap.graph(self.references.view(), None);
        let referenced = find_referenced(&graph, task)?;
        let unknown = |row: u32| ObjectId::from_raw(row).map(|object| Root { object, kind: RootKind::Unknown });
        let known_objects: Vec<u32> = Roots::new(known_roots.clone()).objects().to_vec();
        let free =
            (0..nodes as u32).filter(|&row| !referenced.contains(row) && known_objects.binary_search(&row).is_err());
        known_roots.extend(free.filter_map(unknown));
        drop(referenced);
        let mut begin: Vec<u32> = known_roots.iter().map(|root| root.object.raw()).collect();
        begin.dedup();
        let follow = |node: u32, visited: &mut heaplens_graph::reach::ReachedNodes<'_>| {
            graph.successors(node).for_each(|to| visited.meet(to));
        };
        let mut reached = reach(nodes, &begin, follow, task)?;
        drop(begin);
        let mut waiting = Vec::new();
        for rows in task.blocks(nodes) {
            for row in rows?.map(|row| row as u32) {
                if !reached.insert(row) {
                    continue;
                }
                known_roots.extend(unknown(row));
                waiting.push(row);
                let mut steps = 0_usize;
                while let Some(node) = waiting.pop() {
                    steps += 1;
                    task.checkpoint_at(steps)?;
                    waiting.extend(graph.successors(node).filter(|&to| reached.insert(to)));
                }
            }
        }
        self.heap.roots = Roots::new(known_roots);
        Ok(self)
    }
}

/// Nodes with incoming references; a reference to a class counts for its instances too.
fn find_referenced(graph: &Digraph<'_>, task: &Task) -> Result<Bits, Cancelled> {
    let words: Vec<AtomicU64> = (0..graph.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let mark = |node: u32| {
        if let Some(word) = words.get(node as usize / 64) {
            let bit = 1_u64 << (node % 64);
            // Most are marked already: reading is cheaper than writing.
            if word.load(Ordering::Relaxed) & bit == 0 {
                word.fetch_or(bit, Ordering::Relaxed);
            }
        }
    };
    graph.edges.targets().par_chunks(CHECKPOINT_EVERY).with_max_len(1).try_for_each(|targets| {
        task.checkpoint()?;
        targets.iter().copied().for_each(mark);
        Ok(())
    })?;
    task.par_blocks(graph.len()).try_for_each(|rows| {
        rows?.map(|row| graph.hub(row as u32)).filter(|&hub| hub != NONE).for_each(mark);
        Ok(())
    })?;
    Ok(Bits::from_words(words.into_iter().map(AtomicU64::into_inner).collect()))
}
