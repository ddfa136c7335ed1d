//! A snapshot of V8 with a marker in every place that can carry a text.

use std::collections::BTreeMap;

use heaplens_heap::value_rules::DataKind;
use serde_json::{Value, json};

use heaplens_testkit::v8::form::{EDGE_TYPES, NODE_TYPES};

use super::marked_place::{MarkedPlaces, Shown};

/// Type, name and target.
type Edge = (usize, usize, usize);

struct Maker {
    marked_places: MarkedPlaces,
    strings: Vec<String>,
    known: BTreeMap<String, usize>,
    /// Type, name, detachedness, edges.
    nodes: Vec<(usize, usize, u64, Vec<Edge>)>,
}

impl Maker {
    fn string(&mut self, text: &str) -> usize {
        let next = self.strings.len();
        let at = *self.known.entry(text.to_owned()).or_insert(next);
        if at == next {
            self.strings.push(text.to_owned());
        }
        at
    }

    fn node(&mut self, kind: &str, name: &str) -> usize {
        let name = self.string(name);
        self.nodes.push((NODE_TYPES.iter().position(|of| *of == kind).expect("a type"), name, 0, Vec::new()));
        self.nodes.len() - 1
    }

    fn edge(&mut self, from: usize, kind: &str, name: &str, to: usize) {
        let name = self.string(name);
        let kind = EDGE_TYPES.iter().position(|of| *of == kind).expect("a type");
        self.nodes[from].3.push((kind, name, to));
    }

    /// A node that the global object holds.
    fn held(&mut self, kind: &str, name: &str) -> usize {
        let node = self.node(kind, name);
        let property = format!("held{node}");
        self.edge(GLOBAL, "property", &property, node);
        node
    }
}

const GLOBAL: usize = 2;

/// The snapshot and its places.
pub(super) fn planted() -> (Vec<u8>, MarkedPlaces) {
    use Shown::Never;
    let mut m =
        Maker { marked_places: MarkedPlaces::new('v'), strings: Vec::new(), known: BTreeMap::new(), nodes: Vec::new() };
    m.string("<dummy>");
    let root = m.node("synthetic", "");
    m.node("synthetic", "(GC roots)");
    let [user, password, host, folder, query, fragment] = [
        "user of a URL",
        "password of a URL",
        "host of a URL",
        "folder of a URL",
        "query of a URL",
        "fragment of a URL",
    ]
    .map(|name| m.marked_places.text(name, Never));
    m.node("object", &format!("Window / https://{user}:{password}@{host}.test/{folder}/p?token={query}#{fragment}"));
    m.edge(root, "shortcut", "window", GLOBAL);
    let page = m.marked_places.text("page of a URL", Never);
    m.held("object", &format!("Window / https://shop.test/{page}"));
    let folder = m.marked_places.text("folder of a file URL", Never);
    m.held("object", &format!("Window / file:///home/{folder}/x y.html"));
    by_type(&mut m);
    dom(&mut m);
    edges(&mut m);
    let functions = functions(&mut m);
    let unused = m.marked_places.text("unused string", Never);
    m.string(&unused);
    let sections = [
        m.marked_places.text("member of meta", Never),
        m.marked_places.text("member of snapshot", Never),
        m.marked_places.text("unknown section", Never),
        m.marked_places.text("name of a field", Never),
        m.marked_places.text("name of a member", Never),
    ];
    let written = write(&m, &functions, &sections);
    let behind = m.marked_places.text("bytes after the snapshot", Never);
    ((written + "\n" + &behind).into_bytes(), m.marked_places)
}

/// A name of a node of each type.
fn by_type(m: &mut Maker) {
    use Shown::{Kept, Never};
    let label = Kept(DataKind::RuntimeLabel);
    for (kind, name, shown) in [
        ("hidden", "hidden node", label),
        ("array", "array node", label),
        ("string", "string", Never),
        ("object", "constructor name", Kept(DataKind::ClassName)),
        ("code", "code node", Kept(DataKind::MethodName)),
        ("closure", "function name", Kept(DataKind::MethodName)),
        ("regexp", "source of a regular expression", Never),
        ("number", "number node", Never),
        ("native", "native node", Kept(DataKind::ClassName)),
        ("synthetic", "synthetic node", label),
        ("concatenated string", "concatenated string", Never),
        ("sliced string", "sliced string", Never),
        ("symbol", "symbol description", Never),
        ("bigint", "large integer", Never),
        ("object shape", "shape node", label),
    ] {
        let text = m.marked_places.text(name, shown);
        m.held(kind, &text);
    }
    let number = m.held("number", "heap number");
    let text = m.marked_places.text("value of a heap number", Never);
    let value = m.node("string", &text);
    m.edge(number, "internal", "value", value);
    let symbol = m.held("symbol", "symbol");
    let text = m.marked_places.text("text of a symbol description", Never);
    let name = m.node("string", &text);
    m.edge(symbol, "internal", "name", name);
    let text = m.marked_places.text("part of a concatenated string", Never);
    let (first, both) = (m.node("string", &text), m.held("concatenated string", "(concatenated string)"));
    m.edge(both, "internal", "first", first);
}

/// Nodes of the embedder.
fn dom(m: &mut Maker) {
    use Shown::Never;
    for (name, before, after) in [
        ("attribute", "<div class=\"", "\" data-token=\"x\">"),
        ("attribute without quotes", "<div class=", ">"),
        ("value of an input", "Detached <input value=\"", "\">"),
        ("address of a link", "<a href=\"https://shop.test/", "\">"),
        ("text behind an element", "<br>", ""),
        ("text of an element", "HTMLDivElement ", ""),
        ("text of a text node", "Detached Text \"", "\""),
        ("comment", "#comment ", ""),
        ("URL of an internal node", "InternalNode / https://h/?k=", ""),
        ("address of a blob", "blob:https://x/", ""),
        ("data URL", "data:text/html,", ""),
        ("quoted text in a label", "Resource \"", "\""),
        ("end of a label of the engine", "system / ExternalStringData ", ""),
    ] {
        let text = m.marked_places.text(name, Never);
        m.held("native", &format!("{before}{text}{after}"));
    }
    let text = m.marked_places.text("attribute of a detached node", Never);
    let node = m.held("native", &format!("<p title=\"{text}\">"));
    m.nodes[node].2 = 2;
}

/// Names of edges.
fn edges(m: &mut Maker) {
    use Shown::{Kept, Never, WithoutKeys};
    for (kind, name) in [
        ("property", "property name"),
        ("context", "variable name"),
        ("internal", "internal name"),
        ("shortcut", "shortcut name"),
        ("weak", "weak name"),
    ] {
        let text = m.marked_places.text(name, Kept(DataKind::FieldName));
        let node = m.node("object", "Target");
        m.edge(GLOBAL, kind, &text, node);
    }
    let text = m.marked_places.text("URL as a property name", Never);
    let node = m.node("object", "Target");
    m.edge(GLOBAL, "property", &format!("https://shop.test/{text}/a.js"), node);
    let text = m.marked_places.text("path as a property name", Never);
    m.edge(GLOBAL, "property", &format!("/home/{text}/a.js"), node);
    let text = m.marked_places.text("key of a dictionary", WithoutKeys);
    // Two with the same keys, which then are the name of their class.
    for _ in 0..2 {
        let users = m.held("object", "Object");
        for at in 0..30 {
            let user = m.node("object", "User");
            m.edge(users, "property", &format!("{text}{at}"), user);
        }
    }
    let map = m.held("object", "WeakMap");
    let table = m.node("array", "(object elements)");
    m.edge(map, "internal", "table", table);
    let (key, value) = (
        m.marked_places.text("key in the name of a weak edge", Never),
        m.marked_places.text("value in the name of a weak edge", Never),
    );
    let (key_node, value_node) = (m.held("string", &key), m.held("object", "Value"));
    let id = |node: usize| 2 * node + 1;
    let name = format!(
        "1 / part of key ({key} @{}) -> value ({value} @{}) pair in WeakMap (table @{})",
        id(key_node),
        id(value_node),
        id(table)
    );
    m.edge(table, "internal", &name, value_node);
    let info = m.held("object", "system / Context");
    let text = m.marked_places.text("text in a closure context", Never);
    let node = m.node("string", &text);
    m.edge(info, "context", "secret", node);
}

/// Scripts and functions; returns numbers of the function table.
fn functions(m: &mut Maker) -> Vec<usize> {
    use Shown::{Kept, Never};
    let closure = m.held("closure", "load");
    let shared = m.node("code", "load");
    m.edge(closure, "internal", "shared", shared);
    let folder = m.marked_places.text("folder of a script", Never);
    let script = m.node("code", &format!("system / Script / /home/{folder}/app.js"));
    m.edge(shared, "internal", "script", script);
    let folder = m.marked_places.text("folder in the name of a script", Never);
    let name = m.node("string", &format!("file:///home/{folder}/app.js"));
    m.edge(script, "internal", "name", name);
    let text = m.marked_places.text("source of a script", Never);
    let source = m.node("string", &format!("const password = '{text}';"));
    m.edge(script, "internal", "source", source);
    let text = m.marked_places.text("path as a code node", Never);
    m.held("code", &format!("/home/{text}/app.js"));
    let text = m.marked_places.text("function of a shared function info", Kept(DataKind::MethodName));
    m.held("code", &format!("(shared function info for {text})"));
    let function = m.marked_places.text("function of an allocation stack", Kept(DataKind::MethodName));
    let (folder, file) = (
        m.marked_places.text("folder of an allocation stack", Never),
        m.marked_places.text("file of an allocation stack", Kept(DataKind::SourcePath)),
    );
    let query = m.marked_places.text("query of an allocation stack", Never);
    let root = m.string("(root)");
    let names = [m.string(&function), m.string(&format!("https://shop.test/{folder}/{file}.js?v={query}"))];
    let none = m.string("");
    vec![0, root, none, 0, 0, 0, 1, names[0], names[1], 1, 2, 3]
}

fn write(m: &Maker, functions: &[usize], [meta, head, section, field, member]: &[String; 5]) -> String {
    let (mut nodes, mut edges): (Vec<u64>, Vec<usize>) = (Vec::new(), Vec::new());
    for (at, (kind, name, detachedness, of_node)) in m.nodes.iter().enumerate() {
        let id = 2 * at as u64 + 1;
        let trace = u64::from(at == GLOBAL) * 2;
        nodes.extend([*kind as u64, *name as u64, id, 16, of_node.len() as u64, trace, *detachedness, 7]);
        edges.extend(of_node.iter().flat_map(|&(kind, name, to)| [kind, name, to * 8]));
    }
    let node_types: Vec<Value> = std::iter::once(json!(NODE_TYPES))
        .chain(["string", "number", "number", "number", "number", "number", "number"].map(|of| json!(of)))
        .collect();
    let value = json!({
        "snapshot": {
            "meta": {
                "node_fields": ["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness", field],
                "node_types": node_types,
                "edge_fields": ["type", "name_or_index", "to_node"],
                "edge_types": [EDGE_TYPES, "string_or_number", "node"],
                "trace_function_info_fields": ["function_id", "name", "script_name", "script_id", "line", "column"],
                "trace_node_fields": ["id", "function_info_index", "count", "size", "children"],
                "sample_fields": ["timestamp_us", "last_assigned_id"],
                "location_fields": ["object_index", "script_id", "line", "column"],
                "more": meta,
            },
            "node_count": m.nodes.len(),
            "edge_count": edges.len() / 3,
            "trace_function_count": 2,
            "more": head,
            (member.as_str()): 7,
        },
        "nodes": nodes,
        "edges": edges,
        "trace_function_infos": functions,
        "trace_tree": [1, 0, 0, 0, [2, 1, 3, 40, []]],
        "samples": [],
        "locations": [],
        "more": section,
        "strings": m.strings,
    });
    // Readers find the sections in any order, but look for one that they know at the beginning.
    let text = value.to_string();
    let head = value["snapshot"].to_string();
    let rest = text.replacen(&format!("\"snapshot\":{head}"), "\"none\":0", 1);
    format!("{{\"snapshot\":{head},{}", &rest[1..])
}
