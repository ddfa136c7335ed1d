//! Parts 7.1, 7.3 and 7.4: classes and their table.

use std::collections::HashMap;

use super::Snapshot;
use super::distances::NONE;
use super::graph::{Graph, Text};
use super::shapes::{self, Shape};

/// Key of a class while the table is built.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A string of the file, by its place.
    File(usize),
    /// A key with "Detached " before the name.
    Detached(usize),
    /// A name that a rule made.
    Made(Text),
    /// The name of a shape.
    Shape(String),
    /// Script, line and column of the constructor.
    At([u64; 3], Text),
}

/// Class of each node.
pub(in super::super) struct Classes {
    pub(in super::super) names: Vec<Text>,
    pub(super) keys: Vec<Key>,
}

impl Classes {
    /// Classes of a snapshot, its plain objects called by these shapes.
    pub(super) fn new(graph: &Graph, shapes: &[Shape]) -> Self {
        let (names, keys) = (0..graph.nodes.len()).map(|node| class(graph, node, shapes)).unzip();
        Self { names, keys }
    }
}

fn class(graph: &Graph, at: usize, shapes: &[Shape]) -> (Text, Key) {
    let node = &graph.nodes[at];
    let own = || if node.renamed { Key::Detached(node.string) } else { Key::File(node.string) };
    let made = |name: Text| (name.clone(), Key::Made(name));
    let (name, key) = match &*node.kind {
        "hidden" => made("(system)".into()),
        "code" => made("(compiled code)".into()),
        "closure" => made("Function".into()),
        "regexp" => made("RegExp".into()),
        "object" if node.name.is("Object") => match shapes::of(graph, at, shapes) {
            Some(shape) => (shape.name.as_str().into(), Key::Shape(shape.name.clone())),
            None => (node.name.clone(), own()),
        },
        "object" | "native" if node.name.starts_with("<") => made(cut(&node.name, 0)),
        "object" | "native" if node.name.starts_with("Detached <") => made(cut(&node.name, 10)),
        "object" | "native" => (node.name.clone(), own()),
        kind => made(format!("({kind})").as_str().into()),
    };
    match node.location {
        Some(location) if graph.is(at, "object") => (name.clone(), Key::At(location, name)),
        _ => (name, key),
    }
}

/// `<div id="a">` is `<div>`.
fn cut(name: &Text, from: usize) -> Text {
    match name.0[from.min(name.0.len())..].iter().position(|&byte| byte == b' ') {
        Some(blank) => [&name.0[..from + blank], b">"].concat().into(),
        None => name.clone(),
    }
}

/// A row of the table of classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Group {
    /// Key by which it is found in another snapshot: `,name` or `script,line,column,name`.
    pub(in super::super) key: String,
    pub(in super::super) name: String,
    /// Places of the objects, in order.
    pub(in super::super) members: Vec<usize>,
    pub(in super::super) self_size: u64,
    pub(in super::super) retained: u64,
    /// The least; -5 if a member has none.
    pub(in super::super) distance: i64,
    /// True if DevTools loses the group because another has its key.
    pub(in super::super) is_lost: bool,
}

pub(super) fn table(of: &Snapshot, shown: impl Fn(usize) -> bool) -> Vec<Group> {
    table_by(of, &of.classes, shown)
}

pub(super) fn table_by(of: &Snapshot, classes: &Classes, shown: impl Fn(usize) -> bool) -> Vec<Group> {
    let counts = |node: usize| of.sizes[node] != 0 && shown(node);
    let (mut index, mut groups) = (HashMap::new(), Vec::<Group>::new());
    for node in (0..of.sizes.len()).filter(|&node| counts(node)) {
        let (key, name) = (&classes.keys[node], classes.names[node].to_string());
        let at = *index.entry(key).or_insert(groups.len());
        if at == groups.len() {
            let key = match key {
                Key::At([script, line, column], name) => format!("{script},{line},{column},{name}"),
                _ => format!(",{name}"),
            };
            let (members, distance) = (Vec::new(), of.distances[node]);
            groups.push(Group { key, name, members, self_size: 0, retained: 0, distance, is_lost: false });
        }
        let group = &mut groups[at];
        group.members.push(node);
        group.self_size += of.sizes[node];
        group.distance = group.distance.min(of.distances[node]);
        // A node dominated by another of its class is counted there.
        let mut above = node;
        let inside = loop {
            if above == of.graph.root {
                break false;
            }
            above = of.dominators[above];
            if counts(above) && classes.keys[above] == *key {
                break true;
            }
        };
        group.retained += if inside { 0 } else { of.retained[node] };
        assert!(group.distance >= NONE);
    }
    for at in 0..groups.len() {
        groups[at].is_lost = groups[at + 1..].iter().any(|other| other.key == groups[at].key);
    }
    groups
}
