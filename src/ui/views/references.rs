//! Incoming and outgoing references of the selected object.

use eframe::egui::Ui;

use super::containment::draw::edge;
use super::fields::{Target, value_ui};
use crate::ui::theme::{Icon, fonts};
use crate::ui::widgets::{Column, ObjectName, Table, TableState, waiting};
use crate::ui::{Pane, Reference, RowCommand, ViewContext};
use heaplens_analysis::Direction;
use heaplens_analysis::references::{ReferenceRow, References, references};
use heaplens_base::Count;
use heaplens_core::heap::{Heap, ObjectId, ReferenceKind, Strength, Value};
use heaplens_session::Slot;
use heaplens_tables::columns::Cell;
use heaplens_tables::dump::references::reference_table;
use heaplens_tables::export::copy;
use heaplens_tables::{RowQuery, TableKind, TableQuery, clips};

const COLUMNS: [Column; 3] = [
    Column::words("Reference", "Field, array index or other name of the reference", 118.0).fixed(9).unsorted(),
    Column::words("Object", "Object at the other end of the reference", 120.0).unsorted(),
    Column::numbers("Retained", "Bytes freed if the object at the other end were collected", 88.0, 5).unsorted(),
];
/// Maximum number of references that are read.
const LIMIT: usize = 5_000;

/// References in one direction.
#[derive(Default)]
pub struct Neighbours {
    slot: Slot<(ObjectId, Direction, References)>,
    asked: Option<ObjectId>,
    table: TableState,
}

impl Neighbours {
    /// Number of references, if known for `object`.
    pub fn count(&self, object: Option<ObjectId>) -> Option<Count> {
        let (of, _, found) = self.slot.get()?;
        (Some(*of) == object).then_some(Count(found.objects))
    }

    /// Takes over the references that were read.
    pub fn poll(&mut self) {
        self.slot.poll();
    }

    /// Requests the references of `object`, once.
    pub fn ask(&mut self, context: &ViewContext<'_>, object: ObjectId, direction: Direction) {
        if self.asked.replace(object) == Some(object) {
            return;
        }
        let dump = context.dump.clone();
        self.slot.ask(context.jobs, "references", move |task| {
            let (heap, contents, analysis) = (&dump.heap, &*dump.contents, &dump.analysis);
            Ok((object, direction, references(heap, contents, analysis, object, direction, LIMIT, task)?))
        });
    }

    /// Draws the list.
    pub fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let area = ui.available_rect_before_wrap();
        if let Some(error) = self.slot.error() {
            return waiting::empty_ui(ui, area, Icon::Warning, "Cannot read the references", error);
        }
        let Some((of, direction, found)) = self.slot.get() else {
            return waiting::line_ui(ui, "Reading references…");
        };
        if found.rows.is_empty() && !self.slot.is_running() {
            let (title, hint) = match direction {
                Direction::Incoming => ("No incoming references", "The object is a GC root or unreachable"),
                Direction::Outgoing => ("No outgoing references", ""),
            };
            return waiting::empty_ui(ui, area, Icon::Search, title, hint);
        }
        let unread = found.objects.saturating_sub(LIMIT as u64);
        let heap = &context.dump.heap;
        let table = Table::new(name(*direction), &COLUMNS, found.rows.len() as u64 + u64::from(unread > 0))
            .active(context.focus == Pane::Inspector);
        let mut go = None;
        let output = table.show(ui, &mut self.table, |row| {
            let t = row.tokens;
            let Some(reference) = found.rows.get(row.index as usize) else {
                let text = format!("{} more objects not listed", Count(unread));
                row.text(1, &*text, fonts::text(), t.faint);
                return row.name(text);
            };
            let strength = reference.name.strength;
            let weak = strength != Strength::Strong;
            let name = edge(&reference.name);
            row.text(0, name.clone(), fonts::text(), if weak { t.muted } else { t.field });
            row.hover_in(0, || format!("{name}\n{} reference", strength.name()));
            let target = Target {
                class: Some(&reference.class),
                label: reference.label.as_deref(),
                retained: Some(reference.retained),
                reference: Some(reference_of(heap, *direction, *of, reference)),
            };
            go = value_ui(row, (1, 2), heap, Value::Object(reference.object), &target).or(go);
            row.name(format!("{name} {}", reference.class));
        });
        if self.slot.is_running() {
            waiting::running_ui(ui, area);
        }
        let activated = output.activated.and_then(|row| found.rows.get(row as usize)).map(|row| row.object);
        context.push_row(go.or(activated).map(RowCommand::Select));
    }

    /// Reference in the selected row, if any.
    pub fn selected(&self, heap: &Heap) -> Option<Reference> {
        let (object, direction, found) = self.slot.get()?;
        Some(reference_of(heap, *direction, *object, found.rows.get(self.table.cursor()? as usize)?))
    }

    /// Copies the selected rows; without a selection all listed ones.
    pub fn copy(&self, context: &mut ViewContext<'_>) {
        let Some((object, direction, found)) = self.slot.get().filter(|(.., found)| !found.rows.is_empty()) else {
            return;
        };
        let last = found.rows.len() - 1;
        let range = self.table.selection().map_or((0, last), |range| (*range.start() as usize, *range.end() as usize));
        let (first, last) = (range.0.min(last), range.1.min(last));
        let rows = found.rows[first..=last].to_vec();
        let how = RowQuery { skip: first, top: Some(rows.len()), ..RowQuery::default() };
        let request = TableQuery { kind: TableKind::References(*object, *direction), rows: how };
        let (object, objects) = (*object, found.objects);
        let name = name(*direction);
        context.copy(move |dump, _| {
            let table = reference_table(References { rows, objects });
            let cells = |row: &ReferenceRow| {
                let id = dump.heap.id_text(row.object);
                let name = ObjectName { class: &row.class, label: row.label.as_deref(), id: &id }.plain();
                let strength = Cell::Text(row.name.strength.name().to_owned());
                vec![Cell::Text(row.name.text.clone()), strength, Cell::Text(name), Cell::Size(row.retained)]
            };
            let copied = table.rows.iter().map(|row| copy::Row { depth: 0, cells: cells(row) }).collect();
            let json = clips::json(&table, dump, 0..table.rows.len());
            let title = format!("{name} of {}", clips::name(dump, object));
            let headings = ["Reference", "Strength", "Object", "Retained"];
            Ok(clips::rows(dump, &title, &request, headings, copied, json))
        });
    }

    /// True while references are being read.
    pub fn is_running(&self) -> bool {
        self.slot.is_at_work()
    }
}

fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::Incoming => "Incoming references",
        Direction::Outgoing => "Outgoing references",
    }
}

fn reference_of(heap: &Heap, direction: Direction, object: ObjectId, row: &ReferenceRow) -> Reference {
    let (from, to) = match direction {
        Direction::Incoming => (row.object, object),
        Direction::Outgoing => (object, row.object),
    };
    let name = Some(&*row.name.text).filter(|_| row.name.kind == ReferenceKind::Field);
    Reference::between(heap, from, to, name)
}
