//! What-if options: references to leave out of the analysis, which the dump keeps.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::OpenArguments;
use heaplens_session::cuts::Fix;

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
    /// Answer for the heap after the removals in FILE, which the window saved
    ///
    /// A fix made on one dump applies to a later one by the names of its references, and to both dumps of a comparison.
    #[arg(long, value_name = "FILE", value_parser = fix)]
    pub fix: Option<(PathBuf, Arc<Fix>)>,
    /// Android: keep only owning references to views, activities and Compose nodes
    ///
    /// A view is then dominated by its parent view, an activity by the thread that runs it, a Compose node by its
    /// parent node; all other references to them are excluded.
    #[arg(long)]
    pub owner_rules: bool,
}

impl CutArguments {
    /// True if nothing is to be removed.
    pub fn is_empty(&self) -> bool {
        self.cuts.is_empty() && self.fix.is_none()
    }
}

/// Reads the file given with `--fix`.
fn fix(path: &str) -> Result<(PathBuf, Arc<Fix>), String> {
    Fix::read(Path::new(path)).map(|fix| (path.into(), Arc::new(fix)))
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
