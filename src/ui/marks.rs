//! Stars and notes that a person puts on objects. They are kept with the
//! settings, by dump and by the object's id, so that they are there when the
//! same dump is opened again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::heap::analyzed::Analyzed;
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
}

impl Mark {
    /// Whether there is anything to keep.
    pub fn is_empty(&self) -> bool {
        !self.star && self.note.is_empty()
    }
}

/// The marks of one dump, by the text of object ids.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct OfDump {
    dump: String,
    marks: BTreeMap<String, Mark>,
}

/// All marks, those of the dump marked last at the end.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Marks(Vec<OfDump>);

/// What tells a dump from others, wherever its file stands: when it was taken and what is in it.
pub fn identity(heap: &Heap, analyzed: &Analyzed) -> String {
    let origin = &heap.origin;
    let taken = origin.taken_at_millis.unwrap_or(0);
    format!("{} {taken} {} {} {}", origin.format, origin.file_bytes, heap.len(), analyzed.roots().objects().len())
}

impl Marks {
    /// The mark on an object.
    pub fn of(&self, dump: &str, id: &str) -> Option<&Mark> {
        self.0.iter().find(|of| of.dump == dump)?.marks.get(id)
    }

    /// Changes the mark on an object.
    pub fn change(&mut self, dump: &str, id: &str, change: impl FnOnce(&mut Mark)) {
        let at = self.0.iter().position(|of| of.dump == dump);
        let mut of = at.map_or_else(|| OfDump { dump: dump.to_owned(), ..OfDump::default() }, |at| self.0.remove(at));
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_away_leaves_nothing_behind() {
        let mut marks = Marks::default();
        marks.change("a", "0x1", |mark| mark.star = true);
        marks.change("a", "0x1", |mark| mark.note.push_str("grows"));
        marks.change("b", "0x1", |mark| mark.star = true);
        assert_eq!(marks.of("a", "0x1"), Some(&Mark { star: true, note: "grows".to_owned() }));
        marks.change("b", "0x1", |mark| mark.star = false);
        assert_eq!(marks.of("b", "0x1"), None);
        assert_eq!(marks.0.len(), 1);
    }

    #[test]
    fn the_dumps_marked_longest_ago_go_first() {
        let mut marks = Marks::default();
        for n in 0..=DUMPS {
            marks.change(&n.to_string(), "0x1", |mark| mark.star = true);
        }
        assert_eq!(marks.of("0", "0x1"), None);
        assert!(marks.of("1", "0x1").is_some() && marks.0.len() == DUMPS);
    }
}
