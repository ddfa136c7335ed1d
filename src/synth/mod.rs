//! The second witness: graphs and dumps made up here, for tests and benches.
//! Nothing in this room is shared with a reader, so a constant that is wrong
//! in one of them shows.

pub mod random;
pub mod shapes;

pub mod sketch;

pub mod notation;
pub mod phone;

pub mod album;
pub mod art;
pub mod heaps;

pub mod hprof;
pub mod ibm_text;
pub mod phd;
pub mod rawheap;

pub mod v8;

pub mod world;

pub mod program;
