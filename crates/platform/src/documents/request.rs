//! What the system, or another start of the program, asks for.

use std::path::PathBuf;

/// Request to open files and links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentRequest {
    /// Files.
    pub paths: Vec<PathBuf>,
    /// Links, unchecked.
    pub links: Vec<String>,
}
