//! Tree outlines, compared with a simple implementation that sorts all children.

use heaplens_analysis::outline::{Outline, OutlineLimits, OutlineTree, Piece, PieceKind, outline};
use heaplens_base::{Cancelled, Task};
use heaplens_testkit::random::Random;

/// Hand-made tree: children, weight and kind of each node.
struct Plain {
    below: Vec<Vec<u32>>,
    weight: Vec<u64>,
    kind: Vec<u32>,
}

impl Plain {
    /// Random tree with frequent chains, wide levels and equal weights.
    fn random(seed: u64, nodes: u32) -> Self {
        let mut random = Random::new(seed);
        let kinds = 1 + random.below(4);
        let (mut below, mut above) = (vec![Vec::new(); nodes as usize], vec![0_u32]);
        for node in 1..nodes {
            let near = random.below(3) > 0;
            let parent = if near { node - 1 } else { random.below(node.min(7)) };
            above.push(parent);
            below[parent as usize].push(node);
        }
        let kind = (0..nodes).map(|_| random.below(kinds)).collect();
        let mut weight: Vec<u64> = (0..nodes).map(|_| u64::from(random.below(4)) * 8).collect();
        for node in (1..nodes as usize).rev() {
            weight[above[node] as usize] += weight[node];
        }
        Self { below, weight, kind }
    }

    fn next_link(&self, node: u32) -> Option<u32> {
        let below = &self.below[node as usize];
        let mut alike = below.iter().filter(|&&child| self.is_alike(node, child));
        let next = alike.next().copied();
        next.filter(|_| alike.next().is_none() && below.len() <= 16)
    }

    /// Nodes of the chain that starts at a node; only the node if the chain is too short.
    fn chain(&self, node: u32) -> Vec<u32> {
        let links: Vec<u32> = std::iter::successors(Some(node), |&at| self.next_link(at)).collect();
        if links.len() >= 4 { links } else { vec![node] }
    }

    /// Children of a chain, largest first.
    fn below_chain(&self, links: &[u32]) -> Vec<u32> {
        let mut below: Vec<u32> = links.iter().flat_map(|&link| self.below[link as usize].clone()).collect();
        below.retain(|child| !links.contains(child));
        below.sort_by_key(|&child| (std::cmp::Reverse(self.weight[child as usize]), child));
        below
    }
}

impl OutlineTree for Plain {
    type Node = u32;
    fn weight(&self, node: Option<u32>) -> u64 {
        self.weight[node.unwrap_or(0) as usize]
    }
    fn rows_below(&self, node: Option<u32>, offer: &mut dyn FnMut(u32), task: &Task) -> Result<u64, Cancelled> {
        let links = self.chain(node.unwrap_or(0));
        let links = if node.is_some() { links } else { vec![0] };
        for (at, &link) in links.iter().enumerate() {
            let next = links.get(at + 1);
            for &child in self.below[link as usize].iter().filter(|child| Some(*child) != next) {
                task.checkpoint()?;
                offer(child);
            }
        }
        Ok(links.len() as u64)
    }
    fn links(&self, node: u32, _: &Task) -> Result<u64, Cancelled> {
        Ok(self.chain(node).len() as u64)
    }
    fn is_alike(&self, one: u32, other: u32) -> bool {
        self.kind[one as usize] == self.kind[other as usize]
    }
    fn below(&self, _: Option<u32>) -> u64 {
        self.below.len() as u64
    }
}

fn of(tree: &Plain, root: Option<u32>, cut: OutlineLimits) -> Outline<u32> {
    outline(tree, root, cut, &Task::new()).expect("not cancelled")
}

/// Compares one piece with the tree, by definition.
fn check(tree: &Plain, outline: &Outline<u32>, at: usize, cut: OutlineLimits) {
    let piece: &Piece<u32> = &outline.pieces[at];
    let links = match piece.what {
        PieceKind::Rest(..) => return assert!(piece.below.is_empty()),
        PieceKind::Gone(_) => panic!("a tree alone has lost nothing"),
        PieceKind::Whole => vec![0],
        PieceKind::Node(node) | PieceKind::Chain(node, _) => tree.chain(node),
    };
    assert_eq!(piece.weight, tree.weight[links[0] as usize]);
    if piece.below.is_empty() {
        return;
    }
    match piece.what {
        PieceKind::Chain(_, count) => assert_eq!(count, links.len() as u64),
        _ => assert!(links.len() == 1),
    }
    let below = tree.below_chain(&links);
    let pieces = &outline.pieces[piece.below.start as usize..piece.below.end as usize];
    assert!(pieces.iter().all(|p| p.above as usize == at && p.depth == piece.depth + 1 && p.weight >= cut.least));
    let stored: Vec<u32> = pieces.iter().filter_map(|p| p.what.node()).collect();
    assert_eq!(stored, below[..stored.len()], "the biggest, in order");
    let rest = &below[stored.len()..];
    let weight: u64 = rest.iter().map(|&node| tree.weight[node as usize]).sum();
    match pieces.last().map(|p| (p.what, p.weight)) {
        Some((PieceKind::Rest(count, alike), sum)) => {
            assert_eq!((count, sum), (rest.len() as u64, weight));
            let first = rest[0];
            let is_one_kind = rest.iter().all(|&node| tree.is_alike(first, node));
            assert_eq!(alike.is_some(), is_one_kind);
            assert!(alike.is_none_or(|alike| rest.contains(&alike)));
        }
        _ => assert!(rest.is_empty() || weight < cut.least.max(1)),
    }
}

#[test]
fn outlines_list_the_biggest_and_sum_up_the_rest() {
    for seed in 0..400 {
        let tree = Plain::random(seed, 20 + (seed as u32 % 180));
        for cut in [
            OutlineLimits { least: 1, pieces: 10_000, depth: 1_000 },
            OutlineLimits { least: 40, pieces: 10_000, depth: 1_000 },
            OutlineLimits { least: 1, pieces: 90, depth: 4 },
            OutlineLimits { least: 9, pieces: 1, depth: 4 },
        ] {
            for root in [None, Some(1), Some(tree.below.len() as u32 / 2)] {
                let actual = of(&tree, root, cut);
                assert!(actual.pieces.len() <= cut.pieces + 1, "{seed}");
                assert!(actual.pieces.iter().all(|p| p.depth <= cut.depth));
                (0..actual.pieces.len()).for_each(|at| check(&tree, &actual, at, cut));
                assert_eq!(actual, of(&tree, root, cut), "the same every time");
            }
        }
    }
}

#[test]
fn everything_over_the_threshold_is_in_the_outline() {
    for seed in 0..100 {
        let tree = Plain::random(seed, 150);
        let cut = OutlineLimits { least: 30, pieces: 10_000, depth: 10_000 };
        let actual = of(&tree, None, cut);
        let mut open = vec![vec![0]];
        let mut expected = 0;
        while let Some(links) = open.pop() {
            let below = tree.below_chain(&links);
            let seen: Vec<u32> = below.into_iter().filter(|&child| tree.weight[child as usize] >= cut.least).collect();
            expected += seen.len();
            open.extend(seen.into_iter().map(|child| tree.chain(child)));
        }
        let nodes = actual.pieces.iter().filter(|p| p.what.node().is_some()).count();
        assert_eq!(nodes, expected, "{seed}");
    }
}

#[test]
fn a_chain_of_a_million_is_one_piece() {
    let nodes = 1_000_000_u32;
    let below = (0..nodes).map(|n| if n + 1 < nodes { vec![n + 1] } else { Vec::new() }).collect();
    let weight = (0..nodes).map(|n| u64::from(nodes - n) * 24).collect();
    let mut kind = vec![1; nodes as usize];
    kind[0] = 0;
    let actual = of(&Plain { below, weight, kind }, None, OutlineLimits { least: 1, pieces: 2_000, depth: 30 });
    assert_eq!(actual.pieces.len(), 2);
    assert_eq!(actual.pieces[1].what, PieceKind::Chain(1, u64::from(nodes) - 1));
}

#[test]
fn building_an_outline_can_be_cancelled() {
    let nodes = 200_000;
    let below = std::iter::once((1..nodes).collect()).chain((1..nodes).map(|_| Vec::new())).collect();
    let tree = Plain { below, weight: vec![8; nodes as usize], kind: vec![0; nodes as usize] };
    let task = Task::new();
    task.cancel();
    assert!(outline(&tree, None, OutlineLimits { least: 1, pieces: 100, depth: 3 }, &task).is_err());
}
