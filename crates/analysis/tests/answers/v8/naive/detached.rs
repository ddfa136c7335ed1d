//! Part 3.2: which nodes are detached from the page, and that they are called so.

use super::graph::{Graph, Text};

const ATTACHED: u64 = 1;
const DETACHED: u64 = 2;

/// The state of each node; names of detached ones change.
pub(super) fn propagate(graph: &mut Graph) -> Vec<u64> {
    let count = graph.nodes.len();
    if graph.nodes.iter().any(|node| node.detachedness.is_none()) {
        // Without the field names say all there is.
        let named = |at| graph.is(at, "native") && graph.nodes[at].name.starts_with("Detached ");
        return (0..count).map(|at| if named(at) { DETACHED } else { 0 }).collect();
    }
    let mut pass = Pass {
        states: graph.nodes.iter().map(|node| node.detachedness.unwrap_or_default()).collect(),
        seen: vec![false; count],
        waiting: [Vec::new(), Vec::new()],
    };
    for node in 0..count {
        if pass.states[node] != 0 {
            pass.process(graph, node, pass.states[node]);
        }
    }
    for (list, state) in [ATTACHED, DETACHED].into_iter().enumerate() {
        while let Some(node) = pass.waiting[list].pop() {
            let holds = |kind: &str| !matches!(kind, "hidden" | "weak" | "invisible");
            let targets: Vec<usize> = graph.edges(node).iter().filter(|e| holds(&e.kind)).map(|e| e.to).collect();
            targets.into_iter().for_each(|to| pass.process(graph, to, state));
        }
    }
    pass.states
}

struct Pass {
    states: Vec<u64>,
    seen: Vec<bool>,
    waiting: [Vec<usize>; 2],
}

impl Pass {
    /// Each node is visited once; only native ones take a state on.
    fn process(&mut self, graph: &mut Graph, node: usize, state: u64) {
        if std::mem::replace(&mut self.seen[node], true) || !graph.is(node, "native") {
            return;
        }
        self.states[node] = state;
        match state {
            ATTACHED => self.waiting[0].push(node),
            DETACHED => {
                let name = [b"Detached ", &*graph.nodes[node].name.0].concat();
                graph.nodes[node].name = Text::from(name);
                graph.nodes[node].renamed = true;
                self.waiting[1].push(node);
            }
            _ => {}
        }
    }
}
