//! Columns of an object, and their values.

use crate::relation::RowsError;
use crate::source::QuerySource;
use crate::value::SqlType;
use heaplens_analysis::clock::AgeInterval;
use heaplens_analysis::preview::preview;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{Figure, ObjectId};
use heaplens_tables::columns::Value;

/// What a column of an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectValue {
    Id,
    Class,
    Shallow,
    Retained,
    Dominator,
    Distance,
    Reachable,
    Heap,
    Root,
    Dominated,
    Label,
    Preview,
    Name,
    Owner,
    ShortName,
    Address,
    ClassNumber,
    OlderFrom,
    OlderTo,
    Figure(Figure),
}

use ObjectValue as V;

/// Columns in their order, then other names of some.
pub(super) const COLUMNS: [(&str, SqlType, V, &str); 30] = [
    ("id", SqlType::Object, V::Id, "The object: its address, or its id in formats without addresses"),
    ("class", SqlType::Text, V::Class, "Full class name; T[] is an array of T"),
    ("shallow_bytes", SqlType::Bytes, V::Shallow, "Bytes of the object itself"),
    ("retained_bytes", SqlType::Bytes, V::Retained, "Bytes freed if the object were collected"),
    (
        "immediate_dominator",
        SqlType::Object,
        V::Dominator,
        "Nearest object through which every path from a GC root leads",
    ),
    ("distance", SqlType::Integer, V::Distance, "References on the shortest path from a GC root"),
    (
        "reachable",
        SqlType::Flag,
        V::Reachable,
        "1 if a path from a GC root leads to it: only such objects are in other tables",
    ),
    ("heap", SqlType::Text, V::Heap, "Android heap that contains it: app, zygote or image"),
    ("root", SqlType::Text, V::Root, "Why it is a GC root; null if it is none"),
    ("dominated", SqlType::Integer, V::Dominated, "Number of objects it dominates, at all levels"),
    (
        "label",
        SqlType::Text,
        V::Label,
        "Short text that identifies it: string value, thread name, array length, collection size",
    ),
    ("name", SqlType::Text, V::Name, "Name built from fields and keys, without the address; slow"),
    ("owner", SqlType::Text, V::Owner, "Nearest application object or field that holds it: class and field; slow"),
    ("object", SqlType::Object, V::Id, "Another name of id"),
    ("address", SqlType::Text, V::Address, "The id as people write it: 0x…"),
    ("short_name", SqlType::Text, V::ShortName, "Field or variable in the source that holds it, with the entry; slow"),
    ("shallow", SqlType::Bytes, V::Shallow, "Another name of shallow_bytes"),
    ("retained", SqlType::Bytes, V::Retained, "Another name of retained_bytes"),
    ("dominator", SqlType::Object, V::Dominator, "Another name of immediate_dominator"),
    ("class_number", SqlType::Integer, V::ClassNumber, "Number of its class: two loaders may have classes of one name"),
    (
        "preview",
        SqlType::Text,
        V::Preview,
        "At most three fields that tell it from others of its class, with their values; slow",
    ),
    (
        "older_from",
        SqlType::Real,
        V::OlderFrom,
        "Part of the heap's objects, 0 to 1, that were allocated before it for certain; null if its age is not known",
    ),
    ("older_to", SqlType::Real, V::OlderTo, "The same, with those that may have been allocated before it"),
    figure(0),
    figure(1),
    figure(2),
    figure(3),
    figure(4),
    figure(5),
    figure(6),
];

/// A size that only some dumps have; null in the others.
const fn figure(nth: usize) -> (&'static str, SqlType, V, &'static str) {
    let figure = Figure::ALL[nth];
    (figure.key(), SqlType::Bytes, V::Figure(figure), "Android: as in the table of objects; null if the dump has none")
}

/// Number of columns of `SELECT *`.
pub(super) const SHOWN: usize = 13;

/// A value of an object.
pub(crate) fn object_value<'a>(
    source: &'a QuerySource,
    object: ObjectId,
    value: ObjectValue,
    task: &Task,
) -> Result<Value<'a>, RowsError> {
    let (heap, analysis) = (source.heap(), source.analysis());
    Ok(match value {
        V::Id => Value::object(heap, object),
        V::Class => Value::text(&*heap.class(object).name),
        V::Shallow => Value::Bytes(heap.shallow(object)),
        V::Retained => Value::Bytes(analysis.retained(object)),
        V::Dominator => {
            Value::optional(analysis.shown_immediate_dominator(heap, object), |above| Value::object(heap, above))
        }
        V::Distance => Value::optional(analysis.shown_distance(heap, object), |distance| Value::Count(distance.into())),
        V::Reachable => Value::Integer(analysis.is_reachable(object).into()),
        V::Heap => Value::optional(heap.region_name(object), Value::text),
        V::Root => Value::optional(analysis.roots().of(object).first(), |root| Value::text(root.kind.name())),
        V::Dominated => Value::Count(analysis.dominated_count(object)),
        V::Label => Value::optional(source.contents().label(heap, object), Value::text),
        V::Preview => Value::optional(preview(source.data(), object, task)?, Value::text),
        V::Name => Value::optional(source.namer(task)?.name(object, task)?, Value::text),
        V::Owner => Value::optional(source.namer(task)?.owner(object, task)?, |owner| Value::text(owner.text)),
        V::ShortName => {
            Value::optional(source.namer(task)?.short_name(object, task)?, |name| Value::text(name.to_string()))
        }
        V::Address => Value::text(heap.id_text(object)),
        V::ClassNumber => Value::Count(heap.class_id(object).raw().into()),
        V::OlderFrom => Value::optional(age(source, object, task)?, |age| Value::Real(age.from)),
        V::OlderTo => Value::optional(age(source, object, task)?, |age| Value::Real(age.to)),
        V::Figure(figure) if analysis.figures().any(|of| of == figure) => {
            Value::Bytes(analysis.figure(heap, object, figure))
        }
        V::Figure(_) => Value::Null,
    })
}

/// When an object was allocated, if that is known well enough to show, as in tables.
fn age(source: &QuerySource, object: ObjectId, task: &Task) -> Result<Option<AgeInterval>, Cancelled> {
    Ok(source.ages(task)?.shown(source.heap(), object))
}
