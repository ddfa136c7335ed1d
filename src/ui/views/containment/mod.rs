//! Object graph below the root of a snapshot, by names of edges, globals of the program first. Levels are read when
//! they are expanded; weak edges are marked.

mod draw;

use eframe::egui;
use egui::{Rect, Ui, vec2};

use super::copying;
use crate::ui::command::RowCommand;
use crate::ui::controllers::table::AT_MOST;
use crate::ui::theme::icons::Icon;
use crate::ui::theme::sizes;
use crate::ui::view_context::ViewContext;
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::table::{Column, Table, TableOutput, TableState};
use crate::ui::widgets::toolbar::{hint, tools};
use crate::ui::widgets::tree_row::{self, Step};
use crate::ui::widgets::waiting;
use heaplens_analysis::references::Direction;
use heaplens_core::heap::ids::ObjectId;
use heaplens_core::heap::snapshot::Snapshot;
use heaplens_tables::export::copy::{self, ClipBody};
use heaplens_tables::export::table::Cell;
use heaplens_tables::table_query::{TableKind, TableQuery};
use heaplens_tables::trees::containment::{EdgeOrder, EdgeValue, Levels};
use heaplens_tables::trees::row_anchor::RowAnchor;
use heaplens_tables::{Objects, RowQuery};

const COLUMNS: [Column; 4] = [
    Column::words(
        "Object",
        "Name of the edge and the node it refers to, largest retained size first, weak edges last",
        260.0,
    ),
    Column::numbers("Distance", "Number of references on the shortest path from the root", 84.0, 4),
    Column::numbers("Shallow size", "", 98.0, 5),
    Column::numbers("Retained size", "", 152.0, 8),
];

/// The values of the columns.
const VALUES: [EdgeValue; 4] = [EdgeValue::Name, EdgeValue::Distance, EdgeValue::Shallow, EdgeValue::Retained];

/// The view.
#[derive(Default)]
pub struct Containment {
    levels: Option<Levels>,
    order: EdgeOrder,
    table: TableState,
}

impl ViewPage for Containment {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let Some(root) = context.dump.heap.snapshot().map(Snapshot::root).and_then(ObjectId::from_raw) else {
            return;
        };
        let order = self.order;
        let levels = self.levels.get_or_insert_with(|| Levels::below(root, context.dump, context.jobs));
        let kept = RowAnchor::of(&levels.tree, self.table.cursor(), None);
        if levels.poll(context.dump, order) {
            kept.into_iter().for_each(|kept| self.table.select(Some(kept.row(&levels.tree))));
        }
        tools(ui, |ui| {
            hint(
                ui,
                "Nodes the root refers to: globals first, then the engine's own; expand a row to follow its edges",
            );
        });
        self.side_keys(ui, context);
        self.table_ui(ui, context);
    }

    /// True while a job is running.
    fn is_running(&self) -> bool {
        self.levels.as_ref().is_none_or(Levels::is_running)
    }
}

impl Containment {
    fn table_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let Some(levels) = &self.levels else { return };
        let area = ui.available_rect_before_wrap();
        let sort = self.order.value().and_then(|(by, down)| Some((VALUES.iter().position(|of| *of == by)?, down)));
        let table = Table::new("Containment", &COLUMNS, levels.tree.rows()).sorted(sort);
        let output = table.show(ui, &mut self.table, |row| draw::row(row, context, levels));
        if let Some(error) = levels.error() {
            let below = Rect::from_min_max(area.min + vec2(0.0, sizes::HEADER), area.max);
            waiting::empty_ui(ui, below, Icon::Warning, "Cannot read the references", error);
        } else if levels.is_running() {
            waiting::running_ui(ui, Rect::from_min_size(area.min, vec2(area.width(), 2.0)));
        }
        self.handle(context, &output);
    }

    fn handle(&mut self, context: &mut ViewContext<'_>, output: &TableOutput) {
        if let Some(object) = output.clicked.or(output.moved).and_then(|row| self.object_at(row)) {
            context.push_row(if output.clicked.is_none() {
                RowCommand::MoveCursor(object)
            } else {
                RowCommand::Select(object)
            });
        }
        if let Some(row) = output.toggled.or(output.activated) {
            self.toggle(context, row);
        }
        if let Some(&by) = output.sort.and_then(|column| VALUES.get(column)) {
            self.order = self.order.by(by);
            self.levels.as_mut().into_iter().for_each(|levels| levels.sort(context.dump, self.order));
            self.table.to_top();
        }
        if context.copy_rows {
            self.copy(context);
        }
        if context.export
            && let Some(root) = context.dump.heap.snapshot().map(Snapshot::root).and_then(ObjectId::from_raw)
        {
            let subject = TableKind::References(root, Direction::Outgoing);
            let request = TableQuery { subject, how: RowQuery::default() };
            context.push_row(RowCommand::Export(Box::new(request), "Containment".to_owned()));
        }
    }

    fn object_at(&self, row: u64) -> Option<ObjectId> {
        Some(self.levels.as_ref()?.at(row)?.object)
    }

    /// Expands or collapses a row; the cursor stays on its row.
    fn toggle(&mut self, context: &ViewContext<'_>, row: u64) {
        let Some(levels) = &mut self.levels else { return };
        let kept = RowAnchor::of(&levels.tree, self.table.cursor(), Some(row));
        levels.toggle(context.dump, context.jobs, row);
        kept.into_iter().for_each(|kept| self.table.select(Some(kept.row(&levels.tree))));
    }

    fn side_keys(&mut self, ui: &Ui, context: &mut ViewContext<'_>) {
        let Some((levels, row)) = self.levels.as_ref().zip(self.table.cursor()) else { return };
        match tree_row::side_step(ui, &levels.tree, row) {
            Some(Step::Toggle) => self.toggle(context, row),
            Some(Step::To(row)) => {
                if let Some(object) = self.object_at(row) {
                    self.table.select_and_show(row);
                    context.push_row(RowCommand::MoveCursor(object));
                }
            }
            None => {}
        }
    }

    /// Copies the selected rows with their indentation.
    fn copy(&self, context: &mut ViewContext<'_>) {
        let (Some(range), Some(levels)) = (self.table.selection(), &self.levels) else { return };
        let last = (*range.end()).min(range.start() + AT_MOST - 1);
        let row = |row| Some((levels.tree.locate(row)?.depth, levels.at(row)?.clone()));
        let rows: Vec<_> = (*range.start()..=last).filter_map(row).collect();
        context.copy(move |dump, _| {
            let objects: Vec<ObjectId> = rows.iter().map(|(_, reference)| reference.object).collect();
            let copied = rows.iter().map(|(depth, reference)| {
                let object = reference.object;
                let name = format!("{} :: {}", draw::edge(reference), copying::name(dump, object));
                let distance = dump.analysis.shown_distance(&dump.heap, object);
                let distance = distance.map_or(Cell::Nothing, |distance| Cell::Count(distance.into()));
                let sizes = [Cell::Size(reference.shallow), Cell::Size(reference.retained)];
                copy::Row { depth: *depth, cells: [Cell::Text(name), distance].into_iter().chain(sizes).collect() }
            });
            let copied = copied.collect();
            let json = copying::json(&Objects::default(), dump, objects.iter().map(|object| object.index()));
            let headings = COLUMNS.iter().map(|column| column.title.to_owned()).collect();
            let request = TableQuery { subject: TableKind::Named(objects), how: RowQuery::default() };
            let command = request.command(&dump.heap, &dump.opened);
            let body = ClipBody::Rows(copy::Rows { headings, rows: copied, json });
            Ok(copying::clip(dump, "Containment", command, body))
        });
    }
}
