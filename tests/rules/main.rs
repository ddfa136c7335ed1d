//! Rules about the tree itself: imports, sizes of files, the manual, dependencies.

mod docs;
mod layering;
mod supply;
