//! Objects and bytes by class. The same table shows the census while a dump is being opened, and the histogram with
//! retained sizes afterwards.

pub(super) mod columns;
mod table;

use std::sync::Arc;

use eframe::egui;
use egui::Ui;

use self::table::{ClassRow, ClassTable, clip, request};
use super::report::{Report, groups, sites};
use crate::ui::theme::Icon;
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::{TableState, waiting};
use crate::ui::{Command, RowCommand, ViewContext, ViewState};
use heaplens_analysis::histogram::{self as analysis, ClassFigures};
use heaplens_base::{Bytes, Count};
use heaplens_core::heap::Census;
use heaplens_session::Slot;
use heaplens_tables::diff::DiffRows;
use heaplens_tables::reports::baseline_classes::BaselineClasses;
use heaplens_tables::{RowQuery, TableKind, TableQuery};

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
            let rows = census.rows.iter().map(|r| ClassRow {
                class: None,
                name: r.class.clone(),
                objects: r.objects,
                shallow: r.shallow,
                retained: None,
                change: None,
            });
            self.table.put(rows.collect(), census.objects, census.shallow);
            self.of = Some(Arc::clone(census));
        }
        self.table.census_ui(ui);
    }
}

/// Histogram of an open dump.
pub struct Histogram {
    slot: Slot<HistogramRows>,
    asked: bool,
    /// Heap of the current query; `None` for all heaps.
    of_heap: Option<String>,
    /// True in a comparison.
    compares: bool,
    gone: u64,
    table: ClassTable,
    by: Grouping,
    packages: Report,
    loaders: Report,
    superclasses: Report,
    sites: Report,
}

/// Classes, and the number of those without objects in the target.
struct HistogramRows {
    rows: Vec<ClassRow>,
    gone: u64,
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
        let choice = egui::ComboBox::from_id_salt("histogram grouping").selected_text(self.name()).width(124.0);
        let shown = choice.show_ui(ui, |ui| {
            for by in Self::ALL.into_iter().filter(|&by| by != Self::Site || has_sites) {
                ui.selectable_value(self, by, by.name());
            }
        });
        let name = format!("Group {}", self.name().to_lowercase());
        shown.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &name));
        shown.response.on_hover_text("Grouping of the rows");
        ui.add_space(8.0);
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            slot: Slot::default(),
            asked: false,
            of_heap: None,
            compares: false,
            gone: 0,
            table: ClassTable::default(),
            by: Grouping::Class,
            packages: Report::new(&groups::PACKAGES),
            loaders: Report::new(&groups::LOADERS),
            superclasses: Report::new(&groups::SUPERCLASSES),
            sites: Report::new(&sites::SITES),
        }
    }
}

impl Histogram {
    /// State of the table, for its column widths.
    pub fn table(&mut self) -> &mut TableState {
        &mut self.table.table.state
    }

    /// Heap whose objects are counted; `None` for all heaps.
    pub fn heap(&self) -> Option<&str> {
        if self.by == Grouping::Class { self.table.table.filter.heap() } else { None }
    }
}

impl ViewPage for Histogram {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let compares = context.dump.baseline.is_some();
        if std::mem::replace(&mut self.compares, compares) != compares {
            self.asked = false;
            self.packages.ask_again(if compares { &groups::PACKAGES_COMPARED } else { &groups::PACKAGES });
            self.loaders.ask_again(if compares { &groups::LOADERS_COMPARED } else { &groups::LOADERS });
            self.superclasses.ask_again(if compares { &groups::SUPERCLASSES_COMPARED } else { &groups::SUPERCLASSES });
        }
        let has_sites = context.dump.contents.has_sites();
        let by = &mut self.by;
        match *by {
            Grouping::Class => self.classes_ui(ui, context),
            Grouping::Package => self.packages.ui_with(ui, context, |ui| by.ui(ui, has_sites)),
            Grouping::Loader => self.loaders.ui_with(ui, context, |ui| by.ui(ui, has_sites)),
            Grouping::Superclass => self.superclasses.ui_with(ui, context, |ui| by.ui(ui, has_sites)),
            Grouping::Site => self.sites.ui_with(ui, context, |ui| by.ui(ui, has_sites)),
        }
    }

    /// Handles requests of the keyboard while a chart replaces the table.
    fn unseen(&mut self, context: &mut ViewContext<'_>) {
        if let Some(class) = context.place.class.filter(|_| context.copy_rows) {
            context.copy(move |dump, _| {
                let rows = analysis::histogram(&dump.heap, &dump.analysis).rows;
                let (place, row) = (1_u32..).zip(rows).find(|(_, row)| row.class == class).unzip();
                let how = RowQuery { places: place.map(|at| at..=at).into_iter().collect(), ..RowQuery::default() };
                let request = TableQuery { kind: TableKind::Classes, rows: how };
                let figures = analysis::histogram(&dump.heap, &dump.analysis).figures;
                Ok(clip(dump, (row.into_iter().collect(), figures), &[], &request))
            });
        }
        if context.export {
            context.push_row(RowCommand::Export(Box::new(request(&self.table.table)), "Histogram".to_owned()));
        }
    }

    fn is_running(&self) -> bool {
        match self.by {
            Grouping::Class => self.slot.is_at_work(),
            Grouping::Package => self.packages.is_running(),
            Grouping::Loader => self.loaders.is_running(),
            Grouping::Superclass => self.superclasses.is_running(),
            Grouping::Site => self.sites.is_running(),
        }
    }

    fn view_state(&self) -> Option<ViewState> {
        match self.by {
            Grouping::Class => Some(self.table.table.view_state()),
            Grouping::Package => self.packages.view_state(),
            Grouping::Loader => self.loaders.view_state(),
            Grouping::Superclass => self.superclasses.view_state(),
            Grouping::Site => self.sites.view_state(),
        }
    }

    fn restore(&mut self, view_state: &ViewState) {
        match self.by {
            Grouping::Class => self.table.restore(view_state),
            Grouping::Package => self.packages.restore(view_state),
            Grouping::Loader => self.loaders.restore(view_state),
            Grouping::Superclass => self.superclasses.restore(view_state),
            Grouping::Site => self.sites.restore(view_state),
        }
    }
}

impl Histogram {
    fn classes_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.ask(context);
        if self.slot.poll()
            && let Some(found) = self.slot.take()
        {
            self.table.compare(self.compares);
            self.table.put(found.rows, found.objects, found.shallow);
            self.table.rows.figures = found.figures;
            self.gone = found.gone;
        }
        if let Some(error) = self.slot.error() {
            let area = ui.available_rect_before_wrap();
            waiting::empty_ui(ui, area, Icon::Warning, "Cannot compute the histogram", error);
            return;
        }
        self.follow(context);
        self.table.rows.rules = Some(std::sync::Arc::clone(context.rules));
        let has_sites = context.dump.contents.has_sites();
        let by = &mut self.by;
        let gone = Count(self.gone).to_string();
        let mut shows_gone = false;
        self.table.ui(ui, context, |ui| {
            by.ui(ui, has_sites);
            if self.compares && self.gone > 0 {
                let about = "Classes without objects in the target; Growth lists them";
                shows_gone = ui.button(format!("{gone} removed")).on_hover_text(about).clicked();
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
        if std::mem::replace(&mut self.asked, true) && self.of_heap == heap {
            return;
        }
        self.of_heap.clone_from(&heap);
        let dump = context.dump.clone();
        self.slot.ask(context.jobs, "histogram", move |task| {
            let found = match &heap {
                Some(name) => analysis::histogram_in(&dump.heap, &dump.analysis, name, task)?,
                None => analysis::histogram(&dump.heap, &dump.analysis),
            };
            // Baseline figures are only known for all heaps together.
            let before = if heap.is_none() { BaselineClasses::of(&dump) } else { None };
            let rows = found.rows.iter().map(|r| ClassRow {
                class: Some(r.class),
                name: dump.heap.classes.get(r.class).name.clone(),
                objects: r.objects,
                shallow: r.shallow,
                retained: Some(r.retained),
                change: before.as_ref().and_then(|before| before.class(r.class)),
            });
            let (rows, gone) = (rows.collect(), before.as_ref().map_or(0, BaselineClasses::gone));
            let analysis::Histogram { figures, objects, shallow, .. } = found;
            Ok(HistogramRows { rows, gone, figures, objects, shallow })
        });
    }

    /// Moves the cursor to the selected class.
    fn follow(&mut self, context: &ViewContext<'_>) {
        if self.table.rows.chosen == context.place.class {
            return;
        }
        self.table.arrange();
        self.table.rows.chosen = context.place.class;
        let at = self.table.rows.chosen.and_then(|class| self.table.rows.place_of(class));
        match at {
            Some(row) => self.table.table.state.select_and_show(row),
            None => self.table.table.state.select(None),
        }
    }
}
