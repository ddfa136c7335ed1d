//! Strings of the table that rules speak of, found as the table is indexed.

use super::weak_maps::Entry;
use super::{text, weak_maps};

/// Names that rules speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    Object,
    Array,
    Elements,
    NativeContext,
    SloppyFunctionMap,
    MapDescriptors,
    ExternalStringData,
    ArrayBufferData,
    Documents,
    Prototype,
}

/// How many words there are.
const WORDS: usize = Word::Prototype as usize + 1;

fn word(raw: &[u8]) -> Option<Word> {
    Some(match raw {
        b"Object" => Word::Object,
        b"Array" => Word::Array,
        b"elements" => Word::Elements,
        b"system / NativeContext" => Word::NativeContext,
        b"sloppy_function_map" => Word::SloppyFunctionMap,
        b"(map descriptors)" => Word::MapDescriptors,
        b"system / ExternalStringData" => Word::ExternalStringData,
        b"system / JSArrayBufferData" => Word::ArrayBufferData,
        b"(Document DOM trees)" => Word::Documents,
        b"__proto__" => Word::Prototype,
        _ => return None,
    })
}

/// What was seen of one piece of the table, by place in the piece.
#[derive(Default)]
pub(super) struct Seen {
    words: Vec<(u32, Word)>,
    entries: Vec<(u32, Entry)>,
    detached: Vec<u32>,
}

impl Seen {
    /// Looks at a string as it stands in the file.
    pub(super) fn see(&mut self, string: u32, raw: &[u8]) {
        match raw.first() {
            Some(b'0'..=b'9') => {
                if raw.ends_with(b")")
                    && let Some(entry) = weak_maps::entry(&text::decode(raw))
                {
                    self.entries.push((string, entry));
                }
            }
            Some(b'D') if raw.starts_with(b"Detached ") => self.detached.push(string),
            _ if raw.len() <= 27 => self.words.extend(word(raw).map(|word| (string, word))),
            _ => {}
        }
    }
}

/// The strings that rules speak of.
#[derive(Default)]
pub(super) struct Known {
    /// Strings of each word: mostly one.
    words: [Vec<u32>; WORDS],
    /// Names of edges that belong to entries of WeakMaps, ascending: the entry they are of as a number, and the node
    /// that is the table.
    entries: Vec<(u32, u32, u64)>,
    /// Strings that begin with `Detached `, ascending.
    pub(super) detached: Vec<u32>,
}

impl Known {
    /// From what was seen of the pieces, and the first string of each.
    pub(super) fn new(seen: Vec<Seen>, firsts: impl Iterator<Item = u32>) -> Self {
        let mut known = Self::default();
        let mut texts = rustc_hash::FxHashMap::default();
        for (seen, first) in seen.into_iter().zip(firsts) {
            for (string, word) in seen.words {
                known.words.get_mut(word as usize).into_iter().for_each(|of| of.push(first + string));
            }
            for (string, Entry { pair, table }) in seen.entries {
                let next = texts.len() as u32;
                known.entries.push((first + string, *texts.entry(pair).or_insert(next), table));
            }
            known.detached.extend(seen.detached.into_iter().map(|string| first + string));
        }
        known
    }

    /// Whether a string is that word.
    #[inline]
    pub(super) fn is(&self, string: u32, word: Word) -> bool {
        self.words.get(word as usize).is_some_and(|of| of.contains(&string))
    }

    /// The entry of a WeakMap that an edge of this name belongs to, and the node that is the table.
    pub(super) fn entry(&self, name: u32) -> Option<(u32, u64)> {
        let at = self.entries.binary_search_by_key(&name, |&(name, ..)| name).ok()?;
        self.entries.get(at).map(|&(_, pair, table)| (pair, table))
    }

    /// Whether there is any entry of a WeakMap.
    pub(super) fn has_entries(&self) -> bool {
        !self.entries.is_empty()
    }
}
