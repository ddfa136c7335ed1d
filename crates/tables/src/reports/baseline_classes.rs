//! Baseline figures of the classes of a histogram and of their groups. Used by jobs.

use std::collections::BTreeMap;

use heaplens_analysis::GroupBy;
use heaplens_analysis::diff::Comparison;
use heaplens_analysis::diff::{Amount, Change, MatchStatus};
use heaplens_analysis::grouping::{GroupRow, GroupsQuestion};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId};
use heaplens_session::OpenDump;

/// Lookup of classes in the baseline.
pub struct BaselineClasses<'a> {
    after: &'a OpenDump,
    then: &'a OpenDump,
    comparison: &'a Comparison,
}

impl<'a> BaselineClasses<'a> {
    /// `None` if the tab does not compare.
    pub fn of(after: &'a OpenDump) -> Option<Self> {
        let (before, comparison) = after.compared()?;
        Some(Self { after, then: before, comparison })
    }

    /// Figures of a class before and after; `None` if it cannot be matched: several classes of one name with different
    /// loaders.
    pub fn class(&self, class: ClassId) -> Option<Change> {
        let matches = &self.comparison.matches;
        let kind = matches.kinds.get(matches.kinds.of_after(class))?;
        let before = match (&*kind.before, kind.after.len()) {
            ([], _) => Amount::default(),
            (&[one], 1) => amount(self.then, one),
            _ => match matches.match_status_of_after(self.after.heap.classes.get(class).object?) {
                MatchStatus::Matched(old, _) => amount(self.then, self.then.heap.classes.of_object(old)?),
                MatchStatus::Alone => Amount::default(),
                MatchStatus::Unknown => return None,
            },
        };
        Some(Change { before, after: amount(self.after, class) })
    }

    /// Number of classes without objects in the target.
    pub fn removed_classes(&self) -> u64 {
        let is_gone = |change: &Change| change.before.objects > 0 && change.after.objects == 0;
        self.comparison.classes.iter().filter(|row| is_gone(&row.change)).count() as u64
    }

    /// Groups of the baseline.
    pub fn groups(&self, by: GroupBy, task: &Task) -> Result<BaselineGroups<'_>, Cancelled> {
        let rows = self.then.answer(&GroupsQuestion(by), task)?;
        let (by_object, by_name): (Vec<&GroupRow>, _) = rows.iter().partition(|row| row.object.is_some());
        Ok(BaselineGroups {
            comparison: self.comparison,
            by_object: by_object.iter().filter_map(|row| Some((row.object?, sum(row)))).collect(),
            by_name: by_name.iter().map(|row| (row.name.clone(), sum(row))).collect(),
        })
    }
}

/// Groups of the baseline: matched by their object if they have one, else by name.
pub struct BaselineGroups<'a> {
    comparison: &'a Comparison,
    by_object: BTreeMap<ObjectId, Amount>,
    by_name: BTreeMap<String, Amount>,
}

impl BaselineGroups<'_> {
    /// Figures of a group before and after; `None` if it cannot be matched.
    pub fn of(&self, row: &GroupRow) -> Option<Change> {
        let before = match row.object {
            None => self.by_name.get(&row.name),
            Some(object) => match self.comparison.matches.match_status_of_after(object) {
                MatchStatus::Matched(old, _) => self.by_object.get(&old),
                MatchStatus::Alone => None,
                MatchStatus::Unknown => return None,
            },
        };
        Some(Change { before: before.copied().unwrap_or_default(), after: sum(row) })
    }
}

fn amount(of: &OpenDump, class: ClassId) -> Amount {
    let totals = of.analysis.class_totals(class);
    Amount { objects: totals.objects, shallow: totals.shallow, retained: of.analysis.class_retained(class) }
}

fn sum(row: &GroupRow) -> Amount {
    Amount { objects: row.objects, shallow: row.shallow, retained: row.retained }
}
