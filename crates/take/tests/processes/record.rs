//! Records of processes beside their dumps.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use heaplens_base::Task;
use heaplens_process::{ProcessRecord, RecordKind};
use heaplens_take::{ProcessRecording, TakeError, TakeOptions, Taken, Target, take};

use super::acted_inspector;
use super::acted_jvm::{ActedJvm, Manner};
use super::acted_machine::{ActedMachine, ActedProcess};

const DUMP: &[u8] = b"JAVA PROFILE 1.0.2\0 and the rest";

/// A process in a container, with a secret among its arguments.
fn contained(manner: Manner) -> (ActedMachine, ActedJvm) {
    let machine = ActedMachine::new();
    let arguments = "java -Dpassword=planted -cp lib shop.Main --token planted";
    machine.add(&ActedProcess { arguments, ..ActedProcess::default() }, true);
    machine.add_kernel_files(77);
    let jvm = ActedJvm::start(&machine.root().join("tmp/.java_pid1"), &machine.root(), manner);
    (machine, jvm)
}

fn take_from(machine: &ActedMachine, target: &Target, options: &TakeOptions) -> Result<Taken, TakeError> {
    take(&machine.machine(), target, options, machine.dumps.path(), &Task::new())
}

/// The record beside a dump.
fn record_of(taken: &Taken) -> ProcessRecord {
    let file = taken.record.clone().unwrap_or_else(|| panic!("{:?}", taken.record_failure));
    assert_eq!(file.path, ProcessRecord::path_beside(&taken.path));
    let bytes = fs::read(&file.path).unwrap();
    assert_eq!(bytes.len() as u64, file.size.0);
    assert!(!String::from_utf8_lossy(&bytes).contains("planted"), "a secret is recorded");
    assert_eq!(fs::metadata(&file.path).unwrap().permissions().mode() & 0o777, 0o600);
    ProcessRecord::read("record", &bytes).unwrap()
}

/// What is missing in a record.
fn gaps(record: &ProcessRecord) -> Vec<&str> {
    record.gaps.iter().map(|gap| gap.what.as_str()).collect()
}

#[test]
fn a_jvm_is_recorded_with_its_memory_limits_threads_and_descriptors() {
    let (machine, _jvm) = contained(Manner::Writes(DUMP.to_vec()));
    let record = record_of(&take_from(&machine, &Target::Pid(77), &TakeOptions::default()).unwrap());
    assert_eq!((record.heaplens_process, record.kind, record.pid), (1, Some(RecordKind::Jvm), Some(77)));
    assert_eq!(record.program.as_deref(), Some("shop.Main"));
    assert_eq!(record.runtime.as_deref(), Some("OpenJDK 64-Bit Server VM 17.0.15+6"));
    assert!(record.recorded_at_millis.is_some() && record.cost_millis.is_some());

    let memory = record.memory.clone().unwrap();
    let sum: u64 = record.mappings.iter().map(|mapping| mapping.resident).sum();
    assert_eq!((record.resident(), memory.resident), (Some(sum), Some(sum)));
    assert!(record.mappings.iter().any(|mapping| mapping.name.ends_with("libjvm.so")));
    assert_eq!(record.machine.as_ref().map(|machine| machine.total), Some(24_683_652 << 10));

    let names: Vec<_> = record.thread_names.iter().map(|names| (names.name.as_str(), names.threads)).collect();
    assert_eq!((record.threads, names.as_slice()), (Some(3), &[("pool-1-thread", 2), ("java", 1)][..]));
    let descriptors = record.descriptors.clone().unwrap();
    assert_eq!((descriptors.open, descriptors.limit), (5, Some(20000)));
    assert_eq!((descriptors.files, descriptors.sockets, descriptors.pipes, descriptors.others), (1, 2, 1, 1));

    let jvm = record.jvm.clone().unwrap();
    assert_eq!(jvm.heap.unwrap().used, 3243 << 10);
    assert_eq!(jvm.metaspace.unwrap().committed, 320 << 10);
    assert_eq!(jvm.code.unwrap().segments.len(), 3);
    let flags: Vec<_> = jvm.flags.iter().map(|(flag, value)| (flag.as_str(), value.as_str())).collect();
    assert_eq!(flags, [("MaxHeapSize", "134217728"), ("UseG1GC", "true")]);
    assert_eq!(gaps(&record), ["native memory tracking"]);
    assert!(record.gaps[0].why.contains("-XX:NativeMemoryTracking=summary"));
}

#[test]
fn the_lowest_limit_of_the_groups_above_counts() {
    let (machine, _jvm) = contained(Manner::Writes(DUMP.to_vec()));
    let limits = record_of(&take_from(&machine, &Target::Pid(77), &TakeOptions::default()).unwrap()).limits.unwrap();
    assert_eq!((limits.memory, limits.used, limits.peak), (Some(512 << 20), Some(500_000_000), Some(512 << 20)));
    assert_eq!((limits.kills, limits.tasks, limits.tasks_used), (Some(2), Some(4096), Some(61)));

    machine.add_group_of_version_1(77);
    let limits = record_of(&take_from(&machine, &Target::Pid(77), &TakeOptions::default()).unwrap()).limits.unwrap();
    assert_eq!((limits.memory, limits.used, limits.kills), (Some(256 << 20), Some(200_000_000), Some(1)));
    assert_eq!((limits.peak, limits.tasks), (Some(256 << 20), None));
}

#[test]
fn what_cannot_be_read_is_a_gap_and_the_dump_is_there() {
    let (machine, _jvm) = contained(Manner::IsOld(DUMP.to_vec()));
    machine.remove(77, "smaps");
    machine.remove(77, "cgroup");
    let taken = take_from(&machine, &Target::Pid(77), &TakeOptions::default()).unwrap();
    assert_eq!(fs::read(&taken.path).unwrap(), DUMP);
    let record = record_of(&taken);
    assert!(record.mappings.is_empty() && record.limits.is_none());
    assert_eq!(record.resident(), Some(1000 << 10), "its status file says it");
    let missing = gaps(&record);
    for what in ["mappings", "limits of the container", "native memory tracking", "code cache", "flags"] {
        assert!(missing.contains(&what), "{what}: {missing:?}");
    }
    // What the heap says of the metaspace is there.
    let jvm = record.jvm.clone().unwrap();
    assert!(jvm.heap.is_some() && jvm.metaspace.is_some() && !missing.contains(&"metaspace"), "{missing:?}");
    assert!(record.gaps.iter().all(|gap| !gap.why.is_empty()));
}

#[test]
fn a_jvm_that_does_not_answer_is_asked_once() {
    let (machine, _jvm) = contained(Manner::IsSilent(DUMP.to_vec()));
    let taken = take_from(&machine, &Target::Pid(77), &TakeOptions::default()).unwrap();
    let record = record_of(&taken);
    assert!(record.gaps.len() >= 5 && record.gaps.iter().all(|gap| gap.why.contains("did not answer GC.heap_info")));
    let millis = record.cost_millis.unwrap();
    assert!((5000..15_000).contains(&millis), "{millis} ms");
}

#[test]
fn nothing_is_recorded_if_that_is_not_wanted() {
    let (machine, _jvm) = contained(Manner::Writes(DUMP.to_vec()));
    let options = TakeOptions { recording: ProcessRecording::LeftOut, ..TakeOptions::default() };
    let taken = take_from(&machine, &Target::Pid(77), &options).unwrap();
    assert_eq!((taken.record, taken.record_failure), (None, None));
    assert_eq!(machine.files().len(), 1, "{:?}", machine.files());
}

#[test]
fn a_record_of_another_dump_is_not_overwritten() {
    let (machine, _jvm) = contained(Manner::Writes(DUMP.to_vec()));
    let dump = machine.dumps.path().join("mine.hprof");
    let other = ProcessRecord::path_beside(&dump);
    fs::write(&other, "other").unwrap();
    let taken = take(&machine.machine(), &Target::Pid(77), &TakeOptions::default(), &dump, &Task::new());
    assert!(matches!(taken, Err(TakeError::Exists(path)) if path == other));
    assert_eq!(fs::read_to_string(&other).unwrap(), "other");
}

#[test]
fn a_node_process_is_recorded_by_its_inspector_and_by_the_kernel() {
    let machine = ActedMachine::new();
    let process = ActedProcess {
        library: "libc.so",
        executable: "/usr/bin/node",
        arguments: "node --inspect /srv/app.js --token planted",
        ..ActedProcess::default()
    };
    machine.add(&process, false);
    machine.add_kernel_files(77);
    machine.listen(77, acted_inspector::start(1, acted_inspector::Manner::Sends));
    let record = record_of(&take_from(&machine, &Target::Pid(77), &TakeOptions::default()).unwrap());
    assert_eq!((record.kind, record.pid), (Some(RecordKind::JavaScript), Some(77)));
    assert_eq!((record.program.as_deref(), record.runtime.as_deref()), (Some("app.js"), Some("Node.js v20.20.2")));
    let script = record.script.clone().unwrap();
    assert_eq!((script.resident, script.heap_used), (Some(55_734_272), Some(4_122_760)));
    assert_eq!((script.external, script.array_buffers), (Some(5_785_650), Some(4_204_995)));
    assert_eq!((script.heap_limit, script.workers), (Some(4_345_298_944), Some(2)));
    assert_eq!(script.spaces.len(), 1, "empty spaces are left out");
    assert!(!record.mappings.is_empty() && record.limits.is_some());
    assert_eq!(gaps(&record), [""; 0]);
}

#[test]
fn a_program_on_the_command_line_is_not_recorded() {
    let machine = ActedMachine::new();
    let process = ActedProcess {
        library: "libc.so",
        executable: "/usr/bin/node",
        arguments: "node --inspect -e login('planted')",
        ..ActedProcess::default()
    };
    machine.add(&process, false);
    machine.add_kernel_files(77);
    machine.listen(77, acted_inspector::start(1, acted_inspector::Manner::Sends));
    let record = record_of(&take_from(&machine, &Target::Pid(77), &TakeOptions::default()).unwrap());
    assert_eq!(record.program.as_deref(), Some("java"), "the name that the kernel has");
}

#[test]
fn a_page_has_the_use_of_its_heap_only() {
    let machine = ActedMachine::new();
    let port = acted_inspector::start(1, acted_inspector::Manner::IsPage);
    let target = Target::Inspector { address: format!("127.0.0.1:{port}"), id: None };
    let record = record_of(&take_from(&machine, &target, &TakeOptions::default()).unwrap());
    let script = record.script.clone().unwrap();
    assert_eq!((script.heap_used, script.heap_total, script.resident), (Some(1000), Some(2000), None));
    assert_eq!((record.pid, record.memory.clone(), gaps(&record)), (None, None, vec!["memory outside the heap"]));
    assert_eq!(record.program, None, "the title of a page may be anything");
}
