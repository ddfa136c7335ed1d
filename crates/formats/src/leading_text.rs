//! Text in front of a dump: a line of a terminal session, the headers of an HTTP answer, a byte order mark.

use super::cursor::Cursor;
use heaplens_base::Count;
use heaplens_base::invisible::is_invisible;
use heaplens_heap::{ImportNote, Severity, value_rules::LEADING_TEXT};

/// Maximum number of bytes in front of a dump.
const SEARCHED: usize = 64 << 10;
/// Beginning of an HPROF dump, as far as it is the same in all.
const MAGIC: &[u8] = b"JAVA PROFILE 1.0";
/// Maximum length of its version in bytes.
const LONGEST_VERSION: usize = 20;
/// Number of characters of the text that a note repeats.
const SHOWN: usize = 60;

/// Number of bytes in front of a dump, or of packed data that begins a line; `None` if there are none, or no dump follows.
pub(super) fn leading_bytes(file: &[u8], is_packed: impl Fn(&[u8]) -> bool) -> Option<usize> {
    let start = file.get(..SEARCHED).unwrap_or(file);
    let is_dump = |&at: &usize| file.get(at..).is_some_and(begins_dump);
    let dump = start.windows(MAGIC.len()).enumerate().filter(|(_, bytes)| *bytes == MAGIC).map(|(at, _)| at);
    if let Some(at) = dump.take_while(|&at| at > 0).find(is_dump) {
        return Some(at);
    }
    let is_text = |bytes: &[u8]| bytes.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=0xff));
    let lines = start.split_inclusive(|&byte| byte == b'\n').take_while(|line| line.ends_with(b"\n") && is_text(line));
    let ends = lines.scan(0, |end, line| {
        *end += line.len();
        Some(*end)
    });
    ends.into_iter().find(|&end| file.get(end..).is_some_and(&is_packed))
}

/// True if the bytes begin with the header of an HPROF dump: the version up to a zero, and the size of an id.
fn begins_dump(bytes: &[u8]) -> bool {
    let version = bytes.iter().take(LONGEST_VERSION).position(|&byte| byte == 0);
    let id_bytes = version.and_then(|end| Cursor::new(bytes, end as u64 + 1).u32());
    matches!(id_bytes, Some(4 | 8))
}

/// The note about skipped bytes.
pub(super) fn note(skipped: &[u8]) -> ImportNote {
    let text = String::from_utf8_lossy(skipped.get(..SHOWN * 4).unwrap_or(skipped)).into_owned();
    let line = text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
    let mut shown: String = line.chars().filter(|&c| !is_invisible(c)).take(SHOWN).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    let shown = if shown.is_empty() { String::new() } else { format!(": “{shown}”") };
    let bytes = Count(skipped.len() as u64).of("byte", "bytes");
    let message = format!("{bytes}{LEADING_TEXT}{shown}");
    ImportNote::new(Severity::Info, 1, message, Some(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_is_found_behind_text() {
        let is_packed = |bytes: &[u8]| bytes.starts_with(&[0x1f, 0x8b]);
        let dump = b"JAVA PROFILE 1.0.2\0\0\0\0\x08";
        for (front, expected) in
            [(&b""[..], None), (b"\xef\xbb\xbf", Some(3)), (b"a line\r\n", Some(8)), (b"no line end: ", Some(13))]
        {
            assert_eq!(leading_bytes(&[front, dump].concat(), is_packed), expected);
        }
        assert_eq!(leading_bytes(b"one\ntwo\n\x1f\x8b\x08", is_packed), Some(8));
        assert_eq!(leading_bytes(b"one\n\0\n\x1f\x8b\x08", is_packed), None);
        let text_dump = b"see JAVA PROFILE 1.0.1, created Mon";
        assert_eq!(leading_bytes(text_dump, is_packed), None);
        let far = [&vec![b'x'; SEARCHED][..], dump].concat();
        assert_eq!(leading_bytes(&far, is_packed), None);
    }

    #[test]
    fn the_note_repeats_the_first_line() {
        let note = note(b"HTTP/1.1 200 OK\r\nContent-Type: x\r\n\r\n");
        assert_eq!(note.message, "36 bytes in front of the dump skipped: “HTTP/1.1 200 OK”");
    }
}
