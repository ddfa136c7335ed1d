//! Restores obfuscated names: when a dump is opened, or in an open one. Stored analyses contain the obfuscated names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::source_maps::{GivenMaps, NamedHeap};
use heaplens_base::Count;
use heaplens_formats::mapping::NameMapping;
use heaplens_heap::{Census, ImportNote, MappingFit, Severity, original::class_name};
use heaplens_platform::files::read_at_most;

/// Size of a file in bytes that is no mapping any more: those of the largest apps have some hundred megabytes.
const LARGEST: u64 = 1 << 30;
/// File extensions of scripts, which may have their source map in them.
const SCRIPTS: [&str; 3] = ["js", "mjs", "cjs"];

/// A parsed mapping file.
#[derive(Debug)]
pub struct MappingFile {
    /// The file, or the folder with source maps.
    pub path: PathBuf,
    names: Names,
}

/// What a mapping names.
#[derive(Debug)]
enum Names {
    /// Classes, fields and methods of ProGuard or R8.
    Classes(NameMapping),
    /// Scripts that were made of several files.
    Scripts(GivenMaps),
}

/// Result of applying a mapping to a dump.
pub struct MappingResult {
    /// Heap and contents without the mapping.
    pub(super) unmapped: NamedHeap,
    /// Its file.
    pub file: Arc<MappingFile>,
    /// Number of renamed classes, and of all classes; for source maps, of the scripts with one, and of all.
    pub classes: (u64, u64),
    /// Reason why it may be the wrong mapping.
    pub doubt: Option<String>,
}

impl MappingResult {
    /// Summary in one line.
    pub fn summary(&self) -> String {
        let file = self.file.path.file_name().unwrap_or_default().to_string_lossy();
        let (named, all) = (Count(self.classes.0), Count(self.classes.1));
        match (&self.doubt, &self.file.names) {
            (None, Names::Scripts(_)) => format!("{named} of {all} scripts with names of the source, by {file}"),
            (None, Names::Classes(_)) => format!("{named} of {all} classes renamed by {file}"),
            (Some(doubt), _) => format!("names from {file}: {doubt}"),
        }
    }
}

impl MappingFile {
    /// Reads a mapping of ProGuard or R8, or source maps.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a mapping.
    pub fn read(path: &Path) -> Result<Self, String> {
        let is_script =
            path.extension().is_some_and(|end| SCRIPTS.iter().any(|script| end.eq_ignore_ascii_case(script)));
        if is_script || path.is_dir() {
            return Self::source_maps(path);
        }
        let text = read_at_most(path, LARGEST).map_err(|error| format!("{}: {error}", path.display()))?;
        if is_source_map(&text) {
            return Self::source_maps(path);
        }
        let mapping = NameMapping::new(text).map_err(|why| format!("{}: {why}", path.display()))?;
        Ok(Self { path: path.to_owned(), names: Names::Classes(mapping) })
    }

    /// Reads a source map, a script with one, or a folder of them.
    ///
    /// # Errors
    /// If there is no such file, or it is not a source map.
    pub fn source_maps(path: &Path) -> Result<Self, String> {
        Ok(Self { path: path.to_owned(), names: Names::Scripts(GivenMaps::read(path)?) })
    }

    /// The original names, with a note in the heap that says so. `dump` is the file of the dump, if it is known.
    pub(super) fn apply(self: &Arc<Self>, unmapped: NamedHeap, dump: Option<PathBuf>) -> (NamedHeap, MappingResult) {
        let (named, classes, doubt) = match &self.names {
            Names::Classes(mapping) => {
                let NamedHeap { heap, contents, .. } = &unmapped;
                let (renamed, named) = heap.renamed(mapping);
                let (values, fit) =
                    contents.renamed(mapping).unwrap_or_else(|| (contents.clone(), MappingFit::default()));
                let classes = (named, renamed.classes.len() as u64);
                let doubt = doubt(named, classes.1, fit);
                (NamedHeap { heap: Arc::new(renamed), contents: values, ..unmapped.clone() }, classes, doubt)
            }
            Names::Scripts(given) => {
                let named = unmapped.with_sources(dump, Some(given));
                let maps = named.sources.as_ref().map(|sources| &sources.maps);
                let (scripts, all) = maps.map_or((0, 0), |maps| (maps.given, maps.all));
                let doubt = (scripts == 0).then(|| match maps.and_then(|maps| maps.refused.first()) {
                    Some(why) => why.clone(),
                    None => format!("no source map for any of the {} scripts of this dump", Count(all)),
                });
                (named, (scripts, all), doubt)
            }
        };
        let result = MappingResult { unmapped, file: self.clone(), classes, doubt };
        if result.doubt.is_none() && matches!(self.names, Names::Scripts(_)) {
            // The source maps have their notes.
            return (named, result);
        }
        let note = ImportNote::new(Severity::Info, classes.0.max(1), result.summary(), None);
        let heap = Arc::new((*named.heap).clone().noted(note));
        (NamedHeap { heap, ..named }, result)
    }

    /// The census with the original names of classes.
    pub fn rename_census(&self, census: &Census) -> Census {
        let mut census = census.clone();
        let Names::Classes(mapping) = &self.names else { return census };
        for row in &mut census.rows {
            if let Some(name) = class_name(mapping, &row.class) {
                row.class = name.into();
            }
        }
        census
    }
}

/// True of a text that begins as a source map does, and no mapping.
fn is_source_map(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    text.starts_with(b"{") || text.starts_with(b")]}")
}

/// Reason why a mapping may belong to another build.
fn doubt(named: u64, classes: u64, fit: MappingFit) -> Option<String> {
    let other = "it may belong to another build";
    if named == 0 {
        return Some(format!("it names none of the {} classes of this dump: {other}", Count(classes)));
    }
    if fit.other_build {
        return Some("stack traces of this dump show that it belongs to another build".to_owned());
    }
    (fit.of_other_type > 0).then(|| {
        let (wrong, all) = (Count(fit.of_other_type), Count(fit.fields));
        format!("{wrong} of {all} mapped fields have a different type in this dump: {other}")
    })
}
