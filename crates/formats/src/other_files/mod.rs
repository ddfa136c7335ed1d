//! What a file is that is no heap dump, by its beginning, and what to do: an archive to unpack, a page that was
//! downloaded instead of a dump, a class histogram.

mod binary;
mod dump_piece;
mod json;
mod other_file;
mod wide_text;

use self::binary::kind_of_binary;
use self::dump_piece::is_dump_piece;
use self::json::kind_of_json;
pub(super) use self::other_file::OtherFile;
use self::other_file::{DUMP_OF_JVM, OPENS};

/// Number of bytes at the beginning of a file that are examined.
const EXAMINED: usize = 4096;

/// Advice for files that are made by the tools that also make dumps.
const DUMP_OF_CORE: &str = "Write a heap dump from it: jhsdb jmap --binaryheap --dumpfile FILE --exe JAVA --core CORE, with the Java of the process.";
const COPY: &str = "Check that this is a heap dump and that it was copied completely.";
const DUMP_OF_APP: &str =
    "It lists no objects and references. Write a heap dump with adb shell am dumpheap PROCESS FILE.";
const PAGE: &str = "A server sent a page instead of the dump, such as an error or a login. Download the dump again.";
const PIECE: &str = "Join all pieces in their order (cat FILE.* > FILE), or write the dump again: the JVM joins its pieces FILE.p0, FILE.p1 only at the end.";
const MEMGRAPH: &str = "Examine it on macOS: with Xcode, or leaks, heap and malloc_history.";
const TRACE_OF_DOTNET: &str = "It lists no objects and references. Collect a heap dump with dotnet-gcdump, and open it with Visual Studio or PerfView.";
const UTF_16: &str = "Convert it to UTF-8: iconv -f UTF-16 -t UTF-8 FILE > NEW, or in PowerShell Get-Content FILE | Set-Content -Encoding utf8 NEW. The operator > of Windows PowerShell writes UTF-16.";
const UTF_16_BINARY: &str = "Bytes of it are lost: the operator > of Windows PowerShell converts to text. Write the dump again, to a file: jcmd PID GC.heap_dump FILE, curl -o FILE.";
const DUMP_OF_MAC_CORE: &str = "Write a heap dump from it on macOS: jhsdb jmap --binaryheap --dumpfile FILE --exe JAVA --core CORE, with the Java of the process.";

/// Files by their first bytes.
static BY_START: [(&[u8], OtherFile); 17] = [
    (b"7z\xBC\xAF\x27\x1C", OtherFile::new("a 7z archive", "Unpack it with 7z x, then open the dump.")),
    (b"Rar!", OtherFile::new("a RAR archive", "Unpack it, then open the dump.")),
    (b"\x04\x22\x4D\x18", OtherFile::new("an lz4 archive", "Unpack it with unlz4, then open the dump.")),
    (b"\x1F\x9D", OtherFile::new("a compress archive (.Z)", "Unpack it with uncompress, then open the dump.")),
    (b"PAGEDU64", OtherFile::new("a crash dump of Windows", OPENS)),
    (b"go1.7 heap dump\n", OtherFile::new("a heap dump of Go", OPENS)),
    (b"FLR\0", OtherFile::new("a recording of JDK Flight Recorder", DUMP_OF_JVM)),
    (b"MDMP", OtherFile::new("a minidump of Windows", DUMP_OF_CORE)),
    (b"Nettrace", OtherFile::new("a trace of .NET (.nettrace)", TRACE_OF_DOTNET)),
    (b"\xCA\xFE\xBA\xBE", OtherFile::new("a Java class file", OPENS)),
    (b"MZ\x90\0", OtherFile::new("a program of Windows", OPENS)),
    (b"\x89PNG", OtherFile::new("a picture", OPENS)),
    (b"\xFF\xD8\xFF", OtherFile::new("a picture", OPENS)),
    (b"%PDF", OtherFile::new("a PDF document", OPENS)),
    (
        b"version https://git-lfs",
        OtherFile::new("a pointer of Git LFS", "Fetch the dump with git lfs pull, then open it."),
    ),
    (b"PAGEDUMP", OtherFile::new("a crash dump of Windows", OPENS)),
    (b"bplist00", OtherFile::new("a property list of Apple, such as a memory graph of Xcode (.memgraph)", MEMGRAPH)),
];

/// Text files by words near their beginning.
static BY_WORDS: [(&[&str], OtherFile); 14] = [
    (&["#instances", "#bytes"], OtherFile::new("a class histogram, as jmap -histo prints it", DUMP_OF_JVM)),
    (&["Size", "Count", "Class description"], OtherFile::new("a class histogram of JDK 5 or jhat", DUMP_OF_JVM)),
    (
        &["*** *** *** ***", "Build fingerprint"],
        OtherFile::new("a tombstone of Android: a crash of native code", DUMP_OF_APP),
    ),
    (&["----- pid ", "Cmd line:"], OtherFile::new("thread stacks of Android (ANR)", DUMP_OF_APP)),
    (&["<?xml", "<Error>"], OtherFile::new("an error message of a server (XML)", PAGE)),
    (&["Full thread dump"], OtherFile::new("a thread dump", DUMP_OF_JVM)),
    (
        &["A fatal error has been detected by the Java Runtime"],
        OtherFile::new("an error report of the JVM (hs_err)", DUMP_OF_JVM),
    ),
    (
        &["There is insufficient memory for the Java Runtime Environment"],
        OtherFile::new("an error report of the JVM (hs_err)", DUMP_OF_JVM),
    ),
    (&["Native Memory Tracking:"], OtherFile::new("a report of the JVM on native memory", DUMP_OF_JVM)),
    (&["Heap Configuration:", "MaxHeapSize"], OtherFile::new("a heap summary, as jmap -heap prints it", DUMP_OF_JVM)),
    (&["<!DOCTYPE plist"], OtherFile::new("a property list of Apple", MEMGRAPH)),
    (
        &["0SECTION"],
        OtherFile::new(
            "a javacore of an IBM JVM",
            "Open the heap dump beside it (.phd or .txt): its javacore is read with it.",
        ),
    ),
    (&["][gc"], OtherFile::new("a log of the garbage collector", DUMP_OF_JVM)),
    (&["[GC "], OtherFile::new("a log of the garbage collector", DUMP_OF_JVM)),
];

/// What a file is that no reader recognises.
pub(super) fn kind_of(file: &[u8]) -> OtherFile {
    let start = file.get(..EXAMINED).unwrap_or(file);
    if start.is_empty() {
        let advice = "The dump was not written, or not copied. Check for free space, and write it again.";
        return OtherFile::new("an empty file", advice);
    }
    if let Some((_, file_kind)) = BY_START.iter().find(|(bytes, _)| start.starts_with(bytes)) {
        return file_kind.clone();
    }
    if start.starts_with(b"\x7FELF") {
        // The type of the file, in either byte order.
        let is_core = matches!(start.get(16..18), Some([4, 0] | [0, 4]));
        let (what, advice) =
            if is_core { ("a core dump of a process", DUMP_OF_CORE) } else { ("a program of Linux", OPENS) };
        return OtherFile::new(what, advice);
    }
    if start.starts_with(b"\xCF\xFA\xED\xFE") || start.starts_with(b"\xCE\xFA\xED\xFE") {
        // The type of the file.
        let is_core = start.get(12..16) == Some(&[4, 0, 0, 0][..]);
        let (what, advice) =
            if is_core { ("a core dump of macOS", DUMP_OF_MAC_CORE) } else { ("a program of macOS", OPENS) };
        return OtherFile::new(what, advice);
    }
    if start.iter().all(|&byte| byte == 0) {
        let advice = "Its space was reserved, but nothing was written. Write or copy the dump again.";
        return OtherFile::new("zeros", advice);
    }
    if let Some(text) = wide_text::decoded(start) {
        return kind_of_wide_text(&text);
    }
    match text(start) {
        Some(text) => kind_of_text(text),
        None if is_dump_piece(file) => OtherFile::new("a piece of an HPROF dump, without its beginning", PIECE),
        None => kind_of_binary(start).unwrap_or_else(|| OtherFile::new("data of an unknown kind", COPY)),
    }
}

/// What a text in UTF-16 is, decoded.
fn kind_of_wide_text(text: &str) -> OtherFile {
    let begin = text.trim_start();
    if begin.starts_with("JAVA PROFILE") && !begin.contains(", created") {
        return OtherFile::new("an HPROF dump that was converted to text in UTF-16", UTF_16_BINARY);
    }
    let is_dump = [("{", "\"snapshot\""), ("{", "\"nodeClassNames\""), ("{", "\"type\":\"Inspector\""), ("//", "0x")];
    if begin.starts_with("JAVA PROFILE")
        || is_dump.iter().any(|(with, word)| begin.starts_with(with) && begin.contains(word))
    {
        return OtherFile::new("a heap dump or snapshot in UTF-16", UTF_16);
    }
    let OtherFile { what, advice } = kind_of_text(text);
    OtherFile { what: format!("{what} in UTF-16").into(), advice }
}

fn kind_of_text(text: &str) -> OtherFile {
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    let begins = |with: &str| begin.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
    let is_xhtml = begins("<?xml") && (begin.contains("<html") || begin.contains("<!DOCTYPE html"));
    if begins("<!doctype html") || begins("<html") || is_xhtml {
        return OtherFile::new("a web page (HTML)", PAGE);
    }
    if let Some(file_kind) = begin.starts_with(['{', '[']).then(|| kind_of_json(begin)).flatten() {
        return file_kind;
    }
    if let Some((_, file_kind)) = BY_WORDS.iter().find(|(words, _)| words.iter().all(|word| text.contains(word))) {
        return file_kind.clone();
    }
    let what = match begin.chars().next() {
        Some('{' | '[') => "a JSON file that is no heap snapshot",
        _ if begins("<?xml") => "an XML file",
        _ => "a text file",
    };
    OtherFile::new(what, OPENS)
}

/// The beginning of a file as text; `None` if it is none.
fn text(start: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        // The last character may be cut.
        Err(error) if error.error_len().is_none() => std::str::from_utf8(start.get(..error.valid_up_to())?).ok()?,
        Err(_) => return None,
    };
    let is_printable = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{1b}');
    text.chars().all(is_printable).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what(file: &[u8]) -> String {
        kind_of(file).what.into_owned()
    }

    #[test]
    fn texts_in_utf_16_are_named() {
        let wide = |text: &str| {
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
        };
        for (text, expected) in [
            ("{\"snapshot\":{\"meta\":{", "a heap dump or snapshot in UTF-16"),
            ("JAVA PROFILE 1.0.1, created Thu", "a heap dump or snapshot in UTF-16"),
            ("JAVA PROFILE 1.0.2\0\0\0\0\u{8}", "an HPROF dump that was converted to text in UTF-16"),
            (" num     #instances         #bytes", "a class histogram, as jmap -histo prints it in UTF-16"),
            ("plain", "a text file in UTF-16"),
        ] {
            let file_kind = kind_of(&wide(text));
            assert_eq!(file_kind.what, expected);
        }
    }

    #[test]
    fn files_that_are_no_dumps_are_told_apart() {
        let mut core = b"\x7FELF".to_vec();
        core.resize(16, 0);
        core.extend([4, 0]);
        let mut mac_core = b"\xCF\xFA\xED\xFE".to_vec();
        mac_core.resize(12, 0);
        mac_core.extend([4, 0, 0, 0]);
        let segment = [&[0x1c, 0, 0, 0, 0, 0, 0, 1, 0, 0x20][..], &[0x80; 100]].concat();
        for (file, expected) in [
            (&b""[..], "an empty file"),
            (&core, "a core dump of a process"),
            (b"\x7FELF", "a program of Linux"),
            (&mac_core, "a core dump of macOS"),
            (b"\xCF\xFA\xED\xFE", "a program of macOS"),
            (&segment, "a piece of an HPROF dump, without its beginning"),
            (b"\x04\x22\x4D\x18\x64", "an lz4 archive"),
            (b"PAGEDU64", "a crash dump of Windows"),
            (b"Object Histogram:\n\nSize\tCount\tClass description\n", "a class histogram of JDK 5 or jhat"),
            (
                b"*** *** *** *** *** ***\nBuild fingerprint: 'google/x'\n",
                "a tombstone of Android: a crash of native code",
            ),
            (b"----- pid 7 at 2026-11-25\nCmd line: app\n", "thread stacks of Android (ANR)"),
            (b"<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code>", "an error message of a server (XML)"),
            (&[0; 5000], "zeros"),
            (b"\n<!DOCTYPE HTML><title>404", "a web page (HTML)"),
            (b" num     #instances         #bytes  class name\n", "a class histogram, as jmap -histo prints it"),
            (b"2026-11-25 10:00:00\nFull thread dump OpenJDK", "a thread dump"),
            (b"[0.004s][info][gc] Using G1\n", "a log of the garbage collector"),
            (b"0SECTION       TITLE subcomponent dump routine", "a javacore of an IBM JVM"),
            (b"version https://git-lfs.example/spec/v1\n", "a pointer of Git LFS"),
            (b"{\"head\":{\"callFrame\":{", "a sampling heap profile of V8 (.heapprofile)"),
            (b"\xEF\xBB\xBF{\"nodes\":[{\"id\":1,\"callFrame\"", "a CPU profile of V8 (.cpuprofile)"),
            (b"bplist00\xdf", "a property list of Apple, such as a memory graph of Xcode (.memgraph)"),
            (b"Nettrace\x14\0\0\0!FastSerialization.1", "a trace of .NET (.nettrace)"),
            (
                b"# There is insufficient memory for the Java Runtime Environment to",
                "an error report of the JVM (hs_err)",
            ),
            (b"\n1234:\n\nNative Memory Tracking:\n", "a report of the JVM on native memory"),
            (b"<?xml version=\"1.0\"?><!DOCTYPE html><html>", "a web page (HTML)"),
            (b"<?xml version=\"1.0\"?><a/>", "an XML file"),
            (b"{\"dump\": 1}", "a JSON file that is no heap snapshot"),
            ("grüße".as_bytes(), "a text file"),
            (b"\x01\x02JAVA", "data of an unknown kind"),
        ] {
            assert_eq!(what(file), expected, "{:?}", file.escape_ascii().to_string());
        }
    }

    #[test]
    fn a_text_may_end_within_a_character() {
        let text = "ü".repeat(EXAMINED);
        assert_eq!(what(&text.as_bytes()[1..]), "data of an unknown kind");
        assert_eq!(what(format!("a{text}").as_bytes()), "a text file");
    }

    #[test]
    fn every_advice_is_sentences() {
        let all = BY_START.iter().map(|(_, file)| file).chain(BY_WORDS.iter().map(|(_, file)| file));
        assert!(all.into_iter().all(|file| file.advice.ends_with('.') && !file.what.ends_with('.')));
    }
}
