//! Common steps of reading a heap dump: collect all addresses first, with the plan that fits them, and derive the
//! remaining facts at the end.

use std::sync::Arc;

use super::contents::{NumberedContents, Records};
use super::derived_facts::{self, ClassDetails, derive_facts};
use super::javacore::{Javacore, ThreadTable};
use crate::error::{FormatError, OpenError};
use crate::reading::BuiltHeap;
use heaplens_base::{Cancelled, Task, Unit, storage::MemoryBudget};
use heaplens_heap::address_collector::{AddressMapError, AddressPlan};
use heaplens_heap::{
    AddressCollector, Classes, CollectedAddresses, CollectedReferences, HeapBuilder, ImportNote, ObjectId, Origin,
    roots::Roots,
};

#[derive(Debug, Clone, Copy)]
pub(crate) struct CountingParameters {
    /// Display name of the format.
    pub(crate) format: &'static str,
    /// Bytes of the file.
    pub(crate) bytes: usize,
    /// Maximum size of the address collector, in bytes.
    pub(crate) room: usize,
}

/// Counts everything; repeats it with another plan if the addresses did not fit the first one. `none` returns offset,
/// expected and actual content for an error if no object was counted.
pub(crate) fn collect_addresses<T>(
    CountingParameters { format, bytes, room }: CountingParameters,
    budget: &MemoryBudget,
    task: &Task,
    count: impl Fn(&AddressCollector) -> Result<T, Cancelled>,
    none: impl Fn(&T) -> Option<(u64, &'static str, &'static str)>,
) -> Result<(T, CollectedAddresses), OpenError> {
    let mut plan = AddressPlan::Bitmap { shift: 3 };
    loop {
        // Restart the step, or progress would exceed its total.
        task.step("Counting objects", Unit::Bytes, bytes as u64);
        let collector = AddressCollector::new(plan, room);
        let counted = count(&collector)?;
        if let Some((offset, expected, actual)) = none(&counted) {
            return Err(FormatError::new(format, offset, expected, actual, "Take or copy the dump again.").into());
        }
        match collector.finish(budget) {
            Ok(addresses) => return Ok((counted, addresses)),
            Err(AddressMapError::Plan(other)) => plan = other,
            Err(AddressMapError::TooMany) => {
                return Err(FormatError::too_many_objects(format, "Take a dump of a smaller heap.").into());
            }
        }
    }
}

/// Data read from a dump.
pub(crate) struct DumpParts<'a, R> {
    /// With all rows filled.
    pub(crate) builder: HeapBuilder<'a>,
    pub(crate) classes: Classes,
    pub(crate) origin: Origin,
    pub(crate) notes: Vec<ImportNote>,
    /// References of all objects.
    pub(crate) parts: Vec<CollectedReferences>,
    /// Facts in class records besides the names.
    pub(crate) details: Vec<ClassDetails>,
    /// True, by class, if the instances of a class are loaders.
    pub(crate) loaders: Vec<bool>,
    pub(crate) javacore: Option<Javacore<ObjectId>>,
    /// Reader for single records.
    pub(crate) records: R,
}

/// Builds the heap, including facts derived from the dump.
pub(crate) fn finish<R: Records + 'static>(read: DumpParts<'_, R>, task: &Task) -> Result<BuiltHeap, OpenError> {
    let DumpParts { builder, classes, origin, notes, parts, details, loaders, javacore, records } = read;
    let bootstrap = derived_facts::bootstrap_loader(&builder, &classes);
    let class_of = |object: ObjectId| builder.class_of(object.raw());
    let derived = derive_facts(&classes, &details, class_of, &loaders, bootstrap, javacore.as_ref());
    task.step("Linking references", Unit::References, 0);
    let made = derived.references.clone();
    let built = builder.finish(origin, Roots::default(), notes, parts, derived.references, task)?;
    let mut built = built.with_made_references(&made).with_inferred_roots(derived.roots, task)?;
    built.heap.classes = derived_facts::with_loaders(&classes, &derived.loaders);
    let threads = javacore.map(ThreadTable::from).unwrap_or_default();
    Ok((built, Arc::new(NumberedContents::new(records, threads))))
}
