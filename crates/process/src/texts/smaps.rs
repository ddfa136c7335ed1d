//! `/proc/PID/smaps` and `smaps_rollup`: the mappings of a process with their resident memory (proc(5)).

use super::amounts::address;
use crate::machine::{Mapping, MemoryTotals};

/// Mappings with resident or swapped memory, and totals of all of them. Of a rollup only the totals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Smaps {
    /// Mappings by address.
    pub mappings: Vec<Mapping>,
    /// Totals; of those that a text does not have there is none.
    pub totals: MemoryTotals,
}

/// True if a line is the first of a mapping.
pub(super) fn is_head(line: &str) -> bool {
    head(line).is_some()
}

/// First line of a mapping: `start-end access offset device inode name`.
fn head(line: &str) -> Option<Mapping> {
    let mut rest = line;
    let mut next = || {
        let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = after.trim_start();
        word
    };
    let (start, end) = next().split_once('-')?;
    let (start, end) = (address(start)?, address(end)?);
    let access = next();
    let is_access = access.len() == 4 && access.bytes().all(|byte| b"rwxps-".contains(&byte));
    let (_offset, device, _inode) = (next(), next(), next());
    if !is_access || !device.contains(':') {
        return None;
    }
    Some(Mapping { start, end, access: access.to_owned(), name: rest.trim_end().to_owned(), ..Mapping::default() })
}

/// Reads `smaps` or `smaps_rollup`; `None` if a text has no mapping with its resident memory.
pub fn smaps(text: &str) -> Option<Smaps> {
    let mut result = Smaps::default();
    let mut mapping: Option<Mapping> = None;
    let (mut has_resident, mut is_rollup, mut address_space) = (false, false, 0_u64);
    let totals = &mut result.totals;
    let mut end = |mapping: Option<Mapping>| {
        if let Some(mapping) = mapping.filter(|mapping| mapping.resident > 0 || mapping.swap > 0) {
            result.mappings.push(mapping);
        }
    };
    for line in text.lines() {
        if let Some(next) = head(line) {
            end(mapping.take());
            is_rollup |= next.name == "[rollup]";
            address_space = address_space.saturating_add(next.size());
            mapping = Some(next);
            continue;
        }
        let Some((key, value)) = line.split_once(':') else { continue };
        let Some(kilobytes) = value.split_whitespace().next().and_then(|word| word.parse::<u64>().ok()) else {
            continue;
        };
        let Some(mapping) = &mut mapping else { continue };
        let bytes = kilobytes.saturating_mul(1024);
        let add = |total: &mut Option<u64>| *total = Some(total.unwrap_or(0).saturating_add(bytes));
        match key {
            "Rss" => {
                (mapping.resident, has_resident) = (bytes, true);
                add(&mut totals.resident);
            }
            "Pss" => add(&mut totals.proportional),
            "Anonymous" => {
                mapping.anonymous = bytes;
                add(&mut totals.anonymous);
            }
            "Swap" => {
                mapping.swap = bytes;
                add(&mut totals.swap);
            }
            _ => {}
        }
    }
    end(mapping);
    if is_rollup {
        result.mappings.clear();
    } else {
        result.totals.address_space = Some(address_space);
    }
    has_resident.then_some(result)
}
