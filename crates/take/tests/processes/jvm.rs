//! Dumps of JVMs.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use heaplens_base::Task;
use heaplens_take::watch::Watched;
use heaplens_take::{Gzip, ProcessKind, TakeError, TakeOptions, Target, effect_of, processes, take};

use super::acted_jvm::{ActedJvm, Manner};
use super::acted_machine::{ActedMachine, ActedProcess};

const DUMP: &[u8] = b"JAVA PROFILE 1.0.2\0 and the rest";

/// A process in a container, which answers in a manner.
fn contained(manner: Manner) -> (ActedMachine, ActedJvm) {
    let machine = ActedMachine::new();
    machine.add(&ActedProcess::default(), true);
    let jvm = ActedJvm::start(&machine.root().join("tmp/.java_pid1"), &machine.root(), manner);
    (machine, jvm)
}

fn take_77(machine: &ActedMachine, options: &TakeOptions, task: &Task) -> Result<PathBuf, TakeError> {
    take(&machine.machine(), &Target::Pid(77), options, machine.dumps.path(), task).map(|taken| taken.path)
}

#[test]
fn a_container_is_dumped_through_its_root() {
    let (machine, _jvm) = contained(Manner::Writes(DUMP.to_vec()));
    let path = take_77(&machine, &TakeOptions::default(), &Task::new()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), DUMP);
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    assert!(name.starts_with("shop-Main-") && path.extension().is_some_and(|end| end == "hprof"), "{name}");
    assert_eq!(machine.files(), [name.clone(), format!("{name}.process.json")], "nothing else is left");
}

#[test]
fn a_process_beside_this_one_writes_into_the_folder_itself() {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    // A number that no process of this machine has.
    let inner_pid = 900_000_000 + std::process::id() * 10 + NUMBER.fetch_add(1, Ordering::Relaxed);
    let machine = ActedMachine::new();
    machine.add(&ActedProcess { inner_pid, ..ActedProcess::default() }, false);
    let socket = PathBuf::from(format!("/tmp/.java_pid{inner_pid}"));
    let _jvm = ActedJvm::start(&socket, "/".as_ref(), Manner::Writes(DUMP.to_vec()));
    let path = take_77(&machine, &TakeOptions::default(), &Task::new()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), DUMP);
    assert_eq!(machine.files().len(), 2, "{:?}", machine.files());
}

#[test]
fn a_name_that_was_asked_for_is_used_and_never_overwritten() {
    let (machine, _jvm) = contained(Manner::Writes(DUMP.to_vec()));
    let path = machine.dumps.path().join("mine.hprof");
    let at = |task: &Task| take(&machine.machine(), &Target::Name("shop".into()), &TakeOptions::default(), &path, task);
    assert_eq!(at(&Task::new()).unwrap().path, path);
    assert!(matches!(at(&Task::new()), Err(TakeError::Exists(_))));
    assert_eq!(fs::read(&path).unwrap(), DUMP);
}

#[test]
fn a_machine_that_cannot_compress_has_an_uncompressed_name() {
    let options = TakeOptions { gzip: Gzip::level_of(1), ..TakeOptions::default() };
    let (machine, _jvm) = contained(Manner::Writes(DUMP.to_vec()));
    let path = take_77(&machine, &options, &Task::new()).unwrap();
    assert_eq!(path.extension().unwrap(), "hprof");
    let (machine, _jvm) = contained(Manner::Writes(b"\x1f\x8b packed".to_vec()));
    let path = take_77(&machine, &options, &Task::new()).unwrap();
    assert!(path.to_string_lossy().ends_with(".hprof.gz"), "{}", path.display());
}

#[test]
fn failures_are_sentences_and_leave_nothing_behind() {
    for (manner, expected) in [
        (Manner::Refuses, "process 77 refused: The VM is not willing"),
        (Manner::IsStopped, "the dump is incomplete: Dump file is incomplete: No space left on device"),
    ] {
        let (machine, _jvm) = contained(manner);
        let error = take_77(&machine, &TakeOptions::default(), &Task::new()).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(machine.files(), [""; 0]);
    }
}

#[test]
fn a_process_that_ends_meanwhile_leaves_nothing_behind() {
    let machine = ActedMachine::new();
    machine.add(&ActedProcess::default(), true);
    let end = Box::new(machine.killer(77));
    let _jvm = ActedJvm::start(&machine.root().join("tmp/.java_pid1"), &machine.root(), Manner::Ends(end));
    let error = take_77(&machine, &TakeOptions::default(), &Task::new()).unwrap_err();
    assert_eq!(error.to_string(), "the process ended before its answer was complete");
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn a_cancelled_dump_leaves_nothing_behind() {
    let (machine, _jvm) = contained(Manner::Hangs);
    let task = Task::new();
    let cancel = task.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        cancel.cancel();
    });
    assert!(matches!(take_77(&machine, &TakeOptions::default(), &task), Err(TakeError::Cancelled)));
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn a_dump_that_does_not_fit_is_not_begun() {
    let machine = ActedMachine::new();
    machine.add(&ActedProcess { resident: 1 << 50, ..ActedProcess::default() }, true);
    let _jvm = ActedJvm::start(&machine.root().join("tmp/.java_pid1"), &machine.root(), Manner::Writes(DUMP.to_vec()));
    assert!(matches!(take_77(&machine, &TakeOptions::default(), &Task::new()), Err(TakeError::DiskFull { .. })));
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn what_is_no_jvm_is_not_disturbed() {
    let machine = ActedMachine::new();
    machine.add(&ActedProcess { library: "libc.so", executable: "/bin/cat", ..ActedProcess::default() }, true);
    let error = take_77(&machine, &TakeOptions::default(), &Task::new()).unwrap_err();
    assert!(matches!(error, TakeError::NotSupported { pid: 77, .. }), "{error}");
    assert!(matches!(
        take(&machine.machine(), &Target::Pid(78), &TakeOptions::default(), machine.dumps.path(), &Task::new()),
        Err(TakeError::NoProcess(78))
    ));
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn a_jvm_without_a_handler_for_the_signal_is_not_disturbed() {
    let machine = ActedMachine::new();
    machine.add(&ActedProcess::default(), true);
    let error = take_77(&machine, &TakeOptions::default(), &Task::new()).unwrap_err();
    assert!(error.to_string().contains("ignores the attach signal"), "{error}");
}

#[test]
fn a_link_in_a_container_does_not_lead_out_of_it() {
    // Containers are of Linux.
    if cfg!(not(target_os = "linux")) {
        return;
    }
    let secret = tempfile::tempdir().unwrap();
    let secret = secret.path().join("secret");
    fs::write(&secret, "secret of another user").unwrap();
    let machine = ActedMachine::new();
    machine.add(&ActedProcess::default(), true);
    // The process replaces its own dump with a link.
    let root = machine.root();
    let (temporary, target) = (root.join("tmp"), secret.clone());
    let link = Box::new(move || {
        for entry in fs::read_dir(&temporary).unwrap().flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "hprof") {
                fs::remove_file(entry.path()).unwrap();
                std::os::unix::fs::symlink(&target, entry.path()).unwrap();
            }
        }
    });
    let manner = Manner::Replaces(link);
    let _jvm = ActedJvm::start(&root.join("tmp/.java_pid1"), &root, manner);
    take_77(&machine, &TakeOptions::default(), &Task::new()).unwrap_err();
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn the_list_has_names_and_what_can_be_done() {
    let (machine, _jvm) = contained(Manner::Refuses);
    machine.add(&ActedProcess { pid: 78, library: "libc.so", executable: "/bin/cat", ..ActedProcess::default() }, true);
    machine.add(
        &ActedProcess {
            pid: 79,
            library: "libc.so",
            executable: "/usr/bin/node",
            arguments: "node /srv/app.js",
            ..ActedProcess::default()
        },
        false,
    );
    let listed = processes(&machine.machine());
    let names: Vec<_> = listed.iter().map(|one| (one.pid, one.kind, one.name.as_str(), one.is_contained)).collect();
    assert_eq!(names, [(77, ProcessKind::Jvm, "shop.Main", true), (79, ProcessKind::JavaScript, "app.js", false)]);
    assert!(effect_of(&listed[0], &TakeOptions::default()).starts_with("shop.Main stops for about 1 s"));
}

#[test]
fn a_watch_reads_class_histograms_until_the_process_ends() {
    let (machine, jvm) = contained(Manner::Refuses);
    let task = Task::new();
    let watched = Watched::open(&machine.machine(), &Target::Pid(77), &TakeOptions::default(), &task).unwrap();
    let round = watched.round(true, &task).unwrap();
    let rows: Vec<_> = round.classes.iter().map(|row| (row.class.as_str(), row.objects, row.bytes)).collect();
    assert_eq!(rows, [("byte[]", 5, 400), ("shop.Session", 2, 48)]);
    drop(jvm);
    machine.end(77);
    assert!(matches!(watched.round(true, &task), Err(TakeError::Ended(_))));
}
