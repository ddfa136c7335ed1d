//! Dumps without values of the program, to be given to others: texts and numbers, in arrays and boxed, are blanked in
//! the same way as Shark does it, and numbers in fields become zero if asked for. Every tool can still read objects,
//! sizes, references and names.

mod boxed;
mod class_numbers;
mod kept_numbers;
mod layouts;
mod marker;
mod number_fields;
mod tables;
mod used_names;

use std::io::{BufWriter, Write};

use rustc_hash::{FxHashMap, FxHashSet};

use self::boxed::boxed_classes;
use self::class_numbers::{ClassNumber, class_numbers};
pub(super) use self::kept_numbers::{KeptNumbers, may_count};
use self::layouts::Layouts;
pub(super) use self::marker::note;
use self::marker::{find_marker, free_id};
use self::number_fields::NumberFields;
use self::tables::{BLANK, write_tables};
use self::used_names::UsedNames;
use super::record_sizes::{ElementStorage, RecordSize, measure, record, record_head};
use super::tags::{BasicType, record as tags, sub};
use super::{pieces, record_walk};
use crate::stripping::{StripMarker, StripOptions, StripStatistics};
use crate::{cursor::Cursor, error::OpenError};
use heaplens_base::{Task, Unit};
use heaplens_heap::Severity;

/// Size from which on a segment is written, in bytes.
const SEGMENT: usize = 1 << 20;
/// Size of the blank buffer: a multiple of every element width.
const BLANKS: usize = 1 << 14;
/// Growth limit of a stripped file. Arrays without contents in a cropped dump are filled with blanks, so that tools
/// that do not know cropped arrays can read them; but a few bytes may claim arrays of any length, so the file may grow
/// at most by this factor or by a fixed number of bytes.
const GROWTH: u64 = 32;
const GROWTH_OF_SMALL: u64 = 16 << 20;

/// Writes the last dump of a file without contents; if `heaps` are named, with instances and arrays of these only.
pub(crate) fn strip(
    file: &[u8],
    options: &StripOptions,
    out: &mut dyn Write,
    task: &Task,
) -> Result<StripStatistics, OpenError> {
    let mut index = record_walk::index(file, record_walk::TRUST_ALL, task)?;
    let pieces = pieces::pieces(file, &mut index, task)?;
    task.step("Reading classes", Unit::Bytes, 0);
    let numbers = options.numbers.then(|| NumberFields::find(file, &index, &pieces, task)).transpose()?;
    task.step("Reading names", Unit::Bytes, pieces::bytes(&pieces));
    let used = UsedNames::find(file, &index, &pieces, task)?;
    let layouts = Layouts::find(file, index.id_bytes, &pieces, task)?;
    task.step("Writing", Unit::Bytes, pieces::bytes(&pieces));
    let heaps = &*options.heaps;
    let before = find_marker(file, &index);
    let marker = StripMarker::new(options, before.map(|(_, marker)| marker));
    // It replaces an earlier one.
    let marker_id = before.map_or_else(|| free_id(&index), |(id, _)| id);
    let mut stripper = Stripper {
        file,
        id_bytes: index.id_bytes,
        heaps,
        numbers,
        layouts,
        traces: index.traces.keys().copied().collect(),
        out,
        boxes: boxed_classes(file, &index),
        statistics: StripStatistics::default(),
        segment: Vec::new(),
        current: Vec::new(),
        is_excluded: false,
        names: FxHashMap::default(),
        task,
        growth: (file.len() as u64).saturating_mul(GROWTH).max(GROWTH_OF_SMALL),
    };
    if !heaps.is_empty() {
        stripper.names = index.strings.keys().filter_map(|&id| Some((id, index.text(file, id)?))).collect();
    }
    stripper.header(&index.version)?;
    let mut tables = BufWriter::new(&mut *stripper.out);
    stripper.statistics.names = write_tables((file, &index), &used, (marker_id, &marker.text()), &mut tables, task)?;
    tables.flush()?;
    drop(tables);
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
    let notes = index.problems.notes().into_iter().filter(|note| note.severity == Severity::DataLost);
    stripper.statistics.notes = notes.collect();
    Ok(stripper.statistics)
}

/// Clears the number of a stack trace that is not there.
fn clear_unknown_trace(bytes: &mut [u8], at: usize, traces: &FxHashSet<u32>) {
    let Some(serial) = bytes.get_mut(at..at + 4) else { return };
    let number = serial.iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
    if !traces.contains(&number) {
        serial.fill(0);
    }
}

/// Offset of the number of static fields in a class dump.
fn statics_at(bytes: &[u8], id_bytes: u32) -> Option<usize> {
    let mut cursor = Cursor::new(bytes, 1 + 7 * u64::from(id_bytes) + 8);
    for _ in 0..cursor.u16()? {
        cursor.u16()?;
        let kind = BasicType::from_tag(cursor.u8()?)?;
        cursor.skip(kind.bytes(id_bytes).into())?;
    }
    usize::try_from(cursor.offset()).ok()
}

struct Stripper<'a> {
    file: &'a [u8],
    id_bytes: u32,
    /// Heaps of Android to keep; empty: all.
    heaps: &'a [String],
    /// Numbers in fields to remove; `None`: none.
    numbers: Option<NumberFields>,
    layouts: Layouts,
    /// Numbers of the stack traces.
    traces: FxHashSet<u32>,
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

    /// Writes the header.
    fn header(&mut self, version: &str) -> Result<(), OpenError> {
        let mut cursor = Cursor::new(self.file, version.len() as u64 + 1);
        // Heap dump segments require version 1.0.2.
        let version = if version < "JAVA PROFILE 1.0.2" { "JAVA PROFILE 1.0.2" } else { version };
        self.write(version.as_bytes())?;
        self.write(&[0])?;
        let numbers = cursor.take(12).unwrap_or_default();
        self.write(numbers)
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
                self.copy(bytes);
            }
            sub::ROOT_JNI_GLOBAL => {
                let object = 1 + self.id_bytes as usize;
                self.segment.extend_from_slice(bytes.get(..object).unwrap_or(bytes));
                // The address of the reference itself is that of no object.
                self.segment.resize(self.segment.len() + self.id_bytes as usize, 0);
            }
            sub::INSTANCE_DUMP => self.instance(bytes),
            sub::CLASS_DUMP => self.class(bytes),
            sub::PRIMITIVE_ARRAY_DUMP | sub::PRIMITIVE_ARRAY_NODATA => self.numbers(bytes)?,
            _ => self.segment.extend_from_slice(bytes),
        }
        if self.segment.len() >= SEGMENT {
            self.flush()?;
        }
        Ok(true)
    }

    /// Copies the record of an object, without the number of a stack trace that is not there.
    fn copy(&mut self, bytes: &[u8]) {
        let at = self.segment.len() + 1 + self.id_bytes as usize;
        self.segment.extend_from_slice(bytes);
        clear_unknown_trace(&mut self.segment, at, &self.traces);
    }

    fn instance(&mut self, bytes: &[u8]) {
        self.statistics.objects += 1;
        let at = self.segment.len();
        self.copy(bytes);
        let id = u64::from(self.id_bytes);
        let object = Cursor::new(bytes, 1).id(self.id_bytes).unwrap_or_default();
        let Some(class) = Cursor::new(bytes, 1 + id + 4).id(self.id_bytes) else { return };
        let from = at + 1 + 2 * id as usize + 8;
        let rest = self.segment.get_mut(from + self.layouts.bytes(class)..).unwrap_or_default();
        self.statistics.unassigned += u64::from(rest.iter().any(|byte| *byte != 0));
        rest.fill(0);
        let Some(&value) = self.boxes.get(&class) else {
            let values = self.segment.get_mut(from..).unwrap_or_default();
            let length = values.len();
            let ranges = self.numbers.iter().flat_map(|numbers| numbers.of(object, class, length));
            let mut has_numbers = false;
            for range in ranges {
                let end = (range.end as usize).min(values.len());
                let numbers = values.get_mut(range.start as usize..end).unwrap_or_default();
                has_numbers |= numbers.iter().any(|byte| *byte != 0);
                numbers.fill(0);
            }
            self.statistics.zeroed += u64::from(has_numbers);
            return;
        };
        if let Some(value) = self.segment.get_mut(from..from + value) {
            value.fill(0);
            self.statistics.blanked += 1;
        }
    }

    /// Copies a class without constants and reserved ids, with static numbers set to zero.
    fn class(&mut self, bytes: &[u8]) {
        let (at, id) = (self.segment.len(), self.id_bytes as usize);
        let constants = 1 + 7 * id + 8;
        let Some(statics) = statics_at(bytes, self.id_bytes) else { return };
        self.copy(bytes.get(..constants).unwrap_or(bytes));
        // After signers and protection domain; before the size of an instance.
        let reserved = at + 1 + 4 + 5 * id;
        self.segment.get_mut(reserved..reserved + 2 * id).into_iter().for_each(|ids| ids.fill(0));
        self.segment.extend([0; 2]);
        self.segment.extend_from_slice(bytes.get(statics..).unwrap_or_default());
        let Some(numbers) = &self.numbers else { return };
        let Some(class) = Cursor::new(bytes, 1).id(self.id_bytes) else { return };
        let written = self.segment.get(at..).unwrap_or_default();
        let Some(class_values) = class_numbers(written, self.id_bytes) else { return };
        let mut has_numbers = false;
        for ClassNumber { name, start, end } in class_values {
            if name.is_some_and(|name| numbers.keeps_static(class, name)) {
                continue;
            }
            let value = self.segment.get_mut(at + start..at + end).unwrap_or_default();
            has_numbers |= value.iter().any(|byte| *byte != 0);
            value.fill(0);
        }
        self.statistics.zeroed += u64::from(has_numbers);
    }

    fn numbers(&mut self, bytes: &[u8]) -> Result<(), OpenError> {
        let head = 1 + u64::from(self.id_bytes) + 4;
        let mut cursor = Cursor::new(bytes, head);
        let (Some(length), Some(kind)) = (cursor.u32(), cursor.u8().and_then(BasicType::from_tag)) else {
            return Ok(());
        };
        let mut rest =
            usize::try_from(cursor.offset()).ok().and_then(|end| bytes.get(1..end)).unwrap_or_default().to_vec();
        clear_unknown_trace(&mut rest, self.id_bytes as usize, &self.traces);
        let room = u64::from(length) * u64::from(kind.bytes(self.id_bytes));
        self.statistics.objects += 1;
        let grows_by = if bytes.first() == Some(&sub::PRIMITIVE_ARRAY_NODATA) { room } else { 0 };
        // The length field limits the size of a segment.
        let fits = u32::try_from(room + (self.current.len() + 1 + rest.len()) as u64).is_ok();
        let Some(growth) = self.growth.checked_sub(grows_by).filter(|_| fits) else {
            self.statistics.unfilled += 1;
            self.segment.push(sub::PRIMITIVE_ARRAY_NODATA);
            self.segment.extend_from_slice(&rest);
            return Ok(());
        };
        self.growth = growth;
        self.statistics.blanked += 1;
        let is_long = room > SEGMENT as u64;
        if is_long {
            self.flush()?;
        }
        self.segment.push(sub::PRIMITIVE_ARRAY_DUMP);
        self.segment.extend_from_slice(&rest);
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
