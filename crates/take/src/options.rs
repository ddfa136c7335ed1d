//! What is taken of a process, and how.

/// How a dump is compressed by the process that writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gzip(u8);

impl Gzip {
    /// Levels 1, fast, to 9; 0 for none.
    pub fn level_of(level: u8) -> Self {
        Self(level.min(9))
    }

    pub(crate) fn is_packed(self) -> bool {
        self.0 > 0
    }

    /// Level as a word; empty for none.
    pub(crate) fn level(self) -> String {
        if self.0 == 0 { String::new() } else { self.0.to_string() }
    }
}

/// What is taken, and how.
#[derive(Debug, Clone, Default)]
pub struct TakeOptions {
    /// Unreachable objects, too: without, a JVM collects garbage first.
    pub is_all: bool,
    /// Compression.
    pub gzip: Gzip,
    /// Whether Node's inspector may be switched on for the dump.
    pub may_start_inspector: bool,
    /// Remote processes: whether only the stored analysis is brought here, and the dump stays where it is.
    pub is_index_only: bool,
    /// Whether the process is recorded beside the dump.
    pub recording: ProcessRecording,
}

/// Whether a process is recorded beside its dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProcessRecording {
    /// In a file with the name of the dump and `.process.json`.
    #[default]
    BesideDump,
    /// No.
    LeftOut,
}

impl TakeOptions {
    pub(crate) fn is_recorded(&self) -> bool {
        self.recording == ProcessRecording::BesideDump
    }
}
