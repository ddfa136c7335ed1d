//! Files for people: a name that is free, and a file that is there whole or not
//! at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// `folder/stem.extension`, or with a number behind the stem if there is such a file.
pub fn free_name(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    // A path of a dump may hold anything; a name of a file may not.
    let clean = |c: char| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c };
    let stem: String = stem.chars().map(clean).take(120).collect();
    let named = |number: u32| match number {
        1 => folder.join(format!("{stem}.{extension}")),
        number => folder.join(format!("{stem} {number}.{extension}")),
    };
    (1..10_000).map(named).find(|path| !path.exists()).unwrap_or_else(|| named(1))
}

/// Writes a file under another name first: it stands at `path` once `write` has ended well. What is no file, such as
/// a pipe, is written to as it is.
///
/// # Errors
/// What `write` says, and what the system says of the file.
pub fn write_whole<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return fill(OpenOptions::new().write(true).open(path)?, write);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let file = OpenOptions::new().write(true).create(true).truncate(true).open(&part)?;
    let written = fill(file, write).and_then(|told| Ok(fs::rename(&part, path).map(|()| told)?));
    if written.is_err() {
        // Why it failed is what there is to say; that nothing stays is only tidy.
        let _gone = fs::remove_file(&part);
    }
    written
}

fn fill<T, E: From<io::Error>>(file: File, write: impl FnOnce(&mut dyn Write) -> Result<T, E>) -> Result<T, E> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let told = write(&mut out)?;
    out.flush()?;
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = free_name(folder.path(), "a/b: histogram", "csv");
        assert!(path.ends_with("a_b_ histogram.csv"));
        let failed: Result<(), _> = write_whole(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("enough"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
        write_whole(&path, |out| out.write_all(b"whole")).expect("written");
        assert_eq!(fs::read(&path).expect("a file"), b"whole");
        assert!(free_name(folder.path(), "a/b: histogram", "csv").ends_with("a_b_ histogram 2.csv"));
    }
}
