//! Selected rows of the dominator tree as a set of objects. A few are looked up at once; for many rows, and for groups,
//! only ranges of rows are recorded, and a job lists the objects.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::DominatorTree;
use super::levels::{Level, Levels};
use crate::ui::view_context::ViewContext;
use heaplens_base::units::Bytes;
use heaplens_session::open_dump::OpenDump;
use heaplens_session::open_dump::selection::{AT_ONCE, Listing, RowTotals};

impl DominatorTree {
    /// Publishes the selection.
    pub(super) fn select(&self, context: &mut ViewContext<'_>) {
        let (Some(levels), Some(range)) = (&self.levels, self.table.selection()) else { return };
        let (dump, version) = (context.dump, levels.version());
        if context.selection.keeps(&range, version) {
            return;
        }
        let is_few = range.end() - range.start() < AT_ONCE;
        if is_few && has_folds(levels, dump, &range) {
            context.select_listed(range.clone(), version, || self.of_folds(levels, dump, &range));
        } else {
            context.select_rows(Some(range.clone()), version, || self.of_rows(levels, dump, range));
        }
    }

    /// All objects of some rows, including those of groups.
    fn of_rows(&self, levels: &Levels, dump: &OpenDump, range: RangeInclusive<u64>) -> Listing {
        let together = RowTotals::Counted(range.end() - range.start() + 1);
        let runs = levels.tree.runs(range).into_iter().filter_map(|(node, run)| {
            let level = levels.tree.payload(node)?;
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
        Listing { together, list: Box::new(levels.lister(dump, rows, &self.filter)) }
    }

    /// All objects of some rows, and their combined figures. A row below another selected row adds nothing.
    fn of_folds(&self, levels: &Levels, dump: &OpenDump, range: &RangeInclusive<u64>) -> Listing {
        let mut rows = Vec::new();
        let (mut objects, mut shallow, mut retained) = (0, Bytes(0), Bytes(0));
        for row in range.clone() {
            let Some(spot) = levels.tree.locate(row) else { break };
            let mut above = levels.tree.above(spot.parent);
            let mut is_counted = false;
            while let Some((node, index)) = above.filter(|_| !is_counted) {
                is_counted = range.contains(&levels.tree.row_of(node, index));
                above = levels.tree.above(node);
            }
            let Some(shown) = levels.shown(dump, &spot).filter(|_| !is_counted) else { continue };
            let Some(part) = levels.tree.payload(spot.parent).map(|level: &Level| level.part) else { continue };
            let one = || (1, dump.heap.shallow(shown.object), dump.analysis.retained(shown.object));
            let of_row = shown.fold.map_or_else(one, |fold| (fold.objects, fold.shallow, fold.retained));
            (objects, shallow, retained) = (objects + of_row.0, shallow + of_row.1, retained + of_row.2);
            rows.push((part, shown.object, shown.fold.cloned()));
        }
        let list = Box::new(levels.lister(dump, rows.into_iter(), &self.filter));
        Listing { together: RowTotals::Summed(objects, shallow, retained), list }
    }
}

/// True if one of a few rows is a group.
fn has_folds(levels: &Levels, dump: &OpenDump, range: &RangeInclusive<u64>) -> bool {
    range.clone().any(|row| levels.shown_at(dump, row).is_some_and(|shown| shown.fold.is_some()))
}
