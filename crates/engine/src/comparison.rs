//! Two dumps of one program: what grew, and under which owner.

use crate::Dump;
pub use heaplens_analysis::diff::classes::ClassRow;
use heaplens_analysis::diff::growth::growth;
pub use heaplens_analysis::diff::growth::{Growth, GrowthRow, MatchExtent, OwnerField, OwnerGrowth, Part};
pub use heaplens_analysis::diff::kinds::{Kind, KindId};
use heaplens_analysis::diff::matching::matching;
pub use heaplens_analysis::diff::{Amount, Change, MatchMethod, MatchStatus, Matches, Owner};
use heaplens_analysis::diff::{Pair, classes};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// The comparison of a dump with an earlier one of the same program. Objects are matched where there is evidence that they
/// are the same; growth is attributed to the nearest matched object that dominates it.
///
/// ```
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
/// # let (before, after) = (format!("{folder}/leak-before.hprof.gz"), format!("{folder}/leak-after.hprof.gz"));
/// use heaplens_engine::{Task, comparison::Comparison, open};
///
/// let (before, after, task) = (open(before)?, open(after)?, Task::new());
/// let comparison = Comparison::of(&before, &after, &task)?;
/// for row in comparison.growth.rows.iter().take(5) {
///     let grown = comparison.largest_owner(row);
///     let name = grown.map(|object| after.name(object, &task)).transpose()?.flatten();
///     println!("{} {}", row.bytes, name.as_deref().unwrap_or("no single owner"));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
pub struct Comparison {
    /// Which objects are the same in both dumps.
    pub matches: Matches,
    /// Classes before and after, largest growth of shallow size first.
    pub classes: Vec<ClassRow>,
    /// Growth by owner, largest growth of other things than code first. The rows add up to the difference of the reachable
    /// bytes; [`OwnerGrowth`] has the added and removed objects of each owner of a row.
    pub growth: Growth,
}

impl Comparison {
    /// Compares two dumps. They may be of different days and machines, but of one program and one format.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn of(before: &Dump, after: &Dump, task: &Task) -> Result<Self, Cancelled> {
        let pair = Pair { before: before.data(), after: after.data() };
        let matches = matching(pair, task)?;
        let classes = classes::classes(pair, &matches.kinds, task)?;
        let growth = growth(pair, &matches, task)?;
        Ok(Self { matches, classes, growth })
    }

    /// The class of a row: its name, its loader, and its classes in both dumps.
    ///
    /// ```
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
    /// # let (before, after) = (format!("{folder}/leak-before.hprof.gz"), format!("{folder}/leak-after.hprof.gz"));
    /// # use heaplens_engine::{Task, comparison::Comparison, open};
    /// # let (before, after) = (open(before)?, open(after)?);
    /// let comparison = Comparison::of(&before, &after, &Task::new())?;
    /// for row in comparison.classes.iter().take(5) {
    ///     if let Some(class) = comparison.class(row.kind) {
    ///         println!("{}: {} objects more, {}", class.name, row.change.objects(), row.change.shallow());
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn class(&self, kind: KindId) -> Option<&Kind> {
        self.matches.kinds.get(kind)
    }

    /// What grew most among the owners of a row, in the later dump: what a field of the owner holds, else the owner. `None`
    /// if no single object owns the growth.
    pub fn largest_owner(&self, row: &GrowthRow) -> Option<ObjectId> {
        row.owners.first().and_then(Owner::structure)
    }
}
