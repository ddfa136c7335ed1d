//! Ancestors in a tree, in logarithmic time: every node has a link to its parent and one that skips ancestors (E. W.
//! Myers, "An applicative random-access stack", 1983). Nodes of the same depth skip equally far.

use bytemuck::{Pod, Zeroable};

/// Links of a node to ancestors; the root's are to itself.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Uplink {
    pub(super) parent: u32,
    skip: u32,
    depth: u32,
}

impl Uplink {
    pub(super) fn of_root(root: u32) -> Self {
        Self { parent: root, skip: root, depth: 0 }
    }

    /// Links of a child of `parent`, of which `links` has the links.
    #[inline]
    pub(super) fn below(links: &[Self], parent: u32) -> Self {
        let up = links[parent as usize];
        let over = links[up.skip as usize];
        let equally_far = up.depth - over.depth == over.depth - links[over.skip as usize].depth;
        Self { parent, skip: if equally_far { over.skip } else { parent }, depth: up.depth + 1 }
    }
}

/// Nearest common ancestor of two nodes of one tree.
#[inline]
pub(super) fn nearest_common(links: &[Uplink], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        let (mut low, mut high) = (links[a as usize], links[b as usize]);
        if low.depth < high.depth {
            std::mem::swap(&mut a, &mut b);
            std::mem::swap(&mut low, &mut high);
        }
        if low.depth > high.depth {
            a = if links[low.skip as usize].depth >= high.depth { low.skip } else { low.parent };
        } else if low.skip == high.skip {
            (a, b) = (low.parent, high.parent);
        } else {
            (a, b) = (low.skip, high.skip);
        }
    }
    a
}

/// The ancestor of `node` that is a child of `above`, its ancestor; `node` itself if it is that child.
#[inline]
pub(super) fn child_towards(links: &[Uplink], above: u32, mut node: u32) -> u32 {
    if links[node as usize].parent == above {
        return node;
    }
    let depth = links[above as usize].depth + 1;
    while links[node as usize].depth > depth {
        let link = links[node as usize];
        node = if links[link.skip as usize].depth >= depth { link.skip } else { link.parent };
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_are_those_of_single_steps() {
        for shape in [1, 2, 3, 50] {
            let mut links = vec![Uplink::of_root(0)];
            for node in 1..2_000_u32 {
                // A chain, and ever bushier trees.
                let parent = if shape == 1 { node - 1 } else { node.wrapping_mul(2_654_435_761) % node / shape };
                links.push(Uplink::below(&links, parent.min(node - 1)));
            }
            let ancestors = |mut node: u32| {
                let mut ancestors = vec![node];
                while node != 0 {
                    node = links[node as usize].parent;
                    ancestors.push(node);
                }
                ancestors
            };
            for (a, b) in (0..2_000).step_by(7).zip((0..2_000).rev().step_by(5)) {
                let (of_a, of_b) = (ancestors(a), ancestors(b));
                let slow = of_a.iter().copied().find(|node| of_b.contains(node));
                assert_eq!(Some(nearest_common(&links, a, b)), slow, "{a} and {b}");
                for pair in of_a.windows(2) {
                    assert_eq!(child_towards(&links, pair[1], a), pair[0]);
                }
            }
        }
    }
}
