//! Android leaks in LeakCanary's form: the trace, character by character, a whole report, and JSON.

mod json;
mod report;
mod rows;
mod text;

pub use self::json::{lost_json, metadata_json, trace_json, unreachable_json};
pub use self::report::{rows as metadata_rows, write_leakcanary};
pub use self::rows::{held_by, leak_row, to_clear, unreachable_row};
pub use self::text::{
    headline, leak_text, leak_text_with, trace_text, unreachable_text, write_traces_markdown, write_traces_text,
};

use heaplens_analysis::android::shark::Status;
use heaplens_base::Bytes;

/// Zero-width space that LeakCanary puts before the lines of the last object of a trace.
const ZERO_WIDTH_SPACE: char = '\u{200b}';

/// Text of a status.
pub fn status(status: Status) -> &'static str {
    match status {
        Status::NotLeaking => "Not leaking",
        Status::Unknown => "Unknown",
        Status::Leaking => "Leaking",
    }
}

/// Size in LeakCanary's format: `378 B`, `5.1 kB`.
pub fn size(bytes: Bytes) -> String {
    const UNITS: [char; 6] = ['k', 'M', 'G', 'T', 'P', 'E'];
    if bytes.0 < 1_000 {
        return format!("{} B", bytes.0);
    }
    let (mut value, mut unit) = (u128::from(bytes.0), 0);
    // While it would have four digits before the point.
    while value >= 999_950 && unit + 1 < UNITS.len() {
        value /= 1_000;
        unit += 1;
    }
    let tenths = (value + 50) / 100;
    format!("{}.{} {}B", tenths / 10, tenths % 10, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_as_leakcanary_does() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (5_070, "5.1 kB"),
            (999_949, "999.9 kB"),
            (1_500_000, "1.5 MB"),
        ] {
            assert_eq!(size(Bytes(bytes)), text);
        }
    }
}
