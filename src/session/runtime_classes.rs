//! The user's own list of runtime classes, in the platform's folder for
//! settings.

use std::path::PathBuf;
use std::sync::Arc;

use crate::analysis::naming::RuntimeClasses;
use crate::storage::folder::settings_folder;

/// Its name.
const FILE: &str = "runtime-classes.txt";
/// Bytes a list may have; a larger file is none.
const LARGEST: u64 = 1 << 20;

/// Where the list is, if the user has one.
pub fn user_file() -> Option<PathBuf> {
    settings_folder().map(|folder| folder.join(FILE))
}

/// The rules that are built in, with those of the user's list. One that cannot be read changes nothing.
pub fn of_user() -> Arc<RuntimeClasses> {
    let read = user_file().and_then(|path| read(&path).ok());
    Arc::new(read.unwrap_or_default())
}

/// The rules that are built in, with those of a file.
///
/// # Errors
/// When the file cannot be read, in words for people.
pub fn read(path: &std::path::Path) -> Result<RuntimeClasses, String> {
    let described = |error: std::io::Error| format!("{}: {error}", path.display());
    let bytes = std::fs::metadata(path).map_err(described)?.len();
    if bytes > LARGEST {
        return Err(format!("{}: {bytes} bytes are no list of class prefixes", path.display()));
    }
    std::fs::read_to_string(path).map(|text| RuntimeClasses::with(&text)).map_err(described)
}
