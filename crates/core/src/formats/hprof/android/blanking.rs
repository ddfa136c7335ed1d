//! Detection of blanked primitive arrays. Tools that remove private data keep the arrays and blank them with question
//! marks and zeros, or make them empty. Such contents are not values of the program, so they count as not recorded.

use crate::formats::{
    hprof::census::Tally, hprof::peek::Peek, hprof::record_access::HprofContents, hprof::tags::BasicType,
};
use crate::heap::{Heap, ObjectId};

/// Minimum number of arrays, all of them empty, that cannot be a coincidence.
const EMPTY_ARRAYS: u64 = 8;
/// Number of strings examined: among that many, a real program has one with visible text.
const STRINGS: usize = 256;
/// Minimum number of strings for a conclusion.
const LEAST: usize = 4;
/// Number of objects searched for strings: a heap without any need not be searched completely.
const ROWS: usize = 1 << 22;

/// True if all primitive arrays are empty, as some tools make them.
pub(in crate::formats::hprof) fn is_emptied(count: &Tally) -> bool {
    let all = || count.primitive_arrays.iter();
    all().all(|arrays| arrays.element_bytes == 0) && all().map(|arrays| arrays.objects).sum::<u64>() >= EMPTY_ARRAYS
}

/// True if all texts are blank.
pub(in crate::formats::hprof) fn is_blanked(heap: &Heap, contents: &HprofContents) -> bool {
    let Some(string) = heap.classes.named("java.lang.String") else { return false };
    let (peek, rows) = (Peek { contents, heap }, heap.class_rows());
    let strings =
        (0..heap.len().min(ROWS) as u32).filter(|&row| rows.get(row) == Some(string)).filter_map(ObjectId::from_raw);
    let mut seen = 0;
    for string in strings.take(16 * STRINGS) {
        let array = peek.fields(string, "java.lang.String").and_then(|fields| fields.object(&["value"]));
        let Some(array) = array.and_then(|array| peek.array(array)).filter(|array| !array.elements.is_empty()) else {
            continue;
        };
        let blank = match array.kind {
            BasicType::Char => array.elements.as_chunks::<2>().0.iter().all(|unit| *unit == [0, b'?']),
            BasicType::Byte => array.elements.iter().all(|byte| *byte == b'?'),
            _ => continue,
        };
        if !blank {
            return false;
        }
        seen += 1;
        if seen == STRINGS {
            break;
        }
    }
    seen >= LEAST
}
