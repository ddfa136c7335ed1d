//! Errors that threads were throwing when the dump was taken: the virtual machine wrote it because of them.

use super::heap_fill::HeapFill;
use super::kind::{ErrorKind, KnownBy, Occasion};
use super::limits;
use super::memory_error::{Allocation, ErrorLocation, ErrorThread, MemoryError};
use super::message::kind_of;
use crate::answers::DumpData;
use crate::virtual_machine::VirtualMachine;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::threads::StackFrame;
use heaplens_heap::{ClassKind, StackLocal, StackOwner};

/// Frame that HotSpot puts on the stack of the thread.
const CONSTRUCTOR: &str = "java.lang.OutOfMemoryError.<init>";
/// Beginnings of the native methods that define and link classes.
const DEFINE: [&str; 8] = [
    "java.lang.ClassLoader.defineClass",
    "java.lang.ClassLoader.findBootstrapClass",
    "java.lang.Class.forName0",
    "java.lang.invoke.MethodHandleNatives.",
    "java.lang.reflect.Proxy.defineClass0",
    "jdk.internal.misc.Unsafe.defineClass",
    "jdk.internal.misc.Unsafe.defineAnonymousClass",
    "sun.misc.Unsafe.define",
];
/// Beginnings of the methods that start a thread, and reserve direct memory.
const START: &str = "java.lang.Thread.start";
const RESERVE: &str = "java.nio.Bits.reserveMemory";
/// Beginning of the methods that copy an array into one of another length.
const COPY: &str = "java.util.Arrays.copyOf";
/// Largest length of an array, nearly.
const LONGEST: u64 = i32::MAX as u64;
/// First release of Java in which all collectors give up when they take nearly all time; before, only Parallel does.
const ALL_COLLECTORS: u32 = 26;

/// An error for each thread that was throwing one.
pub(super) fn errors(dump: DumpData<'_>, task: &Task) -> Result<Vec<MemoryError>, Cancelled> {
    let owners = dump.contents.stack_owners();
    let mut errors = Vec::new();
    let mut machine = None;
    for (at, owner) in owners.iter().enumerate().filter(|(_, owner)| owner.out_of_memory) {
        let machine = match &machine {
            Some(machine) => machine,
            None => machine.insert(VirtualMachine::read(dump, task)?),
        };
        errors.push(error(dump, at, owner, machine));
    }
    Ok(errors)
}

fn error(dump: DumpData<'_>, at: usize, owner: &StackOwner, machine: &VirtualMachine) -> MemoryError {
    let stack = dump.contents.whole_stack(at);
    let constructor = stack.frames.iter().position(|frame| frame.method == CONSTRUCTOR);
    let frames = &stack.frames[constructor.map_or(0, |at| at + 1)..];
    let cause = dump.contents.dump_cause();
    let runtime = dump.answers.runtime_classes();
    let copied = frames.first().and_then(|frame| copied(dump, frame));
    let error = match cause.and_then(|cause| cause.message) {
        Some(message) => {
            MemoryError::of(vec![kind_of(&message)], KnownBy::Message, Occasion::DumpCause).with_message(message)
        }
        None => {
            let may_be_overhead = limits::is_patient(dump).map_or_else(
                || may_be_overhead(machine),
                |is_patient| !is_patient || machine.release().is_none_or(|release| release >= ALL_COLLECTORS),
            );
            let (mut kinds, mut known_by) = kinds(frames.first(), HeapFill::of(dump), may_be_overhead);
            if kinds.contains(&ErrorKind::Metaspace)
                && let Some(full) = limits::full_metadata(dump)
            {
                (kinds, known_by) = (vec![full], KnownBy::Record);
            }
            if let Some(&Allocation::CopyOf(_, length, _)) = copied.as_ref()
                && length < LONGEST / 2
                && frames.get(1).is_some_and(|caller| runtime.contains(class_of(caller)))
            {
                // Collections of the class library double their arrays at most.
                kinds.retain(|&kind| kind != ErrorKind::ArraySize);
            }
            MemoryError::of(kinds, known_by, Occasion::DumpCause)
        }
    };
    let own = frames.iter().find(|frame| !runtime.contains(class_of(frame))).or(frames.first());
    MemoryError {
        thread: Some(thread(dump, at, owner)),
        location: own.map(|own| ErrorLocation { class: class_of(own).to_owned(), frame: Some(own.text.clone()) }),
        allocation: error.allocation.clone().or(copied),
        ..error
    }
}

fn thread(dump: DumpData<'_>, at: usize, owner: &StackOwner) -> ErrorThread {
    let info = dump.contents.thread_info(at).map(|info| info.name);
    let name = info.or_else(|| dump.contents.label(dump.heap, owner.object?));
    ErrorThread {
        object: owner.object.map(|thread| (thread, dump.heap.id_text(thread))),
        name: name.filter(|_| !dump.contents.hides_values()),
    }
}

/// Kinds that fit the innermost frame below the constructor, and how full the heap is.
fn kinds(top: Option<&StackFrame>, fill: HeapFill, may_be_overhead: bool) -> (Vec<ErrorKind>, KnownBy) {
    let begins = |beginning: &str| top.is_some_and(|top| top.method.starts_with(beginning));
    let mut full = vec![ErrorKind::JavaHeap];
    if may_be_overhead {
        full.push(ErrorKind::GcOverhead);
    }
    match fill.is_full() {
        _ if begins(START) => (vec![ErrorKind::NativeThread], KnownBy::Frames),
        _ if begins(RESERVE) => (vec![ErrorKind::DirectMemory], KnownBy::Frames),
        Some(true) => (full, KnownBy::HeapFill),
        // A class takes little of the heap.
        Some(false) if DEFINE.iter().any(|define| begins(define)) => {
            (vec![ErrorKind::Metaspace, ErrorKind::ClassSpace], KnownBy::Frames)
        }
        Some(false) => (vec![ErrorKind::JavaHeap, ErrorKind::ArraySize], KnownBy::HeapFill),
        None if DEFINE.iter().any(|define| begins(define)) => {
            (vec![ErrorKind::Metaspace, ErrorKind::ClassSpace, ErrorKind::JavaHeap], KnownBy::Frames)
        }
        None => {
            full.push(ErrorKind::ArraySize);
            (full, KnownBy::Nothing)
        }
    }
}

/// False if the virtual machine never gives up because collections take nearly all time.
fn may_be_overhead(machine: &VirtualMachine) -> bool {
    let is_parallel = machine.collectors.iter().any(|name| name.starts_with("PS "));
    machine.collectors.is_empty() || is_parallel || machine.release().is_none_or(|release| release >= ALL_COLLECTORS)
}

fn class_of(frame: &StackFrame) -> &str {
    frame.method.rsplit_once('.').map_or("", |(class, _)| class)
}

/// The array that a frame was copying, if it is certain.
fn copied(dump: DumpData<'_>, frame: &StackFrame) -> Option<Allocation> {
    if !frame.method.starts_with(COPY) {
        return None;
    }
    let is_array = |local: &&StackLocal| dump.heap.class(local.object).kind != ClassKind::Plain;
    let mut arrays = frame.locals.iter().filter(is_array).map(|local| local.object);
    let array = arrays.next().filter(|_| arrays.next().is_none())?;
    let length = dump.contents.array_length(dump.heap, array)?;
    Some(Allocation::CopyOf(dump.heap.class(array).name.to_string(), length, dump.heap.shallow(array)))
}
