//! Display names of nodes, as in DevTools: the text of concatenated strings, plain objects by their property names.

use super::known_text::KnownText;
use super::meta::{EdgeKind, NodeKind};
use super::reader::{Edge, Node, SnapshotReader};
use super::rope_scan::read_ropes;
use super::text::{self, units};
use heaplens_heap::{RecordedText, contents::MISSING};

/// Maximum length of a concatenated text that is read for itself, in UTF-16 code units.
const JOINED: u64 = 1024;
/// Maximum length of the property names of a plain object, in UTF-16 code units.
const NAMES: usize = 100;
/// Maximum number of properties of an object to read: files may be malformed.
const PROPERTIES: usize = 1 << 16;
/// Number of parts of a concatenated string after which it counts as deep.
const SHALLOW: usize = 256;
/// Maximum length of a requested text in characters: a file of a few kilobytes can describe petabytes.
const LONGEST: usize = 1 << 20;

impl SnapshotReader<'_> {
    /// Text of a string of any kind: at least `most` characters if it has that many, at most a million for concatenated
    /// ones, with [`MISSING`] for what the file does not have; `None` for other nodes, and if the file has nothing of it.
    pub(super) fn text(self, node: &Node, row: u32, most: usize) -> Option<String> {
        match node.kind {
            _ if self.is_flat(node) => self.flat_text(node, row, most),
            // A character may be two units.
            NodeKind::ConcatenatedString => Some(self.joined(row, most.min(LONGEST) * 2)),
            _ => None,
        }
    }

    fn flat_text(self, node: &Node, row: u32, most: usize) -> Option<String> {
        let recorded = self.recorded_flat(node, row);
        let raw = self.index.strings.raw(self.file, node.name).filter(|_| recorded != RecordedText::Nothing)?;
        let mut text = text::beginning(raw, most);
        // After more than `most` characters it is left out with them.
        if recorded.is_cut() {
            text.push(MISSING);
        }
        Some(text)
    }

    /// How much of the text of a string of any kind the file has.
    pub(super) fn recorded_text(self, node: &Node, row: u32) -> RecordedText {
        match node.kind {
            _ if self.is_flat(node) => self.recorded_flat(node, row),
            NodeKind::ConcatenatedString if self.joined_text(row).is_whole => RecordedText::Whole,
            NodeKind::ConcatenatedString => RecordedText::Parts,
            _ => RecordedText::Nothing,
        }
    }

    /// What the file has of the text of a string of any kind.
    pub(super) fn known_text(self, node: &Node, row: u32) -> Option<KnownText> {
        match node.kind {
            _ if self.is_flat(node) => Some(self.known_flat(node, row)),
            NodeKind::ConcatenatedString => Some(self.joined_text(row)),
            _ => None,
        }
    }

    /// Text of a concatenated string: its leaves from first to last, at least `most` units if it has that many.
    fn joined(self, row: u32, most: usize) -> String {
        // Most are shallow. Indexing the links pays off once there is a deep one, or a cycle. (A cycle beyond the
        // requested length is not detected: reading all links for every long text would take seconds.)
        let mut joined = JoinedText { reader: self, most, text: String::new(), units: 0 };
        if self.ropes.get().is_none() && self.walk(row, SHALLOW, |at, _| at, self.unseen_parts(), &mut joined).is_some()
        {
            return joined.text;
        }
        let ropes = self.ropes.get_or_init(|| read_ropes(self));
        let wanted = ropes.text(row).map_or(0, |text| text.hash.units).min(most as u64);
        // Every leaf contributes text, except for the empty one of a rope that the engine has flattened: only malformed
        // strings take more steps.
        let steps = wanted as usize * 8 + SHALLOW;
        let skip = |at, wanted: usize| ropes.beginning(at, u32::try_from(wanted).unwrap_or(u32::MAX));
        let parts = |at, _: &Node| Some(ropes.parts_of(at));
        joined = JoinedText { text: String::new(), units: 0, ..joined };
        // What there is after so many steps.
        let _is_complete = self.walk(row, steps, skip, parts, &mut joined);
        joined.text
    }

    /// What the file has of the text of a concatenated string. That of a short one is put together here, of others once for
    /// all: they may share long parts.
    fn joined_text(self, row: u32) -> KnownText {
        let mut short = ShortText { reader: self, known: KnownText::EMPTY };
        if self.ropes.get().is_none() && self.walk(row, SHALLOW, |at, _| at, self.whole_parts(), &mut short).is_some() {
            return short.known;
        }
        self.ropes.get_or_init(|| read_ropes(self)).text(row).unwrap_or_default()
    }

    /// Parts of a concatenated string; `None` for one that was visited before.
    fn unseen_parts(self) -> impl FnMut(u32, &Node) -> Option<[Option<u32>; 2]> {
        let mut seen = Vec::new();
        move |at, node| {
            let is_new = !seen.contains(&at);
            seen.push(at);
            is_new.then(|| self.parts(node))
        }
    }

    /// The same, and `None` for one without two parts.
    fn whole_parts(self) -> impl FnMut(u32, &Node) -> Option<[Option<u32>; 2]> {
        let mut unseen = self.unseen_parts();
        move |at, node| unseen(at, node).filter(|parts| parts.iter().all(Option::is_some))
    }

    /// Visits the leaves from first to last, until `leaves` has enough. `skip` maps a string and the number of units still
    /// needed to a string with the same beginning; `parts` returns the parts of one. `None` if the number of steps was not
    /// enough, `parts` returned nothing, or a leaf was refused.
    fn walk(
        self,
        row: u32,
        steps: usize,
        skip: impl Fn(u32, usize) -> u32,
        mut parts: impl FnMut(u32, &Node) -> Option<[Option<u32>; 2]>,
        leaves: &mut impl Leaves,
    ) -> Option<()> {
        let mut waiting = vec![row];
        for _ in 0..steps {
            let Some(at) = waiting.pop().filter(|_| leaves.missing() > 0) else { return Some(()) };
            let at = skip(at, leaves.missing());
            let Some(node) = self.node(at) else { continue };
            if node.kind == NodeKind::ConcatenatedString {
                waiting.extend(parts(at, &node)?.into_iter().rev().flatten());
                continue;
            }
            leaves.add(&node, at)?;
        }
        None
    }

    /// The two parts of a concatenated string.
    pub(super) fn parts(self, node: &Node) -> [Option<u32>; 2] {
        let mut parts = [None; 2];
        for edge in self.edges_of(node).filter(|edge| edge.kind == EdgeKind::Internal) {
            if self.is_called(&edge, "first") {
                parts[0] = Some(edge.to);
            } else if self.is_called(&edge, "second") {
                parts[1] = Some(edge.to);
            }
        }
        parts
    }

    /// Label of a plain object from its properties: `{id, name, …, total}`, with names alternating from front and back.
    pub(super) fn plain(self, node: &Node) -> String {
        let properties: Vec<Edge> =
            self.edges_of(node).take(PROPERTIES).filter(|edge| edge.kind == EdgeKind::Property).collect();
        let name = |edge: &Edge| Some(self.edge_name(edge)).filter(|name| name != "__proto__");
        let (mut front, mut back): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let (mut from, mut to, mut length) = (0, properties.len(), 0);
        while from < to {
            let at_front = front.len() <= back.len();
            let Some(edge) = properties.get(if at_front { from } else { to - 1 }) else { break };
            let name = name(edge);
            let more = name.as_deref().map_or(0, units);
            if name.is_some() && length > 0 && length + more > NAMES {
                break;
            }
            if at_front {
                from += 1;
            } else {
                to -= 1;
            }
            length += if name.is_some() { more + 2 } else { 0 };
            if at_front { &mut front } else { &mut back }.extend(name);
        }
        if from < to {
            front.push("…".to_owned());
        }
        front.extend(back.into_iter().rev());
        format!("{{{}}}", front.join(", "))
    }
}

/// Receives the leaves of a concatenated string.
trait Leaves {
    /// Number of units still needed.
    fn missing(&self) -> usize;
    /// Adds a leaf; `None` to end the walk without a result.
    fn add(&mut self, node: &Node, row: u32) -> Option<()>;
}

/// Beginning of a concatenated text.
struct JoinedText<'a> {
    reader: SnapshotReader<'a>,
    /// Wanted units.
    most: usize,
    text: String,
    units: usize,
}

impl Leaves for JoinedText<'_> {
    fn missing(&self) -> usize {
        self.most.saturating_sub(self.units)
    }

    fn add(&mut self, node: &Node, row: u32) -> Option<()> {
        let leaf = self.reader.flat_text(node, row, self.missing()).unwrap_or_else(|| MISSING.to_string());
        self.units += units(&leaf);
        self.text.push_str(&leaf);
        Some(())
    }
}

/// Text of a short concatenated string.
struct ShortText<'a> {
    reader: SnapshotReader<'a>,
    known: KnownText,
}

impl Leaves for ShortText<'_> {
    fn missing(&self) -> usize {
        usize::MAX
    }

    fn add(&mut self, node: &Node, row: u32) -> Option<()> {
        self.known = self.known.followed_by(self.reader.known_flat(node, row));
        (self.known.hash.units <= JOINED).then_some(())
    }
}
