//! A removal as it is saved, with the dump that it was made in or in a file.

use serde::{Deserialize, Serialize};

/// Maximum number of saved cuts of a dump or a file; later steps of a dump are not saved.
pub(super) const CUTS: usize = 500;

/// A removal as it is saved: what is removed, as a text with ids, or resolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored<T>", into = "Stored<T>")]
#[serde(bound(serialize = "T: Clone + Serialize", deserialize = "T: Deserialize<'de>"))]
pub struct SavedCut<T = String> {
    /// What is removed.
    pub cut: T,
    /// True while it is switched off.
    pub is_off: bool,
    /// Note of the user.
    pub note: String,
}

impl<T> SavedCut<T> {
    /// A removal that is on and has no note.
    pub fn of(cut: T) -> Self {
        Self { cut, is_off: false, note: String::new() }
    }

    /// The same with another form of what is removed.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> SavedCut<U> {
        SavedCut { cut: change(self.cut), is_off: self.is_off, note: self.note }
    }
}

/// The text alone, as earlier versions wrote it, unless there is more to say.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored<T> {
    Plain(T),
    Full {
        cut: T,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        off: bool,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
}

impl<T> From<Stored<T>> for SavedCut<T> {
    fn from(stored: Stored<T>) -> Self {
        match stored {
            Stored::Plain(cut) => Self::of(cut),
            Stored::Full { cut, off, note } => Self { cut, is_off: off, note },
        }
    }
}

impl<T> From<SavedCut<T>> for Stored<T> {
    fn from(saved: SavedCut<T>) -> Self {
        match saved {
            SavedCut { cut, is_off: false, note } if note.is_empty() => Self::Plain(cut),
            SavedCut { cut, is_off, note } => Self::Full { cut, off: is_off, note },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removal_is_a_text_unless_it_is_off_or_has_a_note() {
        let plain = SavedCut::of("0x1:0x2".to_owned());
        let full = SavedCut { is_off: true, note: "ask Ann".to_owned(), ..plain.clone() };
        let stored = serde_json::to_value([&plain, &full]).expect("json");
        assert_eq!(stored, serde_json::json!(["0x1:0x2", {"cut": "0x1:0x2", "off": true, "note": "ask Ann"}]));
        assert_eq!(serde_json::from_value::<Vec<SavedCut>>(stored).expect("removals"), [plain, full]);
    }
}
