//! The heap after the removals: the dump without the removed references, with an analysis of its own. It is derived when
//! somebody looks at it, in the background; the dump itself does not change.

use crate::dump::reduced;
use crate::jobs::{DeferredDrop, JobError, Jobs};
use crate::{OpenDump, Slot, storage_options::StorageOptions};
use heaplens_analysis::Cut;
use heaplens_analysis::cuts::{CutEffect, Reduction};
use heaplens_base::Progress;

/// The heap after a list of cuts.
#[derive(Default)]
pub struct HeapAfter {
    slot: Slot<DerivedHeap>,
    derived: Option<DerivedHeap>,
    /// The one before. Views have it until they show the next; it is dropped after them, on another thread.
    former: Option<DerivedHeap>,
    /// Cuts of the last request.
    requested: Vec<Cut>,
}

/// The cuts, and the heap after them.
type DerivedHeap = DeferredDrop<(Vec<Cut>, OpenDump)>;

impl HeapAfter {
    /// Derives the heap after `cuts` of a dump, unless that is done or under way.
    /// `known` is their effect, if it has been computed.
    pub fn ask(
        &mut self,
        before: &OpenDump,
        (cuts, known): (Vec<Cut>, Option<CutEffect>),
        storage: StorageOptions,
        jobs: &Jobs,
    ) {
        if self.requested == cuts && (self.slot.is_running() || self.of(&cuts).is_some()) {
            return;
        }
        self.requested.clone_from(&cuts);
        let (before, dropper) = (before.clone(), jobs.clone());
        self.slot.ask(jobs, "the heap after the removals", move |task| {
            let namer = before.namer(task)?;
            // The list of removals has the names of the first ones only.
            let effect = match known.filter(|known| known.names.len() == cuts.len()) {
                Some(known) => known,
                None => CutEffect::of(namer, cuts.clone(), usize::MAX, task)?,
            };
            let reduction = Reduction { effect, alone: Vec::new(), dump: None, fix: None, missing: Vec::new() };
            let names = reduction.names().to_vec();
            let dump = reduced(&before.dump, reduction, &storage, task).map_err(|error| match error {
                heaplens_dump::OpenError::Cancelled => JobError::Cancelled,
                error => JobError::Failed(error.to_string()),
            })?;
            Ok(dropper.defer_drop((cuts, before.after(dump, names))))
        });
    }

    /// Takes over a finished heap; true if there is one.
    pub fn poll(&mut self) -> bool {
        let next = self.slot.take_new();
        let is_new = next.is_some();
        self.former = if is_new { std::mem::replace(&mut self.derived, next) } else { None };
        is_new
    }

    /// The heap after exactly these cuts, if it is derived.
    pub fn of(&self, cuts: &[Cut]) -> Option<&OpenDump> {
        let (of, dump) = self.derived.as_ref()?.get()?;
        (of == cuts).then_some(dump)
    }

    /// Error message of the last request.
    pub fn error(&self) -> Option<&str> {
        self.slot.error()
    }

    /// Progress of the last request.
    pub fn progress(&self) -> Option<Progress> {
        self.slot.progress()
    }

    /// True while a heap is derived.
    pub fn is_running(&self) -> bool {
        self.slot.is_running()
    }
}
