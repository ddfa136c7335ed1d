//! Binary files without a mark of their own at the beginning: pprof profiles, data of .NET, binary data that was
//! converted to text.

use super::other_file::OtherFile;
use crate::cursor::Cursor;

/// Mark of the serialization of PerfView, which .NET uses; its length precedes it.
const SERIALIZATION: &[u8] = b"!FastSerialization.1";
/// Type of the outermost object of a heap dump of .NET.
const HEAP_OF_DOTNET: &[u8] = b"GCHeapDump";
/// Maximum length in bytes of a type of samples in a profile.
const LONGEST: u64 = 12;
/// Replacement character in UTF-8.
const REPLACEMENT: &[u8] = b"\xEF\xBF\xBD";
/// Number of replacement characters that are no chance.
const ENOUGH: usize = 4;

const DOTNET: &str = "Open it with Visual Studio, PerfView, or dotnet-gcdump report.";
const PPROF: &str = "It lists allocations by stack, no objects and references. Open it with go tool pprof.";
const BINARY_MODE: &str = "Bytes of it are lost. Copy or download it again in binary mode: with ftp after the command binary, with curl -o FILE, not with > in PowerShell, not through a clipboard or an editor.";

/// What the beginning of a file is; `None` if it is unknown.
pub(super) fn kind_of_binary(start: &[u8]) -> Option<OtherFile> {
    if start.get(4..).is_some_and(|rest| rest.starts_with(SERIALIZATION)) {
        let is_heap = start.windows(HEAP_OF_DOTNET.len()).any(|window| window == HEAP_OF_DOTNET);
        let what = if is_heap { "a heap dump of .NET (.gcdump)" } else { "data of a diagnostic tool of .NET" };
        return Some(OtherFile::new(what, DOTNET));
    }
    if is_profile(start) {
        return Some(OtherFile::new("a profile of pprof", PPROF));
    }
    is_converted(start).then(|| OtherFile::new("binary data that was converted to text", BINARY_MODE))
}

/// True if messages begin with types of samples, each of two string numbers, and a sample follows.
fn is_profile(start: &[u8]) -> bool {
    let mut cursor = Cursor::new(start, 0);
    let mut types = 0;
    loop {
        match (cursor.u8(), cursor.u8().map(u64::from)) {
            (Some(0x0a), Some(length @ 2..=LONGEST)) => {
                let Some(body) = cursor.take(length) else { return false };
                if !is_type_of_samples(body) {
                    return false;
                }
                types += 1;
            }
            (Some(0x12), Some(_)) => return types > 0,
            _ => return false,
        }
    }
}

/// Fields 1 and 2, each a small number.
fn is_type_of_samples(body: &[u8]) -> bool {
    matches!(body, [0x08, 1..=0x7f, 0x10, 1..=0x7f] | [0x08 | 0x10, 1..=0x7f])
}

/// True for valid UTF-8 with many replacement characters and with control characters, which no text has.
fn is_converted(start: &[u8]) -> bool {
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            let valid = start.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
        Err(_) => return false,
    };
    let replaced = text.as_bytes().windows(REPLACEMENT.len()).filter(|window| *window == REPLACEMENT).count();
    replaced >= ENOUGH && text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_files_are_told_apart() {
        let of_dotnet = |of: &str| [&[0x14, 0, 0, 0][..], SERIALIZATION, of.as_bytes()].concat();
        // `samples/count` and `space/bytes`, then a sample.
        let profile = b"\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04\x12\x07\x0a\x01\x01\x12\x02\x01\x40";
        let converted = "\u{1f}\u{fffd}\u{8}\0\0\0\0\0\u{fffd}\u{fffd}\u{fffd}\u{fffd}";
        for (file, expected) in [
            (&of_dotnet("\x05\x04GCHeapDump")[..], Some("a heap dump of .NET (.gcdump)")),
            (&of_dotnet("\x05\x04TraceLog"), Some("data of a diagnostic tool of .NET")),
            (profile, Some("a profile of pprof")),
            (converted.as_bytes(), Some("binary data that was converted to text")),
            (b"\x0a\x04\x0a\x02ab", None),
            (&[0x0a; 100], None),
            ("\u{fffd}\u{fffd}\u{fffd}\u{fffd}".as_bytes(), None),
            (b"", None),
        ] {
            let file_kind = kind_of_binary(file).map(|file| file.what);
            assert_eq!(file_kind.as_deref(), expected, "{}", file.escape_ascii());
        }
    }
}
