//! Incoming references of a heap without some of its references: those of the original without the same ones. Where few are
//! missing, this takes far less time than to transpose all of them again.

use std::sync::Arc;

use rayon::prelude::*;

use super::sections;
use heaplens_base::storage::{MemoryBudget, out_of_memory::room_for};
use heaplens_base::{Cancelled, Task};
use heaplens_graph::{Bits, Csr, Links};

/// The incoming references of `original` without those of `removed`, pairs of target and source, one for each reference;
/// and the objects with exactly one.
pub(super) fn retainers_without(
    original: &Links,
    mut removed: Vec<(u32, u32)>,
    budget: &MemoryBudget,
    task: &Task,
) -> Result<(Links, Bits), Cancelled> {
    removed.par_sort_unstable();
    let blocks = task.par_blocks(original.rows()).map(|rows| {
        let rows = rows?;
        task.advance_checked(rows.len() as u64)?;
        let (mut degrees, mut sources) = (room_for(rows.len()), Vec::new());
        let mut walk = original.walk_from(rows.start as u32);
        let mut rest = &removed[removed.partition_point(|&(to, _)| (to as usize) < rows.start)..];
        for row in rows.map(|row| row as u32) {
            let before = sources.len();
            let of_row = rest.partition_point(|&(to, _)| to == row);
            let (mut missing, after) = rest.split_at(of_row);
            rest = after;
            for &from in walk.row(row) {
                match missing.split_first() {
                    Some((&(_, first), others)) if first == from => missing = others,
                    _ => sources.push(from),
                }
            }
            degrees.push((sources.len() - before) as u32);
        }
        Ok((degrees, sources))
    });
    let blocks: Vec<(Vec<u32>, Vec<u32>)> = blocks.collect::<Result<_, Cancelled>>()?;
    let (degrees, sources): (Vec<Vec<u32>>, Vec<Vec<u32>>) = blocks.into_iter().unzip();
    let (degrees, sources) = (together(degrees), together(sources));
    let mut single = Bits::new(degrees.len());
    single.extend((0..).zip(&degrees).filter(|(_, degree)| **degree == 1).map(|(row, _)| row));
    let csr = Arc::new(Csr::new(&degrees, sources));
    Ok((Links::keep(csr, budget, sections::RETAINERS), single))
}

/// The parts one after the other, copied by all threads.
pub(super) fn together(parts: Vec<Vec<u32>>) -> Vec<u32> {
    let mut all = vec![0; parts.iter().map(Vec::len).sum()];
    let (mut places, mut rest) = (Vec::with_capacity(parts.len()), &mut all[..]);
    for part in &parts {
        let (place, after) = rest.split_at_mut(part.len());
        places.push(place);
        rest = after;
    }
    places.into_par_iter().zip(parts).for_each(|(place, part)| place.copy_from_slice(&part));
    all
}
