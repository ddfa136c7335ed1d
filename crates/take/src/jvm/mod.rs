//! HotSpot JVMs: their counters, the attach protocol, dumps and class histograms.

mod attach;
mod dump;
mod histogram;
mod perf_data;

pub use self::attach::JvmConnection;
pub(crate) use self::dump::{estimated_size, take_jvm};
pub use self::histogram::ClassRow;
pub(crate) use self::perf_data::{JvmCounters, read_counters};
