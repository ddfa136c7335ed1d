//! All details of one object, for the inspector.

pub mod android;

use self::android::Android;
use crate::answers::DumpData;
use crate::captured_variables::source_variables;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::contents::ContentsError;
use heaplens_heap::{
    ClassId, ClassKind, Field, LogicalKind, ObjectId, RecordedText, Role, RootKind, Strength, Value, shown_names,
};

/// A field and a readable description of its value.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldRow {
    /// The field.
    pub field: Field,
    /// Its name among the fields of the object: with the class that declares it if another has the same name.
    pub name: String,
    /// Its name in the source, if it is a variable of a bundle that has another one there.
    pub source_name: Option<String>,
    /// Class name of the object it refers to.
    pub class: Option<String>,
    /// Label of the object it refers to.
    pub label: Option<String>,
    /// Retained size of the object it refers to.
    pub retained: Option<Bytes>,
}

/// An array element and a readable description of it.
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

/// An entry of a collection: key and value as elements, with the entry's index.
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
    /// Its id in the notation of the format.
    pub id: String,
    /// Its class.
    pub class: ClassId,
    /// Name of its class.
    pub class_name: String,
    /// The class it represents, if it is a class object.
    pub stands_for: Option<ClassId>,
    /// Short text that identifies it.
    pub label: Option<String>,
    /// Shallow size in bytes.
    pub shallow: Bytes,
    /// Retained size in bytes, itself included.
    pub retained: Bytes,
    /// Objects it dominates, itself excluded.
    pub dominated: u64,
    /// Its immediate dominator; `None` below the virtual root and if unreachable.
    pub immediate_dominator: Option<ObjectId>,
    /// True if classes have loaders; false for JavaScript engines.
    pub has_loaders: bool,
    /// Loader of its class (for a class object: of the class it represents); `None` for bootstrap.
    pub loader: Option<ObjectId>,
    /// Label or id of the loader.
    pub loader_text: Option<String>,
    /// Its root kinds; empty if it is no GC root.
    pub roots: Vec<RootKind>,
    /// Distance in references from the nearest GC root; `None` if unreachable.
    pub distance: Option<u32>,
    /// True if it is reachable from a GC root.
    pub reachable: bool,
    /// Reachability strength; `None` if unreachable.
    pub strength: Option<Strength>,
    /// Properties of Android objects.
    pub android: Android,
    /// Script location, if it is a function; otherwise that of its constructor.
    pub located: Option<String>,
    /// The same position in the script, if [`Self::located`] is that in the source of a bundle.
    pub generated: Option<String>,
    /// Allocation stack trace, innermost frame first, if the dump contains it.
    pub allocated: Vec<String>,
    /// Fields, or statics of a class object.
    pub fields: Vec<FieldRow>,
    /// True if its class is an array class.
    pub is_array: bool,
    /// Length, if it is an array and the dump file is available.
    pub length: Option<u64>,
    /// Collection kind and size, if it is a collection and the dump file is available.
    pub collection: Option<(LogicalKind, u64)>,
    /// What is missing of its string value, if it is a string that is not whole in the file.
    pub missing_text: Option<RecordedText>,
    /// String value, if it is a string.
    pub text: Option<String>,
    /// Stack trace, if it is a thread: innermost frame first.
    pub stack: Vec<String>,
    /// Errors of reading the object.
    pub unreadable: Option<String>,
}

impl ObjectDetails {
    /// True of a collection and of an array: what it holds was added to it.
    pub fn has_entries(&self) -> bool {
        self.collection.is_some() || self.is_array
    }
}

/// Describes `object`; at most `characters` of a string are read. For array elements see [`elements`].
pub fn describe(dump: DumpData<'_>, object: ObjectId, characters: usize) -> ObjectDetails {
    let DumpData { heap, contents, analysis, .. } = dump;
    let class = heap.class_id(object);
    let stands_for = heap.classes.of_object(object);
    let loader = heap.classes.get(stands_for.unwrap_or(class)).loader;
    let mut unreadable = None;
    let mut note = |error: ContentsError| unreadable = Some(error.to_string());
    let fields = contents.fields(heap, object).map_err(&mut note).unwrap_or_default();
    let names = shown_names(&fields);
    let sources = source_variables(dump, object);
    let fields = fields
        .into_iter()
        .zip(names)
        .map(|(field, name)| {
            let (class, label, retained) = target(dump, field.value);
            let source_name = sources.get(&field.name).map(|variable| variable.name.clone());
            FieldRow { field, name, source_name, class, label, retained }
        })
        .collect();
    let location = contents.script_location(heap, object);
    ObjectDetails {
        object,
        id: heap.id_text(object),
        class,
        class_name: heap.classes.get(class).name.to_string(),
        stands_for,
        label: contents.label(heap, object),
        shallow: heap.shallow(object),
        retained: analysis.retained(object),
        dominated: analysis.dominated_count(object),
        immediate_dominator: analysis.shown_immediate_dominator(heap, object),
        has_loaders: heap.snapshot().is_none(),
        loader,
        loader_text: loader.map(|l| {
            let class = &heap.class(l).name;
            contents
                .label(heap, l)
                .map_or_else(|| format!("{class} {}", heap.id_text(l)), |text| format!("{class} {text}"))
        }),
        roots: analysis.roots().of(object).iter().map(|r| r.kind).collect(),
        distance: analysis.shown_distance(heap, object),
        reachable: analysis.is_reachable(object),
        strength: analysis.strength(object),
        android: android::ask(dump, object),
        located: location.as_ref().map(ToString::to_string),
        generated: location.and_then(|location| location.generated()),
        allocated: contents.allocation_site(heap, object).map(|site| contents.site(site)).unwrap_or_default(),
        fields,
        is_array: heap.class(object).kind != ClassKind::Plain,
        length: contents.array_length(heap, object),
        collection: contents.logical(heap, object, 0..0).map(|logical| (logical.kind, logical.size)),
        missing_text: (contents.role(heap.class_id(object)) == Role::Text)
            .then(|| contents.recorded_text(heap, object))
            .filter(|&recorded| recorded != RecordedText::Whole),
        text: contents.text(heap, object, characters),
        stack: contents.stack(heap, object),
        unreadable,
    }
}

/// Elements `range` of an array (clipped to its length), with descriptions.
///
/// # Errors
/// If the file cannot be read at the object's location.
pub fn elements(
    dump: DumpData<'_>,
    object: ObjectId,
    range: std::ops::Range<u64>,
) -> Result<Vec<ElementRow>, ContentsError> {
    let first = range.start;
    let indexes = dump.contents.element_places(dump.heap, object, range.clone());
    let values = dump.contents.elements(dump.heap, object, range)?;
    let indexes = indexes.into_iter().flatten().chain(first..);
    Ok(indexes.zip(values).map(|(index, value)| element(dump, index, value)).collect())
}

/// Entries `range` of a collection (clipped to its size), with descriptions; empty if it is no collection.
pub fn entries(dump: DumpData<'_>, object: ObjectId, range: std::ops::Range<u64>) -> Vec<EntryRow> {
    let first = range.start;
    let side = |index, value| element(dump, index, value);
    let listed = dump.contents.logical(dump.heap, object, range).map(|logical| logical.entries).unwrap_or_default();
    let rows = (first..).zip(listed);
    rows.map(|(at, entry)| EntryRow { key: entry.key.map(|key| side(at, key)), value: side(at, entry.value) }).collect()
}

fn element(dump: DumpData<'_>, index: u64, value: Value) -> ElementRow {
    let (class, label, retained) = target(dump, value);
    ElementRow { index, value, class, label, retained }
}

/// Class, label and retained size of the object that a value references.
fn target(dump: DumpData<'_>, value: Value) -> (Option<String>, Option<String>, Option<Bytes>) {
    match value.object() {
        Some(o) => (
            Some(dump.heap.class(o).name.to_string()),
            dump.contents.label(dump.heap, o),
            Some(dump.analysis.retained(o)),
        ),
        None => (None, None, None),
    }
}

/// Next or previous shown object of the same class in address order.
pub fn neighbour_in_class(
    dump: DumpData<'_>,
    object: ObjectId,
    forwards: bool,
    task: &Task,
) -> Result<Option<ObjectId>, Cancelled> {
    let class = dump.heap.class_id(object);
    let rows = if forwards { object.raw() + 1..dump.heap.len() as u32 } else { 0..object.raw() };
    first_in(rows, forwards, |other| dump.heap.class_id(other) == class && dump.analysis.is_reachable(other), task)
}

/// The first of these rows that `is_one` accepts; backwards, the last.
pub(crate) fn first_in(
    rows: std::ops::Range<u32>,
    forwards: bool,
    is_one: impl Fn(ObjectId) -> bool,
    task: &Task,
) -> Result<Option<ObjectId>, Cancelled> {
    for step in 0..rows.end.saturating_sub(rows.start) {
        task.checkpoint_at(step as usize)?;
        let row = if forwards { rows.start + step } else { rows.end - 1 - step };
        if let Some(candidate) = ObjectId::from_raw(row).filter(|&object| is_one(object)) {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}
