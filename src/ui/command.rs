//! What a view, a key or a menu asks the window for. Data runs one way: nothing that is drawn changes the window itself.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::ColorImage;

use super::exporting::Findings;
use super::location::{DumpKey, View};
use super::panes::Pane;
use super::verb::Verb;
use super::verdict_target::VerdictTargets;
use crate::analysis::android::bitmaps::Bitmap;
use crate::analysis::paths::ignored::Ignored;
use crate::analysis::paths::merged::PathTargets;
use crate::export::copy::Clip;
use crate::heap::cut::Cut;
use crate::heap::ids::{ClassId, ObjectId};
use crate::session::verdicts::UserVerdict;
use crate::tables::diff::DiffRows as DiffOf;
use crate::tables::table_query::TableQuery;

/// What a view asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// A verb.
    Do(Verb),
    /// Open a file.
    OpenFile(PathBuf),
    /// Give the dump that is looked at the names of a mapping.
    UseMapping(PathBuf),
    /// Put stars on what a report says of the dump that is looked at.
    ReadReport(PathBuf),
    /// Open several files, and compare the oldest with the newest once all are open.
    OpenTogether(Vec<PathBuf>),
    /// Compare two open dumps; which of them is the one before, their times say.
    Compare(DumpKey, DumpKey),
    /// Let before and after of a comparison change places.
    Swap(DumpKey),
    /// Compare again what was given up.
    CompareAgain(DumpKey),
    /// Give up comparing.
    StopComparing(DumpKey),
    /// Show a dump.
    ShowTab(DumpKey),
    /// Close a dump.
    Close(DumpKey),
    /// Open the file of a tab again.
    Reopen(DumpKey),
    /// What is said of the file of a tab was read.
    HideBanner(DumpKey),
    /// Look at the dump in another way.
    Show(View),
    /// Choose an object where the reader is.
    Select(ObjectId),
    /// The cursor came by an object.
    MoveCursor(ObjectId),
    /// The cursor came by a row that stands for many objects, of this class if they are of one.
    MoveCursorToGroup(Option<ClassId>),
    /// Choose a class where the reader is.
    SelectClass(ClassId),
    /// The cursor came by a class.
    MoveCursorToClass(ClassId),
    /// List the objects of a class.
    ObjectsOf(ClassId),
    /// Do something with an object that is named somewhere.
    About(ObjectId, Verb),
    /// Merge the paths to objects.
    PathsOf(PathTargets),
    /// Look for what holds the chosen object without a reference.
    Ignore(Ignored),
    /// See what would be freed without a reference, or take that cut back.
    Cut(Cut),
    /// The same of several at once.
    CutTogether(Vec<Cut>),
    /// Ask what the user has to say of something.
    SayOf(Box<VerdictTargets>),
    /// Keep what the user says.
    Judge(Box<UserVerdict>),
    /// Show what leaks, and of that what accumulates in an object.
    ShowLeak(ObjectId),
    /// Take the last cut back.
    UndoCut,
    /// Take all cuts back.
    ClearCuts,
    /// Unfold the dominator tree down to an object.
    Reveal(ObjectId),
    /// Show an object of the dump before in a tab of that dump.
    RevealBefore(ObjectId),
    /// List the objects of a class in a tab of the dump before.
    ObjectsBefore(ClassId),
    /// Show a table of what grew.
    ShowGrowth(DiffOf),
    /// So many places back.
    Back(usize),
    /// So many places forward.
    Forward(usize),
    /// Show or hide a side pane.
    Toggle(Pane),
    /// Write a note about an object.
    WriteNote(ObjectId, String),
    /// The object chosen by the view itself, not by a person.
    InitialSelection(ObjectId),
    /// Put text on the clipboard, and say what it was.
    Copy(String, String),
    /// Put something on the clipboard, in the form that is wanted.
    CopyClip(Box<Clip>),
    /// Put a picture on the clipboard; the words name it.
    CopyPicture(Arc<ColorImage>, String),
    /// Write the rows that answer a question to a file; the words name the table.
    Export(Box<TableQuery>, String),
    /// Write findings to a file.
    ExportFindings(Arc<Findings>),
    /// Write the picture of a bitmap to a file.
    ExportBitmap(Box<Bitmap>),
    /// Say that something was done.
    Done(String),
    /// Show a hint that disappears by itself.
    Hint(String),
    /// Show a warning that stays until it is dismissed.
    Warn(String),
}

impl Command {
    /// Whether it names objects or classes by their rows: those mean something in the dump that was drawn, and something
    /// else in any other.
    pub fn names_rows(&self) -> bool {
        match self {
            Self::Select(_)
            | Self::MoveCursor(_)
            | Self::MoveCursorToGroup(_)
            | Self::SelectClass(_)
            | Self::MoveCursorToClass(_)
            | Self::ObjectsOf(_)
            | Self::About(..)
            | Self::PathsOf(_)
            | Self::Ignore(_)
            | Self::Cut(_)
            | Self::CutTogether(_)
            | Self::ShowLeak(_)
            | Self::Reveal(_)
            | Self::RevealBefore(_)
            | Self::ObjectsBefore(_)
            | Self::WriteNote(..)
            | Self::InitialSelection(_)
            | Self::Export(..)
            | Self::ExportFindings(_)
            | Self::ExportBitmap(_) => true,
            Self::Do(_)
            | Self::OpenFile(_)
            | Self::UseMapping(_)
            | Self::ReadReport(_)
            | Self::OpenTogether(_)
            | Self::Compare(..)
            | Self::Swap(_)
            | Self::CompareAgain(_)
            | Self::StopComparing(_)
            | Self::ShowTab(_)
            | Self::Close(_)
            | Self::Reopen(_)
            | Self::HideBanner(_)
            | Self::Show(_)
            | Self::SayOf(_)
            | Self::Judge(_)
            | Self::UndoCut
            | Self::ClearCuts
            | Self::ShowGrowth(_)
            | Self::Back(_)
            | Self::Forward(_)
            | Self::Toggle(_)
            | Self::Copy(..)
            | Self::CopyClip(_)
            | Self::CopyPicture(..)
            | Self::Done(_)
            | Self::Hint(_)
            | Self::Warn(_) => false,
        }
    }
}
