//! Threads: state, stack, and the bytes that the local variables of each frame retain.

use crate::answers::{DumpData, Question};
use std::collections::BTreeMap;

use super::rows::shown_of;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::threads::ThreadInfo;
use heaplens_heap::{Analysis, ClassId, Field, ObjectId, StackLocal, ThreadStacks, ThreadState, Value};

/// One thread.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ThreadRow {
    /// Its object; `None` if the dump contains only its stack.
    pub object: Option<ObjectId>,
    /// Its serial number in the dump, and its index among the threads with a stack.
    pub stack: Option<(u32, usize)>,
    /// Its name.
    pub name: Option<String>,
    /// True for daemon threads: the virtual machine exits without waiting for them.
    pub daemon: Option<bool>,
    /// Priority from 1 to 10.
    pub priority: Option<i32>,
    /// Thread state.
    pub state: Option<ThreadState>,
    /// True if it is a virtual thread.
    pub is_virtual: bool,
    /// Thread id in Java.
    pub tid: Option<i64>,
    /// Its context class loader.
    pub context_loader: Option<ObjectId>,
    /// Shallow size of its object in bytes.
    pub shallow: Bytes,
    /// Retained size in bytes.
    pub retained: Bytes,
    /// True if it was throwing an `OutOfMemoryError`.
    pub out_of_memory: bool,
}

/// One frame.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameRow {
    /// Frame, formatted as in a Java stack trace.
    pub text: String,
    /// Retained size of its locals, each byte once, as far as the thread dominates them.
    pub retained: Bytes,
    /// Objects held by its locals.
    pub locals: Vec<StackLocal>,
}

/// A stack with retained sizes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StackRows {
    /// Innermost first.
    pub frames: Vec<FrameRow>,
    /// Objects the thread holds outside stack frames.
    pub outside: Vec<StackLocal>,
}

/// Decodes the JVMTI bits that HotSpot stores in `threadStatus`, in the order in which the JDK tests them.
fn from_status(bits: i32) -> ThreadState {
    match bits {
        b if b & 0x4 != 0 => ThreadState::Runnable,
        b if b & 0x400 != 0 => ThreadState::Blocked,
        b if b & 0x10 != 0 => ThreadState::Waiting,
        b if b & 0x20 != 0 => ThreadState::TimedWaiting,
        b if b & 0x2 != 0 => ThreadState::Terminated,
        b if b & 0x1 == 0 => ThreadState::New,
        _ => ThreadState::Runnable,
    }
}

/// Decodes the state names of `java.lang.VirtualThread`.
fn from_virtual(name: &str) -> Option<ThreadState> {
    Some(match name {
        "NEW" => ThreadState::New,
        "BLOCKED" => ThreadState::Blocked,
        "PARKED" | "PINNED" | "WAIT" => ThreadState::Waiting,
        "TIMED_PARKED" | "TIMED_PINNED" | "TIMED_WAIT" => ThreadState::TimedWaiting,
        "TERMINATED" => ThreadState::Terminated,
        // Transitional states count as running.
        "STARTED" | "RUNNABLE" | "RUNNING" | "PARKING" | "TIMED_PARKING" | "YIELDING" | "YIELDED" | "UNPARKED"
        | "BLOCKING" | "UNBLOCKED" | "WAITING" | "TIMED_WAITING" => ThreadState::Runnable,
        _ => return None,
    })
}

/// Which threads are there, and what do they retain?
#[derive(Clone, PartialEq, Eq)]
pub struct ThreadsQuestion;

impl Question for ThreadsQuestion {
    type Answer = Vec<ThreadRow>;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Vec<ThreadRow>, Cancelled> {
        threads(dump, task)
    }
}

/// All threads, largest retained size first: those with a stack, and all other objects of thread classes.
pub fn threads(dump: DumpData<'_>, task: &Task) -> Result<Vec<ThreadRow>, Cancelled> {
    let reader = ThreadReader::new(dump);
    let mut rows: Vec<ThreadRow> = Vec::new();
    let owners = dump.contents.stack_owners();
    for (at, owner) in owners.iter().enumerate() {
        task.checkpoint()?;
        let row = owner.object.map(|object| reader.row(object)).unwrap_or_default();
        let row = match dump.contents.thread_info(at) {
            Some(info) => with(&row, info),
            None => row,
        };
        rows.push(ThreadRow { stack: Some((owner.serial, at)), out_of_memory: owner.out_of_memory, ..row });
    }
    let mut known: Vec<ObjectId> = owners.iter().filter_map(|owner| owner.object).collect();
    known.sort_unstable();
    let all = shown_of(dump, |class| reader.is_thread.get(class.index()) == Some(&true), task)?;
    for object in all.into_iter().filter(|object| known.binary_search(object).is_err()) {
        task.checkpoint()?;
        rows.push(reader.row(object));
    }
    rows.sort_by(|a, b| b.retained.cmp(&a.retained).then(a.object.cmp(&b.object)).then(a.stack.cmp(&b.stack)));
    Ok(rows)
}

/// A thread, combined from its object and its records.
fn with(row: &ThreadRow, info: ThreadInfo) -> ThreadRow {
    let ThreadInfo { name, state, priority, daemon, tid } = info;
    ThreadRow {
        name: Some(name),
        state: state.or(row.state),
        daemon: daemon.or(row.daemon),
        priority: priority.or(row.priority),
        tid: tid.or(row.tid),
        ..*row
    }
}

/// Stack of a thread, with the retained size of each frame.
pub fn stack(contents: &dyn ThreadStacks, analysis: &Analysis, thread: &ThreadRow) -> StackRows {
    let Some((_, at)) = thread.stack else { return StackRows::default() };
    let stack = contents.whole_stack(at);
    let retained_local = |local: &StackLocal| {
        // A method of the thread itself holds the thread: this is not retained by the frame.
        let dominated = |thread| thread != local.object && analysis.dominates(thread, local.object);
        thread.object.is_some_and(dominated).then_some(local.object)
    };
    let frames = stack.frames.into_iter().map(|frame| FrameRow {
        retained: analysis.retained_together(frame.locals.iter().filter_map(retained_local)),
        text: frame.text,
        locals: frame.locals,
    });
    StackRows { frames: frames.collect(), outside: stack.outside }
}

/// Reads threads.
struct ThreadReader<'a> {
    dump: DumpData<'a>,
    /// By class.
    is_thread: Vec<bool>,
    is_virtual: Vec<bool>,
    /// Names of the numbers in `VirtualThread.state`: they differ between JDK versions.
    states: BTreeMap<i32, String>,
}

impl<'a> ThreadReader<'a> {
    fn new(dump: DumpData<'a>) -> Self {
        let DumpData { heap, contents, .. } = dump;
        let named = |name: &str| heap.classes.named(name);
        let below = |ancestor: Option<ClassId>| heap.classes.all_below(ancestor.as_slice());
        let virtual_class = named("java.lang.VirtualThread");
        let object = virtual_class.and_then(|class| heap.classes.get(class).object);
        let constants = object.and_then(|object| contents.fields(heap, object).ok()).unwrap_or_default();
        let mut states = BTreeMap::new();
        for constant in constants {
            if let Value::Int(number) = constant.value
                && from_virtual(&constant.name).is_some()
            {
                states.entry(number).or_insert(constant.name);
            }
        }
        Self {
            dump,
            is_thread: below(named("java.lang.Thread")),
            is_virtual: below(named("java.lang.BaseVirtualThread").or(virtual_class)),
            states,
        }
    }

    fn row(&self, object: ObjectId) -> ThreadRow {
        let fields = self.dump.contents.fields(self.dump.heap, object).unwrap_or_default();
        let own = |name: &str| value(&fields, "java.lang.Thread", name);
        // Since JDK 19 some fields of a platform thread are in a separate object.
        let holder = own("holder").and_then(Value::object);
        let held = holder.and_then(|holder| self.dump.contents.fields(self.dump.heap, holder).ok()).unwrap_or_default();
        let either = |name: &str| own(name).or_else(|| value(&held, "java.lang.Thread$FieldHolder", name));
        let is_virtual = self.is_virtual.get(self.dump.heap.class_id(object).index()) == Some(&true);
        let state = match value(&fields, "java.lang.VirtualThread", "state") {
            // A flag beside the state marks suspended threads.
            Some(Value::Int(state)) => self.states.get(&(state & 0xff)).and_then(|name| from_virtual(name)),
            _ => int(either("threadStatus")).map(from_status),
        };
        let daemon = match either("daemon") {
            Some(Value::Bool(daemon)) => Some(daemon),
            _ => is_virtual.then_some(true),
        };
        ThreadRow {
            object: Some(object),
            name: self.dump.contents.label(self.dump.heap, object),
            daemon,
            priority: int(either("priority")).or(is_virtual.then_some(5)),
            state,
            is_virtual,
            tid: match own("tid") {
                Some(Value::Long(tid)) => Some(tid),
                _ => None,
            },
            context_loader: own("contextClassLoader").and_then(Value::object),
            shallow: self.dump.heap.shallow(object),
            retained: self.dump.analysis.retained(object),
            ..ThreadRow::default()
        }
    }
}

fn value(fields: &[Field], declared_by: &str, name: &str) -> Option<Value> {
    fields.iter().find(|f| f.name == name && f.declared_by == declared_by && !f.is_static).map(|f| f.value)
}

fn int(value: Option<Value>) -> Option<i32> {
    match value {
        Some(Value::Int(number)) => Some(number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{from_status, from_virtual};
    use heaplens_heap::ThreadState;

    #[test]
    fn states_are_those_of_the_jdk() {
        // Numbers as found in HotSpot dumps.
        for (bits, state) in [
            (0, ThreadState::New),
            (5, ThreadState::Runnable),
            (0x401, ThreadState::Blocked),
            (0x191, ThreadState::Waiting),
            (0x291, ThreadState::Waiting),
            (0xe1, ThreadState::TimedWaiting),
            (2, ThreadState::Terminated),
            (1, ThreadState::Runnable),
        ] {
            assert_eq!(from_status(bits), state, "{bits:#x}");
        }
        assert_eq!(from_virtual("PARKED"), Some(ThreadState::Waiting));
        assert_eq!(from_virtual("SUSPENDED"), None);
    }
}
