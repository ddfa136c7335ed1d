//! Divides a dump into pieces that threads can read in parallel: runs of small segments together, one giant segment in
//! parts.

use std::ops::Range;

use super::problems::ReadProblem;
use super::record_walk::records_after;
use super::records::{Index, Segment, begins_record, is_either, leads_to_the_end};
use super::subrecords::{CancelCheck, StopReason, Visitor, walk};
use heaplens_base::{Cancelled, Task};

/// Target size of a piece, in bytes.
const PIECE: u64 = 4 << 20;
/// Size above which a segment is divided, in bytes.
const GIANT: u64 = 32 << 20;

/// Ranges of sub-records, in file order.
#[derive(Debug, Default, Clone)]
pub(super) struct Piece {
    pub(super) ranges: Vec<Range<u64>>,
    /// True if the first range continues the segment in which the previous piece ends.
    pub(super) continues_segment: bool,
}

pub(super) fn bytes(pieces: &[Piece]) -> u64 {
    pieces.iter().flat_map(|p| &p.ranges).map(|r| r.end - r.start).sum()
}

/// Pieces of the last dump in the file. If the length of a dump had to be determined by parsing, reads the records
/// after it, so the index may grow.
pub(super) fn pieces(file: &[u8], index: &mut Index, task: &Task) -> Result<Vec<Piece>, Cancelled> {
    // Limits the search to the size of the file, for all dumps together: a malformed file may have a million of them.
    let mut steps = file.len() as u64;
    loop {
        let doubtful =
            index.dumps.last().and_then(|d| d.last()).and_then(|s| Some((s.range.clone(), s.doubtful_length?)));
        let Some((range, length)) = doubtful else { break };
        let end = find_end(file, range.clone(), length, index.id_bytes, &mut steps, task)?;
        if let Some(dump) = index.dumps.last_mut() {
            dump.pop();
            if end > range.start {
                dump.push(Segment { range: range.start..end, doubtful_length: None });
                let problem = if index.is_open { ReadProblem::NoLength } else { ReadProblem::WrongLength };
                index.problems.add(problem, 0, range.start);
            }
        }
        records_after(file, end, index, task)?;
    }
    if index.is_open && !index.problems.any_lost() {
        index.problems.add(ReadProblem::NoEndMark, 0, file.len() as u64);
    }
    drop_empty_dumps(file, index);
    let segments = index.dumps.last().cloned().unwrap_or_default();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut filled = PIECE;
    for Segment { range, .. } in segments {
        let size = range.end - range.start;
        if size > GIANT {
            let cuts = cut(file, range, index.id_bytes, task)?;
            let parts = cuts.into_iter().enumerate();
            pieces.extend(parts.map(|(at, range)| Piece { ranges: vec![range], continues_segment: at > 0 }));
            filled = PIECE;
            continue;
        }
        if filled >= PIECE {
            pieces.push(Piece::default());
            filled = 0;
        }
        filled += size;
        if let Some(piece) = pieces.last_mut() {
            piece.ranges.push(range);
        }
    }
    Ok(pieces)
}

/// Drops empty dumps at the end, which must not hide the one before them.
fn drop_empty_dumps(file: &[u8], index: &mut Index) {
    index.dumps.retain(|segments| !segments.is_empty());
    while let Some(segments) = index.dumps.pop_if(|segments| !any_readable(file, segments, index.id_bytes)) {
        let bytes = segments.iter().map(|s| s.range.end - s.range.start).sum();
        let first = segments.first().map_or(0, |s| s.range.start);
        index.problems.add(ReadProblem::UnreadableDump, bytes, first);
    }
}

/// True if one of the segments begins with a sub-record.
fn any_readable(file: &[u8], segments: &[Segment], id_bytes: u32) -> bool {
    segments.iter().any(|Segment { range, .. }| {
        let ended = walk(file, range.clone(), id_bytes, &mut FirstRecordReader { start: range.start });
        ended.is_ok_and(|()| !range.is_empty()) || ended.is_err_and(|at| at.reason == StopReason::Stopped)
    })
}

struct FirstRecordReader {
    start: u64,
}

impl Visitor<'_> for FirstRecordReader {
    fn should_continue(&mut self, offset: u64) -> bool {
        offset == self.start
    }
}

/// Boundaries of sub-records about every [`PIECE`] bytes.
struct BoundaryFinder<'a> {
    cuts: Vec<u64>,
    task: &'a Task,
}

impl Visitor<'_> for BoundaryFinder<'_> {
    #[inline]
    fn should_continue(&mut self, offset: u64) -> bool {
        match self.cuts.last() {
            Some(&last) if offset - last < PIECE => true,
            _ => {
                self.cuts.push(offset);
                !self.task.is_cancelled()
            }
        }
    }
}

fn cut(file: &[u8], range: Range<u64>, id_bytes: u32, task: &Task) -> Result<Vec<Range<u64>>, Cancelled> {
    let mut finder = BoundaryFinder { cuts: Vec::new(), task };
    // The reader of the last piece encounters the break again, and reports it.
    let _break = walk(file, range.clone(), id_bytes, &mut finder);
    task.checkpoint()?;
    let ends = finder.cuts.iter().skip(1).copied().chain([range.end]);
    Ok(finder.cuts.iter().zip(ends).map(|(&from, to)| from..to).collect())
}

/// Stops at the first possible end of the dump.
struct EndFinder<'a> {
    file: &'a [u8],
    start: u64,
    length: u32,
    /// Number of record headers that may still be read.
    steps: &'a mut u64,
    cancel_check: CancelCheck<'a>,
}

impl Visitor<'_> for EndFinder<'_> {
    #[inline]
    fn should_continue(&mut self, offset: u64) -> bool {
        if !self.cancel_check.is_running() {
            return false;
        }
        let read = offset - self.start;
        // A length of 0 means unknown; any other is correct modulo 2³².
        !match self.length {
            0 => is_either(self.file, offset) && leads_to_the_end(self.file, offset, self.steps),
            length => read > 0 && read & u64::from(u32::MAX) == u64::from(length) && begins_record(self.file, offset),
        }
    }
}

fn find_end(
    file: &[u8],
    range: Range<u64>,
    length: u32,
    id_bytes: u32,
    steps: &mut u64,
    task: &Task,
) -> Result<u64, Cancelled> {
    let mut finder = EndFinder { file, start: range.start, length, steps, cancel_check: CancelCheck::new(task) };
    let ended = walk(file, range.clone(), id_bytes, &mut finder);
    task.checkpoint()?;
    Ok(match ended {
        // If no sub-record is there, it may be the next record; if not, the rest is lost anyway.
        Err(at) if at.reason == StopReason::Stopped || begins_record(file, at.offset) => at.offset,
        _ => range.end,
    })
}
