//! Text heap dumps ("classic") of IBM virtual machines, in all variants: one line per object, with its references on
//! the same line or the next. They have sizes and class names, but no superclasses, field names, values, threads or GC
//! roots: `docs/ibm.md` describes the rules that substitute for them.
//!
//! The file is divided into pieces at lines that begin an object, and read in two parallel passes: addresses and names
//! first (`census`), then rows and references (`fill`).

mod census;
mod classes;
mod contents;
mod ebcdic;
mod fill;
mod lines;
mod names;
mod trailer;

use self::contents::restore;

use self::census::{Tally, count, pieces};
use self::fill::{FillResult, Filler};
use self::lines::{Line, Lines, line};
use self::{classes::ClassTable, contents::TextRecords};
use super::ibm::derived_facts::{self, ClassDetails};
use super::ibm::reading::{CountingParameters, DumpParts, collect_addresses, finish};
use super::reading::{BuiltHeap, ReadInput, Reader};
use super::{
    error::OpenError, ibm::javacore::companion::read_javacore, ibm::javacore::resolve_javacore, options::ReadOptions,
    source::Source,
};
use heaplens_base::{Bytes, Task, Unit};
use heaplens_heap::format::Format;
use heaplens_heap::{
    Address, Census, CensusRow, CollectedAddresses, HeapBuilder, IdStyle, ImportNote, Origin, Severity,
};

/// Number of bytes at the beginning of a file in which a record must begin.
const BEGINNING: u64 = 1 << 16;

fn recognises(file: &[u8]) -> bool {
    let begins = |line: &[u8]| {
        line.strip_prefix(b"//").is_some_and(|comment| comment.trim_ascii_start().starts_with(b"Version:"))
    };
    // A file of another kind may have no second line.
    let start = file.get(..2 * BEGINNING as usize).unwrap_or(file);
    let mut lines = Lines::new(start, 0, BEGINNING).take_while_known();
    lines.any(|bytes| begins(bytes) || matches!(line(bytes), Line::Record(_)))
}

impl<'a> Lines<'a> {
    /// Lines up to the first that no text heap dump contains.
    fn take_while_known(mut self) -> impl Iterator<Item = &'a [u8]> {
        let bytes = std::iter::from_fn(move || self.next().map(|(_, bytes)| bytes.trim_ascii()));
        bytes.take_while(|bytes| !matches!(line(bytes), Line::Bad | Line::References(_)))
    }
}

/// Converts the file to UTF-8 if it is in EBCDIC.
pub(super) fn decode_ebcdic(source: Source, options: &ReadOptions, task: &Task) -> Result<Source, OpenError> {
    if ebcdic::recognises(source.bytes()) { ebcdic::translated(&source, options, task) } else { Ok(source) }
}

pub(super) const READER: Reader = Reader { formats: &[Format::IbmText], recognises, open, restore };

fn open(ReadInput { source, options, budget, task, on_census }: ReadInput<'_>) -> Result<BuiltHeap, OpenError> {
    let javacore = read_javacore(options, task)?;
    let file = source.bytes();
    let pieces = pieces(file, task)?;
    let counting =
        CountingParameters { format: "IBM text heap dump", bytes: file.len(), room: file.len() / 4 + (64 << 20) };
    let expected = "an object (0xADDRESS [SIZE] NAME)";
    let none =
        |tally: &Tally<'_>| (tally.totals.records() == 0).then_some((file.len() as u64, expected, "none in the file"));
    let (tally, addresses) =
        collect_addresses(counting, budget, task, |addresses| count(file, &pieces, addresses, task), none)?;
    let mut notes: Vec<ImportNote> = source.damage_note().into_iter().collect();
    notes.extend(tally.comments.notes(&tally.totals));
    let message = "lines that are neither objects nor references: skipped";
    notes.extend(ImportNote::if_any(Severity::DataLost, tally.bad.0, message, tally.bad.1));
    let unnamed = tally.names.iter().filter(|(name, _)| names::read(name).1 == names::NO_NAME);
    let unnamed = unnamed.map(|(_, count)| count.objects).sum();
    let message = "objects without a class name: they are in one class, whatever their class is";
    notes.extend(ImportNote::if_any(Severity::DataLost, unnamed, message, None));
    let table = ClassTable::new(&tally);
    let origin = Origin {
        format: Format::IbmText,
        producer: tally.comments.version.clone().unwrap_or_else(|| "IBM".to_owned()),
        id_bytes: if tally.is_wide { 8 } else { 4 },
        taken_at_millis: None,
        size_model: options.sizes,
        ids: IdStyle::Address,
        file_bytes: file.len() as u64,
        ..Origin::default()
    };
    on_census(census_of(&table, &tally, origin.clone()));

    let CollectedAddresses { map: addresses, duplicates } = addresses;
    let classes = derived_facts::with_strengths(table.finish(&addresses));
    let mut builder = HeapBuilder::new(addresses, classes.clone(), file.len() as u64, budget);
    task.step("Reading references", Unit::Bytes, file.len() as u64);
    let filler = Filler { file, table: &table, columns: &builder.columns(), claimed_twice: &duplicates };
    let FillResult { parts, refused, first_refused } = filler.fill(&pieces, task)?;
    let message = "objects with a duplicate address: ignored, the last one in the file is kept";
    notes.extend(ImportNote::if_any(Severity::Error, refused, message, first_refused));
    let message = "references to addresses without an object in the dump (in dumps of J9 up to 2.5, this includes \
                   references from objects to their classes)";
    notes.extend(ImportNote::if_any(Severity::Info, parts.iter().map(|part| part.dangling).sum(), message, None));

    let object = |address: u64| builder.addresses().object(Address(address)).filter(|_| address != 0);
    let javacore = resolve_javacore(javacore, object, &mut notes);
    let details = classes.iter().zip(&table.rows).filter_map(|((class, _), (_, raw))| {
        let loaders = raw.as_ref()?.first.map(object);
        Some(ClassDetails { class, loaders, lacks_superclass: false })
    });
    let details: Vec<ClassDetails> = details.collect();
    // There are no superclasses: class loaders are recognized by their names.
    let loaders: Vec<bool> = classes.all().iter().map(|class| class.name.contains("ClassLoader")).collect();
    let records = TextRecords { file: Some(source) };
    finish(DumpParts { builder, classes, origin, notes, parts, details, loaders, javacore, records }, task)
}

fn census_of(table: &ClassTable<'_>, tally: &Tally<'_>, origin: Origin) -> Census {
    let mut by_class = vec![(0_u64, 0_u64); table.rows.len()];
    // Order does not matter: they are added up, and the census sorts its rows.
    tally.names.iter().for_each(|(name, count)| {
        let totals = table.named(name).and_then(|named| by_class.get_mut(named.class as usize));
        totals.into_iter().for_each(|(objects, bytes)| {
            *objects += count.objects;
            *bytes = bytes.saturating_add(count.bytes);
        });
    });
    let rows = table.rows.iter().zip(by_class).filter(|(_, (objects, _))| *objects > 0);
    let rows = rows.map(|((name, _), (objects, bytes))| CensusRow {
        class: name.as_str().into(),
        objects,
        shallow: Bytes(bytes),
    });
    Census::new(origin, rows.collect())
}
