//! Objects by id: the whole id, with or without `0x`, or its first digits.

use heaplens_core::heap::facts::Heap;
use heaplens_core::heap::ids::{Address, ObjectId};

/// Minimum number of digits for a prefix of an id without `0x`; shorter texts are words.
const DIGITS: usize = 4;

/// Objects whose id equals `text` or begins with it, the exact match first, at most `most`; and the number of all.
/// `hex` is true if the text is certainly an id.
pub(super) fn find(heap: &Heap, text: &str, hex: bool, most: usize) -> (Vec<ObjectId>, u64) {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let is_hex = !digits.is_empty() && digits.len() <= 16 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = u64::from_str_radix(digits, 16).ok().filter(|_| is_hex);
    // Some formats number their objects in decimal digits.
    let exact = number.filter(|_| heap.is_in_order()).and_then(|number| heap.at(Address(number)));
    let exact = exact.or_else(|| heap.find(text));
    let mut found: Vec<ObjectId> = exact.into_iter().collect();
    let mut total = found.len() as u64;
    // Without address order, ids with the same prefix are not adjacent.
    let prefix = number.filter(|_| heap.is_in_order()).filter(|&number| number > 0 && (hex || digits.len() >= DIGITS));
    for shift in (4..64).step_by(4) {
        let Some(first) = prefix.and_then(|number| number.checked_shl(shift)) else { break };
        if first >> shift != prefix.unwrap_or_default() {
            break;
        }
        let last = first | ((1 << shift) - 1);
        let rows = rank(heap, first)..last.checked_add(1).map_or(heap.len() as u32, |end| rank(heap, end));
        total += u64::from(rows.end - rows.start);
        found.extend(rows.take(most.saturating_sub(found.len())).filter_map(ObjectId::from_raw));
    }
    (found, total)
}

/// Number of objects below an address.
fn rank(heap: &Heap, address: u64) -> u32 {
    let (mut low, mut high) = (0, heap.len() as u32);
    while low < high {
        let middle = low.midpoint(high);
        let below = ObjectId::from_raw(middle).is_some_and(|object| heap.address(object).0 < address);
        (low, high) = if below { (middle + 1, high) } else { (low, middle) };
    }
    low
}
