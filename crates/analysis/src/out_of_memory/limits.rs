//! What the record of a process says of its limits: it tells kinds apart that the dump alone does not.

use super::kind::ErrorKind;
use crate::answers::DumpData;
use heaplens_process::JvmRecord;

/// Size of the class space unless an option says otherwise.
const CLASS_SPACE: u64 = 1 << 30;
/// One part in so many of a limit may be free when an allocation fails: chunks and regions are as large.
const FREE: u64 = 8;
/// Flags of the collectors that never give up because collections take nearly all time, before all do.
const PATIENT: [&str; 5] = ["UseG1GC", "UseSerialGC", "UseZGC", "UseShenandoahGC", "UseEpsilonGC"];

fn jvm(dump: DumpData<'_>) -> Option<&JvmRecord> {
    dump.record?.jvm.as_ref()
}

/// A number of bytes that a flag sets.
pub(super) fn flag(dump: DumpData<'_>, name: &str) -> Option<u64> {
    jvm(dump)?.flags.get(name)?.parse().ok()
}

/// True if the collector is one that never gives up because collections take nearly all time; `None` if it is not recorded.
pub(super) fn is_patient(dump: DumpData<'_>) -> Option<bool> {
    let flags = &jvm(dump)?.flags;
    let is_on = |name: &str| flags.get(name).is_some_and(|value| value == "true");
    if is_on("UseParallelGC") {
        return Some(false);
    }
    PATIENT.iter().any(|name| is_on(name)).then_some(true)
}

/// Which of metaspace and class space is full, if one is.
pub(super) fn full_metadata(dump: DumpData<'_>) -> Option<ErrorKind> {
    let metaspace = jvm(dump)?.metaspace.as_ref()?;
    let is_full = |used: u64, limit: u64| used >= limit - limit / FREE;
    let class_space = flag(dump, "CompressedClassSpaceSize").unwrap_or(CLASS_SPACE);
    if metaspace.class_committed > 0 && is_full(metaspace.class_committed, class_space) {
        return Some(ErrorKind::ClassSpace);
    }
    let limit = flag(dump, "MaxMetaspaceSize")?;
    is_full(metaspace.committed, limit).then_some(ErrorKind::Metaspace)
}
