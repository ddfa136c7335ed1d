//! Dominator tree over objects, and sums over its subtrees.

use rayon::prelude::*;

use super::steps::{DOMINATORS, RETAINED, SEARCHING};
use super::{Heap, ObjectId, Root, RootKind, Rules, roots::Roots, sections};
use heaplens_base::storage::{Buffer, MemoryBudget, StoredAnalysis};
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_graph::clusters::attach::Dominated;
use heaplens_graph::search::{Search, search};
use heaplens_graph::{
    Bits, Clusters, Csr, Digraph, Marks, NONE, Rows, SparseSums, Tree, dominators::immediate_dominators, sums::Sums,
};

/// What is known before the search.
pub(super) struct SearchInput<'a> {
    /// Objects with exactly one incoming reference.
    pub(super) single: &'a Bits,
    /// Those of them without outgoing references that count.
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

/// Clusters of the references that count, and the roots from which they are searched.
pub(super) struct Clustered {
    roots: Roots,
    clusters: Clusters,
    /// Clusters of the roots.
    heads: Vec<u32>,
    /// The search, if it was needed to find the roots.
    search: Option<Search>,
}

impl Clustered {
    /// Finds the clusters, and adds roots for unreachable objects if these are included.
    pub(super) fn find(
        heap: &Heap,
        references: Rows<'_>,
        rules: Rules,
        counting: &Roots,
        settled: &SearchInput<'_>,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let skip = heap.referents_beyond(rules.min_strength);
        let graph = heap.graph(references, skip.as_ref());
        task.step(SEARCHING, Unit::Objects, heap.len() as u64);
        let mut first = Self::of(counting.clone(), &graph, settled.single, settled.marks, budget, task)?;
        // In snapshots, all nodes are kept.
        if !rules.keep_unreachable || heap.snapshot().is_some() {
            return Ok(first);
        }
        let searched = search(first.clusters.exits(), &first.heads, budget, task)?;
        let reached = first.reached(&searched, heap.len());
        if reached.count() == heap.len() {
            first.search = Some(searched);
            return Ok(first);
        }
        drop((first, searched));
        let made = unreachable_roots(heap, &graph, &reached, task)?;
        let roots = Roots::new(counting.all().iter().copied().chain(made).collect());
        let marks = Marks::new(&graph, roots.objects(), settled.leaves, task)?;
        Self::of(roots, &graph, settled.single, &marks, budget, task)
    }

    fn of(
        roots: Roots,
        graph: &Digraph<'_>,
        single: &Bits,
        marks: &Marks,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let (clusters, heads) = Clusters::find(graph, roots.objects(), single, marks, budget, task)?;
        Ok(Self { roots, clusters, heads, search: None })
    }

    /// Objects that the search reached.
    fn reached(&self, search: &Search, objects: usize) -> Bits {
        let mut reached = Bits::new(objects);
        let clusters = search.order.iter().skip(1);
        clusters.for_each(|&cluster| reached.extend(self.clusters.members(cluster).iter().copied()));
        reached
    }

    /// Roots at which the search begins.
    pub(super) fn roots(&self) -> &Roots {
        &self.roots
    }

    /// Searches from the roots and finds the immediate dominators of clusters, on one thread.
    pub(super) fn search(self, budget: &MemoryBudget, task: &Task) -> Result<SearchOutput, Cancelled> {
        let Self { roots, clusters, heads, search: searched } = self;
        let searched = searched.map_or_else(|| search(clusters.exits(), &heads, budget, task), Ok);
        let mut searched = searched?;
        task.step(DOMINATORS, Unit::Objects, 2 * searched.reached() as u64);
        let above = immediate_dominators(&mut searched, budget, task)?;
        Ok(SearchOutput { roots, clusters, search: searched, above })
    }
}

/// Result of the search from the roots; the references are not needed any more.
pub(super) struct SearchOutput {
    roots: Roots,
    clusters: Clusters,
    search: Search,
    /// Immediate dominator of each number of the search.
    above: Buffer<u32>,
}

/// Dominators, before sums are computed.
pub(super) struct Dominators {
    roots: Roots,
    dominated: Dominated,
    /// True if unreachable objects are in the tree.
    has_all: bool,
}

impl Dominators {
    pub(super) fn find(
        searched: SearchOutput,
        heap: &Heap,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let SearchOutput { roots, clusters, search, above } = searched;
        // Everything needed from the references is in the clusters, except for those to classes.
        let none = Csr::default();
        let mut dominated = Dominated::find(clusters, search, above, &heap.graph(none.view(), None), budget, task)?;
        // All nodes of a snapshot are below its root, where the search began: those reachable only by weak edges, and
        // unreachable ones, dominate nothing. In a heap with excluded references, unreachable nodes are omitted. A cut
        // may have removed the root itself.
        let has_root = heap.snapshot().is_some_and(|snapshot| dominated.first() == Some(snapshot.root()));
        if has_root {
            dominated.below_the_first();
        }
        Ok(Self { roots, dominated, has_all: has_root && !heap.is_reduced() })
    }
}

impl Dominance {
    /// Sums over the objects dominated by each object.
    pub(super) fn sum(
        dominators: Dominators,
        heap: &Heap,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let Dominators { roots, dominated, has_all } = dominators;
        task.step(RETAINED, Unit::Objects, 3 * heap.len() as u64);
        let (tree, below) = dominated.into_tree(heap.len(), has_all, budget, task)?;
        let (shallow, nodes) = (heap.shallow.reading(), tree.nodes());
        // The root's node is `NONE`, and so past the end.
        let weight = |p: u32| nodes.get(p as usize).map_or(0, |&row| shallow.get(row).0);
        let sums = Sums::new(nodes.len(), weight, budget, task)?;
        let classes = heap.class_column().slices();
        let class_of = |row: u32| classes.get(row as usize).unwrap_or(heaplens_graph::NONE);
        let class_retained = tree.group_totals(&below, &sums, class_of, heap.classes.len(), budget, task)?;
        task.advance(heap.len() as u64);
        let top = top(heap, &tree);
        Ok(Self { roots, tree, top, sums, class_retained })
    }

    /// Writes the tree and its sums to the column file.
    pub(super) fn keep(self, budget: &MemoryBudget) -> Self {
        Self { tree: self.tree.keep(budget), sums: self.sums.keep(budget, sections::SUMS), ..self }
    }

    /// Loads the stored columns.
    pub(super) fn stored(stored: &StoredAnalysis, heap: &Heap, roots: Roots, class_retained: Vec<u64>) -> Option<Self> {
        let tree = Tree::find(stored)?;
        let top = top(heap, &tree);
        Some(Self { roots, tree, top, sums: Sums::find(stored, sections::SUMS)?, class_retained })
    }

    pub(super) fn is_reachable(&self, object: ObjectId) -> bool {
        self.tree.preorder(object.raw()).is_some()
    }

    /// By row, position in the preorder; 0 if unreachable.
    pub(super) fn preorders(&self) -> &[u32] {
        self.tree.preorders()
    }

    pub(super) fn preorder(&self, object: ObjectId) -> Option<u32> {
        self.tree.preorder(object.raw())
    }

    pub(super) fn prefetch_preorder(&self, row: u32) {
        self.tree.prefetch_preorder(row);
    }

    pub(super) fn retained(&self, object: ObjectId) -> Bytes {
        self.subtree(object).map_or(Bytes(0), |preorders| self.bytes_at(preorders))
    }

    /// Sum of the shallow sizes of the objects at some positions.
    pub(super) fn bytes_at(&self, preorders: std::ops::Range<u32>) -> Bytes {
        Bytes(self.sums.of(preorders))
    }

    /// Positions of an object and of all it dominates.
    pub(super) fn subtree(&self, object: ObjectId) -> Option<std::ops::Range<u32>> {
        let preorder = self.tree.preorder(object.raw())?;
        Some(preorder..preorder + self.tree.below(preorder) + 1)
    }

    /// Sums over the tree of weights at some positions.
    pub(super) fn sums_of(&self, mut weights: Vec<(u32, u64)>) -> SparseSums {
        weights.par_sort_unstable();
        SparseSums::new(self.tree.size(), weights)
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
    heap.snapshot().and_then(|snapshot| tree.preorder(snapshot.root())).unwrap_or(0)
}

/// Roots for unreachable objects: first every object without incoming references, then, in address order, objects of
/// the remaining cycles until all are covered, at least one of each cycle without references from outside.
fn unreachable_roots(heap: &Heap, graph: &Digraph<'_>, reached: &Bits, task: &Task) -> Result<Vec<Root>, Cancelled> {
    let is_lost = |row: u32| !reached.contains(row);
    let mut referred = Bits::new(heap.len());
    for block in task.blocks(heap.len()) {
        for row in block?.map(|r| r as u32).filter(|&r| is_lost(r)) {
            referred.extend(graph.successors(row).filter(|&to| to != row));
        }
    }
    let mut covered = Bits::new(heap.len());
    let mut made = Vec::new();
    let mut stack = Vec::new();
    let all = || (0..heap.len() as u32).filter(|&r| is_lost(r));
    let unreferred = all().filter(|&r| !referred.contains(r));
    for row in unreferred.chain(all()) {
        if !covered.insert(row) {
            continue;
        }
        made.extend(ObjectId::from_raw(row).map(|object| Root { object, kind: RootKind::Unreachable }));
        task.checkpoint()?;
        stack.push(row);
        while let Some(from) = stack.pop() {
            stack.extend(graph.successors(from).filter(|&to| is_lost(to) && covered.insert(to)));
        }
    }
    Ok(made)
}
