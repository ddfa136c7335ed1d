//! Metadata of a snapshot: the fields of its records, their order, and the names of their types. Nothing else is
//! assumed about the layout.

use serde::Deserialize;
use serde_json::Value;

use super::numbers::MOST_FIELDS;
use crate::stripping::StripMarker;
use heaplens_heap::ImportNote;

/// Section `snapshot`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Head {
    meta: RawMeta,
    pub(super) node_count: Option<u64>,
    pub(super) edge_count: Option<u64>,
    pub(super) root_index: Option<u64>,
    pub(super) extra_native_bytes: Option<u64>,
    /// Name of the engine, in snapshots that were converted from another format.
    pub(super) engine: Option<String>,
    /// Number of nodes to which the original records no reference.
    pub(super) unrecorded: Option<u64>,
    /// Marker of a stripped snapshot.
    heaplens_strip: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawMeta {
    node_fields: Vec<String>,
    node_types: Vec<Value>,
    edge_fields: Vec<String>,
    edge_types: Vec<Value>,
    trace_function_info_fields: Vec<String>,
    trace_node_fields: Vec<String>,
    sample_fields: Vec<String>,
    location_fields: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    Hidden,
    Array,
    String,
    Object,
    Code,
    Closure,
    RegExp,
    Number,
    Native,
    Synthetic,
    ConcatenatedString,
    SlicedString,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EdgeKind {
    Context,
    Element,
    Property,
    Internal,
    Hidden,
    Shortcut,
    Weak,
    /// Internal to the engine; shown by no tool.
    Invisible,
    Other,
}

impl NodeKind {
    fn named(name: &str) -> Self {
        match name {
            "hidden" => Self::Hidden,
            "array" => Self::Array,
            "string" => Self::String,
            "object" => Self::Object,
            "code" => Self::Code,
            "closure" => Self::Closure,
            "regexp" => Self::RegExp,
            "number" => Self::Number,
            "native" => Self::Native,
            "synthetic" => Self::Synthetic,
            "concatenated string" => Self::ConcatenatedString,
            "sliced string" => Self::SlicedString,
            _ => Self::Other,
        }
    }
}

impl EdgeKind {
    fn named(name: &str) -> Self {
        match name {
            "context" => Self::Context,
            "element" => Self::Element,
            "property" => Self::Property,
            "internal" => Self::Internal,
            "hidden" => Self::Hidden,
            "shortcut" => Self::Shortcut,
            "weak" => Self::Weak,
            "invisible" => Self::Invisible,
            _ => Self::Other,
        }
    }
}

/// Indexes of the fields in a node record.
#[derive(Debug, Clone)]
pub(super) struct NodeFields {
    pub(super) count: usize,
    pub(super) kind: usize,
    pub(super) name: usize,
    pub(super) id: usize,
    pub(super) size: usize,
    pub(super) edges: usize,
    pub(super) trace: Option<usize>,
    pub(super) detachedness: Option<usize>,
    pub(super) native_size: Option<usize>,
}

impl NodeFields {
    /// Row of the node whose record begins at an index among the numbers of all `nodes`; `None` if no record begins
    /// there.
    #[inline]
    pub(super) fn row(&self, index: u64, nodes: u64) -> Option<u32> {
        let count = self.count.max(1) as u64;
        let row = index / count;
        (row < nodes && row * count == index).then_some(row as u32)
    }
}

/// Indexes of the fields in an edge record.
#[derive(Debug, Clone)]
pub(super) struct EdgeFields {
    pub(super) count: usize,
    pub(super) kind: usize,
    pub(super) name: usize,
    pub(super) to: usize,
}

/// Indexes of the fields in a location record: the object, and the script position of its constructor.
#[derive(Debug, Clone)]
pub(super) struct LocationFields {
    pub(super) count: usize,
    pub(super) object: usize,
    pub(super) script: usize,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Fields and types.
#[derive(Debug, Clone)]
pub(super) struct Meta {
    pub(super) node: NodeFields,
    pub(super) edge: EdgeFields,
    pub(super) location: Option<LocationFields>,
    /// Fields of samples, of functions, and of call tree nodes.
    pub(super) sample_fields: Vec<String>,
    pub(super) function_fields: Vec<String>,
    pub(super) trace_fields: Vec<String>,
    /// Types of nodes by number, with their names in the file.
    pub(super) node_types: Vec<(String, NodeKind)>,
    pub(super) edge_types: Vec<(String, EdgeKind)>,
    /// True if hidden edges are named by strings, as in ArkTS, not by numbers.
    pub(super) hidden_by_name: bool,
}

fn field_index(fields: &[String], name: &str) -> Option<usize> {
    fields.iter().position(|field| field == name)
}

/// Names of the enumeration of a field: types are in field order.
fn types(types: &[Value], field: usize) -> Vec<String> {
    let names = types.get(field).and_then(Value::as_array).into_iter().flatten();
    names.map(|name| name.as_str().unwrap_or_default().to_owned()).collect()
}

impl Head {
    /// Marker of a stripped snapshot.
    pub(super) fn strip_marker(&self) -> Option<StripMarker> {
        StripMarker::parse(self.heaplens_strip.as_str()?)
    }

    /// Note about a stripped snapshot.
    pub(super) fn strip_note(&self) -> Option<ImportNote> {
        self.strip_marker().map(StripMarker::note)
    }

    /// Fields and types; the error describes the missing field.
    pub(super) fn meta(&self) -> Result<Meta, &'static str> {
        let RawMeta { node_fields, edge_fields, location_fields, .. } = &self.meta;
        if node_fields.len() > MOST_FIELDS || edge_fields.len() > MOST_FIELDS || location_fields.len() > MOST_FIELDS {
            return Err("at most 32 fields per record");
        }
        let of_node = |name, missing| field_index(node_fields, name).ok_or(missing);
        let node = NodeFields {
            count: node_fields.len(),
            kind: of_node("type", "the field \"type\" in node_fields")?,
            name: of_node("name", "the field \"name\" in node_fields")?,
            id: of_node("id", "the field \"id\" in node_fields")?,
            size: of_node("self_size", "the field \"self_size\" in node_fields")?,
            edges: of_node("edge_count", "the field \"edge_count\" in node_fields")?,
            trace: field_index(node_fields, "trace_node_id"),
            detachedness: field_index(node_fields, "detachedness"),
            native_size: field_index(node_fields, "native_size"),
        };
        let of_edge = |name, missing| field_index(edge_fields, name).ok_or(missing);
        let edge = EdgeFields {
            count: edge_fields.len(),
            kind: of_edge("type", "the field \"type\" in edge_fields")?,
            name: of_edge("name_or_index", "the field \"name_or_index\" in edge_fields")?,
            to: of_edge("to_node", "the field \"to_node\" in edge_fields")?,
        };
        let location = || {
            Some(LocationFields {
                count: location_fields.len(),
                object: field_index(location_fields, "object_index")?,
                script: field_index(location_fields, "script_id")?,
                line: field_index(location_fields, "line")?,
                column: field_index(location_fields, "column")?,
            })
        };
        let node_types = types(&self.meta.node_types, node.kind).into_iter().map(|name| {
            let kind = NodeKind::named(&name);
            (name, kind)
        });
        let edge_types = types(&self.meta.edge_types, edge.kind).into_iter().map(|name| {
            let kind = EdgeKind::named(&name);
            (name, kind)
        });
        let node_types: Vec<_> = node_types.collect();
        Ok(Meta {
            node,
            edge,
            location: location(),
            sample_fields: self.meta.sample_fields.clone(),
            function_fields: self.meta.trace_function_info_fields.clone(),
            trace_fields: self.meta.trace_node_fields.clone(),
            hidden_by_name: node_types.iter().any(|(name, _)| name == "framework"),
            node_types,
            edge_types: edge_types.collect(),
        })
    }
}

impl Meta {
    #[inline]
    pub(super) fn node_kind(&self, of: u8) -> NodeKind {
        self.node_types.get(usize::from(of)).map_or(NodeKind::Other, |&(_, kind)| kind)
    }

    /// Name of a node type in the file.
    pub(super) fn node_type(&self, of: u8) -> &str {
        self.node_types.get(usize::from(of)).map_or("unknown type", |(name, _)| name)
    }

    /// Class of all nodes of a type, if determined by the type.
    pub(super) fn class_of_type(&self, of: u8) -> String {
        match self.node_kind(of) {
            NodeKind::Hidden => "(system)".to_owned(),
            NodeKind::Code => "(compiled code)".to_owned(),
            NodeKind::Closure => "Function".to_owned(),
            NodeKind::RegExp => "RegExp".to_owned(),
            _ => format!("({})", self.node_type(of)),
        }
    }

    #[inline]
    pub(super) fn edge_kind(&self, of: u64) -> EdgeKind {
        let kind = usize::try_from(of).ok().and_then(|of| self.edge_types.get(of));
        kind.map_or(EdgeKind::Other, |&(_, kind)| kind)
    }

    /// True if edges of a kind are named by a number, not by a string.
    #[inline]
    pub(super) fn is_numbered(&self, kind: EdgeKind) -> bool {
        kind == EdgeKind::Element || (kind == EdgeKind::Hidden && !self.hidden_by_name)
    }
}
