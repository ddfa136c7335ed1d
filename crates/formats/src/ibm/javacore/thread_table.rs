//! Thread data of a javacore, as kept for an open dump.

use serde::{Deserialize, Serialize};

use super::{Javacore, Thread};
use heaplens_heap::threads::{StackFrame, ThreadInfo};
use heaplens_heap::{ObjectId, RootKind, Stack, StackLocal, StackOwner, ThreadState};

/// Threads with their stacks, in the order of the javacore.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ThreadTable(Vec<ThreadEntry>);

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
}

impl From<Javacore<ObjectId>> for ThreadTable {
    fn from(javacore: Javacore<ObjectId>) -> Self {
        let entry = |thread: Thread<ObjectId>| ThreadEntry {
            object: thread.object,
            name: thread.name,
            state: state(&thread.state),
            priority: thread.priority,
            daemon: thread.daemon,
            id: thread.id,
            frames: thread.frames.into_iter().map(|frame| (frame.text, frame.locks)).collect(),
        };
        Self(javacore.threads.into_iter().map(entry).collect())
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
        self.0.iter().find(|entry| entry.object == Some(thread)).map(|entry| &*entry.name)
    }

    /// The frames of a thread, innermost first.
    pub(crate) fn stack_of(&self, thread: ObjectId) -> Vec<String> {
        let entry = self.0.iter().find(|entry| entry.object == Some(thread));
        entry.into_iter().flat_map(|entry| &entry.frames).map(|(text, _)| text.clone()).collect()
    }

    /// All threads.
    pub(crate) fn owners(&self) -> Vec<StackOwner> {
        let owner = |(serial, entry): (u32, &ThreadEntry)| StackOwner {
            serial,
            object: entry.object,
            out_of_memory: entry.frames.iter().any(|(text, _)| text.starts_with("java.lang.OutOfMemoryError.<init>(")),
        };
        (1..).zip(&self.0).map(owner).collect()
    }

    /// Data about a thread besides its stack.
    pub(crate) fn info(&self, at: usize) -> Option<ThreadInfo> {
        let ThreadEntry { name, state, priority, daemon, id, .. } = self.0.get(at)?;
        let (name, state, priority, daemon, tid) = (name.clone(), *state, *priority, *daemon, *id);
        Some(ThreadInfo { name, state, priority, daemon, tid })
    }

    pub(crate) fn whole_stack(&self, at: usize) -> Stack {
        let frame = |(text, locks): &(String, Vec<ObjectId>)| StackFrame {
            text: text.clone(),
            method: text.split('(').next().unwrap_or(text).to_owned(),
            locals: locks.iter().map(|&object| StackLocal { object, kind: RootKind::Monitor }).collect(),
        };
        let frames = self.0.get(at).into_iter().flat_map(|entry| &entry.frames).map(frame).collect();
        Stack { frames, outside: Vec::new() }
    }

    /// True if all objects are rows of a heap with `objects` objects.
    pub(crate) fn is_within(&self, objects: usize) -> bool {
        let locks = self.0.iter().flat_map(|entry| &entry.frames).flat_map(|(_, locks)| locks);
        self.0.iter().filter_map(|entry| entry.object.as_ref()).chain(locks).all(|object| object.index() < objects)
    }
}
