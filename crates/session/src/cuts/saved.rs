//! Cuts of the user by dump. They are saved with the settings, so that they reappear when the dump is opened again, as
//! texts with ids, which contain no values of the program.

use serde::{Deserialize, Serialize};

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
    steps: Vec<Vec<String>>,
}

/// Saved cuts, the most recently changed dump last.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SavedCuts(Vec<DumpCuts>);

impl SavedCuts {
    /// Texts of the cuts of a dump by step, oldest first.
    pub fn of(&self, dump: &str) -> &[Vec<String>] {
        self.0.iter().find(|of| of.dump == dump).map_or(&[], |of| &of.steps)
    }

    /// Replaces the cuts of a dump.
    pub fn set(&mut self, dump: &str, mut steps: Vec<Vec<String>>) {
        let mut cuts = 0;
        let is_saved = |step: &&Vec<String>| {
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

    fn steps(lengths: &[usize]) -> Vec<Vec<String>> {
        lengths.iter().map(|&length| vec!["0x1:0x2".to_owned(); length]).collect()
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
}
