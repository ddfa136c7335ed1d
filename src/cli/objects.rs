//! Command `objects`.

use super::args::ObjectsArguments;
use super::failure::{Failure, remark};
use super::names::object_named;
use super::open::open;
use super::print::{Answer, filter};
use super::roots::owners;
use super::tables::{print_table, row_query, with_words};
use heaplens_analysis::javascript::retained_by::retained_by;
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_session::KoomFile;
use heaplens_tables::dump::javascript::opened;
use heaplens_tables::dump::objects::is_age;
use heaplens_tables::dump::ownership::by_of;
use heaplens_tables::{Objects, RowQuery, TableContext};

pub(super) fn objects(arguments: &ObjectsArguments) -> Answer {
    let (file, print) = (&arguments.file, &arguments.print);
    let mut rows = RowQuery { owner: arguments.owner, ..with_words(row_query(&arguments.order, print)) };
    rows.preview = arguments.preview;
    rows.age = arguments.age || rows.sort.as_deref().is_some_and(is_age);
    if let Some((first, most)) = arguments.lines {
        (rows.skip, rows.top) = (first, Some(most.min(print.top.unwrap_or(usize::MAX))));
    }
    // Report errors in filter and KOOM report before the dump is opened.
    filter(print)?;
    let report = arguments.koom.as_ref().map(|report| KoomFile::read(report)).transpose().map_err(Failure::Usage)?;
    let (dump, _) = open(file, &print.open)?;
    let heap = &dump.facts.heap;
    let named = if let Some(report) = report {
        let reported = report.in_dump(&dump.facts, &Task::new())?;
        remark(&reported.summary());
        reported.missing.iter().for_each(|missing| remark(&format!("not in this dump: {missing}")));
        Some(reported.objects.into_iter().map(|(object, _)| object).collect())
    } else if let Some(by) = arguments.retained_by {
        let retained = retained_by(opened(TableContext::of(&dump))?, by, &Task::new())?.objects;
        Some(retained.iter().filter_map(ObjectId::from_raw).collect())
    } else {
        let named = arguments.objects.iter().map(|id| object_named(&dump, file, id));
        Some(named.collect::<Result<Vec<ObjectId>, Failure>>()?).filter(|named| !named.is_empty())
    };
    let classes = arguments.class.as_ref().map(|name| {
        let of_id = heap.find(name).and_then(|object| heap.classes.of_object(object));
        // Several classes may have the same name.
        heap.classes.iter().map(|(id, class)| *class.name == **name || Some(id) == of_id).collect()
    });
    let asks_owners = arguments.ownership || rows.sort.as_deref().is_some_and(|key| by_of(key).is_some());
    let ownership = asks_owners.then(|| owners(&dump, arguments.soft)).transpose()?;
    let (count, owner, preview, ids) = (heap.len(), rows.owner, rows.preview, arguments.ids.clone());
    print_table(&dump, &Objects { count, classes, named, owner, preview, ids, ownership }, &rows, print.format)
}
