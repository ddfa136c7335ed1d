//! Incoming and outgoing references of the selected object, as a tree: a referrer expands to its own referrers, up to the
//! GC roots.

use eframe::egui::{Key, Modifiers, Popup, Ui};

use super::object_columns::exact;
use super::reference_row::{edge, name_ui, reference_of};
use crate::ui::theme::Icon;
use crate::ui::widgets::{Column, Table, TableState, waiting};
use crate::ui::{Pane, Reference, ViewContext};
use heaplens_analysis::Direction;
use heaplens_analysis::references::{ReferenceRow, References};
use heaplens_base::Count;
use heaplens_heap::{Heap, ObjectId};
use heaplens_tables::columns::Value;
use heaplens_tables::dump::objects::ObjectsQuery;
use heaplens_tables::dump::references::ReferencesQuery;
use heaplens_tables::dump::references::reference_table;
use heaplens_tables::export::copy;
use heaplens_tables::trees::reference_levels::{EdgeOrder, Levels};
use heaplens_tables::trees::row_anchor::RowAnchor;
use heaplens_tables::{RowQuery, TableQuery, clips};

const COLUMNS: [Column; 2] = [
    Column::words(
        "Reference",
        "Name of the reference and object at its other end; expand a row to follow its references",
        180.0,
    )
    .unsorted(),
    Column::numbers("Retained", "Bytes freed if the object at the other end were collected", 88.0, 5).unsorted(),
];

/// References in one direction.
#[derive(Default)]
pub struct Neighbours {
    levels: Option<Levels>,
    table: TableState,
}

impl Neighbours {
    /// Number of references, if known for `object`.
    pub fn count(&self, object: Option<ObjectId>) -> Option<Count> {
        let (of, rows) = self.levels.as_ref()?.top()?;
        (Some(of) == object).then_some(Count(rows.objects))
    }

    /// Requests the references of `object`, once, and takes over those that were read.
    pub fn ask(&mut self, context: &ViewContext<'_>, object: ObjectId, direction: Direction) {
        if self.levels.as_ref().and_then(Levels::root) != Some(object) {
            self.levels = Some(Levels::of(object, direction, context.dump, context.jobs));
            self.table = TableState::default();
        }
        let order = match direction {
            Direction::Incoming => EdgeOrder::Nearest,
            Direction::Outgoing => EdgeOrder::Recorded,
        };
        self.change(None, |levels| levels.poll(context.dump, order));
    }

    /// Changes the tree by `change`, which may expand or collapse a row; the cursor stays on its row if it returns true.
    fn change(&mut self, toggled: Option<u64>, change: impl FnOnce(&mut Levels) -> bool) {
        let Some(levels) = &mut self.levels else { return };
        let anchor = RowAnchor::of(&levels.tree, self.table.cursor(), toggled);
        if change(levels)
            && let Some(anchor) = anchor
        {
            self.table.select(Some(anchor.row(&levels.tree)));
        }
    }

    /// Draws the tree.
    pub fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let area = ui.available_rect_before_wrap();
        let Some(levels) = &mut self.levels else { return };
        if let Some(error) = levels.error() {
            return waiting::empty_ui(ui, area, Icon::Warning, "Cannot read the references", error);
        }
        let Some((_, rows)) = levels.top() else {
            return waiting::line_ui(ui, "Reading references…");
        };
        if rows.rows.is_empty() {
            let (title, hint) = match levels.direction() {
                Direction::Incoming => ("No incoming references", "The object is a GC root or unreachable"),
                Direction::Outgoing => ("No outgoing references", ""),
            };
            return waiting::empty_ui(ui, area, Icon::Search, title, hint);
        }
        // The keys act on a row: without one, → would leave the tree.
        if context.focus == Pane::Inspector && self.table.cursor().is_none() {
            self.table.select(Some(0));
        }
        let name = name(levels.direction());
        let table = Table::new(name, &COLUMNS, levels.tree.rows()).active(context.focus == Pane::Inspector);
        let output = table.show(ui, &mut self.table, |row| {
            let Some(reference) = name_ui(row, context, levels, name, true) else { return };
            row.small_size(1, reference.retained);
            row.hover_in(1, || exact("Retained", reference.retained));
        });
        if levels.is_running() {
            waiting::running_ui(ui, area);
        }
        let activated = output.activated.and_then(|row| levels.at(row)).map(|reference| reference.object);
        context.select(activated);
        if let Some(row) = output.toggled {
            self.toggle(context, row);
        }
    }

    fn toggle(&mut self, context: &ViewContext<'_>, row: u64) {
        self.change(Some(row), |levels| {
            levels.toggle(context.dump, context.jobs, row);
            true
        });
    }

    /// Acts on the side keys: right expands the selected row or goes to its first child, left collapses it or goes to its
    /// parent. On other rows they do nothing: they are keys of the tree, not of the tabs.
    pub fn side_keys(&mut self, ui: &Ui, context: &ViewContext<'_>) {
        if ui.ctx().egui_wants_keyboard_input() || Popup::is_any_open(ui.ctx()) {
            return;
        }
        let Some(levels) = &self.levels else { return };
        let row = self.table.cursor().unwrap_or_default();
        let Some(spot) = levels.tree.locate(row) else { return };
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let to = match (pressed(Key::ArrowRight), pressed(Key::ArrowLeft), spot.open) {
            (true, _, Some(open)) => (levels.tree.children(open) > 0).then_some(row + 1),
            (true, _, None) | (_, true, Some(_)) => return self.toggle(context, row),
            (_, true, None) => levels.tree.above(spot.parent).map(|(above, index)| levels.tree.row_of(above, index)),
            (false, false, _) => None,
        };
        to.into_iter().for_each(|to| self.table.select_and_show(to));
    }

    /// Reference in the selected row, if any.
    pub fn selected(&self, heap: &Heap) -> Option<Reference> {
        let levels = self.levels.as_ref()?;
        Some(reference_of(heap, levels.direction(), levels.reference_at(self.table.cursor()?)?))
    }

    /// Copies the selected rows; without a selection all of the object's references.
    pub fn copy(&self, context: &mut ViewContext<'_>) {
        let Some(levels) = self.levels.as_ref().filter(|levels| levels.tree.rows() > 0) else { return };
        let Some((object, level)) = levels.top() else { return };
        let direction = levels.direction();
        let title = format!("{} of ", name(direction));
        let Some(range) = self.table.selection() else {
            let rows = level.rows.iter().cloned().enumerate().collect();
            return copy_top(context, (object, direction), rows, level.objects, title);
        };
        let reference_at = |row| Some((levels.tree.locate(row)?.depth, levels.reference_at(row)?));
        let references: Vec<_> = range.filter_map(reference_at).collect();
        if references.iter().all(|(depth, _)| *depth == 0) {
            let rows = references
                .iter()
                .map(|(_, reference_at)| (reference_at.edge, reference_at.reference.clone()))
                .collect();
            return copy_top(context, (object, direction), rows, level.objects, title);
        }
        let rows: Vec<_> =
            references.iter().map(|(depth, reference_at)| (*depth, reference_at.reference.clone())).collect();
        context.copy(move |dump, _| {
            let objects: Vec<ObjectId> = rows.iter().map(|(_, row)| row.object).collect();
            let copied = rows.iter().map(|(depth, row)| {
                let name = format!("{} {}", edge(&row.name), clips::name(dump, row.object));
                copy::Row { depth: *depth, cells: vec![Value::text(name), Value::Bytes(row.retained)] }
            });
            let copied = copied.collect();
            let json = clips::objects_json(dump, &objects);
            let request = TableQuery::all(ObjectsQuery::Listed(objects));
            let title = format!("{title}{}", clips::name(dump, object));
            Ok(clips::rows(dump, &title, &request, ["Reference", "Retained"], copied, json))
        });
    }

    /// True while references are being read.
    pub fn is_running(&self) -> bool {
        self.levels.as_ref().is_some_and(Levels::is_running)
    }
}

/// Copies references of the object itself, as the command line prints them: `rows` with their indices.
fn copy_top(
    context: &mut ViewContext<'_>,
    (object, direction): (ObjectId, Direction),
    mut rows: Vec<(usize, ReferenceRow)>,
    objects: u64,
    title: String,
) {
    rows.sort_by_key(|(edge, _)| *edge);
    let numbers = rows.iter().filter_map(|(edge, _)| u32::try_from(edge + 1).ok());
    let ranges = numbers.map(|number| number..=number).collect();
    let rows_wanted = RowQuery { numbers: ranges, ..RowQuery::default() };
    let request = TableQuery::new(ReferencesQuery { of: object, direction }, rows_wanted);
    context.copy(move |dump, _| {
        let rows = rows.into_iter().map(|(_, row)| row).collect();
        let table = reference_table(References { rows, objects });
        let cells = |row: &ReferenceRow| {
            let strength = Value::text(row.name.strength.name().to_owned());
            let name = Value::text(clips::name(dump, row.object));
            vec![Value::text(row.name.text.clone()), strength, name, Value::Bytes(row.retained)]
        };
        let copied = table.rows.iter().map(|row| copy::Row { depth: 0, cells: cells(row) }).collect();
        let json = clips::json(&table, dump, 0..table.rows.len());
        let title = format!("{title}{}", clips::name(dump, object));
        let headings = ["Reference", "Strength", "Object", "Retained"];
        Ok(clips::rows(dump, &title, &request, headings, copied, json))
    });
}

fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::Incoming => "Incoming references",
        Direction::Outgoing => "Outgoing references",
    }
}
