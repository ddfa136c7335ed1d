//! Display names of nodes, as in DevTools: the text of concatenated strings, plain objects by their property names.

use super::meta::{EdgeKind, NodeKind};
use super::reader::{Edge, Node, SnapshotReader};
use super::rope_scan::read_ropes;
use super::text::{self, units};

/// Maximum length of a concatenated text, in UTF-16 code units.
const JOINED: usize = 1024;
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
    /// ones; `None` for other nodes.
    pub(super) fn text(self, node: &Node, row: u32, most: usize) -> Option<String> {
        let beginning = || {
            let raw = self.index.strings.raw(self.file, node.name);
            raw.map(|raw| text::beginning(raw, most)).unwrap_or_default()
        };
        match node.kind {
            NodeKind::String | NodeKind::SlicedString => Some(beginning()),
            // A character may be two units.
            NodeKind::ConcatenatedString => Some(self.joined(row, most.min(LONGEST) * 2, text::beginning)),
            NodeKind::Other if self.meta.node_type(node.of) == "slicedstring" => Some(beginning()),
            _ => None,
        }
    }

    /// Text of a concatenated string: its leaves from first to last, at least `most` units if it has that many.
    fn joined(self, row: u32, most: usize, decode: fn(&[u8], usize) -> String) -> String {
        // Most are shallow. Indexing the links pays off once there is a deep one, or a cycle. (A cycle beyond the
        // requested length is not detected: reading all links for every long text would take seconds.)
        let mut seen = Vec::new();
        let unless_seen = |at, node: &Node| {
            let is_new = !seen.contains(&at);
            seen.push(at);
            is_new.then(|| self.parts(node))
        };
        if self.ropes.get().is_none()
            && let Ok(text) = self.walk(row, (most, SHALLOW), decode, |at, _| at, unless_seen)
        {
            return text;
        }
        let ropes = self.ropes.get_or_init(|| read_ropes(self));
        let wanted = ropes.units(row).unwrap_or_default().min(u32::try_from(most).unwrap_or(u32::MAX));
        // Every leaf contributes text, except for the empty one of a rope that the engine has flattened: only malformed
        // strings take more steps.
        let steps = wanted as usize * 8 + SHALLOW;
        let skip = |at, wanted: usize| ropes.beginning(at, u32::try_from(wanted).unwrap_or(u32::MAX));
        let parts = |at, _: &Node| Some(ropes.parts_of(at));
        self.walk(row, (most, steps), decode, skip, parts).unwrap_or_else(|text| text)
    }

    /// Beginning of a concatenated text with [`JOINED`] units, for comparisons. Links of a chain begin alike: their
    /// text is computed once.
    fn joined_to_compare(self, row: u32) -> String {
        let joined = |row| self.joined(row, JOINED, |raw, _| text::comparable(raw));
        let known = self.ropes.get().map(|ropes| (ropes, ropes.beginning(row, JOINED as u32)));
        match known.filter(|&(_, link)| link != row) {
            Some((ropes, link)) => ropes.beginning_text(link, joined),
            None => joined(row),
        }
    }

    /// Visits the leaves from first to last, up to `most` units. `skip` maps a string and the number of units still
    /// needed to a string with the same beginning; `parts` returns the parts of one.
    ///
    /// # Errors
    /// The text so far, if the number of steps was not enough or `parts` returned nothing.
    fn walk(
        self,
        row: u32,
        (most, steps): (usize, usize),
        decode: fn(&[u8], usize) -> String,
        skip: impl Fn(u32, usize) -> u32,
        mut parts: impl FnMut(u32, &Node) -> Option<[Option<u32>; 2]>,
    ) -> Result<String, String> {
        let (mut text, mut length, mut waiting) = (String::new(), 0, vec![row]);
        for _ in 0..steps {
            let Some(at) = waiting.pop().filter(|_| length < most) else { return Ok(text) };
            let at = skip(at, most - length);
            let Some(node) = self.node(at) else { continue };
            if node.kind == NodeKind::ConcatenatedString {
                let Some(parts) = parts(at, &node) else { return Err(text) };
                waiting.extend(parts.into_iter().rev().flatten());
                continue;
            }
            let leaf = self.index.strings.raw(self.file, node.name);
            let leaf = leaf.map(|leaf| decode(leaf, most - length)).unwrap_or_default();
            length += units(&leaf);
            text.push_str(&leaf);
        }
        Err(text)
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

    /// Text used to compare strings: limited in length, concatenated as in DevTools.
    pub(super) fn comparable(self, node: &Node, row: u32) -> Option<String> {
        match node.kind {
            NodeKind::String => self.index.strings.raw(self.file, node.name).map(text::comparable),
            NodeKind::ConcatenatedString => Some(self.joined_to_compare(row)),
            _ => None,
        }
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
