//! Maps and sets of JavaScript with keys of every form in which V8 stores and records them.

use super::snapshot::Snapshot;

/// Form of the keys of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyForm {
    /// A string whose characters are in the snapshot.
    Flat,
    /// A string joined from two.
    Joined,
    /// A joined string that the engine has flattened since: the first part is all of it.
    Flattened,
    /// A part of another string, of which only the other one is in the snapshot.
    Sliced,
    /// A string of which the snapshot has the first 1,024 characters.
    Cut,
    /// A number that is an object, with its value in the snapshot.
    Number,
    /// A number that is an object, without its value.
    BareNumber,
    /// A small integer in a snapshot with numbers: its node exists in this snapshot only.
    SmallInteger,
    /// A small integer in a snapshot without numbers: there is no node.
    BareSmallInteger,
    /// An integer of any size; its value is not in the snapshot.
    BigInt,
    /// A symbol.
    Symbol,
    /// An object.
    Object,
}

impl KeyForm {
    /// All forms.
    pub const ALL: [Self; 12] = [
        Self::Flat,
        Self::Joined,
        Self::Flattened,
        Self::Sliced,
        Self::Cut,
        Self::Number,
        Self::BareNumber,
        Self::SmallInteger,
        Self::BareSmallInteger,
        Self::BigInt,
        Self::Symbol,
        Self::Object,
    ];

    /// True if the snapshot has the whole value of the key.
    pub fn is_recorded(self) -> bool {
        matches!(self, Self::Flat | Self::Joined | Self::Flattened | Self::Number | Self::SmallInteger)
    }
}

/// A snapshot under construction, of a program with a global object.
pub struct Heap {
    /// The snapshot so far.
    pub made: Snapshot,
    /// The node of the global object.
    pub global: usize,
    /// Id of nodes that exist in this snapshot only.
    fresh: u64,
    /// Added to all ids: another process numbers its objects otherwise.
    shift: u64,
}

/// Ids reserved for an entry.
const PER_ENTRY: u64 = 32;

impl Heap {
    /// A heap with the global object only. Snapshots of one process have one `shift`, and different `fresh` ids.
    pub fn new(shift: u64, fresh: u64) -> Self {
        let mut made = Snapshot::default();
        let root = made.add("synthetic", "", 1, 0);
        let global = made.add("object", "global", 3 + shift, 40);
        made.name(root, "shortcut", "0: global", global);
        Self { made, global, fresh, shift }
    }

    /// A node with an id that it keeps as long as it lives.
    pub fn node(&mut self, kind: &'static str, name: &str, id: u64, bytes: u64) -> usize {
        self.made.add(kind, name.to_owned(), id + self.shift, bytes)
    }

    fn fresh_node(&mut self, kind: &'static str, name: &str) -> usize {
        self.fresh += 2;
        self.made.add(kind, name.to_owned(), self.fresh, 0)
    }

    /// A flat string.
    fn string(&mut self, text: &str, id: u64) -> usize {
        let bytes = (16 + text.len() as u64).next_multiple_of(8);
        self.node("string", text, id, bytes)
    }

    /// Text of the key of an entry.
    pub fn key_text(entry: usize) -> String {
        format!("user-key-{entry}")
    }

    fn number(&mut self, node: usize, text: &str) -> usize {
        let value = self.fresh_node("string", text);
        self.made.name(node, "internal", "value", value);
        node
    }

    /// The key of an entry; `None` if it has no node.
    pub fn key(&mut self, form: KeyForm, entry: usize) -> Option<usize> {
        let id = 1_001 + entry as u64 * PER_ENTRY;
        let text = Self::key_text(entry);
        let joined = |it: &mut Self, first: &str, second: &str| {
            let node = it.node("concatenated string", "(concatenated string)", id, 32);
            let parts = [it.string(first, id + 2), it.string(second, id + 4)];
            it.made.name(node, "internal", "first", parts[0]);
            it.made.name(node, "internal", "second", parts[1]);
            node
        };
        Some(match form {
            KeyForm::Flat => self.string(&text, id),
            KeyForm::Joined => joined(self, &text[..6], &text[6..]),
            KeyForm::Flattened => joined(self, &text, ""),
            KeyForm::Sliced => {
                let node = self.node("sliced string", "(sliced string)", id, 32);
                let parent = self.string(&format!("<{text}>"), id + 2);
                self.made.name(node, "internal", "parent", parent);
                node
            }
            KeyForm::Cut => self.node("string", &"x".repeat(1024), id, 16 + 4096),
            KeyForm::Number => {
                let node = self.node("number", "heap number", id, 16);
                self.number(node, &format!("{entry}.5"))
            }
            KeyForm::BareNumber => self.node("number", "heap number", id, 16),
            KeyForm::SmallInteger => {
                let node = self.fresh_node("number", "smi number");
                self.number(node, &entry.to_string())
            }
            KeyForm::BareSmallInteger => return None,
            KeyForm::BigInt => self.node("bigint", "bigint", id, 24),
            KeyForm::Symbol => self.node("symbol", "symbol", id, 24),
            KeyForm::Object => self.node("object", "Key", id, 24),
        })
    }

    /// The value of an entry: an object that nothing but its holder tells from others.
    pub fn value(&mut self, entry: usize) -> usize {
        self.node("object", "Value", 1_001 + entry as u64 * PER_ENTRY + 16, 24)
    }

    /// A `Map` or `Set` with these entries, in the order of insertion, as a property of the global object.
    pub fn native(&mut self, class: &str, property: &str, entries: &[(Option<usize>, usize)]) -> usize {
        let is_map = class == "Map";
        let width = if is_map { 3 } else { 2 };
        let buckets = (entries.len() as u64).next_power_of_two().max(2);
        let table = self.node("array", "", 5, 8 * (5 + buckets * (1 + 2 * width)));
        for (at, &(key, value)) in (0..).zip(entries) {
            let first = 3 + buckets + at * width;
            if let Some(key) = key {
                self.made.name(table, "internal", first.to_string(), key);
            }
            if is_map {
                self.made.name(table, "internal", (first + 1).to_string(), value);
            }
        }
        let collection = self.node("object", class, 7, 32);
        self.made.name(collection, "internal", "table", table);
        self.made.name(self.global, "property", property.to_owned(), collection);
        collection
    }

    /// An `LRUCache` with lists of keys and of values; entry `at` is in slot `slots[at]`.
    pub fn cache(&mut self, property: &str, entries: &[(Option<usize>, usize)], slots: &[u32]) -> usize {
        let cache = self.node("object", "LRUCache", 7, 64);
        for (list, id) in [("#keyList", 9), ("#valList", 11)] {
            let array = self.node("object", "Array", id, 16);
            for (&(key, value), &slot) in entries.iter().zip(slots) {
                if let Some(to) = if list == "#keyList" { key } else { Some(value) } {
                    self.made.number(array, "element", slot, to);
                }
            }
            self.made.name(cache, "property", list, array);
        }
        self.made.name(self.global, "property", property.to_owned(), cache);
        cache
    }
}
