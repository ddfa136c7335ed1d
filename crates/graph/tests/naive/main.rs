//! Graph algorithms, compared with simple reference implementations on thousands of random graphs.
//!
//! References: dominance by definition (remove a node, search again), dominators by iterative data flow (Cooper, Harvey
//! & Kennedy, "A simple, fast dominance algorithm", 2001), distances by relaxing all edges until nothing changes. They
//! do not use the crate's graph type.

#![expect(clippy::print_stderr, reason = "prints the seed of a failing graph")]

use std::collections::{BTreeSet, VecDeque};

use heaplens_base::storage::{MemoryBudget, Numbers, Slices};
use heaplens_base::{CHECKPOINT_EVERY, Task};
use heaplens_graph::clusters::attach::Dominated;
use heaplens_graph::distances::{distances, extend_loosely};
use heaplens_graph::dominators::immediate_dominators;
use heaplens_graph::leaves::exclusive_leaves;
use heaplens_graph::search::search;
use heaplens_graph::transpose::transpose;
use heaplens_graph::tree::SubtreeCounts;
use heaplens_graph::{Bits, Clusters, Csr, Digraph, Marks, NONE, Tree};
use heaplens_testkit::random::Random;
use heaplens_testkit::shapes::RandomGraph;

mod kept_rows;
mod levels;
mod sums;

/// Under Miri, which is slow, a part of the graphs is enough.
const LESS: u64 = if cfg!(miri) { 60 } else { 1 };

/// Edges by definition: hub first, then the followed edges.
struct Plain {
    nodes: usize,
    roots: Vec<u32>,
    successors: Vec<Vec<u32>>,
}

impl Plain {
    fn new(shape: &RandomGraph) -> Self {
        let nodes = shape.nodes as usize;
        let mut successors = vec![Vec::new(); nodes];
        for &(from, to) in &shape.edges {
            successors[from as usize].push(to);
        }
        for &node in &shape.skip_first {
            let row = &mut successors[node as usize];
            if !row.is_empty() {
                row.remove(0);
            }
        }
        for (node, &group) in shape.group_of.iter().enumerate() {
            if let Some(hub) = shape.hubs[group as usize] {
                successors[node].insert(0, hub);
            }
        }
        Self { nodes, roots: shape.roots.clone(), successors }
    }

    /// Nodes reached from the roots if `excluded` is removed.
    fn reached_without(&self, excluded: Option<usize>) -> Vec<bool> {
        let mut reached = vec![false; self.nodes];
        let mut waiting: Vec<u32> = self.roots.clone();
        while let Some(node) = waiting.pop() {
            if Some(node as usize) != excluded && !std::mem::replace(&mut reached[node as usize], true) {
                waiting.extend(&self.successors[node as usize]);
            }
        }
        reached
    }

    /// Per node, the dominated nodes including itself; empty if unreachable.
    fn dominated(&self) -> Vec<BTreeSet<u32>> {
        let reached = self.reached_without(None);
        let all = 0..self.nodes;
        let lost_without = |node: usize| {
            let left = self.reached_without(Some(node));
            all.clone().filter(|&other| reached[other] && !left[other]).map(|other| other as u32).collect()
        };
        all.clone().map(lost_without).collect()
    }

    /// Distances from the nearest root in edges, by relaxing edges until nothing changes.
    fn distances(&self) -> Vec<u32> {
        let mut distance = vec![NONE; self.nodes];
        for &root in &self.roots {
            distance[root as usize] = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for node in (0..self.nodes).filter(|&node| distance[node] != NONE).collect::<Vec<_>>() {
                for &to in &self.successors[node] {
                    if distance[node] + 1 < distance[to as usize] {
                        distance[to as usize] = distance[node] + 1;
                        changed = true;
                    }
                }
            }
        }
        distance
    }

    /// Immediate dominators by data flow; `None` for children of the virtual root and unreachable nodes.
    fn data_flow_dominators(&self) -> Vec<Option<u32>> {
        // Row `nodes` is the virtual root.
        let top = self.nodes;
        let successors = |node: usize| if node == top { &self.roots } else { &self.successors[node] };
        let mut postorder = vec![usize::MAX; top + 1];
        let mut order = Vec::new();
        let mut seen = vec![false; top + 1];
        let mut stack = vec![(top, 0)];
        seen[top] = true;
        while let Some((node, next)) = stack.last_mut() {
            if let Some(&to) = successors(*node).get(*next) {
                *next += 1;
                if !std::mem::replace(&mut seen[to as usize], true) {
                    stack.push((to as usize, 0));
                }
            } else {
                postorder[*node] = order.len();
                order.push(*node);
                stack.pop();
            }
        }
        let mut predecessors = vec![Vec::new(); top + 1];
        for &node in &order {
            for &to in successors(node) {
                predecessors[to as usize].push(node);
            }
        }
        let mut idom = vec![usize::MAX; top + 1];
        idom[top] = top;
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.iter().rev().filter(|&&node| node != top) {
                let known = predecessors[node].iter().copied().filter(|&from| idom[from] != usize::MAX);
                let meet = known.reduce(|mut a, mut b| {
                    while a != b {
                        while postorder[a] < postorder[b] {
                            a = idom[a];
                        }
                        while postorder[b] < postorder[a] {
                            b = idom[b];
                        }
                    }
                    a
                });
                let meet = meet.expect("a node in the search has a predecessor before it");
                changed |= std::mem::replace(&mut idom[node], meet) != meet;
            }
        }
        idom[..top].iter().map(|&d| (d < top).then_some(d as u32)).collect()
    }
}

/// Converts a shape to the crate's graph type.
struct Fast {
    edges: Csr,
    hubs: Vec<u32>,
    skip: Option<Bits>,
}

impl Fast {
    fn new(shape: &RandomGraph) -> Self {
        let mut skip = Bits::new(shape.nodes as usize);
        for &node in &shape.skip_first {
            skip.insert(node);
        }
        Self {
            edges: Csr::from_edges(shape.nodes as usize, &shape.edges),
            hubs: shape.hubs.iter().map(|hub| hub.unwrap_or(NONE)).collect(),
            skip: (!shape.skip_first.is_empty()).then_some(skip),
        }
    }

    fn graph<'a>(&'a self, shape: &'a RandomGraph) -> Digraph<'a> {
        let group_of = Slices::Words(&shape.group_of);
        Digraph { edges: self.edges.view(), group_of, hubs: &self.hubs, skip_first: self.skip.as_ref() }
    }
}

/// Compares all algorithms with their references on one graph.
fn check(shape: &RandomGraph) {
    let (plain, fast, task) = (Plain::new(shape), Fast::new(shape), Task::new());
    let graph = fast.graph(shape);
    for node in 0..shape.nodes {
        assert_eq!(graph.successors(node).collect::<Vec<_>>(), plain.successors[node as usize], "successors");
    }
    let groups = shape.hubs.len();
    let group_of = Numbers::Words(shape.group_of.clone().into());
    let members = Csr::by_group(&group_of, groups, &task).expect("not cancelled");
    for group in 0..groups as u32 {
        let slow = (0..shape.group_of.len() as u32).filter(|&n| shape.group_of[n as usize] == group);
        assert!(members.row(group).iter().copied().eq(slow), "members of group {group}");
    }
    let (transposed, single) = transpose(graph.edges, &task).expect("not cancelled");
    check_transpose(shape, &transposed);
    let mut skippable = fast.skip.clone().unwrap_or_default();
    // Edges that no rule skips here may be skipped by another.
    (0..shape.nodes).filter(|&node| fast.skip.is_some() && node % 5 == 0).for_each(|node| {
        skippable.insert(node);
    });
    let leaves = exclusive_leaves(&graph, single.clone(), &shape.roots, &skippable, &task).expect("not cancelled");
    check_leaves(shape, &leaves, &skippable);
    let none = Bits::default();
    for leaves in [&none, &leaves] {
        let marks = Marks::new(&graph, &shape.roots, leaves, &task).expect("not cancelled");
        let measured = distances(&graph, &shape.roots, &marks, &MemoryBudget::default(), &task).expect("not cancelled");
        assert_eq!(*measured, plain.distances(), "distances");
        check_loose_distances(shape, &plain, &fast, measured.to_vec());
        let (tree, below) = dominator_tree(&graph, &shape.roots, &single, &marks, false);
        check_dominators(shape, &plain, &tree, &below);
        if shape.roots.len() == 1 {
            let (complete, _) = dominator_tree(&graph, &shape.roots, &single, &marks, true);
            check_whole(shape, &tree, &complete);
        }
    }
    check_search(&plain);
}

/// The dominator tree, by clusters.
fn dominator_tree(
    graph: &Digraph<'_>,
    roots: &[u32],
    single: &Bits,
    marks: &Marks,
    all: bool,
) -> (Tree, SubtreeCounts) {
    let (budget, task) = (MemoryBudget::default(), Task::new());
    let (clusters, heads) = Clusters::find(graph, roots, single, marks, &budget, &task).expect("not cancelled");
    let mut searched = search(clusters.exits(), &heads, &budget, &task).expect("not cancelled");
    let above = immediate_dominators(&mut searched, &budget, &task).expect("not cancelled");
    let mut dominated = Dominated::find(clusters, searched, above, graph, &budget, &task).expect("not cancelled");
    if all {
        dominated.below_the_first();
    }
    dominated.into_tree(graph.len(), all, &budget, &task).expect("not cancelled")
}

/// The tree of all nodes has the reachable ones where they were, and the others below the root.
fn check_whole(shape: &RandomGraph, tree: &Tree, complete: &Tree) {
    assert_eq!(complete.size(), shape.nodes + 1);
    for node in 0..shape.nodes {
        let preorder = complete.preorder(node).expect("all nodes have one");
        match tree.preorder(node) {
            Some(known) => assert_eq!((preorder, complete.parent(preorder)), (known, tree.parent(known))),
            None => assert_eq!((complete.parent(preorder), complete.below(preorder)), (1, 0)),
        }
    }
    assert_eq!(complete.below(1), shape.nodes - 1);
}

/// Leaves by their definition.
fn check_leaves(shape: &RandomGraph, leaves: &Bits, skippable: &Bits) {
    for node in 0..shape.nodes {
        let none_out = shape.edges.iter().all(|&(from, _)| from != node);
        let in_from: Vec<u32> = shape.edges.iter().filter(|&&(_, to)| to == node).map(|&(from, _)| from).collect();
        let first = |from: u32| shape.edges.iter().find(|&&(f, _)| f == from).is_some_and(|&(_, to)| to == node);
        let exclusive = matches!(in_from[..], [from] if !(skippable.contains(from) && first(from)));
        let elsewhere = shape.roots.contains(&node) || shape.hubs.contains(&Some(node));
        assert_eq!(leaves.contains(node), none_out && exclusive && !elsewhere, "{node} is an exclusive leaf");
    }
}

fn check_transpose(shape: &RandomGraph, transposed: &Csr) {
    let mut turned: Vec<(u32, u32)> = shape.edges.iter().map(|&(from, to)| (to, from)).collect();
    turned.sort_unstable();
    let rows = 0..shape.nodes;
    let fast: Vec<_> = rows.flat_map(|to| transposed.row(to).iter().map(move |&from| (to, from))).collect();
    assert_eq!(fast, turned, "edges turned around");
}

/// Targets of skipped edges: the first edge of every second node that has one.
fn check_loose_distances(shape: &RandomGraph, plain: &Plain, fast: &Fast, mut distances: Vec<u32>) {
    let mut loose = Bits::new(shape.nodes as usize);
    shape.skip_first.iter().step_by(2).for_each(|&node| {
        loose.insert(node);
    });
    let firm = distances.clone();
    let graph = fast.graph(shape);
    let only_loosely = extend_loosely(&graph, &loose, &mut distances, &Task::new()).expect("not cancelled");
    let steps = |node: u32| {
        let first = fast.edges.row(node).first().filter(|_| loose.contains(node));
        plain.successors[node as usize].iter().chain(first).copied().collect::<Vec<u32>>()
    };
    let mut slow = firm.clone();
    loop {
        let before = slow.clone();
        for node in (0..shape.nodes).filter(|&node| before[node as usize] != NONE) {
            for to in steps(node).into_iter().filter(|&to| firm[to as usize] == NONE) {
                slow[to as usize] = slow[to as usize].min(before[node as usize] + 1);
            }
        }
        if slow == before {
            break;
        }
    }
    assert_eq!(distances, slow, "distances along loose edges");
    for node in 0..shape.nodes {
        let (was, is) = (firm[node as usize], slow[node as usize]);
        assert_eq!(only_loosely.contains(node), was == NONE && is != NONE, "{node} only loosely");
    }
}

/// The search of explicit edges, of which none leads to a root: numbers, order and parents agree, and are those of a
/// depth-first search; dominators are those of the reference.
fn check_search(plain: &Plain) {
    let not_to_roots = |(from, to): &(u32, u32)| from != to && !plain.roots.contains(to);
    let rows = plain.successors.iter().enumerate();
    let edges = rows.flat_map(|(from, row)| row.iter().map(move |&to| (from as u32, to))).filter(not_to_roots);
    let edges = Csr::from_edges(plain.nodes, &edges.collect::<Vec<_>>());
    let (budget, task) = (MemoryBudget::default(), Task::new());
    let mut searched = search(edges.view(), &plain.roots, &budget, &task).expect("not cancelled");
    let reached = plain.reached_without(None);
    assert_eq!(searched.number.iter().map(|&n| n != 0).collect::<Vec<_>>(), reached, "what is reached");
    assert_eq!(searched.reached(), reached.iter().filter(|&&r| r).count());
    let mut last = vec![0; searched.order.len()];
    for n in (1..searched.order.len()).rev() {
        last[n] = last[n].max(n);
        let (node, parent) = (searched.order[n], searched.parent[n] as usize);
        assert_eq!(searched.number[node as usize] as usize, n);
        assert!(parent < n, "parents come first");
        last[parent] = last[parent].max(last[n]);
        if parent == 0 {
            assert!(plain.roots.contains(&node), "only roots hang below the virtual root");
        } else {
            assert!(edges.row(searched.order[parent]).contains(&node), "tree edges are edges");
        }
    }
    // Property of depth-first order: an edge to a higher number stays inside the subtree.
    for (n, &last) in last.iter().enumerate().skip(1) {
        for &to in edges.row(searched.order[n]) {
            let depth_first = searched.number[to as usize] as usize <= last;
            assert!(depth_first, "edge {n} → {to} leaves the subtree of {n} for a later one");
        }
    }
    let idoms = immediate_dominators(&mut searched, &budget, &task).expect("not cancelled");
    let of_node = |node: usize| match searched.number[node] {
        0 => None,
        n => Some(idoms[n as usize]).filter(|&d| d != 0).map(|d| searched.order[d as usize]),
    };
    let fast: Vec<_> = (0..plain.nodes).map(of_node).collect();
    assert_eq!(fast, plain.data_flow_dominators(), "immediate dominators without clusters");
}

fn check_dominators(shape: &RandomGraph, plain: &Plain, tree: &Tree, below: &SubtreeCounts) {
    let dominated = plain.dominated();
    // The immediate dominator is dominated by all other strict dominators, so it dominates the fewest nodes.
    let nearest = |node: u32| {
        let strict = (0..shape.nodes).filter(|&d| d != node && dominated[d as usize].contains(&node));
        strict.min_by_key(|&d| dominated[d as usize].len())
    };
    let by_definition: Vec<_> = (0..shape.nodes).map(nearest).collect();
    let of_node = |node| tree.preorder(node).and_then(|preorder| tree.node(tree.parent(preorder)));
    let fast: Vec<_> = (0..shape.nodes).map(of_node).collect();
    assert_eq!(fast, by_definition, "immediate dominators by definition");
    assert_eq!(fast, plain.data_flow_dominators(), "immediate dominators by data flow");
    let reached = plain.reached_without(None);
    let reached: Vec<u32> = (0..shape.nodes).filter(|&node| reached[node as usize]).collect();
    sums::check(shape, &reached, tree, below, &dominated);
    check_children(&reached, tree, &fast);
}

/// Children, found by skipping whole subtrees.
fn check_children(reached: &[u32], tree: &Tree, idom: &[Option<u32>]) {
    for parent in reached.iter().copied().map(Some).chain([None]) {
        let expected: BTreeSet<u32> = reached.iter().copied().filter(|&node| idom[node as usize] == parent).collect();
        let preorder = parent.map_or(0, |node| tree.preorder(node).expect("it is in the tree"));
        let children: Vec<u32> = tree.subtrees(preorder).map(|(node, _)| node).collect();
        assert!(
            tree.subtrees(preorder).all(|(_, preorders)| tree.parent(preorders.start) == preorder),
            "parents of the children of {parent:?}"
        );
        assert_eq!(children.len(), expected.len(), "children of {parent:?}");
        assert_eq!(children.into_iter().collect::<BTreeSet<_>>(), expected, "children of {parent:?}");
    }
}

/// [`check`], which prints the graph on failure.
fn check_seed(seed: u64, nodes: u32) {
    let shape = RandomGraph::random(seed, nodes);
    if let Err(panic) = std::panic::catch_unwind(|| check(&shape)) {
        eprintln!("the graph of seed {seed}, {nodes} nodes: {shape:?}");
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn thousands_of_small_graphs() {
    // Small graphs first: failures are small enough to draw.
    for seed in 0..2_400 / LESS {
        check_seed(seed, seed as u32 % 9);
    }
    for seed in 2_400..2_400 + 3_600 / LESS {
        check_seed(seed, 3 + seed as u32 % 30);
    }
}

#[test]
fn hundreds_of_larger_graphs() {
    for seed in 10_000..10_000 + 240 / LESS {
        check_seed(seed, 60 + seed as u32 % 90);
    }
}

/// Rows are split into parallel blocks only above [`CHECKPOINT_EVERY`].
#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let nodes = 3 * CHECKPOINT_EVERY as u32 + 17;
    let mut random = Random::new(4);
    // Half of the edges lead to few nodes, so that threads write to the same rows.
    let to = |random: &mut Random| if random.one_in(2) { random.below(9) } else { random.below(nodes) };
    let edges: Vec<_> = (0..4 * nodes).map(|_| (random.below(nodes), to(&mut random))).collect();
    // Some nodes have no edges; every tenth leads to the hub of its group as well.
    let edges = edges.into_iter().filter(|&(from, _)| !from.is_multiple_of(3)).collect();
    let group_of = (0..nodes).map(|node| u32::from(node.is_multiple_of(10))).collect();
    let shape = RandomGraph { nodes, edges, group_of, hubs: vec![None, Some(nodes - 2)], ..RandomGraph::default() };
    let (fast, roots) = (Fast::new(&shape), (100..160).collect::<Vec<u32>>());
    let slow = queued(&fast.graph(&shape), &roots);
    let mut first = None;
    for threads in if cfg!(miri) { &[2][..] } else { &[1, 2, 3, 8] } {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(*threads).build().expect("threads");
        let (graph, task) = (fast.graph(&shape), Task::new());
        pool.install(|| {
            let (transposed, single) = transpose(graph.edges, &task).expect("not cancelled");
            check_transpose(&shape, &transposed);
            let leaves = exclusive_leaves(&graph, single.clone(), &roots, &Bits::default(), &task);
            let leaves = leaves.expect("not cancelled");
            let marks = Marks::new(&graph, &roots, &leaves, &task).expect("not cancelled");
            let (tree, _below) = dominator_tree(&graph, &roots, &single, &marks, false);
            let measured = distances(&graph, &roots, &marks, &MemoryBudget::default(), &task).expect("not cancelled");
            assert!(*measured == slow, "distances with {threads} threads");
            let leaves: Vec<u32> = leaves.iter().collect();
            let preorders = tree.preorders().to_vec();
            let (first, first_preorders) = first.get_or_insert_with(|| (leaves.clone(), preorders.clone()));
            assert!(*first == leaves, "leaves with {threads} threads");
            assert!(*first_preorders == preorders, "tree with {threads} threads");
        });
    }
}

/// Distances by one queue.
fn queued(graph: &Digraph<'_>, roots: &[u32]) -> Vec<u32> {
    let mut distance = vec![NONE; graph.len()];
    let mut queue: VecDeque<u32> = roots.iter().copied().collect();
    roots.iter().for_each(|&root| distance[root as usize] = 0);
    while let Some(node) = queue.pop_front() {
        for to in graph.successors(node) {
            if distance[to as usize] == NONE {
                distance[to as usize] = distance[node as usize] + 1;
                queue.push_back(to);
            }
        }
    }
    distance
}

/// Dominators and distances of a graph too large for the reference implementations.
fn derive(edges: &Csr, roots: &[u32]) -> (Tree, Vec<u32>) {
    let (graph, budget, task) = (Digraph::plain(edges), MemoryBudget::default(), Task::new());
    let (_, single) = transpose(graph.edges, &task).expect("not cancelled");
    let leaves = exclusive_leaves(&graph, single.clone(), roots, &Bits::default(), &task).expect("not cancelled");
    let marks = Marks::new(&graph, roots, &leaves, &task).expect("not cancelled");
    let (tree, _below) = dominator_tree(&graph, roots, &single, &marks, false);
    (tree, distances(&graph, roots, &marks, &budget, &task).expect("not cancelled").to_vec())
}

#[test]
#[cfg_attr(miri, ignore = "millions of nodes take days there")]
fn a_chain_of_five_million_needs_no_deep_stack() {
    let nodes = 5_000_000_u32;
    let mut degrees = vec![1; nodes as usize];
    degrees[nodes as usize - 1] = 0;
    let (tree, distances) = derive(&Csr::new(&degrees, (1..nodes).collect()), &[0]);
    assert_eq!(tree.size(), nodes + 1);
    assert_eq!(distances[nodes as usize - 1], nodes - 1);
    for preorder in [1, 2, 777, 4_321_987, nodes / 2, nodes - 1, nodes] {
        assert_eq!(tree.node(preorder), Some(preorder - 1));
        assert_eq!(tree.parent(preorder), preorder - 1);
        assert_eq!(tree.below(preorder), nodes - preorder);
    }
}

#[test]
#[cfg_attr(miri, ignore = "millions of nodes take days there")]
fn a_chain_that_is_bridged_everywhere_compresses_long_paths() {
    // Every node also has an edge two ahead and one back to the start: all crossings, all eval.
    let nodes = 1_000_000_u32;
    let mut degrees = Vec::new();
    let mut targets = Vec::new();
    for node in 0..nodes {
        let row = [node + 1, node + 2, node.saturating_sub(1000)];
        let row: Vec<u32> = row.into_iter().filter(|&to| to < nodes).collect();
        degrees.push(row.len() as u32);
        targets.extend(row);
    }
    let (tree, distances) = derive(&Csr::new(&degrees, targets), &[0]);
    assert_eq!(distances[nodes as usize - 1], nodes / 2);
    // Node 1 can be skipped, so only node 0 is on all paths.
    let below_first = (2..=nodes).filter(|&preorder| tree.parent(preorder) == 1).count();
    assert_eq!((tree.node(1), below_first), (Some(0), nodes as usize - 1));
}

#[test]
#[cfg_attr(miri, ignore = "millions of nodes take days there")]
fn a_star_of_ten_million_edges() {
    let leaves = 10_000_000_u32;
    let mut degrees = vec![0; leaves as usize + 1];
    degrees[0] = leaves;
    let edges = Csr::new(&degrees, (1..=leaves).collect());
    let (tree, distances) = derive(&edges, &[0]);
    assert_eq!(tree.size(), leaves + 2);
    assert_eq!((tree.below(1), tree.subtrees(1).count()), (leaves, leaves as usize));
    assert!((2..=leaves).step_by(999).all(|preorder| tree.parent(preorder) == 1 && tree.below(preorder) == 0));
    assert!(distances[1..].iter().all(|&d| d == 1));
    let (turned, _) = transpose(edges.view(), &Task::new()).expect("not cancelled");
    assert_eq!((turned.row(0), turned.row(leaves)), (&[][..], &[0][..]));
}

/// Members of one cluster with few and with hundreds of edges out of it: each of these leads to a node that another
/// member refers to as well, so that the place of its dominator tells whether the sources were kept apart.
#[test]
fn members_with_many_edges_out_of_their_cluster() {
    for many in [3, 254, 255, 256, 700] {
        // Node 0 is the root and refers to 1; below it are 2 and 3, below these 4 and 5: one cluster.
        let mut edges = vec![(0, 1), (1, 2), (1, 3), (2, 4), (3, 5)];
        let shared = |nth: u32| 6 + nth;
        edges.extend((0..many).flat_map(|nth| [(4, shared(nth)), (2, shared(nth))]));
        edges.extend((many..many + 4).flat_map(|nth| [(4, shared(nth)), (5, shared(nth))]));
        edges.extend((many + 4..2 * many).flat_map(|nth| [(5, shared(nth)), (3, shared(nth))]));
        let nodes = 6 + 2 * many.max(4);
        let weights = vec![1; nodes as usize];
        check(&RandomGraph { nodes, edges, roots: vec![0], weights, ..RandomGraph::default() });
    }
}

/// A hub reached only through two leaves of one parent is dominated by neither.
#[test]
fn leaves_share_their_hub() {
    for leaves in 1..5_u32 {
        // Node 0 is the root, 1 the parent, 2 the hub, the others are leaves.
        let edges = std::iter::once((0, 1)).chain((0..leaves).map(|leaf| (1, 3 + leaf))).collect();
        let nodes = 3 + leaves;
        let group_of = (0..nodes).map(|node| u32::from(node > 2)).collect();
        let weights = vec![1; nodes as usize];
        let hubs = vec![None, Some(2)];
        check(&RandomGraph { nodes, edges, roots: vec![0], group_of, hubs, weights, ..RandomGraph::default() });
    }
}

#[test]
fn cancelled_work_ends_without_an_answer() {
    let nodes = 2 * CHECKPOINT_EVERY as u32;
    let edges = Csr::from_edges(nodes as usize, &(1..nodes).map(|to| (0, to)).collect::<Vec<_>>());
    let (graph, task) = (Digraph::plain(&edges), Task::new());
    let marks = Marks::new(&graph, &[0], &Bits::default(), &task).expect("not cancelled yet");
    let budget = MemoryBudget::default();
    let find = || Clusters::find(&graph, &[0], &Bits::new(nodes as usize), &marks, &budget, &task);
    let (clusters, heads) = find().expect("not cancelled yet");
    let run_search = || search(clusters.exits(), &heads, &budget, &task);
    let (mut searched, mut again) =
        (run_search().expect("not cancelled yet"), run_search().expect("not cancelled yet"));
    let above = immediate_dominators(&mut again, &budget, &task).expect("not cancelled yet");
    task.cancel();
    assert!(find().is_err());
    assert!(run_search().is_err());
    assert!(distances(&graph, &[0], &marks, &MemoryBudget::default(), &task).is_err());
    assert!(Marks::new(&graph, &[0], &Bits::default(), &task).is_err());
    assert!(exclusive_leaves(&graph, Bits::new(nodes as usize), &[0], &Bits::default(), &task).is_err());
    assert!(transpose(graph.edges, &task).is_err());
    assert!(immediate_dominators(&mut searched, &budget, &task).is_err());
    assert!(Dominated::find(clusters, again, above, &graph, &budget, &task).is_err());
}

#[test]
#[cfg_attr(miri, ignore = "millions of nodes take days there")]
fn a_node_that_most_edges_point_at_is_transposed_in_parts() {
    // More edges into one bucket than fit in a round, others before and after it, and one row that is split.
    let (nodes, long, hub) = (4_000_000_u32, 1_200_000_u32, 1_234_567_u32);
    let mut degrees = vec![1; nodes as usize];
    degrees[7] = long;
    let row = |node: u32| {
        if node == 7 { (0..long).collect() } else { vec![if node.is_multiple_of(5) { node / 2 } else { hub }] }
    };
    let edges = Csr::new(&degrees, (0..nodes).flat_map(row).collect());
    let (turned, _) = transpose(edges.view(), &Task::new()).expect("not cancelled");
    let turned = turned.view();
    let mut next: Vec<usize> = (0..nodes as usize).map(|node| turned.range(node as u32).start).collect();
    for from in 0..nodes {
        for &to in edges.row(from) {
            assert_eq!(turned.targets()[next[to as usize]], from, "sources of {to} ascend");
            next[to as usize] += 1;
        }
    }
    assert!((0..nodes).all(|node| next[node as usize] == turned.range(node).end), "no source too many");
}
