//! Transposition of edges: the predecessors of each node.
//!
//! Written directly to their destinations, transposed edges would cost a cache miss each, twice: once to count, once to
//! place. So they are partitioned first. Targets are divided into *buckets* small enough that one bucket's counters and
//! rows stay in the cache of a core, sources into *segments*; every edge becomes one `u32` with its position in bucket
//! and segment, and is appended to its segment's list for that bucket. Lists are read in the order of their segments,
//! so rows are ascending, without sorting, for any number of threads.
//!
//! Buckets are processed in rounds, so that the entries never take more than about two bytes per edge of the whole
//! graph, and are delivered in order: of rows written to a file, only those of some buckets are in memory.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::{Bits, Csr, csr};
use heaplens_base::storage::{as_atomics, out_of_memory::room_for};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// An entry is 15 bits of target and 17 bits of source.
const BUCKET_BITS: u32 = 15;
const BUCKET: usize = 1 << BUCKET_BITS;
const SEGMENT_ROWS: usize = 1 << (32 - BUCKET_BITS);
/// Number of edges at which a segment ends even inside a row, so that one long row can be divided among threads.
const SEGMENT_EDGES: usize = 1 << 20;
/// Number of entries up to which a round is not divided.
const SMALL_ROUND: usize = 1 << 21;
/// Number of buckets for each thread that are arranged together before they are delivered. The last ones are delivered
/// while other threads wait.
const BATCH: usize = 2;
/// The most of them together, which are in memory meanwhile.
const MOST_TOGETHER: usize = 64;

/// Number of entries above which a bucket is arranged by all threads.
const HEAVY: usize = 1 << 20;

/// Receiver of transposed edges, in the order of their targets: the number of edges of each of the next targets, and
/// the sources of all of them, one after the other.
pub trait Sink: Send {
    /// Error of the sink; cancellation ends the work too.
    type Error: From<Cancelled> + Send;

    /// Receives the rows of the next `degrees.len()` targets.
    fn rows(&mut self, degrees: &[u32], sources: &[u32]) -> Result<(), Self::Error>;
}

/// Transposed edges, with ascending rows. Implicit hub edges of a digraph are omitted: they follow from the groups.
/// Also returns the nodes with exactly one incoming edge, like [`transpose_into`].
pub fn transpose(edges: csr::Rows<'_>, task: &Task) -> Result<(Csr, Bits), Cancelled> {
    let (degrees, sources) = (room_for(edges.rows()), room_for(edges.edges()));
    let mut rows = MemorySink { degrees, sources };
    let single = transpose_into(edges, &mut rows, task)?;
    Ok((Csr::new(&rows.degrees, rows.sources), single))
}

struct MemorySink {
    degrees: Vec<u32>,
    sources: Vec<u32>,
}

impl Sink for MemorySink {
    type Error = Cancelled;

    fn rows(&mut self, degrees: &[u32], sources: &[u32]) -> Result<(), Cancelled> {
        self.degrees.extend_from_slice(degrees);
        self.sources.extend_from_slice(sources);
        Ok(())
    }
}

/// Transposes all edges and passes the rows to `sink`. Returns the nodes with exactly one incoming edge, which are a
/// by-product. Progress counts targets.
pub fn transpose_into<S: Sink>(edges: csr::Rows<'_>, sink: &mut S, task: &Task) -> Result<Bits, S::Error> {
    let nodes = edges.rows();
    let buckets = nodes.div_ceil(BUCKET);
    let segments: Vec<Segment> = segments(edges)
        .into_par_iter()
        .with_max_len(1)
        .map(|s| s.counted(edges, buckets, task))
        .collect::<Result<_, _>>()?;
    let limit = (edges.edges() / 2).max(SMALL_ROUND);
    let mut single = Vec::with_capacity(nodes.div_ceil(64));
    let mut done = 0;
    while done < buckets {
        let round = next_round(&segments, done, buckets, limit);
        done = round.end;
        let size = |bucket: usize| (nodes - bucket * BUCKET).min(BUCKET);
        let mut hand_over = |rows: BucketRows| {
            single.extend_from_slice(&rows.single);
            task.advance(rows.degrees.len() as u64);
            sink.rows(&rows.degrees, &rows.sources)
        };
        if round.len() == 1 && total(&segments, round.start) > limit {
            hand_over(in_windows(edges, &segments, &round, size(round.start), limit, task)?)?;
            continue;
        }
        let lists: Vec<Lists> =
            segments.par_iter().with_max_len(1).map(|s| s.partition(edges, &round, task)).collect::<Result<_, _>>()?;
        let lay_out = |bucket: usize| {
            let of_bucket: Vec<(u32, &[u32])> = lists.iter().map(|l| l.of(bucket - round.start)).collect();
            let entries: usize = of_bucket.iter().map(|(_, entries)| entries.len()).sum();
            // All threads count with 32 bits.
            let is_heavy = entries > HEAVY && u32::try_from(entries).is_ok();
            (if is_heavy { laid_out_together } else { laid_out })(&of_bucket, size(bucket), task)
        };
        let mut ready: Vec<BucketRows> = Vec::new();
        let at_once = (BATCH * rayon::current_num_threads()).min(MOST_TOGETHER);
        for first in round.clone().step_by(at_once) {
            let batch = first..(first + at_once).min(round.end);
            // The sink may write to a file; lay out the next ones at the same time.
            let (handed, next) = rayon::join(
                || ready.into_iter().try_for_each(&mut hand_over),
                || batch.into_par_iter().with_max_len(1).map(lay_out).collect::<Result<Vec<BucketRows>, Cancelled>>(),
            );
            handed?;
            ready = next?;
        }
        ready.into_iter().try_for_each(&mut hand_over)?;
    }
    Ok(Bits::from_words(single))
}

/// Rows of one bucket.
fn laid_out(lists: &[(u32, &[u32])], size: usize, task: &Task) -> Result<BucketRows, Cancelled> {
    let mut filling = SourceCounts::of(lists, size, task)?.laid_out();
    for &(base, entries) in lists {
        task.checkpoint()?;
        filling.fill(base, entries);
    }
    Ok(filling.rows)
}

/// Rows of one bucket, arranged by all threads: often most of a heap refers to a few objects. One thread handles each
/// part of the lists, and writes the sources of a target after those of earlier parts. The entries fit in 32 bits.
fn laid_out_together(lists: &[(u32, &[u32])], size: usize, task: &Task) -> Result<BucketRows, Cancelled> {
    let parts = lists.chunks(lists.len().div_ceil(2 * rayon::current_num_threads()).max(1));
    let parts: Vec<&[(u32, &[u32])]> = parts.collect();
    let counted = parts.par_iter().with_max_len(1).map(|part| Ok(SourceCounts::of(part, size, task)?.degrees));
    let mut next = counted.collect::<Result<Vec<Vec<u32>>, Cancelled>>()?;
    let mut at = 0;
    let degrees = (0..size).map(|target| {
        let start = at;
        for next in &mut next {
            let degree = std::mem::replace(&mut next[target], at);
            at += degree;
        }
        at - start
    });
    let degrees: Vec<u32> = degrees.collect();
    let mut sources = vec![0; at as usize];
    let slots = as_atomics(&mut sources);
    parts.into_par_iter().zip(next).with_max_len(1).try_for_each(|(part, mut next)| {
        for &(base, entries) in part {
            task.checkpoint()?;
            for &entry in entries {
                let next = &mut next[entry as usize % BUCKET];
                slots[*next as usize].store(base + (entry >> BUCKET_BITS), Relaxed);
                *next += 1;
            }
        }
        Ok(())
    })?;
    let single = degrees.chunks(64).map(ones).collect();
    Ok(BucketRows { degrees, sources, single })
}

/// One bit per degree that is 1.
fn ones(degrees: &[u32]) -> u64 {
    degrees.iter().enumerate().fold(0, |word, (bit, &degree)| word | u64::from(degree == 1) << bit)
}

/// Handles a bucket with more edges than a round may have, typically with one node that much of the heap points at: its
/// entries are created for some segments at a time.
fn in_windows(
    edges: csr::Rows<'_>,
    segments: &[Segment],
    round: &Range<usize>,
    size: usize,
    limit: usize,
    task: &Task,
) -> Result<BucketRows, Cancelled> {
    let window = (limit / 4).div_ceil(SEGMENT_EDGES);
    let lists = |window: &[Segment]| {
        window
            .par_iter()
            .with_max_len(1)
            .map(|s| s.partition(edges, round, task))
            .collect::<Result<Vec<Lists>, Cancelled>>()
    };
    let mut counting = SourceCounts::new(size);
    for window in segments.chunks(window) {
        for list in lists(window)? {
            task.checkpoint()?;
            counting.count(list.of(0).1);
        }
    }
    let mut filling = counting.laid_out();
    for window in segments.chunks(window) {
        for list in lists(window)? {
            task.checkpoint()?;
            let (base, entries) = list.of(0);
            filling.fill(base, entries);
        }
    }
    Ok(filling.rows)
}

/// As many buckets as the limit allows, at least one.
fn next_round(segments: &[Segment], first: usize, buckets: usize, limit: usize) -> Range<usize> {
    let mut entries = total(segments, first);
    let mut end = first + 1;
    while end < buckets {
        entries += total(segments, end);
        if entries > limit {
            break;
        }
        end += 1;
    }
    first..end
}

fn total(segments: &[Segment], bucket: usize) -> usize {
    segments.iter().map(|s| s.counts[bucket] as usize).sum()
}

/// Adjacent rows, few enough to be numbered with 17 bits, or a part of one long row.
struct Segment {
    rows: Range<usize>,
    edges: Range<usize>,
    /// Edges into each bucket.
    counts: Vec<u32>,
}

fn segments(edges: csr::Rows<'_>) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut at = 0;
    for first in (0..edges.rows()).step_by(SEGMENT_ROWS) {
        let end_row = (first + SEGMENT_ROWS).min(edges.rows());
        let end = edges.begin(end_row);
        while at < end {
            let stop = (at + SEGMENT_EDGES).min(end);
            segments.push(Segment { rows: first..end_row, edges: at..stop, counts: Vec::new() });
            at = stop;
        }
    }
    for segment in &mut segments {
        segment.rows.start = row_of(edges, &segment.rows, segment.edges.start);
        segment.rows.end = row_of(edges, &segment.rows, segment.edges.end - 1) + 1;
    }
    segments
}

/// The row, among `rows`, that the edge at a position belongs to.
fn row_of(edges: csr::Rows<'_>, rows: &Range<usize>, position: usize) -> usize {
    let (mut low, mut high) = (rows.start, rows.end);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if edges.begin(middle) <= position { low = middle } else { high = middle }
    }
    low
}

impl Segment {
    fn counted(mut self, edges: csr::Rows<'_>, buckets: usize, task: &Task) -> Result<Self, Cancelled> {
        self.counts = vec![0; buckets];
        for part in edges.targets()[self.edges.clone()].chunks(CHECKPOINT_EVERY) {
            task.checkpoint()?;
            for &to in part {
                self.counts[to as usize >> BUCKET_BITS] += 1;
            }
        }
        Ok(self)
    }

    /// The segment's edges into the buckets of a round, by bucket.
    fn partition(&self, edges: csr::Rows<'_>, round: &Range<usize>, task: &Task) -> Result<Lists, Cancelled> {
        let mut starts = vec![0_u32];
        let mut sum = 0;
        starts.extend(self.counts[round.clone()].iter().map(|&count| {
            sum += count;
            sum
        }));
        // The last cursor is for edges of other rounds: never advanced, which avoids a branch.
        let mut cursors = starts.clone();
        let mut entries = vec![0_u32; sum as usize + 1];
        if sum > 0 {
            let (low, others) = (round.start << BUCKET_BITS, round.len());
            let mut since_checkpoint = 0;
            for row in self.rows.clone() {
                let range = edges.begin(row).max(self.edges.start)..edges.begin(row + 1).min(self.edges.end);
                since_checkpoint += 1 + range.len();
                if since_checkpoint >= CHECKPOINT_EVERY {
                    task.checkpoint()?;
                    since_checkpoint = 0;
                }
                let source = ((row - self.rows.start) as u32) << BUCKET_BITS;
                for &to in &edges.targets()[range] {
                    let offset = (to as usize).wrapping_sub(low);
                    let bucket = (offset >> BUCKET_BITS).min(others);
                    let cursor = cursors[bucket];
                    entries[cursor as usize] = source | (offset % BUCKET) as u32;
                    cursors[bucket] = cursor + u32::from(bucket < others);
                }
            }
        }
        Ok(Lists { base: self.rows.start as u32, starts, entries })
    }
}

/// Edges of one segment for the buckets of a round.
struct Lists {
    /// First row of the segment.
    base: u32,
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Lists {
    fn of(&self, bucket: usize) -> (u32, &[u32]) {
        (self.base, &self.entries[self.starts[bucket] as usize..self.starts[bucket + 1] as usize])
    }
}

/// The rows of one bucket.
#[cfg_attr(test, derive(Debug, PartialEq))]
struct BucketRows {
    degrees: Vec<u32>,
    sources: Vec<u32>,
    /// One bit per degree that is 1.
    single: Vec<u64>,
}

struct SourceCounts {
    degrees: Vec<u32>,
}

impl SourceCounts {
    fn new(size: usize) -> Self {
        Self { degrees: vec![0; size] }
    }

    /// Counts of all entries of some lists.
    fn of(lists: &[(u32, &[u32])], size: usize, task: &Task) -> Result<Self, Cancelled> {
        let mut counts = Self::new(size);
        for (_, entries) in lists {
            task.checkpoint()?;
            counts.count(entries);
        }
        Ok(counts)
    }

    fn count(&mut self, entries: &[u32]) {
        for &entry in entries {
            self.degrees[entry as usize % BUCKET] += 1;
        }
    }

    fn laid_out(self) -> RowFiller {
        let mut at = 0;
        let next = self.degrees.iter().map(|&degree| {
            let start = at;
            at += degree as usize;
            start
        });
        let next = next.collect();
        let single = self.degrees.chunks(64).map(ones).collect();
        RowFiller { next, rows: BucketRows { degrees: self.degrees, sources: vec![0; at], single } }
    }
}

struct RowFiller {
    /// Position of the next source of each target.
    next: Vec<usize>,
    rows: BucketRows,
}

impl RowFiller {
    fn fill(&mut self, base: u32, entries: &[u32]) {
        for &entry in entries {
            let next = &mut self.next[entry as usize % BUCKET];
            self.rows.sources[*next] = base + (entry >> BUCKET_BITS);
            *next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many threads arrange a bucket, its rows are the same; most entries are of a few targets.
    #[test]
    fn rows_laid_out_together_are_as_laid_out_by_one_thread() {
        let mut random = 1_u32;
        let mut below = |bound: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) % bound
        };
        for (size, lists, entries) in [(1, 1, 0), (1, 3, 50), (64, 40, 9), (100, 7, 300), (BUCKET as u32, 25, 1_000)] {
            let mut entry = |_| {
                let target = if below(4) == 0 { below(size) } else { size / 2 };
                below(1 << (32 - BUCKET_BITS)) << BUCKET_BITS | target
            };
            let lists: Vec<(u32, Vec<u32>)> =
                (0..lists).map(|list| (list << 17, (0..entries).map(&mut entry).collect())).collect();
            let lists: Vec<(u32, &[u32])> = lists.iter().map(|(base, entries)| (*base, &entries[..])).collect();
            let task = Task::new();
            let by_one = laid_out(&lists, size as usize, &task).expect("nobody cancels");
            let together = laid_out_together(&lists, size as usize, &task).expect("nobody cancels");
            assert_eq!(together, by_one, "{} lists of {entries} entries for {size} targets", lists.len());
        }
    }
}
