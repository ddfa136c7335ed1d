//! Buffered stdout that prints only results from intact files. A result from a file that was lost meanwhile is
//! discarded. Output from a stored analysis is held back until it is verified: blocks of the file are checked when
//! they are read, so a short result is valid if no block was found damaged by its end. All blocks are checked before
//! the first part of a long result is written.
//!
//! An answer about an incomplete dump says so: text and Markdown in their first line, JSON as the first value of its
//! object. CSV has no place for it; there, the line on stderr that is written when the dump is opened is the only one.
//! An answer about the heap after removals says so in the same places.

use std::io::{self, IsTerminal, Stdout, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::{DamagedSource, remark};
use heaplens_base::storage::StoredAnalysis;
use heaplens_dump::Dump;
use heaplens_dump::facts::Facts;
use heaplens_session::files::file_name;
use heaplens_tables::OutputForm;
use heaplens_tables::export::cuts::Cuts;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::report::words::loss_of;

/// Size in bytes from which a result is long.
const SHORT: usize = 1 << 20;
/// Size in bytes of one write.
const BUFFERED: usize = 1 << 16;

/// True once the text of an answer begins with what it says of its dumps: one command may write it in several parts.
static HAS_SAID: AtomicBool = AtomicBool::new(false);

/// True once a remark says after which removals an answer is that has no place for it.
static HAS_REMARKED: AtomicBool = AtomicBool::new(false);

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
    /// First values of a JSON object: what is missing of an incomplete dump, and what was removed from the heap.
    values: Vec<(&'static str, serde_json::Value)>,
}

impl VerifiedOutput {
    /// Output in a form that says if `dump` is incomplete, and what was removed from its heap.
    pub(super) fn in_form(dump: &Dump, form: OutputForm) -> Self {
        Self::all_in_form([dump], form)
    }

    /// Output for a result from several dumps, in a form that says so of each.
    pub(super) fn all_in_form<'a>(dumps: impl IntoIterator<Item = &'a Dump>, form: OutputForm) -> Self {
        let dumps: Vec<&Dump> = dumps.into_iter().collect();
        let loss = dumps.iter().find_map(|dump| loss_of(&dump.facts.heap));
        Self::of_all(dumps.iter().copied()).saying(loss, &dumps, form)
    }

    /// Output for a result whose own text says if its dump is incomplete.
    pub(super) fn after_removals(dump: &Dump, form: OutputForm) -> Self {
        Self::of(dump).saying(None, &[dump], form)
    }

    /// Begins with what is missing of an incomplete dump, and what was removed from the heaps.
    fn saying(mut self, loss: Option<String>, dumps: &[&Dump], form: OutputForm) -> Self {
        let removals = removals_of(dumps);
        match form {
            OutputForm::Text | OutputForm::Markdown => {
                let lines: Vec<String> = loss.into_iter().chain(removals).collect();
                if !lines.is_empty() && !HAS_SAID.swap(true, Ordering::Relaxed) {
                    self.waiting = format!("{}\n\n", lines.join("\n")).into_bytes();
                }
            }
            OutputForm::Json => {
                self.values.extend(loss.map(|loss| ("incomplete", loss.into())));
                self.values.extend(removal_values(dumps).map(|cuts| ("cuts", cuts)));
            }
            // Cells have no heading that could say it, and a report of another tool no line.
            _ if !HAS_REMARKED.swap(true, Ordering::Relaxed) => removals.iter().for_each(|removals| remark(removals)),
            _ => {}
        }
        self
    }

    /// Writes the first values into the JSON object that begins the result.
    fn say_values(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() || self.values.is_empty() {
            return Ok(());
        }
        let values = std::mem::take(&mut self.values);
        let Some(rest) = self.waiting.strip_prefix(b"{") else { return Ok(()) };
        let texts = values.iter().map(|(key, value)| Ok(format!("\"{key}\":{}", serde_json::to_string(value)?)));
        let texts = texts.collect::<io::Result<Vec<String>>>()?.join(",");
        let comma = if rest.starts_with(b"}") { "" } else { "," };
        self.waiting = [format!("{{{texts}{comma}").as_bytes(), rest].concat();
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
        Self { out: io::stdout(), doubtful, dumps, waiting: Vec::new(), is_terminal, values: Vec::new() }
    }

    fn discard(&mut self, why: DamagedSource) -> io::Result<()> {
        self.waiting.clear();
        HAS_SAID.store(false, Ordering::Relaxed);
        Err(io::Error::other(why))
    }

    /// Writes what is waiting, unless a dump may have been read wrongly.
    fn let_go(&mut self) -> io::Result<()> {
        self.say_values()?;
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

/// After which removals the answer is: one line for each dump.
fn removals_of(dumps: &[&Dump]) -> Vec<String> {
    dumps.iter().filter_map(|dump| Some(dump.reduction.as_ref()?.to_string())).collect()
}

/// The same for JSON: of one dump an object, of several a list.
fn removal_values(dumps: &[&Dump]) -> Option<serde_json::Value> {
    let value = |dump: &&Dump| {
        let cuts = Cuts::new(&dump.facts.heap, dump.reduction.as_ref()?);
        serde_json::to_value(cuts).ok()
    };
    match dumps {
        [dump] => value(dump),
        several => several.iter().map(value).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty()).map(Into::into),
    }
}
