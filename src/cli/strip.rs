//! `strip`: copy of a dump without values, safe to share. `--check` is in `value_check.rs`.

use std::io::{Write, stdout};

use super::args::StripArguments;
use super::failure::Failure;
use super::open::{open_options, set_threads};
use super::print::Answer;
use super::progress::ProgressLine;
use super::value_check::check_values;
use heaplens_base::{Count, Task};
use heaplens_session::strip::{StripOptions, strip as strip_dump};

pub(super) fn strip(arguments: &StripArguments) -> Answer {
    let StripArguments { check, heaps, values } = arguments;
    if *check {
        return check_values(values);
    }
    let [file, output] = &*values.files else {
        let given = Count(values.files.len() as u64).of("file", "files");
        let both = "strip needs the dump to read and the file to write";
        return Err(Failure::Usage(format!("{both}, not {given}; to check dumps for values, add --check")));
    };
    if values.format.is_some() {
        return Err(Failure::Usage("--format applies to --check only: strip writes a dump".to_owned()));
    }
    set_threads(&values.open)?;
    let options = open_options(&values.open);
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let mut read = options.read;
    read.scratch = options.storage.scratch;
    let what = StripOptions { heaps: heaps.clone(), numbers: values.numbers, keys: values.keys };
    let done = strip_dump(file, output, &what, &read, &task);
    drop(line);
    let outcome =
        done.map_err(|why| if task.is_cancelled() { Failure::Interrupted } else { Failure::Unusable(why) })?;
    let mut out = stdout().lock();
    let left_out = match outcome.left_out {
        0 => String::new(),
        objects => format!(", {} of other heaps omitted", Count(objects)),
    };
    writeln!(
        out,
        "{} written, values of {} removed{left_out}",
        Count(outcome.objects).of("object", "objects"),
        Count(outcome.blanked)
    )?;
    if outcome.zeroed > 0 {
        writeln!(out, "Numbers in fields of {} set to zero", Count(outcome.zeroed).of("object", "objects"))?;
    }
    if outcome.names > 0 {
        writeln!(out, "{} of the string table removed", Count(outcome.names).of("unused string", "unused strings"))?;
    }
    if outcome.keys > 0 {
        let keys = Count(outcome.keys).of("key", "keys");
        if what.keys {
            writeln!(out, "{keys} of objects used as dictionaries replaced")?;
        } else {
            writeln!(out, "{keys} of objects used as dictionaries kept: --keys replaces them")?;
        }
    }
    if outcome.unfilled > 0 {
        writeln!(
            out,
            "{} recorded without elements stay as they are: filling them with zeros would multiply the size of the file",
            Count(outcome.unfilled).of("array", "arrays")
        )?;
    }
    if outcome.is_damaged {
        writeln!(out, "Packed dump is truncated or damaged: parts of it may be wrong or missing")?;
    }
    if outcome.unassigned > 0 {
        writeln!(out, "Bytes without a field in {} set to zero", Count(outcome.unassigned).of("object", "objects"))?;
    }
    for note in &outcome.notes {
        let at = note.first_offset.map_or_else(String::new, |at| format!(" at offset {}", Count(at)));
        writeln!(out, "Left out{at}: {}", note.message)?;
    }
    if let Some(at) = outcome.broken {
        writeln!(out, "Dump is truncated or damaged at offset {}: the rest of that segment is missing", Count(at))?;
    }
    Ok(())
}
