//! Common parts of the binary and text heap dumps of IBM virtual machines: references without names, inferred roots, and
//! the javacore that describes threads.

pub(super) mod contents;
pub(super) mod derived_facts;
pub(super) mod javacore;
pub(super) mod reading;
