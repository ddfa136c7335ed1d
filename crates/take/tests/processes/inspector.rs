//! Snapshots through inspectors.

use std::fs;

use heaplens_base::{Bytes, Task};
use heaplens_take::watch::Watched;
use heaplens_take::{TakeError, TakeOptions, Target, processes, take};

use super::acted_inspector::{Manner, PIECES, start};
use super::acted_machine::{ActedMachine, ActedProcess};

fn node<'a>() -> ActedProcess<'a> {
    ActedProcess {
        library: "libc.so",
        executable: "/usr/bin/node",
        arguments: "node --inspect /srv/app.js",
        ..ActedProcess::default()
    }
}

#[test]
fn a_node_process_is_found_by_its_port_and_its_snapshot_is_whole() {
    let machine = ActedMachine::new();
    machine.add(&node(), false);
    machine.listen(77, start(1, Manner::Sends));
    assert!(processes(&machine.machine())[0].inspector.is_some());
    let taken = take(&machine.machine(), &Target::Pid(77), &TakeOptions::default(), machine.dumps.path(), &Task::new());
    let path = taken.unwrap().path;
    assert_eq!(fs::read_to_string(&path).unwrap(), PIECES.concat());
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    assert!(name.starts_with("app-js-") && name.ends_with(".heapsnapshot"), "{name}");
    assert_eq!(machine.files(), [name.clone(), format!("{name}.process.json")]);
}

#[test]
fn without_an_inspector_it_is_not_disturbed() {
    let machine = ActedMachine::new();
    machine.add(&node(), false);
    let at = |options: &TakeOptions| {
        take(&machine.machine(), &Target::Pid(77), options, machine.dumps.path(), &Task::new()).unwrap_err()
    };
    assert!(matches!(at(&TakeOptions::default()), TakeError::NotSupported { .. }));
    // It has no handler for the signal, which would end it.
    let options = TakeOptions { may_start_inspector: true, ..TakeOptions::default() };
    assert!(at(&options).to_string().contains("does not start its inspector"), "{}", at(&options));
}

fn at(port: u16, id: Option<&str>, machine: &ActedMachine) -> Result<String, TakeError> {
    let target = Target::Inspector { address: format!("127.0.0.1:{port}"), id: id.map(str::to_owned) };
    let taken = take(&machine.machine(), &target, &TakeOptions::default(), machine.dumps.path(), &Task::new())?;
    Ok(fs::read_to_string(taken.path).unwrap())
}

#[test]
fn one_of_several_targets_is_named() {
    let machine = ActedMachine::new();
    let port = start(2, Manner::Sends);
    let error = at(port, None, &machine).unwrap_err().to_string();
    assert!(error.contains("t0 (/srv/app0.js), t1 (/srv/app1.js)"), "{error}");
    assert_eq!(at(port, Some("t1"), &machine).unwrap(), PIECES.concat());
    assert!(at(port, Some("t9"), &machine).is_err());
}

#[test]
fn an_end_in_the_middle_leaves_nothing_behind() {
    let machine = ActedMachine::new();
    let ended = at(start(1, Manner::Ends), None, &machine).unwrap_err();
    assert!(matches!(ended, TakeError::Ended(_)), "{ended}");
    let error = at(start(1, Manner::Loses), None, &machine).unwrap_err();
    assert!(error.to_string().contains("the dump is incomplete: it ends after"), "{error}");
    let refused = at(start(1, Manner::Refuses), None, &machine).unwrap_err();
    assert!(refused.to_string().ends_with("not now"), "{refused}");
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn an_inspector_is_not_started_while_another_uses_its_port() {
    let machine = ActedMachine::new();
    machine.add(&node(), false);
    machine.listen(77, 9229);
    // No process of this system has the number: a signal to it would reach nobody.
    let other = ActedProcess { pid: 9_000_000, caught: 1 << 9, ..node() };
    machine.add(&other, false);
    let options = TakeOptions { may_start_inspector: true, ..TakeOptions::default() };
    let taken = take(&machine.machine(), &Target::Pid(other.pid), &options, machine.dumps.path(), &Task::new());
    let why = taken.unwrap_err().to_string();
    assert!(why.ends_with("cannot be started: process 77 (java) uses its port 9229"), "{why}");
}

#[test]
fn a_watch_asks_for_used_memory() {
    let machine = ActedMachine::new();
    machine.add(&node(), false);
    machine.listen(77, start(1, Manner::Sends));
    let task = Task::new();
    let watched = Watched::open(&machine.machine(), &Target::Pid(77), &TakeOptions::default(), &task).unwrap();
    assert_eq!(watched.round(true, &task).unwrap().used, Some(Bytes(1000)));
}
