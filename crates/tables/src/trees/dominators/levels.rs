//! Expanded levels of the dominator tree: grouped and sorted in the background; the old rows stay visible meanwhile.

use std::{collections::VecDeque, sync::Arc};

use super::reveal_path::RevealPath;
use crate::dump::folded::LevelConditions;
use crate::trees::tree::{NodeId, ROOT, Spot, Tree};
use crate::{TableContext, TypedFilter};
use heaplens_analysis::dominator_tree::{
    BaselineSize, DropRule, Fold, FoldInputs, LevelForm, LevelOrder, LevelPart, Partition, PartitionBy, Shared,
    SharedQuestion, Source,
};
use heaplens_analysis::dominator_tree::{chains::CHAIN_AT_LEAST, rows::Rows};
use heaplens_analysis::filter::ObjectFilter;
use heaplens_base::{Cancelled, Progress, Task};
use heaplens_heap::{Heap, ObjectId};
use heaplens_session::{DeferredDrop, Jobs, OpenDump, Slot};

/// Maximum size of a level that is computed at once: that takes less than a frame, even if all of it has to be read
/// from the disk first.
const SMALL: usize = 128;
/// Number of objects examined to decide if a level is computed synchronously.
const LOOKED_AT: usize = 1_024;

/// An expanded node: a level, or its query while it is being sorted.
pub struct Level {
    /// Part of the tree that it shows.
    pub part: LevelPart,
    /// Shared with the job that lists the objects of selected rows.
    pub(super) rows: Option<Arc<DeferredDrop<Rows>>>,
    pub(super) slot: Slot<DeferredDrop<Rows>>,
}

impl Level {
    pub(super) fn new(part: LevelPart) -> Self {
        Self { part, rows: None, slot: Slot::default() }
    }

    /// Its rows, once they are computed.
    pub fn rows(&self) -> Option<&Rows> {
        self.rows.as_ref()?.get()
    }
}

/// Contents of a row.
#[derive(Clone, Copy)]
pub struct RowContent<'a> {
    /// The object, or the representative of a group.
    pub object: ObjectId,
    /// Group of objects in the row, if it is not a single object.
    pub fold: Option<&'a Fold>,
    /// Part of the tree that has the row.
    pub part: LevelPart,
    /// Part of the tree below the row.
    pub below: Option<LevelPart>,
    /// Level that contains the row.
    pub rows: &'a Rows,
}

/// Objects that match the words of a filter, by class and Android heap.
pub(super) fn keep<'a>(heap: &'a Heap, filter: &'a TypedFilter) -> impl Fn(ObjectId) -> bool + Sync + 'a {
    let passing = ObjectFilter::new(heap, filter.pattern());
    move |object| passing.has(object)
}

/// Expanded levels.
pub struct Levels {
    /// Rows of all expanded levels.
    pub tree: Tree<Level>,
    pub(super) form: LevelForm,
    pub(super) partition: Arc<Partition>,
    /// Partition of classes that a grouping needs.
    grouping: Slot<(LevelForm, Arc<Partition>)>,
    pub(super) shared: Option<Arc<Shared>>,
    pub(super) sharing: Slot<Arc<Shared>>,
    pub(super) order: (LevelOrder, bool),
    /// True if rows have baseline figures.
    compares: bool,
    pub(super) reveal: RevealPath,
    /// Levels whose rows are expanded once computed, and the number of rows still allowed.
    pub(super) branch: (VecDeque<NodeId>, u64),
}

impl Levels {
    /// The top level; starts to group it, and to find the owners of shared objects.
    pub fn new(dump: &OpenDump, jobs: &Jobs, form: LevelForm) -> Self {
        let mut levels = Self {
            tree: Tree::new(1, Level::new(LevelPart::TOP)),
            form,
            partition: Arc::new(Partition::new(&dump.heap, PartitionBy::Class)),
            grouping: Slot::default(),
            shared: None,
            sharing: Slot::default(),
            order: (LevelOrder::default(), false),
            compares: dump.baseline.is_some(),
            reveal: RevealPath::default(),
            branch: (VecDeque::new(), 0),
        };
        levels.choose(dump, jobs, form, &TypedFilter::default());
        let of = dump.clone();
        levels
            .sharing
            .ask(jobs, "owners of shared objects", move |task| Ok(of.data().answer(&SharedQuestion, task)?));
        levels
    }

    /// Order of all levels, and true if it is reversed.
    pub fn order(&self) -> (LevelOrder, bool) {
        self.order
    }

    /// Grouping of the tree, current or requested.
    pub fn form(&self) -> LevelForm {
        self.form
    }

    /// Rows of the top level; `None` before it is sorted.
    pub fn top(&self) -> Option<u64> {
        Some(self.tree.payload(ROOT)?.rows()?.rows.len() as u64)
    }

    /// True while a job is running or levels are being expanded.
    pub fn is_running(&self) -> bool {
        self.tree.open_nodes().any(|n| self.tree.payload(n).is_some_and(|l| l.slot.is_at_work()))
            || self.reveal.is_going()
            || self.sharing.is_at_work()
            || self.grouping.is_at_work()
            || !self.branch.0.is_empty()
    }

    /// Objects that several owners retain together, once they are found.
    pub fn shared(&self) -> Option<&Arc<Shared>> {
        self.shared.as_ref()
    }

    /// Progress of finding the owners of shared objects.
    pub fn sharing_progress(&self) -> Option<Progress> {
        self.sharing.progress().filter(|_| self.sharing.is_running())
    }

    /// Progress of the first level that is being computed.
    pub fn progress(&self) -> Option<Progress> {
        self.tree.open_nodes().find_map(|node| self.tree.payload(node)?.slot.progress())
    }

    /// Contents of a row.
    pub fn shown<'a>(&'a self, dump: &OpenDump, spot: &Spot) -> Option<RowContent<'a>> {
        let level = self.tree.payload(spot.parent)?;
        let rows = level.rows()?;
        let object = *rows.rows.get(usize::try_from(spot.index).ok()?)?;
        let below = rows.below(&dump.analysis, level.part, object);
        Some(RowContent { object, fold: rows.fold(object), part: level.part, below, rows })
    }

    /// Contents of the row with this number.
    pub fn shown_at<'a>(&'a self, dump: &OpenDump, row: u64) -> Option<RowContent<'a>> {
        self.shown(dump, &self.tree.locate(row)?)
    }

    /// Changes whenever rows show other objects.
    pub fn version(&self) -> usize {
        let form = match self.form {
            LevelForm::Plain => 0,
            LevelForm::Folded => 1,
            LevelForm::By(by) => 2 + by as usize,
        };
        let order = match self.order.0 {
            LevelOrder::Address => 0,
            LevelOrder::Class => 1,
            LevelOrder::Retained => 2,
            LevelOrder::Shallow => 3,
            LevelOrder::Dominated => 4,
            LevelOrder::Growth => 5,
            LevelOrder::Region => 6,
            LevelOrder::Figure(figure) => 7 + figure.index(),
        };
        self.tree.rows() as usize ^ order << 1 ^ usize::from(self.order.1) ^ form << 40
    }

    /// Text in the single row of a level that is being computed.
    pub fn waiting_text(&self, node: NodeId) -> String {
        let Some(level) = self.tree.payload(node) else { return String::new() };
        if let Some(error) = level.slot.error() {
            return error.to_owned();
        }
        match level.slot.progress() {
            Some(progress) if progress.total > 0 && !progress.step.is_empty() => {
                let percent = (progress.done.saturating_mul(100) / progress.total).min(100);
                format!("{}… {percent} %", progress.step)
            }
            Some(progress) if !progress.step.is_empty() => format!("{}…", progress.step),
            _ => "Sorting…".to_owned(),
        }
    }

    /// Computes a level, at once if it is small.
    pub fn ask(&mut self, dump: &OpenDump, jobs: &Jobs, node: NodeId, filter: &TypedFilter) {
        let Some(part) = self.tree.payload(node).map(|level| level.part) else { return };
        let quick = self.is_quick(dump, part);
        let Some(open) = self.tree.payload_mut(node) else { return };
        let (form, order) = (self.form, self.order);
        let (partition, shared) = (self.partition.clone(), self.shared.clone());
        let filter = if part.is_at_top() { filter.clone() } else { TypedFilter::default() };
        let large = jobs.clone();
        let make = move |dump: &OpenDump, named: bool, task: &Task| {
            let heap = &*dump.heap;
            let then = dump.retained_then();
            let folding = FoldInputs {
                dump: dump.data(),
                names_chains: named,
                form,
                partition: &partition,
                shared: shared.as_deref(),
                order,
                then: then.as_ref().map(|then| then as &BaselineSize<'_>),
            };
            let mut rows = folding.rows(part, &keep(heap, &filter), task)?;
            let context = TableContext::of(dump);
            LevelConditions::of_typed(context, &mut filter.clone()).keep(context, (part, &mut rows), shared.as_deref());
            Ok(large.defer_drop(rows))
        };
        if quick {
            open.slot.cancel();
            if let Ok::<_, Cancelled>(rows) = make(dump, false, &Task::new()) {
                self.put(dump, node, rows);
            }
        } else {
            let dump = dump.clone();
            open.slot.ask(jobs, "fold a level", move |task| Ok(make(&dump, true, task)?));
        }
    }

    /// True if a level can be computed within a frame: it is small and has no chains, whose names must be read.
    fn is_quick(&self, dump: &OpenDump, part: LevelPart) -> bool {
        let (heap, analysis) = (&dump.heap, &dump.analysis);
        let Source::Below(parent) = part.source else { return false };
        let least = DropRule::of(analysis).least;
        let mut left = LOOKED_AT;
        for (at, child) in analysis.dominator_children(parent).enumerate() {
            let may_begin = self.form != LevelForm::Plain && analysis.dominated_count(child) + 1 >= CHAIN_AT_LEAST;
            if at >= SMALL {
                return false;
            }
            if !may_begin && analysis.retained(child) < least {
                continue;
            }
            for below in analysis.dominator_children(Some(child)) {
                left -= 1;
                if left == 0 || (may_begin && heap.class_id(below) == heap.class_id(child)) {
                    return false;
                }
            }
        }
        true
    }

    /// Shows the computed rows of a level; expanded rows stay expanded.
    fn put(&mut self, dump: &OpenDump, node: NodeId, rows: DeferredDrop<Rows>) {
        let Some(new) = rows.get() else { return };
        let sorted = |level: &Level| {
            let object = new.unfolds_to(level.part)?;
            new.position(dump.data(), object).map(|at| at as u64)
        };
        self.tree.reorder(node, sorted);
        self.tree.set_children(node, new.rows.len() as u64);
        if let Some(level) = self.tree.payload_mut(node) {
            level.rows = Some(Arc::new(rows));
        }
    }

    /// Takes over computed levels; true if there were any.
    pub fn take_in(&mut self, dump: &OpenDump, jobs: &Jobs, filter: &TypedFilter) -> bool {
        if self.sharing.poll()
            && let Some(shared) = self.sharing.take()
        {
            self.shared = Some(shared);
            // The top level and its groups are computed again, with objects of several owners grouped.
            for node in self.tree.open_nodes().collect::<Vec<_>>() {
                let at_top = self.tree.payload(node).is_some_and(|level| level.part.is_at_top());
                if at_top && self.form == LevelForm::Folded {
                    self.ask(dump, jobs, node, filter);
                }
            }
        }
        if self.grouping.poll()
            && let Some((form, partition)) = self.grouping.take()
        {
            self.partition = partition;
            self.begin_anew(dump, jobs, form, filter);
        }
        let nodes: Vec<NodeId> = self.tree.open_nodes().collect();
        let mut changed = false;
        for node in nodes {
            let Some(level) = self.tree.payload_mut(node) else { continue };
            if level.slot.poll()
                && let Some(rows) = level.slot.take()
            {
                self.put(dump, node, rows);
                changed = true;
            }
        }
        self.grow_branch(dump, jobs);
        changed
    }

    /// Changes the grouping of the tree.
    pub fn choose(&mut self, dump: &OpenDump, jobs: &Jobs, form: LevelForm, filter: &TypedFilter) {
        self.form = form;
        let by = match form {
            LevelForm::By(by) => by,
            LevelForm::Plain | LevelForm::Folded => PartitionBy::Class,
        };
        if by == PartitionBy::Class {
            self.grouping.cancel();
            self.partition = Arc::new(Partition::new(&dump.heap, by));
            self.begin_anew(dump, jobs, form, filter);
        } else {
            let heap = dump.heap.clone();
            self.grouping.ask(jobs, "groups of classes", move |_| Ok((form, Arc::new(Partition::new(&heap, by)))));
        }
    }

    fn begin_anew(&mut self, dump: &OpenDump, jobs: &Jobs, form: LevelForm, filter: &TypedFilter) {
        self.form = form;
        self.branch.0.clear();
        for (_, node) in self.tree.open_below(ROOT) {
            self.tree.close(node);
        }
        self.tree.set_children(ROOT, 1);
        if let Some(top) = self.tree.payload_mut(ROOT) {
            top.rows = None;
        }
        self.ask(dump, jobs, ROOT, filter);
    }

    /// Sorts every expanded level by `order`, or reverses it if it is already sorted so.
    pub fn sort(&mut self, dump: &OpenDump, jobs: &Jobs, order: LevelOrder, filter: &TypedFilter) {
        let reversed = self.order.0 == order && !self.order.1;
        self.put_order(dump, jobs, (order, reversed), filter);
    }

    /// Sorts every expanded level.
    pub fn put_order(&mut self, dump: &OpenDump, jobs: &Jobs, order: (LevelOrder, bool), filter: &TypedFilter) {
        self.order = order;
        for node in self.tree.open_nodes().collect::<Vec<_>>() {
            self.ask(dump, jobs, node, filter);
        }
    }

    /// Recomputes every expanded level when a comparison starts or ends; true if it did.
    pub fn compare(&mut self, dump: &OpenDump, jobs: &Jobs, filter: &TypedFilter) -> bool {
        let compares = dump.baseline.is_some();
        let changed = std::mem::replace(&mut self.compares, compares) != compares;
        if changed {
            self.put_order(dump, jobs, self.order, filter);
        }
        changed
    }

    /// Filters the top level and its expanded groups.
    pub fn filter(&mut self, dump: &OpenDump, jobs: &Jobs, filter: &TypedFilter) {
        for node in self.tree.open_nodes().collect::<Vec<_>>() {
            if self.tree.payload(node).is_some_and(|level| level.part.is_at_top()) {
                self.ask(dump, jobs, node, filter);
            }
        }
    }
}
