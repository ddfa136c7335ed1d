//! One walk over the headers of all top-level records. Where a header is not one, [`super::recovery`] takes over.

use super::problems::ReadProblem;
use super::records::{Index, LONGEST_RECORD, Segment, VERSIONS, begins_file, begins_record, record_header};
use super::{recovery::read_carefully, tags::record};
use crate::{cursor::Cursor, error::FormatError, error::OpenError};
use heaplens_base::{Cancelled, Task};

/// Offset for [`index`] if all record headers are to be trusted.
pub(super) const TRUST_ALL: u64 = u64::MAX;

/// Reads the header and walks the records from there to the end of the file. Beyond offset `trusted`, reads the
/// sub-records one by one to find the next record.
pub(super) fn index(file: &[u8], trusted: u64, task: &Task) -> Result<Index, OpenError> {
    let mut cursor = Cursor::new(file, 0);
    let mut index = Index { trusted, ..header(&mut cursor)? };
    records(file, cursor, &mut index, task)?;
    Ok(index)
}

fn header(cursor: &mut Cursor<'_>) -> Result<Index, FormatError> {
    let wrong = |offset, expected: &str, actual: String| {
        FormatError::new("HPROF", offset, expected, actual, "Take or copy the dump again.")
    };
    let mut version = Vec::new();
    loop {
        match cursor.u8() {
            Some(0) => break,
            Some(b) if version.len() < 64 => version.push(b),
            _ => return Err(wrong(cursor.offset(), "the end of the version string", "more characters".to_owned())),
        }
    }
    let version = String::from_utf8_lossy(&version).into_owned();
    if !VERSIONS.contains(&&*version) {
        let advice = "Use a dump written by HotSpot or Android.";
        let actual = format!("\"{version}\"");
        return Err(FormatError::new("HPROF", 0, "version 1.0, 1.0.1, 1.0.2 or 1.0.3", actual, advice));
    }
    let at = cursor.offset();
    let id_bytes = cursor.u32().ok_or_else(|| wrong(at, "the identifier size", String::new()))?;
    if id_bytes != 4 && id_bytes != 8 {
        return Err(wrong(at, "an identifier size of 4 or 8", id_bytes.to_string()));
    }
    let at = cursor.offset();
    let taken_at_millis = cursor.u64().ok_or_else(|| wrong(at, "the timestamp", String::new()))?;
    Ok(Index { version, id_bytes, taken_at_millis, ..Index::default() })
}

/// Continues after a dump of doubtful length.
pub(super) fn records_after(file: &[u8], offset: u64, index: &mut Index, task: &Task) -> Result<(), Cancelled> {
    records(file, Cursor::new(file, offset), index, task)
}

fn records(file: &[u8], cursor: Cursor<'_>, index: &mut Index, task: &Task) -> Result<(), Cancelled> {
    walk(file, cursor, index, task)?;
    index.strings.extend(std::mem::take(&mut index.strings_in_order));
    Ok(())
}

fn walk(file: &[u8], mut cursor: Cursor<'_>, index: &mut Index, task: &Task) -> Result<(), Cancelled> {
    // Offset of the record before the current one, if that is a heap dump: its length may be wrong.
    let mut heap_before = None;
    while cursor.left() > 0 {
        let start = cursor.offset();
        let Some((tag, length)) = record_header(&mut cursor) else {
            index.add_rest(file, start);
            return Ok(());
        };
        let body = cursor.offset();
        let end = body + u64::from(length).min(cursor.left());
        let missing = (body + u64::from(length)).saturating_sub(end);
        if tag == record::HEAP_DUMP || tag == record::HEAP_DUMP_SEGMENT {
            let doubtful = is_doubtful(file, tag, body, length);
            let range = body..if doubtful { file.len() as u64 } else { end };
            if range.end > index.trusted {
                return read_carefully(file, start, index.trusted, index, task);
            }
            index.begin_heap(tag);
            if !doubtful && missing > 0 {
                index.problems.add(ReadProblem::CutSegment, missing, end);
            }
            index.add_segment(Segment { range, doubtful_length: doubtful.then_some(length) });
            if doubtful {
                // Its end is known only after its sub-records are read.
                return Ok(());
            }
            heap_before = (length > 0).then_some(start);
        } else if begins_file(file, start) {
            index.next_file = Some(start);
            return Ok(());
        } else if is_misplaced(file, tag, end, missing, length) || start >= index.trusted {
            if let Some(dump) = index.dumps.last_mut().filter(|_| heap_before.is_some()) {
                dump.pop();
            }
            return read_carefully(file, heap_before.unwrap_or(start), 0, index, task);
        } else {
            index.add_record(file, tag, start, end);
            heap_before = None;
        }
        if cursor.skip(u64::from(length)).is_none() {
            if tag != record::HEAP_DUMP && tag != record::HEAP_DUMP_SEGMENT {
                index.problems.add(ReadProblem::CutRecord, missing, start);
            }
            return Ok(());
        }
    }
    Ok(())
}

/// True if no record can be there: its tag is unknown and no record follows, or it is too long for the file and for
/// its kind.
fn is_misplaced(file: &[u8], tag: u8, end: u64, missing: u64, length: u32) -> bool {
    if missing > 0 {
        return !record::is_known(tag) || u64::from(length) > LONGEST_RECORD;
    }
    !record::is_known(tag) && !begins_record(file, end)
}

/// True if the length of a heap dump, or of a segment of one, cannot be right. Writers that fill in the length of a
/// segment at its end leave 0 if they are killed.
fn is_doubtful(file: &[u8], tag: u8, body: u64, length: u32) -> bool {
    if tag == record::HEAP_DUMP {
        return !ends_well(file, body, length);
    }
    let next = usize::try_from(body).ok().and_then(|body| file.get(body));
    length == 0 && next.is_some_and(|next| !matches!(*next, record::HEAP_DUMP_SEGMENT | record::HEAP_DUMP_END))
}

/// True if a HEAP_DUMP of this length ends at the end of the file or at a plausible record. Lengths in dumps of version
/// 1.0.1 above 4 GiB wrapped, and some writers leave them 0.
fn ends_well(file: &[u8], body: u64, length: u32) -> bool {
    let end = body + u64::from(length);
    if length == 0 {
        return end == file.len() as u64;
    }
    // A truncated file has too large a length; only one that ends too early is doubtful.
    end >= file.len() as u64 || begins_record(file, end)
}
