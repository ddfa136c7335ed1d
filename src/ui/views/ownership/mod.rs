//! Inferred roots and the ownership trees below them, as in HeapRoots: for dumps without GC roots, and as a complement
//! to the dominator tree. Total sizes depend on traversal order, as the view says; retained sizes beside them do not.

mod draw;
mod header;

use std::ops::RangeInclusive;
use std::sync::Arc;

use eframe::egui::{self, Ui};

use crate::ui::ViewContext;
use crate::ui::controllers::{Activation, Placeholder, TableController, TableSource, TreeController, TreeSource};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::{Column, Row, TableState, controls, toolbar};
use heaplens_analysis::Ownership as InferredOwnership;
use heaplens_analysis::ownership::OwnershipOrder;
use heaplens_analysis::ownership::listing::Mark;
use heaplens_base::{Bytes, Count};
use heaplens_heap::{ObjectId, SoftLinks};
use heaplens_session::{DeferredDrop, JobError, Slot};
use heaplens_tables::columns::Value;
use heaplens_tables::dump::objects::ObjectsQuery;
use heaplens_tables::dump::ownership::{OwnershipQuery, RootConditions};
use heaplens_tables::export::copy;
use heaplens_tables::trees::ownership::{Level, LevelSource, Levels};
use heaplens_tables::trees::tree::{ROOT, Tree};
use heaplens_tables::{RowQuery, RowTarget, TableContext, TableQuery, TypedFilter, clips};

const NAME: &str = "Inferred roots";
const COLUMNS: [Column; 6] = [
    Column::words("Object", "Inferred root; below it the objects it owns, then those it only refers to", 250.0)
        .unsorted(),
    Column::numbers("Total size", "", 152.0, 8)
        .about("Bytes of the object and of all objects it owns; depends on traversal order"),
    Column::numbers("Descendants", "Number of objects it owns, directly and indirectly", 104.0, 6),
    Column::numbers("Depth", "Number of references on the longest branch below the object", 72.0, 5),
    Column::numbers("Retained size", "", 112.0, 7)
        .about("Bytes freed if the object were collected, by the dominator tree; independent of traversal order")
        .unsorted(),
    Column::numbers("Shallow size", "", 98.0, 4).unsorted(),
];
/// The column of each order.
const ORDERS: [(usize, OwnershipOrder); 3] =
    [(1, OwnershipOrder::Total), (2, OwnershipOrder::Descendants), (3, OwnershipOrder::Depth)];

/// The view.
#[derive(Default)]
pub struct Ownership {
    roots: InferredRoots,
    /// Handling of soft links in the search. Ownership depends on it alone: an order or a filter needs no new search.
    searched: Option<SoftLinks>,
    /// Query of the roots shown or being computed.
    requested: Option<(SoftLinks, OwnershipOrder, String)>,
    tree: TreeController,
}

/// Ownership, and its roots in order.
#[derive(Default)]
struct InferredRoots {
    soft: SoftLinks,
    by: OwnershipOrder,
    ownership: Slot<Arc<DeferredDrop<InferredOwnership>>>,
    roots: Slot<Arc<DeferredDrop<Vec<ObjectId>>>>,
    levels: Option<Levels>,
}

impl ViewPage for Ownership {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.ask(context);
        self.take_in(context);
        header::ui(ui, context, self.roots.ownership().and_then(|ownership| ownership.get()));
        self.tools_ui(ui, context);
        self.tree.side_keys(ui, context, &mut self.roots);
        self.tree.sort = ORDERS.iter().find(|(_, by)| *by == self.roots.by).map(|&(column, _)| (column, true));
        let output = self.tree.ui(ui, context, &mut self.roots);
        if let Some(row) = output.activated.filter(|&row| self.roots.is_elsewhere(row)) {
            self.roots.reveal(row);
        }
    }

    fn is_running(&self) -> bool {
        self.searched.is_none()
            || self.roots.ownership.is_at_work()
            || self.roots.roots.is_at_work()
            || self.roots.levels.as_ref().is_some_and(Levels::is_running)
    }
}

impl Ownership {
    fn ask(&mut self, context: &ViewContext<'_>) {
        let (soft, by) = (self.roots.soft, self.roots.by);
        if self.searched.replace(soft) != Some(soft) {
            let (dump, jobs) = (context.dump.clone(), context.jobs.clone());
            self.roots.ownership.ask(context.jobs, "inferred roots", move |task| {
                Ok(Arc::new(jobs.defer_drop(InferredOwnership::find(&dump.heap, soft, task)?)))
            });
        }
        self.roots.ownership.poll();
        let now = (soft, by, self.tree.filter.text().to_owned());
        if self.requested.as_ref() != Some(&now)
            && let Some(ownership) = self.roots.ownership().cloned()
        {
            self.requested = Some(now);
            let conditions = RootConditions::of_typed(TableContext::of(context.dump), &mut self.tree.filter);
            let (dump, jobs, filter) = (context.dump.clone(), context.jobs.clone(), self.tree.filter.clone());
            self.roots.roots.ask(context.jobs, "root order", move |task| {
                let mut roots = ownership.get().map(|ownership| ownership.roots(by)).unwrap_or_default();
                task.checkpoint()?;
                if let Some(ownership) = ownership.get() {
                    conditions.keep(TableContext::of(&dump), ownership, &mut roots);
                }
                if !filter.pattern().is_empty() {
                    let classes = dump.heap.classes.all().iter();
                    let of_class: Vec<bool> = classes.map(|class| filter.passes(&class.name)).collect();
                    roots.retain(|&root| of_class.get(dump.heap.class_id(root).index()) == Some(&true));
                }
                Ok(Arc::new(jobs.defer_drop(roots)))
            });
        }
    }

    /// Takes over finished levels; the cursor stays on its row, or goes to the object to reveal.
    fn take_in(&mut self, context: &ViewContext<'_>) {
        if let Some(roots) = self.roots.roots.take_new() {
            self.roots.levels = Some(Levels::new(roots));
            self.tree.state = TableState::default();
        }
        let Some(source) = self.roots.source() else { return };
        self.tree.change(&mut self.roots, |roots| roots.levels.as_mut().is_some_and(Levels::poll));
        let levels = self.roots.levels.as_mut();
        if let Some(row) = levels.and_then(|levels| levels.reveal_more((context.dump, context.jobs), &source)) {
            self.tree.state.select_and_show(row);
        }
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &ViewContext<'_>) {
        toolbar::tools(ui, |ui| {
            let name = |soft| if soft == SoftLinks::Follow { "Soft links followed" } else { "Soft links ignored" };
            let combo = egui::ComboBox::from_id_salt("soft links").width(150.0);
            let all = [SoftLinks::Follow, SoftLinks::Ignore];
            controls::choice_ui(ui, combo, |soft| name(soft).to_owned(), &mut self.roots.soft, all, name);
            ui.add_space(6.0);
            let width = (ui.available_width() * 0.5).clamp(120.0, 280.0);
            let id = "filter of inferred roots";
            self.tree.filter_ui(ui, id, "Filter by class", width, context.focuses_filter());
            let tops = self.roots.levels.as_ref().map(|levels| levels.tree.children(ROOT));
            toolbar::hint(ui, &tops.map(|tops| Count(tops).of("root", "roots")).unwrap_or_default());
        });
    }
}

impl InferredRoots {
    /// Ownership for the current handling of soft links; `None` while it is computed.
    fn ownership(&self) -> Option<&Arc<DeferredDrop<InferredOwnership>>> {
        self.ownership.get().filter(|ownership| ownership.get().is_some_and(|ownership| ownership.soft == self.soft))
    }

    fn source(&self) -> Option<LevelSource> {
        Some(LevelSource { ownership: Arc::clone(self.ownership()?), by: self.by })
    }

    /// True if the object of a row is owned by another one than that above it.
    fn is_elsewhere(&self, row: u64) -> bool {
        let line = self.levels.as_ref().and_then(|levels| levels.at(row));
        line.is_some_and(|line| line.mark != Mark::Owned)
            && self.ownership().is_some_and(|ownership| ownership.get().is_some())
    }

    /// Goes to the object of a row below its owner.
    fn reveal(&mut self, row: u64) {
        let ownership = self.ownership().cloned();
        if let (Some(ownership), Some(levels)) =
            (ownership.as_ref().and_then(|ownership| ownership.get()), &mut self.levels)
            && let Some(line) = levels.at(row)
        {
            levels.reveal(line.object, ownership);
        }
    }
}

impl TableSource for InferredRoots {
    const NAME: &'static str = NAME;
    const COLUMNS: &'static [Column] = &COLUMNS;

    fn count(&self) -> u64 {
        self.levels.as_ref().map_or(0, |levels| levels.tree.rows())
    }

    fn target(&self, _context: &ViewContext<'_>, row: u64) -> Option<RowTarget> {
        Some(RowTarget::Object(self.levels.as_ref()?.at(row)?.object))
    }

    fn activation(&self, _context: &ViewContext<'_>, row: u64) -> Activation {
        if self.is_elsewhere(row) { Activation::None } else { Activation::Toggle }
    }

    fn draw(&mut self, row: &mut Row<'_>, context: &mut ViewContext<'_>) {
        if let (Some(levels), Some(ownership)) = (&self.levels, self.ownership().and_then(|ownership| ownership.get()))
        {
            draw::row(row, context, (levels, ownership));
        }
    }

    fn placeholder(&self, _context: &ViewContext<'_>, _table: &TableController) -> Placeholder<'_> {
        let progress = self.ownership.progress().or_else(|| self.roots.progress());
        if let Some(error) = self.ownership.error().or(self.roots.error()) {
            return Placeholder::failed("Cannot infer roots", error);
        }
        let page = match &self.levels {
            None if progress.is_some() => {
                let hint = "Inferred roots are objects without incoming references; below each, the objects it owns";
                Placeholder::waiting("Inferring roots…", hint)
            }
            Some(levels) if progress.is_none() && levels.tree.rows() == 0 => Placeholder::unmatched("root", "roots"),
            _ => Placeholder::default(),
        };
        page.with_progress(progress.is_some(), progress)
    }

    fn sort(&mut self, _context: &ViewContext<'_>, _table: &mut TableController, column: usize) {
        self.by = ORDERS.iter().find(|(of, _)| *of == column).map_or(self.by, |&(_, by)| by);
    }

    /// Copies rows with their indentation and the marks of HeapRoots.
    fn copy(&self, context: &mut ViewContext<'_>, table: &TableController, rows: RangeInclusive<u64>) {
        let (Some(levels), Some(ownership)) = (&self.levels, self.ownership().cloned()) else { return };
        let first = *rows.start();
        let row = |row| Some((levels.tree.locate(row)?.depth, levels.at(row)?));
        let rows: Vec<_> = rows.filter_map(row).collect();
        let of_roots = OwnershipQuery { soft: self.soft, every_object: false };
        let first = levels.tree.locate(first).map_or(0, |spot| spot.index as usize);
        let (sort, filter) = (Some(self.by.key().to_owned()), table.filter.text().to_owned());
        context.copy(move |dump, _| {
            let Some(ownership) = ownership.get() else { return Err(JobError::Cancelled) };
            let objects: Vec<ObjectId> = rows.iter().map(|(_, line)| line.object).collect();
            let copied = rows.iter().map(|&(depth, line)| {
                let owned = ownership.of(line.object);
                let name = format!("{} {}", draw::mark(dump, line.mark, line.total), clips::name(dump, line.object));
                let cells = [
                    Value::text(name.trim_start().to_owned()),
                    Value::Bytes(Bytes(owned.total)),
                    Value::Count(owned.descendants.into()),
                    Value::Count(owned.max_depth.into()),
                    Value::Bytes(dump.analysis.retained(line.object)),
                    Value::Bytes(dump.heap.shallow(line.object)),
                ];
                copy::Row { depth, cells: cells.into() }
            });
            let copied: Vec<copy::Row> = copied.collect();
            let are_roots = rows.iter().all(|(depth, _)| *depth == 0);
            let json = clips::objects_json(dump, &objects);
            let query = if are_roots {
                let row_query = RowQuery { sort, filter, skip: first, top: Some(objects.len()), ..RowQuery::default() };
                TableQuery::new(of_roots, row_query)
            } else {
                TableQuery::all(ObjectsQuery::Listed(objects))
            };
            Ok(clips::rows(dump, NAME, &query, COLUMNS.map(|column| column.title), copied, json))
        });
    }

    fn query(&self, _context: &ViewContext<'_>, table: &TableController) -> Option<TableQuery> {
        let sort = Some(self.by.key().to_owned());
        let rows = RowQuery { sort, filter: table.filter.text().to_owned(), ..RowQuery::default() };
        Some(TableQuery::new(OwnershipQuery { soft: self.soft, every_object: false }, rows))
    }
}

impl TreeSource for InferredRoots {
    type Node = Level;

    fn tree(&self) -> Option<&Tree<Level>> {
        Some(&self.levels.as_ref()?.tree)
    }

    fn toggle_node(&mut self, context: &ViewContext<'_>, _filter: &TypedFilter, row: u64) {
        if let Some((source, levels)) = self.source().zip(self.levels.as_mut()) {
            levels.toggle((context.dump, context.jobs), &source, row);
        }
    }
}
