//! One dump in the window: the dump itself and the views that look at it.

use std::collections::BTreeMap;
use std::path::Path;

use eframe::egui::Ui;

use super::command::Command;
use super::place::{DumpKey, Place, View};
use super::scene::{Answers, Labels, Scene};
use super::views::dominator_tree::DominatorTree;
use super::views::histogram::Histogram;
use super::views::notes;
use super::views::object::Inspector;
use super::views::objects::Objects;
use super::views::opening::Opening;
use super::views::overview::OverviewPage;
use super::views::paths::Paths;
use super::views::report::{self, Report};
use crate::session::dump::{Dump, State};
use crate::session::jobs::Jobs;

/// A dump and its views.
pub struct Tab {
    /// Its number.
    pub key: DumpKey,
    /// The dump.
    pub dump: Dump,
    answers: Option<Answers>,
    labels: Labels,
    opening: Opening,
    overview: OverviewPage,
    dominators: DominatorTree,
    histogram: Histogram,
    objects: Objects,
    inspector: Inspector,
    paths: Paths,
    /// Those that were looked at.
    reports: BTreeMap<View, Report>,
}

/// What a frame asks of a tab beside drawing it.
#[derive(Debug, Default, Clone, Copy)]
pub struct Asked {
    /// Type into the filter.
    pub focus_filter: bool,
    /// Copy the selected rows.
    pub copy_rows: bool,
    /// Copy the path.
    pub copy_path: bool,
}

impl Tab {
    /// A tab for a dump.
    pub fn new(key: DumpKey, dump: Dump) -> Self {
        Self {
            key,
            dump,
            answers: None,
            labels: Labels::default(),
            opening: Opening::default(),
            overview: OverviewPage::default(),
            dominators: DominatorTree::default(),
            histogram: Histogram::default(),
            objects: Objects::default(),
            inspector: Inspector::default(),
            paths: Paths::default(),
            reports: BTreeMap::new(),
        }
    }

    /// The name on the tab.
    pub fn name(&self) -> String {
        file_name(self.dump.path())
    }

    /// Everything, once the dump is open to the end.
    pub fn answers(&self) -> Option<&Answers> {
        self.answers.as_ref()
    }

    /// Whether the dump is still being opened.
    pub fn is_opening(&self) -> bool {
        *self.dump.state() == State::Opening
    }

    /// Takes in what has arrived.
    pub fn poll(&mut self) {
        self.dump.poll();
        if self.answers.is_none()
            && *self.dump.state() == State::Ready
            && let (Some(facts), Some(analyzed)) = (self.dump.facts(), self.dump.analyzed())
        {
            let (heap, contents) = (facts.heap.clone(), facts.contents.clone());
            let remarks = self.dump.remarks().into();
            let opened_from = match facts.stored {
                None => "the dump",
                Some(_) if self.dump.is_of_its_own() => "a stored analysis without its dump: values are not available",
                Some(_) => "the stored analysis of an earlier open",
            };
            self.answers = Some(Answers { heap, contents, analyzed: analyzed.clone(), remarks, opened_from });
        }
    }

    /// Draws the page of a dump that is not open to the end.
    pub fn opening_ui(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        self.opening.ui(ui, &self.dump, self.key, commands);
    }

    /// Runs `draw` with the scene and the views of a dump that is open.
    pub fn scene<R>(
        &mut self,
        jobs: &Jobs,
        place: Place,
        asked: Asked,
        commands: &mut Vec<Command>,
        draw: impl FnOnce(&mut Views<'_>, &mut Scene<'_>) -> R,
    ) -> Option<R> {
        let answers = self.answers.as_ref()?;
        self.labels.tick(answers, jobs);
        let mut scene = Scene {
            answers,
            jobs,
            labels: &mut self.labels,
            place,
            commands,
            focus_filter: asked.focus_filter,
            copy_rows: asked.copy_rows,
        };
        if asked.copy_path {
            self.paths.copy();
        }
        self.paths.tick(&mut scene);
        self.inspector.tick();
        self.overview.tick(&mut scene);
        let mut views = Views {
            path: self.dump.path(),
            overview: &mut self.overview,
            dominators: &mut self.dominators,
            histogram: &mut self.histogram,
            objects: &mut self.objects,
            reports: &mut self.reports,
            inspector: &mut self.inspector,
            paths: &mut self.paths,
        };
        Some(draw(&mut views, &mut scene))
    }

    /// Writes the overview to a file that is asked for.
    pub fn export_overview(&mut self, jobs: &Jobs) {
        if let Some(answers) = &self.answers {
            self.overview.export(answers, jobs, self.dump.path());
        }
    }

    /// Whether anything is still being worked out for `view`.
    pub fn is_busy(&self, view: View, panes: bool) -> bool {
        match self.dump.state() {
            State::Opening => return true,
            State::Failed(_) | State::Cancelled => return false,
            State::Ready => {}
        }
        let main = match view {
            View::Overview => self.overview.is_running(),
            View::Dominators => self.dominators.is_running(),
            View::Histogram => self.histogram.is_running(),
            View::Objects => self.objects.is_running(),
            View::Notes => false,
            report => self.reports.get(&report).is_none_or(Report::is_running),
        };
        main || self.labels.is_running() || (panes && (self.inspector.is_running() || self.paths.is_running()))
    }
}

/// The views of a tab.
pub struct Views<'a> {
    path: &'a Path,
    overview: &'a mut OverviewPage,
    dominators: &'a mut DominatorTree,
    histogram: &'a mut Histogram,
    objects: &'a mut Objects,
    reports: &'a mut BTreeMap<View, Report>,
    /// The right pane.
    pub inspector: &'a mut Inspector,
    /// The left pane.
    pub paths: &'a mut Paths,
}

impl Views<'_> {
    /// Draws the view of the place.
    pub fn main_ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        match scene.place.view {
            View::Overview => self.overview.ui(ui, scene, self.path),
            View::Dominators => self.dominators.ui(ui, scene),
            View::Histogram => self.histogram.ui(ui, scene),
            View::Objects => self.objects.ui(ui, scene),
            View::Notes => notes::ui(ui, scene),
            view => {
                if let Some(kind) = report::of(view) {
                    self.reports.entry(view).or_insert_with(|| Report::new(kind)).ui(ui, scene);
                }
            }
        }
    }
}

/// The last part of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
