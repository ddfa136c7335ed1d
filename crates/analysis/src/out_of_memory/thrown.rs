//! Errors that were thrown before the dump was taken, and are still in the heap as objects.

use std::collections::{BTreeMap, BTreeSet};

use rayon::iter::ParallelIterator;

use super::backtrace::{frames, location};
use super::kind::{ErrorKind, KnownBy, Occasion};
use super::memory_error::{ErrorThread, MemoryError};
use super::message::kind_of;
use crate::answers::DumpData;
use crate::rows::joined;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ClassKind, ObjectId};

/// The class; libraries throw subclasses of their own.
const CLASS: &str = "java.lang.OutOfMemoryError";
const THREAD: &str = "java.lang.Thread";
/// Maximum number of errors that are described.
const MOST: usize = 20;
/// Maximum number of errors looked at.
const EXAMINED: usize = 10_000;

/// The first errors, reachable ones before others, and the number of all.
///
/// The virtual machine creates errors in advance, for a moment without memory, and each heap has them: these have no stack
/// trace, neither of elements nor of classes, until one of them is thrown.
pub(super) fn errors(dump: DumpData<'_>, task: &Task) -> Result<(Vec<MemoryError>, u64), Cancelled> {
    let heap = dump.heap;
    let Some(class) = heap.classes.named(CLASS) else { return Ok((Vec::new(), 0)) };
    let is_error = heap.classes.all_below(&[class]);
    let column = heap.class_column().slices();
    let is_meant = |row: &usize| {
        let class = column.get(*row).and_then(ClassId::from_raw);
        class.is_some_and(|class| is_error.get(class.index()) == Some(&true))
    };
    let objects =
        joined(task.par_blocks(heap.len()).map(|rows| Ok(rows?.filter(is_meant).filter_map(ObjectId::new).collect())))?;
    let mut thrown: Vec<Thrown> = Vec::new();
    for object in objects.into_iter().take(EXAMINED) {
        task.checkpoint()?;
        thrown.extend(Thrown::new(dump, object));
    }
    let mut thrown = without_artefacts(thrown);
    thrown.sort_by_key(|thrown| !thrown.is_reachable);
    let errors = thrown.iter().take(MOST).map(|thrown| error(dump, thrown));
    Ok((errors.collect(), thrown.len() as u64))
}

/// An error that was thrown.
struct Thrown {
    object: ObjectId,
    is_reachable: bool,
    /// Of the message.
    kinds: Vec<ErrorKind>,
    message: Option<String>,
    /// Classes of its frames, innermost first; none of an error that the virtual machine threw without a stack trace.
    classes: Vec<String>,
}

impl Thrown {
    /// `None` of an error that was created in advance: by the virtual machine, or by a program. The latter has no message,
    /// such as that of the class `DbException` of H2; the virtual machine and its class library give one to each.
    fn new(dump: DumpData<'_>, object: ObjectId) -> Option<Self> {
        let message = dump.object_field(object, "detailMessage")?;
        let elements = dump.object_field(object, "stackTrace");
        let elements = elements.and_then(|elements| dump.contents.array_length(dump.heap, elements));
        let classes: Vec<String> = frames(dump, object).into_iter().map(|frame| frame.class).collect();
        if classes.is_empty() && elements.is_none_or(|length| length == 0) && !is_held(dump, object) {
            return None;
        }
        // A stripped dump has the length of a text only.
        let message = dump.short_text(message).filter(|text| text.chars().any(char::is_alphanumeric));
        let kind = message.as_deref().map_or(ErrorKind::NotKnown, kind_of);
        // A message of another kind is a text of the program.
        let is_hidden = kind == ErrorKind::Other && dump.contents.hides_values();
        Some(Self {
            object,
            is_reachable: dump.analysis.is_reachable(object),
            kinds: vec![if is_hidden { ErrorKind::NotKnown } else { kind }],
            message: message.filter(|_| !is_hidden),
            classes,
        })
    }

    /// True of what HotSpot 17 throws away unseen.
    fn may_be_artefact(&self) -> bool {
        !self.is_reachable && matches!(self.kinds.as_slice(), [ErrorKind::Metaspace | ErrorKind::ClassSpace])
    }
}

/// True if a field or a local variable holds an error. Those that the virtual machine has created in advance are only in
/// arrays of its own. If all that have room for a stack trace are used up, it throws others of them.
fn is_held(dump: DumpData<'_>, error: ObjectId) -> bool {
    let (heap, runtime) = (dump.heap, dump.answers.runtime_classes());
    dump.analysis.referrers(error).filter(|&of| of != error).any(|of| match heap.classes.of_object(of) {
        // Statics of a virtual machine that is written in Java are its own.
        Some(class) => !runtime.contains(&heap.classes.get(class).name),
        None => heap.class(of).kind == ClassKind::Plain,
    })
}

/// The errors without those that HotSpot 17 creates while it counts an error by its kind: it takes one for the metaspace
/// and one for the class space, with the same stack trace, to compare them with the error, and drops both.
fn without_artefacts(thrown: Vec<Thrown>) -> Vec<Thrown> {
    let mut certain: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut kinds: BTreeMap<Vec<String>, Vec<ErrorKind>> = BTreeMap::new();
    for error in &thrown {
        if error.may_be_artefact() {
            let kinds = kinds.entry(error.classes.clone()).or_default();
            kinds.extend(error.kinds.iter().filter(|kind| !kinds.contains(kind)).copied().collect::<Vec<_>>());
        } else {
            certain.insert(error.classes.clone());
        }
    }
    let mut errors = Vec::new();
    for error in thrown {
        if !error.may_be_artefact() {
            errors.push(error);
        } else if !certain.contains(&error.classes)
            && let Some(mut kinds) = kinds.remove(&error.classes)
        {
            kinds.sort_by_key(|&kind| kind != ErrorKind::Metaspace);
            errors.push(Thrown { kinds, ..error });
        }
    }
    errors
}

fn error(dump: DumpData<'_>, thrown: &Thrown) -> MemoryError {
    let (object, heap) = (thrown.object, dump.heap);
    let occasion = if thrown.is_reachable { Occasion::Earlier } else { Occasion::EarlierUnreachable };
    let error = match &thrown.message {
        Some(message) => {
            MemoryError::of(thrown.kinds.clone(), KnownBy::Message, occasion).with_message(message.clone())
        }
        None => MemoryError::of(thrown.kinds.clone(), KnownBy::Nothing, occasion),
    };
    MemoryError {
        object: Some((object, heap.id_text(object))),
        thread: thread(dump, object),
        location: location(dump, object),
        ..error
    }
}

/// The only thread that holds an error by a local variable: it has caught it.
fn thread(dump: DumpData<'_>, error: ObjectId) -> Option<ErrorThread> {
    let heap = dump.heap;
    let is_thread = heap.classes.all_below(heap.classes.named(THREAD).as_slice());
    let mut threads =
        dump.analysis.referrers(error).filter(|&of| is_thread.get(heap.class_id(of).index()) == Some(&true));
    let thread = threads.next().filter(|_| threads.next().is_none())?;
    Some(ErrorThread {
        object: Some((thread, heap.id_text(thread))),
        name: dump.contents.label(heap, thread).filter(|_| !dump.contents.hides_values()),
    })
}
