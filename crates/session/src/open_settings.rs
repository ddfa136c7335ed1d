//! The settings of an open that change the numbers of a dump.

use std::path::PathBuf;

use heaplens_heap::{Rules, SizeModel};

/// Options of an opened dump that change its numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenSettings {
    /// The file, as given by the user.
    pub file: PathBuf,
    /// Size model.
    pub sizes: SizeModel,
    /// Which references and objects count.
    pub rules: Rules,
    /// True if only owning references to views, activities and Compose nodes count.
    pub owner_rules: bool,
    /// Mapping file that its names come from.
    pub mapping: Option<PathBuf>,
    /// True if values of the program are redacted.
    pub redacted: bool,
    /// References without which the heap is analyzed, as the command line takes them; empty for the dump as it is.
    pub cuts: Vec<String>,
}
