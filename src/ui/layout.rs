//! Layout of the views of a tab, saved for the next tab and the next window.

use serde::{Deserialize, Serialize};

use crate::view::chart::Mode;
use heaplens_analysis::dominator_tree::{LevelForm, PartitionBy};
use heaplens_heap::Strength;

/// Layout of a view with a chart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewLayout {
    /// Table, chart or both.
    pub mode: Mode,
    /// Share of the width for the table, if both are shown.
    pub share: f32,
}

impl Default for ViewLayout {
    fn default() -> Self {
        Self { mode: Mode::default(), share: 0.42 }
    }
}

/// Form of a tree, as saved in the settings.
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

/// Layout of all views.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// Dominator tree and its chart.
    pub dominators: ViewLayout,
    /// Histogram and its chart.
    pub histogram: ViewLayout,
    /// Form of the dominator tree.
    pub tree: TreeForm,
    /// Weakest reference strength to follow in the path pane.
    pub weakest: Strength,
    /// Numbers of the collapsed groups of findings; `None` for the default.
    pub leaks_folded: Option<Vec<u8>>,
}
