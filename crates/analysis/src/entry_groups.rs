//! What the entries of a structure have in common: the field whose commonest value most of them share, such as the tenant of
//! the sessions in a cache, or the beginning of their keys.

use std::collections::BTreeMap;

use crate::answers::DumpData;
use crate::secrets::is_credential;
use heaplens_base::invisible::one_line;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::{LogicalEntry, ObjectId, Value};

/// Maximum number of entries that are read; of more, the first count.
const ENTRIES: u64 = 50_000;
/// Entries that are read at once.
const CHUNK: u64 = 4_096;
/// Fewer entries show no common value.
const LEAST_ENTRIES: u64 = 10;
/// Maximum number of fields that are compared, and of values of one field: a field with more is an identifier.
const FIELDS: usize = 60;
const VALUES: usize = 2_000;
/// Maximum number of characters of a value.
const CHARACTERS: usize = 40;
/// Percentage of the entries that the commonest value has at least.
const LEAST_SHARE: u64 = 25;
/// A category has at least so many entries for each of its values, on average.
const ENTRIES_PER_VALUE: u64 = 4;
/// What separates the beginning of a key from the rest.
const SEPARATORS: [char; 5] = [':', '/', '|', '#', '@'];

/// A value that many entries of a structure share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonValue {
    /// The field of the entries, or `None` for the beginning of their keys.
    pub field: Option<String>,
    /// The value.
    pub value: String,
    /// Number of entries with it.
    pub entries: u64,
    /// Number of entries that were compared.
    pub compared: u64,
    /// Number of entries of the structure.
    pub all: u64,
    /// Number of different values.
    pub values: u64,
}

/// Number of entries by value, of one field.
#[derive(Default)]
struct Field {
    values: BTreeMap<String, u64>,
    /// True if there are more values than are counted.
    is_identifier: bool,
    /// True if the values are texts.
    is_text: bool,
}

impl Field {
    fn add(&mut self, value: String) {
        if let Some(count) = self.values.get_mut(&value) {
            *count += 1;
        } else if self.values.len() < VALUES {
            self.values.insert(value, 1);
        } else {
            self.is_identifier = true;
        }
    }
}

/// The commonest value of the entries of a structure, if one stands out. Values that are hidden are not read.
///
/// # Errors
/// When `task` is cancelled.
pub fn common_value(dump: DumpData<'_>, structure: ObjectId, task: &Task) -> Result<Option<CommonValue>, Cancelled> {
    let DumpData { heap, contents, .. } = dump;
    let Some(all) = contents.logical(heap, structure, 0..0).map(|logical| logical.size) else { return Ok(None) };
    if all < LEAST_ENTRIES || contents.hides_values() {
        return Ok(None);
    }
    task.step("Comparing entries", Unit::Objects, all.min(ENTRIES));
    let (mut fields, mut compared) = (BTreeMap::<String, Field>::new(), 0);
    let mut keys = Field { is_text: true, ..Field::default() };
    while compared < all.min(ENTRIES) {
        task.checkpoint()?;
        let range = compared..(compared + CHUNK).min(ENTRIES);
        let entries = contents.logical(heap, structure, range).map(|logical| logical.entries).unwrap_or_default();
        if entries.is_empty() {
            break;
        }
        for entry in &entries {
            compared += 1;
            if let Some(beginning) = beginning_of_key(dump, entry) {
                keys.add(beginning);
            }
            add_fields(dump, entry, &mut fields);
        }
        task.advance(entries.len() as u64);
    }
    let named = fields.into_iter().map(|(name, field)| (Some(name), field)).chain([(None, keys)]);
    let common = named.filter_map(|(name, field)| most_common(name, &field, compared, all));
    // A category says more than what all have; of both, what more entries have.
    Ok(common.max_by_key(|common| (common.values > 1, common.entries)))
}

fn most_common(name: Option<String>, field: &Field, compared: u64, all: u64) -> Option<CommonValue> {
    let values = field.values.len() as u64;
    let (value, &entries) = field.values.iter().max_by_key(|&(value, entries)| (entries, std::cmp::Reverse(value)))?;
    let is_category = !field.is_identifier && values.saturating_mul(ENTRIES_PER_VALUE) <= compared;
    let is_much = entries >= LEAST_ENTRIES && entries.saturating_mul(100) >= compared.saturating_mul(LEAST_SHARE);
    // What all have may be a default; a text is no default.
    let may_be_all = field.is_text && name.is_some();
    let tells = is_category && is_much && (values > 1 || may_be_all) && !value.is_empty();
    let value = value.clone();
    tells.then_some(CommonValue { field: name, value, entries, compared, all, values })
}

/// The beginning of a key, up to a separator: `tenant-17` of `tenant-17:session:4`.
fn beginning_of_key(dump: DumpData<'_>, entry: &LogicalEntry) -> Option<String> {
    let text = dump.contents.text(dump.heap, entry.key?.object()?, CHARACTERS)?;
    let text = text.trim_start_matches(SEPARATORS);
    // Of a URL its host belongs to the beginning.
    let host = text.find("://").map_or(0, |at| at + 3);
    let end = host + text.get(host..)?.find(SEPARATORS)?;
    readable(text.get(..end)?)
}

/// Adds the texts and small numbers in the fields of an entry.
fn add_fields(dump: DumpData<'_>, entry: &LogicalEntry, fields: &mut BTreeMap<String, Field>) {
    let Some(object) = entry.value.object() else { return };
    let runtime = dump.answers.runtime_classes();
    let declared = dump.contents.fields(dump.heap, object).unwrap_or_default();
    let own = declared.iter().filter(|field| !field.is_static && !runtime.contains(&field.declared_by));
    let is_shown = |name: &str| !name.starts_with('<') && name != "__proto__" && !is_credential(name);
    for field in own.filter(|field| is_shown(&field.name)) {
        let (value, is_text) = match field.value {
            Value::Object(value) => {
                (dump.contents.text(dump.heap, value, CHARACTERS).as_deref().and_then(readable), true)
            }
            Value::Int(value) if value > 0 => (Some(value.to_string()), false),
            Value::Short(value) if value > 0 => (Some(value.to_string()), false),
            _ => (None, false),
        };
        let Some(value) = value else { continue };
        if fields.len() >= FIELDS && !fields.contains_key(&field.name) {
            continue;
        }
        let of_field = fields.entry(field.name.clone()).or_default();
        of_field.is_text |= is_text;
        of_field.add(value);
    }
}

/// A short text as a value to show.
fn readable(text: &str) -> Option<String> {
    let text = one_line(text.trim());
    (!text.is_empty() && text.chars().count() < CHARACTERS).then_some(text)
}
