//! Checksum of stored data.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// XXH3 of `bytes`. Always 0 under a fuzzer, so that it reaches the code behind the checksums: an attacker can compute
/// valid ones.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    if cfg!(fuzzing) { 0 } else { xxh3_64(bytes) }
}

/// Checksums of consecutive blocks of bytes that arrive in parts.
pub(super) struct BlockSums {
    /// Size of a block.
    block: usize,
    sums: Vec<u64>,
    /// Hash of the block that is not full yet, and its bytes so far.
    open: Xxh3,
    filled: usize,
}

impl BlockSums {
    /// Sums of blocks of `block` bytes; the last one may be shorter.
    pub(super) fn new(block: usize) -> Self {
        Self { block, sums: Vec::new(), open: Xxh3::new(), filled: 0 }
    }

    /// Adds bytes.
    pub(super) fn add(&mut self, mut bytes: &[u8]) {
        while let Some((part, rest)) = bytes.split_at_checked(bytes.len().min(self.block - self.filled))
            && !part.is_empty()
        {
            self.open.update(part);
            self.filled += part.len();
            bytes = rest;
            if self.filled == self.block {
                self.close();
            }
        }
    }

    fn close(&mut self) {
        self.sums.push(if cfg!(fuzzing) { 0 } else { self.open.digest() });
        self.open.reset();
        self.filled = 0;
    }

    /// The sums of all blocks.
    pub(super) fn finish(mut self) -> Vec<u64> {
        if self.filled > 0 {
            self.close();
        }
        self.sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_depend_on_the_parts() {
        let bytes: Vec<u8> = (0..1000_u32).map(|n| (n * 7) as u8).collect();
        for (block, part) in [(1, 3), (64, 1), (64, 64), (64, 100), (1000, 7), (4096, 1000)] {
            let mut sums = BlockSums::new(block);
            bytes.chunks(part).for_each(|part| sums.add(part));
            assert_eq!(sums.finish(), bytes.chunks(block).map(checksum).collect::<Vec<_>>(), "{block} {part}");
        }
        assert!(BlockSums::new(5).finish().is_empty());
    }
}
