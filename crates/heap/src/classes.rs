//! The class table.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::ids::{ClassId, ObjectId};
use heaplens_base::{Bytes, Name, Named};

/// Shape of the instances of a class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClassKind {
    /// Fields.
    #[default]
    Plain,
    /// Elements are references.
    ObjectArray,
    /// Elements are primitives.
    PrimitiveArray,
}

/// Reference strength, strongest first. All but `Strong` are properties of the field `referent` of
/// `java.lang.ref.Reference`, determined by the subclass of the object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Strength {
    /// An ordinary reference.
    #[default]
    Strong,
    /// `java.lang.ref.SoftReference`.
    Soft,
    /// `java.lang.ref.FinalReference`, on Android `FinalizerReference`: retains an object until its finalizer has run.
    /// Unlike a weak reference it keeps the object alive, so it is stronger.
    Final,
    /// `java.lang.ref.WeakReference`.
    Weak,
    /// `java.lang.ref.PhantomReference` and other subclasses of `Reference`.
    Phantom,
}

impl Strength {
    /// Name in the user interface and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::Soft => "soft",
            Self::Weak => "weak",
            Self::Final => "final",
            Self::Phantom => "phantom",
        }
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// On the command line the weakest strength is `all`: with it every reference is followed.
impl Named for Strength {
    const NAMES: &'static [Name<Self>] = &[
        Name::new(Self::Strong, "strong", "Strong references only"),
        Name::new(Self::Soft, "soft", "Strong and soft references"),
        Name::new(Self::Final, "final", "Strong, soft and finalizer references"),
        Name::new(Self::Weak, "weak", "Strong, soft, finalizer and weak references"),
        Name::new(Self::Phantom, "all", "All references, including phantom references"),
    ];
}

/// Position in a script, 0-based as in the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ScriptPosition {
    /// The script's number in its process.
    pub script: u32,
    /// Line, from 0.
    pub line: u32,
    /// Column, from 0.
    pub column: u32,
}

/// One class.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Class {
    /// Name in source notation: `java.lang.String`, `byte[]`, `shop.Cart$Line[]`.
    pub name: Box<str>,
    /// The class object (`java.lang.Class` instance), if it is in the heap.
    pub object: Option<ObjectId>,
    /// The class above; `None` for `java.lang.Object`.
    pub superclass: Option<ClassId>,
    /// The loader that defined it; `None` for the bootstrap loader.
    pub loader: Option<ObjectId>,
    /// Shape of its instances.
    pub kind: ClassKind,
    /// Strength of the reference in the field `referent` of its instances.
    pub strength: Strength,
    /// Shallow size of one instance; 0 for arrays, whose sizes differ.
    pub instance_size: Bytes,
    /// True if no histogram lists it: its objects have no size of their own, since it is counted for their owners.
    pub unlisted: bool,
    /// Script position of its constructor, if the format records it: classes with the same name may have different
    /// ones.
    pub made_at: Option<ScriptPosition>,
}

impl Class {
    /// Package; of an array, that of its elements.
    pub fn package(&self) -> &str {
        if self.kind == ClassKind::PrimitiveArray {
            return "(primitive arrays)";
        }
        let element = self.name.trim_end_matches("[]");
        // The name of a hidden class has a suffix after a slash, which may contain dots.
        let plain = element.split('/').next().unwrap_or(element);
        plain.rfind('.').and_then(|dot| plain.get(..dot)).unwrap_or("(no package)")
    }

    /// True if it is in a package, or in one below it.
    pub fn is_in(&self, package: &str) -> bool {
        let rest = self.package().strip_prefix(package);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// All classes, in the order of their ids.
#[derive(Debug, Default, Clone)]
pub struct Classes {
    rows: Vec<Class>,
    /// Class object of each class, as a graph node: the hubs.
    hubs: Vec<u32>,
    /// Classes by their class object, sorted by object.
    by_object: Vec<(ObjectId, ClassId)>,
    /// Bits of the class objects by the low bits of their rows: nearly all objects are none, which one look tells.
    filter: Vec<u64>,
    /// Placeholder for classes that are not in the table.
    nowhere: Class,
    /// By class, true if another loader has a class of its name; found on first use.
    namesakes: OnceLock<Vec<bool>>,
}

/// Word of a filter of so many, a power of two, and the bit in it.
#[inline]
fn filter_bit(object: ObjectId, words: usize) -> (usize, u64) {
    ((object.index() / 64) & words.wrapping_sub(1), 1 << (object.raw() % 64))
}

impl Classes {
    /// A table of these rows.
    pub fn new(rows: Vec<Class>) -> Self {
        let hubs = rows.iter().map(|c| c.object.map_or(heaplens_graph::NONE, ObjectId::raw)).collect();
        let mut by_object: Vec<(ObjectId, ClassId)> =
            rows.iter().enumerate().filter_map(|(i, c)| Some((c.object?, ClassId::new(i)?))).collect();
        by_object.sort_unstable();
        let mut filter = vec![0_u64; (by_object.len() / 8).next_power_of_two()];
        for &(object, _) in &by_object {
            let (word, bit) = filter_bit(object, filter.len());
            filter[word] |= bit;
        }
        Self { rows, hubs, by_object, filter, nowhere: Class::default(), namesakes: OnceLock::new() }
    }

    /// The same classes, without excluded class objects and references to them.
    pub(super) fn without(&self, is_excluded: impl Fn(u32) -> bool) -> Self {
        let mut classes = self.clone();
        classes.hubs.iter_mut().filter(|hub| is_excluded(**hub)).for_each(|hub| *hub = heaplens_graph::NONE);
        classes
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there are no classes.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Class by id; a nameless one if it is not in the table.
    pub fn get(&self, class: ClassId) -> &Class {
        self.rows.get(class.index()).unwrap_or(&self.nowhere)
    }

    /// All classes, in the order of their ids.
    pub fn all(&self) -> &[Class] {
        &self.rows
    }

    /// All classes with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (ClassId, &Class)> {
        self.rows.iter().enumerate().filter_map(|(i, c)| Some((ClassId::new(i)?, c)))
    }

    /// Class whose class object is `object`.
    #[inline]
    pub fn of_object(&self, object: ObjectId) -> Option<ClassId> {
        let (word, bit) = filter_bit(object, self.filter.len());
        if self.filter.get(word)? & bit == 0 {
            return None;
        }
        let at = self.by_object.binary_search_by_key(&object, |&(o, _)| o).ok()?;
        Some(self.by_object[at].1)
    }

    /// True if `class` is `ancestor` or a subclass of it.
    pub fn is_subclass(&self, class: ClassId, ancestor: ClassId) -> bool {
        let mut at = Some(class);
        // In a malformed file the chain may be cyclic: no chain is longer than the table.
        for _ in 0..=self.rows.len() {
            match at {
                Some(c) if c == ancestor => return true,
                Some(c) => at = self.get(c).superclass,
                None => return false,
            }
        }
        false
    }

    /// The first class of a name.
    pub fn named(&self, name: &str) -> Option<ClassId> {
        self.iter().find(|(_, class)| &*class.name == name).map(|(id, _)| id)
    }

    /// By class, true if another class loader has defined a class of the same name, such as a plug-in that was loaded
    /// again. False of classes of a format without class loaders.
    pub fn namesakes(&self) -> &[bool] {
        self.namesakes.get_or_init(|| {
            let mut by_name: HashMap<&str, (Option<ObjectId>, bool)> = HashMap::with_capacity(self.rows.len());
            for class in &self.rows {
                let (first, several) = by_name.entry(&class.name).or_insert((class.loader, false));
                *several |= *first != class.loader;
            }
            self.rows.iter().map(|class| by_name.get(&*class.name).is_some_and(|(_, several)| *several)).collect()
        })
    }

    /// By class, true if it is one of these or a subclass. Linear time, independent of the length of superclass chains.
    pub fn all_below(&self, ancestors: &[ClassId]) -> Vec<bool> {
        let mut below: Vec<Option<bool>> = vec![None; self.rows.len()];
        for ancestor in ancestors {
            below.get_mut(ancestor.index()).into_iter().for_each(|below| *below = Some(true));
        }
        let mut line = Vec::new();
        for start in 0..self.rows.len() {
            let mut at = Some(start);
            let is_below = loop {
                match at.map(|at| (at, below.get_mut(at))) {
                    // False for now: the chain may be cyclic in a malformed file.
                    Some((class, Some(known @ None))) => {
                        *known = Some(false);
                        line.push(class);
                        at = self.rows[class].superclass.map(ClassId::index);
                    }
                    Some((_, Some(Some(known)))) => break *known,
                    _ => break false,
                }
            };
            line.drain(..).for_each(|class| below[class] = Some(is_below));
        }
        below.into_iter().map(|below| below == Some(true)).collect()
    }

    /// Class object of each class, [`heaplens_graph::NONE`] if there is none.
    pub fn hubs(&self) -> &[u32] {
        &self.hubs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The filter lets every class object pass, and what else it lets pass is no class.
    #[test]
    fn classes_are_found_by_their_class_objects_only() {
        assert_eq!(ObjectId::from_raw(3).and_then(|object| Classes::default().of_object(object)), None);
        for count in [0, 1, 7, 8, 9, 100, 3_000] {
            let row_of = |class: u32| class * 37 + class % 5;
            let class = |at| Class { object: ObjectId::from_raw(row_of(at)), ..Class::default() };
            let classes = Classes::new((0..count).map(class).collect());
            let mut left = (0..count).peekable();
            for row in 0..row_of(count) + 100 {
                let expected = left.next_if(|&class| row_of(class) == row);
                let owner = ObjectId::from_raw(row).and_then(|object| classes.of_object(object));
                assert_eq!(owner.map(ClassId::raw), expected, "row {row} of {count} classes");
            }
        }
    }
}
