//! Expanding the tree down to an object, through groups and chains, as levels are computed.

use std::time::Instant;

use super::levels::{Level, Levels};
use super::reveal_path::PATIENCE;
use crate::{TypedFilter, trees::tree::ROOT};
use heaplens_analysis::dominator_tree::{FoldKind, GroupId, Source};
use heaplens_base::{CHECKPOINT_EVERY, Count};
use heaplens_heap::ObjectId;
use heaplens_session::{Jobs, OpenDump};

/// Maximum number of levels expanded for an object; a chain counts as one.
const DEEPEST: usize = 2_000;
/// Maximum number of ancestors that are looked up at once.
const NEAR: usize = 512;

/// Outcome of expanding the tree down to an object.
pub enum RevealTarget {
    /// It is in this row.
    Reached(u64),
    /// The object is not in the tree, with the reason.
    Missing(String),
    /// The filter hides it.
    Hidden,
    /// No goal, or the goal is not reached yet.
    Nothing,
}

/// One step towards the goal.
enum Step {
    /// The goal is the row of this object.
    Here(ObjectId),
    /// The goal is below this row: search the level below for that step.
    Below(ObjectId, usize),
}

impl Levels {
    /// Starts expanding the tree down to `object`. If the request comes from `elsewhere`, a filter that hides it is
    /// cleared.
    pub fn aim(&mut self, dump: &OpenDump, jobs: &Jobs, object: Option<ObjectId>, elsewhere: bool) {
        // A result that arrives during an expansion keeps the permission to clear the filter.
        self.reveal.filter_yields = elsewhere || (self.reveal.filter_yields && self.reveal.is_going());
        self.reveal.stop();
        self.reveal.missing = None;
        let Some(object) = object else { return };
        if !dump.analysis.is_reachable(object) {
            let why = if dump.heap.is_freed(object) { "freed by the removals" } else { "unreachable" };
            self.reveal.missing = Some(format!("This object is {why}, so it is not in the dominator tree"));
            return;
        }
        let analysis = dump.analysis.clone();
        let above = std::iter::successors(Some(object), move |&at| analysis.immediate_dominator(at));
        let mut goal: Vec<ObjectId> = above.clone().take(NEAR + 1).collect();
        if goal.len() <= NEAR {
            goal.reverse();
            self.reveal.goal = Some(jobs.defer_drop(goal));
            return;
        }
        let large = jobs.clone();
        self.reveal.request.ask(jobs, "path in the dominator tree", move |task| {
            let mut goal = Vec::new();
            for object in above {
                if goal.len().is_multiple_of(CHECKPOINT_EVERY) {
                    task.checkpoint()?;
                }
                goal.push(object);
            }
            goal.reverse();
            Ok(large.defer_drop(goal))
        });
    }

    /// Starts expanding the tree down to the row of a group.
    pub fn aim_at_group(&mut self, dump: &OpenDump, jobs: &Jobs, group: GroupId, elsewhere: bool) {
        self.aim(dump, jobs, Some(group.first), elsewhere);
        self.reveal.group = Some(group.part);
    }

    /// Continues towards the goal through the levels that are computed.
    pub fn approach(&mut self, dump: &OpenDump, jobs: &Jobs, filter: &mut TypedFilter) -> RevealTarget {
        if let Some(why) = self.reveal.missing.take() {
            return RevealTarget::Missing(why);
        }
        if self.reveal.request.poll() {
            self.reveal.goal = self.reveal.request.take();
        }
        let Some(goal) = self.reveal.goal.take() else { return RevealTarget::Nothing };
        let (aim, done) = self.go(dump, jobs, filter, goal.as_slice());
        if !done {
            self.reveal.goal = Some(goal);
        }
        aim
    }

    /// Row reached so far, and true if it is the goal.
    fn go(
        &mut self,
        dump: &OpenDump,
        jobs: &Jobs,
        filter: &mut TypedFilter,
        goal: &[ObjectId],
    ) -> (RevealTarget, bool) {
        let (mut node, mut at) = (ROOT, 0);
        let (began, mut unfolded) = (Instant::now(), 0);
        for _ in 0..=DEEPEST {
            let Some(level) = self.tree.payload(node) else { return (RevealTarget::Nothing, true) };
            let Some(rows) = level.rows() else { return (RevealTarget::Nothing, level.slot.error().is_some()) };
            let Some(step) = self.step(dump, level, goal, at) else { return (RevealTarget::Nothing, true) };
            let (Step::Here(object) | Step::Below(object, _)) = step;
            let Some(index) = rows.position(dump.data(), object).map(|at| at as u64) else {
                if level.slot.is_running() {
                    return (RevealTarget::Nothing, false);
                }
                if !level.part.is_at_top() || filter.is_empty() {
                    return (RevealTarget::Nothing, true);
                }
                if !self.reveal.filter_yields {
                    return (RevealTarget::Hidden, true);
                }
                filter.set("");
                self.filter(dump, jobs, filter);
                (node, at) = (ROOT, 0);
                continue;
            };
            let is_group =
                self.reveal.group.is_some() && rows.below(&dump.analysis, level.part, object) == self.reveal.group;
            let next = match step {
                _ if is_group => return (RevealTarget::Reached(self.tree.row_of(node, index)), true),
                // The object is not in the group any more.
                Step::Here(_) if self.reveal.group.is_some() => return (RevealTarget::Hidden, true),
                Step::Here(_) => return (RevealTarget::Reached(self.tree.row_of(node, index)), true),
                Step::Below(_, next) => next,
            };
            let open = match self.tree.open_at(node, index) {
                Some(open) => Some(open),
                None if unfolded > 0 && began.elapsed() > PATIENCE => {
                    jobs.wake();
                    return (RevealTarget::Nothing, false);
                }
                None => {
                    unfolded += 1;
                    self.unfold(dump, jobs, (node, index), filter)
                }
            };
            let Some(open) = open else { return (RevealTarget::Nothing, true) };
            (node, at) = (open, next);
        }
        let deepest = Count(DEEPEST as u64);
        (RevealTarget::Missing(format!("The object is more than {deepest} levels deep in the dominator tree")), true)
    }

    /// Row of a level that contains `goal[at]`.
    fn step(&self, dump: &OpenDump, level: &Level, goal: &[ObjectId], at: usize) -> Option<Step> {
        let (analysis, object) = (&dump.analysis, *goal.get(at)?);
        let is_last = at + 1 == goal.len();
        match level.part.source {
            Source::Members(_) => return is_last.then_some(Step::Here(object)),
            Source::Chain(chain) if level.part.only.is_none() && chain.contains(analysis, object) => {
                return Some(Step::Below(chain.head, at));
            }
            _ => {}
        }
        let rows = level.rows()?;
        let row = rows.row_of((&dump.heap, analysis), &self.partition, self.shared.as_deref(), object);
        Some(match rows.fold(row).map(|fold| &fold.kind) {
            Some(FoldKind::Chain { .. }) | None if is_last => Step::Here(row),
            Some(FoldKind::Chain { chain, .. }) => {
                // The path goes through the first objects of the chain.
                let passed = goal[at..].partition_point(|&object| analysis.dominates(object, chain.last));
                Step::Below(row, (at + passed).min(goal.len() - 1))
            }
            Some(FoldKind::Group(..) | FoldKind::Shared(_) | FoldKind::Members(_)) => Step::Below(row, at),
            None => Step::Below(row, at + 1),
        })
    }
}
