//! How much of the text of a string a snapshot has. V8 writes the beginning only of long strings and nothing of slices;
//! other engines write the name of a class where they have no text. A text counts as whole only if that is proven: by the
//! size of the string, by its recorded length, or because a longer text shows that the writer had not reached its limit.

use super::known_text::KnownText;
use super::meta::{EdgeKind, NodeKind};
use super::reader::{Node, SnapshotReader};
use super::text::{self, TextMeasure};
use super::text_hash::TextHash;
use super::text_rules::TextWriter;
use heaplens_heap::RecordedText;

/// Names that V8 and Bun give to strings whose text they do not write.
const SLICED: &[u8] = b"(sliced string)";
const CONCATENATED: &[u8] = b"(concatenated string)";
const BUN: &[u8] = b"string";

/// Whether the size of a string is that of its text with one byte a unit, and with two.
#[derive(Debug, Clone, Copy)]
struct FittingWidths {
    narrow: bool,
    wide: bool,
}

impl SnapshotReader<'_> {
    /// True for a string that is not put together from others here.
    pub(super) fn is_flat(self, node: &Node) -> bool {
        match node.kind {
            NodeKind::String | NodeKind::SlicedString => true,
            // Bun writes the text of a string that it has joined.
            NodeKind::ConcatenatedString => {
                self.index.texts.writer == TextWriter::Whole && !self.is_named(node, CONCATENATED)
            }
            NodeKind::Other => self.meta.node_type(node.of) == "slicedstring",
            _ => false,
        }
    }

    fn is_named(self, node: &Node, name: &[u8]) -> bool {
        self.index.strings.raw(self.file, node.name) == Some(name)
    }

    /// How much of the text of a flat string is its name.
    pub(super) fn recorded_flat(self, node: &Node, row: u32) -> RecordedText {
        let rules = &self.index.texts;
        let Some(raw) = self.index.strings.raw(self.file, node.name) else { return RecordedText::Nothing };
        if node.kind != NodeKind::String && raw == SLICED {
            return RecordedText::Nothing;
        }
        match rules.writer {
            TextWriter::Nothing => RecordedText::Nothing,
            TextWriter::Whole if raw == BUN => RecordedText::Nothing,
            TextWriter::Whole => RecordedText::Whole,
            TextWriter::Unknown if raw.is_empty() || rules.placeholders.binary_search(&node.name).is_ok() => {
                RecordedText::Nothing
            }
            TextWriter::Unknown => {
                let measure = TextMeasure::of(raw);
                if measure.most_units() < rules.longest {
                    RecordedText::Whole
                } else {
                    RecordedText::Beginning { units: measure.units.into(), total: None, is_exact: false }
                }
            }
            TextWriter::V8 { header, alignment } => {
                let TextMeasure { units, wide, marks } = TextMeasure::of(raw);
                // Replacements of a stripped text have other characters, and none that V8 changed.
                let (wide, marks) = if rules.is_stripped() { (0, 0) } else { (wide, marks) };
                let measure = TextMeasure { units, wide, marks };
                let size_of = |bytes: u64| (u64::from(header) + bytes).next_multiple_of(u64::from(alignment).max(1));
                let (units, cut) = (u64::from(units), u64::from(rules.longest) + 1);
                // A string that is cut is longer than all texts, and the size may be rounded to the same.
                let fits = |width: u64| node.size == size_of(units * width) && node.size < size_of(cut * width);
                let is_less_possible = marks > 0 && node.size == size_of(units.saturating_sub(2) * 2);
                let fits = FittingWidths { narrow: fits(1), wide: fits(2) && !is_less_possible };
                let is_short = measure.most_units() < rules.longest;
                if marks == 0 && (is_short || if wide > 0 { fits.wide } else { fits.narrow }) {
                    return RecordedText::Whole;
                }
                self.recorded_long(row, units, fits, node.size.saturating_sub(header.into()))
            }
        }
    }

    /// The same for a string of V8 that may be cut, by what its edges say. `bytes` is its size without header.
    fn recorded_long(self, row: u32, units: u64, fits: FittingWidths, bytes: u64) -> RecordedText {
        if let Some(length) = self.length(row) {
            let total = Some(length).filter(|&length| length > units);
            return if length == units && !self.is_cut(row) {
                RecordedText::Whole
            } else {
                RecordedText::Beginning { units, total, is_exact: total.is_some() }
            };
        }
        let unknown = RecordedText::Beginning { units, total: None, is_exact: false };
        let map = self.follow(row, EdgeKind::Internal, "map").and_then(|map| self.node(map));
        let Some(map) = map.map(|map| self.name(&map)).filter(|map| map.starts_with("system / Map (")) else {
            return unknown;
        };
        // Characters of these are elsewhere: the size says nothing of them.
        if map.contains("External") || map.contains("Thin") {
            return unknown;
        }
        let is_narrow = map.contains("OneByte");
        if if is_narrow { fits.narrow } else { fits.wide } {
            return RecordedText::Whole;
        }
        let total = if is_narrow { bytes } else { bytes / 2 };
        if total > units { RecordedText::Beginning { units, total: Some(total), is_exact: false } } else { unknown }
    }

    /// Length of a string in UTF-16 code units, in snapshots that record it.
    pub(super) fn length(self, row: u32) -> Option<u64> {
        let number = self.follow(row, EdgeKind::Internal, "length")?;
        self.number(number)?.parse().ok()
    }

    /// True if V8 says that it cut a text.
    fn is_cut(self, row: u32) -> bool {
        let says = self.follow(row, EdgeKind::Internal, "truncated").and_then(|says| self.number(says));
        says.as_deref() == Some("true")
    }

    /// What the file has of the text of a flat string.
    pub(super) fn known_flat(self, node: &Node, row: u32) -> KnownText {
        let hash = || self.index.strings.raw(self.file, node.name).map(text::hash).unwrap_or_default();
        match self.recorded_flat(node, row) {
            RecordedText::Whole => KnownText { hash: hash(), is_whole: true },
            recorded => {
                let mut hash = if recorded == RecordedText::Nothing { TextHash::default() } else { hash() };
                hash.units += u64::from(recorded.is_cut());
                KnownText { hash, is_whole: false }
            }
        }
    }
}
