//! Copies of rows, objects and paths of an open dump, prepared by jobs, because names are read from the dump. Rows have
//! the format of the command line.

pub mod merged_paths;
pub mod object;
pub mod objects;
pub mod tree_rows;

use crate::columns::TextPlace;
use crate::export::copy::{Clip, ClipBody, Row, Rows};
use crate::export::leaks::{self, finding_table};
use crate::export::{identity::Identity, printable::one_line, written};
use crate::{ColumnInfo, Objects, Question, Table, TableContext, TableQuery};
use heaplens_analysis::LeakFinding;
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_session::OpenDump;

/// A clip of a dump.
pub fn clip(dump: &OpenDump, title: &str, command: Question, body: ClipBody) -> Clip {
    let identity = Identity::new(&dump.opened.file, dump);
    Clip { identity, title: title.to_owned(), command, body, excerpt: None }
}

/// Column titles.
fn headings(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|&title| title.to_owned()).collect()
}

/// A clip of rows, with the command that prints them.
pub fn rows<'a>(
    dump: &OpenDump,
    title: &str,
    query: &TableQuery,
    headings: impl IntoIterator<Item = &'a str>,
    rows: Vec<Row>,
    json: (&'static str, Vec<String>),
) -> Clip {
    let headings = headings.into_iter().map(str::to_owned).collect();
    clip(dump, title, query.command(&dump.heap, &dump.opened), ClipBody::Rows(Rows { headings, rows, json }))
}

/// A clip of some rows of a table, as the command that prints them writes them.
pub fn table_rows(dump: &OpenDump, title: &str, query: &TableQuery, table: &dyn Table, at: &[usize]) -> Clip {
    let context = named(dump);
    // As people read them: the others are data.
    let columns: Vec<ColumnInfo> =
        table.columns(context).into_iter().filter(|column| column.text != TextPlace::Omitted).collect();
    let cells = |row| columns.iter().map(|column| table.cell(context, row, column.index).into_static()).collect();
    let copied = at.iter().map(|&row| Row { depth: 0, cells: cells(row) }).collect();
    let headings = columns.iter().map(|column| column.heading.title);
    rows(dump, title, query, headings, copied, json(table, dump, at.iter().copied()))
}

/// A dump whose rows have names, as the command line writes them.
fn named(dump: &OpenDump) -> TableContext<'_> {
    // This task is never cancelled.
    TableContext::of(dump).with_namer(dump.namer(&Task::new()).ok())
}

/// Findings to copy.
pub fn findings(dump: &OpenDump, findings: Vec<LeakFinding>) -> ClipBody {
    let table = finding_table(leaks::rows(&findings, None));
    let rows = Rows::of_table(&table, TableContext::of(dump), ("findings", Vec::new()));
    ClipBody::Findings(findings, rows)
}

/// Objects as JSON, as the command line writes them.
pub fn objects_json(dump: &OpenDump, objects: &[ObjectId]) -> (&'static str, Vec<String>) {
    json(&Objects::default(), dump, objects.iter().map(|object| object.index()))
}

/// Rows of a table as JSON, as the command line writes them.
pub fn json(table: &dyn Table, dump: &OpenDump, rows: impl Iterator<Item = usize>) -> (&'static str, Vec<String>) {
    let context = named(dump);
    let row = |(nth, row)| written(|out| table.write_row(context, row, nth, out));
    (table.list().0, rows.enumerate().map(row).collect())
}

/// An object by class, label and id; read from the dump.
pub fn name(dump: &OpenDump, object: ObjectId) -> String {
    let (heap, label) = (&dump.heap, dump.contents.label(&dump.heap, object));
    object_name(&heap.class(object).name, label.as_deref(), &heap.id_text(object))
}

/// Class, label and id of an object in one text; a class object is named by its class, which is its label.
pub fn object_name(class: &str, label: Option<&str>, id: &str) -> String {
    let class = if class == "java.lang.Class" && label.is_some() { "class" } else { class };
    let parts = [Some(class), label, Some(id).filter(|id| !id.is_empty())];
    one_line(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}
