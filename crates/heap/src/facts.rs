//! Facts from the file, as immutable columns.

use std::cmp::Reverse;
use std::sync::Arc;

use super::notes::Severity;
use super::{
    Address, AddressMap, Class, ClassId, Classes, IdStyle, ImportNote, ObjectId, Origin, Snapshot, Strength,
    address_map::Finder, native::NativeBytes, regions::Regions, roots::Roots, sizes::Sizes,
};
use heaplens_base::Bytes;
use heaplens_base::storage::{Column, Numbers, Slices};
use heaplens_graph::{Bits, Digraph, Links, Rows};

/// One heap. Rows are objects in address order. Columns that do not depend on references are shared with heaps derived
/// by excluding some.
#[derive(Clone)]
pub struct Heap {
    /// Format, producer and size model of the file.
    pub origin: Origin,
    /// The class table.
    pub classes: Classes,
    /// The GC roots.
    pub roots: Roots,
    /// Parse warnings: what was skipped, truncated or inferred while the file was read.
    pub notes: Vec<ImportNote>,
    pub(super) addresses: Arc<AddressMap>,
    /// Class of each object, as a raw [`ClassId`].
    pub(super) class_of: Arc<Numbers>,
    pub(super) shallow: Arc<Sizes>,
    /// File offset of the record of each object; [`FileOffsets::NOWHERE`] for synthetic objects.
    pub(super) offsets: Arc<FileOffsets>,
    /// Outgoing references, without the one to the class.
    pub(super) references: Arc<Links>,
    /// Number of objects whose class has a class object, to which each refers.
    pub(super) to_classes: u64,
    /// Number of dangling references.
    pub(super) unresolved: u64,
    /// Objects whose last references are synthetic, and their number; ascending.
    pub(super) made: Arc<[(u32, u32)]>,
    /// Objects whose first outgoing reference is their `referent`, ascending.
    pub(super) referent_first: Arc<Column<u32>>,
    /// Region of each object, if the format records regions.
    pub(super) regions: Option<Arc<Regions>>,
    /// Native memory of objects.
    pub(super) native: Arc<NativeBytes>,
    /// Data found only in snapshots of JavaScript engines.
    pub(super) snapshot: Option<Arc<Snapshot>>,
    /// Rows of the objects that were reachable in the heap from which this one was derived by excluding references, and are
    /// not in this one; `None` of a heap that was read.
    pub(super) freed: Option<Arc<Bits>>,
}

/// Classes by row, as a slice.
#[derive(Clone, Copy)]
pub struct ClassRows<'a>(Slices<'a>);

impl ClassRows<'_> {
    /// The class of the object at a row; `None` past the end.
    #[inline]
    pub fn get(self, row: u32) -> Option<ClassId> {
        self.0.get(row as usize).and_then(ClassId::from_raw)
    }

    /// Loads the class of a row in the background.
    #[inline]
    pub fn prefetch(self, row: u32) {
        self.0.prefetch(row as usize);
    }

    /// The same; past the end the placeholder class of [`Heap::class_id`].
    #[inline]
    pub fn of(self, row: u32) -> ClassId {
        self.get(row).unwrap_or(ClassId::NOWHERE)
    }
}

impl Heap {
    /// Number of objects.
    pub fn len(&self) -> usize {
        self.class_of.len()
    }

    /// True if there are no objects.
    pub fn is_empty(&self) -> bool {
        self.class_of.is_empty()
    }

    /// True if a part of the file could not be read: figures are of the rest.
    pub fn is_incomplete(&self) -> bool {
        self.worst_note().is_some()
    }

    /// The most severe note on a part of the file that could not be read, the first of several; `None` if all was read.
    pub fn worst_note(&self) -> Option<&ImportNote> {
        let faults = self.notes.iter().filter(|note| note.severity != Severity::Info);
        faults.min_by_key(|note| Reverse(note.severity))
    }

    /// All objects, in address order.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.len() as u32).filter_map(ObjectId::from_raw)
    }

    /// The class of an object.
    #[inline]
    pub fn class_id(&self, object: ObjectId) -> ClassId {
        // Invalid class numbers of a damaged file map to a placeholder class.
        self.class_of.get(object.index()).and_then(ClassId::from_raw).unwrap_or(ClassId::NOWHERE)
    }

    /// Loads in the background what [`Heap::class_id`] reads.
    #[inline]
    pub fn prefetch_class(&self, row: u32) {
        self.class_of.prefetch(row as usize);
    }

    /// The class of an object.
    pub fn class(&self, object: ObjectId) -> &Class {
        self.classes.get(self.class_id(object))
    }

    /// Class of each object, for bulk access.
    pub fn class_rows(&self) -> ClassRows<'_> {
        ClassRows(self.class_of.slices())
    }

    /// Raw class ids by row, the column itself.
    pub fn class_column(&self) -> &Numbers {
        &self.class_of
    }

    /// Shallow size of the object in bytes: of the object itself, by the size model of the heap.
    #[inline]
    pub fn shallow(&self, object: ObjectId) -> Bytes {
        self.shallow.get(object.raw())
    }

    /// Loads in the background what [`Heap::shallow`] reads.
    #[inline]
    pub fn prefetch_shallow(&self, row: u32) {
        self.shallow.prefetch(row);
    }

    /// Address of the object.
    pub fn address(&self, object: ObjectId) -> Address {
        self.addresses.address(object.raw())
    }

    /// Addresses of the objects from `row` on, in row order.
    pub fn addresses_from(&self, row: usize) -> impl Iterator<Item = Address> + '_ {
        self.addresses.addresses_from(u32::try_from(row).unwrap_or(u32::MAX)).map(Address)
    }

    /// All ids, each with its row, ascending.
    pub fn ids_in_order(&self) -> Vec<(u64, u32)> {
        self.addresses.in_order()
    }

    /// Looks up many objects by their addresses.
    pub fn finder(&self) -> Finder<'_> {
        self.addresses.finder()
    }

    /// Id of the object in the notation of the format.
    pub fn id_text(&self, object: ObjectId) -> String {
        self.origin.ids.text(self.address(object))
    }

    /// True if rows are in the order of the ids.
    pub fn is_in_order(&self) -> bool {
        self.addresses.is_in_order()
    }

    /// Data found only in snapshots of JavaScript engines; `None` in other heaps.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_deref()
    }

    /// Regions of the heap, if its format has any.
    pub fn regions(&self) -> Option<&Regions> {
        self.regions.as_deref()
    }

    /// The name of the region an object is in.
    pub fn region_name(&self, object: ObjectId) -> Option<&str> {
        self.regions().map(|regions| regions.name(object))
    }

    /// Native memory recorded for an object, in bytes.
    pub fn native(&self, object: ObjectId) -> Bytes {
        self.native.of_row(object.raw())
    }

    /// All objects that own native memory.
    pub fn native_bytes(&self) -> &NativeBytes {
        &self.native
    }

    /// The object at an address; `None` if no object begins there.
    pub fn at(&self, address: Address) -> Option<ObjectId> {
        self.addresses.object(address)
    }

    /// Object for an id entered by a user: `0x…`, `@…` or digits; `None` if it is no id, or of no object.
    /// [`starts_with_id`] tells ids from names.
    pub fn find(&self, text: &str) -> Option<ObjectId> {
        let text = text.trim();
        let text = text.strip_prefix('@').filter(|_| self.origin.ids == IdStyle::Number).unwrap_or(text);
        let address = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => u64::from_str_radix(hex, 16).ok()?,
            None if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok()?,
            _ => return None,
        };
        self.at(Address(address))
    }

    /// Offset of the record of the object in the (unpacked) file.
    pub fn file_offset(&self, object: ObjectId) -> Option<u64> {
        self.offsets.get(object.raw())
    }

    /// Loads in the background what [`Heap::file_offset`] reads.
    #[inline]
    pub fn prefetch_file_offset(&self, row: u32) {
        self.offsets.low.prefetch(row as usize);
    }

    /// Loads in the background what [`Heap::at`] reads.
    #[inline]
    pub fn prefetch_address(&self, address: Address) {
        self.addresses.prefetch(address.0);
    }

    /// Loads in the background where the references of the object in a row are.
    #[inline]
    pub fn prefetch_references_start(&self, row: u32) {
        self.references.prefetch_start(row);
    }

    /// Outgoing references as rows, without the one to the class; including repetitions.
    pub fn references(&self, object: ObjectId) -> &[u32] {
        self.references.row(object.raw())
    }

    /// Outgoing references as rows, as recorded in the file, in file order: without synthetic ones.
    pub fn own_references(&self, object: ObjectId) -> &[u32] {
        let all = self.references(object);
        &all[..all.len().saturating_sub(self.synthetic_references(object))]
    }

    /// Number of [`Heap::own_references`], which is less work than to find them.
    pub fn own_reference_count(&self, object: ObjectId) -> usize {
        self.references.degree(object.raw()).saturating_sub(self.synthetic_references(object))
    }

    fn synthetic_references(&self, object: ObjectId) -> usize {
        self.made.binary_search_by_key(&object.raw(), |&(of, _)| of).map_or(0, |at| self.made[at].1 as usize)
    }

    /// True if it was derived from another heap by excluding references.
    pub fn is_reduced(&self) -> bool {
        self.freed.is_some()
    }

    /// True if the heap was derived from another one in which an object was reachable, and here it is not.
    pub fn is_freed(&self, object: ObjectId) -> bool {
        self.freed.as_ref().is_some_and(|freed| freed.contains(object.raw()))
    }

    /// True if it was derived from this other heap by excluding references: a row is the same object in both.
    pub fn is_reduced_from(&self, other: &Self) -> bool {
        self.is_reduced() && !other.is_reduced() && Arc::ptr_eq(&self.class_of, &other.class_of)
    }

    /// Number of references, including those to classes.
    pub fn reference_count(&self) -> u64 {
        let non_retaining = self.snapshot.as_ref().map_or(0, |snapshot| snapshot.non_retaining.edges());
        self.references.edges() as u64 + non_retaining as u64 + self.to_classes
    }

    /// Number of references to addresses without an object in the file; they are not part of this heap.
    pub fn unresolved_references(&self) -> u64 {
        self.unresolved
    }

    /// Strength of the `position`-th outgoing reference of `object`.
    pub fn strength(&self, object: ObjectId, position: usize) -> Strength {
        if position == 0 && self.has_referent_first(object) { self.class(object).strength } else { Strength::Strong }
    }

    /// True if the first outgoing reference of an object is its `referent`.
    pub fn has_referent_first(&self, object: ObjectId) -> bool {
        self.referent_first.all().binary_search(&object.raw()).is_ok()
    }

    /// True if a phantom reference leads from one object to another, as from a cleaner to what it cleans up after: it keeps
    /// nothing.
    pub fn is_phantom_of(&self, from: ObjectId, object: ObjectId) -> bool {
        self.has_referent_first(from)
            && self.class(from).strength == Strength::Phantom
            && self.references(from).first() == Some(&object.raw())
    }

    /// Objects whose first outgoing reference is their `referent`.
    pub(super) fn referents(&self) -> Bits {
        let mut referents = Bits::new(self.len());
        referents.extend(self.referent_first.all().iter().copied());
        referents
    }

    /// Objects whose `referent` is not followed with a limit of `weakest`. `None` if all are followed.
    pub fn referents_beyond(&self, weakest: Strength) -> Option<Bits> {
        if weakest == Strength::Phantom {
            return None;
        }
        let mut beyond = Bits::new(self.len());
        for object in self.referent_first.all().iter().copied().filter_map(ObjectId::from_raw) {
            if self.class(object).strength > weakest {
                beyond.insert(object.raw());
            }
        }
        Some(beyond)
    }

    /// The heap as a graph: `references` are its own, in memory or in a file; `skip` is the result of
    /// [`Heap::referents_beyond`].
    pub fn graph<'a>(&'a self, references: Rows<'a>, skip: Option<&'a Bits>) -> Digraph<'a> {
        let group_of = self.class_of.slices();
        Digraph { edges: references, group_of, hubs: self.classes.hubs(), skip_first: skip }
    }
}

/// True if a text that names an object or a cut begins with an id, as [`Heap::find`] takes it: `0x…`, `@…` or digits.
/// Ids are valid only in their own dump.
pub fn starts_with_id(text: &str) -> bool {
    let text = text.trim_start();
    text.strip_prefix('@').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit())
}

/// File offsets, with 32 bits each if the file is below 4 GiB, otherwise 40 bits.
#[derive(Default)]
pub(super) struct FileOffsets {
    low: Column<u32>,
    /// Bits 32 to 39; `None` if all are zero.
    high: Option<Column<u8>>,
}

impl FileOffsets {
    /// Offset of a synthetic object. No record begins at 0, where the header is.
    pub(super) const NOWHERE: u64 = 0;

    pub(super) fn new(low: Column<u32>, high: Column<u8>) -> Self {
        Self { low, high: Some(high).filter(|high| !high.is_empty()) }
    }

    fn get(&self, row: u32) -> Option<u64> {
        let high = self.high.as_ref().and_then(|high| high.get(row as usize)).map_or(0, u64::from);
        let offset = high << 32 | u64::from(self.low.get(row as usize)?);
        (offset != Self::NOWHERE).then_some(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ_from_names() {
        for id in ["0x7f00", "0X1", "17", "@17", " @17", "@12:@34", "0x10.field", "@5[0]"] {
            assert!(starts_with_id(id), "{id}");
        }
        for name in ["", "@", "@scope/name", "desk.Cache", "object @17", "#17", "root <1>"] {
            assert!(!starts_with_id(name), "{name}");
        }
    }
}
