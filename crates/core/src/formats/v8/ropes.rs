//! Beginnings of concatenated strings (ropes). A text built by `text += line` is a chain with a link for each line, and
//! each link is a string of its own: computing the beginning of each would walk down the whole chain every time. Here a
//! distant link with the same beginning is found in a few steps, with the jump pointers of Myers ("An applicative
//! random-access stack", 1983).

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::meta::NodeKind;
use super::numbers::{MOST_FIELDS, Records};
use super::reader::SnapshotReader;
use super::text::{decode, units};

/// No rope.
const NONE: u32 = u32::MAX;
/// Number of cached beginnings, of about a kilobyte each.
const TEXTS: usize = 1 << 10;

/// All concatenated strings of a file. Lists are by index among these.
#[derive(Debug, Default)]
pub(super) struct Ropes {
    /// Their rows, ascending.
    rows: Vec<u32>,
    /// Parts of concatenated strings, by row; [`NONE`] if absent. Cached, since searching the edges of a malformed node
    /// may take long.
    parts: Vec<[u32; 2]>,
    /// Length of their texts in UTF-16 code units. A cyclic part, as in malformed files, contributes nothing.
    units: Vec<u32>,
    /// Order of computation: parts come before strings that contain them, unless they are cyclic.
    order: Vec<u32>,
    /// First part if it is a rope; [`NONE`] if it is a plain string, or cyclic.
    first: Vec<u32>,
    /// Length of the chain of first parts from this row.
    depth: Vec<u32>,
    /// Rope further down the chain of first parts.
    jump: Vec<u32>,
    /// Cached beginnings of some rows, which many requested strings share.
    texts: Mutex<FxHashMap<u32, String>>,
}

impl Ropes {
    /// Reads all ropes of a file. Single-threaded, since other threads may be waiting for the result.
    pub(super) fn read(reader: SnapshotReader<'_>) -> Self {
        let rows = rows(reader);
        let count = rows.len();
        let list = |value| vec![value; count];
        let (units, order, first, depth, jump) = (list(0), list(NONE), list(NONE), list(0), list(NONE));
        let part = |part: Option<u32>| part.unwrap_or(NONE);
        let parts = rows.iter().map(|&row| reader.node(row).map_or([NONE; 2], |node| reader.parts(&node).map(part)));
        let parts = parts.collect();
        let mut ropes = Self { rows, parts, units, order, first, depth, jump, texts: Mutex::default() };
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
                        ropes.link(&mut leaves, at, done);
                        done += 1;
                    }
                    State::Done => {}
                }
                waiting.pop();
            }
        }
        ropes
    }

    /// Computes length and jump of a rope, given its number in the order of computation.
    fn link(&mut self, leaves: &mut Leaves<'_>, at: u32, order: u32) {
        self.order.get_mut(at as usize).into_iter().for_each(|place| *place = order);
        let parts = self.parts(at);
        let mut long = 0_u32;
        for part in parts.into_iter().flatten() {
            let more = match self.place(part) {
                Some(place) if self.is_before(place, at) => get(&self.units, place),
                Some(_) => 0,
                None => leaves.units(part),
            };
            long = long.saturating_add(more);
        }
        let first = parts[0].and_then(|part| self.place(part)).filter(|&place| self.is_before(place, at));
        let depth = first.map_or(0, |first| get(&self.depth, first) + 1);
        let jump = first.map_or(at, |first| {
            let far = get(&self.jump, first);
            let farther = get(&self.jump, far);
            let [here, there, beyond] = [first, far, farther].map(|place| get(&self.depth, place));
            if here - there == there - beyond { farther } else { first }
        });
        let lists = [
            (&mut self.units, long),
            (&mut self.first, first.unwrap_or(NONE)),
            (&mut self.depth, depth),
            (&mut self.jump, jump),
        ];
        for (list, value) in lists {
            list.get_mut(at as usize).into_iter().for_each(|place| *place = value);
        }
    }

    /// True if a part was computed before the string that contains it: the others are cyclic.
    fn is_before(&self, part: u32, whole: u32) -> bool {
        get(&self.order, part) < get(&self.order, whole)
    }

    /// Parts of a row without cycles and empty strings.
    pub(super) fn parts_of(&self, row: u32) -> [Option<u32>; 2] {
        let Some(whole) = self.place(row) else { return [None; 2] };
        let says = |part: &u32| {
            let place = self.place(*part);
            place.is_none_or(|place| self.is_before(place, whole) && get(&self.units, place) > 0)
        };
        self.parts(whole).map(|part| part.filter(says))
    }

    fn parts(&self, at: u32) -> [Option<u32>; 2] {
        let parts = self.parts.get(at as usize).copied().unwrap_or([NONE; 2]);
        parts.map(|part| Some(part).filter(|&part| part != NONE))
    }

    /// Index of the rope of a row; `None` if it is not a rope.
    fn place(&self, row: u32) -> Option<u32> {
        self.rows.binary_search(&row).ok().map(|place| place as u32)
    }

    /// UTF-16 units of the text of a row, if it is a rope.
    pub(super) fn units(&self, row: u32) -> Option<u32> {
        self.place(row).map(|place| get(&self.units, place))
    }

    /// Beginning of the text of a row: computed by `make`, unless it is in the cache.
    pub(super) fn beginning_text(&self, row: u32, make: impl FnOnce(u32) -> String) -> String {
        let texts = || self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = texts().get(&row) {
            return text.clone();
        }
        let text = make(row);
        let mut texts = texts();
        if texts.len() >= TEXTS {
            texts.clear();
        }
        texts.insert(row, text.clone());
        text
    }

    /// Last string on the chain of first parts from a row whose text has at least `most` units: the row's text begins
    /// with these units.
    pub(super) fn beginning(&self, row: u32, most: u32) -> u32 {
        let Some(mut at) = self.place(row).filter(|&place| get(&self.units, place) >= most) else { return row };
        let is_enough = |place: u32| place != NONE && get(&self.units, place) >= most;
        loop {
            let (jump, first) = (get(&self.jump, at), get(&self.first, at));
            if jump != at && is_enough(jump) {
                at = jump;
            } else if is_enough(first) {
                at = first;
            } else {
                return self.rows.get(at as usize).copied().unwrap_or(row);
            }
        }
    }
}

/// Progress of the computation for one string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

fn get(list: &[u32], place: u32) -> u32 {
    list.get(place as usize).copied().unwrap_or_default()
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
