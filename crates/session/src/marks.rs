//! Stars and notes of the user on objects. They are saved with the settings, by dump and object id, so that they
//! reappear when the dump is opened again; and with the address-free name of the object, by which it is found in the
//! next dump of the program.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use heaplens_analysis::DumpData;
use heaplens_heap::{Heap, ObjectId};

/// Maximum number of dumps with saved marks; the least recently marked is dropped first.
const DUMPS: usize = 100;

/// Star and note of one object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mark {
    /// True if it has a star.
    pub star: bool,
    /// Note.
    pub note: String,
    /// Address-free name, once it is known.
    pub name: Option<String>,
}

impl Mark {
    /// True if there is neither a star nor a note.
    pub fn is_empty(&self) -> bool {
        !self.star && self.note.is_empty()
    }
}

/// Marks of one dump, by object id.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct DumpMarks {
    dump: String,
    /// Name of its file.
    file: String,
    marks: BTreeMap<String, Mark>,
}

/// All marks, the most recently marked dump last.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Marks(Vec<DumpMarks>);

/// Key of a dump that does not depend on its path: format, time, file size, number of objects and of GC roots.
pub fn identity(dump: DumpData<'_>) -> String {
    let (origin, roots) = (&dump.heap.origin, dump.analysis.roots().objects().len());
    let taken = origin.taken_at_millis.unwrap_or(0);
    format!("{} {taken} {} {} {}", origin.format.key(), origin.file_bytes, dump.heap.len(), roots)
}

impl Marks {
    /// Mark of an object.
    pub fn of(&self, dump: &str, id: &str) -> Option<&Mark> {
        self.0.iter().find(|of| of.dump == dump)?.marks.get(id)
    }

    /// Changes the mark of an object in a dump; `file` is the name of the dump's file.
    pub fn change(&mut self, dump: &str, file: &str, id: &str, change: impl FnOnce(&mut Mark)) {
        let at = self.0.iter().position(|of| of.dump == dump);
        let mut of =
            at.map_or_else(|| DumpMarks { dump: dump.to_owned(), ..DumpMarks::default() }, |at| self.0.remove(at));
        file.clone_into(&mut of.file);
        let mark = of.marks.entry(id.to_owned()).or_default();
        change(mark);
        if mark.is_empty() {
            of.marks.remove(id);
        }
        if !of.marks.is_empty() {
            self.0.push(of);
        }
        if self.0.len() > DUMPS {
            self.0.remove(0);
        }
    }

    /// Marked objects of a dump, by id.
    pub fn in_dump<'a>(&'a self, dump: &str, heap: &'a Heap) -> impl Iterator<Item = (ObjectId, &'a Mark)> {
        let marks = self.0.iter().find(|of| of.dump == dump).map(|of| &of.marks);
        marks.into_iter().flatten().filter_map(|(id, mark)| Some((heap.find(id)?, mark)))
    }

    /// Sets missing names of the marked objects of a dump.
    pub fn put_names(&mut self, dump: &str, heap: &Heap, mut name: impl FnMut(ObjectId) -> Option<String>) {
        let of = self.0.iter_mut().find(|of| of.dump == dump);
        let unnamed = of.into_iter().flat_map(|of| &mut of.marks).filter(|(_, mark)| mark.name.is_none());
        for (id, mark) in unnamed {
            mark.name = heap.find(id).and_then(&mut name);
        }
    }

    /// Named marks of other dumps, with the names of their files: most recently marked first, each name once, without
    /// names that are marked in this dump.
    pub fn elsewhere(&self, dump: &str) -> Vec<(&str, &Mark)> {
        let own = self.0.iter().filter(|of| of.dump == dump);
        let mut seen: BTreeSet<&str> = own.flat_map(|of| of.marks.values()).filter_map(|m| m.name.as_deref()).collect();
        let others = self.0.iter().rev().filter(|of| of.dump != dump);
        let others = others.flat_map(|of| of.marks.values().map(|mark| (&*of.file, mark)));
        others.filter(|(_, mark)| mark.name.as_deref().is_some_and(|name| seen.insert(name))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removing_a_mark_leaves_nothing() {
        let mut marks = Marks::default();
        marks.change("a", "a.hprof", "0x1", |mark| mark.star = true);
        marks.change("a", "a.hprof", "0x1", |mark| mark.note.push_str("grows"));
        marks.change("b", "b.hprof", "0x1", |mark| mark.star = true);
        assert_eq!(marks.of("a", "0x1"), Some(&Mark { star: true, note: "grows".to_owned(), name: None }));
        marks.change("b", "b.hprof", "0x1", |mark| mark.star = false);
        assert_eq!(marks.of("b", "0x1"), None);
        assert_eq!(marks.0.len(), 1);
    }

    #[test]
    fn the_dumps_marked_longest_ago_go_first() {
        let mut marks = Marks::default();
        for n in 0..=DUMPS {
            marks.change(&n.to_string(), "n.hprof", "0x1", |mark| mark.star = true);
        }
        assert_eq!(marks.of("0", "0x1"), None);
        assert!(marks.of("1", "0x1").is_some() && marks.0.len() == DUMPS);
    }
    #[test]
    fn marks_of_other_dumps_are_listed_once_by_name() {
        let mut marks = Marks::default();
        let mark = |marks: &mut Marks, dump: &str, id: &str, name: Option<&str>| {
            marks.change(dump, &format!("{dump}.hprof"), id, |mark| {
                *mark = Mark { star: true, name: name.map(str::to_owned), ..Mark::default() };
            });
        };
        mark(&mut marks, "a", "0x1", Some("x.Y.MAP"));
        mark(&mut marks, "a", "0x2", Some("x.Y.LIST"));
        mark(&mut marks, "b", "0x3", Some("x.Y.MAP"));
        mark(&mut marks, "b", "0x4", None);
        mark(&mut marks, "c", "0x5", Some("x.Y.LIST"));
        let named = |dump: &str| {
            let others = marks.elsewhere(dump).into_iter();
            others.map(|(file, mark)| (file.to_owned(), mark.name.clone().unwrap_or_default())).collect::<Vec<_>>()
        };
        let one = |file: &str, name: &str| (file.to_owned(), name.to_owned());
        assert_eq!(named("c"), [one("b.hprof", "x.Y.MAP")]);
        assert_eq!(named("d"), [one("c.hprof", "x.Y.LIST"), one("b.hprof", "x.Y.MAP")]);
    }
}
