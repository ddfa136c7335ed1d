//! The cut of a collection whose storage a method has in a local variable just now.

use super::accumulation_point::AccumulationPoint;
use super::cut_options::{CutOption, CutOptions, outside};
use crate::naming::Namer;
use heaplens_base::{Cancelled, Task};

/// The references to the collection, and the variables that have its storage.
pub(super) fn options(
    namer: Namer<'_>,
    point: &AccumulationPoint,
    of_collection: CutOption,
    task: &Task,
) -> Result<CutOptions, Cancelled> {
    let mut from = outside(namer, point.point, task)?.unwrap_or_default();
    from.retain(|&from| from != point.unit);
    let frees = namer.analysis.kept_by(point.point).plus(namer.analysis.kept_by(of_collection.to));
    Ok(CutOptions { listed: vec![of_collection, CutOption { from, to: point.point }], frees, ..CutOptions::default() })
}
