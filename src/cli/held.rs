//! The way to stdout. What comes from a stored analysis is held back until it
//! is known to be sound: blocks of the file are checked as they are read, so
//! what is let go was computed from sound blocks alone.

use std::fmt;
use std::io::{self, StdoutLock, Write};

use crate::session::dump::OpenDump;
use crate::storage::checks::Damage;

/// Bytes held back before they are let go.
const HELD: usize = 1 << 20;
/// Bytes where nothing needs to be held back.
const BUFFERED: usize = 1 << 16;

/// The file that an answer is computed from is damaged.
#[derive(Debug)]
pub(super) struct DamagedSource {
    /// Whether part of the answer is out already.
    pub(super) printed: bool,
}

impl fmt::Display for DamagedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the stored analysis is damaged")
    }
}

impl std::error::Error for DamagedSource {}

/// Standard output, a step behind.
pub(super) struct Held {
    out: StdoutLock<'static>,
    damage: Option<Damage>,
    waiting: Vec<u8>,
    printed: bool,
}

impl Held {
    /// Holds back an answer from `dump`.
    pub(super) fn of(dump: &OpenDump) -> Self {
        Self { out: io::stdout().lock(), damage: dump.facts.stored.clone(), waiting: Vec::new(), printed: false }
    }

    fn let_go(&mut self) -> io::Result<()> {
        if self.damage.as_ref().is_some_and(Damage::was_met) {
            return Err(io::Error::other(DamagedSource { printed: self.printed }));
        }
        self.printed |= !self.waiting.is_empty();
        self.out.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }
}

impl Write for Held {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= if self.damage.is_some() { HELD } else { BUFFERED } {
            self.let_go()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.let_go()?;
        self.out.flush()
    }
}
