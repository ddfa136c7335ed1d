//! Folded levels of the dominator tree: chains are one row, siblings of
//! a class are one row, or all rows are groups by class, package or loader.
//!
//! Every object of a level belongs to exactly one of its rows, so the sums over rows are the totals of the level. A row
//! is identified by one object: its own, the first of a chain, or the one of a group with the lowest address.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::chains::{Chain, chain_from, next};
use super::drops::{DropRule, biggest_below};
use super::fold::{Fold, FoldKind};
use super::level_order::{BaselineSize, LevelOrder};
use super::order::{RowWeights, ordered};
use super::parts::{LevelForm, LevelPart, Partition, PartitionBy, Source};
use super::{rows::Rows, shared::Shared};
use crate::answers::DumpData;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_heap::parts::Part as PartOfHeap;
use heaplens_heap::{Amounts, Figure, ObjectId, ReferenceKind};

/// Minimum number of objects of a class for a group row.
pub const GROUP_AT_LEAST: u64 = 10;

/// True of the objects that a level shows.
pub type Keep<'a> = dyn Fn(ObjectId) -> bool + Sync + 'a;

/// Inputs of a folded level.
#[derive(Clone, Copy)]
pub struct FoldInputs<'a> {
    /// The dump.
    pub dump: DumpData<'a>,
    /// True if the names of the references of chains are read.
    pub names_chains: bool,
    /// Form of the tree.
    pub form: LevelForm,
    /// Class groups for `form`.
    pub partition: &'a Partition,
    /// Shared objects and their owners, once computed.
    pub shared: Option<&'a Shared>,
    /// Order of rows, and true if reversed.
    pub order: (LevelOrder, bool),
    /// Retained sizes in the baseline, in a comparison.
    pub then: Option<&'a BaselineSize<'a>>,
}

impl FoldInputs<'_> {
    /// The rows of a level whose objects pass `keep`.
    pub fn rows(&self, part: LevelPart, keep: &Keep<'_>, task: &Task) -> Result<Rows, Cancelled> {
        let mut rows = Rows { order: self.order, ..Rows::default() };
        let objects = self.objects(part, keep, task)?;
        let left = if matches!(part.source, Source::Members(_)) || self.form == LevelForm::Plain {
            objects
        } else {
            let left = self.without_shared(part, objects, &mut rows, task)?;
            let left = self.without_groups(part, left, &mut rows, task)?;
            self.fold_chains(&left, &mut rows, task)?;
            left
        };
        if let (Source::Chain(chain), None) = (part.source, part.only) {
            let (objects, shallow) = (chain.objects, chain.shallow);
            let kind = FoldKind::Members(chain);
            let amounts = self.members_amounts(chain, task)?;
            let fold = Fold { kind, objects, shallow, retained: shallow, dominated: 0, then: None, amounts };
            rows.folds.insert(chain.head, fold);
            rows.chain = Some(chain.head);
        }
        if !matches!(part.source, Source::Members(_)) {
            self.mark_drops(&left, &mut rows, task)?;
        }
        self.sort(left, &mut rows, task)?;
        Ok(rows)
    }

    /// Objects of a level that pass `keep`, in address or chain order: the objects behind its rows.
    pub fn members(
        &self,
        part: LevelPart,
        keep: &Keep<'_>,
        task: &Task,
    ) -> Result<impl Iterator<Item = ObjectId> + use<>, Cancelled> {
        Ok(self.objects(part, keep, task)?.into_iter().filter_map(ObjectId::from_raw))
    }

    /// A row for each set of owners, even for a single shared object that passes `keep`.
    pub fn shared_rows(&self, keep: &Keep<'_>, task: &Task) -> Result<Rows, Cancelled> {
        let mut rows = Rows { order: self.order, ..Rows::default() };
        let Some(shared) = self.shared else { return Ok(rows) };
        let objects = shared.all().filter(|&object| keep(object)).map(ObjectId::raw).collect();
        let (counts, _) = self.counted(objects, |object| shared.set_of(object), |_| true, task)?;
        for (set, counted) in counts {
            rows.sets.insert(set, counted.first);
            rows.folds.insert(counted.first, counted.fold(FoldKind::Shared(set)));
        }
        self.sort(Vec::new(), &mut rows, task)?;
        Ok(rows)
    }

    /// Sorts the rows: single objects and rows that represent several.
    fn sort(&self, mut left: Vec<u32>, rows: &mut Rows, task: &Task) -> Result<(), Cancelled> {
        left.extend(rows.groups.values().chain(rows.sets.values()).chain(&rows.chain).map(|object| object.raw()));
        // Hash maps return them in arbitrary order.
        left.sort_unstable();
        task.step("Sorting", Unit::Objects, left.len() as u64);
        let measured = RowWeights { dump: self.dump, folds: &rows.folds, then: self.then };
        let ordered = ordered(&measured, left, self.order, task)?;
        rows.rows = ordered.into_iter().filter_map(ObjectId::from_raw).collect();
        Ok(())
    }

    /// Objects of a level, unfolded.
    pub(super) fn objects(&self, part: LevelPart, keep: &Keep<'_>, task: &Task) -> Result<Vec<u32>, Cancelled> {
        let (heap, analysis) = (self.dump.heap, self.dump.analysis);
        let partition = part.only.filter(|(by, _)| *by != PartitionBy::Class).and(Some(self.partition));
        let group = |object| partition.map_or(heap.class_id(object), |partition| partition.group_of(heap, object));
        let alone = self.alone(part);
        let taken = |object: ObjectId| match part.only {
            None => keep(object),
            Some((_, first)) => group(object) == first && analysis.retained(object) < alone && keep(object),
        };
        let chosen = |objects: Vec<u32>| objects.into_iter().filter(|&o| ObjectId::from_raw(o).is_some_and(taken));
        match part.source {
            Source::Below(parent) => {
                let below = parent.map_or(analysis.shown.objects, |parent| analysis.dominated_count(parent));
                task.step("Reading a level", Unit::Objects, below);
                let (mut objects, mut passed) = (Vec::new(), 0);
                let hidden = part.only.and_then(|_| self.shared_at(part));
                for (at, object) in analysis.dominator_children(parent).enumerate() {
                    passed += analysis.dominated_count(object) + 1;
                    if at.is_multiple_of(CHECKPOINT_EVERY) {
                        task.advance_checked(std::mem::take(&mut passed))?;
                    }
                    if taken(object) && hidden.is_none_or(|shared| shared.row_of(object).is_none()) {
                        objects.push(object.raw());
                    }
                }
                Ok(objects)
            }
            Source::Chain(chain) => Ok(chosen(chain.hanging(self.dump, task)?).collect()),
            Source::Members(chain) => chain.members(self.dump, task),
            Source::Shared(set) => {
                Ok(self.shared.map_or_else(Vec::new, |shared| chosen(shared.members(set).to_vec()).collect()))
            }
        }
    }

    /// Minimum retained size of objects shown separately from the group of their class, so that the
    /// largest is not hidden in a group of thousands.
    pub(super) fn alone(&self, part: LevelPart) -> Bytes {
        match (self.form, part.only) {
            (LevelForm::Plain | LevelForm::By(PartitionBy::Class), _)
            | (LevelForm::By(_), None | Some((PartitionBy::Package | PartitionBy::Loader, _))) => Bytes(u64::MAX),
            (LevelForm::Folded, _) | (LevelForm::By(_), Some((PartitionBy::Class, _))) => {
                DropRule::of(self.dump.analysis).least
            }
        }
    }

    /// Shared objects, if they form rows of their own.
    pub(super) fn shared_at(&self, part: LevelPart) -> Option<&Shared> {
        self.shared.filter(|_| self.form == LevelForm::Folded && part.source == Source::Below(None))
    }

    /// Extracts shared objects.
    fn without_shared(
        &self,
        part: LevelPart,
        objects: Vec<u32>,
        rows: &mut Rows,
        task: &Task,
    ) -> Result<Vec<u32>, Cancelled> {
        let Some(shared) = self.shared_at(part).filter(|_| part.only.is_none()) else { return Ok(objects) };
        let set_of = |object| shared.row_of(object);
        let (counts, left) = self.counted(objects, set_of, |_| true, task)?;
        for (set, counted) in counts {
            rows.sets.insert(set, counted.first);
            rows.folds.insert(counted.first, counted.fold(FoldKind::Shared(set)));
        }
        Ok(left)
    }

    /// Extracts objects of frequent classes, or all if every row is a group.
    fn without_groups(
        &self,
        part: LevelPart,
        objects: Vec<u32>,
        rows: &mut Rows,
        task: &Task,
    ) -> Result<Vec<u32>, Cancelled> {
        let (by, least) = match (self.form, part.only) {
            (_, Some((PartitionBy::Class, _))) | (LevelForm::Plain, _) => return Ok(objects),
            (LevelForm::By(by), None) => (by, 1),
            (LevelForm::Folded, _) | (LevelForm::By(_), Some(_)) => (PartitionBy::Class, GROUP_AT_LEAST),
        };
        rows.alone = if least > 1 { DropRule::of(self.dump.analysis).least } else { Bytes(u64::MAX) };
        let alone = rows.alone;
        // Only some objects of the package or loader: their class does not tell which.
        let is_part = |class| part.only.is_some() && self.partition.is_of_class_objects(class);
        let group = |object: ObjectId| {
            let class = self.dump.heap.class_id(object);
            let group = if by == PartitionBy::Class { class } else { self.partition.group_of(self.dump.heap, object) };
            (self.dump.analysis.retained(object) < alone && !is_part(class)).then_some(group)
        };
        let (counts, left) = self.counted(objects, group, |objects| objects >= least, task)?;
        rows.by = by;
        for (class, counted) in counts {
            rows.groups.insert(class, counted.first);
            rows.folds.insert(counted.first, counted.fold(FoldKind::Group(by, class)));
        }
        Ok(left)
    }

    /// Groups of objects by key, if large enough, and the remaining objects.
    fn counted<K: std::hash::Hash + Ord + Copy>(
        &self,
        objects: Vec<u32>,
        key: impl Fn(ObjectId) -> Option<K>,
        enough: impl Fn(u64) -> bool,
        task: &Task,
    ) -> Result<(BTreeMap<K, GroupSums>, Vec<u32>), Cancelled> {
        task.step("Grouping", Unit::Objects, objects.len() as u64);
        let mut sums: HashMap<K, GroupSums> = HashMap::new();
        for block in task.blocks(objects.len()) {
            let block = block?;
            task.advance(block.len() as u64);
            for object in objects[block].iter().copied().filter_map(ObjectId::from_raw) {
                if let Some(key) = key(object) {
                    sums.entry(key).or_insert_with(|| GroupSums::new(object)).add(self, object);
                }
            }
        }
        sums.retain(|_, counted| enough(counted.objects));
        let mut left = objects;
        if !sums.is_empty() {
            task.checkpoint()?;
            left.retain(|&row| {
                let key = ObjectId::from_raw(row).and_then(&key);
                key.is_none_or(|key| !sums.contains_key(&key))
            });
        }
        Ok((sums.into_iter().collect(), left))
    }

    /// Finds the chains that begin at `objects`.
    fn fold_chains(&self, objects: &[u32], rows: &mut Rows, task: &Task) -> Result<(), Cancelled> {
        task.step("Finding chains", Unit::Objects, objects.len() as u64);
        let chains = |block: &[u32]| -> Result<Vec<Chain>, Cancelled> {
            let mut folds = Vec::new();
            for object in block.iter().copied().filter_map(ObjectId::from_raw) {
                folds.extend(chain_from(self.dump, object, task)?);
            }
            task.advance_checked(block.len() as u64)?;
            Ok(folds)
        };
        let folds: Vec<Vec<Chain>> = if objects.len() <= FEW {
            vec![chains(objects)?]
        } else {
            objects.par_chunks(CHECKPOINT_EVERY).with_max_len(1).map(chains).collect::<Result<_, _>>()?
        };
        for (at, chain) in folds.into_iter().flatten().enumerate() {
            if at.is_multiple_of(NAMED_AT_ONCE) {
                task.checkpoint()?;
            }
            let retained = self.dump.analysis.retained(chain.head);
            let dominated = self.dump.analysis.dominated_count(chain.head).saturating_sub(chain.objects - 1);
            // More names would not be read.
            let via = if at < NAMED { self.via(chain, task)? } else { Box::default() };
            let kind = FoldKind::Chain { chain, via };
            let then = self.then.map(|then| then(chain.head));
            let amounts = self.chain_amounts(chain, task)?;
            let fold =
                Fold { kind, objects: chain.objects, shallow: chain.shallow, retained, dominated, then, amounts };
            rows.folds.insert(chain.head, fold);
        }
        Ok(())
    }

    /// Figures of a chain: retained size of its head by part, native bytes of its objects.
    fn chain_amounts(&self, chain: Chain, task: &Task) -> Result<Amounts, Cancelled> {
        let mut amounts = self.dump.analysis.amounts(self.dump.heap, chain.head);
        if let Some(at) = self.dump.analysis.figures().position(|figure| figure == Figure::Native) {
            let members = chain.members(self.dump, task)?;
            let own =
                members.into_iter().filter_map(ObjectId::from_raw).map(|object| self.dump.heap.native(object)).sum();
            amounts.get_mut(at).into_iter().for_each(|native| *native = own);
        }
        Ok(amounts)
    }

    /// Figures of the chain's objects alone, without the objects below them.
    fn members_amounts(&self, chain: Chain, task: &Task) -> Result<Amounts, Cancelled> {
        let figures: Vec<Figure> = self.dump.analysis.figures().collect();
        let mut amounts: Amounts = figures.iter().map(|_| Bytes(0)).collect();
        if figures.is_empty() {
            return Ok(amounts);
        }
        for object in chain.members(self.dump, task)?.into_iter().filter_map(ObjectId::from_raw) {
            let region = self.dump.heap.regions().map(|regions| regions.kind(object));
            for (figure, amount) in figures.iter().zip(&mut amounts) {
                match figure {
                    Figure::Native | Figure::Retained(PartOfHeap::Native) => *amount += self.dump.heap.native(object),
                    Figure::Retained(PartOfHeap::Region(kind)) if region == Some(*kind) => {
                        *amount += self.dump.heap.shallow(object);
                    }
                    Figure::Retained(PartOfHeap::Region(_)) => {}
                }
            }
        }
        Ok(amounts)
    }

    /// Names of the references between the first objects of a chain.
    fn via(&self, chain: Chain, task: &Task) -> Result<Box<str>, Cancelled> {
        if !self.names_chains {
            return Ok(Box::default());
        }
        let mut names: Vec<String> = Vec::new();
        let mut at = chain.head;
        for _ in 0..LOOKED_AT {
            let Some(after) = next(self.dump, at, task)?.filter(|_| at != chain.last) else { break };
            for name in self.dump.contents.reference_names(self.dump.heap, at, after, 1) {
                let name =
                    if name.kind == ReferenceKind::Element { "[]".to_owned() } else { format!(".{}", name.text) };
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            at = after;
        }
        names.truncate(2);
        Ok(names.join(" or ").into())
    }

    /// Marks accumulation points among the rows.
    fn mark_drops(&self, objects: &[u32], rows: &mut Rows, task: &Task) -> Result<(), Cancelled> {
        let rule = DropRule::of(self.dump.analysis);
        let mut looked = 0_usize;
        for block in task.blocks(objects.len()) {
            for object in objects[block?].iter().copied().filter_map(ObjectId::from_raw) {
                if self.dump.analysis.retained(object) < rule.least {
                    continue;
                }
                looked += 1;
                let chain = match rows.folds.get(&object).map(|fold| &fold.kind) {
                    Some(FoldKind::Chain { chain, .. }) => Some(*chain),
                    _ => None,
                };
                let biggest = biggest_below(self.dump, object, chain, task)?;
                if rule.is_drop(self.dump.analysis.retained(object), biggest) && looked <= MARKED {
                    rows.drops.insert(object, biggest);
                }
            }
        }
        Ok(())
    }
}

/// Up to this many are processed on the calling thread: the thread pool may be busy.
const FEW: usize = 1 << 10;
/// Maximum number of chains per level with reference names.
const NAMED: usize = 1 << 14;
/// Objects of a chain examined for the name.
const LOOKED_AT: usize = 4;
/// Names read between two cancellation checks.
const NAMED_AT_ONCE: usize = 64;
/// Maximum number of marked rows: each retains at least 1 percent of the heap.
const MARKED: usize = 1_000;

/// Sums of a group during counting.
struct GroupSums {
    first: ObjectId,
    objects: u64,
    shallow: Bytes,
    retained: Bytes,
    dominated: u64,
    then: Option<Bytes>,
    amounts: Vec<Bytes>,
}

impl GroupSums {
    fn new(first: ObjectId) -> Self {
        Self { first, objects: 0, shallow: Bytes(0), retained: Bytes(0), dominated: 0, then: None, amounts: Vec::new() }
    }

    fn add(&mut self, of: &FoldInputs<'_>, object: ObjectId) {
        self.first = self.first.min(object);
        self.objects += 1;
        self.shallow += of.dump.heap.shallow(object);
        self.retained += of.dump.analysis.retained(object);
        self.dominated += of.dump.analysis.dominated_count(object);
        if let Some(then) = of.then {
            self.then = Some(self.then.unwrap_or_default() + then(object));
        }
        for (at, figure) in of.dump.analysis.figures().enumerate() {
            if at == self.amounts.len() {
                self.amounts.push(Bytes(0));
            }
            self.amounts[at] += of.dump.analysis.figure(of.dump.heap, object, figure);
        }
    }

    fn fold(self, kind: FoldKind) -> Fold {
        let Self { objects, shallow, retained, dominated, then, .. } = self;
        Fold { kind, objects, shallow, retained, dominated, then, amounts: self.amounts.into() }
    }
}
