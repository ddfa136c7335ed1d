//! Which primitive values of a dump are those of the program. Tools and JVMs that protect or save private data keep the
//! arrays and write something else: question marks, zeros, no elements, or zeros after the first elements of each array.
//! Such values count as not recorded. A dump does not say that it is one of these; its strings do: no program has texts
//! that end in zeros, or none with a visible character.

use serde::{Deserialize, Serialize};

use super::runtime_rules::STRING;
use super::{census::Tally, peek::Peek, record_access::HprofContents, subrecords::RawArray, tags::BasicType};
use crate::heap::{Heap, ImportNote, ObjectId, Severity, Value};
use heaplens_base::Count;

/// Minimum number of arrays, all of them empty, that cannot be a coincidence.
const EMPTY_ARRAYS: u64 = 8;
/// Number of strings examined: among that many, a real program has one with visible text.
const STRINGS: usize = 256;
/// Minimum number of strings for a conclusion.
const LEAST: usize = 4;
/// Number of strings that are read in search of those.
const READ: usize = 1 << 20;
/// Number of objects searched for strings: a heap without any need not be searched completely.
const ROWS: usize = 1 << 22;
/// Longest array that counts as beginning of a longer one: JVMs keep 120 characters by default.
const LONGEST_BEGINNING: u32 = 1 << 16;

/// The elements of an array that are the program's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum RecordedElements {
    /// All.
    #[default]
    All,
    /// At most so many at the beginning: zeros follow in longer arrays.
    First(u32),
    /// None; the length may be wrong, too.
    Nothing,
}

/// Recorded primitive values, by where they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecordedValues {
    /// Arrays of bytes and chars.
    characters: RecordedElements,
    /// Other primitive arrays.
    numbers: RecordedElements,
    /// True if boxed values are not recorded.
    pub(super) boxes_are_blanked: bool,
}

/// Ends of primitive arrays, of bytes and chars or of other types.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ArrayEnds {
    /// Length of the longest array whose last element is not zero.
    longest: u32,
    /// Arrays whose last element is zero, by the logarithm of their length.
    zero_ended: [u64; u32::BITS as usize],
}

fn is_of_characters(kind: BasicType) -> bool {
    matches!(kind, BasicType::Byte | BasicType::Char)
}

impl ArrayEnds {
    /// Counts a primitive array with `width` bytes an element. The next record begins after its last element, so reading
    /// that costs nothing.
    #[inline]
    pub(super) fn see(both: &mut [Self; 2], array: &RawArray<'_>, width: u32) {
        let from = array.elements.len().saturating_sub(width as usize);
        let [characters, numbers] = both;
        let ends = if is_of_characters(array.kind) { characters } else { numbers };
        if array.elements.get(from..).is_some_and(|last| last.iter().any(|&byte| byte != 0)) {
            ends.longest = ends.longest.max(array.length);
        } else if let Some(count) = array.length.checked_ilog2().and_then(|log| ends.zero_ended.get_mut(log as usize)) {
            *count += 1;
        }
    }

    /// Merges the ends of other arrays.
    pub(super) fn join(&mut self, other: Self) {
        self.longest = self.longest.max(other.longest);
        self.zero_ended.iter_mut().zip(other.zero_ended).for_each(|(mine, theirs)| *mine += theirs);
    }

    /// True if there are arrays that may be longer than all whose last element is not zero.
    fn may_be_limited(&self) -> bool {
        let log = self.longest.checked_ilog2().unwrap_or_default() as usize;
        self.longest < LONGEST_BEGINNING && self.zero_ended.iter().skip(log).sum::<u64>() >= LEAST as u64
    }
}

impl RecordedValues {
    /// Finds what a dump records, by its counts and its strings.
    pub(super) fn find(count: &Tally, heap: &Heap, contents: &HprofContents) -> Self {
        let nothing = RecordedElements::Nothing;
        if is_emptied(count) {
            return Self { characters: nothing, numbers: nothing, boxes_are_blanked: false };
        }
        let [characters, numbers] = &count.ends;
        match examine(heap, contents, characters) {
            None => Self::default(),
            Some(StringContents::Marks) => Self { characters: nothing, numbers: nothing, boxes_are_blanked: true },
            Some(StringContents::Zeros) => {
                // Numbers may have been left as they are.
                let has_numbers = numbers.longest > 0;
                let numbers = if has_numbers { RecordedElements::All } else { nothing };
                Self { characters: nothing, numbers, boxes_are_blanked: !has_numbers }
            }
            Some(StringContents::Beginnings(length)) => {
                // The limit of these arrays may be higher: which of the longer ones end in zeros of the program is unknown.
                let [characters, numbers] = [length, numbers.longest].map(RecordedElements::First);
                Self { characters, numbers, boxes_are_blanked: false }
            }
        }
    }

    /// Number of elements at the beginning of a primitive array that are the program's.
    pub(super) fn elements(self, array: &RawArray<'_>) -> u32 {
        let recorded = if is_of_characters(array.kind) { self.characters } else { self.numbers };
        match recorded {
            _ if !array.is_recorded() => 0,
            RecordedElements::All => array.length,
            RecordedElements::First(count) => array.length.min(count),
            RecordedElements::Nothing => 0,
        }
    }

    /// True if all elements of a primitive array are the program's.
    pub(super) fn is_whole(self, array: &RawArray<'_>) -> bool {
        let recorded = if is_of_characters(array.kind) { self.characters } else { self.numbers };
        recorded != RecordedElements::Nothing && array.is_recorded() && self.elements(array) == array.length
    }

    /// Note about what is not recorded.
    pub(super) fn note(self) -> Option<ImportNote> {
        let message = match (self.characters, self.numbers) {
            (RecordedElements::All, _) => return None,
            (RecordedElements::Nothing, RecordedElements::All) => {
                "contents of all byte and char arrays were blanked by a tool: texts are not available".to_owned()
            }
            (RecordedElements::Nothing, _) => {
                "contents of all primitive arrays were blanked by a tool: they are not available".to_owned()
            }
            (RecordedElements::First(characters), numbers) => {
                let others = match numbers {
                    RecordedElements::First(count) => format!("and the first {} of others ", Count(count.into())),
                    _ => String::new(),
                };
                format!(
                    "only the first {} elements of byte and char arrays {others}were written to the dump, zeros after \
                     them: longer texts and arrays are not compared, nor reported as waste",
                    Count(characters.into())
                )
            }
        };
        // No object, size or reference is missing.
        Some(ImportNote::new(Severity::Info, 1, message, None))
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
    /// Number of elements up to the last that is not zero.
    used: u32,
    /// Whether the cached hash is that of the characters; `None` if there is none.
    has_hash: Option<bool>,
}

impl WrittenString<'_> {
    fn is_of_marks(&self) -> bool {
        match self.array.kind {
            BasicType::Char => self.array.elements.as_chunks::<2>().0.iter().all(|unit| *unit == [0, b'?']),
            _ => self.array.elements.iter().all(|byte| *byte == b'?'),
        }
    }
}

/// Reads the characters of a string; `None` without any.
fn written(peek: Peek<'_>, string: ObjectId) -> Option<WrittenString<'_>> {
    let fields = peek.fields(string, STRING)?;
    let array = peek.array(fields.object(&["value"])?)?;
    if !array.is_recorded() || array.length == 0 || !is_of_characters(array.kind) {
        return None;
    }
    let width = if array.kind == BasicType::Char { 2 } else { 1 };
    let zeros = array.elements.iter().rev().take_while(|&&byte| byte == 0).count();
    let used = (array.elements.len() - zeros).div_ceil(width) as u32;
    // JDK 6 shares arrays among strings, which hash a part of them.
    let cached = match (fields.get("hash"), fields.get("count")) {
        (Some(Value::Int(hash)), None) if hash != 0 => Some(hash),
        _ => None,
    };
    let add = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(unit.into());
    let units = || array.elements.as_chunks::<2>().0.iter();
    let hash = match (array.kind, fields.get("coder")) {
        (BasicType::Char, _) => units().fold(0, |hash, &unit| add(hash, u16::from_be_bytes(unit))),
        (_, Some(Value::Byte(1))) => units().fold(0, |hash, &unit| add(hash, u16::from_le_bytes(unit))),
        _ => array.elements.iter().fold(0, |hash, &byte| add(hash, byte.into())),
    };
    Some(WrittenString { array, used, has_hash: cached.map(|cached| cached == hash) })
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
    let long = strings().take(READ).filter(|string| string.array.length > ends.longest);
    let long: Vec<WrittenString<'_>> = long.take(STRINGS).collect();
    let length = long.iter().map(|string| string.used).max()?.max(ends.longest);
    let cut: Vec<_> = long.iter().filter(|string| string.array.length > length).collect();
    let any = |has_hash| cut.iter().any(|string| string.has_hash == Some(has_hash));
    let is_proven = any(false) || cut.len() >= LEAST && !any(true);
    is_proven.then_some(StringContents::Beginnings(length))
}
