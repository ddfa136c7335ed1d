//! `histogram`: by class, or by what classes have in common.

use super::args::{ByArgument, HistogramArguments, ObjectsArguments, OpenArguments};
use super::commands::{self, Answer, filter, optional, print_rows};
use super::failure::Failure;
use super::{open, report};
use crate::analysis::filter::TextFilter;
use crate::analysis::grouping::{GroupBy, groups};
use crate::analysis::histogram::{Histogram, HistogramRow, histogram as class_histogram};
use crate::analysis::unreachable::{Unreachable, UnreachableOfClass};
use crate::export::table::{Cell, column};
use crate::heap::classes::Class;
use crate::heap::ids::ClassId;
use crate::session::dump::OpenDump;
use crate::task::Task;
use crate::units::Bytes;

pub(super) fn histogram(arguments: &HistogramArguments) -> Answer {
    if arguments.unreachable && arguments.by != ByArgument::Class {
        return Err(Failure::Usage("--unreachable goes with --by class alone".to_owned()));
    }
    let by = match arguments.by {
        ByArgument::Class => None,
        ByArgument::Package => Some(GroupBy::Package),
        ByArgument::Loader => Some(GroupBy::Loader),
        ByArgument::Superclass => Some(GroupBy::Superclass),
        // A row for each object is the list of objects.
        ByArgument::Object => {
            let (file, print) = (arguments.file.clone(), arguments.print.clone());
            return commands::objects(&ObjectsArguments { file, class: None, owner: false, print });
        }
    };
    let filter = filter(&arguments.print)?;
    let keep_unreachable = arguments.print.open.keep_unreachable || arguments.unreachable;
    let open_as = OpenArguments { keep_unreachable, ..arguments.print.open.clone() };
    let (dump, _) = open(&arguments.file, &open_as)?;
    match by {
        None if arguments.unreachable => by_class(arguments, &dump, unreachable(&dump)?, &filter),
        Some(by) => grouped(arguments, &dump, by, &filter),
        None => by_class(arguments, &dump, class_histogram(&dump.facts.heap, &dump.analyzed), &filter),
    }
}

/// The dead half by class.
fn unreachable(dump: &OpenDump) -> Result<Histogram, Failure> {
    let (heap, task) = (&dump.facts.heap, Task::new());
    let found = Unreachable::find(heap, &dump.analyzed, &task)?;
    let classes = found.by_class(heap, &dump.analyzed, &task)?;
    let row = |((class, _), of_class): ((ClassId, &Class), UnreachableOfClass)| HistogramRow {
        class,
        objects: of_class.objects,
        shallow: of_class.shallow,
        retained: of_class.retained,
    };
    let rows = heap.classes.iter().zip(classes).map(row);
    Ok(Histogram::sorted(heap, rows.filter(|row| row.objects > 0).collect()))
}

fn by_class(arguments: &HistogramArguments, dump: &OpenDump, mut answer: Histogram, filter: &TextFilter) -> Answer {
    let heap = &dump.facts.heap;
    answer.rows.retain(|row| filter.matches(&heap.classes.get(row.class).name));
    let (objects, shallow) =
        answer.rows.iter().fold((0, Bytes(0)), |(n, bytes), row| (n + row.objects, bytes + row.shallow));
    let rows = answer.rows.iter().map(|row| report::histogram_cells(heap, row));
    let totals = [("objects", Cell::Count(objects)), ("shallow_bytes", Cell::Size(shallow))];
    print_rows(dump, &arguments.print, &report::HISTOGRAM, rows, &totals)
}

fn grouped(arguments: &HistogramArguments, dump: &OpenDump, by: GroupBy, filter: &TextFilter) -> Answer {
    let heap = &dump.facts.heap;
    let mut rows = groups(heap, &*dump.facts.contents, &dump.analyzed, by, &Task::new())?;
    rows.retain(|row| filter.matches(&row.name));
    let mut columns = vec![
        column("group", "Group"),
        column("classes", "Classes"),
        column("objects", "Objects"),
        column("shallow_bytes", "Shallow"),
        column("retained_bytes", "Retained"),
    ];
    if by == GroupBy::Loader {
        columns.push(column("id", "Object"));
    }
    let totals = rows.iter().fold((0, Bytes(0)), |(n, bytes), row| (n + row.objects, bytes + row.shallow));
    let totals = [("objects", Cell::Count(totals.0)), ("shallow_bytes", Cell::Size(totals.1))];
    let cells = rows.into_iter().map(|row| {
        let mut cells = vec![
            Cell::Text(row.name),
            Cell::Count(row.members.len() as u64),
            Cell::Count(row.objects),
            Cell::Size(row.shallow),
            Cell::Size(row.retained),
        ];
        if by == GroupBy::Loader {
            cells.push(optional(row.object.map(|o| heap.id_text(o))));
        }
        cells
    });
    print_rows(dump, &arguments.print, &columns, cells, &totals)
}
