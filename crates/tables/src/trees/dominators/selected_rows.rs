//! Selected rows of the dominator tree as a set of objects. A few are looked up at once; for many rows, and for groups,
//! only ranges of rows are recorded, and a job lists the objects.

use std::{ops::RangeInclusive, sync::Arc};

use super::levels::{Level, Levels, keep};
use crate::TypedFilter;
use crate::dump::group_name::GroupName;
use heaplens_analysis::dominator_tree::{Fold, FoldInputs, FoldKind, GroupRow, GroupedTree, LevelPart, Shared, Source};
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_heap::ObjectId;
use heaplens_session::OpenDump;
use heaplens_session::open_dump::selection::{Group, Listing, RowTotals};

impl Levels {
    /// All objects of some rows, including those of groups.
    pub fn of_rows(&self, dump: &OpenDump, range: RangeInclusive<u64>, filter: &TypedFilter) -> Listing {
        let together = RowTotals::Counted(range.end() - range.start() + 1);
        let runs = self.tree.runs(range).into_iter().filter_map(|(node, run)| {
            let level = self.tree.payload(node)?;
            Some((level.part, Arc::clone(level.rows.as_ref()?), run))
        });
        let runs: Vec<_> = runs.collect();
        let rows = runs.into_iter().flat_map(|(part, level, run)| {
            run.filter_map(move |at| {
                let rows = level.get()?;
                let object = *rows.rows.get(at as usize)?;
                Some((part, object, rows.fold(object).cloned()))
            })
        });
        Listing::of_rows(together, Box::new(self.lister(dump, rows, filter)))
    }

    /// All objects of some rows, and their combined figures. A row below another selected row adds nothing. `label` is
    /// asked for the label of a class loader that a row is named by.
    pub fn of_folds(
        &self,
        dump: &OpenDump,
        range: &RangeInclusive<u64>,
        filter: &TypedFilter,
        label: impl FnOnce(ObjectId) -> Option<String>,
    ) -> Listing {
        let mut rows = Vec::new();
        let (mut objects, mut shallow, mut retained) = (0, Bytes(0), Bytes(0));
        for row in range.clone() {
            let Some(spot) = self.tree.locate(row) else { break };
            let mut above = self.tree.above(spot.parent);
            let mut is_counted = false;
            while let Some((node, index)) = above.filter(|_| !is_counted) {
                is_counted = range.contains(&self.tree.row_of(node, index));
                above = self.tree.above(node);
            }
            let Some(shown) = self.shown(dump, &spot).filter(|_| !is_counted) else { continue };
            let Some(part) = self.tree.payload(spot.parent).map(|level: &Level| level.part) else { continue };
            let one = || (1, dump.heap.shallow(shown.object), dump.analysis.retained(shown.object));
            let of_row = shown.fold.map_or_else(one, |fold| (fold.objects, fold.shallow, fold.retained));
            (objects, shallow, retained) = (objects + of_row.0, shallow + of_row.1, retained + of_row.2);
            rows.push((part, shown.object, shown.fold.cloned()));
        }
        let group = match &rows[..] {
            [(_, _, Some(fold))] => Some(Group {
                name: GroupName::new(&dump.heap, (&fold.kind, fold.objects), self.shared.as_deref(), label).plain(),
                owners: match fold.kind {
                    FoldKind::Shared(set) => owners_of(self.shared.as_deref(), set),
                    _ => None,
                },
            }),
            _ => None,
        };
        let list = Box::new(self.lister(dump, rows.into_iter(), filter));
        Listing { group, ..Listing::of_rows(RowTotals::Summed(objects, shallow, retained), list) }
    }

    /// True if one of a few rows is a group.
    pub fn has_folds(&self, dump: &OpenDump, range: &RangeInclusive<u64>) -> bool {
        range.clone().any(|row| self.shown_at(dump, row).is_some_and(|shown| shown.fold.is_some()))
    }

    /// Objects of rows, each in its level; all objects of groups.
    fn lister(
        &self,
        dump: &OpenDump,
        rows: impl Iterator<Item = (LevelPart, ObjectId, Option<Fold>)> + Send + 'static,
        filter: &TypedFilter,
    ) -> impl FnOnce(&Task) -> Result<Vec<ObjectId>, Cancelled> + Send + 'static {
        let (dump, filter, form) = (dump.clone(), filter.clone(), self.form);
        let (partition, shared, order) = (self.partition.clone(), self.shared.clone(), self.order);
        move |task| {
            let heap = &*dump.heap;
            let folding = FoldInputs {
                dump: dump.data(),
                names_chains: false,
                form,
                partition: &partition,
                shared: shared.as_deref(),
                order,
                then: None,
            };
            let mut objects = Vec::new();
            for (at, (part, object, fold)) in rows.enumerate() {
                if at.is_multiple_of(CHECKPOINT_EVERY) {
                    task.checkpoint()?;
                }
                let Some(fold) = fold else {
                    objects.push(object);
                    continue;
                };
                let filter = if part.is_at_top() { filter.clone() } else { TypedFilter::default() };
                let part = match fold.kind {
                    FoldKind::Chain { chain, .. } | FoldKind::Members(chain) => {
                        LevelPart { source: Source::Members(chain), only: None }
                    }
                    FoldKind::Group(by, class) => LevelPart { only: Some((by, class)), ..part },
                    FoldKind::Shared(set) => LevelPart { source: Source::Shared(set), only: None },
                };
                objects.extend(folding.members(part, &keep(heap, &filter), task)?);
            }
            Ok(objects)
        }
    }
}

/// Owners of a set; `None` if it has many.
fn owners_of(shared: Option<&Shared>, set: u32) -> Option<Vec<ObjectId>> {
    shared?.sets.get(set as usize)?.owners.clone()
}

/// Objects of a group of a chart, by the name that the group has in the tree.
pub fn listing_of_group(dump: &OpenDump, group: GroupRow, shared: Arc<Shared>) -> Listing {
    let owners = match (group.id.part.source, group.id.part.only) {
        (Source::Shared(set), None) => owners_of(Some(&shared), set),
        _ => None,
    };
    let name = GroupName::of_group(&dump.heap, &group, Some(&shared)).plain();
    let of = dump.clone();
    let list = Box::new(move |task: &Task| GroupedTree::with(of.data(), shared).members(group.id.part, task));
    let together = RowTotals::Summed(group.objects, group.shallow, group.retained);
    Listing { group: Some(Group { name, owners }), ..Listing::of_rows(together, list) }
}
