//! Beginnings of concatenated strings (ropes). A text built by `text += line` is a chain with a link for each line, and
//! each link is a string of its own: computing the beginning of each would walk down the whole chain every time. Here a
//! distant link with the same beginning is found in a few steps, with the jump pointers of Myers ("An applicative
//! random-access stack", 1983).

use super::known_text::KnownText;

/// No rope.
pub(super) const NONE: u32 = u32::MAX;

/// All concatenated strings of a file. Lists are by index among these.
#[derive(Debug, Default)]
pub(super) struct Ropes {
    /// Their rows, ascending.
    rows: Vec<u32>,
    /// Parts of concatenated strings, by row; [`NONE`] if absent. Cached, since searching the edges of a malformed node
    /// may take long.
    parts: Vec<[u32; 2]>,
    /// Their texts. A cyclic part, as in malformed files, contributes nothing; a text with one is not whole.
    texts: Vec<KnownText>,
    /// Order of computation: parts come before strings that contain them, unless they are cyclic.
    order: Vec<u32>,
    /// First part if it is a rope; [`NONE`] if it is a plain string, or cyclic.
    first: Vec<u32>,
    /// Length of the chain of first parts from this row.
    depth: Vec<u32>,
    /// Rope further down the chain of first parts.
    jump: Vec<u32>,
}

impl Ropes {
    /// Ropes of `rows`, with the parts of each, not yet linked.
    pub(super) fn new(rows: Vec<u32>, parts: Vec<[u32; 2]>) -> Self {
        let count = rows.len();
        let list = |value| vec![value; count];
        let (order, first, depth, jump) = (list(NONE), list(NONE), list(0), list(NONE));
        Self { rows, parts, texts: vec![KnownText::default(); count], order, first, depth, jump }
    }

    /// Computes text and jump of a rope, given its number in the order of computation; `text_of` returns the text of a
    /// plain string.
    pub(super) fn link(&mut self, text_of: &mut dyn FnMut(u32) -> KnownText, at: u32, order: u32) {
        self.order.get_mut(at as usize).into_iter().for_each(|index| *index = order);
        let parts = self.parts(at);
        let mut text = KnownText::EMPTY;
        for part in parts {
            let more = match part.map(|part| (part, self.index_of(part))) {
                Some((_, Some(index))) if self.is_before(index, at) => self.text_at(index),
                Some((part, None)) => text_of(part),
                Some(_) | None => KnownText::default(),
            };
            text = text.followed_by(more);
        }
        self.texts.get_mut(at as usize).into_iter().for_each(|index| *index = text);
        let first = parts[0].and_then(|part| self.index_of(part)).filter(|&index| self.is_before(index, at));
        let depth = first.map_or(0, |first| get(&self.depth, first) + 1);
        let jump = first.map_or(at, |first| {
            let far = get(&self.jump, first);
            let farther = get(&self.jump, far);
            let [here, there, beyond] = [first, far, farther].map(|index| get(&self.depth, index));
            if here - there == there - beyond { farther } else { first }
        });
        let lists = [(&mut self.first, first.unwrap_or(NONE)), (&mut self.depth, depth), (&mut self.jump, jump)];
        for (list, value) in lists {
            list.get_mut(at as usize).into_iter().for_each(|index| *index = value);
        }
    }

    /// True if a part was computed before the string that contains it: the others are cyclic.
    fn is_before(&self, part: u32, rope: u32) -> bool {
        get(&self.order, part) < get(&self.order, rope)
    }

    /// Parts of a row without cycles and empty strings.
    pub(super) fn parts_of(&self, row: u32) -> [Option<u32>; 2] {
        let Some(rope) = self.index_of(row) else { return [None; 2] };
        let says = |part: &u32| {
            let index = self.index_of(*part);
            index.is_none_or(|index| self.is_before(index, rope) && self.units_at(index) > 0)
        };
        self.parts(rope).map(|part| part.filter(says))
    }

    pub(super) fn parts(&self, at: u32) -> [Option<u32>; 2] {
        let parts = self.parts.get(at as usize).copied().unwrap_or([NONE; 2]);
        parts.map(|part| Some(part).filter(|&part| part != NONE))
    }

    /// Index of the rope of a row; `None` if it is not a rope.
    pub(super) fn index_of(&self, row: u32) -> Option<u32> {
        self.rows.binary_search(&row).ok().map(|index| index as u32)
    }

    /// Text of a row, if it is a rope.
    pub(super) fn text(&self, row: u32) -> Option<KnownText> {
        self.index_of(row).map(|index| self.text_at(index))
    }

    fn text_at(&self, index: u32) -> KnownText {
        self.texts.get(index as usize).copied().unwrap_or_default()
    }

    fn units_at(&self, index: u32) -> u32 {
        u32::try_from(self.text_at(index).hash.units).unwrap_or(u32::MAX)
    }

    /// Last string on the chain of first parts from a row whose text has at least `most` units: the row's text begins
    /// with these units.
    pub(super) fn beginning(&self, row: u32, most: u32) -> u32 {
        let Some(mut at) = self.index_of(row).filter(|&index| self.units_at(index) >= most) else { return row };
        let is_enough = |index: u32| index != NONE && self.units_at(index) >= most;
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

fn get(list: &[u32], index: u32) -> u32 {
    list.get(index as usize).copied().unwrap_or_default()
}
