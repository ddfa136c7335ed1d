//! JSON files of the tools that also take heap snapshots: profiles, traces, reports.

use super::other_file::{DUMP_OF_JVM, OPENS, OtherFile, SNAPSHOT};

const CHUNKS: &str = "Join the values of \"chunk\" of these messages in their order, unescaped, to one file, or take the snapshot with heaplens take or DevTools.";

/// Beginning without blanks, words after it, and what the file is.
type Rule = (&'static str, &'static [&'static str], OtherFile);

/// The first rule that fits decides.
static RULES: [Rule; 11] = [
    ("{\"head\":{", &["\"selfSize\"", "\"callFrame\""], SAMPLING),
    ("{\"head\":{\"callFrame\"", &[], SAMPLING),
    ("{\"head\":{\"functionName\"", &[], CPU),
    ("{\"nodes\":[{\"id\"", &[], CPU),
    ("{\"traceEvents\"", &[], TRACE),
    ("[{", &["\"ph\":", "\"ts\":"], TRACE),
    ("{", &["\"HeapProfiler.addHeapSnapshotChunk\""], OtherFile::new("messages of the DevTools protocol", CHUNKS)),
    ("{\"header\":{", &["\"reportVersion\""], OtherFile::new("a diagnostic report of Node.js", SNAPSHOT)),
    ("{\"meta\":{", &["\"interval\":", "\"libs\":["], OtherFile::new("a profile of Firefox", OPENS)),
    ("{\"threadDump\":{", &[], OtherFile::new("a thread dump", DUMP_OF_JVM)),
    ("{\"recording\":{\"events\"", &[], OtherFile::new("a recording of JDK Flight Recorder", DUMP_OF_JVM)),
];
const SAMPLING: OtherFile = OtherFile::new("a sampling heap profile of V8 (.heapprofile)", SNAPSHOT);
const CPU: OtherFile = OtherFile::new("a CPU profile of V8 (.cpuprofile)", SNAPSHOT);
const TRACE: OtherFile = OtherFile::new("a trace of Chrome", SNAPSHOT);

/// What a text that begins like JSON is; `None` if it is unknown.
pub(super) fn kind_of_json(text: &str) -> Option<OtherFile> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let fits =
        |&&(begin, words, _): &&Rule| compact.starts_with(begin) && words.iter().all(|word| compact.contains(word));
    RULES.iter().find(fits).map(|(.., file)| file.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_files_are_told_apart() {
        for (text, expected) in [
            (r#"{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0"#, Some("a sampling heap profile of V8")),
            ("{\n  \"nodes\": [\n    {\n      \"id\": 1,\n \"callFrame\": {", Some("a CPU profile of V8")),
            (r#"{"head":{"functionName":"(root)","scriptId":"0""#, Some("a CPU profile of V8")),
            (r#"[{"pid":1,"tid":1,"ph":"X","ts":12"#, Some("a trace of Chrome")),
            (
                r#"{"method":"HeapProfiler.addHeapSnapshotChunk","params":{"chunk":"{\"snapshot\""#,
                Some("messages of the DevTools"),
            ),
            ("{\n\n  \"header\": {\n    \"reportVersion\": 3,", Some("a diagnostic report of Node.js")),
            (r#"{"threadDump":{"processId":"1""#, Some("a thread dump")),
            (r#"{"nodes":[1,2"#, None),
        ] {
            let file_kind = kind_of_json(text).map(|file| file.what);
            let is_same =
                file_kind.as_ref().zip(expected).is_some_and(|(file_kind, start)| file_kind.starts_with(start));
            assert!(is_same || (file_kind.is_none() && expected.is_none()), "{text}: {file_kind:?}");
        }
    }
}
