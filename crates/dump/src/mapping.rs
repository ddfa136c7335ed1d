//! Restores obfuscated names: when a dump is opened, or in an open one. Stored analyses contain the obfuscated names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use heaplens_base::Count;
use heaplens_formats::mapping::NameMapping;
use heaplens_heap::{Census, Contents, Heap, ImportNote, MappingFit, Severity, original::class_name};
use heaplens_platform::files::read_at_most;

/// Size of a file in bytes that is no mapping any more: those of the largest apps have some hundred megabytes.
const LARGEST: u64 = 1 << 30;

/// A parsed mapping file.
#[derive(Debug)]
pub struct MappingFile {
    /// The file.
    pub path: PathBuf,
    mapping: NameMapping,
}

/// Result of applying a mapping to a dump.
pub struct MappingResult {
    /// Heap and contents as in the file, without the mapping.
    pub(super) unmapped: (Arc<Heap>, Arc<dyn Contents>),
    /// Its file.
    pub file: Arc<MappingFile>,
    /// Number of renamed classes, and of all classes.
    pub classes: (u64, u64),
    /// Reason why it may be the wrong mapping.
    pub doubt: Option<String>,
}

impl MappingResult {
    /// Summary in one line.
    pub fn summary(&self) -> String {
        let file = self.file.path.file_name().unwrap_or_default().to_string_lossy();
        let (named, all) = (Count(self.classes.0), Count(self.classes.1));
        match &self.doubt {
            None => format!("{named} of {all} classes renamed by {file}"),
            Some(doubt) => format!("names from {file}: {doubt}"),
        }
    }
}

impl MappingFile {
    /// Reads a mapping of ProGuard or R8.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a mapping.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = read_at_most(path, LARGEST).map_err(|error| format!("{}: {error}", path.display()))?;
        let mapping = NameMapping::new(text).map_err(|why| format!("{}: {why}", path.display()))?;
        Ok(Self { path: path.to_owned(), mapping })
    }

    /// Heap and contents with the original names, with a note in the heap that says so.
    pub(super) fn apply(
        self: &Arc<Self>,
        heap: Arc<Heap>,
        contents: Arc<dyn Contents>,
    ) -> (Heap, Arc<dyn Contents>, MappingResult) {
        let (renamed, named) = heap.renamed(&self.mapping);
        let (values, fit) =
            contents.renamed(&self.mapping).unwrap_or_else(|| (contents.clone(), MappingFit::default()));
        let classes = (named, renamed.classes.len() as u64);
        let doubt = doubt(named, classes.1, fit);
        let result = MappingResult { unmapped: (heap, contents), file: self.clone(), classes, doubt };
        let renamed = renamed.noted(ImportNote::new(Severity::Info, named.max(1), result.summary(), None));
        (renamed, values, result)
    }

    /// The census with the original names of classes.
    pub fn rename_census(&self, census: &Census) -> Census {
        let mut census = census.clone();
        for row in &mut census.rows {
            if let Some(name) = class_name(&self.mapping, &row.class) {
                row.class = name.into();
            }
        }
        census
    }
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
