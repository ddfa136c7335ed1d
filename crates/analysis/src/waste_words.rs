//! Sentences about wasted memory, shared by the overview and the leak finder.

use crate::waste::WasteKind;
use heaplens_base::Count;

/// The objects that waste memory, with their number: `4,567 duplicate strings`.
pub fn wasting(kind: WasteKind, objects: u64) -> String {
    let (one, many) = match kind {
        WasteKind::DuplicateStrings => ("duplicate string", "duplicate strings"),
        WasteKind::DuplicateArrays => ("duplicate primitive array", "duplicate primitive arrays"),
        WasteKind::ZeroArrays => ("zero-filled primitive array", "zero-filled primitive arrays"),
        WasteKind::EmptyCollections => ("empty collection", "empty collections"),
        WasteKind::SparseCollections => ("sparse collection", "sparse collections"),
        WasteKind::UnusedRoom => ("collection with unused capacity", "collections with unused capacity"),
        WasteKind::UnusedBuffers => ("string builder with unused capacity", "string builders with unused capacity"),
        WasteKind::DuplicateNumbers => ("duplicate boxed value", "duplicate boxed values"),
        WasteKind::ObjectHeaders => ("object header", "object headers"),
    };
    Count(objects).of(one, many)
}

/// Title of a waste finding: `4,567 duplicate strings waste 284 kB (3.1 %)`.
pub fn waste(kind: WasteKind, objects: u64, size: &str) -> String {
    format!("{} {} {size}", wasting(kind, objects), if objects == 1 { "wastes" } else { "waste" })
}

/// Explanation of the wasted bytes, with advice.
pub fn reason(kind: WasteKind) -> &'static str {
    match kind {
        WasteKind::DuplicateStrings => "Savings if deduplicated, for example by interning",
        WasteKind::DuplicateArrays => {
            "Savings if equal arrays, other than zero-filled ones, share one copy; safe if they are never modified"
        }
        WasteKind::ZeroArrays => "Arrays that contain only zeros. Allocate them on first use, or smaller",
        WasteKind::EmptyCollections => "Backing arrays of empty collections. Create collections on first use",
        WasteKind::SparseCollections => "Less than a quarter of the capacity is used. Set a smaller capacity, or trim",
        WasteKind::UnusedRoom => "Backing arrays have more capacity than entries. Set a smaller capacity, or trim",
        WasteKind::UnusedBuffers => "Buffers have more capacity than characters. Set a smaller capacity, or trim",
        WasteKind::DuplicateNumbers => "Savings if equal values are shared: use valueOf() or primitive types",
        WasteKind::ObjectHeaders => "Headers of all objects. Fewer, larger objects need fewer headers",
    }
}
