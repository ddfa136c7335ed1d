//! Everything about one object, for the inspector.

pub mod android;

use self::android::Android;
use crate::heap::analyzed::Analyzed;
use crate::heap::classes::{ClassKind, Strength};
use crate::heap::contents::{Contents, ContentsError, Field, LogicalKind, Value};
use crate::heap::facts::Heap;
use crate::heap::ids::{ClassId, ObjectId};
use crate::heap::roots::RootKind;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// A field, and what its value means to a person.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldRow {
    /// The field.
    pub field: Field,
    /// Class name of the object it refers to.
    pub class: Option<String>,
    /// Label of the object it refers to.
    pub label: Option<String>,
    /// Retained size of the object it refers to.
    pub retained: Option<Bytes>,
}

/// One array element, and what it means to a person.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementRow {
    /// Its index.
    pub index: u64,
    /// Its value.
    pub value: Value,
    /// Class name of the object it refers to.
    pub class: Option<String>,
    /// Label of the object it refers to.
    pub label: Option<String>,
    /// Retained size of the object it refers to.
    pub retained: Option<Bytes>,
}

/// One entry of a collection: its sides as elements, with the place of the entry for an index.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryRow {
    /// The key, in a map.
    pub key: Option<ElementRow>,
    /// The value or element.
    pub value: ElementRow,
}

/// One object.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectDetails {
    /// The object.
    pub object: ObjectId,
    /// Its id as the format writes it.
    pub id: String,
    /// Its class.
    pub class: ClassId,
    /// Name of its class.
    pub class_name: String,
    /// If it is a class object: the class it stands for.
    pub stands_for: Option<ClassId>,
    /// A short name people recognise it by.
    pub label: Option<String>,
    /// Bytes it takes by itself.
    pub shallow: Bytes,
    /// Bytes it keeps alive, itself included.
    pub retained: Bytes,
    /// Objects it dominates, itself excluded.
    pub dominated: u64,
    /// Its immediate dominator; `None` below the virtual root and where unreachable.
    pub immediate_dominator: Option<ObjectId>,
    /// Whether classes have loaders: those of a JavaScript engine do not.
    pub has_loaders: bool,
    /// The loader of its class (for a class object: of the class it stands for); `None`: bootstrap.
    pub loader: Option<ObjectId>,
    /// Label or id of the loader.
    pub loader_text: Option<String>,
    /// Why it is a root, if it is one.
    pub roots: Vec<RootKind>,
    /// References from the nearest root; `None` where unreachable.
    pub distance: Option<u32>,
    /// Whether a root reaches it.
    pub reachable: bool,
    /// How firmly the roots hold it; `None` where unreachable.
    pub strength: Option<Strength>,
    /// What only Android's objects say of themselves.
    pub android: Android,
    /// Where in its script it stands, if it is a function, or its constructor does.
    pub located: Option<String>,
    /// Where it was allocated, innermost frame first, if the dump says so.
    pub allocated: Vec<String>,
    /// Fields, or statics of a class object.
    pub fields: Vec<FieldRow>,
    /// Whether it is an array, as its class says.
    pub is_array: bool,
    /// Length, if it is an array and the dump is here.
    pub length: Option<u64>,
    /// How it is thought of and how much it holds, if it is a collection and the dump is here.
    pub collection: Option<(LogicalKind, u64)>,
    /// The text it stands for, if it is a string.
    pub text: Option<String>,
    /// The stack, if it is a thread: innermost frame first.
    pub stack: Vec<String>,
    /// What could not be read, and why.
    pub unreadable: Option<String>,
}

/// Describes `object`; of a text no more than `characters` are read. Elements of an array: [`elements`].
pub fn describe(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    object: ObjectId,
    characters: usize,
) -> ObjectDetails {
    let class = heap.class_id(object);
    let stands_for = heap.classes.of_object(object);
    let loader = heap.classes.get(stands_for.unwrap_or(class)).loader;
    let mut unreadable = None;
    let mut note = |error: ContentsError| unreadable = Some(error.to_string());
    let fields = contents.fields(heap, object).map_err(&mut note).unwrap_or_default();
    let fields = fields
        .into_iter()
        .map(|field| {
            let (class, label, retained) = target(heap, contents, analyzed, field.value);
            FieldRow { field, class, label, retained }
        })
        .collect();
    ObjectDetails {
        object,
        id: heap.id_text(object),
        class,
        class_name: heap.classes.get(class).name.to_string(),
        stands_for,
        label: contents.label(heap, object),
        shallow: heap.shallow(object),
        retained: analyzed.retained(object),
        dominated: analyzed.dominated(object),
        immediate_dominator: analyzed.shown_immediate_dominator(heap, object),
        has_loaders: heap.snapshot().is_none(),
        loader,
        loader_text: loader.map(|l| {
            let class = &heap.class(l).name;
            contents
                .label(heap, l)
                .map_or_else(|| format!("{class} {}", heap.id_text(l)), |text| format!("{class} {text}"))
        }),
        roots: analyzed.roots().of(object).iter().map(|r| r.kind).collect(),
        distance: analyzed.shown_distance(heap, object),
        reachable: analyzed.is_reachable(object),
        strength: analyzed.strength(object),
        android: android::ask(heap, contents, analyzed, object),
        located: contents.located(heap, object).map(|located| located.to_string()),
        allocated: contents.allocation_site(heap, object).map(|site| contents.site(site)).unwrap_or_default(),
        fields,
        is_array: heap.class(object).kind != ClassKind::Plain,
        length: contents.array_length(heap, object),
        collection: contents.logical(heap, object, 0..0).map(|logical| (logical.kind, logical.size)),
        text: contents.text(heap, object, characters),
        stack: contents.stack(heap, object),
        unreadable,
    }
}

/// Elements `range` of an array (clipped to its length), and what they mean.
///
/// # Errors
/// When the file cannot be read at the object's place.
pub fn elements(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    object: ObjectId,
    range: std::ops::Range<u64>,
) -> Result<Vec<ElementRow>, ContentsError> {
    let first = range.start;
    let places = contents.element_places(heap, object, range.clone());
    let values = contents.elements(heap, object, range)?;
    let places = places.into_iter().flatten().chain(first..);
    Ok(places.zip(values).map(|(index, value)| element(heap, contents, analyzed, index, value)).collect())
}

/// Entries `range` of a collection (clipped to those there are), and what they mean; none of what is no collection.
pub fn entries(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    object: ObjectId,
    range: std::ops::Range<u64>,
) -> Vec<EntryRow> {
    let first = range.start;
    let side = |index, value| element(heap, contents, analyzed, index, value);
    let found = contents.logical(heap, object, range).map(|logical| logical.entries).unwrap_or_default();
    let rows = (first..).zip(found);
    rows.map(|(at, entry)| EntryRow { key: entry.key.map(|key| side(at, key)), value: side(at, entry.value) }).collect()
}

fn element(heap: &Heap, contents: &dyn Contents, analyzed: &Analyzed, index: u64, value: Value) -> ElementRow {
    let (class, label, retained) = target(heap, contents, analyzed, value);
    ElementRow { index, value, class, label, retained }
}

/// Class, label and retained size of the object a value points at.
fn target(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    value: Value,
) -> (Option<String>, Option<String>, Option<Bytes>) {
    match value.object() {
        Some(o) => (Some(heap.class(o).name.to_string()), contents.label(heap, o), Some(analyzed.retained(o))),
        None => (None, None, None),
    }
}

/// The next shown object of the class of `object` in the order of addresses, or the one before.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn neighbour_in_class(
    heap: &Heap,
    analyzed: &Analyzed,
    object: ObjectId,
    forwards: bool,
    task: &Task,
) -> Result<Option<ObjectId>, Cancelled> {
    let class = heap.class_id(object);
    let rows = heap.len() as u32;
    let mut row = object.raw();
    for step in 1.. {
        if step % CHECKPOINT_EVERY == 0 {
            task.checkpoint()?;
        }
        let next = if forwards { row.checked_add(1).filter(|&next| next < rows) } else { row.checked_sub(1) };
        let Some(found) = next.and_then(ObjectId::from_raw) else { break };
        if heap.class_id(found) == class && analyzed.is_reachable(found) {
            return Ok(Some(found));
        }
        row = found.raw();
    }
    Ok(None)
}
