//! The grouped dominator tree as a chart draws it: the rows of [`super::folding`], level by level. A level is read once and
//! never sorted, since a chart only shows its largest rows.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::chains::chain_from;
use super::folding::{FoldInputs, GROUP_AT_LEAST};
use super::level_order::LevelOrder;
use super::parts::{GroupId, LevelForm, LevelPart, Partition, PartitionBy, Source};
use super::shared::{Shared, SharedQuestion};
use crate::answers::DumpData;
use crate::outline::OutlineTree;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId};

/// Maximum number of dominators above an object that are examined for its group.
const NEAR: usize = 512;

/// A row of the grouped tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TreeRow {
    /// An object; for a chain its first one.
    Object(ObjectId),
    /// Several objects.
    Group(GroupRow),
}

/// Several objects in one row: siblings of one class, or objects shared by the same owners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupRow {
    /// Which group it is.
    pub id: GroupId,
    /// Number of objects.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Retained size of all of them; each byte counts once.
    pub retained: Bytes,
}

impl TreeRow {
    /// The object; `None` for a group.
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Self::Object(object) => Some(object),
            Self::Group(_) => None,
        }
    }

    /// The group; `None` for an object.
    pub fn group(self) -> Option<GroupRow> {
        match self {
            Self::Object(_) => None,
            Self::Group(group) => Some(group),
        }
    }
}

/// The grouped tree of a dump.
pub struct GroupedTree<'a> {
    dump: DumpData<'a>,
    partition: Partition,
    shared: Arc<Shared>,
}

impl<'a> GroupedTree<'a> {
    /// The tree, once the owners of shared objects are known.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn new(dump: DumpData<'a>, task: &Task) -> Result<Self, Cancelled> {
        Ok(Self::with(dump, dump.answer(&SharedQuestion, task)?))
    }

    /// The tree with known owners of shared objects.
    pub fn with(dump: DumpData<'a>, shared: Arc<Shared>) -> Self {
        Self { dump, partition: Partition::new(dump.heap, PartitionBy::Class), shared }
    }

    fn folding(&self) -> FoldInputs<'_> {
        FoldInputs {
            dump: self.dump,
            names_chains: false,
            form: LevelForm::Folded,
            partition: &self.partition,
            shared: Some(&self.shared),
            order: (LevelOrder::Retained, false),
            then: None,
        }
    }

    /// Objects of a group.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn members(&self, part: LevelPart, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
        Ok(self.folding().members(part, &|_| true, task)?.collect())
    }

    /// True if `row` is `above` or a descendant of it. False for an object too many levels below a group to be looked for.
    pub fn is_inside(&self, above: TreeRow, row: TreeRow) -> bool {
        let analysis = self.dump.analysis;
        match (above, row) {
            (TreeRow::Object(above), TreeRow::Object(object)) => analysis.dominates(above, object),
            (TreeRow::Object(above), TreeRow::Group(group)) => match group.id.part.source {
                Source::Below(parent) => parent.is_some_and(|parent| analysis.dominates(above, parent)),
                Source::Chain(chain) | Source::Members(chain) => analysis.dominates(above, chain.head),
                Source::Shared(_) => false,
            },
            (TreeRow::Group(above), TreeRow::Group(group)) if above.id.part == group.id.part => true,
            (TreeRow::Group(above), TreeRow::Group(group)) => match (above.id.part.source, group.id.part.source) {
                (Source::Shared(set), Source::Shared(inside)) => above.id.part.only.is_none() && set == inside,
                (_, Source::Below(Some(parent))) => self.contains(above.id.part, parent),
                (_, Source::Chain(chain) | Source::Members(chain)) => self.contains(above.id.part, chain.head),
                (_, Source::Below(None) | Source::Shared(_)) => false,
            },
            (TreeRow::Group(above), TreeRow::Object(object)) => self.contains(above.id.part, object),
        }
    }

    /// True if an object of a group dominates `object`.
    fn contains(&self, part: LevelPart, object: ObjectId) -> bool {
        let analysis = self.dump.analysis;
        let above = |&object: &ObjectId| analysis.immediate_dominator(object);
        let is_at = |&object: &ObjectId| {
            let parent = analysis.immediate_dominator(object);
            match part.source {
                Source::Below(source) => parent == source,
                Source::Chain(chain) => {
                    parent.is_some_and(|parent| chain.contains(analysis, parent)) && !chain.contains(analysis, object)
                }
                Source::Members(chain) => chain.contains(analysis, object),
                Source::Shared(_) => parent.is_none(),
            }
        };
        let Some(member) = std::iter::successors(Some(object), above).take(NEAR).find(is_at) else { return false };
        match (part.source, part.only) {
            (Source::Members(_), _) => true,
            (Source::Shared(set), None) => self.shared.row_of(member) == Some(set),
            (source, Some((_, class))) => {
                let in_set = match source {
                    Source::Shared(set) => self.shared.row_of(member) == Some(set),
                    Source::Below(None) => self.shared.row_of(member).is_none(),
                    _ => true,
                };
                in_set
                    && self.dump.heap.class_id(member) == class
                    && analysis.retained(member) < self.folding().alone(part)
            }
            (_, None) => false,
        }
    }
}

/// What the objects of a group have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    Owners(u32),
    Class(ClassId),
}

/// Sums of a group while its level is read.
struct Sums {
    first: ObjectId,
    objects: u64,
    shallow: Bytes,
    retained: Bytes,
    /// The objects, as long as they are too few for a group.
    few: Vec<ObjectId>,
}

impl Sums {
    fn new(first: ObjectId) -> Self {
        Self { first, objects: 0, shallow: Bytes(0), retained: Bytes(0), few: Vec::new() }
    }

    fn add(&mut self, dump: DumpData<'_>, object: ObjectId) {
        self.first = self.first.min(object);
        self.objects += 1;
        self.shallow += dump.heap.shallow(object);
        self.retained += dump.analysis.retained(object);
        if self.objects < GROUP_AT_LEAST {
            self.few.push(object);
        }
    }

    fn group(&self, part: LevelPart) -> GroupRow {
        let &Self { first, objects, shallow, retained, .. } = self;
        GroupRow { id: GroupId { part, first }, objects, shallow, retained }
    }
}

impl OutlineTree for GroupedTree<'_> {
    type Node = TreeRow;

    fn weight(&self, node: Option<TreeRow>) -> u64 {
        match node {
            None => self.dump.analysis.shown.shallow.0,
            Some(TreeRow::Object(object)) => self.dump.analysis.retained(object).0,
            Some(TreeRow::Group(group)) => group.retained.0,
        }
    }

    fn rows_below(&self, node: Option<TreeRow>, offer: &mut dyn FnMut(TreeRow), task: &Task) -> Result<u64, Cancelled> {
        let (part, links) = match node {
            None => (LevelPart::TOP, 1),
            Some(TreeRow::Group(group)) => (group.id.part, 1),
            Some(TreeRow::Object(object)) => match chain_from(self.dump, object, task)? {
                Some(chain) => (LevelPart { source: Source::Chain(chain), only: None }, chain.objects),
                None => (LevelPart::below(object), 1),
            },
        };
        let folding = self.folding();
        let (alone, sets) = (folding.alone(part), folding.shared_at(part).filter(|_| part.only.is_none()));
        let groups_classes = part.only.is_none() && !matches!(part.source, Source::Members(_));
        let mut sums: FxHashMap<Key, Sums> = FxHashMap::default();
        for (at, object) in folding.objects(part, &|_| true, task)?.into_iter().enumerate() {
            if at.is_multiple_of(CHECKPOINT_EVERY) {
                task.checkpoint()?;
            }
            let Some(object) = ObjectId::from_raw(object) else { continue };
            let class = || {
                let is_small = groups_classes && self.dump.analysis.retained(object) < alone;
                is_small.then(|| Key::Class(self.dump.heap.class_id(object)))
            };
            match sets.and_then(|shared| shared.row_of(object)).map(Key::Owners).or_else(class) {
                Some(key) => sums.entry(key).or_insert_with(|| Sums::new(object)).add(self.dump, object),
                None => offer(TreeRow::Object(object)),
            }
        }
        let mut sums: Vec<(Key, Sums)> = sums.into_iter().collect();
        sums.sort_unstable_by_key(|&(key, _)| key);
        for (key, sums) in sums {
            match key {
                Key::Owners(set) => {
                    let part = LevelPart { source: Source::Shared(set), only: None };
                    offer(TreeRow::Group(sums.group(part)));
                }
                Key::Class(class) if sums.objects >= GROUP_AT_LEAST => {
                    let part = LevelPart { only: Some((PartitionBy::Class, class)), ..part };
                    offer(TreeRow::Group(sums.group(part)));
                }
                Key::Class(_) => sums.few.into_iter().for_each(|object| offer(TreeRow::Object(object))),
            }
        }
        Ok(links)
    }

    fn links(&self, node: TreeRow, task: &Task) -> Result<u64, Cancelled> {
        let Some(object) = node.object() else { return Ok(1) };
        Ok(chain_from(self.dump, object, task)?.map_or(1, |chain| chain.objects))
    }

    fn objects(&self, node: TreeRow) -> u64 {
        node.group().map_or(1, |group| group.objects)
    }

    fn is_alike(&self, one: TreeRow, other: TreeRow) -> bool {
        let class = |row| match row {
            TreeRow::Object(object) => Some(self.dump.heap.class_id(object)),
            TreeRow::Group(group) => group.id.part.only.map(|(_, class)| class),
        };
        class(one).is_some() && class(one) == class(other)
    }

    fn below(&self, node: Option<TreeRow>) -> u64 {
        match node {
            None => self.dump.analysis.shown.objects,
            Some(TreeRow::Object(object)) => self.dump.analysis.dominated_count(object),
            Some(TreeRow::Group(group)) => group.objects,
        }
    }
}
