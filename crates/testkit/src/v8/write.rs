//! Writes a snapshot as the JSON text of a `.heapsnapshot` file, manually like V8: no library would write lone
//! surrogates, or such whitespace.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::form::{Escapes, Form, Spacing};
use super::snapshot::{Label, Snapshot, Text, TraceNode};
use crate::random::Random;

/// Writes a snapshot in a given form.
///
/// # Panics
/// If the form lacks a field or a kind that the snapshot has.
pub fn write(snapshot: &Snapshot, form: &Form) -> String {
    let mut table = Table { texts: vec!["<dummy>".into()], indexes: BTreeMap::new() };
    let mut written = BTreeMap::new();
    // Strings are added to the table in the order in which V8 encounters them: those of nodes, then those of edges.
    for section in ["nodes", "edges", "trace_function_infos", "trace_tree", "samples", "locations"] {
        let rows = rows(snapshot, form, section, &mut table);
        let tree = snapshot.calls.as_ref().filter(|_| section == "trace_tree");
        let mut out = JsonText::new(form);
        out.list(rows.iter().flatten().copied(), rows.first().map_or(1, Vec::len), tree);
        written.insert(section, out.text);
    }
    written.insert("snapshot", header(snapshot, form));
    let mut out = JsonText::new(form);
    out.strings(&table.texts);
    written.insert("strings", out.text);
    let mut out = JsonText::new(form);
    out.token("{");
    for (at, section) in form.sections.iter().enumerate() {
        if at > 0 {
            out.token(",");
            out.end_of_line();
        }
        out.key(section);
        match written.get(section.as_str()) {
            Some(text) => out.token(text),
            None if section.starts_with("scope") => out.token("[]"),
            // Content that a careless reader could mistake for the sections it looks for.
            None => out.token(r#"{"nodes":[1,[2]],"text":"\"edges\":[3,4]}","strings":["a"],"no":null,"n":-1.5e3}"#),
        }
    }
    out.token("}");
    out.text
}

/// The table of strings.
struct Table {
    texts: Vec<Text>,
    indexes: BTreeMap<Text, u64>,
}

impl Table {
    fn index_of(&mut self, text: &Text) -> u64 {
        let next = self.texts.len() as u64;
        let index = *self.indexes.entry(text.clone()).or_insert(next);
        if index == next {
            self.texts.push(text.clone());
        }
        index
    }
}

/// Numbers of a section, a row for each record.
fn rows(snapshot: &Snapshot, form: &Form, section: &str, table: &mut Table) -> Vec<Vec<u64>> {
    let width = form.node_fields.len() as u64;
    let number = |kinds: &[String], kind: &str| {
        let position = kinds.iter().position(|known| known == kind);
        position.unwrap_or_else(|| panic!("the form has no kind {kind:?}")) as u64
    };
    let row = |fields: &[String], known: &[(&str, u64)]| {
        let value = |field: &String| known.iter().find(|(name, _)| name == field).map(|&(_, value)| value);
        // Unknown fields only have to be present.
        fields.iter().map(|field| value(field).unwrap_or(field.len() as u64)).collect::<Vec<_>>()
    };
    let nodes = snapshot.nodes.iter();
    match section {
        "nodes" => nodes
            .map(|node| {
                let known = [
                    ("type", number(&form.node_types, node.kind)),
                    ("name", table.index_of(&node.name)),
                    ("id", node.id),
                    ("self_size", node.self_size),
                    ("edge_count", node.edges.len() as u64),
                    ("trace_node_id", node.trace_node),
                    ("detachedness", node.detachedness),
                ];
                row(&form.node_fields, &known)
            })
            .collect(),
        "edges" => nodes
            .flat_map(|node| &node.edges)
            .map(|edge| {
                let label = match &edge.label {
                    Label::Name(name) => table.index_of(name),
                    Label::Index(index) => u64::from(*index),
                };
                let kind = number(&form.edge_types, edge.kind);
                let known = [("type", kind), ("name_or_index", label), ("to_node", edge.to as u64 * width)];
                row(&form.edge_fields, &known)
            })
            .collect(),
        "trace_function_infos" => snapshot
            .functions
            .iter()
            .map(|function| {
                let known = [
                    ("function_id", function.id),
                    ("name", table.index_of(&function.name)),
                    ("script_name", table.index_of(&function.script_name)),
                    ("script_id", u64::from(function.script)),
                    ("line", u64::from(function.line)),
                    ("column", u64::from(function.column)),
                ];
                row(&form.function_fields, &known)
            })
            .collect(),
        "samples" => snapshot
            .samples
            .iter()
            .map(|sample| {
                let known = [("timestamp_us", sample.timestamp_us), ("last_assigned_id", sample.last_assigned_id)];
                row(&form.sample_fields, &known)
            })
            .collect(),
        "locations" => snapshot
            .locations
            .iter()
            .map(|location| {
                let known = [
                    ("object_index", location.node as u64 * width),
                    ("script_id", u64::from(location.script)),
                    ("script_object_index", 0),
                    ("line", u64::from(location.line)),
                    ("column", u64::from(location.column)),
                ];
                row(&form.location_fields, &known)
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Section with the layout of the others.
fn header(snapshot: &Snapshot, form: &Form) -> String {
    let list =
        |fields: &[String]| format!("[{}]", fields.iter().map(|f| format!("{f:?}")).collect::<Vec<_>>().join(","));
    // The names of kinds are followed by the types of the other fields.
    let kinds = |fields: &[String], kinds: &[String], others: &str| {
        let of = |field: &String| if field == "type" { list(kinds) } else { format!("{others:?}") };
        format!("[{}]", fields.iter().map(of).collect::<Vec<_>>().join(","))
    };
    let mut meta = vec![
        format!(r#""node_fields":{}"#, list(&form.node_fields)),
        format!(r#""node_types":{}"#, kinds(&form.node_fields, &form.node_types, "number")),
        format!(r#""edge_fields":{}"#, list(&form.edge_fields)),
        format!(r#""edge_types":{}"#, kinds(&form.edge_fields, &form.edge_types, "node")),
        format!(r#""trace_function_info_fields":{}"#, list(&form.function_fields)),
        r#""trace_node_fields":["id","function_info_index","count","size","children"]"#.to_owned(),
    ];
    for (key, fields) in [("sample_fields", &form.sample_fields), ("location_fields", &form.location_fields)] {
        if !fields.is_empty() {
            meta.push(format!("{key:?}:{}", list(fields)));
        }
    }
    if form.sections.iter().any(|section| section == "scopes") {
        meta.push(
            r#""scope_fields":["script_node_index","scope_id","depth","scope_context_vars_count","scope_uses_count"]"#
                .to_owned(),
        );
        meta.push(
            r#""scope_context_var_fields":["name"],"scope_use_fields":["declaring_scope_id","slot_index"]"#.to_owned(),
        );
    }
    let mut out = JsonText::new(form);
    for token in ["{", r#""meta""#, ":", "{"] {
        out.token(token);
    }
    out.token(&meta.join(","));
    let (nodes, edges, functions) = (snapshot.nodes.len(), snapshot.edge_count(), snapshot.functions.len());
    let counts = format!(r#""node_count":{nodes},"edge_count":{edges},"trace_function_count":{functions}"#);
    for token in ["}", ",", &counts] {
        out.token(token);
    }
    if snapshot.root != 0 {
        out.token(&format!(r#","root_index":{}"#, snapshot.root * form.node_fields.len()));
    }
    if let Some(bytes) = snapshot.extra_native_bytes {
        out.token(&format!(r#","extra_native_bytes":{bytes}"#));
    }
    out.token("}");
    out.text
}

/// Text under construction.
struct JsonText {
    text: String,
    spacing: Spacing,
    escapes: Escapes,
    random: Random,
}

impl JsonText {
    fn new(form: &Form) -> Self {
        Self { text: String::new(), spacing: form.spacing, escapes: form.escapes, random: Random::new(7) }
    }

    /// Something, with blanks before it if they are wanted.
    fn token(&mut self, token: &str) {
        if self.spacing == Spacing::Wide {
            for _ in 0..self.random.below(3) {
                self.text.push(*self.random.pick(&[' ', '\n', '\t', '\r']));
            }
        }
        self.text.push_str(token);
    }

    fn key(&mut self, key: &str) {
        self.token(&format!("{key:?}"));
        self.token(":");
    }

    fn end_of_line(&mut self) {
        if self.spacing == Spacing::Lines {
            self.text.push('\n');
        }
    }

    /// A list of numbers, `width` on a line, or the tree of calls.
    fn list(&mut self, numbers: impl Iterator<Item = u64>, width: usize, tree: Option<&TraceNode>) {
        self.token("[");
        for (at, number) in numbers.enumerate() {
            if at > 0 {
                if at % width == 0 {
                    self.end_of_line();
                }
                self.token(",");
            }
            self.token(&number.to_string());
        }
        if let Some(tree) = tree {
            self.call(tree);
        }
        self.end_of_line();
        self.token("]");
    }

    /// Writes a call and its children: synthetic trees are shallow.
    fn call(&mut self, node: &TraceNode) {
        for number in [node.id, node.function as u64, node.count, node.size] {
            self.token(&number.to_string());
            self.token(",");
        }
        self.token("[");
        for (at, child) in node.children.iter().enumerate() {
            if at > 0 {
                self.token(",");
            }
            self.call(child);
        }
        self.token("]");
    }

    fn strings(&mut self, texts: &[Text]) {
        self.token("[");
        for (at, text) in texts.iter().enumerate() {
            if at > 0 {
                self.token(",");
                self.end_of_line();
            }
            self.token("");
            self.quoted(text);
        }
        self.token("]");
    }

    fn quoted(&mut self, text: &Text) {
        self.text.push('"');
        for unit in char::decode_utf16(text.0.iter().copied()) {
            match unit {
                Ok(c) => self.character(c),
                Err(alone) => self.escaped(alone.unpaired_surrogate()),
            }
        }
        self.text.push('"');
    }

    fn character(&mut self, c: char) {
        let mixed = self.escapes == Escapes::Mixed;
        match c {
            '"' | '\\' => self.text.extend(['\\', c]),
            '/' if mixed && self.random.one_in(2) => self.text.push_str("\\/"),
            '\n' => self.text.push_str("\\n"),
            '\r' => self.text.push_str("\\r"),
            '\t' => self.text.push_str("\\t"),
            '\u{8}' => self.text.push_str("\\b"),
            '\u{c}' => self.text.push_str("\\f"),
            _ => {
                let plain = match self.escapes {
                    _ if c < ' ' => false,
                    Escapes::Ascii => c.is_ascii(),
                    Escapes::Raw => true,
                    Escapes::Mixed => !self.random.one_in(4),
                };
                if plain {
                    self.text.push(c);
                } else {
                    c.encode_utf16(&mut [0; 2]).iter().for_each(|&unit| self.escaped(unit));
                }
            }
        }
    }

    fn escaped(&mut self, unit: u16) {
        let upper = self.escapes == Escapes::Mixed && self.random.one_in(2);
        // Writing to a string cannot fail.
        let _ = if upper { write!(self.text, "\\u{unit:04X}") } else { write!(self.text, "\\u{unit:04x}") };
    }
}
