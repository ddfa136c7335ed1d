//! Two dumps of one program: what grew, and under which owner.

use crate::Dump;
pub use heaplens_analysis::diff::classes::ClassRow;
pub use heaplens_analysis::diff::growth::{Growth, GrowthRow, MatchExtent, OwnerField, OwnerGrowth, Part};
pub use heaplens_analysis::diff::kinds::{ComparedClass, ComparedClassId};
pub use heaplens_analysis::diff::{
    Amount, Change, Comparison, GrowthOwner, MatchMethod, MatchStatus, Matches, ObjectChanges,
};
use heaplens_analysis::diff::{Pair, compare as compare_pair};
use heaplens_analysis::leaks::owners_name;
use heaplens_base::{Cancelled, Task};

/// Compares a dump with an earlier one of the same program, perhaps of another day or machine. Objects are matched where
/// there is evidence that they are the same; growth is attributed to the nearest matched object that dominates it.
///
/// ```
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
/// # let (before, after) = (format!("{folder}/leak-before.hprof.gz"), format!("{folder}/leak-after.hprof.gz"));
/// use heaplens_engine::{Task, compare, open};
///
/// let (before, after, task) = (open(before)?, open(after)?, Task::new());
/// let comparison = compare(&before, &after, &task)?;
/// for row in comparison.growth.rows.iter().take(5) {
///     println!("{} {}: +{} −{}", row.bytes, after.growth_name(&comparison, row, &task)?, row.added(), row.removed());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the task is cancelled.
pub fn compare(before: &Dump, after: &Dump, task: &Task) -> Result<Comparison, Cancelled> {
    compare_pair(Pair { before: before.data(), after: after.data() }, task)
}

impl Dump {
    /// Name of the owners of growth, by class and field in the source; of the first of several similar ones. The dump is the
    /// later one of the comparison.
    ///
    /// ```
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
    /// # let (before, after) = (format!("{folder}/leak-before.hprof.gz"), format!("{folder}/leak-after.hprof.gz"));
    /// use heaplens_engine::{Task, compare, open};
    ///
    /// let (before, after, task) = (open(before)?, open(after)?, Task::new());
    /// let comparison = compare(&before, &after, &task)?;
    /// let most = comparison.growth.rows.first().expect("this program leaks");
    /// assert_eq!(after.growth_name(&comparison, most, &task)?, "SessionCache.ENTRIES");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn growth_name(&self, comparison: &Comparison, row: &GrowthRow, task: &Task) -> Result<String, Cancelled> {
        Ok(owners_name(self.0.namer(task)?, &comparison.matches, &row.owners, task)?.short)
    }

    /// [`Self::growth_name`] of one of several owners of a row.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn owner_name(&self, comparison: &Comparison, owner: &GrowthOwner, task: &Task) -> Result<String, Cancelled> {
        Ok(owners_name(self.0.namer(task)?, &comparison.matches, std::slice::from_ref(owner), task)?.short)
    }
}
