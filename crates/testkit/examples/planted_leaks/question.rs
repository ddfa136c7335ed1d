//! Question about a dump with a planted leak, and its answer.

use std::fmt::Write as _;

/// Kind of dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DumpFormat {
    /// HPROF of HotSpot.
    HotSpot,
    /// HPROF of Android.
    Android,
    /// Snapshot of V8.
    V8,
    /// PHD of J9.
    Phd,
}

impl DumpFormat {
    /// Name in the list of questions, and ending of the files.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::HotSpot => ("hotspot", "hprof"),
            Self::Android => ("android", "hprof"),
            Self::V8 => ("v8", "heapsnapshot"),
            Self::Phd => ("phd", "phd"),
        }
    }
}

/// Leak as it was planned: from the program, not from an answer of heaplens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Name of the dump, without its ending; says nothing of the answer.
    pub(crate) name: &'static str,
    /// Kind of leak.
    pub(crate) kind: &'static str,
    /// What somebody would ask.
    pub(crate) question: &'static str,
    /// Holders that count as right: the reference to change, by an address-free name, and others on the way to it.
    pub(crate) holder: &'static [&'static str],
    /// Leaked classes that count as right.
    pub(crate) class: &'static [&'static str],
    /// Number of leaked objects.
    pub(crate) count: usize,
    /// True if a larger innocent structure is in the heap.
    pub(crate) has_larger: bool,
    /// True if a dump is given from when a quarter of the objects had leaked.
    pub(crate) has_before: bool,
}

impl Plan {
    /// Line of `questions.jsonl`.
    pub(crate) fn line(&self, format: DumpFormat, is_held_out: bool) -> String {
        let (format, ending) = format.words();
        let list = |words: &[&str]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(",");
        let mut line = format!("{{\"dump\":{}", quoted(&format!("{}.{ending}", self.name)));
        if self.has_before {
            let _ = write!(line, ",\"before\":{}", quoted(&format!("{}-before.{ending}", self.name)));
        }
        let (question, kind) = (quoted(self.question), quoted(self.kind));
        let (holder, class) = (list(self.holder), list(self.class));
        let _ = write!(line, ",\"question\":{question},\"answer\":{{\"holder\":[{holder}],\"class\":[{class}]}}");
        let _ = write!(line, ",\"kind\":{kind},\"format\":\"{format}\",\"larger_innocent\":{}", self.has_larger);
        let _ = writeln!(line, ",\"held_out\":{is_held_out}}}");
        line
    }
}

/// A JSON string; plans have no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
