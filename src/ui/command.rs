//! Commands: what views, keys, menus, links and the palette request from the window. Drawing code never changes the
//! window itself.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::ColorImage;

use super::export_content::ExportContent;
use super::location::DumpKey;
use super::page_kind::PageKind;
use super::panes::Pane;
use super::verb::Verb;
use heaplens_analysis::{Cut, LeakFinding};
use heaplens_heap::{ClassId, ObjectId};
use heaplens_session::cuts::Fix;
use heaplens_session::{UserVerdict, VerdictTargets};
use heaplens_tables::RowTarget;
use heaplens_tables::diff::DiffRows as DiffTable;
use heaplens_tables::export::copy::Clip;

/// A requested action. Objects and classes are row numbers of the dump that was drawn: a command about them is dropped
/// if that dump is not open any more.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Run an action of the table of actions on a target.
    Do(Verb, Target),
    /// Select what a row of a dump names.
    Select(DumpKey, RowTarget, SelectedBy),
    /// Remove references of a dump as one step; put them back if all of them are removed.
    Cut(DumpKey, Vec<Cut>),
    /// Remove what a name of a cut means in a dump.
    CutNamed(DumpKey, String),
    /// Put all removed references back.
    ClearCuts,
    /// Undo the last change of the removals of a dump, or redo it.
    UndoRemovals(DumpKey, bool),
    /// Switch a removal of the list on or off.
    SwitchCut(DumpKey, usize, bool),
    /// Save the note of a removal of the list.
    NoteCut(DumpKey, usize, String),
    /// Name the fix that the removals of a dump form.
    NameFix(DumpKey, String),
    /// Save the removals of a dump to a file.
    SaveFix(DumpKey, PathBuf),
    /// Apply the fix in a file to the current dump.
    ReadFix(PathBuf),
    /// Apply a fix to a dump.
    ApplyFix(DumpKey, Box<Fix>),
    /// Show the heap after the removals, or the dump.
    ShowAfter(DumpKey, bool),
    /// Save a note about an object of a dump.
    WriteNote(DumpKey, ObjectId, String),
    /// Show a query over a dump and run it.
    ShowQuery(DumpKey, String),
    /// Export content of a dump to a file; the string names it.
    Export(DumpKey, Box<ExportContent>, String),
    /// Open files; of several dumps, compare the oldest with the newest once all are open.
    Open(Vec<PathBuf>),
    /// Open the place that a link names.
    OpenLink(String),
    /// Open a dump that was taken of a running process, and compare it with an earlier one.
    OpenTaken {
        /// The dump.
        dump: PathBuf,
        /// The earlier dump of the process.
        before: Option<PathBuf>,
    },
    /// Open a dump of the fleet at a leak: its file, and the fingerprint of the finding.
    OpenFinding(PathBuf, String),
    /// Apply a mapping file to the current dump.
    UseMapping(PathBuf),
    /// Star the objects of the current dump that a KOOM report names.
    ReadReport(PathBuf),
    /// Read what is known of the process of the current dump.
    ReadRecord(PathBuf),
    /// Compare two open dumps; the older one is the baseline.
    Compare(DumpKey, DumpKey),
    /// Restart a cancelled comparison.
    CompareAgain(DumpKey),
    /// Show a table of the comparison.
    ShowGrowth(DiffTable),
    /// Switch to the tab of a dump.
    ShowTab(DumpKey),
    /// Show a page that belongs to no dump.
    ShowPage(PageKind),
    /// Reopen the file of a tab.
    Reopen(DumpKey),
    /// Hide the message about the file of a tab.
    HideBanner(DumpKey),
    /// Go back by this number of locations.
    Back(usize),
    /// Go forward by this number of locations.
    Forward(usize),
    /// Show or hide a side pane.
    Toggle(Pane),
    /// Ask for a verdict on one of these targets.
    SetVerdict(Box<VerdictTargets>),
    /// Save a verdict of the user.
    AddVerdict(Box<UserVerdict>),
    /// Remember a query that had an answer.
    RememberQuery(String),
    /// Save a query under a name.
    SaveQuery(String, String),
    /// Delete the saved query with a name.
    ForgetQuery(String),
    /// Copy a text; the second string names it in messages.
    Copy(String, String),
    /// Copy objects or rows in the selected format.
    CopyClip(Box<Clip>),
    /// Copy an image; the string names it in messages.
    CopyPicture(Arc<ColorImage>, String),
    /// Go this number of steps forward in the tour, or back.
    StepTour(isize),
    /// End the tour.
    EndTour,
    /// Show a message about a finished action.
    Done(String),
    /// Show a hint that disappears by itself.
    Hint(String),
    /// Show a warning that stays until it is dismissed.
    Warn(String),
}

/// What an action applies to.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// What is selected at the current location.
    Selection,
    /// Object or class that a row, a link or a text of a dump names, independent of the selection.
    Row(DumpKey, RowTarget),
    /// Leak finding of a dump with this fingerprint; the object is the one that its title names.
    Finding(DumpKey, Option<ObjectId>, String),
    /// Tab of a dump or of a comparison.
    Tab(DumpKey),
    /// Page that belongs to no dump.
    Page(PageKind),
}

/// How something is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelectedBy {
    /// By a click or a link: a new location of the history.
    Click,
    /// By the keyboard cursor: its steps are one location of the history.
    Cursor,
    /// By the view, as the first selection: no new location of the history.
    View,
}

impl Command {
    /// An action on an object of a dump.
    pub fn on_object(verb: Verb, dump: DumpKey, object: ObjectId) -> Self {
        Self::Do(verb, Target::Row(dump, RowTarget::Object(object)))
    }

    /// An action on a class of a dump.
    pub fn on_class(verb: Verb, dump: DumpKey, class: ClassId) -> Self {
        Self::Do(verb, Target::Row(dump, RowTarget::Class(class)))
    }

    /// An action on a leak finding of a dump.
    pub fn on_finding(verb: Verb, dump: DumpKey, finding: &LeakFinding) -> Self {
        Self::Do(verb, Target::Finding(dump, finding.named_object, finding.fingerprint.clone()))
    }

    /// Selects an object of a dump, as by a click.
    pub fn select(dump: DumpKey, object: ObjectId) -> Self {
        Self::Select(dump, RowTarget::Object(object), SelectedBy::Click)
    }

    /// Command for a double click or Enter on a row, if that has a target: an object is shown in the dominator tree,
    /// the objects of a class are listed.
    pub fn open(dump: DumpKey, target: RowTarget) -> Option<Self> {
        let verb = match target {
            RowTarget::Object(_) | RowTarget::BaselineObject(_) => Verb::ShowInTree,
            RowTarget::Class(_) | RowTarget::BaselineClass(_) => Verb::ObjectsOfClass,
            RowTarget::Group(_) | RowTarget::None => return None,
        };
        Some(Self::Do(verb, Target::Row(dump, target)))
    }
}

impl From<Verb> for Command {
    /// The action on the selection.
    fn from(verb: Verb) -> Self {
        Self::Do(verb, Target::Selection)
    }
}
