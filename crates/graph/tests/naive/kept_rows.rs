//! Adjacency rows in a file, compared with the same rows in memory.

use std::sync::Arc;

use heaplens_base::Task;
use heaplens_base::storage::{ColumnFile, MemoryBudget};
use heaplens_graph::degrees::DegreeNames;
use heaplens_graph::links::{LinkNames, transpose_links};
use heaplens_graph::transpose::transpose;
use heaplens_graph::{Csr, Links, NONE};
use heaplens_testkit::random::Random;
use heaplens_testkit::shapes::RandomGraph;

/// Rows in a file equal those in memory for all kinds of access, including rows of more than 255 edges.
#[test]
fn rows_in_a_file_equal_those_in_memory() {
    const NAMES: LinkNames =
        LinkNames { starts: DegreeNames { degrees: "a", bases: "b", long_rows: "c", long_degrees: "d" }, targets: "e" };
    let folder = std::env::temp_dir();
    for seed in 0..200 {
        let mut shape = RandomGraph::random(seed, 1 + seed as u32 * 3);
        let mut random = Random::new(seed);
        for _ in 0..random.below(3) {
            let (node, many) = (random.below(shape.nodes), 250 + random.below(20));
            shape.edges.extend(
                (0..many).map(|n| if seed % 2 == 0 { (node, n % shape.nodes) } else { (n % shape.nodes, node) }),
            );
        }
        let edges = Arc::new(Csr::from_edges(shape.nodes as usize, &shape.edges));
        let budget = MemoryBudget::new(None, folder.clone(), ColumnFile::nameless(&folder).ok());
        let stored = Links::keep(edges.clone(), &budget, NAMES);
        assert_eq!((stored.rows(), stored.edges()), (edges.rows(), edges.edges()));
        let mut walk = stored.walk();
        for row in 0..shape.nodes {
            assert_eq!(stored.row(row), edges.row(row), "row {row} of the graph of seed {seed}");
            assert_eq!(stored.degree(row), edges.row(row).len(), "row {row} of the graph of seed {seed}");
            if row % 3 == seed as u32 % 3 {
                assert_eq!(walk.row(row), edges.row(row), "row {row} on a walk, seed {seed}");
            }
        }
        assert!(stored.row(shape.nodes).is_empty() && stored.row(NONE).is_empty() && stored.degree(NONE) == 0);
        let (transposed, _) = transpose_links(edges.view(), &budget, NAMES, &Task::new()).expect("not cancelled");
        let (in_memory, _) = transpose(edges.view(), &Task::new()).expect("not cancelled");
        assert!((0..shape.nodes).all(|row| transposed.row(row) == in_memory.row(row)), "seed {seed}");
    }
}
