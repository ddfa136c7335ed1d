//! Top-level records: strings, classes, stacks, and segments of the heap dump.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::problems::{ReadProblem, ReadProblems};
use super::{java::name_text, tags::record, tags::sub};
use crate::cursor::Cursor;

/// Versions written by HotSpot, by Android's `hprof-conv`, and by Android itself (last).
/// The version that ART and Dalvik write.
pub(super) const ANDROID_VERSION: &str = "JAVA PROFILE 1.0.3";

pub(super) const VERSIONS: [&str; 4] =
    ["JAVA PROFILE 1.0", "JAVA PROFILE 1.0.1", "JAVA PROFILE 1.0.2", ANDROID_VERSION];

/// First bytes of every HPROF file.
const MAGIC: &[u8] = b"JAVA PROFILE 1.0";

pub(crate) fn recognises(bytes: &[u8]) -> bool {
    // In dumps as text, the time follows the version.
    bytes.starts_with(MAGIC) && !bytes.iter().take(MAGIC.len() + 4).any(|&byte| byte == b',')
}

/// A LOAD_CLASS record.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoadedClass {
    /// Number of the class in stack frames.
    pub(super) serial: u32,
    pub(super) class: u64,
    pub(super) name: u64,
}

/// A STACK_FRAME record.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawFrame {
    pub(super) method: u64,
    pub(super) signature: u64,
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
    pub(super) strings_in_order: Vec<(u64, (u64, u32))>,
    pub(super) loaded: Vec<LoadedClass>,
    pub(super) class_by_serial: FxHashMap<u32, u64>,
    pub(super) frames: FxHashMap<u64, RawFrame>,
    /// By serial number.
    pub(super) traces: FxHashMap<u32, RawTrace>,
    /// Segments of each dump in the file, in order.
    pub(super) dumps: Vec<Vec<Segment>>,
    pub(super) problems: ReadProblems,
    /// True if the last dump may get more segments.
    pub(super) is_open: bool,
    /// True if the last dump has an end record.
    pub(super) has_ended: bool,
    /// Offset of another dump file behind this one.
    pub(super) next_file: Option<u64>,
    /// Offset up to which record headers are trusted: sub-records beyond it are not where the headers say.
    pub(super) trusted: u64,
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

impl Index {
    /// Begins a dump, unless a segment of the same one came before.
    pub(super) fn begin_heap(&mut self, tag: u8) {
        if !(tag == record::HEAP_DUMP_SEGMENT && self.is_open) {
            self.dumps.push(Vec::new());
        }
        self.is_open = tag == record::HEAP_DUMP_SEGMENT;
        self.has_ended = false;
    }

    /// Adds a segment to the last dump.
    pub(super) fn add_segment(&mut self, segment: Segment) {
        if let Some(dump) = self.dumps.last_mut()
            && !segment.range.is_empty()
        {
            dump.push(segment);
        }
    }

    /// Adds the rest of the file, which has no record header at `start`.
    pub(super) fn add_rest(&mut self, file: &[u8], start: u64) {
        let problem = if self.has_ended { ReadProblem::Trailing } else { ReadProblem::CutHeader };
        self.problems.add(problem, file.len() as u64 - start, start);
    }

    /// Adds a record from `start` to `end` that is no heap dump.
    pub(super) fn add_record(&mut self, file: &[u8], tag: u8, start: u64, end: u64) {
        let body = start + HEADER;
        if !record::is_known(tag) {
            self.problems.add(ReadProblem::UnknownRecord(tag), end - start, start);
        } else if tag == record::HEAP_DUMP_END {
            (self.is_open, self.has_ended) = (false, true);
        } else {
            let inside = usize::try_from(end).ok().and_then(|end| file.get(..end)).unwrap_or(file);
            if small_record(tag, Cursor::new(inside, body), self).is_none() {
                self.problems.add(ReadProblem::ShortRecord(tag), end - body, start);
            }
        }
    }
}

/// Bytes of a record header: tag, time, length.
pub(super) const HEADER: u64 = 9;
/// Maximum length in bytes of a plausible record that is no heap dump. A text has at most 65,535 bytes; a stack
/// trace may have more.
pub(super) const LONGEST_RECORD: u64 = 1 << 20;

pub(super) fn record_header(cursor: &mut Cursor<'_>) -> Option<(u8, u32)> {
    let tag = cursor.u8()?;
    let _time = cursor.u32()?;
    Some((tag, cursor.u32()?))
}

/// True if another HPROF file begins at `offset`: several were joined.
pub(super) fn begins_file(file: &[u8], offset: u64) -> bool {
    Cursor::new(file, offset).take(MAGIC.len() as u64) == Some(MAGIC)
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
            Some((record::HEAP_DUMP | record::HEAP_DUMP_SEGMENT, 0)) => return true,
            Some((tag, length)) if record::is_known(tag) && cursor.skip(u64::from(length)).is_some() => {}
            _ => return false,
        }
    }
    true
}

/// True if the tag at `offset` may be that of a root or of a record.
pub(super) fn is_either(file: &[u8], offset: u64) -> bool {
    let tag = usize::try_from(offset).ok().and_then(|at| file.get(at));
    tag.is_some_and(|&tag| record::is_known(tag) && (sub::ROOT_JNI_GLOBAL..=sub::ROOT_THREAD_OBJECT).contains(&tag))
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
            index.loaded.push(LoadedClass { serial, class, name: inside.id(id_bytes)? });
            index.class_by_serial.insert(serial, class);
        }
        record::STACK_FRAME => {
            let frame = inside.id(id_bytes)?;
            let method = inside.id(id_bytes)?;
            let signature = inside.id(id_bytes)?;
            let source = inside.id(id_bytes)?;
            let class_serial = inside.u32()?;
            let line = inside.u32()?.cast_signed();
            index.frames.insert(frame, RawFrame { method, signature, source, class_serial, line });
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
