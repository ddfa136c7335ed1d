//! Values whose field, property or key says that they are credentials.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::mask::FoundValue;
use super::named_fields::NamedFields;
use super::names::{LONGEST_NAME, NameMeaning, meaning};
use super::rules::SECRET;
use super::texts::{TextForm, Texts};
use super::values::{Setting, is_password, is_phrase};
use crate::answers::DumpData;
use crate::rows::joined;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::{ClassId, ClassKind, LogicalKind, ObjectId, ReferenceKind, Value};

/// Length in bytes of the longest value that is found by its name.
const LONGEST_VALUE: usize = 8_192;
/// Number of holders of a value that are examined.
const HOLDERS: usize = 64;
/// Number of holders of a key that are examined: a constant may be the key of many maps.
const HOLDERS_OF_KEY: usize = 100_000;
/// Maximum number of references of an entry of a map, and of an object that only wraps a value.
const ENTRY_FIELDS: usize = 12;
/// Maximum length of a list that may be the values of one header.
const SHORT_LIST: u64 = 4;
/// Maximum number of entries examined of a map, and how many are read at once.
const ENTRIES: u64 = 1_000_000;
const PAGE: u64 = 4_096;
/// Lengths of the shortest and longest value of a property, in characters.
const PROPERTY: std::ops::RangeInclusive<usize> = 4..=1_024;
/// Lengths of keys in bytes.
const KEY_BYTES: std::ops::RangeInclusive<usize> = 8..=256;
/// Fields of the library that have the bytes of a key.
const KEY_FIELDS: [(&str, &str); 3] = [
    ("javax.crypto.spec.SecretKeySpec", "key"),
    ("javax.crypto.spec.DESKeySpec", "key"),
    ("javax.crypto.spec.DESedeKeySpec", "key"),
];
/// Keys of maps of the library that are no strings, but have one.
const WRAPPED_KEYS: [&str; 2] = ["java.lang.ProcessEnvironment$Variable", "java.lang.ProcessEnvironment$ExternalData"];
/// Fields of objects that only wrap a text: `Optional`, a value with its origin, a class for passwords.
const WRAPPER_FIELDS: [&str; 8] = ["value", "str", "val", "chars", "secret", "password", "source", "text"];

/// A value with such a name.
pub(super) struct NamedValue {
    pub(super) object: ObjectId,
    pub(super) kind: &'static str,
    pub(super) value: FoundValue,
}

/// Finds values by the names of their fields and keys.
pub(super) struct NamedSearch<'a> {
    pub(super) dump: DumpData<'a>,
    pub(super) texts: &'a Texts<'a>,
}

impl NamedSearch<'_> {
    /// Values of fields, static fields and properties, and those of maps with the given keys.
    pub(super) fn find(&self, keys: &[ObjectId], task: &Task) -> Result<Vec<NamedValue>, Cancelled> {
        let mut values = self.of_fields(task)?;
        values.extend(self.of_statics(task)?);
        values.extend(self.of_key_fields(task)?);
        let mut containers = BTreeSet::new();
        for &key in keys {
            task.checkpoint()?;
            self.of_key(key, &mut values, &mut containers);
        }
        self.of_containers(&containers, &mut values, task)?;
        if self.dump.heap.snapshot().is_some() {
            values.extend(self.of_properties(task)?);
        }
        Ok(values)
    }

    fn value(&self, object: ObjectId, meaning: NameMeaning, setting: Setting) -> Option<NamedValue> {
        let object = if self.texts.form(object) == TextForm::None { self.wrapped(object)? } else { object };
        // Thousands of fields may refer to one text: a long one is found by its form.
        let value = self.texts.any_text(object, LONGEST_VALUE + 1).filter(|value| value.len() <= LONGEST_VALUE)?;
        let kind = meaning.kind(&value, setting)?;
        Some(NamedValue { object, kind, value: FoundValue::new(kind, &value) })
    }

    /// The text in an object that only wraps it, or the first of a short list, as headers have their values.
    fn wrapped(&self, object: ObjectId) -> Option<ObjectId> {
        let is_text = |text: &ObjectId| self.texts.form(*text) != TextForm::None;
        let text = self.named_field(object, &WRAPPER_FIELDS).filter(is_text);
        text.or_else(|| {
            let list = self.dump.contents.logical(self.dump.heap, object, 0..1)?;
            let of_one = list.kind == LogicalKind::List && list.size <= SHORT_LIST;
            list.entries.first().filter(|_| of_one)?.value.object().filter(is_text)
        })
    }

    /// The object in the first field with one of these names, of a small object.
    fn named_field(&self, object: ObjectId, names: &[&str]) -> Option<ObjectId> {
        let is_plain = self.dump.heap.class(object).kind == ClassKind::Plain;
        if !is_plain || self.dump.heap.references(object).len() > ENTRY_FIELDS {
            return None;
        }
        let fields = self.dump.contents.fields(self.dump.heap, object).ok()?;
        let mut named = fields.iter().filter(|field| !field.is_static && names.contains(&&*field.name));
        named.find_map(|field| field.value.object())
    }

    fn of_fields(&self, task: &Task) -> Result<Vec<NamedValue>, Cancelled> {
        let fields = NamedFields::new(self.dump.heap, self.dump.contents, meaning);
        if fields.is_empty() {
            return Ok(Vec::new());
        }
        task.step("Searching fields", Unit::Objects, self.dump.heap.len() as u64);
        let column = self.dump.heap.class_column().slices();
        joined(task.par_blocks(self.dump.heap.len()).map(|rows| {
            let rows = rows?;
            task.advance(rows.len() as u64);
            let (mut named, mut values) = (Vec::new(), Vec::new());
            for row in rows {
                let Some(class) = column.get(row).and_then(ClassId::from_raw) else { continue };
                let mut positions = fields.of(class).peekable();
                let Some(object) = ObjectId::new(row).filter(|_| positions.peek().is_some()) else { continue };
                task.checkpoint()?;
                self.dump.contents.reference_values(self.dump.heap, object, &mut values);
                for (position, meaning) in positions {
                    let value = values.get(position).and_then(|value| value.object());
                    named.extend(value.and_then(|value| self.value(value, meaning, Setting::Field)));
                }
            }
            Ok(named)
        }))
    }

    /// Constants such as `PASSWORD = "j_password"` are names themselves: a static value must look random.
    fn of_statics(&self, task: &Task) -> Result<Vec<NamedValue>, Cancelled> {
        let mut values = Vec::new();
        if self.dump.heap.snapshot().is_some() {
            return Ok(values);
        }
        for (_, class) in self.dump.heap.classes.iter() {
            task.checkpoint()?;
            let Some(object) = class.object else { continue };
            for field in self.dump.contents.fields(self.dump.heap, object).unwrap_or_default() {
                let meaning = field.is_static.then(|| meaning(&field.name)).flatten();
                let (Some(meaning), Some(value)) = (meaning, field.value.object()) else { continue };
                let has_digit = |value: &NamedValue| value.value.begin.bytes().any(|byte| byte.is_ascii_digit());
                values.extend(self.value(value, meaning, Setting::Entry).filter(has_digit));
            }
        }
        Ok(values)
    }

    /// Keys of the library's cryptography, which are bytes and no text.
    fn of_key_fields(&self, task: &Task) -> Result<Vec<NamedValue>, Cancelled> {
        let named = KEY_FIELDS.iter().filter_map(|&(class, field)| Some((self.dump.heap.classes.named(class)?, field)));
        let classes: Vec<(ClassId, &str)> = named.collect();
        if classes.is_empty() {
            return Ok(Vec::new());
        }
        let column = self.dump.heap.class_column().slices();
        joined(task.par_blocks(self.dump.heap.len()).map(|rows| {
            let mut values = Vec::new();
            for row in rows? {
                let class = column.get(row).and_then(ClassId::from_raw);
                let Some(&(_, field)) = classes.iter().find(|(id, _)| Some(*id) == class) else { continue };
                let key = ObjectId::new(row).and_then(|object| self.named_field(object, &[field]));
                values.extend(key.and_then(|key| self.key_bytes(key)));
            }
            Ok(values)
        }))
    }

    fn key_bytes(&self, object: ObjectId) -> Option<NamedValue> {
        let bytes = self.texts.bytes(object).filter(|bytes| KEY_BYTES.contains(&bytes.len()))?;
        let (first, rest) = bytes.split_first()?;
        // Programs overwrite keys that are no longer needed.
        if rest.iter().all(|byte| byte == first) {
            return None;
        }
        let value = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let value: String = value.filter_map(|digit| char::from_digit(digit.into(), 16)).collect();
        Some(NamedValue { object, kind: SECRET, value: FoundValue::new(SECRET, &value) })
    }

    /// Values in the entries with a key; arrays that have the key are added to `containers`.
    fn of_key(&self, key: ObjectId, values: &mut Vec<NamedValue>, containers: &mut BTreeSet<ObjectId>) {
        let Some(meaning) = self.texts.any_text(key, LONGEST_NAME + 1).and_then(|text| meaning(&text)) else { return };
        self.of_entries(key, meaning, values, containers);
        for wrapper in
            self.holders(key, HOLDERS).filter(|&holder| WRAPPED_KEYS.contains(&&*self.dump.heap.class(holder).name))
        {
            self.of_entries(wrapper, meaning, values, containers);
        }
    }

    fn holders(&self, object: ObjectId, limit: usize) -> impl Iterator<Item = ObjectId> {
        self.dump.analysis.referrers(object).take(limit)
    }

    fn of_entries(
        &self,
        key: ObjectId,
        meaning: NameMeaning,
        values: &mut Vec<NamedValue>,
        containers: &mut BTreeSet<ObjectId>,
    ) {
        for holder in self.holders(key, HOLDERS_OF_KEY) {
            if self.named_field(holder, &["key", "k", "name"]) == Some(key) {
                let value = self.named_field(holder, &["value", "val", "v"]);
                values.extend(value.and_then(|value| self.value(value, meaning, Setting::Entry)));
            } else if self.dump.heap.snapshot().is_some() || self.dump.heap.class(holder).kind == ClassKind::ObjectArray
            {
                containers.insert(holder);
            }
        }
    }

    /// Values in maps that have keys in arrays.
    fn of_containers(
        &self,
        containers: &BTreeSet<ObjectId>,
        values: &mut Vec<NamedValue>,
        task: &Task,
    ) -> Result<(), Cancelled> {
        let holders = containers.iter().flat_map(|&array| self.holders(array, HOLDERS));
        let maps: BTreeSet<ObjectId> = holders
            .filter(|&holder| self.dump.heap.class(holder).name.contains("Map") || self.dump.heap.snapshot().is_none())
            .collect();
        for &map in &maps {
            for page in (0..ENTRIES / PAGE).map(|page| page * PAGE) {
                task.checkpoint()?;
                let Some(entries) = self.dump.contents.logical(self.dump.heap, map, page..page + PAGE) else { break };
                for entry in &entries.entries {
                    let key = entry.key.and_then(Value::object).filter(|&key| self.texts.form(key) != TextForm::None);
                    let Some(value) = entry.value.object() else { continue };
                    let key = key.and_then(|key| self.dump.contents.text(self.dump.heap, key, LONGEST_NAME + 1));
                    let meaning = key.and_then(|key| meaning(&key));
                    values.extend(meaning.and_then(|meaning| self.value(value, meaning, Setting::Entry)));
                }
                if (entries.entries.len() as u64) < PAGE {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Properties of a snapshot, from their values.
    fn of_properties(&self, task: &Task) -> Result<Vec<NamedValue>, Cancelled> {
        task.step("Searching properties", Unit::Objects, self.dump.heap.len() as u64);
        joined(task.par_blocks(self.dump.heap.len()).map(|rows| {
            let rows = rows?;
            task.advance(rows.len() as u64);
            let strings = rows.filter_map(ObjectId::new).filter(|&object| self.texts.form(object) == TextForm::String);
            Ok(strings.filter_map(|string| self.of_property(string)).collect())
        }))
    }

    fn of_property(&self, string: ObjectId) -> Option<NamedValue> {
        let holders = self.dump.analysis.referrers(string).take(HOLDERS);
        let mut holders = holders.filter(|&holder| !self.dump.heap.class(holder).name.starts_with('(')).peekable();
        // Parts of concatenated strings have no other holders: the first letters of each may be as deep as there are.
        holders.peek()?;
        let text = self.dump.contents.text(self.dump.heap, string, PROPERTY.end() + 1)?;
        // Most strings are no credentials: only for the others are their properties read.
        if !PROPERTY.contains(&text.chars().count()) || !is_password(&text) && !is_phrase(&text) {
            return None;
        }
        let named = holders.find_map(|holder| {
            let names = self.dump.contents.reference_names(self.dump.heap, holder, string, HOLDERS);
            let names =
                names.iter().filter(|name| matches!(name.kind, ReferenceKind::Property | ReferenceKind::Context));
            names.into_iter().find_map(|name| meaning(&name.text))
        })?;
        let kind = named.kind(&text, Setting::Entry)?;
        Some(NamedValue { object: string, kind, value: FoundValue::new(kind, &text) })
    }
}
