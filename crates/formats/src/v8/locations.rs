//! Script positions of functions and of the constructors of objects.

use super::classes::Locations;
use super::meta::{LocationFields, Meta};
use super::numbers::{MOST_FIELDS, Numbers};
use heaplens_base::{Cancelled, Task};

/// Reads all locations; of several for one node, the last wins.
pub(super) fn read(
    file: &[u8],
    numbers: &Numbers,
    fields: &LocationFields,
    meta: &Meta,
    nodes: usize,
    task: &Task,
) -> Result<Locations, Cancelled> {
    let pieces = numbers.read(file, fields.count, task, |records| {
        let (mut record, mut rows) = ([0; MOST_FIELDS], Vec::new());
        while records.next(&mut record).is_some() {
            let field = |at: usize| record.get(at).copied().unwrap_or_default();
            let narrow = |at: usize| u32::try_from(field(at)).unwrap_or(u32::MAX);
            if let Some(row) = meta.node.row(field(fields.object), nodes as u64) {
                rows.push((row, [narrow(fields.script), narrow(fields.line), narrow(fields.column)]));
            }
        }
        rows
    })?;
    let mut locations: Locations = pieces.concat();
    // Stable, so those of one node stay in file order.
    locations.sort_by_key(|&(row, _)| row);
    let mut last: Locations = Vec::with_capacity(locations.len());
    for location in locations {
        match last.last_mut() {
            Some(before) if before.0 == location.0 => *before = location,
            _ => last.push(location),
        }
    }
    Ok(last)
}
