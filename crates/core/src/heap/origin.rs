//! Origin of a heap: format, producer and size model.

use serde::{Deserialize, Serialize};

use super::Address;
use crate::format::Format;
use heaplens_base::named;

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
    /// Bytes of the file, unpacked.
    pub file_bytes: u64,
}
