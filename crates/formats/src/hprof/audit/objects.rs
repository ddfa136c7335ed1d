//! Sub-records of heap dumps: objects, with the bytes in them that must be blank.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::bytes::{Bytes, is_zero, type_name};
use super::classes::ClassTable;
use super::findings::{BLANK, Findings};
use super::records::Tables;
use super::sub_records::{SubRecord, sub_record};
use crate::value_check::{ValueExample, ValueKind};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// True if elements are blanks or zeros. Empty arrays are blank, too.
fn is_blank(kind: u64, elements: &[u8]) -> bool {
    is_zero(elements)
        || match kind {
            8 => elements.iter().all(|byte| *byte == BLANK),
            5 => elements.as_chunks::<2>().0.iter().all(|unit| *unit == [0, BLANK]),
            _ => false,
        }
}

/// Audit of a part of a heap dump.
pub(super) struct ObjectAudit<'a> {
    file: &'a [u8],
    tables: &'a Tables,
    classes: &'a ClassTable,
    /// Counters of collections, whose numbers remain; `None` while they are searched.
    known_counters: Option<&'a FxHashSet<u64>>,
    /// Objects that collections refer to as their counters.
    pub(super) counters: FxHashSet<u64>,
    pub(super) findings: Findings,
}

impl<'a> ObjectAudit<'a> {
    pub(super) fn new(
        file: &'a [u8],
        tables: &'a Tables,
        classes: &'a ClassTable,
        known_counters: Option<&'a FxHashSet<u64>>,
    ) -> Self {
        Self { file, tables, classes, known_counters, counters: FxHashSet::default(), findings: Findings::default() }
    }

    /// Reads all sub-records of a part.
    pub(super) fn walk(&mut self, range: Range<usize>, task: &Task) -> Result<(), Cancelled> {
        let id = self.tables.id_bytes;
        let mut bytes = Bytes::new(self.file, range.clone());
        let mut records = 0_usize;
        while bytes.left() > 0 {
            records += 1;
            if records.is_multiple_of(CHECKPOINT_EVERY) {
                task.checkpoint()?;
            }
            let at = bytes.at;
            let Some(record) = sub_record(&mut bytes, id) else { break };
            if self.known_counters.is_none() {
                if let SubRecord::Instance(_, class, values) = record {
                    self.classes.each_field(class, values, |field, value| {
                        if field.is_counter
                            && let [_, ..] = value
                        {
                            self.counters.insert(value.iter().fold(0, |id, byte| id << 8 | u64::from(*byte)));
                        }
                    });
                }
                continue;
            }
            self.trace(&record, at);
            match record {
                SubRecord::Instance(object, class, values) => self.instance(object, class, values, bytes.at),
                SubRecord::Array(object, kind, length, elements) => {
                    let of = if matches!(kind, 5 | 8) { ValueKind::Texts } else { ValueKind::Arrays };
                    self.findings.see(of, !is_blank(kind, elements), || ValueExample {
                        id: format!("{object:#x}"),
                        class: format!("{}[]", type_name(kind)),
                        length: length as u64,
                    });
                }
                // It is that of no object. Zeros are not counted as places.
                SubRecord::Global(object, address) if !is_zero(address) => {
                    self.findings.see(ValueKind::Unassigned, true, || ValueExample {
                        id: format!("{object:#x}"),
                        class: "address of a global reference of JNI".to_owned(),
                        length: address.len() as u64,
                    });
                }
                SubRecord::Global(..) | SubRecord::Class | SubRecord::Heap(_) | SubRecord::Other => {}
            }
        }
        task.advance_checked(range.len() as u64)
    }

    /// The number of the stack trace of an object.
    fn trace(&mut self, record: &SubRecord<'_>, at: usize) {
        let tag = self.file.get(at).copied().unwrap_or_default();
        if !matches!(record, SubRecord::Class | SubRecord::Instance(..) | SubRecord::Array(..)) && tag != 0x22 {
            return;
        }
        let at = at + 1 + self.tables.id_bytes;
        let mut bytes = Bytes::new(self.file, at..at + 4);
        let trace = bytes.take(4).unwrap_or_default();
        let serial = trace.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        if !self.tables.is_trace(serial) {
            self.findings.see_unassigned(trace, at, "number of a stack trace that is not there");
        }
    }

    fn instance(&mut self, object: u64, class: u64, values: &[u8], end: usize) {
        let is_counter = self.classes.may_count(class) && self.known_counters.is_some_and(|of| of.contains(&object));
        let is_boxed = self.classes.is_boxed(class);
        let (mut bytes, mut has_value) = (0, false);
        let described = self.classes.each_field(class, values, |field, value| {
            if !field.is_reference && (is_boxed || !(field.is_kept || is_counter)) {
                bytes += value.len();
                has_value |= !is_zero(value);
            }
        });
        let example = || ValueExample {
            id: format!("{object:#x}"),
            class: ClassTable::name(self.file, self.tables, class),
            length: bytes as u64,
        };
        let kind = if is_boxed { ValueKind::Boxed } else { ValueKind::Fields };
        if bytes > 0 {
            self.findings.see(kind, has_value, example);
        }
        let rest = values.get(described..).unwrap_or_default();
        self.findings.see_unassigned(rest, end - rest.len(), "end of an instance");
    }
}
