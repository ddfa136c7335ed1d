//! Owners through all open dumps of the program: the rows that the command line prints for several dumps.

use std::sync::Arc;

use super::rows::{most, summary};
use crate::diff::{ChangeFilter, Changes, DiffRows, NamedDump, OwnersOverTime, name_over_time, series_head};
use crate::export::diff::{DocumentHeader, similar};
use crate::reports::rows::{Cell, Row, RowLabel, Rows};
use heaplens_analysis::Namer;
use heaplens_analysis::naming::distinctions;
use heaplens_base::Task;
use heaplens_session::series::{SeriesKind, grown};
use heaplens_session::{JobError, OpenDump, OwnerSeries, open_dump::OverTime};

/// Number of rows, from the first, that are told apart if they have one name.
const TOLD_APART: usize = 500;

/// Owners, largest attributed growth first.
pub fn rows(open_dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let Some(over) = open_dump.over_time.clone() else {
        return Err(JobError::Failed(
            "only two dumps of the program are open: open a third to see owners over time".to_owned(),
        ));
    };
    // Name indexes are built here, where the job can be cancelled.
    over.dumps.iter().try_for_each(|dump| dump.namer(task).map(drop))?;
    let table = table(&over);
    let most = most(table.rows().map(|row| row.charged.0));
    let owners: Vec<&OwnerSeries> = table.rows().collect();
    let names: Vec<&str> = (0..owners.len().min(TOLD_APART)).map(|at| table.name(at).0).collect();
    let last = |at: usize| {
        let mut objects = owners.get(at)?.objects.iter().zip(&over.dumps).rev();
        objects.find_map(|(object, dump)| Some(((*object)?, dump)))
    };
    let path = |at: usize| match last(at) {
        Some((object, dump)) => dump.namer(task)?.name(object, task),
        None => Ok(None),
    };
    let id = |at: usize| last(at).map(|(object, dump)| dump.heap.id_text(object));
    let told_apart = distinctions(&names, path, id)?;
    let mut rows = Vec::new();
    for (at, &row) in owners.iter().enumerate() {
        task.checkpoint()?;
        let distinction = told_apart.get(&at).map(String::as_str);
        rows.push(line(&over, row, table.name(at), distinction, most));
    }
    let summary = summary(("owner", "owners"), table.rows().map(|row| row.charged.0));
    let files: Vec<_> = over.dumps.iter().map(|dump| dump.opened.file.clone()).collect();
    let shown: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let named = over.dumps.iter().zip(&shown);
    let named: Vec<NamedDump<'_>> =
        named.map(|(dump, file)| NamedDump { side: dump.data(), file, open_warnings: &dump.open_warnings }).collect();
    let head = Arc::new(DocumentHeader::Series(series_head(&named)));
    let table = Arc::new(table);
    let mut rows = Rows::shared(table.clone(), rows, summary);
    rows.subject = Some(Arc::new(Changes { of: DiffRows::Owners, files, head, table }));
    Ok(rows)
}

fn table(over: &OverTime) -> OwnersOverTime<'static> {
    let dumps = over.dumps.clone();
    let names = Box::new(move |row: &OwnerSeries| {
        // The indexes exist already, so nothing can be cancelled here.
        let namers: Vec<Namer<'_>> = dumps.iter().filter_map(|dump| dump.namer(&Task::new()).ok()).collect();
        name_over_time(&namers, row)
    });
    OwnersOverTime::new(over.dumps.len(), names, Arc::clone(&over.series), ChangeFilter::All, false)
}

fn line(over: &OverTime, row: &OwnerSeries, (name, class): (&str, &str), distinction: Option<&str>, most: u64) -> Row {
    let times = match &row.owner {
        SeriesKind::Objects(objects) => objects.len() as u64,
        SeriesKind::Top(_) => 1,
    };
    let here = row.objects.get(over.ends.1).copied().flatten();
    let there = row.amounts.iter().filter(|amount| amount.objects > 0).count();
    let more = match row.owner {
        SeriesKind::Objects(_) if there < row.amounts.len() => {
            format!("{class}, in {there} of {} dumps", row.amounts.len())
        }
        SeriesKind::Objects(_) => class.to_owned(),
        SeriesKind::Top(_) => "objects without a single dominator".to_owned(),
    };
    let retained = grown(&row.amounts, |amount| amount.retained);
    let (title, times) = similar::pattern_of(times, (name, distinction), &[name]);
    let called = RowLabel { name: title.into(), times, more: more.into(), object: here };
    let sizes = Cell::over_time(row.amounts.iter().map(|amount| amount.retained).collect());
    let cells = vec![sizes, Cell::byte_delta(retained), Cell::grown(row.charged, most)];
    Row { found_by: format!("{name} {class} {} {retained}", row.charged), ..Row::called(called, cells) }
}
