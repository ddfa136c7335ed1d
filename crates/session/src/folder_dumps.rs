//! Dumps in a folder, by the names of their files.

use std::fs;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_formats::is_named_like_dump;

/// Maximum number of dumps listed.
const MOST: usize = 10_000;

/// A file with the name of a dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderDump {
    /// The file.
    pub path: PathBuf,
    /// Its path below the folder that was asked for.
    pub name: String,
    /// Size of the file.
    pub size: Bytes,
    /// When it was written last, in milliseconds since 1970 UTC; `None` if the system does not tell.
    pub modified_at_millis: Option<u64>,
}

/// Dumps in folders and in those below, newest first. No link to a folder is followed: it may lead back.
///
/// # Errors
/// [`Cancelled`] only: a folder that cannot be read has no dumps.
pub fn dumps_in(folders: &[PathBuf], task: &Task) -> Result<Vec<FolderDump>, Cancelled> {
    task.step("Looking for dumps", Unit::Rows, 0);
    let mut dumps = Vec::new();
    for top in folders {
        let mut waiting = vec![top.clone()];
        while let Some(folder) = waiting.pop() {
            task.checkpoint()?;
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let (path, kind) = (entry.path(), entry.file_type());
                if kind.as_ref().is_ok_and(fs::FileType::is_dir) {
                    waiting.push(path);
                    continue;
                }
                let Some(about) = fs::metadata(&path).ok().filter(fs::Metadata::is_file) else { continue };
                if !is_named_like_dump(&path) || dumps.len() == MOST {
                    continue;
                }
                let written = about.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
                dumps.push(FolderDump {
                    name: path.strip_prefix(top).unwrap_or(&path).display().to_string(),
                    size: Bytes(about.len()),
                    modified_at_millis: written.and_then(|at| u64::try_from(at.as_millis()).ok()),
                    path,
                });
            }
        }
    }
    dumps.sort_by(|a, b| (b.modified_at_millis, &a.name).cmp(&(a.modified_at_millis, &b.name)));
    Ok(dumps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_of_a_folder_are_told_by_their_names() {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path().to_owned();
        fs::create_dir_all(folder.join("below")).expect("a folder");
        for name in ["a.hprof", "below/b.heapsnapshot.gz", "notes.txt"] {
            fs::write(folder.join(name), b"12").expect("a file");
        }
        let dumps = dumps_in(std::slice::from_ref(&folder), &Task::default()).expect("not cancelled");
        let mut names: Vec<&str> = dumps.iter().map(|dump| dump.name.as_str()).collect();
        names.sort_unstable();
        let below = std::path::Path::new("below").join("b.heapsnapshot.gz").display().to_string();
        assert_eq!(names, ["a.hprof", below.as_str()]);
        assert!(dumps.iter().all(|dump| dump.size == Bytes(2) && dump.modified_at_millis.is_some()));
        let missing = dumps_in(&[folder.join("missing")], &Task::default()).expect("not cancelled");
        assert!(missing.is_empty());
    }
}
