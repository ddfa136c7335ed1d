//! Forms of the tree, and the part of it that a level shows.

use std::collections::HashMap;

use super::chains::Chain;
use heaplens_base::named;
use heaplens_heap::{ClassId, Heap, ObjectId};

/// Form in which the tree is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LevelForm {
    /// Every object is a row.
    Plain,
    /// Chains and many siblings of a class are one row.
    #[default]
    Folded,
    /// Every row is a group.
    By(PartitionBy),
}

/// Grouping criterion of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub enum PartitionBy {
    /// Their class.
    #[default]
    Class,
    /// The package of their class.
    Package,
    /// The loader of their class.
    Loader,
}

named!(PartitionBy {
    Class = "class", "By class";
    Package = "package", "By package";
    Loader = "loader", "By class loader";
});

/// By class, the lowest class of the same group, which represents the group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Grouping criterion.
    pub by: PartitionBy,
    /// Empty if every class is a group.
    first: Vec<ClassId>,
    /// The class of class objects.
    classes: Option<ClassId>,
}

impl Partition {
    /// Groups the classes of a heap. Free for [`PartitionBy::Class`], otherwise linear in the number of classes.
    pub fn new(heap: &Heap, by: PartitionBy) -> Self {
        let mut packages: HashMap<&str, ClassId> = HashMap::new();
        let mut loaders: HashMap<Option<ObjectId>, ClassId> = HashMap::new();
        let first = match by {
            PartitionBy::Class => Vec::new(),
            PartitionBy::Package => {
                heap.classes.iter().map(|(id, c)| *packages.entry(c.package()).or_insert(id)).collect()
            }
            PartitionBy::Loader => heap.classes.iter().map(|(id, c)| *loaders.entry(c.loader).or_insert(id)).collect(),
        };
        let classes = heap.classes.iter().find_map(|(_, class)| class.object).map(|object| heap.class_id(object));
        Self { by, first, classes }
    }

    /// True if objects of `class` are class objects, which belong to many groups.
    pub fn is_of_class_objects(&self, class: ClassId) -> bool {
        self.classes == Some(class)
    }

    /// Class that represents the group of an object. A class object belongs to the package and loader of the class
    /// it represents: objects held by its statics are theirs.
    pub fn group_of(&self, heap: &Heap, object: ObjectId) -> ClassId {
        let mut class = heap.class_id(object);
        if self.by != PartitionBy::Class && self.classes == Some(class) {
            class = heap.classes.of_object(object).unwrap_or(class);
        }
        self.first.get(class.index()).copied().unwrap_or(class)
    }
}

/// Parent of a level's objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Directly below an object; `None`: the virtual root.
    Below(Option<ObjectId>),
    /// Below the objects of a chain; the chain's members are one more row.
    Chain(Chain),
    /// The objects of a chain themselves.
    Members(Chain),
    /// Objects shared by one set of owners.
    Shared(u32),
}

/// A level: all children of a parent, or one group of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LevelPart {
    /// Parent of the level.
    pub source: Source,
    /// Grouping criterion, and the class that represents the group.
    pub only: Option<(PartitionBy, ClassId)>,
}

impl LevelPart {
    /// The top level.
    pub const TOP: Self = Self { source: Source::Below(None), only: None };

    /// The level below an object.
    pub fn below(object: ObjectId) -> Self {
        Self { source: Source::Below(Some(object)), only: None }
    }

    /// Object that the level is below; of a chain the head.
    pub fn parent(&self) -> Option<ObjectId> {
        match self.source {
            Source::Below(parent) => parent,
            Source::Chain(chain) | Source::Members(chain) => Some(chain.head),
            Source::Shared(_) => None,
        }
    }

    /// True for the top level.
    pub fn is_at_top(&self) -> bool {
        matches!(self.source, Source::Below(None) | Source::Shared(_))
    }
}

/// A group of the tree, such as siblings of a class: several objects in one row or cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId {
    /// The level that the row expands to: its objects.
    pub part: LevelPart,
    /// The one of its objects with the lowest address; of a chain the head.
    pub first: ObjectId,
}
