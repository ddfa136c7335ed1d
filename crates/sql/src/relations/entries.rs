//! What is in an object: entries of a collection, elements of an array, fields.

use super::function::{Function, object};
use crate::relations::class_fields::of_value;
use crate::relations::listed::RowValues;
use crate::source::QuerySource;
use crate::value::SqlType;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ObjectId, Value as FieldValue};
use heaplens_tables::columns::Value;

const OF: (&str, SqlType) = ("of", SqlType::Object);
/// Entries or elements read at a time.
const PAGE: u64 = 4_096;
/// Maximum number of characters of a text.
const TEXT: usize = 1_000;

pub(super) const ENTRIES: Function = Function {
    name: "entries",
    about: "Entries of a collection: keys and values, whatever implements it",
    columns: &[
        ("position", SqlType::Integer, "Position in the order of the collection, from 0"),
        ("key", SqlType::Text, "Text or number of the key; null in lists and sets"),
        ("key_object", SqlType::Object, "The key, if it is an object"),
        ("value", SqlType::Text, "Text or number of the value or element"),
        ("value_object", SqlType::Object, "The value or element, if it is an object"),
    ],
    arguments: &[OF],
    compute: |source, arguments, task| {
        let Some(collection) = object(source, "entries", arguments)? else { return Ok(Vec::new()) };
        let mut rows: Vec<RowValues> = Vec::new();
        loop {
            task.checkpoint()?;
            let first = rows.len() as u64;
            // Pages grow: each walks from the beginning.
            let page = source.contents().logical(source.heap(), collection, first..2 * first + PAGE);
            let entries = page.map(|page| page.entries).unwrap_or_default();
            if entries.is_empty() {
                return Ok(rows);
            }
            for entry in entries {
                let position = Value::Count(rows.len() as u64);
                let key = entry.key.map_or([Value::Null, Value::Null], |key| both(source, key));
                rows.push([position].into_iter().chain(key).chain(both(source, entry.value)).collect());
            }
        }
    },
};

pub(super) const ELEMENTS: Function = Function {
    name: "elements",
    about: "Elements of an array",
    columns: &[
        ("position", SqlType::Integer, "Index in the array"),
        ("value", SqlType::Text, "Text or number of the element"),
        ("value_object", SqlType::Object, "The element, if it is an object"),
    ],
    arguments: &[OF],
    compute: |source, arguments, task| {
        let Some(array) = object(source, "elements", arguments)? else { return Ok(Vec::new()) };
        Ok(elements(source, array, task)?)
    },
};

fn elements(source: &QuerySource, array: ObjectId, task: &Task) -> Result<Vec<RowValues>, Cancelled> {
    let (heap, contents) = (source.heap(), source.contents());
    let mut rows = Vec::new();
    let length = contents.array_length(heap, array).unwrap_or(0);
    for first in (0..length).step_by(PAGE as usize) {
        task.checkpoint()?;
        let range = first..(first + PAGE).min(length);
        let indexes = contents.element_places(heap, array, range.clone());
        let page = contents.elements(heap, array, range).unwrap_or_default();
        rows.extend((first..).zip(page).enumerate().map(|(at, (index, value))| {
            let index = indexes.as_ref().and_then(|indexes| indexes.get(at).copied()).unwrap_or(index);
            [Value::Count(index)].into_iter().chain(both(source, value)).collect()
        }));
    }
    Ok(rows)
}

pub(super) const FIELDS: Function = Function {
    name: "fields",
    about: "Fields of an object; statics of a class object",
    columns: &[
        ("field", SqlType::Text, "Name"),
        ("declared_by", SqlType::Text, "Class that declares it"),
        ("type", SqlType::Text, "Declared type, as far as it is recorded"),
        ("static", SqlType::Flag, "1 for a static field"),
        ("value", SqlType::Text, "Text or number of the value"),
        ("value_object", SqlType::Object, "The value, if it is an object"),
    ],
    arguments: &[OF],
    compute: |source, arguments, _| {
        let Some(object) = object(source, "fields", arguments)? else { return Ok(Vec::new()) };
        let fields = source.contents().fields(source.heap(), object).unwrap_or_default();
        let row = |field: heaplens_heap::Field| {
            let value = both(source, field.value);
            let flag = Value::Integer(field.is_static.into());
            let names = [Value::text(field.name), Value::text(field.declared_by), Value::text(field.type_name)];
            names.into_iter().chain([flag]).chain(value).collect()
        };
        Ok(fields.into_iter().map(row).collect())
    },
};

/// A value as text or number, and as object.
fn both(source: &QuerySource, value: FieldValue) -> [Value<'static>; 2] {
    let heap = source.heap();
    match value {
        FieldValue::Object(object) => {
            let text = text_or_boxed(source, object, TEXT);
            [text, Value::object(heap, object)]
        }
        value => [of_value(heap, value), Value::Null],
    }
}

/// The text of a string, at most so many characters of it, or the value in a boxed number.
pub(crate) fn text_or_boxed(source: &QuerySource, object: ObjectId, most: usize) -> Value<'static> {
    let (heap, contents) = (source.heap(), source.contents());
    match contents.boxed(heap, object) {
        Some(value) => of_value(heap, value),
        None => Value::optional(contents.text(heap, object, most), Value::text),
    }
}
