//! Kind of an `OutOfMemoryError` that a dump shows: what ran out, in which thread, at which frame, and how large the
//! allocation was.
//!
//! An error that made the virtual machine write the dump has no object yet: HotSpot puts a frame of its constructor on the
//! stack of the thread, without the message. Its kind follows from the frames below that and from how full the heap is,
//! as far as it does. An error that was thrown before has an object with a message. The errors that the virtual machine
//! creates in advance are in each heap and are not listed.

mod backtrace;
mod heap_fill;
mod kind;
mod limits;
mod memory_error;
mod message;
mod sentence;
mod throwing;
mod thrown;

use crate::answers::{DumpData, Question};
use heaplens_base::{Cancelled, Task};

pub use self::heap_fill::HeapFill;
pub use self::kind::{ErrorKind, KnownBy, Occasion};
pub use self::memory_error::{Allocation, ErrorLocation, MemoryError, MemoryErrors};

/// Which `OutOfMemoryError`s does the dump show?
#[derive(Clone, PartialEq, Eq)]
pub struct MemoryErrorsQuestion;

impl Question for MemoryErrorsQuestion {
    type Answer = MemoryErrors;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<MemoryErrors, Cancelled> {
        if dump.heap.snapshot().is_some() {
            // A snapshot of a JavaScript engine has no errors of Java.
            return Ok(MemoryErrors::default());
        }
        let throwing = throwing::errors(dump, task)?;
        let (thrown, thrown_count) = thrown::errors(dump, task)?;
        let fill = if throwing.is_empty() && thrown.is_empty() { HeapFill::default() } else { HeapFill::of(dump) };
        let caused = throwing.len() as u64;
        Ok(MemoryErrors { errors: [throwing, thrown].concat(), fill, count: caused + thrown_count })
    }
}
