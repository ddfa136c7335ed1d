//! An error as a sentence.

use std::fmt;

use super::kind::{ErrorKind, KnownBy, Occasion};
use super::memory_error::{Allocation, ErrorLocation, MemoryError, MemoryErrors};
use crate::naming::source_class_name;
use heaplens_base::Count;
use heaplens_base::invisible::one_line;

/// Maximum characters of a message of an unknown kind.
const MESSAGE: usize = 120;

impl MemoryErrors {
    /// What ran out, where, and whether the heap is the cause: two sentences about the first error. `None` without one.
    pub fn sentence(&self) -> Option<String> {
        let error = self.first()?;
        let sentences = [Some(format!("OutOfMemoryError: {error}")), self.heap(error), self.others()];
        Some(sentences.into_iter().flatten().collect::<Vec<_>>().join(". "))
    }

    /// What the heap says to it.
    fn heap(&self, error: &MemoryError) -> Option<String> {
        let used = self.fill.used;
        let size = match self.fill.max {
            Some(max) => format!("{used} of {max}"),
            None => used.to_string(),
        };
        let is_outside = error.kinds.iter().all(|kind| kind.is_outside_heap());
        let advice = match error.kinds.first() {
            Some(ErrorKind::DirectMemory) => "look at direct buffers",
            Some(ErrorKind::Metaspace | ErrorKind::ClassSpace) => "look at class loaders",
            Some(ErrorKind::NativeThread) => "look at threads and the limits of the process",
            _ => "look at the process",
        };
        match (is_outside, self.fill.is_full(), error.is_cause()) {
            (true, Some(true), _) => None,
            (true, ..) => Some(format!("The heap has {size} and is not what ran out: {advice}")),
            (_, _, false) => None,
            (false, Some(true), _) => Some(format!("The heap is full: {size}")),
            (false, Some(false), _) if error.known_by == KnownBy::HeapFill => {
                Some(format!("The heap has {size}: a single allocation was too large for the rest"))
            }
            (false, ..) => Some(format!("The heap has {size}")),
        }
    }

    fn others(&self) -> Option<String> {
        let others = self.count.saturating_sub(1);
        (others > 0).then(|| format!("{} in the dump", Count(others).of("more such error is", "more such errors are")))
    }
}

/// `Direct buffer memory, thrown earlier in tiles.TileCache: it wanted 1.0 MB, 67.1 MB of 67.1 MB were in use`.
impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&sentence(self))
    }
}

fn sentence(error: &MemoryError) -> String {
    let mut out = kinds(error);
    out.push_str(match error.occasion {
        Occasion::DumpCause => ", thrown",
        Occasion::Earlier | Occasion::EarlierUnreachable => ", thrown earlier",
    });
    let name = error.thread.as_ref().and_then(|thread| thread.name.as_deref()).map(one_line);
    match (name, error.is_cause()) {
        (Some(name), true) => out += &format!(" in thread \"{name}\""),
        (Some(name), false) => out += &format!(", caught in thread \"{name}\","),
        (None, _) => {}
    }
    if let Some(location) = &error.location {
        out += &at(location);
    }
    let figures: Vec<String> = [allocation(error), usage(error)].into_iter().flatten().collect();
    let out = out.trim_end_matches(',').to_owned();
    if figures.is_empty() { out } else { format!("{out}: {}", figures.join(", ")) }
}

/// The kinds with "or" before the last.
fn kinds(error: &MemoryError) -> String {
    if let ([ErrorKind::Other], Some(message)) = (error.kinds.as_slice(), &error.message) {
        let text = one_line(message);
        let short: String = text.chars().take(MESSAGE).collect();
        return if short == text { format!("\"{text}\"") } else { format!("\"{short}…\"") };
    }
    let titles: Vec<&str> = error.kinds.iter().map(|kind| kind.title()).collect();
    match titles.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        titles => titles.join(""),
    }
}

/// ` at TileCache.load(TileCache.java:41)`, ` in TileCache`: the class as in its source, without the package.
fn at(location: &ErrorLocation) -> String {
    let class = one_line(&source_class_name(&location.class));
    match &location.frame {
        Some(frame) => {
            let method = frame.strip_prefix(&*location.class).unwrap_or(frame);
            format!(" at {class}{}", one_line(method))
        }
        None => format!(" in {class}"),
    }
}

fn allocation(error: &MemoryError) -> Option<String> {
    Some(match error.allocation.as_ref()? {
        Allocation::Bytes(bytes) => format!("it wanted {bytes}"),
        Allocation::CopyOf(class, length, bytes) => {
            format!("it wanted a copy of {}[{}] ({bytes})", one_line(class.trim_end_matches("[]")), Count(*length))
        }
    })
}

fn usage(error: &MemoryError) -> Option<String> {
    match (error.used, error.limit) {
        (Some(used), Some(limit)) => Some(format!("{used} of {limit} were in use")),
        (Some(used), None) => Some(format!("{used} were in use")),
        (None, Some(limit)) => Some(format!("the limit is {limit}")),
        (None, None) => None,
    }
}
