//! An error as a sentence.

use std::fmt;

use super::kind::{ErrorKind, KnownBy, Occasion};
use super::memory_error::{Allocation, ErrorLocation, MemoryError, MemoryErrors};
use crate::naming::source_class_name;
use heaplens_base::invisible::one_line;
use heaplens_base::{Bytes, Count};

/// Maximum characters of a message of an unknown kind.
const MESSAGE: usize = 120;

/// Below so many bytes, a copy fits into any heap that is not full, unless its regions are taken by large arrays.
const SMALL: Bytes = Bytes(1 << 18);

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
            (true, ..) if self.fill.is_partial => Some(format!("It is not the heap that ran out: {advice}")),
            _ if self.fill.is_partial => None,
            (true, Some(true), _) => None,
            (true, ..) => Some(format!("The heap has {size} and is not what ran out: {advice}")),
            (_, _, false) => None,
            (false, Some(true), _) => Some(format!("The heap is full: {size}")),
            (false, Some(false), _) if matches!(error.allocation, Some(Allocation::CopyOf(_, _, bytes)) if bytes < SMALL) => {
                Some(format!("The heap has {size}, but no room for a small array: it may be fragmented"))
            }
            (false, Some(false), _) if error.known_by == KnownBy::HeapFill => {
                Some(format!("The heap has {size}: one allocation did not fit into the rest"))
            }
            (false, ..) => Some(format!("The heap has {size}")),
        }
    }

    fn others(&self) -> Option<String> {
        let others = self.count.saturating_sub(1);
        (others > 0).then(|| format!("{} in the dump", Count(others).of("other error is", "other errors are")))
    }
}

/// `Direct buffer memory, thrown before the dump was taken, in tiles.TileCache: it wanted 1.0 MB, 67.1 MB of 67.1 MB were in use`.
impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&sentence(self))
    }
}

fn sentence(error: &MemoryError) -> String {
    let when = match error.occasion {
        Occasion::DumpCause => ", thrown",
        Occasion::Earlier => ", thrown before the dump was taken",
        Occasion::EarlierUnreachable => ", thrown before the dump was taken and dropped",
    };
    let location = error.location.as_ref().map(at).unwrap_or_default();
    let name = error.thread.as_ref().and_then(|thread| thread.name.as_deref()).map(one_line);
    let thread = match name {
        Some(name) if error.is_cause() => format!(" in thread \"{name}\""),
        Some(name) if location.is_empty() => format!(", caught in thread \"{name}\""),
        Some(name) => format!(", caught in thread \"{name}\","),
        None => String::new(),
    };
    let figures: Vec<String> = [allocation(error), usage(error)].into_iter().flatten().collect();
    let figures = if figures.is_empty() { String::new() } else { format!(": {}", figures.join(", ")) };
    let pause = if !error.is_cause() && thread.is_empty() && !location.is_empty() { "," } else { "" };
    format!("{}{when}{thread}{pause}{location}{figures}", kinds(error))
}

/// The kinds with "or" before the last.
fn kinds(error: &MemoryError) -> String {
    let is_own = |message: &str| match error.kinds.as_slice() {
        [ErrorKind::Other] => true,
        // The class library has limits of its own.
        [ErrorKind::ArraySize] => !message.starts_with("Requested array size"),
        _ => false,
    };
    if let Some(message) = error.message.as_ref().filter(|message| is_own(message)) {
        let text = one_line(message);
        let short: String = text.chars().take(MESSAGE).collect();
        return if short == text { format!("\"{text}\"") } else { format!("\"{short}…\"") };
    }
    let words = any_of(error);
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default() + letters.as_str()
}

/// The titles of the kinds.
fn any_of(error: &MemoryError) -> String {
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
