//! When objects were allocated, as far as a single dump tells it.
//!
//! No collector promises an order of addresses. HotSpot's Serial collector keeps the order of allocation; G1 takes later
//! regions at lower addresses; ZGC and Shenandoah take any page. The order is therefore measured in each dump
//! (`sequences`: elements of lists, numbers and times that rise, classes before their objects) and used only as far
//! as nearly all measurements agree (`periods`). Where a young collection copied some objects and not others, those
//! that were not copied are the newest (`copies`).
//!
//! The heap is divided into cells with equally many objects. Cells of one `Period` are in no known order; a cell may
//! have no period. An object is as old as its cell.

mod ages;
mod cells;
mod copies;
mod holders;
mod orders;
mod periods;
mod sequences;

use std::ops::Range;

pub use self::ages::{Ages, AgesQuestion, EntryAges, EntrySpan, TENTHS};
use self::cells::Cells;
pub use self::copies::RecentObjects;
use self::copies::{CopyState, Recent};
use self::periods::Period;
use crate::naming::Namer;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{Heap, ObjectId};

/// A location with fewer sampled objects tells nothing.
const LEAST_SAMPLE: usize = 16;
/// A location with fewer of those cells outside it holds nearly the whole heap.
const LEAST_OTHERS: usize = 64;

/// The order of allocation of a heap.
pub struct Clock {
    cells: Cells,
    /// By cell.
    periods: Vec<Option<Period>>,
    /// By cell: false of those with objects of the runtime alone, which may be of the request for the dump.
    is_counted: Vec<bool>,
    /// Numbers of all cells.
    all: CellCounts,
    /// Objects that no collection has moved, if others were moved.
    recent: Option<Recent>,
    /// By cell: true if a collection has moved its objects.
    is_copied: Vec<bool>,
    /// True if most measurements agree with the order of addresses, where not nearly all do.
    is_mostly_ascending: bool,
}

/// Part of the heap's objects: those allocated before the object for certain, and those not allocated after it for
/// certain, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgeInterval {
    /// Part of all objects that are older for certain.
    pub from: f64,
    /// Part of all objects that are older or may be.
    pub to: f64,
}

/// When the objects of a location were allocated, in percent of the heap's other objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgeSpan {
    /// At most so many of the others are older than nine tenths of the location's objects.
    pub first: u8,
    /// Number of others older than nine tenths of the location's objects: at least, at most.
    pub last: (u8, u8),
    /// At most so many of the others are older than all but its newest objects, a fiftieth of them.
    pub end: u8,
}

impl Clock {
    /// The order of allocation; `None` if the dump does not tell it.
    pub fn find(namer: Namer<'_>, task: &Task) -> Result<Option<Self>, Cancelled> {
        let cells = Cells::of(namer);
        let votes = sequences::votes(namer, &cells, task)?;
        let states = copies::states(namer, &cells, &votes, task)?;
        let is_copied = states.states.iter().map(|state| *state == Some(CopyState::Copied)).collect();
        // Engines of JavaScript give ids when a snapshot is taken, unless they record allocations: few votes prove nothing.
        let is_mostly_ascending =
            namer.heap.snapshot().is_none() && periods::is_mostly_ascending(&votes.all, &states.states);
        let has_many = states.has_application.iter().filter(|&&has| has).count() >= LEAST_OTHERS;
        let is_counted = states.has_application.iter().map(|&has| has || !has_many).collect();
        let is_newest_in_place = !holders::are_older(namer, &cells, &states.states, task)?;
        let periods = periods::periods(cells.len(), &votes, (&states, is_newest_in_place));
        if periods.is_none() && !is_mostly_ascending {
            return Ok(None);
        }
        let is_by_copies = periods.as_ref().is_some_and(|periods| periods.is_by_copies);
        let recent = if is_by_copies { copies::recent(namer, &cells, &states.states, task)? } else { None };
        let periods = periods.map_or_else(|| vec![None; cells.len()], |periods| periods.of_cells);
        let all = CellCounts::of(&periods, |_| true);
        Ok(Some(Self { cells, periods, is_counted, all, recent, is_copied, is_mostly_ascending }))
    }

    /// When an object was allocated, among all objects; `None` if that is not known.
    pub fn interval(&self, heap: &Heap, object: ObjectId) -> Option<AgeInterval> {
        let period = (*self.periods.get(self.cells.of_object(heap, object))?)?;
        let (older, not_newer) = self.all.around(period);
        let all = self.cells.len() as f64;
        Some(AgeInterval { from: older as f64 / all, to: not_newer as f64 / all })
    }

    /// When most of a sample of the objects of a location were allocated, which are in the given `preorders` of the
    /// dominator tree, ascending. `None` if too little is known, it holds nearly everything, or the sample is too small.
    ///
    /// Other objects alone: a table filled at start that makes up most of the heap would else seem to last to its end.
    pub fn span(&self, heap: &Heap, sample: &[ObjectId], preorders: &[Range<u32>]) -> Option<AgeSpan> {
        let others = self.others(preorders);
        if sample.len() < LEAST_SAMPLE || others.len() < LEAST_OTHERS {
            return None;
        }
        let by_period = CellCounts::of(&self.periods, |cell| others.binary_search(&cell).is_ok());
        let others = others.len();
        let bounds = |&object: &ObjectId| match self.periods[self.cells.of_object(heap, object)] {
            Some(period) => by_period.around(period),
            None => (0, others),
        };
        let (mut earliest, mut most): (Vec<usize>, Vec<usize>) = sample.iter().map(bounds).unzip();
        earliest.sort_unstable();
        most.sort_unstable();
        let percent = |cells: usize| (cells * 100 / others) as u8;
        let (tenth, nine_tenths, end) = (sample.len() / 10, sample.len() * 9 / 10, sample.len() * 49 / 50);
        let last = (percent(earliest[nine_tenths]), percent(most[nine_tenths]));
        Some(AgeSpan { first: percent(most[tenth]), last, end: percent(most[end]) })
    }

    /// The same if the order of addresses is that of allocation, which most measurements agree with and not nearly all.
    pub fn likely_span(&self, heap: &Heap, sample: &[ObjectId], preorders: &[Range<u32>]) -> Option<AgeSpan> {
        let others = self.others(preorders);
        if !self.is_mostly_ascending || sample.len() < LEAST_SAMPLE || others.len() < LEAST_OTHERS {
            return None;
        }
        let mut cells: Vec<usize> = sample.iter().map(|&object| self.cells.of_object(heap, object)).collect();
        cells.sort_unstable();
        let percent = |part: usize, of: usize| {
            let cell = cells[cells.len() * part / of];
            (others.partition_point(|&other| other < cell) * 100 / others.len()) as u8
        };
        let last = percent(9, 10);
        Some(AgeSpan { first: percent(1, 10), last: (last, last), end: percent(49, 50) })
    }

    /// Cells outside some places of the dominator tree, ascending, that count.
    fn others(&self, preorders: &[Range<u32>]) -> Vec<usize> {
        let is_other = |&cell: &usize| {
            self.is_counted[cell] && !self.cells.preorders[cell].is_some_and(|preorder| is_within(preorders, preorder))
        };
        (0..self.cells.len()).filter(is_other).collect()
    }

    /// Objects of a location that no collection has moved, if it has so many objects of the application.
    /// `None` if the heap does not tell which, or has none in the location and not nearly all objects of its `sample` were
    /// moved for certain.
    pub fn recent(
        &self,
        heap: &Heap,
        of_application: u64,
        (sample, preorders): (&[ObjectId], &[Range<u32>]),
    ) -> Option<RecentObjects> {
        let recent = self.recent.as_ref()?.of_location(of_application, preorders);
        let moved = sample.iter().filter(|&&object| self.is_copied[self.cells.of_object(heap, object)]).count();
        (recent.objects > 0 || moved * 10 >= sample.len() * 9).then_some(recent)
    }
}

/// Numbers of cells by period.
struct CellCounts {
    /// Cells of earlier periods, by period; at the end those of all periods.
    older: Vec<usize>,
    /// Cells without a period, which may be of any.
    unknown: usize,
}

impl CellCounts {
    fn of(periods: &[Option<Period>], is_counted: impl Fn(usize) -> bool) -> Self {
        let count = periods.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let mut older = vec![0; count + 1];
        let mut unknown = 0;
        for (_, period) in periods.iter().enumerate().filter(|&(cell, _)| is_counted(cell)) {
            match period {
                Some(period) => older[*period as usize + 1] += 1,
                None => unknown += 1,
            }
        }
        for period in 0..count {
            older[period + 1] += older[period];
        }
        Self { older, unknown }
    }

    /// Number of cells that are older than a period for certain, and of those that are not newer for certain.
    fn around(&self, period: Period) -> (usize, usize) {
        (self.older[period as usize], self.older[period as usize + 1] + self.unknown)
    }
}

/// True if a place of the dominator tree is in one of some ranges, ascending.
fn is_within(preorders: &[Range<u32>], preorder: u32) -> bool {
    let after = preorders.partition_point(|own| own.start <= preorder);
    after.checked_sub(1).is_some_and(|at| preorders[at].contains(&preorder))
}
