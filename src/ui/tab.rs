//! One dump in the window: the dump itself and the views that look at it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use eframe::egui::Ui;

use super::command::Command;
use super::layout::Layout;
use super::marks::{self, Marks};
use super::panes::Pane;
use super::place::{DumpKey, Place, Stance, View};
use super::scene::{Answers, Labels, Scene};
use super::selection::{Selection, Set};
use super::views::copying;
use super::views::dominator_tree::DominatorTree;
use super::views::histogram::Histogram;
use super::views::merged_paths::MergedPaths;
use super::views::notes;
use super::views::object::{Inspect, Inspector};
use super::views::objects::Objects;
use super::views::opening::Opening;
use super::views::overview::OverviewPage;
use super::views::paths::Paths;
use super::views::picture::classes::Classes;
use super::views::picture::dominators::Dominators;
use super::views::picture::mode::Mode;
use super::views::picture::pictured::Pictured;
use super::views::report::{self, Report};
use super::views::stars::Stars;
use crate::analysis::naming::RuntimeClasses;
use crate::analysis::object::neighbour_in_class;
use crate::analysis::paths::ignored::Ignored;
use crate::analysis::paths::merged::Of;
use crate::export::command_line::OpenedAs;
use crate::export::copy::Clip;
use crate::heap::ids::ObjectId;
use crate::session::dump::{Dump, State};
use crate::session::jobs::Jobs;
use crate::session::slot::Slot;

/// A dump and its views.
pub struct Tab {
    /// Its number.
    pub key: DumpKey,
    /// The dump.
    pub dump: Dump,
    /// Which of the tabs of this dump it is, from 1.
    pub copy: usize,
    opened: Arc<OpenedAs>,
    answers: Option<Answers>,
    copying: Slot<Clip>,
    labels: Labels,
    opening: Opening,
    overview: OverviewPage,
    dominators: DominatorTree,
    dominators_picture: Pictured<Dominators>,
    histogram: Histogram,
    histogram_picture: Pictured<Classes>,
    objects: Objects,
    stars: Stars,
    inspector: Inspector,
    paths: Paths,
    merged: MergedPaths,
    /// Those that were looked at.
    reports: BTreeMap<View, Report>,
    selection: Selection,
    /// The object that was stepped from, and the next of its class.
    stepping: Slot<(ObjectId, Option<ObjectId>)>,
}

/// What a tab is drawn within.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Starts work in the background.
    pub jobs: &'a Jobs,
    /// Where the reader is.
    pub place: Place,
    /// Where keys go.
    pub focus: Pane,
    /// Stars and notes.
    pub marks: &'a Marks,
}

/// What is to be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum What {
    /// The selected rows.
    #[default]
    Rows,
    /// The path to the object.
    Path,
    /// The object as a whole.
    Object,
    /// The rows of the inspector.
    Inside,
}

impl What {
    /// All, as they are offered.
    pub const ALL: [Self; 4] = [Self::Rows, Self::Path, Self::Object, Self::Inside];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "Rows",
            Self::Path => "Path",
            Self::Object => "Object",
            Self::Inside => "Inspector",
        }
    }
}

/// What a frame asks of a tab beside drawing it.
#[derive(Debug, Default, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own, for this frame alone")]
pub struct Asked {
    /// Type into the filter.
    pub focus_filter: bool,
    /// Look for a row.
    pub find: bool,
    /// Show something in the inspector.
    pub inspect: Option<Inspect>,
    /// Copy something.
    pub copy: Option<What>,
    /// Export the table.
    pub export: bool,
    /// Show the rows in the next way.
    pub picture: bool,
    /// Go to where what the chosen object holds accumulates.
    pub accumulation_point: bool,
}

impl Tab {
    /// A tab for a dump, and how it was opened.
    pub fn new(key: DumpKey, dump: Dump, opened: OpenedAs) -> Self {
        Self {
            key,
            dump,
            copy: 1,
            opened: Arc::new(opened),
            copying: Slot::default(),
            answers: None,
            labels: Labels::default(),
            opening: Opening::default(),
            overview: OverviewPage::default(),
            dominators: DominatorTree::default(),
            dominators_picture: Pictured::default(),
            histogram: Histogram::default(),
            histogram_picture: Pictured::default(),
            objects: Objects::default(),
            stars: Stars::default(),
            inspector: Inspector::default(),
            paths: Paths::default(),
            merged: MergedPaths::default(),
            reports: BTreeMap::new(),
            selection: Selection::default(),
            stepping: Slot::default(),
        }
    }

    /// The name on the tab.
    pub fn name(&self) -> String {
        let name = file_name(self.dump.path());
        if self.copy > 1 { format!("{name} ({})", self.copy) } else { name }
    }

    /// By which name and rules it is opened.
    pub fn opened(&self) -> &OpenedAs {
        &self.opened
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
            let identity = marks::identity(&heap, analyzed).into();
            let (analyzed, opened) = (analyzed.clone(), self.opened.clone());
            self.answers = Some(Answers {
                heap,
                contents,
                analyzed,
                remarks,
                opened_from,
                identity,
                opened,
                runtime_classes: self.dump.runtime_classes().clone(),
                name_index: Arc::default(),
            });
        }
    }

    /// Draws the page of a dump that is not open to the end.
    pub fn opening_ui(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        self.opening.ui(ui, &self.dump, self.key, commands);
    }

    /// Runs `draw` with the scene and the views of a dump that is open.
    pub fn scene<R>(
        &mut self,
        around: Around<'_>,
        asked: Asked,
        commands: &mut Vec<Command>,
        draw: impl FnOnce(&mut Views<'_>, &mut Scene<'_>) -> R,
    ) -> Option<R> {
        let Around { jobs, place, focus, marks } = around;
        let answers = self.answers.as_ref()?;
        self.labels.tick(answers, jobs);
        self.selection.poll(answers, jobs);
        let mut scene = Scene {
            answers,
            jobs,
            labels: &mut self.labels,
            place,
            commands,
            focus_filter: asked.focus_filter,
            find: asked.find,
            selection: &mut self.selection,
            focus,
            marks,
            inspect: asked.inspect,
            copy_rows: asked.copy == Some(What::Rows),
            export: asked.export,
            copying: &mut self.copying,
        };
        if scene.copying.poll()
            && let Some(clip) = scene.copying.take()
        {
            scene.push(Command::CopyClip(Box::new(clip)));
        }
        if let Some(object) = place.object.filter(|_| asked.copy == Some(What::Object)) {
            copying::object(&mut scene, object);
        }
        match asked.copy {
            Some(What::Path) => self.paths.copy(),
            Some(What::Inside) => self.inspector.copy(),
            Some(What::Rows | What::Object) | None => {}
        }
        if asked.picture
            && let Some(mode) = picture_mode(place.view, &mut self.dominators_picture, &mut self.histogram_picture)
        {
            *mode = mode.next();
        }
        if asked.accumulation_point {
            self.dominators.show_accumulation_point();
        }
        self.paths.tick(&mut scene);
        self.inspector.tick();
        self.overview.tick(&mut scene);
        let mut views = Views {
            path: self.dump.path(),
            overview: &mut self.overview,
            dominators: &mut self.dominators,
            dominators_picture: &mut self.dominators_picture,
            histogram: &mut self.histogram,
            histogram_picture: &mut self.histogram_picture,
            objects: &mut self.objects,
            stars: &mut self.stars,
            reports: &mut self.reports,
            inspector: &mut self.inspector,
            paths: &mut self.paths,
            merged: &mut self.merged,
        };
        let drawn = draw(&mut views, &mut scene);
        if !scene.selection.take_said() {
            let set = match (place.view, place.class, place.object) {
                (View::Histogram, Some(class), _) => Set::Class(class),
                (view, _, Some(object)) if view.is_about_objects() => Set::Object(object),
                _ => Set::Nothing,
            };
            scene.selection.put(set, answers, jobs);
        }
        Some(drawn)
    }

    /// How a view stands, to stand so again when somebody comes back.
    pub fn stance(&self, view: View) -> Option<Stance> {
        match view {
            View::Dominators => Some(self.dominators.stance()),
            View::Histogram => Some(self.histogram.stance()),
            View::Objects => Some(self.objects.stance()),
            report => self.reports.get(&report).map(Report::stance),
        }
    }

    /// Puts a view as it stood.
    pub fn stand(&mut self, view: View, stance: &Stance) {
        match view {
            View::Dominators => self.dominators.stand(stance),
            View::Histogram => self.histogram.stand(stance),
            View::Objects => self.objects.stand(stance),
            report => {
                if let Some(report) = self.reports.get_mut(&report) {
                    report.stand(stance);
                }
            }
        }
    }

    /// What is selected.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Searches for what the selected objects retain together.
    pub fn search_selection(&mut self, jobs: &Jobs) {
        if let Some(answers) = &self.answers {
            self.selection.search(answers, jobs);
        }
    }

    /// Looks for the next object of the class of `object`, or the one before.
    pub fn step_of_class(&mut self, jobs: &Jobs, object: ObjectId, forwards: bool) {
        let Some(answers) = self.answers.clone() else { return };
        self.stepping.ask(jobs, "next object of the class", move |task| {
            Ok((object, neighbour_in_class(&answers.heap, &answers.analyzed, object, forwards, task)?))
        });
    }

    /// What was found by the last such step, once.
    pub fn stepped(&mut self) -> Option<(ObjectId, Option<ObjectId>)> {
        self.stepping.poll();
        self.stepping.take()
    }

    /// The label of an object if it is known; else it is asked for.
    pub fn label(&mut self, object: ObjectId) -> Option<&str> {
        self.labels.of(object)
    }

    /// The name of an object without addresses if it is known; else it is asked for.
    pub fn object_name(&mut self, object: ObjectId) -> Option<&str> {
        self.labels.name(object)
    }

    /// Other rules say from now on which classes are not the application's.
    pub fn put_runtime_classes(&mut self, rules: &Arc<RuntimeClasses>) {
        self.dump.put_runtime_classes(rules.clone());
        if let Some(answers) = &mut self.answers {
            // Names and owners that were told by the rules before are gathered anew.
            answers.runtime_classes = rules.clone();
            answers.name_index = Arc::default();
            self.labels = Labels::default();
        }
    }

    /// How the rows of a view are shown, where there is a choice: as a table, a picture, both.
    pub fn picture_mode(&mut self, view: View) -> Option<&mut Mode> {
        picture_mode(view, &mut self.dominators_picture, &mut self.histogram_picture)
    }

    /// How the views are arranged.
    pub fn layout(&mut self) -> Layout {
        Layout {
            dominators: self.dominators_picture.shown,
            histogram: self.histogram_picture.shown,
            tree: self.dominators.form().into(),
            weakest: self.paths.weakest(),
            tree_columns: self.dominators.table().widths().to_vec(),
            histogram_columns: self.histogram.table().widths().to_vec(),
            object_columns: self.objects.table().widths().to_vec(),
        }
    }

    /// Arranges the views of a tab that is new.
    pub fn lay_out(&mut self, layout: &Layout) {
        self.dominators_picture.shown = layout.dominators;
        self.histogram_picture.shown = layout.histogram;
        self.dominators.begin_with(layout.tree.into());
        self.paths.put_weakest(layout.weakest);
        self.dominators.table().put_widths(&layout.tree_columns);
        self.histogram.table().put_widths(&layout.histogram_columns);
        self.objects.table().put_widths(&layout.object_columns);
    }

    /// Shows the merged paths of these objects when that view is next drawn.
    pub fn merge_paths(&mut self, of: Of) {
        self.merged.show(of);
    }

    /// Has the held-by pane show the next path.
    pub fn more_paths(&mut self) {
        self.paths.more();
    }

    /// Has the held-by pane leave a reference out.
    pub fn ignore(&mut self, ignored: Ignored) {
        self.paths.ignore(ignored);
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
            View::Dominators => self.dominators_picture.is_running(self.dominators.is_running()),
            View::Histogram => self.histogram_picture.is_running(self.histogram.is_running()),
            View::Objects => self.objects.is_running(),
            View::Paths => self.merged.is_running(),
            View::Stars => self.stars.is_running(),
            View::Notes => false,
            report => self.reports.get(&report).is_none_or(Report::is_running),
        };
        main || self.labels.is_running()
            || self.selection.is_running()
            || self.stepping.is_running()
            || self.copying.is_running()
            || (panes && (self.inspector.is_running() || self.paths.is_running()))
    }
}

fn picture_mode<'a>(
    view: View,
    dominators: &'a mut Pictured<Dominators>,
    histogram: &'a mut Pictured<Classes>,
) -> Option<&'a mut Mode> {
    match view {
        View::Dominators => Some(&mut dominators.shown.mode),
        View::Histogram => Some(&mut histogram.shown.mode),
        _ => None,
    }
}

/// The views of a tab.
pub struct Views<'a> {
    path: &'a Path,
    overview: &'a mut OverviewPage,
    dominators: &'a mut DominatorTree,
    dominators_picture: &'a mut Pictured<Dominators>,
    histogram: &'a mut Histogram,
    histogram_picture: &'a mut Pictured<Classes>,
    objects: &'a mut Objects,
    stars: &'a mut Stars,
    reports: &'a mut BTreeMap<View, Report>,
    merged: &'a mut MergedPaths,
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
            View::Dominators => {
                if !self.dominators_picture.shown.mode.has_table() {
                    self.dominators.unseen(scene);
                }
                self.dominators_picture.ui(ui, scene, |ui, scene| self.dominators.ui(ui, scene));
            }
            View::Histogram => self.histogram_picture.ui(ui, scene, |ui, scene| self.histogram.ui(ui, scene)),
            View::Objects => self.objects.ui(ui, scene),
            View::Stars => self.stars.ui(ui, scene),
            View::Paths => self.merged.ui(ui, scene),
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
