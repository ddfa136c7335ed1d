//! Block checksums of a section of a stored file. A block is verified when it is first read, or as one more of a section
//! that is read often. Verifying all blocks on open would read the whole file; not verifying would trust the disk.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::{ops::Range, path::PathBuf, sync::Arc};

use super::checksum::checksum;

/// Block size in bytes; each block has a checksum.
pub(super) const BLOCK: usize = 1 << 16;

/// Checksums of the blocks of `bytes`.
pub(super) fn sums(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks(BLOCK).map(checksum)
}

/// Damage flag of a file: set when a block does not match its checksum.
#[derive(Debug, Clone)]
pub(super) struct Damage(Arc<DamageState>);

#[derive(Debug)]
struct DamageState {
    is_damaged: AtomicBool,
    /// File to delete on damage.
    file: Option<PathBuf>,
}

/// True once a damaged block of any file was read; see [`take_damage`].
static HAS_DAMAGE: AtomicBool = AtomicBool::new(false);

/// True if a damaged block was read since the last call: what failed meanwhile may have failed for that reason.
pub(super) fn take_damage() -> bool {
    HAS_DAMAGE.swap(false, Ordering::AcqRel)
}

impl Damage {
    pub(super) fn of(file: Option<PathBuf>) -> Self {
        Self(Arc::new(DamageState { is_damaged: AtomicBool::new(false), file }))
    }

    /// True if a damaged block was read.
    pub(super) fn is_set(&self) -> bool {
        self.0.is_damaged.load(Ordering::Acquire)
    }

    pub(super) fn set(&self) {
        HAS_DAMAGE.store(true, Ordering::Release);
        if !self.0.is_damaged.swap(true, Ordering::AcqRel)
            && let Some(file) = &self.0.file
        {
            // Ignored: if the file cannot be deleted, the damage is found again on the next open.
            let _stays = std::fs::remove_file(file);
        }
    }
}

/// Number of lookups, on average, for which one more block is verified: those take as long as it does.
const LOOKUPS: usize = 256;

/// Expected checksums of a section, and a bit per block that is already verified.
pub(super) struct Checks {
    sums: Box<[u64]>,
    compared: Box<[AtomicU64]>,
    /// Number of blocks not verified yet.
    left: AtomicUsize,
    /// Next block to verify without being asked for.
    next: AtomicUsize,
    damage: Damage,
}

impl Checks {
    pub(super) fn new(sums: Box<[u64]>, damage: Damage) -> Self {
        let compared = (0..sums.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let left = AtomicUsize::new(sums.len());
        Self { sums, compared, left, next: AtomicUsize::new(0), damage }
    }

    /// Notes a lookup of the values from an index on. One in [`LOOKUPS`] verifies one more block, so that a column that
    /// is looked up often is soon verified as a whole, and further lookups need no check.
    pub(super) fn note_lookup(&self, section: &[u8], index: usize) {
        // Counting all of them would make every thread wait for the others.
        if index.is_multiple_of(LOOKUPS) {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            if next < self.sums.len() && !self.is_compared(next) {
                self.compare(section, next);
            }
        }
    }

    /// True if every block was verified, and none is damaged.
    pub(super) fn all_hold(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    /// True if all blocks in the byte range `wanted` match their checksums. `section` is the whole section.
    #[inline]
    pub(super) fn hold(&self, section: &[u8], wanted: Range<usize>) -> bool {
        let last = wanted.end.saturating_sub(1).max(wanted.start);
        let (first, last) = (wanted.start / BLOCK, last / BLOCK);
        wanted.is_empty() || (first..=last).all(|block| self.is_compared(block) || self.compare(section, block))
    }

    #[inline]
    fn is_compared(&self, block: usize) -> bool {
        self.compared.get(block / 64).is_some_and(|word| word.load(Ordering::Relaxed) >> (block % 64) & 1 == 1)
    }

    #[cold]
    fn compare(&self, section: &[u8], block: usize) -> bool {
        let from = block * BLOCK;
        let bytes = section.get(from..section.len().min(from + BLOCK));
        let holds = bytes.is_some_and(|bytes| Some(&checksum(bytes)) == self.sums.get(block));
        match self.compared.get(block / 64) {
            Some(word) if holds => {
                let bit = 1 << (block % 64);
                // Two threads may verify one block.
                if word.fetch_or(bit, Ordering::Relaxed) & bit == 0 {
                    self.left.fetch_sub(1, Ordering::Relaxed);
                }
            }
            _ => self.damage.set(),
        }
        holds
    }
}
