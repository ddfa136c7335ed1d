//! Selection: the selected objects and their counts, sizes and holders, for the status bar. Sizes from columns are
//! available at once. The exact retained size of several objects needs a search of the whole heap, which starts
//! automatically in small heaps and on request in large ones. The objects of a few rows are looked up at once, those of
//! many rows in a job.

use std::sync::Arc;

use super::OpenDump;
use crate::{DeferredDrop, Jobs, Slot};
use heaplens_analysis::holders::{SetSummary, holders};
use heaplens_analysis::retained::{RetainedSet, retained_set};
use heaplens_base::{Bytes, Cancelled, Progress, Task};
use heaplens_heap::{ClassId, ObjectId};

/// Maximum number of objects of a heap that is searched without a request.
const SMALL_HEAP: usize = 3_000_000;

/// Maximum number of rows whose objects are looked up within a frame.
pub const AT_ONCE: u64 = 10_000;

/// A set of objects.
#[derive(Clone, Default)]
pub enum ObjectSet {
    /// No object.
    #[default]
    Nothing,
    /// One object.
    Object(ObjectId),
    /// All objects of a class.
    Class(ClassId),
    /// Objects of several rows.
    Objects(Objects),
    /// Many rows, or rows for many objects, while their objects are being listed.
    Rows(RowTotals),
}

/// Possibly millions of objects: dropping the last reference does not wait until the memory is freed.
pub type Objects = Arc<DeferredDrop<Vec<ObjectId>>>;

/// Totals of rows before their objects are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowTotals {
    /// Number of rows only.
    Counted(u64),
    /// Number of objects only.
    Objects(u64),
    /// Numbers of classes and of their objects, and the shallow size.
    Classes(u64, u64, Bytes),
    /// Number of objects, shallow size, and bytes dominated by single ones of them, each byte once.
    Summed(u64, Bytes, Bytes),
}

/// Job that lists the objects of rows.
pub type List = Box<dyn FnOnce(&Task) -> Result<Vec<ObjectId>, Cancelled> + Send>;

/// Row or cell for several objects that a view shows under one name: siblings of a class, objects with the same owners.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Group {
    /// The name, the same in table, chart and export.
    pub name: String,
    /// Owners of shared objects, none of which alone retains them; `None` where immediate dominators are the holders.
    pub owners: Option<Vec<ObjectId>>,
}

/// Objects of rows, listed in the background if there are many.
pub struct Listing {
    /// Totals that are known at once.
    pub together: RowTotals,
    /// Job that lists the objects.
    pub list: List,
    /// The group, if they are the objects of one.
    pub group: Option<Group>,
}

impl Listing {
    /// Objects of several rows.
    pub fn of_rows(together: RowTotals, list: List) -> Self {
        Self { together, list, group: None }
    }
}

impl Default for Listing {
    fn default() -> Self {
        Self::of_rows(RowTotals::Counted(0), Box::new(|_| Ok(Vec::new())))
    }
}

impl PartialEq for ObjectSet {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nothing, Self::Nothing) => true,
            (Self::Object(a), Self::Object(b)) => a == b,
            (Self::Class(a), Self::Class(b)) => a == b,
            // A set of rows is created once, when the selection changes.
            (Self::Objects(a), Self::Objects(b)) => Arc::ptr_eq(a, b),
            (Self::Rows(a), Self::Rows(b)) => a == b,
            _ => false,
        }
    }
}

/// Selection of one tab.
#[derive(Default)]
pub struct Selection {
    set: ObjectSet,
    /// Rows from which the set was created, to create it only once: first, last and version.
    made_of: Option<(u64, u64, usize)>,
    /// Group that the objects belong to, if a view shows them as one row.
    group: Option<Group>,
    /// True if the view has reported its selection in this frame.
    is_reported: bool,
    held: Slot<(Objects, DeferredDrop<SetSummary>)>,
    exact: Slot<RetainedSet>,
}

impl Selection {
    /// The selected set.
    pub fn set(&self) -> &ObjectSet {
        &self.set
    }

    /// The group whose objects are selected, if a view shows them as one row or cell.
    pub fn group(&self) -> Option<&Group> {
        self.group.as_ref()
    }

    /// True if the view has reported its selection in this frame.
    pub fn is_reported(&self) -> bool {
        self.is_reported
    }

    /// The two selected objects, if exactly two are selected.
    pub fn pair(&self) -> Option<[ObjectId; 2]> {
        let ObjectSet::Objects(objects) = &self.set else { return None };
        <[ObjectId; 2]>::try_from(objects.as_slice()).ok()
    }

    /// Selects a set.
    pub fn put(&mut self, set: ObjectSet, dump: &OpenDump, jobs: &Jobs) {
        if self.set == set {
            return;
        }
        *self = Self { set, ..Self::default() };
        let ObjectSet::Objects(objects) = &self.set else { return };
        let (objects, dump, dropper) = (Arc::clone(objects), dump.clone(), jobs.clone());
        if dump.heap.len() <= SMALL_HEAP {
            self.search(&dump, jobs);
        }
        self.held.ask(jobs, "holders of a selection", move |task| {
            let held = holders(dump.data(), objects.as_slice(), task)?;
            Ok((objects, dropper.defer_drop(held)))
        });
    }

    /// Forgets which rows the set was created from: row numbers of another view mean other rows.
    pub fn forget_rows(&mut self) {
        self.made_of = None;
    }

    /// True if the set was created from these rows; then the selection counts as reported.
    pub fn keeps(&mut self, rows: &std::ops::RangeInclusive<u64>, version: usize) -> bool {
        let is_same =
            self.made_of == Some((*rows.start(), *rows.end(), version)) && !matches!(self.set, ObjectSet::Nothing);
        self.is_reported |= is_same;
        is_same
    }

    /// Selects rows for many objects. The objects are listed again if the rows or `version` change.
    pub fn put_listed(
        &mut self,
        rows: std::ops::RangeInclusive<u64>,
        version: usize,
        listing: impl FnOnce() -> Listing,
        dump: &OpenDump,
        jobs: &Jobs,
    ) {
        if self.keeps(&rows, version) {
            return;
        }
        let made_of = Some((*rows.start(), *rows.end(), version));
        let Listing { together, list, group } = listing();
        *self = Self { set: ObjectSet::Rows(together), made_of, group, is_reported: true, ..Self::default() };
        let (dump, dropper) = (dump.clone(), jobs.clone());
        self.held.ask(jobs, "objects of a selection", move |task| {
            let objects = Arc::new(dropper.defer_drop(list(task)?));
            let held = holders(dump.data(), objects.as_slice(), task)?;
            Ok((objects, dropper.defer_drop(held)))
        });
    }

    /// Selects the objects of several rows, at once if there are few. They are listed again if the rows or `version`
    /// change.
    pub fn put_rows(
        &mut self,
        rows: std::ops::RangeInclusive<u64>,
        version: usize,
        listing: impl FnOnce() -> Listing,
        dump: &OpenDump,
        jobs: &Jobs,
    ) {
        if rows.end() - rows.start() >= AT_ONCE {
            return self.put_listed(rows, version, listing, dump, jobs);
        }
        if self.keeps(&rows, version) {
            return;
        }
        self.is_reported = true;
        let made_of = Some((*rows.start(), *rows.end(), version));
        let Ok::<_, Cancelled>(objects) = (listing().list)(&Task::new()) else { return };
        let set = match *objects {
            [] => ObjectSet::Nothing,
            [object] => ObjectSet::Object(object),
            _ => ObjectSet::Objects(Arc::new(jobs.defer_drop(objects))),
        };
        self.put(set, dump, jobs);
        (self.made_of, self.is_reported) = (made_of, true);
    }

    /// True if the view has reported its selection since the last call; else the selection follows from the location.
    pub fn take_reported(&mut self) -> bool {
        std::mem::take(&mut self.is_reported)
    }

    /// Starts the search for the exact retained size of several objects.
    pub fn search(&mut self, dump: &OpenDump, jobs: &Jobs) {
        let ObjectSet::Objects(objects) = &self.set else { return };
        if self.exact.is_running() || self.exact.get().is_some() {
            return;
        }
        let (objects, dump) = (Arc::clone(objects), dump.clone());
        self.exact.ask(jobs, "retained size of a selection", move |task| {
            Ok(retained_set(dump.data(), objects.as_slice(), task)?)
        });
    }

    /// Takes over finished results.
    pub fn poll(&mut self, dump: &OpenDump, jobs: &Jobs) {
        if self.held.poll()
            && matches!(self.set, ObjectSet::Rows(_))
            && let Some((objects, _)) = self.held.get()
        {
            self.set = ObjectSet::Objects(Arc::clone(objects));
            if dump.heap.len() <= SMALL_HEAP {
                self.search(dump, jobs);
            }
        }
        self.exact.poll();
    }

    /// Counts, sizes and holders of several objects, once they are computed.
    pub fn held(&self) -> Option<&SetSummary> {
        self.held.get()?.1.get()
    }

    /// Exact retained set of several objects, if it was computed.
    pub fn exact(&self) -> Option<&RetainedSet> {
        self.exact.get()
    }

    /// Progress of the search.
    pub fn progress(&self) -> Option<Progress> {
        self.exact.progress()
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        self.held.is_running() || self.exact.is_running()
    }
}
