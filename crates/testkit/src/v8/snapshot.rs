//! Snapshot as plain data: nodes with their edges, and optional sections. Nodes and edges refer to each other by index,
//! kinds by name; the writer assigns all numbers.

use std::fmt;

/// JavaScript text: UTF-16, possibly with unpaired surrogates.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(pub Vec<u16>);

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.encode_utf16().collect())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf16_lossy(&self.0))
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf16_lossy(&self.0))
    }
}

/// Name of an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// Index in the string table.
    Name(Text),
    /// Number, for elements.
    Index(u32),
}

/// A reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// `property`, `element`, `weak` ...
    pub kind: &'static str,
    /// Its name or index.
    pub label: Label,
    /// Index of the target node.
    pub to: usize,
}

impl Edge {
    /// An edge with a name.
    pub fn named(kind: &'static str, name: impl Into<Text>, to: usize) -> Self {
        Self { kind, label: Label::Name(name.into()), to }
    }

    /// An edge with a number.
    pub fn numbered(kind: &'static str, index: u32, to: usize) -> Self {
        Self { kind, label: Label::Index(index), to }
    }
}

/// Node: an object, or another structure that V8 counts as one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// `object`, `closure`, `native` ...
    pub kind: &'static str,
    /// Its name.
    pub name: Text,
    /// Id, constant during its lifetime.
    pub id: u64,
    /// Shallow size in bytes.
    pub self_size: u64,
    /// 0 unknown, 1 attached, 2 detached.
    pub detachedness: u64,
    /// Call tree node of its allocation; 0 for none.
    pub trace_node: u64,
    /// Outgoing edges.
    pub edges: Vec<Edge>,
}

/// Script position of a function, or of the constructor of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields of the format, by their own names")]
pub struct Location {
    pub node: usize,
    pub script: u32,
    pub line: u32,
    pub column: u32,
}

/// Highest id assigned at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields of the format, by their own names")]
pub struct Sample {
    pub timestamp_us: u64,
    pub last_assigned_id: u64,
}

/// Function in an allocation stack.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields of the format, by their own names")]
pub struct Function {
    pub id: u64,
    pub name: Text,
    pub script_name: Text,
    pub script: u32,
    pub line: u32,
    pub column: u32,
}

/// Call tree node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceNode {
    /// Id by which nodes refer to it.
    pub id: u64,
    /// Place of its function.
    pub function: usize,
    /// Number of objects ever allocated here.
    pub count: u64,
    /// Their bytes.
    pub size: u64,
    /// Whom it called.
    pub children: Vec<TraceNode>,
}

/// Complete snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// Index of the root: the first or the last node.
    pub root: usize,
    /// Locations; of several for one node, the last wins.
    pub locations: Vec<Location>,
    /// Samples, if allocations were tracked.
    pub samples: Vec<Sample>,
    /// Functions, if stacks were recorded.
    pub functions: Vec<Function>,
    /// The tree of calls.
    pub calls: Option<TraceNode>,
    /// Bytes outside all nodes, if known.
    pub extra_native_bytes: Option<u64>,
}

impl Snapshot {
    /// Adds a node and returns its index.
    pub fn add(&mut self, kind: &'static str, name: impl Into<Text>, id: u64, self_size: u64) -> usize {
        self.nodes.push(Node { kind, name: name.into(), id, self_size, ..Node::default() });
        self.nodes.len() - 1
    }

    /// Adds an edge with a name.
    pub fn name(&mut self, from: usize, kind: &'static str, name: impl Into<Text>, to: usize) {
        self.nodes[from].edges.push(Edge::named(kind, name, to));
    }

    /// Adds an edge with a number.
    pub fn number(&mut self, from: usize, kind: &'static str, index: u32, to: usize) {
        self.nodes[from].edges.push(Edge::numbered(kind, index, to));
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.nodes.iter().map(|node| node.edges.len()).sum()
    }

    /// Removes the nodes for which `stays` returns false, and edges to them. The root always stays.
    #[must_use]
    pub fn only(&self, mut stays: impl FnMut(usize) -> bool) -> Self {
        let mut new_index = vec![None; self.nodes.len()];
        let mut left = Self { nodes: Vec::new(), ..self.clone() };
        for (at, node) in self.nodes.iter().enumerate() {
            if at == self.root || stays(at) {
                new_index[at] = Some(left.nodes.len());
                left.nodes.push(Node { edges: Vec::new(), ..node.clone() });
            }
        }
        for (node, &to) in self.nodes.iter().zip(&new_index) {
            let Some(to) = to else { continue };
            let edges = node.edges.iter().filter_map(|edge| Some(Edge { to: new_index[edge.to]?, ..edge.clone() }));
            left.nodes[to].edges = edges.collect();
        }
        let located = self.locations.iter().filter_map(|of| Some(Location { node: new_index[of.node]?, ..*of }));
        left.locations = located.collect();
        left.root = new_index[self.root].unwrap_or_default();
        left
    }

    /// The same snapshot with its nodes reordered: first the node at `order[0]`, and so on.
    #[must_use]
    pub fn in_order(&self, order: &[usize]) -> Self {
        let mut new_index = vec![0; order.len()];
        order.iter().enumerate().for_each(|(to, &from)| new_index[from] = to);
        let mut moved = Self { nodes: Vec::new(), root: new_index[self.root], ..self.clone() };
        moved.nodes = order.iter().map(|&from| self.nodes[from].clone()).collect();
        moved.nodes.iter_mut().flat_map(|node| &mut node.edges).for_each(|edge| edge.to = new_index[edge.to]);
        moved.locations.iter_mut().for_each(|location| location.node = new_index[location.node]);
        moved
    }

    /// The same snapshot with the root after all other nodes, which the format allows.
    #[must_use]
    pub fn root_last(&self) -> Self {
        let others = (0..self.nodes.len()).filter(|&node| node != self.root);
        self.in_order(&others.chain([self.root]).collect::<Vec<_>>())
    }
}
