//! Threads and their stacks.

use serde::{Deserialize, Serialize};

use super::{ObjectId, RootKind};

/// Thread named in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackOwner {
    /// Serial number in the file.
    pub serial: u32,
    /// Its object, if in the heap.
    pub object: Option<ObjectId>,
    /// True if it was throwing an `OutOfMemoryError` when the dump was taken.
    pub out_of_memory: bool,
}

/// Event for which a virtual machine wrote a dump, as its log beside the dump records it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DumpCause {
    /// Class of the exception: `java.lang.OutOfMemoryError`.
    pub class: String,
    /// Message of the exception.
    pub message: Option<String>,
}

/// The stack of a thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stack {
    /// Innermost first.
    pub frames: Vec<StackFrame>,
    /// Objects held outside all frames: locals of native code before the first frame, the monitor the thread waits for.
    pub outside: Vec<StackLocal>,
}

/// A frame of a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackFrame {
    /// Text in the format of a Java stack trace: `shop.Cart.add(Cart.java:17)`.
    pub text: String,
    /// `shop.Cart.add`
    pub method: String,
    /// Objects held by its local variables.
    pub locals: Vec<StackLocal>,
}

/// Object held by a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct StackLocal {
    /// The object.
    pub object: ObjectId,
    /// Kind of local: of Java or of native code.
    pub kind: RootKind,
}

/// State of a thread, as in `java.lang.Thread.State`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ThreadState {
    /// Not started.
    New,
    /// Running, or ready to.
    Runnable,
    /// Waiting to enter a monitor.
    Blocked,
    /// Waiting for a notification.
    Waiting,
    /// Waiting with a timeout.
    TimedWaiting,
    /// Ended.
    Terminated,
}

impl ThreadState {
    /// Words for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Runnable => "runnable",
            Self::Blocked => "blocked",
            Self::Waiting => "waiting",
            Self::TimedWaiting => "timed waiting",
            Self::Terminated => "terminated",
        }
    }

    /// Name in `java.lang.Thread.State`.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "NEW",
            Self::Runnable => "RUNNABLE",
            Self::Blocked => "BLOCKED",
            Self::Waiting => "WAITING",
            Self::TimedWaiting => "TIMED_WAITING",
            Self::Terminated => "TERMINATED",
        }
    }
}

/// Data in the file about a thread that is not in its object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThreadInfo {
    /// Its name.
    pub name: String,
    /// Thread state.
    pub state: Option<ThreadState>,
    /// From 1 to 10.
    pub priority: Option<i32>,
    /// True for a daemon thread, for which the virtual machine does not wait at exit.
    pub daemon: Option<bool>,
    /// Java thread id.
    pub tid: Option<i64>,
}
