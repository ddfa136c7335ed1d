//! Levels of the dominator tree that read well: chains are one row, siblings of
//! a class are one row, or all rows are groups by class, package or loader.
//!
//! Every object of a level stands below exactly one of its rows, so what the
//! rows hold adds up to what the level holds. A row is named by one object: its
//! own, the first of a chain, or the one of a group with the lowest address.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::LevelOrder;
use super::chains::{Chain, chain_from, next};
use super::drops::{DropRule, biggest_below};
use super::order::{Measured, ordered};
use super::parts::{By, Form, Part, Partition, Source};
use super::rows::{Fold, FoldKind, Rows};
use super::shared::Shared;
use crate::heap::analyzed::Analyzed;
use crate::heap::contents::{Contents, ReferenceKind};
use crate::heap::facts::Heap;
use crate::heap::figures::{Amounts, Figure};
use crate::heap::ids::ObjectId;
use crate::heap::parts::Part as PartOfHeap;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task, Unit};
use crate::units::Bytes;

/// Fewer objects of a class at a level stand there by themselves.
pub const GROUP_AT_LEAST: u64 = 10;

/// What levels are made of.
#[derive(Clone, Copy)]
pub struct Folding<'a> {
    /// The heap.
    pub heap: &'a Heap,
    /// Its columns.
    pub analyzed: &'a Analyzed,
    /// Tells how chains hang together; without it they do not say.
    pub contents: Option<&'a dyn Contents>,
    /// How the tree is read.
    pub form: Form,
    /// The groups of classes that `form` asks for.
    pub partition: &'a Partition,
    /// Who shares what, once that is known.
    pub shared: Option<&'a Shared>,
    /// The order of rows, and whether it is turned around.
    pub order: (LevelOrder, bool),
    /// What objects retained in another dump, if they are compared with one.
    pub then: Option<&'a Then<'a>>,
}

/// Tells what an object retained in another dump: nothing if it was not there.
pub type Then<'a> = dyn Fn(ObjectId) -> Bytes + Sync + 'a;

impl Folding<'_> {
    /// The rows of a level whose objects pass `keep`.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn rows(&self, part: Part, keep: &(dyn Fn(ObjectId) -> bool + Sync), task: &Task) -> Result<Rows, Cancelled> {
        let mut rows = Rows { order: self.order, ..Rows::default() };
        let objects = self.objects(part, keep, task)?;
        let left = if matches!(part.source, Source::Members(_)) || self.form == Form::Plain {
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

    /// The objects of a level that pass `keep`, in address order or in that of their chain: what its rows stand for.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn members(
        &self,
        part: Part,
        keep: &(dyn Fn(ObjectId) -> bool + Sync),
        task: &Task,
    ) -> Result<impl Iterator<Item = ObjectId> + use<>, Cancelled> {
        Ok(self.objects(part, keep, task)?.into_iter().filter_map(ObjectId::from_raw))
    }

    /// A row for each set of owners, also where they share a single object that passes `keep`.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn shared_rows(&self, keep: &(dyn Fn(ObjectId) -> bool + Sync), task: &Task) -> Result<Rows, Cancelled> {
        let mut rows = Rows { order: self.order, ..Rows::default() };
        let Some(shared) = self.shared else { return Ok(rows) };
        let objects = shared.all().filter(|&object| keep(object)).map(ObjectId::raw).collect();
        let (found, _) = self.counted(objects, |object| shared.set_of(object), |_| true, task)?;
        for (set, counted) in found {
            rows.sets.insert(set, counted.first);
            rows.folds.insert(counted.first, counted.fold(FoldKind::Shared(set)));
        }
        self.sort(Vec::new(), &mut rows, task)?;
        Ok(rows)
    }

    /// Puts the rows in their order: objects that stand for themselves, and those that stand for others.
    fn sort(&self, mut left: Vec<u32>, rows: &mut Rows, task: &Task) -> Result<(), Cancelled> {
        left.extend(rows.groups.values().chain(rows.sets.values()).chain(&rows.chain).map(|object| object.raw()));
        // From maps they come in no order that means anything.
        left.sort_unstable();
        task.step("Sorting", Unit::Objects, left.len() as u64);
        let measured = Measured { heap: self.heap, analyzed: self.analyzed, folds: &rows.folds, then: self.then };
        let ordered = ordered(&measured, left, self.order, task)?;
        rows.rows = ordered.into_iter().filter_map(ObjectId::from_raw).collect();
        Ok(())
    }

    /// The objects of a level, by themselves.
    fn objects(
        &self,
        part: Part,
        keep: &(dyn Fn(ObjectId) -> bool + Sync),
        task: &Task,
    ) -> Result<Vec<u32>, Cancelled> {
        let (heap, analyzed) = (self.heap, self.analyzed);
        let partition = part.only.filter(|(by, _)| *by != By::Class).and(Some(self.partition));
        let group = |object| partition.map_or(heap.class_id(object), |partition| partition.group_of(heap, object));
        let alone = self.alone(part);
        let taken = |object: ObjectId| match part.only {
            None => keep(object),
            Some((_, first)) => group(object) == first && analyzed.retained(object) < alone && keep(object),
        };
        let chosen = |objects: Vec<u32>| objects.into_iter().filter(|&o| ObjectId::from_raw(o).is_some_and(taken));
        match part.source {
            Source::Below(parent) => {
                let below = parent.map_or(analyzed.shown.objects, |parent| analyzed.dominated(parent));
                task.step("Reading a level", Unit::Objects, below);
                let (mut objects, mut passed) = (Vec::new(), 0);
                let hidden = part.only.and_then(|_| self.shared_at(part));
                for (at, object) in analyzed.dominator_children(parent).enumerate() {
                    passed += analyzed.dominated(object) + 1;
                    if at.is_multiple_of(CHECKPOINT_EVERY) {
                        task.advance_checked(std::mem::take(&mut passed))?;
                    }
                    if taken(object) && hidden.is_none_or(|shared| shared.row_of(object).is_none()) {
                        objects.push(object.raw());
                    }
                }
                Ok(objects)
            }
            Source::Chain(chain) => Ok(chosen(chain.hanging(heap, analyzed, task)?).collect()),
            Source::Members(chain) => chain.members(heap, analyzed, task),
            Source::Shared(set) => {
                Ok(self.shared.map_or_else(Vec::new, |shared| chosen(shared.members(set).to_vec()).collect()))
            }
        }
    }

    /// What objects retain at least that stand by themselves beside the group of their class: nobody looks for the
    /// biggest of all behind the name of a thousand.
    fn alone(&self, part: Part) -> Bytes {
        match (self.form, part.only) {
            (Form::Plain | Form::By(By::Class), _) | (Form::By(_), None | Some((By::Package | By::Loader, _))) => {
                Bytes(u64::MAX)
            }
            (Form::Folded, _) | (Form::By(_), Some((By::Class, _))) => DropRule::of(self.analyzed).least,
        }
    }

    /// Who shares what, where that makes rows of its own.
    fn shared_at(&self, part: Part) -> Option<&Shared> {
        self.shared.filter(|_| self.form == Form::Folded && part.source == Source::Below(None))
    }

    /// Takes out what several owners share.
    fn without_shared(
        &self,
        part: Part,
        objects: Vec<u32>,
        rows: &mut Rows,
        task: &Task,
    ) -> Result<Vec<u32>, Cancelled> {
        let Some(shared) = self.shared_at(part).filter(|_| part.only.is_none()) else { return Ok(objects) };
        let set_of = |object| shared.row_of(object);
        let (found, left) = self.counted(objects, set_of, |_| true, task)?;
        for (set, counted) in found {
            rows.sets.insert(set, counted.first);
            rows.folds.insert(counted.first, counted.fold(FoldKind::Shared(set)));
        }
        Ok(left)
    }

    /// Takes out objects of which there are many, or all where every row is a group.
    fn without_groups(
        &self,
        part: Part,
        objects: Vec<u32>,
        rows: &mut Rows,
        task: &Task,
    ) -> Result<Vec<u32>, Cancelled> {
        let (by, least) = match (self.form, part.only) {
            (_, Some((By::Class, _))) | (Form::Plain, _) => return Ok(objects),
            (Form::By(by), None) => (by, 1),
            (Form::Folded, _) | (Form::By(_), Some(_)) => (By::Class, GROUP_AT_LEAST),
        };
        rows.alone = if least > 1 { DropRule::of(self.analyzed).least } else { Bytes(u64::MAX) };
        let alone = rows.alone;
        // Of a package or loader these are only some: their class does not say which.
        let is_part = |class| part.only.is_some() && self.partition.is_of_class_objects(class);
        let group = |object: ObjectId| {
            let class = self.heap.class_id(object);
            let group = if by == By::Class { class } else { self.partition.group_of(self.heap, object) };
            (self.analyzed.retained(object) < alone && !is_part(class)).then_some(group)
        };
        let (found, left) = self.counted(objects, group, |objects| objects >= least, task)?;
        rows.by = by;
        for (class, counted) in found {
            rows.groups.insert(class, counted.first);
            rows.folds.insert(counted.first, counted.fold(FoldKind::Group(by, class)));
        }
        Ok(left)
    }

    /// What objects are together by key, of keys with enough of them, and the objects that are left.
    fn counted<K: std::hash::Hash + Ord + Copy>(
        &self,
        objects: Vec<u32>,
        key: impl Fn(ObjectId) -> Option<K>,
        enough: impl Fn(u64) -> bool,
        task: &Task,
    ) -> Result<(BTreeMap<K, Counted>, Vec<u32>), Cancelled> {
        task.step("Grouping", Unit::Objects, objects.len() as u64);
        let mut found: HashMap<K, Counted> = HashMap::new();
        for block in task.blocks(objects.len()) {
            let block = block?;
            task.advance(block.len() as u64);
            for object in objects[block].iter().copied().filter_map(ObjectId::from_raw) {
                if let Some(key) = key(object) {
                    found.entry(key).or_insert_with(|| Counted::new(object)).add(self, object);
                }
            }
        }
        found.retain(|_, counted| enough(counted.objects));
        let mut left = objects;
        if !found.is_empty() {
            task.checkpoint()?;
            left.retain(|&row| {
                let key = ObjectId::from_raw(row).and_then(&key);
                key.is_none_or(|key| !found.contains_key(&key))
            });
        }
        Ok((found.into_iter().collect(), left))
    }

    /// Finds the chains that begin at `objects`.
    fn fold_chains(&self, objects: &[u32], rows: &mut Rows, task: &Task) -> Result<(), Cancelled> {
        task.step("Finding chains", Unit::Objects, objects.len() as u64);
        let chains = |block: &[u32]| -> Result<Vec<Chain>, Cancelled> {
            let mut found = Vec::new();
            for object in block.iter().copied().filter_map(ObjectId::from_raw) {
                found.extend(chain_from(self.heap, self.analyzed, object, task)?);
            }
            task.advance_checked(block.len() as u64)?;
            Ok(found)
        };
        let found: Vec<Vec<Chain>> = if objects.len() <= FEW {
            vec![chains(objects)?]
        } else {
            objects.par_chunks(CHECKPOINT_EVERY).map(chains).collect::<Result<_, _>>()?
        };
        for (at, chain) in found.into_iter().flatten().enumerate() {
            if at.is_multiple_of(NAMED_AT_ONCE) {
                task.checkpoint()?;
            }
            let retained = self.analyzed.retained(chain.head);
            let dominated = self.analyzed.dominated(chain.head).saturating_sub(chain.objects - 1);
            // Nobody reads the names of more.
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

    /// The figures of a chain: what its head retains in each part, what its objects own.
    fn chain_amounts(&self, chain: Chain, task: &Task) -> Result<Amounts, Cancelled> {
        let mut amounts = self.analyzed.amounts(self.heap, chain.head);
        if let Some(at) = self.analyzed.figures().position(|figure| figure == Figure::Native) {
            let members = chain.members(self.heap, self.analyzed, task)?;
            let own = members.into_iter().filter_map(ObjectId::from_raw).map(|object| self.heap.native(object)).sum();
            amounts.get_mut(at).into_iter().for_each(|native| *native = own);
        }
        Ok(amounts)
    }

    /// The figures of the objects of a chain without what hangs off them.
    fn members_amounts(&self, chain: Chain, task: &Task) -> Result<Amounts, Cancelled> {
        let figures: Vec<Figure> = self.analyzed.figures().collect();
        let mut amounts: Amounts = figures.iter().map(|_| Bytes(0)).collect();
        if figures.is_empty() {
            return Ok(amounts);
        }
        for object in chain.members(self.heap, self.analyzed, task)?.into_iter().filter_map(ObjectId::from_raw) {
            let region = self.heap.regions().map(|regions| regions.kind(object));
            for (figure, amount) in figures.iter().zip(&mut amounts) {
                match figure {
                    Figure::Native | Figure::Retained(PartOfHeap::Native) => *amount += self.heap.native(object),
                    Figure::Retained(PartOfHeap::Region(kind)) if region == Some(*kind) => {
                        *amount += self.heap.shallow(object);
                    }
                    Figure::Retained(PartOfHeap::Region(_)) => {}
                }
            }
        }
        Ok(amounts)
    }

    /// By which names the first objects of a chain refer to the next.
    fn via(&self, chain: Chain, task: &Task) -> Result<Box<str>, Cancelled> {
        let Some(contents) = self.contents else { return Ok(Box::default()) };
        let mut names: Vec<String> = Vec::new();
        let mut at = chain.head;
        for _ in 0..LOOKED_AT {
            let Some(after) = next(self.heap, self.analyzed, at, task)?.filter(|_| at != chain.last) else { break };
            for name in contents.reference_names(self.heap, at, after, 1) {
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

    /// Marks the rows where much is held and no single object below holds most of it.
    fn mark_drops(&self, objects: &[u32], rows: &mut Rows, task: &Task) -> Result<(), Cancelled> {
        let rule = DropRule::of(self.analyzed);
        let mut looked = 0_usize;
        for block in task.blocks(objects.len()) {
            for object in objects[block?].iter().copied().filter_map(ObjectId::from_raw) {
                if self.analyzed.retained(object) < rule.least {
                    continue;
                }
                looked += 1;
                let chain = match rows.folds.get(&object).map(|fold| &fold.kind) {
                    Some(FoldKind::Chain { chain, .. }) => Some(*chain),
                    _ => None,
                };
                let biggest = biggest_below(self.heap, self.analyzed, object, chain, task)?;
                if rule.is_drop(self.analyzed.retained(object), biggest) && looked <= MARKED {
                    rows.drops.insert(object, biggest);
                }
            }
        }
        Ok(())
    }
}

/// Up to this many are looked at where they are asked for: other work may be keeping all threads of the pool.
const FEW: usize = 1 << 10;
/// Chains of one level that say how they hang together.
const NAMED: usize = 1 << 14;
/// Objects of a chain that are asked for the name.
const LOOKED_AT: usize = 4;
/// Names between two looks at whether anybody wants them.
const NAMED_AT_ONCE: usize = 64;
/// Rows of a level that are marked at most; where each must hold a hundredth of all there can be no more.
const MARKED: usize = 1_000;

/// Objects of a group while they are counted.
struct Counted {
    first: ObjectId,
    objects: u64,
    shallow: Bytes,
    retained: Bytes,
    dominated: u64,
    then: Option<Bytes>,
    amounts: Vec<Bytes>,
}

impl Counted {
    fn new(first: ObjectId) -> Self {
        Self { first, objects: 0, shallow: Bytes(0), retained: Bytes(0), dominated: 0, then: None, amounts: Vec::new() }
    }

    fn add(&mut self, of: &Folding<'_>, object: ObjectId) {
        self.first = self.first.min(object);
        self.objects += 1;
        self.shallow += of.heap.shallow(object);
        self.retained += of.analyzed.retained(object);
        self.dominated += of.analyzed.dominated(object);
        if let Some(then) = of.then {
            self.then = Some(self.then.unwrap_or_default() + then(object));
        }
        for (at, figure) in of.analyzed.figures().enumerate() {
            if at == self.amounts.len() {
                self.amounts.push(Bytes(0));
            }
            self.amounts[at] += of.analyzed.figure(of.heap, object, figure);
        }
    }

    fn fold(self, kind: FoldKind) -> Fold {
        let Self { objects, shallow, retained, dominated, then, .. } = self;
        Fold { kind, objects, shallow, retained, dominated, then, amounts: self.amounts.into() }
    }
}
