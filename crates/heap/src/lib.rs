//! The heap: one row per object, facts as columns, and derived columns. Independent of files, formats and analyses.
//!
//! - **Facts** come in through [`builder`] alone and never change: [`facts`] is the heap itself, with [`classes`],
//!   [`roots`], sizes, references, and the [`notes`] about what could not be read. [`regions`] and [`native`] are
//!   recorded by Android only, [`snapshot`] by JavaScript engines only. [`census`] is the first answer of an open.
//! - **Derived columns** are computed once from facts and [`rules`], with the algorithms of [`heaplens_graph`]:
//!   [`analysis`] has dominators, retained sizes, distances and referrers; [`reach`] and [`excluded_references`] what
//!   would remain without some references.
//! - **Contents** of single objects are read from the file on demand: [`contents`], with values hidden by [`redaction`],
//!   with names of a mapping by [`original`].
//! - **Stored**: all of it as the sections of one file ([`stored`]).
//!
//! Objects and classes are [`ids`], which are row numbers; sizes are bytes.

pub mod address_collector;
pub mod address_map;
pub mod analysis;
pub mod best_fit;
pub mod builder;
pub mod census;
pub mod class_name;
pub mod classes;
pub mod collection_list;
pub mod constants;
pub mod contents;
mod dominance;
mod dominator_tree;
pub mod excluded_references;
pub mod facts;
pub mod figures;
pub mod file_references;
pub mod format;
pub mod ids;
pub mod inferred_roots;
pub mod native;
mod native_charges;
pub mod notes;
pub mod origin;
pub mod original;
pub mod parts;
pub mod reach;
pub mod redaction;
mod reduced_heap;
pub mod regions;
pub mod roots;
pub mod rules;
pub mod script_sources;
mod sections;
mod shortest_paths;
pub mod sizes;
pub mod snapshot;
pub mod steps;
pub mod stored;
pub mod threads;
pub mod totals;
pub mod value_rules;
mod vm_roots;

pub use self::address_collector::{AddressCollector, AddressWorker, CollectedAddresses};
pub use self::builder::{CollectedReferences, HeapBuilder, HeapColumns, RowWriter};
pub use self::census::{Census, CensusRow};
pub use self::classes::{Class, ClassKind, Classes, ScriptPosition, Strength};
pub use self::contents::IdLifetime;
pub use self::contents::{
    AllocationSites, CommonShape, Contents, ContentsError, Field, FieldReferences, FileRecords, Fingerprint,
    Fingerprints, LibraryObjects, LogicalCollection, LogicalEntry, LogicalKind, ObjectTexts, ObjectValues,
    PrefetchStep, RecordedText, ReferenceKind, ReferenceName, ReferenceNames, Role, SnapshotContents, ThreadStacks,
    Vacated, Value, ValueKind, shown_names,
};
pub use self::contents::{ContentHash, FieldNames, unambiguous};
pub use self::excluded_references::{ExcludedReferenceList, ExcludedReferences};
pub use self::figures::{Amounts, Figure};
pub use self::file_references::{FileReferences, SoftLinks};
pub use self::ids::{Address, ClassId, ObjectId};
pub use self::notes::{ImportNote, NoteTopic, Severity};
pub use self::origin::{FileSize, IdStyle, Origin, SizeModel};
pub use self::original::{MappingFit, OriginalNames};
pub use self::roots::{Root, RootKind};
pub use self::rules::{Rules, VmRoots};
pub use self::script_sources::{ScriptSources, SourceLocation, SourceVariable};
pub use self::snapshot::{MemoryType, Snapshot};
pub use self::threads::{Stack, StackLocal, StackOwner, ThreadState};
pub use self::{
    address_map::AddressMap, analysis::Analysis, class_name::split_class, dominator_tree::Subtree, facts::Heap,
    facts::starts_with_id, regions::RegionKind, totals::Totals,
};
