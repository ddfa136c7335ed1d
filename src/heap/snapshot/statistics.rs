//! Memory by category, as in the pie chart of DevTools.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::units::Bytes;

/// Size of all nodes by category, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Memory of the embedder: native nodes, and memory without a node.
    pub native: Bytes,
    /// Share of it that belongs to typed arrays and buffers.
    pub typed_arrays: Bytes,
    /// Machine code, bytecode and related data.
    pub code: Bytes,
    /// Texts.
    pub strings: Bytes,
    /// Arrays of the program, including elements that they alone reference.
    pub js_arrays: Bytes,
    /// Hidden objects of the engine.
    pub system: Bytes,
    /// All nodes, and memory without a node.
    pub total: Bytes,
}

impl Statistics {
    /// Name and size of each part; they add up to the total.
    pub fn parts(&self) -> [(&'static str, Bytes); 7] {
        [
            ("Code", self.code),
            ("Strings", self.strings),
            ("JS arrays", self.js_arrays),
            ("Other JS objects", self.other_objects()),
            ("System", self.system),
            ("Typed arrays", self.typed_arrays),
            ("Other native", Bytes(self.native.0.saturating_sub(self.typed_arrays.0))),
        ]
    }

    /// Rest of the engine's heap: objects of the program.
    pub fn other_objects(&self) -> Bytes {
        let named = self.code + self.strings + self.js_arrays + self.system;
        Bytes(self.total.0.saturating_sub(self.native.0).saturating_sub(named.0))
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, more: Self) {
        self.native += more.native;
        self.typed_arrays += more.typed_arrays;
        self.code += more.code;
        self.strings += more.strings;
        self.js_arrays += more.js_arrays;
        self.system += more.system;
        self.total += more.total;
    }
}
