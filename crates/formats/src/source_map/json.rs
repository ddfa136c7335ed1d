//! The JSON of a source map, and where it is in a script.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::decode::base64;

/// Size of a file in bytes that is no source map, or script with one, any more.
pub const LARGEST: u64 = 1 << 27;
/// Maximum number of files, names and sections of a map.
const ENTRIES: usize = 1 << 21;
/// Bytes at the end of a script in which the comment with its map begins, unless the map is in it.
const COMMENT: &[u8] = b"sourceMappingURL=";

/// A map, or the sections of one. The text of the sources is not read.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct MapFile {
    pub(super) version: Option<u32>,
    pub(super) file: Option<String>,
    pub(super) source_root: Option<String>,
    pub(super) sources: Option<Limited<Option<String>>>,
    pub(super) names: Option<Limited<String>>,
    pub(super) mappings: Option<String>,
    pub(super) sections: Option<Limited<Section>>,
}

/// Part of a map, from a position on. One whose map is in another file has none.
#[derive(Deserialize)]
pub(super) struct Section {
    pub(super) offset: Offset,
    pub(super) map: Option<MapFile>,
}

/// Position of a section.
#[derive(Deserialize)]
pub(super) struct Offset {
    pub(super) line: u32,
    pub(super) column: u32,
}

/// A list of at most [`ENTRIES`] entries.
pub(super) struct Limited<T>(pub(super) Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Limited<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Limited<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Limited<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = list.next_element()? {
                    if entries.len() == ENTRIES {
                        return Err(A::Error::custom("too many entries"));
                    }
                    entries.push(entry);
                }
                Ok(Limited(entries))
            }
        }

        deserializer.deserialize_seq(Entries(PhantomData))
    }
}

/// The JSON of a file. It may begin with a line that keeps pages from running it as a script.
pub(super) fn without_guard(file: &[u8]) -> &[u8] {
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    if !file.starts_with(b")]}") {
        return file;
    }
    let end = memchr::memchr(b'\n', file).unwrap_or(file.len());
    file.get(end..).unwrap_or_default()
}

/// The map in the last comment of a script, as a data URL; or the address that the comment has.
pub fn inline_map(script: &[u8]) -> Option<Result<Vec<u8>, &str>> {
    let at = memchr::memmem::rfind(script, COMMENT)?;
    let line = script.get(at + COMMENT.len()..)?;
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let address = line.get(..end)?;
    let Some(data) = address.strip_prefix(b"data:") else { return std::str::from_utf8(address).ok().map(Err) };
    let comma = memchr::memchr(b',', data)?;
    let (kind, text) = data.split_at_checked(comma)?;
    kind.ends_with(b";base64").then(|| base64(text.get(1..)?)).flatten().map(Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_comment_of_a_script_has_its_map_or_the_address() {
        let inline = |text: &str| inline_map(text.as_bytes()).map(|map| map.map_err(str::to_owned));
        let prefix = "f();\n//# sourceMappingURL=";
        assert_eq!(inline(&format!("{prefix}data:application/json;base64,e30=\n")), Some(Ok(b"{}".to_vec())));
        assert_eq!(
            inline(&format!("{prefix}data:application/json;charset=utf-8;base64,e30=")),
            Some(Ok(b"{}".to_vec()))
        );
        assert_eq!(inline(&format!("{prefix}a.js.map\n")), Some(Err("a.js.map".to_owned())));
        for other in ["", "f();", "//# sourceMappingURL=data:", "//# sourceMappingURL=data:application/json,%7B%7D"] {
            assert_eq!(inline(other), None, "{other}");
        }
    }
}
