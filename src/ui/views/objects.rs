//! Objects of one class as a table, largest retained size first.

use std::ops::RangeInclusive;
use std::sync::Arc;

use eframe::egui;
use egui::{Id, Rect, Ui, vec2};

use super::copying;
use super::{object_columns, regions};
use crate::ui::command::Command;
use crate::ui::controllers::table::AT_MOST;
use crate::ui::location::ViewState;
use crate::ui::theme::icons::Icon;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::view_context::ViewContext;
use crate::ui::widgets::filter::filter_ui;
use crate::ui::widgets::object_link::split_class;
use crate::ui::widgets::table::{Table, TableState};
use crate::ui::widgets::toolbar::{hint, tools};
use crate::ui::widgets::waiting;
use heaplens_analysis::dominator_tree::folding::BaselineSize;
use heaplens_analysis::dominator_tree::{LevelOrder, in_order, position};
use heaplens_analysis::filter::in_heap;
use heaplens_analysis::histogram::objects_of;
use heaplens_base::task::Unit;
use heaplens_base::units::Count;
use heaplens_core::heap::ids::{ClassId, ObjectId};
use heaplens_session::jobs::DeferredDrop;
use heaplens_session::open_dump::OpenDump;
use heaplens_session::open_dump::selection::{Listing, RowTotals};
use heaplens_session::slot::Slot;
use heaplens_tables::RowQuery;
use heaplens_tables::table_query::{TableKind, TableQuery};
use heaplens_tables::typed_filter::TypedFilter;

/// Query: class, order, direction, filter text, and true in a comparison.
type ObjectsQuery = (ClassId, LevelOrder, bool, String, bool);

/// The view.
#[derive(Default)]
pub struct Objects {
    /// Shared with the job that lists the selected objects.
    slot: Slot<Arc<DeferredDrop<Vec<ObjectId>>>>,
    asked: Option<ObjectsQuery>,
    order: LevelOrder,
    reversed: bool,
    filter: TypedFilter,
    /// Class whose objects the filter applies to; another class starts without a filter.
    filtered: Option<ClassId>,
    /// True if the state was restored, with its filter.
    stands: bool,
    table: TableState,
    chosen: Option<ObjectId>,
    /// Class of the rows on screen.
    listed: Option<ClassId>,
}

impl Objects {
    /// State of the table, for its column widths.
    pub fn table(&mut self) -> &mut TableState {
        &mut self.table
    }

    /// Filters by one of the Android heaps, or removes that filter.
    pub fn choose_heap(&mut self, name: Option<&str>) {
        self.filter.choose_heap(name);
    }

    /// Draws the view.
    pub fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let stands = std::mem::take(&mut self.stands);
        let Some(class) = context.place.class else {
            let area = ui.available_rect_before_wrap();
            waiting::empty_ui(
                ui,
                area,
                Icon::Search,
                "No class is selected",
                "Objects lists all instances of a class. Select a class in the histogram and press Enter, or an object and press L",
            );
            return;
        };
        if self.filtered.replace(class) != Some(class) && !stands {
            self.filter.set(&in_heap(self.filter.heap(), ""));
        }
        self.ask(context, class);
        if self.slot.poll() {
            self.listed = Some(class);
            self.chosen = None;
            if context.place.object.is_none() {
                self.table = self.table.anew();
            }
        }
        self.follow(context);
        self.tools_ui(ui, context, class);
        self.table_ui(ui, context, class);
    }

    fn ask(&mut self, context: &ViewContext<'_>, class: ClassId) {
        let question =
            (class, self.order, self.reversed, self.filter.text().to_owned(), context.dump.baseline.is_some());
        if self.asked.as_ref() == Some(&question) {
            return;
        }
        self.asked = Some(question);
        let (dump, filter) = (context.dump.clone(), self.filter.clone());
        let (order, reversed) = (self.order, self.reversed);
        let jobs = context.jobs.clone();
        self.slot.ask(context.jobs, "objects of a class", move |task| {
            let (heap, analysis) = (&dump.heap, &dump.analysis);
            let mut rows = objects_of(heap, analysis, class, task)?;
            if !filter.is_empty() {
                rows = filter.pattern().passing(heap, &*dump.contents, &rows, task)?;
            }
            task.step("Sorting", Unit::Objects, rows.len() as u64);
            let then = dump.retained_then();
            let then = then.as_ref().map(|then| then as &BaselineSize<'_>);
            Ok(Arc::new(jobs.defer_drop(in_order(heap, analysis, rows, (order, reversed), then, task)?)))
        });
    }

    /// Moves the cursor to the selected object, or to the first.
    fn follow(&mut self, context: &mut ViewContext<'_>) {
        let Some(rows) = self.slot.get().filter(|_| self.listed == context.place.class).map(|rows| rows.as_slice())
        else {
            return;
        };
        if self.chosen.is_some() && context.place.object == self.chosen {
            return;
        }
        let dump = context.dump;
        let at = context.place.object.and_then(|object| {
            let (order, reversed) = (self.order, self.reversed);
            position(&dump.heap, &dump.analysis, rows, order, reversed, object)
        });
        match at {
            Some(row) => {
                self.chosen = context.place.object;
                self.table.select_and_show(row as u64);
            }
            None => {
                if let Some(&first) = rows.first().filter(|_| !self.slot.is_running()) {
                    self.chosen = Some(first);
                    self.table.select_and_show(0);
                    context.push(Command::InitialSelection(first));
                }
            }
        }
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, class: ClassId) {
        let dump = context.dump;
        tools(ui, |ui| {
            let t = tokens(ui);
            regions::choice_ui(ui, dump, "objects", &mut self.filter);
            let width = (ui.available_width() * 0.4).clamp(140.0, 280.0).min(ui.available_width());
            let id = Id::unique("filter of objects");
            let text = &dump.heap.classes.get(class).name;
            filter_ui(&mut self.filter, ui, id, "Filter by label or id", width, context.focus_filter);
            let (package, name) = split_class(text);
            ui.spacing_mut().item_spacing.x = 0.0;
            let area = ui.available_width() - 130.0;
            if area > 90.0 {
                ui.add_space(6.0);
                let mut job = egui::text::LayoutJob::default();
                let format = egui::TextFormat::simple;
                job.append(package, 0.0, format(fonts::text(), t.muted));
                job.append(name, 0.0, format(fonts::medium(), t.text));
                job.wrap = egui::text::TextWrapping::truncate_at_width(area);
                ui.label(job).on_hover_text(&**text);
                ui.add_space(8.0);
            }
            let count =
                self.slot.get().filter(|_| self.listed == Some(class)).map(|r| Count(r.as_slice().len() as u64));
            hint(ui, &count.map(|c| c.of("object", "objects")).unwrap_or_default());
        });
    }

    fn table_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, class: ClassId) {
        let (area, dump) = (ui.available_rect_before_wrap(), context.dump);
        let below = Rect::from_min_max(area.min + vec2(0.0, sizes::HEADER), area.max);
        let listed = self.slot.get().filter(|_| self.listed == Some(class));
        let rows: &[ObjectId] = listed.map_or(&[], |rows| rows.as_slice());
        let columns = object_columns::columns(context);
        let table = Table::new("Objects", &columns, rows.len() as u64)
            .sorted(object_columns::marked(self.order, self.reversed));
        let output = table.show(ui, &mut self.table, |row| {
            if let (Some(&object), Some(cell)) = (rows.get(row.index as usize), row.cell(0)) {
                object_columns::draw(row, context, object, cell);
            }
        });
        if let Some(error) = self.slot.error() {
            waiting::empty_ui(ui, below, Icon::Warning, "Cannot list the objects", error);
        } else if rows.is_empty() && self.slot.is_running() {
            let objects = Count(context.dump.analysis.class_totals(class).objects);
            waiting::empty_ui(ui, below, Icon::Search, &format!("Sorting {objects} objects…"), "");
        } else if rows.is_empty() {
            waiting::empty_ui(
                ui,
                below,
                Icon::Search,
                "No object matches the filter",
                "The filter matches labels and ids",
            );
        }
        if self.slot.is_running() {
            let line = Rect::from_min_size(area.min, vec2(area.width(), 2.0));
            waiting::progress_ui(ui, line, self.slot.progress().as_ref());
        }
        let at = |row: u64| rows.get(row as usize).copied();
        let selected = self.table.selection();
        if let Some((range, listed)) = selected.zip(listed) {
            context.select_rows(range.clone(), rows.as_ptr() as usize, || listing(dump, class, listed, &range));
        }
        if let Some(object) = output.clicked.and_then(at) {
            self.chosen = Some(object);
            context.push(Command::Select(object));
        } else if let Some(object) = output.moved.and_then(at) {
            self.chosen = Some(object);
            context.push(Command::MoveCursor(object));
        }
        if let Some(object) = output.activated.and_then(at) {
            context.push(Command::Reveal(object));
        }
        if context.copy_rows
            && let Some(range) = self.table.selection()
        {
            let last = (*range.end()).min(range.start() + AT_MOST - 1);
            let objects: Vec<(usize, ObjectId)> =
                (*range.start()..=last).filter_map(at).map(|object| (0, object)).collect();
            let (mut request, title) = (self.request(class), Self::title(context, class));
            if self.order == LevelOrder::Growth {
                // Commands cannot sort by baseline figures.
                let named = objects.iter().map(|&(_, object)| object).collect();
                request = TableQuery { subject: TableKind::Named(named), how: RowQuery::default() };
            } else {
                (request.how.skip, request.how.top) = (*range.start() as usize, Some(objects.len()));
            }
            copying::objects(context, &title, objects, request);
        }
        if context.export {
            let title = Self::title(context, class);
            context.push(Command::Export(Box::new(self.request(class)), title));
        }
        if let Some(column) = output.sort {
            let order = object_columns::order_of(column);
            // All rows are of one class: by name means by address.
            let order = if order == LevelOrder::Class { LevelOrder::Address } else { order };
            self.reversed = order == self.order && !self.reversed;
            self.order = order;
        }
    }

    /// State of the table, for later restoring.
    pub fn view_state(&self) -> ViewState {
        let sort = object_columns::marked(self.order, self.reversed);
        ViewState {
            filter: self.filter.text().to_owned(),
            sort,
            top: self.table.top(),
            selected: self.table.selected_rows(),
            ..ViewState::default()
        }
    }

    /// Restores the state.
    pub fn restore(&mut self, view_state: &ViewState) {
        self.filter.set(&view_state.filter);
        self.stands = true;
        (self.order, self.reversed) = object_columns::unmarked(view_state.sort);
        self.table.restore(view_state.top, view_state.selected);
    }

    fn title(context: &ViewContext<'_>, class: ClassId) -> String {
        format!("Objects of {}", context.dump.heap.classes.get(class).name)
    }

    /// Query for the rows on screen.
    fn request(&self, class: ClassId) -> TableQuery {
        let how = RowQuery {
            filter: self.filter.understood().to_owned(),
            sort: Some(self.order.key().to_owned()),
            reverse: self.reversed,
            ..RowQuery::default()
        };
        TableQuery { subject: TableKind::ObjectsOf(class), how }
    }

    /// True while a job of the view is running.
    pub fn is_running(&self) -> bool {
        self.slot.is_at_work()
    }
}

/// Objects of some rows of a class. If all rows are selected, the totals are known.
fn listing(
    dump: &OpenDump,
    class: ClassId,
    rows: &Arc<DeferredDrop<Vec<ObjectId>>>,
    range: &RangeInclusive<u64>,
) -> Listing {
    let analysis = &dump.analysis;
    let totals = analysis.class_totals(class);
    let count = range.end() - range.start() + 1;
    let together = if count == totals.objects {
        RowTotals::Summed(count, totals.shallow, analysis.class_retained(class))
    } else {
        RowTotals::Counted(count)
    };
    let (rows, range) = (Arc::clone(rows), *range.start() as usize..*range.end() as usize + 1);
    Listing { together, list: Box::new(move |_| Ok(rows.as_slice().get(range).unwrap_or_default().to_vec())) }
}
