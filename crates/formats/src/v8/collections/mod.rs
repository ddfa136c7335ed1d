//! Collections of JavaScript as the program sees them: `Map` and `Set` of the language, whose hash tables are internal
//! arrays, and those of libraries by the rules of a list ([`heaplens_heap::collection_list`]).
//!
//! A snapshot has no small integers, unless it was taken with numbers: keys and values of that kind are unavailable, and
//! an entry of two of them is not counted. Nothing here trusts the file: edges may be missing, nodes cyclic.

mod hash_table;
mod listed;
mod slot;
mod trie;

use std::ops::Range;

use self::hash_table::HashTable;
use self::slot::Slot;
use super::meta::EdgeKind;
use super::reader::SnapshotReader;
use heaplens_heap::collection_list::{CollectionList, EntryShape, FieldRole, ListedCollection};
use heaplens_heap::{ClassId, Heap, LogicalCollection, LogicalEntry, LogicalKind, ObjectId};

/// Maximum depth of nested wrappers: in a malformed file they may form a cycle.
const WRAPPERS: usize = 8;
/// Classes of the language.
const NATIVE: [(&str, LogicalKind); 2] = [("Map", LogicalKind::Map), ("Set", LogicalKind::Set)];
/// Number of objects of a class that are examined.
const EXAMINED: u8 = 32;
/// Maximum number of entries: no array of V8 is longer.
const MOST: usize = 1 << 27;

/// Snapshot with the rules for its libraries.
#[derive(Clone, Copy)]
pub(super) struct Libraries<'a> {
    pub(super) reader: SnapshotReader<'a>,
    pub(super) list: &'a CollectionList,
    /// Lines of the list for each class.
    pub(super) lines: &'a [ClassLines],
    pub(super) heap: &'a Heap,
}

/// Lines of the list for a class.
#[derive(Clone, Default)]
pub(super) struct ClassLines {
    /// Those of collections.
    collections: Box<[u32]>,
    /// That of a node of a trie.
    node: Option<u32>,
    /// Kind of a native collection.
    native: Option<LogicalKind>,
}

impl ClassLines {
    /// Lines for a class name.
    pub(super) fn of(list: &CollectionList, class: &str) -> Self {
        let native = NATIVE.iter().find(|(name, _)| *name == class).map(|&(_, kind)| kind);
        Self { collections: list.of_class(class).into(), node: list.node_of_class(class), native }
    }

    fn is_any(&self) -> bool {
        !self.collections.is_empty() || self.native.is_some()
    }
}

/// The object that has the entries, and how.
enum EntrySource<'a> {
    Table(HashTable<'a>),
    Listed(u32, &'a ListedCollection),
}

struct Unwrapped<'a> {
    kind: LogicalKind,
    entries: EntrySource<'a>,
    /// Wrapped collections on the way to the entries.
    wrappers: Vec<u32>,
}

impl<'a> Libraries<'a> {
    /// Classes of which some of the first objects are collections. Libraries and programs have classes called `Map`, too.
    pub(super) fn collection_classes(self) -> Vec<ClassId> {
        let mut left: Vec<u8> = self.lines.iter().map(|lines| if lines.is_any() { EXAMINED } else { 0 }).collect();
        let mut classes = Vec::new();
        let column = self.heap.class_column().slices();
        for row in 0..self.heap.len() {
            let Some(class) = column.get(row) else { break };
            let Some(left) = left.get_mut(class as usize).filter(|left| **left > 0) else { continue };
            *left -= 1;
            if self.unwrapped(row as u32).is_some() {
                *left = 0;
                classes.extend(ClassId::from_raw(class));
            }
        }
        classes
    }

    /// Entries `range` of a collection.
    pub(super) fn logical(self, object: u32, range: Range<u64>) -> Option<LogicalCollection> {
        let Unwrapped { kind, entries, wrappers } = self.unwrapped(object)?;
        let (mut size, mut page) = (0_u64, Vec::new());
        let mut offer = |slot: Slot| {
            if range.contains(&size) {
                page.push(slot.entry(kind));
            }
            size += 1;
        };
        let mut vacated = None;
        let backing = match entries {
            EntrySource::Table(table) => {
                table.slots().for_each(&mut offer);
                vacated = table.vacated();
                vec![table.row()]
            }
            EntrySource::Listed(owner, rule) => self.listed(owner, rule, kind, &mut offer),
        };
        let objects = |rows: Vec<u32>| rows.into_iter().filter_map(ObjectId::from_raw).collect();
        // Tables have more room than entries, but the snapshot does not tell how many they have.
        let (capacity, backing, internals) = (None, objects(backing), objects(wrappers));
        Some(LogicalCollection { kind, size, capacity, backing, internals, entries: page, vacated })
    }

    /// The entry that a path of references from a collection leads to, and the number of objects of the path up to its
    /// key or value.
    pub(super) fn entry_on_path(self, object: u32, path: &[u32]) -> Option<(LogicalEntry, usize)> {
        let Unwrapped { kind, entries, wrappers } = self.unwrapped(object)?;
        let rest = path.strip_prefix(&*wrappers)?;
        let (slot, covered) = match (entries, rest) {
            (EntrySource::Table(table), &[array, held, ..]) if array == table.row() => (table.slot_of(held)?, 2),
            (EntrySource::Table(_), _) => return None,
            (EntrySource::Listed(owner, rule), _) => self.slot_on_path(owner, rule, kind, rest)?,
        };
        Some((slot.entry(kind), wrappers.len() + covered))
    }

    fn unwrapped(self, object: u32) -> Option<Unwrapped<'a>> {
        let (mut at, mut kind, mut wrappers) = (object, None, Vec::new());
        for _ in 0..WRAPPERS {
            let lines = self.lines_of(at)?;
            if let Some(table) = lines.native.and_then(|kind| HashTable::of(self.reader, at, kind)) {
                return Some(Unwrapped {
                    kind: kind.unwrap_or(table.kind()),
                    entries: EntrySource::Table(table),
                    wrappers,
                });
            }
            let mut rules = lines.collections.iter().filter_map(|&line| self.list.collection(line));
            let rule = rules.find(|rule| rule.fits(|field| self.field(at, field).is_some()))?;
            kind = kind.or(rule.kind);
            if rule.shape != EntryShape::Within {
                return Some(Unwrapped { kind: kind?, entries: EntrySource::Listed(at, rule), wrappers });
            }
            at = *self.targets(at, rule.fields.of(FieldRole::Of)).first()?;
            wrappers.push(at);
        }
        None
    }

    /// Kind of a collection.
    pub(super) fn kind(self, object: u32) -> Option<LogicalKind> {
        self.unwrapped(object).map(|rule| rule.kind)
    }

    fn lines_of(self, object: u32) -> Option<&'a ClassLines> {
        self.lines.get(self.heap.class_id(ObjectId::from_raw(object)?).index())
    }

    /// Class name of a node.
    fn class(self, object: u32) -> &'a str {
        ObjectId::from_raw(object).map_or("", |object| &self.heap.class(object).name)
    }

    /// Target of a property.
    fn field(self, object: u32, name: &str) -> Option<u32> {
        self.reader.follow(object, EdgeKind::Property, name)
    }

    /// Elements of an array with their indices, in order; those that are small integers are missing.
    fn elements(self, array: u32) -> impl Iterator<Item = (u64, u32)> {
        let elements = self.reader.edges_from(array).filter(|edge| edge.kind == EdgeKind::Element);
        elements.map(|edge| (edge.name, edge.to)).take(MOST)
    }
}
