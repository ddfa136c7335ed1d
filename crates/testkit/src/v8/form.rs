//! Layout of a snapshot: fields and their order, numbers of kinds, escapes in strings, whitespace between numbers.

use crate::random::Random;

/// Whitespace between the tokens of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spacing {
    /// One line per record, as in V8.
    Lines,
    /// Nothing at all.
    None,
    /// Blanks, tabs and line ends in all possible positions.
    Wide,
}

/// Encoding of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// Non-ASCII characters as `\uXXXX`, as written by V8.
    Ascii,
    /// As UTF-8 if possible.
    Raw,
    /// Mixed, including unnecessary escapes.
    Mixed,
}

/// Layout of a snapshot. Unknown fields get meaningless numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// Fields of a node, in order.
    pub node_fields: Vec<String>,
    /// Kinds of nodes, in the order of their numbers.
    pub node_types: Vec<String>,
    /// Fields of an edge, in order.
    pub edge_fields: Vec<String>,
    /// Kinds of edges, in the order of their numbers.
    pub edge_types: Vec<String>,
    /// Fields of a location; none if the file has no locations.
    pub location_fields: Vec<String>,
    /// Fields of a sample; none if the file has none.
    pub sample_fields: Vec<String>,
    /// Fields of a function of the traces.
    pub function_fields: Vec<String>,
    /// Sections of the file, in order: those of the format, and any others.
    pub sections: Vec<String>,
    /// Whitespace between tokens.
    pub spacing: Spacing,
    /// Encoding of text.
    pub escapes: Escapes,
}

/// Types of nodes in the order of the engine.
pub const NODE_TYPES: [&str; 16] = [
    "hidden",
    "array",
    "string",
    "object",
    "code",
    "closure",
    "regexp",
    "number",
    "native",
    "synthetic",
    "concatenated string",
    "sliced string",
    "symbol",
    "bigint",
    "object shape",
    "wasm object",
];
/// Types of edges in the order of the engine.
pub const EDGE_TYPES: [&str; 7] = ["context", "element", "property", "internal", "hidden", "shortcut", "weak"];
const SECTIONS: [&str; 8] =
    ["snapshot", "nodes", "edges", "trace_function_infos", "trace_tree", "samples", "locations", "strings"];

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

impl Form {
    /// As node 20 writes it.
    pub fn node20() -> Self {
        Self {
            node_fields: owned(&["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"]),
            node_types: owned(&NODE_TYPES),
            edge_fields: owned(&["type", "name_or_index", "to_node"]),
            edge_types: owned(&EDGE_TYPES),
            location_fields: owned(&["object_index", "script_id", "line", "column"]),
            sample_fields: owned(&["timestamp_us", "last_assigned_id"]),
            function_fields: owned(&["function_id", "name", "script_name", "script_id", "line", "column"]),
            sections: owned(&SECTIONS),
            spacing: Spacing::Lines,
            escapes: Escapes::Ascii,
        }
    }

    /// Form of Chromium 156: no trace ids, a script object in locations, scopes, one line.
    pub fn chromium() -> Self {
        let mut form = Self::node20();
        form.node_fields.retain(|field| field != "trace_node_id");
        form.node_types.pop();
        form.location_fields.insert(2, "script_object_index".to_owned());
        let strings = form.sections.len() - 1;
        form.sections.splice(strings..strings, owned(&["scopes", "scope_context_vars", "scope_uses"]));
        form.spacing = Spacing::None;
        form
    }

    /// Form of very old versions: no detachedness, locations or samples.
    pub fn old() -> Self {
        let mut form = Self::node20();
        form.node_fields.truncate(6);
        form.node_types.truncate(12);
        form.node_types.push("symbol".to_owned());
        form.location_fields.clear();
        form.sample_fields.clear();
        form.sections.retain(|section| section != "locations" && section != "samples");
        form
    }

    /// Layout for a seed: known ones, and ones that no program writes yet. All kinds of nodes are in each.
    pub fn random(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x0f0f);
        let mut form = if random.one_in(2) { Self::node20() } else { Self::chromium() };
        form.node_types = owned(&NODE_TYPES);
        form.spacing = *random.pick(&[Spacing::Lines, Spacing::None, Spacing::Wide]);
        form.escapes = *random.pick(&[Escapes::Ascii, Escapes::Raw, Escapes::Mixed]);
        if random.one_in(2) {
            return form;
        }
        let lists = [&mut form.node_fields, &mut form.edge_fields, &mut form.location_fields];
        for list in lists.into_iter().chain([&mut form.sample_fields, &mut form.function_fields]) {
            random.shuffle(list);
        }
        random.shuffle(&mut form.node_types);
        random.shuffle(&mut form.edge_types);
        for (list, name) in [
            (&mut form.node_fields, "made_up"),
            (&mut form.node_types, "made up"),
            (&mut form.edge_fields, "strength"),
            (&mut form.edge_types, "made up"),
            (&mut form.location_fields, "length"),
        ] {
            if random.one_in(3) {
                list.insert(random.below(list.len() as u32 + 1) as usize, name.to_owned());
            }
        }
        if random.one_in(3) {
            // DevTools requires its own order, but skips unknown sections before the strings.
            let last = form.sections.len() as u32 - 1;
            form.sections.insert(random.between(1, last) as usize, "made_up".to_owned());
        }
        form
    }
}
