//! Dominator tree over objects, and sums over its subtrees.

use rayon::prelude::*;

use super::steps::{DOMINATORS, RETAINED, SEARCHING};
use super::{Heap, ObjectId, Root, RootKind, Rules, roots::Roots, sections};
use heaplens_base::storage::{Buffer, MemoryBudget, StoredAnalysis};
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_graph::search::{ExploredGraph, search};
use heaplens_graph::{
    Bits, Csr, Digraph, Links, Marks, NONE, Rows, SparseSums, Tree, dominators::immediate_dominators,
    leaves::append_leaves, sums::Sums,
};

pub(super) struct SearchInput<'a> {
    /// Objects skipped by the search.
    pub(super) leaves: &'a Bits,
    /// Marks for the roots of the file.
    pub(super) marks: &'a Marks,
}

/// Immediate dominators and retained sizes.
pub(super) struct Dominance {
    /// Start of the search: the roots in the file, and those added for unreachable objects.
    pub(super) roots: Roots,
    pub(super) tree: Tree,
    /// Position of the parent of the topmost objects: the virtual root, or the root of a snapshot.
    pub(super) top: u32,
    /// Shallow sizes by position.
    pub(super) sums: Sums,
    pub(super) class_retained: Vec<u64>,
}

/// Result of the search from the roots; the references are not needed any more.
pub(super) struct SearchOutput {
    roots: Roots,
    found: ExploredGraph,
}

impl SearchOutput {
    /// Searches from the roots that count, and from roots added for unreachable objects if these are included.
    pub(super) fn find(
        heap: &Heap,
        references: Rows<'_>,
        rules: Rules,
        counting: &Roots,
        settled: &SearchInput<'_>,
        space: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let skip = heap.referents_beyond(rules.min_strength);
        let graph = heap.graph(references, skip.as_ref());
        task.step(SEARCHING, Unit::Objects, heap.len() as u64);
        let (found, roots) = search_all(heap, &graph, (rules, counting), settled, space, task)?;
        Ok(Self { roots, found })
    }

    /// Roots at which the search began.
    pub(super) fn roots(&self) -> &Roots {
        &self.roots
    }
}

/// Dominators, before sums are computed.
pub(super) struct Dominators {
    roots: Roots,
    /// Object of each number, and number of its immediate dominator.
    order: Buffer<u32>,
    immediate: Buffer<u32>,
}

impl Dominators {
    /// Computes dominators. `leaves` are the nodes that the search skipped.
    pub(super) fn find(
        searched: SearchOutput,
        heap: &Heap,
        leaves: &Bits,
        retainers: &Links,
        space: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let SearchOutput { roots, found } = searched;
        let mut found = found.finish(space);
        task.step(DOMINATORS, Unit::Objects, 2 * found.reached() as u64);
        // Everything needed from the references is in the search, except for those to classes.
        let none = Csr::default();
        let mut immediate = immediate_dominators(&heap.graph(none.view(), None), &mut found, space, task)?;
        let mut retainers = retainers.walk();
        let parent_of = |leaf| retainers.row(leaf).first().copied();
        append_leaves(&mut found, &mut immediate, leaves, parent_of, task)?;
        let mut order = found.order;
        // A cut may have removed the root itself.
        if heap.snapshot().is_some_and(|snapshot| order.get(1) == Some(&snapshot.root())) {
            below_the_root(heap, &mut order, &mut immediate, task)?;
        }
        Ok(Self { roots, order, immediate })
    }
}

impl Dominance {
    /// Sums over the objects dominated by each object.
    pub(super) fn sum(found: Dominators, heap: &Heap, space: &MemoryBudget, task: &Task) -> Result<Self, Cancelled> {
        let Dominators { roots, order, immediate } = found;
        task.step(RETAINED, Unit::Objects, heap.len() as u64);
        let (tree, below) = Tree::new(heap.len(), order, immediate, space, task)?;
        let (shallow, nodes) = (heap.shallow.reading(), tree.nodes());
        // The root's node is `NONE`, and so past the end.
        let weight = |p: u32| nodes.get(p as usize).map_or(0, |&row| shallow.get(row).0);
        let sums = Sums::new(nodes.len(), weight, space, task)?;
        let classes = heap.class_column().slices();
        let class_of = |row: u32| classes.get(row as usize).unwrap_or(heaplens_graph::NONE);
        let class_retained = tree.group_totals(below, &sums, class_of, heap.classes.len(), space, task)?;
        task.advance(heap.len() as u64);
        let top = top(heap, &tree);
        Ok(Self { roots, tree, top, sums, class_retained })
    }

    /// Writes the tree and its sums to the column file.
    pub(super) fn keep(self, space: &MemoryBudget) -> Self {
        Self { tree: self.tree.keep(space), sums: self.sums.keep(space, sections::SUMS), ..self }
    }

    /// Loads the stored columns.
    pub(super) fn stored(stored: &StoredAnalysis, heap: &Heap, roots: Roots, class_retained: Vec<u64>) -> Option<Self> {
        let tree = Tree::find(stored)?;
        let top = top(heap, &tree);
        Some(Self { roots, tree, top, sums: Sums::find(stored, sections::SUMS)?, class_retained })
    }

    pub(super) fn is_reachable(&self, object: ObjectId) -> bool {
        self.tree.place(object.raw()).is_some()
    }

    /// By row, position in the preorder; 0 if unreachable.
    pub(super) fn places(&self) -> &[u32] {
        self.tree.all_places()
    }

    pub(super) fn place(&self, object: ObjectId) -> Option<u32> {
        self.tree.place(object.raw())
    }

    pub(super) fn retained(&self, object: ObjectId) -> Bytes {
        self.subtree(object).map_or(Bytes(0), |places| self.bytes_at(places))
    }

    /// Sum of the shallow sizes of the objects at some positions.
    pub(super) fn bytes_at(&self, places: std::ops::Range<u32>) -> Bytes {
        Bytes(self.sums.of(places))
    }

    /// Positions of an object and of all it dominates.
    pub(super) fn subtree(&self, object: ObjectId) -> Option<std::ops::Range<u32>> {
        let place = self.tree.place(object.raw())?;
        Some(place..place + self.tree.below(place) + 1)
    }

    /// Sums over the tree of weights at some positions.
    pub(super) fn sums_of(&self, mut weights: Vec<(u32, u64)>) -> SparseSums {
        weights.par_sort_unstable();
        SparseSums::new(self.tree.places(), weights)
    }

    /// Sums of other weights over the topmost objects of each class, in the same tree.
    pub(super) fn class_sums(&self, sums: &SparseSums, heap: &Heap, task: &Task) -> Result<Vec<u64>, Cancelled> {
        let classes = heap.class_column().slices();
        let class_of = |object: ObjectId| classes.get(object.index()).unwrap_or(NONE);
        self.group_sums(sums, class_of, heap.classes.len(), task)
    }

    /// Sums of other weights over the topmost objects of each group, in the same tree.
    pub(super) fn group_sums(
        &self,
        sums: &SparseSums,
        group_of: impl Fn(ObjectId) -> u32,
        groups: usize,
        task: &Task,
    ) -> Result<Vec<u64>, Cancelled> {
        let group_of = |node| ObjectId::from_raw(node).map_or(NONE, &group_of);
        sums.group_totals(&self.tree, group_of, groups, task)
    }
}

/// Position of the parent of the topmost objects.
fn top(heap: &Heap, tree: &Tree) -> u32 {
    heap.snapshot().and_then(|snapshot| tree.place(snapshot.root())).unwrap_or(0)
}

/// Puts all nodes of a snapshot below its root, where the search began: nodes reachable only by weak edges, and
/// unreachable ones, dominate nothing and are dominated by it. In a heap with excluded references, unreachable nodes
/// are omitted.
fn below_the_root(
    heap: &Heap,
    order: &mut Buffer<u32>,
    immediate: &mut Buffer<u32>,
    task: &Task,
) -> Result<(), Cancelled> {
    // The search begins with the root: nodes are numbered from 1.
    const ROOT: u32 = 1;
    immediate.iter_mut().skip(2).filter(|above| **above == 0).for_each(|above| *above = ROOT);
    if heap.is_reduced {
        return Ok(());
    }
    let nodes = heap.len();
    let mut placed = Bits::new(nodes);
    placed.extend(order.iter().skip(1).copied());
    let mut count = order.len();
    order.set_len(nodes + 1);
    immediate.set_len(nodes + 1);
    for block in task.blocks(nodes) {
        for row in block?.map(|row| row as u32).filter(|&row| !placed.contains(row)) {
            (order[count], immediate[count]) = (row, ROOT);
            count += 1;
        }
    }
    order.set_len(count);
    immediate.set_len(count);
    Ok(())
}

/// Runs the search, and returns it with the roots it began from. Without exclusions, the first search visits all nodes.
fn search_all(
    heap: &Heap,
    graph: &Digraph<'_>,
    (rules, counting): (Rules, &Roots),
    settled: &SearchInput<'_>,
    space: &MemoryBudget,
    task: &Task,
) -> Result<(ExploredGraph, Roots), Cancelled> {
    // In snapshots, all nodes are kept.
    if !rules.keep_unreachable || heap.snapshot().is_some() {
        return Ok((search(graph, counting.objects(), settled.marks, space, task)?, counting.clone()));
    }
    let everything = Marks::new(graph, counting.objects(), &Bits::default(), task)?;
    let found = search(graph, counting.objects(), &everything, space, task)?;
    if found.reached() == heap.len() {
        return Ok((found, counting.clone()));
    }
    let found = found.finish(space);
    let made = unreachable_roots(heap, graph, &found.number, task)?;
    let roots = Roots::new(counting.all().iter().copied().chain(made).collect());
    drop(found);
    let marks = Marks::new(graph, roots.objects(), settled.leaves, task)?;
    Ok((search(graph, roots.objects(), &marks, space, task)?, roots))
}

/// Roots for unreachable objects: first every object without incoming references, then, in address order, objects of
/// the remaining cycles until all are covered, at least one of each cycle without references from outside.
fn unreachable_roots(heap: &Heap, graph: &Digraph<'_>, number: &[u32], task: &Task) -> Result<Vec<Root>, Cancelled> {
    let lost = |row: u32| number[row as usize] == 0;
    let mut referred = Bits::new(heap.len());
    for block in task.blocks(heap.len()) {
        for row in block?.map(|r| r as u32).filter(|&r| lost(r)) {
            referred.extend(graph.successors(row).filter(|&to| to != row));
        }
    }
    let mut covered = Bits::new(heap.len());
    let mut made = Vec::new();
    let mut stack = Vec::new();
    let all = || (0..heap.len() as u32).filter(|&r| lost(r));
    let unreferred = all().filter(|&r| !referred.contains(r));
    for row in unreferred.chain(all()) {
        if !covered.insert(row) {
            continue;
        }
        made.extend(ObjectId::from_raw(row).map(|object| Root { object, kind: RootKind::Unreachable }));
        task.checkpoint()?;
        stack.push(row);
        while let Some(from) = stack.pop() {
            stack.extend(graph.successors(from).filter(|&to| lost(to) && covered.insert(to)));
        }
    }
    Ok(made)
}
