//! An object as text for people.

use std::io::{self, Write};

use super::json::{Collection, Entry, ObjectField, ObjectLabel};
use super::{object_extras, parts::Figures, table::write_text, text_width::TextWidth};
use crate::columns::{Heading, Value};
use heaplens_analysis::ObjectDetails;
use heaplens_base::Count;
use heaplens_heap::{Heap, LogicalKind, RecordedText, Strength, Value as FieldValue};

/// Columns of the fields of an object.
pub const FIELDS: [Heading; 4] = [
    Heading::plain("name", "Field"),
    Heading::plain("type", "Type"),
    Heading::plain("value", "Value"),
    Heading::plain("id", "Object"),
];

/// Writes an object as text, without its fields.
pub fn object_text(
    out: &mut impl Write,
    heap: &Heap,
    details: &ObjectDetails,
    called: &ObjectLabel,
    parts: &Figures,
) -> io::Result<()> {
    // A collection size is not quoted.
    let quoted = |l: &str| if l.starts_with('(') { format!("  {l}") } else { format!("  {l:?}") };
    let label = details.label.as_deref().map(quoted).unwrap_or_default();
    writeln!(out, "{} {}{label}", details.class_name, details.id)?;
    for (what, text) in [("Name", &called.short_name), ("Path name", &called.name)] {
        if let Some(text) = text {
            writeln!(out, "{what:<20} {text}")?;
        }
    }
    writeln!(out, "Shallow size         {}", details.shallow.exact())?;
    writeln!(out, "Retained size        {}", details.retained.exact())?;
    for (what, text) in parts.lines() {
        writeln!(out, "{what:<20} {text}")?;
    }
    for (what, text) in called.ownership.iter().flat_map(Figures::lines) {
        writeln!(out, "{what:<20} {text}")?;
    }
    writeln!(out, "Dominated            {}", Count(details.dominated).of("object", "objects"))?;
    let dominator = match details.immediate_dominator {
        Some(d) => format!("{} {}", heap.class(d).name, heap.id_text(d)),
        None if details.reachable => "none (a GC root, or reachable by independent paths)".to_owned(),
        None => "unreachable".to_owned(),
    };
    writeln!(out, "Immediate dominator  {dominator}")?;
    if details.has_loaders {
        writeln!(out, "Class loader         {}", details.loader_text.as_deref().unwrap_or("bootstrap"))?;
    }
    if !details.roots.is_empty() {
        let roots: Vec<&str> = details.roots.iter().map(|r| r.name()).collect();
        writeln!(out, "GC root              {}", roots.join(", "))?;
    }
    if let Some(distance) = details.distance {
        writeln!(out, "Distance             {distance}")?;
    }
    if let Some(strength) = details.strength.filter(|strength| *strength != Strength::Strong) {
        writeln!(out, "Strength             {}: no strong path from a GC root", strength.name())?;
    }
    for (what, text) in called.ages.lines() {
        writeln!(out, "{what:<20} {text}")?;
    }
    for (what, text) in object_extras::lines(heap, details) {
        writeln!(out, "{what:<20} {text}")?;
    }
    if let Some(text) = &details.text {
        writeln!(out, "String value         {text:?}")?;
    }
    if let Some(missing) = details.missing_text {
        let what = if details.text.is_some() { "" } else { "String value" };
        writeln!(out, "{what:<20} {missing}")?;
    }
    if let Some(length) = details.length {
        writeln!(out, "Length               {}", Count(length))?;
    } else if details.is_array {
        writeln!(out, "Length               {}", FieldValue::Unavailable)?;
    }
    for frame in &details.stack {
        writeln!(out, "  at {frame}")?;
    }
    if !details.allocated.is_empty() {
        writeln!(out, "Allocated at")?;
    }
    for frame in &details.allocated {
        writeln!(out, "  at {frame}")?;
    }
    Ok(())
}

/// Writes the entries of a collection as text.
pub fn collection_text(out: &mut impl Write, collection: &Collection, width: TextWidth) -> io::Result<()> {
    let room = collection.capacity.map(|room| format!(", capacity {}", Count(room))).unwrap_or_default();
    writeln!(out, "Elements             {} ({}{room})", Count(collection.size), collection.kind.name())?;
    if collection.entries.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let cells = |entry: &Entry| {
        let text =
            |side: &Option<serde_json::Value>| side.as_ref().map_or(Value::Null, |side| Value::text(side_text(side)));
        vec![text(&entry.key), text(&entry.value)]
    };
    if collection.kind == LogicalKind::Map {
        return write_text(
            out,
            &[Heading::plain("key", "Key"), Heading::plain("value", "Value")],
            collection.entries.iter().map(cells),
            width,
        );
    }
    let values = collection.entries.iter().map(|entry| cells(entry).split_off(1));
    write_text(out, &[Heading::plain("value", "Element")], values, width)
}

/// Key or value in one line: class, label and id of an object.
pub fn side_text(side: &serde_json::Value) -> String {
    if side.get("available").is_some() {
        return RecordedText::Nothing.to_string();
    }
    let part = |name: &str| side.get(name).and_then(serde_json::Value::as_str);
    match (part("class"), part("id")) {
        (Some(class), Some(id)) => {
            format!("{class} {}{id}", part("label").map(|l| format!("{l} ")).unwrap_or_default())
        }
        _ => side.as_str().map_or_else(|| side.to_string(), str::to_owned),
    }
}

/// Cells of a field or element, for the columns [`FIELDS`].
pub fn field_cells(field: ObjectField) -> Vec<Value<'static>> {
    let value = Value::text(field.text());
    vec![Value::text(field.shown_name), Value::text(field.type_name), value, field.id.map_or(Value::Null, Value::text)]
}
