//! Kind of report: what differs between reports that share one view.

use std::sync::Arc;

use crate::ui::widgets::Column;
use heaplens_base::Task;
use heaplens_session::{JobError, OpenDump};
use heaplens_tables::TableKind;
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
    /// Subject of the command line for top-level rows; `None` if the rows define it.
    pub subject: Option<TableKind>,
    /// Computes the rows.
    pub make: fn(&OpenDump, &Task) -> Result<Rows, JobError>,
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
