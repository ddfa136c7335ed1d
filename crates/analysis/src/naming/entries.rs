//! Steps through collections: `["user-17"]`, `[17]`, `{"red"}`. Internal objects of a collection are left out of the
//! name.

use std::collections::HashMap;

use super::namer::Namer;
use super::spelling::{SHOWN, is_whole, ordinal, quoted};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::constants::enum_constant;
use heaplens_heap::{ClassKind, LogicalCollection, LogicalEntry, LogicalKind, ObjectId, RecordedText, Role, Value};

/// Maximum number of entries scanned per name.
const SCANNED: u64 = 4_096;
/// Maximum number of internal objects between a collection and an entry.
pub(super) const INSIDE: usize = 1_024;
/// Number of entries read at once in a search.
const PAGE: u64 = 1 << 20;
/// Field names of keys and values in map entries of the runtime's library.
const KEYS: [&str; 3] = ["key", "referent", "k"];
const VALUES: [&str; 2] = ["value", "val"];

/// An entry of a collection: the object and the index of the entry.
pub(crate) struct Entry {
    pub(super) object: ObjectId,
    at: u64,
}

/// The step from a collection to one of its entries.
pub(super) struct EntryStep {
    pub(super) text: String,
    /// Number of objects on the path that it covers.
    pub(super) covered: usize,
    /// True if it is the same for any path that begins with these objects.
    pub(super) is_final: bool,
}

/// A key as text.
struct Key {
    text: String,
    /// True if no other key of the collection has the same text.
    unique: bool,
}

/// True of internal classes of the runtime's collections, which are never entries.
pub(crate) fn is_inside(class: &str) -> bool {
    class.starts_with("java.util.") && class.contains('$')
}

impl Namer<'_> {
    /// True if `object` is a collection.
    pub(crate) fn is_collection(&self, object: ObjectId) -> bool {
        self.contents.role(self.heap.class_id(object)) == Role::Collection
    }

    /// The step from a collection to its entry on `path`, the path after it.
    pub(super) fn entry_step(
        &self,
        collection: ObjectId,
        path: &[ObjectId],
        task: &Task,
    ) -> Result<Option<EntryStep>, Cancelled> {
        let path = &path[..path.len().min(INSIDE)];
        let Some(kind) = self.contents.collection_kind(self.heap, collection) else { return Ok(None) };
        let on_path = self.contents.entry_on_path(self.heap, collection, path);
        let on_path = on_path.and_then(|(entry, covered)| Some((entry, covered, *path.get(covered.checked_sub(1)?)?)));
        // Of two entries on the path, the first counts, whatever is below it.
        let nearer = on_path.map_or(path, |(_, covered, _)| &path[..covered - 1]);
        let shape = match self.heap.snapshot() {
            Some(_) => None,
            None => self.contents.logical(self.heap, collection, 0..0),
        };
        if let Some(step) =
            shape.as_ref().map_or(Ok(None), |shape| self.step_by_holder(collection, shape, nearer, task))?
        {
            return Ok(Some(step));
        }
        if let Some((entry, covered, object)) = on_path {
            // The key may not be in the file: the references tell more.
            if entry.key == Some(Value::Unavailable) {
                return Ok(None);
            }
            let step = self.keyed(collection, kind, entry, object, task)?;
            return Ok(step.map(|text| EntryStep { text, covered, is_final: true }));
        }
        // In a snapshot the references to the other entries have names of the program.
        if self.heap.snapshot().is_some() {
            return Ok(None);
        }
        let Some(shape) = shape else { return Ok(None) };
        if shape.size > SCANNED {
            return Ok(None);
        }
        let position_of: HashMap<ObjectId, usize> = path.iter().enumerate().rev().map(|(at, &o)| (o, at)).collect();
        let Some(logical) = self.contents.logical(self.heap, collection, 0..SCANNED) else { return Ok(None) };
        let mut first: Option<(usize, LogicalEntry, String)> = None;
        for (index, entry) in logical.entries.iter().enumerate() {
            let sides = [Some((entry.value, false)), entry.key.map(|key| (key, true))];
            for (side, is_key) in sides.into_iter().flatten() {
                let Some(&at) = side.object().and_then(|object| position_of.get(&object)) else { continue };
                if first.as_ref().is_none_or(|&(before, ..)| at < before) {
                    let (open, close) =
                        if is_key || logical.kind == LogicalKind::Set { ("{", "}") } else { ("[", "]") };
                    let text = match (logical.kind, entry.key) {
                        (LogicalKind::List, _) => index.to_string(),
                        (_, key) => self.key(key.unwrap_or(entry.value), task)?.text,
                    };
                    first = Some((at, *entry, format!("{open}{text}{close}")));
                }
            }
        }
        let Some((at, entry, text)) = first else { return Ok(None) };
        if logical.kind == LogicalKind::List {
            return Ok(Some(EntryStep { text, covered: at + 1, is_final: shape.backing.is_empty() }));
        }
        let alike = self.alike_before(collection, entry, task)?;
        Ok(alike.map(|alike| EntryStep { text: ordinal(text, alike), covered: at + 1, is_final: false }))
    }

    /// The step to the entry of a map on `path`, if its key is a text: `["user-17"]`.
    pub(crate) fn key_on_path(
        &self,
        collection: ObjectId,
        path: &[ObjectId],
        task: &Task,
    ) -> Result<Option<String>, Cancelled> {
        let step = self.entry_step(collection, path, task)?;
        Ok(step.map(|step| step.text).filter(|text| text.starts_with("[\"")))
    }

    /// The step to the first entry on `path` that the object before it on the path shows to be one.
    fn step_by_holder(
        &self,
        collection: ObjectId,
        shape: &LogicalCollection,
        path: &[ObjectId],
        task: &Task,
    ) -> Result<Option<EntryStep>, Cancelled> {
        for (at, &object) in path.iter().enumerate() {
            task.checkpoint()?;
            let holder = at.checked_sub(1).map_or(collection, |before| path[before]);
            let step = match shape.kind {
                LogicalKind::List => self.place_in(collection, &shape.backing, holder, object),
                kind if at > 0 => self.key_in_node(collection, kind, holder, object, task)?,
                _ => None,
            };
            if let Some(text) = step {
                return Ok(Some(EntryStep { text, covered: at + 1, is_final: true }));
            }
        }
        Ok(None)
    }

    /// `[17]` in an array-backed list, looked up in the array.
    fn place_in(&self, list: ObjectId, backing: &[ObjectId], holder: ObjectId, object: ObjectId) -> Option<String> {
        if self.heap.class(holder).kind != ClassKind::ObjectArray || !backing.contains(&holder) {
            return None;
        }
        let name = self.contents.reference_names(self.heap, holder, object, 1).pop()?.text;
        let index: u64 = name.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
        let entry = self.contents.logical(self.heap, list, index..index.checked_add(1)?)?.entries.pop()?;
        (entry.value == Value::Object(object)).then_some(name)
    }

    /// `["key"]` if the holding node has this key: the rest of the map need not be read.
    fn key_in_node(
        &self,
        collection: ObjectId,
        kind: LogicalKind,
        node: ObjectId,
        object: ObjectId,
        task: &Task,
    ) -> Result<Option<String>, Cancelled> {
        if !self.heap.class(node).name.starts_with("java.util.") || self.is_collection(node) {
            return Ok(None);
        }
        let fields = self.fields(node);
        let first = |names: &[&str]| {
            names.iter().find_map(|&name| fields.iter().find(|f| f.name == name)).map(|field| field.value)
        };
        let (Some(key), Some(value)) = (first(&KEYS), first(&VALUES)) else { return Ok(None) };
        let is = |side: Value| side == Value::Object(object);
        if !is(key) && (!is(value) || kind == LogicalKind::Set) {
            return Ok(None);
        }
        let entry = match kind {
            LogicalKind::Map => LogicalEntry { key: Some(key), value },
            _ => LogicalEntry { key: None, value: key },
        };
        self.keyed(collection, kind, entry, object, task)
    }

    /// `["key"]` of the value of an entry, `{"key"}` of its key or of an element of a set.
    fn keyed(
        &self,
        collection: ObjectId,
        kind: LogicalKind,
        entry: LogicalEntry,
        object: ObjectId,
        task: &Task,
    ) -> Result<Option<String>, Cancelled> {
        let in_braces = kind == LogicalKind::Set || entry.value != Value::Object(object);
        let spelled = self.key(entry.key.unwrap_or(entry.value), task)?;
        let by_identity = self.heap.class(collection).name.contains("Identity");
        let before = if spelled.unique && !by_identity { Some(0) } else { self.alike_before(collection, entry, task)? };
        let Some(before) = before else { return Ok(None) };
        let text = if in_braces { format!("{{{}}}", spelled.text) } else { format!("[{}]", spelled.text) };
        Ok(Some(ordinal(text, before)))
    }

    /// Number of earlier keys with the same text as that of `entry`; `None` if there are too many to scan.
    fn alike_before(&self, collection: ObjectId, entry: LogicalEntry, task: &Task) -> Result<Option<u64>, Cancelled> {
        let Some(logical) = self.contents.logical(self.heap, collection, 0..SCANNED + 1) else { return Ok(None) };
        if logical.entries.len() as u64 > SCANNED {
            return Ok(None);
        }
        let key = entry.key.unwrap_or(entry.value);
        let text = self.key(key, task)?.text;
        let mut alike = 0;
        for &before in &logical.entries {
            if before == entry {
                return Ok(Some(alike));
            }
            let other = before.key.unwrap_or(before.value);
            if self.could_be_alike(other, key) && self.key(other, task)?.text == text {
                alike += 1;
            }
        }
        Ok(None)
    }

    /// Only keys of one class can have the same text.
    fn could_be_alike(&self, one: Value, other: Value) -> bool {
        let class = |value: Value| value.object().map(|object| &*self.heap.class(object).name);
        class(one) == class(other)
    }

    /// A key as text, without addresses.
    fn key(&self, key: Value, task: &Task) -> Result<Key, Cancelled> {
        task.checkpoint()?;
        let Some(object) = key.object() else {
            // Entries whose key was collected have none, and there may be many.
            return Ok(Key { text: key.to_string(), unique: false });
        };
        if let Some(text) = self.contents.text(self.heap, object, SHOWN + 1) {
            // What was cut may be what tells it from another.
            let recorded = self.contents.recorded_text(self.heap, object);
            return Ok(Key { unique: is_whole(&text) && recorded == RecordedText::Whole, text: quoted(&text) });
        }
        if let Some(value) = self.contents.boxed(self.heap, object) {
            return Ok(Key { text: boxed(value), unique: true });
        }
        if let Some(class) = self.heap.classes.of_object(object) {
            return Ok(Key { text: format!("{}.class", self.index.class(self.heap, class)), unique: true });
        }
        if let Some(constant) = self.constant(object) {
            return Ok(Key { text: constant, unique: true });
        }
        let class = self.index.class(self.heap, self.heap.class_id(object));
        let label = self.contents.label(self.heap, object).filter(|label| !has_address(label));
        let text = label.map_or_else(|| class.clone(), |label| format!("{class} {}", quoted(&label)));
        Ok(Key { text, unique: false })
    }

    /// `desk.Status.PAID`: an enum constant, whose class may be a subclass.
    fn constant(&self, object: ObjectId) -> Option<String> {
        let (class, name) = enum_constant(self.heap, self.contents, object, SHOWN)?;
        Some(format!("{}.{name}", self.index.class(self.heap, class)))
    }

    /// The object of a step in a collection: brackets for a value or index, braces for a key or element; the `ordinal`-th
    /// with this text.
    pub(crate) fn entry(
        &self,
        collection: ObjectId,
        text: &str,
        ordinal: u64,
        task: &Task,
    ) -> Result<Option<Entry>, Cancelled> {
        let in_braces = text.starts_with('{');
        let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
        let Some(shape) = self.contents.logical(self.heap, collection, 0..0) else { return Ok(None) };
        if shape.kind == LogicalKind::List && !in_braces {
            let Ok(index) = inside.parse::<u64>() else { return Ok(None) };
            let one = index..index.saturating_add(1);
            let one_entry = self.contents.logical(self.heap, collection, one);
            let object = one_entry.and_then(|logical| logical.entries.first()?.value.object());
            return Ok(object.map(|object| Entry { object, at: index }));
        }
        let (mut at, mut wide, mut alike) = (0, SCANNED, 0);
        while at < shape.size.max(1) {
            task.checkpoint()?;
            let page = self.contents.logical(self.heap, collection, at..at + wide);
            let entries = page.map(|logical| logical.entries).unwrap_or_default();
            if entries.is_empty() {
                break;
            }
            for (at, entry) in (at..).zip(&entries) {
                if self.key(entry.key.unwrap_or(entry.value), task)?.text != inside {
                    continue;
                }
                if alike == ordinal {
                    let side = if in_braces { entry.key.unwrap_or(entry.value) } else { entry.value };
                    return Ok(side.object().map(|object| Entry { object, at }));
                }
                alike += 1;
            }
            at += wide;
            wide = (wide * 2).min(PAGE);
        }
        Ok(None)
    }

    /// The internal object that holds an entry: a node, or the array.
    pub(crate) fn entry_holder(&self, collection: ObjectId, entry: &Entry) -> Option<ObjectId> {
        let one = entry.at..entry.at.saturating_add(1);
        let LogicalCollection { backing, internals, .. } = self.contents.logical(self.heap, collection, one)?;
        let parts = internals.into_iter().chain(backing).chain([collection]);
        let mut holders = parts.filter(|&part| self.heap.references(part).contains(&entry.object.raw()));
        holders.next()
    }

    /// Some keys of a collection as text, for error messages.
    pub(super) fn some_keys(&self, collection: ObjectId, most: u64, task: &Task) -> Result<Vec<String>, Cancelled> {
        let Some(logical) = self.contents.logical(self.heap, collection, 0..most) else { return Ok(Vec::new()) };
        let keys = logical.entries.iter().enumerate().map(|(at, entry)| {
            Ok(match (logical.kind, entry.key) {
                (LogicalKind::List, _) => format!("[{at}]"),
                (LogicalKind::Set, _) => format!("{{{}}}", self.key(entry.value, task)?.text),
                (LogicalKind::Map, key) => format!("[{}]", self.key(key.unwrap_or(entry.value), task)?.text),
            })
        });
        keys.collect()
    }
}

/// A number in Java syntax, which distinguishes `int` from `long`.
fn boxed(value: Value) -> String {
    match value {
        Value::Long(n) => format!("{n}L"),
        Value::Short(n) => format!("(short){n}"),
        Value::Byte(n) => format!("(byte){n}"),
        Value::Float(n) => format!("{n:?}f"),
        Value::Double(n) => format!("{n:?}"),
        other => other.to_string(),
    }
}

/// True if a label contains an address or identity hash, which differ from dump to dump.
fn has_address(label: &str) -> bool {
    label.contains("0x") || label.contains('@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_type() {
        assert_eq!(
            [Value::Int(1), Value::Long(1), Value::Byte(1), Value::Float(1.0), Value::Double(1.0)].map(boxed),
            ["1", "1L", "(byte)1", "1.0f", "1.0"]
        );
    }
}
