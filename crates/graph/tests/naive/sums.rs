//! Sums over dominator trees, compared with adding up the nodes each node dominates.

use std::collections::BTreeSet;

use heaplens_base::Task;
use heaplens_base::storage::MemoryBudget;
use heaplens_graph::groups::group_totals;
use heaplens_graph::sums::Sums;
use heaplens_graph::tree::SubtreeCounts;
use heaplens_graph::{SparseSums, Tree};
use heaplens_testkit::shapes::RandomGraph;

/// Places, subtrees, their sums and the totals of groups.
pub(crate) fn check(
    shape: &RandomGraph,
    reached: &[u32],
    tree: &Tree,
    below: &SubtreeCounts,
    dominated: &[BTreeSet<u32>],
) {
    let (budget, task) = (MemoryBudget::default(), Task::new());
    let sum = |nodes: &BTreeSet<u32>| nodes.iter().map(|&node| shape.weights[node as usize]).sum::<u64>();
    let weight = |preorder: u32| tree.node(preorder).map_or(0, |node| shape.weights[node as usize]);
    let sums = Sums::new(tree.size() as usize, weight, &budget, &task).expect("not cancelled");
    assert_eq!(tree.size() as usize, reached.len() + 1);
    for &node in reached {
        let preorder = tree.preorder(node).expect("it is in the tree");
        assert_eq!(tree.node(preorder), Some(node), "places and nodes");
        let below = &dominated[node as usize];
        assert_eq!(tree.below(preorder) as usize + 1, below.len(), "dominated by {node}");
        let range = preorder..preorder + tree.below(preorder) + 1;
        assert_eq!(sums.of(range.clone()), sum(below), "retained by {node}");
        let inside: BTreeSet<u32> = range.filter_map(|preorder| tree.node(preorder)).collect();
        assert_eq!(&inside, below, "a subtree is a range of places");
    }
    assert_eq!(sums.all(), reached.iter().map(|&node| shape.weights[node as usize]).sum::<u64>());
    let left_out = (0..shape.nodes).filter(|node| !reached.contains(node));
    assert!(left_out.into_iter().all(|node| tree.preorder(node).is_none()), "what is not reached has no place");

    // Weight dominated by the members of a group, each node once, however deep they nest.
    let group = |node: u32| shape.group_of.get(node as usize).copied().unwrap_or(node % 3);
    let groups = shape.hubs.len().max(3);
    let mut held = vec![BTreeSet::new(); groups];
    for &node in reached {
        held[group(node) as usize].extend(&dominated[node as usize]);
    }
    let totals = tree.group_totals(below, &sums, group, groups, &budget, &task).expect("not cancelled");
    assert_eq!(totals, held.iter().map(sum).collect::<Vec<_>>(), "totals of groups");
    let later = group_totals(tree, &sums, group, groups, &task).expect("not cancelled");
    assert_eq!(later, totals, "totals of groups, asked for later");
    check_sparse(shape, tree, dominated, &held, group);
}

/// The same where most nodes weigh nothing.
fn check_sparse(
    shape: &RandomGraph,
    tree: &Tree,
    dominated: &[BTreeSet<u32>],
    held: &[BTreeSet<u32>],
    group: impl Fn(u32) -> u32,
) {
    let weight = |node: u32| if node % 5 == 2 { shape.weights[node as usize] } else { 0 };
    let sum = |nodes: &BTreeSet<u32>| nodes.iter().map(|&node| weight(node)).sum::<u64>();
    let weights = (1..tree.size()).filter_map(|preorder| Some((preorder, weight(tree.node(preorder)?))));
    let sums = SparseSums::new(tree.size(), weights.filter(|&(_, weight)| weight != 0));
    for preorder in 1..tree.size() {
        let below = &dominated[tree.node(preorder).expect("a node") as usize];
        assert_eq!(sums.of(preorder..preorder + tree.below(preorder) + 1), sum(below), "few weights below a node");
    }
    let totals = sums.group_totals(tree, group, held.len(), &Task::new()).expect("not cancelled");
    assert_eq!(totals, held.iter().map(sum).collect::<Vec<_>>(), "few weights of groups");
}
