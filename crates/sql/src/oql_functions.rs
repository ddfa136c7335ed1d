//! Functions that translated queries of Eclipse MAT need: classes as objects, and objects as MAT writes them.

use std::error::Error;
use std::sync::Arc;

use rusqlite::functions::FunctionFlags;
use rusqlite::types::{Value as Stored, ValueRef};
use rusqlite::{Connection, Result};

use crate::java_regex;
use crate::relations::class_fields::all_named;
use crate::relations::entries::text_or_boxed;
use crate::scalars::{answer, argument, field};
use crate::source::QuerySource;
use crate::virtual_table::RelationList;
use heaplens_heap::{ClassKind, Heap, ObjectId, Value as FieldValue};
use heaplens_tables::columns::Value;

/// Maximum number of characters of a text.
const TEXT: usize = 100_000;
/// Characters of a value in a display name, as in MAT.
const SHORT: usize = 256;

/// Name with arguments, and what it returns.
pub(crate) const ABOUT: [(&str, &str); 8] = [
    ("class_object(id)", "The class of an object as an object; null in formats without such objects"),
    ("described_class(id)", "Name of the class that a class object describes; null for other objects"),
    ("array_length(id)", "Number of elements of an array; null for other objects"),
    ("to_string(id)", "Text of a string, box, class, thread or array of characters, as toString() in OQL; else empty"),
    ("field_text(id, path)", "Value of a field as text: field_text(id, 'customer.name')"),
    ("technical_name(id)", "Class and address, as in MAT: java.lang.String @ 0xfe03f300"),
    ("display_name(id)", "Class, address and text, as in MAT"),
    ("matches(text, expression)", "1 if a whole text matches a regular expression, as LIKE in OQL"),
];

/// A function of an object.
type Of = fn(&QuerySource, ObjectId) -> Value<'static>;

/// Adds the functions to a connection; their names begin with `prefix`.
pub(crate) fn add(connection: &Connection, prefix: &str, source: &Arc<QuerySource>, list: &RelationList) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let of_objects: [(&str, Of); 6] = [
        ("class_object", |source, object| {
            let heap = source.heap();
            Value::optional(heap.class(object).object, |class| Value::object(heap, class))
        }),
        ("described_class", |source, object| Value::optional(described(source.heap(), object), Value::text)),
        ("array_length", |source, object| {
            Value::optional(source.contents().array_length(source.heap(), object), Value::Count)
        }),
        ("to_string", |source, object| Value::text(to_string(source, object).unwrap_or_default())),
        ("technical_name", |source, object| Value::text(technical_name(source.heap(), object))),
        ("display_name", |source, object| Value::text(display_name(source, object))),
    ];
    for (name, value) in of_objects {
        let source = Arc::clone(source);
        connection.create_scalar_function(&*format!("{prefix}{name}"), 1, flags, move |call| {
            answer(argument(call, &source, 0)?, |object| Ok(value(&source, object)))
        })?;
    }
    let of = Arc::clone(source);
    connection.create_scalar_function(&*format!("{prefix}field_text"), 2, flags, move |call| {
        let Some(path) = call.get::<Option<String>>(1)? else { return Ok(Stored::Null) };
        answer(argument(call, &of, 0)?, |object| Ok(field_text(&of, object, &path)))
    })?;
    let list = list.clone();
    connection.create_scalar_function(&*format!("{prefix}matches"), 2, flags, move |call| {
        let text = match call.get_raw(0) {
            ValueRef::Null | ValueRef::Blob(_) => return Ok(None),
            ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
            ValueRef::Integer(number) => number.to_string(),
            ValueRef::Real(number) => number.to_string(),
        };
        if list.task().is_cancelled() {
            return Ok(None);
        }
        let compiled =
            call.get_or_create_aux(1, |pattern| -> std::result::Result<_, Box<dyn Error + Send + Sync>> {
                Ok(java_regex::full_match(pattern.as_str()?)?)
            })?;
        Ok(Some(compiled.is_match(&text)))
    })
}

/// Name of the class that a class object describes.
fn described(heap: &Heap, object: ObjectId) -> Option<String> {
    heap.classes.of_object(object).map(|class| heap.classes.get(class).name.to_string())
}

/// Text of an object, as MAT's name resolvers have it; `None` for objects without one.
fn to_string(source: &QuerySource, object: ObjectId) -> Option<String> {
    let heap = source.heap();
    if let Some(name) = described(heap, object) {
        return Some(name);
    }
    match text_or_boxed(source, object, TEXT) {
        Value::Text(text) => return Some(text.into_owned()),
        Value::Integer(number) => return Some(number.to_string()),
        Value::Real(number) => return Some(number.to_string()),
        _ => {}
    }
    if heap.class(object).kind == ClassKind::PrimitiveArray {
        return characters(source, object);
    }
    let is_thread = all_named(heap, "java.lang.Thread")
        .iter()
        .any(|&thread| heap.classes.is_subclass(heap.class_id(object), thread));
    match field(source, object, "name").filter(|_| is_thread)? {
        // A string, or an array of characters in old versions.
        FieldValue::Object(name) if name != object => match text_or_boxed(source, name, TEXT) {
            Value::Text(text) => Some(text.into_owned()),
            _ => characters(source, name),
        },
        _ => None,
    }
}

/// Characters of a `char[]`, or of a `byte[]` in Latin 1; those that cannot be printed are points, as in MAT.
fn characters(source: &QuerySource, array: ObjectId) -> Option<String> {
    let elements = source.contents().elements(source.heap(), array, 0..TEXT as u64).ok()?;
    let units: Option<Vec<u16>> = elements
        .into_iter()
        .map(|value| match value {
            FieldValue::Char(unit) => Some(unit),
            FieldValue::Byte(byte) if (0x20..0x7f).contains(&byte) => Some(byte as u16),
            FieldValue::Byte(_) => Some(u16::from(b'.')),
            _ => None,
        })
        .collect();
    units.map(|units| String::from_utf16_lossy(&units))
}

fn field_text(source: &QuerySource, object: ObjectId, path: &str) -> Value<'static> {
    match field(source, object, path) {
        Some(FieldValue::Object(object)) => Value::text(to_string(source, object).unwrap_or_default()),
        Some(FieldValue::Null | FieldValue::Unavailable) | None => Value::Null,
        Some(FieldValue::Char(unit)) => Value::text(String::from_utf16_lossy(&[unit])),
        Some(value) => Value::text(value.to_string()),
    }
}

fn technical_name(heap: &Heap, object: ObjectId) -> String {
    let class =
        described(heap, object).map_or_else(|| heap.class(object).name.to_string(), |name| format!("class {name}"));
    format!("{class} @ {}", heap.id_text(object))
}

fn display_name(source: &QuerySource, object: ObjectId) -> String {
    let name = technical_name(source.heap(), object);
    // The name of a class is in its technical name.
    let text = if described(source.heap(), object).is_some() { None } else { to_string(source, object) };
    match text {
        None => name,
        Some(text) => match text.char_indices().nth(SHORT) {
            Some((end, _)) => format!("{name}  {}...", &text[..end]),
            None => format!("{name}  {text}"),
        },
    }
}
