//! Inferred roots and the ownership trees below them, as in HeapRoots: for dumps without GC roots, and as a complement
//! to the dominator tree. Total sizes depend on traversal order, as the view says; retained sizes beside them do not.

mod draw;
mod header;

use std::sync::Arc;

use eframe::egui;
use egui::{Rect, Ui, vec2};

use super::copying;
use crate::ui::command::RowCommand;
use crate::ui::controllers::table::AT_MOST;
use crate::ui::theme::icons::Icon;
use crate::ui::theme::sizes;
use crate::ui::view_context::ViewContext;
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::filter::filter_ui;
use crate::ui::widgets::table::{Column, Table, TableOutput, TableState};
use crate::ui::widgets::toolbar::{hint, tools};
use crate::ui::widgets::tree_row::{self, Step};
use crate::ui::widgets::waiting;
use heaplens_analysis::ownership::listing::Mark;
use heaplens_analysis::ownership::{Ownership as Found, OwnershipOrder};
use heaplens_base::units::{Bytes, Count};
use heaplens_core::heap::file_references::SoftLinks;
use heaplens_core::heap::ids::ObjectId;
use heaplens_session::jobs::{DeferredDrop, JobError};
use heaplens_session::slot::Slot;
use heaplens_tables::export::copy::{self, ClipBody};
use heaplens_tables::export::table::Cell;
use heaplens_tables::ownership::OwnershipQuery;
use heaplens_tables::table_query::{TableKind, TableQuery};
use heaplens_tables::trees::ownership::{LevelSource, Levels};
use heaplens_tables::trees::row_anchor::RowAnchor;
use heaplens_tables::typed_filter::TypedFilter;
use heaplens_tables::{Objects, RowQuery};

const COLUMNS: [Column; 6] = [
    Column::words("Object", "Inferred root; below it the objects it owns, then those it only refers to", 250.0)
        .unsorted(),
    Column::numbers(
        "Total size",
        "Bytes of the object and of all objects it owns; depends on traversal order",
        152.0,
        8,
    ),
    Column::numbers("Descendants", "Number of objects it owns, directly and indirectly", 104.0, 6),
    Column::numbers("Depth", "Number of references on the longest branch below the object", 72.0, 5),
    Column::numbers(
        "Retained size",
        "Bytes freed if the object were collected, by the dominator tree; independent of traversal order",
        112.0,
        7,
    )
    .unsorted(),
    Column::numbers("Shallow size", "", 98.0, 4).unsorted(),
];
/// The column of each order.
const ORDERS: [(usize, OwnershipOrder); 3] =
    [(1, OwnershipOrder::Total), (2, OwnershipOrder::Descendants), (3, OwnershipOrder::Depth)];

/// The view.
#[derive(Default)]
pub struct Ownership {
    soft: SoftLinks,
    by: OwnershipOrder,
    filter: TypedFilter,
    /// Handling of soft links in the search. Ownership depends on it alone: an order or a filter needs no new search.
    searched: Option<SoftLinks>,
    found: Slot<Arc<DeferredDrop<Found>>>,
    /// Query of the roots shown or being computed.
    asked: Option<(SoftLinks, OwnershipOrder, String)>,
    roots: Slot<Arc<DeferredDrop<Vec<ObjectId>>>>,
    levels: Option<Levels>,
    table: TableState,
}

impl ViewPage for Ownership {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.ask(context);
        header::ui(ui, context, self.found().and_then(|found| found.get()));
        self.tools_ui(ui, context);
        self.side_keys(ui, context);
        self.table_ui(ui, context);
    }

    /// True while a job is running.
    fn is_running(&self) -> bool {
        self.searched.is_none()
            || self.found.is_at_work()
            || self.roots.is_at_work()
            || self.levels.as_ref().is_some_and(Levels::is_running)
    }
}

impl Ownership {
    fn ask(&mut self, context: &ViewContext<'_>) {
        let (soft, by) = (self.soft, self.by);
        if self.searched.replace(soft) != Some(soft) {
            let (dump, jobs) = (context.dump.clone(), context.jobs.clone());
            self.found.ask(context.jobs, "inferred roots", move |task| {
                Ok(Arc::new(jobs.defer_drop(Found::find(&dump.heap, soft, task)?)))
            });
        }
        self.found.poll();
        let now = (soft, by, self.filter.text().to_owned());
        if self.asked.as_ref() != Some(&now)
            && let Some(found) = self.found().cloned()
        {
            self.asked = Some(now);
            let (dump, jobs, filter) = (context.dump.clone(), context.jobs.clone(), self.filter.clone());
            self.roots.ask(context.jobs, "root order", move |task| {
                let mut roots = found.get().map(|found| found.roots(by)).unwrap_or_default();
                task.checkpoint()?;
                if !filter.is_empty() {
                    let classes = dump.heap.classes.all().iter();
                    let of_class: Vec<bool> = classes.map(|class| filter.passes(&class.name)).collect();
                    roots.retain(|&root| of_class.get(dump.heap.class_id(root).index()) == Some(&true));
                }
                Ok(Arc::new(jobs.defer_drop(roots)))
            });
        }
        if self.roots.poll()
            && let Some(roots) = self.roots.take()
        {
            self.levels = Some(Levels::new(roots));
            self.table = self.table.anew();
        }
        let question = self.question();
        if let (Some(levels), Some(question)) = (&mut self.levels, &question) {
            let kept = RowAnchor::of(&levels.tree, self.table.cursor(), None);
            if levels.poll() {
                kept.into_iter().for_each(|kept| self.table.select(Some(kept.row(&levels.tree))));
            }
            if let Some(row) = levels.reveal_more((context.dump, context.jobs), question) {
                self.table.select_and_show(row);
            }
        }
    }

    /// Ownership for the current handling of soft links; `None` while it is computed.
    fn found(&self) -> Option<&Arc<DeferredDrop<Found>>> {
        self.found.get().filter(|found| found.get().is_some_and(|found| found.soft == self.soft))
    }

    fn question(&self) -> Option<LevelSource> {
        Some(LevelSource { found: Arc::clone(self.found()?), by: self.by })
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &ViewContext<'_>) {
        tools(ui, |ui| {
            let name = |soft| if soft == SoftLinks::Follow { "Soft links followed" } else { "Soft links ignored" };
            let now = name(self.soft);
            let shown = egui::ComboBox::from_id_salt("soft links").selected_text(now).width(150.0);
            let shown = shown.show_ui(ui, |ui| {
                for soft in [SoftLinks::Follow, SoftLinks::Ignore] {
                    ui.selectable_value(&mut self.soft, soft, name(soft));
                }
            });
            shown.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, now));
            ui.add_space(6.0);
            let width = (ui.available_width() * 0.5).clamp(120.0, 280.0);
            let id = egui::Id::unique("filter of inferred roots");
            filter_ui(&mut self.filter, ui, id, "Filter by class", width, context.focus_filter);
            let tops = self.levels.as_ref().map(|levels| levels.tree.children(heaplens_tables::trees::tree::ROOT));
            hint(ui, &tops.map(|tops| Count(tops).of("root", "roots")).unwrap_or_default());
        });
    }

    fn table_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let area = ui.available_rect_before_wrap();
        let below = Rect::from_min_max(area.min + vec2(0.0, sizes::HEADER), area.max);
        let sorted = ORDERS.iter().find(|(_, by)| *by == self.by).map(|&(column, _)| (column, true));
        let table = Table::new("Inferred roots", &COLUMNS, self.levels.as_ref().map_or(0, |levels| levels.tree.rows()))
            .sorted(sorted);
        let (levels, found) = (&self.levels, self.found().cloned());
        let output = table.show(ui, &mut self.table, |row| {
            if let (Some(levels), Some(found)) = (levels, found.as_ref().and_then(|found| found.get())) {
                draw::row(row, context, (levels, found));
            }
        });
        let progress = self.found.progress().or_else(|| self.roots.progress());
        if let Some(error) = self.found.error().or(self.roots.error()) {
            waiting::empty_ui(ui, below, Icon::Warning, "Cannot infer roots", error);
        } else if progress.is_some() {
            if self.levels.is_none() {
                let hint = "Inferred roots are objects without incoming references; below each, the objects it owns";
                waiting::empty_ui(ui, below, Icon::Search, "Inferring roots…", hint);
            }
            let line = Rect::from_min_size(area.min, vec2(area.width(), 2.0));
            waiting::progress_ui(ui, line, progress.as_ref());
        } else if self.levels.as_ref().is_some_and(|levels| levels.tree.rows() == 0) {
            waiting::empty_ui(
                ui,
                below,
                Icon::Search,
                "No root matches the filter",
                "Clear the filter to see all roots",
            );
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
        if let Some(row) = output.toggled {
            self.toggle(context, row);
        } else if let Some(row) = output.activated {
            self.follow(context, row);
        }
        if let Some((_, by)) = output.sort.and_then(|column| ORDERS.iter().find(|(of, _)| *of == column)) {
            self.by = *by;
        }
        if context.copy_rows {
            self.copy(context);
        }
        if context.export {
            let sort = Some(self.by.key().to_owned());
            let how = RowQuery { sort, filter: self.filter.text().to_owned(), ..RowQuery::default() };
            let subject = TableKind::Ownership(OwnershipQuery { soft: self.soft, every_object: false });
            context.push_row(RowCommand::Export(Box::new(TableQuery { subject, how }), "Inferred roots".to_owned()));
        }
    }

    fn object_at(&self, row: u64) -> Option<ObjectId> {
        Some(self.levels.as_ref()?.at(row)?.object)
    }

    /// Expands or collapses a row; the cursor stays on its row.
    fn toggle(&mut self, context: &ViewContext<'_>, row: u64) {
        let question = self.question();
        let Some((levels, question)) = self.levels.as_mut().zip(question) else { return };
        let kept = RowAnchor::of(&levels.tree, self.table.cursor(), Some(row));
        levels.toggle((context.dump, context.jobs), &question, row);
        kept.into_iter().for_each(|kept| self.table.select(Some(kept.row(&levels.tree))));
    }

    /// Expands an owned object; for one owned elsewhere, goes there.
    fn follow(&mut self, context: &ViewContext<'_>, row: u64) {
        let line = self.levels.as_ref().and_then(|levels| levels.at(row));
        let found = self.found().cloned();
        match (line, found.as_ref().and_then(|found| found.get()), &mut self.levels) {
            (Some(line), Some(found), Some(levels)) if line.mark != Mark::Owned => {
                levels.reveal(line.object, found);
            }
            _ => self.toggle(context, row),
        }
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

    /// Copies the selected rows with their indentation and the marks of HeapRoots.
    fn copy(&self, context: &mut ViewContext<'_>) {
        let (Some(range), Some(levels), Some(found)) = (self.table.selection(), &self.levels, self.found().cloned())
        else {
            return;
        };
        let last = (*range.end()).min(range.start() + AT_MOST - 1);
        let row = |row| Some((levels.tree.locate(row)?.depth, levels.at(row)?));
        let rows: Vec<_> = (*range.start()..=last).filter_map(row).collect();
        let asked = OwnershipQuery { soft: self.soft, every_object: false };
        let first = levels.tree.locate(*range.start()).map_or(0, |spot| spot.index as usize);
        let (sort, filter) = (Some(self.by.key().to_owned()), self.filter.text().to_owned());
        context.copy(move |dump, _| {
            let Some(found) = found.get() else { return Err(JobError::Cancelled) };
            let objects: Vec<ObjectId> = rows.iter().map(|(_, line)| line.object).collect();
            let copied = rows.iter().map(|&(depth, line)| {
                let owned = found.of(line.object);
                let name = format!("{} {}", draw::mark(dump, line.mark, line.total), copying::name(dump, line.object));
                let cells = [
                    Cell::Text(name.trim_start().to_owned()),
                    Cell::Size(Bytes(owned.total)),
                    Cell::Count(owned.descendants.into()),
                    Cell::Count(owned.max_depth.into()),
                    Cell::Size(dump.analysis.retained(line.object)),
                    Cell::Size(dump.heap.shallow(line.object)),
                ];
                copy::Row { depth, cells: cells.into() }
            });
            let copied: Vec<copy::Row> = copied.collect();
            let headings = COLUMNS.iter().map(|column| column.title.to_owned()).collect();
            let are_roots = rows.iter().all(|(depth, _)| *depth == 0);
            let json = copying::json(&Objects::default(), dump, objects.iter().map(|object| object.index()));
            let (subject, how) = if are_roots {
                let how = RowQuery { sort, filter, skip: first, top: Some(objects.len()), ..RowQuery::default() };
                (TableKind::Ownership(asked), how)
            } else {
                (TableKind::Named(objects), RowQuery::default())
            };
            let command = TableQuery { subject, how }.command(&dump.heap, &dump.opened);
            let body = ClipBody::Rows(copy::Rows { headings, rows: copied, json });
            Ok(copying::clip(dump, "Inferred roots", command, body))
        });
    }
}
