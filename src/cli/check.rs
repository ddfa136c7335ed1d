//! `check`: fails on leaks that a baseline does not accept, for continuous integration.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::args::{CheckArguments, SizeLimit};
use super::failure::{Failure, remark};
use super::open::{called, described, inputs, open_options, set_threads};
use super::print::Answer;
use super::progress::ProgressLine;
use super::rules::leak_rules;
use super::verified_output::VerifiedOutput;
use heaplens_base::Task;
use heaplens_dump::OpenError;
use heaplens_session::LeakRules;
use heaplens_session::dump::{AnswerError, answer_from};
use heaplens_session::files::short_name;
use heaplens_session::leaks::{Matchers, read_references, references_file};
use heaplens_session::output_file::{OutputFile, OutputKind};
use heaplens_tables::OutputForm;
use heaplens_tables::check::{
    Baseline, CheckQuery, CheckReport, CheckedDump, CheckedFile, DumpCheck, checked_dump, compare,
};
use heaplens_tables::export::check::{
    failure, write_accepted_text, write_check_json, write_check_junit, write_check_markdown, write_check_sarif,
    write_check_text,
};
use heaplens_tables::export::printable::{Printable, one_line};

/// Maximum size of a baseline in bytes: one line an entry, so far more than any has.
const LARGEST: u64 = 64 << 20;

pub(super) fn check(arguments: &CheckArguments) -> Answer {
    let names = names(arguments)?;
    let files = OutputFiles::new(arguments);
    if arguments.accept && arguments.output.format != OutputForm::Text {
        return Err(Failure::Usage("--accept supports --format text only".to_owned()));
    }
    let rules = leak_rules(&arguments.rules)?;
    let matchers = read_references(references_file().as_deref(), &arguments.references).map_err(Failure::Usage)?;
    let before = read(&arguments.baseline)?;
    if before.is_none() && !arguments.accept {
        return Err(Failure::Unusable(format!(
            "{}: no such file. Run the same command with --accept to create it, and commit it",
            arguments.baseline.display()
        )));
    }
    files.check()?;
    set_threads(&arguments.open)?;
    let before = before.unwrap_or_default();
    let mut report = CheckReport { baseline: arguments.baseline.display().to_string(), files: Vec::new() };
    let mut after = before.clone();
    for (nth, (file, name)) in arguments.dumps.iter().zip(names).enumerate() {
        let result = match checked(arguments, (file, nth), &rules, &matchers)? {
            Ok(dump) => {
                let section = before.section(&name);
                let rows = compare(&dump, section, &arguments.of, arguments.grow.tolerance());
                let has_section = section.is_some();
                after.accept(&name, &arguments.of, &dump);
                Ok(DumpCheck { rows, incomplete: dump.incomplete, has_section })
            }
            Err(why) => Err(why),
        };
        report.files.push(CheckedFile { name, file: called(file, &arguments.open), result });
    }
    if arguments.accept { accept(arguments, &files, &report, &after) } else { ended(arguments, &files, &report) }
}

/// Names of the sections of the dumps.
fn names(arguments: &CheckArguments) -> Result<Vec<String>, Failure> {
    let names: Vec<String> = match (&arguments.name, arguments.dumps.as_slice()) {
        (Some(name), [_]) => vec![name.clone()],
        (Some(_), _) => return Err(Failure::Usage("--name is the name of one dump: give one file".to_owned())),
        (None, dumps) => dumps.iter().map(|file| short_name(file)).collect(),
    };
    let mut seen = BTreeSet::new();
    match names.iter().find(|name| !seen.insert(*name)) {
        Some(twice) => Err(Failure::Usage(format!(
            "two dumps are called '{twice}' in the baseline; rename one, or check them one by one with --name"
        ))),
        None => Ok(names),
    }
}

/// Reads a baseline; `None` if there is no such file.
fn read(path: &Path) -> Result<Option<Baseline>, Failure> {
    let described = |why: &dyn std::fmt::Display| Failure::Unusable(format!("{}: {why}", path.display()));
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(described(&error)),
    };
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| described(&error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(described(&"the file is larger than a baseline can be"));
    }
    let text = String::from_utf8(bytes).map_err(|error| described(&format!("the file is damaged: {error}")))?;
    Baseline::parse(&text).map(Some).map_err(|why| described(&why))
}

/// What a check compares of a dump, or the reason why the dump cannot be used.
fn checked(
    arguments: &CheckArguments,
    (file, nth): (&Path, usize),
    rules: &LeakRules,
    matchers: &Matchers,
) -> Result<Result<CheckedDump, String>, Failure> {
    let options = open_options(&arguments.open).of_file(nth);
    let task = Task::new();
    let _line = ProgressLine::show(&task);
    let min_bytes = arguments.least.unwrap_or(SizeLimit::DEFAULT);
    let result = answer_from(file, &options, &task, |dump| {
        let min_bytes = min_bytes.of(dump.analysis.shown.shallow);
        let parts = &arguments.of;
        checked_dump(dump, &CheckQuery { rules, matchers, min_bytes, parts, with_small: arguments.accept }, &task)
    });
    match result {
        Ok(dump) => Ok(Ok(dump)),
        Err(AnswerError::Open(OpenError::Cancelled)) => Err(heaplens_base::Cancelled.into()),
        Err(AnswerError::Open(error)) => Ok(Err(described(&error, file))),
        Err(AnswerError::Lost(why)) => Ok(Err(format!("{}: {why}", file.display()))),
    }
}

/// Writes the new baseline, unless a dump cannot be used.
fn accept(arguments: &CheckArguments, files: &OutputFiles, report: &CheckReport, baseline: &Baseline) -> Answer {
    if let Some(unusable) = unusable(report) {
        return Err(unusable);
    }
    files.write(Some(&arguments.baseline), |out| baseline.write(out))?;
    let mut out = VerifiedOutput::of_all([]);
    write_accepted_text(Printable(&mut out), report, baseline)?;
    Ok(out.flush()?)
}

/// Prints the results, writes them to files, and fails if the check does.
fn ended(arguments: &CheckArguments, files: &OutputFiles, report: &CheckReport) -> Answer {
    let output = &arguments.output;
    let mut out = VerifiedOutput::of_all([]);
    match output.format {
        OutputForm::Json => write_check_json(&mut out, report)?,
        OutputForm::Markdown => write_check_markdown(&mut out, report)?,
        _ => write_check_text(Printable(&mut out), report)?,
    }
    out.flush()?;
    files.write(output.sarif.as_deref(), |out| write_check_sarif(out, report))?;
    files.write(output.junit.as_deref(), |out| write_check_junit(out, report))?;
    files.write(output.markdown.as_deref(), |out| write_check_markdown(out, report))?;
    let failures: Vec<String> = report.failures().map(|(file, row)| failure(file, row)).collect();
    if let Some(unusable) = unusable(report) {
        failures.iter().for_each(|failure| remark(failure));
        return Err(unusable);
    }
    if failures.is_empty() { Ok(()) } else { Err(Failure::Grew(failures)) }
}

/// Files that a check reads, and those that it writes. No output replaces an input or another output.
struct OutputFiles {
    inputs: Vec<PathBuf>,
    outputs: Vec<PathBuf>,
}

impl OutputFiles {
    fn new(arguments: &CheckArguments) -> Self {
        let CheckArguments { dumps, baseline, references, output, accept, .. } = arguments;
        let mut inputs = inputs(dumps.iter().chain(references), &arguments.open, Some(&arguments.rules));
        let mut outputs: Vec<PathBuf> =
            [&output.sarif, &output.junit, &output.markdown].into_iter().flatten().cloned().collect();
        // It is read before it is written.
        if *accept { &mut outputs } else { &mut inputs }.push(baseline.clone());
        Self { inputs, outputs }
    }

    fn check(&self) -> Answer {
        self.outputs.iter().try_for_each(|path| self.of(path, |file| file.check()))
    }

    fn write(&self, path: Option<&Path>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Answer {
        path.map_or(Ok(()), |path| self.of(path, |file| file.write(|out| write(out))))
    }

    fn of(&self, path: &Path, work: impl FnOnce(OutputFile<'_>) -> io::Result<()>) -> Answer {
        // Two outputs of one name would replace each other.
        let mut is_own = true;
        let others = self.outputs.iter().filter(|other| *other != path || !std::mem::take(&mut is_own));
        let inputs: Vec<PathBuf> = self.inputs.iter().chain(others).cloned().collect();
        let done = work(OutputFile::new(path, OutputKind::Text, &inputs));
        done.map_err(|error| Failure::Unusable(format!("{}: {error}", path.display())))
    }
}

/// The error of the dumps that cannot be used: of the last, the others are remarks.
fn unusable(report: &CheckReport) -> Option<Failure> {
    let mut reasons: Vec<&str> = report.unreadable().map(|(_, why)| why).collect();
    let last = reasons.pop()?;
    reasons.iter().for_each(|why| remark(why));
    Some(Failure::Unusable(one_line(last)))
}
