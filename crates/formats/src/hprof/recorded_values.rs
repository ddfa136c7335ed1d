//! Which primitive values of a dump are those of the program. Tools and JVMs that protect or save private data keep the
//! arrays and write something else: question marks, zeros, no elements, or zeros after the first elements of each array.
//! Such values count as not recorded.

use serde::{Deserialize, Serialize};

use super::{array_ends::is_of_characters, subrecords::RawArray};
use heaplens_base::Count;
use heaplens_heap::{ImportNote, Severity};

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
    pub(super) characters: RecordedElements,
    /// Other primitive arrays.
    pub(super) numbers: RecordedElements,
    /// True if boxed values are not recorded.
    pub(super) boxes_are_blanked: bool,
}

impl RecordedValues {
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
