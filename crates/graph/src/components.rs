//! Strongly connected components (Tarjan, "Depth-first search and linear graph algorithms", 1972), without recursion: a
//! cycle of ten million nodes is ordinary input.

use super::NONE;
use heaplens_base::{Cancelled, Task};

/// Calls `on_component` with each component, after those reachable from it; the nodes of one are in no particular
/// order.
/// `edge(node, n)` is the target of the n-th edge: [`NONE`] if it does not count, `None` past the last.
pub fn components(
    nodes: u32,
    edge: impl Fn(u32, usize) -> Option<u32>,
    mut on_component: impl FnMut(&[u32]) -> Result<(), Cancelled>,
    task: &Task,
) -> Result<(), Cancelled> {
    let mut of = vec![Visit::default(); nodes as usize];
    let (mut counted, mut steps) = (0_u32, 0_usize);
    let mut waiting: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    for start in 0..nodes {
        if of[start as usize].number != 0 {
            continue;
        }
        path.push((start, 0));
        while let Some((node, next)) = path.last_mut() {
            let at = *node as usize;
            if *next == 0 && of[at].number == 0 {
                counted += 1;
                of[at] = Visit { number: counted, lowest: counted };
                waiting.push(*node);
            }
            steps += 1;
            task.checkpoint_at(steps)?;
            if let Some(to) = edge(*node, *next) {
                *next += 1;
                let seen = if to == NONE { NONE } else { of[to as usize].number };
                match seen {
                    0 => path.push((to, 0)),
                    NONE => {}
                    seen => of[at].lowest = of[at].lowest.min(seen),
                }
                continue;
            }
            path.pop();
            let Visit { number, lowest } = of[at];
            if let Some(&(above, _)) = path.last() {
                of[above as usize].lowest = of[above as usize].lowest.min(lowest);
            }
            if lowest == number {
                let first = waiting.iter().rposition(|&other| other as usize == at).unwrap_or(0);
                waiting[first..].iter().for_each(|&done| of[done as usize].number = NONE);
                on_component(&waiting[first..])?;
                waiting.truncate(first);
            }
        }
    }
    Ok(())
}

/// State of a node; both numbers in one cache line.
#[derive(Clone, Copy, Default)]
struct Visit {
    /// 0: not visited; otherwise the number in search order, from 1; [`NONE`] for finished nodes.
    number: u32,
    /// Lowest number known to be reachable.
    lowest: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;

    fn reached(edges: &[Vec<u32>], from: u32) -> Bits {
        let mut seen = Bits::new(edges.len());
        let mut stack = vec![from];
        while let Some(node) = stack.pop() {
            if seen.insert(node) {
                stack.extend(&edges[node as usize]);
            }
        }
        seen
    }

    #[test]
    fn components_are_mutually_reachable_nodes() {
        let mut state = 7_u64;
        let mut random = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u32 % below
        };
        for round in 0..if cfg!(miri) { 20 } else { 400 } {
            let nodes = 1 + round % 30;
            let mut edges = vec![Vec::new(); nodes as usize];
            (0..nodes * (round % 4)).for_each(|_| edges[random(nodes) as usize].push(random(nodes)));
            let reach: Vec<Bits> = (0..nodes).map(|node| reached(&edges, node)).collect();
            let mut done = Bits::new(nodes as usize);
            let check = |part: &[u32]| {
                let first = part[0];
                for other in 0..nodes {
                    let together = reach[first as usize].contains(other) && reach[other as usize].contains(first);
                    assert_eq!(part.contains(&other), together);
                    assert!(together || !reach[first as usize].contains(other) || done.contains(other));
                }
                part.iter().for_each(|&node| assert!(done.insert(node)));
                Ok(())
            };
            let edge = |node: u32, n: usize| edges[node as usize].get(n).copied();
            components(nodes, edge, check, &Task::new()).expect("nobody cancels");
            assert_eq!(done.count(), nodes as usize);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "millions of nodes take days there")]
    fn a_cycle_of_millions_needs_no_deep_stack() {
        let nodes = 2_000_000;
        let mut parts = 0;
        let edge = |node: u32, n: usize| (n == 0).then_some((node + 1) % nodes);
        let count = |part: &[u32]| {
            parts += part.len();
            Ok(())
        };
        components(nodes, edge, count, &Task::new()).expect("nobody cancels");
        assert_eq!(parts, nodes as usize);
    }
}
