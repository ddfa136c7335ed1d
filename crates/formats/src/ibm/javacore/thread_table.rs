//! Thread data of a javacore, as kept for an open dump.

use serde::{Deserialize, Serialize};

use super::{Javacore, Thread};
use heaplens_heap::threads::{DumpCause, StackFrame, ThreadInfo};
use heaplens_heap::{ObjectId, RootKind, Stack, StackLocal, StackOwner, ThreadState};

/// Frame of the constructor of the error.
const CONSTRUCTOR: &str = "java.lang.OutOfMemoryError.<init>(";
/// The error itself.
const OUT_OF_MEMORY: &str = "java.lang.OutOfMemoryError";

/// Threads with their stacks, in the order of the javacore, and the event for which it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ThreadTable {
    threads: Vec<ThreadEntry>,
    cause: Option<DumpCause>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ThreadEntry {
    object: Option<ObjectId>,
    name: String,
    state: Option<ThreadState>,
    priority: Option<i32>,
    daemon: Option<bool>,
    id: Option<i64>,
    /// Frames, innermost first, each with the objects it locked.
    frames: Vec<(String, Vec<ObjectId>)>,
    /// True if it was throwing an `OutOfMemoryError`.
    out_of_memory: bool,
}

impl From<Javacore<ObjectId>> for ThreadTable {
    fn from(javacore: Javacore<ObjectId>) -> Self {
        let cause = javacore.cause.filter(|cause| cause.class == OUT_OF_MEMORY);
        let current = javacore.current.filter(|_| cause.is_some());
        let entry = |thread: Thread<ObjectId>| ThreadEntry {
            out_of_memory: current.is_some() && thread.native == current
                || thread.frames.iter().any(|frame| frame.text.starts_with(CONSTRUCTOR)),
            object: thread.object,
            name: thread.name,
            state: state(&thread.state),
            priority: thread.priority,
            daemon: thread.daemon,
            id: thread.id,
            frames: thread.frames.into_iter().map(|frame| (frame.text, frame.locks)).collect(),
        };
        Self { threads: javacore.threads.into_iter().map(entry).collect(), cause }
    }
}

/// Thread state for the letter codes of a javacore.
fn state(letters: &str) -> Option<ThreadState> {
    Some(match letters {
        // Suspended threads are runnable.
        "R" | "S" => ThreadState::Runnable,
        "CW" | "P" => ThreadState::Waiting,
        "B" | "MW" => ThreadState::Blocked,
        "Z" | "D" => ThreadState::Terminated,
        _ => return None,
    })
}

impl ThreadTable {
    pub(crate) fn name_of(&self, thread: ObjectId) -> Option<&str> {
        self.threads.iter().find(|entry| entry.object == Some(thread)).map(|entry| &*entry.name)
    }

    /// The frames of a thread, innermost first.
    pub(crate) fn stack_of(&self, thread: ObjectId) -> Vec<String> {
        let entry = self.threads.iter().find(|entry| entry.object == Some(thread));
        entry.into_iter().flat_map(|entry| &entry.frames).map(|(text, _)| text.clone()).collect()
    }

    /// All threads.
    pub(crate) fn owners(&self) -> Vec<StackOwner> {
        let owner = |(serial, entry): (u32, &ThreadEntry)| StackOwner {
            serial,
            object: entry.object,
            out_of_memory: entry.out_of_memory,
        };
        (1..).zip(&self.threads).map(owner).collect()
    }

    /// The `OutOfMemoryError` for which the dump was written.
    pub(crate) fn dump_cause(&self) -> Option<DumpCause> {
        self.cause.clone()
    }

    /// Data about a thread besides its stack.
    pub(crate) fn info(&self, at: usize) -> Option<ThreadInfo> {
        let ThreadEntry { name, state, priority, daemon, id, .. } = self.threads.get(at)?;
        let (name, state, priority, daemon, tid) = (name.clone(), *state, *priority, *daemon, *id);
        Some(ThreadInfo { name, state, priority, daemon, tid })
    }

    pub(crate) fn whole_stack(&self, at: usize) -> Stack {
        let frame = |(text, locks): &(String, Vec<ObjectId>)| StackFrame {
            text: text.clone(),
            method: text.split('(').next().unwrap_or(text).to_owned(),
            locals: locks.iter().map(|&object| StackLocal { object, kind: RootKind::Monitor }).collect(),
        };
        let frames = self.threads.get(at).into_iter().flat_map(|entry| &entry.frames).map(frame).collect();
        Stack { frames, outside: Vec::new() }
    }

    /// True if all objects are rows of a heap with `objects` objects.
    pub(crate) fn is_within(&self, objects: usize) -> bool {
        let locks = self.threads.iter().flat_map(|entry| &entry.frames).flat_map(|(_, locks)| locks);
        self.threads
            .iter()
            .filter_map(|entry| entry.object.as_ref())
            .chain(locks)
            .all(|object| object.index() < objects)
    }
}
