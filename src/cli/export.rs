//! `export`: the columns of a dump as Parquet files.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;

use super::args::ExportArguments;
use super::failure::Failure;
use super::open::{inputs, open};
use super::print::Answer;
use super::progress::ProgressLine;
use super::rules::leak_rules;
use super::sql::file_notes;
use super::verified_output::VerifiedOutput;
use heaplens_base::{Bytes, Count, Task};
use heaplens_session::output_file::{OutputFile, OutputKind};
use heaplens_sql::{Export, ExportError, QuerySource, exported_tables};
use heaplens_tables::OutputForm;

pub(super) fn export(arguments: &ExportArguments) -> Answer {
    let rules = leak_rules(&arguments.rules)?;
    let all = exported_tables(true);
    if let Some(unknown) = arguments.tables.iter().find(|name| !all.contains(&&***name)) {
        return Err(Failure::Usage(format!("no table {unknown}; tables are {}", all.join(", "))));
    }
    let with_values = arguments.values && !arguments.open.redact;
    let mut tables = exported_tables(with_values);
    tables.retain(|name| arguments.tables.is_empty() || arguments.tables.iter().any(|name_wanted| name_wanted == name));
    if tables.is_empty() {
        return Err(Failure::Usage("the text of strings is written with --values, and not with --redact".to_owned()));
    }
    let folder = &arguments.output;
    let path = |table: &str| folder.join(format!("{table}.parquet"));
    if let Some(existing) = tables.iter().map(|table| path(table)).find(|path| path.exists() && !arguments.force) {
        return Err(Failure::Unusable(format!("{} exists; --force replaces it", existing.display())));
    }
    let unusable = |path: &Path, why: &dyn std::fmt::Display| Failure::Unusable(format!("{}: {why}", path.display()));
    let inputs = inputs([&arguments.file], &arguments.open, Some(&arguments.rules));
    for path in tables.iter().map(|table| path(table)) {
        OutputFile::new(&path, OutputKind::Parquet, &inputs).check().map_err(|error| unusable(&path, &error))?;
    }
    let (dump, _) = open(&arguments.file, &arguments.open)?;
    fs::create_dir_all(folder).map_err(|error| unusable(folder, &error))?;
    let source = QuerySource::of(&dump, rules);
    let name = arguments.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let notes = file_notes(&dump).into_iter().chain([("dump", name)]).collect();
    let export = Export::new(&source, notes, with_values);
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let begin = Instant::now();
    // A file appears under its name once it is complete.
    let write = |&table: &&str| -> Result<(u64, u64), Failure> {
        let path = path(table);
        let output = OutputFile::new(&path, OutputKind::Parquet, &inputs).with_values(with_values);
        let rows = output.write(|out| {
            let rows = export.write(table, out, &task)?;
            dump.facts.doubt().map_or(Ok(rows), |why| Err(ExportError::Rows(why)))
        });
        let rows = rows.map_err(|error| match error {
            ExportError::Cancelled => Failure::Interrupted,
            error => unusable(&path, &error),
        })?;
        Ok((rows, fs::metadata(&path).map_or(0, |metadata| metadata.len())))
    };
    let written = tables.par_iter().map(write).collect::<Result<Vec<(u64, u64)>, Failure>>()?;
    drop(line);
    let mut out = VerifiedOutput::after_removals(&dump, OutputForm::Text);
    for (table, (rows, bytes)) in tables.iter().zip(&written) {
        let rows = Count(*rows).of("row", "rows");
        writeln!(out, "{:<12} {rows}, {}", table, Bytes(*bytes))?;
    }
    let bytes: u64 = written.iter().map(|(_, bytes)| bytes).sum();
    writeln!(out, "{} in {} ({:.1} s)", Bytes(bytes), folder.display(), begin.elapsed().as_secs_f64())?;
    Ok(out.flush()?)
}
