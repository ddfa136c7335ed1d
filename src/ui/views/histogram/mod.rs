//! Objects and bytes by class. The same table shows the census while a dump is being opened, and the histogram with
//! retained sizes afterwards.

pub(super) mod columns;
mod table;

use crate::ui::export_content::ExportContent;
use std::sync::Arc;

use eframe::egui::{self, Ui};

use self::columns::CENSUS;
use self::table::{ClassRow, ClassTable, clip};
use super::report::{Kind, Report, groups, kinds};
use crate::ui::theme::Icon;
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::{controls, waiting};
use crate::ui::{Command, ViewContext, ViewState};
use heaplens_analysis::histogram::{self as analysis, ClassFigures};
use heaplens_base::{Bytes, Count};
use heaplens_heap::Census;
use heaplens_session::Slot;
use heaplens_tables::diff::DiffRows;
use heaplens_tables::relations::CLASSES;
use heaplens_tables::reports::baseline_classes::BaselineClasses;
use heaplens_tables::{Classes, RowQuery, TableContext, TableQuery};

/// Census of a dump that is being opened.
#[derive(Default)]
pub struct CensusView {
    table: ClassTable,
    of: Option<Arc<Census>>,
}

impl CensusView {
    /// Draws the census.
    pub fn ui(&mut self, ui: &mut Ui, census: &Arc<Census>) {
        if self.of.as_ref().is_none_or(|of| !Arc::ptr_eq(of, census)) {
            let rows = census.rows.iter().map(|row| ClassRow::of_census(&row.class, row.objects, row.shallow));
            self.table.put(rows.collect(), CENSUS.to_vec(), census.objects, census.shallow);
            self.of = Some(Arc::clone(census));
        }
        self.table.census_ui(ui);
    }
}

/// Histogram of an open dump.
pub struct Histogram {
    slot: Slot<HistogramRows>,
    is_requested: bool,
    /// Heap of the current query; `None` for all heaps.
    of_heap: Option<String>,
    /// True in a comparison.
    compares: bool,
    removed: u64,
    table: ClassTable,
    by: Grouping,
    /// Grouping of the last frame.
    last_by: Grouping,
    /// Reports of the groupings other than by class, in their order.
    reports: [Report; 4],
}

/// Reports by group of classes, alone and in a comparison.
const GROUPS: [[&Kind; 2]; 3] = [
    [&groups::PACKAGES, &groups::PACKAGES_COMPARED],
    [&groups::LOADERS, &groups::LOADERS_COMPARED],
    [&groups::SUPERCLASSES, &groups::SUPERCLASSES_COMPARED],
];

/// Classes, and the number of those without objects in the target.
struct HistogramRows {
    rows: Vec<ClassRow>,
    /// Keys of the columns of the histogram.
    keys: Vec<&'static str>,
    removed: u64,
    figures: Arc<ClassFigures>,
    objects: u64,
    shallow: Bytes,
}

/// Grouping of the histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grouping {
    Class,
    Package,
    Loader,
    Superclass,
    Site,
}

impl Grouping {
    const ALL: [Self; 5] = [Self::Class, Self::Package, Self::Loader, Self::Superclass, Self::Site];

    fn name(self) -> &'static str {
        match self {
            Self::Class => "By class",
            Self::Package => "By package",
            Self::Loader => "By class loader",
            Self::Superclass => "By superclass",
            Self::Site => "By allocation site",
        }
    }

    /// Draws the choice; allocation sites are listed if the dump has any.
    fn ui(&mut self, ui: &mut Ui, has_sites: bool) {
        let combo = egui::ComboBox::from_id_salt("histogram grouping").width(124.0);
        let label = |by: Self| format!("Group {}", by.name().to_lowercase());
        let all = Self::ALL.into_iter().filter(|&by| by != Self::Site || has_sites);
        controls::choice_ui(ui, combo, label, self, all, Self::name).on_hover_text("Grouping of the rows");
        ui.add_space(8.0);
    }
}

impl Default for Histogram {
    fn default() -> Self {
        let [packages, loaders, superclasses] = GROUPS.map(|[alone, _]| Report::new(alone));
        Self {
            slot: Slot::default(),
            is_requested: false,
            of_heap: None,
            compares: false,
            removed: 0,
            table: ClassTable::default(),
            by: Grouping::Class,
            last_by: Grouping::Class,
            reports: [packages, loaders, superclasses, Report::new(&kinds::SITES)],
        }
    }
}

impl ViewPage for Histogram {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let compares = context.dump.baseline.is_some();
        if std::mem::replace(&mut self.compares, compares) != compares {
            self.is_requested = false;
            for (report, kinds) in self.reports.iter_mut().zip(GROUPS) {
                report.ask_again(kinds[usize::from(compares)]);
            }
        }
        self.keep_order();
        let has_sites = context.dump.contents.has_sites();
        let by = &mut self.by;
        match (*by as usize).checked_sub(1).and_then(|at| self.reports.get_mut(at)) {
            Some(report) => report.ui_with(ui, context, |ui| by.ui(ui, has_sites)),
            None => self.classes_ui(ui, context),
        }
    }

    /// Handles requests of the keyboard while a chart replaces the table.
    fn unseen(&mut self, context: &mut ViewContext<'_>) {
        if let Some(class) = context.location.class.filter(|_| context.copies_rows()) {
            context.copy(move |dump, _| {
                let rows = analysis::histogram(dump.data()).rows;
                let (number, row) = (1_u32..).zip(rows).find(|(_, row)| row.class == class).unzip();
                let rows_wanted =
                    RowQuery { numbers: number.map(|at| at..=at).into_iter().collect(), ..RowQuery::default() };
                let request = TableQuery::new(&CLASSES, rows_wanted);
                let figures = analysis::histogram(dump.data()).figures;
                Ok(clip(dump, (row.into_iter().collect(), figures), &[], &request))
            });
        }
        if context.exports() {
            context.export(ExportContent::Rows(self.table.rows.request_of(&self.table.table, 0, None)), "Histogram");
        }
    }

    fn is_running(&self) -> bool {
        self.report().map_or_else(|| self.slot.is_at_work(), Report::is_running)
    }

    fn view_state(&self) -> Option<ViewState> {
        self.report().map_or_else(|| Some(self.table.table.view_state()), Report::view_state)
    }

    fn restore(&mut self, view_state: &ViewState) {
        match (self.by as usize).checked_sub(1).and_then(|at| self.reports.get_mut(at)) {
            Some(report) => report.restore(view_state),
            None => self.table.restore(view_state),
        }
    }
}

impl Histogram {
    /// Heap whose objects are counted; `None` for all heaps.
    pub fn heap(&self) -> Option<&str> {
        if self.by == Grouping::Class { self.table.table.filter.heap() } else { None }
    }

    /// After another grouping was chosen: sorts by the same column as before, if the grouping has it.
    fn keep_order(&mut self) {
        let last = std::mem::replace(&mut self.last_by, self.by);
        if last == self.by {
            return;
        }
        let sort = match (last as usize).checked_sub(1).and_then(|at| self.reports.get(at)) {
            Some(report) => report.sort_key(),
            None => self.table.sort_key(),
        };
        let Some((key, descending)) = sort else { return };
        match (self.by as usize).checked_sub(1).and_then(|at| self.reports.get_mut(at)) {
            Some(report) => report.sort_by_key(key, descending),
            None => self.table.sort_by_key(key, descending),
        }
    }

    /// Report of the grouping; `None` by class.
    fn report(&self) -> Option<&Report> {
        self.reports.get((self.by as usize).checked_sub(1)?)
    }

    fn classes_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.ask(context);
        if let Some(rows) = self.slot.take_new() {
            self.table.compare(self.compares);
            self.table.put(rows.rows, rows.keys, rows.objects, rows.shallow);
            self.table.rows.figures = rows.figures;
            self.removed = rows.removed;
        }
        if let Some(error) = self.slot.error() {
            let area = ui.available_rect_before_wrap();
            return waiting::empty_ui(ui, area, Icon::Warning, "Cannot compute the histogram", error);
        }
        self.follow(context);
        self.table.rows.rules = Some(Arc::clone(context.rules));
        let has_sites = context.dump.contents.has_sites();
        let by = &mut self.by;
        let removed = Count(self.removed).to_string();
        let mut shows_gone = false;
        self.table.ui(ui, context, |ui| {
            by.ui(ui, has_sites);
            if self.compares && self.removed > 0 {
                let about = "Classes without objects in the target; Growth lists them";
                shows_gone = ui.button(format!("{removed} removed")).on_hover_text(about).clicked();
                ui.add_space(8.0);
            }
        });
        if shows_gone {
            context.push(Command::ShowGrowth(DiffRows::Classes));
        }
    }

    /// Requests the objects of the heap in the filter, if they are not counted yet.
    fn ask(&mut self, context: &ViewContext<'_>) {
        let heap = self.table.table.filter.heap().map(str::to_owned);
        if std::mem::replace(&mut self.is_requested, true) && self.of_heap == heap {
            return;
        }
        self.of_heap.clone_from(&heap);
        let dump = context.dump.clone();
        self.slot.ask(context.jobs, "histogram", move |task| {
            let histogram = match &heap {
                Some(name) => analysis::histogram_in(dump.data(), name, task)?,
                None => analysis::histogram(dump.data()),
            };
            // Baseline figures are only known for all heaps together.
            let before = if heap.is_none() { BaselineClasses::of(&dump) } else { None };
            let removed = before.as_ref().map_or(0, BaselineClasses::removed_classes);
            let table = Classes(histogram);
            let change = |class| before.as_ref().and_then(|before| before.class(class));
            let (rows, keys) = ClassRow::of_histogram(&table, TableContext::of(&dump), change);
            let analysis::Histogram { figures, objects, shallow, .. } = table.0;
            Ok(HistogramRows { rows, keys, removed, figures, objects, shallow })
        });
    }

    /// Moves the cursor to the selected class.
    fn follow(&mut self, context: &ViewContext<'_>) {
        if self.table.rows.chosen == context.location.class {
            return;
        }
        self.table.arrange();
        self.table.rows.chosen = context.location.class;
        let at = self.table.rows.chosen.and_then(|class| self.table.rows.place_of(class));
        match at {
            Some(row) => self.table.table.state.select_and_show(row),
            None => self.table.table.state.select(None),
        }
    }
}
