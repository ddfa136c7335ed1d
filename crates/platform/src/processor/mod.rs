//! Instructions of the processor that the compiler does not choose by itself.

mod count_ones;
mod prefetch;

pub use self::count_ones::count_ones;
pub use self::prefetch::prefetch;
