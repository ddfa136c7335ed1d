//! Breadth-first distances do not depend on which levels are lists, nor on the number of threads.

use heaplens_base::{CHECKPOINT_EVERY, Task, storage::MemoryBudget};
use heaplens_graph::distances::distances_within;
use heaplens_graph::leaves::exclusive_leaves;
use heaplens_graph::transpose::transpose;
use heaplens_graph::{Bits, Marks};
use heaplens_testkit::random::Random;
use heaplens_testkit::shapes::RandomGraph;

use super::{Fast, queued};

fn check(shape: &RandomGraph) {
    let (fast, task) = (Fast::new(shape), Task::new());
    let graph = fast.graph(shape);
    let expected = queued(&graph, &shape.roots);
    let (_, single) = transpose(graph.edges, &task).expect("not cancelled");
    let leaves = exclusive_leaves(&graph, single, &shape.roots, &Bits::default(), &task).expect("not cancelled");
    for leaves in [&Bits::default(), &leaves] {
        let marks = Marks::new(&graph, &shape.roots, leaves, &task).expect("not cancelled");
        // No list at all, some, all.
        for room in [0, 1, graph.len() / 16, usize::MAX] {
            let levels = distances_within(room, &graph, &shape.roots, &marks, &MemoryBudget::default(), &task);
            assert!(*levels.expect("not cancelled") == expected, "lists of {room} nodes");
        }
    }
}

#[test]
fn levels_of_small_graphs_are_lists_or_not() {
    let many = if cfg!(miri) { 5 } else { 300 };
    (0..many).for_each(|seed| check(&RandomGraph::random(seed, 1 + seed as u32)));
}

/// A few levels of many nodes each, which several threads visit.
#[test]
fn levels_of_large_graphs_are_lists_or_not() {
    let nodes = 2 * CHECKPOINT_EVERY as u32;
    let mut random = Random::new(11);
    let edges: Vec<_> = (0..4 * nodes).map(|_| (random.below(nodes), random.below(nodes))).collect();
    let group_of = (0..nodes).map(|node| u32::from(node % 10 == 0)).collect();
    let (roots, hubs) = ((0..60).collect(), vec![None, Some(nodes - 2)]);
    let shape = RandomGraph { nodes, edges, roots, group_of, hubs, ..RandomGraph::default() };
    for threads in if cfg!(miri) { &[2][..] } else { &[1, 2, 8] } {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(*threads).build().expect("threads");
        pool.install(|| check(&shape));
    }
}
