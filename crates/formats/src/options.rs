//! Options for reading a file.

use std::path::PathBuf;

use super::error::OpenError;
use heaplens_base::storage::KeptCopy;
use heaplens_heap::SizeModel;

/// Options for reading a file.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Model for computing object sizes.
    pub sizes: SizeModel,
    /// Folder for unpacked files while they are open; `None`: the temporary folder of the system.
    pub scratch: Option<PathBuf>,
    /// Javacore of the same process and time, with data that is missing from an IBM heap dump.
    pub javacore: Option<JavacoreFile>,
    /// Number of the heap graph in a Perfetto trace, from 1 in file order; `None`: the largest.
    pub heap_graph: Option<u32>,
    /// Where the unpacked form of the file is kept for the next open; `None`: it is not.
    pub unpacked: Option<KeptCopy>,
    /// Limit in bytes of an unpacked dump in memory, where one goes that no folder takes; `None`: half of what is left.
    pub memory: Option<u64>,
    /// Maximum ratio of unpacked to packed size, for more than a gigabyte; `None`: [`UNPACK_RATIO`](super::UNPACK_RATIO).
    pub unpack_ratio: Option<u32>,
}

/// Javacore to be read with an IBM heap dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JavacoreFile {
    /// The file.
    pub path: PathBuf,
    /// True if the user named the file: then it is an error if it is not a javacore.
    pub is_given: bool,
}

impl JavacoreFile {
    /// I/O error that names the javacore.
    pub fn unreadable(&self, error: &std::io::Error) -> OpenError {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy();
        std::io::Error::new(error.kind(), format!("javacore {name}: {error}")).into()
    }
}
