//! What-if options: references to leave out of the analysis, which the dump keeps.

use std::ops::Deref;

use clap::Args;

use super::OpenArguments;

/// References to leave out of the analysis.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "What-if options")]
pub struct CutArguments {
    /// Answer for the heap without REFERENCE (repeatable); the dump is not changed
    ///
    /// The last step of a name is the reference that is removed: `shop.Cache.ENTRIES["user-17"]`. `Class.field` is a
    /// static field, or an instance field in all instances. A class name removes all references to its instances; `0x…`
    /// or `object NAME` removes all references to that object.
    #[arg(long = "cut", value_name = "REFERENCE")]
    pub cuts: Vec<String>,
    /// Android: keep only owning references to views, activities and Compose nodes
    ///
    /// A view is then dominated by its parent view, an activity by the thread that runs it, a Compose node by its
    /// parent node; all other references to them are excluded.
    #[arg(long)]
    pub owner_rules: bool,
}

/// Options of all commands that answer questions about the heap of a dump: how it is opened, and what is left out of it.
#[derive(Debug, Clone, Args)]
#[expect(missing_docs, reason = "the text of the flattened options is the help of the command line")]
pub struct AnalysisArguments {
    #[command(flatten)]
    pub cut: CutArguments,
    #[command(flatten)]
    pub opening: OpenArguments,
}

impl Deref for AnalysisArguments {
    type Target = OpenArguments;

    fn deref(&self) -> &OpenArguments {
        &self.opening
    }
}
