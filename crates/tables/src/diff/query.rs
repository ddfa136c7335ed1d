//! Comparison query of two dumps, and its answer.

use std::sync::Arc;

use super::{
    BorrowedHeaps, ChangeFilter, ClassChanges, ClassesOverTime, DiffRows, Difference, NamedDump, OwnerChanges,
    OwnerDetail, OwnersOverTime, Part, SideChanges, head, name_over_time, series_head,
};
use crate::{Table, TableError, export::diff::DocumentHeader};
use heaplens_analysis::diff::Comparison;
use heaplens_analysis::diff::entry_diff::{EntryDiff, turnover};
use heaplens_analysis::{Namer, diff::Pair};
use heaplens_base::{Cancelled, Task};
use heaplens_session::comparison::compare_dumps;
use heaplens_session::series::Series;
use heaplens_session::side_by_side::side_by_side;
use heaplens_session::{OwnerSeries, SideRow};

/// Comparison query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffQuery {
    /// Parts of the answer, in this order.
    pub of: Vec<DiffRows>,
    /// Selection of rows.
    pub which: ChangeFilter,
    /// Level of detail of owners.
    pub wanted: OwnerDetail,
}

/// Two heaps compared object by object.
pub struct HeapComparison {
    /// Matches, classes and growth.
    pub comparison: Comparison,
    /// Added and removed objects by class kind.
    pub turnover: Vec<EntryDiff>,
}

impl HeapComparison {
    /// Compares two dumps.
    pub fn find(pair: Pair<'_>, task: &Task) -> Result<Self, Cancelled> {
        let comparison = compare_dumps(pair, task)?;
        let turnover = turnover(pair, &comparison.matches, task)?;
        Ok(Self { comparison, turnover })
    }
}

impl DiffQuery {
    /// True if it requires matched objects.
    pub fn needs_matches(&self) -> bool {
        self.of.iter().any(|of| of.needs_matches())
    }

    /// Builds the answer. Owners and classes require `compared` heaps, and names of the target.
    pub fn answer<'a>(
        &self,
        (before, after): (NamedDump<'a>, NamedDump<'a>),
        compared: Option<(&'a HeapComparison, Namer<'a>)>,
        task: &Task,
    ) -> Result<Difference<'a>, TableError> {
        let pair = Pair { before: before.side, after: after.side };
        let head = head(before, after, compared.map(|(compared, _)| &compared.comparison.growth));
        let mut unchanged = head.delta.objects == 0 && head.delta.bytes == 0;
        let mut parts = Vec::with_capacity(self.of.len());
        for &of in &self.of {
            match (of, compared) {
                (DiffRows::Owners, Some((HeapComparison { comparison, .. }, namer))) => {
                    unchanged &= comparison.growth.rows.is_empty();
                    let heaps = BorrowedHeaps { pair, comparison, namer };
                    parts.push(Part::Owners(OwnerChanges::new(Box::new(heaps), self.which, self.wanted)));
                }
                (DiffRows::Classes, Some((HeapComparison { comparison, turnover }, namer))) => {
                    let heaps = BorrowedHeaps { pair, comparison, namer };
                    let table = |which| ClassChanges::new(Box::new(heaps), turnover, which);
                    unchanged &= table(ChangeFilter::Changed).count() == 0;
                    parts.push(Part::Rows(Arc::new(table(self.which))));
                }
                (DiffRows::Owners | DiffRows::Classes, None) => {}
                (DiffRows::Side(what), _) => {
                    let rows = side_by_side(pair, what, task)?;
                    unchanged &= !rows.iter().any(SideRow::has_changed);
                    parts.push(Part::Rows(Arc::new(SideChanges::new(what, rows, self.which))));
                }
            }
        }
        Ok(Difference { head: DocumentHeader::Pair(Box::new(head)), parts, unchanged })
    }

    /// Builds the answer for more than two dumps in chronological order, with the namers of each; only rows that grew
    /// in every interval if `every_time`. Supports owners and classes only.
    pub fn over_time<'a>(
        &self,
        dumps: &[NamedDump<'a>],
        namers: &[Namer<'a>],
        series: &'a Arc<Series>,
        every_time: bool,
    ) -> Difference<'a> {
        let part = |of: &DiffRows| -> Option<Part<'a>> {
            let rows: Arc<dyn Table + 'a> = match of {
                DiffRows::Owners => {
                    let namers = namers.to_vec();
                    let names = Box::new(move |row: &OwnerSeries| name_over_time(&namers, row));
                    let series = Arc::clone(series);
                    Arc::new(OwnersOverTime::new(dumps.len(), names, series, self.which, every_time))
                }
                DiffRows::Classes => Arc::new(ClassesOverTime::new(dumps.len(), series, self.which, every_time)),
                DiffRows::Side(_) => return None,
            };
            Some(Part::Rows(rows))
        };
        let head = series_head(dumps);
        let unchanged = series.owners.is_empty() && head.delta.objects == 0 && head.delta.bytes == 0;
        Difference { head: DocumentHeader::Series(head), parts: self.of.iter().filter_map(part).collect(), unchanged }
    }
}
