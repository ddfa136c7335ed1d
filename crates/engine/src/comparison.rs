//! Two dumps of one program: what grew, and under which owner.

use crate::Dump;
pub use heaplens_analysis::diff::classes::ClassRow;
pub use heaplens_analysis::diff::growth::{Growth, GrowthRow, MatchExtent, OwnerField, OwnerGrowth, Part};
pub use heaplens_analysis::diff::kinds::{ComparedClass, ComparedClassId};
pub use heaplens_analysis::diff::{Amount, Change, Comparison, GrowthOwner, MatchMethod, MatchStatus, Matches};
use heaplens_analysis::diff::{Pair, compare as compare_pair};
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
///     let grown = row.largest_owner();
///     let name = grown.map(|object| after.name(object, &task)).transpose()?.flatten();
///     println!("{} {}", row.bytes, name.as_deref().unwrap_or("no single owner"));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the task is cancelled.
pub fn compare(before: &Dump, after: &Dump, task: &Task) -> Result<Comparison, Cancelled> {
    compare_pair(Pair { before: before.data(), after: after.data() }, task)
}
