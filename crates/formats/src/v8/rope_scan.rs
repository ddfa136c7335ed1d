//! Finds all concatenated strings of a file and links them.

use rustc_hash::FxHashMap;

use super::numbers::{MOST_FIELDS, Records};
use super::ropes::{NONE, Ropes};
use super::{known_text::KnownText, meta::NodeKind, reader::SnapshotReader};

/// Reads all ropes of a file. Single-threaded, since other threads may be waiting for the result.
pub(super) fn read_ropes(reader: SnapshotReader<'_>) -> Ropes {
    let rows = rows(reader);
    let count = rows.len();
    let part = |part: Option<u32>| part.unwrap_or(NONE);
    let parts = rows.iter().map(|&row| reader.node(row).map_or([NONE; 2], |node| reader.parts(&node).map(part)));
    let parts = parts.collect();
    let mut ropes = Ropes::new(rows, parts);
    let mut leaves = Leaves { reader, known: FxHashMap::default() };
    let mut states = vec![State::New; count];
    let (mut waiting, mut done) = (Vec::new(), 0);
    for index in 0..count as u32 {
        waiting.push(index);
        while let Some(&at) = waiting.last() {
            let Some(state) = states.get_mut(at as usize) else { break };
            match state {
                State::New => {
                    *state = State::Open;
                    let parts = ropes.parts(at);
                    let ropes = parts.iter().flatten().filter_map(|&part| ropes.index_of(part));
                    waiting.extend(ropes.filter(|&part| states.get(part as usize) == Some(&State::New)));
                    continue;
                }
                State::Open => {
                    *state = State::Done;
                    ropes.link(&mut |row| leaves.text(row), at, done);
                    done += 1;
                }
                State::Done => {}
            }
            waiting.pop();
        }
    }
    ropes
}

/// Progress of the computation for one string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// Plain strings at the leaves of ropes.
struct Leaves<'a> {
    reader: SnapshotReader<'a>,
    /// Texts by row, since one may be part of many ropes.
    known: FxHashMap<u32, KnownText>,
}

impl Leaves<'_> {
    fn text(&mut self, row: u32) -> KnownText {
        let reader = self.reader;
        *self
            .known
            .entry(row)
            .or_insert_with(|| reader.node(row).map_or_else(KnownText::default, |node| reader.known_flat(&node, row)))
    }
}

/// The rows of all ropes.
fn rows(reader: SnapshotReader<'_>) -> Vec<u32> {
    let SnapshotReader { file, index, meta, .. } = reader;
    let end = usize::try_from(index.nodes.end).unwrap_or(usize::MAX);
    let (Some(array), Some(&offset)) = (file.get(..end), index.nodes.blocks.first()) else { return Vec::new() };
    let mut records = Records::at(array, offset, meta.node.count, 0, index.nodes.count);
    let (mut record, mut rows) = ([0; MOST_FIELDS], Vec::new());
    while let Some((row, _)) = records.next(&mut record) {
        let of = record.get(meta.node.kind).and_then(|&of| u8::try_from(of).ok()).unwrap_or(u8::MAX);
        if meta.node_kind(of) == NodeKind::ConcatenatedString {
            rows.extend(u32::try_from(row));
        }
    }
    rows
}
