//! Stars and notes that a person puts on objects. They are kept with the
//! settings, by dump and by the object's id, so that they are there when the
//! same dump is opened again; and with the object's name without addresses, by
//! which it is found in the next dump of the program.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::heap::analysis::Analysis;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;

/// Dumps whose marks are kept at most; those marked longest ago go first.
const DUMPS: usize = 100;

/// What is kept of one object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mark {
    /// Whether it has a star.
    pub star: bool,
    /// What somebody wrote about it.
    pub note: String,
    /// What it is called without addresses, once that is known.
    pub name: Option<String>,
}

impl Mark {
    /// Whether there is anything to keep.
    pub fn is_empty(&self) -> bool {
        !self.star && self.note.is_empty()
    }
}

/// The marks of one dump, by the text of object ids.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct OfDump {
    dump: String,
    /// The name of its file.
    file: String,
    marks: BTreeMap<String, Mark>,
}

/// All marks, those of the dump marked last at the end.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Marks(Vec<OfDump>);

/// What tells a dump from others, wherever its file stands: when it was taken and what is in it.
pub fn identity(heap: &Heap, analyzed: &Analysis) -> String {
    let origin = &heap.origin;
    let taken = origin.taken_at_millis.unwrap_or(0);
    format!("{} {taken} {} {} {}", origin.format.key(), origin.file_bytes, heap.len(), analyzed.roots().objects().len())
}

impl Marks {
    /// The mark on an object.
    pub fn of(&self, dump: &str, id: &str) -> Option<&Mark> {
        self.0.iter().find(|of| of.dump == dump)?.marks.get(id)
    }

    /// Changes the mark on an object of a dump, whose file is called `file`.
    pub fn change(&mut self, dump: &str, file: &str, id: &str, change: impl FnOnce(&mut Mark)) {
        let at = self.0.iter().position(|of| of.dump == dump);
        let mut of = at.map_or_else(|| OfDump { dump: dump.to_owned(), ..OfDump::default() }, |at| self.0.remove(at));
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

    /// The marked objects of a dump, by id.
    pub fn in_dump<'a>(&'a self, dump: &str, heap: &'a Heap) -> impl Iterator<Item = (ObjectId, &'a Mark)> {
        let marks = self.0.iter().find(|of| of.dump == dump).map(|of| &of.marks);
        marks.into_iter().flatten().filter_map(|(id, mark)| Some((heap.find(id)?, mark)))
    }

    /// Gives the marked objects of a dump the names that `name` knows.
    pub fn put_names(&mut self, dump: &str, heap: &Heap, mut name: impl FnMut(ObjectId) -> Option<String>) {
        let of = self.0.iter_mut().find(|of| of.dump == dump);
        let unnamed = of.into_iter().flat_map(|of| &mut of.marks).filter(|(_, mark)| mark.name.is_none());
        for (id, mark) in unnamed {
            mark.name = heap.find(id).and_then(&mut name);
        }
    }

    /// Marks of other dumps on objects that have a name, and the files of these dumps: the last marked first, each
    /// name once, none that is marked in this dump.
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
        let told = |dump: &str| {
            let found = marks.elsewhere(dump).into_iter();
            found.map(|(file, mark)| (file.to_owned(), mark.name.clone().unwrap_or_default())).collect::<Vec<_>>()
        };
        let one = |file: &str, name: &str| (file.to_owned(), name.to_owned());
        assert_eq!(told("c"), [one("b.hprof", "x.Y.MAP")]);
        assert_eq!(told("d"), [one("c.hprof", "x.Y.LIST"), one("b.hprof", "x.Y.MAP")]);
    }
}
