//! Origin of a heap: format, producer and size model.

use serde::{Deserialize, Serialize};

use super::ids::Address;
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

/// Format of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum DumpFormat {
    /// HPROF of a JVM.
    #[default]
    Hprof,
    /// HPROF of Android.
    HprofAndroid,
    /// V8 heap snapshot, also from an ArkTS raw heap.
    V8,
    /// IBM portable heap dump.
    Phd,
    /// IBM text heap dump.
    IbmText,
}

impl DumpFormat {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Hprof, Self::HprofAndroid, Self::V8, Self::Phd, Self::IbmText];

    /// The stable key in JSON, and in the keys of stars and notes.
    pub fn key(self) -> &'static str {
        match self {
            Self::Hprof => "hprof",
            Self::HprofAndroid => "hprof-android",
            Self::V8 => "v8",
            Self::Phd => "phd",
            Self::IbmText => "ibm-text",
        }
    }

    /// Name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Hprof => "HPROF",
            Self::HprofAndroid => "HPROF (Android)",
            Self::V8 => "V8 heap snapshot",
            Self::Phd => "IBM PHD",
            Self::IbmText => "IBM text heap dump",
        }
    }
}

/// General properties of the file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Origin {
    /// Format of the file.
    pub format: DumpFormat,
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

impl Origin {
    /// True if the format records the field of a reference. IBM's dumps do not.
    pub fn names_fields(&self) -> bool {
        match self.format {
            DumpFormat::Hprof | DumpFormat::HprofAndroid | DumpFormat::V8 => true,
            DumpFormat::Phd | DumpFormat::IbmText => false,
        }
    }

    /// True if the format records GC roots. IBM's dumps do not.
    pub fn names_roots(&self) -> bool {
        self.names_fields()
    }
}

#[cfg(test)]
mod tests {
    use super::DumpFormat;

    #[test]
    fn keys_are_stable() {
        assert_eq!(DumpFormat::ALL.map(DumpFormat::key), ["hprof", "hprof-android", "v8", "phd", "ibm-text"]);
    }
}
