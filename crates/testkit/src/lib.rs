//! Generators of graphs and dumps, for tests and benchmarks. They share nothing with the readers, so a wrong constant
//! in either of them shows.

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
