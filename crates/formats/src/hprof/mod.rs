//! HPROF dumps of HotSpot, versions 1.0.1 and 1.0.2, with ids of 4 or 8 bytes, and of Android ([`android`]).
//!
//! The file is read in two parallel passes: first to collect all addresses, classes and roots ([`census`]), then to
//! fill in the row of every object ([`fill`]). In between, classes get their layouts ([`schema`]) and sizes ([`sizes`],
//! or [`jvm_layout`] from the objects sampled in the first pass).

mod android;
mod array_ends;
mod audit;
mod census;
mod collection_rules;
mod collections;
mod contents;
mod counters;
mod extra_references;
mod fill;
mod fingerprint;
mod flat_fields;
mod flat_objects;
mod formatting;
mod inferred_fields;
mod java;
mod jvm_layout;
mod label_rules;
mod labels;
mod library_label_rules;
mod listed;
mod native_memory;
mod peek;
mod pieces;
mod problems;
mod record_access;
mod record_sizes;
mod record_walk;
mod recorded_values;
mod recorded_values_search;
mod records;
mod recovery;
mod reference_names;
mod roots;
mod runtime_rules;
mod schema;
mod search;
mod shapes;
mod sites;
mod sizes;
mod stacks;
mod stored;
mod strip;
mod subrecords;
mod tags;
mod walks;

use std::sync::{Arc, Mutex, PoisonError};

use self::census::{Tally, count};
use self::flat_fields::FlatFields;
use self::jvm_layout::{FlatArrays, Hints, StackChunks, TrueSizes, infer_sizes};
use self::recorded_values_search::find_recorded_values;
use self::schema::{Blueprint, Schema};
use self::sizes::{ArraySizes, Layout};
pub(super) use self::{
    android::conversion::convert_cropped, audit::check as check_values, records::recognises, strip::strip,
};
use self::{
    android::sizes::DeviceSizes, fill::Filler, jvm_layout::samples::Samples, record_access::HprofContents,
    records::Index, shapes::Shapes, stacks::Stacks, stored::restore, tags::BasicType,
};
use super::error::{FormatError, OpenError};
use super::reading::{BuiltHeap, ReadInput, Reader};
use super::source::Source;
use super::text_conversion;
use heaplens_base::{Bytes, Count, Task, Unit, storage::MemoryBudget};
use heaplens_heap::address_collector::{AddressMapError, AddressPlan};
use heaplens_heap::format::Format;
use heaplens_heap::{
    Address, AddressCollector, AddressMap, Census, CensusRow, Class, ClassId, ClassKind, Classes, CollectedAddresses,
    HeapBuilder, IdStyle, ImportNote, Origin, Severity, SizeModel, Strength,
};

/// File offsets are stored in 40 bits.
const MOST_BYTES: u64 = 1 << 40;

pub(super) const READER: Reader = Reader {
    formats: &[Format::Hprof, Format::HprofAndroid],
    recognises,
    open,
    restore: |saved, file, _heap| restore(saved, file),
};

fn open(ReadInput { source, options, budget, task, on_census }: ReadInput<'_>) -> Result<BuiltHeap, OpenError> {
    let file = source.bytes();
    refuse_beyond(MOST_BYTES, file.len() as u64)?;
    let (index, pieces, first) = first_reading(file, options.sizes, budget, task)?;
    let mut notes = index.problems.notes();
    notes.extend(source.damage_note());
    notes.extend(other_dumps(&index, source.begin()));
    notes.extend(next_file(&index, &source));
    notes.extend(strip::note(file, &index));
    let FirstPass { count, schema, arrays, stack_chunks, flat_arrays, device_sizes, addresses, is_android } = first;
    notes.extend(count.problems.notes());
    notes.extend(schema.notes.iter().cloned());
    let origin = Origin {
        format: if is_android { Format::HprofAndroid } else { Format::Hprof },
        producer: format!("{} ({})", if is_android { "Android" } else { "HotSpot" }, index.version),
        id_bytes: index.id_bytes,
        taken_at_millis: (index.taken_at_millis != 0).then_some(index.taken_at_millis),
        size_model: options.sizes,
        ids: IdStyle::Address,
        file_bytes: file.len() as u64,
        ..Origin::default()
    };
    on_census(census_of(&schema, &count, &arrays, origin.clone()));

    task.step("Reading references", Unit::Bytes, pieces::bytes(&pieces));
    let CollectedAddresses { map: addresses, duplicates } = addresses;
    let classes = class_table(&schema, &addresses);
    let mut builder = HeapBuilder::new(addresses, classes, file.len() as u64, budget);
    let columns = &builder.columns();
    let claimed_twice = &duplicates;
    // MAT gives it the size of a class loader; in the JVM there is no such object.
    let bootstrap_loader = match options.sizes {
        SizeModel::Auto => Bytes(0),
        SizeModel::Mat | SizeModel::File => {
            Bytes(schema.named("java.lang.ClassLoader").map_or(0, |loader| loader.instance_size))
        }
    };
    let filler = Filler {
        file,
        id_bytes: index.id_bytes,
        schema: &schema,
        arrays,
        stack_chunks,
        flat_arrays,
        bootstrap_loader,
        columns,
        claimed_twice,
    };
    let filled = filler.fill(&pieces, task)?;
    let message = "objects with a duplicate address: ignored, the first one in the file is kept";
    notes.extend(ImportNote::if_any(Severity::Error, filled.refused, message, filled.first_refused));
    notes.extend(filled.misfits.notes());
    if let Some(device_sizes) = &device_sizes {
        builder.resize(|rows| device_sizes.size(rows), task)?;
    }
    let is_whole = notes.iter().all(|note| note.severity == Severity::Info);
    let mut root_tables = roots::convert(&count.roots, &schema, builder.addresses(), is_android, is_whole);
    notes.append(&mut root_tables.notes);
    let dangling: u64 = filled.parts.iter().map(|p| p.dangling).sum();
    let why = if is_android { "objects omitted or unloaded" } else { "normal with class-data sharing" };
    let message = format!("references to addresses without an object in the dump ({why})");
    notes.extend(ImportNote::if_any(Severity::Info, dangling, message, None));
    let message = "primitive arrays recorded with their length only: their contents are not available";
    notes.extend(ImportNote::if_any(Severity::Info, count.unrecorded, message, None));
    if is_android {
        notes.extend(extra_references::dangling_statics(&schema, builder.addresses()));
    }
    let extra = extra_references::references(&schema, &root_tables, builder.addresses());

    task.step("Linking references", Unit::References, 0);
    let roots = std::mem::take(&mut root_tables.roots);
    let mut built = builder.finish(origin, roots, notes, filled.parts, extra, task)?;
    if root_tables.infer_roots {
        let classes = built.heap.roots.all().to_vec();
        built = built.with_inferred_roots(classes, task)?;
    }
    if let Some(regions) = count.heaps.regions(file, &index) {
        built = built.divided(regions, budget, task)?;
    }
    let (shapes, stacks) =
        Shapes::new(source.bytes(), &index, &schema, |namer| Stacks::new(namer, &schema, &root_tables));
    let mut contents = HprofContents::new(Some(source), shapes, stacks);
    contents.recorded = find_recorded_values(&count, &built.heap, &contents);
    built.heap.notes.extend(contents.recorded.note());
    let native = if is_android {
        android::native::registered(&built.heap, &contents, task)?
    } else {
        native_memory::owned(&built.heap, &contents, task)?
    };
    built = built.with_native(native, budget);
    Ok((built, Arc::new(contents)))
}

fn refuse_beyond(most: u64, bytes: u64) -> Result<(), FormatError> {
    if bytes <= most {
        return Ok(());
    }
    let expected = format!("the end of the file (at most {} bytes are supported)", Count(most));
    let actual = format!("{} bytes more", Count(bytes - most));
    Err(FormatError::new("HPROF", most, expected, actual, "Take a dump of a smaller heap."))
}

/// Parse warning about dumps that are not shown; the dump begins at offset `begin`.
fn other_dumps(index: &Index, begin: u64) -> Option<ImportNote> {
    let (last, others) = index.dumps.split_last()?;
    let first = others.first()?.first()?;
    let offsets: Vec<String> =
        others.iter().filter_map(|d| d.first()).map(|s| (begin + s.range.start).to_string()).take(8).collect();
    let shown = begin + last.first().map_or(0, |s| s.range.start);
    let message = format!(
        "the file contains {} heap dumps: the last one, at offset {shown}, is shown; the others start at {}",
        index.dumps.len(),
        offsets.join(", ")
    );
    Some(ImportNote::new(Severity::Info, others.len() as u64, message, Some(first.range.start)))
}

/// Parse warning about another dump behind the one that is shown.
fn next_file(index: &Index, source: &Source) -> Option<ImportNote> {
    let at = index.next_file?;
    let begin = source.begin() + at;
    let advice = if source.is_copy() {
        "To open the other, unpack the file and split it there".to_owned()
    } else {
        format!("To open the other, write it to a file of its own: tail -c +{} FILE > OTHER", begin + 1)
    };
    let message = format!(
        "another HPROF file begins at offset {}, {} bytes: only the first one is shown. {advice}",
        Count(begin),
        Count((source.bytes().len() as u64).saturating_sub(at)),
    );
    Some(ImportNote::new(Severity::Info, 1, message, Some(at)))
}

/// Finds the sub-records and counts everything. If sub-records are not where the record headers say, repeats it from
/// there on by the sub-records' own lengths.
fn first_reading(
    file: &[u8],
    sizes: SizeModel,
    budget: &MemoryBudget,
    task: &Task,
) -> Result<(Index, Vec<pieces::Piece>, FirstPass), OpenError> {
    let mut trusted = record_walk::TRUST_ALL;
    loop {
        task.step("Finding segments", Unit::Bytes, 0);
        let mut index = record_walk::index(file, trusted, task).map_err(|error| converted(file).unwrap_or(error))?;
        let pieces = pieces::pieces(file, &mut index, task)?;
        if pieces.is_empty() || index.problems.any_lost() {
            converted(file).map_or(Ok(()), Err)?;
        }
        if pieces.is_empty() {
            let end = file.len() as u64;
            return Err(FormatError::new("HPROF", end, "a heap dump record", "", "Take or copy the dump again.").into());
        }
        match first_pass(file, &index, &pieces, sizes, budget, task)? {
            Ok(first) => return Ok((index, pieces, first)),
            Err(misplaced) => {
                converted(file).map_or(Ok(()), Err)?;
                trusted = misplaced;
            }
        }
    }
}

/// The error of a dump that a program has converted as text.
fn converted(file: &[u8]) -> Option<OpenError> {
    text_conversion::of(file).map(|conversion| conversion.error("HPROF").into())
}

/// Results of the first reading.
struct FirstPass {
    count: Tally,
    schema: Schema,
    arrays: ArraySizes,
    stack_chunks: Option<StackChunks>,
    flat_arrays: Option<FlatArrays>,
    /// Inputs, besides the object itself, for sizes on Android.
    device_sizes: Option<DeviceSizes>,
    addresses: CollectedAddresses,
    is_android: bool,
}

/// Counts everything; repeats it with another plan if the addresses did not fit the first one. The inner error is the
/// offset from which on sub-records are not where `index` says.
fn first_pass(
    file: &[u8],
    index: &Index,
    pieces: &[pieces::Piece],
    sizes: SizeModel,
    budget: &MemoryBudget,
    task: &Task,
) -> Result<Result<FirstPass, u64>, OpenError> {
    let is_android = android::is_android(file, index);
    // ART gives synthetic objects the address of a real one plus 1.
    let mut plan = AddressPlan::Bitmap { shift: if is_android { 0 } else { 3 } };
    loop {
        // Restart the step, or progress would exceed its total.
        task.step("Counting objects", Unit::Bytes, pieces::bytes(pieces));
        let collector = AddressCollector::new(plan, file.len() / 2 + (64 << 20));
        let samples = (sizes == SizeModel::Auto && !is_android).then(Mutex::<Samples>::default);
        let mut count = count(file, pieces, index, &collector, samples.as_ref(), task)?;
        if let Some(misplaced) = count.misplaced.filter(|&misplaced| misplaced < index.trusted) {
            return Ok(Err(misplaced));
        }
        let mut schema = Schema::new(file, index, &mut count);
        let mut worker = collector.worker();
        // MAT counts the bootstrap class loader as an object at address 0. Android tools have no synthetic objects.
        if !is_android {
            worker.insert(0);
        }
        for class in schema.classes.iter().filter(|class| !(is_android && class.made_up)) {
            worker.insert(class.id);
        }
        drop(worker);
        match collector.finish(budget) {
            Ok(addresses) => {
                let samples = samples.map(|samples| samples.into_inner().unwrap_or_else(PoisonError::into_inner));
                let (mut stack_chunks, mut flat_arrays, mut device_sizes) = (None, None, None);
                let arrays = match sizes {
                    SizeModel::Auto if is_android => {
                        let (arrays, sizes) = android::sizes::assign_device_sizes(&mut schema, index.id_bytes);
                        device_sizes = Some(sizes);
                        arrays
                    }
                    SizeModel::File if is_android => android::sizes::assign_file_sizes(&mut schema, index.id_bytes),
                    model => {
                        let sized = size(file, index, &mut count, &mut schema, samples, model, &addresses.map);
                        (stack_chunks, flat_arrays) = (sized.1, sized.2);
                        sized.0
                    }
                };
                let first =
                    FirstPass { count, schema, arrays, stack_chunks, flat_arrays, device_sizes, addresses, is_android };
                return Ok(Ok(first));
            }
            Err(AddressMapError::Plan(other)) => plan = other,
            Err(AddressMapError::TooMany) => {
                let advice = "Take a dump of a smaller heap, or of live objects only.";
                return Err(FormatError::too_many_objects("HPROF", advice).into());
            }
        }
    }
}

/// Determines the sizes of all classes: by rules, or by measurement of the sampled objects.
fn size(
    file: &[u8],
    index: &Index,
    count: &mut Tally,
    schema: &mut Schema,
    samples: Option<Samples>,
    model: SizeModel,
    addresses: &AddressMap,
) -> (ArraySizes, Option<StackChunks>, Option<FlatArrays>) {
    let compressed_references = index.id_bytes == 8 && count.width.compressed;
    let alignment = count.alignment.bytes();
    let Some(samples) = samples else {
        let reference_bytes = if compressed_references { 4 } else { index.id_bytes };
        let layout = Layout { model, id_bytes: index.id_bytes, reference_bytes, alignment };
        schema.size_by(&layout);
        return (layout.arrays(), None, None);
    };
    let hints = Hints { id_bytes: index.id_bytes, compressed_references, alignment };
    let flat = std::mem::take(&mut count.flat);
    let fields = FlatFields::resolve(&flat, file, index.id_bytes, schema);
    let TrueSizes { instances, class_objects, arrays, stack_chunks, flat_arrays, notes } =
        infer_sizes(schema, |id| index.text(file, id), samples, addresses, &fields, hints);
    for (class, (instance, class_object)) in schema.classes.iter_mut().zip(instances.into_iter().zip(class_objects)) {
        class.instance_size = instance;
        class.class_object_size = class_object;
    }
    schema.notes.extend(notes);
    schema.notes.extend(flat_arrays.as_ref().and_then(|_| flat.note()));
    (arrays, stack_chunks, flat_arrays)
}

fn census_of(schema: &Schema, count: &Tally, arrays: &ArraySizes, origin: Origin) -> Census {
    let row = |class: &Blueprint, objects: u64, shallow: u64| CensusRow {
        class: class.name.as_str().into(),
        objects,
        shallow: Bytes(shallow),
    };
    let (_, reference_bytes) = arrays.of(BasicType::Object);
    let bytes = |a: &census::ArrayCount, kind| match origin.size_model {
        SizeModel::File => a.element_bytes,
        SizeModel::Auto | SizeModel::Mat => a.bytes(arrays.of(kind).0, reference_bytes),
    };
    let mut rows = Vec::new();
    // In any order: the census sorts its rows.
    let class_at = |id: u64| schema.of(id).and_then(|c| schema.get(c));
    rows.extend(count.instances.iter().filter_map(|(&id, &(objects, _))| {
        class_at(id).map(|c| row(c, objects, objects.saturating_mul(c.instance_size)))
    }));
    rows.extend(
        (count.object_arrays.iter())
            .filter_map(|(&id, a)| Some(row(class_at(id)?, a.objects, bytes(a, BasicType::Object)))),
    );
    for (kind, of) in BasicType::PRIMITIVES.into_iter().zip(&count.primitive_arrays) {
        let class = schema.primitive_array(kind).and_then(|c| schema.get(c));
        rows.extend(class.filter(|_| of.objects > 0).map(|c| row(c, of.objects, bytes(of, kind))));
    }
    if let Some(class) = schema.named("java.lang.Class") {
        let size = schema.classes.iter().map(|c| c.class_object_size).sum();
        rows.push(row(class, schema.classes.len() as u64, size));
    }
    Census::new(origin, rows)
}

fn class_table(schema: &Schema, addresses: &AddressMap) -> Classes {
    let names = ["java.lang.ref.FinalReference", "java.lang.ref.FinalizerReference"];
    let final_reference = names.into_iter().find_map(|name| schema.named(name)).map(|class| class.id);
    let strength = |c: &Blueprint| match c.strength {
        Some(Strength::Phantom) if final_reference.is_some_and(|id| is_below(schema, c, id)) => Strength::Final,
        strength => strength.unwrap_or(Strength::Strong),
    };
    let rows = schema.classes.iter().map(|c| Class {
        name: c.name.as_str().into(),
        object: addresses.object(Address(c.id)),
        superclass: c.superclass.and_then(ClassId::from_raw),
        loader: (c.loader != 0).then(|| addresses.object(Address(c.loader))).flatten(),
        kind: c.kind.unwrap_or(ClassKind::Plain),
        strength: strength(c),
        instance_size: Bytes(if c.kind == Some(ClassKind::Plain) { c.instance_size } else { 0 }),
        unlisted: false,
        made_at: None,
    });
    Classes::new(rows.collect())
}

/// True if the class has this id or is a subclass of it.
fn is_below(schema: &Schema, class: &Blueprint, id: u64) -> bool {
    let above = |class: &&Blueprint| class.superclass.and_then(|above| schema.get(above));
    // In the JDK they are two levels deep; a malformed file may have a cycle, or a chain of a million for each of a
    // million classes.
    std::iter::successors(Some(class), above).take(16).any(|class| class.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A higher offset would be truncated to 40 bits, and another record be read there.
    #[test]
    fn a_file_of_more_than_a_tebibyte_is_refused() {
        assert_eq!(refuse_beyond(MOST_BYTES, MOST_BYTES), Ok(()));
        let error = refuse_beyond(MOST_BYTES, MOST_BYTES + 7).expect_err("places would not fit").to_string();
        assert!(error.contains("1,099,511,627,776 bytes") && error.contains("7 bytes more"), "{error}");
    }
}
