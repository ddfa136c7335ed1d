//! One dump in the window: the dump itself and the views that look at it.

use std::path::Path;
use std::sync::Arc;

use eframe::egui::Ui;

use super::baseline::Comparing;
use super::command::Command;
use super::cuts::Cuts;
use super::file_dialog::FileDialogs;
use super::location::{DumpKey, Location, NamedLocation, View};
use super::marks::{self, Marks};
use super::panes::Pane;
use super::selection::{ObjectSet, Selection};
use super::view_context::{Labels, OpenDump, ViewContext};
use super::view_selection::ViewSelections;
use super::views::all::Views;
use super::views::copying;
use super::views::object::Inspect;
use super::views::opening::Opening;
use crate::analysis::android::bitmaps;
use crate::analysis::leaks::next_instance;
use crate::analysis::object::neighbour_in_class;
use crate::analysis::runtime_classes::RuntimeClasses;
use crate::export::command_line::OpenedAs;
use crate::export::copy::Clip;
use crate::heap::ids::ObjectId;
use crate::session::dump::{Dump, State};
use crate::session::jobs::Jobs;
use crate::session::leaks::LeakRules;
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
    answers: Option<OpenDump>,
    comparing: Option<Comparing>,
    copying: Slot<Clip>,
    labels: Labels,
    opening: Opening,
    /// What looks at the dump.
    pub views: Views,
    selection: Selection,
    /// What each view had selected when it was left.
    pub selections: ViewSelections,
    /// References that are cut.
    pub cuts: Cuts,
    /// Where to go once the dump is open.
    pub awaited: Option<NamedLocation>,
    /// What there is to say of its file since it was opened.
    pub banner: Option<String>,
    /// The object that was stepped from, and the next of its class.
    stepping: Slot<(ObjectId, Option<ObjectId>)>,
}

/// What a tab is drawn within.
#[derive(Clone, Copy)]
pub struct TabContext<'a> {
    /// Starts work in the background.
    pub jobs: &'a Jobs,
    /// Where the reader is.
    pub place: Location,
    /// Where keys go.
    pub focus: Pane,
    /// Stars and notes.
    pub marks: &'a Marks,
    /// What is normal, and what the user says of leaks.
    pub rules: &'a Arc<LeakRules>,
    /// The user's list of references of Android that are known to leak.
    pub known_leaks: Option<&'a Path>,
}

/// What is to be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CopyTarget {
    /// The selected rows.
    #[default]
    Rows,
    /// The path to the object.
    Path,
    /// The object as a whole.
    Object,
    /// The rows of the inspector.
    Inside,
    /// All leaks of a dump of Android.
    Report,
}

impl CopyTarget {
    /// Those that are offered side by side.
    pub const ALL: [Self; 4] = [Self::Rows, Self::Path, Self::Object, Self::Inside];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "Rows",
            Self::Path => "Path",
            Self::Object => "Object",
            Self::Inside => "Inspector",
            Self::Report => "Report",
        }
    }
}

/// What a frame asks of a tab beside drawing it.
#[derive(Debug, Default, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own, for this frame alone")]
pub struct TabRequests {
    /// Type into the filter.
    pub focus_filter: bool,
    /// Look for a row.
    pub find: bool,
    /// Show something in the inspector.
    pub inspect: Option<Inspect>,
    /// Copy something.
    pub copy: Option<CopyTarget>,
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
            comparing: None,
            labels: Labels::default(),
            opening: Opening::default(),
            views: Views::default(),
            selection: Selection::default(),
            selections: ViewSelections::default(),
            cuts: Cuts::default(),
            awaited: None,
            banner: None,
            stepping: Slot::default(),
        }
    }

    /// The name on the tab.
    pub fn name(&self) -> String {
        let name = match &self.comparing {
            Some(comparing) => {
                let [before, after] = [comparing.dump(), &self.dump].map(|dump| short_name(dump.path()));
                format!("{before} ⇄ {after}")
            }
            None => file_name(self.dump.path()),
        };
        if self.copy > 1 { format!("{name} ({})", self.copy) } else { name }
    }

    /// By which name and rules it is opened.
    pub fn opened(&self) -> &OpenedAs {
        &self.opened
    }

    /// Everything, once the dump is open to the end.
    pub fn answers(&self) -> Option<&OpenDump> {
        self.answers.as_ref()
    }

    /// The comparison with the dump before, in a tab that compares.
    pub fn comparing(&self) -> Option<&Comparing> {
        self.comparing.as_ref()
    }

    /// The same, to ask for it or give it up.
    pub fn comparing_mut(&mut self) -> Option<&mut Comparing> {
        self.comparing.as_mut()
    }

    /// Makes it a tab that compares.
    pub fn compare(&mut self, comparing: Comparing) {
        if let Some(answers) = &mut self.answers {
            answers.baseline = comparing.done().cloned();
        }
        self.comparing = Some(comparing);
    }

    /// Whether it is another dump than that of `other`, open to the end.
    pub fn can_be_compared_with(&self, other: &Self) -> bool {
        let is_dump = |tab: &Self| tab.answers.is_some() && tab.comparing.is_none();
        is_dump(self) && is_dump(other) && self.dump.path() != other.dump.path()
    }

    /// Whether the stored analysis of a dump it looks at was found damaged.
    pub fn is_damaged(&self) -> bool {
        self.dump.is_damaged() || self.comparing.as_ref().is_some_and(|comparing| comparing.dump().is_damaged())
    }

    /// Whether the dump is still being opened.
    pub fn is_opening(&self) -> bool {
        *self.dump.state() == State::Opening
    }

    /// Takes in what has arrived.
    pub fn poll(&mut self) {
        self.dump.poll();
        self.cuts.poll();
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
            let bitmaps = bitmaps::count(&heap, &analyzed);
            let is_recording = contents.has_samples();
            self.answers = Some(OpenDump {
                heap,
                contents,
                analyzed,
                facts: facts.clone(),
                remarks,
                opened_from,
                identity,
                opened,
                runtime_classes: self.dump.runtime_classes().clone(),
                bitmaps,
                is_recording,
                name_index: Arc::default(),
                baseline: None,
                over_time: None,
            });
        }
        if let (Some(comparing), Some(answers)) = (&mut self.comparing, &mut self.answers)
            && comparing.poll()
        {
            answers.baseline = comparing.done().cloned();
            answers.over_time = comparing.over_time().cloned();
        }
    }

    /// Draws the page of a dump that is not open to the end.
    pub fn opening_ui(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        self.opening.ui(ui, &self.dump, self.key, commands);
    }

    /// Runs `draw` with the scene and the views of a dump that is open.
    pub fn scene<R>(
        &mut self,
        around: TabContext<'_>,
        asked: TabRequests,
        commands: &mut Vec<Command>,
        draw: impl FnOnce(&mut Views, &mut ViewContext<'_>) -> R,
    ) -> Option<R> {
        let TabContext { jobs, place, focus, marks, rules, known_leaks } = around;
        let answers = self.answers.as_ref()?;
        self.labels.tick(answers, jobs);
        self.selection.poll(answers, jobs);
        let mut scene = ViewContext {
            answers,
            path: self.dump.path(),
            jobs,
            labels: &mut self.labels,
            place,
            commands,
            focus_filter: asked.focus_filter,
            find: asked.find,
            selection: &mut self.selection,
            focus,
            marks,
            rules,
            known_leaks,
            cuts: &self.cuts,
            inspect: asked.inspect,
            copy_rows: asked.copy == Some(CopyTarget::Rows),
            export: asked.export,
            copying: &mut self.copying,
            comparing: self.comparing.as_ref(),
        };
        if scene.copying.poll()
            && let Some(clip) = scene.copying.take()
        {
            scene.push(Command::CopyClip(Box::new(clip)));
        }
        if let Some(object) = place.object.filter(|_| asked.copy == Some(CopyTarget::Object)) {
            copying::object(&mut scene, object);
        }
        match asked.copy {
            Some(CopyTarget::Path) => self.views.paths.copy(place.object),
            Some(CopyTarget::Inside) => self.views.inspector.copy(place.object),
            Some(CopyTarget::Report) => self.views.leaks.copy_report(),
            Some(CopyTarget::Rows | CopyTarget::Object) | None => {}
        }
        if asked.picture
            && let Some(mode) = self.views.picture_mode(place.view)
        {
            *mode = mode.next();
        }
        if asked.accumulation_point {
            self.views.dominators.show_accumulation_point();
        }
        scene.selection.look_at(place.view);
        self.views.tick(&mut scene);
        let drawn = draw(&mut self.views, &mut scene);
        if !scene.selection.take_said() {
            let set = match (place.view, place.class, place.object) {
                (View::Histogram, Some(class), _) => ObjectSet::Class(class),
                (view, _, Some(object)) if view.is_about_objects() => ObjectSet::Object(object),
                _ => ObjectSet::Nothing,
            };
            scene.selection.put(set, answers, jobs);
        }
        Some(drawn)
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

    /// Has the cuts changed, and their answer asked for.
    pub fn cut(&mut self, jobs: &Jobs, change: impl FnOnce(&mut Cuts, &OpenDump, &Jobs)) {
        if let Some(answers) = &self.answers {
            change(&mut self.cuts, answers, jobs);
        }
    }

    /// Looks for the next object of the class of `object`, or the one before.
    pub fn step_of_class(&mut self, jobs: &Jobs, object: ObjectId, forwards: bool) {
        let Some(answers) = self.answers.clone() else { return };
        self.stepping.ask(jobs, "next object of the class", move |task| {
            Ok((object, neighbour_in_class(&answers.heap, &answers.analyzed, object, forwards, task)?))
        });
    }

    /// Looks for the next object of what accumulates in the chosen finding, or the one before; says whether there is
    /// such a finding.
    pub fn step_in_finding(&mut self, jobs: &Jobs, object: ObjectId, forwards: bool) -> bool {
        let finding = self.views.leaks.chosen().filter(|finding| finding.accumulated.is_some());
        let (Some(finding), Some(answers)) = (finding.cloned(), self.answers.clone()) else { return false };
        self.stepping.ask(jobs, "next object that accumulates", move |task| {
            Ok((object, next_instance(&answers.heap, &answers.analyzed, &finding, object, forwards, task)?))
        });
        true
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
            self.views.overview.look_again();
            self.views.leaks.look_again();
        }
    }

    /// Writes the overview to a file that is asked for.
    pub fn export_overview(&mut self, jobs: &Jobs, rules: &Arc<LeakRules>, dialogs: FileDialogs) {
        if let Some(answers) = &self.answers {
            self.views.overview.export(answers, jobs, rules, dialogs, self.dump.path());
        }
    }

    /// What is still being worked out for `view`, and for the panes beside it if there are any.
    pub fn busy_with(&self, view: View, panes: bool) -> Option<&'static str> {
        match self.dump.state() {
            State::Opening => return Some("opening"),
            State::Failed(_) | State::Cancelled => return None,
            State::Ready => {}
        }
        let parts = [
            (self.views.is_running(view, panes), "the view"),
            (self.labels.is_running(), "names of objects"),
            (self.selection.is_running(), "the selection"),
            (self.cuts.is_running(), "cuts"),
            (self.stepping.is_running(), "the next object of a class"),
            (self.copying.is_running(), "a copy"),
            (self.comparing.as_ref().is_some_and(Comparing::is_running), "the comparison"),
        ];
        parts.into_iter().find_map(|(is_running, what)| is_running.then_some(what))
    }
}

/// The name of a dump without what all dumps end with.
pub fn short_name(path: &Path) -> String {
    let name = file_name(path);
    let short = [".gz", ".hprof", ".heapsnapshot", ".heaptimeline", ".rawheap", ".bin", ".heaplens"]
        .iter()
        .fold(&*name, |name, end| name.strip_suffix(end).unwrap_or(name));
    if short.is_empty() { name } else { short.to_owned() }
}

/// The last part of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
