//! `finalizers`: objects whose finalizer is still to run.

use super::args::FileArguments;
use super::commands::{Answer, filter, print_rows};
use super::open;
use crate::analysis::finalizers::finalizers as all_finalizers;
use crate::export::table::{Cell, column};
use crate::task::Task;

pub(super) fn finalizers(arguments: &FileArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let heap = &dump.facts.heap;
    let mut rows = all_finalizers(heap, &*dump.facts.contents, &dump.analyzed, &Task::new())?;
    rows.retain(|row| filter.matches(&heap.classes.get(row.class).name));
    let objects = rows.iter().map(|row| row.objects.len() as u64).sum();
    let columns = [
        column("class", "Class"),
        column("state", "State"),
        column("objects", "Objects"),
        column("retained_bytes", "Retained"),
    ];
    let cells = rows.iter().map(|row| {
        vec![
            Cell::Text(heap.classes.get(row.class).name.to_string()),
            Cell::Text(row.state.name().to_owned()),
            Cell::Count(row.objects.len() as u64),
            Cell::Size(row.retained),
        ]
    });
    print_rows(&dump, print, &columns, cells, &[("objects", Cell::Count(objects))])
}
