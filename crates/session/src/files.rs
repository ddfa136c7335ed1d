//! Names of files.

use std::path::{Path, PathBuf};

use heaplens_base::invisible::is_invisible;
use heaplens_heap::format::short_file_name;

/// Last component of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// File name of a dump without its extensions.
pub fn short_name(path: &Path) -> String {
    short_file_name(&file_name(path)).to_owned()
}

/// `folder/stem.extension`, or with a number after the stem if that file exists.
pub fn free_name(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    // A path of a dump may contain characters that a file name must not.
    let clean = |c: char| if is_invisible(c) || "/\\:*?\"<>|".contains(c) { '_' } else { c };
    let stem: String = stem.chars().map(clean).take(120).collect();
    let named = |number: u32| match number {
        1 => folder.join(format!("{stem}.{extension}")),
        number => folder.join(format!("{stem} {number}.{extension}")),
    };
    (1..10_000).map(named).find(|path| !path.exists()).unwrap_or_else(|| named(1))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_free_name_is_one_that_a_file_can_have() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = free_name(folder.path(), "a/b: histogram", "csv");
        assert!(path.ends_with("a_b_ histogram.csv"));
        fs::write(&path, "").expect("written");
        assert!(free_name(folder.path(), "a/b: histogram", "csv").ends_with("a_b_ histogram 2.csv"));
    }
}
