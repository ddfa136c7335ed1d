//! Functions of a query that return one value: `owner(id)`, `field(id, 'a.b')`.

use std::sync::Arc;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::{Connection, Error, Result, types::Value as Stored, types::ValueRef};

use crate::relation::RowsError;
use crate::relations::class_fields::{all_named, of_value};
use crate::relations::entries::text_or_boxed;
use crate::relations::objects::values::{ObjectValue, object_value};
use crate::source::QuerySource;
use crate::value::{object_of_id, sql_form};
use crate::virtual_table::RelationList;
use heaplens_analysis::TextFilter;
use heaplens_heap::{Heap, ObjectId, Value as FieldValue};
use heaplens_tables::columns::Value;

/// Maximum number of characters of a text, unless the query says another.
const TEXT: usize = 100_000;

/// Name with arguments, and what it returns, for help and completion.
pub(crate) const ABOUT: [(&str, &str); 17] = [
    ("class_of(id)", "Class of an object"),
    ("shallow(id)", "Shallow size of an object in bytes"),
    ("retained(id)", "Retained size of an object in bytes"),
    ("dominator(id)", "Immediate dominator of an object"),
    ("distance(id)", "References on the shortest path from a GC root"),
    ("label(id)", "Short text that identifies an object"),
    ("preview(id)", "Fields that tell an object from others of its class, with their values"),
    ("name(id)", "Name of an object, built from fields and keys"),
    ("owner(id)", "Class and field that hold an object"),
    ("short_name(id)", "Field or variable in the source that holds an object, with the entry"),
    ("address(id)", "The id as people write it: 0x…"),
    ("text(id)", "Text of a string, or the number in a boxed number; text(id, n): at most n characters"),
    ("field(id, path)", "Value of a field: field(id, 'table'), field(id, 'parent.name'), field(id, 'rows[0]')"),
    ("object(text)", "Object with an id or a name as text"),
    ("dominates(a, b)", "1 if every path from a GC root to b leads through a"),
    ("passes_filter(text, filter)", "1 if a text passes a filter of words or /expression/, as typed above a table"),
    ("is_subclass(class, ancestor)", "1 if a class, by name, is another one or extends it"),
];

const OF_OBJECTS: [(&str, ObjectValue); 11] = [
    ("class_of", ObjectValue::Class),
    ("shallow", ObjectValue::Shallow),
    ("retained", ObjectValue::Retained),
    ("dominator", ObjectValue::Dominator),
    ("distance", ObjectValue::Distance),
    ("label", ObjectValue::Label),
    ("preview", ObjectValue::Preview),
    ("name", ObjectValue::Name),
    ("owner", ObjectValue::Owner),
    ("short_name", ObjectValue::ShortName),
    ("address", ObjectValue::Address),
];

/// Adds the functions to a connection; their names begin with `prefix`.
pub(crate) fn add(connection: &Connection, prefix: &str, source: &Arc<QuerySource>, list: &RelationList) -> Result<()> {
    let named = |name: &str| format!("{prefix}{name}");
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    for (name, value) in OF_OBJECTS {
        let (source, list) = (Arc::clone(source), list.clone());
        connection.create_scalar_function(&*named(name), 1, flags, move |call| {
            let of = |object| Ok(object_value(&source, object, value, &list.task())?.into_static());
            answer(argument(call, &source, 0)?, of)
        })?;
    }
    for arguments in [1, 2] {
        let source = Arc::clone(source);
        connection.create_scalar_function(&*named("text"), arguments, flags, move |call| {
            let most = if arguments == 2 { call.get::<u32>(1)? as usize } else { TEXT };
            answer(argument(call, &source, 0)?, |object| Ok(text_or_boxed(&source, object, most)))
        })?;
    }
    let of = Arc::clone(source);
    connection.create_scalar_function(&*named("field"), 2, flags, move |call| {
        let Some(path) = call.get::<Option<String>>(1)? else { return Ok(Stored::Null) };
        answer(argument(call, &of, 0)?, |object| {
            Ok(Value::optional(field(&of, object, &path), |value| of_value(of.heap(), value)))
        })
    })?;
    let (of, list) = (Arc::clone(source), list.clone());
    connection.create_scalar_function(&*named("object"), 1, flags, move |call| {
        let Some(text) = call.get::<Option<String>>(0)? else { return Ok(Stored::Null) };
        let task = list.task();
        let by_name = || of.namer(&task).ok()?.resolve(&text, &task).ok();
        let of_name = of.heap().find(&text).or_else(by_name);
        answer(of_name, |object| Ok(Value::object(of.heap(), object)))
    })?;
    let of = Arc::clone(source);
    connection.create_scalar_function(&*named("dominates"), 2, flags, move |call| {
        let both = argument(call, &of, 0)?.zip(argument(call, &of, 1)?);
        Ok(both.map(|(above, below)| of.analysis().dominates(above, below)))
    })?;
    connection.create_scalar_function(&*named("passes_filter"), 2, flags, |call| {
        let Some(text) = call.get::<Option<String>>(0)? else { return Ok(false) };
        let filter =
            call.get_or_create_aux(1, |filter| -> std::result::Result<_, Box<dyn std::error::Error + Send + Sync>> {
                Ok(TextFilter::parse(filter.as_str()?)?)
            })?;
        Ok(filter.matches(&text))
    })?;
    let of = Arc::clone(source);
    connection.create_scalar_function(&*named("is_subclass"), 2, flags, move |call| {
        let classes = call.get::<Option<String>>(0)?.zip(call.get::<Option<String>>(1)?);
        Ok(classes.map(|(class, ancestor)| is_subclass(of.heap(), &class, &ancestor)))
    })
}

/// The object that an argument is: an id, or a text as people write it.
pub(crate) fn argument(call: &Context<'_>, source: &QuerySource, index: usize) -> Result<Option<ObjectId>> {
    match call.get_raw(index) {
        ValueRef::Integer(id) => Ok(object_of_id(source.heap(), id)),
        ValueRef::Text(text) => Ok(std::str::from_utf8(text).ok().and_then(|text| source.heap().find(text))),
        ValueRef::Null => Ok(None),
        ValueRef::Real(_) | ValueRef::Blob(_) => {
            Err(Error::InvalidParameterType(index, call.get_raw(index).data_type()))
        }
    }
}

/// Value for an object, null for none.
pub(crate) fn answer(
    object: Option<ObjectId>,
    of: impl FnOnce(ObjectId) -> std::result::Result<Value<'static>, RowsError>,
) -> Result<Stored> {
    let value = object.map_or(Ok(Value::Null), of).map_err(|error| {
        Error::UserFunctionError(match error {
            RowsError::Cancelled => "cancelled".into(),
            RowsError::Message(message) => message.into(),
        })
    })?;
    Ok(sql_form(&value).try_into().unwrap_or(Stored::Null))
}

/// Value at the end of a path of fields and elements; `None` if a step does not exist.
pub(crate) fn field(source: &QuerySource, mut object: ObjectId, path: &str) -> Option<FieldValue> {
    let mut rest = path;
    loop {
        let (value, left) = step(source, object, rest)?;
        if left.is_empty() {
            return Some(value);
        }
        (object, rest) = (value.object()?, left);
    }
}

/// Value of the first step of a path, and the rest of the path.
fn step<'p>(source: &QuerySource, object: ObjectId, path: &'p str) -> Option<(FieldValue, &'p str)> {
    let (heap, contents) = (source.heap(), source.contents());
    if let Some((index, left)) = path.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return element(source, object, index.trim().parse().ok()?, left);
    }
    let fields = contents.fields(heap, object).ok()?;
    let named = |name: &str| match fields.iter().find(|field| field.name == name) {
        Some(field) => Some(field.value),
        // An array has no fields.
        None if name == "length" => contents.array_length(heap, object).map(|length| FieldValue::Long(length as i64)),
        None => None,
    };
    // A name may have a dot in JavaScript.
    if let Some(value) = named(path) {
        return Some((value, ""));
    }
    // A step that takes nothing from the path would never end.
    let end = path.find(['.', '[']).filter(|&end| end > 0)?;
    let left = &path[end..];
    Some((named(&path[..end])?, left.strip_prefix('.').unwrap_or(left)))
}

/// An element of an array or entry of a collection, and the rest of the path; an index below 0 counts from the end. Of a
/// map it is the value, or the key with `.@key` behind the index.
fn element<'p>(source: &QuerySource, object: ObjectId, index: i64, left: &'p str) -> Option<(FieldValue, &'p str)> {
    let (heap, contents) = (source.heap(), source.contents());
    let at = |length: u64| {
        let from_begin = if index < 0 { index.checked_add(length as i64)? } else { index };
        u64::try_from(from_begin).ok().filter(|&at| at < length)
    };
    let rest = |left: &'p str| left.strip_prefix('.').unwrap_or(left);
    if let Some(length) = contents.array_length(heap, object) {
        let at = at(length)?;
        let value = contents.elements(heap, object, at..at + 1).ok()?.first().copied()?;
        return Some((value, rest(left)));
    }
    let at = at(contents.logical(heap, object, 0..0)?.size)?;
    let entry = contents.logical(heap, object, at..at + 1)?.entries.first().copied()?;
    Some(match (left.strip_prefix(".@key"), left.strip_prefix(".@value")) {
        (Some(left), _) => (entry.key?, rest(left)),
        (_, Some(left)) => (entry.value, rest(left)),
        _ => (entry.value, rest(left)),
    })
}

fn is_subclass(heap: &Heap, class: &str, ancestor: &str) -> bool {
    let ancestors = all_named(heap, ancestor);
    all_named(heap, class).iter().any(|&class| ancestors.iter().any(|&above| heap.classes.is_subclass(class, above)))
}
