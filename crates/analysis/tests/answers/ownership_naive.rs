//! Inferred roots and their ownership, compared with a step-by-step implementation of the definition.

use heaplens_analysis::ownership::retained_set::retained_by;
use heaplens_base::Task;
use heaplens_graph::forest::Children;
use heaplens_graph::{Edges, Forest, NONE};
use heaplens_testkit::random::Random;
use heaplens_testkit::shapes::RandomGraph;

/// Under Miri, which is slow, a part of the graphs is enough.
const LESS: u64 = if cfg!(miri) { 60 } else { 1 };

/// Edges in two parts, some of which do not count.
struct Rows {
    first: Vec<Vec<u32>>,
    second: Vec<Vec<u32>>,
    /// Node and place.
    skipped: Vec<(u32, usize)>,
}

impl Rows {
    fn of(shape: &RandomGraph, random: &mut Random) -> Self {
        let mut rows = Self { first: Vec::new(), second: Vec::new(), skipped: Vec::new() };
        for node in 0..shape.nodes {
            let all: Vec<u32> = shape.edges.iter().filter(|&&(from, _)| from == node).map(|&(_, to)| to).collect();
            let first = if random.one_in(2) { all.len() } else { random.below(all.len() as u32 + 1) as usize };
            rows.skipped.extend((0..all.len()).filter(|_| random.one_in(6)).map(|index| (node, index)));
            rows.first.push(all[..first].to_vec());
            rows.second.push(all[first..].to_vec());
        }
        rows
    }

    /// Followed edges, in one list per node.
    fn plain(&self) -> Vec<Vec<u32>> {
        let row = |(node, (first, second)): (usize, (&Vec<u32>, &Vec<u32>))| {
            let all = first.iter().chain(second).copied().enumerate();
            all.filter(|&(index, _)| !self.skipped.contains(&(node as u32, index))).map(|(_, to)| to).collect()
        };
        self.first.iter().zip(&self.second).enumerate().map(row).collect()
    }
}

impl Edges for Rows {
    fn nodes(&self) -> usize {
        self.first.len()
    }

    fn children(&self, node: u32) -> Children<'_> {
        let may_skip = self.skipped.iter().any(|&(of, _)| of == node);
        Children { first: &self.first[node as usize], second: &self.second[node as usize], may_skip }
    }

    fn skips(&self, node: u32, index: usize, _to: u32) -> bool {
        self.skipped.contains(&(node, index))
    }
}

/// Owner and parent of each node by the definition: an object belongs to the first root that reaches it.
fn visit(edges: &[Vec<u32>], node: u32, root: u32, parent: u32, owned: &mut Vec<Option<(u32, u32)>>) {
    owned[node as usize] = Some((root, parent));
    for &to in &edges[node as usize] {
        if owned[to as usize].is_none() {
            visit(edges, to, root, node, owned);
        }
    }
}

fn reached(edges: &[Vec<u32>], roots: &[u32], without: Option<u32>) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut waiting: Vec<u32> = roots.iter().copied().filter(|&root| Some(root) != without).collect();
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut reached[node as usize], true) {
            waiting.extend(edges[node as usize].iter().filter(|&&to| Some(to) != without));
        }
    }
    reached
}

#[test]
fn forests_match_the_definition() {
    for seed in 0..2_000 / LESS {
        let mut random = Random::new(seed);
        let nodes = random.below(40);
        let shape = RandomGraph::random(seed, nodes);
        let rows = Rows::of(&shape, &mut random);
        let edges = rows.plain();
        let weight = |node: u32| shape.weights[node as usize];
        let forest = Forest::grow(&rows, weight, &Task::new()).expect("not cancelled");

        let others_point =
            |node: u32| edges.iter().enumerate().any(|(from, row)| from as u32 != node && row.contains(&node));
        let pure: Vec<u32> = (0..nodes).filter(|&node| !others_point(node)).collect();
        let mut owned = vec![None; nodes as usize];
        for &root in &pure {
            visit(&edges, root, root, NONE, &mut owned);
        }
        let reach = owned.iter().flatten().count() as u64;
        let mut artificial = Vec::new();
        while let Some(root) = owned.iter().position(Option::is_none) {
            artificial.push(root as u32);
            visit(&edges, root as u32, root as u32, NONE, &mut owned);
        }
        assert_eq!((&forest.pure, &forest.artificial, forest.reached_from_pure), (&pure, &artificial, reach), "{seed}");

        // The path up from a node is the same for everything below it.
        let way_up = |node: u32| {
            std::iter::successors(Some(node), |&at| Some(owned[at as usize]?.1).filter(|&parent| parent != NONE))
        };
        for node in 0..nodes {
            let below: Vec<u32> = (0..nodes).filter(|&other| way_up(other).any(|at| at == node)).collect();
            let steps = |other: &u32| way_up(*other).position(|at| at == node).expect("it is below");
            let of = forest.of(node).expect("a node");
            assert_eq!(Some((of.owner, of.parent)), owned[node as usize], "seed {seed}, node {node}");
            assert_eq!(of.total, below.iter().map(|&other| weight(other)).sum::<u64>(), "seed {seed}, node {node}");
            assert_eq!(of.descendants as usize, below.len() - 1, "seed {seed}, node {node}");
            assert_eq!(
                of.max_depth as usize,
                below.iter().map(steps).max().expect("itself"),
                "seed {seed}, node {node}"
            );
        }

        let roots: Vec<u32> = pure.iter().chain(&artificial).copied().collect();
        for node in (0..nodes).filter(|_| seed % 4 == 0) {
            let (all, left) = (reached(&edges, &roots, None), reached(&edges, &roots, Some(node)));
            let missing: Vec<u32> = (0..nodes).filter(|&other| all[other as usize] && !left[other as usize]).collect();
            let retained = retained_by(&rows, &forest, &[node], &Task::new()).expect("not cancelled");
            assert_eq!(retained, missing, "seed {seed}: retained by {node}");
        }
    }
}

/// A list whose nodes are generated on access.
struct List(Vec<u32>);

impl Edges for List {
    fn nodes(&self) -> usize {
        self.0.len()
    }

    fn children(&self, node: u32) -> Children<'_> {
        let next = self.0.get(node as usize + 1..node as usize + 2).unwrap_or_default();
        Children { first: next, second: &[], may_skip: false }
    }

    fn skips(&self, _: u32, _: usize, _: u32) -> bool {
        false
    }
}

#[test]
#[cfg_attr(miri, ignore = "millions of nodes take days there")]
fn a_list_of_five_million_needs_no_deep_stack() {
    let nodes = 5_000_000;
    let list = List((0..nodes).collect());
    let forest = Forest::grow(&list, |_| 16, &Task::new()).expect("not cancelled");
    let first = *forest.of(0).expect("a node");
    assert_eq!((&forest.pure, &forest.artificial), (&vec![0], &Vec::new()));
    assert_eq!((first.total, first.descendants, first.max_depth), (16 * u64::from(nodes), nodes - 1, nodes - 1));
    assert_eq!(forest.nodes[nodes as usize - 1].owner, 0);
}

#[test]
fn invalid_node_numbers_are_tolerated() {
    let rows = Rows { first: vec![vec![7, 1], vec![NONE, 0]], second: vec![vec![2], vec![]], skipped: Vec::new() };
    let forest = Forest::grow(&rows, |_| 1, &Task::new()).expect("not cancelled");
    assert_eq!((forest.pure, forest.artificial), (Vec::new(), vec![0]));
    assert_eq!(forest.nodes[0].total, 2);
}
