//! When what is still there was allocated: a recording says from time to time which number the last object had.

use super::Opened;
use super::by_class::{ClassPart, by_class};
use crate::heap::ids::ObjectId;
use crate::heap::totals::Totals;
use crate::task::{Cancelled, Task, Unit};

/// What is left of what was allocated between two times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bar {
    /// The end of the time, in microseconds since the recording began.
    pub micros: u64,
    /// Objects have numbers above this,
    pub above: u64,
    /// and up to this.
    pub last: u64,
    /// What is left.
    pub totals: Totals,
}

/// The bars of a recording; none of a snapshot that is none.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn timeline(of: Opened<'_>, task: &Task) -> Result<Vec<Bar>, Cancelled> {
    let mut above = 0;
    let bar = |(micros, last): (u64, u64)| {
        let bar = Bar { micros, above, last, totals: Totals::default() };
        above = last;
        bar
    };
    let mut samples = of.contents.allocation_samples();
    // Numbers and times only go up; what does not is no sample.
    let mut most = (0, 0);
    samples.retain(|&(micros, last)| {
        let goes_up = micros >= most.0 && last >= most.1;
        most = if goes_up { (micros, last) } else { most };
        goes_up
    });
    let mut bars: Vec<Bar> = samples.into_iter().map(bar).collect();
    if bars.is_empty() {
        return Ok(bars);
    }
    task.step("Counting objects by time", Unit::Objects, of.heap.len() as u64);
    for block in task.blocks(of.heap.len()) {
        for object in block?.filter_map(ObjectId::new) {
            let Some(id) = number(of, object) else { continue };
            let at = bars.partition_point(|bar| bar.last < id);
            if let Some(bar) = bars.get_mut(at) {
                bar.totals.add(Totals { objects: 1, shallow: of.heap.shallow(object) });
            }
        }
    }
    Ok(bars)
}

/// The number of an object that says when it was allocated: even ones are the embedder's, which say nothing of when.
fn number(of: Opened<'_>, object: ObjectId) -> Option<u64> {
    let id = of.heap.address(object).0;
    (!id.is_multiple_of(2) && of.heap.shallow(object).0 != 0).then_some(id)
}

/// What is left of some bars that stand side by side, by class.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn allocated_in(of: Opened<'_>, bars: &[Bar], task: &Task) -> Result<Vec<ClassPart>, Cancelled> {
    let (Some(first), Some(last)) = (bars.first(), bars.last()) else { return Ok(Vec::new()) };
    let (above, last) = (first.above, last.last);
    let is_meant = |object: &ObjectId| number(of, *object).is_some_and(|id| above < id && id <= last);
    by_class(of, of.objects(), is_meant, task)
}
