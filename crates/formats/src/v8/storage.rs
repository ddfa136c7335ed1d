//! Edges along which V8 stores properties and elements, beside the edge that it writes for each of them.
//!
//! | from | edge | to |
//! |---|---|---|
//! | object | `properties` | `system / PropertyArray`, or a dictionary: `(object properties)` |
//! | object | `elements` | `(object elements)`: an array or a dictionary |
//! | object, function | `map`, `initial_map` | hidden class |
//! | object | a property with a getter or a setter | `system / AccessorPair` |
//! | array, dictionary, descriptors | a number | value, or cell or pair with it |
//! | `system / PropertyCell` of a global variable | `value` | value |
//! | `system / AccessorPair` | `getter`, `setter` | function |
//! | hidden class | `prototype`, `descriptors` | prototype; `system / DescriptorArray` |
//! | hidden class | `back_pointer` | the hidden class it is a transition of |

use super::meta::EdgeKind;
use super::reader::{Edge, SnapshotReader};

/// Class names of the engine's objects; recent versions of V8 name each after its type instead.
const CLASSES: [&str; 4] = ["(array)", "(system)", "(object shape)", "(compiled code)"];
const PREFIX: &str = "system / ";
/// Closure contexts hold captured variables, which have no other edge.
const CONTEXT: &str = "system / Context";

/// Edges from an object of the program to its storage.
const TO_STORAGE: [&str; 4] = ["properties", "elements", "map", "initial_map"];
/// Named edges from an object of the engine.
const WITHIN: [&str; 6] = ["value", "getter", "setter", "prototype", "descriptors", "back_pointer"];
const ACCESSORS: &str = "system / AccessorPair";

/// True if a class with this name has objects of the engine.
pub(super) fn is_of_engine(class: &str) -> bool {
    CLASSES.contains(&class) || (class.starts_with(PREFIX) && !class.starts_with(CONTEXT))
}

impl SnapshotReader<'_> {
    /// True if an edge from an object of the engine, or of the program, is part of the storage of properties.
    pub(super) fn is_storage_edge(self, edge: &Edge, from_engine: bool) -> bool {
        let is_any = |names: &[&str]| names.iter().any(|name| self.is_called(edge, name));
        match (edge.kind, from_engine) {
            (EdgeKind::Internal, false) => is_any(&TO_STORAGE),
            (EdgeKind::Property, false) => self.node(edge.to).is_some_and(|node| self.name(&node) == ACCESSORS),
            (EdgeKind::Internal, true) => is_any(&WITHIN) || self.edge_name(edge).parse::<u64>().is_ok(),
            (EdgeKind::Hidden | EdgeKind::Element, true) => edge.numbered,
            _ => false,
        }
    }
}
