//! Finds all concatenated strings of a file and links them.

use rustc_hash::FxHashMap;

use super::numbers::{MOST_FIELDS, Records};
use super::ropes::{NONE, Ropes};
use super::text::{decode, units};
use super::{meta::NodeKind, reader::SnapshotReader};

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
    for place in 0..count as u32 {
        waiting.push(place);
        while let Some(&at) = waiting.last() {
            let Some(state) = states.get_mut(at as usize) else { break };
            match state {
                State::New => {
                    *state = State::Open;
                    let parts = ropes.parts(at);
                    let ropes = parts.iter().flatten().filter_map(|&part| ropes.place(part));
                    waiting.extend(ropes.filter(|&part| states.get(part as usize) == Some(&State::New)));
                    continue;
                }
                State::Open => {
                    *state = State::Done;
                    ropes.link(&mut |row| leaves.units(row), at, done);
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
    /// Length in UTF-16 code units by string index, since one may be part of many ropes.
    known: FxHashMap<u32, u32>,
}

impl Leaves<'_> {
    fn units(&mut self, row: u32) -> u32 {
        let SnapshotReader { file, index, .. } = self.reader;
        let Some(node) = self.reader.node(row) else { return 0 };
        *self.known.entry(node.name).or_insert_with(|| {
            let raw = index.strings.raw(file, node.name).unwrap_or_default();
            units(&decode(raw)).min(u32::MAX as usize) as u32
        })
    }
}

/// The rows of all ropes.
fn rows(reader: SnapshotReader<'_>) -> Vec<u32> {
    let SnapshotReader { file, index, meta, .. } = reader;
    let end = usize::try_from(index.nodes.end).unwrap_or(usize::MAX);
    let (Some(array), Some(&place)) = (file.get(..end), index.nodes.places.first()) else { return Vec::new() };
    let mut records = Records::at(array, place, meta.node.count, 0, index.nodes.count);
    let (mut record, mut rows) = ([0; MOST_FIELDS], Vec::new());
    while let Some((row, _)) = records.next(&mut record) {
        let of = record.get(meta.node.kind).and_then(|&of| u8::try_from(of).ok()).unwrap_or(u8::MAX);
        if meta.node_kind(of) == NodeKind::ConcatenatedString {
            rows.extend(u32::try_from(row));
        }
    }
    rows
}
