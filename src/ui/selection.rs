//! What is selected, as a set of objects, and what the set is in numbers: how
//! many, their bytes, what they retain together, who holds them. The status
//! bar always answers for it. Numbers that one look gives are there at once;
//! what two objects hold only together takes a search of the whole heap, which
//! runs by itself in small heaps and when asked for in large ones.

use std::sync::Arc;

use super::scene::Answers;
use crate::analysis::holders::{HeldSet, holders};
use crate::analysis::retained::{RetainedSet, retained_set};
use crate::heap::ids::{ClassId, ObjectId};
use crate::session::jobs::Jobs;
use crate::session::slot::Slot;
use crate::task::{Cancelled, Progress, Task};
use crate::units::Bytes;

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
    Objects(Arc<[ObjectId]>),
    /// Those of rows that stand for many, while they are being listed.
    Rows(Together),
}

/// What the objects of rows take together, as far as the rows say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Together {
    /// How many they are.
    pub objects: u64,
    /// What they take by themselves.
    pub shallow: Bytes,
    /// What single ones of them keep alive, each byte once.
    pub retained: Bytes,
}

/// Work that lists the objects of rows.
pub type List = Box<dyn FnOnce(&Task) -> Result<Vec<ObjectId>, Cancelled> + Send>;

/// Rows that stand for many objects, which are listed in the background.
pub struct Listing {
    /// What is known of them at once.
    pub together: Together,
    /// Lists them.
    pub list: List,
}

impl Default for Listing {
    fn default() -> Self {
        Self { together: Together::default(), list: Box::new(|_| Ok(Vec::new())) }
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nothing, Self::Nothing) => true,
            (Self::Object(a), Self::Object(b)) => a == b,
            (Self::Class(a), Self::Class(b)) => a == b,
            // Rows are turned into a set once, when their selection changes.
            (Self::Objects(a), Self::Objects(b)) => Arc::ptr_eq(a, b),
            (Self::Rows(a), Self::Rows(b)) => a == b,
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
    held: Slot<(Arc<[ObjectId]>, HeldSet)>,
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
        let (objects, answers) = (Arc::clone(objects), answers.clone());
        if answers.heap.len() <= SMALL_HEAP {
            self.search(&answers, jobs);
        }
        self.held.ask(jobs, "holders of a selection", move |task| {
            let held = holders(&answers.heap, &answers.analyzed, &objects, task)?;
            Ok((objects, held))
        });
    }

    /// Selects rows that stand for many objects. They are listed when the rows, or `version`, have changed.
    pub fn put_listed(
        &mut self,
        rows: std::ops::RangeInclusive<u64>,
        version: usize,
        listing: impl FnOnce() -> Listing,
        answers: &Answers,
        jobs: &Jobs,
    ) {
        let made_of = (*rows.start(), *rows.end(), version);
        if self.made_of == made_of && matches!(self.set, Set::Rows(_) | Set::Objects(_)) {
            self.said = true;
            return;
        }
        let Listing { together, list } = listing();
        *self = Self { set: Set::Rows(together), made_of, said: true, ..Self::default() };
        let answers = answers.clone();
        self.held.ask(jobs, "objects of a selection", move |task| {
            let objects: Arc<[ObjectId]> = list(task)?.into();
            let held = holders(&answers.heap, &answers.analyzed, &objects, task)?;
            Ok((objects, held))
        });
    }

    /// Selects the objects of several rows. They are listed when the rows, or `version`, have changed.
    pub fn put_rows(
        &mut self,
        rows: std::ops::RangeInclusive<u64>,
        version: usize,
        objects: impl FnOnce() -> Vec<ObjectId>,
        answers: &Answers,
        jobs: &Jobs,
    ) {
        self.said = true;
        let made_of = (*rows.start(), *rows.end(), version);
        if self.made_of == made_of && !matches!(self.set, Set::Nothing) {
            return;
        }
        let objects = objects();
        let set = match *objects {
            [] => Set::Nothing,
            [object] => Set::Object(object),
            _ => Set::Objects(objects.into()),
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
        let Set::Objects(objects) = &self.set else { return };
        if self.exact.is_running() || self.exact.get().is_some() {
            return;
        }
        let (objects, answers) = (Arc::clone(objects), answers.clone());
        self.exact.ask(jobs, "retained size of a selection", move |task| {
            Ok(retained_set(&answers.heap, &answers.analyzed, &objects, task)?)
        });
    }

    /// Takes in what was worked out.
    pub fn poll(&mut self, answers: &Answers, jobs: &Jobs) {
        if self.held.poll()
            && matches!(self.set, Set::Rows(_))
            && let Some((objects, _)) = self.held.get()
        {
            self.set = Set::Objects(Arc::clone(objects));
            if answers.heap.len() <= SMALL_HEAP {
                self.search(answers, jobs);
            }
        }
        self.exact.poll();
    }

    /// Several objects in numbers, once they are there.
    pub fn held(&self) -> Option<&HeldSet> {
        Some(&self.held.get()?.1)
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
