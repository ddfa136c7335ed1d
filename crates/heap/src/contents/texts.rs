//! Texts of objects, and short names by which users recognize them.

use std::fmt;

use crate::{Heap, ObjectId};
use heaplens_base::Count;

/// Stands in a text for what the file does not have of it.
pub const MISSING: char = '…';

/// How much of a text the file has. Only whole texts are compared: what is equal at the beginning may differ after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedText {
    /// All of it.
    Whole,
    /// The beginning; of a text that may be longer, if its length is unknown.
    Beginning {
        /// Number of UTF-16 code units in the file.
        units: u64,
        /// Length of the whole text in UTF-16 code units; `None` if unknown.
        total: Option<u64>,
        /// False if the length follows from a size that was rounded up.
        is_exact: bool,
    },
    /// Parts, such as the beginning and the end.
    Parts,
    /// Nothing.
    Nothing,
    /// It is only in the dump file, which is not available.
    Unavailable,
}

impl RecordedText {
    /// True if something is missing for certain: [`MISSING`] appears in its place. A text that may be whole, but is not
    /// proven to be, is shown as it is.
    pub fn is_cut(self) -> bool {
        !matches!(self, Self::Whole | Self::Beginning { total: None, .. })
    }
}

/// `first 1,024 of about 5,000 characters; the rest is not recorded`.
impl fmt::Display for RecordedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Whole => f.write_str("whole text"),
            Self::Beginning { units, total: Some(total), is_exact } => {
                let about = if is_exact { "" } else { "about " };
                write!(f, "first {} of {about}{} characters; the rest is not recorded", Count(units), Count(total))
            }
            Self::Beginning { units, total: None, .. } => {
                write!(f, "first {} characters; the rest, if any, is not recorded", Count(units))
            }
            Self::Parts => f.write_str("parts of the text; the others are not recorded"),
            Self::Nothing => f.write_str("not recorded"),
            Self::Unavailable => f.write_str("available only from the dump file, which was not found"),
        }
    }
}

/// Texts and labels of any object: what a row of a table shows, and filters match.
pub trait ObjectTexts: Send + Sync {
    /// Text value of an object (a string), up to `limit` characters. Parts that the file does not have are [`MISSING`], so
    /// the text is a value of the program only if [`Self::recorded_text`] is whole. `None` if the file has nothing of it.
    fn text(&self, heap: &Heap, object: ObjectId, limit: usize) -> Option<String>;

    /// How much of the text of an object the file has; nothing if the object has no text.
    fn recorded_text(&self, heap: &Heap, object: ObjectId) -> RecordedText {
        if self.text(heap, object, 0).is_some() { RecordedText::Whole } else { RecordedText::Nothing }
    }

    /// Short name by which users recognize the object: the text of a string, the name of a thread or class, the length
    /// of an array. `None` if there is nothing to add to class and id.
    fn label(&self, heap: &Heap, object: ObjectId) -> Option<String>;

    /// True if values of the program are replaced by a placeholder, so that equal texts prove nothing.
    fn hides_values(&self) -> bool {
        false
    }
}
