//! Parts of a process that the dump alone tells.

use super::jvm::STACK;
use super::native::{Native, live_heap};
use super::part::{Basis, PartKind, ProcessPart};
use super::remainder::Remainder;
use crate::answers::DumpData;
use crate::threads::ThreadsQuestion;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_process::Gap;

/// Bytes of metadata of a class, in the middle of what was measured of programs with 600 to 20,000 classes
/// (`benches/runs/`).
pub(super) const CLASS: u64 = 8 << 10;

/// Parts by the dump: what objects own is in it, stacks and classes are only counted there.
pub(super) fn parts(dump: DumpData<'_>, native: &Native, task: &Task) -> Result<Vec<ProcessPart>, Cancelled> {
    let snapshot = dump.heap.snapshot().map(|snapshot| *snapshot.statistics());
    let live = live_heap(dump);
    let measured = |kind, bytes| ProcessPart::new(kind, bytes, Basis::Measured);
    let mut parts = vec![measured(PartKind::LiveHeap, live).count(dump.analysis.shown.objects)];
    if let Some(statistics) = snapshot {
        let other = Bytes(statistics.native.0.saturating_sub(statistics.typed_arrays.0));
        parts.push(measured(PartKind::ArrayBuffers, statistics.typed_arrays));
        parts.push(measured(PartKind::External, other));
        return Ok(parts);
    }
    let unreachable = dump.analysis.unreachable;
    // In a cut dump roots and holders are missing: what nothing reaches there is not known to be garbage.
    if !dump.heap.is_incomplete() {
        let garbage = measured(PartKind::RestOfHeap, unreachable.shallow).count(unreachable.objects);
        parts.push(garbage.about("garbage in the dump"));
    }
    parts.extend(native.parts(&mut Remainder::unlimited()));
    if let Some((count, bytes)) = native.mapped {
        let about = "addresses of mapped files; what of them is in memory is not recorded";
        parts.push(ProcessPart::new(PartKind::MappedFiles, bytes, Basis::Measured).count(count).about(about));
    }
    let threads = dump.intermediate(&ThreadsQuestion, task)?.len() as u64;
    if threads > 0 && dump.heap.origin.format.names_fields() {
        let about = format!("{} for each thread are reserved; usually a tenth is resident", Bytes(STACK));
        let part = ProcessPart::new(PartKind::ThreadStacks, Bytes(threads.saturating_mul(STACK)), Basis::Assumed);
        parts.push(part.count(threads).about(about));
        let classes = dump.heap.classes.iter().filter(|(_, class)| !class.unlisted).count() as u64;
        let about = format!("about {} for each class", Bytes(CLASS));
        let part = ProcessPart::new(PartKind::ClassMetadata, Bytes(classes.saturating_mul(CLASS)), Basis::Assumed);
        parts.push(part.count(classes).about(about));
    }
    Ok(parts)
}

/// What is missing without a record, and how to get it.
pub(super) fn no_record(dump: DumpData<'_>) -> Gap {
    let what = "the size of the process".to_owned();
    let is_page = || dump.heap.classes.all().iter().any(|class| class.name.starts_with("HTMLDocument"));
    let advice = if dump.heap.snapshot().is_some() && is_page() {
        "the task manager of the browser shows it"
    } else if dump.heap.snapshot().is_some() {
        "take the dump with 'heaplens take', which records it, or open it with --with and a diagnostic report of Node or \
         /proc/PID/smaps"
    } else if dump.heap.origin.format.is_android() {
        "take the dump with 'heaplens take', which records it, or open it with --with and the text of 'dumpsys meminfo'"
    } else {
        "take the dump with 'heaplens take', which records it, or open it with --with and /proc/PID/smaps, \
         'jcmd PID VM.native_memory' or hs_err_pid.log"
    };
    Gap { what, why: advice.to_owned() }
}
