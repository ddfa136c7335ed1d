//! One path from a GC root to an object, which may have millions of steps: its search, its lines, and details of the
//! steps on screen.

pub mod details;
pub mod lines;
pub mod query;
