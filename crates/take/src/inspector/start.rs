//! Starting the inspector of a running Node process.

use std::thread::sleep;
use std::time::{Duration, Instant};

use heaplens_base::Task;

use super::targets::list_targets;
use crate::TakeError;
use crate::machine::Machine;
use heaplens_platform::processes::send_user1;

/// Time that Node has to open its port: it does so when its event loop turns.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(50);
/// Port of an inspector that was started by a signal: nobody can choose another.
const PORT: u16 = 9229;
/// Bit of SIGUSR1 in the mask of signals with a handler.
const USER1: u64 = 1 << 9;

/// Starts the inspector of the Node process `pid`; returns its place, `127.0.0.1:port`.
pub(crate) fn start_inspector(machine: &Machine, pid: u32, task: &Task) -> Result<String, TakeError> {
    let status = machine.status(pid).map_err(|_gone| TakeError::NoProcess(pid))?;
    // Without a handler the signal would end the process.
    if status.caught & USER1 == 0 {
        return Err(TakeError::Refused(format!("process {pid} does not start its inspector on a signal")));
    }
    if let Some((other, program)) = listener(machine, pid) {
        let why = format!("process {other} ({program}) uses its port {PORT}");
        return Err(TakeError::Refused(format!("the inspector of process {pid} cannot be started: {why}")));
    }
    send_user1(pid).map_err(|_refused| TakeError::NoPermission { pid, user: status.user })?;
    let since = Instant::now();
    loop {
        task.checkpoint()?;
        if !machine.is_alive(pid) {
            return Err(TakeError::Ended("when its inspector was started".to_owned()));
        }
        let mut addresses = machine.listening_ports(pid).into_iter().map(|port| format!("127.0.0.1:{port}"));
        if let Some(authority) = addresses.find(|authority| list_targets(authority).is_some()) {
            return Ok(authority);
        }
        if since.elapsed() > PATIENCE {
            let why = format!("its program may be busy, or another one uses port {PORT}");
            return Err(TakeError::Refused(format!("process {pid} did not start its inspector: {why}")));
        }
        sleep(PAUSE);
    }
}

/// Another process in the network of `pid` that waits for connections on the port of its inspector, with its program.
fn listener(machine: &Machine, pid: u32) -> Option<(u32, String)> {
    let others = machine.pids().into_iter().filter(|&other| other != pid && machine.shares_network(other));
    let mut listening = others.filter(|&other| machine.listening_ports(other).contains(&PORT));
    listening.next().map(|other| (other, machine.program(other)))
}
