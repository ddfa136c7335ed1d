//! Folds: rows of a level that represent several objects.

use super::{chains::Chain, parts::PartitionBy};
use heaplens_base::Bytes;
use heaplens_heap::{Amounts, ClassId};

/// A row that represents several objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Fold {
    /// Their common property.
    pub kind: FoldKind,
    /// Number of objects.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Retained size of all of them; each byte counts once.
    pub retained: Bytes,
    /// Number of further objects they retain.
    pub dominated: u64,
    /// Retained size in the baseline of those that existed there, in a comparison.
    pub then: Option<Bytes>,
    /// Figures that only some dumps have.
    pub amounts: Amounts,
}

/// Common property of the objects of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum FoldKind {
    /// Each dominates the next.
    Chain {
        /// The chain.
        chain: Chain,
        /// Names of the references from each to the next: `next`; empty if unknown.
        via: Box<str>,
    },
    /// Members of the chain that the level is below.
    Members(Chain),
    /// Objects of one class, package or loader, represented by a class.
    Group(PartitionBy, ClassId),
    /// Objects shared by the same owners.
    Shared(u32),
}
