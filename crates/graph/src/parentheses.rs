//! Shape of a rooted tree with two bits per node: in preorder, a 1 where a node begins and a 0 where it ends. Parent
//! and subtree size are found by searching for the matching bit, with the lowest depth of each block of bits to skip
//! blocks (after Navarro and Sadakane, "Fully Functional Static and Dynamic Succinct Trees", 2014).
//!
//! The *depth* after a bit is the number of 1 bits so far minus the number of 0 bits. So a known depth yields the
//! number of 1 bits: no ranks are stored.

use std::ops::Range;

use super::bits::select;
use heaplens_base::storage::{Buffer, Column, ForwardColumn, MemoryBudget, StoredAnalysis, count_ones};
use heaplens_base::{Cancelled, Task};

const BITS: &str = "tree.bits";
const BEGINS: &str = "tree.begins";
const DEPTHS: &str = "tree.depths";
const LOWEST: [&str; 4] = ["tree.lowest.0", "tree.lowest.1", "tree.lowest.2", "tree.lowest.3"];

/// Number of words in a block whose lowest depth is known.
const BLOCK: usize = 8;
const BLOCK_BITS: u64 = 64 * BLOCK as u64;
/// Number of blocks, or groups, in a group of the next level. The last level is short for any tree of 2³² nodes.
const FAN: usize = 64;
/// Number of nodes per stored position.
const SAMPLE: u32 = 64;

/// Number of words searched for the end of a subtree before whole blocks are: most subtrees are small.
const NEAR: u32 = 3;

/// Effect of eight bits on the depth: total change,
const CHANGE: [i8; 256] = depths_of_bytes(false);
/// and lowest value within them.
const DIP: [i8; 256] = depths_of_bytes(true);

/// Shape of a tree; nodes are identified by their preorder position, the root is 0.
pub(super) struct Parentheses {
    nodes: u32,
    words: Column<u64>,
    /// Bit position of every [`SAMPLE`]th node.
    begins: Column<u64>,
    /// Depth before each block.
    depths: Column<u32>,
    /// Lowest depth after any bit of each block, of each group of blocks, and so on.
    lowest: [Column<u32>; LOWEST.len()],
}

/// Direction of a search for a bit with a low depth.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Shape for access to nodes in ascending order.
pub(super) struct ForwardShape<'a> {
    shape: &'a Parentheses,
    words: ForwardColumn<'a, u64>,
}

impl ForwardShape<'_> {
    /// Number of nodes below the one that begins at a bit.
    #[inline]
    pub(super) fn below(&mut self, node: u32, begin: u64) -> u32 {
        let next = begin + 1;
        let word = self.words.get((next / 64) as usize).unwrap_or_default();
        if word >> (next % 64) & 1 == 0 { 0 } else { self.shape.below(node, begin) }
    }

    /// True if a node begins at a bit, false if one ends there; `None` past the last.
    #[inline]
    pub(super) fn begins_at(&mut self, bit: u64) -> Option<bool> {
        let word = self.words.get((bit / 64) as usize).filter(|_| bit < self.shape.bits())?;
        Some(word >> (bit % 64) & 1 == 1)
    }
}

/// Iterator over all nodes in order: the start of each is noticed in passing instead of looked up.
pub struct NodeWalk<'a> {
    shape: &'a Parentheses,
    words: &'a [u64],
    /// Current word, and its unread part.
    at: usize,
    left: u64,
    next: u32,
    begin: u64,
}

impl NodeWalk<'_> {
    /// Moves to the next node.
    #[inline]
    pub fn step(&mut self) -> Option<u32> {
        while self.left == 0 {
            self.at += 1;
            self.left = *self.words.get(self.at)?;
        }
        self.begin = self.at as u64 * 64 + u64::from(self.left.trailing_zeros());
        self.left &= self.left - 1;
        self.next += 1;
        (self.next <= self.shape.nodes).then(|| self.next - 1)
    }

    /// Number of nodes below the current one.
    #[inline]
    pub fn below(&self) -> u32 {
        let bit = self.begin + 1;
        let word = self.words.get((bit / 64) as usize).copied().unwrap_or_default();
        if word >> (bit % 64) & 1 == 0 { 0 } else { self.shape.below(self.next - 1, self.begin) }
    }
}

impl Parentheses {
    /// Builds the shape of `nodes` nodes whose 1 bits are set in `words`.
    pub(super) fn new(nodes: u32, words: Buffer<u64>, budget: &MemoryBudget, task: &Task) -> Result<Self, Cancelled> {
        let blocks = words.len().div_ceil(BLOCK);
        let mut begins = Vec::with_capacity((nodes / SAMPLE) as usize + 1);
        let (mut depths, mut lowest) = (Vec::with_capacity(blocks), Vec::with_capacity(blocks));
        let (mut seen, mut depth) = (0_u32, 0_u32);
        for (at, block) in words.chunks(BLOCK).enumerate() {
            if at.is_multiple_of(1 << 12) {
                task.checkpoint()?;
            }
            depths.push(depth);
            let mut low = u32::MAX;
            for (first, &word) in ((at * BLOCK) as u64 * 64..).step_by(64).zip(block) {
                let ones = count_ones(word);
                for nth in (seen.next_multiple_of(SAMPLE)..seen + ones).step_by(SAMPLE as usize) {
                    begins.push(first + u64::from(select(word, nth - seen)));
                }
                let valid = (2 * u64::from(nodes)).saturating_sub(first).min(64) as u32;
                low = low.min(lowest_of(word, valid, depth));
                seen += ones;
                depth = (depth + ones).saturating_sub(valid - ones);
            }
            lowest.push(low);
        }
        let lowest = LOWEST.map(|name| {
            let groups = lowest.chunks(FAN).map(|group| group.iter().copied().fold(u32::MAX, u32::min)).collect();
            budget.keep(name, std::mem::replace(&mut lowest, groups))
        });
        let (begins, depths) = (budget.keep(BEGINS, begins), budget.keep(DEPTHS, depths));
        Ok(Self { nodes, words: budget.keep(BITS, words), begins, depths, lowest })
    }

    /// Loads a stored shape.
    pub(super) fn find(stored: &StoredAnalysis, nodes: u32) -> Option<Self> {
        let [a, b, c, d] = LOWEST.map(|name| stored.column(name));
        let (begins, depths) = (stored.column(BEGINS)?, stored.column(DEPTHS)?);
        Some(Self { nodes, words: stored.column(BITS)?, begins, depths, lowest: [a?, b?, c?, d?] })
    }

    fn bits(&self) -> u64 {
        2 * u64::from(self.nodes)
    }

    /// Preorder traversal: true if a node begins at a bit, false if one ends.
    pub(super) fn steps(&self) -> impl Iterator<Item = bool> {
        let words = self.words.all();
        let bits = self.bits().min(64 * words.len() as u64);
        (0..bits).map(move |bit| words[(bit / 64) as usize] >> (bit % 64) & 1 == 1)
    }

    #[inline]
    fn word(&self, at: u64) -> u64 {
        self.words.get(at as usize).unwrap_or_default()
    }

    /// The bit of a node.
    #[inline]
    pub(super) fn begin(&self, node: u32) -> u64 {
        let start = self.begins.get((node / SAMPLE) as usize).unwrap_or_default();
        let mut left = node % SAMPLE;
        let mut at = start / 64;
        let mut word = self.word(at) & (u64::MAX << (start % 64));
        while count_ones(word) <= left {
            left -= count_ones(word);
            at += 1;
            // Only a damaged file has fewer nodes than declared.
            if at * 64 >= self.bits() {
                return 0;
            }
            word = self.word(at);
        }
        at * 64 + u64::from(select(word, left))
    }

    /// Number of nodes below the one that begins at a bit.
    #[inline]
    pub(super) fn below(&self, node: u32, begin: u64) -> u32 {
        let next = begin + 1;
        // Most nodes are leaves.
        if self.word(next / 64) >> (next % 64) & 1 == 0 {
            return 0;
        }
        let far = || self.find_low(next..self.bits(), depth_after(node, begin), End::First);
        let end = self.find_near(next).or_else(far).unwrap_or(next);
        ((end - next) / 2).min(u64::from(self.nodes.saturating_sub(node).saturating_sub(1))) as u32
    }

    /// Sequential access to the shape.
    pub(super) fn forward(&self) -> ForwardShape<'_> {
        ForwardShape { shape: self, words: self.words.forward() }
    }

    /// Iterator over all nodes in order.
    pub(super) fn walk(&self) -> NodeWalk<'_> {
        let words = self.words.all();
        NodeWalk { shape: self, words, at: 0, left: words.first().copied().unwrap_or_default(), next: 0, begin: 0 }
    }

    /// The parent of a node; the root is its own.
    pub(super) fn parent(&self, node: u32) -> u32 {
        let begin = self.begin(node);
        let depth = depth_after(node, begin);
        // It begins after the last bit with the depth of its own parent; its number is the count of 1 bits before it.
        let before = self.find_low(0..begin, depth.saturating_sub(1), End::Last);
        let ones = before.map_or(0, |bit| (u64::from(depth.saturating_sub(2)) + bit).div_ceil(2));
        // Parents begin before their children, even in a damaged file, so walks up are finite.
        ones.min(u64::from(node.saturating_sub(1))) as u32
    }

    /// First bit from `from` on that lowers the depth below the initial one, if it is one of the next few.
    #[inline]
    fn find_near(&self, from: u64) -> Option<u64> {
        let (mut at, mut bit, mut depth) = (from / 64, from, 0_i32);
        let (mut word, mut left) = (self.word(at) >> (from % 64), 64 - from % 64);
        for _ in 0..NEAR {
            while left > 0 {
                let (byte, bits) = ((word & 0xff) as usize, left.min(8));
                if bits < 8 || depth + i32::from(DIP[byte]) < 0 {
                    for _ in 0..bits {
                        depth += if word & 1 == 1 { 1 } else { -1 };
                        if depth < 0 {
                            return Some(bit);
                        }
                        (word, bit) = (word >> 1, bit + 1);
                    }
                } else {
                    depth += i32::from(CHANGE[byte]);
                    (word, bit) = (word >> 8, bit + 8);
                }
                left -= bits;
            }
            at += 1;
            (word, left) = (self.word(at), 64);
        }
        None
    }

    /// The first or last bit of a range with a depth below `limit` after it.
    fn find_low(&self, range: Range<u64>, limit: u32, end: End) -> Option<u64> {
        if range.is_empty() {
            return None;
        }
        let (first, last) = (range.start / BLOCK_BITS, (range.end - 1) / BLOCK_BITS);
        let near = if end == End::First { first } else { last };
        if let Some(bit) = self.find_in_block(near, &range, limit, end) {
            return Some(bit);
        }
        let far = self.next_low(near as usize, limit, end)? as u64;
        // Inner blocks qualify completely, but the range may end inside this one.
        (first..=last).contains(&far).then(|| self.find_in_block(far, &range, limit, end))?
    }

    fn find_in_block(&self, block: u64, range: &Range<u64>, limit: u32, end: End) -> Option<u64> {
        let mut depth = i64::from(self.depths.get(block as usize)?);
        let limit = i64::from(limit);
        let mut first_found = None;
        for at in block * BLOCK as u64..(block + 1) * BLOCK as u64 {
            let first = at * 64;
            let valid = self.bits().saturating_sub(first).min(64);
            let word = self.word(at);
            let outside = first >= range.end || first + valid <= range.start;
            // No bit of a word goes lower than if all its 0 bits came first.
            if outside || depth - (valid as i64 - i64::from(count_ones(word))) >= limit {
                depth += 2 * i64::from(count_ones(word)) - valid as i64;
                continue;
            }
            for start in (0..valid).step_by(8) {
                let byte = (word >> start & 0xff) as usize;
                if depth + i64::from(DIP[byte]) >= limit {
                    depth += i64::from(CHANGE[byte]);
                    continue;
                }
                for bit in start..valid.min(start + 8) {
                    depth += if word >> bit & 1 == 1 { 1 } else { -1 };
                    if depth < limit && range.contains(&(first + bit)) {
                        first_found = Some(first + bit);
                        if end == End::First {
                            return first_found;
                        }
                    }
                }
            }
        }
        first_found
    }

    /// Nearest block after (or before) one that goes below `limit`.
    fn next_low(&self, block: usize, limit: u32, end: End) -> Option<usize> {
        let nearest = |level: usize, mut among: Range<usize>| {
            let lowest = self.lowest.get(level)?;
            let goes_low = |&at: &usize| lowest.get(at).is_some_and(|low| low < limit);
            if end == End::First { among.find(goes_low) } else { among.rev().find(goes_low) }
        };
        let mut at = block;
        for level in 0..self.lowest.len() {
            let top = level + 1 == self.lowest.len();
            let group = at / FAN * FAN;
            let (from, to) = if top { (0, self.lowest[level].len()) } else { (group, group + FAN) };
            let beside = if end == End::First { at + 1..to } else { from..at };
            if let Some(mut node) = nearest(level, beside) {
                for below in (0..level).rev() {
                    node = nearest(below, node * FAN..(node + 1) * FAN)?;
                }
                return Some(node);
            }
            at /= FAN;
        }
        None
    }
}

const fn depths_of_bytes(lowest: bool) -> [i8; 256] {
    let mut depths = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut depth, mut low, mut bit) = (0, i8::MAX, 0);
        while bit < 8 {
            depth += if byte >> bit & 1 == 1 { 1 } else { -1 };
            low = if depth < low { depth } else { low };
            bit += 1;
        }
        depths[byte] = if lowest { low } else { depth };
        byte += 1;
    }
    depths
}

/// Depth after the bit with which a node begins.
fn depth_after(node: u32, begin: u64) -> u32 {
    (2 * (u64::from(node) + 1)).saturating_sub(begin + 1) as u32
}

/// The lowest depth after one of the first `valid` bits of a word.
fn lowest_of(word: u64, valid: u32, depth: u32) -> u32 {
    let (mut depth, mut low) = (i64::from(depth), i64::MAX);
    for start in (0..valid / 8 * 8).step_by(8) {
        let byte = (word >> start & 0xff) as usize;
        low = low.min(depth + i64::from(DIP[byte]));
        depth += i64::from(CHANGE[byte]);
    }
    for bit in valid / 8 * 8..valid {
        depth += if word >> bit & 1 == 1 { 1 } else { -1 };
        low = low.min(depth);
    }
    u32::try_from(low.max(0)).unwrap_or(u32::MAX)
}
