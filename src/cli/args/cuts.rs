//! What if some references were not there.

use clap::Args;

/// References that are to count as not there.
#[derive(Debug, Clone, Default, Args)]
pub struct CutArguments {
    /// As if this reference were not there; may be repeated. The last step of a name is what is cut:
    /// `shop.Cache.ENTRIES["user-17"]`; Class.field is a static, or the field in all instances; a class name alone all
    /// its objects; 0x… or `object NAME` every reference to an object
    #[arg(long = "cut", value_name = "REFERENCE")]
    pub cuts: Vec<String>,
    /// Of a dump of Android: views below their parents, activities below the thread that runs them, nodes of Compose
    /// below theirs, as if nothing else referred to them
    #[arg(long)]
    pub owner_rules: bool,
}
