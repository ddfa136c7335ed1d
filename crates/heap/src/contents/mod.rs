//! Contents of single objects, read from the file on demand. Declared here and implemented by every format, so the code
//! above never depends on a format.
//!
//! Each trait has the questions of one kind of caller. A format implements those it has data for, the others are empty;
//! [`Contents`] is their sum. Functions that ask one kind of question take that trait: `&dyn Contents` converts to each.

mod fields;
mod fingerprints;
mod library;
mod logical;
mod records;
mod references;
mod snapshot;
mod stacks;
mod texts;
mod values;

use std::sync::Arc;

pub use self::fields::FieldReferences;
pub use self::fingerprints::{ContentHash, Fingerprint, Fingerprints, PrefetchStep, ValueKind};
pub use self::library::{LibraryObjects, Role};
pub use self::logical::{Capacity, LogicalCollection, LogicalEntry, LogicalKind, Vacated};
pub use self::records::FileRecords;
pub use self::references::{ReferenceKind, ReferenceName, ReferenceNames};
pub use self::snapshot::{CommonShape, IdLifetime, NamedObjects, ScriptLocation, SnapshotContents};
pub use self::stacks::{AllocationSites, ThreadStacks};
pub use self::texts::{MISSING, ObjectTexts, RecordedText};
pub use self::values::{ContentsError, Field, FieldNames, ObjectValues, Value, shown_names, unambiguous};
use super::original::{MappingFit, OriginalNames};
use super::{Heap, ScriptSources, collection_list::CollectionList};

/// Reads the contents of objects. Shared between threads; every call is cheap enough for a visible object, none for all
/// objects.
///
/// A stored analysis may be opened without its dump. Then everything that follows from the heap's references, names and
/// shapes is exact, and the rest is [`Value::Unavailable`] or absent: no result is a guess.
pub trait Contents:
    ObjectValues
    + ObjectTexts
    + ReferenceNames
    + FieldReferences
    + LibraryObjects
    + Fingerprints
    + FileRecords
    + ThreadStacks
    + AllocationSites
    + SnapshotContents
{
    /// Serializes the data needed to read objects again, besides the file: names and shapes, no values.
    fn save(&self) -> Vec<u8>;

    /// The same contents with the original names of fields, classes and frames, and the degree to which the mapping
    /// fits. `None` if the format has no names to map.
    fn renamed(&self, _names: &dyn OriginalNames) -> Option<(Arc<dyn Contents>, MappingFit)> {
        None
    }

    /// The same contents with these sources of its scripts, or without any. `None` if the format has no scripts.
    fn with_sources(&self, _sources: Option<Arc<dyn ScriptSources>>) -> Option<Arc<dyn Contents>> {
        None
    }

    /// The same contents with another list of collections. `None` if the format has none.
    fn with_collections(&self, _heap: &Heap, _list: &Arc<CollectionList>) -> Option<Arc<dyn Contents>> {
        None
    }
}
