//! The errors of a dump.

use super::heap_fill::HeapFill;
use super::kind::{ErrorKind, KnownBy, Occasion};
use heaplens_base::Bytes;
use heaplens_heap::ObjectId;

/// The `OutOfMemoryError`s of a dump.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryErrors {
    /// First those that caused the dump, then reachable ones, then unreachable ones; not all of very many.
    pub errors: Vec<MemoryError>,
    /// How full the heap is.
    pub fill: HeapFill,
    /// Number of all.
    pub count: u64,
}

/// An `OutOfMemoryError`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryError {
    /// Its kind; several if the dump does not tell them apart. Never empty.
    pub kinds: Vec<ErrorKind>,
    /// What the kind follows from.
    pub known_by: KnownBy,
    /// When it was thrown.
    pub occasion: Occasion,
    /// Its object and the id of that; `None` of one that caused the dump.
    pub object: Option<(ObjectId, String)>,
    /// Its message.
    pub message: Option<String>,
    /// The thread that threw it; of an earlier one, the thread with a local variable that holds it.
    pub thread: Option<ErrorThread>,
    /// Where it was thrown.
    pub location: Option<ErrorLocation>,
    /// The allocation that failed.
    pub allocation: Option<Allocation>,
    /// Bytes in use and limit of what ran out, by the message.
    pub used: Option<Bytes>,
    /// See `used`.
    pub limit: Option<Bytes>,
}

/// A thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorThread {
    /// Its object, and the id of that.
    pub object: Option<(ObjectId, String)>,
    /// Its name.
    pub name: Option<String>,
}

/// Where an error was thrown: the first frame of the application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorLocation {
    /// Its class.
    pub class: String,
    /// The frame in the format of a Java stack trace; `None` if the dump has the class alone.
    pub frame: Option<String>,
}

/// An allocation that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allocation {
    /// So many bytes.
    Bytes(Bytes),
    /// A longer or equal copy of an array: its class, length and bytes.
    CopyOf(String, u64, Bytes),
}

impl MemoryErrors {
    /// True if the dump shows none.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The error that the first line is about.
    pub fn first(&self) -> Option<&MemoryError> {
        self.errors.first()
    }
}

impl MemoryError {
    /// An error of which only the kind is known.
    pub(super) fn of(kinds: Vec<ErrorKind>, known_by: KnownBy, occasion: Occasion) -> Self {
        let (object, message, thread, location, allocation) = (None, None, None, None, None);
        Self { kinds, known_by, occasion, object, message, thread, location, allocation, used: None, limit: None }
    }

    /// True if it caused the dump.
    pub fn is_cause(&self) -> bool {
        self.occasion == Occasion::DumpCause
    }
}
