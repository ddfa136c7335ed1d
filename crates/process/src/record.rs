//! The record of a process, as it is in the file beside a dump.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use heaplens_base::named;
use serde::{Deserialize, Serialize};

use crate::bounded;
use crate::jvm::JvmRecord;
use crate::machine::{Descriptors, Limits, MachineMemory, Mapping, MemoryTotals, ThreadName};
use crate::script::ScriptRecord;

/// Version of the file: it rises when a field changes its meaning, not when one is added.
pub const SCHEMA: u32 = 1;
/// What follows the name of the dump.
const EXTENSION: &str = ".process.json";

/// Kind of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordKind {
    /// A Java virtual machine.
    Jvm,
    /// A JavaScript engine.
    JavaScript,
    /// An Android app.
    Android,
}

named! { RecordKind {
    Jvm = "jvm", "JVM";
    JavaScript = "java-script", "JavaScript engine";
    Android = "android", "Android app";
}}

/// What a process used at one moment. All numbers of bytes are `u64`; an absent value was not recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProcessRecord {
    /// [`SCHEMA`].
    pub heaplens_process: u32,
    /// Where it is from: `heaplens take`, or the names of the files that were read.
    #[serde(deserialize_with = "bounded::list")]
    pub sources: Vec<String>,
    /// Kind of the process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<RecordKind>,
    /// Number of the process on its machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Main class, script or package, without arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Name and version of the virtual machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// When it was recorded, in milliseconds since 1970 UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded_at_millis: Option<u64>,
    /// Milliseconds that recording took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_millis: Option<u64>,
    /// Limits of its container, and how near it came to them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// Memory of its machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineMemory>,
    /// Totals of its memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryTotals>,
    /// Its mappings with resident or swapped memory, by address.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "bounded::list")]
    pub mappings: Vec<Mapping>,
    /// Number of its threads, as the system counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u64>,
    /// Its threads by name without trailing numbers, most frequent first; at most 100.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "bounded::list")]
    pub thread_names: Vec<ThreadName>,
    /// Its open files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descriptors: Option<Descriptors>,
    /// What the virtual machine says, of a JVM.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jvm: Option<JvmRecord>,
    /// What the engine says, of JavaScript.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<ScriptRecord>,
    /// Categories of `dumpsys meminfo` with their proportional bytes, of an Android app.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "bounded::list")]
    pub android: Vec<(String, u64)>,
    /// Parts of its summary with their proportional bytes: the same memory as in the categories.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "bounded::list")]
    pub android_summary: Vec<(String, u64)>,
    /// Message of the error that ended the process, such as that of an `hs_err` file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What was not recorded.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "bounded::list")]
    pub gaps: Vec<Gap>,
}

/// Something that was not recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gap {
    /// What: `native memory tracking`.
    pub what: String,
    /// Why, and what to do next time: `it is off; start the JVM with -XX:NativeMemoryTracking=summary`.
    pub why: String,
}

impl Gap {
    /// Native memory of a JVM that does not track it.
    pub fn tracking_off() -> Self {
        let why = "it is off; start the JVM with -XX:NativeMemoryTracking=summary";
        Self { what: "native memory tracking".to_owned(), why: why.to_owned() }
    }
}

impl ProcessRecord {
    /// An empty record from `source`.
    pub fn new(source: impl Into<String>) -> Self {
        Self { heaplens_process: SCHEMA, sources: vec![source.into()], ..Self::default() }
    }

    /// Name of the record of a dump: `app.hprof` has `app.hprof.process.json`.
    pub fn path_beside(dump: &Path) -> PathBuf {
        let mut name = dump.file_name().map(OsString::from).unwrap_or_default();
        name.push(EXTENSION);
        dump.with_file_name(name)
    }

    /// Adds what another record of the same process has; of two values the present one stays.
    pub fn add(&mut self, other: Self) {
        fn first<T>(value: &mut Option<T>, other: Option<T>) {
            if value.is_none() {
                *value = other;
            }
        }
        fn longer<T>(list: &mut Vec<T>, other: Vec<T>) {
            if list.is_empty() {
                *list = other;
            }
        }
        self.heaplens_process = SCHEMA;
        self.sources.extend(other.sources);
        first(&mut self.kind, other.kind);
        first(&mut self.pid, other.pid);
        first(&mut self.program, other.program);
        first(&mut self.runtime, other.runtime);
        first(&mut self.recorded_at_millis, other.recorded_at_millis);
        first(&mut self.cost_millis, other.cost_millis);
        first(&mut self.limits, other.limits);
        first(&mut self.machine, other.machine);
        first(&mut self.memory, other.memory);
        longer(&mut self.mappings, other.mappings);
        first(&mut self.threads, other.threads);
        longer(&mut self.thread_names, other.thread_names);
        first(&mut self.descriptors, other.descriptors);
        match (&mut self.jvm, other.jvm) {
            (Some(jvm), Some(other)) => jvm.add(other),
            (jvm, other) => first(jvm, other),
        }
        first(&mut self.script, other.script);
        longer(&mut self.android, other.android);
        longer(&mut self.android_summary, other.android_summary);
        first(&mut self.failure, other.failure);
        self.gaps.extend(other.gaps);
    }

    /// Resident memory in bytes: as the system totals it, else the sum of the mappings.
    pub fn resident(&self) -> Option<u64> {
        let sum = || self.mappings.iter().fold(0_u64, |sum, mapping| sum.saturating_add(mapping.resident));
        let total = self.memory.as_ref().and_then(|memory| memory.resident);
        total.or_else(|| (!self.mappings.is_empty()).then(sum)).or_else(|| self.script.as_ref()?.resident)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_beside_its_dump() {
        let beside = ProcessRecord::path_beside(Path::new("dumps/shop.hprof.gz"));
        assert_eq!(beside, Path::new("dumps/shop.hprof.gz.process.json"));
    }

    #[test]
    fn the_present_value_stays_and_absent_ones_are_added() {
        let mut record = ProcessRecord { pid: Some(1), ..ProcessRecord::new("heaplens take") };
        record.add(ProcessRecord { pid: Some(2), threads: Some(7), ..ProcessRecord::new("threads.txt") });
        assert_eq!((record.pid, record.threads, record.sources.len()), (Some(1), Some(7), 2));
    }

    #[test]
    fn an_old_reader_ignores_what_is_added_later() {
        let text =
            r#"{"heaplens_process":1,"sources":["heaplens take"],"later":{"a":1},"memory":{"resident":5,"new":1}}"#;
        let record: ProcessRecord = serde_json::from_str(text).unwrap();
        assert_eq!(record.resident(), Some(5));
    }
}
