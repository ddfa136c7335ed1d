//! Objects and bytes by class, package, class loader, superclass or allocation site. The census of a dump that is being
//! opened has the same columns.

mod census;
mod classes;
mod held_by;

use std::sync::Arc;

use eframe::egui::{self, Ui};

pub use self::census::CensusView;
pub(super) use self::classes::distance_text;
use super::regions;
use super::report::{Kind, Report, groups, kinds};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::controls;
use crate::ui::{Command, ViewContext, ViewState};
use heaplens_analysis::class_owners::ClassOwnersQuestion;
use heaplens_base::Count;
use heaplens_session::Slot;
use heaplens_tables::diff::DiffRows;
use heaplens_tables::relations::CLASSES as TABLE;
use heaplens_tables::reports::classes::rows;
use heaplens_tables::{Classes, RowQuery, TableContext, TableQuery, clips};

/// Histogram of an open dump.
pub struct Histogram {
    /// Heap of the rows by class; `None` for all heaps.
    of_heap: Option<String>,
    /// The search for owners, which takes longer than the rows.
    owners: Slot<()>,
    /// True once the rows by class are requested with owners.
    has_owners: bool,
    /// True in a comparison.
    compares: bool,
    by: Grouping,
    /// Grouping of the last frame.
    last_by: Grouping,
    /// Reports of the groupings, in their order.
    reports: [Report; 5],
}

/// Reports by grouping, alone and in a comparison.
const KINDS: [[&Kind; 2]; 5] = [
    [&classes::CLASSES, &classes::CLASSES],
    [&groups::PACKAGES, &groups::PACKAGES_COMPARED],
    [&groups::LOADERS, &groups::LOADERS_COMPARED],
    [&groups::SUPERCLASSES, &groups::SUPERCLASSES_COMPARED],
    [&kinds::SITES, &kinds::SITES],
];

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
        let reports = KINDS.map(|[alone, _]| Report::new(alone));
        Self {
            of_heap: None,
            owners: Slot::default(),
            has_owners: false,
            compares: false,
            by: Grouping::Class,
            last_by: Grouping::Class,
            reports,
        }
    }
}

impl ViewPage for Histogram {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let compares = context.dump.baseline.is_some();
        if std::mem::replace(&mut self.compares, compares) != compares {
            for (report, kinds) in self.reports.iter_mut().zip(KINDS) {
                report.ask_again(kinds[usize::from(compares)]);
            }
        }
        self.ask_owners(context);
        self.count_in_heap();
        self.keep_order();
        let (dump, has_sites) = (context.dump, context.dump.contents.has_sites());
        let is_by_class = self.by == Grouping::Class;
        let report = &mut self.reports[self.by as usize];
        let by = &mut self.by;
        let removed = report.rows().map_or(0, |rows| rows.removed);
        let mut shows_removed = false;
        report.ui_with(ui, context, |ui, filter| {
            by.ui(ui, has_sites);
            if removed > 0 {
                let about = "Classes without objects in the target; Growth lists them";
                shows_removed = ui.button(format!("{} removed", Count(removed))).on_hover_text(about).clicked();
                ui.add_space(8.0);
            }
            if is_by_class {
                regions::choice_ui(ui, dump, "histogram", filter);
            }
        });
        if shows_removed {
            context.push(Command::ShowGrowth(DiffRows::Classes));
        }
    }

    /// Handles requests of the keyboard while a chart replaces the table.
    fn unseen(&mut self, context: &mut ViewContext<'_>) {
        if let Some(class) = context.location.class.filter(|_| context.copies_rows()) {
            context.copy(move |dump, task| {
                let table = Classes::of(TableContext::of(dump), None, false, task)?;
                let at = table.histogram.rows.iter().position(|row| row.class == class);
                let number = at.and_then(|at| u32::try_from(at + 1).ok());
                let rows = RowQuery { numbers: number.map(|at| at..=at).into_iter().collect(), ..RowQuery::default() };
                let query = TableQuery::new(&TABLE, rows);
                Ok(clips::table_rows(dump, TABLE.title, &query, &table, at.as_slice()))
            });
        }
        self.reports[0].unseen(context);
    }

    fn is_running(&self) -> bool {
        self.report().is_running() || self.owners.is_at_work()
    }

    fn view_state(&self) -> Option<ViewState> {
        self.report().view_state()
    }

    fn restore(&mut self, view_state: &ViewState) {
        self.reports[self.by as usize].restore(view_state);
    }
}

impl Histogram {
    /// Heap whose objects are counted; `None` for all heaps.
    pub fn heap(&self) -> Option<&str> {
        if self.by == Grouping::Class { self.reports[0].filter().heap() } else { None }
    }

    /// Report of the grouping.
    fn report(&self) -> &Report {
        &self.reports[self.by as usize]
    }

    /// Counts the objects of the heap in the filter, if that has changed.
    fn count_in_heap(&mut self) {
        let heap = self.reports[0].filter().heap().map(str::to_owned);
        if self.of_heap != heap {
            self.of_heap.clone_from(&heap);
            let owners = self.has_owners;
            self.reports[0].count_with(Arc::new(move |dump, task| rows(dump, heap.as_deref(), owners, task)));
        }
    }

    /// Looks for owners once the classes are on screen, and adds them when they are known.
    fn ask_owners(&mut self, context: &ViewContext<'_>) {
        let is_on_screen = self.by == Grouping::Class && self.reports[0].rows().is_some();
        if self.owners.poll() {
            self.has_owners = true;
            self.reports[0].filter_hint = Some("Filter by class or owner");
            let heap = self.of_heap.clone();
            self.reports[0].extend_with(Arc::new(move |dump, task| rows(dump, heap.as_deref(), true, task)));
        } else if is_on_screen && !self.has_owners && !self.owners.is_running() && self.owners.error().is_none() {
            let dump = context.dump.clone();
            self.owners.ask(context.jobs, "owners by class", move |task| {
                dump.data().answer(&ClassOwnersQuestion, task)?;
                Ok(())
            });
        }
    }

    /// After another grouping was chosen: sorts by the same column as before, if the grouping has it.
    fn keep_order(&mut self) {
        let last = std::mem::replace(&mut self.last_by, self.by);
        if last != self.by {
            self.reports[self.by as usize].take_place();
        }
        if last != self.by
            && let Some((key, descending)) = self.reports[last as usize].sort_key()
        {
            self.reports[self.by as usize].sort_by_key(key, descending);
        }
    }
}
