//! Lists that users write by hand: small text files, of which a large one is a mistake.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use heaplens_platform::files::read_at_most;

/// Maximum size of a list in bytes.
const LARGEST: u64 = 1 << 20;

/// Reads the text of a list of `what`.
///
/// # Errors
/// A message if it cannot be read or is too large.
pub(super) fn read_list(file: &Path, what: &str) -> Result<String, String> {
    let described = |why: &dyn std::fmt::Display| format!("{}: {why}", file.display());
    let bytes = read_at_most(file, LARGEST).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => described(&format!("{error}, too many for a list of {what}")),
        _ => described(&error),
    })?;
    String::from_utf8(bytes).map_err(|error| described(&error))
}

/// The default rules and those of the lists of `what`, file by file; `add` reads a list and decides which take precedence.
pub(super) fn read_all<R: Default>(
    files: &[PathBuf],
    what: &str,
    add: fn(&mut R, &str) -> Result<(), String>,
) -> Result<R, String> {
    let mut rules = R::default();
    for file in files {
        add(&mut rules, &read_list(file, what)?).map_err(|why| format!("{}, {why}", file.display()))?;
    }
    Ok(rules)
}
