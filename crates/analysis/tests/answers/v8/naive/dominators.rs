//! Part 6: immediate dominators over the edges that count.

use super::graph::Graph;

/// Targets of the essential edges, and of the root's implied edges: to each node without incoming ones.
fn successors(graph: &Graph, essential: &[Vec<bool>]) -> Vec<Vec<usize>> {
    let of = |node: usize| graph.edges(node).iter().zip(&essential[node]).filter(|&(_, &counts)| counts);
    let mut successors: Vec<Vec<usize>> =
        (0..graph.nodes.len()).map(|node| of(node).map(|(edge, _)| edge.to).collect()).collect();
    let mut led_to = vec![false; graph.nodes.len()];
    successors.iter().flatten().for_each(|&to| led_to[to] = true);
    let orphans = (0..graph.nodes.len()).filter(|&node| !led_to[node] && node != graph.root);
    successors[graph.root].extend(orphans);
    successors
}

/// By definition: if a node is removed, the nodes it dominates are not reached.
pub(in super::super) fn by_definition(graph: &Graph, essential: &[Vec<bool>]) -> Vec<usize> {
    let (successors, count, root) = (successors(graph, essential), graph.nodes.len(), graph.root);
    let reached_without = |removed: Option<usize>| {
        let (mut reached, mut waiting) = (vec![false; count], vec![root]);
        while let Some(node) = waiting.pop() {
            if Some(node) != removed && !std::mem::replace(&mut reached[node], true) {
                waiting.extend(&successors[node]);
            }
        }
        reached
    };
    let reached = reached_without(None);
    // Unreachable nodes are children of the root. Of all dominators of a node, the nearest dominates the least.
    let mut nearest = vec![(root, usize::MAX); count];
    for node in (0..count).filter(|&node| node != root && reached[node]) {
        let left = reached_without(Some(node));
        let missing: Vec<usize> = (0..count).filter(|&other| other != node && reached[other] && !left[other]).collect();
        for &other in &missing {
            if missing.len() < nearest[other].1 {
                nearest[other] = (node, missing.len());
            }
        }
    }
    nearest.into_iter().map(|(node, _)| node).collect()
}

/// Algorithm of Lengauer and Tarjan ("A fast algorithm for finding dominators in a flowgraph", 1979), simple version.
pub(super) fn quick(graph: &Graph, essential: &[Vec<bool>]) -> Vec<usize> {
    let (successors, root) = (successors(graph, essential), graph.root);
    let none = usize::MAX;
    // Depth first; nodes are called by their numbers from here on.
    let mut number = vec![none; graph.nodes.len()];
    let (mut order, mut parent) = (vec![root], vec![0]);
    number[root] = 0;
    let mut path = vec![(root, 0)];
    while let Some((node, next)) = path.last_mut() {
        let (from, to) = (*node, successors[*node].get(*next).copied());
        *next += 1;
        match to {
            None => {
                path.pop();
            }
            Some(to) if number[to] == none => {
                number[to] = order.len();
                order.push(to);
                parent.push(number[from]);
                path.push((to, 0));
            }
            Some(_) => {}
        }
    }
    let count = order.len();
    let mut predecessors = vec![Vec::new(); count];
    for (n, &node) in order.iter().enumerate() {
        successors[node].iter().for_each(|&to| predecessors[number[to]].push(n));
    }
    let mut forest = Forest { above: vec![none; count], label: (0..count).collect(), semi: (0..count).collect() };
    let (mut waiting, mut idom) = (vec![Vec::new(); count], vec![0; count]);
    for n in (1..count).rev() {
        for &from in &predecessors[n] {
            let best = forest.best(from);
            forest.semi[n] = forest.semi[n].min(forest.semi[best]);
        }
        waiting[forest.semi[n]].push(n);
        forest.above[n] = parent[n];
        for other in std::mem::take(&mut waiting[parent[n]]) {
            let best = forest.best(other);
            idom[other] = if forest.semi[best] < forest.semi[other] { best } else { parent[n] };
        }
    }
    for n in 1..count {
        if idom[n] != forest.semi[n] {
            idom[n] = idom[idom[n]];
        }
    }
    let of = |node: usize| if number[node] == none { root } else { order[idom[number[node]]] };
    (0..graph.nodes.len()).map(of).collect()
}

struct Forest {
    above: Vec<usize>,
    label: Vec<usize>,
    semi: Vec<usize>,
}

impl Forest {
    /// The node with the least semidominator on the path up to below the top of the tree.
    fn best(&mut self, node: usize) -> usize {
        if self.above[node] == usize::MAX {
            return node;
        }
        let mut path = vec![node];
        let mut at = node;
        while self.above[self.above[at]] != usize::MAX {
            at = self.above[at];
            path.push(at);
        }
        path.pop();
        for &at in path.iter().rev() {
            let above = self.above[at];
            if self.semi[self.label[above]] < self.semi[self.label[at]] {
                self.label[at] = self.label[above];
            }
            self.above[at] = self.above[above];
        }
        self.label[node]
    }
}

/// Bytes of each node and of all that it dominates.
pub(super) fn retained(graph: &Graph, dominators: &[usize], sizes: &[u64]) -> Vec<u64> {
    let mut waits_for = vec![0; sizes.len()];
    for node in (0..sizes.len()).filter(|&node| node != graph.root) {
        waits_for[dominators[node]] += 1;
    }
    let mut retained = sizes.to_vec();
    let mut ready: Vec<usize> = (0..sizes.len()).filter(|&node| waits_for[node] == 0).collect();
    while let Some(node) = ready.pop() {
        if node != graph.root {
            let above = dominators[node];
            retained[above] += retained[node];
            waits_for[above] -= 1;
            ready.extend((waits_for[above] == 0).then_some(above));
        }
    }
    retained
}
