//! Where the recorded dumps are that the tests of all crates read.

use std::path::{Path, PathBuf};

/// Path of a file in `fixtures/`, such as `leak-after.hprof.gz`; of the folder itself for an empty name.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}
