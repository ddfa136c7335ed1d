//! How a tree is read, and which part of it a level is.

use std::collections::HashMap;

use super::chains::Chain;
use crate::heap::facts::Heap;
use crate::heap::ids::{ClassId, ObjectId};

/// How a tree is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// Every object is a row.
    Plain,
    /// Chains and many siblings of a class are one row.
    #[default]
    Folded,
    /// Every row is a group.
    By(By),
}

/// By what objects are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum By {
    /// Their class.
    #[default]
    Class,
    /// The package of their class.
    Package,
    /// The loader of their class.
    Loader,
}

/// By class, the lowest class of the same group: it stands for the group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// By what.
    pub by: By,
    /// Empty where every class is a group.
    first: Vec<ClassId>,
    /// The class of class objects.
    classes: Option<ClassId>,
}

impl Partition {
    /// The groups of a heap's classes. Costs nothing for [`By::Class`], a look at all classes else.
    pub fn new(heap: &Heap, by: By) -> Self {
        let mut packages: HashMap<&str, ClassId> = HashMap::new();
        let mut loaders: HashMap<Option<ObjectId>, ClassId> = HashMap::new();
        let first = match by {
            By::Class => Vec::new(),
            By::Package => heap.classes.iter().map(|(id, c)| *packages.entry(c.package()).or_insert(id)).collect(),
            By::Loader => heap.classes.iter().map(|(id, c)| *loaders.entry(c.loader).or_insert(id)).collect(),
        };
        let classes = heap.classes.iter().find_map(|(_, class)| class.object).map(|object| heap.class_id(object));
        Self { by, first, classes }
    }

    /// Whether objects of `class` are class objects, which belong to many groups.
    pub fn is_of_class_objects(&self, class: ClassId) -> bool {
        self.classes == Some(class)
    }

    /// The class that stands for the group of an object. A class object is of the package and the loader of the class
    /// it stands for: what its statics hold is theirs.
    pub fn group_of(&self, heap: &Heap, object: ObjectId) -> ClassId {
        let mut class = heap.class_id(object);
        if self.by != By::Class && self.classes == Some(class) {
            class = heap.classes.of_object(object).unwrap_or(class);
        }
        self.first.get(class.index()).copied().unwrap_or(class)
    }
}

/// What the objects of a level hang below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Directly below an object; `None`: the virtual root.
    Below(Option<ObjectId>),
    /// Below the objects of a chain; the chain itself is one more row.
    Chain(Chain),
    /// Nothing: they are the objects of a chain.
    Members(Chain),
    /// Nothing: they are shared by one set of owners.
    Shared(u32),
}

/// A level: all of what hangs somewhere, or one group of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Where.
    pub source: Source,
    /// By what it is grouped, and the class that stands for the group.
    pub only: Option<(By, ClassId)>,
}

impl Part {
    /// The first level.
    pub const TOP: Self = Self { source: Source::Below(None), only: None };

    /// What hangs below an object.
    pub fn below(object: ObjectId) -> Self {
        Self { source: Source::Below(Some(object)), only: None }
    }

    /// Whether its objects have nothing above them in the tree.
    pub fn is_at_top(&self) -> bool {
        matches!(self.source, Source::Below(None) | Source::Shared(_))
    }
}
