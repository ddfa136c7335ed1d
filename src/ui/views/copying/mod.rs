//! Copying from the views. Copies are prepared in the background, because names are read from the dump; rows have the
//! format of the command line.

pub mod tree_rows;

use crate::ui::view_context::ViewContext;
use crate::ui::widgets::object_link::ObjectName;
use heaplens_analysis::object::describe;
use heaplens_base::task::Task;
use heaplens_base::units::Share;
use heaplens_core::heap::contents::LogicalKind;
use heaplens_core::heap::ids::ObjectId;
use heaplens_session::jobs::JobError;
use heaplens_session::open_dump::OpenDump;
use heaplens_tables::export::copy::{Clip, ClipBody, Row, Rows};
use heaplens_tables::export::identity::Identity;
use heaplens_tables::export::json::{Collection, Entry, Object, ObjectField, ObjectLabel, text};
use heaplens_tables::export::object_text::{FIELDS, collection_text, field_cells, object_text, side_text};
use heaplens_tables::export::parts::{self, Figures};
use heaplens_tables::export::table::Cell;
use heaplens_tables::export::table_context::TableContext;
use heaplens_tables::question::Question;
use heaplens_tables::table_query::{TableKind, TableQuery};
use heaplens_tables::{Level, Objects, Table};

/// Maximum number of fields, elements and entries copied with an object.
pub const INSIDE: u64 = 100;
/// Maximum number of characters copied of a string.
const CHARACTERS: usize = 10_000;

/// A clip of a dump.
pub fn clip(dump: &OpenDump, title: &str, command: Question, body: ClipBody) -> Clip {
    let identity = Identity::new(&dump.opened.file, &dump.heap, &dump.analysis);
    Clip { identity, title: title.to_owned(), command, body }
}

/// Column titles.
pub fn headings(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|&title| title.to_owned()).collect()
}

/// Rows of a table as JSON, as the command line writes them.
pub fn json(table: &dyn Table, dump: &OpenDump, rows: impl Iterator<Item = usize>) -> (&'static str, Vec<String>) {
    let written = rows.enumerate().map(|(nth, row)| {
        let mut out = Vec::new();
        // Writing to a vector cannot fail.
        let _written = table.write_row(TableContext::of(dump), row, nth, &mut out);
        String::from_utf8(out).unwrap_or_default()
    });
    (table.list().0, written.collect())
}

/// An object by class, label and id; read from the dump.
pub fn name(dump: &OpenDump, object: ObjectId) -> String {
    let (heap, label) = (&dump.heap, dump.contents.label(&dump.heap, object));
    ObjectName { class: &heap.class(object).name, label: label.as_deref(), id: &heap.id_text(object) }.plain()
}

/// Copies rows of objects, each with its depth in the tree, and the command that prints them.
pub fn objects(context: &mut ViewContext<'_>, title: &str, rows: Vec<(usize, ObjectId)>, request: TableQuery) {
    if rows.is_empty() {
        return;
    }
    let title = title.to_owned();
    context.copy(move |dump, task| {
        let (heap, analysis) = (&dump.heap, &dump.analysis);
        let whole = analysis.shown.shallow;
        let beside = parts::columns(TableContext::of(dump));
        let mut copied = Vec::with_capacity(rows.len());
        for &(depth, object) in &rows {
            task.checkpoint()?;
            let (retained, shallow) = (analysis.retained(object), heap.shallow(object));
            let mut cells = vec![
                Cell::Text(name(dump, object)),
                Cell::Size(retained),
                Cell::Share(Share::of(retained, whole)),
                Cell::Size(shallow),
                Cell::Count(analysis.dominated_count(object)),
            ];
            cells.extend(beside.iter().map(|column| column.cell(object, TableContext::of(dump))));
            copied.push(Row { depth, cells });
        }
        let of_level = matches!(request.subject, TableKind::Level(..));
        let table: &dyn Table = if of_level { &Level::default() } else { &Objects::default() };
        let json = json(table, dump, rows.iter().map(|(_, object)| object.index()));
        let mut headings = headings(&["Object", "Retained size", "Share", "Shallow size", "Dominated"]);
        headings.extend(beside.iter().map(|column| column.heading.title.to_owned()));
        let body = ClipBody::Rows(Rows { headings, rows: copied, json });
        Ok(clip(dump, &title, request.command(heap, &dump.opened), body))
    });
}

/// Copies an object with its contents.
pub fn object(context: &mut ViewContext<'_>, object: ObjectId) {
    context.copy(move |dump, task| whole(dump, object, task));
}

fn whole(dump: &OpenDump, object: ObjectId, task: &Task) -> Result<Clip, JobError> {
    let (heap, contents) = (&*dump.heap, &*dump.contents);
    let details = describe(heap, contents, &dump.analysis, object, CHARACTERS);
    let logical = contents.logical(heap, object, 0..INSIDE);
    let collection = logical.as_ref().map(|logical| Collection::new(heap, contents, logical));
    task.checkpoint()?;
    let fields = details.fields.iter().map(|row| ObjectField::of_field(heap, row));
    let area = INSIDE.min(details.length.unwrap_or(0));
    let elements = heaplens_analysis::object::elements(heap, contents, &dump.analysis, object, 0..area);
    let class = &details.class_name;
    let elements = elements.unwrap_or_default().into_iter().map(|row| ObjectField::of_element(heap, class, &row));
    let fields: Vec<ObjectField> = fields.chain(elements).take(INSIDE as usize).collect();
    let namer = dump.namer(task)?;
    let owner = namer.owner(object, task)?.map(|owner| owner.text);
    let called = ObjectLabel { name: namer.name(object, task)?, owner, ownership: None };
    let parts = Figures::of(TableContext::of(dump), object);
    let mut facts = Vec::new();
    // Writing to a vector cannot fail.
    let _written = object_text(&mut facts, heap, &details, &called, &parts);
    if let Some(collection) = &collection {
        let _written = collection_text(&mut facts, collection);
    }
    let json = text(&Object::new(heap, &details, called, collection, parts, &fields));
    let rows = Rows {
        headings: FIELDS.iter().map(|column| column.title.to_owned()).collect(),
        rows: fields.into_iter().map(|field| Row { depth: 0, cells: field_cells(field) }).collect(),
        json: ("fields", Vec::new()),
    };
    let facts = String::from_utf8(facts).unwrap_or_default();
    let command = Question::new("object", &dump.opened).argument(details.id.as_str());
    let command = command.option("top", INSIDE.to_string());
    Ok(clip(dump, &name(dump, object), command, ClipBody::Object(facts, rows, json)))
}

/// Command line for a range of an object's fields or elements.
fn part(dump: &OpenDump, object: ObjectId, skip: u64, top: usize) -> Question {
    let command = Question::new("object", &dump.opened).argument(dump.heap.id_text(object));
    let command = command.some("skip", (skip > 0).then(|| skip.to_string()));
    command.option("top", top.to_string())
}

/// Copies fields or elements of an object, those after the first `skip`.
pub fn inside(
    context: &mut ViewContext<'_>,
    object: ObjectId,
    skip: u64,
    read: impl FnOnce(&OpenDump) -> Vec<ObjectField> + Send + 'static,
) {
    context.copy(move |dump, _| {
        let fields = read(dump);
        let json = fields.iter().map(text).collect();
        let rows = Rows {
            headings: FIELDS.iter().map(|column| column.title.to_owned()).collect(),
            rows: fields.into_iter().map(|field| Row { depth: 0, cells: field_cells(field) }).collect(),
            json: ("fields", json),
        };
        let command = part(dump, object, skip, rows.rows.len());
        Ok(clip(dump, &name(dump, object), command, ClipBody::Rows(rows)))
    });
}

/// Copies entries of a collection.
pub fn entries(context: &mut ViewContext<'_>, object: ObjectId, range: std::ops::Range<u64>) {
    context.copy(move |dump, _| {
        let (heap, contents) = (&*dump.heap, &*dump.contents);
        let first = range.start;
        let logical = contents.logical(heap, object, range);
        let Some(collection) = logical.map(|logical| Collection::new(heap, contents, &logical)) else {
            return Err(JobError::Failed("cannot read the entries".to_owned()));
        };
        let is_map = collection.kind == LogicalKind::Map;
        let side = |side: &Option<_>| side.as_ref().map_or(Cell::Nothing, |side| Cell::Text(side_text(side)));
        let row = |entry: &Entry| {
            let cells = if is_map { vec![side(&entry.key), side(&entry.value)] } else { vec![side(&entry.value)] };
            Row { depth: 0, cells }
        };
        let rows = Rows {
            headings: headings(if is_map { &["Key", "Value"] } else { &["Element"] }),
            rows: collection.entries.iter().map(row).collect(),
            json: ("entries", collection.entries.iter().map(text).collect()),
        };
        let command = part(dump, object, first, rows.rows.len());
        Ok(clip(dump, &name(dump, object), command, ClipBody::Rows(rows)))
    });
}
