//! Two dumps compared: classes at once, then which object is which, then who grew.

use crate::analysis::diff::Pair;
use crate::analysis::diff::classes::{ClassRow, classes, mirrored};
use crate::analysis::diff::growth::{Growth, growth};
use crate::analysis::diff::matches::Matches;
use crate::analysis::diff::matching::matching;
use crate::task::{Cancelled, Task, Unit};

/// All there is to say of two heaps.
pub struct Comparison {
    /// Which object is which.
    pub matches: Matches,
    /// Classes before and after, most growth of shallow size first.
    pub classes: Vec<ClassRow>,
    /// Who holds what came and went.
    pub growth: Growth,
}

impl Comparison {
    /// The comparison of the same heaps in the other order, which `pair` is in: what was matched is matched so too.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn swapped(&self, pair: Pair<'_>, task: &Task) -> Result<Self, Cancelled> {
        let matches = self.matches.clone().swapped();
        let classes = mirrored(&self.classes);
        let growth = growth(pair, &matches, task)?;
        Ok(Self { matches, classes, growth })
    }
}

/// Compares a pair.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn compare(pair: Pair<'_>, task: &Task) -> Result<Comparison, Cancelled> {
    let matches = matching(pair, task)?;
    task.step("Comparing classes", Unit::Objects, 0);
    let classes = classes(pair, &matches.kinds, task)?;
    let growth = growth(pair, &matches, task)?;
    Ok(Comparison { matches, classes, growth })
}
