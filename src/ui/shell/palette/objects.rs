//! Objects by their id: whole, with or without `0x`, or by how it begins.

use crate::heap::facts::Heap;
use crate::heap::ids::{Address, ObjectId};

/// Digits from which on text without `0x` may be the beginning of an id: fewer are words.
const DIGITS: usize = 4;

/// Objects whose id a person may mean, first the one whose whole id it is, and how many there are; at most `most`.
/// `hex` says that there is no doubt that it is an id.
pub(super) fn meant(heap: &Heap, text: &str, hex: bool, most: usize) -> (Vec<ObjectId>, u64) {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let is_hex = !digits.is_empty() && digits.len() <= 16 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = u64::from_str_radix(digits, 16).ok().filter(|_| is_hex);
    // Some formats number their objects in decimal digits.
    let exact = number.filter(|_| heap.is_in_order()).and_then(|number| heap.at(Address(number)));
    let exact = exact.or_else(|| heap.find(text));
    let mut found: Vec<ObjectId> = exact.into_iter().collect();
    let mut total = found.len() as u64;
    // Numbers in no order have no neighbours that begin alike.
    let begun = number.filter(|_| heap.is_in_order()).filter(|&number| number > 0 && (hex || digits.len() >= DIGITS));
    for shift in (4..64).step_by(4) {
        let Some(first) = begun.and_then(|number| number.checked_shl(shift)) else { break };
        if first >> shift != begun.unwrap_or_default() {
            break;
        }
        let last = first | ((1 << shift) - 1);
        let rows = rank(heap, first)..last.checked_add(1).map_or(heap.len() as u32, |end| rank(heap, end));
        total += u64::from(rows.end - rows.start);
        found.extend(rows.take(most.saturating_sub(found.len())).filter_map(ObjectId::from_raw));
    }
    (found, total)
}

/// Objects below an address.
fn rank(heap: &Heap, address: u64) -> u32 {
    let (mut low, mut high) = (0, heap.len() as u32);
    while low < high {
        let middle = low.midpoint(high);
        let below = ObjectId::from_raw(middle).is_some_and(|object| heap.address(object).0 < address);
        (low, high) = if below { (middle + 1, high) } else { (low, middle) };
    }
    low
}
