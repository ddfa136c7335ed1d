//! Snapshots without values of the program, to be given to others: texts of strings, heap numbers and regular expressions
//! are replaced by placeholders of the same length. Nodes, edges, ids, sizes, positions and allocation stacks remain, and
//! so do names of classes, functions, variables and properties.
//!
//! A string of the table that is a value and a name stays as the name; nodes that have it as a value get a string of
//! their own at the end of the table.

mod head;
mod output;
mod placeholders;
mod roles;
mod snapshot;

use std::io::Write;

use rustc_hash::FxHashMap;
use serde_json::Value;

use self::head::known_members;
use self::output::{Numbered, numbers, string};
pub(super) use self::placeholders::is_placeholder;
use self::placeholders::{Placeholder, Placeholders};
use self::roles::{Roles, role};
use self::snapshot::Snapshot;
use super::numbers::MOST_FIELDS;
use super::sections::Section;
use super::text::{decode, units};
use crate::error::OpenError;
use crate::stripping::{StripMarker, StripOptions, StripStatistics};
use heaplens_base::{CHECKPOINT_EVERY, Task, Unit};

/// Name of the marker in the section `snapshot`.
const MARKER: &str = "heaplens_strip";

/// Writes a snapshot without values.
///
/// # Errors
/// If it is truncated or malformed: what is there may not be all that must be removed.
pub(crate) fn strip(
    file: &[u8],
    options: &StripOptions,
    out: &mut dyn Write,
    task: &Task,
) -> Result<StripStatistics, OpenError> {
    let snapshot = Snapshot::read(file, task)?;
    let roles = Roles::find(&snapshot, task)?;
    let structure = if options.keys { role::STRUCTURE } else { role::STRUCTURE | role::KEY };
    let mut stripper = Stripper { of: &snapshot, roles: &roles, structure, out, added: Vec::new(), task };
    stripper.head(options)?;
    stripper.nodes()?;
    let parts = &snapshot.parts;
    stripper.numbers("edges", &parts.edges, Numbered::List)?;
    let sections = [
        ("trace_function_infos", &parts.functions, Numbered::List),
        ("trace_tree", &parts.trace_tree, Numbered::Tree),
        ("samples", &parts.samples, Numbered::List),
        ("locations", &parts.locations, Numbered::List),
    ];
    for (key, section, form) in sections {
        if let Some(section) = section {
            stripper.numbers(key, section, form)?;
        }
    }
    stripper.strings()?;
    Ok(StripStatistics {
        objects: snapshot.nodes,
        blanked: roles.values,
        keys: roles.keys,
        ..StripStatistics::default()
    })
}

struct Stripper<'a> {
    of: &'a Snapshot<'a>,
    roles: &'a Roles,
    /// Roles whose strings stay.
    structure: u8,
    out: &'a mut dyn Write,
    /// Strings of the table whose placeholders are at its end, in this order.
    added: Vec<u32>,
    task: &'a Task,
}

impl Stripper<'_> {
    /// Metadata and marker.
    fn head(&mut self, options: &StripOptions) -> Result<(), OpenError> {
        let mut members = known_members(&self.of.head_text)?;
        let marker = StripMarker::new(options, self.of.head.strip_marker());
        members.insert(MARKER.to_owned(), Value::String(marker.text()));
        write!(self.out, "{{\"snapshot\":{}", Value::Object(members))?;
        Ok(())
    }

    /// Nodes, whose names may move to the end of the string table.
    fn nodes(&mut self) -> Result<(), OpenError> {
        self.task.step("Writing nodes", Unit::Objects, self.of.nodes);
        let (mut records, mut record) = (self.of.node_records(), [0; MOST_FIELDS]);
        let fields = &self.of.meta.node;
        let strings = self.of.parts.strings.count();
        let mut moved: FxHashMap<u32, u32> = FxHashMap::default();
        let mut line = Vec::new();
        self.out.write_all(b",\n\"nodes\":[")?;
        while let Some((row, _)) = records.next(&mut record) {
            if row.is_multiple_of(CHECKPOINT_EVERY as u64) {
                self.task.advance_checked(CHECKPOINT_EVERY as u64)?;
            }
            let node = self.of.node(row, &record);
            let is_name = self.roles.of(node.name) & self.structure != 0;
            if is_name && self.of.is_value(&node) && self.roles.is_secret(node.row) {
                let moved_name = *moved.entry(node.name).or_insert_with(|| {
                    self.added.push(node.name);
                    strings.saturating_add(self.added.len() as u32 - 1)
                });
                record.get_mut(fields.name).into_iter().for_each(|name| *name = moved_name.into());
            }
            line.clear();
            for (at, number) in record.iter().take(fields.count).enumerate() {
                if row > 0 || at > 0 {
                    line.push(b',');
                }
                write!(line, "{number}")?;
            }
            line.push(b'\n');
            self.out.write_all(&line)?;
        }
        self.out.write_all(b"]")?;
        Ok(())
    }

    /// A section that consists of numbers.
    fn numbers(&mut self, key: &str, section: &Section, form: Numbered) -> Result<(), OpenError> {
        self.task.step("Writing references", Unit::Bytes, section.range.len() as u64);
        write!(self.out, ",\n\"{key}\":")?;
        numbers(self.of.file, section.range.clone(), form, self.out, self.task)
    }

    /// The string table.
    fn strings(&mut self) -> Result<(), OpenError> {
        let count = self.of.parts.strings.count();
        self.task.step("Writing strings", Unit::Objects, count.into());
        let mut placeholders = Placeholders::default();
        self.out.write_all(b",\n\"strings\":[")?;
        for at in 0..count {
            self.task.advance_checked(1)?;
            self.out.write_all(if at > 0 { b",\n" } else { b"\n" })?;
            if self.roles.of(at) & self.structure == 0 {
                let placeholder = self.placeholder(&mut placeholders, at);
                output::placeholder(placeholder, self.out)?;
            } else {
                let raw = self.of.raw(at);
                let (text, cleaned) = (decode(raw), self.roles.cleaned(self.of, at));
                if text == cleaned { string(raw, self.out)? } else { write!(self.out, "{}", Value::String(cleaned))? }
            }
        }
        for at in std::mem::take(&mut self.added) {
            self.task.checkpoint()?;
            self.out.write_all(b",\n")?;
            let placeholder = self.placeholder(&mut placeholders, at);
            output::placeholder(placeholder, self.out)?;
        }
        self.out.write_all(b"]}\n")?;
        Ok(())
    }

    fn placeholder(&self, all: &mut Placeholders, string: u32) -> Placeholder {
        let text = decode(self.of.raw(string));
        all.of(&text, units(&text))
    }
}
