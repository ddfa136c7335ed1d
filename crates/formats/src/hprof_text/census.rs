//! First reading of the lines: all ids, classes, counts and roots.

use rustc_hash::FxHashMap;

use super::lines::{ClassReference, Line, Member, Record, RootLine, begins_dump, line, thread_start, trace};
use crate::text_lines::Lines;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{AddressCollector, ImportNote, Severity};

/// Class of objects whose class the agent of JDK 1.4 does not know.
const UNKNOWN: &[u8] = b"<Unknown>";

/// What is outside the heap dumps, and where the last one is.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// Offset after the line that begins the last dump.
    pub(super) begin: u64,
    /// Offsets of the lines that begin the dumps before it.
    pub(super) others: Vec<u64>,
    /// Offset of each stack trace, by serial number.
    pub(super) traces: FxHashMap<u32, u64>,
    /// Names of threads, by their objects.
    pub(super) threads: FxHashMap<u64, String>,
}

impl Outline {
    /// Finds the last heap dump; `None` if there is none.
    pub(super) fn read(file: &[u8], task: &Task) -> Result<Option<Self>, Cancelled> {
        let mut outline = Self::default();
        let mut begins = Vec::new();
        let mut lines = Lines::new(file, 0, file.len() as u64);
        while let Some((offset, bytes)) = lines.next_checked(task)? {
            if begins_dump(bytes) {
                begins.push(offset);
                outline.begin = offset + bytes.len() as u64 + 1;
            } else if let Some(serial) = trace(bytes) {
                outline.traces.insert(serial, offset);
            } else if let Some((object, name)) = thread_start(bytes) {
                outline.threads.insert(object, name);
            }
        }
        let has_end = begins.pop().is_some();
        outline.others = begins;
        Ok(has_end.then_some(outline))
    }

    /// Parse warning about dumps that are not shown.
    pub(super) fn note(&self) -> Option<ImportNote> {
        let count = self.others.len() as u64;
        let message = "heap dumps before the last one in the file: not shown";
        ImportNote::if_any(Severity::Info, count, message, self.others.first().copied())
    }
}

/// A class record.
#[derive(Debug, Default)]
pub(super) struct RawClass<'a> {
    pub(super) id: u64,
    pub(super) name: &'a [u8],
    pub(super) superclass: u64,
    pub(super) loader: u64,
}

/// Objects of one class.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ClassCount {
    pub(super) objects: u64,
    pub(super) bytes: u64,
    /// Size of the first one, in bytes.
    pub(super) size: u64,
}

/// Counts from reading the dump.
#[derive(Debug, Default)]
pub(super) struct Tally<'a> {
    pub(super) classes: Vec<RawClass<'a>>,
    pub(super) instances: FxHashMap<ClassReference<'a>, ClassCount>,
    pub(super) arrays: FxHashMap<ClassReference<'a>, ClassCount>,
    pub(super) roots: Vec<RootLine>,
    /// Number of unrecognized lines, and offset of the first.
    pub(super) bad: (u64, Option<u64>),
    /// Offset of the line that ends the dump; without one it is truncated.
    pub(super) end: Option<u64>,
    pub(super) is_wide: bool,
}

impl Tally<'_> {
    pub(super) fn objects(&self) -> u64 {
        let of = |counts: &FxHashMap<ClassReference<'_>, ClassCount>| counts.values().map(|c| c.objects).sum::<u64>();
        self.classes.len() as u64 + of(&self.instances) + of(&self.arrays)
    }
}

impl Tally<'_> {
    /// Number of objects whose class the agent did not know.
    pub(super) fn of_unknown_class(&self) -> u64 {
        let all = self.instances.iter().chain(&self.arrays);
        all.filter(|(class, _)| class.id == 0 && class.name == UNKNOWN).map(|(_, count)| count.objects).sum()
    }
}

/// Reads the dump that begins at `begin`. Progress counts bytes.
pub(super) fn count<'a>(
    file: &'a [u8],
    begin: u64,
    addresses: &AddressCollector,
    task: &Task,
) -> Result<Tally<'a>, Cancelled> {
    let mut tally = Tally::default();
    let mut ids = addresses.worker();
    let mut lines = Lines::new(file, begin, file.len() as u64);
    let mut is_class = false;
    while let Some((offset, bytes)) = lines.next_checked(task)? {
        match line(bytes) {
            Line::Record(record) => {
                is_class = matches!(record, Record::Class { .. });
                let id = tally.record(record);
                tally.is_wide |= id > u64::from(u32::MAX);
                ids.insert(id);
            }
            Line::Member(member) if is_class => tally.of_class(&member),
            Line::Member(_) | Line::Blank => {}
            Line::Root(root) => tally.roots.push(root),
            Line::End => {
                tally.end = Some(offset);
                break;
            }
            Line::Bad => {
                tally.bad.0 += 1;
                tally.bad.1.get_or_insert(offset);
            }
        }
    }
    task.advance_checked(file.len() as u64 - begin.min(file.len() as u64))?;
    Ok(tally)
}

impl<'a> Tally<'a> {
    fn record(&mut self, record: Record<'a>) -> u64 {
        let (id, size, count) = match record {
            Record::Class { id, name } => {
                self.classes.push(RawClass { id, name, ..RawClass::default() });
                return id;
            }
            Record::Instance { id, size, class } => (id, size, self.instances.entry(class).or_default()),
            Record::Array { id, size, element, .. } => (id, size, self.arrays.entry(element).or_default()),
        };
        if count.objects == 0 {
            count.size = size;
        }
        count.objects += 1;
        count.bytes = count.bytes.saturating_add(size);
        id
    }

    fn of_class(&mut self, member: &Member<'a>) {
        let Some(class) = self.classes.last_mut() else { return };
        match member.name {
            b"super" => class.superclass = member.target,
            b"loader" => class.loader = member.target,
            _ => {}
        }
    }
}
