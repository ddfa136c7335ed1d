//! Comparison of two dumps: classes, then matched objects, then growth by owner.

use heaplens_analysis::diff::classes::{ClassRow, classes, mirrored};
use heaplens_analysis::diff::{Growth, Matches, Pair, growth::growth, matching::matching};
use heaplens_base::{Cancelled, Task, Unit};

/// Comparison of two heaps.
pub struct Comparison {
    /// Matched objects.
    pub matches: Matches,
    /// Classes before and after, largest growth of shallow size first.
    pub classes: Vec<ClassRow>,
    /// Growth by owner.
    pub growth: Growth,
}

impl Comparison {
    /// The comparison with baseline and target swapped; `pair` is in the new order. Matches are reused.
    pub fn swapped(&self, pair: Pair<'_>, task: &Task) -> Result<Self, Cancelled> {
        let matches = self.matches.clone().swapped();
        let classes = mirrored(&self.classes);
        let growth = growth(pair, &matches, task)?;
        Ok(Self { matches, classes, growth })
    }
}

/// Compares two heaps.
pub fn compare(pair: Pair<'_>, task: &Task) -> Result<Comparison, Cancelled> {
    let matches = matching(pair, task)?;
    task.step("Comparing classes", Unit::Objects, 0);
    let classes = classes(pair, &matches.kinds, task)?;
    let growth = growth(pair, &matches, task)?;
    Ok(Comparison { matches, classes, growth })
}
