//! Memory and CPU time of this process so far.

use std::time::Duration;

/// Anonymous resident memory in bytes if the system reports it, else 0.
pub(crate) fn anonymous_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// User and system time of this process so far if the system reports it, else 0.
pub(crate) fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may hold anything but a closing parenthesis after it.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks: u64 = fields.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    // A hundred ticks a second on every Linux of today.
    Duration::from_millis(ticks * 10)
}
