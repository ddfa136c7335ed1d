//! Object graph below the root of a snapshot, by names of edges, globals of the program first. Levels are read when
//! they are expanded; weak edges are marked.

mod draw;

use std::ops::RangeInclusive;

use eframe::egui::Ui;

use crate::ui::ViewContext;
use crate::ui::controllers::{Placeholder, TableController, TableSource, TreeController, TreeSource};
use crate::ui::views::page::ViewPage;
use crate::ui::views::reference_row::edge;
use crate::ui::widgets::{Column, Row, toolbar};
use heaplens_analysis::Direction;
use heaplens_heap::{ObjectId, Snapshot};
use heaplens_tables::columns::Value;
use heaplens_tables::dump::objects::ObjectsQuery;
use heaplens_tables::dump::references::ReferencesQuery;
use heaplens_tables::export::copy;
use heaplens_tables::trees::reference_levels::{EdgeOrder, EdgeValue, Level, Levels};
use heaplens_tables::trees::tree::Tree;
use heaplens_tables::{RowTarget, TableQuery, TypedFilter, clips};

const NAME: &str = "Containment";
const COLUMNS: [Column; 4] = [
    Column::words("Object", "", 260.0)
        .about("Name of the edge and the node it refers to, largest retained size first, weak edges last"),
    Column::numbers("Distance", "Number of references on the shortest path from the root", 84.0, 4),
    Column::numbers("Shallow size", "", 98.0, 5),
    Column::numbers("Retained size", "", 152.0, 8),
];

/// The values of the columns.
const VALUES: [EdgeValue; 4] = [EdgeValue::Name, EdgeValue::Distance, EdgeValue::Shallow, EdgeValue::Retained];

/// The view.
#[derive(Default)]
pub struct Containment {
    edges: Option<Edges>,
    tree: TreeController,
}

/// Edges below the root.
struct Edges {
    root: ObjectId,
    levels: Levels,
    order: EdgeOrder,
}

impl ViewPage for Containment {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let Some(root) = context.dump.heap.snapshot().map(Snapshot::root).and_then(ObjectId::from_raw) else {
            return;
        };
        let edges = self.edges.get_or_insert_with(|| Edges {
            root,
            levels: Levels::of(root, Direction::Outgoing, context.dump, context.jobs),
            order: EdgeOrder::default(),
        });
        self.tree.change(edges, |edges| edges.levels.poll(context.dump, edges.order));
        toolbar::tools(ui, |ui| {
            let about =
                "Nodes the root refers to: globals first, then the engine's own; expand a row to follow its edges";
            toolbar::hint(ui, about);
        });
        self.tree.side_keys(ui, context, edges);
        self.tree.sort =
            edges.order.value().and_then(|(by, down)| Some((VALUES.iter().position(|of| *of == by)?, down)));
        self.tree.ui(ui, context, edges);
    }

    fn is_running(&self) -> bool {
        self.edges.as_ref().is_none_or(|edges| edges.levels.is_running())
    }
}

impl TableSource for Edges {
    const TOGGLES: bool = true;
    const NAME: &'static str = NAME;
    const COLUMNS: &'static [Column] = &COLUMNS;

    fn count(&self) -> u64 {
        self.levels.tree.rows()
    }

    fn target(&self, _context: &ViewContext<'_>, row: u64) -> Option<RowTarget> {
        Some(RowTarget::Object(self.levels.at(row)?.object))
    }

    fn draw(&mut self, row: &mut Row<'_>, context: &mut ViewContext<'_>) {
        draw::row(row, context, &self.levels);
    }

    fn placeholder(&self, _context: &ViewContext<'_>, _table: &TableController) -> Placeholder<'_> {
        match self.levels.error() {
            Some(error) => Placeholder::failed("Cannot read the references", error),
            None => Placeholder::default().with_progress(self.levels.is_running(), None),
        }
    }

    fn sort(&mut self, context: &ViewContext<'_>, table: &mut TableController, column: usize) {
        if let Some(&by) = VALUES.get(column) {
            self.order = self.order.by(by);
            self.levels.sort(context.dump, self.order);
            table.state.to_top();
        }
    }

    /// Copies rows with their indentation.
    fn copy(&self, context: &mut ViewContext<'_>, _table: &TableController, rows: RangeInclusive<u64>) {
        let row = |row| Some((self.levels.tree.locate(row)?.depth, self.levels.at(row)?.clone()));
        let rows: Vec<_> = rows.filter_map(row).collect();
        context.copy(move |dump, _| {
            let objects: Vec<ObjectId> = rows.iter().map(|(_, reference)| reference.object).collect();
            let copied = rows.iter().map(|(depth, reference)| {
                let object = reference.object;
                let name = format!("{} :: {}", edge(&reference.name), clips::name(dump, object));
                let distance = dump.analysis.shown_distance(&dump.heap, object);
                let distance = distance.map_or(Value::Null, |distance| Value::Count(distance.into()));
                let sizes = [Value::Bytes(reference.shallow), Value::Bytes(reference.retained)];
                copy::Row { depth: *depth, cells: [Value::text(name), distance].into_iter().chain(sizes).collect() }
            });
            let copied = copied.collect();
            let json = clips::objects_json(dump, &objects);
            let request = TableQuery::all(ObjectsQuery::Listed(objects));
            Ok(clips::rows(dump, NAME, &request, COLUMNS.map(|column| column.title), copied, json))
        });
    }

    fn query(&self, _context: &ViewContext<'_>, _table: &TableController) -> Option<TableQuery> {
        Some(TableQuery::all(ReferencesQuery { of: self.root, direction: Direction::Outgoing }))
    }
}

impl TreeSource for Edges {
    type Node = Level;

    fn tree(&self) -> Option<&Tree<Level>> {
        Some(&self.levels.tree)
    }

    fn toggle_node(&mut self, context: &ViewContext<'_>, _filter: &TypedFilter, row: u64) {
        self.levels.toggle(context.dump, context.jobs, row);
    }
}
