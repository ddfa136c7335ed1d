//! What the heapdumps of IBM's virtual machines have in common, binary and text: names as class files write them,
//! references without names, roots that have to be found, and the javacore beside a dump that tells of threads.

pub(super) mod beside;
pub(super) mod contents;
pub(super) mod javacore;
pub(super) mod names;
pub(super) mod reading;
