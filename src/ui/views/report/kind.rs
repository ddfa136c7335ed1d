//! Kind of report: what differs between reports that share one view.

use std::sync::Arc;

use crate::ui::widgets::Column;
use crate::ui::widgets::table::place_of_key;
use heaplens_base::Task;
use heaplens_session::{JobError, OpenDump};
use heaplens_tables::relation::Relation;
use heaplens_tables::reports::rows::Rows;

/// Kind of report: columns, texts and the job that computes it.
pub struct Kind {
    /// Name for screen readers and messages.
    pub name: &'static str,
    /// Columns; the first is the name of a row.
    pub columns: &'static [Column],
    /// Initial sort column, and true for descending.
    pub sorted: Option<(usize, bool)>,
    /// Placeholder of the filter.
    pub filter: &'static str,
    /// Title and explanation of the empty state.
    pub nothing: (&'static str, &'static str),
    /// Table of the top-level rows; `None` if the rows define it.
    pub relation: Option<&'static Relation>,
    /// Computes the rows.
    pub make: fn(&OpenDump, &Task) -> Result<Rows, JobError>,
}

impl Kind {
    /// A report of a table, which has its title and order. Without texts for the filter and the empty state.
    pub const fn of(
        relation: &'static Relation,
        columns: &'static [Column],
        make: fn(&OpenDump, &Task) -> Result<Rows, JobError>,
    ) -> Self {
        let sorted = match relation.order {
            Some(key) => Some((place_of_key(columns, key), true)),
            None => None,
        };
        Self { name: relation.title, columns, sorted, filter: "", nothing: ("", ""), relation: Some(relation), make }
    }
}

/// Computes the rows of a report that depends on more than its kind.
pub type ReportJob = Arc<dyn Fn(&OpenDump, &Task) -> Result<Rows, JobError> + Send + Sync>;

/// Filter for rows with changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GrowthFilter {
    /// All.
    #[default]
    All,
    /// Rows that grew.
    Grown,
    /// Rows that grew in every interval.
    GrownEveryTime,
}
