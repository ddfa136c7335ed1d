//! Borrowed access to two compared heaps for their tables.

use heaplens_analysis::diff::Comparison;
use heaplens_analysis::{Namer, diff::Pair};
use heaplens_base::Task;
use heaplens_session::{JobError, OpenDump};

/// Two compared heaps.
#[derive(Clone, Copy)]
pub struct BorrowedHeaps<'a> {
    /// The heaps.
    pub pair: Pair<'a>,
    /// Matches and growth.
    pub comparison: &'a Comparison,
    /// Namer of the target: owners are in both heaps.
    pub namer: Namer<'a>,
}

/// Owner of the heaps: the command line until it has printed a table, the window as long as it shows one.
pub trait HeapLender: Send + Sync {
    /// Lends the heaps; `None` if they were closed.
    fn lend(&self) -> Option<BorrowedHeaps<'_>>;
}

impl HeapLender for BorrowedHeaps<'_> {
    fn lend(&self) -> Option<BorrowedHeaps<'_>> {
        Some(*self)
    }
}

/// A finished comparison, shared with jobs and with the tables that show it.
#[derive(Clone)]
pub struct SharedComparison {
    /// Baseline.
    pub before: OpenDump,
    /// Dump of the tab.
    pub after: OpenDump,
}

impl SharedComparison {
    /// The comparison of the tab of `after`; builds the name index.
    pub fn of(after: &OpenDump, task: &Task) -> Result<Self, JobError> {
        let Some((before, _)) = after.compared() else {
            return Err(JobError::Failed("no comparison is open".to_owned()));
        };
        after.namer(task)?;
        Ok(Self { before: before.clone(), after: after.clone() })
    }
}

impl HeapLender for SharedComparison {
    fn lend(&self) -> Option<BorrowedHeaps<'_>> {
        let (pair, (_, comparison)) = (self.after.pair()?, self.after.compared()?);
        // The name index exists already, so nothing can be cancelled here.
        let namer = self.after.namer(&Task::new()).ok()?;
        Some(BorrowedHeaps { pair, comparison, namer })
    }
}
