//! Files that a client may open: those named when the server was started, and files below the folders named.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use heaplens_platform::paths;

/// Maximum number of files listed, and depth of folders.
const LISTED: usize = 500;
const DEPTH: usize = 8;

/// Ends of names of heap dumps and stored analyses.
const ENDS: [&str; 12] = [
    "hprof",
    "heapsnapshot",
    "heaptimeline",
    "heapdump",
    "phd",
    "heaplens",
    "rawheap",
    "dump",
    "bin",
    "pftrace",
    "perfetto-trace",
    "perfetto-java-heap-dump",
];

/// Where a client may open files. Links are followed before a path is compared, so no link leads out.
#[derive(Debug, Default)]
pub(crate) struct AllowedPaths(Vec<PathBuf>);

/// A file that may be opened.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Listed {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
}

impl AllowedPaths {
    /// Places of these files and folders.
    ///
    /// # Errors
    /// A message if one of them does not exist.
    pub(crate) fn new(paths: &[PathBuf]) -> Result<Self, String> {
        let real_path = |path: &PathBuf| paths::real(path).map_err(|error| format!("{}: {error}", path.display()));
        paths.iter().map(real_path).collect::<Result<_, _>>().map(Self)
    }

    /// The file of a path, absolute or below one of the folders; `None` if it may not be opened or does not exist.
    pub(crate) fn find(&self, path: &Path) -> Option<PathBuf> {
        let bases = self.0.iter().map(|allowed| if allowed.is_dir() { allowed.as_path() } else { parent(allowed) });
        let candidates = bases.map(|base| base.join(path)).chain([path.to_owned()]);
        candidates.filter_map(|path| paths::real(&path).ok()).find(|path| path.is_file() && self.allows(path))
    }

    fn allows(&self, path: &Path) -> bool {
        self.0.iter().any(|base| path.starts_with(base))
    }

    /// Files that look like heap dumps, by name, and true if there are more.
    pub(crate) fn list(&self) -> (Vec<Listed>, bool) {
        let mut files = Vec::new();
        let mut folders: Vec<(PathBuf, usize)> = Vec::new();
        for base in &self.0 {
            if base.is_dir() {
                folders.push((base.clone(), 0));
            } else if let Ok(data) = fs::metadata(base) {
                files.push(Listed { path: base.clone(), bytes: data.len() });
            }
        }
        while let Some((folder, depth)) = folders.pop() {
            if files.len() > LISTED {
                break;
            }
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                // Links are not followed: they may lead in circles.
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && depth < DEPTH => folders.push((entry.path(), depth + 1)),
                    Ok(kind) if kind.is_file() && is_dump_name(&entry.file_name()) => {
                        let bytes = entry.metadata().map_or(0, |data| data.len());
                        files.push(Listed { path: entry.path(), bytes });
                    }
                    _ => {}
                }
            }
        }
        files.sort();
        files.dedup();
        let is_cut = files.len() > LISTED;
        files.truncate(LISTED);
        (files, is_cut)
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

fn is_dump_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let has_end = ENDS.iter().any(|end| name.strip_suffix(end).is_some_and(|before| before.ends_with('.')));
    let is_text_of_j9 = || name.starts_with("heapdump.") && name.strip_suffix("txt").is_some();
    has_end || is_text_of_j9()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_in_the_named_places_are_found() {
        let folder = tempfile::tempdir().expect("folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("in/deep")).expect("folder");
        for name in ["in/a.hprof", "in/deep/b.heapsnapshot.gz", "in/note.md", "out.hprof"] {
            fs::write(at(name), "x").expect("file");
        }
        if let Err(error) = paths::link(&at("out.hprof"), &at("in/link.hprof")) {
            assert_eq!(error.raw_os_error(), Some(1314), "Windows allows links to few users: {error}");
        }
        let allowed_paths = AllowedPaths::new(&[at("in")]).expect("places");
        let real = |name: &str| paths::real(&at(name)).ok();
        assert_eq!(allowed_paths.find(Path::new("a.hprof")), real("in/a.hprof"));
        assert_eq!(allowed_paths.find(&at("in/deep/b.heapsnapshot.gz")), real("in/deep/b.heapsnapshot.gz"));
        for outside in ["../out.hprof", "link.hprof", "deep", "missing.hprof", ""] {
            assert_eq!(allowed_paths.find(Path::new(outside)), None, "{outside}");
        }
        assert_eq!(allowed_paths.find(&at("out.hprof")), None);
        let (listed, is_cut) = allowed_paths.list();
        let names: Vec<_> = listed.iter().map(|file| file.path.file_name().unwrap_or_default()).collect();
        assert_eq!((names, is_cut), (vec![OsStr::new("a.hprof"), OsStr::new("b.heapsnapshot.gz")], false));
        assert!(AllowedPaths::new(&[at("missing")]).is_err());
    }
}
