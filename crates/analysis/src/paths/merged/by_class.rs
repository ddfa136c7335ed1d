//! Paths merged by class: objects of one class held by objects of one node through the same field are one node. Objects
//! of a class that hold each other, as in a list or a tree, are one node.

use std::collections::HashMap;

use rayon::prelude::*;

use super::path_forest::PathForest;
use super::tree::{Children, UnorderedTree};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_graph::NONE;
use heaplens_heap::ClassKind;

/// Names that are read at once.
const PIECE: usize = 1 << 10;

pub(super) fn merge(dump: DumpData<'_>, forest: &PathForest, task: &Task) -> Result<UnorderedTree, Cancelled> {
    let children = Children::of(&forest.before);
    let mut raw = UnorderedTree::default();
    let mut known: HashMap<Box<str>, u32> = HashMap::new();
    let mut group_of = vec![NONE; forest.objects.len()];
    // Objects of each unprocessed node.
    let mut members: Vec<Vec<u32>> = Vec::new();
    let class = |node: u32| dump.heap.class_id(forest.objects[node as usize]);
    let mut others: Vec<u32> = children.row(NONE).to_vec();
    let mut turn = 0;
    loop {
        let above = if members.is_empty() { NONE } else { turn as u32 };
        let names = if above == NONE { Vec::new() } else { names(dump, forest, &others, task)? };
        let mut keyed: Vec<(u32, u32, u32)> = Vec::with_capacity(others.len());
        for (at, &other) in others.iter().enumerate() {
            let name = names.get(at).map_or(NONE, |name| match known.get(&**name) {
                Some(&number) => number,
                None => {
                    raw.names.push(name.clone());
                    known.insert(name.clone(), raw.names.len() as u32 - 1);
                    raw.names.len() as u32 - 1
                }
            });
            keyed.push((class(other).raw(), name, other));
        }
        keyed.par_sort_unstable_by_key(|&(class, name, node)| (class, name, forest.objects[node as usize]));
        for group in keyed.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            raw.above.push(above);
            raw.object.push(forest.objects[group[0].2 as usize]);
            raw.name.push(group[0].1);
            raw.steps.push(0);
            members.push(group.iter().map(|&(_, _, node)| node).collect());
        }
        // The next node: its objects including those of the same class they hold, and all others held by these.
        if above != NONE {
            turn += 1;
        }
        let Some(mut own) = members.get_mut(turn).map(std::mem::take) else { break };
        others.clear();
        let mut at = 0;
        while at < own.len() {
            task.checkpoint_at(at)?;
            group_of[own[at] as usize] = turn as u32;
            for &child in children.row(own[at]) {
                if class(child) == class(own[0]) { own.push(child) } else { others.push(child) }
            }
            at += 1;
        }
        raw.steps[turn] = own.len() as u32;
        task.advance_checked(own.len() as u64)?;
    }
    // The requested objects are the first on the paths.
    raw.node_of = group_of;
    Ok(raw)
}

/// Field through which each object is held on its path; array elements are not distinguished.
fn names(dump: DumpData<'_>, forest: &PathForest, nodes: &[u32], task: &Task) -> Result<Vec<Box<str>>, Cancelled> {
    let heap = dump.heap;
    let name = |&node: &u32| -> Box<str> {
        let object = forest.objects[node as usize];
        let Some(&from) = forest.objects.get(forest.before[node as usize] as usize) else { return "".into() };
        if heap.class(from).kind == ClassKind::ObjectArray && heap.class(from).object != Some(object) {
            return "[…]".into();
        }
        let name = dump.contents.reference_names(heap, from, object, 1).pop();
        name.map_or_else(|| "<unknown>".into(), |name| name.text.into_boxed_str())
    };
    let pieces = nodes.par_chunks(PIECE).with_max_len(1).map(|piece| {
        task.checkpoint()?;
        Ok(piece.iter().map(name).collect())
    });
    let pieces: Vec<Vec<Box<str>>> = pieces.collect::<Result<_, Cancelled>>()?;
    Ok(pieces.into_iter().flatten().collect())
}
