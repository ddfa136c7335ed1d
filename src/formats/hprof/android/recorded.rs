//! Whether arrays of numbers and characters still hold what they held. Tools
//! that make dumps fit to be sent away leave the arrays and blank them: with
//! question marks and zeros, or by making them empty. What such an array says is
//! no value of the program, so it counts as not recorded.

use crate::formats::hprof::contents::HprofContents;
use crate::formats::hprof::peek::Peek;
use crate::formats::hprof::tags::BasicType;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;

/// Strings looked at: among so many of a program one says something.
const STRINGS: usize = 256;
/// So few say nothing.
const LEAST: usize = 4;

/// Whether all texts are blank.
pub(in crate::formats::hprof) fn is_blanked(heap: &Heap, contents: &HprofContents) -> bool {
    let Some(string) = heap.classes.named("java.lang.String") else { return false };
    let (peek, rows) = (Peek { contents, heap }, heap.class_rows());
    let strings = (0..heap.len() as u32).filter(|&row| rows.get(row) == Some(string)).filter_map(ObjectId::from_raw);
    let mut seen = 0;
    for string in strings.take(16 * STRINGS) {
        // One of old Android shares its array, of which an empty one has no part at all.
        let array = peek.fields(string, "java.lang.String").and_then(|fields| fields.object(&["value"]));
        let Some(array) = array.and_then(|array| peek.array(array)).filter(|array| array.is_recorded()) else {
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
