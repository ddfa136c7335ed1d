//! Removals of the user by dump. They are saved with the settings, so that they reappear when the dump is opened again, as
//! texts with ids, which contain no values of the program.

use serde::{Deserialize, Serialize};

use super::removal::Removal;
use heaplens_analysis::Cut;

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

impl SavedCut<Cut> {
    pub(super) fn of_removal(removal: &Removal) -> Self {
        Self { cut: removal.cut.clone(), is_off: !removal.is_on, note: removal.note.clone() }
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

/// Maximum number of dumps with saved cuts; the least recently changed is dropped first.
const DUMPS: usize = 100;
/// Maximum number of saved cuts of a dump; later steps are not saved.
const CUTS: usize = 500;

/// Cuts of one dump.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct DumpCuts {
    dump: String,
    /// Texts of the cuts of each step, oldest first.
    steps: Vec<Vec<SavedCut>>,
}

/// Saved cuts, the most recently changed dump last.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SavedCuts(Vec<DumpCuts>);

impl SavedCuts {
    /// Texts of the cuts of a dump by step, oldest first.
    pub fn of(&self, dump: &str) -> &[Vec<SavedCut>] {
        self.0.iter().find(|of| of.dump == dump).map_or(&[], |of| &of.steps)
    }

    /// Replaces the cuts of a dump.
    pub fn set(&mut self, dump: &str, mut steps: Vec<Vec<SavedCut>>) {
        let mut cuts = 0;
        let is_saved = |step: &&Vec<SavedCut>| {
            cuts += step.len();
            cuts <= CUTS
        };
        steps.truncate(steps.iter().take_while(is_saved).count());
        self.0.retain(|of| of.dump != dump);
        if !steps.is_empty() {
            self.0.push(DumpCuts { dump: dump.to_owned(), steps });
        }
        if self.0.len() > DUMPS {
            self.0.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(lengths: &[usize]) -> Vec<Vec<SavedCut>> {
        lengths.iter().map(|&length| vec![SavedCut::of("0x1:0x2".to_owned()); length]).collect()
    }

    #[test]
    fn the_last_change_replaces_the_cuts_of_a_dump() {
        let mut saved = SavedCuts::default();
        saved.set("a", steps(&[1, 2]));
        saved.set("b", steps(&[1]));
        saved.set("a", steps(&[1]));
        assert_eq!((saved.of("a"), saved.of("b"), saved.0.len()), (&steps(&[1])[..], &steps(&[1])[..], 2));
        saved.set("a", Vec::new());
        assert_eq!((saved.of("a").len(), saved.0.len()), (0, 1));
    }

    #[test]
    fn dumps_and_cuts_are_limited() {
        let mut saved = SavedCuts::default();
        for n in 0..=DUMPS {
            saved.set(&n.to_string(), steps(&[1, CUTS - 1, 1]));
        }
        assert!(saved.of("0").is_empty() && saved.0.len() == DUMPS);
        assert_eq!(saved.of("1"), steps(&[1, CUTS - 1]));
        saved.set("1", steps(&[CUTS + 1, 1]));
        assert!(saved.of("1").is_empty());
    }

    #[test]
    fn a_removal_is_a_text_unless_it_is_off_or_has_a_note() {
        let plain = SavedCut::of("0x1:0x2".to_owned());
        let full = SavedCut { is_off: true, note: "ask Ann".to_owned(), ..plain.clone() };
        let stored = serde_json::to_value([&plain, &full]).expect("json");
        assert_eq!(stored, serde_json::json!(["0x1:0x2", {"cut": "0x1:0x2", "off": true, "note": "ask Ann"}]));
        assert_eq!(serde_json::from_value::<Vec<SavedCut>>(stored).expect("removals"), [plain, full]);
    }
}
