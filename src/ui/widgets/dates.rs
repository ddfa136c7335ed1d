//! Times to the minute, as lists show them.

use heaplens_base::times::rfc3339;

/// `2026-11-21 02:30`, of a time in RFC 3339 format.
pub fn to_minute(time: &str) -> String {
    time.chars().take(16).collect::<String>().replace('T', " ")
}

/// `2026-11-21 02:30 UTC`, of milliseconds since 1970 UTC; `None` if they are not known or of no usual year.
pub fn written(millis: Option<u64>) -> Option<String> {
    Some(format!("{} UTC", to_minute(&rfc3339(millis?)?)))
}
