//! Text dumps of the HPROF agent of JDK 1.2 to 8 (`-agentlib:hprof=heap=dump,format=a`): a line per object, with a line
//! for each of its references that is not null. Sizes, class names, field names, roots and threads are recorded, values
//! are not. The agent's own sources and the header of each file describe the lines: `docs/hprof-text.md`.
//!
//! The file is read three times, on one thread: where the last dump is (`Outline`), ids and classes (`census`), rows
//! and references (`fill`).

mod census;
mod classes;
mod contents;
mod fill;
mod lines;
mod roots;

use std::sync::Arc;

use self::census::{Outline, Tally, count};
use self::classes::ClassTable;
use self::contents::{TextContents, restore};
use self::fill::{FillResult, Filler};
use super::error::{FormatError, OpenError};
use super::ibm::reading::{CountingParameters, collect_addresses};
use super::reading::{BuiltHeap, ReadInput, Reader};
use heaplens_base::{Bytes, Task, Unit, storage::MemoryBudget};
use heaplens_heap::format::Format;
use heaplens_heap::{Census, CensusRow, CollectedAddresses, HeapBuilder, IdStyle, ImportNote, Origin, Severity};

/// First bytes of the file; in a binary dump a zero follows the version.
const MAGIC: &[u8] = b"JAVA PROFILE 1.0";
/// Number of bytes in which the version ends.
const VERSION: usize = 24;
/// What a file without a dump lacks.
const ADVICE: &str =
    "The agent writes the dump when the program ends, or on kill -QUIT. Run it with heap=dump, not heap=sites.";

fn recognises(file: &[u8]) -> bool {
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let rest = file.strip_prefix(MAGIC).map(|rest| rest.get(..VERSION).unwrap_or(rest));
    rest.is_some_and(|rest| rest.windows(9).any(|window| window == b", created"))
}

pub(super) const READER: Reader = Reader { formats: &[Format::HprofText], recognises, open, restore };

fn open(ReadInput { source, options, budget, task, on_census }: ReadInput<'_>) -> Result<BuiltHeap, OpenError> {
    let file = source.bytes();
    task.step("Finding heap dumps", Unit::Bytes, 0);
    let Some(outline) = Outline::read(file, task)? else {
        let actual = "stack traces, but no dump";
        return Err(FormatError::new("HPROF text", file.len() as u64, "HEAP DUMP BEGIN", actual, ADVICE).into());
    };
    let mut notes: Vec<ImportNote> = source.damage_note().into_iter().chain(outline.note()).collect();
    let (tally, addresses) = first_reading(file, &outline, budget, task)?;
    notes.extend(reading_notes(&tally, file));
    let table = ClassTable::new(&tally);
    let origin = Origin {
        format: Format::HprofText,
        producer: "HPROF agent (text)".to_owned(),
        id_bytes: if tally.is_wide { 8 } else { 4 },
        taken_at_millis: None,
        size_model: options.sizes,
        ids: IdStyle::Address,
        file_bytes: file.len() as u64,
        ..Origin::default()
    };
    on_census(census_of(&table, origin.clone()));

    let CollectedAddresses { map, duplicates } = addresses;
    let classes = table.finish(&map);
    let mut builder = HeapBuilder::new(map, classes.clone(), file.len() as u64, budget);
    task.step("Reading references", Unit::Bytes, file.len() as u64);
    let FillResult { part, refused } = {
        let columns = builder.columns();
        let filler = Filler {
            file,
            begin: outline.begin,
            table: &table,
            classes: &classes,
            columns: &columns,
            claimed_twice: &duplicates,
        };
        filler.fill(task)?
    };
    let message = "objects with a duplicate id: ignored, the first one in the file is kept";
    notes.extend(ImportNote::if_any(Severity::Error, refused.0, message, refused.1));
    let message = "references to ids without an object in the dump";
    notes.extend(ImportNote::if_any(Severity::Info, part.dangling, message, None));
    let mut root_table = roots::convert(file, &tally.roots, &outline, &classes, builder.addresses());
    notes.extend(root_table.note.take());
    task.step("Linking references", Unit::References, 0);
    let found_roots = std::mem::take(&mut root_table.roots);
    let has_roots = !found_roots.objects().is_empty();
    let references = std::mem::take(&mut root_table.references);
    let mut built = builder.finish(origin, found_roots, notes, vec![part], references, task)?;
    if !has_roots {
        let message = "no GC roots in the dump: objects without incoming references are treated as GC roots";
        built.heap.notes.push(ImportNote::new(Severity::DataLost, 1, message, None));
        built = built.with_inferred_roots(Vec::new(), task)?;
    }
    let contents = TextContents::new(Some(source), root_table.threads);
    Ok((built, Arc::new(contents)))
}

fn first_reading<'a>(
    file: &'a [u8],
    outline: &Outline,
    budget: &MemoryBudget,
    task: &Task,
) -> Result<(Tally<'a>, CollectedAddresses), OpenError> {
    let parameters = CountingParameters { format: "HPROF text", bytes: file.len(), room: file.len() / 4 + (64 << 20) };
    let none = |tally: &Tally<'_>| {
        let expected = "an object (CLS, OBJ or ARR)";
        (tally.objects() == 0).then_some((outline.begin, expected, "none in the dump"))
    };
    collect_addresses(parameters, budget, task, |addresses| count(file, outline.begin, addresses, task), none)
}

fn reading_notes(tally: &Tally<'_>, file: &[u8]) -> Vec<ImportNote> {
    let message = "lines that are neither objects nor references: skipped";
    let bad = ImportNote::if_any(Severity::DataLost, tally.bad.0, message, tally.bad.1);
    let truncated = tally.end.is_none().then(|| {
        let message = "file is truncated before HEAP DUMP END: the rest is missing";
        ImportNote::new(Severity::DataLost, 1, message, Some(file.len() as u64))
    });
    let message =
        "objects whose class the agent did not know: they are in the class <Unknown>, whatever their class is";
    let unknown = ImportNote::if_any(Severity::DataLost, tally.of_unknown_class(), message, None);
    let message = "values of primitive fields and arrays, and sizes of class objects, are not recorded in this format";
    let values = ImportNote::new(Severity::Info, 1, message, None);
    truncated.into_iter().chain(bad).chain(unknown).chain([values]).collect()
}

fn census_of(table: &ClassTable, origin: Origin) -> Census {
    let counted = table.counts.iter().enumerate().filter(|(_, count)| count.objects > 0);
    let rows = counted.map(|(at, count)| CensusRow {
        class: table.name(at).into(),
        objects: count.objects,
        shallow: Bytes(count.bytes),
    });
    Census::new(origin, rows.collect())
}
