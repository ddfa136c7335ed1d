//! Contents without values of the program, for sharing, by [`value_rules`]: texts, numbers, keys and thread names are
//! hidden. Classes, fields, properties, methods, sizes and references remain, since they are needed for any diagnosis.

use std::{borrow::Cow, ops::Range, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::collection_list::CollectionList;
use super::contents::{Capacity, IdLifetime, LogicalEntry, LogicalKind, NamedObjects, ScriptLocation};
use super::value_rules::{self, file_name, frame};
use super::{
    AllocationSites, Census, Class, ClassId, Classes, CommonShape, Contents, ContentsError, Field, FieldReferences,
    FileRecords, Fingerprint, Fingerprints, Heap, ImportNote, LibraryObjects, LogicalCollection, MappingFit, ObjectId,
    ObjectTexts, ObjectValues, OriginalNames, PrefetchStep, RecordedText, ReferenceKind, ReferenceName, ReferenceNames,
    Role, ScriptPosition, SnapshotContents, SourceLocation, SourceVariable, Stack, StackLocal, StackOwner,
    ThreadStacks, Value, ValueKind, threads::DumpCause, threads::ThreadInfo,
};
use heaplens_base::{Bytes, Cancelled, Task};

/// Replacement for a text.
const TEXT: &str = "redacted";

/// Contents of objects, as far as they may be shared, and the names of common shapes that have no keys in them.
pub struct RedactedContents(Arc<dyn Contents>, Arc<FxHashSet<String>>);

impl RedactedContents {
    /// Wraps `contents` and hides values of the program. Names of common shapes may be keys and are all hidden.
    pub fn over(contents: Arc<dyn Contents>) -> Self {
        Self(contents, Arc::default())
    }

    /// These contents with the common shapes by which classes of `heap` are still named, where it is redacted itself.
    #[must_use]
    pub fn with_shapes_of(self, heap: &Heap) -> Self {
        let shapes = heap.classes.all().iter().filter(|class| is_shape(&class.name));
        let names = shapes.map(|class| class.name.to_string()).collect();
        Self(self.0, Arc::new(names))
    }
}

impl Census {
    /// This census with class names that have no values in them.
    #[must_use]
    pub fn redacted(&self) -> Self {
        let mut census = self.clone();
        for row in &mut census.rows {
            // Which of the plain objects are dictionaries is not known yet.
            row.class =
                if is_shape(&row.class) { DICTIONARY_CLASS.into() } else { value_rules::name(&row.class).into() };
        }
        census
    }
}

/// Name of a class of plain objects whose properties are keys.
const DICTIONARY_CLASS: &str = "{(redacted)}";
/// Number of objects of a class of plain objects that are looked at: all of them are dictionaries, or few are.
const SAMPLES: u8 = 8;

/// True if a class of plain objects is named by its properties: `{id, name}`. They may be keys.
fn is_shape(class: &str) -> bool {
    class.starts_with('{')
}

impl Heap {
    /// This heap with class names and notes that have no values in them; `None` if it has no others.
    pub fn redacted(&self, contents: &dyn Contents) -> Option<Self> {
        let keys = self.dictionary_classes(contents);
        let has_values = |class: &Class| matches!(value_rules::name(&class.name), Cow::Owned(_));
        // Notes name classes, and repeat texts of the file.
        let has_values_in_notes =
            self.notes.iter().any(|note| matches!(value_rules::message(&note.message), Cow::Owned(_)));
        if keys.is_empty() && !has_values_in_notes && !self.classes.all().iter().any(has_values) {
            return None;
        }
        let note = |note: &ImportNote| ImportNote {
            message: value_rules::message(&note.message).into_owned(),
            ..note.clone()
        };
        let class = |(id, class): (ClassId, &Class)| {
            let name = if keys.contains(&id) { DICTIONARY_CLASS.into() } else { value_rules::name(&class.name) };
            Class { name: name.into(), ..class.clone() }
        };
        let classes = Classes::new(self.classes.iter().map(class).collect());
        Some(Self { classes, notes: self.notes.iter().map(note).collect(), ..self.clone() })
    }

    /// Classes of plain objects of JavaScript that are named by their properties, all of which are keys.
    fn dictionary_classes(&self, contents: &dyn Contents) -> FxHashSet<ClassId> {
        let shapes = self.classes.iter().filter(|(_, class)| self.snapshot().is_some() && is_shape(&class.name));
        let mut samples: FxHashMap<ClassId, u8> = shapes.map(|(id, _)| (id, 0)).collect();
        if samples.is_empty() {
            return FxHashSet::default();
        }
        let (mut plain, mut left) = (FxHashSet::default(), samples.len());
        for object in self.objects() {
            if left == 0 {
                break;
            }
            let class = self.class_id(object);
            let Some(seen) = samples.get_mut(&class).filter(|seen| **seen < SAMPLES) else { continue };
            *seen += 1;
            if !contents.is_dictionary(self, object) {
                *seen = SAMPLES;
                plain.insert(class);
            }
            left -= usize::from(*seen == SAMPLES);
        }
        samples.into_keys().filter(|class| !plain.contains(class)).collect()
    }
}

/// Fields of libraries whose values remain: states and sizes, without which neither a leak of Android nor memory
/// outside the heap is found. By the class that declares them.
const STATES: [(&str, &[&str]); 9] = [
    ("android.app.Activity", &["mDestroyed", "mFinished"]),
    ("android.graphics.Bitmap", &["mRecycled", "mWidth", "mHeight"]),
    ("android.os.MessageQueue", &["mQuitting", "mQuiting"]),
    ("android.util.ArrayMap", &["mSize"]),
    ("android.view.View", &["mWindowAttachCount"]),
    ("java.nio.Buffer", &["capacity"]),
    ("java.nio.DirectByteBuffer", &["capacity"]),
    ("leakcanary.KeyedWeakReference", &["watchUptimeMillis", "retainedUptimeMillis"]),
    ("com.squareup.leakcanary.KeyedWeakReference", &["watchUptimeMillis", "retainedUptimeMillis"]),
];

fn is_state(field: &Field) -> bool {
    STATES.iter().any(|(class, names)| *class == field.declared_by && names.contains(&&*field.name))
}

/// References and null remain.
fn value(value: Value) -> Value {
    match value {
        Value::Null | Value::Object(_) | Value::Dangling(_) => value,
        _ => Value::Unavailable,
    }
}

/// Text of a property that is a key. In names of objects it is quoted, so that no link leads by it.
const KEY: &str = "(redacted)";

impl RedactedContents {
    /// The name of a reference of an object without the values in it. In a dictionary, names of properties are keys.
    fn reference(&self, heap: &Heap, is_dictionary: bool, name: &ReferenceName) -> ReferenceName {
        if is_dictionary && name.kind == ReferenceKind::Property {
            return ReferenceName { text: KEY.to_owned(), ..*name };
        }
        let text = self.entry_or_name(heap, &name.text);
        ReferenceName { text, ..*name }
    }

    /// V8 names the edges of a `WeakMap` after the pair, with names of nodes that may be values.
    fn entry_or_name(&self, heap: &Heap, text: &str) -> String {
        if !value_rules::is_weak_map_entry(text) {
            return value_rules::name(text).into_owned();
        }
        value_rules::weak_map_entry(text, |id| {
            let object = heap.find(&format!("@{id}"))?;
            // What is called by an id is a string itself, if it is one.
            let is_value = self.0.role(heap.class_id(object)) == Role::Text || self.0.text(heap, object, 1).is_some();
            (!is_value).then(|| value_rules::name(&heap.class(object).name))
        })
    }
}

impl Contents for RedactedContents {
    fn save(&self) -> Vec<u8> {
        self.0.save()
    }

    fn renamed(&self, names: &dyn OriginalNames) -> Option<(Arc<dyn Contents>, MappingFit)> {
        let (contents, fit) = self.0.renamed(names)?;
        Some((Arc::new(Self(contents, self.1.clone())), fit))
    }

    fn with_collections(&self, heap: &Heap, list: &Arc<CollectionList>) -> Option<Arc<dyn Contents>> {
        Some(Arc::new(Self(self.0.with_collections(heap, list)?, self.1.clone())))
    }
}

impl ObjectValues for RedactedContents {
    fn fields(&self, heap: &Heap, object: ObjectId) -> Result<Vec<Field>, ContentsError> {
        let fields = self.0.fields(heap, object)?;
        let is_dictionary = self.0.is_dictionary(heap, object);
        let shown = |field: Field| {
            if is_state(&field) {
                return field;
            }
            let name = if is_dictionary { KEY.to_owned() } else { value_rules::name(&field.name).into_owned() };
            Field { value: value(field.value), name, ..field }
        };
        Ok(fields.into_iter().map(shown).collect())
    }

    fn array_length(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        self.0.array_length(heap, object)
    }

    fn elements(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Vec<Value>, ContentsError> {
        Ok(self.0.elements(heap, object, range)?.into_iter().map(value).collect())
    }

    fn whole_array(&self, heap: &Heap, object: ObjectId) -> Option<(Vec<Value>, bool)> {
        let (values, in_order) = self.0.whole_array(heap, object)?;
        Some((values.into_iter().map(value).collect(), in_order))
    }

    fn element_places(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Option<Vec<u64>> {
        self.0.element_places(heap, object, range)
    }
}

impl ObjectTexts for RedactedContents {
    fn hides_values(&self) -> bool {
        true
    }

    fn text(&self, heap: &Heap, object: ObjectId, limit: usize) -> Option<String> {
        let text = self.0.text(heap, object, limit)?;
        Some(if value_rules::is_machine_message(&text) { text } else { TEXT.to_owned() })
    }

    fn recorded_text(&self, heap: &Heap, object: ObjectId) -> RecordedText {
        self.0.recorded_text(heap, object)
    }

    fn label(&self, heap: &Heap, object: ObjectId) -> Option<String> {
        let label = self.0.label(heap, object)?;
        // The contents compare a label with the name of the class in the file.
        if value_rules::name(&label) == *heap.class(object).name {
            return None;
        }
        // Class names and array lengths reveal no values of the program.
        let is_shape = heap.classes.of_object(object).is_some()
            || (self.0.array_length(heap, object).is_some() && self.0.text(heap, object, 1).is_none());
        Some(if is_shape { value_rules::name(&label).into_owned() } else { TEXT.to_owned() })
    }
}

impl ReferenceNames for RedactedContents {
    fn reference_names(&self, heap: &Heap, from: ObjectId, to: ObjectId, limit: usize) -> Vec<ReferenceName> {
        let names = self.0.reference_names(heap, from, to, limit);
        let is_dictionary = self.0.is_dictionary(heap, from);
        names.into_iter().map(|name| self.reference(heap, is_dictionary, &name)).collect()
    }

    fn named_references_of(
        &self,
        heap: &Heap,
        object: ObjectId,
        limit: usize,
    ) -> Option<Vec<(ReferenceName, ObjectId)>> {
        let named = self.0.named_references_of(heap, object, limit)?;
        let is_dictionary = self.0.is_dictionary(heap, object);
        Some(named.into_iter().map(|(name, to)| (self.reference(heap, is_dictionary, &name), to)).collect())
    }

    fn is_dictionary(&self, heap: &Heap, object: ObjectId) -> bool {
        self.0.is_dictionary(heap, object)
    }

    fn is_engine_class(&self, class: ClassId) -> bool {
        self.0.is_engine_class(class)
    }

    fn is_storage_edge(&self, heap: &Heap, from: ObjectId, to: ObjectId) -> bool {
        self.0.is_storage_edge(heap, from, to)
    }
}

impl FieldReferences for RedactedContents {
    fn reference_fields(&self, class: ClassId) -> Option<usize> {
        self.0.reference_fields(class)
    }

    fn declared_references(&self, class: ClassId) -> Vec<&str> {
        self.0.declared_references(class)
    }

    fn named_references(&self, class: ClassId) -> Vec<(ClassId, &str)> {
        self.0.named_references(class)
    }

    fn reference_field(&self, heap: &Heap, object: ObjectId, index: usize) -> Value {
        value(self.0.reference_field(heap, object, index))
    }

    fn reference_values(&self, heap: &Heap, object: ObjectId, into: &mut Vec<Value>) {
        self.0.reference_values(heap, object, into);
        into.iter_mut().for_each(|of| *of = value(*of));
    }

    fn is_referent(&self, class: ClassId, index: usize) -> bool {
        self.0.is_referent(class, index)
    }

    fn nulls(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        self.0.nulls(heap, object)
    }
}

fn redacted(entry: LogicalEntry) -> LogicalEntry {
    LogicalEntry { key: entry.key.map(value), value: value(entry.value) }
}

impl LibraryObjects for RedactedContents {
    fn role(&self, class: ClassId) -> Role {
        self.0.role(class)
    }

    fn logical(&self, heap: &Heap, collection: ObjectId, range: Range<u64>) -> Option<LogicalCollection> {
        let mut logical = self.0.logical(heap, collection, range)?;
        logical.entries.iter_mut().for_each(|entry| *entry = redacted(*entry));
        Some(logical)
    }

    fn collection_kind(&self, heap: &Heap, collection: ObjectId) -> Option<LogicalKind> {
        self.0.collection_kind(heap, collection)
    }

    fn entry_on_path(&self, heap: &Heap, collection: ObjectId, path: &[ObjectId]) -> Option<(LogicalEntry, usize)> {
        let (entry, covered) = self.0.entry_on_path(heap, collection, path)?;
        Some((redacted(entry), covered))
    }

    fn capacity(&self, heap: &Heap, object: ObjectId) -> Option<Capacity> {
        self.0.capacity(heap, object)
    }
}

impl Fingerprints for RedactedContents {
    fn prefetch(&self, heap: &Heap, object: ObjectId, step: PrefetchStep) {
        self.0.prefetch(heap, object, step);
    }

    /// Used to count duplicates; never shown.
    fn fingerprint(&self, heap: &Heap, object: ObjectId) -> Option<Fingerprint> {
        self.0.fingerprint(heap, object)
    }

    fn digest(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        self.0.digest(heap, object)
    }

    fn value_kind(&self, class: ClassId) -> Option<ValueKind> {
        self.0.value_kind(class)
    }
}

impl FileRecords for RedactedContents {
    fn recorded_bytes(&self, heap: &Heap, object: ObjectId) -> Option<Bytes> {
        self.0.recorded_bytes(heap, object)
    }
}

impl ThreadStacks for RedactedContents {
    fn stack(&self, heap: &Heap, thread: ObjectId) -> Vec<String> {
        self.0.stack(heap, thread).iter().map(|of| frame(of)).collect()
    }

    fn stack_owners(&self) -> Vec<StackOwner> {
        self.0.stack_owners()
    }

    fn thread_info(&self, at: usize) -> Option<ThreadInfo> {
        let info = self.0.thread_info(at)?;
        Some(ThreadInfo { name: TEXT.to_owned(), ..info })
    }

    fn dump_cause(&self) -> Option<DumpCause> {
        let cause = self.0.dump_cause()?;
        let class = value_rules::name(&cause.class).into_owned();
        Some(DumpCause { class, message: cause.message.filter(|message| value_rules::is_machine_message(message)) })
    }

    fn whole_stack(&self, at: usize) -> Stack {
        let mut stack = self.0.whole_stack(at);
        stack.frames.iter_mut().for_each(|of| of.text = frame(&of.text));
        stack
    }

    fn stack_locals(&self) -> Vec<StackLocal> {
        self.0.stack_locals()
    }
}

impl AllocationSites for RedactedContents {
    fn has_sites(&self) -> bool {
        self.0.has_sites()
    }

    fn allocation_site(&self, heap: &Heap, object: ObjectId) -> Option<u32> {
        self.0.allocation_site(heap, object)
    }

    fn site(&self, site: u32) -> Vec<String> {
        self.0.site(site).iter().map(|of| frame(of)).collect()
    }
}

/// A position in a source file without the folder of the file.
fn without_folder(location: SourceLocation) -> SourceLocation {
    SourceLocation { file: file_name(&location.file), ..location }
}

impl SnapshotContents for RedactedContents {
    fn common_shapes(&self) -> Vec<CommonShape> {
        let mut shapes = self.0.common_shapes();
        for shape in &mut shapes {
            shape.name = value_rules::name(&shape.name).into_owned();
            shape.properties.iter_mut().for_each(|of| *of = value_rules::name(of).into_owned());
        }
        // Those of dictionaries are named by keys. Which they are is known of the classes only.
        shapes.retain(|shape| self.1.contains(&shape.name));
        shapes
    }

    fn plain_properties(&self, heap: &Heap, object: ObjectId) -> Option<Vec<String>> {
        let names = self.0.plain_properties(heap, object)?;
        let is_dictionary = self.0.is_dictionary(heap, object);
        let shown = |name: String| if is_dictionary { KEY.to_owned() } else { value_rules::name(&name).into_owned() };
        Some(names.into_iter().map(shown).collect())
    }

    fn script_name(&self, script: u32) -> Option<String> {
        self.0.script_name(script).map(|path| file_name(&path))
    }

    fn script_names(&self) -> Vec<String> {
        self.0.script_names().iter().map(|path| file_name(path)).collect()
    }

    fn scripts(&self) -> Vec<(u32, String)> {
        self.0.scripts().into_iter().map(|(script, path)| (script, file_name(&path))).collect()
    }

    fn function_positions(&self) -> Vec<ScriptPosition> {
        self.0.function_positions()
    }

    fn source_location(&self, position: ScriptPosition) -> Option<SourceLocation> {
        self.0.source_location(position).map(without_folder)
    }

    fn source_variables(&self, function: ScriptPosition, variables: &[&str]) -> Vec<Option<SourceVariable>> {
        let variables = self.0.source_variables(function, variables).into_iter();
        let shown = |of: SourceVariable| SourceVariable { file: file_name(&of.file), ..of };
        variables.map(|variable| variable.map(shown)).collect()
    }

    fn script_location(&self, heap: &Heap, object: ObjectId) -> Option<ScriptLocation> {
        let located = self.0.script_location(heap, object)?;
        let (script, source) = (located.script.map(|path| file_name(&path)), located.source.map(without_folder));
        Some(ScriptLocation { script, source, ..located })
    }

    fn objects_beginning(&self, texts: &[&str], task: &Task) -> Result<NamedObjects, Cancelled> {
        self.0.objects_beginning(texts, task)
    }

    fn internal_targets(&self, name: &str, task: &Task) -> Result<Vec<u32>, Cancelled> {
        self.0.internal_targets(name, task)
    }

    fn allocation_samples(&self) -> Vec<(u64, u64)> {
        self.0.allocation_samples()
    }

    fn id_lifetime(&self, heap: &Heap, object: ObjectId) -> IdLifetime {
        self.0.id_lifetime(heap, object)
    }

    fn has_samples(&self) -> bool {
        self.0.has_samples()
    }
}
