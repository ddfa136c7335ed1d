//! What the writer of a snapshot records of the texts of flat strings, found once from its nodes and names and stored in
//! the index of the file. How much of a text a snapshot has is decided by it.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::engine::Engine;
use super::meta::NodeKind;
use super::summary::SummaryInput;
use super::text::TextMeasure;

/// Number of different sizes of strings with one name, from which on the name is no text: a text has up to three, by the
/// kinds of strings.
const SIZES: usize = 4;
/// Kinds of nodes that are always objects of V8's heap, which are aligned.
const ON_HEAP: [NodeKind; 5] =
    [NodeKind::String, NodeKind::ConcatenatedString, NodeKind::SlicedString, NodeKind::Array, NodeKind::Closure];

/// What the writer of a snapshot records of the texts of flat strings.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct TextRules {
    /// What it writes of a text.
    pub(super) writer: TextWriter,
    /// Length of the longest text in UTF-16 code units, at least: the writer cuts no shorter ones.
    pub(super) longest: u32,
    /// Names of strings that are not their texts, ascending.
    pub(super) placeholders: Vec<u32>,
    /// True if the texts were replaced by others of the same length, equal ones by equal ones.
    is_stripped: bool,
}

/// What a writer records of the text of a flat string.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum TextWriter {
    /// Cuts texts at a limit, 1,024 units unless a flag says otherwise. Characters follow a header.
    V8 { header: u8, alignment: u8 },
    /// Writes whole texts.
    Whole,
    /// Writes none.
    Nothing,
    /// Limits and layout of strings are unknown.
    #[default]
    Unknown,
}

impl TextRules {
    /// Rules of the engine that wrote a snapshot.
    pub(super) fn of(engine: Engine, input: &SummaryInput<'_>, is_stripped: bool) -> Self {
        let SummaryInput { nodes, known, .. } = *input;
        let rows = || (0..nodes.len()).into_par_iter().filter(|&row| input.kind(row) == NodeKind::String);
        let size = |row: usize| nodes.sizes.get(row).copied().unwrap_or_default();
        let writer = match engine {
            Engine::V8 | Engine::RecentV8 => {
                // With compressed pointers, and on machines of 32 bits, objects are aligned to four bytes.
                let is_on_heap = |row: &usize| ON_HEAP.contains(&input.kind(*row));
                let on_heap = (0..nodes.len()).into_par_iter().filter(is_on_heap);
                let is_narrow = on_heap.any(|row| !size(row).is_multiple_of(8));
                let (header, alignment) = if is_narrow { (12, 4) } else { (16, 8) };
                TextWriter::V8 { header, alignment }
            }
            Engine::Bun => TextWriter::Whole,
            Engine::JavaScriptCore => TextWriter::Nothing,
            Engine::ArkTs | Engine::Hermes | Engine::Julia => TextWriter::Unknown,
        };
        // Question marks stand for themselves in the replacements of a stripped text.
        let length = |row| {
            if is_stripped {
                input.strings.raw(input.file, input.name(row)).map(|raw| TextMeasure::of(raw).units)
            } else {
                known.lengths.get(input.name(row) as usize).copied().map(u32::from)
            }
        };
        let longest = rows().filter_map(length).max().unwrap_or_default();
        let mut placeholders = Vec::new();
        if writer == TextWriter::Unknown {
            let mut sizes: Vec<(u32, u64)> = rows().map(|row| (input.name(row), size(row))).collect();
            sizes.par_sort_unstable();
            sizes.dedup();
            let names = sizes.chunk_by(|a, b| a.0 == b.0).filter(|sizes| sizes.len() >= SIZES);
            placeholders.extend(names.filter_map(|sizes| sizes.first()).map(|&(name, _)| name));
        }
        Self { writer, longest, placeholders, is_stripped }
    }

    /// True if the texts were replaced by others.
    pub(super) fn is_stripped(&self) -> bool {
        self.is_stripped
    }
}
