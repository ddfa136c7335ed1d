//! The check of dumps against a baseline, for continuous integration: what leaks that was not accepted, and what grew
//! since it was accepted.
//!
//! [`checked_dump`] gathers what is compared of a dump, [`Baseline`] is what was accepted, [`compare()`] compares both,
//! and a [`CheckReport`] holds the results of all dumps. Nothing here reads or writes a file. Names in a baseline have
//! no values of the program, since it is committed with the source.

mod baseline;
mod compare;
mod entry;
mod finding;
mod part;
mod report;

pub use self::baseline::{Baseline, BaselineSection};
pub use self::compare::{CheckRow, CheckStatus, GoneReason, Tolerance, compare};
pub use self::entry::BaselineEntry;
pub use self::finding::{CheckQuery, CheckedDump, CheckedFinding, checked_dump};
pub use self::part::CheckPart;
pub use self::report::{CheckReport, CheckedFile, DumpCheck};
