//! Files that change while they are open.

use std::fs::File;
use std::path::Path;

/// `ERROR_USER_MAPPED_FILE` of Windows.
const IS_MAPPED: i32 = 1224;

/// Shortens a file that is mapped; false on Windows, which refuses that.
///
/// # Panics
/// If it cannot be shortened for another reason.
pub fn shorten(path: &Path, bytes: u64) -> bool {
    let file = File::options().write(true).open(path).expect("the file exists");
    let shortened = file.set_len(bytes);
    if let Err(error) = &shortened {
        assert_eq!(error.raw_os_error(), Some(IS_MAPPED), "{error}");
    }
    shortened.is_ok()
}
