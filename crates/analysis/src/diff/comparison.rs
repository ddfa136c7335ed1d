//! The whole comparison of two heaps: classes, matched objects, growth by owner.

use std::collections::BTreeMap;

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

/// Numbers of objects of a class that are only in one of two heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ObjectChanges {
    /// Only in the target.
    pub added: u64,
    /// Only in the baseline.
    pub removed: u64,
}

impl Comparison {
    /// Added and removed objects by class, of those that have any. [`ClassRow::change`] has the difference of both.
    pub fn changes_by_class(&self) -> BTreeMap<ComparedClassId, ObjectChanges> {
        let mut changes: BTreeMap<ComparedClassId, ObjectChanges> = BTreeMap::new();
        for part in self.growth.rows.iter().flat_map(|row| &row.parts).filter(|part| part.added + part.removed > 0) {
            let of_class = changes.entry(part.kind).or_default();
            of_class.added += part.added;
            of_class.removed += part.removed;
        }
        changes
    }

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
