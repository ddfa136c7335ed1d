//! Properties of edges and nodes that rules need, as bits of one byte.

/// Edge properties that decide whether it retains, as bits of one byte.
pub mod kind {
    /// Holds nothing.
    pub const WEAK: u8 = 1;
    /// Retains only if it comes from the root.
    pub const SHORTCUT: u8 = 1 << 1;
    /// Named by a number.
    pub const ELEMENT: u8 = 1 << 2;
    /// Internal to the engine and hidden from programs: detachedness does not propagate along it.
    pub const HIDDEN: u8 = 1 << 3;
    /// Never part of a shortest path to its target.
    pub const NOT_NEARER: u8 = 1 << 4;
    /// One of the two edges of a WeakMap entry to its value: both are needed to retain it.
    pub const PAIRED: u8 = 1 << 5;
    /// Of such a pair, the edge that comes from the table.
    pub const OF_TABLE: u8 = 1 << 6;
    /// From a table of strings of the engine, which the collector ignores, or from what the engine uses while it writes the
    /// snapshot (its stack, handles of that call, identity maps): what only that has is garbage soon after.
    pub const HOLDS_NOTHING: u8 = 1 << 7;
}

/// Node properties that rules need, as bits of one byte.
pub mod node {
    /// Its size counts for its only owner, if there is one.
    pub const OWNABLE: u8 = 1;
    /// Synthetic node of the engine, which is not an object.
    pub const SYNTHETIC: u8 = 1 << 1;
    /// Created by the embedder: a DOM node, an event listener.
    pub const NATIVE: u8 = 1 << 2;
    /// Synthetic node above all documents.
    pub const DOCUMENTS: u8 = 1 << 3;
    /// Backing store with the elements of an array.
    pub const ELEMENTS: u8 = 1 << 4;
    /// Exactly one edge leads to it; set only for backing stores of elements.
    pub const ONE_EDGE: u8 = 1 << 5;
    /// More than one edge leads to it.
    pub const MORE_EDGES: u8 = 1 << 6;
}
