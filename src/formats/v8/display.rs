//! What nodes are called where people see them, as DevTools does: texts that are joined of others, plain objects by the
//! names of their properties.

use super::meta::{EdgeKind, NodeKind};
use super::reading::{Edge, Node, Reading};
use super::text::{self, units};

/// UTF-16 units of a text that is joined of others.
const JOINED: usize = 1024;
/// UTF-16 units of the names of a plain object's properties.
const NAMES: usize = 100;
/// Parts of a joined text, and properties of an object, that are looked at: files may be made up.
const STEPS: usize = 1 << 16;

impl Reading<'_> {
    /// The text of a string, whatever kind it is; `None` for other nodes.
    pub(super) fn text(self, node: &Node, row: u32, most: usize) -> Option<String> {
        match node.kind {
            NodeKind::String | NodeKind::SlicedString => Some(self.name(node)),
            NodeKind::ConcatenatedString => Some(self.joined(row, most, text::decode)),
            NodeKind::Other if self.meta.node_type(node.of) == "slicedstring" => Some(self.name(node)),
            _ => None,
        }
    }

    /// The text of a string that is joined of others: its leaves from the first to the last.
    fn joined(self, row: u32, most: usize, decode: fn(&[u8]) -> String) -> String {
        let (mut text, mut length, mut waiting, mut steps) = (String::new(), 0, vec![row], 0);
        while let Some(at) = waiting.pop().filter(|_| length < most && steps < STEPS) {
            steps += 1;
            let Some(node) = self.node(at) else { continue };
            if node.kind != NodeKind::ConcatenatedString {
                let leaf = self.index.strings.raw(self.file, node.name).map(decode).unwrap_or_default();
                length += units(&leaf);
                text.push_str(&leaf);
                continue;
            }
            let (mut first, mut second) = (None, None);
            for edge in self.edges_of(&node).filter(|edge| edge.kind == EdgeKind::Internal) {
                if self.is_called(&edge, "first") {
                    first = Some(edge.to);
                } else if self.is_called(&edge, "second") {
                    second = Some(edge.to);
                }
            }
            waiting.extend(second.into_iter().chain(first));
        }
        text
    }

    /// The text by which strings are told to be equal: at most so many units, as DevTools joins them.
    pub(super) fn comparable(self, node: &Node, row: u32) -> Option<String> {
        match node.kind {
            NodeKind::String => self.index.strings.raw(self.file, node.name).map(text::comparable),
            NodeKind::ConcatenatedString => Some(self.joined(row, JOINED, text::comparable)),
            _ => None,
        }
    }

    /// A plain object by its properties: `{id, name, …, total}`, names from the front and the back in turn.
    pub(super) fn plain(self, node: &Node) -> String {
        let properties: Vec<Edge> =
            self.edges_of(node).take(STEPS).filter(|edge| edge.kind == EdgeKind::Property).collect();
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
