//! Bytes by what they are, as the pie of DevTools shows them.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::units::Bytes;

/// Bytes of all nodes by what they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Of the embedder: native nodes, and what no node stands for.
    pub native: Bytes,
    /// Of these, what typed arrays and buffers hold.
    pub typed_arrays: Bytes,
    /// Machine code, bytecode and what belongs to it.
    pub code: Bytes,
    /// Texts.
    pub strings: Bytes,
    /// Arrays of the program, with their elements where nothing else has these.
    pub js_arrays: Bytes,
    /// Hidden objects of the engine.
    pub system: Bytes,
    /// All nodes, and what no node stands for.
    pub total: Bytes,
}

impl Statistics {
    /// What of the engine's heap is none of the kinds named: objects of the program.
    pub fn other_objects(&self) -> Bytes {
        let named = self.code.0 + self.strings.0 + self.js_arrays.0 + self.system.0;
        Bytes(self.total.0.saturating_sub(self.native.0).saturating_sub(named))
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
