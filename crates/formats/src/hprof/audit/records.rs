//! The records of a file, one after another, and the descriptions of classes in its heap dumps.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::bytes::{Bytes, size_of};
use super::findings::Findings;
use super::sub_records::{SubRecord, sub_record};
use crate::error::{FormatError, OpenError};
use heaplens_base::Task;

/// First bytes of a file, and of one that was joined to it.
const MAGIC: &[u8] = b"JAVA PROFILE 1.0";
/// What may follow, up to the first zero.
const VERSIONS: [&[u8]; 4] = [b"", b".1", b".2", b".3"];
/// Size from which on a heap dump is divided, and up to which small ones are joined, for threads.
const PART: usize = 4 << 20;

/// A class dump.
#[derive(Debug, Default)]
pub(super) struct ClassDump {
    pub(super) id: u64,
    pub(super) superclass: u64,
    /// Name, type and value of static fields.
    pub(super) statics: Vec<(u64, u64, u64)>,
    /// Name and type of fields.
    pub(super) fields: Vec<(u64, u64)>,
}

/// Contents of the records.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) id_bytes: usize,
    /// Strings by id, in file order.
    pub(super) strings: Vec<(u64, Range<usize>)>,
    /// Strings that are names, and those that are names of source files.
    pub(super) names: FxHashSet<u64>,
    pub(super) sources: FxHashSet<u64>,
    /// Name ids of classes.
    pub(super) class_names: FxHashMap<u64, u64>,
    pub(super) classes: Vec<ClassDump>,
    /// Texts of names of classes and fields.
    pub(super) texts: FxHashMap<u64, Range<usize>>,
    pub(super) traces: FxHashSet<u32>,
    /// Parts of heap dumps that consist of whole sub-records.
    pub(super) segments: Vec<Range<usize>>,
}

impl Tables {
    /// The segments in groups, one for a task of a thread: a dump may have a segment for every object.
    pub(super) fn groups(&self) -> Vec<&[Range<usize>]> {
        let mut bytes = 0;
        let joined = self.segments.chunk_by(|segment, _| {
            bytes += segment.len();
            let is_full = bytes >= PART;
            if is_full {
                bytes = 0;
            }
            !is_full
        });
        joined.collect()
    }

    pub(super) fn heap_bytes(&self) -> u64 {
        self.segments.iter().map(|range| range.len() as u64).sum()
    }

    /// True if a number is that of a stack trace, or of none.
    pub(super) fn is_trace(&self, serial: u64) -> bool {
        serial == 0 || u32::try_from(serial).is_ok_and(|serial| self.traces.contains(&serial))
    }
}

/// Reads all records.
///
/// # Errors
/// If the header is not that of a dump.
pub(super) fn read_records(file: &[u8], findings: &mut Findings, task: &Task) -> Result<Tables, OpenError> {
    let mut bytes = Bytes::new(file, 0..file.len());
    let mut tables = header(&mut bytes)?;
    let mut heaps = Vec::new();
    while bytes.left() > 0 {
        task.checkpoint()?;
        let start = bytes.at;
        let is_joined = file.get(start..).is_some_and(|rest| rest.starts_with(MAGIC));
        let head = (!is_joined).then(|| record_head(&mut bytes)).flatten();
        let Some((tag, length)) = head else {
            bytes.at = start;
            findings.see_unassigned(bytes.rest(), start, if is_joined { "another dump" } else { "rest of the file" });
            break;
        };
        let body = bytes.at;
        if matches!(tag, 0x0c | 0x1c) {
            // A writer that did not finish, or a length that wrapped: the dump ends where its sub-records do.
            let end = body.saturating_add(length);
            let is_doubtful =
                length == 0 && bytes.left() > 0 || tag == 0x0c && end < file.len() && !is_record(file, end);
            let range = body..if is_doubtful && !is_record(file, body) { file.len() } else { end.min(file.len()) };
            if end > file.len() {
                findings.see_broken(file.len());
            }
            bytes.at = read_heap(file, range, is_doubtful, &mut tables, &mut heaps, findings, task)?;
            continue;
        }
        task.advance((length + 9) as u64);
        let Some(inside) = bytes.take(length) else {
            findings.see_broken(start);
            findings.see_unassigned(bytes.rest(), start, "record that is cut off");
            break;
        };
        record(tag, Bytes::new(file, body..body + inside.len()), &mut tables, findings);
    }
    tables.segments = heaps;
    let ids = tables.class_names.values().copied();
    let fields = tables
        .classes
        .iter()
        .flat_map(|class| class.fields.iter().map(|field| field.0).chain(class.statics.iter().map(|field| field.0)));
    tables.names.extend(ids.chain(fields));
    let texts = tables.strings.iter().filter(|(id, _)| tables.names.contains(id));
    tables.texts = texts.map(|(id, range)| (*id, range.clone())).collect();
    Ok(tables)
}

fn header(bytes: &mut Bytes<'_>) -> Result<Tables, FormatError> {
    let wrong = |offset: usize| {
        let advice = "Take or copy the dump again.";
        FormatError::new("HPROF", offset as u64, "the header of a dump", "something else", advice)
    };
    let version = bytes.take(MAGIC.len()).filter(|magic| *magic == MAGIC).ok_or_else(|| wrong(0))?.len();
    let rest = bytes.clone().rest();
    let is_version = |of: &&&[u8]| rest.starts_with(of) && rest.get(of.len()) == Some(&0);
    let more = VERSIONS.iter().find(is_version).ok_or_else(|| wrong(version))?.len();
    bytes.take(more + 1);
    let id_bytes = bytes.length().filter(|id| matches!(id, 4 | 8)).ok_or_else(|| wrong(bytes.at))?;
    bytes.number(8).ok_or_else(|| wrong(bytes.at))?;
    Ok(Tables { id_bytes, ..Tables::default() })
}

fn record_head(bytes: &mut Bytes<'_>) -> Option<(u64, usize)> {
    let tag = bytes.number(1)?;
    let _time = bytes.number(4)?;
    Some((tag, bytes.length()?))
}

/// True if a record of a known kind that fits into the file, or the end of the file, is at an offset.
fn is_record(file: &[u8], at: usize) -> bool {
    let mut bytes = Bytes::new(file, at..file.len());
    at == file.len()
        || record_head(&mut bytes).is_some_and(|(tag, length)| {
            matches!(tag, 0x01..=0x07 | 0x0a..=0x0e | 0x1c | 0x2c) && length <= bytes.left()
        })
}

/// A record that is no heap dump.
fn record(tag: u64, mut inside: Bytes<'_>, tables: &mut Tables, findings: &mut Findings) {
    let (start, id) = (inside.at, tables.id_bytes);
    let read = match tag {
        0x01 => inside.number(id).map(|string| {
            let text = inside.at..inside.at + inside.left();
            inside.at = text.end;
            tables.strings.push((string, text));
        }),
        0x02 => load_class(&mut inside, tables, findings),
        0x04 => (|| {
            let _frame = inside.number(id)?;
            tables.names.extend([inside.number(id)?, inside.number(id)?]);
            tables.sources.insert(inside.number(id)?);
            inside.take(8).map(drop)
        })(),
        0x05 => (|| {
            let serial = inside.number(4)?;
            tables.traces.extend(u32::try_from(serial));
            let _thread = inside.number(4)?;
            let frames = inside.length()?;
            inside.take(frames.checked_mul(id)?).map(drop)
        })(),
        // Counts of objects, serial numbers, and ids of strings, which are judged as strings.
        0x03 | 0x0b => inside.take(4).map(drop),
        0x07 => inside.take(24).map(drop),
        0x0a => inside.take(8 + 4 * id).map(drop),
        0x0e => inside.take(6).map(drop),
        0x06 => (|| {
            inside.take(2 + 4 + 4 + 4 + 8 + 8)?;
            let sites = inside.length()?;
            inside.take(sites.checked_mul(25)?).map(drop)
        })(),
        0x0d => (|| {
            inside.take(4)?;
            let traces = inside.length()?;
            inside.take(traces.checked_mul(8)?).map(drop)
        })(),
        0x2c => Some(()),
        _ => None,
    };
    if read.is_none() {
        inside.at = start;
    }
    let at = inside.at;
    let what = if read.is_some() { "end of record" } else { "record" };
    findings.see_unassigned(inside.rest(), at, &format!("{what} {tag:#04x}"));
}

fn load_class(inside: &mut Bytes<'_>, tables: &mut Tables, findings: &mut Findings) -> Option<()> {
    let _serial = inside.number(4)?;
    let class = inside.number(tables.id_bytes)?;
    let at = inside.at;
    let trace = inside.take(4)?;
    let name = inside.number(tables.id_bytes)?;
    // HotSpot numbers the empty trace 1, and writes it later.
    if !matches!(trace, [0, 0, 0, 0 | 1]) {
        findings.see_unassigned(trace, at, "stack trace of a class");
    }
    tables.class_names.insert(class, name);
    tables.names.insert(name);
    Some(())
}

/// Reads the classes and heaps of a heap dump; returns its end.
fn read_heap(
    file: &[u8],
    range: Range<usize>,
    is_doubtful: bool,
    tables: &mut Tables,
    heaps: &mut Vec<Range<usize>>,
    findings: &mut Findings,
    task: &Task,
) -> Result<usize, OpenError> {
    let mut bytes = Bytes::new(file, range.clone());
    let mut part = range.start;
    while bytes.left() > 0 {
        let at = bytes.at;
        if at - part >= PART {
            task.advance_checked((at - part) as u64)?;
            heaps.push(part..at);
            part = at;
        }
        match sub_record(&mut bytes, tables.id_bytes) {
            Some(SubRecord::Class) => {
                let mut class = Bytes::new(file, at..bytes.at);
                let _read = class_dump(&mut class, tables, findings);
            }
            Some(SubRecord::Heap(name)) => {
                tables.names.insert(name);
            }
            Some(_) => {}
            None => {
                heaps.push(part..at);
                if is_doubtful && is_record(file, at) {
                    return Ok(at);
                }
                bytes.at = at;
                findings.see_broken(at);
                findings.see_unassigned(bytes.rest(), at, "rest of a heap dump segment");
                return Ok(bytes.at);
            }
        }
    }
    if part < bytes.at {
        heaps.push(part..bytes.at);
    }
    Ok(bytes.at)
}

/// A class dump, whose bytes are all there.
fn class_dump(bytes: &mut Bytes<'_>, tables: &mut Tables, findings: &mut Findings) -> Option<()> {
    let id = tables.id_bytes;
    bytes.take(1)?;
    let mut class = ClassDump { id: bytes.number(id)?, ..ClassDump::default() };
    bytes.take(4)?;
    class.superclass = bytes.number(id)?;
    // Loader, signers, protection domain.
    bytes.take(3 * id)?;
    let at = bytes.at;
    findings.see_unassigned(bytes.take(2 * id)?, at, "reserved ids of a class");
    bytes.take(4)?;
    for _ in 0..bytes.number(2)? {
        bytes.take(2)?;
        let size = size_of(bytes.number(1)?, id)?;
        let at = bytes.at;
        findings.see_unassigned(bytes.take(size)?, at, "constant of a class");
    }
    for _ in 0..bytes.number(2)? {
        let (name, kind) = (bytes.number(id)?, bytes.number(1)?);
        class.statics.push((name, kind, bytes.number(size_of(kind, id)?)?));
    }
    for _ in 0..bytes.number(2)? {
        class.fields.push((bytes.number(id)?, bytes.number(1)?));
    }
    tables.classes.push(class);
    Some(())
}
