//! Classes of a dump: those with a record, and others that objects refer to.

use rustc_hash::FxHashMap;

use super::census::{RawClass, Tally};
use super::{records::LETTERS, sizes::Sizes};
use crate::{class_names, ibm::derived_facts};
use heaplens_base::Bytes;
use heaplens_heap::{Address, AddressMap, Class, ClassId, ClassKind, Classes};

#[derive(Debug, Default)]
pub(super) struct ClassTable {
    /// In file order, synthetic ones last.
    pub(super) rows: Vec<ClassRow>,
    /// By address.
    by_address: FxHashMap<u64, u32>,
    /// Classes of object arrays by the address in their records.
    arrays: FxHashMap<u64, u32>,
    primitive_arrays: [u32; LETTERS.len()],
    /// `java.lang.Class`.
    pub(super) class: u32,
    /// True if class records describe structures outside the heap instead of `java.lang.Class` objects.
    pub(super) are_outside: bool,
    /// Number of classes that have instances but no record.
    pub(super) unknown: u64,
}

/// Class as needed by the reader.
#[derive(Debug, Default)]
pub(super) struct ClassRow {
    /// Display name.
    pub(super) name: String,
    /// Its record, if it has one.
    pub(super) raw: Option<RawClass>,
    /// Instance size in the file, in bytes.
    pub(super) instance_size: i32,
}

impl ClassTable {
    /// Collects all classes mentioned in the file.
    pub(super) fn new(tally: &Tally) -> Self {
        let mut table = Self::default();
        let mut by_name: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        for raw in &tally.classes {
            let index = table.rows.len() as u32;
            // Of two records for one address, the first wins.
            if let std::collections::hash_map::Entry::Vacant(free) = table.by_address.entry(raw.address) {
                free.insert(index);
                by_name.entry(&raw.name).or_default().push(index);
                let name = class_names::of_class_file(&raw.name);
                table.rows.push(ClassRow { name, instance_size: raw.instance_size, raw: Some(raw.clone()) });
            }
        }
        let first = |name: &str| by_name.get(name).and_then(|rows| rows.first().copied());
        let class = first("java/lang/Class");
        let class_address = class.and_then(|at| Some(table.rows.get(at as usize)?.raw.as_ref()?.address));
        table.are_outside = class_address.is_some_and(|address| tally.instances.contains_key(&address));
        table.class = class.unwrap_or_else(|| table.make("java.lang.Class".to_owned()));
        for (index, letter) in LETTERS.into_iter().enumerate() {
            let name = format!("[{letter}");
            let at = first(&name).unwrap_or_else(|| table.make(class_names::of_class_file(&name)));
            table.primitive_arrays.get_mut(index).into_iter().for_each(|row| *row = at);
        }
        let mut words: Vec<u64> = tally.instances.keys().chain(tally.object_arrays.keys()).copied().collect();
        words.sort_unstable();
        words.dedup();
        for word in words {
            if !table.by_address.contains_key(&word) {
                let at = table.make(format!("unknown class {word:#x}"));
                table.by_address.insert(word, at);
                table.unknown += 1;
            }
        }
        table.find_arrays(tally, &by_name);
        table
    }

    /// A class without a record.
    fn make(&mut self, name: String) -> u32 {
        self.rows.push(ClassRow { name, ..ClassRow::default() });
        self.rows.len() as u32 - 1
    }

    /// Finds the class of arrays with a given address in their records, which is usually that of their elements.
    fn find_arrays(&mut self, tally: &Tally, by_name: &FxHashMap<&str, Vec<u32>>) {
        let mut words: Vec<u64> = tally.object_arrays.keys().copied().collect();
        words.sort_unstable();
        let raw_of = |table: &Self, at: u32| table.rows.get(at as usize).and_then(|row| row.raw.clone());
        let of_words: Vec<(u64, Option<RawClass>)> =
            words.iter().map(|&word| (word, self.of(word).and_then(|at| raw_of(self, at)))).collect();
        // Some dumps of Java 6 contain the class of the array instead.
        let is_array = |(_, raw): &(u64, Option<RawClass>)| raw.as_ref().is_some_and(|raw| raw.name.starts_with('['));
        if !of_words.is_empty() && of_words.iter().all(is_array) {
            self.arrays = words.iter().filter_map(|&word| Some((word, self.of(word)?))).collect();
            return;
        }
        for (word, raw) in of_words {
            let class = raw.and_then(|raw| {
                let element = &raw.name;
                let name = if element.starts_with('[') { format!("[{element}") } else { format!("[L{element};") };
                let named = by_name.get(name.as_str())?;
                // If several loaders have a class of that name, prefer the one that refers to these elements.
                let knows = |at: &&u32| {
                    let row = self.rows.get(**at as usize).and_then(|row| row.raw.as_ref());
                    row.is_some_and(|row| row.references.contains(&word))
                };
                named.iter().find(knows).or_else(|| named.first()).copied()
            });
            let at = class.unwrap_or_else(|| {
                let element = self.of(word).and_then(|at| self.rows.get(at as usize)).map(|row| row.name.clone());
                self.make(format!("{}[]", element.unwrap_or_default()))
            });
            self.arrays.insert(word, at);
        }
    }

    #[inline]
    pub(super) fn of(&self, address: u64) -> Option<u32> {
        self.by_address.get(&address).copied()
    }

    /// Class of the object arrays with this address in their records.
    #[inline]
    pub(super) fn of_array(&self, word: u64) -> Option<u32> {
        self.arrays.get(&word).copied()
    }

    #[inline]
    pub(super) fn of_primitives(&self, kind: u8) -> Option<u32> {
        self.primitive_arrays.get(usize::from(kind)).copied()
    }

    /// True if a class is that of arrays with elements of class `word`.
    pub(super) fn is_array_of(&self, array: u64, word: u64) -> bool {
        self.of(array).is_some_and(|at| self.of_array(word) == Some(at)) && array != word
    }

    /// Bytes of an instance of each class.
    pub(super) fn instance_sizes(&self, sizes: &Sizes) -> Vec<u64> {
        self.rows.iter().map(|row| sizes.instance(row.instance_size)).collect()
    }

    /// Size of a class object in bytes; 0 if class records are outside the heap.
    pub(super) fn class_object_size(&self, sizes: &Sizes) -> u64 {
        let declared = self.rows.get(self.class as usize).map_or(0, |row| row.instance_size);
        if self.are_outside { 0 } else { sizes.class_object(declared) }
    }

    /// Size of the smallest instance of any class in the file.
    pub(super) fn smallest_instance(&self) -> Option<u64> {
        self.rows.iter().filter(|row| row.raw.is_some()).map(|row| row.instance_size.unsigned_abs().into()).min()
    }

    /// The table of the heap.
    pub(super) fn finish(&self, instance_sizes: &[u64], addresses: &AddressMap) -> Classes {
        let rows = self.rows.iter().zip(instance_sizes).map(|(row, &size)| {
            let raw = row.raw.as_ref();
            let kind = class_names::kind_of(&row.name);
            Class {
                name: row.name.as_str().into(),
                object: raw.and_then(|raw| addresses.object(Address(raw.address))),
                superclass: raw.and_then(|raw| self.of(raw.superclass)).and_then(ClassId::from_raw),
                kind,
                instance_size: Bytes(if kind == ClassKind::Plain { size } else { 0 }),
                ..Class::default()
            }
        });
        derived_facts::with_strengths(rows.collect())
    }
}
