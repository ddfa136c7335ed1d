//! Calls into other crates with data from a file or another program. Some crates panic on damaged data: that is an error
//! of the file, so nothing is printed, and the caller gets an error. Panics of our own code are printed as ever.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Once;

use crate::storage::OutOfMemory;

thread_local! {
    /// True while this thread is in a guarded call.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Error: a crate panicked on the data that it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LibraryPanic;

impl fmt::Display for LibraryPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("its decoder cannot handle this data")
    }
}

impl std::error::Error for LibraryPanic {}

impl From<LibraryPanic> for io::Error {
    fn from(panic: LibraryPanic) -> Self {
        Self::new(io::ErrorKind::InvalidData, panic)
    }
}

/// Calls another crate. `call` should contain no code of ours that could panic: nobody would see it.
///
/// # Errors
/// If the crate panics. What `call` changed before may be half done and must not be used again.
///
/// # Panics
/// With [`OutOfMemory`], if that ended the call.
pub fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, LibraryPanic> {
    silence_guarded_calls();
    let before = IS_GUARDED.replace(true);
    let ended = catch_unwind(AssertUnwindSafe(call));
    IS_GUARDED.set(before);
    ended.map_err(|panic| match OutOfMemory::of(panic.as_ref()) {
        Some(_) => resume_unwind(panic),
        None => LibraryPanic,
    })
}

/// Reads from a decoder of another crate.
///
/// # Errors
/// Those of the decoder, also if it panics: then it must not be read again.
pub fn guarded_read(decoder: &mut impl Read, block: &mut [u8]) -> io::Result<usize> {
    guarded(|| decoder.read(block))?
}

/// Puts a hook before the one that prints panics.
fn silence_guarded_calls() {
    static ONCE: Once = Once::new();
    // A thread that is ending by a panic may not change the hook.
    if std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                print(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_guarded_call_is_an_error() {
        assert_eq!(guarded(|| 7), Ok(7));
        assert_eq!(guarded(|| -> u8 { panic!("damaged") }), Err(LibraryPanic));
        let nested = guarded(|| (guarded(|| -> u8 { panic!("inner") }), IS_GUARDED.get()));
        assert_eq!(nested, Ok((Err(LibraryPanic), true)));
        assert!(!IS_GUARDED.get(), "panics of our own are printed again");
        let shortage = OutOfMemory { wanted: 3, left: None };
        let ended = catch_unwind(|| guarded(|| -> u8 { std::panic::resume_unwind(Box::new(shortage)) }));
        assert_eq!(ended.err().and_then(|panic| OutOfMemory::of(panic.as_ref())), Some(shortage));
    }
}
