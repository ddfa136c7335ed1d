//! Set of nodes, one bit each.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// Set of `u32` nodes below a fixed bound.
#[derive(Debug, Clone, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set over `len` nodes.
    pub fn new(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)] }
    }

    /// Set with the bits of `words`, lowest bit first.
    pub fn from_words(words: Vec<u64>) -> Self {
        Self { words }
    }

    /// Adds `node`; returns true if it was new.
    #[inline]
    pub fn insert(&mut self, node: u32) -> bool {
        let (word, bit) = (node as usize / 64, 1_u64 << (node % 64));
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Removes `node`; one past the bound is ignored.
    pub fn remove(&mut self, node: u32) {
        if let Some(word) = self.words.get_mut(node as usize / 64) {
            *word &= !(1 << (node % 64));
        }
    }

    /// True if the bound is 0.
    pub fn has_no_room(&self) -> bool {
        self.words.is_empty()
    }

    /// True if no node is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Number of nodes in the set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Words of the set, lowest node first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Words of the set, for bulk operations.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// True if `node` is in the set; false past the bound.
    #[inline]
    pub fn contains(&self, node: u32) -> bool {
        self.words.get(node as usize / 64).is_some_and(|w| w >> (node % 64) & 1 == 1)
    }

    /// The nodes of the set, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        ones(self.words.iter().copied())
    }

    /// The nodes below `len` that are not in the set, ascending.
    pub fn absent(&self, len: usize) -> impl Iterator<Item = u32> {
        ones(self.words.iter().map(|word| !word)).take_while(move |&node| (node as usize) < len)
    }

    /// Words with the nodes below `len` that are not in the set; as many words as the set has.
    pub(super) fn absent_words(&self, len: usize) -> impl Iterator<Item = u64> {
        let below = move |at: usize| match len.saturating_sub(64 * at) {
            left @ 0..64 => (1 << left) - 1,
            _ => u64::MAX,
        };
        self.words.iter().enumerate().map(move |(at, word)| !word & below(at))
    }

    /// The nodes of this set that are not in `other`.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let others = other.words.iter().copied().chain(std::iter::repeat(0));
        Self { words: self.words.iter().zip(others).map(|(mine, theirs)| mine & !theirs).collect() }
    }
}

impl Extend<u32> for Bits {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, nodes: I) {
        for node in nodes {
            self.insert(node);
        }
    }
}

/// Set of `u32` nodes below a fixed bound, to which threads add together. All threads see additions, and other accesses
/// in the same ordering, in one order.
pub(super) struct SharedBits {
    words: Vec<AtomicU64>,
}

impl SharedBits {
    /// The empty set over `len` nodes.
    pub(super) fn new(len: usize) -> Self {
        Self { words: (0..len.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Adds `node`; returns true if it was new.
    #[inline]
    pub(super) fn insert(&self, node: u32) -> bool {
        let (word, bit) = (&self.words[node as usize / 64], 1_u64 << (node % 64));
        // Most were added before: reading is cheaper than writing.
        word.load(SeqCst) & bit == 0 && word.fetch_or(bit, SeqCst) & bit == 0
    }

    /// True if `node` is in the set.
    #[inline]
    pub(super) fn contains(&self, node: u32) -> bool {
        self.words[node as usize / 64].load(SeqCst) >> (node % 64) & 1 == 1
    }

    /// The same set, for one thread.
    pub(super) fn into_bits(self) -> Bits {
        Bits::from_words(self.words.into_iter().map(AtomicU64::into_inner).collect())
    }
}

/// Positions of the 1 bits of some words, ascending.
fn ones(words: impl Iterator<Item = u64>) -> impl Iterator<Item = u32> {
    words.enumerate().filter(|&(_, word)| word != 0).flat_map(|(at, word)| {
        let ones = std::iter::successors(Some(word), |w| Some(w & (w - 1)).filter(|&w| w != 0));
        ones.map(move |w| at as u32 * 64 + w.trailing_zeros())
    })
}

/// Position of the `n`-th 1 bit of a word, counted from 0.
#[inline]
pub fn select(mut word: u64, mut n: u32) -> u32 {
    let mut passed = 0;
    // Byte by byte first: on average 32 single steps would dominate the cost of a lookup.
    while n >= (word as u8).count_ones() && passed < u64::BITS {
        n -= (word as u8).count_ones();
        (word, passed) = (word >> 8, passed + 8);
    }
    for _ in 0..n {
        word &= word.wrapping_sub(1);
    }
    passed + word.trailing_zeros()
}
