//! Matches classes of both heaps: by name and by the class of the loader. Where several loaders of one class define
//! classes of one name (an application that is redeployed repeatedly), these are one *kind*. Classes of scripts are
//! also distinguished by the location of their constructors.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{HeapSide, Pair, shapes};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, Heap, ObjectId, ScriptPosition};

/// Number of a class kind: a class of both heaps, or classes that differ only in their loaders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ComparedClassId(pub u32);

/// One kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedClass {
    /// The name of the class.
    pub name: Box<str>,
    /// Class of the loader; `None` for the bootstrap loader.
    pub loader: Option<Box<str>>,
    /// Script location of its constructor.
    pub made_at: Option<ScriptPosition>,
    /// True if no table lists it: see [`heaplens_heap::Class::unlisted`].
    pub unlisted: bool,
    /// Its classes in the baseline.
    pub before: Vec<ClassId>,
    /// Its classes in the target.
    pub after: Vec<ClassId>,
}

impl ComparedClass {
    /// Its classes in one heap.
    pub(super) fn classes(&self, which: HeapSide) -> &[ClassId] {
        match which {
            HeapSide::Before => &self.before,
            HeapSide::After => &self.after,
        }
    }
}

/// Class kinds of two heaps, by name.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ComparedClasses {
    rows: Vec<ComparedClass>,
    before: Vec<u32>,
    after: Vec<u32>,
    /// By number: true if its objects are class loaders, several of which define classes of one name.
    many_loaders: Vec<bool>,
    /// Objects of the baseline whose kind differs from their class, ascending: plain objects are named by
    /// shapes, and the shapes of the target count in both.
    moved_before: Vec<(u32, u32)>,
    /// Such objects of the target, after the pair was swapped.
    moved_after: Vec<(u32, u32)>,
}

/// Key of a kind.
type Key = (Box<str>, Option<Box<str>>, Option<ScriptPosition>, bool);

/// Class name without the address that the virtual machine appends for hidden classes:
/// `Desk$$Lambda$14+0x00007fd904002760`.
pub(super) fn stable(name: &str) -> &str {
    let is_address = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let cut = name.rfind("0x").filter(|&at| is_address(&name[at + 2..]));
    let before = cut.and_then(|at| name[..at].strip_suffix(['+', '/', '.']));
    before.unwrap_or(name)
}

/// True if two classes may be one by their names: the virtual machine and libraries number the classes that they
/// generate, in the order of their first use (`Desk$$Lambda$14`, `$Proxy7`).
pub(super) fn is_one_name(one: &str, other: &str) -> bool {
    let (one, other) = (stable(one), stable(other));
    let is_generated = |name: &str| ["$$", "$Proxy", "Accessor"].iter().any(|part| name.contains(part));
    let without_number = |name: &str| -> String { name.chars().filter(|c| !c.is_ascii_digit()).collect() };
    one == other || (is_generated(one) && is_generated(other) && without_number(one) == without_number(other))
}

impl ComparedClasses {
    /// Computes the class kinds of a pair.
    pub fn new(pair: Pair<'_>, task: &Task) -> Result<Self, Cancelled> {
        let (before, after) = (pair.before.heap, pair.after.heap);
        let mut rows: BTreeMap<Key, ComparedClass> = BTreeMap::new();
        for (heap, is_after) in [(before, false), (after, true)] {
            for (id, class) in heap.classes.iter() {
                let loader = class.loader.map(|loader| heap.class(loader).name.clone());
                let key: Key = (stable(&class.name).into(), loader, class.made_at, class.unlisted);
                let kind = kind_of_key(&mut rows, key);
                if is_after { kind.after.push(id) } else { kind.before.push(id) }
            }
        }
        let moved = shapes::moved(pair, task)?;
        for (_, name, class) in &moved {
            let class = before.classes.get(*class);
            kind_of_key(&mut rows, (name.as_str().into(), None, class.made_at, class.unlisted));
        }
        let keys: BTreeMap<Key, u32> = rows.keys().cloned().zip(0..).collect();
        let moved_before = moved.into_iter().filter_map(|(row, name, class)| {
            let class = before.classes.get(class);
            Some((row, *keys.get(&(name.into(), None, class.made_at, class.unlisted))?))
        });
        let moved_before = moved_before.collect();
        let rows: Vec<ComparedClass> = rows.into_values().collect();
        let numbers = |heap: &Heap, of: fn(&ComparedClass) -> &[ClassId]| {
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
        Ok(Self { rows, before, after, many_loaders, moved_before, moved_after: Vec::new() })
    }

    /// True if objects of a kind are class loaders, several of which define classes of one name.
    pub fn is_of_many_loaders(&self, kind: ComparedClassId) -> bool {
        self.many_loaders.get(kind.0 as usize) == Some(&true)
    }

    /// Kinds with baseline and target swapped; numbers stay the same.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        std::mem::swap(&mut self.before, &mut self.after);
        std::mem::swap(&mut self.moved_before, &mut self.moved_after);
        self.rows.iter_mut().for_each(|kind| std::mem::swap(&mut kind.before, &mut kind.after));
        self
    }

    /// All kinds, by name.
    pub fn all(&self) -> &[ComparedClass] {
        &self.rows
    }

    /// One kind.
    pub fn get(&self, kind: ComparedClassId) -> Option<&ComparedClass> {
        self.rows.get(kind.0 as usize)
    }

    /// ComparedClass of a class of the baseline.
    pub fn of_before(&self, class: ClassId) -> ComparedClassId {
        self.of_class(HeapSide::Before, class)
    }

    /// ComparedClass of a class of the target.
    pub fn of_after(&self, class: ClassId) -> ComparedClassId {
        self.of_class(HeapSide::After, class)
    }

    /// ComparedClass of a class of one heap.
    #[inline]
    pub(super) fn of_class(&self, which: HeapSide, class: ClassId) -> ComparedClassId {
        let of = if which == HeapSide::After { &self.after } else { &self.before };
        ComparedClassId(of.get(class.index()).copied().unwrap_or(u32::MAX))
    }

    /// ComparedClass of an object of the baseline.
    pub fn of_object_before(&self, heap: &Heap, object: ObjectId) -> ComparedClassId {
        self.of_object(HeapSide::Before, heap, object)
    }

    /// ComparedClass of an object of the target.
    pub fn of_object_after(&self, heap: &Heap, object: ObjectId) -> ComparedClassId {
        self.of_object(HeapSide::After, heap, object)
    }

    /// ComparedClass of an object of one heap.
    #[inline]
    pub(super) fn of_object(&self, which: HeapSide, heap: &Heap, object: ObjectId) -> ComparedClassId {
        self.moved_kind(which, object.raw()).unwrap_or_else(|| self.of_class(which, heap.class_id(object)))
    }

    /// ComparedClass of an object, if it differs from its class.
    #[inline]
    pub(super) fn moved_kind(&self, which: HeapSide, row: u32) -> Option<ComparedClassId> {
        let moved = self.moved(which);
        if moved.is_empty() {
            return None;
        }
        let at = moved.binary_search_by_key(&row, |&(row, _)| row).ok()?;
        Some(ComparedClassId(moved[at].1))
    }

    /// Objects of one heap whose kind differs from their class, with those kinds.
    pub(super) fn moved(&self, which: HeapSide) -> &[(u32, u32)] {
        if which == HeapSide::After { &self.moved_after } else { &self.moved_before }
    }
}

fn kind_of_key(rows: &mut BTreeMap<Key, ComparedClass>, key: Key) -> &mut ComparedClass {
    rows.entry(key).or_insert_with_key(|(name, loader, made_at, unlisted)| ComparedClass {
        name: name.clone(),
        loader: loader.clone(),
        made_at: *made_at,
        unlisted: *unlisted,
        before: Vec::new(),
        after: Vec::new(),
    })
}
