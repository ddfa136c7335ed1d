//! Commands: actions that views, keys and menus request from the window. Drawing code never changes the window itself.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::ColorImage;

use super::answered_query::AnsweredQuery;
use super::export_content::Findings;
use super::location::{DumpKey, View};
use super::page_kind::PageKind;
use super::panes::Pane;
use super::verb::Verb;
use heaplens_analysis::Cut;
use heaplens_analysis::android::bitmaps::Bitmap;
use heaplens_heap::{ClassId, ObjectId};
use heaplens_session::{UserVerdict, VerdictTargets};
use heaplens_tables::TableQuery;
use heaplens_tables::diff::DiffRows as DiffTable;
use heaplens_tables::export::copy::Clip;

/// A requested action.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Run an action.
    Do(Verb),
    /// Run a command about rows of a dump; dropped if that dump is not open any more.
    InDump(DumpKey, RowCommand),
    /// Open a file.
    OpenFile(PathBuf),
    /// Open the place that a link names.
    OpenLink(String),
    /// Apply a mapping file to the current dump.
    UseMapping(PathBuf),
    /// Star the objects of the current dump that a KOOM report names.
    ReadReport(PathBuf),
    /// Open several files, and compare the oldest with the newest once all are open.
    OpenTogether(Vec<PathBuf>),
    /// Compare two open dumps; the older one is the baseline.
    Compare(DumpKey, DumpKey),
    /// Swap baseline and target of a comparison.
    Swap(DumpKey),
    /// Restart a cancelled comparison.
    CompareAgain(DumpKey),
    /// Cancel a comparison.
    StopComparing(DumpKey),
    /// Show a page that belongs to no dump.
    ShowPage(PageKind),
    /// Close such a page.
    ClosePage(PageKind),
    /// Open a dump that was taken of a running process, and compare it with an earlier one.
    OpenTaken {
        /// The dump.
        dump: PathBuf,
        /// The earlier dump of the process.
        before: Option<PathBuf>,
    },
    /// Open a dump of the fleet at a leak: its file, and the fingerprint of the finding.
    OpenFinding(PathBuf, String),
    /// Switch to the tab of a dump.
    ShowTab(DumpKey),
    /// Close the tab of a dump.
    Close(DumpKey),
    /// Reopen the file of a tab.
    Reopen(DumpKey),
    /// Hide the message about the file of a tab.
    HideBanner(DumpKey),
    /// Switch to another view of the current dump.
    Show(View),
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
    /// Undo all cuts.
    ClearCuts,
    /// Show a table of the comparison.
    ShowGrowth(DiffTable),
    /// Go back by this number of locations.
    Back(usize),
    /// Go forward by this number of locations.
    Forward(usize),
    /// Show or hide a side pane.
    Toggle(Pane),
    /// Copy a text; the second string names it in messages.
    Copy(String, String),
    /// Copy objects or rows in the selected format.
    CopyClip(Box<Clip>),
    /// Copy an image; the string names it in messages.
    CopyPicture(Arc<ColorImage>, String),
    /// Show a message about a finished action.
    Done(String),
    /// Show a hint that disappears by itself.
    Hint(String),
    /// Show a warning that stays until it is dismissed.
    Warn(String),
}

/// A requested action that names objects or classes by row number, which is valid only in the dump that was drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum RowCommand {
    /// Select an object at the current location.
    Select(ObjectId),
    /// The keyboard cursor moved to an object.
    MoveCursor(ObjectId),
    /// The keyboard cursor moved to a row for several objects, with their class if they have the same.
    MoveCursorToGroup(Option<ClassId>),
    /// Select a class at the current location.
    SelectClass(ClassId),
    /// The keyboard cursor moved to a class.
    MoveCursorToClass(ClassId),
    /// List the objects of a class.
    ObjectsOf(ClassId),
    /// Run an action on an object that some text names.
    About(ObjectId, Verb),
    /// Run an action on a class that a row shows.
    AboutClass(ClassId, Verb),
    /// Toggle a cut.
    Cut(Cut),
    /// Toggle several cuts at once.
    CutTogether(Vec<Cut>),
    /// Show the Android leak of an object.
    ShowLeak(ObjectId),
    /// Show the leak finding with this fingerprint; the object is the one that its title names.
    ShowFinding(Option<ObjectId>, String),
    /// Copy a link to the leak finding with this fingerprint; the object is the one that its title names.
    LinkFinding(Option<ObjectId>, String),
    /// Expand the dominator tree down to an object.
    Reveal(ObjectId),
    /// Show an object of the baseline in the tab of the baseline.
    RevealBefore(ObjectId),
    /// List the objects of a class in the tab of the baseline.
    ObjectsBefore(ClassId),
    /// Save a note about an object.
    WriteNote(ObjectId, String),
    /// An object selected by the view, not by the user.
    InitialSelection(ObjectId),
    /// Show a query and run it.
    Query(String),
    /// Export the rows of a query to a file; the string names the table.
    Export(Box<TableQuery>, String),
    /// Export the answer of a query to a file.
    ExportAnswer(Arc<AnsweredQuery>),
    /// Export leak findings to a file.
    ExportFindings(Arc<Findings>),
    /// Save a bitmap to a file.
    ExportBitmap(Box<Bitmap>),
}
