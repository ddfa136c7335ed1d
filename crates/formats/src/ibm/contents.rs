//! Contents of objects in formats without values and reference names: references are numbered.

use std::ops::Range;

use super::javacore::ThreadTable;
use heaplens_base::Count;
use heaplens_heap::{
    Address, AllocationSites, ClassKind, Contents, ContentsError, Field, FieldReferences, FileRecords, Fingerprints,
    Heap, LibraryObjects, ObjectId, ObjectTexts, ObjectValues, ReferenceKind, ReferenceName, ReferenceNames,
    SnapshotContents, Stack, StackOwner, ThreadStacks, Value, threads::DumpCause, threads::ThreadInfo,
};

/// Maximum number of fields listed for an object, and of array elements whose targets are unknown.
const FIELDS: usize = 5_000;
/// Characters of a label.
const LABEL: usize = 80;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DecodedRecord {
    /// Targets of its references, in the order of the heap; of an array, only the first ones if no more are needed.
    pub(crate) targets: Vec<u64>,
    /// Number of references.
    pub(crate) references: u64,
    /// Number of elements of an array, including nulls.
    pub(crate) length: Option<u64>,
}

/// Reader for the record of a single object.
pub(crate) trait Records: Send + Sync {
    /// Reads the record of an object, with its references in a range; `None` if the file is unavailable.
    ///
    /// # Errors
    /// If the record is not in the file any more.
    fn decode(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Option<DecodedRecord>, ContentsError>;

    /// Serializes the data needed to read records again, besides the file.
    fn save(&self, threads: &ThreadTable) -> Vec<u8>;
}

/// The inside of objects.
pub(crate) struct NumberedContents<R> {
    records: R,
    threads: ThreadTable,
}

impl<R: Records> NumberedContents<R> {
    /// Contents read by `records`; threads and stacks come from a javacore.
    pub(crate) fn new(records: R, threads: ThreadTable) -> Self {
        Self { records, threads }
    }

    /// References of an object within a range, and true if their positions are known.
    fn targets(
        &self,
        heap: &Heap,
        object: ObjectId,
        range: Range<u64>,
    ) -> Result<(Vec<Value>, Option<DecodedRecord>), ContentsError> {
        if let Some(read) = self.records.decode(heap, object, range.clone())? {
            let value = |&to: &u64| match (to, heap.at(Address(to))) {
                (0, _) => Value::Null,
                (_, Some(object)) => Value::Object(object),
                _ => Value::Dangling(Address(to)),
            };
            return Ok((read.targets.iter().map(value).collect(), Some(read)));
        }
        let own =
            heap.own_references(object).iter().map(|&to| ObjectId::from_raw(to).map_or(Value::Null, Value::Object));
        let (skip, take) = (range.start as usize, range.end.saturating_sub(range.start) as usize);
        Ok((own.skip(skip).take(take).collect(), None))
    }

    fn is_array(heap: &Heap, object: ObjectId) -> bool {
        heap.class(object).kind != ClassKind::Plain
    }

    /// True if positions in the record equal those in the object, which is not the case if nulls are omitted.
    fn has_indexes(read: Option<&DecodedRecord>) -> bool {
        read.is_some_and(|read| read.length.is_none_or(|length| length == read.references))
    }
}

impl<R: Records> Contents for NumberedContents<R> {
    fn save(&self) -> Vec<u8> {
        self.records.save(&self.threads)
    }
}

impl<R: Records> ObjectValues for NumberedContents<R> {
    fn fields(&self, heap: &Heap, object: ObjectId) -> Result<Vec<Field>, ContentsError> {
        if Self::is_array(heap, object) {
            return Ok(Vec::new());
        }
        let (values, _) = self.targets(heap, object, 0..FIELDS as u64)?;
        let is_static = heap.classes.of_object(object).is_some();
        let field = |(index, value)| {
            let name = format!("[{index}]");
            Field { name, type_name: "object", declared_by: String::new(), is_static, value }
        };
        Ok(values.into_iter().enumerate().map(field).collect())
    }

    fn array_length(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        self.records.decode(heap, object, 0..0).ok()??.length
    }

    fn elements(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Vec<Value>, ContentsError> {
        if heap.class(object).kind != ClassKind::ObjectArray {
            let length = self.array_length(heap, object).unwrap_or_default();
            let many = range.end.min(length).saturating_sub(range.start);
            return Ok(std::iter::repeat_n(Value::Unavailable, many.min(FIELDS as u64) as usize).collect());
        }
        let (mut values, read) = self.targets(heap, object, range.clone())?;
        // The file omits nulls: existing references come first, and only the number of the others is known.
        let length = read.and_then(|read| read.length).unwrap_or_default();
        let many = range.end.min(length).saturating_sub(range.start);
        // The length comes from the file unchecked, and there may be no data for it.
        let missing = many.saturating_sub(values.len() as u64).min(FIELDS as u64);
        values.extend(std::iter::repeat_n(Value::Unavailable, missing as usize));
        Ok(values)
    }

    fn whole_array(&self, heap: &Heap, object: ObjectId) -> Option<(Vec<Value>, bool)> {
        if heap.class(object).kind != ClassKind::ObjectArray {
            return None;
        }
        let (values, read) = self.targets(heap, object, 0..u64::MAX).ok()?;
        Some((values, Self::has_indexes(Some(&read?))))
    }
}

impl<R: Records> ObjectTexts for NumberedContents<R> {
    fn text(&self, _heap: &Heap, _object: ObjectId, _limit: usize) -> Option<String> {
        None
    }

    fn label(&self, heap: &Heap, object: ObjectId) -> Option<String> {
        if let Some(class) = heap.classes.of_object(object) {
            return Some(heap.classes.get(class).name.to_string());
        }
        if let Some(name) = self.threads.name_of(object) {
            return Some(name.chars().take(LABEL).collect());
        }
        if !Self::is_array(heap, object) {
            return None;
        }
        self.array_length(heap, object).map(|length| format!("[{}]", Count(length)))
    }
}

impl<R: Records> ReferenceNames for NumberedContents<R> {
    fn reference_names(&self, heap: &Heap, from: ObjectId, to: ObjectId, limit: usize) -> Vec<ReferenceName> {
        let mut names = Vec::new();
        let Ok((values, read)) = self.targets(heap, from, 0..u64::MAX) else { return names };
        let kind = match heap.class(from).kind {
            _ if heap.classes.of_object(from).is_some() => ReferenceKind::Static,
            ClassKind::ObjectArray => ReferenceKind::Element,
            _ => ReferenceKind::Field,
        };
        let has_index = Self::has_indexes(read.as_ref()) || kind != ReferenceKind::Element;
        let here = values.iter().enumerate().filter(|(_, value)| value.object() == Some(to));
        names.extend(here.take(limit).map(|(index, _)| {
            let text = if has_index { format!("[{index}]") } else { "[?]".to_owned() };
            ReferenceName::strong(kind, text)
        }));
        let own = heap.own_reference_count(from);
        if heap.references(from).get(own..).is_some_and(|added| added.contains(&to.raw())) {
            // Only classes and their loaders have such references.
            let is_super = heap.classes.of_object(from).and_then(|class| heap.classes.get(class).superclass);
            let is_super = is_super.is_some_and(|above| heap.classes.get(above).object == Some(to));
            let (kind, text) =
                if is_super { (ReferenceKind::Superclass, "<super>") } else { (ReferenceKind::Internal, "<loaded>") };
            names.push(ReferenceName::strong(kind, text));
        }
        if heap.class(from).object == Some(to) {
            names.push(ReferenceName::strong(ReferenceKind::Class, "<class>"));
        }
        names.truncate(limit);
        names
    }
}

impl<R: Records> ThreadStacks for NumberedContents<R> {
    fn stack(&self, _heap: &Heap, thread: ObjectId) -> Vec<String> {
        self.threads.stack_of(thread)
    }

    fn stack_owners(&self) -> Vec<StackOwner> {
        self.threads.owners()
    }

    fn dump_cause(&self) -> Option<DumpCause> {
        self.threads.dump_cause()
    }

    fn thread_info(&self, at: usize) -> Option<ThreadInfo> {
        self.threads.info(at)
    }

    fn whole_stack(&self, at: usize) -> Stack {
        self.threads.whole_stack(at)
    }
}

// The format has no data for these.
impl<R: Records> FieldReferences for NumberedContents<R> {}
impl<R: Records> LibraryObjects for NumberedContents<R> {}
impl<R: Records> Fingerprints for NumberedContents<R> {}
impl<R: Records> FileRecords for NumberedContents<R> {}
impl<R: Records> AllocationSites for NumberedContents<R> {}
impl<R: Records> SnapshotContents for NumberedContents<R> {}
