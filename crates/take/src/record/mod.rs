//! What a process uses at the moment when its dump is taken, in a small file beside the dump.
//!
//! It is recorded right before the dump, as the dump begins with a collection: the heap in use is with its garbage, and the
//! resident memory is that which somebody saw who wondered about it. Nothing of a command line or of an environment is
//! recorded but the name of the program. What cannot be recorded is a gap with its reason; no failure here ends the dump.

mod android;
mod control_groups;
mod file;
mod jvm;
mod kernel;
mod remote;
mod script;

use std::time::{Instant, SystemTime};

use heaplens_process::{Gap, ProcessRecord, RecordKind};

pub(crate) use self::android::record_android;
pub use self::file::RecordFile;
pub(crate) use self::file::write_beside;
pub(crate) use self::jvm::record_jvm;
pub(crate) use self::kernel::record_kernel;
pub(crate) use self::remote::{LINE, record_remote};
pub(crate) use self::script::record_script;

/// Source of records in the record itself.
const SOURCE: &str = "heaplens take";
/// Longest name of a program that is recorded.
const NAME: usize = 200;

/// A record while it is made.
#[derive(Debug)]
pub(crate) struct Recording {
    since: Instant,
    record: ProcessRecord,
}

impl Recording {
    /// Begins to record a process.
    pub(crate) fn begin(kind: RecordKind, pid: Option<u32>) -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let recorded_at_millis = now.ok().and_then(|since| u64::try_from(since.as_millis()).ok());
        let record = ProcessRecord { kind: Some(kind), pid, recorded_at_millis, ..ProcessRecord::new(SOURCE) };
        Self { since: Instant::now(), record }
    }

    /// Names the program, unless the name could be anything else, such as code on a command line.
    pub(crate) fn name(&mut self, program: &str) {
        let is_name = |letter: char| letter.is_alphanumeric() || "._-$@+:/".contains(letter);
        if !program.is_empty() && program.len() <= NAME && program.chars().all(is_name) {
            self.record.program = Some(program.to_owned());
        }
    }

    /// Ends recording: the dump is next.
    pub(crate) fn end(self) -> ProcessRecord {
        let mut record = self.record;
        record.cost_millis = u64::try_from(self.since.elapsed().as_millis()).ok();
        record
    }

    /// What is recorded so far.
    pub(crate) fn record(&mut self) -> &mut ProcessRecord {
        &mut self.record
    }
}

/// Adds why something is missing.
fn gap(record: &mut ProcessRecord, what: &str, why: impl Into<String>) {
    record.gaps.push(Gap { what: what.to_owned(), why: why.into() });
}
