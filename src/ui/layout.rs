//! How the views of a tab are arranged, apart from what is in them: kept for the next tab and the next window.

use serde::{Deserialize, Serialize};

use super::views::picture::mode::Mode;
use crate::analysis::dominator_tree::parts::{LevelForm, PartitionBy};
use crate::heap::classes::Strength;

/// Widths that somebody gave to columns, by column.
pub type Widths = Vec<Option<f32>>;

/// A view with a picture.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewLayout {
    /// As a table, a picture, both.
    pub mode: Mode,
    /// The part of the room that the table has beside the picture.
    pub share: f32,
}

impl Default for ViewLayout {
    fn default() -> Self {
        Self { mode: Mode::default(), share: 0.42 }
    }
}

/// How a tree is read, as it is written into the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "they are the forms of a tree")]
pub enum TreeForm {
    Plain,
    #[default]
    Folded,
    ByClass,
    ByPackage,
    ByLoader,
}

impl From<LevelForm> for TreeForm {
    fn from(form: LevelForm) -> Self {
        match form {
            LevelForm::Plain => Self::Plain,
            LevelForm::Folded => Self::Folded,
            LevelForm::By(PartitionBy::Class) => Self::ByClass,
            LevelForm::By(PartitionBy::Package) => Self::ByPackage,
            LevelForm::By(PartitionBy::Loader) => Self::ByLoader,
        }
    }
}

impl From<TreeForm> for LevelForm {
    fn from(form: TreeForm) -> Self {
        match form {
            TreeForm::Plain => Self::Plain,
            TreeForm::Folded => Self::Folded,
            TreeForm::ByClass => Self::By(PartitionBy::Class),
            TreeForm::ByPackage => Self::By(PartitionBy::Package),
            TreeForm::ByLoader => Self::By(PartitionBy::Loader),
        }
    }
}

/// The arrangement.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// The dominator tree beside its picture.
    pub dominators: ViewLayout,
    /// The histogram beside its picture.
    pub histogram: ViewLayout,
    /// How the dominator tree is read.
    pub tree: TreeForm,
    /// The weakest references that hold an object, in the pane of its path.
    pub weakest: Strength,
    /// Columns of the dominator tree.
    pub tree_columns: Widths,
    /// Columns of the histogram.
    pub histogram_columns: Widths,
    /// Columns of the list of objects.
    pub object_columns: Widths,
    /// Groups of findings that are folded, by number; nothing where nobody chose.
    pub leaks_folded: Option<Vec<u8>>,
}
