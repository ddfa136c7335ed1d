//! Edges of the engine into the page. They do not retain while the page owns their target (`essential.rs`): a handle or
//! an optimized function that refers to an object of the program is not why the object is alive. Without its references
//! from the page, the object is no longer owned by the page, and such an edge retains it like any other. Then the object
//! belongs to the engine, whose references to what the page still owns do not retain.

use super::Snapshot;
use super::flags::kind;
use crate::{Analysis, ExcludedReferences, Heap, ObjectId};
use heaplens_base::{Cancelled, Task};
use heaplens_graph::Bits;

impl Snapshot {
    /// Targets of the edges of a node that are essential once the page does not own the target.
    pub(crate) fn engine_edges(&self, from: ObjectId) -> impl Iterator<Item = u32> {
        self.edges_without(from, kind::WEAK | kind::SHORTCUT | kind::OF_TABLE)
    }

    /// Those of them that keep the target alive. A table of strings does not, but of a string that is alive it is one
    /// referrer among others in DevTools.
    fn holding_edges(&self, from: ObjectId) -> impl Iterator<Item = u32> {
        self.edges_without(from, kind::WEAK | kind::SHORTCUT | kind::OF_TABLE | kind::HOLDS_NOTHING)
    }

    fn edges_without(&self, from: ObjectId, none: u8) -> impl Iterator<Item = u32> {
        self.non_retaining_edges(from).filter(move |&(to, kind)| kind & none == 0 && to != from.raw()).map(|(to, _)| to)
    }
}

impl Heap {
    /// True if an object refers to another, or is an object of the engine that would retain it if the page did not own it.
    pub fn may_hold(&self, from: ObjectId, to: ObjectId) -> bool {
        let is_of_engine = |snapshot: &Snapshot| snapshot.holding_edges(from).any(|other| other == to.raw());
        self.references(from).contains(&to.raw()) || self.snapshot().is_some_and(is_of_engine)
    }

    /// Of objects that no other reference holds after exclusions, those that the engine holds. Empty in other formats.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn held_by_engine(
        &self,
        analysis: &Analysis,
        freed: &Bits,
        excluded: &ExcludedReferences,
        task: &Task,
    ) -> Result<Bits, Cancelled> {
        let Some(snapshot) = self.snapshot() else { return Ok(Bits::default()) };
        let mut sources = Vec::new();
        for (step, row) in freed.iter().enumerate() {
            task.checkpoint_at(step)?;
            let referrers = ObjectId::from_raw(row).map_or(&[] as &[u32], |to| snapshot.non_retaining_referrers(to));
            sources.extend(referrers.iter().copied().filter(|&from| !freed.contains(from)));
        }
        sources.sort_unstable();
        sources.dedup();
        let (mut held, mut waiting) = (Bits::default(), Vec::new());
        for from in sources.into_iter().filter_map(ObjectId::from_raw).filter(|&from| analysis.is_reachable(from)) {
            task.checkpoint()?;
            let left =
                snapshot.holding_edges(from).filter(|&to| freed.contains(to) && !excluded.excludes(from.raw(), to));
            for to in left {
                if held.has_no_room() {
                    held = Bits::new(self.len());
                }
                if held.insert(to) {
                    waiting.push(to);
                }
            }
        }
        let mut steps = 0_usize;
        while let Some(from) = waiting.pop().and_then(ObjectId::from_raw) {
            steps += 1;
            task.checkpoint_at(steps)?;
            let retained = excluded.left(self, from, self.references(from)).map(|(_, to)| to);
            let of_engine = snapshot.holding_edges(from).filter(|&to| !excluded.excludes(from.raw(), to));
            waiting.extend(retained.chain(of_engine).filter(|&to| freed.contains(to) && held.insert(to)));
        }
        Ok(held)
    }

    /// Objects of the engine that hold an object which the page does not own after exclusions, each once.
    pub fn engine_holders(&self, analysis: &Analysis, of: ObjectId, excluded: &ExcludedReferences) -> Vec<ObjectId> {
        let Some(snapshot) = self.snapshot() else { return Vec::new() };
        let mut from: Vec<u32> = snapshot.non_retaining_referrers(of).to_vec();
        from.sort_unstable();
        from.dedup();
        let from = from.into_iter().filter_map(ObjectId::from_raw);
        let holds = |from: &ObjectId| {
            analysis.is_reachable(*from)
                && !excluded.excludes(from.raw(), of.raw())
                && snapshot.holding_edges(*from).any(|to| to == of.raw())
        };
        from.filter(holds).collect()
    }
}
