//! Strings in the representations of V8, as its snapshots have them: cut texts, slices, texts outside of the heap. The texts
//! themselves are known, so that what a reader says of them can be checked.

use super::snapshot::{Snapshot, Text};
use crate::random::Random;

/// How a snapshot is written.
#[derive(Debug, Clone, Copy)]
pub struct TextForm {
    /// Longest text that is written whole, in UTF-16 code units; 0 for no limit.
    pub limit: usize,
    /// True for 64-bit machines without compressed pointers.
    pub is_wide: bool,
    /// True if each string refers to its hidden class.
    pub has_maps: bool,
    /// True if each string has its length, and says if it is cut, as since 2026.
    pub has_lengths: bool,
}

/// Representation of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Representation {
    /// Characters in the string itself.
    Sequential,
    /// Characters outside of the heap.
    External,
    /// Two other strings.
    Concatenated(usize, usize),
    /// Part of another string.
    Slice(usize),
}

/// A string: its node, its text, and how it is represented.
#[derive(Debug, Clone)]
pub struct KnownString {
    /// Node of the snapshot.
    pub node: usize,
    /// Its whole text.
    pub text: Vec<u16>,
    /// How it is represented.
    pub representation: Representation,
    /// True if the file shows all of its text.
    pub is_recorded: bool,
}

/// A snapshot of strings that are all reachable.
#[derive(Debug, Default)]
pub struct KnownStrings {
    /// The snapshot.
    pub snapshot: Snapshot,
    /// Its strings, in the order of their nodes.
    pub strings: Vec<KnownString>,
    holder: usize,
}

impl KnownStrings {
    /// Random strings, many of which are equal or begin alike.
    pub fn random(seed: u64, form: TextForm) -> Self {
        let mut random = Random::new(seed);
        let mut known = Self::default();
        let root = known.snapshot.add("synthetic", "", 1, 0);
        known.holder = known.snapshot.add("object", "global", 3, 16);
        known.snapshot.name(root, "shortcut", "0: global", known.holder);
        let function = known.snapshot.add("closure", "function", 5, if form.is_wide { 64 } else { 28 });
        known.snapshot.name(known.holder, "property", "function", function);
        let count = random.between(5, 60);
        for _ in 0..count {
            let any = |random: &mut Random, known: &Self| random.below(known.strings.len() as u32) as usize;
            match random.below(8) {
                0 if !known.strings.is_empty() => known.slice(any(&mut random, &known), &mut random, form),
                1 | 2 if !known.strings.is_empty() => {
                    let parts = (any(&mut random, &known), any(&mut random, &known));
                    known.concatenated(parts, form);
                }
                3 => known.flat(text(&mut random, form), Representation::External, form),
                _ => known.flat(text(&mut random, form), Representation::Sequential, form),
            }
        }
        // Texts of strings outside of the heap are whole if the limit is known to be higher.
        let written = |string: &KnownString| match string.representation {
            Representation::Sequential | Representation::External if form.limit > 0 => {
                form.limit.min(string.text.len())
            }
            Representation::Sequential | Representation::External => string.text.len(),
            Representation::Concatenated(..) | Representation::Slice(_) => 0,
        };
        let longest = known.strings.iter().map(written).max().unwrap_or(0);
        for at in 0..known.strings.len() {
            let string = &known.strings[at];
            let is_long = string.text.len() + string.text.iter().filter(|&&unit| unit > 0xff).count() >= longest;
            known.strings[at].is_recorded = match string.representation {
                Representation::Sequential => {
                    // A size is rounded up to that of a text that is cut.
                    let size = known.snapshot.nodes[string.node].self_size as usize;
                    let is_narrow = string.text.iter().all(|&unit| unit <= 0xff);
                    let is_sure = size < sequential((longest + 1) * if is_narrow { 1 } else { 2 }, form);
                    is_whole(&string.text, form) && (!is_long || is_sure || form.has_lengths)
                }
                Representation::External => is_whole(&string.text, form) && (!is_long || form.has_lengths),
                Representation::Concatenated(first, second) => {
                    known.strings[first].is_recorded && known.strings[second].is_recorded
                }
                Representation::Slice(_) => false,
            };
        }
        known
    }

    fn add(
        &mut self,
        kind: &'static str,
        name: Text,
        size: usize,
        text: Vec<u16>,
        representation: Representation,
    ) -> usize {
        let id = self.snapshot.nodes.len() as u64 * 2 + 1;
        let node = self.snapshot.add(kind, name, id, size as u64);
        self.snapshot.number(self.holder, "element", node as u32, node);
        self.strings.push(KnownString { node, text, representation, is_recorded: false });
        node
    }

    fn properties(&mut self, node: usize, map: &str, length: usize, form: TextForm) {
        let is_flat = !map.starts_with("Cons") && !map.starts_with("Sliced");
        if form.has_maps {
            let id = self.snapshot.nodes.len() as u64 * 2 + 1;
            let map = self.snapshot.add("hidden", format!("system / Map ({map})"), id, 72);
            self.snapshot.name(node, "internal", "map", map);
        }
        if form.has_lengths {
            let id = self.snapshot.nodes.len() as u64 * 2 + 1;
            let number = self.snapshot.add("number", "int", id, 0);
            let value = self.snapshot.add("string", length.to_string(), id + 2, 0);
            self.snapshot.name(node, "internal", "length", number);
            self.snapshot.name(number, "internal", "value", value);
            if is_flat && form.limit > 0 && length > form.limit {
                let truth = self.snapshot.add("number", "bool", id + 4, 0);
                let value = self.snapshot.add("string", "true", id + 6, 0);
                self.snapshot.name(node, "internal", "truncated", truth);
                self.snapshot.name(truth, "internal", "value", value);
            }
        }
    }

    fn flat(&mut self, text: Vec<u16>, representation: Representation, form: TextForm) {
        let is_narrow = text.iter().all(|&unit| unit <= 0xff);
        let size = match representation {
            Representation::External if form.is_wide => 32,
            Representation::External => 20,
            _ => sequential(text.len() * if is_narrow { 1 } else { 2 }, form),
        };
        let length = text.len();
        let node = self.add("string", Text(written(&text, form)), size, text, representation);
        let narrow = if is_narrow { "OneByte" } else { "" };
        let outside = if representation == Representation::External { "External" } else { "" };
        self.properties(node, &format!("{outside}{narrow}String"), length, form);
    }

    fn concatenated(&mut self, (first, second): (usize, usize), form: TextForm) {
        let [one, other] = [first, second].map(|part| &self.strings[part]);
        let text = [&one.text[..], &other.text].concat();
        let parts = [one.node, other.node];
        // The engine has no others.
        if one.text.is_empty() || other.text.is_empty() || text.len() > 20_000 {
            return;
        }
        let length = text.len();
        let name = "(concatenated string)".into();
        let size = if form.is_wide { 32 } else { 20 };
        let node = self.add("concatenated string", name, size, text, Representation::Concatenated(first, second));
        self.snapshot.name(node, "internal", "first", parts[0]);
        self.snapshot.name(node, "internal", "second", parts[1]);
        self.properties(node, "ConsString", length, form);
    }

    fn slice(&mut self, parent: usize, random: &mut Random, form: TextForm) {
        let KnownString { node: parent_node, text, representation, .. } = &self.strings[parent];
        // The engine refers to the whole one.
        if matches!(representation, Representation::Slice(_)) {
            return;
        }
        let parent_node = *parent_node;
        let from = random.below(text.len() as u32 + 1) as usize;
        let part = text[from..].to_vec();
        let length = part.len();
        let size = if form.is_wide { 32 } else { 20 };
        let node = self.add("sliced string", "(sliced string)".into(), size, part, Representation::Slice(parent));
        self.snapshot.name(node, "internal", "parent", parent_node);
        self.properties(node, "SlicedString", length, form);
    }
}

/// Size of a string with so many bytes of characters.
fn sequential(characters: usize, form: TextForm) -> usize {
    let (header, alignment) = if form.is_wide { (16, 8) } else { (12, 4_usize) };
    (header + characters).next_multiple_of(alignment)
}

/// A text of the letters of the alphabet, sometimes with others, around the limit or short.
fn text(random: &mut Random, form: TextForm) -> Vec<u16> {
    let limit = if form.limit == 0 { 64 } else { form.limit } as u32;
    let length = match random.below(4) {
        0 => random.between(limit.saturating_sub(2), limit + 9),
        1 => random.pick(&[limit, limit * 2, limit * 3]).to_owned(),
        _ => random.below(6),
    } as usize;
    let mut text: Vec<u16> = (0..length).map(|at| u16::from(b'a') + (at % 7) as u16).collect();
    let letters = [u16::from(b'x'), 0xe9, 0x436, 0xd83d, 0xfffd];
    for _ in 0..random.below(3) {
        if let Some(unit) = (!text.is_empty()).then(|| random.below(text.len() as u32) as usize) {
            text[unit] = *random.pick(&letters);
        }
    }
    if random.one_in(6) {
        text.extend("\u{1f600}".encode_utf16());
    }
    text
}

/// The characters that V8 writes of a text: three question marks for half of a pair, and for U+FFFD.
fn written(text: &[u16], form: TextForm) -> Vec<u16> {
    let limit = if form.limit == 0 { text.len() } else { form.limit.min(text.len()) };
    let mut written = Vec::new();
    for character in char::decode_utf16(text[..limit].iter().copied()) {
        match character {
            Ok(char::REPLACEMENT_CHARACTER) | Err(_) => written.extend("???".encode_utf16()),
            Ok(character) => written.extend_from_slice(character.encode_utf16(&mut [0; 2])),
        }
    }
    written
}

/// True if the writer changes nothing of a text.
fn is_whole(text: &[u16], form: TextForm) -> bool {
    written(text, form) == text
}
