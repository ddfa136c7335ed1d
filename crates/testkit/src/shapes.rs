//! Random graphs: typical of heaps, and difficult for algorithms: chains, stars, cycles, ladders, unreachable parts.

use super::random::Random;

/// Directed graph as plain lists.
#[derive(Debug, Clone, Default)]
pub struct RandomGraph {
    /// Kind of graph.
    pub kind: &'static str,
    /// Number of nodes.
    pub nodes: u32,
    /// Edges, in the order of each node; self-loops and repetitions occur.
    pub edges: Vec<(u32, u32)>,
    /// Start nodes of searches, in any order and with repetitions.
    pub roots: Vec<u32>,
    /// Group of each node; empty if there are no groups.
    pub group_of: Vec<u32>,
    /// For each group, the hub that all its members also point at, before their other edges.
    pub hubs: Vec<Option<u32>>,
    /// Nodes whose first edge (except for the one to the hub) is ignored.
    pub skip_first: Vec<u32>,
    /// Weight of each node.
    pub weights: Vec<u64>,
}

/// Draws the edges of one kind of graph over nodes `0..n`.
type Draw = fn(n: u32, random: &mut Random) -> Vec<(u32, u32)>;

/// All kinds, by name.
const KINDS: [(&str, Draw); 12] = [
    ("sparse", |n, r| anywhere(n, n + n / 4, r)),
    ("medium", |n, r| anywhere(n, 3 * n, r)),
    ("dense", |n, r| anywhere(n, n * n / 3, r)),
    ("tree", |n, r| (1..n).map(|to| (r.below(to), to)).collect()),
    ("chain", |n, _| (1..n).map(|to| (to - 1, to)).collect()),
    ("star", |n, _| (1..n).map(|to| (0, to)).collect()),
    ("star inward", |n, r| (1..n).map(|from| (from, 0)).chain(anywhere(n, n / 2, r)).collect()),
    ("ring", |n, r| (0..n).map(|from| (from, (from + 1) % n)).chain(anywhere(n, n / 8, r)).collect()),
    ("two chains", two_chains),
    ("ladder", ladder),
    ("diamonds", |n, _| (0..n).flat_map(|at| diamond(at, n)).collect()),
    ("layers", |n, r| (0..3 * n).filter_map(|_| downwards(n, r)).collect()),
];

impl RandomGraph {
    /// Graph for a seed, with `nodes` nodes. Seeds cycle through the kinds.
    pub fn random(seed: u64, nodes: u32) -> Self {
        let mut random = Random::new(seed);
        let (kind, draw) = KINDS[(seed % KINDS.len() as u64) as usize];
        let mut edges = if nodes == 0 { Vec::new() } else { draw(nodes, &mut random) };
        if nodes > 0 && random.one_in(3) {
            let loops = random.below(nodes / 2 + 1);
            edges.extend((0..loops).map(|_| random.below(nodes)).map(|node| (node, node)));
        }
        if !edges.is_empty() && random.one_in(3) {
            let again = random.below(edges.len() as u32 / 2 + 1);
            let again: Vec<_> = (0..again).map(|_| *random.pick(&edges)).collect();
            edges.extend(again);
        }
        if random.one_in(2) {
            random.shuffle(&mut edges);
        }
        // Numbers in drawing order would hide mistakes about the order of nodes.
        let mut names: Vec<u32> = (0..nodes).collect();
        if random.one_in(2) {
            random.shuffle(&mut names);
        }
        for (from, to) in &mut edges {
            (*from, *to) = (names[*from as usize], names[*to as usize]);
        }
        let mut shape = Self { kind, nodes, edges, ..Self::default() };
        shape.choose_roots(&names, &mut random);
        if random.one_in(2) {
            shape.form_groups(&mut random);
        }
        if random.one_in(3) {
            shape.skip_first = (0..nodes).filter(|_| random.one_in(4)).collect();
        }
        shape.weights = (0..nodes).map(|_| u64::from(random.below(1000))).collect();
        shape
    }

    /// Usually the first node drawn, which reaches much; sometimes several; rarely none.
    fn choose_roots(&mut self, names: &[u32], random: &mut Random) {
        if self.nodes == 0 || random.one_in(50) {
            return;
        }
        let more = if random.one_in(2) { 0 } else { random.below(5) };
        let first = if random.one_in(4) { random.below(self.nodes) } else { 0 };
        let drawn = std::iter::once(first).chain((0..more).map(|_| random.below(self.nodes)));
        self.roots = drawn.map(|node| names[node as usize]).collect();
        random.shuffle(&mut self.roots);
    }

    fn form_groups(&mut self, random: &mut Random) {
        let groups = random.between(1, 6);
        let hub = |random: &mut Random| (self.nodes > 0 && !random.one_in(4)).then(|| random.below(self.nodes));
        self.hubs = (0..groups).map(|_| hub(random)).collect();
        self.group_of = (0..self.nodes).map(|_| random.below(groups)).collect();
    }
}

fn anywhere(n: u32, count: u32, random: &mut Random) -> Vec<(u32, u32)> {
    (0..count).map(|_| (random.below(n), random.below(n))).collect()
}

/// Two chains from node 0 with bridges in both directions: irreducible loops.
fn two_chains(n: u32, random: &mut Random) -> Vec<(u32, u32)> {
    let mut edges: Vec<_> = (1..n).map(|to| (to.saturating_sub(2), to)).collect();
    edges.extend((0..n / 3).map(|_| (random.below(n), random.below(n))));
    edges
}

/// A chain with jumps ahead and jumps back: deep semidominators, long compressed paths.
fn ladder(n: u32, random: &mut Random) -> Vec<(u32, u32)> {
    let mut edges: Vec<_> = (1..n).map(|to| (to - 1, to)).collect();
    for _ in 0..n {
        let (a, b) = (random.below(n), random.below(n));
        edges.push(if random.one_in(3) { (a.max(b), a.min(b)) } else { (a.min(b), a.max(b)) });
    }
    edges
}

/// Edges of `at` in a row of diamonds: 0 → 1, 2 → 3 → 4, 5 → 6 …
fn diamond(at: u32, n: u32) -> Vec<(u32, u32)> {
    let top = at - at % 3;
    let ends = if at == top { [top + 1, top + 2] } else { [top + 3, top + 3] };
    ends.into_iter().filter(|&end| end < n).map(|end| (at, end)).collect()
}

/// Edge to the layer below; a layer is a fifth of the nodes.
fn downwards(n: u32, random: &mut Random) -> Option<(u32, u32)> {
    let layer = n / 5;
    if layer == 0 {
        return None;
    }
    let from = random.below(n);
    let next = (from / layer + 1) * layer;
    (next < n).then(|| (from, (next + random.below(layer)).min(n - 1)))
}
