//! Where source maps are looked for.

use std::path::{Path, PathBuf};

use heaplens_formats::source_map::{LARGEST, SourceMap, inline_map};
use heaplens_platform::files::read_at_most;

/// Where source maps are looked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Search<'a> {
    /// The dump, whose folder may have them.
    pub dump: Option<&'a Path>,
    /// A file or folder that the user named, before all others.
    pub given: Option<&'a GivenMaps>,
}

/// A source map that the user named, or a folder of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenMaps {
    /// The file or folder.
    pub path: PathBuf,
    /// Name of the script's file, if the map has it.
    pub(super) script: Option<String>,
}

impl GivenMaps {
    /// A folder, or a file with a source map: a map or a script with one in its last line.
    ///
    /// # Errors
    /// If it cannot be read, or is no source map.
    pub fn read(path: &Path) -> Result<Self, String> {
        let named = |why: String| format!("{}: {why}", path.display());
        if path.is_dir() {
            return Ok(Self { path: path.to_owned(), script: None });
        }
        let file = read_at_most(path, LARGEST).map_err(|error| named(error.to_string()))?;
        let inline = inline_map(&file).and_then(Result::ok);
        let map = SourceMap::read(inline.as_deref().unwrap_or(&file), "").map_err(named)?;
        let script = map.file().and_then(|file| file.rsplit(['/', '\\']).next()).map(str::to_owned);
        Ok(Self { path: path.to_owned(), script })
    }
}
