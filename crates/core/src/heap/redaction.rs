//! Contents without values of the program, for sharing: texts, numbers, keys and thread names are hidden. Classes,
//! fields, properties, methods, sizes and references remain, since they are needed for any diagnosis.

use std::{ops::Range, sync::Arc};

use super::collection_list::CollectionList;
use super::contents::{Capacity, IdLifetime, LogicalEntry, LogicalKind, NamedObjects, ScriptLocation};
use super::{
    AllocationSites, ClassId, CommonShape, Contents, ContentsError, Field, FieldReferences, FileRecords, Fingerprint,
    Fingerprints, Heap, LibraryObjects, LogicalCollection, MappingFit, ObjectId, ObjectTexts, ObjectValues,
    OriginalNames, PrefetchStep, RecordedText, ReferenceName, ReferenceNames, Role, SnapshotContents, Stack,
    StackLocal, StackOwner, ThreadStacks, Value, ValueKind, threads::ThreadInfo,
};
use heaplens_base::{Bytes, Cancelled, Task};

/// Replacement for a text.
const TEXT: &str = "redacted";

/// Contents of objects, as far as they may be shared.
pub struct RedactedContents(Arc<dyn Contents>);

impl RedactedContents {
    /// Wraps `contents` and hides values of the program.
    pub fn over(contents: Arc<dyn Contents>) -> Self {
        Self(contents)
    }
}

/// Fields of libraries whose values remain: states and sizes, without which neither a leak of Android nor memory outside
/// the heap is found. By the class that declares them.
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

/// V8 names the edges of a WeakMap after their pair: `3 / part of key (Key @17) -> value (TEXT @19) pair in WeakMap
/// (table @23)`. What is called by an id is a string itself, if it is one.
fn without_pair(mut name: ReferenceName) -> ReferenceName {
    if let Some(text) = pair_hidden(&name.text) {
        name.text = text;
    }
    name
}

fn pair_hidden(text: &str) -> Option<String> {
    let (place, pair) = text.split_once("part of key (")?;
    let (pair, table) = pair.rsplit_once(" pair in WeakMap (")?;
    let (key, value) = pair.rsplit_once(" -> value (")?;
    let id = |named: &str| named.rfind(" @").map_or_else(String::new, |at| named[at..].to_owned());
    let (key, value, table) = (id(key), id(value), id(table));
    Some(format!("{place}part of key ({TEXT}{key} -> value ({TEXT}{value} pair in WeakMap ({TEXT}{table}"))
}

/// Last component of a path or URL: the rest may reveal a machine name or a query.
fn file_name(path: &str) -> String {
    if path.starts_with("data:") {
        return "data".to_owned();
    }
    let asked = path.contains("://").then(|| path.find(['?', '#'])).flatten();
    let path = path.get(..asked.unwrap_or(path.len())).unwrap_or(path);
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
}

/// Frame without folders: `load (/srv/shop.js:12:5)` becomes `load (shop.js:12:5)`; `shop.Cart.add(Cart.java:17)` is
/// unchanged.
fn frame(frame: &str) -> String {
    let behind_blank = frame.find(" (").map(|at| at + 1);
    // The name of a script follows a function name.
    let Some(opens) = behind_blank.or_else(|| frame.find('(').filter(|&at| at > 0)) else { return frame.to_owned() };
    let (name, script) = frame.split_at(opens + 1);
    let script = script.strip_suffix(')').unwrap_or(script);
    // Only line and column are removed: digits before them belong to the query.
    let path = without_number(script).map_or(script, |path| without_number(path).unwrap_or(path));
    format!("{name}{}{})", file_name(path), script.get(path.len()..).unwrap_or_default())
}

/// Text before a colon and digits at the end.
fn without_number(text: &str) -> Option<&str> {
    let (before, number) = text.rsplit_once(':')?;
    (!number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())).then_some(before)
}

impl Contents for RedactedContents {
    fn save(&self) -> Vec<u8> {
        self.0.save()
    }

    fn renamed(&self, names: &dyn OriginalNames) -> Option<(Arc<dyn Contents>, MappingFit)> {
        let (contents, fit) = self.0.renamed(names)?;
        Some((Arc::new(Self(contents)), fit))
    }

    fn with_collections(&self, heap: &Heap, list: &Arc<CollectionList>) -> Option<Arc<dyn Contents>> {
        Some(Arc::new(Self(self.0.with_collections(heap, list)?)))
    }
}

impl ObjectValues for RedactedContents {
    fn fields(&self, heap: &Heap, object: ObjectId) -> Result<Vec<Field>, ContentsError> {
        let fields = self.0.fields(heap, object)?;
        let shown = |field: Field| if is_state(&field) { field } else { Field { value: value(field.value), ..field } };
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
        self.0.text(heap, object, limit).map(|_text| TEXT.to_owned())
    }

    fn recorded_text(&self, heap: &Heap, object: ObjectId) -> RecordedText {
        self.0.recorded_text(heap, object)
    }

    fn label(&self, heap: &Heap, object: ObjectId) -> Option<String> {
        let label = self.0.label(heap, object)?;
        // Class names and array lengths reveal no values of the program.
        let is_shape = heap.classes.of_object(object).is_some()
            || (self.0.array_length(heap, object).is_some() && self.0.text(heap, object, 1).is_none());
        Some(if is_shape { label } else { TEXT.to_owned() })
    }
}

impl ReferenceNames for RedactedContents {
    fn reference_names(&self, heap: &Heap, from: ObjectId, to: ObjectId, limit: usize) -> Vec<ReferenceName> {
        let names = self.0.reference_names(heap, from, to, limit);
        names.into_iter().map(without_pair).collect()
    }

    fn named_references_of(
        &self,
        heap: &Heap,
        object: ObjectId,
        limit: usize,
    ) -> Option<Vec<(ReferenceName, ObjectId)>> {
        let named = self.0.named_references_of(heap, object, limit)?;
        Some(named.into_iter().map(|(name, object)| (without_pair(name), object)).collect())
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

    fn named_references(&self, class: ClassId) -> Vec<(ClassId, &str)> {
        self.0.named_references(class)
    }

    fn reference_field(&self, heap: &Heap, object: ObjectId, place: usize) -> Value {
        value(self.0.reference_field(heap, object, place))
    }

    fn reference_values(&self, heap: &Heap, object: ObjectId, into: &mut Vec<Value>) {
        self.0.reference_values(heap, object, into);
        into.iter_mut().for_each(|of| *of = value(*of));
    }

    fn is_referent(&self, class: ClassId, place: usize) -> bool {
        self.0.is_referent(class, place)
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
        let said = self.0.thread_info(at)?;
        Some(ThreadInfo { name: TEXT.to_owned(), ..said })
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

impl SnapshotContents for RedactedContents {
    fn common_shapes(&self) -> Vec<CommonShape> {
        self.0.common_shapes()
    }

    fn plain_properties(&self, heap: &Heap, object: ObjectId) -> Option<Vec<String>> {
        self.0.plain_properties(heap, object)
    }

    fn script_name(&self, script: u32) -> Option<String> {
        self.0.script_name(script).map(|path| file_name(&path))
    }

    fn script_names(&self) -> Vec<String> {
        self.0.script_names().iter().map(|path| file_name(path)).collect()
    }

    fn script_location(&self, heap: &Heap, object: ObjectId) -> Option<ScriptLocation> {
        let located = self.0.script_location(heap, object)?;
        Some(ScriptLocation { script: located.script.map(|path| file_name(&path)), ..located })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_of_a_weak_map_has_no_texts() {
        let text = "3 / part of key (my key) -> value (x @17) -> value (s3cr3t (new) @19) pair in WeakMap (table @23)";
        let hidden = pair_hidden(text).expect("a pair");
        assert_eq!(hidden, "3 / part of key (redacted @17) -> value (redacted @19) pair in WeakMap (redacted @23)");
        assert_eq!(pair_hidden("table"), None);
    }

    #[test]
    fn a_redacted_frame_has_no_paths() {
        for (whole, shown) in [
            ("load (/srv/demo/shop.js:12:5)", "load (shop.js:12:5)"),
            ("load (C:\\Users\\ann\\shop.js:12:5)", "load (shop.js:12:5)"),
            ("(anonymous) (/home/Ann (work)/a.js)", "(anonymous) (a.js)"),
            ("load (https://shop.test/a.js?token=secret:1:2)", "load (a.js:1:2)"),
            ("load (data:text/javascript,secret()//:1:2)", "load (data:1:2)"),
            ("load (https://shop.test/a.js?token=123456:1:2)", "load (a.js:1:2)"),
            ("load (https://shop.test/a.js?v=1699999999)", "load (a.js)"),
            ("load (data:text/javascript,pin=1234:1:2)", "load (data:1:2)"),
            ("java.util.ArrayList.grow(ArrayList.java:9)", "java.util.ArrayList.grow(ArrayList.java:9)"),
            ("java.lang.Object.wait(native method)", "java.lang.Object.wait(native method)"),
            ("shop.Cart.add(/home/ann/shop/Cart.kt:17)", "shop.Cart.add(Cart.kt:17)"),
            ("shop.Cart.add", "shop.Cart.add"),
            ("(anonymous)", "(anonymous)"),
        ] {
            assert_eq!(frame(whole), shown);
        }
    }
}
