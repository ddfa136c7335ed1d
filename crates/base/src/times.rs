//! Times as text.

use std::time::{Duration, UNIX_EPOCH};

/// Time in RFC 3339 format, of milliseconds since 1970 UTC: `2026-11-21T02:30:24Z`. `None` of years after 9999, which a
/// damaged header may contain.
pub fn rfc3339(millis: u64) -> Option<String> {
    let time = UNIX_EPOCH.checked_add(Duration::from_millis(millis))?;
    (millis < 253_402_300_800_000).then(|| humantime::format_rfc3339_seconds(time).to_string())
}
