//! Metadata of the classes of a class loader: memory outside of the heap, of which a dump has nothing.

use super::dump_only::CLASS;
use super::part::Basis;
use crate::answers::DumpData;
use crate::loaders::LoaderRow;
use heaplens_base::Bytes;
use heaplens_heap::format::Format;

/// Bytes of the metadata of the classes that a loader has defined, and how they are known. With a record of the process
/// they are the loader's part of what the virtual machine counted, by the class of loaders if it told that, else by the
/// number of classes. Without one each class counts as much as is usual. `None` of other machines than HotSpot.
pub fn class_metadata(dump: DumpData<'_>, row: &LoaderRow) -> Option<(Bytes, Basis)> {
    (dump.heap.origin.format == Format::Hprof).then(|| of_hotspot(dump, row))
}

fn of_hotspot(dump: DumpData<'_>, row: &LoaderRow) -> (Bytes, Basis) {
    let classes = row.classes.len() as u64;
    let jvm = dump.record.and_then(|record| record.jvm.as_ref());
    let Some((jvm, used)) = jvm.and_then(|jvm| Some((jvm, jvm.metaspace.as_ref()?.used))) else {
        return (Bytes(classes.saturating_mul(CLASS)), Basis::Assumed);
    };
    let name = row.loader.map_or("", |loader| &*dump.heap.class(loader).name);
    match jvm.loaders.iter().find(|loaders| loaders.class == name) {
        Some(alike) => {
            let all = jvm.loaders.iter().fold(0, |sum: u64, loaders| sum.saturating_add(loaders.size));
            let of_alike = part(used, alike.size, all);
            (Bytes(part(of_alike, classes.min(alike.classes), alike.classes)), Basis::Measured)
        }
        None if jvm.loaders.is_empty() => (Bytes(part(used, classes, dump.heap.classes.len() as u64)), Basis::Inferred),
        // The virtual machine counted the metadata of all others.
        None => (Bytes(0), Basis::Measured),
    }
}

/// `part` of `all`, of an amount.
fn part(amount: u64, part: u64, all: u64) -> u64 {
    let bytes = u128::from(amount) * u128::from(part) / u128::from(all.max(1));
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
