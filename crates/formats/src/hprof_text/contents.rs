//! Reads the lines of one object again: fields by name, elements by index. Values are not in the file.

use std::{ops::Range, sync::Arc};

use super::lines::{Line, Member, Record, line};
use super::{fill::REFERENT, roots::Thread};
use crate::{source::Source, text_lines::Lines};
use heaplens_base::Count;
use heaplens_heap::threads::{StackFrame, StackLocal, ThreadInfo};
use heaplens_heap::{
    Address, AllocationSites, ClassKind, Contents, ContentsError, Field, FieldReferences, FileRecords, Fingerprints,
    Heap, LibraryObjects, ObjectId, ObjectTexts, ObjectValues, ReferenceKind, ReferenceName, ReferenceNames,
    SnapshotContents, Stack, StackOwner, Strength, ThreadStacks, Value,
};

/// Maximum number of fields listed for an object, and of elements of which nothing is known.
const FIELDS: usize = 5_000;
/// Maximum number of elements that are read at once.
const ELEMENTS: u64 = 1 << 20;
/// Characters of a label.
const LABEL: usize = 80;

/// The inside of objects.
pub(super) struct TextContents {
    /// The dump; `None` for a stored analysis opened without it.
    file: Option<Source>,
    threads: Vec<Thread>,
}

impl TextContents {
    pub(super) fn new(file: Option<Source>, threads: Vec<Thread>) -> Self {
        Self { file, threads }
    }

    fn thread(&self, object: ObjectId) -> Option<&Thread> {
        self.threads.iter().find(|thread| thread.object == Some(object))
    }

    /// Calls `take` with each reference of an object until it returns false. Returns the record; `None` without the
    /// dump.
    fn read<'s>(
        &'s self,
        heap: &Heap,
        object: ObjectId,
        mut take: impl FnMut(Member<'s>) -> bool,
    ) -> Result<Option<Record<'s>>, ContentsError> {
        let (Some(file), Some(offset)) = (&self.file, heap.file_offset(object)) else { return Ok(None) };
        let file = file.bytes();
        let mut lines = Lines::new(file, offset, file.len() as u64);
        let record = match lines.next().map(|(_, bytes)| line(bytes)) {
            Some(Line::Record(record)) if Address(id(&record)) == heap.address(object) => record,
            _ => {
                let message = format!("cannot read the record at offset {offset} again: the dump file has changed");
                return Err(ContentsError(message));
            }
        };
        while let Some((_, bytes)) = lines.next() {
            match line(bytes) {
                Line::Member(member) if take(member) => {}
                Line::Blank | Line::Bad => {}
                _ => break,
            }
        }
        Ok(Some(record))
    }

    fn is_array(heap: &Heap, object: ObjectId) -> bool {
        heap.class(object).kind != ClassKind::Plain
    }
}

fn id(record: &Record<'_>) -> u64 {
    match *record {
        Record::Class { id, .. } | Record::Instance { id, .. } | Record::Array { id, .. } => id,
    }
}

fn value(heap: &Heap, target: u64) -> Value {
    if target == 0 {
        return Value::Null;
    }
    heap.at(Address(target)).map_or(Value::Dangling(Address(target)), Value::Object)
}

/// Kind and text of the reference of a class object.
fn of_class(member: &Member<'_>) -> (ReferenceKind, String) {
    match (member.static_field(), member.name) {
        (Some(name), _) => (ReferenceKind::Static, String::from_utf8_lossy(name).into_owned()),
        (None, b"super") => (ReferenceKind::Superclass, "<super>".to_owned()),
        (None, b"loader") => (ReferenceKind::Loader, "<loader>".to_owned()),
        (None, _) => (ReferenceKind::Internal, format!("<{}>", member.text())),
    }
}

impl Contents for TextContents {
    fn save(&self) -> Vec<u8> {
        // Serializing plain structs to memory cannot fail.
        postcard::to_stdvec(&self.threads).unwrap_or_default()
    }
}

impl ObjectValues for TextContents {
    fn fields(&self, heap: &Heap, object: ObjectId) -> Result<Vec<Field>, ContentsError> {
        if Self::is_array(heap, object) {
            return Ok(Vec::new());
        }
        let is_class = heap.classes.of_object(object).is_some();
        let mut fields = Vec::new();
        self.read(heap, object, |member| {
            let name = if is_class {
                member.static_field().map(|name| String::from_utf8_lossy(name).into_owned())
            } else {
                Some(member.text().into_owned())
            };
            let value = value(heap, member.target);
            let declared_by = String::new();
            fields.extend(name.map(|name| Field {
                name,
                type_name: "object",
                declared_by,
                is_static: is_class,
                value,
            }));
            fields.len() < FIELDS
        })?;
        Ok(fields)
    }

    fn array_length(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        match self.read(heap, object, |_| false).ok()?? {
            Record::Array { length, .. } => Some(length),
            _ => None,
        }
    }

    fn elements(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Vec<Value>, ContentsError> {
        let Some(length) = self.array_length(heap, object) else { return Ok(Vec::new()) };
        // The length comes from the file unchecked: nulls take no space in it.
        let many = range.end.min(length).saturating_sub(range.start).min(ELEMENTS);
        if heap.class(object).kind != ClassKind::ObjectArray {
            return Ok(vec![Value::Unavailable; (many as usize).min(FIELDS)]);
        }
        let mut values = vec![Value::Null; many as usize];
        self.read(heap, object, |member| {
            let position = member.index().and_then(|index| index.checked_sub(range.start));
            if let Some(slot) = position.and_then(|position| values.get_mut(position as usize)) {
                *slot = value(heap, member.target);
            }
            true
        })?;
        Ok(values)
    }
}

impl ObjectTexts for TextContents {
    fn text(&self, _heap: &Heap, _object: ObjectId, _limit: usize) -> Option<String> {
        None
    }

    fn label(&self, heap: &Heap, object: ObjectId) -> Option<String> {
        if let Some(class) = heap.classes.of_object(object) {
            return Some(heap.classes.get(class).name.to_string());
        }
        if let Some(thread) = self.thread(object).filter(|thread| !thread.name.is_empty()) {
            return Some(thread.name.chars().take(LABEL).collect());
        }
        if !Self::is_array(heap, object) {
            return None;
        }
        self.array_length(heap, object).map(|length| format!("[{}]", Count(length)))
    }
}

impl ReferenceNames for TextContents {
    fn reference_names(&self, heap: &Heap, from: ObjectId, to: ObjectId, limit: usize) -> Vec<ReferenceName> {
        let mut names = Vec::new();
        let target = heap.address(to).0;
        let is_class = heap.classes.of_object(from).is_some();
        let class = heap.class(from);
        let read = self.read(heap, from, |member| {
            if member.target == target {
                names.push(match (member.index(), is_class) {
                    (index @ Some(_), false) => ReferenceName::element(index),
                    (None, false) => {
                        let is_referent = member.name == REFERENT && class.strength != Strength::Strong;
                        let strength = if is_referent { class.strength } else { Strength::Strong };
                        ReferenceName { text: member.text().into_owned(), kind: ReferenceKind::Field, strength }
                    }
                    (_, true) => {
                        let (kind, text) = of_class(&member);
                        ReferenceName::strong(kind, text)
                    }
                });
            }
            names.len() < limit
        });
        if matches!(read, Ok(None)) && heap.own_references(from).contains(&to.raw()) {
            // A stored analysis without its dump has no names.
            names.push(match class.kind {
                ClassKind::ObjectArray => ReferenceName::element(None),
                _ => ReferenceName::strong(ReferenceKind::Field, "?"),
            });
        }
        // Strong references come first.
        names.sort_by_key(|name| name.strength != Strength::Strong);
        let locals = self.thread(from).into_iter().flat_map(|thread| &thread.locals);
        if locals.into_iter().any(|local| local.object == to) {
            names.push(ReferenceName::strong(ReferenceKind::Local, "<local>"));
        }
        if class.object == Some(to) {
            names.push(ReferenceName::strong(ReferenceKind::Class, "<class>"));
        }
        names.truncate(limit);
        names
    }
}

impl ThreadStacks for TextContents {
    fn stack(&self, _heap: &Heap, thread: ObjectId) -> Vec<String> {
        self.thread(thread).map(|thread| thread.frames.clone()).unwrap_or_default()
    }

    fn stack_owners(&self) -> Vec<StackOwner> {
        let owner = |thread: &Thread| StackOwner {
            serial: thread.serial,
            object: thread.object,
            out_of_memory: thread.frames.first().is_some_and(|frame| frame.starts_with("java.lang.OutOfMemoryError.")),
        };
        self.threads.iter().map(owner).collect()
    }

    fn thread_info(&self, at: usize) -> Option<ThreadInfo> {
        let thread = self.threads.get(at).filter(|thread| !thread.name.is_empty())?;
        Some(ThreadInfo { name: thread.name.clone(), state: None, priority: None, daemon: None, tid: None })
    }

    fn whole_stack(&self, at: usize) -> Stack {
        let Some(thread) = self.threads.get(at) else { return Stack::default() };
        let locals = |frame: Option<u32>| -> Vec<StackLocal> {
            let there = thread.locals.iter().filter(|local| local.frame == frame);
            there.map(|local| StackLocal { object: local.object, kind: local.kind }).collect()
        };
        let frames = thread.frames.iter().enumerate().map(|(index, text)| StackFrame {
            text: text.clone(),
            method: text.split('(').next().unwrap_or_default().to_owned(),
            locals: locals(u32::try_from(index).ok()),
        });
        let frames: Vec<StackFrame> = frames.collect();
        let outside = thread.locals.iter().filter(|local| local.frame.is_none_or(|at| at as usize >= frames.len()));
        let outside = outside.map(|local| StackLocal { object: local.object, kind: local.kind }).collect();
        Stack { frames, outside }
    }
}

// The format has no data for these.
impl FieldReferences for TextContents {}
impl LibraryObjects for TextContents {}
impl Fingerprints for TextContents {}
impl FileRecords for TextContents {}
impl AllocationSites for TextContents {}
impl SnapshotContents for TextContents {}

/// Deserializes saved contents; `file` is the dump, if available.
pub(super) fn restore(saved: &[u8], file: Option<Source>, heap: &Heap) -> Result<Arc<dyn Contents>, ContentsError> {
    let damaged = || ContentsError("the stored thread data is damaged".to_owned());
    let threads: Vec<Thread> = postcard::from_bytes(saved).map_err(|_damage| damaged())?;
    let is_within = |object: ObjectId| object.index() < heap.len();
    let are_within = threads
        .iter()
        .all(|thread| thread.object.is_none_or(is_within) && thread.locals.iter().all(|local| is_within(local.object)));
    if !are_within {
        return Err(damaged());
    }
    Ok(Arc::new(TextContents { file, threads }))
}
