//! Fields of classes, and which of their numbers may remain.

use rustc_hash::FxHashMap;

use super::bytes::size_of;
use super::findings::Findings;
use super::records::{ClassDump, Tables};
use crate::class_names::of_class_file;
use crate::hprof::java::name_text;
use crate::hprof::runtime_rules::BOXED;
use crate::hprof::strip::{KeptNumbers, may_count};
use crate::hprof::tags::BasicType;
use crate::value_check::{ValueExample, ValueKind};

/// A field of an instance.
#[derive(Debug, Clone, Copy)]
pub(super) struct AuditField {
    size: u8,
    pub(super) is_reference: bool,
    /// True if its number is the size or the state of an object.
    pub(super) is_kept: bool,
    /// True if it may refer to the counter of a collection.
    pub(super) is_counter: bool,
}

#[derive(Debug, Default)]
struct AuditClass {
    superclass: u64,
    /// The nearest class above with fields of its own; 0 for none.
    above: u64,
    fields: Vec<AuditField>,
    is_boxed: bool,
    may_count: bool,
}

/// Classes by id.
#[derive(Default)]
pub(super) struct ClassTable {
    classes: FxHashMap<u64, AuditClass>,
}

fn text(file: &[u8], tables: &Tables, id: u64) -> Option<String> {
    tables.texts.get(&id).and_then(|range| file.get(range.clone())).map(name_text)
}

fn class_name(file: &[u8], tables: &Tables, class: u64) -> Option<String> {
    tables.class_names.get(&class).and_then(|&name| text(file, tables, name)).map(|name| of_class_file(&name))
}

impl ClassTable {
    pub(super) fn new(file: &[u8], tables: &Tables) -> Self {
        let rules = KeptNumbers::new();
        let mut table = Self::default();
        for class in &tables.classes {
            let name = class_name(file, tables, class.id).unwrap_or_default();
            let fields = class.fields.iter().map(|&(field, kind)| {
                let text = text(file, tables, field).unwrap_or_default();
                let is_reference = kind == 2;
                let basic = u8::try_from(kind).ok().and_then(BasicType::from_tag);
                AuditField {
                    size: size_of(kind, tables.id_bytes).unwrap_or_default() as u8,
                    is_reference,
                    is_kept: !is_reference && basic.is_some_and(|kind| rules.keeps(&name, &text, kind)),
                    is_counter: is_reference && rules.is_counter(&name, &text),
                }
            });
            let of = AuditClass {
                superclass: class.superclass,
                above: 0,
                fields: fields.collect(),
                is_boxed: BOXED.contains(&&*name),
                may_count: may_count(&name),
            };
            table.classes.entry(class.id).or_insert(of);
        }
        table.link();
        table
    }

    /// Finds the nearest class above with fields, for all classes: chains may be long, and have no fields.
    fn link(&mut self) {
        let mut above: FxHashMap<u64, u64> = FxHashMap::default();
        let mut chain = Vec::new();
        let mut classes: Vec<u64> = self.classes.keys().copied().collect();
        classes.sort_unstable();
        for class in classes {
            let mut at = class;
            chain.clear();
            let nearest = loop {
                if let Some(&known) = above.get(&at) {
                    break known;
                }
                let Some(of) = self.classes.get(&at) else { break 0 };
                // A superclass of itself ends here.
                above.insert(at, 0);
                chain.push(at);
                // The superclass of a class that has none, even if a class has this id.
                if of.superclass == 0 {
                    break 0;
                }
                if self.classes.get(&of.superclass).is_some_and(|of| !of.fields.is_empty()) {
                    break of.superclass;
                }
                at = of.superclass;
            };
            for class in chain.drain(..) {
                above.insert(class, nearest);
            }
        }
        self.classes.iter_mut().for_each(|(class, of)| of.above = above.get(class).copied().unwrap_or_default());
    }

    /// Calls `see` with each field that the values of an instance have, those of the class first; returns the number of
    /// bytes that fields describe.
    pub(super) fn each_field(&self, class: u64, values: &[u8], mut see: impl FnMut(AuditField, &[u8])) -> usize {
        let (mut at, mut offset) = (class, 0);
        // A damaged class may be above itself: no chain is longer than there are classes.
        for _ in 0..self.classes.len() {
            let Some(of) = self.classes.get(&at) else { break };
            for field in &of.fields {
                let Some(value) = values.get(offset..offset + usize::from(field.size)) else { return offset };
                see(*field, value);
                offset += value.len();
            }
            if offset >= values.len() || of.above == 0 {
                break;
            }
            at = of.above;
        }
        offset
    }

    pub(super) fn is_boxed(&self, class: u64) -> bool {
        self.classes.get(&class).is_some_and(|of| of.is_boxed)
    }

    pub(super) fn may_count(&self, class: u64) -> bool {
        self.classes.get(&class).is_some_and(|of| of.may_count)
    }

    /// Name of a class in the result.
    pub(super) fn name(file: &[u8], tables: &Tables, class: u64) -> String {
        class_name(file, tables, class).unwrap_or_else(|| format!("unknown class {class:#x}"))
    }

    /// Static fields.
    pub(super) fn audit(file: &[u8], tables: &Tables, findings: &mut Findings) {
        let rules = KeptNumbers::new();
        for class in &tables.classes {
            let ClassDump { id, statics, .. } = class;
            let name = class_name(file, tables, *id).unwrap_or_default();
            let (mut bytes, mut has_value) = (0, false);
            for &(field, kind, value) in statics.iter().filter(|(_, kind, _)| *kind != 2) {
                let text = text(file, tables, field).unwrap_or_default();
                let basic = u8::try_from(kind).ok().and_then(BasicType::from_tag);
                if !basic.is_some_and(|kind| rules.keeps_static(&name, &text, kind)) {
                    bytes += size_of(kind, tables.id_bytes).unwrap_or_default() as u64;
                    has_value |= value != 0;
                }
            }
            if bytes > 0 {
                findings.see(ValueKind::Fields, has_value, || ValueExample {
                    id: format!("{id:#x}"),
                    class: format!("class {}", Self::name(file, tables, *id)),
                    length: bytes,
                });
            }
        }
    }
}
