//! `histogram`: by class, package, class loader or superclass.

use std::sync::Arc;

use super::args::{HistogramArguments, ObjectsArguments};
use super::failure::{Failure, remark};
use super::objects::objects;
use super::open::open;
use super::print::{Answer, filter};
use super::tables::{print_table, row_query, with_words};
use heaplens_analysis::class_owners::limit;
use heaplens_analysis::histogram::{Histogram, HistogramRow, histogram_of};
use heaplens_analysis::javascript::retained_by::retained_by;
use heaplens_analysis::unreachable::{Unreachable, UnreachableOfClass};
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::{Class, ClassId, SoftLinks};
use heaplens_tables::dump::javascript::opened;
use heaplens_tables::query::TableKind;
use heaplens_tables::relation::Relation;
use heaplens_tables::relations::{CLASSES, histogram_by};
use heaplens_tables::{Classes, HistogramRows, RowQuery, Table, TableContext};

pub(super) fn histogram(arguments: &HistogramArguments) -> Answer {
    if arguments.unreachable && arguments.by != HistogramRows::Classes {
        return Err(Failure::Usage("--unreachable requires --by class".to_owned()));
    }
    if arguments.owners && arguments.by != HistogramRows::Classes {
        return Err(Failure::Usage("--owners requires --by class".to_owned()));
    }
    // One row per object is the object list.
    let Some(relation) = relation(arguments.by) else {
        let (file, order, print) = (arguments.file.clone(), arguments.order.clone(), arguments.print.clone());
        return objects(&ObjectsArguments {
            file,
            class: None,
            koom: None,
            retained_by: arguments.retained_by,
            objects: Vec::new(),
            owner: false,
            preview: false,
            age: false,
            ids: None,
            lines: None,
            ownership: false,
            soft: SoftLinks::Follow,
            order,
            print,
        });
    };
    if arguments.retained_by.is_some() && arguments.by != HistogramRows::Classes {
        return Err(Failure::Usage("--retained-by requires --by class or --by object".to_owned()));
    }
    if filter(&arguments.print)?.text.heap().is_some()
        && (arguments.unreachable || arguments.by != HistogramRows::Classes)
    {
        return Err(Failure::Usage("a heap in --filter requires --by class without --unreachable".to_owned()));
    }
    if arguments.owners && filter(&arguments.print)?.text.heap().is_some() {
        return Err(Failure::Usage(
            "--owners counts the objects of all heaps: remove the heap from --filter".to_owned(),
        ));
    }
    let mut open_as = arguments.print.open.clone();
    open_as.opening.keep_unreachable |= arguments.unreachable;
    let (dump, _) = open(&arguments.file, &open_as)?;
    if let Some(limit) = limit(&dump.facts.heap).filter(|_| arguments.owners) {
        remark(limit);
    }
    let mut rows = RowQuery { owners: arguments.owners, ..row_query(&arguments.order, &arguments.print) };
    if arguments.by == HistogramRows::Classes {
        rows = with_words(rows);
    }
    let table: Arc<dyn Table> = if arguments.unreachable {
        Arc::new(Classes::new(unreachable(&dump)?))
    } else if let Some(by) = arguments.retained_by {
        let task = Task::new();
        let retained = retained_by(opened(TableContext::of(&dump))?, by, &task)?.objects;
        Arc::new(Classes::new(histogram_of(dump.data(), |object| retained.contains(object.raw()), &task)?))
    } else {
        relation.table(TableContext::of(&dump), &rows, &Task::new())?
    };
    print_table(&dump, &*table, &rows, arguments.print.format)
}

/// Class histogram of unreachable objects.
fn unreachable(dump: &Dump) -> Result<Histogram, Failure> {
    let (heap, task) = (&dump.facts.heap, Task::new());
    let unreachable = Unreachable::find(dump.data(), &task)?;
    let classes = unreachable.by_class(dump.data(), &task)?;
    let row = |((class, _), of_class): ((ClassId, &Class), UnreachableOfClass)| HistogramRow {
        class,
        objects: of_class.objects,
        shallow: of_class.shallow,
        retained: of_class.retained,
    };
    let rows = heap.classes.iter().zip(classes).map(row);
    Ok(Histogram::sorted(heap, rows.filter(|row| row.objects > 0).collect()))
}

/// The table of the arguments; `None` if only this command computes it.
pub(super) fn kind(arguments: &HistogramArguments) -> Option<Arc<dyn TableKind>> {
    if arguments.unreachable || arguments.retained_by.is_some() {
        return None;
    }
    relation(arguments.by).map(|relation| Arc::new(relation) as Arc<dyn TableKind>)
}

/// The table by a grouping; `None` for single objects.
fn relation(by: HistogramRows) -> Option<&'static Relation> {
    match by {
        HistogramRows::Classes => Some(&CLASSES),
        HistogramRows::Groups(by) => Some(histogram_by(by)),
        HistogramRows::Objects => None,
    }
}
