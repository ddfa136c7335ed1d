//! `strip --check`: whether dumps still have values.

use std::io::{self, Write, stdout};
use std::path::Path;

use serde_json::{Value, json};

use super::args::ValueArguments;
use super::failure::{Failure, remark};
use super::open::{open_options, set_threads};
use super::print::Answer;
use super::progress::ProgressLine;
use heaplens_base::{Count, Task};
use heaplens_session::strip::{KindCheck, ValueCheck, ValueKind, check_values as check_dump};
use heaplens_tables::OutputForm;
use heaplens_tables::export::printable::Printable;

pub(super) fn check_values(arguments: &ValueArguments) -> Answer {
    set_threads(&arguments.open)?;
    let options = open_options(&arguments.open);
    let mut read = options.read;
    read.scratch = options.storage.scratch;
    let allowed: Vec<ValueKind> = [(ValueKind::Fields, arguments.numbers), (ValueKind::Keys, arguments.keys)]
        .into_iter()
        .filter_map(|(kind, is_asked)| (!is_asked).then_some(kind))
        .collect();
    let mut checked = Vec::new();
    let mut failed: Option<String> = None;
    for file in &arguments.files {
        let task = Task::new();
        let line = ProgressLine::show(&task);
        let check = check_dump(file, &read, &task);
        drop(line);
        match check {
            Ok(check) => checked.push(CheckedFile { file, check, allowed: &allowed }),
            Err(_) if task.is_cancelled() => return Err(Failure::Interrupted),
            // The last one ends the command, after the answers about the others.
            Err(why) => {
                if let Some(earlier) = failed.replace(why) {
                    remark(&earlier);
                }
            }
        }
    }
    let mut out = Printable(stdout().lock());
    match arguments.format {
        Some(OutputForm::Json) => {
            let files: Vec<Value> = checked.iter().map(CheckedFile::json).collect();
            writeln!(out, "{}", json!({ "files": files }))?;
        }
        Some(OutputForm::Csv) => write_csv(&checked, &mut out)?,
        _ => checked.iter().try_for_each(|file| file.write(&mut out))?,
    }
    out.flush()?;
    if let Some(why) = failed {
        return Err(Failure::Unusable(why));
    }
    if checked.iter().any(CheckedFile::has_values) { Err(Failure::ValuesLeft) } else { Ok(()) }
}

/// Result for one file.
struct CheckedFile<'a> {
    file: &'a Path,
    check: ValueCheck,
    /// Kinds of values that a stripped file may have.
    allowed: &'a [ValueKind],
}

impl CheckedFile<'_> {
    fn has_values(&self) -> bool {
        self.check.has_values(self.allowed)
    }

    fn is_allowed(&self, kind: &KindCheck) -> bool {
        self.allowed.contains(&kind.kind)
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}: {}", self.file.display(), if self.has_values() { "has values" } else { "no values" })?;
        if self.check.kinds.is_empty() {
            writeln!(out, "  dumps of this format contain no values")?;
        }
        for kind in &self.check.kinds {
            let (what, option) = described(kind.kind);
            let note = match option {
                Some(option) if kind.with_values > 0 && self.is_allowed(kind) => format!(" (allowed without {option})"),
                _ => String::new(),
            };
            writeln!(out, "  {}: {} of {}{note}", what, Count(kind.with_values), Count(kind.count))?;
            for example in &kind.examples {
                let length = Count(example.length).of("unit", "units");
                writeln!(out, "    {}  {}  {length}", example.id, example.class)?;
            }
        }
        match self.check.broken {
            Some(at) => {
                writeln!(out, "  Dump is truncated or damaged at offset {}: the rest was not checked", Count(at))
            }
            None => Ok(()),
        }
    }

    fn json(&self) -> Value {
        let kind = |kind: &KindCheck| {
            let examples =
                kind.examples.iter().map(|of| json!({ "id": of.id, "class": of.class, "length": of.length }));
            json!({
                "kind": kind.kind.name(),
                "with_values": kind.with_values,
                "places": kind.count,
                "allowed": self.is_allowed(kind),
                "examples": examples.collect::<Vec<_>>(),
            })
        };
        json!({
            "file": self.file.display().to_string(),
            "has_values": self.has_values(),
            "kinds": self.check.kinds.iter().map(kind).collect::<Vec<_>>(),
            "broken_at": self.check.broken,
        })
    }
}

/// What is counted of a kind, and the option that asks for it.
fn described(kind: ValueKind) -> (&'static str, Option<&'static str>) {
    match kind {
        ValueKind::Texts => ("Strings, byte and char arrays", None),
        ValueKind::Arrays => ("Arrays of numbers", None),
        ValueKind::Boxed => ("Boxed values and heap numbers", None),
        ValueKind::Patterns => ("Regular expressions", None),
        ValueKind::Names => ("Names with attributes, folders or URLs", None),
        ValueKind::Unused => ("Unused strings of the string table", None),
        ValueKind::Fields => ("Objects with numbers in fields", Some("--numbers")),
        ValueKind::Keys => ("Keys of objects used as dictionaries", Some("--keys")),
        ValueKind::Unassigned => ("Data of no known meaning", None),
    }
}

fn write_csv(checked: &[CheckedFile<'_>], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "file,kind,with_values,places,allowed")?;
    for file in checked {
        let name = csv_cell(&file.file.display().to_string());
        for kind in &file.check.kinds {
            let allowed = file.is_allowed(kind);
            writeln!(out, "{name},{},{},{},{allowed}", kind.kind.name(), kind.with_values, kind.count)?;
        }
    }
    Ok(())
}

fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
