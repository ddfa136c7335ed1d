//! Stacks: of threads when the dump was taken, and of the places where objects were allocated.

use crate::threads::{DumpCause, ThreadInfo};
use crate::{Heap, ObjectId, Stack, StackLocal, StackOwner};

/// Threads and their stacks.
pub trait ThreadStacks: Send + Sync {
    /// Stack of a thread object, innermost frame first, in the format of a Java stack trace; empty for other objects.
    fn stack(&self, _heap: &Heap, _thread: ObjectId) -> Vec<String> {
        Vec::new()
    }

    /// Threads with a stack in the file.
    fn stack_owners(&self) -> Vec<StackOwner> {
        Vec::new()
    }

    /// Data that the file has about the `at`-th of [`Self::stack_owners`] besides its object.
    fn thread_info(&self, _at: usize) -> Option<ThreadInfo> {
        None
    }

    /// Event for which the dump was written, if it or a log beside it records one.
    fn dump_cause(&self) -> Option<DumpCause> {
        None
    }

    /// Stack of the `at`-th of [`Self::stack_owners`], with the objects held by each frame.
    fn whole_stack(&self, _at: usize) -> Stack {
        Stack::default()
    }

    /// All objects held by thread stacks, and their holders: in the heap, these are references of the thread.
    fn stack_locals(&self) -> Vec<StackLocal> {
        Vec::new()
    }
}

/// Allocation sites of objects, in dumps with recorded allocations.
pub trait AllocationSites: Send + Sync {
    /// True if the dump records allocation sites of any object.
    fn has_sites(&self) -> bool {
        false
    }

    /// Number of the allocation site of an object. `None` if the dump does not record it, or is unavailable.
    fn allocation_site(&self, _heap: &Heap, _object: ObjectId) -> Option<u32> {
        None
    }

    /// Frames of an allocation site, innermost first, in the format of a Java stack trace.
    fn site(&self, _site: u32) -> Vec<String> {
        Vec::new()
    }
}
