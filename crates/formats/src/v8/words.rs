//! Strings known to rules, found while the string table is indexed.

use rustc_hash::{FxHashMap, FxHashSet};

use super::text::{self, TextMeasure};
use super::{weak_maps, weak_maps::Entry};

/// Names known to rules.
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
    Script,
    ScriptOrDebugInfo,
    Name,
    Truncated,
    Value,
    Prototype,
    Structure,
    HermesRoots,
    HoldsNothing,
    IdentityMap,
}

const WORDS: usize = Word::IdentityMap as usize + 1;

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
        b"script" => Word::Script,
        b"script_or_debug_info" => Word::ScriptOrDebugInfo,
        b"name" => Word::Name,
        b"truncated" => Word::Truncated,
        b"value" => Word::Value,
        b"__proto__" => Word::Prototype,
        b"Structure" => Word::Structure,
        b"(Custom)" | b"(RuntimeInstanceVars)" => Word::HermesRoots,
        b"(Internalized strings)" | b"(External strings)" | b"(Stack roots)" | b"(Handle scope)" => Word::HoldsNothing,
        _ => return None,
    })
}

/// Maximum length in bytes of an escaped string that may be one of the words, or begin with one.
const ESCAPED: usize = 4096;

/// Words found in one piece of the string table, by index in the piece.
#[derive(Default)]
pub(super) struct PieceWords {
    words: Vec<(u32, Word)>,
    entries: Vec<(u32, Entry)>,
    detached: Vec<u32>,
    lengths: Vec<u16>,
}

impl PieceWords {
    /// Examines a string as stored in the file.
    pub(super) fn see(&mut self, string: u32, raw: &[u8]) {
        self.lengths.push(u16::try_from(TextMeasure::of(raw).least_units()).unwrap_or(u16::MAX));
        if raw.first().is_some_and(u8::is_ascii_digit) || raw.starts_with(b"\\u003") {
            if raw.ends_with(b" / IdentityMapBase") {
                self.words.push((string, Word::IdentityMap));
            }
            if raw.ends_with(b")") || raw.ends_with(b"\\u0029") {
                self.entries.extend(weak_maps::entry(&text::decode(raw)).map(|entry| (string, entry)));
            }
            return;
        }
        let decoded;
        let raw = if raw.len() <= ESCAPED && raw.contains(&b'\\') {
            decoded = text::decode(raw);
            decoded.as_bytes()
        } else {
            raw
        };
        match raw.first() {
            Some(b'D') if raw.starts_with(b"Detached ") => self.detached.push(string),
            _ if raw.len() <= 27 => self.words.extend(word(raw).map(|word| (string, word))),
            _ => {}
        }
    }
}

/// Strings known to rules.
#[derive(Default)]
pub(super) struct KnownWords {
    /// Strings of each word, ascending: usually one.
    words: [Vec<u32>; WORDS],
    /// Names of edges that belong to WeakMap entries, ascending: the entry as a number, and the id of the table node.
    entries: Vec<(u32, u32, u64)>,
    /// Strings that begin with `Detached `, ascending.
    pub(super) detached: Vec<u32>,
    /// By string: the lowest number of UTF-16 code units that it may stand for, up to 65,535.
    pub(super) lengths: Vec<u16>,
}

impl KnownWords {
    /// Merges the findings of the pieces, given the first string of each.
    pub(super) fn new(seen: Vec<PieceWords>, firsts: impl Iterator<Item = u32>) -> Self {
        let mut known = Self::default();
        let mut texts = FxHashMap::default();
        for (seen, first) in seen.into_iter().zip(firsts) {
            for (string, word) in seen.words {
                known.words.get_mut(word as usize).into_iter().for_each(|of| of.push(first + string));
            }
            for (string, Entry { pair, table }) in seen.entries {
                let next = texts.len() as u32;
                known.entries.push((first + string, *texts.entry(pair).or_insert(next), table));
            }
            known.detached.extend(seen.detached.into_iter().map(|string| first + string));
            known.lengths.extend(seen.lengths);
        }
        known
    }

    /// True if a string is that word.
    #[inline]
    pub(super) fn is(&self, string: u32, word: Word) -> bool {
        let of_word = self.words.get(word as usize).map_or(&[][..], Vec::as_slice);
        // Nearly always there is one; a malformed table may have the word a million times.
        match of_word {
            [] => false,
            [one] => *one == string,
            many => many.binary_search(&string).is_ok(),
        }
    }

    /// WeakMap entry of an edge with this name, and the id of the table node.
    pub(super) fn entry(&self, name: u32) -> Option<(u32, u64)> {
        let at = self.entries.binary_search_by_key(&name, |&(name, ..)| name).ok()?;
        self.entries.get(at).map(|&(_, pair, table)| (pair, table))
    }

    /// Nodes that are WeakMap tables, by row, and their ids; `ids` are the lower halves of all ids, `wide` those that
    /// do not fit, by row.
    pub(super) fn tables(&self, ids: &[u32], wide: &[(u32, u64)]) -> FxHashMap<u32, u64> {
        let wanted: FxHashSet<u64> = self.entries.iter().map(|&(_, _, table)| table).collect();
        if wanted.is_empty() {
            return FxHashMap::default();
        }
        let is_wide = |row: u32| wide.binary_search_by_key(&row, |&(row, _)| row).is_ok();
        let narrow = (0_u32..).zip(ids).map(|(row, &id)| (row, u64::from(id)));
        let narrow = narrow.filter(|(row, id)| wanted.contains(id) && !is_wide(*row));
        narrow.chain(wide.iter().copied().filter(|(_, id)| wanted.contains(id))).collect()
    }

    /// True if there is any WeakMap entry.
    pub(super) fn has_entries(&self) -> bool {
        !self.entries.is_empty()
    }
}
