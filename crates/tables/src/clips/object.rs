//! Copies of an object: all of it, or some of its fields, elements or entries.

use super::{clip, headings, name};
use crate::export::ages::ObjectAges;
use crate::export::copy::{Clip, ClipBody, Row, Rows};
use crate::export::json::{Collection, Entry, Object, ObjectField, ObjectLabel, text};
use crate::export::object_text::{FIELDS, collection_text, field_cells, object_text, side_text};
use crate::export::{parts::Figures, text_width::TextWidth, written};
use crate::{Question, TableContext, columns::Value};
use heaplens_analysis::object::describe;
use heaplens_base::Task;
use heaplens_heap::{LogicalKind, ObjectId};
use heaplens_session::{JobError, OpenDump};

/// Maximum number of fields, elements and entries copied with an object.
pub const INSIDE: u64 = 100;
/// Maximum number of characters copied of a string.
const CHARACTERS: usize = 10_000;

/// An object with its fields and elements, at most [`INSIDE`].
pub fn object_clip(dump: &OpenDump, object: ObjectId, task: &Task) -> Result<Clip, JobError> {
    let (heap, contents) = (&*dump.heap, &*dump.contents);
    let details = describe(dump.data(), object, CHARACTERS);
    let logical = contents.logical(heap, object, 0..INSIDE);
    let collection = logical.as_ref().map(|logical| Collection::new(dump.data(), logical));
    task.checkpoint()?;
    let fields = details.fields.iter().map(|row| ObjectField::of_field(heap, row));
    let area = INSIDE.min(details.length.unwrap_or(0));
    let elements = heaplens_analysis::object::elements(dump.data(), object, 0..area);
    let class = &details.class_name;
    let elements = elements.unwrap_or_default().into_iter().map(|row| ObjectField::of_element(heap, class, &row));
    let fields: Vec<ObjectField> = fields.chain(elements).take(INSIDE as usize).collect();
    let all = details.fields.len() as u64 + details.length.unwrap_or(0);
    let namer = dump.namer(task)?;
    let short_name = namer.short_name(object, task)?;
    let ages = ObjectAges::of(dump.ages(task)?, dump.data(), object, details.has_entries());
    let called = ObjectLabel { ownership: None, ages, ..ObjectLabel::of(namer.name(object, task)?, short_name) };
    let parts = Figures::of(TableContext::of(dump), object);
    let facts = written(|out| {
        object_text(out, heap, &details, &called, &parts)?;
        collection.as_ref().map_or(Ok(()), |collection| collection_text(out, collection, TextWidth::Unlimited))
    });
    let json = text(&Object::new(heap, &details, called, collection, parts, &fields));
    let rows = field_rows(fields, Vec::new());
    let command = Question::new("object", &dump.opened).argument(details.id.as_str());
    let command = command.option("top", INSIDE.to_string());
    Ok(clip(dump, &name(dump, object), command, ClipBody::Object(facts, rows, json)).out_of(all, ""))
}

fn field_rows(fields: Vec<ObjectField>, json: Vec<String>) -> Rows {
    let headings = FIELDS.iter().map(|column| column.title.to_owned()).collect();
    let rows = fields.into_iter().map(|field| Row { depth: 0, cells: field_cells(field) }).collect();
    Rows { headings, rows, json: ("fields", json) }
}

/// Command line for a range of an object's fields or elements.
fn part(dump: &OpenDump, object: ObjectId, skip: u64, top: usize) -> Question {
    let command = Question::new("object", &dump.opened).argument(dump.heap.id_text(object));
    let command = command.some("skip", (skip > 0).then(|| skip.to_string()));
    command.option("top", top.to_string())
}

/// Fields or elements of an object, those after the first `skip`.
pub fn inside(dump: &OpenDump, object: ObjectId, skip: u64, fields: Vec<ObjectField>) -> Clip {
    let json = fields.iter().map(text).collect();
    let rows = field_rows(fields, json);
    let command = part(dump, object, skip, rows.rows.len());
    clip(dump, &name(dump, object), command, ClipBody::Rows(rows))
}

/// Entries of a collection; of `all` that were to be copied, or of all there are.
///
/// # Errors
/// If they cannot be read.
pub fn entries(
    dump: &OpenDump,
    object: ObjectId,
    range: std::ops::Range<u64>,
    all: Option<u64>,
) -> Result<Clip, JobError> {
    let (heap, contents) = (&*dump.heap, &*dump.contents);
    let first = range.start;
    let logical = contents.logical(heap, object, range);
    let Some(logical) = logical else { return Err(JobError::Failed("cannot read the entries".to_owned())) };
    let all = all.unwrap_or(logical.size);
    let collection = Collection::new(dump.data(), &logical);
    let is_map = collection.kind == LogicalKind::Map;
    let side = |side: &Option<_>| side.as_ref().map_or(Value::Null, |side| Value::text(side_text(side)));
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
    Ok(clip(dump, &name(dump, object), command, ClipBody::Rows(rows)).out_of(all, ""))
}
