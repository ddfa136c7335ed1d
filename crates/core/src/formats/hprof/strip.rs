//! Dumps without values of the program, to be given to others: texts and numbers, in arrays and boxed, are blanked in
//! the same way as Shark does it. Every tool can still read objects, sizes, references and names.

use std::io::Write;

use rustc_hash::FxHashMap;

use super::android::record_sizes::{ElementStorage, RecordSize, measure, record, record_head};
use super::tags::{BasicType, record as tags, sub};
use super::{pieces, records, runtime_rules::BOXED};
use crate::formats::{class_names::of_class_file, cursor::Cursor, error::OpenError};
use heaplens_base::{Task, Unit};

/// Statistics of a stripped dump.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StripStatistics {
    /// Number of objects written, without class objects.
    pub objects: u64,
    /// Number of primitive arrays and boxed values that were blanked.
    pub blanked: u64,
    /// Arrays without recorded contents that are too long to be filled with blanks.
    pub unfilled: u64,
    /// Objects outside the selected heaps.
    pub left_out: u64,
    /// Offset at which the dump became unreadable.
    pub broken: Option<u64>,
}

/// Size from which on a segment is written, in bytes.
const SEGMENT: usize = 1 << 20;
/// Replacement for a character or byte.
const BLANK: u8 = b'?';
/// Size of the blank buffer: a multiple of every element width.
const BLANKS: usize = 1 << 14;
/// Growth limit of a stripped file. Arrays without contents in a cropped dump are filled with blanks, so that tools
/// that do not know cropped arrays can read them; but a few bytes may claim arrays of any length, so the file may grow
/// at most by this factor or by a fixed number of bytes.
const GROWTH: u64 = 32;
const GROWTH_OF_SMALL: u64 = 16 << 20;

/// Writes the last dump of a file without contents; if `heaps` are named, with instances and arrays of these only.
pub(in crate::formats) fn strip(
    file: &[u8],
    heaps: &[String],
    out: &mut dyn Write,
    task: &Task,
) -> Result<StripStatistics, OpenError> {
    let mut index = records::index(file)?;
    let pieces = pieces::pieces(file, &mut index, task)?;
    task.step("Writing", Unit::Bytes, pieces::bytes(&pieces));
    let mut stripper = Stripper {
        file,
        id_bytes: index.id_bytes,
        heaps,
        out,
        boxes: FxHashMap::default(),
        statistics: StripStatistics::default(),
        segment: Vec::new(),
        current: Vec::new(),
        is_excluded: false,
        names: FxHashMap::default(),
        task,
        growth: (file.len() as u64).saturating_mul(GROWTH).max(GROWTH_OF_SMALL),
    };
    for loaded in &index.loaded {
        let name = index.text(file, loaded.name).map(|name| of_class_file(&name)).unwrap_or_default();
        let value = BOXED.iter().position(|boxed| *boxed == name).and_then(|at| VALUES.get(at).copied());
        stripper.boxes.extend(value.map(|bytes| (loaded.class, bytes)));
    }
    if !heaps.is_empty() {
        stripper.names = index.strings.keys().filter_map(|&id| Some((id, index.text(file, id)?))).collect();
    }
    stripper.tables(&index.version)?;
    for piece in &pieces {
        for (at, range) in piece.ranges.iter().enumerate() {
            if at > 0 || !piece.continues_segment {
                stripper.begin_segment()?;
            }
            let mut cursor = Cursor::new(file.get(..range.end as usize).unwrap_or(file), range.start);
            while cursor.left() > 0 {
                let at = cursor.offset();
                if !stripper.sub_record(&mut cursor)? {
                    stripper.statistics.broken.get_or_insert(at);
                    break;
                }
            }
            task.advance_checked(range.end - range.start)?;
        }
    }
    stripper.flush()?;
    let mut end = Vec::new();
    record(&mut end, tags::HEAP_DUMP_END, &[]);
    stripper.write(&end)?;
    Ok(stripper.statistics)
}

/// Size of the value of each of [`BOXED`], in bytes.
const VALUES: [usize; BOXED.len()] = [1, 1, 2, 8, 4, 4, 8, 2];

struct Stripper<'a> {
    file: &'a [u8],
    id_bytes: u32,
    /// Heaps of Android to keep; empty: all.
    heaps: &'a [String],
    out: &'a mut dyn Write,
    /// Classes of boxed values, and the value sizes in bytes.
    boxes: FxHashMap<u64, usize>,
    statistics: StripStatistics,
    /// Sub-records that are not yet written.
    segment: Vec<u8>,
    /// Record that names the heap of the following objects.
    current: Vec<u8>,
    /// True if the current heap is excluded.
    is_excluded: bool,
    /// Texts by their ids.
    names: FxHashMap<u64, String>,
    task: &'a Task,
    /// Number of bytes that may still be added for contents removed by croppers.
    growth: u64,
}

impl Stripper<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), OpenError> {
        Ok(self.out.write_all(bytes)?)
    }

    /// Writes the header and all records except those of the heap.
    fn tables(&mut self, version: &str) -> Result<(), OpenError> {
        let mut cursor = Cursor::new(self.file, version.len() as u64 + 1);
        // Heap dump segments require version 1.0.2.
        let version = if version < "JAVA PROFILE 1.0.2" { "JAVA PROFILE 1.0.2" } else { version };
        self.write(version.as_bytes())?;
        self.write(&[0])?;
        let numbers = cursor.take(12).unwrap_or_default();
        self.write(numbers)?;
        loop {
            let mut before = cursor;
            let (Some(tag), Some(_), Some(length)) = (cursor.u8(), cursor.u32(), cursor.u32()) else { return Ok(()) };
            if cursor.skip(length.into()).is_none() || !tags::is_known(tag) {
                return Ok(());
            }
            if !matches!(tag, tags::HEAP_DUMP | tags::HEAP_DUMP_SEGMENT | tags::HEAP_DUMP_END) {
                let whole = before.take(cursor.offset() - before.offset()).unwrap_or_default();
                self.write(whole)?;
            }
        }
    }

    fn begin_segment(&mut self) -> Result<(), OpenError> {
        self.current.clear();
        self.is_excluded = !self.heaps.is_empty() && !self.heaps.iter().any(|heap| heap == "default");
        // The current heap applies until the end of a segment.
        self.flush()
    }

    fn flush(&mut self) -> Result<(), OpenError> {
        self.task.checkpoint()?;
        if self.segment.is_empty() {
            return Ok(());
        }
        self.write_segment(0)?;
        self.segment.extend_from_slice(&self.current);
        Ok(())
    }

    /// Writes a segment of the buffered data, with `more` bytes to follow.
    fn write_segment(&mut self, more: u64) -> Result<(), OpenError> {
        let length = self.segment.len() as u64 + more;
        self.write(&record_head(tags::HEAP_DUMP_SEGMENT, length as u32))?;
        self.out.write_all(&self.segment)?;
        self.segment.clear();
        Ok(())
    }

    /// Copies a sub-record; returns true if it was complete.
    fn sub_record(&mut self, cursor: &mut Cursor<'_>) -> Result<bool, OpenError> {
        let mut before = *cursor;
        let Some(RecordSize { tag, stored_bytes, .. }) = measure(cursor, self.id_bytes, ElementStorage::Present) else {
            return Ok(false);
        };
        let bytes = before.take(stored_bytes).unwrap_or_default();
        let mut head = Cursor::new(bytes, 1);
        match tag {
            sub::HEAP_DUMP_INFO => {
                let name = head.u32().and_then(|_| head.id(self.id_bytes)).and_then(|id| self.names.get(&id));
                self.is_excluded = !self.heaps.is_empty() && name.is_none_or(|name| !self.heaps.contains(name));
                self.current = bytes.to_vec();
                self.segment.extend_from_slice(bytes);
            }
            sub::INSTANCE_DUMP | sub::OBJECT_ARRAY_DUMP | sub::PRIMITIVE_ARRAY_DUMP | sub::PRIMITIVE_ARRAY_NODATA
                if self.is_excluded =>
            {
                self.statistics.left_out += 1;
            }
            sub::OBJECT_ARRAY_DUMP => {
                self.statistics.objects += 1;
                self.segment.extend_from_slice(bytes);
            }
            sub::INSTANCE_DUMP => self.instance(bytes),
            sub::PRIMITIVE_ARRAY_DUMP | sub::PRIMITIVE_ARRAY_NODATA => self.numbers(bytes)?,
            _ => self.segment.extend_from_slice(bytes),
        }
        if self.segment.len() >= SEGMENT {
            self.flush()?;
        }
        Ok(true)
    }

    fn instance(&mut self, bytes: &[u8]) {
        self.statistics.objects += 1;
        let at = self.segment.len();
        self.segment.extend_from_slice(bytes);
        let id = u64::from(self.id_bytes);
        let class = Cursor::new(bytes, 1 + id + 4).id(self.id_bytes);
        let Some(&value) = class.and_then(|class| self.boxes.get(&class)) else { return };
        let from = at + 1 + 2 * id as usize + 8;
        if let Some(value) = self.segment.get_mut(from..from + value) {
            value.fill(0);
            self.statistics.blanked += 1;
        }
    }

    fn numbers(&mut self, bytes: &[u8]) -> Result<(), OpenError> {
        let head = 1 + u64::from(self.id_bytes) + 4;
        let mut cursor = Cursor::new(bytes, head);
        let (Some(length), Some(kind)) = (cursor.u32(), cursor.u8().and_then(BasicType::from_tag)) else {
            return Ok(());
        };
        let rest = usize::try_from(cursor.offset()).ok().and_then(|end| bytes.get(1..end)).unwrap_or_default();
        let room = u64::from(length) * u64::from(kind.bytes(self.id_bytes));
        self.statistics.objects += 1;
        let grows_by = if bytes.first() == Some(&sub::PRIMITIVE_ARRAY_NODATA) { room } else { 0 };
        // The length field limits the size of a segment.
        let fits = u32::try_from(room + (self.current.len() + 1 + rest.len()) as u64).is_ok();
        let Some(growth) = self.growth.checked_sub(grows_by).filter(|_| fits) else {
            self.statistics.unfilled += 1;
            self.segment.push(sub::PRIMITIVE_ARRAY_NODATA);
            self.segment.extend_from_slice(rest);
            return Ok(());
        };
        self.growth = growth;
        self.statistics.blanked += 1;
        let is_long = room > SEGMENT as u64;
        if is_long {
            self.flush()?;
        }
        self.segment.push(sub::PRIMITIVE_ARRAY_DUMP);
        self.segment.extend_from_slice(rest);
        if is_long {
            return self.write_long(kind, room);
        }
        self.blank(kind, room as usize);
        Ok(())
    }

    /// Adds `room` blank bytes to the segment.
    fn blank(&mut self, kind: BasicType, room: usize) {
        let end = self.segment.len() + room;
        match kind {
            BasicType::Char => self.segment.extend([0, BLANK].iter().cycle().take(room)),
            BasicType::Byte => self.segment.resize(end, BLANK),
            _ => self.segment.resize(end, 0),
        }
    }

    /// Writes a segment that ends with an array of `room` blank bytes, without having them in memory.
    fn write_long(&mut self, kind: BasicType, room: u64) -> Result<(), OpenError> {
        self.write_segment(room)?;
        self.blank(kind, BLANKS);
        let mut left = room;
        while left > 0 {
            self.task.checkpoint()?;
            let some = self.segment.get(..usize::try_from(left).unwrap_or(BLANKS).min(BLANKS)).unwrap_or_default();
            self.out.write_all(some)?;
            left -= some.len() as u64;
        }
        self.segment.clear();
        self.segment.extend_from_slice(&self.current);
        Ok(())
    }
}
