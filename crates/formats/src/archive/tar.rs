//! Dumps inside a tar file.

use std::iter;

use tar::{Archive, EntryType};

use super::blocks::BLOCK;
use crate::entries::{Rank, Unpacked, other_dumps};
use crate::error::{FormatError, OpenError};
use heaplens_base::library_call::guarded;
use heaplens_base::{Count, Task};

/// Largest directory of a tar file that is searched, in entries.
const ENTRIES: usize = 100_000;

/// Unpacks the dump of a tar file.
pub(super) fn unpack(
    packed: &[u8],
    mut write: impl FnMut(&[u8]) -> Result<(), OpenError>,
    task: &Task,
) -> Result<Unpacked, OpenError> {
    let mut archive = Archive::new(packed);
    let (mut dumps, mut damaged) = (Vec::new(), None);
    let mut entries = archive.entries()?;
    let entries = iter::from_fn(|| guarded(|| entries.next()).unwrap_or_else(|error| Some(Err(error.into()))));
    for entry in entries.take(ENTRIES) {
        task.checkpoint()?;
        let entry = match entry {
            Ok(entry) => entry,
            // Damage ends the list: the entries before it are whole.
            Err(error) => {
                damaged = Some(format!("none before its damaged part ({error})"));
                break;
            }
        };
        if !matches!(entry.header().entry_type(), EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse) {
            continue;
        }
        let Ok(begin) = usize::try_from(entry.raw_file_position()) else { continue };
        let (name, size) = (entry.path_bytes().into_owned(), entry.size());
        let rank = Rank::of(packed.get(begin..).unwrap_or_default(), &name, size);
        if rank.is_dump() {
            dumps.push((rank, begin, name, size));
        }
    }
    // Of equals the first.
    let best = dumps.iter().rev().max_by_key(|(rank, ..)| *rank).map(|&(_, begin, ..)| begin);
    let Some(at) = best.and_then(|best| dumps.iter().position(|&(_, begin, ..)| begin == best)) else {
        let advice = "Unpack the tar file and open the dump inside.";
        let actual = damaged.unwrap_or_else(|| "none".to_owned());
        return Err(FormatError::new("tar", 0, "a tar entry with a heap dump", actual, advice).into());
    };
    let (_, begin, name, size) = dumps.remove(at);
    let rest = packed.get(begin..).unwrap_or_default();
    let body = usize::try_from(size).ok().and_then(|size| rest.get(..size)).unwrap_or(rest);
    for block in body.chunks(BLOCK) {
        task.checkpoint()?;
        write(block)?;
    }
    let missing = size.saturating_sub(body.len() as u64);
    let damage =
        (missing > 0).then(|| format!("the tar file is truncated: {} bytes of the dump are missing", Count(missing)));
    let others: Vec<(&[u8], Rank)> = dumps.iter().map(|(rank, _, name, _)| (&name[..], *rank)).collect();
    Ok(Unpacked { damage, other_dumps: other_dumps("tar", &name, &others) })
}
