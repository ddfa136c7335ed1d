//! `retained`: exact combined retained size of a set of objects.

use super::args::RetainedArguments;
use super::failure::Failure;
use super::names::object_named;
use super::open::open;
use super::print::{Answer, filter, print_json, rows_wanted};
use super::tables::print_table;
use heaplens_analysis::retained::retained_set;
use heaplens_base::Task;
use heaplens_core::heap::ObjectId;
use heaplens_tables::dump::combined_retained::retained_table;
use heaplens_tables::export::json::RetainedAnswer;
use heaplens_tables::{OutputForm, RowQuery};

pub(super) fn retained(arguments: &RetainedArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let heap = &dump.facts.heap;
    let named = arguments.ids.iter().map(|id| object_named(&dump, &arguments.file, id));
    let mut objects = named.collect::<Result<Vec<ObjectId>, Failure>>()?;
    if let Some(name) = &arguments.class {
        let of_name: Vec<bool> = heap.classes.iter().map(|(_, class)| *class.name == **name).collect();
        if !of_name.contains(&true) {
            return Err(Failure::Unusable(format!(
                "{}: no class {name}; 'heaplens histogram' lists all classes",
                arguments.file.display()
            )));
        }
        objects.extend(heap.objects().filter(|&o| of_name.get(heap.class_id(o).index()) == Some(&true)));
    }
    if !filter.is_empty() {
        objects.retain(|&o| filter.matches_object(&heap.class(o).name, || dump.facts.contents.label(heap, o)));
    }
    let set = retained_set(heap, &dump.analysis, &objects, &Task::new())?;
    if print.format == OutputForm::Json {
        let answer = RetainedAnswer {
            objects: set.objects,
            shallow_bytes: set.shallow.0,
            retained_bytes: set.retained.0,
            retained_objects: set.retained_objects,
            dominated_bytes: set.dominated.0,
        };
        return print_json(&dump, &answer);
    }
    let how = RowQuery { top: Some(rows_wanted(print)), ..RowQuery::default() };
    print_table(&dump, &retained_table(set), &how, print.format)
}
