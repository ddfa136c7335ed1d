//! Where the numbers to remove are in instances and class dumps: from the descriptions of the classes, before anything is
//! written.

use rustc_hash::{FxHashMap, FxHashSet};

use super::kept_numbers::{KeptNumbers, may_count};
use crate::class_names::of_class_file;
use crate::cursor::Cursor;
use crate::hprof::pieces::Piece;
use crate::hprof::records::Index;
use crate::hprof::subrecords::{RawClass, RawInstance, Visitor, walk};
use crate::hprof::tags::BasicType;
use heaplens_base::{Cancelled, Task};

/// Range of numbers in the values of an instance, in bytes from their beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::hprof) struct NumberRange {
    pub(in crate::hprof) start: u32,
    pub(in crate::hprof) end: u32,
}

/// What follows the values that a class declares in those of an instance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Above {
    /// Those of a superclass: the nearest one that declares any.
    Class(u64),
    /// Values of which nothing says what they are.
    #[default]
    Unknown,
    /// Nothing.
    End,
}

/// A class as far as its numbers matter. It refers to its superclass instead of repeating what that has: thousands of
/// classes may inherit thousands of fields.
#[derive(Default)]
struct NumberClass {
    superclass: u64,
    above: Above,
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
pub(in crate::hprof) struct NumberFields {
    classes: FxHashMap<u64, NumberClass>,
    /// Names of the static fields that are kept, by class.
    kept_statics: FxHashMap<u64, FxHashSet<u64>>,
    /// Objects that collections refer to as their counters: if they are, their numbers stay.
    counters: FxHashSet<u64>,
}

impl NumberFields {
    /// Finds the numbers of all classes in `pieces`.
    pub(in crate::hprof) fn find(file: &[u8], index: &Index, pieces: &[Piece], task: &Task) -> Result<Self, Cancelled> {
        let names: FxHashMap<u64, u64> = index.loaded.iter().map(|loaded| (loaded.class, loaded.name)).collect();
        let mut reader = ClassReader {
            file,
            index,
            names,
            rules: KeptNumbers::new(),
            texts: FxHashMap::default(),
            classes: FxHashMap::default(),
            fields: Self::default(),
        };
        for range in pieces.iter().flat_map(|piece| &piece.ranges) {
            task.checkpoint()?;
            // A damaged segment ends the walk where writing it ends, too.
            let _ended = walk(file, range.clone(), index.id_bytes, &mut reader);
        }
        let ClassReader { classes, mut fields, .. } = reader;
        fields.classes = classes;
        fields.link();
        let has = |is: fn(&NumberClass) -> bool| fields.classes.values().any(is);
        if has(|of| !of.counters.is_empty()) && has(|of| of.is_counter) {
            let mut finder =
                CounterFinder { id_bytes: index.id_bytes, fields: &fields, counters: FxHashSet::default() };
            for range in pieces.iter().flat_map(|piece| &piece.ranges) {
                task.checkpoint()?;
                let _ended = walk(file, range.clone(), index.id_bytes, &mut finder);
            }
            fields.counters = finder.counters;
        }
        Ok(fields)
    }

    /// Finds what is above each class. Each is visited once, however long chains of classes without fields are.
    fn link(&mut self) {
        let mut ids: Vec<u64> = self.classes.keys().copied().collect();
        ids.sort_unstable();
        let mut visited = FxHashSet::default();
        let mut line = Vec::new();
        for start in ids {
            let mut at = start;
            while visited.insert(at) {
                line.push(at);
                let superclass = self.classes.get(&at).map_or(0, |of| of.superclass);
                // A chain may be cyclic in a damaged file: nothing says what is above the first that is met again.
                match self.classes.get(&superclass) {
                    Some(above) if superclass != 0 && above.bytes == 0 => at = superclass,
                    _ => break,
                }
            }
            for class in line.drain(..).rev() {
                let superclass = self.classes.get(&class).map_or(0, |of| of.superclass);
                let above = match self.classes.get(&superclass) {
                    _ if superclass == 0 => Above::End,
                    None => Above::Unknown,
                    Some(above) if above.bytes == 0 => above.above,
                    Some(_) => Above::Class(superclass),
                };
                if let Some(of) = self.classes.get_mut(&class) {
                    of.above = above;
                }
            }
        }
    }

    /// The classes that declare the first `length` bytes of the values of an instance, each with the offset of its
    /// values; `None` for values of which nothing says what they are. The class itself comes first, then its
    /// superclass, and so on.
    fn line(&self, class: u64, length: usize) -> impl Iterator<Item = (u32, Option<&NumberClass>)> {
        let (mut at, mut offset) = (Above::Class(class), 0_u32);
        std::iter::from_fn(move || {
            let here = offset;
            let class = match at {
                Above::End => return None,
                _ if here as usize >= length => return None,
                Above::Unknown => None,
                Above::Class(class) => self.classes.get(&class),
            };
            at = class.map_or(Above::End, |of| of.above);
            offset = here.saturating_add(class.map_or(0, |of| of.bytes));
            Some((here, class))
        })
    }

    /// Numbers to remove from an instance with `length` bytes of values; the whole of it if its class is not described.
    pub(in crate::hprof) fn of(&self, object: u64, class: u64, length: usize) -> impl Iterator<Item = NumberRange> {
        const INTEGERS: &[NumberRange] = &[NumberRange { start: 0, end: u32::MAX }];
        let is_counter = self.counters.contains(&object) && self.classes.get(&class).is_some_and(|of| of.is_counter);
        let line = self.line(class, if is_counter { 0 } else { length });
        line.flat_map(|(offset, class)| {
            // Values that no class describes may be numbers: no tool can follow them as references.
            let own = class.map_or(INTEGERS, |of| &of.own);
            own.iter().map(move |own| NumberRange {
                start: own.start.saturating_add(offset),
                end: own.end.saturating_add(offset),
            })
        })
    }

    /// True if a static field of a class, given the id of its name, is kept.
    pub(in crate::hprof) fn keeps_static(&self, class: u64, name: u64) -> bool {
        self.kept_statics.get(&class).is_some_and(|names| names.contains(&name))
    }
}

/// Reads the descriptions of classes.
struct ClassReader<'a> {
    file: &'a [u8],
    index: &'a Index,
    /// Name ids of classes.
    names: FxHashMap<u64, u64>,
    rules: KeptNumbers,
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
                if self.rules.is_counter(&name, text) {
                    of.counters.push(of.bytes);
                }
            } else if !self.rules.keeps(&name, text, field.kind) {
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
            if self.rules.keeps_static(&name, text, field.kind) {
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
struct CounterFinder<'f> {
    id_bytes: u32,
    fields: &'f NumberFields,
    counters: FxHashSet<u64>,
}

impl<'a> Visitor<'a> for CounterFinder<'_> {
    fn instance(&mut self, instance: RawInstance<'a>) {
        let line = self.fields.line(instance.class, instance.values.len());
        let offsets = line.flat_map(|(offset, class)| {
            let counters = class.map_or(&[][..], |of| &of.counters);
            counters.iter().map(move |own| own.saturating_add(offset))
        });
        let ids = offsets.filter_map(|at| Cursor::new(instance.values, u64::from(at)).id(self.id_bytes));
        self.counters.extend(ids.filter(|&id| id != 0));
    }
}
