//! What many heap dumps have in common. A *digest* is what a fleet needs of one dump, as some dozens of records
//! ([`digest()`]); a [`Fleet`] holds the digests of many; [`QUESTIONS`] asks them, with SQL that DuckDB and Spark run, too.

mod baseline;
mod database;
mod digest;
mod digest_file;
mod fleet;
mod identity;
mod questions;
mod record;
mod report;
mod table;
mod version_order;

pub use baseline::Baseline;
pub use database::database;
pub use digest::{CLASSES, DigestOptions, FINDINGS, digest, hide_folders, unreadable};
pub use digest_file::{DigestFileError, DigestForm, read, write};
pub use fleet::Fleet;
pub use identity::{DigestIdentity, UNKNOWN};
pub use questions::{FleetAnswer, QUESTIONS, Question, ask};
pub use record::{CLASS, COLUMNS, DUMP, DigestRecord, FINDING, INCOMPLETE, READ, UNREADABLE};
pub use report::{FleetReport, write_html, write_json, write_markdown, write_text};
pub use table::{FleetLeak, FleetTable, LeakChange, LeakInVersion};
pub use version_order::version_order;
