//! Objects of one class, or of all classes, as a table, largest retained size first. In a comparison it can list only
//! those that the baseline does not have.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::sync::Arc;

use eframe::egui::{self, Ui};

use super::{copying, object_columns, regions};
use crate::ui::controllers::{Placeholder, TableController, TableSource};
use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::{Column, Row, TableState, controls, toolbar};
use crate::ui::{Command, Verb, ViewContext, ViewState};
use heaplens_analysis::diff::MatchStatus;
use heaplens_analysis::dominator_tree::{BaselineSize, LevelOrder, in_order, position};
use heaplens_analysis::filter::{in_heap, passing_objects};
use heaplens_analysis::histogram::{all_objects, objects_of};
use heaplens_base::{CHECKPOINT_EVERY, Count, Unit};
use heaplens_heap::{ClassId, ObjectId, split_class};
use heaplens_session::open_dump::selection::{Listing, RowTotals};
use heaplens_session::{DeferredDrop, OpenDump, Slot};
use heaplens_tables::dump::object_filter::ObjectConditions;
use heaplens_tables::dump::objects;
use heaplens_tables::{RowQuery, RowTarget, TableContext, TableQuery};

/// Query: class, order, direction, filter text, true in a comparison, and the objects listed there.
type ObjectsQuery = (Option<ClassId>, ObjectOrder, bool, String, bool, Wanted);

/// Which objects a comparison lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Wanted {
    /// All objects of the dump.
    #[default]
    All,
    /// Objects that the baseline does not have.
    New,
    /// Objects of the baseline that the dump does not have any more: a query lists them.
    Removed,
}

impl Wanted {
    const ALL: [Self; 3] = [Self::All, Self::New, Self::Removed];

    fn name(self) -> &'static str {
        match self {
            Self::All => "All objects",
            Self::New => "New objects",
            Self::Removed => "Removed objects…",
        }
    }
}

/// Order of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ObjectOrder {
    /// As in the dominator tree.
    Level(LevelOrder),
    /// Newest first.
    Age,
}

impl Default for ObjectOrder {
    fn default() -> Self {
        Self::Level(LevelOrder::default())
    }
}

impl ObjectOrder {
    /// Order for a click on a column header.
    fn of_column(column: usize) -> Self {
        match object_columns::order_of(column) {
            _ if object_columns::is_column(column, object_columns::AGE) => Self::Age,
            // Objects of a class differ by their ids.
            LevelOrder::Class => Self::Level(LevelOrder::Address),
            order => Self::Level(order),
        }
    }

    /// Sorted column, and true for descending.
    fn marked(self, reversed: bool) -> Option<(usize, bool)> {
        match self {
            Self::Level(LevelOrder::Address) => Some((0, reversed)),
            Self::Level(order) => object_columns::marked(order, reversed),
            Self::Age => Some((object_columns::index_of(object_columns::AGE)?, !reversed)),
        }
    }

    /// Order of a sorted column: the inverse of [`ObjectOrder::marked`].
    fn unmarked(mark: Option<(usize, bool)>) -> (Self, bool) {
        match mark {
            Some((column, descending)) if Self::of_column(column) == Self::Age => (Self::Age, !descending),
            Some((0, descending)) => (Self::of_column(0), descending),
            _ => {
                let (order, reversed) = object_columns::unmarked(mark);
                (Self::Level(order), reversed)
            }
        }
    }

    /// Key of the column on the command line.
    fn key(self) -> &'static str {
        match self {
            Self::Level(order) => order.key(),
            Self::Age => object_columns::AGE,
        }
    }
}

/// Name of the rows of all classes.
const ALL_CLASSES: &str = "all classes";

/// Objects in order. Shared with the job that lists the selected ones.
type ObjectList = Arc<DeferredDrop<Vec<ObjectId>>>;

/// The view.
pub struct Objects {
    rows: ObjectRows,
    requested: Option<ObjectsQuery>,
    /// Class whose objects the filter applies to; another class starts without a filter.
    filtered: Option<ClassId>,
    /// Which objects are listed in a comparison.
    wanted: Wanted,
    /// True if the state was restored, with its filter.
    stands: bool,
    chosen: Option<ObjectId>,
    table: TableController,
}

/// What the rows of a list are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Listed {
    /// There are none yet.
    #[default]
    Nothing,
    /// Objects of a class; `None` for all classes.
    Of(Option<ClassId>),
}

/// Objects of the class, and their order.
#[derive(Default)]
struct ObjectRows {
    /// The class; `None` for all classes.
    of: Option<ClassId>,
    /// True if only new objects are listed.
    only_new: bool,
    slot: Slot<ObjectList>,
    /// What the rows in the slot are.
    listed: Listed,
    order: ObjectOrder,
    reversed: bool,
}

impl Default for Objects {
    fn default() -> Self {
        let table = TableController::sorted(object_columns::marked(LevelOrder::default(), false));
        Self {
            rows: ObjectRows::default(),
            requested: None,
            filtered: None,
            wanted: Wanted::All,
            stands: false,
            chosen: None,
            table,
        }
    }
}

impl ViewPage for Objects {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let stands = std::mem::take(&mut self.stands);
        let class = context.location.class;
        if std::mem::replace(&mut self.filtered, class) != class && !stands {
            let filter = in_heap(self.table.filter.heap(), "");
            self.table.filter.set(&filter);
        }
        self.ask(context, class);
        self.rows.of = class;
        if self.rows.slot.poll() {
            self.rows.listed = Listed::Of(class);
            self.chosen = None;
            if context.location.object.is_none() {
                self.table.state = TableState::default();
            }
        }
        self.follow(context);
        self.tools_ui(ui, context, class);
        let output = self.table.ui(ui, context, &mut self.rows);
        if let Some(RowTarget::Object(object)) =
            output.clicked.or(output.moved).and_then(|row| self.rows.target(context, row))
        {
            self.chosen = Some(object);
        }
    }

    fn is_running(&self) -> bool {
        self.rows.slot.is_at_work()
    }

    fn view_state(&self) -> Option<ViewState> {
        Some(self.table.view_state())
    }

    fn restore(&mut self, view_state: &ViewState) {
        self.stands = true;
        (self.rows.order, self.rows.reversed) = ObjectOrder::unmarked(view_state.sort);
        self.table.restore(view_state);
    }
}

impl Objects {
    /// Filters by one of the Android heaps, or removes that filter.
    pub fn choose_heap(&mut self, name: Option<&str>) {
        self.table.filter.choose_heap(name);
    }

    fn ask(&mut self, context: &ViewContext<'_>, class: Option<ClassId>) {
        let (order, reversed) = (self.rows.order, self.rows.reversed);
        let compares = context.dump.baseline.is_some();
        self.rows.only_new = compares && self.wanted == Wanted::New;
        let only_new = self.rows.only_new;
        let question = (class, order, reversed, self.table.filter.text().to_owned(), compares, self.wanted);
        if self.requested.as_ref() == Some(&question) {
            return;
        }
        self.requested = Some(question);
        let conditions = ObjectConditions::of_typed(TableContext::of(context.dump), &mut self.table.filter);
        let (dump, filter) = (context.dump.clone(), self.table.filter.clone());
        let jobs = context.jobs.clone();
        self.rows.slot.ask(context.jobs, "objects of a class", move |task| {
            let heap = &dump.heap;
            let mut rows = match class {
                Some(class) => objects_of(dump.data(), class, task)?,
                None => all_objects(dump.data(), task)?,
            };
            if only_new {
                let is_new = |object: &ObjectId| dump.match_status(*object) == Some(MatchStatus::Alone);
                rows = passing_objects(&rows, CHECKPOINT_EVERY, is_new, task)?;
            }
            conditions.keep(TableContext::of(&dump), &mut rows, task)?;
            if !filter.pattern().is_empty() {
                rows = filter.pattern().passing(dump.data(), &rows, task)?;
            }
            task.step("Sorting", Unit::Objects, rows.len() as u64);
            let then = dump.retained_then();
            let then = then.as_ref().map(|then| then as &BaselineSize<'_>);
            let rows = match order {
                ObjectOrder::Level(order) => in_order(dump.data(), rows, (order, reversed), then, task)?,
                ObjectOrder::Age => {
                    dump.ages(task)?.sort(heap, &mut rows, reversed, task)?;
                    rows
                }
            };
            Ok(Arc::new(jobs.defer_drop(rows)))
        });
    }

    /// Moves the cursor to the selected object, or to the first.
    fn follow(&mut self, context: &mut ViewContext<'_>) {
        let Some(rows) = self.rows.shared().map(|rows| rows.as_slice()) else { return };
        if self.chosen.is_some() && context.location.object == self.chosen {
            return;
        }
        let dump = context.dump;
        let ObjectRows { order, reversed, .. } = &self.rows;
        let position = |object| match order {
            ObjectOrder::Level(order) => position(dump.data(), rows, *order, *reversed, object),
            // Ages are not available here.
            ObjectOrder::Age => rows.iter().position(|&other| other == object),
        };
        if let Some(row) = context.location.object.and_then(position) {
            self.chosen = context.location.object;
            self.table.state.select_and_show(row as u64);
        } else if let Some(&first) = rows.first().filter(|_| !self.rows.slot.is_running()) {
            self.chosen = Some(first);
            self.table.state.select_and_show(0);
            context.select_initially(first);
        }
    }

    /// Lists the new objects of a comparison, or all.
    pub fn want_new(&mut self, only_new: bool) {
        self.wanted = if only_new { Wanted::New } else { Wanted::All };
    }

    /// Draws the choice between all, new and removed objects.
    fn wanted_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, class: Option<ClassId>) {
        let before = self.wanted;
        let combo = egui::ComboBox::from_id_salt("objects of a comparison").width(126.0);
        let label = |wanted: Wanted| format!("Listed: {}", wanted.name());
        controls::choice_ui(ui, combo, label, &mut self.wanted, Wanted::ALL, Wanted::name)
            .on_hover_text("Of a comparison: all objects, those that the baseline does not have, or those that it had");
        ui.add_space(6.0);
        if self.wanted == Wanted::Removed {
            self.wanted = before;
            let of_class = class.map(|class| {
                let name = context.dump.heap.classes.get(class).name.replace('\'', "''");
                format!(" AND o.class = '{name}'")
            });
            let statement = format!(
                "SELECT o.id, o.class, o.label, o.shallow_bytes, o.retained_bytes\nFROM matches m JOIN before.objects o ON o.id = m.before_id\nWHERE m.status = 'removed'{}\nORDER BY o.retained_bytes DESC\nLIMIT 1000",
                of_class.unwrap_or_default()
            );
            context.push(Command::ShowQuery(context.location.dump, statement));
        }
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, class: Option<ClassId>) {
        let dump = context.dump;
        toolbar::tools(ui, |ui| {
            let t = tokens(ui);
            regions::choice_ui(ui, dump, "objects", &mut self.table.filter);
            if dump.baseline.is_some() {
                self.wanted_ui(ui, context, class);
            }
            if class.is_some() {
                let all = Verb::AllObjects.entry();
                if ui.button("All classes").on_hover_text(all.about).clicked() {
                    context.push(Command::from(Verb::AllObjects));
                }
                ui.add_space(6.0);
            }
            let width = (ui.available_width() * 0.4).clamp(140.0, 280.0).min(ui.available_width());
            let text = class.map_or(ALL_CLASSES, |class| &dump.heap.classes.get(class).name);
            self.table.filter_ui(ui, "filter of objects", "Filter by label or id", width, context.focuses_filter());
            let (package, name) = split_class(text);
            ui.spacing_mut().item_spacing.x = 0.0;
            let area = ui.available_width() - 130.0;
            if area > 90.0 {
                ui.add_space(6.0);
                let laid_out = |package: &str| {
                    let mut job = egui::text::LayoutJob::default();
                    let format = egui::TextFormat::simple;
                    job.append(package, 0.0, format(fonts::text(), t.muted));
                    job.append(name, 0.0, format(fonts::medium(), t.text));
                    job.wrap = egui::text::TextWrapping::truncate_at_width(area);
                    ui.painter().layout_job(job)
                };
                // In a narrow window the package is dropped first.
                let galley = Some(laid_out(package)).filter(|galley| !galley.elided);
                let galley = galley.unwrap_or_else(|| laid_out(""));
                let (rect, response) = ui.allocate_exact_size(galley.size(), egui::Sense::HOVER);
                ui.painter().galley(rect.min, galley, t.text);
                response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
                response.on_hover_text(text);
                ui.add_space(8.0);
            }
            let count = self.rows.shared().map(|rows| Count(rows.as_slice().len() as u64));
            toolbar::hint(ui, &count.map(|c| c.of("object", "objects")).unwrap_or_default());
        });
    }
}

impl ObjectRows {
    /// The rows; none while those of another class are listed.
    fn shared(&self) -> Option<&ObjectList> {
        self.slot.get().filter(|_| self.listed == Listed::Of(self.of))
    }

    fn objects(&self) -> &[ObjectId] {
        self.shared().map_or(&[], |rows| rows.as_slice())
    }

    /// Query for the rows on screen.
    fn request(&self, table: &TableController) -> TableQuery {
        let rows_wanted = RowQuery {
            filter: table.filter.understood(),
            sort: Some(self.order.key().to_owned()),
            reverse: self.reversed,
            ..RowQuery::default()
        };
        let of = self.of.map_or(objects::ObjectsQuery::All, objects::ObjectsQuery::OfClass);
        TableQuery::new(of, rows_wanted)
    }
}

impl TableSource for ObjectRows {
    const NAME: &'static str = "Objects";

    fn title(&self, context: &ViewContext<'_>) -> String {
        let class = self.of.map_or(ALL_CLASSES, |class| &context.dump.heap.classes.get(class).name);
        if self.only_new { format!("New objects of {class}") } else { format!("Objects of {class}") }
    }

    fn columns(&self, context: &ViewContext<'_>) -> Cow<'static, [Column]> {
        let mut columns = object_columns::columns(context);
        // Levels of the tree are not sorted by age.
        columns.iter_mut().filter(|column| column.key == object_columns::AGE).for_each(|age| age.sorts = true);
        columns.into()
    }

    fn count(&self) -> u64 {
        self.objects().len() as u64
    }

    fn target(&self, _context: &ViewContext<'_>, row: u64) -> Option<RowTarget> {
        self.objects().get(row as usize).copied().map(RowTarget::Object)
    }

    fn draw(&mut self, row: &mut Row<'_>, context: &mut ViewContext<'_>) {
        if let (Some(&object), Some(cell)) = (self.objects().get(row.index as usize), row.cell(0)) {
            object_columns::draw(row, context, object, cell, false);
        }
    }

    fn placeholder(&self, context: &ViewContext<'_>, _table: &TableController) -> Placeholder<'_> {
        let is_running = self.slot.is_running();
        let page = match (self.slot.error(), self.of) {
            (Some(error), _) => Placeholder::failed("Cannot list the objects", error),
            (None, of) if self.objects().is_empty() && is_running => {
                let analysis = &context.dump.analysis;
                let objects = Count(of.map_or(analysis.shown.objects, |class| analysis.class_totals(class).objects));
                Placeholder::waiting(format!("Sorting {objects} objects…"), "")
            }
            _ if self.objects().is_empty() && self.only_new => Placeholder::empty(
                Icon::Search,
                "No new object",
                "The baseline has all of them, or nothing tells whether it has them: choose All objects above",
            ),
            _ if self.objects().is_empty() => {
                Placeholder::empty(Icon::Search, "No object matches the filter", "The filter matches labels and ids")
            }
            _ => Placeholder::default(),
        };
        page.with_progress(is_running, self.slot.progress())
    }

    fn publish(&self, context: &mut ViewContext<'_>, _table: &TableController, range: RangeInclusive<u64>) {
        if let Some(rows) = self.shared() {
            let (dump, version, of) = (context.dump, rows.as_slice().as_ptr() as usize, self.of);
            context.select_rows(range.clone(), version, || listing(dump, of, rows, &range));
        }
    }

    fn copy(&self, context: &mut ViewContext<'_>, table: &TableController, range: RangeInclusive<u64>) {
        let mut request = self.request(table);
        let objects: Vec<ObjectId> =
            range.clone().filter_map(|row| self.objects().get(row as usize)).copied().collect();
        if self.only_new || self.order == ObjectOrder::Level(LevelOrder::Growth) {
            // Commands cannot sort by baseline figures, nor tell new objects.
            request = TableQuery::all(objects::ObjectsQuery::Listed(objects.clone()));
        } else {
            (request.rows.skip, request.rows.top) = (*range.start() as usize, Some(objects.len()));
        }
        let rows = objects.into_iter().map(|object| (0, object)).collect();
        copying::objects(context, &self.title(context), rows, request);
    }

    fn query(&self, _context: &ViewContext<'_>, table: &TableController) -> Option<TableQuery> {
        Some(self.request(table))
    }

    fn sort(&mut self, _context: &ViewContext<'_>, table: &mut TableController, column: usize) {
        let order = ObjectOrder::of_column(column);
        self.reversed = order == self.order && !self.reversed;
        self.order = order;
        table.sort = order.marked(self.reversed);
    }
}

/// Objects of some rows of a class. If all rows are selected, the totals are known.
fn listing(dump: &OpenDump, of: Option<ClassId>, rows: &ObjectList, range: &RangeInclusive<u64>) -> Listing {
    let analysis = &dump.analysis;
    let count = range.end() - range.start() + 1;
    let totals = of.map(|class| (analysis.class_totals(class), analysis.class_retained(class)));
    let together = match totals {
        Some((totals, retained)) if count == totals.objects => RowTotals::Summed(count, totals.shallow, retained),
        _ => RowTotals::Counted(count),
    };
    let (rows, range) = (Arc::clone(rows), *range.start() as usize..*range.end() as usize + 1);
    Listing::of_rows(together, Box::new(move |_| Ok(rows.as_slice().get(range).unwrap_or_default().to_vec())))
}
