//! The shortest paths to many objects at once, equal if only indices and keys differ: each path is a number, derived
//! from the number of the path one step shorter.
//!
//! References are read once for each object on a path, so a table of a million entries is read once, not
//! a million times.

use rustc_hash::FxHashMap;

use super::is_of_program;
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_graph::Bits;
use heaplens_heap::{ObjectId, ReferenceKind, ReferenceName};

/// Maximum number of distinguished steps of a path.
const LONGEST: u32 = 100;
/// Number of properties of one object from which their names count as keys, not fields.
const KEYS: usize = 24;
/// Names used for elements, entries and keys.
const ENTRY: &str = "[]";

/// One step of a path, without indices and keys.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClassStep {
    /// Edge name: index in [`PathTable::texts`].
    pub edge: u32,
    /// Target class: index in [`PathTable::texts`].
    pub class: u32,
    /// True if the program named the edge.
    pub named: bool,
}

/// Paths to some objects.
#[derive(Debug, Default)]
pub struct PathTable {
    /// Names of edges and classes.
    pub texts: Vec<String>,
    numbers: FxHashMap<String, u32>,
    /// By path: the path one step shorter, the last step, and the length.
    longer: Vec<(Option<u32>, ClassStep, u32)>,
    known: FxHashMap<(Option<u32>, ClassStep), u32>,
    of: FxHashMap<u32, u32>,
}

impl PathTable {
    /// Finds the paths to `objects`.
    pub fn find(of: DumpData<'_>, objects: &[ObjectId], task: &Task) -> Result<Self, Cancelled> {
        task.step("Following paths from GC roots", Unit::Objects, objects.len() as u64);
        // Each object on a path once, with its predecessor; roots have none.
        let (mut on_path, mut begins, mut steps) = (Bits::new(of.heap.len()), Vec::new(), Vec::new());
        for &object in objects {
            task.advance_checked(1)?;
            let mut at = object;
            while on_path.insert(at.raw()) {
                match of.analysis.predecessor(of.heap, at) {
                    Some(before) => {
                        steps.push((before.raw(), at.raw()));
                        at = before;
                    }
                    None => begins.push(at.raw()),
                }
            }
        }
        steps.sort_unstable();
        begins.sort_unstable();
        let mut table = Self::default();
        let mut waiting: Vec<(u32, Option<u32>)> = Vec::new();
        for row in begins {
            let Some(object) = ObjectId::from_raw(row) else { continue };
            let (edge, class) = (table.number(""), table.number(&of.heap.class(object).name));
            let path = table.longer_path(None, ClassStep { edge, class, named: false });
            waiting.push((row, Some(path)));
        }
        task.step("Reading references on the paths", Unit::Objects, steps.len() as u64);
        while let Some((row, path)) = waiting.pop() {
            task.checkpoint()?;
            table.of.extend(path.map(|path| (row, path)));
            let first = steps.partition_point(|&(from, _)| from < row);
            let below = steps.get(first..).unwrap_or_default();
            let below = &below[..below.partition_point(|&(from, _)| from == row)];
            let (Some(from), false) = (ObjectId::from_raw(row), below.is_empty()) else { continue };
            task.advance(below.len() as u64);
            let names = names(of, from, below);
            let keys = below.len() >= KEYS;
            for &(_, to) in below {
                let Some(object) = ObjectId::from_raw(to) else { continue };
                let name = names.get(&to);
                let class = table.number(&of.heap.class(object).name);
                let edge = table.number(&name.map_or_else(|| "?".to_owned(), |name| alike(name, keys)));
                let named = name.is_some_and(|name| is_of_program(name) && table.text(edge) != ENTRY);
                waiting.push((to, Some(table.longer_path(path, ClassStep { edge, class, named }))));
            }
        }
        Ok(table)
    }

    /// Path to an object.
    pub fn of(&self, object: ObjectId) -> Option<u32> {
        self.of.get(&object.raw()).copied()
    }

    /// Steps of a path, the last first.
    pub fn steps(&self, path: u32) -> impl Iterator<Item = &ClassStep> {
        let mut next = Some(path);
        std::iter::from_fn(move || {
            let (above, step, _) = self.longer.get(next? as usize)?;
            next = *above;
            Some(step)
        })
    }

    /// Name of an edge or class.
    pub fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", String::as_str)
    }

    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    /// Path extended by a step; a repeated step does not extend it, as in a list, nor does one beyond [`LONGEST`].
    fn longer_path(&mut self, above: Option<u32>, step: ClassStep) -> u32 {
        let last = above.and_then(|path| Some((path, self.longer.get(path as usize)?)));
        let length = last.map_or(0, |(_, &(_, _, length))| length) + 1;
        if let Some((path, _)) = last.filter(|(_, (_, last, _))| *last == step || length > LONGEST) {
            return path;
        }
        let next = self.longer.len() as u32;
        let longer = &mut self.longer;
        *self.known.entry((above, step)).or_insert_with_key(|(above, step)| {
            longer.push((*above, step.clone(), length));
            next
        })
    }
}

/// Normalized edge name: without indices, keys and numbers.
fn alike(name: &ReferenceName, keys: bool) -> String {
    match name.kind {
        ReferenceKind::Element | ReferenceKind::Hidden => ENTRY.to_owned(),
        ReferenceKind::Property if keys => ENTRY.to_owned(),
        _ => {
            let (mut text, mut in_number) = (String::new(), false);
            for c in name.text.chars() {
                if !c.is_ascii_digit() {
                    text.push(c);
                } else if !in_number {
                    text.push('#');
                }
                in_number = c.is_ascii_digit();
            }
            // The engine spells out both sides of a map entry.
            if text.contains("/ part of key") { ENTRY.to_owned() } else { text }
        }
    }
}

/// By object, the name of the edge from `from`: names of the program before those of the engine, weak ones last.
fn names(of: DumpData<'_>, from: ObjectId, wanted: &[(u32, u32)]) -> FxHashMap<u32, ReferenceName> {
    let rank = |name: &ReferenceName| match name.kind {
        ReferenceKind::Property | ReferenceKind::Context => 0,
        ReferenceKind::Element => 1,
        ReferenceKind::Weak => 3,
        _ => 2,
    };
    let mut names: FxHashMap<u32, ReferenceName> = FxHashMap::default();
    for (name, to) in of.edges(from, usize::MAX) {
        if wanted.binary_search(&(from.raw(), to.raw())).is_err() {
            continue;
        }
        match names.get_mut(&to.raw()) {
            Some(known) if rank(known) <= rank(&name) => {}
            Some(known) => *known = name,
            None => drop(names.insert(to.raw(), name)),
        }
    }
    names
}
