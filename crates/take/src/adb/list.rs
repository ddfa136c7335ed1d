//! Processes of apps that can be dumped.

use std::collections::BTreeMap;

use super::server::Request;
use crate::TakeError;

/// A process of an app on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AndroidProcess {
    /// Serial number of the device.
    pub serial: String,
    /// Its number there.
    pub pid: u32,
    /// Name of the process, usually that of the package.
    pub name: String,
}

/// Debuggable processes of all devices. The server is not started for it: without one there is no device.
///
/// # Errors
/// If the server runs and does not answer as one.
pub fn android_processes() -> Result<Vec<AndroidProcess>, TakeError> {
    let Ok(mut request) = Request::open(false) else { return Ok(Vec::new()) };
    request.send("host:devices")?;
    let mut processes = Vec::new();
    for line in request.text()?.lines() {
        // A device that is offline or not authorized cannot be asked.
        if let Some((serial, "device")) = line.split_once('\t') {
            processes.extend(of_device(serial)?);
        }
    }
    Ok(processes)
}

fn of_device(serial: &str) -> Result<Vec<AndroidProcess>, TakeError> {
    let mut debuggable = Request::to_device(Some(serial))?;
    debuggable.send("jdwp")?;
    // The list is followed by nothing, or by later lists: only the first is wanted.
    let debuggable = debuggable.text()?;
    let names = shell(Some(serial), "ps -A -o PID,NAME")?;
    let names: BTreeMap<u32, &str> = names
        .lines()
        .filter_map(|line| line.trim().split_once(' ').map(|(pid, name)| (pid, name.trim())))
        .filter_map(|(pid, name)| Some((pid.parse().ok()?, name)))
        .collect();
    let pids = debuggable.lines().filter_map(|line| line.trim().parse().ok());
    let named = pids.map(|pid| AndroidProcess {
        serial: serial.to_owned(),
        pid,
        name: names.get(&pid).map_or_else(|| pid.to_string(), |&name| name.to_owned()),
    });
    Ok(named.collect())
}

/// Output of a command on a device, messages included.
pub(super) fn shell(serial: Option<&str>, command: &str) -> Result<String, TakeError> {
    let mut request = Request::to_device(serial)?;
    request.send(&format!("exec:{command} 2>&1"))?;
    request.rest()
}
