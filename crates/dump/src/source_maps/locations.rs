//! Where the source map of a script may be: where the user says, beside the dump, or beside the script on this machine.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use super::given::{GivenMaps, Search};
use heaplens_platform::paths::local_file;

/// Number of files and folders of a given folder that are looked at, and how deep.
const ENTRIES: usize = 1 << 16;
const DEPTH: usize = 8;
/// Folder of packages. Their scripts are known by their own files, even if they come with source maps.
const PACKAGES: &str = "node_modules";

/// A script and its map, as far as they are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MapLocation {
    /// File of the map.
    pub(super) map: Option<PathBuf>,
    /// The script, which may have the map in it.
    pub(super) script: Option<PathBuf>,
}

impl MapLocation {
    fn in_folder(folder: &Path, name: &str) -> Option<Self> {
        let file = |name: String| Some(folder.join(name)).filter(|path| path.is_file());
        let location = Self { map: file(format!("{name}.map")), script: file(name.to_owned()) };
        (location.map.is_some() || location.script.is_some()).then_some(location)
    }
}

/// Folders to look at.
pub(super) struct MapLocations<'a> {
    given: Option<&'a GivenMaps>,
    /// Folders below the given one that have files of a name; sorted.
    folders: BTreeMap<String, Vec<PathBuf>>,
    beside: Option<&'a Path>,
}

impl<'a> MapLocations<'a> {
    /// Looks through the given folder for scripts of these names.
    pub(super) fn of(search: Search<'a>, names: &HashMap<&str, u32>) -> Self {
        let folder = search.given.map(|given| &*given.path).filter(|path| path.is_dir());
        let beside = search
            .dump
            .and_then(|dump| dump.parent())
            .map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        let folders = folder.map(|folder| below(folder, names)).unwrap_or_default();
        Self { given: search.given.filter(|_| folder.is_none()), folders, beside }
    }

    /// True if a map is from where the user said.
    pub(super) fn is_given(&self, map: &Path) -> bool {
        let folder = self.given.and_then(|given| given.path.parent());
        map.parent()
            .is_some_and(|parent| folder == Some(parent) || self.folders.values().flatten().any(|of| of == parent))
    }

    /// Locations for a script, by its name in the snapshot.
    pub(super) fn candidates(&self, script: &str) -> impl Iterator<Item = MapLocation> {
        let name = script_file(script).unwrap_or_default();
        let here = |folder: Option<&Path>| folder.and_then(|folder| MapLocation::in_folder(folder, name));
        let own = local_file(script).filter(|path| !path.iter().any(|part| part == PACKAGES));
        [
            self.given.and_then(|file| given(file, name)),
            here(self.folders.get(name).and_then(|folders| nearest(folders, script))),
            here(self.beside),
            here(own.as_deref().and_then(Path::parent)),
        ]
        .into_iter()
        .flatten()
    }
}

/// Location in the folder of a given file: the file itself, or one beside it for a script of that name.
fn given(GivenMaps { path: file, script }: &GivenMaps, name: &str) -> Option<MapLocation> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let location = MapLocation::in_folder(folder, name);
    // A map may be called otherwise than its script: `cart.3f2a.map` of `cart.js`.
    if script.as_deref() == Some(name) {
        return Some(MapLocation { map: Some(file.clone()), script: location.and_then(|location| location.script) });
    }
    location
}

/// Folders that have a script or a map for one of the names.
fn below(folder: &Path, names: &HashMap<&str, u32>) -> BTreeMap<String, Vec<PathBuf>> {
    let mut folders: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let (mut open, mut left) = (vec![(folder.to_owned(), 0)], ENTRIES);
    while let Some((folder, depth)) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten().take(left) {
            left -= 1;
            // Links may lead anywhere, also around.
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name().to_string_lossy().into_owned();
            if kind.is_dir() && depth < DEPTH && name != PACKAGES {
                open.push((entry.path(), depth + 1));
            }
            let script = name.strip_suffix(".map").unwrap_or(&name);
            if kind.is_file() && names.contains_key(script) {
                folders.entry(script.to_owned()).or_default().push(folder.clone());
            }
        }
    }
    for folders in folders.values_mut() {
        folders.sort();
        folders.dedup();
    }
    folders
}

/// The folder that has most of its last names in common with the folders of a script; `None` if several do.
fn nearest<'a>(folders: &'a [PathBuf], script: &str) -> Option<&'a Path> {
    let common = |folder: &Path| {
        let of_script = script.split(['?', '#']).next().unwrap_or_default().rsplit(['/', '\\']).skip(1);
        let names = folder.iter().rev().map(|name| name.to_string_lossy());
        of_script.zip(names).take_while(|(one, other)| one == other).count()
    };
    let best = folders.iter().map(|folder| common(folder)).max()?;
    let mut nearest = folders.iter().filter(|folder| common(folder) == best);
    nearest.next().filter(|_| nearest.next().is_none()).map(PathBuf::as_path)
}

/// Name of the file of a script: `server.js` of `/srv/dist/server.js` and of `http://localhost/server.js?v=3`. `None` of
/// scripts of the engine and of code without a file.
pub(super) fn script_file(script: &str) -> Option<&str> {
    if !script.contains(['/', '\\']) || script.starts_with("node:") || script.contains("://internal/") {
        return None;
    }
    let path = if script.contains("://") { script.split(['?', '#']).next()? } else { script };
    path.rsplit(['/', '\\']).next().filter(|name| name.len() > 2 && !name.contains(':') && name.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_have_a_file_name() {
        for (script, name) in [
            ("/srv/app/dist/server.js", Some("server.js")),
            ("http://localhost:8080/assets/index-abc.js?v=3#x", Some("index-abc.js")),
            ("file:///srv/a.mjs", Some("a.mjs")),
            ("C:\\app\\a.cjs", Some("a.cjs")),
            ("/srv/a?b.js", Some("a?b.js")),
            ("node:internal/fs.js", None),
            ("http://localhost/", None),
            ("evalmachine.<anonymous>", None),
            ("/srv/..", None),
            ("", None),
        ] {
            assert_eq!(script_file(script), name, "{script}");
        }
    }

    #[test]
    fn the_nearest_folder_is_that_with_equal_names() {
        let folders = ["/maps/a/assets", "/maps/b/assets", "/maps/assets"].map(PathBuf::from);
        assert_eq!(nearest(&folders, "http://localhost/b/assets/index.js"), Some(Path::new("/maps/b/assets")));
        assert_eq!(nearest(&folders, "http://localhost/assets/index.js"), None, "all three end so");
        assert_eq!(nearest(&folders[..1], "/x/index.js"), Some(Path::new("/maps/a/assets")));
    }
}
