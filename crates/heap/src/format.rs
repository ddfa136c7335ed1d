//! Formats of dumps: their names, and what sets them apart. The only place outside the readers that knows them.

use serde::{Deserialize, Serialize};

/// Extensions of files that can be opened, packed dumps and stored analyses included, for file dialogs. What a file is
/// depends on its content alone.
pub const FILE_EXTENSIONS: &[&str] = &[
    "hprof",
    "gz",
    "zip",
    "bin",
    "dump",
    "heapsnapshot",
    "heaptimeline",
    "json",
    "rawheap",
    "phd",
    "txt",
    "pftrace",
    "perfetto-trace",
    "perfetto-java-heap-dump",
    "heaplens",
];

/// Endings of file names that say nothing beyond that the file is a dump, in the order in which they are removed.
const ENDINGS: [&str; 10] = [
    ".gz",
    ".hprof",
    ".heapsnapshot",
    ".heaptimeline",
    ".rawheap",
    ".bin",
    ".pftrace",
    ".perfetto-trace",
    ".perfetto-java-heap-dump",
    ".heaplens",
];

/// File name of a dump without its extensions; the whole name if it has nothing else.
pub fn short_file_name(name: &str) -> &str {
    let short = ENDINGS.iter().fold(name, |name, end| name.strip_suffix(end).unwrap_or(name));
    if short.is_empty() { name } else { short }
}

/// Format of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum Format {
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
    /// Heap graph in a Perfetto trace of Android.
    Perfetto,
    /// Text dump of the HPROF agent of old JDKs.
    HprofText,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 7] =
        [Self::Hprof, Self::HprofAndroid, Self::V8, Self::Phd, Self::IbmText, Self::HprofText, Self::Perfetto];

    /// The stable key in JSON, and in the keys of stars and notes.
    pub fn key(self) -> &'static str {
        match self {
            Self::Hprof => "hprof",
            Self::HprofAndroid => "hprof-android",
            Self::V8 => "v8",
            Self::Phd => "phd",
            Self::IbmText => "ibm-text",
            Self::Perfetto => "perfetto",
            Self::HprofText => "hprof-text",
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
            Self::Perfetto => "Perfetto heap graph",
            Self::HprofText => "HPROF text",
        }
    }

    /// True if it is of Android, whose dumps have regions, native memory and leak traces.
    pub fn is_android(self) -> bool {
        matches!(self, Self::HprofAndroid | Self::Perfetto)
    }

    /// True if the format records the field of a reference. IBM's dumps do not.
    pub fn names_fields(self) -> bool {
        match self {
            Self::Hprof | Self::HprofAndroid | Self::V8 | Self::HprofText | Self::Perfetto => true,
            Self::Phd | Self::IbmText => false,
        }
    }

    /// True if the format records GC roots. IBM's dumps do not.
    pub fn names_roots(self) -> bool {
        self.names_fields()
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn keys_are_stable() {
        let keys = ["hprof", "hprof-android", "v8", "phd", "ibm-text", "hprof-text", "perfetto"];
        assert_eq!(Format::ALL.map(Format::key), keys);
    }
}
