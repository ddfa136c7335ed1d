//! Functions by source position; below each the variables it captures, and its closures.

use super::rows::{Cell, Row, RowLabel, Rows};
use super::second_line::SecondLine;
use crate::dump::javascript::{CLOSURES, opened};
use crate::{List, RowTarget, TableContext};
use heaplens_analysis::javascript::closures::{ClosureRow, closures};
use heaplens_base::{Count, Task};
use heaplens_heap::ObjectId;
use heaplens_session::{JobError, OpenDump};

/// Maximum number of variables named on the line of a function.
const NAMED: usize = 6;

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let functions = closures(opened(TableContext::of(dump))?, task)?;
    let mut rows = Vec::new();
    for function in &functions {
        task.checkpoint()?;
        rows.push(function_row(function));
        let below = |by: Option<&str>, object: ObjectId| {
            let cells = vec![Cell::EMPTY, Cell::EMPTY, Cell::minor(dump.analysis.retained(object))];
            Row { found_by: by.unwrap_or_default().to_owned(), ..Row::object(dump, 1, by, object, cells) }
        };
        rows.extend(function.variables.iter().map(|(name, object)| below(Some(name), *object)));
        rows.extend(function.first.iter().map(|&closure| below(None, closure)));
    }
    let all: u64 = functions.iter().map(|function| function.closures).sum();
    let summary = format!(
        "{} · {}",
        Count(functions.len() as u64).of("function", "functions"),
        Count(all).of("closure", "closures")
    );
    // Below a function its variables come first, then closures.
    Ok(Rows::new(List::new(CLOSURES, functions), rows, summary).ordered_below())
}

fn function_row(of: &ClosureRow) -> Row {
    let mut names: Vec<&str> = of.variables.iter().take(NAMED).map(|(name, _)| name.as_str()).collect();
    if of.variables.len() > NAMED {
        names.push("…");
    }
    let source = of.source.as_ref().map(ToString::to_string);
    let captures = (!names.is_empty()).then(|| format!("captures {}", names.join(", ")));
    let joined = |parts: [Option<&str>; 2]| parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    // Scripts of a program share their folder, and differ in file and line.
    let file = source.as_deref().map(|source| source.rsplit_once('/').map_or(source, |(_, file)| file));
    let more = SecondLine::Either(
        joined([source.as_deref(), captures.as_deref()]).into(),
        joined([file, captures.as_deref()]).into(),
    );
    let name = if of.function.is_empty() { "(anonymous)" } else { &of.function };
    let called = RowLabel { name: name.into(), times: 1, more, object: None };
    let cells = vec![Cell::count(of.closures), Cell::minor(of.captured), Cell::bytes(of.retained)];
    let leads = of.first.first().map_or(RowTarget::None, |&closure| RowTarget::Object(closure));
    Row { leads, ..Row::called(called, cells) }
}
