//! Sort order of the rows of a level, for objects and groups alike.

use std::collections::HashMap;

use super::fold::{Fold, FoldKind};
use super::level_order::{BaselineSize, LevelOrder};
use super::parts::PartitionBy;
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_graph::order::{ascending, by_rank, descending};
use heaplens_heap::{Figure, ObjectId};

/// Sort values of rows, for single objects and groups.
pub(super) struct RowWeights<'a> {
    pub(super) dump: DumpData<'a>,
    pub(super) folds: &'a HashMap<ObjectId, Fold>,
    pub(super) then: Option<&'a BaselineSize<'a>>,
}

impl RowWeights<'_> {
    fn fold(&self, object: ObjectId) -> Option<&Fold> {
        // In a level of ten million rows, most are single objects.
        if self.folds.is_empty() { None } else { self.folds.get(&object) }
    }

    fn retained(&self, object: ObjectId) -> u64 {
        self.fold(object).map_or_else(|| self.dump.analysis.retained(object), |fold| fold.retained).0
    }

    /// Growth of the retained size, mapped to an ordered unsigned number.
    fn growth(&self, object: ObjectId) -> u64 {
        let then = match self.fold(object) {
            Some(fold) => fold.then,
            None => self.then.map(|then| then(object)),
        };
        let now = self.retained(object).cast_signed();
        let more = then.map_or(0, |then| now.saturating_sub(then.0.cast_signed()));
        more.cast_unsigned() ^ (1 << 63)
    }

    fn shallow(&self, object: ObjectId) -> u64 {
        self.fold(object).map_or_else(|| self.dump.heap.shallow(object), |fold| fold.shallow).0
    }

    /// Figure of the row by its index among those of the dump.
    fn figure(&self, object: ObjectId, (index, figure): (usize, Figure)) -> u64 {
        let of_fold = |fold: &Fold| fold.amounts.get(index).copied().unwrap_or_default();
        self.fold(object).map_or_else(|| self.dump.analysis.figure(self.dump.heap, object, figure), of_fold).0
    }

    /// Sort value of a row that is known by its object only.
    fn placed(&self, figure: Figure) -> (usize, Figure) {
        (self.dump.analysis.figures().position(|of| of == figure).unwrap_or(usize::MAX), figure)
    }

    /// Alphabetical rank of the name of the object's heap.
    fn region(&self, object: ObjectId) -> u32 {
        let Some(regions) = self.dump.heap.regions() else { return 0 };
        let own = regions.name(object);
        regions.names().iter().filter(|name| ***name < *own).count() as u32
    }

    fn dominated(&self, object: ObjectId) -> u64 {
        self.fold(object).map_or_else(|| self.dump.analysis.dominated_count(object), |fold| fold.dominated)
    }

    /// Name a row is sorted by: class name, or package name.
    fn name(&self, object: ObjectId) -> (&str, u32) {
        match self.fold(object).map(|fold| &fold.kind) {
            Some(&FoldKind::Group(PartitionBy::Package, class)) => {
                (self.dump.heap.classes.get(class).package(), class.raw())
            }
            Some(&FoldKind::Group(PartitionBy::Loader, class)) => {
                let loader = self.dump.heap.classes.get(class).loader;
                (loader.map_or("", |loader| &*self.dump.heap.class(loader).name), class.raw())
            }
            _ => (&*self.dump.heap.class(object).name, self.dump.heap.class_id(object).raw()),
        }
    }
}

/// Rows in `order`, or in the opposite one when `reversed`.
pub(super) fn ordered(
    of: &RowWeights<'_>,
    mut rows: Vec<u32>,
    (order, reversed): (LevelOrder, bool),
    task: &Task,
) -> Result<Vec<u32>, Cancelled> {
    let by = |key: &(dyn Fn(ObjectId) -> u64 + Sync), row| ObjectId::from_raw(row).map_or(0, key);
    rows = match order {
        LevelOrder::Retained => descending(rows, |row| by(&|o| of.retained(o), row), task)?,
        LevelOrder::Shallow => descending(rows, |row| by(&|o| of.shallow(o), row), task)?,
        LevelOrder::Dominated => descending(rows, |row| by(&|o| of.dominated(o), row), task)?,
        LevelOrder::Growth => descending(rows, |row| by(&|o| of.growth(o), row), task)?,
        LevelOrder::Class => {
            let ranks = name_ranks(of, &rows, task)?;
            rows = descending(rows, |row| by(&|o| of.retained(o), row), task)?;
            by_rank(&rows, |row| ObjectId::from_raw(row).map_or(u32::MAX, |o| ranks(of, o)), task)?
        }
        LevelOrder::Region => {
            rows = descending(rows, |row| by(&|o| of.retained(o), row), task)?;
            by_rank(&rows, |row| ObjectId::from_raw(row).map_or(u32::MAX, |o| of.region(o)), task)?
        }
        LevelOrder::Figure(figure) => {
            let figure = of.placed(figure);
            descending(rows, |row| by(&|o| of.figure(o, figure), row), task)?
        }
        LevelOrder::Address => {
            ascending(&mut rows, task)?;
            rows
        }
    };
    if reversed {
        rows.reverse();
    }
    Ok(rows)
}

/// Index of the row of `object` among `rows`, which are sorted in that order.
pub(super) fn index_of_parent(
    of: &RowWeights<'_>,
    rows: &[ObjectId],
    (order, reversed): (LevelOrder, bool),
    object: ObjectId,
) -> Option<usize> {
    if order == LevelOrder::Growth {
        // Baseline sizes are not available here: linear search.
        return rows.iter().position(|&a| a == object);
    }
    let biggest = |key: &dyn Fn(ObjectId) -> u64, a: ObjectId| key(object).cmp(&key(a));
    let compare = |a: ObjectId| {
        let by_key = match order {
            LevelOrder::Retained => biggest(&|o| of.retained(o), a),
            LevelOrder::Shallow => biggest(&|o| of.shallow(o), a),
            LevelOrder::Dominated => biggest(&|o| of.dominated(o), a),
            LevelOrder::Class => of.name(a).cmp(&of.name(object)).then_with(|| biggest(&|o| of.retained(o), a)),
            LevelOrder::Region => of.region(a).cmp(&of.region(object)).then_with(|| biggest(&|o| of.retained(o), a)),
            LevelOrder::Figure(figure) => biggest(&|o| of.figure(o, of.placed(figure)), a),
            LevelOrder::Address | LevelOrder::Growth => std::cmp::Ordering::Equal,
        };
        let forwards = by_key.then(a.cmp(&object));
        if reversed { forwards.reverse() } else { forwards }
    };
    rows.binary_search_by(|&a| compare(a)).ok()
}

/// Rank of a row's name among all names, so that comparisons use numbers.
fn name_ranks(
    of: &RowWeights<'_>,
    rows: &[u32],
    task: &Task,
) -> Result<impl Fn(&RowWeights<'_>, ObjectId) -> u32 + Sync + use<>, Cancelled> {
    let mut names: Vec<(&str, u32)> = of.dump.heap.classes.iter().map(|(id, class)| (&*class.name, id.raw())).collect();
    let folded = rows.iter().copied().filter_map(ObjectId::from_raw).filter(|&o| of.fold(o).is_some());
    names.extend(folded.map(|object| of.name(object)));
    task.checkpoint()?;
    names.sort_unstable();
    names.dedup();
    // A class and the package it represents may share a number.
    let mut plain = vec![u32::MAX; of.dump.heap.classes.len()];
    let mut groups = HashMap::new();
    for (rank, &(name, class)) in (0..).zip(&names) {
        let own = of.dump.heap.classes.all().get(class as usize);
        match plain.get_mut(class as usize) {
            Some(slot) if own.is_some_and(|own| *own.name == *name) => *slot = rank,
            _ => drop(groups.insert(class, rank)),
        }
    }
    Ok(move |of: &RowWeights<'_>, object| {
        let class = of.name(object).1;
        let is_named = of
            .fold(object)
            .is_some_and(|fold| matches!(fold.kind, FoldKind::Group(PartitionBy::Package | PartitionBy::Loader, _)));
        let group = if is_named { groups.get(&class).copied() } else { None };
        group.or_else(|| plain.get(class as usize).copied()).unwrap_or(u32::MAX)
    })
}
