//! Space of the disk that files are written to.

use std::io;
use std::path::Path;

use crate::Bytes;

/// Bytes that stay free on the disk: a full disk stops more programs than the one that is looked at.
pub const RESERVE: u64 = 256 << 20;

/// Bytes that can be written to the disk of `folder`, less [`RESERVE`].
///
/// # Errors
/// If the folder does not exist or cannot be examined.
pub fn usable(folder: &Path) -> io::Result<Bytes> {
    Ok(Bytes(heaplens_platform::processes::free_space(folder)?.saturating_sub(RESERVE)))
}
