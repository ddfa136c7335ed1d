//! Restores obfuscated names: when a dump is opened, or
//! in an open one. Stored analyses contain the original names.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::dump::Facts;
use heaplens_base::units::Count;
use heaplens_core::formats::mapping::NameMapping;
use heaplens_core::heap::census::Census;
use heaplens_core::heap::contents::Contents;
use heaplens_core::heap::facts::Heap;
use heaplens_core::heap::notes::{ImportNote, Severity};
use heaplens_core::heap::original::{MappingFit, class_name};

/// A parsed mapping file.
#[derive(Debug)]
pub struct MappingFile {
    /// The file.
    pub path: PathBuf,
    mapping: NameMapping,
}

/// Result of applying a mapping to a dump.
pub struct MappingResult {
    /// Heap and contents with the original names.
    pub(super) own: (Arc<Heap>, Arc<dyn Contents>),
    /// Its file.
    pub file: Arc<MappingFile>,
    /// Number of renamed classes, and of all classes.
    pub classes: (u64, u64),
    /// Reason why it may be the wrong mapping.
    pub doubt: Option<String>,
}

impl MappingResult {
    /// Summary in one line.
    pub fn said(&self) -> String {
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
        let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mapping = NameMapping::new(text).map_err(|why| format!("{}: {why}", path.display()))?;
        Ok(Self { path: path.to_owned(), mapping })
    }

    /// Applies the mapping to a dump, replacing an earlier one.
    pub fn put(self: &Arc<Self>, facts: &Facts) -> Facts {
        let hides = facts.is_redacted();
        let facts = facts.unmapped().unredacted();
        let (heap, named) = facts.heap.renamed(&self.mapping);
        let (contents, fit) =
            facts.contents.renamed(&self.mapping).unwrap_or_else(|| (facts.contents.clone(), MappingFit::default()));
        let classes = (named, heap.classes.len() as u64);
        let own = (facts.heap.clone(), facts.contents.clone());
        let mapped = MappingResult { own, file: self.clone(), classes, doubt: doubt(named, classes.1, fit) };
        let said = mapped.said();
        let heap = heap.noted(ImportNote::new(Severity::Info, named.max(1), said, None));
        let named = Facts { heap: Arc::new(heap), contents, mapped: Some(Arc::new(mapped)), ..facts };
        if hides { named.redacted() } else { named }
    }

    /// Applies the mapping to the census.
    pub fn put_in_census(&self, census: &Census) -> Census {
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
