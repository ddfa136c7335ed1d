//! Address space of this process, which `ulimit -v` limits.

use std::fs;

/// Address space in bytes left to this process; `None` if unlimited or unknown.
pub(crate) fn addresses_left() -> Option<u64> {
    let limit = soft_limit(&fs::read_to_string("/proc/self/limits").ok()?)?;
    let pages = fs::read_to_string("/proc/self/statm").ok()?;
    let used: u64 = pages.split(' ').next()?.parse().ok()?;
    Some(limit.saturating_sub(used * PAGE))
}

/// Page size in bytes on common Linux machines. On others, used memory is underestimated and the error comes later.
const PAGE: u64 = 4096;

fn soft_limit(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_read_as_the_system_writes_it() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max cpu time              unlimited            unlimited            seconds   \n\
                      Max address space         2048000000           unlimited            bytes     \n";
        assert_eq!(soft_limit(limits), Some(2_048_000_000));
        assert_eq!(soft_limit(&limits.replace("2048000000", "unlimited ")), None);
    }
}
