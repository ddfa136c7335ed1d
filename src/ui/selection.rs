//! What is selected, as a set of objects, and what the set is in numbers: how
//! many, their bytes, what they retain together, who holds them. The status
//! bar always answers for it. Numbers that one look gives are there at once;
//! what two objects hold only together takes a search of the whole heap, which
//! runs by itself in small heaps and when asked for in large ones.

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use super::scene::Answers;
use crate::analysis::holders::{HeldSet, holders};
use crate::analysis::retained::{RetainedSet, retained_set};
use crate::heap::ids::{ClassId, ObjectId};
use crate::session::jobs::{Jobs, Large};
use crate::session::slot::Slot;
use crate::task::Progress;

/// Heaps of more objects than this are searched only when somebody asks.
const SMALL_HEAP: usize = 3_000_000;

/// A set of objects.
#[derive(Debug, Clone, Default)]
pub enum Set {
    /// No object.
    #[default]
    Nothing,
    /// One.
    Object(ObjectId),
    /// All of a class.
    Class(ClassId),
    /// Those of several rows.
    Objects(Run),
}

/// Some objects in a row, among others that a view lists: a million are selected without being copied.
#[derive(Clone)]
pub struct Run {
    listed: Arc<Large<Vec<ObjectId>>>,
    rows: Range<usize>,
}

impl Run {
    /// The objects in `rows` of what a view lists.
    pub fn of(listed: &Arc<Large<Vec<ObjectId>>>, rows: RangeInclusive<u64>) -> Self {
        let len = listed.as_slice().len();
        let (start, end) = (*rows.start() as usize, (*rows.end() as usize).saturating_add(1));
        Self { listed: Arc::clone(listed), rows: start.min(len)..end.min(len) }
    }

    /// A few objects that are listed nowhere.
    pub fn few(objects: Vec<ObjectId>, jobs: &Jobs) -> Self {
        let rows = 0..objects.len();
        Self { listed: Arc::new(jobs.large(objects)), rows }
    }

    /// The objects.
    pub fn objects(&self) -> &[ObjectId] {
        self.listed.as_slice().get(self.rows.clone()).unwrap_or(&[])
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} objects", self.rows.len())
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nothing, Self::Nothing) => true,
            (Self::Object(a), Self::Object(b)) => a == b,
            (Self::Class(a), Self::Class(b)) => a == b,
            // Rows are turned into a set once, when their selection changes.
            (Self::Objects(a), Self::Objects(b)) => Arc::ptr_eq(&a.listed, &b.listed) && a.rows == b.rows,
            _ => false,
        }
    }
}

/// The selection of one tab.
#[derive(Default)]
pub struct Selection {
    set: Set,
    /// Which rows the set was made of, so that it is made once.
    made_of: (u64, u64, usize),
    /// Whether the view has said in this frame what is selected.
    said: bool,
    held: Slot<HeldSet>,
    exact: Slot<RetainedSet>,
}

impl Selection {
    /// What is selected.
    pub fn set(&self) -> &Set {
        &self.set
    }

    /// Selects a set.
    pub fn put(&mut self, set: Set, answers: &Answers, jobs: &Jobs) {
        if self.set == set {
            return;
        }
        *self = Self { set, ..Self::default() };
        let Set::Objects(objects) = &self.set else { return };
        let (run, answers) = (objects.clone(), answers.clone());
        if answers.heap.len() <= SMALL_HEAP {
            self.search(&answers, jobs);
        }
        self.held.ask(jobs, "holders of a selection", move |task| {
            Ok(holders(&answers.heap, &answers.analyzed, run.objects(), task)?)
        });
    }

    /// Selects the objects of several rows. They are listed when the rows, or `version`, have changed.
    pub fn put_rows(
        &mut self,
        rows: RangeInclusive<u64>,
        version: usize,
        objects: impl FnOnce() -> Run,
        answers: &Answers,
        jobs: &Jobs,
    ) {
        self.said = true;
        let made_of = (*rows.start(), *rows.end(), version);
        if self.made_of == made_of && !matches!(self.set, Set::Nothing) {
            return;
        }
        let run = objects();
        let set = match *run.objects() {
            [] => Set::Nothing,
            [object] => Set::Object(object),
            _ => Set::Objects(run),
        };
        self.put(set, answers, jobs);
        (self.made_of, self.said) = (made_of, true);
    }

    /// Whether the view has said what is selected since this was asked last; else it is what the place says.
    pub fn take_said(&mut self) -> bool {
        std::mem::take(&mut self.said)
    }

    /// Searches the heap for what several objects retain together.
    pub fn search(&mut self, answers: &Answers, jobs: &Jobs) {
        let Set::Objects(run) = &self.set else { return };
        if self.exact.is_running() || self.exact.get().is_some() {
            return;
        }
        let (run, answers) = (run.clone(), answers.clone());
        self.exact.ask(jobs, "retained size of a selection", move |task| {
            Ok(retained_set(&answers.heap, &answers.analyzed, run.objects(), task)?)
        });
    }

    /// Takes in what was worked out.
    pub fn poll(&mut self) {
        self.held.poll();
        self.exact.poll();
    }

    /// Several objects in numbers, once they are there.
    pub fn held(&self) -> Option<&HeldSet> {
        self.held.get()
    }

    /// What several objects retain together exactly, if that was searched for.
    pub fn exact(&self) -> Option<&RetainedSet> {
        self.exact.get()
    }

    /// How far the search is.
    pub fn progress(&self) -> Option<Progress> {
        self.exact.progress()
    }

    /// Whether numbers are on their way.
    pub fn is_running(&self) -> bool {
        self.held.is_running() || self.exact.is_running()
    }
}
