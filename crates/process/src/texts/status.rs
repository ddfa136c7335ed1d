//! `/proc/PID/status`: totals of the memory of a process and the number of its threads (proc(5)).

use crate::machine::MemoryTotals;

/// What the file says of memory and threads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatusTotals {
    /// Totals of the memory.
    pub memory: MemoryTotals,
    /// Number of threads.
    pub threads: Option<u64>,
    /// Number of the process.
    pub pid: Option<u32>,
}

/// Reads `/proc/PID/status`; `None` if the text does not say how much memory is resident.
pub fn status(text: &str) -> Option<StatusTotals> {
    let mut status = StatusTotals::default();
    for line in text.lines() {
        let Some((key, value)) = line.split_once(':') else { continue };
        let Some(number) = value.split_whitespace().next().and_then(|word| word.parse::<u64>().ok()) else { continue };
        let bytes = Some(number.saturating_mul(1024));
        let memory = &mut status.memory;
        match key {
            "Pid" => status.pid = u32::try_from(number).ok(),
            "Threads" => status.threads = Some(number),
            "VmRSS" => memory.resident = bytes,
            "VmHWM" => memory.peak_resident = bytes,
            "RssAnon" => memory.anonymous = bytes,
            "RssFile" => memory.file = bytes,
            "RssShmem" => memory.shared = bytes,
            "VmSwap" => memory.swap = bytes,
            "VmSize" => memory.address_space = bytes,
            _ => {}
        }
    }
    status.memory.resident.is_some().then_some(status)
}
