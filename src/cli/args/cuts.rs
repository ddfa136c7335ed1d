//! What-if options: references to exclude from the analysis.

use clap::Args;

/// References to exclude from the analysis.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "What-if options")]
pub struct CutArguments {
    /// Recompute everything without REFERENCE (repeatable)
    ///
    /// The last step of a name is the reference that is cut: `shop.Cache.ENTRIES["user-17"]`. `Class.field` is a static
    /// field, or an instance field in all instances. A class name cuts all references to its instances; `0x…` or
    /// `object NAME` cuts all references to that object.
    #[arg(long = "cut", value_name = "REFERENCE")]
    pub cuts: Vec<String>,
    /// Android: keep only owning references to views, activities and Compose nodes
    ///
    /// A view is then dominated by its parent view, an activity by the thread that runs it, a Compose node by its
    /// parent node; all other references to them are excluded.
    #[arg(long)]
    pub owner_rules: bool,
}

impl CutArguments {
    /// True if no reference is excluded.
    pub fn is_empty(&self) -> bool {
        self.cuts.is_empty() && !self.owner_rules
    }
}
