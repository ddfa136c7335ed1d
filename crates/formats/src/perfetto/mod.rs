//! Heap graphs in traces of Perfetto (`heap_graph` packets), as Android 11 and later record them. They have objects,
//! classes, references with field names and GC roots, but no values: `docs/perfetto.md`. The meaning of every field is
//! that of Perfetto's public definitions and of its trace processor.
//!
//! The packets are located first (`trace`) and put together to heap graphs (`samples`), of which one is shown. Its
//! objects are read in two parallel passes: ids and numbers by class (`census`), then rows and references (`fill`).
//! A packet is read by one thread, since the id of an object is the distance to the one before it.

mod census;
mod class_table;
mod classes;
mod compression;
mod contents;
mod deobfuscation;
mod fill;
mod merged_classes;
mod native;
mod objects;
mod samples;
mod shapes;
mod trace;
mod types;
mod wire;

use std::sync::Arc;

use self::{
    census::{Tally, count, size},
    class_table::ClassTable,
    classes::ClassVariants,
    contents::{GraphContents, restore},
    deobfuscation::Deobfuscation,
    fill::{FillResult, Filler},
    samples::{Sample, largest, other_samples, process_name, samples},
    shapes::Shapes,
    trace::Trace,
    types::{RawRoot, types},
};
pub(super) use self::{compression::unpacked, trace::recognises};
use super::error::{FormatError, OpenError};
use super::reading::{BuiltHeap, ReadInput, Reader};
use heaplens_base::{Bytes, Task, Unit, storage::MemoryBudget};
use heaplens_heap::address_collector::{AddressMapError, AddressPlan};
use heaplens_heap::format::Format;
use heaplens_heap::roots::Roots;
use heaplens_heap::{
    Address, AddressCollector, AddressMap, Census, CensusRow, CollectedAddresses, HeapBuilder, IdStyle, ImportNote,
    ObjectId, Origin, Root, RootKind, Severity, SizeModel,
};

/// Name in messages.
const NAME: &str = "Perfetto";
/// File offsets are stored in 40 bits.
const MOST_BYTES: u64 = 1 << 40;

pub(super) const READER: Reader = Reader { formats: &[Format::Perfetto], recognises, open, restore };

fn open(ReadInput { source, options, budget, task, on_census }: ReadInput<'_>) -> Result<BuiltHeap, OpenError> {
    let file = source.bytes();
    if file.len() as u64 > MOST_BYTES {
        let advice = "Record a shorter trace.";
        return Err(FormatError::new(NAME, MOST_BYTES, "the end of the file", "more data", advice).into());
    }
    task.step("Finding packets", Unit::Bytes, 0);
    let trace = Trace::read(file, task)?;
    task.step("Finding heap graphs", Unit::Bytes, trace.graphs.iter().map(|p| p.graph.end - p.graph.start).sum());
    let all = samples(file, &trace, task)?;
    let shown = chosen(&all, options.heap_graph)?;
    let Some(sample) = all.get(shown) else { return Err(no_heap_graph()) };
    let mut notes = notes_of(&trace, sample, file.len() as u64);
    notes.extend(source.damage_note());
    notes.extend(other_samples(&trace, &all, shown));

    let types = types(file, sample, task)?;
    let original = Deobfuscation::read(file, &trace.mappings);
    let variants = ClassVariants::new(&types, &original, trace.package_of(sample.pid));
    let (tally, addresses) = first_pass(file, sample, &variants, options.sizes, budget, task)?;
    notes.extend(notes_of_objects(&tally));
    let renamed = variants.renamed();
    let message = "classes with their original name, by the mapping in the trace";
    notes.extend(ImportNote::if_any(Severity::Info, renamed, message, None));
    let table = ClassTable::new(file, &variants, Shapes::new(&types, &original), &tally);
    let message = "classes without a type record: their names are missing, and sizes of their objects may be";
    notes.extend(ImportNote::if_any(Severity::DataLost, table.unknown, message, None));
    let message =
        "names of types and fields that are not in the trace: types are shown by their ids, fields without a name";
    notes.extend(ImportNote::if_any(Severity::DataLost, table.unnamed, message, None));
    let origin = Origin {
        format: Format::Perfetto,
        producer: format!("Android, {}", process_name(&trace, sample.pid)),
        id_bytes: 8,
        taken_at_millis: sample.timestamp.and_then(|time| trace.millis(time)),
        size_model: options.sizes,
        ids: IdStyle::Address,
        file_bytes: file.len() as u64,
        ..Origin::default()
    };
    on_census(census_of(&table, &tally, origin.clone()));

    task.step("Reading references", Unit::Bytes, sample.parts.iter().map(|p| p.range.end - p.range.start).sum());
    let CollectedAddresses { map: addresses, duplicates } = addresses;
    let classes = table.finish(&addresses, |bytes| size(bytes, options.sizes));
    let mut builder = HeapBuilder::new(addresses, classes, file.len() as u64, budget);
    let columns = &builder.columns();
    let filler = Filler::new(file, (&variants, &table), options.sizes, columns, &duplicates);
    let FillResult { parts, regions, uncollected, registries, refused, first_refused } = filler.fill(sample, task)?;
    let message = "objects with a duplicate id: ignored, the first one in the file is kept";
    notes.extend(ImportNote::if_any(Severity::Error, refused, message, first_refused));
    let dangling: u64 = parts.iter().map(|part| part.dangling).sum();
    let message = "references to ids without an object in the trace (objects omitted)";
    notes.extend(ImportNote::if_any(Severity::Info, dangling, message, None));
    let roots = roots_of(&types.roots, uncollected, builder.addresses(), &mut notes);
    let message =
        "heap graphs have no field values: strings, numbers and contents of primitive arrays are not recorded";
    notes.push(ImportNote::new(Severity::Info, 1, message, None));

    task.step("Linking references", Unit::References, 0);
    let has_roots = !roots.is_empty();
    let mut built = builder.finish(origin, Roots::new(roots), notes, parts, Vec::new(), task)?;
    if !has_roots {
        built = built.with_inferred_roots(Vec::new(), task)?;
    }
    if tally.has_heaps {
        built = built.divided(regions, budget, task)?;
    }
    let contents = GraphContents::new(Some(source.clone()), table.shapes);
    let native = native::registered(&built.heap, &contents, &registries, task)?;
    Ok((built.with_native(native, budget), Arc::new(contents)))
}

fn no_heap_graph() -> OpenError {
    let advice = "Record it with the data source android.java_hprof.";
    FormatError::new(NAME, 0, "a heap graph", "a Perfetto trace without one", advice).into()
}

/// Index of the heap graph to show: the one chosen by its number, or the largest.
fn chosen(samples: &[Sample], number: Option<u32>) -> Result<usize, OpenError> {
    let Some(number) = number else { return largest(samples).ok_or_else(no_heap_graph) };
    let at = (number as usize).checked_sub(1).filter(|&at| at < samples.len());
    at.ok_or_else(|| {
        let actual = format!("only {}", samples.len());
        let advice = "Open it without the option heap-graph: the notes list its heap graphs.";
        FormatError::new(NAME, 0, format!("heap graph number {number}"), actual, advice).into()
    })
}

/// Parse warnings about packets.
fn notes_of(trace: &Trace, sample: &Sample, file_bytes: u64) -> Vec<ImportNote> {
    let mut notes = sample.notes();
    let missing = trace.broken_at.map(|at| (at, heaplens_base::Count(file_bytes.saturating_sub(at))));
    notes.extend(missing.map(|(at, bytes)| {
        let message = format!("the trace is truncated or damaged: {bytes} bytes after the last complete packet");
        ImportNote::new(Severity::DataLost, 1, message, Some(at))
    }));
    let message = "packets with an unknown compression: skipped";
    notes.extend(ImportNote::if_any(Severity::DataLost, trace.unread.0, message, trace.unread.1));
    notes
}

/// Parse warnings about objects.
fn notes_of_objects(tally: &Tally) -> Vec<ImportNote> {
    let message = "objects whose ids are relative to missing ones: skipped";
    let notes = ImportNote::if_any(Severity::DataLost, tally.without_id.0, message, tally.without_id.1);
    let message = "objects with another number of field names than of references: their fields have no names";
    let wrong = ImportNote::if_any(Severity::Error, tally.inconsistent.0, message, tally.inconsistent.1);
    notes.into_iter().chain(wrong).collect()
}

/// Counts everything; repeats it with another plan if the ids did not fit the first one.
fn first_pass(
    file: &[u8],
    sample: &Sample,
    variants: &ClassVariants<'_>,
    sizes: SizeModel,
    budget: &MemoryBudget,
    task: &Task,
) -> Result<(Tally, CollectedAddresses), OpenError> {
    // ART writes addresses divided by four, of objects at multiples of eight.
    let mut plan = AddressPlan::Bitmap { shift: 1 };
    loop {
        // Restart the step, or progress would exceed its total.
        task.step("Counting objects", Unit::Bytes, sample.parts.iter().map(|p| p.range.end - p.range.start).sum());
        let collector = AddressCollector::new(plan, file.len() + (64 << 20));
        let tally = count(file, sample, variants, sizes, &collector, task)?;
        if tally.objects == 0 {
            let advice = "Record it again, with a larger buffer.";
            let at = sample.parts.first().map_or(0, |part| part.range.start);
            return Err(FormatError::new(NAME, at, "an object of the heap graph", "none", advice).into());
        }
        match collector.finish(budget) {
            Ok(addresses) => return Ok((tally, addresses)),
            Err(AddressMapError::Plan(other)) => plan = other,
            Err(AddressMapError::TooMany) => {
                return Err(FormatError::too_many_objects(NAME, "Record a smaller heap.").into());
            }
        }
    }
}

fn census_of(table: &ClassTable, tally: &Tally, origin: Origin) -> Census {
    // Types of class objects are one class: their counts are summed.
    let mut by_class: std::collections::BTreeMap<u32, (u64, u64)> = std::collections::BTreeMap::new();
    tally.classes.iter().for_each(|(&key, &(objects, bytes))| {
        if let Some(class) = table.class(key) {
            let sum = by_class.entry(class).or_default();
            *sum = (sum.0 + objects, sum.1.saturating_add(bytes));
        }
    });
    let row = |(class, (objects, bytes))| CensusRow { class: table.name(class).into(), objects, shallow: Bytes(bytes) };
    Census::new(origin, by_class.into_iter().map(row).collect())
}

/// GC roots, with those of heaps that are not collected.
fn roots_of(
    raw: &[RawRoot],
    uncollected: Vec<ObjectId>,
    addresses: &AddressMap,
    notes: &mut Vec<ImportNote>,
) -> Vec<Root> {
    let (mut roots, mut nowhere, mut first) = (Vec::new(), 0, None);
    for root in raw {
        for &id in &root.objects {
            match addresses.object(Address(id)) {
                Some(object) => roots.push(Root { object, kind: root.kind }),
                None => {
                    nowhere += 1;
                    first = first.or(Some(root.at));
                }
            }
        }
    }
    let message = "GC roots with ids without an object: ignored";
    notes.extend(ImportNote::if_any(Severity::Info, nowhere, message, first));
    roots.extend(uncollected.into_iter().map(|object| Root { object, kind: RootKind::VmInternal }));
    if roots.is_empty() {
        let message = "no GC roots in the trace: objects without incoming references are treated as GC roots";
        notes.push(ImportNote::new(Severity::DataLost, 1, message, None));
    }
    roots
}
