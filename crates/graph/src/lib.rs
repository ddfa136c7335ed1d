//! Graph algorithms of heaplens: nodes are `u32`, edges are compressed sparse rows, weights are `u64`. This crate knows
//! nothing of heaps, so every algorithm is tested on random graphs and benchmarked on large ones without any dump.
//! Nothing recurses: a chain of five million nodes is ordinary input.
//!
//! - **Graphs**: [`csr`] has the edges in memory, [`links`] in memory or in a file, [`digraph`] adds one implicit edge
//!   per node (in a heap: from an object to its class); [`mod@transpose`] reverses all edges.
//! - **Searches**: [`mod@search`] depth first, [`mod@distances`] breadth first, [`mod@reach`] in parallel, [`forest`]
//!   without roots, [`mod@components`] strongly connected. Before a search, [`leaves`] finds nodes whose dominator is
//!   known, [`clusters`] joins nodes to the only one that leads to them, and [`marks`] has what both ask of every node.
//! - **Dominators**: [`dominators`] by semi-NCA on the graph of clusters, of all nodes as a [`tree`] in preorder, where a subtree is a range: [`sums`] and
//!   [`sparse_sums`] are the weights below a node, [`groups`] of several nodes, [`descent`] walks below one.
//! - **Sets and orders**: [`bits`], [`ranks`], [`order`].
//!
//! Long operations take a [`Task`](heaplens_base::Task), which counts nodes and cancels them, and allocate from a
//! [`MemoryBudget`](heaplens_base::storage::MemoryBudget).
//!
//! ```
//! use heaplens_base::storage::MemoryBudget;
//! use heaplens_base::task::{Cancelled, Task};
//! use heaplens_graph::bits::Bits;
//! use heaplens_graph::csr::Csr;
//! use heaplens_graph::digraph::Digraph;
//! use heaplens_graph::dominators::immediate_dominators;
//! use heaplens_graph::marks::Marks;
//! use heaplens_graph::search::search;
//!
//! # fn main() -> Result<(), Cancelled> {
//! // Two paths lead from 0 to 3, by way of 1 and of 2.
//! let edges = Csr::from_edges(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
//! let (space, task) = (MemoryBudget::default(), Task::new());
//! let mut search = search(edges.view(), &[0], &space, &task)?;
//! let dominators = immediate_dominators(&mut search, &space, &task)?;
//! // Dominators are in the numbers of the search.
//! let dominator_of = |node: usize| search.order[dominators[search.number[node] as usize] as usize];
//! assert_eq!(dominator_of(3), 0);
//! # Ok(())
//! # }
//! ```

pub mod bits;
pub mod clusters;
pub mod components;
mod crossings;
pub mod csr;
pub mod degrees;
pub mod descent;
pub mod digraph;
pub mod distances;
pub mod dominators;
pub mod forest;
pub mod groups;
pub mod leaves;
pub mod links;
pub mod marks;
pub mod order;
mod parentheses;
pub mod ranks;
pub mod reach;
pub mod search;
pub mod sparse_sums;
pub mod sums;
pub mod transpose;
pub mod tree;
mod visits;

pub use self::bits::Bits;
pub use self::clusters::Clusters;
pub use self::csr::{Csr, Rows};
pub use self::digraph::Digraph;
pub use self::forest::{Edges, Forest};
pub use self::links::Links;
pub use self::marks::Marks;
pub use self::sparse_sums::SparseSums;
pub use self::tree::{Tree, TreeStep};

/// Absent node: no parent, not reached, no hub.
pub const NONE: u32 = u32::MAX;
