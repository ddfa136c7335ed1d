//! Labels of nodes: their name, or the value of an object of the language's library, as far as the snapshot has it.
//! Values of numbers are only in snapshots that were taken with them.

use super::meta::{EdgeKind, NodeKind};
use super::reader::{Edge, Node, SnapshotReader};
use crate::moment::moment_of_millis;
use heaplens_base::Count;

/// Maximum length of a label in characters.
const LABEL: usize = 80;
/// Maximum number of edges of a node to read: files may be malformed.
const EDGES: usize = 1 << 12;
/// Milliseconds before and after 1970 that a date may have.
const DATES: f64 = 8.64e15;
/// Class of what a promise that is not settled refers to.
const PENDING: &str = "system / PromiseReaction";

impl SnapshotReader<'_> {
    /// Label of a node, of at most 80 characters and `…`; empty if it has none.
    pub(super) fn label(self, node: &Node, row: u32) -> String {
        let label = match node.kind {
            NodeKind::String | NodeKind::ConcatenatedString | NodeKind::SlicedString => {
                self.text(node, row, LABEL + 1).or_else(|| self.slice(node)).unwrap_or_default()
            }
            NodeKind::Object => match self.name(node) {
                name if name == "Object" => self.plain(node),
                name => self.value(node, &name).unwrap_or(name),
            },
            NodeKind::Closure => self.function(node),
            NodeKind::RegExp => format!("/{}/", self.name(node)),
            NodeKind::Array => {
                let name = self.name(node);
                if name.is_empty() { "(internal array)".to_owned() } else { format!("{name}[]") }
            }
            NodeKind::Number => self.number(row).unwrap_or_else(|| self.name(node)),
            _ => self.symbol(node).unwrap_or_else(|| self.name(node)),
        };
        match label.char_indices().nth(LABEL) {
            Some((at, _)) => format!("{}…", label.get(..at).unwrap_or_default()),
            None => label,
        }
    }

    /// Value of an object, by the name of its class.
    fn value(self, node: &Node, class: &str) -> Option<String> {
        match class {
            "Date" => self.date(node),
            "Number" | "String" | "Symbol" => self.wrapped(node),
            "ArrayBuffer" | "SharedArrayBuffer" => self.bytes(node).map(|bytes| format!("{} bytes", Count(bytes))),
            "DataView" | "Buffer" => self.view(node),
            "Promise" => self.result(node),
            "WeakRef" => {
                let target = self.edges_of(node).take(EDGES).find(|edge| edge.kind == EdgeKind::Weak)?;
                self.described(target.to)
            }
            "URL" => {
                let context = self.property(node, "#context")?;
                self.text_of(self.property(&self.node(context)?, "href")?)
            }
            _ if is_error(class) => self.text_of(self.property(node, "message")?),
            _ if class.ends_with("Array") && class != "Array" => self.view(node),
            _ => None,
        }
    }

    /// The text that a slice is a part of. Which part is not in the snapshot.
    fn slice(self, node: &Node) -> Option<String> {
        Some(format!("part of \"{}\"", self.text_of(self.internal(node, "parent")?)?))
    }

    fn find(self, node: &Node, kind: EdgeKind, name: &str) -> Option<u32> {
        let is_it = |edge: &Edge| edge.kind == kind && self.is_called(edge, name);
        self.edges_of(node).take(EDGES).find(is_it).map(|edge| edge.to)
    }

    fn internal(self, node: &Node, name: &str) -> Option<u32> {
        self.find(node, EdgeKind::Internal, name)
    }

    fn property(self, node: &Node, name: &str) -> Option<u32> {
        self.find(node, EdgeKind::Property, name)
    }

    fn text_of(self, row: u32) -> Option<String> {
        self.text(&self.node(row)?, row, LABEL + 1)
    }

    /// A text in quotes, a number, or the name of an object.
    fn described(self, row: u32) -> Option<String> {
        let node = self.node(row)?;
        if let Some(text) = self.text(&node, row, LABEL + 1) {
            return Some(format!("\"{text}\""));
        }
        Some(match node.kind {
            NodeKind::Number => self.number(row).unwrap_or_else(|| "number".to_owned()),
            NodeKind::Closure => self.function(&node),
            NodeKind::Object if self.name(&node) == "Object" => self.plain(&node),
            _ => {
                let name = self.name(&node);
                match self.property(&node, "message").filter(|_| is_error(&name)).and_then(|text| self.text_of(text)) {
                    Some(message) => format!("{name}: {message}"),
                    None => name,
                }
            }
        })
    }

    /// Description of a symbol; `None` for other nodes.
    fn symbol(self, node: &Node) -> Option<String> {
        if node.kind != NodeKind::Other || self.meta.node_type(node.of) != "symbol" {
            return None;
        }
        Some(format!("Symbol({})", self.text_of(self.internal(node, "name")?)?))
    }

    /// True of an object whose class has this name in the file.
    pub(super) fn is_called_node(self, node: &Node, name: &str) -> bool {
        node.kind == NodeKind::Object && self.name(node) == name
    }

    /// True of a function that has a name of its own, as bound ones do not.
    pub(super) fn is_named_function(self, node: &Node) -> bool {
        node.kind == NodeKind::Closure && self.internal(node, "bound_function").is_none()
    }

    fn function(self, node: &Node) -> String {
        let name = self.name(node);
        // A bound function has no name of its own.
        if let Some(bound) = self.internal(node, "bound_function").and_then(|bound| self.node(bound)) {
            return format!("bound {}()", self.name(&bound));
        }
        if name.is_empty() { "(anonymous)".to_owned() } else { format!("{name}()") }
    }

    /// Targets of the edges that have a number only, by which V8 names fields without a property.
    fn unnamed(self, node: &Node) -> impl Iterator<Item = u32> {
        self.edges_of(node).take(EDGES).filter(|edge| edge.kind == EdgeKind::Hidden).map(|edge| edge.to)
    }

    /// The moment of a date. Its other fields are small numbers, which have no node, or not a number as it is.
    fn date(self, node: &Node) -> Option<String> {
        let is_number = |&row: &u32| self.node(row).is_some_and(|node| node.kind == NodeKind::Number);
        let millis: f64 = self.number(self.unnamed(node).find(is_number)?)?.parse().ok()?;
        if millis.is_nan() {
            return Some("Invalid Date".to_owned());
        }
        (millis.abs() <= DATES).then(|| moment_of_millis(millis as i64))
    }

    /// Value of a `Number`, `String` or `Symbol` object.
    fn wrapped(self, node: &Node) -> Option<String> {
        self.unnamed(node).find_map(|row| {
            let node = self.node(row)?;
            match node.kind {
                NodeKind::Number => self.number(row),
                _ => self.text(&node, row, LABEL + 1).or_else(|| self.symbol(&node)),
            }
        })
    }

    /// Size in bytes of the contents of a buffer.
    fn bytes(self, buffer: &Node) -> Option<u64> {
        Some(self.node(self.internal(buffer, "backing_store")?)?.size)
    }

    /// Size of the buffer below a view. The length of the view itself is not in the snapshot.
    fn view(self, node: &Node) -> Option<String> {
        let buffer = self.node(self.internal(node, "buffer")?)?;
        self.bytes(&buffer).map(|bytes| format!("buffer of {} bytes", Count(bytes)))
    }

    /// Result of a promise. Whether it is a value or an error is not in the snapshot.
    fn result(self, node: &Node) -> Option<String> {
        let result = self.internal(node, "reactions_or_result")?;
        Some(match self.described(result)? {
            name if name == PENDING => "pending".to_owned(),
            name => format!("settled: {name}"),
        })
    }
}

fn is_error(class: &str) -> bool {
    class.ends_with("Error") || class == "DOMException"
}
