//! One script and its source map, read and checked against the snapshot.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::locations::MapLocation;
use heaplens_formats::source_map::{Bundle, LARGEST, SourceMap, inline_map};
use heaplens_heap::ScriptPosition;
use heaplens_platform::files::open_regular;

/// Characters of a script that are compared at least with what the snapshot records of it.
const BEGINNING: usize = 16;
/// Of ten functions of a script, how many may be below its last position with a source.
const BELOW: usize = 1;

/// A map with its script.
pub(super) struct Candidate {
    /// The file of the map.
    pub(super) file: PathBuf,
    /// Hash of both.
    pub(super) hash: u64,
    pub(super) bundle: Bundle,
}

/// Reads the map of a script; `None` if there is none in this location.
pub(super) fn read(
    location: &MapLocation,
    script: &str,
    left: &mut u64,
    check: impl FnOnce(&Candidate) -> Result<(), String>,
) -> Result<Option<Candidate>, String> {
    let text = location.script.as_deref().and_then(|path| read_file(path, left).ok());
    let inline = text.as_deref().and_then(inline_map);
    let beside = location.map.clone().or_else(|| {
        let name = inline.as_ref()?.as_ref().err().filter(|name| is_file_name(name))?;
        Some(location.script.as_ref()?.with_file_name(name)).filter(|path| path.is_file())
    });
    let (file, json) = match (beside, inline, &location.script) {
        (Some(path), ..) => {
            let json = read_file(&path, left).map_err(|why| format!("source map {}: {why}", shown(&path)))?;
            (path, json)
        }
        (None, Some(Ok(json)), Some(path)) => (path.clone(), json),
        _ => return Ok(None),
    };
    let named = |why: String| format!("source map {}: {why}", shown(&file));
    let map = SourceMap::read(&json, script).map_err(named)?;
    let text = text.and_then(|text| String::from_utf8(text).ok());
    let text = text.map(|text| text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text));
    let mut hasher = DefaultHasher::new();
    (&json, &text).hash(&mut hasher);
    let candidate = Candidate { hash: hasher.finish(), bundle: Bundle::new(map, text), file: file.clone() };
    check(&candidate).map_err(named)?;
    Ok(Some(candidate))
}

impl Candidate {
    /// Checks that the map belongs to a script of a snapshot. `beginning` is what the snapshot has of its text.
    /// `is_only`: no other script has a file of this name.
    pub(super) fn check(
        &self,
        beginning: Option<String>,
        positions: &[ScriptPosition],
        is_only: bool,
    ) -> Result<(), String> {
        let same = self.bundle.text().and_then(|text| begins_with(text, &beginning?));
        match same {
            Some(true) => return Ok(()),
            Some(false) => return Err("not used, since the script beside it is not the one of the snapshot".to_owned()),
            None if !is_only => return Err("not used, since several scripts of the snapshot have this name".to_owned()),
            None => {}
        }
        let last = self.bundle.map().last_line().unwrap_or_default();
        let below = positions.iter().filter(|position| position.line > last).count();
        if below * 10 > positions.len() * BELOW {
            return Err("not used, since the script in the snapshot is longer: it belongs to another build".to_owned());
        }
        Ok(())
    }
}

/// True if a script begins with what a snapshot has of it; `None` if that is too little. Only its first ASCII characters
/// are compared: the rest is not written the same by all engines.
fn begins_with(text: &str, recorded: &str) -> Option<bool> {
    let end = recorded.find(|character: char| !character.is_ascii()).unwrap_or(recorded.len());
    let recorded = recorded.get(..end)?;
    (recorded.len() >= BEGINNING).then(|| text.starts_with(recorded))
}

/// The bytes of a file, none of which is read if it is too large.
fn read_file(path: &Path, left: &mut u64) -> Result<Vec<u8>, String> {
    let file = open_regular(path).map_err(|error| error.to_string())?;
    let size = file.metadata().map_err(|error| error.to_string())?.len();
    if size > LARGEST.min(*left) {
        return Err("not used, since it is too large".to_owned());
    }
    let mut bytes = Vec::new();
    // It may grow meanwhile.
    file.take(size).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    *left -= size;
    Ok(bytes)
}

/// True of the name of a file in the folder of the script. Other addresses may lead anywhere.
fn is_file_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '\\', ':', '\0']) && name != ".."
}

fn shown(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
