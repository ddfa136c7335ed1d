//! What an edge needs to know of its target, in one cache line: the cluster that it heads, if any, and its mark. The
//! sets and the marks are more than fits in the cache next to the core, so each would be a miss of its own.

use heaplens_base::storage::count_ones;

use crate::marks::{Mark, Marks};
use crate::{Bits, NONE};

/// Heads and marks of all nodes.
pub(super) struct Targets {
    lines: Vec<Line>,
}

/// What is known of 64 nodes.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Line {
    /// Nodes that head a cluster.
    heads: u64,
    /// Two bits each, as in [`Marks`].
    marks: [u64; 2],
    /// Number of heads before these nodes.
    before: u32,
}

impl Targets {
    /// Nodes below `nodes`; those in `members` head no cluster. Clusters are numbered in the order of their heads.
    pub(super) fn new(nodes: usize, members: &Bits, marks: &Marks) -> Self {
        let mut before = 0;
        let heads = members.absent_words(nodes);
        let lines = heads.zip(marks.words_of_64()).map(|(heads, marks)| {
            let line = Line { heads, marks, before };
            before += count_ones(heads);
            line
        });
        Self { lines: lines.collect() }
    }

    /// Cluster that a node heads, or [`NONE`]; and its mark.
    #[inline]
    pub(super) fn of(&self, node: u32) -> (u32, Mark) {
        let line = self.lines[node as usize / 64];
        let head = 1_u64 << (node % 64);
        let cluster = if line.heads & head == 0 { NONE } else { line.before + count_ones(line.heads & (head - 1)) };
        (cluster, line.mark(node))
    }

    /// Mark of a node.
    #[inline]
    pub(super) fn mark(&self, node: u32) -> Mark {
        self.lines[node as usize / 64].mark(node)
    }
}

impl Line {
    #[inline]
    fn mark(&self, node: u32) -> Mark {
        Mark::of_bits(self.marks[node as usize / 32 % 2] >> (node % 32 * 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Csr, Digraph};
    use heaplens_base::Task;

    #[test]
    fn what_is_known_of_each_node_is_in_its_line() {
        for nodes in [1_usize, 63, 64, 65, 130, 1_000] {
            let edges = Csr::new(&vec![0; nodes], Vec::new());
            let roots: Vec<u32> = (0..nodes as u32).filter(|node| node % 7 == 3).collect();
            let marks = Marks::new(&Digraph::plain(&edges), &roots, &Bits::default(), &Task::new());
            let marks = marks.expect("nobody cancels");
            let mut members = Bits::new(nodes);
            members.extend((0..nodes as u32).filter(|node| node % 5 < 3));
            let targets = Targets::new(nodes, &members, &marks);
            let mut heads = 0;
            for node in 0..nodes as u32 {
                let cluster = if members.contains(node) { NONE } else { heads };
                heads += u32::from(!members.contains(node));
                assert_eq!(targets.of(node), (cluster, marks.of(node)), "{node} of {nodes}");
                assert_eq!(targets.mark(node), marks.of(node), "{node} of {nodes}");
            }
        }
    }
}
