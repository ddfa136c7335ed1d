//! Buffered stdout that prints only results from intact files. A result from a file that was lost meanwhile is
//! discarded. Output from a stored analysis is held back until it is verified: blocks of the file are checked when
//! they are read, so a short result is valid if no block was found damaged by its end. All blocks are checked before
//! the first part of a long result is written.
//!
//! An answer about an incomplete dump says so: text and Markdown in their first line, JSON as the first value of its
//! object. CSV has no place for it; there, the line on stderr that is written when the dump is opened is the only one.

use std::fmt;
use std::io::{self, IsTerminal, Stdout, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use heaplens_base::storage::StoredAnalysis;
use heaplens_dump::Dump;
use heaplens_dump::facts::Facts;
use heaplens_session::files::file_name;
use heaplens_tables::OutputForm;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::report::words::loss_of;

/// Size in bytes from which a result is long.
const SHORT: usize = 1 << 20;
/// Size in bytes of one write.
const BUFFERED: usize = 1 << 16;

/// True once an answer says that its dump is incomplete: one command may write its text in several parts.
static HAS_SAID: AtomicBool = AtomicBool::new(false);

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
    /// What is missing of an incomplete dump, to be written as the first value of a JSON object.
    loss: Option<String>,
}

impl VerifiedOutput {
    /// Output in a form that says if `dump` is incomplete.
    pub(super) fn in_form(dump: &Dump, form: OutputForm) -> Self {
        Self::all_in_form([dump], form)
    }

    /// Output for a result from several dumps, in a form that says if any is incomplete.
    pub(super) fn all_in_form<'a>(dumps: impl IntoIterator<Item = &'a Dump>, form: OutputForm) -> Self {
        let mut out = Self::of_all(dumps);
        let loss = out.dumps.iter().find_map(|facts| loss_of(&facts.heap));
        match (loss, form) {
            (Some(loss), OutputForm::Text | OutputForm::Markdown) if !HAS_SAID.swap(true, Ordering::Relaxed) => {
                out.waiting = format!("{loss}\n\n").into_bytes();
            }
            (loss, OutputForm::Json) => out.loss = loss,
            _ => {}
        }
        out
    }

    /// Writes what is missing into the JSON object that begins the result.
    fn say_loss(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let Some((loss, rest)) = self.loss.take().zip(self.waiting.strip_prefix(b"{")) else { return Ok(()) };
        let comma = if rest.starts_with(b"}") { "" } else { "," };
        let text = serde_json::to_string(&loss)?;
        self.waiting = [format!("{{\"incomplete\":{text}{comma}").as_bytes(), rest].concat();
        Ok(())
    }

    /// Output for a result from `dump`.
    pub(super) fn of(dump: &Dump) -> Self {
        Self::of_all([dump])
    }

    /// Output for a result from several dumps.
    pub(super) fn of_all<'a>(dumps: impl IntoIterator<Item = &'a Dump>) -> Self {
        let dumps: Vec<Facts> = dumps.into_iter().map(|dump| dump.facts.clone()).collect();
        let doubtful = dumps.iter().filter_map(|facts| facts.stored.clone()).collect();
        let is_terminal = io::stdout().is_terminal();
        Self { out: io::stdout(), doubtful, dumps, waiting: Vec::new(), is_terminal, loss: None }
    }

    fn discard(&mut self, why: DamagedSource) -> io::Result<()> {
        self.waiting.clear();
        Err(io::Error::other(why))
    }

    /// Writes what is waiting, unless a dump may have been read wrongly.
    fn let_go(&mut self) -> io::Result<()> {
        self.say_loss()?;
        // Losses before the result was computed are in the parse warnings of the heap.
        let why = self.dumps.iter().find_map(|facts| {
            let name = facts.path().map(|path| format!("cannot read {}: ", file_name(path)));
            facts.changed().map(|why| name.unwrap_or_default() + &why)
        });
        if let Some(why) = why {
            return self.discard(DamagedSource::Dump(why));
        }
        if self.is_terminal {
            // An incomplete UTF-8 sequence at the end waits for its remaining bytes.
            let broken_off = str::from_utf8(&self.waiting).err().filter(|error| error.error_len().is_none());
            let valid = broken_off.map_or(self.waiting.len(), |error| error.valid_up_to());
            let rest = self.waiting.split_off(valid);
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
