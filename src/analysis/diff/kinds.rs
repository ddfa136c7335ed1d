//! Which class of one heap is which class of the other: by name and by the class
//! of the loader. Where several loaders of one class define classes of one name
//! (an application that is loaded anew again and again), these are one *kind*.

use std::collections::{BTreeMap, BTreeSet};

use super::Pair;
use crate::heap::facts::Heap;
use crate::heap::ids::ClassId;

/// A class of both heaps, or classes that are told apart by nothing but their loaders. Its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u32);

/// One kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The name of the class.
    pub name: Box<str>,
    /// The class of the loader; `None` for the bootstrap loader.
    pub loader: Option<Box<str>>,
    /// Its classes in the older heap.
    pub before: Vec<ClassId>,
    /// Its classes in the newer heap.
    pub after: Vec<ClassId>,
}

/// The kinds of two heaps, by name.
#[derive(Debug, Clone, Default)]
pub struct Kinds {
    rows: Vec<Kind>,
    before: Vec<u32>,
    after: Vec<u32>,
    /// By number: whether its objects are loaders, several of which define classes of one name.
    many_loaders: Vec<bool>,
}

/// The name of a class without the address that the virtual machine puts behind that of a hidden one:
/// `Desk$$Lambda$14+0x00007fd904002760`.
pub(super) fn stable(name: &str) -> &str {
    let is_address = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let cut = name.rfind("0x").filter(|&at| is_address(&name[at + 2..]));
    let before = cut.and_then(|at| name[..at].strip_suffix(['+', '/', '.']));
    before.unwrap_or(name)
}

impl Kinds {
    /// The kinds of a pair.
    pub fn new(pair: Pair<'_>) -> Self {
        let (before, after) = (pair.before.heap, pair.after.heap);
        let mut rows: BTreeMap<(Box<str>, Option<Box<str>>), Kind> = BTreeMap::new();
        for (heap, is_after) in [(before, false), (after, true)] {
            for (id, class) in heap.classes.iter() {
                let loader = class.loader.map(|loader| heap.class(loader).name.clone());
                let name: Box<str> = stable(&class.name).into();
                let kind = rows.entry((name.clone(), loader.clone())).or_insert_with(|| Kind {
                    name,
                    loader,
                    before: Vec::new(),
                    after: Vec::new(),
                });
                if is_after { kind.after.push(id) } else { kind.before.push(id) }
            }
        }
        let rows: Vec<Kind> = rows.into_values().collect();
        let numbers = |heap: &Heap, of: fn(&Kind) -> &[ClassId]| {
            let mut numbers = vec![u32::MAX; heap.classes.len()];
            for (number, kind) in (0..).zip(&rows) {
                of(kind).iter().for_each(|class| numbers[class.index()] = number);
            }
            numbers
        };
        let (before, after) = (numbers(before, |kind| &kind.before), numbers(after, |kind| &kind.after));
        let several = rows.iter().filter(|kind| kind.before.len() > 1 || kind.after.len() > 1);
        let loaders: BTreeSet<&str> = several.filter_map(|kind| kind.loader.as_deref()).collect();
        let many_loaders = rows.iter().map(|kind| loaders.contains(&*kind.name)).collect();
        Self { rows, before, after, many_loaders }
    }

    /// Whether objects of a kind are loaders, several of which define classes of one name.
    pub fn is_of_many_loaders(&self, kind: KindId) -> bool {
        self.many_loaders.get(kind.0 as usize) == Some(&true)
    }

    /// The kinds of the pair in the other order; their numbers are the same.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        std::mem::swap(&mut self.before, &mut self.after);
        self.rows.iter_mut().for_each(|kind| std::mem::swap(&mut kind.before, &mut kind.after));
        self
    }

    /// All kinds, by name.
    pub fn all(&self) -> &[Kind] {
        &self.rows
    }

    /// One kind.
    pub fn get(&self, kind: KindId) -> Option<&Kind> {
        self.rows.get(kind.0 as usize)
    }

    /// The kind of a class of the older heap.
    pub fn of_before(&self, class: ClassId) -> KindId {
        KindId(self.before.get(class.index()).copied().unwrap_or(u32::MAX))
    }

    /// The kind of a class of the newer heap.
    pub fn of_after(&self, class: ClassId) -> KindId {
        KindId(self.after.get(class.index()).copied().unwrap_or(u32::MAX))
    }
}
