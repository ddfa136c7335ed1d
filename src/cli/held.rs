//! The way to stdout. What comes from a stored analysis is held back until it
//! is known to be sound: blocks of the file are checked as they are read, so a
//! short answer came from sound blocks, if none was found damaged by its end.
//! Before the first part of a long answer goes out, all blocks are checked.

use std::fmt;
use std::io::{self, StdoutLock, Write};
use std::sync::Arc;

use crate::session::dump::OpenDump;
use crate::storage::stored::Stored;

/// Bytes of an answer that is no longer short.
const SHORT: usize = 1 << 20;
/// Bytes written at a time.
const BUFFERED: usize = 1 << 16;

/// The file that an answer is computed from is damaged.
#[derive(Debug)]
pub(super) struct DamagedSource;

impl fmt::Display for DamagedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the stored analysis is damaged")
    }
}

impl std::error::Error for DamagedSource {}

/// Standard output, a step behind.
pub(super) struct Held {
    out: StdoutLock<'static>,
    /// Where the answer comes from, as long as that may be damaged.
    doubtful: Vec<Arc<Stored>>,
    waiting: Vec<u8>,
}

impl Held {
    /// Holds back an answer from `dump`.
    pub(super) fn of(dump: &OpenDump) -> Self {
        Self::of_all([dump])
    }

    /// Holds back an answer from several dumps.
    pub(super) fn of_all<'a>(dumps: impl IntoIterator<Item = &'a OpenDump>) -> Self {
        let doubtful = dumps.into_iter().filter_map(|dump| dump.facts.stored.clone()).collect();
        Self { out: io::stdout().lock(), doubtful, waiting: Vec::new() }
    }

    fn let_go(&mut self) -> io::Result<()> {
        self.out.write_all(&self.waiting)?;
        self.waiting.clear();
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
                return Err(io::Error::other(DamagedSource));
            }
            self.doubtful.clear();
            self.let_go()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.doubtful.iter().any(|stored| stored.is_damaged()) {
            self.waiting.clear();
            return Err(io::Error::other(DamagedSource));
        }
        self.let_go()?;
        self.out.flush()
    }
}
