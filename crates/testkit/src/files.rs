//! Files that change while they are open.

use std::io;

/// `ERROR_USER_MAPPED_FILE` of Windows.
const IS_MAPPED: i32 = 1224;

/// Whether [`std::fs::File::set_len`] made a mapped file shorter. Windows may refuse that.
///
/// # Panics
/// If it failed for another reason.
pub fn is_shortened(result: io::Result<()>) -> bool {
    let refused = result.err();
    if let Some(error) = &refused {
        assert_eq!(error.raw_os_error(), Some(IS_MAPPED), "{error}");
    }
    refused.is_none()
}
