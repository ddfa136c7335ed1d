//! The `OutOfMemoryError`s of a dump for programs. Field names are a contract: see `docs/command-line.md`.

#![expect(missing_docs, reason = "names say it; the command line's manual explains them")]

use heaplens_analysis::out_of_memory::{Allocation, ErrorLocation, MemoryError, MemoryErrors};
use heaplens_heap::ObjectId;
use serde::Serialize;

/// The errors of a dump.
#[derive(Debug, Clone, Serialize)]
pub struct ErrorsAnswer {
    /// The first error in two sentences.
    pub sentence: String,
    /// Number of all errors.
    pub count: u64,
    /// Bytes of all objects in the dump.
    pub heap_used_bytes: u64,
    /// Largest size of the heap, if the dump records it.
    pub heap_max_bytes: Option<u64>,
    /// The first of them.
    pub errors: Vec<ErrorAnswer>,
}

/// One error.
#[derive(Debug, Clone, Serialize)]
pub struct ErrorAnswer {
    pub kinds: Vec<&'static str>,
    pub known_by: &'static str,
    pub occasion: &'static str,
    pub id: Option<String>,
    pub message: Option<String>,
    pub thread: Option<ThreadAnswer>,
    pub class: Option<String>,
    pub frame: Option<String>,
    pub wanted_bytes: Option<u64>,
    pub copied: Option<CopiedArray>,
    pub used_bytes: Option<u64>,
    pub limit_bytes: Option<u64>,
}

/// The thread of an error.
#[derive(Debug, Clone, Serialize)]
pub struct ThreadAnswer {
    pub id: Option<String>,
    pub name: Option<String>,
}

/// An array that was being copied.
#[derive(Debug, Clone, Serialize)]
pub struct CopiedArray {
    pub class: String,
    pub length: u64,
    pub bytes: u64,
}

impl ErrorsAnswer {
    /// `None` if there are no errors.
    pub fn new(errors: &MemoryErrors) -> Option<Self> {
        Some(Self {
            sentence: errors.sentence()?,
            count: errors.count,
            heap_used_bytes: errors.fill.used.0,
            heap_max_bytes: errors.fill.max.map(|max| max.0),
            errors: errors.errors.iter().map(ErrorAnswer::new).collect(),
        })
    }
}

impl ErrorAnswer {
    fn new(error: &MemoryError) -> Self {
        let (wanted_bytes, copied) = match &error.allocation {
            Some(Allocation::Bytes(bytes)) => (Some(bytes.0), None),
            Some(Allocation::CopyOf(class, length, bytes)) => {
                (None, Some(CopiedArray { class: class.clone(), length: *length, bytes: bytes.0 }))
            }
            None => (None, None),
        };
        let id = |object: &Option<(ObjectId, String)>| object.as_ref().map(|(_, id)| id.clone());
        let ErrorLocation { class, frame } =
            error.location.clone().unwrap_or_else(|| ErrorLocation { class: String::new(), frame: None });
        Self {
            kinds: error.kinds.iter().map(|kind| kind.name()).collect(),
            known_by: error.known_by.name(),
            occasion: error.occasion.name(),
            id: id(&error.object),
            message: error.message.clone(),
            thread: error
                .thread
                .as_ref()
                .map(|thread| ThreadAnswer { id: id(&thread.object), name: thread.name.clone() }),
            class: (!class.is_empty()).then_some(class),
            frame,
            wanted_bytes,
            copied,
            used_bytes: error.used.map(|bytes| bytes.0),
            limit_bytes: error.limit.map(|bytes| bytes.0),
        }
    }
}
