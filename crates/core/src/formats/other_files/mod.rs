//! What a file is that is no heap dump, by its beginning, and what to do: an archive to unpack, a page that was
//! downloaded instead of a dump, a class histogram.

mod dump_piece;

use self::dump_piece::is_dump_piece;

/// Number of bytes at the beginning of a file that are examined.
const EXAMINED: usize = 4096;

/// A kind of file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OtherFile {
    /// What it is, as a noun phrase.
    pub(super) what: &'static str,
    /// What to do, as sentences.
    pub(super) advice: &'static str,
}

/// Advice for files that are made by the tools that also make dumps.
const DUMP_OF_JVM: &str = "It lists no objects and references. Write a heap dump with jcmd PID GC.heap_dump FILE.";
const DUMP_OF_CORE: &str = "Write a heap dump from it: jhsdb jmap --binaryheap --dumpfile FILE --exe JAVA --core CORE, with the Java of the process.";
const SNAPSHOT: &str = "It lists no objects and references. Take a heap snapshot with v8.writeHeapSnapshot(), or in DevTools on the Memory tab.";
const COPY: &str = "Check that this is a heap dump and that it was copied completely.";
const OPENS: &str = "heaplens opens HPROF dumps of the JVM and of Android, heap snapshots of V8, JavaScriptCore and ArkTS, heap graphs of Perfetto, and heap dumps of IBM J9.";
const DUMP_OF_APP: &str =
    "It lists no objects and references. Write a heap dump with adb shell am dumpheap PROCESS FILE.";
const PAGE: &str = "A server sent a page instead of the dump, such as an error or a login. Download the dump again.";
const PIECE: &str = "Join all pieces in their order (cat FILE.* > FILE), or write the dump again: the JVM joins its pieces FILE.p0, FILE.p1 only at the end.";
const DUMP_OF_MAC_CORE: &str = "Write a heap dump from it on macOS: jhsdb jmap --binaryheap --dumpfile FILE --exe JAVA --core CORE, with the Java of the process.";

/// Files by their first bytes.
const BY_START: [(&[u8], OtherFile); 18] = [
    (b"7z\xBC\xAF\x27\x1C", OtherFile { what: "a 7z archive", advice: "Unpack it with 7z x, then open the dump." }),
    (b"Rar!", OtherFile { what: "a RAR archive", advice: "Unpack it, then open the dump." }),
    (b"\x04\x22\x4D\x18", OtherFile { what: "an lz4 archive", advice: "Unpack it with unlz4, then open the dump." }),
    (
        b"\x1F\x9D",
        OtherFile { what: "a compress archive (.Z)", advice: "Unpack it with uncompress, then open the dump." },
    ),
    (b"PAGEDU64", OtherFile { what: "a crash dump of Windows", advice: OPENS }),
    (b"go1.7 heap dump\n", OtherFile { what: "a heap dump of Go", advice: OPENS }),
    (b"FLR\0", OtherFile { what: "a recording of JDK Flight Recorder", advice: DUMP_OF_JVM }),
    (b"MDMP", OtherFile { what: "a minidump of Windows", advice: DUMP_OF_CORE }),
    (b"Nettrace", OtherFile { what: "a trace of .NET", advice: OPENS }),
    (b"\xCA\xFE\xBA\xBE", OtherFile { what: "a Java class file", advice: OPENS }),
    (b"MZ\x90\0", OtherFile { what: "a program of Windows", advice: OPENS }),
    (b"\x89PNG", OtherFile { what: "a picture", advice: OPENS }),
    (b"\xFF\xD8\xFF", OtherFile { what: "a picture", advice: OPENS }),
    (b"%PDF", OtherFile { what: "a PDF document", advice: OPENS }),
    (
        b"version https://git-lfs",
        OtherFile { what: "a pointer of Git LFS", advice: "Fetch the dump with git lfs pull, then open it." },
    ),
    (b"{\"head\":{\"callFrame\"", OtherFile { what: "a sampling heap profile of V8", advice: SNAPSHOT }),
    (b"{\"nodes\":[{\"id\"", OtherFile { what: "a CPU profile of V8", advice: SNAPSHOT }),
    (b"{\"traceEvents\"", OtherFile { what: "a trace of Chrome", advice: SNAPSHOT }),
];

/// Text files by words near their beginning.
const BY_WORDS: [(&[&str], OtherFile); 10] = [
    (&["#instances", "#bytes"], OtherFile { what: "a class histogram, as jmap -histo prints it", advice: DUMP_OF_JVM }),
    (
        &["Size", "Count", "Class description"],
        OtherFile { what: "a class histogram of JDK 5 or jhat", advice: DUMP_OF_JVM },
    ),
    (
        &["*** *** *** ***", "Build fingerprint"],
        OtherFile { what: "a tombstone of Android: a crash of native code", advice: DUMP_OF_APP },
    ),
    (&["----- pid ", "Cmd line:"], OtherFile { what: "thread stacks of Android (ANR)", advice: DUMP_OF_APP }),
    (&["<?xml", "<Error>"], OtherFile { what: "an error message of a server (XML)", advice: PAGE }),
    (&["Full thread dump"], OtherFile { what: "a thread dump", advice: DUMP_OF_JVM }),
    (
        &["A fatal error has been detected by the Java Runtime"],
        OtherFile { what: "an error report of the JVM (hs_err)", advice: DUMP_OF_JVM },
    ),
    (
        &["0SECTION"],
        OtherFile {
            what: "a javacore of an IBM JVM",
            advice: "Open the heap dump beside it (.phd or .txt): its javacore is read with it.",
        },
    ),
    (&["][gc"], OtherFile { what: "a log of the garbage collector", advice: DUMP_OF_JVM }),
    (&["[GC "], OtherFile { what: "a log of the garbage collector", advice: DUMP_OF_JVM }),
];

/// What a file is that no reader recognises.
pub(super) fn kind_of(file: &[u8]) -> OtherFile {
    let start = file.get(..EXAMINED).unwrap_or(file);
    if start.is_empty() {
        let advice = "The dump was not written, or not copied. Check for free space, and write it again.";
        return OtherFile { what: "an empty file", advice };
    }
    if let Some((_, found)) = BY_START.into_iter().find(|(bytes, _)| start.starts_with(bytes)) {
        return found;
    }
    if start.starts_with(b"\x7FELF") {
        // The type of the file, in either byte order.
        let is_core = matches!(start.get(16..18), Some([4, 0] | [0, 4]));
        let (what, advice) =
            if is_core { ("a core dump of a process", DUMP_OF_CORE) } else { ("a program of Linux", OPENS) };
        return OtherFile { what, advice };
    }
    if start.starts_with(b"\xCF\xFA\xED\xFE") || start.starts_with(b"\xCE\xFA\xED\xFE") {
        // The type of the file.
        let is_core = start.get(12..16) == Some(&[4, 0, 0, 0][..]);
        let (what, advice) =
            if is_core { ("a core dump of macOS", DUMP_OF_MAC_CORE) } else { ("a program of macOS", OPENS) };
        return OtherFile { what, advice };
    }
    if start.iter().all(|&byte| byte == 0) {
        let advice = "Its space was reserved, but nothing was written. Write or copy the dump again.";
        return OtherFile { what: "zeros", advice };
    }
    match text(start) {
        Some(text) => kind_of_text(text),
        None if is_dump_piece(file) => {
            OtherFile { what: "a piece of an HPROF dump, without its beginning", advice: PIECE }
        }
        None => OtherFile { what: "data of an unknown kind", advice: COPY },
    }
}

fn kind_of_text(text: &str) -> OtherFile {
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    let begins = |with: &str| begin.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
    let is_xhtml = begins("<?xml") && (begin.contains("<html") || begin.contains("<!DOCTYPE html"));
    if begins("<!doctype html") || begins("<html") || is_xhtml {
        return OtherFile { what: "a web page (HTML)", advice: PAGE };
    }
    if let Some((_, found)) = BY_WORDS.into_iter().find(|(words, _)| words.iter().all(|word| text.contains(word))) {
        return found;
    }
    let what = match begin.chars().next() {
        Some('{' | '[') => "a JSON file that is no heap snapshot",
        _ if begins("<?xml") => "an XML file",
        _ => "a text file",
    };
    OtherFile { what, advice: OPENS }
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

    fn what(file: &[u8]) -> &'static str {
        kind_of(file).what
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
            (b"{\"head\":{\"callFrame\":{", "a sampling heap profile of V8"),
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
