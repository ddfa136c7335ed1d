//! The classes of a package or of class loaders, before and after: what the window expands below such a row.

use std::collections::BTreeMap;

use super::BorrowedHeaps;
use heaplens_analysis::DumpData;
use heaplens_analysis::diff::{Amount, Change};
use heaplens_analysis::diff::{classes::ClassRow, kinds::ComparedClassId};
use heaplens_heap::ClassId;
use heaplens_session::SideRow;

/// Lookup of the classes of rows.
pub struct ClassLookup<'a> {
    heaps: BorrowedHeaps<'a>,
    known: BTreeMap<ComparedClassId, &'a ClassRow>,
}

impl<'a> ClassLookup<'a> {
    /// Lookup for compared heaps.
    pub fn new(heaps: BorrowedHeaps<'a>) -> Self {
        Self { heaps, known: heaps.comparison.classes.iter().map(|row| (row.kind, row)).collect() }
    }

    /// Classes of a row that have objects, largest growth first.
    pub fn of(&self, row: &SideRow) -> Vec<ClassRow> {
        let kinds = &self.heaps.comparison.matches.kinds;
        let mut kinds_found: BTreeMap<ComparedClassId, [Vec<ClassId>; 2]> = BTreeMap::new();
        for &class in row.before.iter().flat_map(|side| &side.classes) {
            kinds_found.entry(kinds.of_before(class)).or_default()[0].push(class);
        }
        for &class in row.after.iter().flat_map(|side| &side.classes) {
            kinds_found.entry(kinds.of_after(class)).or_default()[1].push(class);
        }
        let row = |(kind, [before, after]): (ComparedClassId, [Vec<ClassId>; 2])| {
            let total = kinds.get(kind).map_or(0, |kind| kind.before.len() + kind.after.len());
            let known = self.known.get(&kind).copied()?;
            // Loaders of one class with different names define classes of one kind.
            if before.len() + after.len() < total {
                let pair = self.heaps.pair;
                let change = Change { before: sum(pair.before, &before), after: sum(pair.after, &after) };
                return Some(ClassRow { kind, change });
            }
            Some(known.clone())
        };
        let mut rows: Vec<ClassRow> = kinds_found.into_iter().filter_map(row).collect();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.change.shallow()), row.kind));
        rows
    }
}

fn sum(side: DumpData<'_>, classes: &[ClassId]) -> Amount {
    let mut sum = Amount::default();
    for &class in classes {
        let totals = side.analysis.class_totals(class);
        (sum.objects, sum.shallow) = (sum.objects + totals.objects, sum.shallow + totals.shallow);
        sum.retained += side.analysis.class_retained(class);
    }
    sum
}
