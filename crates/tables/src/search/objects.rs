//! Objects by id: the whole id, with or without `0x`, or its first digits.

use super::hits::{Hit, Hits, object_hit};
use super::matching::{Fit, Tier};
use heaplens_heap::{Address, Heap, ObjectId};
use heaplens_session::OpenDump;

/// Minimum number of digits for a prefix of an id without `0x`; shorter texts are words.
const DIGITS: usize = 4;

/// Objects whose id equals `text` or begins with it, at most `most`. `is_only` is true if the text is certainly an id.
pub fn objects(dump: &OpenDump, text: &str, is_only: bool, most: usize) -> Hits {
    let (objects_found, total) = find(&dump.heap, text, is_only, most);
    let typed = text.trim_start_matches("0x").trim_start_matches("0X").to_lowercase();
    let hit = |object: ObjectId| {
        let id = dump.heap.id_text(object);
        let is_complete = id.trim_start_matches("0x") == typed;
        // Four hexadecimal digits may be a word: then results with that name come first.
        let tier = match (is_complete, total == 1 || is_only) {
            (true, _) => Tier::Exact,
            (false, true) => Tier::Prefix,
            (false, false) => Tier::Inside,
        };
        Hit { fit: Fit { tier, skipped: 0 }, ..object_hit(dump, object) }
    };
    let mut hits = Hits { total, ..Hits::of(objects_found.into_iter().map(hit).collect()) };
    if is_only && hits.hits.is_empty() {
        let note = if typed.is_empty() { "Type an object id or its first digits" } else { "No object has this id" };
        hits.note = Some(note.to_owned());
    }
    hits
}

/// Objects whose id equals `text` or begins with it, the exact match first, at most `most`; and the number of all.
/// `hex` is true if the text is certainly an id.
fn find(heap: &Heap, text: &str, hex: bool, most: usize) -> (Vec<ObjectId>, u64) {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let is_hex = !digits.is_empty() && digits.len() <= 16 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = u64::from_str_radix(digits, 16).ok().filter(|_| is_hex);
    // Some formats number their objects in decimal digits.
    let exact = number.filter(|_| heap.is_in_order()).and_then(|number| heap.at(Address(number)));
    let exact = exact.or_else(|| heap.find(text));
    let mut ids: Vec<ObjectId> = exact.into_iter().collect();
    let mut total = ids.len() as u64;
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
        ids.extend(rows.take(most.saturating_sub(ids.len())).filter_map(ObjectId::from_raw));
    }
    (ids, total)
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
