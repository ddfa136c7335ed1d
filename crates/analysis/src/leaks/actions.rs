//! Follow-up actions on a finding: filter, verdict pattern, membership, stepping through the accumulated objects.

use super::{explanations::pattern_of, finding::LeakFinding, kinds::Kind};
use crate::answers::DumpData;
use crate::{filter::TextFilter, object::first_in};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{Analysis, ObjectId};

impl LeakFinding {
    /// True if a filter matches its name, its accumulated or holding class, or its fingerprint.
    pub fn passes(&self, filter: &TextFilter) -> bool {
        let class = self.accumulated.as_ref().map(|of_class| &of_class.class);
        let holder = self.holder.as_ref().map(|holder| &holder.class);
        let texts = [&self.name, &self.fingerprint].into_iter().chain(class).chain(holder);
        texts.into_iter().any(|text| filter.matches(text))
    }

    /// The pattern of a rule that matches it in later dumps, too: its name with `*` for parts that differ from dump to
    /// dump, else the accumulated or holding class.
    pub fn pattern(&self) -> String {
        let class = || {
            let accumulated = self.accumulated.as_ref().map(|of_class| of_class.class.clone());
            accumulated.or_else(|| self.holder.as_ref().map(|holder| holder.class.clone())).unwrap_or_default()
        };
        pattern_of(&if self.name.is_empty() { class() } else { self.name.clone() })
    }

    /// True if the finding includes an object.
    fn holds(&self, analysis: &Analysis, object: ObjectId) -> bool {
        // Shared objects are dominated by none of their holders.
        self.kind == Kind::Shared || self.cut.iter().any(|cut| analysis.dominates(cut.to, object))
    }
}

/// The next or previous object of the accumulated class of a finding, by address; the first or last if `from` is not
/// one of them.
pub fn next_instance(
    dump: DumpData<'_>,
    finding: &LeakFinding,
    from: ObjectId,
    forwards: bool,
    task: &Task,
) -> Result<Option<ObjectId>, Cancelled> {
    let Some(accumulated) = &finding.accumulated else { return Ok(None) };
    let is_meant: Vec<bool> = dump.heap.classes.all().iter().map(|class| *class.name == *accumulated.class).collect();
    let is_one = |object: ObjectId| {
        is_meant.get(dump.heap.class_id(object).index()) == Some(&true)
            && dump.analysis.is_reachable(object)
            && finding.holds(dump.analysis, object)
    };
    let rows = match (is_one(from), forwards) {
        (false, _) => 0..dump.heap.len() as u32,
        (true, true) => from.raw() + 1..dump.heap.len() as u32,
        (true, false) => 0..from.raw(),
    };
    first_in(rows, forwards, is_one, task)
}
