//! Results of a check as text, JSON, Markdown, and in the formats of other tools: SARIF 2.1.0 and JUnit XML.
//!
//! Names in a dump may contain anything: each writer escapes them as its format requires.

mod json;
mod junit;
mod markdown;
mod sarif;
mod text;
mod words;

pub use self::json::write_check_json;
pub use self::junit::write_check_junit;
pub use self::markdown::write_check_markdown;
pub use self::sarif::write_check_sarif;
pub use self::text::{write_accepted_text, write_check_text};
pub use self::words::failure;
