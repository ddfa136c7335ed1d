//! Non-tree edges of a search, grouped by target for semi-NCA.
//!
//! They are found in arbitrary order and needed from the highest target down. So they are appended to a list per range
//! of targets, six bytes each; a range is arranged in rows while the one before it is evaluated, in the
//! cache, and its list is freed.

use std::ops::Range;

use super::Bits;

const BUCKET_BITS: u32 = 15;

/// Targets in a bucket.
pub(super) const BUCKET: usize = 1 << BUCKET_BITS;

/// Crossings per chunk; chunks avoid copying when lists grow.
const CHUNK: usize = 2048;

/// Most sources of a bucket whose memory is kept for the next.
const MOST_KEPT: usize = 1 << 22;

/// Crossing of a bucket; the source in halves, which need no alignment.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    to: u16,
    from: [u16; 2],
}

#[derive(Debug, Default)]
struct Bucket {
    full: Vec<Vec<Crossing>>,
    open: Vec<Crossing>,
}

/// Crossings by target.
#[derive(Debug, Default)]
pub struct Crossings {
    buckets: Vec<Bucket>,
}

impl Crossings {
    /// For targets below `numbers`.
    pub(super) fn new(numbers: usize) -> Self {
        Self { buckets: std::iter::repeat_with(Bucket::default).take(numbers.div_ceil(BUCKET)).collect() }
    }

    #[inline]
    pub(super) fn push(&mut self, from: u32, to: u32) {
        let bucket = &mut self.buckets[to as usize >> BUCKET_BITS];
        if bucket.open.len() == CHUNK {
            // The first chunk of a bucket grows as needed; a full one is followed by another of full size.
            let full = std::mem::replace(&mut bucket.open, Vec::with_capacity(CHUNK));
            bucket.full.push(full);
        }
        bucket.open.push(Crossing { to: (to as usize % BUCKET) as u16, from: [from as u16, (from >> 16) as u16] });
    }

    /// Removes the crossings into one bucket of targets and arranges them in rows; those into numbers of `without` are
    /// left out. What is in `rows` is replaced, and its memory reused.
    pub(super) fn take(&mut self, bucket: usize, without: &Bits, mut rows: BucketSources) -> BucketSources {
        let BucketSources { starts, sources } = &mut rows;
        starts.clear();
        sources.clear();
        // The memory of a target that most crossings lead to is not kept.
        sources.shrink_to(MOST_KEPT);
        let Bucket { full, open } = self.buckets.get_mut(bucket).map(std::mem::take).unwrap_or_default();
        if open.is_empty() {
            return rows;
        }
        let first = bucket << BUCKET_BITS;
        let counts = |crossing: &&Crossing| !without.contains((first + usize::from(crossing.to)) as u32);
        let all = || full.iter().flatten().chain(&open).filter(counts);
        starts.resize(BUCKET, 0);
        for crossing in all() {
            starts[crossing.to as usize] += 1;
        }
        let mut at = 0;
        for start in &mut *starts {
            at += *start;
            *start = at;
        }
        // End of each row; filled from the back, it counts down to the start of the row.
        sources.resize(at, 0);
        for crossing in all() {
            let start = &mut starts[crossing.to as usize];
            *start -= 1;
            sources[*start] = u32::from(crossing.from[0]) | u32::from(crossing.from[1]) << 16;
        }
        starts.push(at);
        rows
    }
}

/// Sources of the crossings into one bucket.
#[derive(Default)]
pub(super) struct BucketSources {
    starts: Vec<usize>,
    sources: Vec<u32>,
}

impl BucketSources {
    /// Range in [`BucketSources::sources`] of the crossings into a number of this bucket.
    #[inline]
    pub(super) fn of(&self, number: u32) -> Range<usize> {
        let at = number as usize % BUCKET;
        match self.starts.get(at..at + 2) {
            Some(&[start, end]) => start..end,
            _ => 0..0,
        }
    }

    /// Sources of all crossings, those into lower numbers before those into higher ones.
    #[inline]
    pub(super) fn sources(&self) -> &[u32] {
        &self.sources
    }
}
