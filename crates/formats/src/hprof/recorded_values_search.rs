//! Search for the primitive values that a dump records. A dump does not say that a tool or JVM has replaced some; its
//! strings do: no program has texts that end in zeros, or none with a visible character.

use super::array_ends::{ArrayEnds, LEAST, is_of_characters};
use super::recorded_values::{RecordedElements, RecordedValues};
use super::runtime_rules::STRING;
use super::{census::Tally, peek::Peek, record_access::HprofContents, subrecords::RawArray, tags::BasicType};
use heaplens_heap::{Heap, ObjectId, Value};

/// Minimum number of arrays, all of them empty, that cannot be a coincidence.
const EMPTY_ARRAYS: u64 = 8;
/// Number of strings examined: among that many, a real program has one with visible text.
const STRINGS: usize = 256;
/// Number of strings that are read in search of long ones: few, since every dump with zero-filled buffers is searched.
const READ: usize = 1 << 14;
/// Number of objects searched for strings: a heap without any need not be searched completely.
const ROWS: usize = 1 << 22;

/// Finds what a dump records, by its counts and its strings.
pub(super) fn find_recorded_values(count: &Tally, heap: &Heap, contents: &HprofContents) -> RecordedValues {
    let nothing = RecordedElements::Nothing;
    if is_emptied(count) {
        return RecordedValues { characters: nothing, numbers: nothing, boxes_are_blanked: false };
    }
    let [characters, numbers] = &count.ends;
    match examine(heap, contents, characters) {
        None => RecordedValues::default(),
        Some(StringContents::Marks) => {
            RecordedValues { characters: nothing, numbers: nothing, boxes_are_blanked: true }
        }
        Some(StringContents::Zeros) => {
            // Numbers may have been left as they are.
            let has_numbers = numbers.longest > 0;
            let numbers = if has_numbers { RecordedElements::All } else { nothing };
            RecordedValues { characters: nothing, numbers, boxes_are_blanked: !has_numbers }
        }
        Some(StringContents::Beginnings(length)) => {
            // The limit of these arrays may be higher: which of the longer ones end in zeros of the program is unknown.
            let [characters, numbers] = [length, numbers.longest].map(RecordedElements::First);
            RecordedValues { characters, numbers, boxes_are_blanked: false }
        }
    }
}

/// True if all primitive arrays are empty, as some tools make them.
fn is_emptied(count: &Tally) -> bool {
    let all = || count.primitive_arrays.iter();
    all().all(|arrays| arrays.element_bytes == 0) && all().map(|arrays| arrays.objects).sum::<u64>() >= EMPTY_ARRAYS
}

/// What stands for the characters of all strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StringContents {
    /// Question marks.
    Marks,
    /// Zeros.
    Zeros,
    /// The first elements of each, and zeros after them.
    Beginnings(u32),
}

/// A string as it was written.
struct WrittenString<'a> {
    array: RawArray<'a>,
    /// Number of elements up to the last character that is not zero.
    used: u32,
    /// Hash that the string remembers; `None` if there is none.
    cached: Option<i32>,
    /// True if a byte is half of a character.
    is_wide: bool,
    /// True if it is part of its array, as in JDK 6: what follows it may be zero.
    is_part: bool,
}

impl WrittenString<'_> {
    fn is_of_marks(&self) -> bool {
        match self.array.kind {
            BasicType::Char => self.array.elements.as_chunks::<2>().0.iter().all(|unit| *unit == [0, b'?']),
            _ => self.array.elements.iter().all(|byte| *byte == b'?'),
        }
    }

    /// Whether the cached hash is that of the characters; `None` if there is none.
    fn has_hash(&self) -> Option<bool> {
        let add = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(unit.into());
        let (array, units) = (&self.array, self.array.elements.as_chunks::<2>().0.iter());
        let hash = || match (array.kind, self.is_wide) {
            (BasicType::Char, _) => units.fold(0, |hash, &unit| add(hash, u16::from_be_bytes(unit))),
            (_, true) => units.fold(0, |hash, &unit| add(hash, u16::from_le_bytes(unit))),
            _ => array.elements.iter().fold(0, |hash, &byte| add(hash, byte.into())),
        };
        self.cached.map(|cached| cached == hash())
    }
}

/// Reads the characters of a string; `None` without any.
fn written(peek: Peek<'_>, string: ObjectId) -> Option<WrittenString<'_>> {
    let fields = peek.fields(string, STRING)?;
    let array = peek.array(fields.object(&["value"])?)?;
    if !array.is_recorded() || array.length == 0 || !is_of_characters(array.kind) {
        return None;
    }
    let is_wide = fields.get("coder") == Some(Value::Byte(1));
    let zeros = array.elements.iter().rev().take_while(|&&byte| byte == 0).count();
    let bytes = array.elements.len() - zeros;
    let used = match array.kind {
        BasicType::Char => bytes.div_ceil(2),
        _ if is_wide => bytes.next_multiple_of(2),
        _ => bytes,
    };
    let is_part = fields.get("count").is_some();
    let cached = match fields.get("hash") {
        Some(Value::Int(hash)) if hash != 0 && !is_part => Some(hash),
        _ => None,
    };
    Some(WrittenString { array, used: used as u32, cached, is_wide, is_part })
}

/// What stands for the characters of the strings; `None` if they are the program's.
fn examine(heap: &Heap, contents: &HprofContents, ends: &ArrayEnds) -> Option<StringContents> {
    let string = heap.classes.named(STRING)?;
    let (peek, rows) = (Peek { contents, heap }, heap.class_rows());
    let strings =
        (0..heap.len().min(ROWS) as u32).filter(|&row| rows.get(row) == Some(string)).filter_map(ObjectId::from_raw);
    let strings = || strings.clone().filter_map(|string| written(peek, string));
    let some: Vec<WrittenString<'_>> = strings().take(STRINGS).collect();
    if some.len() >= LEAST && some.iter().all(WrittenString::is_of_marks) {
        return Some(StringContents::Marks);
    }
    if some.len() >= LEAST && some.iter().all(|string| string.used == 0) {
        return Some(StringContents::Zeros);
    }
    if !ends.may_be_limited() {
        return None;
    }
    // No text of a program ends in a zero; here all do that are longer than what was written.
    let is_long = |string: &WrittenString<'_>| !string.is_part && string.array.length > ends.longest;
    let long = strings().take(READ).filter(is_long);
    let long: Vec<WrittenString<'_>> = long.take(STRINGS).collect();
    let length = long.iter().map(|string| string.used).max()?.max(ends.longest);
    let cut: Vec<_> = long.iter().filter(|string| string.array.length > length).collect();
    let hashes: Vec<Option<bool>> = cut.iter().map(|string| string.has_hash()).collect();
    let any = |has_hash| hashes.contains(&Some(has_hash));
    let is_proven = any(false) || cut.len() >= LEAST && !any(true);
    is_proven.then_some(StringContents::Beginnings(length))
}
