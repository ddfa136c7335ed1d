//! Top-level records: one walk over their headers finds the strings, classes, stacks, and segments of the heap dump.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::problems::{ReadProblem, ReadProblems};
use super::{java::name_text, tags::record};
use crate::formats::{cursor::Cursor, error::FormatError};

/// Versions written by HotSpot, by Android's `hprof-conv`, and by Android itself (last).
/// The version that ART and Dalvik write.
pub(super) const ANDROID_VERSION: &str = "JAVA PROFILE 1.0.3";

const VERSIONS: [&str; 4] = ["JAVA PROFILE 1.0", "JAVA PROFILE 1.0.1", "JAVA PROFILE 1.0.2", ANDROID_VERSION];

/// First bytes of every HPROF file.
const MAGIC: &[u8] = b"JAVA PROFILE 1.0";

pub(crate) fn recognises(bytes: &[u8]) -> bool {
    // In dumps as text, the time follows the version.
    bytes.starts_with(MAGIC) && !bytes.iter().take(MAGIC.len() + 4).any(|&byte| byte == b',')
}

/// A LOAD_CLASS record.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoadedClass {
    pub(super) class: u64,
    pub(super) name: u64,
}

/// A STACK_FRAME record.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawFrame {
    pub(super) method: u64,
    pub(super) source: u64,
    pub(super) class_serial: u32,
    /// Positive: a line; 0 none, -1 unknown, -2 compiled, -3 native.
    pub(super) line: i32,
}

/// Maximum number of bytes of a name to read.
const LONGEST_NAME: usize = 1024;

/// A STACK_TRACE record.
#[derive(Debug, Clone, Default)]
pub(super) struct RawTrace {
    /// Serial number of the thread; 0 for a trace without thread.
    pub(super) thread: u32,
    /// Ids of the frames, innermost first.
    pub(super) frames: Vec<u64>,
}

/// Part of a heap dump: consecutive sub-records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) range: Range<u64>,
    /// Set if the length in the header cannot be right: the range extends to the end of the file and the segment ends
    /// earlier; this is its length modulo 2³².
    pub(super) doubtful_length: Option<u32>,
}

/// Contents of the record headers.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) version: String,
    pub(super) id_bytes: u32,
    pub(super) taken_at_millis: u64,
    /// Position and length of the text of each string id.
    pub(super) strings: FxHashMap<u64, (u64, u32)>,
    /// Strings in file order, until all records are read. The table is then filled at once, in half the time.
    strings_in_order: Vec<(u64, (u64, u32))>,
    pub(super) loaded: Vec<LoadedClass>,
    pub(super) class_by_serial: FxHashMap<u32, u64>,
    pub(super) frames: FxHashMap<u64, RawFrame>,
    /// By serial number.
    pub(super) traces: FxHashMap<u32, RawTrace>,
    /// Segments of each dump in the file, in order.
    pub(super) dumps: Vec<Vec<Segment>>,
    pub(super) problems: ReadProblems,
}

impl Index {
    /// Text of a string id, shortened to a plausible length: several ids may share a text.
    pub(super) fn text(&self, file: &[u8], id: u64) -> Option<String> {
        let &(offset, length) = self.strings.get(&id)?;
        let bytes = Cursor::new(file, offset).take(u64::from(length))?;
        if bytes.len() <= LONGEST_NAME {
            return Some(name_text(bytes));
        }
        let is_within_a_letter = |&end: &usize| bytes.get(end).is_some_and(|byte| byte & 0xc0 == 0x80);
        let end = (0..=LONGEST_NAME).rev().find(|end| !is_within_a_letter(end)).unwrap_or_default();
        Some(name_text(bytes.get(..end)?) + "…")
    }
}

/// Reads the header and walks the records from there to the end of the file.
pub(super) fn index(file: &[u8]) -> Result<Index, FormatError> {
    let mut cursor = Cursor::new(file, 0);
    let mut index = header(&mut cursor)?;
    // True if the current dump may get more segments.
    let mut open_dump = false;
    records(file, cursor, &mut index, &mut open_dump);
    if open_dump && !index.problems.any_lost() {
        index.problems.add(ReadProblem::NoEndMark, 0, file.len() as u64);
    }
    Ok(index)
}

fn header(cursor: &mut Cursor<'_>) -> Result<Index, FormatError> {
    let wrong = |offset, expected: &str, found: String| {
        FormatError::new("HPROF", offset, expected, found, "Take or copy the dump again.")
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
        let found = format!("\"{version}\"");
        return Err(FormatError::new("HPROF", 0, "version 1.0, 1.0.1, 1.0.2 or 1.0.3", found, advice));
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

fn records(file: &[u8], cursor: Cursor<'_>, index: &mut Index, open_dump: &mut bool) {
    walk(file, cursor, index, open_dump);
    index.strings.extend(std::mem::take(&mut index.strings_in_order));
}

fn walk(file: &[u8], mut cursor: Cursor<'_>, index: &mut Index, open_dump: &mut bool) {
    while cursor.left() > 0 {
        let start = cursor.offset();
        let Some((tag, length)) = record_header(&mut cursor) else {
            index.problems.add(ReadProblem::CutHeader, file.len() as u64 - start, start);
            return;
        };
        let body = cursor.offset();
        let available = cursor.left();
        let missing = u64::from(length).saturating_sub(available);
        if tag == record::HEAP_DUMP || tag == record::HEAP_DUMP_SEGMENT {
            if !(tag == record::HEAP_DUMP_SEGMENT && *open_dump) {
                index.dumps.push(Vec::new());
            }
            *open_dump = tag == record::HEAP_DUMP_SEGMENT;
            let doubtful = tag == record::HEAP_DUMP && !ends_well(file, body, length);
            let segment = if doubtful {
                Segment { range: body..body + available, doubtful_length: Some(length) }
            } else {
                if missing > 0 {
                    index.problems.add(ReadProblem::CutSegment, missing, body + available);
                }
                Segment { range: body..body + u64::from(length).min(available), doubtful_length: None }
            };
            if let Some(dump) = index.dumps.last_mut()
                && !segment.range.is_empty()
            {
                dump.push(segment);
            }
            if doubtful {
                // Its end is known only after its sub-records are read.
                return;
            }
        } else if !record::is_known(tag) {
            index.problems.add(ReadProblem::UnknownRecord(tag), body - start + u64::from(length).min(available), start);
        } else if tag == record::HEAP_DUMP_END {
            *open_dump = false;
        } else {
            let end = usize::try_from(body + u64::from(length).min(available)).unwrap_or(usize::MAX);
            let inside = Cursor::new(file.get(..end).unwrap_or(file), body);
            if small_record(tag, inside, index).is_none() {
                index.problems.add(ReadProblem::ShortRecord(tag), u64::from(length).min(available), start);
            }
        }
        if cursor.skip(u64::from(length)).is_none() {
            if tag != record::HEAP_DUMP && tag != record::HEAP_DUMP_SEGMENT {
                index.problems.add(ReadProblem::CutRecord, missing, start);
            }
            return;
        }
    }
}

fn record_header(cursor: &mut Cursor<'_>) -> Option<(u8, u32)> {
    let tag = cursor.u8()?;
    let _time = cursor.u32()?;
    Some((tag, cursor.u32()?))
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

/// True if a record that fits into the file, or the end of the file, is at `offset`.
pub(super) fn begins_record(file: &[u8], offset: u64) -> bool {
    if offset == file.len() as u64 {
        return true;
    }
    let mut cursor = Cursor::new(file, offset);
    match record_header(&mut cursor) {
        Some((tag, length)) => record::is_known(tag) && u64::from(length) <= cursor.left(),
        None => false,
    }
}

/// True if a record begins at `offset` and is followed by records up to the end of the file, or to a dump of unknown
/// length. Some tags are those of roots too, and a root must not be mistaken for a record. Takes a step off `steps` for
/// each header, and gives up at 0: in a malformed file, the chain from every root may be long.
pub(super) fn leads_to_the_end(file: &[u8], offset: u64, steps: &mut u64) -> bool {
    let mut cursor = Cursor::new(file, offset);
    while cursor.left() > 0 {
        let Some(left) = steps.checked_sub(1) else { return false };
        *steps = left;
        match record_header(&mut cursor) {
            Some((record::HEAP_DUMP, 0)) => return true,
            Some((tag, length)) if record::is_known(tag) && cursor.skip(u64::from(length)).is_some() => {}
            _ => return false,
        }
    }
    true
}

/// Continues after a dump of doubtful length.
pub(super) fn records_after(file: &[u8], offset: u64, index: &mut Index) {
    records(file, Cursor::new(file, offset), index, &mut false);
}

fn small_record(tag: u8, mut inside: Cursor<'_>, index: &mut Index) -> Option<()> {
    let id_bytes = index.id_bytes;
    match tag {
        record::STRING => {
            let id = inside.id(id_bytes)?;
            index.strings_in_order.push((id, (inside.offset(), u32::try_from(inside.left()).ok()?)));
        }
        record::LOAD_CLASS => {
            let serial = inside.u32()?;
            let class = inside.id(id_bytes)?;
            let _stack = inside.u32()?;
            index.loaded.push(LoadedClass { class, name: inside.id(id_bytes)? });
            index.class_by_serial.insert(serial, class);
        }
        record::STACK_FRAME => {
            let frame = inside.id(id_bytes)?;
            let method = inside.id(id_bytes)?;
            let _signature = inside.id(id_bytes)?;
            let source = inside.id(id_bytes)?;
            let class_serial = inside.u32()?;
            let line = inside.u32()?.cast_signed();
            index.frames.insert(frame, RawFrame { method, source, class_serial, line });
        }
        record::STACK_TRACE => {
            let serial = inside.u32()?;
            let thread = inside.u32()?;
            let count = inside.u32()?;
            // Limit the count to the number of existing frames.
            let frames = (0..count).map_while(|_| inside.id(id_bytes)).collect::<Vec<_>>();
            index.traces.insert(serial, RawTrace { thread, frames });
        }
        _ => {}
    }
    Some(())
}
