//! Nearest common ancestors in the trees of clusters.

use rayon::prelude::*;

use heaplens_base::storage::prefetch;

use super::ancestors::{self, Uplink};
use crate::NONE;

/// Height up to which trees are climbed step by step.
const LOW: u32 = 48;

/// Trees of several clusters.
pub(super) struct Trees<'a> {
    trees: Vec<ClusterTree<'a>>,
    /// For each tree that is higher than [`LOW`], links that skip most ancestors.
    links: Vec<Vec<Uplink>>,
}

struct ClusterTree<'a> {
    /// By position, the position of the parent.
    parents: &'a [u32],
    /// Position in [`Trees::links`]; [`NONE`] for low trees.
    links: u32,
}

impl<'a> Trees<'a> {
    pub(super) fn new(parents: Vec<&'a [u32]>) -> Self {
        let high = parents.par_iter().enumerate().filter(|(_, parents)| is_high(parents));
        let (high, links): (Vec<usize>, Vec<Vec<Uplink>>) = high.map(|(at, parents)| (at, uplinks(parents))).unzip();
        let mut trees: Vec<ClusterTree<'a>> =
            parents.into_iter().map(|parents| ClusterTree { parents, links: NONE }).collect();
        (0..).zip(high).for_each(|(links, at)| trees[at].links = links);
        Self { trees, links }
    }

    /// Loads the beginning of a tree's entry in the background.
    #[inline]
    pub(super) fn prefetch(&self, tree: u32) {
        prefetch(&self.trees, tree as usize);
    }

    /// Nearest common ancestor of two positions of a tree.
    #[inline]
    pub(super) fn nearest_common(&self, tree: u32, mut one: u32, mut other: u32) -> u32 {
        if let Some(links) = self.links(tree) {
            return ancestors::nearest_common(links, one, other);
        }
        let parents = self.trees[tree as usize].parents;
        // Parents come before their children.
        while one != other {
            if one > other {
                one = parents[one as usize];
            } else {
                other = parents[other as usize];
            }
        }
        one
    }

    /// The ancestor of `node` that is a child of `above`, its ancestor; `node` itself if it is that child.
    #[inline]
    pub(super) fn child_towards(&self, tree: u32, above: u32, mut node: u32) -> u32 {
        let parents = self.trees[tree as usize].parents;
        if parents[node as usize] != above
            && let Some(links) = self.links(tree)
        {
            return ancestors::child_towards(links, above, node);
        }
        while parents[node as usize] != above {
            node = parents[node as usize];
        }
        node
    }

    #[inline]
    fn links(&self, tree: u32) -> Option<&[Uplink]> {
        self.links.get(self.trees[tree as usize].links as usize).map(Vec::as_slice)
    }
}

fn is_high(parents: &[u32]) -> bool {
    if parents.len() <= LOW as usize {
        return false;
    }
    let mut heights = vec![0_u32; parents.len()];
    (1..parents.len()).any(|position| {
        heights[position] = heights[parents[position] as usize] + 1;
        heights[position] > LOW
    })
}

fn uplinks(parents: &[u32]) -> Vec<Uplink> {
    let mut links = Vec::with_capacity(parents.len());
    links.push(Uplink::of_root(0));
    for &parent in &parents[1..] {
        links.push(Uplink::below(&links, parent));
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The links of high trees lead to the same ancestors as single steps.
    #[test]
    fn high_trees_are_climbed_as_low_ones() {
        let chain: Vec<u32> = (0..3_000_u32).map(|position| position.saturating_sub(1)).collect();
        let comb: Vec<u32> = (0..3_000_u32)
            .map(|position| if position % 3 == 0 { position.saturating_sub(3) } else { position - position % 3 })
            .collect();
        let bush: Vec<u32> = (0..3_000_u32).map(|position| position.saturating_sub(1) / 7).collect();
        let trees = Trees::new(vec![&chain, &comb, &bush]);
        assert_eq!(trees.trees.iter().map(|tree| tree.links).collect::<Vec<_>>(), [0, 1, NONE], "which are high");
        for (tree, parents) in [(0, &chain), (1, &comb), (2, &bush)] {
            for (one, other) in (0..3_000).step_by(11).zip((0..3_000).rev().step_by(7)) {
                let (mut a, mut b) = (one, other);
                while a != b {
                    if a > b { a = parents[a as usize] } else { b = parents[b as usize] }
                }
                assert_eq!(trees.nearest_common(tree, one, other), a, "{one} and {other} in tree {tree}");
                let mut below = other;
                while parents[below as usize] != a && below != a {
                    below = parents[below as usize];
                }
                if other != a {
                    assert_eq!(trees.child_towards(tree, a, other), below);
                }
            }
        }
    }
}
