//! A row that keeps its place while rows above it are expanded, collapsed or sorted.

use super::tree::{NodeId, Tree};

/// Position of a cursor while rows of its tree change.
#[derive(Debug, Clone, Copy)]
pub struct RowAnchor {
    at: (NodeId, u64),
    /// Row to move to if the cursor is inside a collapsed subtree.
    above: Option<u64>,
}

impl RowAnchor {
    /// Anchor of a cursor before `row` is expanded or collapsed.
    pub fn of<P>(tree: &Tree<P>, cursor: Option<u64>, row: Option<u64>) -> Option<Self> {
        let cursor = cursor?;
        let spot = tree.locate(cursor)?;
        let below = |row: u64| {
            let (at, path) = (tree.path_of(cursor)?, tree.path_of(row)?);
            (at.len() > path.len() && at.starts_with(&path)).then_some(row)
        };
        Some(Self { at: (spot.parent, spot.index), above: row.and_then(below) })
    }

    /// Row of the cursor after the change.
    pub fn row<P>(self, tree: &Tree<P>) -> u64 {
        self.above.unwrap_or_else(|| tree.row_of(self.at.0, self.at.1))
    }
}
