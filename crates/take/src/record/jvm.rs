//! What a JVM says of itself, by diagnostic commands over the attach protocol.

use heaplens_base::Task;
use heaplens_process::texts::{
    class_loaders, code_cache, java_heap, jvm_version, memory_flags, metaspace, native_tracking,
};
use heaplens_process::{Gap, JvmRecord, ProcessRecord};

use super::gap;
use crate::jvm::JvmConnection;

/// Asks a JVM for its parts. One that does not answer is not asked again.
pub(crate) fn record_jvm(jvm: &JvmConnection, record: &mut ProcessRecord, task: &Task) {
    let mut questions = Questions { jvm, task, silence: None };
    let mut parts = JvmRecord::default();
    // The heap is first: the other answers are of memory that does not change by being asked.
    if let Some(heap) = questions.ask("GC.heap_info", "Java heap", record) {
        parts.heap = java_heap(&heap);
        // Before JDK 19 it says this, too; VM.metaspace is asked below, as it is exact.
        parts.metaspace = metaspace(&heap);
        unreadable(record, "Java heap", parts.heap.is_none());
    }
    if let Some(text) = questions.ask("VM.native_memory summary", "native memory tracking", record) {
        parts.native = native_tracking(&text);
        if text.contains("not enabled") {
            record.gaps.push(Gap::tracking_off());
        } else {
            unreadable(record, "native memory tracking", parts.native.is_none());
        }
    }
    if let Some(text) = questions.ask("VM.metaspace basic scale=1", "metaspace", record) {
        parts.metaspace = metaspace(&text).or(parts.metaspace);
        unreadable(record, "metaspace", parts.metaspace.is_none());
    }
    if parts.metaspace.is_some() {
        record.gaps.retain(|gap| gap.what != "metaspace");
    }
    if let Some(text) = questions.ask("VM.classloader_stats", "class loaders", record) {
        parts.loaders = class_loaders(&text);
        unreadable(record, "class loaders", parts.loaders.is_empty());
    }
    if let Some(text) = questions.ask("Compiler.codecache", "code cache", record) {
        parts.code = code_cache(&text);
        unreadable(record, "code cache", parts.code.is_none());
    }
    if let Some(text) = questions.ask("VM.flags", "flags", record) {
        parts.flags = memory_flags(&text);
    }
    if let Some(text) = questions.ask("VM.version", "version", record) {
        record.runtime = jvm_version(&text);
    }
    record.jvm = (parts != JvmRecord::default()).then_some(parts);
}

/// Questions to one JVM.
struct Questions<'a> {
    jvm: &'a JvmConnection,
    task: &'a Task,
    /// Why it is not asked any more.
    silence: Option<String>,
}

impl Questions<'_> {
    /// Answer to a command; without one, a gap says why `what` is missing.
    fn ask(&mut self, command: &str, what: &str, record: &mut ProcessRecord) -> Option<String> {
        if let Some(why) = &self.silence {
            gap(record, what, why.as_str());
            return None;
        }
        match self.jvm.diagnose(command, self.task) {
            Ok(answer) => Some(answer),
            Err(error) => {
                let why = error.to_string();
                if why.contains("did not answer") || self.task.is_cancelled() {
                    self.silence = Some(why.clone());
                }
                gap(record, what, why);
                None
            }
        }
    }
}

fn unreadable(record: &mut ProcessRecord, what: &str, is_missing: bool) {
    if is_missing {
        gap(record, what, "the answer of this JVM is not known to heaplens");
    }
}
