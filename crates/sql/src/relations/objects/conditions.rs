//! Conditions on objects that are tested on the columns of the heap, before SQLite sees a row.

use std::ops::RangeInclusive;

use super::values::ObjectValue;
use crate::pattern::{glob_matches, like_matches};
use crate::relation::{Comparison, Known, RowsError};
use crate::source::QuerySource;
use heaplens_base::{CHECKPOINT_EVERY, Task};
use heaplens_heap::{Heap, ObjectId};
use heaplens_tables::columns::Value;

/// Longest pattern of a class name that is tested here, in bytes.
const LONGEST_PATTERN: usize = 1_000;

/// Conditions that a row must meet.
#[derive(Default)]
pub(super) struct ObjectConditions {
    /// By class, true if its objects may be rows.
    classes: Option<Vec<bool>>,
    shallow: Option<RangeInclusive<u64>>,
    retained: Option<RangeInclusive<u64>>,
    reachable: Option<bool>,
}

impl ObjectConditions {
    /// Adds a condition, as far as it can be tested here: SQLite tests it again.
    pub(super) fn narrow(&mut self, heap: &Heap, of: ObjectValue, known: &Known) {
        match (of, &known.value) {
            // SQLite refuses longer patterns.
            (ObjectValue::Class, Value::Text(text)) if text.len() <= LONGEST_PATTERN => {
                let matches = |name: &str| match known.by {
                    Comparison::Like => like_matches(text, name),
                    Comparison::Glob => glob_matches(text, name),
                    _ => **text == *name,
                };
                let named: Vec<bool> = heap.classes.iter().map(|(_, class)| matches(&class.name)).collect();
                self.classes = Some(match self.classes.take() {
                    Some(before) => before.into_iter().zip(named).map(|(before, named)| before && named).collect(),
                    None => named,
                });
            }
            (ObjectValue::Shallow, value) => narrow(&mut self.shallow, known.by, value),
            (ObjectValue::Retained, value) => narrow(&mut self.retained, known.by, value),
            (ObjectValue::Reachable, &Value::Integer(flag @ 0..=1)) => self.reachable = Some(flag == 1),
            _ => {}
        }
    }

    /// True if an object meets all of them.
    #[inline]
    pub(super) fn meets(&self, source: &QuerySource, row: u32) -> bool {
        let Some(object) = ObjectId::from_raw(row) else { return false };
        let (heap, analysis) = (source.heap(), source.analysis());
        self.classes.as_ref().is_none_or(|of| of.get(heap.class_id(object).index()) == Some(&true))
            && self.shallow.as_ref().is_none_or(|range| range.contains(&heap.shallow(object).0))
            && self.reachable.is_none_or(|reachable| analysis.is_reachable(object) == reachable)
            && self.retained.as_ref().is_none_or(|range| range.contains(&analysis.retained(object).0))
    }

    /// The first row from `from` on that meets them.
    pub(super) fn find(&self, source: &QuerySource, from: usize, task: &Task) -> Result<Option<u32>, RowsError> {
        for row in from..source.heap().len() {
            if row.is_multiple_of(CHECKPOINT_EVERY) {
                task.checkpoint()?;
            }
            if self.meets(source, row as u32) {
                return Ok(Some(row as u32));
            }
        }
        Ok(None)
    }
}

/// Narrows a range of sizes by a comparison with a number. Comparisons with text are SQLite's.
fn narrow(range: &mut Option<RangeInclusive<u64>>, by: Comparison, value: &Value<'_>) {
    let (least, most) = match *value {
        Value::Integer(number) => {
            let number = i128::from(number);
            match by {
                Comparison::Equal => (number, number),
                Comparison::Less => (0, number - 1),
                Comparison::AtMost => (0, number),
                Comparison::Greater => (number + 1, i128::MAX),
                Comparison::AtLeast => (number, i128::MAX),
                Comparison::Like | Comparison::Glob => return,
            }
        }
        // A little wider where it matters: SQLite compares exactly.
        Value::Real(number) if number.is_finite() => match by {
            Comparison::Equal => (number.floor() as i128, number.ceil() as i128),
            Comparison::Less | Comparison::AtMost => (0, number.ceil() as i128),
            Comparison::Greater | Comparison::AtLeast => (number.floor() as i128, i128::MAX),
            Comparison::Like | Comparison::Glob => return,
        },
        _ => return,
    };
    let inside = |bound: i128| u64::try_from(bound.clamp(0, u64::MAX.into())).unwrap_or(u64::MAX);
    // A size is never negative.
    let wanted = if most < 0 { RangeInclusive::new(1, 0) } else { inside(least)..=inside(most) };
    *range = Some(match range.take() {
        Some(before) => *before.start().max(wanted.start())..=*before.end().min(wanted.end()),
        None => wanted,
    });
}
