//! Classes of a text heap dump: those named by objects, and those with a record.

use rustc_hash::FxHashMap;

use super::census::{RawClass, Tally};
use super::{names, trailer::Kind};
use crate::class_names::kind_of;
use heaplens_heap::{Address, AddressMap, Class, ClassKind};

/// Classes by their names in records.
#[derive(Debug, Default)]
pub(super) struct ClassTable<'a> {
    /// Name and record of each class.
    pub(super) rows: Vec<(String, Option<RawClass>)>,
    /// The class of objects that have a name.
    by_name: FxHashMap<&'a [u8], NamedClass>,
    /// Indexes of classes that share their name, by address: the first reference of an object may identify the right
    /// one.
    twins: FxHashMap<u64, u32>,
    /// `java.lang.Class`.
    pub(super) class: u32,
}

/// Class and kind of an object, parsed from the name in its record.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamedClass {
    pub(super) class: u32,
    /// True if other classes have that name.
    pub(super) has_twins: bool,
}

impl<'a> ClassTable<'a> {
    /// Collects all classes mentioned in the file.
    pub(super) fn new(tally: &Tally<'a>) -> Self {
        let mut table = Self::default();
        let mut rows: FxHashMap<String, (u32, bool)> = FxHashMap::default();
        for (name, raw) in &tally.classes {
            let (_, name) = names::read(name);
            let index = table.rows.len() as u32;
            table.rows.push((name.clone(), Some(raw.clone())));
            rows.entry(name).and_modify(|(_, has_twins)| *has_twins = true).or_insert((index, false));
        }
        for (index, (name, raw)) in (0..).zip(&table.rows) {
            if let (Some(raw), Some((_, true))) = (raw, rows.get(name)) {
                table.twins.insert(raw.address, index);
            }
        }
        let mut all: Vec<&[u8]> = tally.names.keys().copied().collect();
        all.sort_unstable();
        for raw in all {
            let (kind, name) = names::read(raw);
            if kind != Kind::Class {
                let (class, has_twins) = table.row(&mut rows, name);
                table.by_name.insert(raw, NamedClass { class, has_twins });
            }
        }
        if !tally.classes.is_empty() {
            (table.class, _) = table.row(&mut rows, "java.lang.Class".to_owned());
        }
        for (raw, _) in &tally.classes {
            table.by_name.insert(raw, NamedClass { class: table.class, has_twins: false });
        }
        table
    }

    /// Index of the class with a name, and true if others have the same name.
    fn row(&mut self, rows: &mut FxHashMap<String, (u32, bool)>, name: String) -> (u32, bool) {
        let next = self.rows.len() as u32;
        let entry = *rows.entry(name.clone()).or_insert((next, false));
        if entry.0 == next {
            self.rows.push((name, None));
        }
        entry
    }

    #[inline]
    pub(super) fn named(&self, name: &[u8]) -> Option<NamedClass> {
        self.by_name.get(name).copied()
    }

    /// Class at an address, if it has the same name as `other`.
    pub(super) fn twin(&self, address: u64, other: u32) -> Option<u32> {
        let index = self.twins.get(&address).copied()?;
        let name = |index: u32| self.rows.get(index as usize).map(|(name, _)| name);
        (name(index) == name(other)).then_some(index)
    }

    /// The rows of the heap's table.
    pub(super) fn finish(&self, addresses: &AddressMap) -> Vec<Class> {
        let rows = self.rows.iter().map(|(name, raw)| Class {
            name: name.as_str().into(),
            object: raw.as_ref().and_then(|raw| addresses.object(Address(raw.address))),
            kind: match &**name {
                names::PRIMITIVE_ARRAY => ClassKind::PrimitiveArray,
                name => kind_of(name),
            },
            ..Class::default()
        });
        rows.collect()
    }
}
