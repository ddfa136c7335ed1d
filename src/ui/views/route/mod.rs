//! Shortest path from one object to another, and the retained sets of both.

mod ends;

use eframe::egui::{ComboBox, Ui};

use super::strengths;
use crate::ui::ViewContext;
use crate::ui::controllers::table::AT_MOST;
use crate::ui::controllers::{Placeholder, TableController, TableSource};
use crate::ui::theme::{Icon, fonts};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::{Column, ObjectName, Row, TableState, toolbar};
use heaplens_analysis::ownership::retained_set::RetainedObjects;
use heaplens_analysis::route::RouteStep;
use heaplens_base::{Bytes, Count, Share};
use heaplens_heap::{ObjectId, SoftLinks, Strength};
use heaplens_session::{DeferredDrop, JobError, Slot};
use heaplens_tables::columns::Value;
use heaplens_tables::dump::retained_set;
use heaplens_tables::dump::route::{RouteQuery, route_table, step_table};
use heaplens_tables::export::copy;
use heaplens_tables::{RetainedClasses, RowQuery, RowTarget, TableContext, TableQuery, clips};

const NAME: &str = "Path between objects";

const COLUMNS: [Column; 4] = [
    Column::words("Reference", "Field or other name of the reference from the previous object", 150.0)
        .fixed(9)
        .unsorted(),
    Column::words("Object", "Object on the path", 220.0).unsorted(),
    Column::numbers("Shallow size", "", 98.0, 4).unsorted(),
    Column::numbers("Retained size", "", 152.0, 8).unsorted(),
];

/// Path, empty if there is none, and its query.
struct Answer {
    requested: RouteQuery,
    steps: DeferredDrop<Vec<RouteStep>>,
}

/// Retained sets of the two ends: number of objects and bytes.
type EndSizes = [(ObjectId, (u64, Bytes)); 2];

/// The view.
pub struct Route {
    from: Option<ObjectId>,
    to: Option<ObjectId>,
    weakest: Strength,
    path: Steps,
    /// Independent of the direction.
    alone: Slot<EndSizes>,
    alone_of: Option<[ObjectId; 2]>,
    table: TableController,
}

/// Steps of the path.
#[derive(Default)]
struct Steps {
    requested: Option<RouteQuery>,
    slot: Slot<Answer>,
    /// True if both ends of the path are set.
    has_ends: bool,
}

impl Default for Route {
    fn default() -> Self {
        Self {
            from: None,
            to: None,
            weakest: Strength::Phantom,
            path: Steps::default(),
            alone: Slot::default(),
            alone_of: None,
            table: TableController::default(),
        }
    }
}

impl ViewPage for Route {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.ask(context);
        self.path.slot.poll();
        self.alone.poll();
        let alone = |end: Option<ObjectId>| {
            let mut all = self.alone.get().into_iter().flatten();
            all.find(|(of, _)| Some(*of) == end).map(|&(_, alone)| alone)
        };
        let ends = [self.from, self.to];
        if ends::ui(ui, context, ends, ends.map(alone)) {
            std::mem::swap(&mut self.from, &mut self.to);
        }
        self.tools_ui(ui);
        self.path.has_ends = self.has_ends();
        self.table.ui(ui, context, &mut self.path);
        if context.copies_rows() {
            self.path.copy_steps(context, &self.table);
        }
    }

    fn is_running(&self) -> bool {
        self.path.slot.is_at_work() || self.alone.is_at_work()
    }
}

impl Route {
    /// Sets the start of the path; if both ends were set, starts a new query.
    pub fn begin(&mut self, object: ObjectId) {
        if self.has_ends() {
            self.to = None;
        }
        self.from = Some(object);
    }

    /// Sets the end of the path.
    pub fn end(&mut self, object: ObjectId) {
        self.to = Some(object);
    }

    /// True if both ends are set.
    pub fn has_ends(&self) -> bool {
        self.from.is_some() && self.to.is_some()
    }

    fn ask(&mut self, context: &ViewContext<'_>) {
        let (Some(from), Some(to)) = (self.from, self.to) else { return };
        let min_strength = (self.weakest != Strength::Phantom).then_some(self.weakest);
        let requested = RouteQuery { from, to, min_strength };
        if self.path.requested.replace(requested) == Some(requested) {
            return;
        }
        self.table.state = TableState::default();
        let (dump, jobs) = (context.dump.clone(), context.jobs.clone());
        self.path.slot.ask(context.jobs, "path between objects", move |task| {
            let steps = route_table(TableContext::of(&dump), requested, task)?.rows;
            Ok(Answer { requested, steps: jobs.defer_drop(steps) })
        });
        let (mut ends, dump) = ([from, to], context.dump.clone());
        ends.sort_unstable();
        if self.alone_of.replace(ends) != Some(ends) {
            self.alone.ask(context.jobs, "retained sets of two objects", move |task| {
                let alone = |object| -> Result<(ObjectId, (u64, Bytes)), JobError> {
                    let requested =
                        retained_set::RetainedSetQuery { objects: vec![object], roots: None, soft: SoftLinks::Follow };
                    let RetainedObjects { objects, bytes } =
                        RetainedClasses::of(TableContext::of(&dump), &requested, task)?.set;
                    Ok((object, (objects.len() as u64, bytes)))
                };
                Ok([alone(ends[0])?, alone(ends[1])?])
            });
        }
    }

    fn tools_ui(&mut self, ui: &mut Ui) {
        toolbar::tools(ui, |ui| {
            let combo = ComboBox::from_id_salt("path references").selected_text(strengths::name(self.weakest));
            strengths::choice_ui(ui, combo.width(140.0), &mut self.weakest);
            let steps = self.path.count();
            let words = if steps > 0 { Count(steps - 1).of("reference", "references") } else { String::new() };
            toolbar::hint(ui, &words);
        });
    }
}

impl Steps {
    /// Steps of the current path.
    fn steps(&self) -> &[RouteStep] {
        let answer = self.slot.get().filter(|answer| Some(answer.requested) == self.requested);
        answer.map_or(&[][..], |answer| answer.steps.as_slice())
    }

    /// Copies the selected steps; without a selection all of them.
    fn copy_steps(&self, context: &mut ViewContext<'_>, table: &TableController) {
        let Some(requested) = self.requested.filter(|_| !self.steps().is_empty()) else { return };
        let most = (self.steps().len() as u64).min(AT_MOST) - 1;
        let (first, last) = table.state.selection().map_or((0, most), |range| (*range.start(), *range.end()));
        let (first, last) = (first.min(most) as usize, last.min(most) as usize);
        let steps = self.steps()[first..=last].to_vec();
        let row_query = RowQuery { skip: first, top: Some(steps.len()), ..RowQuery::default() };
        context.copy(move |dump, _| {
            let row = |step: &RouteStep| {
                let reference = step.reference.clone().map_or(Value::Null, Value::text);
                let name = Value::text(clips::name(dump, step.object));
                let sizes = [dump.heap.shallow(step.object), dump.analysis.retained(step.object)];
                copy::Row { depth: 0, cells: [reference, name].into_iter().chain(sizes.map(Value::Bytes)).collect() }
            };
            let rows = steps.iter().map(row).collect();
            let count = steps.len();
            let json = clips::json(&step_table(steps), dump, 0..count);
            let query = TableQuery::new(requested, row_query);
            Ok(clips::rows(dump, NAME, &query, COLUMNS.map(|column| column.title), rows, json))
        });
    }
}

impl TableSource for Steps {
    const NAME: &'static str = NAME;
    const COLUMNS: &'static [Column] = &COLUMNS;

    fn count(&self) -> u64 {
        self.steps().len() as u64
    }

    fn target(&self, _context: &ViewContext<'_>, row: u64) -> Option<RowTarget> {
        Some(RowTarget::Object(self.steps().get(row as usize)?.object))
    }

    fn text(&self, context: &ViewContext<'_>, row: u64) -> Option<String> {
        let step = self.steps().get(row as usize)?;
        let (heap, reference) = (&context.dump.heap, step.reference.as_deref().unwrap_or_default());
        Some(format!("{reference} {} {}", heap.class(step.object).name, heap.id_text(step.object)))
    }

    fn draw(&mut self, row: &mut Row<'_>, context: &mut ViewContext<'_>) {
        if let Some(step) = self.steps().get(row.index as usize) {
            step_ui(row, context, step);
        }
    }

    fn placeholder(&self, _context: &ViewContext<'_>, _table: &TableController) -> Placeholder<'_> {
        if let Some(error) = self.slot.error() {
            Placeholder::failed("Cannot search for a path", error)
        } else if !self.has_ends {
            let hint = "This view shows the shortest path from one object to another. Use “Start path here” and “End path here” in the objects' menus, or select both and press Shift+R";
            Placeholder::empty(Icon::Search, "Two objects are needed", hint)
        } else if self.slot.is_running() {
            Placeholder::default().with_progress(true, self.slot.progress())
        } else if self.steps().is_empty() {
            let hint =
                "No path with these references. Include weaker references, or press Swap for the opposite direction";
            Placeholder::empty(Icon::Search, "No path", hint)
        } else {
            Placeholder::default()
        }
    }

    fn query(&self, _context: &ViewContext<'_>, _table: &TableController) -> Option<TableQuery> {
        Some(TableQuery::all(self.requested?))
    }
}

fn step_ui(row: &mut Row<'_>, context: &mut ViewContext<'_>, step: &RouteStep) {
    let t = row.tokens;
    let (object, heap) = (step.object, &context.dump.heap);
    row.object(object);
    let reference = step.reference.as_deref().unwrap_or_default();
    row.text(0, reference, fonts::mono(), t.field);
    let cell = row.cell(1);
    let (label, cut) = ObjectName::with(context.labels, heap, object, |name| {
        (name.plain(), cell.is_some_and(|cell| name.paint(row.ui, t, cell)))
    });
    row.small_size(2, heap.shallow(object));
    let (retained, total) = (context.dump.analysis.retained(object), context.dump.analysis.shown.shallow);
    row.size_with_bar(3, retained, Share::of(retained, total));
    row.hover_in(0, || reference);
    if cut {
        row.hover_in(1, || &label);
    }
    row.name(if reference.is_empty() { label } else { format!("{reference} {label}") });
}
