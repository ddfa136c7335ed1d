//! Unpacking block by block: what was read before damage is kept.

#![cfg_attr(not(all(feature = "bzip2", feature = "xz", feature = "zstd", feature = "tar")), allow(dead_code))]

use std::io::{self, Read};

use crate::error::OpenError;
use heaplens_base::library_call::guarded_read;
use heaplens_base::{Count, Task};

/// Block size, in unpacked bytes. The blocks before damage are kept.
pub(super) const BLOCK: usize = 1 << 20;
/// Memory that a decoder may use, whatever the file says: what `xz -9` needs, and more than any level of zstd does
/// without `--ultra` and `--long`.
pub(super) const MEMORY: u32 = 256 << 20;

/// Copies what a decoder reads; returns what is damaged.
pub(super) fn copy(
    mut from: impl Read,
    mut write: impl FnMut(&[u8]) -> Result<(), OpenError>,
    task: &Task,
) -> Result<Option<String>, OpenError> {
    let (mut block, mut unpacked) = (vec![0; BLOCK], 0_u64);
    loop {
        task.checkpoint()?;
        match guarded_read(&mut from, &mut block) {
            Ok(0) => return Ok(None),
            Ok(read) => {
                block.get(..read).map_or(Ok(()), &mut write)?;
                unpacked += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok(Some(damage(unpacked, &error))),
        }
    }
}

fn damage(unpacked: u64, error: &io::Error) -> String {
    format!(
        "packed data is truncated or damaged after {} unpacked bytes ({error}): the rest of the dump is missing",
        Count(unpacked)
    )
}
