//! `digest`: what a fleet needs of each dump.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::args::DigestArguments;
use super::failure::{Failure, remark};
use super::open::{inputs, open_options, set_threads};
use super::print::Answer;
use super::progress::ProgressLine;
use super::rules::leak_rules;
use heaplens_base::{Cancelled, Task, threads};
use heaplens_fleet::{
    Baseline, DigestForm, DigestIdentity, DigestOptions, DigestRecord, Fleet, UNREADABLE, digest, hide_folders,
    unreadable, write,
};
use heaplens_session::leaks::{read_references, references_file};
use heaplens_session::output_file::{OutputFile, OutputKind};

pub(super) fn run(arguments: &DigestArguments) -> Answer {
    let form = form(arguments)?;
    let read = arguments.dumps.iter().chain(&arguments.baseline);
    let inputs = inputs(read, &arguments.open, Some(&arguments.rules));
    let kind = if form == DigestForm::Parquet { OutputKind::Parquet } else { OutputKind::Text };
    let output = arguments.output.as_deref();
    let output = output.map(|path| (path, OutputFile::new(path, kind, &inputs).with_values(arguments.values)));
    let unusable = |path: &Path, error: &io::Error| Failure::Unusable(format!("{}: {error}", path.display()));
    if let Some((path, output)) = &output {
        output.check().map_err(|error| unusable(path, &error))?;
    }
    if arguments.name.is_some() && arguments.dumps.len() > 1 {
        return Err(Failure::Usage("--name is the name of one dump: give one file".to_owned()));
    }
    let options = DigestOptions {
        open: open_options(&arguments.open),
        rules: leak_rules(&arguments.rules)?,
        matchers: Arc::new(read_references(references_file().as_deref(), &[]).map_err(Failure::Usage)?),
        findings: arguments.findings,
        classes: arguments.classes,
        values: arguments.values,
        baseline: arguments.baseline.as_deref().map(baseline).transpose()?.map(Arc::new),
    };
    set_threads(&arguments.open)?;
    let stated = DigestIdentity {
        app: arguments.app.clone(),
        version: arguments.app_version.clone(),
        device: arguments.device.clone(),
    };
    let mut records = Vec::new();
    for file in &arguments.dumps {
        let name = arguments.name.clone().unwrap_or_else(|| file.display().to_string());
        // A job names a dump by its address, and reads a copy of it.
        let identity = stated.clone().completed_by(Path::new(&name)).completed_by(file);
        let mut of_dump = match &arguments.failed {
            Some(why) => vec![unreadable((file, &name), why, &identity)],
            None => one((file, &name), &identity, &options, arguments.timeout)?,
        };
        if let Some(failed) = of_dump.first().filter(|record| record.status.as_deref() == Some(UNREADABLE)) {
            remark(&format!("{name}: {}", failed.error.as_deref().unwrap_or_default()));
        }
        if !arguments.values && arguments.name.is_none() {
            hide_folders(&mut of_dump);
        }
        records.extend(of_dump);
    }
    let mut bytes = Vec::new();
    write(&mut bytes, form, &records)?;
    match output {
        None => {
            let mut out = io::stdout();
            out.write_all(&bytes)?;
            Ok(out.flush()?)
        }
        Some((path, output)) => output.write(|out| out.write_all(&bytes)).map_err(|error| unusable(path, &error)),
    }
}

/// Form of the output: that of the file name, and lines of JSON on standard output.
fn form(arguments: &DigestArguments) -> Result<DigestForm, Failure> {
    match &arguments.output {
        Some(path) if !arguments.jsonl => DigestForm::of(path)
            .ok_or_else(|| Failure::Usage(format!("{}: a digest is a file .parquet or .jsonl", path.display()))),
        _ => Ok(DigestForm::JsonLines),
    }
}

/// Digest of a dump. One that takes too long is unreadable.
fn one(
    of: (&Path, &str),
    identity: &DigestIdentity,
    options: &DigestOptions,
    timeout: Option<Duration>,
) -> Result<Vec<DigestRecord>, Failure> {
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let late = Arc::new(AtomicBool::new(false));
    let (end, ended) = crossbeam_channel::bounded::<()>(0);
    if let Some(timeout) = timeout {
        let (task, late) = (task.clone(), Arc::clone(&late));
        let timer = threads::start("time limit", move || {
            if ended.recv_timeout(timeout) == Err(crossbeam_channel::RecvTimeoutError::Timeout) {
                late.store(true, Relaxed);
                task.cancel();
            }
        });
        timer.map_err(|error| Failure::Unusable(format!("cannot start a thread: {error}")))?;
    }
    let result = digest(of, identity, options, &task);
    drop((end, line));
    match result {
        Err(Cancelled) if late.load(Relaxed) => {
            let why = format!("it took longer than {} s", timeout.unwrap_or_default().as_secs_f64());
            Ok(vec![unreadable(of, &why, identity)])
        }
        result => Ok(result?),
    }
}

fn baseline(path: &Path) -> Result<Baseline, Failure> {
    let fleet = Fleet::read(&[path.to_owned()], &Task::new())?;
    if let Some(why) = fleet.failed.first() {
        return Err(Failure::Unusable(why.clone()));
    }
    if fleet.dumps.len() > 1 {
        return Err(Failure::Usage(format!("{}: a baseline is the digest of one dump", path.display())));
    }
    if fleet.is_empty() {
        return Err(Failure::Unusable(format!("{}: no digest of a dump", path.display())));
    }
    Ok(Baseline::of(&fleet))
}
