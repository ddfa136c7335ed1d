//! The open levels of the dominator tree: sorted in the background, kept while
//! they are sorted anew, and unfolded step by step towards an object.

use std::time::{Duration, Instant};

use crate::analysis::dominator_tree::{LevelOrder, level, position};
use crate::answers::Arrangement;
use crate::answers::request::{Request, Subject};
use crate::heap::ids::{ClassId, ObjectId};
use crate::session::jobs::{Jobs, Large};
use crate::session::slot::Slot;
use crate::task::{Cancelled, Task};
use crate::ui::scene::Answers;
use crate::ui::widgets::filter::Filter;
use crate::ui::widgets::table::TableState;
use crate::ui::widgets::tree::{NodeId, ROOT, Spot, Tree};
use crate::units::Count;

/// Levels up to this size are sorted at once: that costs less than a frame, also where all of it
/// has to be read from the disk first.
const SMALL: usize = 128;
/// Time for unfolding in one frame. The way to an object may be long, and goes on in the next.
const PATIENCE: Duration = Duration::from_millis(1);
/// Levels unfolded at most on the way to an object.
const DEEPEST: usize = 2_000;

/// A sorted level, and by what.
pub(super) struct Sorted {
    rows: Large<Vec<ObjectId>>,
    order: LevelOrder,
    reversed: bool,
}

/// An open node: the objects directly below one.
pub(super) struct Level {
    /// The object; `None` above all.
    object: Option<ObjectId>,
    sorted: Option<Sorted>,
    slot: Slot<Sorted>,
}

/// Where the way to an object has led.
pub(super) enum Aim {
    /// It is in this row.
    Reached(u64),
    /// It is not in the tree, and why.
    Missing(String),
    /// The filter hides it.
    Hidden,
    /// Nothing was aimed at, or the way is not at its end.
    Nothing,
}

/// The open levels.
pub(super) struct Levels {
    pub(super) tree: Tree<Level>,
    order: LevelOrder,
    reversed: bool,
    /// From the top level down to the object that is to be shown.
    goal: Vec<ObjectId>,
    missing: Option<String>,
    /// Somebody went to the goal: a filter that hides it gives way. What is only typed into the filter stays.
    filter_yields: bool,
}

impl Levels {
    pub(super) fn new(answers: &Answers, jobs: &Jobs) -> Self {
        let level = Level { object: None, sorted: None, slot: Slot::default() };
        let mut levels = Self {
            tree: Tree::new(1, level),
            order: LevelOrder::default(),
            reversed: false,
            goal: Vec::new(),
            missing: None,
            filter_yields: false,
        };
        levels.ask(answers, jobs, ROOT, &Filter::default());
        levels
    }

    pub(super) fn order(&self) -> (LevelOrder, bool) {
        (self.order, self.reversed)
    }

    /// Rows of the top level; `None` before it is sorted.
    pub(super) fn top(&self) -> Option<u64> {
        Some(self.tree.payload(ROOT)?.sorted.as_ref()?.rows.as_slice().len() as u64)
    }

    pub(super) fn is_running(&self) -> bool {
        self.tree.open_nodes().any(|n| self.tree.payload(n).is_some_and(|l| l.slot.is_running()))
            || !self.goal.is_empty()
    }

    pub(super) fn object_in(&self, spot: &Spot) -> Option<ObjectId> {
        let level = self.tree.payload(spot.parent)?;
        level.sorted.as_ref()?.rows.as_slice().get(usize::try_from(spot.index).ok()?).copied()
    }

    pub(super) fn object_at(&self, row: u64) -> Option<ObjectId> {
        self.object_in(&self.tree.locate(row)?)
    }

    /// What asks for a level as it is sorted and filtered.
    pub(super) fn request_of_level(&self, of: Option<ObjectId>, filter: &Filter) -> Request {
        let of_class = if of.is_none() { filter.understood() } else { "" };
        let how = Arrangement {
            sort: Some(self.order.key().to_owned()).filter(|_| self.reversed || self.order != LevelOrder::Retained),
            reverse: self.reversed,
            ..Arrangement::default()
        };
        Request { subject: Subject::Level(of, of_class.to_owned()), how }
    }

    /// What asks for rows: a part of a level, or objects by their names if they are of several.
    pub(super) fn request(&self, spots: &[Spot], objects: Vec<ObjectId>, filter: &Filter) -> Request {
        let first = spots.first();
        let together = spots.windows(2).all(|two| two[0].parent == two[1].parent && two[0].index + 1 == two[1].index);
        let level = first.and_then(|spot| self.tree.payload(spot.parent));
        match (first, level) {
            (Some(first), Some(level)) if together => {
                let mut request = self.request_of_level(level.object, filter);
                (request.how.skip, request.how.top) = (first.index as usize, Some(objects.len()));
                request
            }
            _ => Request { subject: Subject::Named(objects), how: Arrangement::default() },
        }
    }

    /// What stands in the one row of a level that is not there yet.
    pub(super) fn waiting_text(&self, node: NodeId) -> String {
        let Some(level) = self.tree.payload(node) else { return String::new() };
        match level.slot.error() {
            Some(error) => error.to_owned(),
            None => "Sorting…".to_owned(),
        }
    }

    /// Sorts an open level, at once if it is small.
    fn ask(&mut self, answers: &Answers, jobs: &Jobs, node: NodeId, filter: &Filter) {
        let (order, reversed) = (self.order, self.reversed);
        let Some(open) = self.tree.payload_mut(node) else { return };
        let parent = open.object;
        let filter = if node == ROOT { filter.clone() } else { Filter::default() };
        let large = jobs.clone();
        let sort = move |answers: &Answers, task: &Task| {
            let (heap, analyzed) = (&answers.heap, &answers.analyzed);
            let passing: Option<Vec<bool>> =
                (!filter.is_empty()).then(|| heap.classes.iter().map(|(_, c)| filter.passes(&c.name)).collect());
            let keep = |class: ClassId| {
                passing.as_ref().is_none_or(|passing| passing.get(class.index()).is_some_and(|&passes| passes))
            };
            let rows = large.large(level(heap, analyzed, parent, keep, (order, reversed), task)?);
            Ok(Sorted { rows, order, reversed })
        };
        if answers.analyzed.dominator_children(parent).take(SMALL + 1).count() <= SMALL {
            open.slot.cancel();
            if let Ok::<_, Cancelled>(sorted) = sort(answers, &Task::new()) {
                self.put(answers, node, sorted);
            }
        } else {
            let answers = answers.clone();
            open.slot.ask(jobs, "sort a level", move |task| Ok(sort(&answers, task)?));
        }
    }

    /// Puts a sorted level in place; what was open in it stays open.
    fn put(&mut self, answers: &Answers, node: NodeId, sorted: Sorted) {
        let place = |level: &Level| {
            let Sorted { rows, order, reversed } = &sorted;
            let at = position(&answers.heap, &answers.analyzed, rows.as_slice(), *order, *reversed, level.object?);
            at.map(|at| at as u64)
        };
        self.tree.reorder(node, place);
        self.tree.set_children(node, sorted.rows.as_slice().len() as u64);
        if let Some(level) = self.tree.payload_mut(node) {
            level.sorted = Some(sorted);
        }
    }

    /// Takes in levels that were sorted in the background; true if there were any.
    pub(super) fn take_in(&mut self, answers: &Answers, _jobs: &Jobs) -> bool {
        let nodes: Vec<NodeId> = self.tree.open_nodes().collect();
        let mut news = false;
        for node in nodes {
            let Some(level) = self.tree.payload_mut(node) else { continue };
            if level.slot.poll()
                && let Some(sorted) = level.slot.take()
            {
                self.put(answers, node, sorted);
                news = true;
            }
        }
        news
    }

    /// Sorts every open level by `order`, or the other way round if it is sorted so.
    pub(super) fn sort(&mut self, answers: &Answers, jobs: &Jobs, order: LevelOrder, filter: &Filter) {
        let reversed = self.order == order && !self.reversed;
        self.put_order(answers, jobs, (order, reversed), filter);
    }

    /// Sorts every open level.
    pub(super) fn put_order(
        &mut self,
        answers: &Answers,
        jobs: &Jobs,
        (order, reversed): (LevelOrder, bool),
        filter: &Filter,
    ) {
        (self.order, self.reversed) = (order, reversed);
        let selected = self.goal.clone();
        for node in self.tree.open_nodes().collect::<Vec<_>>() {
            self.ask(answers, jobs, node, filter);
        }
        self.goal = selected;
    }

    /// Filters the top level.
    pub(super) fn filter(&mut self, answers: &Answers, jobs: &Jobs, filter: &Filter) {
        self.ask(answers, jobs, ROOT, filter);
    }

    /// Opens a closed row, or closes an open one.
    pub(super) fn toggle(&mut self, answers: &Answers, jobs: &Jobs, row: u64, table: &mut TableState) {
        let Some(spot) = self.tree.locate(row) else { return };
        match spot.open {
            Some(node) => {
                let below = table.cursor().and_then(|c| self.tree.locate(c)).map(|s| s.parent);
                let inside = below.is_some_and(|mut at| {
                    while at != node {
                        match self.tree.above(at) {
                            Some((above, _)) => at = above,
                            None => return false,
                        }
                    }
                    true
                });
                // Rows below move up; the cursor stays on its object, or goes to the folded one.
                let object = table.cursor().map(|c| self.tree.locate(c));
                self.tree.close(node);
                if inside {
                    table.select(Some(row));
                } else if let Some(Some(spot)) = object {
                    table.select(Some(self.tree.row_of(spot.parent, spot.index)));
                }
            }
            None => {
                if let Some(object) = self.object_in(&spot) {
                    let cursor = table.cursor().and_then(|c| self.tree.locate(c));
                    self.unfold(answers, jobs, spot.parent, spot.index, object);
                    if let Some(spot) = cursor {
                        table.select(Some(self.tree.row_of(spot.parent, spot.index)));
                    }
                }
            }
        }
    }

    fn unfold(
        &mut self,
        answers: &Answers,
        jobs: &Jobs,
        parent: NodeId,
        index: u64,
        object: ObjectId,
    ) -> Option<NodeId> {
        if answers.analyzed.dominated(object) == 0 {
            return None;
        }
        let level = Level { object: Some(object), sorted: None, slot: Slot::default() };
        let node = self.tree.open(parent, index, 1, level);
        if self.tree.payload(node).is_some_and(|l| l.sorted.is_none() && !l.slot.is_running()) {
            self.ask(answers, jobs, node, &Filter::default());
        }
        Some(node)
    }

    /// Begins to unfold the way to `object`. A filter gives way to one that is gone to from `elsewhere`.
    pub(super) fn aim(&mut self, answers: &Answers, object: Option<ObjectId>, elsewhere: bool) {
        // An answer that comes while the way is being gone changes nothing about why.
        self.filter_yields = elsewhere || (self.filter_yields && !self.goal.is_empty());
        self.goal.clear();
        self.missing = None;
        let Some(object) = object else { return };
        if !answers.analyzed.is_reachable(object) {
            self.missing = Some("No GC root reaches this object, so it is not in the dominator tree".to_owned());
            return;
        }
        let mut at = Some(object);
        while let Some(o) = at {
            self.goal.push(o);
            if self.goal.len() > DEEPEST {
                self.goal.clear();
                let deepest = Count(DEEPEST as u64);
                self.missing = Some(format!("The object is more than {deepest} levels down the dominator tree"));
                return;
            }
            at = answers.analyzed.immediate_dominator(o);
        }
        self.goal.reverse();
    }

    /// Goes on towards the goal as far as levels are sorted.
    pub(super) fn approach(&mut self, answers: &Answers, jobs: &Jobs, filter: &mut Filter) -> Aim {
        if let Some(why) = self.missing.take() {
            return Aim::Missing(why);
        }
        let mut node = ROOT;
        let (began, mut unfolded) = (Instant::now(), 0);
        for step in 0..self.goal.len() {
            let object = self.goal[step];
            let last = step + 1 == self.goal.len();
            if !last && let Some(open) = self.tree.open_child(node, |level| level.object == Some(object)) {
                node = open;
                continue;
            }
            let Some(level) = self.tree.payload(node) else { break };
            let Some(Sorted { rows, order, reversed }) = &level.sorted else { return Aim::Nothing };
            let at = position(&answers.heap, &answers.analyzed, rows.as_slice(), *order, *reversed, object);
            let Some(index) = at.map(|at| at as u64) else {
                if level.slot.is_running() {
                    return Aim::Nothing;
                }
                if node == ROOT && !filter.is_empty() {
                    if !self.filter_yields {
                        self.goal.clear();
                        return Aim::Hidden;
                    }
                    filter.set("");
                    self.ask(answers, jobs, ROOT, filter);
                    return self.approach_again(answers, jobs, filter);
                }
                break;
            };
            if last {
                self.goal.clear();
                return Aim::Reached(self.tree.row_of(node, index));
            }
            if unfolded > 0 && began.elapsed() > PATIENCE {
                jobs.wake();
                return Aim::Nothing;
            }
            match self.unfold(answers, jobs, node, index, object) {
                Some(open) => node = open,
                None => break,
            }
            unfolded += 1;
        }
        self.goal.clear();
        Aim::Nothing
    }

    /// Once more, now that nothing is filtered.
    fn approach_again(&mut self, answers: &Answers, jobs: &Jobs, filter: &mut Filter) -> Aim {
        if filter.is_empty() { self.approach(answers, jobs, filter) } else { Aim::Nothing }
    }
}
