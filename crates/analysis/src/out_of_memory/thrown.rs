//! Errors that were thrown before the dump was taken, and are still in the heap as objects.

use rayon::iter::ParallelIterator;

use super::backtrace::{frames, location};
use super::kind::{ErrorKind, KnownBy, Occasion};
use super::memory_error::{ErrorThread, MemoryError};
use super::message::kind_of;
use crate::answers::DumpData;
use crate::rows::joined;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId};

const CLASS: &str = "java.lang.OutOfMemoryError";
/// Class of which libraries throw a subclass of their own.
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
    let mut thrown: Vec<ObjectId> = Vec::new();
    for object in objects.into_iter().take(EXAMINED) {
        task.checkpoint()?;
        if was_thrown(dump, object) {
            thrown.push(object);
        }
    }
    thrown.sort_by_key(|&object| !dump.analysis.is_reachable(object));
    let errors = thrown.iter().take(MOST).map(|&object| error(dump, object));
    Ok((errors.collect(), thrown.len() as u64))
}

fn was_thrown(dump: DumpData<'_>, error: ObjectId) -> bool {
    let elements = dump.object_field(error, "stackTrace");
    elements.and_then(|elements| dump.contents.array_length(dump.heap, elements)).is_some_and(|length| length > 0)
        || !frames(dump, error).is_empty()
}

fn error(dump: DumpData<'_>, object: ObjectId) -> MemoryError {
    let heap = dump.heap;
    let occasion =
        if dump.analysis.is_reachable(object) { Occasion::Earlier } else { Occasion::EarlierUnreachable };
    let message = dump.object_field(object, "detailMessage").and_then(|text| dump.short_text(text));
    let kind = message.as_deref().map(kind_of);
    // A message of another kind is a text of the program.
    let is_hidden = kind == Some(ErrorKind::Other) && dump.contents.hides_values();
    let error = match (message, kind.filter(|_| !is_hidden)) {
        (Some(message), Some(kind)) => {
            MemoryError::of(vec![kind], KnownBy::Message, occasion).with_message(message)
        }
        _ => MemoryError::of(vec![ErrorKind::NotKnown], KnownBy::Nothing, occasion),
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
