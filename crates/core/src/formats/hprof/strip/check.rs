//! Whether a dump still has values: data that is neither blank nor zero, no matter who removed the rest.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::used_names::{is_blank as is_blank_text, used_names};
use super::{boxed::boxed_classes, class_numbers::class_numbers, marker::find_marker, number_fields::NumberFields};
use crate::formats::hprof::subrecords::{RawArray, RawClass, RawInstance, Visitor, walk};
use crate::formats::hprof::tags::BasicType;
use crate::formats::hprof::{pieces, pieces::Piece, record_walk, records::Index};
use crate::formats::value_check::{KindCheck, ValueCheck, ValueExample, ValueKind};
use crate::formats::{class_names::of_class_file, cursor::Cursor, error::OpenError};
use heaplens_base::{Cancelled, Task, Unit};

/// Blank character of strippers.
const BLANK: u8 = b'?';

/// Searches the last dump of a file for values.
pub(in crate::formats) fn check(file: &[u8], task: &Task) -> Result<ValueCheck, OpenError> {
    let mut index = record_walk::index(file, record_walk::TRUST_ALL, task)?;
    let pieces = pieces::pieces(file, &mut index, task)?;
    task.step("Reading classes", Unit::Bytes, 0);
    let numbers = NumberFields::find(file, &index, &pieces, task)?;
    let names: FxHashMap<u64, u64> = index.loaded.iter().map(|loaded| (loaded.class, loaded.name)).collect();
    let searched = Searched { file, index: &index, names, numbers: &numbers, boxes: boxed_classes(file, &index) };
    task.step("Searching values", Unit::Bytes, pieces::bytes(&pieces));
    let parts = pieces.par_iter().with_max_len(1).map(|piece| {
        let mut part = Part { searched: &searched, kinds: KINDS.map(KindCheck::new) };
        let mut broken = None;
        for range in &piece.ranges {
            task.advance_checked(range.end - range.start)?;
            if let Err(stop) = walk(file, range.clone(), index.id_bytes, &mut part) {
                broken.get_or_insert(stop.offset);
            }
        }
        Ok((part.kinds, broken))
    });
    let parts = parts.collect::<Result<Vec<_>, Cancelled>>()?;
    let mut check = ValueCheck { kinds: KINDS.map(KindCheck::new).to_vec(), broken: None };
    check.kinds.push(unused_strings(file, &index, &pieces, task)?);
    for (kinds, broken) in parts {
        check.kinds.iter_mut().zip(kinds).for_each(|(all, part)| all.add(part));
        check.broken = check.broken.or(broken);
    }
    Ok(check)
}

/// Strings of the string table that nothing refers to.
fn unused_strings(file: &[u8], index: &Index, pieces: &[Piece], task: &Task) -> Result<KindCheck, Cancelled> {
    task.step("Searching names", Unit::Bytes, pieces::bytes(pieces));
    let used = used_names(file, index, pieces, task)?;
    let marker = find_marker(file, index).map(|(id, _)| id);
    let mut unused: Vec<(u64, u64, u32)> = (index.strings.iter())
        .filter(|(id, _)| !used.contains(id) && Some(**id) != marker)
        .map(|(&id, &(offset, length))| (offset, id, length))
        .collect();
    unused.sort_unstable();
    let mut found = KindCheck::new(ValueKind::Unused);
    for (offset, id, length) in unused {
        let text = Cursor::new(file, offset).take(length.into()).unwrap_or_default();
        found.see(!is_blank_text(text), || ValueExample {
            id: format!("{id:#x}"),
            class: "string of the string table".to_owned(),
            length: length.into(),
        });
    }
    Ok(found)
}

/// Kinds of values of objects in this format.
const KINDS: [ValueKind; 4] = [ValueKind::Texts, ValueKind::Arrays, ValueKind::Boxed, ValueKind::Fields];

struct Searched<'a> {
    file: &'a [u8],
    index: &'a Index,
    names: FxHashMap<u64, u64>,
    numbers: &'a NumberFields,
    /// Classes of boxed values, and the value sizes in bytes.
    boxes: FxHashMap<u64, usize>,
}

impl Searched<'_> {
    fn class(&self, class: u64) -> String {
        let name = self.names.get(&class).and_then(|&name| self.index.text(self.file, name));
        name.map_or_else(|| format!("unknown class {class:#x}"), |name| of_class_file(&name))
    }
}

struct Part<'a> {
    searched: &'a Searched<'a>,
    kinds: [KindCheck; KINDS.len()],
}

impl Part<'_> {
    fn see(&mut self, kind: ValueKind, has_value: bool, example: impl FnOnce() -> ValueExample) {
        if let Some(of) = self.kinds.iter_mut().find(|of| of.kind == kind) {
            of.see(has_value, example);
        }
    }
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// True if elements are blanks or zeros. Empty arrays are blank, too.
fn is_blank(kind: BasicType, elements: &[u8]) -> bool {
    is_zero(elements)
        || match kind {
            BasicType::Byte => elements.iter().all(|byte| *byte == BLANK),
            BasicType::Char => elements.as_chunks::<2>().0.iter().all(|unit| *unit == [0, BLANK]),
            _ => false,
        }
}

impl<'a> Visitor<'a> for Part<'_> {
    fn array(&mut self, array: RawArray<'a>) {
        if array.kind == BasicType::Object {
            return;
        }
        let kind =
            if matches!(array.kind, BasicType::Byte | BasicType::Char) { ValueKind::Texts } else { ValueKind::Arrays };
        self.see(kind, !is_blank(array.kind, array.elements), || ValueExample {
            id: format!("{:#x}", array.id),
            class: format!("{}[]", array.kind.name()),
            length: array.length.into(),
        });
    }

    fn instance(&mut self, instance: RawInstance<'a>) {
        let searched = self.searched;
        let example = |bytes: usize| ValueExample {
            id: format!("{:#x}", instance.id),
            class: searched.class(instance.class),
            length: bytes as u64,
        };
        if let Some(&bytes) = searched.boxes.get(&instance.class) {
            let value = instance.values.get(..bytes).unwrap_or(instance.values);
            self.see(ValueKind::Boxed, !is_zero(value), || example(bytes));
            return;
        }
        let ranges = searched.numbers.of(instance.id, instance.class);
        let numbers = || {
            ranges.iter().filter_map(|range| {
                let end = (range.end as usize).min(instance.values.len());
                instance.values.get(range.start as usize..end).filter(|bytes| !bytes.is_empty())
            })
        };
        if numbers().next().is_some() {
            let bytes = || numbers().map(<[u8]>::len).sum();
            self.see(ValueKind::Fields, !numbers().all(is_zero), || example(bytes()));
        }
    }

    fn class(&mut self, class: RawClass) {
        let searched = self.searched;
        let numbers = class
            .statics
            .iter()
            .filter(|field| field.kind != BasicType::Object && !searched.numbers.keeps_static(class.id, field.name));
        let (mut bytes, mut has_value) = (0, false);
        for field in numbers {
            bytes += u64::from(field.kind.bytes(searched.index.id_bytes));
            has_value |= field.value != 0;
        }
        let constants = || {
            let at = usize::try_from(class.offset).ok()?;
            let dump = searched.file.get(at..)?;
            let found = class_numbers(dump, searched.index.id_bytes)?;
            let mut constants = found.into_iter().filter(|number| number.name.is_none());
            Some(constants.any(|number| dump.get(number.start..number.end).is_some_and(|value| !is_zero(value))))
        };
        has_value |= constants().unwrap_or(false);
        if bytes > 0 || has_value {
            self.see(ValueKind::Fields, has_value, || ValueExample {
                id: format!("{:#x}", class.id),
                class: format!("class {}", searched.class(class.id)),
                length: bytes,
            });
        }
    }
}
