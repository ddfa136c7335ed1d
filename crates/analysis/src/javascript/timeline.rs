//! Allocation time of live objects: a recording contains periodic samples of the last assigned object id.

use super::by_class::{ClassPart, by_class};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::{ObjectId, Totals};

/// Live objects allocated in an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bar {
    /// End of the interval, in microseconds since the recording began.
    pub micros: u64,
    /// Exclusive lower bound of the ids of its objects.
    pub above: u64,
    /// Inclusive upper bound of the ids of its objects.
    pub last: u64,
    /// Totals of the live objects.
    pub totals: Totals,
}

/// Intervals of a recording; empty for a plain snapshot.
pub fn timeline(of: DumpData<'_>, task: &Task) -> Result<Vec<Bar>, Cancelled> {
    let mut above = 0;
    let bar = |(micros, last): (u64, u64)| {
        let bar = Bar { micros, above, last, totals: Totals::default() };
        above = last;
        bar
    };
    let mut samples = of.contents.allocation_samples();
    // Ids and times only increase; other samples are skipped.
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

/// Id of an object if it is ordered by allocation time: even ids belong to the embedder and are not.
fn number(of: DumpData<'_>, object: ObjectId) -> Option<u64> {
    let id = of.heap.address(object).0;
    (!id.is_multiple_of(2) && of.heap.shallow(object).0 != 0).then_some(id)
}

/// Live objects of a range of adjacent intervals, by class.
pub fn allocated_in(of: DumpData<'_>, bars: &[Bar], task: &Task) -> Result<Vec<ClassPart>, Cancelled> {
    let (Some(first), Some(last)) = (bars.first(), bars.last()) else { return Ok(Vec::new()) };
    let (above, last) = (first.above, last.last);
    let is_meant = |object: &ObjectId| number(of, *object).is_some_and(|id| above < id && id <= last);
    by_class(of, of.objects(), is_meant, task)
}
