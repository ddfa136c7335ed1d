//! Part 8.1: the chart of memory by kind.

use super::Snapshot;

/// Bytes of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in super::super) struct Statistics {
    pub(in super::super) total: u64,
    pub(in super::super) native: u64,
    /// Part of the native memory.
    pub(in super::super) typed_arrays: u64,
    pub(in super::super) code: u64,
    pub(in super::super) strings: u64,
    pub(in super::super) js_arrays: u64,
    pub(in super::super) system: u64,
}

pub(in super::super) fn statistics(of: &Snapshot) -> Statistics {
    let graph = &of.graph;
    let mut retainers = vec![0; graph.nodes.len()];
    graph.nodes.iter().flat_map(|node| &node.edges).for_each(|edge| retainers[edge.to] += 1);
    let mut actual = Statistics { total: of.total(), native: graph.extra_native_bytes, ..Statistics::default() };
    for (at, node) in graph.nodes.iter().enumerate() {
        let size = of.sizes[at];
        match &*node.kind {
            "hidden" => actual.system += size,
            "native" => {
                actual.native += size;
                actual.typed_arrays += if node.name.is("system / JSArrayBufferData") { size } else { 0 };
            }
            "code" => actual.code += size,
            "string" | "concatenated string" | "sliced string" => actual.strings += size,
            _ if node.name.is("Array") => {
                let elements = graph.internal(at, "elements").filter(|&elements| retainers[elements] == 1);
                actual.js_arrays += size + elements.map_or(0, |elements| of.sizes[elements]);
            }
            _ => {}
        }
    }
    actual
}
