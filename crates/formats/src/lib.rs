//! Readers: bytes on disk → [`heaplens_heap`]. Every format has the same structure: syntax (`tags`, `records`), then a
//! scan that fills the builder, then contents of single objects read on demand. Formats are independent of each other;
//! `READERS` lists them.

// Input may be malicious: missing data must be an error, never a panic.
#![deny(clippy::indexing_slicing, clippy::string_slice, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![deny(clippy::unreachable, clippy::todo)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod archive;
mod bounded_output;
mod class_names;
mod cursor;
mod entries;
pub mod error;
mod gzip;
mod hprof;
mod hprof_text;
mod ibm;
mod ibm_text;
mod jsc;
mod leading_text;
pub mod mapping;
mod moment;
mod options;
mod other_files;
mod perfetto;
mod phd;
mod rawheap;
mod reading;
mod scratch_file;
pub mod source;
pub mod source_map;
mod stripping;
mod text_conversion;
mod text_lines;
mod unpack_limit;
mod v8;
pub mod value_check;
mod wide_objects;
mod zip;

use std::{io::Write, path::Path, sync::Arc};

pub use self::bounded_output::UNPACK_RATIO;
pub use self::entries::is_named_like_dump;
use self::error::{FormatError, OpenError};
pub use self::options::{JavacoreFile, ReadOptions};
use self::other_files::OtherFile;
use self::reading::{BuiltHeap, ReadInput, Reader};
pub use self::source::is_stream;
use self::source::{Source, unreadable_from};
pub use self::stripping::{StripOptions, StripStatistics};
use self::value_check::ValueCheck;
use heaplens_base::{Task, storage::MemoryBudget};
use heaplens_heap::{Census, Contents, ContentsError, Heap, ImportNote, Severity, builder::CompleteHeap};

/// All readers, in the order in which they are asked whether a file is theirs.
const READERS: [&Reader; 6] =
    [&hprof_text::READER, &hprof::READER, &v8::READER, &phd::READER, &ibm_text::READER, &perfetto::READER];

/// Heap, and access to the values in the file.
pub struct ReadResult {
    /// The heap, without derived columns.
    pub built: CompleteHeap,
    /// Access to the values.
    pub contents: Arc<dyn Contents>,
    /// Unpacked file; it also reports parts that became unreadable.
    pub source: Source,
}

/// Reads a file of any supported format. Calls `on_census` once, as soon as all objects are counted.
///
/// # Errors
/// If nothing can be shown at all. A partly readable file opens, with parse warnings in the heap.
pub fn read(
    path: &Path,
    options: &ReadOptions,
    budget: &MemoryBudget,
    task: &Task,
    on_census: &mut dyn FnMut(Census),
) -> Result<ReadResult, OpenError> {
    let source = read_source(path, options, task)?;
    let mut sized = |mut census: Census| {
        census.origin.file_size = source.size();
        on_census(census);
    };
    let read = read_bytes(ReadInput { source: source.clone(), options, budget, task, on_census: &mut sized });
    let (mut built, contents) = match (read, source.lost_at()) {
        // The content found there is irrelevant: the file changed under us.
        (Err(OpenError::Format(_)), Some(at)) => return Err(std::io::Error::other(unreadable_from(at)).into()),
        (read, _) => read?,
    };
    // What was read may be of two states, which no note can make good.
    if let Some(why) = source.overwritten() {
        return Err(std::io::Error::other(why).into());
    }
    built.heap.origin.file_size = source.size();
    let notes = &mut built.heap.notes;
    // Readers count from the beginning of the dump.
    notes.iter_mut().filter_map(|note| note.first_offset.as_mut()).for_each(|offset| *offset += source.begin());
    notes.splice(0..0, source.notes.iter().cloned());
    if let Some(at) = source.lost_at() {
        built.heap.notes.push(ImportNote::new(Severity::DataLost, 1, unreadable_from(at), Some(at)));
    }
    built.heap.notes.extend(source.growth_note());
    Ok(ReadResult { built, contents, source })
}

/// True for the beginning of a file that is read as a dump, packed or not.
pub fn recognises(beginning: &[u8]) -> bool {
    source::is_packed(beginning)
        || jsc::recognises(beginning)
        || READERS.iter().any(|reader| (reader.recognises)(beginning))
}

fn read_bytes(input: ReadInput<'_>) -> Result<BuiltHeap, OpenError> {
    let file = input.source.bytes();
    if let Some(reader) = READERS.iter().find(|reader| (reader.recognises)(file)) {
        return (reader.open)(input);
    }
    if let Some(conversion) = text_conversion::of_unknown(file) {
        return Err(conversion.error("").into());
    }
    let OtherFile { what, advice } = other_files::kind_of(file);
    Err(FormatError::new("", 0, "a heap dump", what, advice).into())
}

/// Reads a dump, unpacked and converted to a form known to the readers.
///
/// # Errors
/// If the file cannot be read or unpacked.
pub fn read_source(path: &Path, options: &ReadOptions, task: &Task) -> Result<Source, OpenError> {
    let source = hprof::convert_cropped(Source::open(path, options, task)?, options, task)?;
    let source = rawheap::convert(source, path, options, task)?;
    let source = jsc::convert(source, options, task)?;
    let source = ibm_text::decode_ebcdic(source, options, task)?;
    perfetto::unpacked(source, options, task)
}

/// Writes a copy of a dump without values of the program.
///
/// # Errors
/// If there is no readable dump of a format with values, or writing to `out` fails.
pub fn strip(
    source: &Source,
    options: &StripOptions,
    out: &mut dyn Write,
    task: &Task,
) -> Result<StripStatistics, OpenError> {
    let file = source.bytes();
    if hprof::recognises(file) {
        return hprof::strip(file, options, out, task);
    }
    if v8::recognises(file) {
        return v8::strip(file, options, out, task);
    }
    Err(without_values(file))
}

/// Finds out whether a dump has values of the program.
///
/// # Errors
/// If there is no readable dump.
pub fn check_values(source: &Source, task: &Task) -> Result<ValueCheck, OpenError> {
    let file = source.bytes();
    if hprof::recognises(file) {
        return hprof::check_values(file, task);
    }
    if v8::recognises(file) {
        return v8::check_values(file, task);
    }
    if READERS.iter().any(|reader| (reader.recognises)(file)) {
        return Ok(ValueCheck::default());
    }
    Err(without_values(file))
}

/// The error for a file that is no dump, or a dump of a format without values.
fn without_values(file: &[u8]) -> OpenError {
    if perfetto::recognises(file) {
        let expected = "an HPROF dump or a heap snapshot";
        let actual = "a Perfetto trace, whose heap graph contains no values of the program";
        let advice = "The trace may contain other data of the device: share only its heap graph.";
        return FormatError::new("", 0, expected, actual, advice).into();
    }
    if let Some(reader) = READERS.iter().find(|reader| (reader.recognises)(file)) {
        let expected = "an HPROF dump or a heap snapshot";
        let title = reader.formats.first().map_or("dump", |format| format.title());
        let actual = format!("{title}, which contains no values of the program");
        return FormatError::new("", 0, expected, actual, "It can be shared as it is.").into();
    }
    let OtherFile { what, advice } = other_files::kind_of(file);
    FormatError::new("", 0, "a heap dump", what, advice).into()
}

/// Restores access to the contents of objects from data that [`Contents::save`] wrote. `file` is the unpacked dump;
/// without it, values are [`Value::Unavailable`].
///
/// [`Value::Unavailable`]: heaplens_heap::Value::Unavailable
pub fn restore_contents(heap: &Heap, saved: &[u8], file: Option<Source>) -> Result<Arc<dyn Contents>, ContentsError> {
    let reader = READERS.iter().find(|reader| reader.formats.contains(&heap.origin.format));
    let reader = reader.ok_or_else(|| ContentsError("no reader for this format".to_owned()))?;
    (reader.restore)(saved, file, heap)
}

#[cfg(test)]
mod tests {
    use super::READERS;
    use heaplens_heap::format::Format;

    #[test]
    fn every_format_has_one_reader() {
        for format in Format::ALL {
            assert_eq!(READERS.iter().filter(|reader| reader.formats.contains(&format)).count(), 1, "{}", format.key());
        }
    }
}
