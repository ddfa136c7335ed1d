//! The table of classes: those with a record, and those that only objects name.

use rustc_hash::FxHashMap;

use super::census::{ClassCount, Tally};
use super::lines::ClassReference;
use crate::class_names::{kind_of, of_either};
use crate::ibm::derived_facts::with_strengths;
use heaplens_base::Bytes;
use heaplens_heap::{Address, AddressMap, Class, ClassId, ClassKind, Classes, Strength};

/// Class of the class objects.
const CLASS: &str = "java.lang.Class";

/// Classes by their names and class objects.
pub(super) struct ClassTable {
    names: Vec<String>,
    /// Class objects; 0 for a class without a record.
    ids: Vec<u64>,
    supers: Vec<u64>,
    loaders: Vec<u64>,
    by_id: FxHashMap<u64, u32>,
    by_name: FxHashMap<String, u32>,
    /// True if arrays name the class of their elements, as those of the agent up to JDK 1.4, not their own.
    names_elements: bool,
    /// Objects by class.
    pub(super) counts: Vec<ClassCount>,
}

impl ClassTable {
    pub(super) fn new(tally: &Tally<'_>) -> Self {
        let mut table = Self {
            names: Vec::new(),
            ids: Vec::new(),
            supers: Vec::new(),
            loaders: Vec::new(),
            by_id: FxHashMap::default(),
            by_name: FxHashMap::default(),
            names_elements: tally.arrays.keys().any(|class| !class.name.ends_with(b"[]")),
            counts: Vec::new(),
        };
        for class in &tally.classes {
            if !table.by_id.contains_key(&class.id) {
                let at = table.add(in_source(class.name), class.id);
                table.supers.push(class.superclass);
                table.loaders.push(class.loader);
                table.by_id.insert(class.id, at);
            }
        }
        table.of_name(CLASS.to_owned());
        // In the order of names, not that of the hash table.
        for (counts, is_array) in [(&tally.instances, false), (&tally.arrays, true)] {
            let mut all: Vec<(&ClassReference<'_>, &ClassCount)> = counts.iter().collect();
            all.sort_unstable_by_key(|(class, _)| (class.name, class.id));
            for (class, count) in all {
                let at = match table.find(class, is_array) {
                    Some(at) => at,
                    None => table.of_name(table.name_of(class, is_array)),
                };
                if let Some(sum) = table.counts.get_mut(at as usize) {
                    sum.objects += count.objects;
                    sum.bytes = sum.bytes.saturating_add(count.bytes);
                    sum.size = if sum.size == 0 { count.size } else { sum.size };
                }
            }
        }
        let of_classes = table.class_of_classes();
        if let Some(sum) = of_classes.and_then(|at| table.counts.get_mut(at as usize)) {
            sum.objects += tally.classes.len() as u64;
        }
        table
    }

    fn add(&mut self, name: String, id: u64) -> u32 {
        let at = self.names.len() as u32;
        self.by_name.entry(name.clone()).or_insert(at);
        self.names.push(name);
        self.ids.push(id);
        self.counts.push(ClassCount::default());
        at
    }

    fn of_name(&mut self, name: String) -> u32 {
        if let Some(&at) = self.by_name.get(&name) {
            return at;
        }
        self.supers.push(0);
        self.loaders.push(0);
        self.add(name, 0)
    }

    /// Class of an object that names it.
    pub(super) fn find(&self, class: &ClassReference<'_>, is_array: bool) -> Option<u32> {
        let is_elements = is_array && self.names_elements;
        let by_id = self.by_id.get(&class.id).copied().filter(|_| class.id != 0 && !is_elements);
        by_id.or_else(|| self.by_name.get(&self.name_of(class, is_array)).copied())
    }

    /// Name of the class of an object.
    fn name_of(&self, class: &ClassReference<'_>, is_array: bool) -> String {
        let name = in_source(class.name);
        if is_array && (self.names_elements || !name.ends_with("[]")) { name + "[]" } else { name }
    }

    pub(super) fn class_of_classes(&self) -> Option<u32> {
        self.by_name.get(CLASS).copied()
    }

    pub(super) fn name(&self, at: usize) -> &str {
        self.names.get(at).map(String::as_str).unwrap_or_default()
    }

    pub(super) fn finish(&self, addresses: &AddressMap) -> Classes {
        let object = |id: u64| (id != 0).then(|| addresses.object(Address(id))).flatten();
        let at = |list: &[u64], index: usize| list.get(index).copied().unwrap_or_default();
        let rows = self.names.iter().enumerate().map(|(index, name)| {
            let kind = kind_of(name);
            let size = self.counts.get(index).map_or(0, |count| count.size);
            Class {
                name: name.as_str().into(),
                object: object(at(&self.ids, index)),
                superclass: self.by_id.get(&at(&self.supers, index)).copied().and_then(ClassId::from_raw),
                loader: object(at(&self.loaders, index)),
                kind,
                strength: Strength::Strong,
                instance_size: Bytes(if kind == ClassKind::Plain { size } else { 0 }),
                unlisted: false,
                made_at: None,
            }
        });
        with_strengths(acyclic(rows.collect()))
    }
}

/// Name in source notation: the agent up to JDK 1.4 writes arrays as class files do (`[C`).
fn in_source(name: &[u8]) -> String {
    of_either(String::from_utf8_lossy(name).into_owned())
}

/// Breaks cyclic superclass chains, which no real program has, where they are found.
fn acyclic(mut rows: Vec<Class>) -> Vec<Class> {
    /// Progress of the search at a class.
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        OnChain,
        Done,
    }
    let mut visits = vec![Visit::New; rows.len()];
    for start in 0..rows.len() {
        let (mut at, mut chain) = (Some(start), Vec::new());
        while let Some(index) = at {
            match visits.get(index) {
                Some(Visit::New) => {}
                Some(Visit::OnChain) => {
                    let last = chain.last().and_then(|&last: &usize| rows.get_mut(last));
                    last.into_iter().for_each(|last| last.superclass = None);
                    break;
                }
                Some(Visit::Done) | None => break,
            }
            visits.get_mut(index).into_iter().for_each(|visit| *visit = Visit::OnChain);
            chain.push(index);
            at = rows.get(index).and_then(|row| row.superclass).map(ClassId::index);
        }
        for index in chain {
            visits.get_mut(index).into_iter().for_each(|visit| *visit = Visit::Done);
        }
    }
    rows
}
