//! The way to stdout. An answer from a file that went away meanwhile is none. What comes from a stored analysis is held back until it
//! is known to be sound: blocks of the file are checked as they are read, so a
//! short answer came from sound blocks, if none was found damaged by its end.
//! Before the first part of a long answer goes out, all blocks are checked.

use std::fmt;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::sync::Arc;

use crate::export::printable::Printable;
use crate::session::dump::{Facts, OpenDump};
use crate::storage::stored::Stored;

/// Bytes of an answer that is no longer short.
const SHORT: usize = 1 << 20;
/// Bytes written at a time.
const BUFFERED: usize = 1 << 16;

/// Why an answer is not to be given.
#[derive(Debug)]
pub(super) enum DamagedSource {
    /// The stored analysis it is computed from is damaged.
    Stored,
    /// The dump itself could not be read any more, in words.
    Dump(String),
}

impl fmt::Display for DamagedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stored => f.write_str("the stored analysis is damaged"),
            Self::Dump(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for DamagedSource {}

/// Standard output, a step behind.
pub(super) struct Held {
    out: StdoutLock<'static>,
    /// Where the answer comes from, as long as that may be damaged.
    doubtful: Vec<Arc<Stored>>,
    /// The dumps themselves.
    dumps: Vec<Facts>,
    waiting: Vec<u8>,
    /// Nothing that a terminal obeys is to reach it, in no form: names of a dump may be anything.
    is_terminal: bool,
}

impl Held {
    /// Holds back an answer from `dump`.
    pub(super) fn of(dump: &OpenDump) -> Self {
        Self::of_all([dump])
    }

    /// Holds back an answer from several dumps.
    pub(super) fn of_all<'a>(dumps: impl IntoIterator<Item = &'a OpenDump>) -> Self {
        let dumps: Vec<Facts> = dumps.into_iter().map(|dump| dump.facts.clone()).collect();
        let doubtful = dumps.iter().filter_map(|facts| facts.stored.clone()).collect();
        let is_terminal = io::stdout().is_terminal();
        Self { out: io::stdout().lock(), doubtful, dumps, waiting: Vec::new(), is_terminal }
    }

    fn let_go(&mut self) -> io::Result<()> {
        // What was lost before the answer began is in the notes of the heap.
        if let Some(why) = self.dumps.iter().find_map(Facts::lost) {
            self.waiting.clear();
            return Err(io::Error::other(DamagedSource::Dump(why)));
        }
        if self.is_terminal {
            // A letter of which the rest is still to come waits for it.
            let broken_off = str::from_utf8(&self.waiting).err().filter(|error| error.error_len().is_none());
            let whole = broken_off.map_or(self.waiting.len(), |error| error.valid_up_to());
            let rest = self.waiting.split_off(whole);
            Printable(&mut self.out).write_all(&self.waiting)?;
            self.waiting = rest;
        } else {
            self.out.write_all(&self.waiting)?;
            self.waiting.clear();
        }
        Ok(())
    }
}

impl Write for Held {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= if self.doubtful.is_empty() { BUFFERED } else { SHORT } {
            // Stays in doubt once it is found damaged: writers try again when they are dropped.
            if self.doubtful.iter().any(|stored| stored.is_damaged() || !stored.check_all()) {
                self.waiting.clear();
                return Err(io::Error::other(DamagedSource::Stored));
            }
            self.doubtful.clear();
            self.let_go()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.doubtful.iter().any(|stored| stored.is_damaged()) {
            self.waiting.clear();
            return Err(io::Error::other(DamagedSource::Stored));
        }
        self.let_go()?;
        self.out.flush()
    }
}
