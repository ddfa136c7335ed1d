//! Parallel gzip decompression of files with many members, such as those written by the JDK (`jcmd GC.heap_dump -gz=N`:
//! one member per MiB).
//!
//! A member does not record its compressed length; the start of the next one is known only after unpacking it. So
//! starts are guessed by the look of a header, and unpacked in parallel. A guess is used only if the members before it
//! end exactly where it starts and its own checksum is correct; otherwise it is discarded. Members without a correct
//! guess are streamed one after the other: the output always equals that of sequential reading.

use std::io::BufRead;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::{collections::VecDeque, ops::Range, time::Duration};

use flate2::bufread::GzDecoder;
use rayon::ScopeFifo;

use super::entries::wrong_checksum;
use super::error::OpenError;
use heaplens_base::library_call::guarded_read;
use heaplens_base::{Cancelled, Task};

/// Block size for streamed members, in unpacked bytes. The blocks before damage inside a member are kept.
const BLOCK: usize = 1 << 20;

/// Minimum ratio of useful to wasted unpacked bytes for further guesses: a malicious file could otherwise cost hours.
const USEFUL_PER_WASTED: u64 = 8;

/// Time to wait for a guess before checking for other work.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// True if a file that begins with these bytes is treated as gzip.
pub(super) fn recognises(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Unpacks all members, in order. Damage in the middle keeps the data before it and is reported.
pub(super) fn unpack(
    packed: &[u8],
    write: impl FnMut(&[u8]) -> Result<(), OpenError>,
    task: &Task,
) -> Result<Option<String>, OpenError> {
    let threads = rayon::current_num_threads();
    // The JDK's members hold 1 MiB. One thread writes: more than sixteen would only wait for it.
    let guesses = if threads < 2 { 0 } else { (2 * threads).min(32) };
    let bounds = Bounds { guesses, apart: 2 << 10, packed: 5 << 20, unpacked: 4 << 20 };
    ParallelDecoder::new(packed, bounds, write, task).run()
}

/// Limits on guessing, so that memory never depends on the contents of a file.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// Maximum number of guesses in progress or waiting for verification.
    guesses: usize,
    /// Minimum distance between guesses in compressed bytes: if members are tiny, a guess is a run of them.
    apart: usize,
    /// Maximum number of compressed bytes read by a guess.
    packed: usize,
    /// Maximum number of bytes unpacked by a guess.
    unpacked: usize,
}

/// Run of complete members, unpacked from a guessed start.
struct Guess<'a> {
    decoder: GzDecoder<&'a [u8]>,
    buffer: Vec<u8>,
    /// Range of the run in the packed file; empty if no member starts there, or it is damaged or too large.
    run: Range<usize>,
    /// Number of bytes of `buffer` that the run fills.
    filled: usize,
}

impl<'a> Guess<'a> {
    fn new(bounds: Bounds) -> Self {
        Self { decoder: GzDecoder::new(&[]), buffer: vec![0; bounds.unpacked], run: 0..0, filled: 0 }
    }

    /// Unpacks the members that start in `starts`, beginning at its first position, and reads no further than `end`.
    fn make(&mut self, packed: &'a [u8], starts: &Range<usize>, end: usize, task: &Task) {
        (self.run, self.filled) = (starts.start..starts.start, 0);
        while self.run.end < starts.end && !task.is_cancelled() {
            let rest = packed.get(self.run.end..end.min(packed.len()));
            let Some((length, filled)) = rest.and_then(|rest| self.unpack_member(rest)) else { return };
            self.run.end += length;
            self.filled = filled;
        }
    }

    /// Unpacks the member at the start of `rest` into the buffer after earlier ones; returns its length and the new
    /// fill level.
    fn unpack_member(&mut self, rest: &'a [u8]) -> Option<(usize, usize)> {
        self.decoder.reset(rest);
        let mut filled = self.filled;
        loop {
            // Reading into an empty buffer returns 0, which would look like the end.
            let room = self.buffer.get_mut(filled..).filter(|room| !room.is_empty())?;
            match guarded_read(&mut self.decoder, room).ok()? {
                0 => return Some((rest.len() - self.decoder.get_ref().len(), filled)),
                n => filled += n,
            }
        }
    }
}

/// File being unpacked: the verified part and the guesses after it.
struct ParallelDecoder<'a, W> {
    packed: &'a [u8],
    bounds: Bounds,
    write: W,
    task: &'a Task,
    /// Verified start of the next member; everything before it has been written.
    at: usize,
    /// Guesses in progress, by start offset, in order.
    guesses: VecDeque<(usize, Receiver<Guess<'a>>)>,
    /// Likely start to guess next while others are in progress.
    ahead: Option<usize>,
    /// Finished guesses whose buffers can be reused.
    spare: Vec<Guess<'a>>,
    stream: GzDecoder<&'a [u8]>,
    block: Vec<u8>,
    /// Bytes read and written that were used.
    useful: u64,
    /// Bytes possibly read and written in vain.
    wasted: u64,
}

impl<'a, W: FnMut(&[u8]) -> Result<(), OpenError>> ParallelDecoder<'a, W> {
    fn new(packed: &'a [u8], bounds: Bounds, write: W, task: &'a Task) -> Self {
        let (guesses, ahead, spare) = (VecDeque::new(), None, Vec::new());
        let (stream, block) = (GzDecoder::new(&[][..]), vec![0; BLOCK]);
        Self { packed, bounds, write, task, at: 0, guesses, ahead, spare, stream, block, useful: 0, wasted: 0 }
    }

    /// Unpacks one verified member, or run of members, after the other.
    fn run(&mut self) -> Result<Option<String>, OpenError> {
        rayon::in_place_scope_fifo(|pool| {
            loop {
                self.guess_ahead(pool);
                let before = self.at;
                let due = self.guesses.pop_front_if(|(start, _)| *start <= before);
                let is_used = match &due {
                    Some((start, result)) => self.use_guess(result)? || *start < before,
                    None => false,
                };
                if !is_used && let Some(damage) = self.stream_member()? {
                    return Ok(Some(damage));
                }
                if self.at == self.packed.len() {
                    return Ok(None);
                }
            }
        })
    }

    /// Starts guesses in the pool, unless too many guesses were wrong or there is only one likely start.
    fn guess_ahead(&mut self, pool: &ScopeFifo<'a>) {
        while self.guesses.len() < self.bounds.guesses && self.wasted * USEFUL_PER_WASTED <= self.useful {
            let alone = self.guesses.is_empty();
            let next = if alone { Some(self.at) } else { self.ahead };
            let Some(start) = next.filter(|start| *start >= self.at) else { return };
            self.ahead = self.next_likely_start(start);
            if alone && self.ahead.is_none() {
                return;
            }
            let (packed, task) = (self.packed, self.task);
            let (starts, end) = (start..self.ahead.unwrap_or(start + 1), start + self.bounds.packed);
            let mut guess = self.spare.pop().unwrap_or_else(|| Guess::new(self.bounds));
            let (done, result) = mpsc::sync_channel(1);
            self.guesses.push_back((start, result));
            pool.spawn_fifo(move |_| {
                guess.make(packed, &starts, end, task);
                // The receiver is gone if the file turned out to be damaged earlier.
                let _unwanted = done.send(guess);
            });
        }
    }

    /// First position after `start` that looks like a member header, within the guessing distance. All members of a
    /// file are usually packed with the same options, so the compression-level hint must equal that of the first: heaps
    /// are full of unrelated gzip data.
    fn next_likely_start(&self, start: usize) -> Option<usize> {
        let hint_of_first = self.packed.get(8)?;
        let end = self.packed.len().min(start + self.bounds.packed);
        let mut rest = self.packed.get(start + self.bounds.apart..end)?;
        while rest.skip_until(0x1f).ok()? > 0 {
            if matches!(rest, [0x8b, 8, 0..32, _, _, _, _, hint, ..] if hint == hint_of_first) {
                return Some(end - rest.len() - 1);
            }
        }
        None
    }

    /// Uses the next guess if it is correct; returns true if so.
    fn use_guess(&mut self, result: &Receiver<Guess<'a>>) -> Result<bool, OpenError> {
        let Some(guess) = wait(result, self.task)? else { return Ok(false) };
        let is_right = guess.run.start == self.at && !guess.run.is_empty();
        if is_right {
            guess.buffer.get(..guess.filled).map_or(Ok(()), &mut self.write)?;
            self.at = guess.run.end;
            self.useful += (guess.run.len() + guess.filled) as u64;
            self.task.advance_checked(guess.run.len() as u64)?;
        } else {
            self.wasted += (self.bounds.packed + self.bounds.unpacked) as u64;
        }
        self.spare.push(guess);
        Ok(is_right)
    }

    /// Unpacks one member block by block; returns a description of any damage.
    fn stream_member(&mut self) -> Result<Option<String>, OpenError> {
        self.stream.reset(self.packed.get(self.at..).unwrap_or_default());
        loop {
            let unpacked = match guarded_read(&mut self.stream, &mut self.block) {
                Ok(unpacked) => unpacked,
                // After a member with another checksum, and only then, the decoder goes on.
                Err(_) if matches!(guarded_read(&mut self.stream, &mut self.block), Ok(0)) => {
                    return Ok(Some(wrong_checksum("gzip")));
                }
                Err(error) => {
                    let at = self.at;
                    let damage = format!(
                        "gzip data is truncated or damaged after {at} compressed bytes ({error}): the rest of the dump is missing"
                    );
                    return Ok(Some(damage));
                }
            };
            let read = self.packed.len() - self.at - self.stream.get_ref().len();
            self.at += read;
            self.useful += (read + unpacked) as u64;
            self.task.advance_checked(read as u64)?;
            if unpacked == 0 {
                return Ok(None);
            }
            self.block.get(..unpacked).map_or(Ok(()), &mut self.write)?;
        }
    }
}

/// Waits for a guess; `None` if its thread panicked.
fn wait<'a>(result: &Receiver<Guess<'a>>, task: &Task) -> Result<Option<Guess<'a>>, Cancelled> {
    loop {
        match result.recv_timeout(POLL_INTERVAL) {
            Ok(guess) => return Ok(Some(guess)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => task.checkpoint()?,
        }
        // If this is a thread of the pool itself, no other thread may be free to make the guess.
        let _something_done = rayon::yield_now();
    }
}

#[cfg(test)]
mod tests;
