//! What is selected, as a set of objects, and what the set is in numbers: how
//! many, their bytes, what they retain together, who holds them. The status
//! bar always answers for it. Numbers that one look gives are there at once;
//! what two objects hold only together takes a search of the whole heap, which
//! runs by itself in small heaps and when asked for in large ones. Which objects
//! a few rows are is looked up at once; those of millions are listed in a job.

use std::sync::Arc;

use super::location::View;
use super::view_context::OpenDump;
use crate::analysis::holders::{HeldSet, holders};
use crate::analysis::retained::{RetainedSet, retained_set};
use crate::heap::ids::{ClassId, ObjectId};
use crate::session::jobs::{DeferredDrop, Jobs};
use crate::session::slot::Slot;
use crate::task::{Cancelled, Progress, Task};
use crate::units::Bytes;

/// Heaps of more objects than this are searched only when somebody asks.
const SMALL_HEAP: usize = 3_000_000;

/// Rows whose objects are looked up within a frame.
pub const AT_ONCE: u64 = 10_000;

/// A set of objects.
#[derive(Clone, Default)]
pub enum ObjectSet {
    /// No object.
    #[default]
    Nothing,
    /// One.
    Object(ObjectId),
    /// All of a class.
    Class(ClassId),
    /// Those of several rows.
    Objects(Objects),
    /// Those of rows that are many or stand for many, while they are being listed.
    Rows(RowTotals),
}

/// Objects that may be millions: whoever is the last to have them does not wait until their memory is given back.
pub type Objects = Arc<DeferredDrop<Vec<ObjectId>>>;

/// What is known of rows before their objects are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowTotals {
    /// How many rows they are, and no more.
    Counted(u64),
    /// How many classes, objects of these, and the shallow size of all of them.
    Classes(u64, u64, Bytes),
    /// As far as the rows say it: how many objects, what those take by themselves, and what single ones of them keep
    /// alive, each byte once.
    Summed(u64, Bytes, Bytes),
}

/// Work that lists the objects of rows.
pub type List = Box<dyn FnOnce(&Task) -> Result<Vec<ObjectId>, Cancelled> + Send>;

/// The objects of rows, listed in the background where they are many.
pub struct Listing {
    /// What is known of them at once.
    pub together: RowTotals,
    /// Lists them.
    pub list: List,
}

impl Default for Listing {
    fn default() -> Self {
        Self { together: RowTotals::Counted(0), list: Box::new(|_| Ok(Vec::new())) }
    }
}

impl PartialEq for ObjectSet {
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
    set: ObjectSet,
    /// The view whose selection this is.
    view: Option<View>,
    /// Which rows of that view the set was made of, so that it is made once: the first, the last, their version.
    made_of: Option<(u64, u64, usize)>,
    /// Whether the view has said in this frame what is selected.
    said: bool,
    held: Slot<(Objects, DeferredDrop<HeldSet>)>,
    exact: Slot<RetainedSet>,
}

impl Selection {
    /// What is selected.
    pub fn set(&self) -> &ObjectSet {
        &self.set
    }

    /// The two objects that are selected, if they are two.
    pub fn pair(&self) -> Option<[ObjectId; 2]> {
        let ObjectSet::Objects(objects) = &self.set else { return None };
        <[ObjectId; 2]>::try_from(objects.as_slice()).ok()
    }

    /// Selects a set.
    pub fn put(&mut self, set: ObjectSet, answers: &OpenDump, jobs: &Jobs) {
        if self.set == set {
            return;
        }
        *self = Self { set, view: self.view, ..Self::default() };
        let ObjectSet::Objects(objects) = &self.set else { return };
        let (objects, answers, large) = (Arc::clone(objects), answers.clone(), jobs.clone());
        if answers.heap.len() <= SMALL_HEAP {
            self.search(&answers, jobs);
        }
        self.held.ask(jobs, "holders of a selection", move |task| {
            let held = holders(&answers.heap, &answers.analyzed, objects.as_slice(), task)?;
            Ok((objects, large.defer_drop(held)))
        });
    }

    /// Names the view on screen. Rows of another view have the same numbers and are others.
    pub fn look_at(&mut self, view: View) {
        if self.view.replace(view) != Some(view) {
            self.made_of = None;
        }
    }

    /// Whether what is selected was made of these rows already; if so, the view has said it.
    pub fn keeps(&mut self, rows: &std::ops::RangeInclusive<u64>, version: usize) -> bool {
        let kept =
            self.made_of == Some((*rows.start(), *rows.end(), version)) && !matches!(self.set, ObjectSet::Nothing);
        self.said |= kept;
        kept
    }

    /// Selects rows that are or stand for many objects. They are listed when the rows, or `version`, have changed.
    pub fn put_listed(
        &mut self,
        rows: std::ops::RangeInclusive<u64>,
        version: usize,
        listing: impl FnOnce() -> Listing,
        answers: &OpenDump,
        jobs: &Jobs,
    ) {
        if self.keeps(&rows, version) {
            return;
        }
        let made_of = Some((*rows.start(), *rows.end(), version));
        let Listing { together, list } = listing();
        *self = Self { set: ObjectSet::Rows(together), view: self.view, made_of, said: true, ..Self::default() };
        let (answers, large) = (answers.clone(), jobs.clone());
        self.held.ask(jobs, "objects of a selection", move |task| {
            let objects = Arc::new(large.defer_drop(list(task)?));
            let held = holders(&answers.heap, &answers.analyzed, objects.as_slice(), task)?;
            Ok((objects, large.defer_drop(held)))
        });
    }

    /// Selects the objects of several rows. They are listed when the rows, or `version`, have changed: those of a few
    /// at once.
    pub fn put_rows(
        &mut self,
        rows: std::ops::RangeInclusive<u64>,
        version: usize,
        listing: impl FnOnce() -> Listing,
        answers: &OpenDump,
        jobs: &Jobs,
    ) {
        if rows.end() - rows.start() >= AT_ONCE {
            return self.put_listed(rows, version, listing, answers, jobs);
        }
        if self.keeps(&rows, version) {
            return;
        }
        self.said = true;
        let made_of = Some((*rows.start(), *rows.end(), version));
        let Ok::<_, Cancelled>(objects) = (listing().list)(&Task::new()) else { return };
        let set = match *objects {
            [] => ObjectSet::Nothing,
            [object] => ObjectSet::Object(object),
            _ => ObjectSet::Objects(Arc::new(jobs.defer_drop(objects))),
        };
        self.put(set, answers, jobs);
        (self.made_of, self.said) = (made_of, true);
    }

    /// Whether the view has said what is selected since this was asked last; else it is what the place says.
    pub fn take_said(&mut self) -> bool {
        std::mem::take(&mut self.said)
    }

    /// Searches the heap for what several objects retain together.
    pub fn search(&mut self, answers: &OpenDump, jobs: &Jobs) {
        let ObjectSet::Objects(objects) = &self.set else { return };
        if self.exact.is_running() || self.exact.get().is_some() {
            return;
        }
        let (objects, answers) = (Arc::clone(objects), answers.clone());
        self.exact.ask(jobs, "retained size of a selection", move |task| {
            Ok(retained_set(&answers.heap, &answers.analyzed, objects.as_slice(), task)?)
        });
    }

    /// Takes in what was worked out.
    pub fn poll(&mut self, answers: &OpenDump, jobs: &Jobs) {
        if self.held.poll()
            && matches!(self.set, ObjectSet::Rows(_))
            && let Some((objects, _)) = self.held.get()
        {
            self.set = ObjectSet::Objects(Arc::clone(objects));
            if answers.heap.len() <= SMALL_HEAP {
                self.search(answers, jobs);
            }
        }
        self.exact.poll();
    }

    /// Several objects in numbers, once they are there.
    pub fn held(&self) -> Option<&HeldSet> {
        self.held.get()?.1.get()
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
