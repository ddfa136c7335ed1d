//! Binds kept files to the build of the program that wrote them: another build may compute something else.

use std::sync::OnceLock;

use super::folder::Identity;
use super::stored::{Key, VERSION};

/// Name of a file about the things that a text names.
pub fn name_key(about: &str) -> Key {
    Identity::NONE.key(about)
}

/// Key of the contents of a file that is kept under `name`. Its file name does not depend on the build, so that the file
/// of another build is replaced.
pub fn contents_key(name: &Key) -> Key {
    /// Version of the program, and its executable file, which differs between builds of one version.
    static PROGRAM: OnceLock<Option<Identity>> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| Identity::of(&std::env::current_exe().ok()?).ok());
    let about = format!("{VERSION} {} {:032x}", env!("CARGO_PKG_VERSION"), u128::from_be_bytes(*name));
    program.as_ref().unwrap_or(&Identity::NONE).key(&about)
}
