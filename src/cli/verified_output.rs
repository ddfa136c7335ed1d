//! Buffered stdout that prints only results from intact files. A result from a file that was lost meanwhile is
//! discarded. Output from a stored analysis is held back until it is verified: blocks of the file are checked when
//! they are read, so a short result is valid if no block was found damaged by its end. All blocks are checked before
//! the first part of a long result is written.

use std::fmt;
use std::io::{self, IsTerminal, Stdout, Write};
use std::sync::Arc;

use heaplens_base::storage::StoredAnalysis;
use heaplens_core::dump::facts::Facts;
use heaplens_session::LoadedDump;
use heaplens_tables::export::printable::Printable;

/// Size in bytes from which a result is long.
const SHORT: usize = 1 << 20;
/// Size in bytes of one write.
const BUFFERED: usize = 1 << 16;

/// Reasons to discard a result.
#[derive(Debug)]
pub(super) enum DamagedSource {
    /// Damaged stored analysis.
    Stored,
    /// Dump that can no longer be read, with the reason.
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

/// Standard output, delayed until its content is verified.
pub(super) struct VerifiedOutput {
    out: Stdout,
    /// Stored analyses that the result is from, until they are verified.
    doubtful: Vec<Arc<StoredAnalysis>>,
    /// Dumps that the result is from.
    dumps: Vec<Facts>,
    waiting: Vec<u8>,
    /// True if stdout is a terminal: control characters are then removed, since names of a dump may contain any.
    is_terminal: bool,
}

impl VerifiedOutput {
    /// Output for a result from `dump`.
    pub(super) fn of(dump: &LoadedDump) -> Self {
        Self::of_all([dump])
    }

    /// Output for a result from several dumps.
    pub(super) fn of_all<'a>(dumps: impl IntoIterator<Item = &'a LoadedDump>) -> Self {
        let dumps: Vec<Facts> = dumps.into_iter().map(|dump| dump.facts.clone()).collect();
        let doubtful = dumps.iter().filter_map(|facts| facts.stored.clone()).collect();
        let is_terminal = io::stdout().is_terminal();
        Self { out: io::stdout(), doubtful, dumps, waiting: Vec::new(), is_terminal }
    }

    fn discard(&mut self, why: DamagedSource) -> io::Result<()> {
        self.waiting.clear();
        Err(io::Error::other(why))
    }

    fn let_go(&mut self) -> io::Result<()> {
        // Losses before the result was computed are in the parse warnings of the heap.
        if let Some(why) = self.dumps.iter().find_map(Facts::lost) {
            return self.discard(DamagedSource::Dump(why));
        }
        if self.is_terminal {
            // An incomplete UTF-8 sequence at the end waits for its remaining bytes.
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

impl Write for VerifiedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= if self.doubtful.is_empty() { BUFFERED } else { SHORT } {
            // Stays in `doubtful` once found damaged: buffered writers retry when dropped.
            if self.doubtful.iter().any(|stored| stored.is_damaged() || !stored.check_all()) {
                self.discard(DamagedSource::Stored)?;
            }
            self.doubtful.clear();
            self.let_go()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.doubtful.iter().any(|stored| stored.is_damaged()) {
            self.discard(DamagedSource::Stored)?;
        }
        self.let_go()?;
        self.out.flush()
    }
}
