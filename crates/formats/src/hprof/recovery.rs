//! Reads a damaged part of a file: sub-records by their own lengths, and after unreadable bytes from the next record
//! on that is no chance ([`super::search`]). Only files with an error get here, from the segment of the error on.

use super::problems::ReadProblem;
use super::records::{HEADER, Index, LONGEST_RECORD, Segment, begins_file, begins_record, is_either, record_header};
use super::search::{RecordSearch, Start};
use super::subrecords::{CancelCheck, StopReason, Visitor, WalkStop, walk};
use super::tags::{record, sub};
use crate::cursor::Cursor;
use heaplens_base::{Cancelled, Task};

/// Number of zeros that are a hole of the file, not a value.
const HOLE: usize = 16;

/// Reads records from `from` to the end of the file. Sub-records before `trusted` are known to be readable.
pub(super) fn read_carefully(
    file: &[u8],
    from: u64,
    trusted: u64,
    index: &mut Index,
    task: &Task,
) -> Result<(), Cancelled> {
    let search = RecordSearch::of(file, index);
    let mut reader = CarefulReader { file, index, search, trusted, task };
    let mut next = Some(Next::Record(from));
    while let Some(at) = next {
        task.checkpoint()?;
        next = match at {
            Next::Record(at) => reader.record(at),
            Next::SubRecords(at, end) => reader.sub_records(at, end)?,
        };
    }
    Ok(())
}

/// What is read next, and its offset.
enum Next {
    Record(u64),
    /// Sub-records, with the declared end of their segment if it is known.
    SubRecords(u64, Option<u64>),
}

struct CarefulReader<'a, 'i> {
    file: &'a [u8],
    index: &'i mut Index,
    search: RecordSearch<'a>,
    trusted: u64,
    task: &'a Task,
}

impl CarefulReader<'_, '_> {
    fn len(&self) -> u64 {
        self.file.len() as u64
    }

    /// Reads the record at an offset; `None` at the end of the file.
    fn record(&mut self, start: u64) -> Option<Next> {
        if start >= self.len() {
            return None;
        }
        if begins_file(self.file, start) {
            self.index.next_file = Some(start);
            return None;
        }
        let mut cursor = Cursor::new(self.file, start);
        let Some((tag, length)) = record_header(&mut cursor) else {
            self.index.add_rest(self.file, start);
            return None;
        };
        let body = start + HEADER;
        let end = body + u64::from(length);
        if tag == record::HEAP_DUMP || tag == record::HEAP_DUMP_SEGMENT {
            let is_followed = length > 0 && end <= self.len() && begins_record(self.file, end);
            if !is_followed && !self.search.is_record(start) {
                return self.resume(start, None, ReadProblem::NoRecord);
            }
            self.index.begin_heap(tag);
            return Some(Next::SubRecords(body, (length > 0).then_some(end)));
        }
        let fits = end <= self.len();
        if fits && (self.search.is_record(start) || begins_record(self.file, end)) {
            let loaded = self.index.loaded.len();
            self.index.add_record(self.file, tag, start, end);
            self.search.classes.extend(self.index.loaded.iter().skip(loaded).map(|loaded| loaded.class));
            return Some(Next::Record(end));
        }
        if !fits && record::is_known(tag) && u64::from(length) <= LONGEST_RECORD {
            self.index.problems.add(ReadProblem::CutRecord, end - self.len(), start);
            return None;
        }
        let problem = if record::is_known(tag) { ReadProblem::NoRecord } else { ReadProblem::UnknownRecord(tag) };
        self.resume(start, None, problem)
    }

    /// Reads sub-records up to the next record.
    fn sub_records(&mut self, from: u64, end: Option<u64>) -> Result<Option<Next>, Cancelled> {
        let is_readable = self.trusted > from && end.is_none_or(|end| self.trusted < end);
        let begin = if is_readable { self.trusted.min(self.len()) } else { from };
        let mut visitor = CarefulVisitor {
            file: self.file,
            search: &mut self.search,
            end,
            last: begin,
            current: begin,
            stop: Stop::None,
            over_end: None,
            cancel_check: CancelCheck::new(self.task),
        };
        let ended = walk(self.file, begin..self.file.len() as u64, self.index.id_bytes, &mut visitor);
        let CarefulVisitor { last, current, stop, over_end, .. } = visitor;
        self.task.checkpoint()?;
        // Behind the last sub-record of the file, the visitor is not asked.
        let is_over = ended.is_ok() && end.is_some_and(|end| end < self.len());
        let over_end = over_end.or_else(|| is_over.then_some(current));
        if let Some(over) = over_end {
            self.index.problems.add(ReadProblem::ObjectOverEnd, 0, over);
        }
        let declared = end.filter(|&end| end > begin);
        Ok(match (ended, stop) {
            (Ok(()), _) => {
                self.add(from, self.len());
                let missing = declared.filter(|_| over_end.is_none()).map(|end| end.saturating_sub(self.len()));
                if let Some(missing) = missing.filter(|&missing| missing > 0) {
                    self.index.problems.add(ReadProblem::CutSegment, missing, self.len());
                }
                None
            }
            (Err(_), Stop::Record(at)) => {
                self.add(from, at);
                Some(Next::Record(at))
            }
            (Err(_), Stop::Broken(at)) => {
                self.add(from, at);
                self.resume(at, None, ReadProblem::CutObject)
            }
            (Err(WalkStop { offset, reason }), Stop::None) => {
                if self.search.is_record(offset) || begins_file(self.file, offset) {
                    self.add(from, offset);
                    let missing = declared.filter(|_| over_end.is_none()).map(|end| end.saturating_sub(offset));
                    if let Some(missing) = missing.filter(|&missing| missing > 0) {
                        self.index.problems.add(ReadProblem::ShortSegment, missing, offset);
                    }
                    return Ok(Some(Next::Record(offset)));
                }
                let at = self.before_zeros(last, offset);
                self.add(from, at);
                let problem = match reason {
                    StopReason::UnknownTag(tag) => ReadProblem::UnknownObject(tag),
                    StopReason::UnknownType => ReadProblem::UnknownType,
                    StopReason::CutOff | StopReason::Stopped => ReadProblem::CutObject,
                };
                self.resume(at, declared, problem)
            }
        })
    }

    /// Adds sub-records to the last dump.
    fn add(&mut self, from: u64, to: u64) {
        if self.index.dumps.is_empty() {
            self.index.begin_heap(record::HEAP_DUMP_SEGMENT);
        }
        self.index.add_segment(Segment { range: from..to, doubtful_length: None });
    }

    /// Skips unreadable bytes at an offset, in a segment with a declared end if it is known.
    fn resume(&mut self, at: u64, end: Option<u64>, problem: ReadProblem) -> Option<Next> {
        // Where the segment should end, a header need not be more than possible.
        let end_record = end.filter(|&end| (at + 1..self.len()).contains(&end) && begins_record(self.file, end));
        let next_start = self.search.next(at + 1, end_record.unwrap_or(self.len()));
        let next = next_start.or(end_record.map(|end| (end, Start::Record)));
        let to = next.map_or(self.len(), |(to, _)| to);
        let problem = match next {
            None if self.index.has_ended => ReadProblem::Trailing,
            _ if self.is_hole(at) => ReadProblem::Zeros,
            _ => problem,
        };
        self.index.problems.add(problem, to - at, at);
        let (to, start) = next?;
        Some(match start {
            Start::Record | Start::File => Next::Record(to),
            Start::SubRecord => Next::SubRecords(to, end.filter(|&end| end > to)),
        })
    }

    fn is_hole(&self, at: u64) -> bool {
        let bytes = usize::try_from(at).ok().and_then(|at| self.file.get(at..));
        bytes.is_some_and(|bytes| bytes.iter().take(HOLE).all(|&byte| byte == 0))
    }

    /// Offset of the first unreadable sub-record. Zeros that begin in the head of the sub-record at `last` make it
    /// another one: then it is unreadable too.
    fn before_zeros(&self, last: u64, at: u64) -> u64 {
        let bytes = usize::try_from(last).ok().zip(usize::try_from(at).ok());
        let bytes = bytes.and_then(|(last, at)| self.file.get(last..at)).unwrap_or_default();
        let written = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |nonzero| nonzero as u64 + 1);
        let id_bytes = u64::from(self.index.id_bytes);
        let head = match bytes.first() {
            Some(&(sub::INSTANCE_DUMP | sub::OBJECT_ARRAY_DUMP)) => 9 + 2 * id_bytes,
            _ => 1 + id_bytes,
        };
        if self.is_hole(at) && written < head { last } else { at }
    }
}

/// Reason for which a [`CarefulVisitor`] ended a walk.
#[derive(Clone, Copy)]
enum Stop {
    None,
    /// A record is at this offset.
    Record(u64),
    /// The sub-record at this offset has a wrong length.
    Broken(u64),
}

/// Ends a walk where the next record begins.
struct CarefulVisitor<'a, 's, 'f> {
    file: &'a [u8],
    search: &'s mut RecordSearch<'f>,
    /// Declared end of the segment, until it is passed.
    end: Option<u64>,
    /// Offsets of the last sub-record that was read, and of the one after it.
    last: u64,
    current: u64,
    stop: Stop,
    /// Offset of the sub-record that extends past the declared end.
    over_end: Option<u64>,
    cancel_check: CancelCheck<'a>,
}

impl Visitor<'_> for CarefulVisitor<'_, '_, '_> {
    fn should_continue(&mut self, offset: u64) -> bool {
        if !self.cancel_check.is_running() {
            return false;
        }
        self.last = std::mem::replace(&mut self.current, offset);
        match self.end {
            Some(end) if offset < end => return true,
            Some(end) => {
                self.end = None;
                if offset == end {
                    if begins_record(self.file, offset) || begins_file(self.file, offset) {
                        self.stop = Stop::Record(offset);
                        return false;
                    }
                } else if self.search.is_record(offset) {
                    self.over_end = Some(self.last);
                    self.stop = Stop::Record(offset);
                    return false;
                } else if self.search.is_sub_records(offset) {
                    self.over_end = Some(self.last);
                } else {
                    self.stop = Stop::Broken(self.last);
                    return false;
                }
            }
            None => {}
        }
        if is_either(self.file, offset) && self.search.is_record(offset) {
            self.stop = Stop::Record(offset);
            return false;
        }
        true
    }
}
