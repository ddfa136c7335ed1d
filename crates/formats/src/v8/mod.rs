//! Heap snapshots of V8 (Node.js, Chrome, Electron) and of other writers of the format: ArkTS, Hermes. A snapshot is a
//! JSON object, which is not parsed into a tree: arrays of numbers are read in parallel directly from the file, and
//! strings by reference.
//!
//! The sections of the file are located first ([`sections`]), then its metadata ([`meta`]) is read; strings are indexed
//! ([`strings`]), including those known to rules ([`words`]); nodes ([`nodes`]) and edges ([`edges`]) become columns.
//! [`heaplens_heap::snapshot`] interprets them, except for class names ([`classes`]). All rules, and the resulting
//! numbers, are those of Chrome DevTools' front end.

mod allocations;
mod audit;
mod classes;
mod collections;
mod contents;
mod display;
mod edges;
mod engine;
mod identity;
mod index;
mod interfaces;
mod known_text;
mod labels;
mod locations;
mod meta;
mod nodes;
mod numbers;
mod parts;
mod passes;
mod reader;
mod recorded_texts;
mod rope_scan;
mod ropes;
mod scripts;
mod sections;
mod storage;
mod strings;
mod strip;
mod summary;
mod text;
mod text_hash;
mod text_rules;
mod weak_maps;
mod wide_nodes;
mod words;

pub(super) use self::audit::check as check_values;
use self::contents::{V8Contents, with_roles};
use self::engine::Engine;
use self::index::{Index, RecordOffsets};
use self::parts::{Parts, head, parts, refuse};
use self::sections::Section;
pub(super) use self::sections::recognises;
pub(super) use self::strip::strip;
use self::text_rules::TextRules;
use self::{classes::NamingInput, contents::restore, nodes::Nodes, numbers::Numbers, summary::SummaryInput};
use super::error::OpenError;
use super::reading::{BuiltHeap, ReadInput, Reader};
use super::source::Source;
use heaplens_base::{Bytes, Count, Unit};
use heaplens_heap::format::Format;
use heaplens_heap::native::{NativeKind, NativeMemory};
use heaplens_heap::sizes::{MOST_BYTES, too_large};
use heaplens_heap::{
    AddressMap, Heap, IdStyle, ImportNote, ObjectId, Origin, Severity, SizeModel, snapshot::build::SnapshotParts,
    snapshot::edges::Edges, snapshot::rules::RuleInput,
};

/// Maximum number of nodes, since rows are numbered in 32 bits.
const MOST_NODES: u64 = u32::MAX as u64 - 2;
/// Measured peak memory of opening, in bytes per node.
const PEAK: u64 = 44;

pub(super) const READER: Reader = Reader { formats: &[Format::V8], recognises, open, restore };

fn open(ReadInput { source, options, budget, task, on_census }: ReadInput<'_>) -> Result<BuiltHeap, OpenError> {
    let file = source.bytes();
    task.step("Finding strings", Unit::Bytes, file.len() as u64);
    let mut parts = parts(file, task)?;
    let (head, head_text) = head(file, &parts)?;
    let meta = head.meta().map_err(|missing| refuse(&parts, missing, "none"))?;
    let mut notes = damage(&source, &parts);
    notes.extend(head.strip_note());

    let array = |section: &Section| Numbers::index(file, section.range.clone(), section.is_closed, task);
    task.step("Reading nodes", Unit::Bytes, parts.nodes.range.len() as u64);
    let numbers = array(&parts.nodes)?;
    let count = numbers.records(meta.node.count);
    if count == 0 || count > MOST_NODES {
        let actual = if count == 0 { "none".to_owned() } else { format!("{} nodes", Count(count)) };
        return Err(refuse(&parts, "1 to 4,294,967,293 nodes", &actual).into());
    }
    budget.require_memory(PEAK.saturating_mul(count));
    let mut nodes = Nodes::read(file, &numbers, &meta, parts.strings.count(), budget, task)?;
    let node_marks =
        RecordOffsets { blocks: std::mem::take(&mut nodes.marks), end: parts.nodes.range.end as u64, count };
    notes.extend(mismatch("nodes", head.node_count, count, numbers.has_rest(meta.node.count)));
    notes.extend(odd("nodes", nodes.odd));
    notes.extend(too_large(nodes.too_large.0, nodes.too_large.1));
    let input = SummaryInput { file, meta: &meta, nodes: &nodes, strings: &parts.strings, known: &parts.known };
    let engine = Engine::of(&head, &input);
    let texts = TextRules::of(engine, &input, head.strip_marker().is_some());
    let origin = origin(engine, options.sizes, file.len() as u64);
    on_census(summary::census(&input, origin.clone(), task)?);

    task.step("Reading references", Unit::Bytes, parts.edges.range.len() as u64);
    let numbers = array(&parts.edges)?;
    let actual = numbers.records(meta.edge.count);
    let degrees = std::mem::take(&mut nodes.degrees);
    let wanted: u64 = degrees.iter().map(|&degree| u64::from(degree)).sum();
    let mut table = Edges::new(degrees, actual, budget);
    let columns = table.columns();
    let first_edges = (0..node_marks.blocks.len() as u64).map(|block| columns.begin((block * nodes::APART) as u32));
    let first_edges = first_edges.collect();
    let tables = parts.known.tables(&nodes.ids, &nodes.wide_ids);
    // Release memory early for what follows.
    let ids = AddressMap::of_numbers(std::mem::take(&mut nodes.ids), std::mem::take(&mut nodes.wide_ids), budget);
    let reader = edges::EdgeReader {
        file,
        meta: &meta,
        nodes: &nodes,
        known: &parts.known,
        strings: &parts.strings,
        tables: &tables,
        table: &columns,
    };
    let mut read = reader.read(&numbers, task)?;
    let edge_marks =
        RecordOffsets { blocks: std::mem::take(&mut read.marks), end: parts.edges.range.end as u64, count: actual };
    notes.extend(mismatch("edges", head.edge_count, actual, numbers.has_rest(meta.edge.count)));
    notes.extend(mismatch_of_degrees(wanted, actual));
    notes.extend(odd("edges", read.odd));
    let message = "edges to non-existent nodes: ignored";
    notes.extend(ImportNote::if_any(Severity::Error, read.nowhere.0, message, read.nowhere.1));

    let span = |section: Option<Section>| section.map(|s| (s.range.start as u64, s.range.end as u64));
    let (samples, functions) = (span(parts.samples.take()), span(parts.functions.take()));
    let of_functions = allocations::unnamed(file, functions, &meta, parts.strings.count(), task)?;
    notes
        .extend(undefined([nodes.untyped, read.untyped], "types of nodes and edges that the snapshot does not define"));
    // If the list of strings is truncated, another note says so.
    if parts.has_all_strings || parts.broken.is_none() {
        let message = format!(
            "names that are not in the file, shown as {}: the objects of this class may belong to several classes",
            text::MISSING_NAME
        );
        notes.extend(undefined([nodes.unnamed, read.unnamed, (of_functions, None)], &message));
    }

    task.step("Computing node owners", Unit::Objects, 0);
    let states = nodes.states.take();
    let names_say_it = states.is_none();
    let sizes = std::mem::take(&mut nodes.sizes);
    let input = SummaryInput { file, meta: &meta, nodes: &nodes, strings: &parts.strings, known: &parts.known };
    let flags = summary::flags(&input, &read.elements, budget, task)?;
    let raw = options.sizes == SizeModel::File;
    // Identified by the position of its record among the numbers.
    let root = head.root_index.unwrap_or(0) / meta.node.count.max(1) as u64;
    let root = u32::try_from(root).ok().filter(|&root| u64::from(root) < count).unwrap_or(0);
    let ruled = RuleInput { edges: table, root, flags, sizes, states, pairs: &read.pairs, raw };
    let mut ruled = ruled.rule(budget, task)?;
    if names_say_it {
        ruled.detached = summary::named_detached(&input);
    }

    let extra_native = head.extra_native_bytes.unwrap_or(0).min(MOST_BYTES);
    task.step("Naming classes", Unit::Objects, nodes.len() as u64);
    let locations = match (&parts.locations, &meta.location) {
        (Some(section), Some(fields)) => locations::read(file, &array(section)?, fields, &meta, nodes.len(), task)?,
        _ => Vec::new(),
    };
    let plain = summary::plain_objects(&input);
    let interfaces = interfaces::find(file, &parts.strings, &parts.known, plain, &read.shaped, &read.shapes);
    let statistics = summary::statistics(&input, &ruled, &read.elements, extra_native, task)?;
    let naming_input = NamingInput {
        file,
        meta: &meta,
        nodes: &nodes,
        strings: &parts.strings,
        sizes: &ruled.sizes,
        detached: if names_say_it { &[] } else { &ruled.detached },
        interfaces: &interfaces,
        shaped: &read.shaped,
        locations: &locations,
    };
    let (classes, class_of) = naming_input.name(budget, task)?;
    let native = nodes.native.take();
    let named = SnapshotParts { origin, classes, class_of, ids, statistics, extra_native, notes };
    drop((nodes, read));
    task.step("Linking references", Unit::References, 0);
    let mut built = ruled.build(named, budget, task)?;
    built.heap.notes.extend(engine.unrecorded_note(&head, &built.heap.roots));
    built.heap.notes.extend(without_root_edges(&built.heap, root));
    if let Some(native) = native {
        let owned = (0_u32..).zip(native.iter()).filter(|&(_, &bytes)| bytes > 0);
        let registered = |object, bytes| NativeMemory { object, kind: NativeKind::Registered, bytes: Bytes(bytes) };
        let owned = owned.filter_map(|(row, &bytes)| Some(registered(ObjectId::from_raw(row)?, bytes)));
        built = built.with_native(owned.collect(), budget);
    }
    let index = Index {
        head: head_text,
        nodes: node_marks,
        first_edges,
        edges: edge_marks,
        strings: parts.strings,
        texts,
        locations,
        shapes: interfaces.shapes,
        samples,
        functions,
        trace_tree: span(parts.trace_tree),
    };
    let contents = with_roles(V8Contents::new(Some(source), index, meta), &built.heap);
    Ok((built, contents))
}

fn origin(engine: Engine, size_model: SizeModel, file_bytes: u64) -> Origin {
    Origin {
        format: Format::V8,
        producer: engine.producer().to_owned(),
        id_bytes: 4,
        taken_at_millis: None,
        size_model,
        ids: IdStyle::Number,
        file_bytes,
        ..Origin::default()
    }
}

/// Parse warning if the root of the snapshot holds nothing: the GC roots are missing.
fn without_root_edges(heap: &Heap, root: u32) -> Option<ImportNote> {
    let is_missing = heap.len() > 1 && heap.references(ObjectId::from_raw(root)?).is_empty();
    let message = "the root node of the snapshot has no edges: nodes without incoming edges are treated as GC roots";
    is_missing.then(|| ImportNote::new(Severity::DataLost, 1, message, None))
}

/// Parse warnings about the file as a whole.
fn damage(source: &Source, parts: &Parts) -> Vec<ImportNote> {
    let broken = parts.broken.map(|at| {
        let what = if parts.has_all_strings {
            "its end is missing"
        } else if parts.strings.count() > 0 {
            "all names after this offset are missing"
        } else if parts.edges.range.is_empty() {
            "all references and names are missing"
        } else {
            "references after this offset and all names are missing"
        };
        let message = format!("snapshot is truncated: {what}");
        ImportNote::new(Severity::DataLost, 1, message, Some(at))
    });
    let damaged = parts.damaged.map(|at| {
        let message = "snapshot is damaged: sections after this offset are skipped";
        ImportNote::new(Severity::DataLost, 1, message, Some(at))
    });
    let rest = parts.rest.map(|at| {
        let rest = usize::try_from(at).ok().and_then(|at| source.bytes().get(at..)).unwrap_or_default();
        let message = if recognises(rest) {
            "another snapshot follows the first one: not shown".to_owned()
        } else {
            format!("{} bytes after the end of the snapshot: ignored", Count(rest.len() as u64))
        };
        ImportNote::new(Severity::Info, 1, message, Some(at))
    });
    source.damage_note().into_iter().chain(broken).chain(damaged).chain(rest).collect()
}

/// Parse warning if the file has a different number of records than it declares.
fn mismatch(of: &str, declared: Option<u64>, actual: u64, has_rest: bool) -> Option<ImportNote> {
    let declared = declared.filter(|&declared| declared != actual || has_rest)?;
    let rest = if has_rest { " and part of another" } else { "" };
    let message = format!("the snapshot declares {} {of} but contains {}{rest}", Count(declared), Count(actual));
    Some(ImportNote::new(Severity::DataLost, declared.abs_diff(actual).max(1), message, None))
}

fn mismatch_of_degrees(wanted: u64, actual: u64) -> Option<ImportNote> {
    let message =
        format!("nodes declare {} edges in total, but the snapshot contains {}", Count(wanted), Count(actual));
    ImportNote::if_any(Severity::Error, wanted.abs_diff(actual), message, None)
}

/// Parse warning about values that refer to what the file lacks: their numbers, and offsets of the first ones.
fn undefined<const N: usize>(counts: [(u64, Option<u64>); N], message: &str) -> Option<ImportNote> {
    let count = counts.iter().map(|(count, _)| count).sum();
    ImportNote::if_any(Severity::DataLost, count, message, counts.iter().find_map(|&(_, first)| first))
}

fn odd(of: &str, (count, first): (u64, Option<u64>)) -> Option<ImportNote> {
    let message = format!("malformed numbers in \"{of}\": parsed up to the first invalid character");
    ImportNote::if_any(Severity::Error, count, message, first)
}
