//! Entries of an archive: which of them is the dump that is opened, and the note about other dumps.

use heaplens_base::Count;
use heaplens_base::invisible::is_invisible;
use heaplens_heap::{ImportNote, Severity, value_rules::OTHER_DUMPS};

/// First bytes of dumps; of most formats a few more precede them.
const BEGINNINGS: [&[u8]; 3] = [b"JAVA PROFILE 1.0", b"portable heap dump", b"// Version: "];
/// Number of bytes in which a beginning is searched.
const SEARCHED: usize = 64;
/// Ends of the names of dumps, packed or not.
const NAMES: [&[u8]; 9] = [
    b".hprof",
    b".hprof.txt",
    b".heapsnapshot",
    b".heaptimeline",
    b".phd",
    b".rawheap",
    b".pftrace",
    b".perfetto-trace",
    b".perfetto-java-heap-dump",
];
/// Ends of the names of packed files.
const PACKED: [&[u8]; 5] = [b".gz", b".zst", b".bz2", b".xz", b".zip"];
/// Maximum number of other dumps that a note names.
const NAMED: usize = 10;
/// Maximum length of a name in characters.
const NAME: usize = 200;

/// Result of unpacking a file.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    /// Damage: the rest of the dump is missing.
    pub(super) damage: Option<String>,
    /// Note about other dumps in the archive.
    pub(super) other_dumps: Option<ImportNote>,
}

impl From<Option<String>> for Unpacked {
    fn from(damage: Option<String>) -> Self {
        Self { damage, other_dumps: None }
    }
}

/// Damage of packed data that can be unpacked, but whose checksum is another than that of the unpacked bytes.
pub(super) fn wrong_checksum(form: &str) -> String {
    format!("checksum does not match: the {form} data is damaged, so parts of the dump are wrong or missing")
}

/// How surely an entry is the dump to open, in ascending order: by its first bytes, then by its name, then by its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    begins: bool,
    is_named: bool,
    bytes: u64,
}

impl Rank {
    /// Rank of an entry by its beginning, its name and its unpacked size in bytes.
    pub(super) fn of(start: &[u8], name: &[u8], bytes: u64) -> Self {
        let is_resource_fork = is_resource_fork(name);
        Self {
            begins: !is_resource_fork && begins_dump(start),
            is_named: !is_resource_fork && has_name_of_dump(name),
            bytes,
        }
    }

    /// True if the entry is a dump by its beginning or its name.
    pub(super) fn is_dump(self) -> bool {
        self.begins || self.is_named
    }
}

/// Note about the dumps in an archive besides the one that is opened; `None` if there are none. Entries are names with
/// their ranks, in the order of the archive.
pub(super) fn other_dumps(archive: &str, opened: &[u8], others: &[(&[u8], Rank)]) -> Option<ImportNote> {
    let names: Vec<String> =
        others.iter().filter(|(_, rank)| rank.is_dump() && rank.bytes > 0).map(|&(name, _)| printed(name)).collect();
    let more = names.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {} more", Count(more as u64)) };
    let listed = names.get(..NAMED).unwrap_or(&names).join(", ");
    let message = format!("{} of the {archive}{OTHER_DUMPS}{listed}{more}", printed(opened));
    ImportNote::if_any(Severity::Info, names.len() as u64, message, None)
}

/// A name from an archive, without control characters. A comma with a blank divides names, so that it has none.
fn printed(name: &[u8]) -> String {
    let name: String = String::from_utf8_lossy(name).chars().filter(|&c| !is_invisible(c)).take(NAME).collect();
    name.split(',').map(str::trim_start).collect::<Vec<_>>().join(",")
}

/// True for the first bytes of a dump that is not packed.
fn begins_dump(start: &[u8]) -> bool {
    let start = start.get(..SEARCHED).unwrap_or(start);
    let snapshot = start.trim_ascii_start().strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    snapshot.is_some_and(|rest| rest.starts_with(b"\"snapshot\""))
        || BEGINNINGS.iter().any(|begin| start.windows(begin.len()).any(|window| window == *begin))
}

/// True for attributes that macOS stores beside each file, under its name.
fn is_resource_fork(path: &[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    path.starts_with(b"__MACOSX/") || name.starts_with(b"._")
}

/// True if the name of a file is that of a dump, packed or not.
pub fn is_named_like_dump(path: &std::path::Path) -> bool {
    let name = path.file_name().map(std::ffi::OsStr::as_encoded_bytes).unwrap_or_default();
    !is_resource_fork(name) && has_name_of_dump(name)
}

fn has_name_of_dump(path: &[u8]) -> bool {
    let path = path.to_ascii_lowercase();
    let unpacked = PACKED.iter().find_map(|end| path.strip_suffix(*end));
    let path = unpacked.unwrap_or(&path);
    NAMES.iter().any(|end| path.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_are_told_from_other_entries() {
        for (start, name, is_dump) in [
            (&b"JAVA PROFILE 1.0.2\0"[..], &b"a"[..], true),
            (b"\0\x12portable heap dump", b"core.bin", true),
            (b" {\n \"snapshot\": {", b"x.json", true),
            (b"", b"a/App.HPROF.gz", true),
            (b"", b"java.hprof.txt", true),
            (b"", b"__MACOSX/a/app.hprof", false),
            (b"\0\x05\x16\x07", b"a/._app.hprof", false),
            (b"<html>", b"index.html", false),
        ] {
            assert_eq!(Rank::of(start, name, 9).is_dump(), is_dump, "{}", name.escape_ascii());
        }
    }

    #[test]
    fn a_note_names_other_dumps() {
        let rank = |bytes| Rank::of(b"JAVA PROFILE 1.0.2", b"", bytes);
        assert_eq!(other_dumps("zip", b"a", &[(b"empty", rank(0)), (b"readme", Rank::of(b"", b"readme", 9))]), None);
        let names: Vec<String> = (0..12).map(|n| format!("{n}.hprof")).collect();
        let others: Vec<(&[u8], Rank)> = names.iter().map(|name| (name.as_bytes(), rank(9))).collect();
        let note = other_dumps("zip", b"a\n.hprof", &others).unwrap();
        let start = "a.hprof of the zip file is opened; other dumps in it are not shown: 0.hprof, 1.hprof";
        assert!(note.message.starts_with(start) && note.message.ends_with("9.hprof and 2 more"), "{}", note.message);
        assert_eq!((note.count, note.severity), (12, Severity::Info));
    }
}
