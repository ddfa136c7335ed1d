//! Removals of the user by dump. They are saved with the settings, so that they reappear when the dump is opened again, as
//! texts with ids, which contain no values of the program. Removals with a name are kept by the names of their references,
//! too: other dumps can apply them as a [`Fix`].

use serde::{Deserialize, Serialize};

use super::fix::Fix;
use super::saved_cut::{CUTS, SavedCut};

/// Maximum number of dumps with saved cuts; the least recently changed is dropped first.
const DUMPS: usize = 100;

/// The removals of a dump as they are saved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SavedList {
    /// Name of the fix that they form; empty if it has none.
    pub name: String,
    /// Texts of the cuts of each step, oldest first.
    pub steps: Vec<Vec<SavedCut>>,
    /// Removals of an applied fix that do not exist in the dump.
    pub missing: Vec<SavedCut>,
}

/// A fix that is saved with a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownFix<'a> {
    /// Its name.
    pub name: &'a str,
    /// Key of the dump.
    dump: &'a str,
    /// Name of the file of the dump.
    pub file: &'a str,
    /// The removals, by the names of their references.
    pub removals: &'a [SavedCut],
}

impl KnownFix<'_> {
    /// The fix, to apply it to another dump.
    pub fn fix(&self) -> Fix {
        Fix { name: self.name.to_owned(), dump: Some(self.dump.to_owned()), removals: self.removals.to_vec() }
    }
}

/// Cuts of one dump.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct DumpCuts {
    dump: String,
    /// Texts of the cuts of each step, oldest first.
    steps: Vec<Vec<SavedCut>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<SavedCut>,
    /// Name of the fix.
    #[serde(skip_serializing_if = "String::is_empty")]
    fix: String,
    /// Name of the file of the dump, if the fix has a name.
    #[serde(skip_serializing_if = "String::is_empty")]
    file: String,
    /// Its removals by the names of their references.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by_name: Vec<SavedCut>,
}

/// Saved cuts, the most recently changed dump last.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SavedCuts(Vec<DumpCuts>);

impl SavedCuts {
    /// Cuts of a dump as they were saved.
    pub fn of(&self, dump: &str) -> SavedList {
        let of = self.0.iter().find(|of| of.dump == dump).cloned().unwrap_or_default();
        SavedList { name: of.fix, steps: of.steps, missing: of.missing }
    }

    /// Replaces the cuts of a dump.
    pub fn set(&mut self, dump: &str, list: SavedList) {
        let SavedList { name: fix, mut steps, missing } = list;
        let mut cuts = 0;
        let is_saved = |step: &&Vec<SavedCut>| {
            cuts += step.len();
            cuts <= CUTS
        };
        steps.truncate(steps.iter().take_while(is_saved).count());
        let at = self.0.iter().position(|of| of.dump == dump);
        let former = at.map(|at| self.0.remove(at)).filter(|former| former.fix == fix).unwrap_or_default();
        if !steps.is_empty() {
            self.0.push(DumpCuts { dump: dump.to_owned(), steps, missing, fix, ..former });
        }
        if self.0.len() > DUMPS {
            self.0.remove(0);
        }
    }

    /// Saves the names of the references of a dump whose removals have a name; `file` is that of the dump.
    pub fn put_names(&mut self, dump: &str, file: String, fix: Fix) {
        if let Some(of) = self.0.iter_mut().find(|of| of.dump == dump && of.fix == fix.name) {
            (of.file, of.by_name) = (file, fix.removals);
        }
    }

    /// Fixes of all dumps but one, the most recently changed first.
    pub fn fixes(&self, except: Option<&str>) -> impl Iterator<Item = KnownFix<'_>> {
        let of_others = self.0.iter().rev().filter(move |of| Some(&*of.dump) != except);
        of_others.filter(|of| !of.fix.is_empty() && !of.by_name.is_empty()).map(|of| KnownFix {
            name: &of.fix,
            dump: &of.dump,
            file: &of.file,
            removals: &of.by_name,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(lengths: &[usize]) -> SavedList {
        let steps = lengths.iter().map(|&length| vec![SavedCut::of("0x1:0x2".to_owned()); length]).collect();
        SavedList { steps, ..SavedList::default() }
    }

    #[test]
    fn the_last_change_replaces_the_cuts_of_a_dump() {
        let mut saved = SavedCuts::default();
        saved.set("a", steps(&[1, 2]));
        saved.set("b", steps(&[1]));
        saved.set("a", steps(&[1]));
        assert_eq!((saved.of("a"), saved.of("b"), saved.0.len()), (steps(&[1]), steps(&[1]), 2));
        saved.set("a", SavedList::default());
        assert_eq!((saved.of("a"), saved.0.len()), (SavedList::default(), 1));
    }

    #[test]
    fn dumps_and_cuts_are_limited() {
        let mut saved = SavedCuts::default();
        for n in 0..=DUMPS {
            saved.set(&n.to_string(), steps(&[1, CUTS - 1, 1]));
        }
        assert!(saved.of("0").steps.is_empty() && saved.0.len() == DUMPS);
        assert_eq!(saved.of("1"), steps(&[1, CUTS - 1]));
        saved.set("1", steps(&[CUTS + 1, 1]));
        assert!(saved.of("1").steps.is_empty());
    }

    #[test]
    fn fixes_of_other_dumps_are_those_with_a_name_and_names() {
        let named = |name: &str| SavedList { name: name.to_owned(), ..steps(&[2]) };
        let fix = |name: &str| Fix {
            name: name.to_owned(),
            dump: None,
            removals: vec![SavedCut::of("desk.Cache.ENTRIES".to_owned())],
        };
        let mut saved = SavedCuts::default();
        for dump in ["a", "b", "c"] {
            saved.set(dump, named("bounded cache"));
        }
        saved.put_names("a", "a.hprof".to_owned(), fix("bounded cache"));
        saved.put_names("b", "b.hprof".to_owned(), fix("bounded cache"));
        // Names that were looked up for an earlier name.
        saved.put_names("c", "c.hprof".to_owned(), fix("cache"));
        let files = |saved: &SavedCuts, dump: &str| {
            saved.fixes(Some(dump)).map(|known| known.file.to_owned()).collect::<Vec<String>>()
        };
        assert_eq!(files(&saved, "x"), ["b.hprof", "a.hprof"]);
        assert_eq!(files(&saved, "b"), ["a.hprof"]);
        // A change of the list leaves its names until the others are known.
        saved.set("a", SavedList { steps: steps(&[1]).steps, ..named("bounded cache") });
        assert_eq!(files(&saved, "x"), ["a.hprof", "b.hprof"]);
        saved.set("a", named(""));
        assert_eq!(files(&saved, "x"), ["b.hprof"]);
        let stored = serde_json::to_string(&saved).expect("json");
        let read: SavedCuts = serde_json::from_str(&stored).expect("cuts");
        assert!(read.fixes(None).eq(saved.fixes(None)) && read.fixes(None).count() == 1);
        let known = read.fixes(None).next().expect("a fix").fix();
        assert_eq!(known, Fix { dump: Some("b".to_owned()), ..fix("bounded cache") });
        let earlier = r#"[{"dump": "a", "steps": [["0x1:0x2"]]}]"#;
        assert_eq!(serde_json::from_str::<SavedCuts>(earlier).expect("cuts").of("a"), steps(&[1]));
    }
}
