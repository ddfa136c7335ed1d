//! Serialization of heap and analysis for the stored analysis. Columns are sections of the file already; the rest is
//! small tables.

use serde::{Deserialize, Serialize};

use super::parts::{PartTables, Parts};
use super::sizes::{Scale, Sizes};
use super::{
    AddressMap, Analysis, Census, Class, Classes, Heap, ImportNote, Origin, Root, Rules, Snapshot, Totals, address_map,
    dominance::Dominance, facts::FileOffsets, native::NativeBytes, regions::Regions, roots::Roots, sections,
    shortest_paths::ShortestPaths, snapshot::SnapshotTables, snapshot::StorageOwners,
};
use heaplens_base::storage::{Numbers, StoredAnalysis};
use heaplens_graph::Links;

/// Data that is not in columns, including that of the format for reading objects again.
#[derive(Serialize, Deserialize)]
struct Tables {
    origin: Origin,
    classes: Vec<Class>,
    roots: Vec<Root>,
    notes: Vec<ImportNote>,
    addresses: address_map::Shape,
    scale: Scale,
    to_classes: u64,
    unresolved: u64,
    made: Vec<(u32, u32)>,
    census: Census,
    rules: Rules,
    analysis_roots: Vec<Root>,
    class_retained: Vec<u64>,
    class_totals: Vec<Totals>,
    shown: Totals,
    unreachable: Totals,
    /// Names of the regions, where there are any.
    regions: Option<Vec<Box<str>>>,
    parts: PartTables,
    snapshot: Option<SnapshotTables>,
    own_distances: bool,
    class_distances: Vec<Option<u32>>,
    contents: Vec<u8>,
}

/// Contents of a stored analysis.
pub struct RestoredHeap {
    /// The facts.
    pub heap: Heap,
    /// Derived data.
    pub analysis: Analysis,
    /// The first answer.
    pub census: Census,
    /// Data of the format for reading objects again, in its own encoding.
    pub contents: Vec<u8>,
}

/// Serializes the small tables, to be stored with the columns. `None` if that fails.
pub fn tables(heap: &Heap, analysis: &Analysis, census: &Census, contents: Vec<u8>) -> Option<Vec<u8>> {
    let tables = Tables {
        origin: heap.origin.clone(),
        classes: heap.classes.all().to_vec(),
        roots: heap.roots.all().to_vec(),
        notes: heap.notes.clone(),
        addresses: heap.addresses.shape(),
        scale: heap.shallow.scale(),
        to_classes: heap.to_classes,
        unresolved: heap.unresolved,
        made: heap.made.to_vec(),
        census: census.clone(),
        rules: analysis.rules,
        analysis_roots: analysis.roots().all().to_vec(),
        class_retained: analysis.dominance.class_retained.clone(),
        class_totals: analysis.class_totals.clone(),
        shown: analysis.shown,
        unreachable: analysis.unreachable,
        regions: heap.regions().map(|regions| regions.names().to_vec()),
        parts: analysis.parts.tables.clone(),
        snapshot: heap.snapshot().map(|snapshot| snapshot.tables.clone()),
        own_distances: analysis.paths.uses_format_rules(),
        class_distances: analysis.class_distances.clone(),
        contents,
    };
    postcard::to_allocvec(&tables).ok()
}

/// Loads heap and analysis. `None` if a table or column is damaged or missing.
pub fn restore(stored: &StoredAnalysis) -> Option<RestoredHeap> {
    let tables: Tables = postcard::from_bytes(&stored.meta()?).ok()?;
    // Nodes of a snapshot have neither a record at an offset nor a `referent`: their columns are never written.
    let (offsets, referent_first) = match tables.snapshot {
        Some(_) => Default::default(),
        None => (
            FileOffsets::new(stored.column(sections::OFFSET_LOW)?, stored.column(sections::OFFSET_HIGH)?),
            stored.column(sections::REFERENTS)?,
        ),
    };
    let heap = Heap {
        origin: tables.origin,
        classes: Classes::new(tables.classes),
        roots: Roots::new(tables.roots),
        notes: tables.notes,
        addresses: AddressMap::find(stored, tables.addresses)?.into(),
        class_of: Numbers::find(stored, sections::CLASS)?.into(),
        shallow: Sizes::find(stored, tables.scale)?.into(),
        offsets: offsets.into(),
        references: Links::find(stored, sections::REFERENCES)?.into(),
        to_classes: tables.to_classes,
        unresolved: tables.unresolved,
        made: tables.made.into(),
        referent_first: referent_first.into(),
        regions: match tables.regions {
            Some(names) => Some(Regions::find(stored, names)?.into()),
            None => None,
        },
        native: NativeBytes::find(stored).unwrap_or_default().into(),
        snapshot: match tables.snapshot {
            Some(tables) => Some(Snapshot::stored(stored, tables)?.into()),
            None => None,
        },
        freed: None,
    };
    let roots = Roots::new(tables.analysis_roots);
    let analysis = Analysis {
        rules: tables.rules,
        dominance: Dominance::stored(stored, &heap, roots, tables.class_retained)?,
        retainers: Links::find(stored, sections::RETAINERS)?,
        paths: ShortestPaths::stored(stored, tables.own_distances)?,
        class_totals: tables.class_totals,
        shown: tables.shown,
        unreachable: tables.unreachable,
        parts: Parts::stored(stored, tables.parts)?,
        class_distances: tables.class_distances,
        storage_owners: StorageOwners::default(),
    };
    let sound = heap.addresses.len() == heap.len() && analysis.retainers.rows() == heap.len();
    let sound = sound && heap.snapshot().is_none_or(|snapshot| snapshot.is_sound(heap.len()));
    sound.then_some(RestoredHeap { heap, analysis, census: tables.census, contents: tables.contents })
}
