//! `export`: the columns of a dump as Parquet files.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;
use tempfile::NamedTempFile;

use super::args::ExportArguments;
use super::failure::Failure;
use super::open::open;
use super::print::Answer;
use super::progress::ProgressLine;
use super::rules::leak_rules;
use super::verified_output::VerifiedOutput;
use heaplens_base::{Bytes, Count, Task};
use heaplens_sql::{Export, ExportError, QuerySource, exported_tables};
use heaplens_tables::export::identity::HEAPLENS;

pub(super) fn export(arguments: &ExportArguments) -> Answer {
    let rules = leak_rules(&arguments.rules)?;
    let all = exported_tables(true);
    if let Some(unknown) = arguments.tables.iter().find(|name| !all.contains(&&***name)) {
        return Err(Failure::Usage(format!("no table {unknown}; tables are {}", all.join(", "))));
    }
    let with_values = arguments.values && !arguments.open.redact;
    let mut tables = exported_tables(with_values);
    tables.retain(|name| arguments.tables.is_empty() || arguments.tables.iter().any(|asked| asked == name));
    if tables.is_empty() {
        return Err(Failure::Usage("the text of strings is written with --values, and not with --redact".to_owned()));
    }
    let folder = &arguments.output;
    let path = |table: &str| folder.join(format!("{table}.parquet"));
    if let Some(existing) = tables.iter().map(|table| path(table)).find(|path| path.exists() && !arguments.force) {
        return Err(Failure::Unusable(format!("{} exists; --force replaces it", existing.display())));
    }
    let (dump, _) = open(&arguments.file, &arguments.open)?;
    let unusable = |path: &Path, why: &dyn std::fmt::Display| Failure::Unusable(format!("{}: {why}", path.display()));
    fs::create_dir_all(folder).map_err(|error| unusable(folder, &error))?;
    let source = QuerySource::loaded(&dump, rules);
    let name = arguments.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let export = Export::new(&source, vec![("heaplens", HEAPLENS.to_owned()), ("dump", name)], with_values);
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let begin = Instant::now();
    // A file appears under its name once it is complete.
    let write = |&table: &&str| -> Result<(u64, u64), Failure> {
        let path = path(table);
        let mut file = NamedTempFile::new_in(folder).map_err(|error| unusable(folder, &error))?;
        let rows = export.write(table, file.as_file_mut(), &task).map_err(|error| match error {
            ExportError::Cancelled => Failure::Interrupted,
            error => unusable(&path, &error),
        })?;
        let file = file.persist(&path).map_err(|error| unusable(&path, &error.error))?;
        Ok((rows, size(&file)))
    };
    let written = tables.par_iter().map(write).collect::<Result<Vec<(u64, u64)>, Failure>>()?;
    drop(line);
    let mut out = VerifiedOutput::of(&dump);
    for (table, (rows, bytes)) in tables.iter().zip(&written) {
        let rows = Count(*rows).of("row", "rows");
        writeln!(out, "{:<12} {rows}, {}", table, Bytes(*bytes))?;
    }
    let bytes: u64 = written.iter().map(|(_, bytes)| bytes).sum();
    writeln!(out, "{} in {} ({:.1} s)", Bytes(bytes), folder.display(), begin.elapsed().as_secs_f64())?;
    Ok(out.flush()?)
}

fn size(file: &File) -> u64 {
    file.metadata().map_or(0, |metadata| metadata.len())
}
