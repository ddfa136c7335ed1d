//! Instructions of the processor that Rust does not emit by itself, since not every processor it compiles for has them.

mod count_ones;
mod prefetch;

pub use self::count_ones::count_ones;
pub use self::prefetch::prefetch;
