//! The views of one dump, with the state of each.

use std::collections::BTreeMap;

use eframe::egui::Ui;

use super::dominator_tree::DominatorTree;
use super::growth::Growth;
use super::histogram::Histogram;
use super::leaks::Leaks;
use super::merged_paths::MergedPaths;
use super::object::Inspector;
use super::objects::Objects;
use super::overview::OverviewPage;
use super::page::ViewPage;
use super::paths::Paths;
use super::picture::chart_pane::Charted;
use super::picture::classes::Classes;
use super::picture::dominators::Dominators;
use super::query::QueryPage;
use super::related::RelatedObjects;
use super::report::{Report, kinds};
use super::route::Route;
use crate::ui::layout::Layout;
use crate::ui::{View, ViewContext, ViewState};
use crate::view::chart::Mode;
use crate::view::for_each_view;

/// The views of a tab, and the panes beside them. Views that other code needs by their type are fields.
#[derive(Default)]
pub struct Views {
    /// Overview.
    pub overview: OverviewPage,
    /// Leaks.
    pub leaks: Leaks,
    /// Path between two objects.
    pub route: Route,
    /// Dominator tree.
    pub dominators: Charted<DominatorTree, Dominators>,
    /// Growth, in a comparison.
    pub growth: Growth,
    histogram: Charted<Histogram, Classes>,
    objects: Objects,
    /// Right pane: details of the selected object.
    pub inspector: Inspector,
    /// Left pane: path to the GC root.
    pub paths: Paths,
    /// Merged paths to many objects.
    pub merged: MergedPaths,
    /// Objects related to a set.
    pub related: RelatedObjects,
    /// SQL over the dump.
    pub query: QueryPage,
    /// The other views that were shown.
    others: BTreeMap<View, Box<dyn ViewPage>>,
}

macro_rules! pages {
    ($($view:ident $info:tt needs $needs:ident, keys $keys:tt, page $page:tt;)*) => {
        impl Views {
            /// Page of a view; `None` if it was never shown.
            fn page(&self, view: View) -> Option<&dyn ViewPage> {
                match view {
                    $(View::$view => page!(shared self view $page)),*
                }
            }

            /// The same, mutable.
            fn page_mut(&mut self, view: View) -> Option<&mut (dyn ViewPage + 'static)> {
                match view {
                    $(View::$view => page!(mutable self view $page)),*
                }
            }
        }

        /// A new page of a view that is not a field of [`Views`].
        fn new_page(view: View) -> Option<Box<dyn ViewPage>> {
            match view {
                $(View::$view => page!(new $page)),*
            }
        }
    };
}

macro_rules! page {
    (shared $self:ident $view:ident [$field:ident]) => {
        Some(&$self.$field)
    };
    (shared $self:ident $view:ident ($new:expr)) => {
        $self.others.get(&$view).map(Box::as_ref)
    };
    (mutable $self:ident $view:ident [$field:ident]) => {
        Some(&mut $self.$field)
    };
    (mutable $self:ident $view:ident ($new:expr)) => {
        $self.others.get_mut(&$view).map(Box::as_mut)
    };
    (new [$field:ident]) => {
        None
    };
    (new ($new:expr)) => {
        Some(Box::new($new))
    };
}

for_each_view!(pages);

impl Views {
    /// Takes over finished results, also of hidden parts.
    pub fn tick(&mut self, context: &mut ViewContext<'_>) {
        self.paths.tick(context);
        self.inspector.tick();
        for view in View::ALL {
            if let Some(page) = self.page_mut(view) {
                page.tick(context);
            }
        }
    }

    /// Name of the cut in the selected row of a view, if its rows are cuts.
    pub fn cut_text(&self, view: View) -> Option<String> {
        self.page(view)?.cut_text()
    }

    /// Called when the baseline changes: growth is evidence for leaks.
    pub fn invalidate_leaks(&mut self) {
        self.leaks.compare_again();
        self.overview.look_again();
    }

    /// Filters the object list as the view does from which it is opened: by the heap of the histogram, by the new
    /// objects of growth.
    pub fn filter_objects_like(&mut self, view: View) {
        let heap = self.histogram.view.heap().filter(|_| view == View::Histogram);
        self.objects.choose_heap(heap);
        self.objects.want_new(view == View::Growth);
    }

    /// Draws the current view.
    pub fn main_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let view = context.location.view;
        if view == View::Overview {
            self.leaks.trace_early(context);
            self.overview.take_leaks(self.leaks.report(), context.rules);
        }
        self.prepare(view);
        if let Some(page) = self.page_mut(view) {
            page.ui(ui, context);
        }
    }

    /// Makes the page of a view, unless there is one.
    fn prepare(&mut self, view: View) {
        if self.page(view).is_none()
            && let Some(page) = new_page(view)
        {
            self.others.insert(view, page);
        }
    }

    /// True while a job of `view` or of the panes beside it is running, or before the view was first shown.
    pub fn is_running(&self, view: View, panes: bool) -> bool {
        self.page(view).is_none_or(ViewPage::is_running)
            || view == View::Overview && self.leaks.is_tracing()
            || panes && (self.inspector.is_running() || self.paths.is_running())
    }

    /// State of a view, for later restoring.
    pub fn view_state(&self, view: View) -> Option<ViewState> {
        self.page(view)?.view_state()
    }

    /// Restores the state of a view.
    pub fn restore(&mut self, view: View, view_state: &ViewState) {
        self.page_mut(view).into_iter().for_each(|page| page.restore(view_state));
    }

    /// Display mode of a view that has a choice: table, chart or both.
    pub fn picture_mode(&mut self, view: View) -> Option<&mut Mode> {
        self.page_mut(view)?.picture_mode()
    }

    /// Layout of the views.
    pub fn layout(&mut self) -> Layout {
        Layout {
            dominators: self.dominators.chart.shown,
            histogram: self.histogram.chart.shown,
            tree: self.dominators.view.form().into(),
            weakest: self.paths.weakest(),
            leaks_folded: Some(self.leaks.folded()),
        }
    }

    /// Applies a saved layout to a new tab.
    pub fn lay_out(&mut self, layout: &Layout) {
        self.dominators.chart.shown = layout.dominators;
        self.histogram.chart.shown = layout.histogram;
        self.dominators.view.begin_with(layout.tree.into());
        self.paths.put_weakest(layout.weakest);
        layout.leaks_folded.iter().for_each(|folded| self.leaks.put_folded(folded));
    }

    /// States of all views that were shown.
    pub fn view_states(&self) -> Vec<(View, ViewState)> {
        View::ALL.into_iter().filter_map(|view| Some((view, self.view_state(view)?))).collect()
    }

    /// Restores the states of views, also of those that were not shown yet.
    pub fn restore_all(&mut self, states: &[(View, ViewState)]) {
        for (view, state) in states {
            self.prepare(*view);
            self.restore(*view, state);
        }
    }

    /// Begins with the filters, orders and tables of the views of another heap of the same objects.
    pub fn begin_like(&mut self, others: &Self) {
        self.restore_all(&others.view_states());
    }
}
