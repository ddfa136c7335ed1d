//! Folders of the user, by the rules of each system: XDG on Linux, the Library on macOS, known folders on Windows.

use std::path::PathBuf;

/// Settings of all programs; `None` without a home folder.
pub fn settings() -> Option<PathBuf> {
    dirs::config_dir()
}

/// Files that can be made again, of all programs; `None` without a home folder.
pub fn cache() -> Option<PathBuf> {
    dirs::cache_dir()
}

/// Data of all programs; `None` without a home folder.
pub fn user_data() -> Option<PathBuf> {
    dirs::data_dir()
}

/// Files that the user fetched or made: downloads, else the home folder, else the present one.
pub fn downloads() -> PathBuf {
    let folders = [dirs::download_dir(), dirs::home_dir()];
    folders.into_iter().flatten().find(|folder| folder.is_dir()).unwrap_or_else(|| PathBuf::from("."))
}
