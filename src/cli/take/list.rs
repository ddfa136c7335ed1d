//! List of processes that can be dumped.

use std::io::{self, Write, stdout};

use serde_json::{Value, json};

use crate::cli::failure::remark;
use crate::cli::print::Answer;
use heaplens_base::Bytes;
use heaplens_platform::processes::NOT_LISTED;
use heaplens_tables::OutputForm;
use heaplens_tables::export::printable::Printable;
use heaplens_take::{AndroidProcess, Machine, Process, ProcessKind, android_processes, processes};

pub(super) fn list(form: OutputForm) -> Answer {
    let listed = processes(&Machine::this());
    let apps = android_processes().unwrap_or_else(|why| {
        remark(&why.to_string());
        Vec::new()
    });
    let mut out = Printable(stdout().lock());
    match form {
        OutputForm::Json => {
            let android: Vec<Value> = apps.iter().map(app_json).collect();
            let listed: Vec<Value> = listed.iter().map(json_of).collect();
            writeln!(out, "{}", json!({ "processes": listed, "android": android }))?;
        }
        OutputForm::Csv => write_csv(&listed, &apps, &mut out)?,
        _ => write_text(&listed, &apps, &mut out)?,
    }
    Ok(out.flush()?)
}

fn write_text(processes: &[Process], apps: &[AndroidProcess], out: &mut impl Write) -> io::Result<()> {
    if processes.is_empty() && apps.is_empty() {
        return writeln!(out, "{}", NOT_LISTED.unwrap_or("No JVM and no JavaScript engine runs here"));
    }
    let size = |size: Option<Bytes>| size.map_or_else(|| "-".to_owned(), |size| size.to_string());
    writeln!(out, "{:>7}  {:<10}  {:>9}  {:>9}  {:<14}  Name", "Process", "Kind", "Heap used", "Limit", "Version")?;
    for process in processes {
        let used = process.heap_used.or((process.kind != ProcessKind::Jvm).then_some(process.resident));
        let (used, limit) = (size(used), size(process.heap_limit));
        // What follows is the name of a distribution's package.
        let version = process.version.split('-').next().unwrap_or_default();
        let kind = process.kind.name();
        let note = note(process);
        writeln!(
            out,
            "{:>7}  {kind:<10}  {used:>9}  {limit:>9}  {version:<14}  {}{}{note}",
            process.pid,
            process.name,
            if note.is_empty() { "" } else { "  " }
        )?;
    }
    for app in apps {
        writeln!(out, "{:>7}  {:<10}  {:>9}  {:>9}  {:<14}  {}", app.pid, "android", "-", "-", app.serial, app.name)?;
    }
    Ok(())
}

/// What is special about a process.
fn note(process: &Process) -> String {
    let mut notes = Vec::new();
    if !process.is_permitted {
        notes.push(format!("of user {}: run heaplens as that user or as root", process.user));
    }
    if process.is_contained {
        notes.push("in a container".to_owned());
    }
    match (process.kind, &process.inspector) {
        (ProcessKind::JavaScript, None) => notes.push("no inspector: --start-inspector (Node)".to_owned()),
        (_, Some(address)) => notes.push(format!("inspector at {address}")),
        _ => {}
    }
    if notes.is_empty() { String::new() } else { format!("({})", notes.join(", ")) }
}

fn json_of(process: &Process) -> Value {
    json!({
        "pid": process.pid,
        "kind": process.kind.name(),
        "name": process.name,
        "version": process.version,
        "user": process.user,
        "heap_used_bytes": process.heap_used.map(|size| size.0),
        "heap_limit_bytes": process.heap_limit.map(|size| size.0),
        "resident_bytes": process.resident.0,
        "inspector": process.inspector,
        "in_container": process.is_contained,
        "permitted": process.is_permitted,
    })
}

fn app_json(app: &AndroidProcess) -> Value {
    json!({ "serial": app.serial, "pid": app.pid, "name": app.name })
}

fn write_csv(processes: &[Process], apps: &[AndroidProcess], out: &mut impl Write) -> io::Result<()> {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    writeln!(out, "pid,kind,name,version,user,heap_used_bytes,heap_limit_bytes,resident_bytes,device")?;
    for process in processes {
        let (name, version) = (quoted(&process.name), quoted(&process.version));
        let number = |size: Option<Bytes>| size.map_or_else(String::new, |size| size.0.to_string());
        let (used, limit) = (number(process.heap_used), number(process.heap_limit));
        let (pid, kind, user, resident) = (process.pid, process.kind.name(), process.user, process.resident.0);
        writeln!(out, "{pid},{kind},{name},{version},{user},{used},{limit},{resident},")?;
    }
    for app in apps {
        writeln!(out, "{},android,{},,,,,,{}", app.pid, quoted(&app.name), quoted(&app.serial))?;
    }
    Ok(())
}
