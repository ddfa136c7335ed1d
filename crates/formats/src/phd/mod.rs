//! Portable heap dumps (PHD) of IBM virtual machines and OpenJ9, versions 4 to 6. They have objects, classes and
//! references, but no field names, values, threads or GC roots: `docs/ibm.md` describes the rules that substitute for
//! them.
//!
//! The file is read in two passes: first all addresses and classes (`census`), by threads that follow the one which
//! finds the boundaries of records (`pieces`), then rows and references (`fill`).

mod census;
mod classes;
mod contents;
mod fill;
mod header;
mod notes;
mod pieces;
mod records;
mod sizes;

use self::{contents::restore, header::recognises};

use self::census::{FirstPass, Tally, count};
use self::fill::{FillResult, Filler};
use self::{classes::ClassTable, contents::PhdRecords, header::Header, records::Form, sizes::Sizes};
use super::ibm::reading::{CountingParameters, DumpParts, collect_addresses, finish};
use super::reading::{BuiltHeap, ReadInput, Reader};
use super::{
    error::OpenError, ibm::derived_facts::ClassDetails, ibm::javacore::companion::read_javacore,
    ibm::javacore::resolve_javacore,
};
use heaplens_base::{Bytes, Unit};
use heaplens_heap::format::Format;
use heaplens_heap::{
    Address, AddressMap, Census, CensusRow, Classes, CollectedAddresses, HeapBuilder, IdStyle, ImportNote, Origin,
    Severity,
};

pub(super) const READER: Reader = Reader { formats: &[Format::Phd], recognises, open, restore };

fn open(ReadInput { source, options, budget, task, on_census }: ReadInput<'_>) -> Result<BuiltHeap, OpenError> {
    let javacore = read_javacore(options, task)?;
    let file = source.bytes();
    let header = Header::read(file)?;
    let form = Form::of(&header, options.sizes);
    let counting = CountingParameters { format: "PHD", bytes: file.len(), room: file.len() + (64 << 20) };
    let none = |first: &FirstPass| (first.tally.records == 0).then_some((first.end.0, "an object record", "none"));
    let (FirstPass { tally, pieces, end }, addresses) =
        collect_addresses(counting, budget, task, |addresses| count(file, form, header.body, addresses, task), none)?;
    let mut notes: Vec<ImportNote> = notes::of_end(end, file.len() as u64).into_iter().collect();
    notes.extend(source.damage_note());
    if notes.is_empty() {
        notes.extend(notes::of_totals(&header, tally.records, tally.references));
    }
    let table = ClassTable::new(&tally);
    let message =
        "classes without a class record: their instances have no class name, and no size unless they are arrays";
    notes.extend(ImportNote::if_any(Severity::DataLost, table.unknown, message, None));
    let sizes = Sizes::new(options.sizes, &header, tally.width, table.smallest_instance());
    let instance_sizes = table.instance_sizes(&sizes);
    let class_object_size = table.class_object_size(&sizes);
    let origin = Origin {
        format: Format::Phd,
        producer: format!("{} (PHD version {})", header.full_version, header.version),
        id_bytes: header.word(),
        taken_at_millis: None,
        size_model: options.sizes,
        ids: IdStyle::Address,
        file_bytes: file.len() as u64,
        ..Origin::default()
    };
    on_census(census_of(&table, &tally, &sizes, &instance_sizes, origin.clone()));

    let CollectedAddresses { map: addresses, duplicates } = addresses;
    let classes = table.finish(&instance_sizes, &addresses);
    let mut builder = HeapBuilder::new(addresses, classes.clone(), file.len() as u64, budget);
    task.step("Reading references", Unit::Bytes, pieces.iter().map(pieces::Piece::bytes).sum());
    let filler = Filler {
        file,
        form,
        table: &table,
        sizes,
        instance_sizes: &instance_sizes,
        class_object_size,
        columns: &builder.columns(),
        claimed_twice: &duplicates,
    };
    let FillResult { parts, refused, first_refused, leading } = filler.fill(&pieces, task)?;
    let message = "objects with a duplicate address: ignored, the first one in the file is kept";
    notes.extend(ImportNote::if_any(Severity::Error, refused, message, first_refused));
    let message = "objects whose first reference is to their own class: that reference was ignored, as in IBM's reader";
    notes.extend(ImportNote::if_any(Severity::Info, leading, message, None));
    let message = "references to addresses without an object in the dump";
    notes.extend(ImportNote::if_any(Severity::Info, parts.iter().map(|part| part.dangling).sum(), message, None));

    let object = |address: u64| builder.addresses().object(Address(address)).filter(|_| address != 0);
    let javacore = resolve_javacore(javacore, object, &mut notes);
    let details = class_details(&table, &classes, builder.addresses());
    let loaders = classes.all_below(classes.named("java.lang.ClassLoader").as_slice());
    let records = PhdRecords { file: Some(source), form };
    finish(DumpParts { builder, classes, origin, notes, parts, details, loaders, javacore, records }, task)
}

/// Facts in class records besides the names.
fn class_details(table: &ClassTable, classes: &Classes, addresses: &AddressMap) -> Vec<ClassDetails> {
    let rows = table.rows.iter().zip(classes.iter());
    let details = rows.filter_map(|(row, (class, _))| {
        let raw = row.raw.as_ref()?;
        let first = addresses.object(Address(raw.first)).filter(|_| raw.first != 0);
        Some(ClassDetails {
            class,
            loaders: [first, None],
            lacks_superclass: raw.superclass != 0 && !raw.names_superclass,
        })
    });
    details.collect()
}

fn census_of(table: &ClassTable, tally: &Tally, sizes: &Sizes, instance_sizes: &[u64], origin: Origin) -> Census {
    let row = |class: u32, objects: u64, shallow: u64| {
        let name = table.rows.get(class as usize).map_or("", |row| &*row.name);
        CensusRow { class: name.into(), objects, shallow: Bytes(shallow) }
    };
    let size = |class: u32| instance_sizes.get(class as usize).copied().unwrap_or_default();
    let [numbers, references] = sizes.headers();
    let arrays = |count: &census::ArrayCount, header: u64, empty: u64| {
        if sizes.is_as_in_file() {
            count.plain(sizes.reference())
        } else {
            count.bytes(header, sizes.reference(), empty)
        }
    };
    let mut rows = Vec::new();
    // In any order: the census sorts its rows.
    let of = |word: u64| table.of(word);
    rows.extend(
        (tally.instances.iter())
            .filter_map(|(&word, &objects)| of(word).map(|c| row(c, objects, objects.saturating_mul(size(c))))),
    );
    let empty = sizes.objects(0, None);
    rows.extend((tally.object_arrays.iter()).filter_map(|(&word, count)| {
        table.of_array(word).map(|class| row(class, count.objects, arrays(count, references, empty)))
    }));
    for (kind, count) in (0..).zip(&tally.primitive_arrays) {
        let class = table.of_primitives(kind).filter(|_| count.objects > 0);
        rows.extend(class.map(|c| row(c, count.objects, arrays(count, numbers, sizes.primitives(kind, 0, None)))));
    }
    let known = table.rows.iter().filter(|row| row.raw.is_some()).count() as u64;
    let class_objects = table.class_object_size(sizes).saturating_mul(known);
    if known > 0 {
        rows.push(row(table.class, known, class_objects));
    }
    Census::new(origin, rows)
}
