//! Origin of a heap: format, producer, size of the file, and size model.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Address;
use crate::format::Format;
use heaplens_base::{Bytes, Count, named};

/// Model for computing object sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum SizeModel {
    /// Actual sizes in the runtime, derived from the distances between objects.
    #[default]
    Auto,
    /// Exact rules of Eclipse MAT.
    Mat,
    /// Sizes in the file: those of fields and elements alone.
    File,
}

named!(SizeModel {
    Auto = "auto", "Actual memory use, inferred from the distances between objects";
    Mat = "mat", "Eclipse MAT's rules";
    File = "file" | "raw", "As recorded in the file; V8: self sizes, all strong edges retain (alias: raw)";
});

/// Notation of object ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum IdStyle {
    /// An address: `0x7f00`.
    #[default]
    Address,
    /// Number assigned by the engine: `@17`.
    Number,
}

impl IdStyle {
    /// An id as text.
    pub fn text(self, id: Address) -> String {
        match self {
            Self::Address => id.to_string(),
            Self::Number => format!("@{}", id.0),
        }
    }
}

/// Size of the file with the dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FileSize {
    /// Bytes on disk; of a stream, bytes received.
    pub disk: u64,
    /// Bytes once unpacked; those on disk if the file is not packed.
    pub unpacked: u64,
}

impl FileSize {
    /// Size of a file that is not packed.
    pub fn plain(bytes: u64) -> Self {
        Self { disk: bytes, unpacked: bytes }
    }

    /// Bytes once unpacked; `None` if the file is not packed.
    pub fn unpacked_bytes(self) -> Option<u64> {
        (self.unpacked != self.disk).then_some(self.unpacked)
    }

    /// The size to the byte: `12,345 bytes, 88,453 bytes unpacked`.
    pub fn exact(self) -> String {
        let unpacked = self.unpacked_bytes().map(|bytes| format!(", {} bytes unpacked", Count(bytes)));
        format!("{} bytes{}", Count(self.disk), unpacked.unwrap_or_default())
    }
}

/// Rounded: `12.3 kB, 88.4 kB unpacked`.
impl fmt::Display for FileSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Bytes(self.disk))?;
        self.unpacked_bytes().map_or(Ok(()), |bytes| write!(f, ", {} unpacked", Bytes(bytes)))
    }
}

/// General properties of the file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Origin {
    /// Format of the file.
    pub format: Format,
    /// Program that wrote the file, as far as the file identifies it.
    pub producer: String,
    /// Size of an object id in the file, in bytes.
    pub id_bytes: u32,
    /// When the dump was taken, in milliseconds since 1970 UTC.
    pub taken_at_millis: Option<u64>,
    /// Requested size model.
    pub size_model: SizeModel,
    /// Notation of object ids.
    pub ids: IdStyle,
    /// Bytes that were read: those of the file, unpacked and converted. Offsets refer to them.
    pub file_bytes: u64,
    /// Size of the file that was opened. Not stored: it is known anew at each open.
    #[serde(skip)]
    pub file_size: FileSize,
}
