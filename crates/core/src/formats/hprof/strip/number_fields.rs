//! Where the numbers to remove are in instances and class dumps: from the descriptions of the classes, before anything is
//! written.

use rustc_hash::{FxHashMap, FxHashSet};

use super::kept_numbers::{KeptNumbers, may_count};
use crate::formats::class_names::of_class_file;
use crate::formats::cursor::Cursor;
use crate::formats::hprof::pieces::Piece;
use crate::formats::hprof::records::Index;
use crate::formats::hprof::subrecords::{RawClass, RawInstance, Visitor, walk};
use crate::formats::hprof::tags::BasicType;
use heaplens_base::{Cancelled, Task};

/// Limit on the ranges of all classes together, in addition to one for each byte of the file: only a malformed chain of
/// classes has more.
const MOST_RANGES: usize = 1 << 20;

/// Range of numbers in the values of an instance, in bytes from their beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::formats::hprof) struct NumberRange {
    pub(in crate::formats::hprof) start: u32,
    pub(in crate::formats::hprof) end: u32,
}

/// A class as far as its numbers matter.
#[derive(Default)]
struct NumberClass {
    superclass: u64,
    /// Ranges in the values that the class itself declares.
    own: Vec<NumberRange>,
    /// Size of these values in bytes.
    bytes: u32,
    /// Offsets of references that may lead to the counter of a collection.
    counters: Vec<u32>,
    is_counter: bool,
}

/// Numbers to remove, by class.
#[derive(Default)]
pub(in crate::formats::hprof) struct NumberFields {
    /// Ranges in the values of an instance, superclasses included, ascending.
    ranges: FxHashMap<u64, Box<[NumberRange]>>,
    /// Names of the static fields that are kept, by class.
    kept_statics: FxHashMap<u64, FxHashSet<u64>>,
    /// Objects that collections refer to as their counters: if they are, their numbers stay.
    counters: FxHashSet<u64>,
    counter_classes: FxHashSet<u64>,
}

impl NumberFields {
    /// Finds the numbers of all classes in `pieces`.
    pub(in crate::formats::hprof) fn find(
        file: &[u8],
        index: &Index,
        pieces: &[Piece],
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let names: FxHashMap<u64, u64> = index.loaded.iter().map(|loaded| (loaded.class, loaded.name)).collect();
        let mut reader = ClassReader {
            file,
            index,
            names,
            kept: KeptNumbers::new(),
            texts: FxHashMap::default(),
            classes: FxHashMap::default(),
            fields: Self::default(),
        };
        for range in pieces.iter().flat_map(|piece| &piece.ranges) {
            task.checkpoint()?;
            // A damaged segment ends the walk where writing it ends, too.
            let _ended = walk(file, range.clone(), index.id_bytes, &mut reader);
        }
        let ClassReader { classes, fields: mut found, .. } = reader;
        let mut counters: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        let mut left = MOST_RANGES + file.len();
        // In order, so that which chains of a damaged file are too long does not depend on chance.
        let mut ids: Vec<u64> = classes.keys().copied().collect();
        ids.sort_unstable();
        for class in ids {
            task.checkpoint()?;
            let (ranges, offsets) = laid_out(&classes, class, &mut left);
            found.ranges.insert(class, ranges.into());
            if !offsets.is_empty() {
                counters.insert(class, offsets);
            }
        }
        found.counter_classes = classes.iter().filter(|(_, of)| of.is_counter).map(|(&class, _)| class).collect();
        if !counters.is_empty() && !found.counter_classes.is_empty() {
            let mut finder = CounterFinder { id_bytes: index.id_bytes, offsets: counters, found: FxHashSet::default() };
            for range in pieces.iter().flat_map(|piece| &piece.ranges) {
                task.checkpoint()?;
                let _ended = walk(file, range.clone(), index.id_bytes, &mut finder);
            }
            found.counters = finder.found;
        }
        Ok(found)
    }

    /// Numbers to remove from an instance; the whole of it if its class is not described.
    pub(in crate::formats::hprof) fn of(&self, object: u64, class: u64) -> &[NumberRange] {
        const WHOLE: &[NumberRange] = &[NumberRange { start: 0, end: u32::MAX }];
        if self.counter_classes.contains(&class) && self.counters.contains(&object) {
            return &[];
        }
        self.ranges.get(&class).map_or(WHOLE, |ranges| ranges)
    }

    /// True if a static field of a class, given the id of its name, is kept.
    pub(in crate::formats::hprof) fn keeps_static(&self, class: u64, name: u64) -> bool {
        self.kept_statics.get(&class).is_some_and(|names| names.contains(&name))
    }
}

/// Ranges of numbers and offsets of counters of an instance of a class: its own fields come first, then those of its
/// superclass, and so on. `left` is the number of ranges that may still be made.
fn laid_out(classes: &FxHashMap<u64, NumberClass>, class: u64, left: &mut usize) -> (Vec<NumberRange>, Vec<u32>) {
    let (mut ranges, mut counters): (Vec<NumberRange>, Vec<u32>) = (Vec::new(), Vec::new());
    let (mut at, mut offset, mut seen) = (class, 0_u32, 0);
    // A superclass chain may be cyclic in a damaged file, or end at a class that is not described.
    while let Some(of) = classes.get(&at).filter(|of| seen < classes.len() && *left > of.own.len()) {
        *left -= of.own.len();
        seen += 1;
        for own in &of.own {
            let (start, end) = (own.start.saturating_add(offset), own.end.saturating_add(offset));
            match ranges.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => ranges.push(NumberRange { start, end }),
            }
        }
        counters.extend(of.counters.iter().map(|own| own.saturating_add(offset)));
        offset = offset.saturating_add(of.bytes);
        at = of.superclass;
        if at == 0 {
            return (ranges, counters);
        }
    }
    // Nothing says which of the remaining values are references: no tool can follow them, and they may be numbers.
    ranges.push(NumberRange { start: offset, end: u32::MAX });
    (ranges, counters)
}

/// Reads the descriptions of classes.
struct ClassReader<'a> {
    file: &'a [u8],
    index: &'a Index,
    /// Name ids of classes.
    names: FxHashMap<u64, u64>,
    kept: KeptNumbers,
    /// Texts of names of fields.
    texts: FxHashMap<u64, String>,
    classes: FxHashMap<u64, NumberClass>,
    fields: NumberFields,
}

impl<'a> Visitor<'a> for ClassReader<'a> {
    fn class(&mut self, class: RawClass) {
        if self.classes.contains_key(&class.id) {
            return;
        }
        let name = self.names.get(&class.id).and_then(|&name| self.index.text(self.file, name));
        let name = name.map(|name| of_class_file(&name)).unwrap_or_default();
        let id_bytes = self.index.id_bytes;
        let mut of =
            NumberClass { superclass: class.superclass, is_counter: may_count(&name), ..NumberClass::default() };
        for field in &class.fields {
            let text = text(&mut self.texts, self.file, self.index, field.name);
            let end = of.bytes.saturating_add(field.kind.bytes(id_bytes));
            if field.kind == BasicType::Object {
                if self.kept.is_counter(&name, text) {
                    of.counters.push(of.bytes);
                }
            } else if !self.kept.keeps(&name, text, field.kind) {
                match of.own.last_mut() {
                    Some(last) if last.end == of.bytes => last.end = end,
                    _ => of.own.push(NumberRange { start: of.bytes, end }),
                }
            }
            of.bytes = end;
        }
        let statics = class.statics.iter().filter(|field| field.kind != BasicType::Object);
        let mut kept_statics = FxHashSet::default();
        for field in statics {
            let text = text(&mut self.texts, self.file, self.index, field.name);
            if self.kept.keeps_static(&name, text, field.kind) {
                kept_statics.insert(field.name);
            }
        }
        if !kept_statics.is_empty() {
            self.fields.kept_statics.insert(class.id, kept_statics);
        }
        self.classes.insert(class.id, of);
    }
}

fn text<'t>(texts: &'t mut FxHashMap<u64, String>, file: &[u8], index: &Index, name: u64) -> &'t str {
    texts.entry(name).or_insert_with(|| index.text(file, name).unwrap_or_default())
}

/// Finds the counters of collections.
struct CounterFinder {
    id_bytes: u32,
    /// Offsets of the references in the values of an instance, by class.
    offsets: FxHashMap<u64, Vec<u32>>,
    found: FxHashSet<u64>,
}

impl<'a> Visitor<'a> for CounterFinder {
    fn instance(&mut self, instance: RawInstance<'a>) {
        let offsets = self.offsets.get(&instance.class).map_or(&[][..], Vec::as_slice);
        let ids = offsets.iter().filter_map(|&at| Cursor::new(instance.values, u64::from(at)).id(self.id_bytes));
        self.found.extend(ids.filter(|&id| id != 0));
    }
}
