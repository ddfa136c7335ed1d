//! What a node of JavaScriptCore is in a snapshot of V8's form, by the name of its class. Bun converts in the same way.

use super::parts::Edge;

/// Types of nodes, as indexes of [`super::snapshot::NODE_TYPES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum NodeType {
    Hidden = 0,
    String = 2,
    Object = 3,
    Code = 4,
    Closure = 5,
    RegExp = 6,
    Synthetic = 9,
    Symbol = 12,
    BigInt = 13,
    Shape = 14,
}

/// Type of a node.
pub(super) fn type_of(class: &[u8], is_internal: bool) -> NodeType {
    match class {
        b"string" => return NodeType::String,
        b"symbol" | b"Symbol" => return NodeType::Symbol,
        b"BigInt" | b"HeapBigInt" => return NodeType::BigInt,
        b"Structure" => return NodeType::Shape,
        _ => {}
    }
    let is_code =
        [&b"Executable"[..], b"CodeBlock", b"SourceCode", b"GetterSetter"].into_iter().any(|end| class.ends_with(end));
    match class {
        _ if is_code => NodeType::Code,
        _ if is_internal => NodeType::Hidden,
        b"Function" | b"Callee" | b"AsyncFunction" | b"GeneratorFunction" | b"AsyncGeneratorFunction" => {
            NodeType::Closure
        }
        b"RegExp" => NodeType::RegExp,
        _ => NodeType::Object,
    }
}

/// True for the global object of a program or a page.
pub(super) fn is_global(class: &[u8]) -> bool {
    matches!(class, b"GlobalObject" | b"Window" | b"DOMWindow" | b"JSDOMWindow") || class.ends_with(b"GlobalScope")
}

/// Types of edges, as indexes of [`super::snapshot::EDGE_TYPES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum EdgeType {
    Context = 0,
    Element = 1,
    Property = 2,
    Internal = 3,
    Shortcut = 5,
}

/// Type of an edge, by the name of its type in the file.
pub(super) fn edge_type(edge: &Edge, types: &[&[u8]]) -> EdgeType {
    match types.get(edge.kind as usize).copied() {
        Some(b"Property") => EdgeType::Property,
        Some(b"Index") => EdgeType::Element,
        Some(b"Variable") => EdgeType::Context,
        _ => EdgeType::Internal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_the_engine_are_told_from_those_of_the_program() {
        for (class, is_internal, expected) in [
            (&b"Session"[..], false, NodeType::Object),
            (b"Function", false, NodeType::Closure),
            (b"string", false, NodeType::String),
            (b"UnlinkedFunctionExecutable", true, NodeType::Code),
            (b"Structure", true, NodeType::Shape),
            (b"Cell Butterfly", true, NodeType::Hidden),
            (b"Map", false, NodeType::Object),
        ] {
            assert_eq!(type_of(class, is_internal), expected, "{}", class.escape_ascii());
        }
        let edge = |kind| Edge { from: 1, to: 2, kind, name: 0 };
        let types: [&[u8]; 4] = [b"Internal", b"Property", b"Index", b"Variable"];
        let kinds = [0, 1, 2, 3, 4].map(|kind| edge_type(&edge(kind), &types));
        let expected =
            [EdgeType::Internal, EdgeType::Property, EdgeType::Element, EdgeType::Context, EdgeType::Internal];
        assert_eq!(kinds, expected);
    }
}
