//! The whole comparison of two heaps: classes, matched objects, growth by owner.

use serde::{Deserialize, Serialize};

use super::classes::{ClassRow, classes, mirrored};
use super::growth::{Growth, growth};
use super::kinds::{ComparedClass, ComparedClassId};
use super::matching::matching;
use super::{Pair, matches::Matches};
use heaplens_base::{Cancelled, Task, Unit};

/// Comparison of two heaps.
#[derive(Serialize, Deserialize)]
pub struct Comparison {
    /// Matched objects.
    pub matches: Matches,
    /// Classes before and after, largest growth of shallow size first.
    pub classes: Vec<ClassRow>,
    /// Growth by owner. The rows add up to the difference of the reachable bytes.
    pub growth: Growth,
}

/// Compares two heaps.
///
/// # Errors
/// When `task` is cancelled.
pub fn compare(pair: Pair<'_>, task: &Task) -> Result<Comparison, Cancelled> {
    let matches = matching(pair, task)?;
    task.step("Comparing classes", Unit::Objects, 0);
    let classes = classes(pair, &matches.kinds, task)?;
    let growth = growth(pair, &matches, task)?;
    Ok(Comparison { matches, classes, growth })
}

impl Comparison {
    /// The class of a row: its name, its loader, and its classes in both dumps.
    pub fn class(&self, kind: ComparedClassId) -> Option<&ComparedClass> {
        self.matches.kinds.get(kind)
    }

    /// The comparison with baseline and target swapped; `pair` is in the new order. Matches are reused.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn swapped(&self, pair: Pair<'_>, task: &Task) -> Result<Self, Cancelled> {
        let matches = self.matches.clone().swapped();
        let classes = mirrored(&self.classes);
        let growth = growth(pair, &matches, task)?;
        Ok(Self { matches, classes, growth })
    }
}
