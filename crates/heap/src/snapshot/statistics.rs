//! Memory by category, as in the pie chart of DevTools.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use heaplens_base::Bytes;

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

/// Types of memory of a JavaScript engine, as in DevTools' statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryType {
    /// Compiled code.
    Code,
    /// Strings.
    Strings,
    /// Arrays of the program.
    Arrays,
    /// Other objects of the program.
    Objects,
    /// Objects of the engine.
    System,
    /// Typed arrays; native memory.
    TypedArrays,
    /// Other native memory.
    Native,
}

impl MemoryType {
    /// Title for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Code => "Code",
            Self::Strings => "Strings",
            Self::Arrays => "JS arrays",
            Self::Objects => "Other JS objects",
            Self::System => "System",
            Self::TypedArrays => "Typed arrays",
            Self::Native => "Other native",
        }
    }

    /// True of memory outside the engine's heap.
    pub fn is_native(self) -> bool {
        matches!(self, Self::TypedArrays | Self::Native)
    }
}

impl Statistics {
    /// Bytes of each type of memory; they add up to the total.
    pub fn parts(&self) -> [(MemoryType, Bytes); 7] {
        [
            (MemoryType::Code, self.code),
            (MemoryType::Strings, self.strings),
            (MemoryType::Arrays, self.js_arrays),
            (MemoryType::Objects, self.other_objects()),
            (MemoryType::System, self.system),
            (MemoryType::TypedArrays, self.typed_arrays),
            (MemoryType::Native, Bytes(self.native.0.saturating_sub(self.typed_arrays.0))),
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
