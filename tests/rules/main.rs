//! Rules about the tree itself: imports, sizes of files, the manual, dependencies.

mod circles;
mod docs;
mod identifiers;
mod imports;
mod layering;
mod outputs;
mod supply;
