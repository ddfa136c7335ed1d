//! The command line, declared once: parsing, help and usage errors follow from
//! it. Here are the commands; what each takes stands beside the others of its kind.

mod android;
mod cuts;
mod desktop;
mod diff;
mod dominators;
mod generate;
mod javascript;
mod leaks;
mod objects;
mod opening;
mod printing;
mod roots;
mod rules;
mod tables;
mod window;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub use self::android::AndroidArguments;
pub use self::cuts::CutArguments;
pub use self::desktop::{DesktopArgument, DesktopArguments, IndexArguments, StripArguments};
pub use self::diff::{DiffArguments, DiffFormat, DiffOf};
pub use self::dominators::{DominatorsArguments, DominatorsBy, FoldedArguments};
pub use self::generate::{GenerateArguments, GenerateWhat};
pub use self::javascript::{HeldByArgument, JavaScriptArguments, JavaScriptOf};
pub use self::leaks::{LeaksArguments, LeaksForm, LeaksFormat, Least};
pub use self::objects::{
    MergeArgument, ObjectArguments, ObjectsArguments, PathsArguments, ReferencesArguments, RetainedArguments,
    SearchArguments,
};
pub use self::opening::{OpenArguments, SizesArgument, StrengthArgument};
pub use self::printing::{FormatArgument, OrderArguments, PrintArguments};
pub use self::roots::{KeptArguments, RootsArguments, RootsOfArgument, RouteArguments, SoftArgument};
pub use self::rules::RulesArguments;
pub use self::tables::{
    BitmapsArguments, ByArgument, HistogramArguments, OverviewArguments, ReportFormat, SitesArguments,
    SummaryArguments, TableArguments,
};
pub use self::window::{PictureArgument, PictureArguments, TableArgument, ThemeArgument, ViewArgument};

/// Opens heap dumps and shows what holds the memory.
///
/// Without a command the files open in the window; with one its answer is
/// printed.
#[derive(Debug, Parser)]
#[command(name = "heaplens", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
pub struct Arguments {
    /// What to print
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Dumps to open in the window; with --screenshot, to draw into a picture
    pub files: Vec<PathBuf>,
    /// Open them in a window of their own, not in a tab of the one that is there
    #[arg(long)]
    pub new_window: bool,
    /// How to draw the picture
    #[command(flatten)]
    pub picture: PictureArguments,
    /// How to open the dumps
    #[command(flatten)]
    pub open: OpenArguments,
}

/// What to print.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// What was in the file: counts, sizes, notes, phases
    Summary(SummaryArguments),
    /// What leaks: who holds it, which reference to cut, what that frees; ranked
    Leaks(LeaksArguments),
    /// What the dump is, what stands out in it, the biggest of everything; also as one HTML or Markdown file
    Overview(OverviewArguments),
    /// One row per class, or per package, class loader or superclass
    Histogram(HistogramArguments),
    /// Biggest objects by retained size; with --of and --depth the dominator tree below one
    Dominators(DominatorsArguments),
    /// Every object, one row each
    Objects(ObjectsArguments),
    /// One object: fields, elements or text, sizes, dominator, loader, roots
    Object(ObjectArguments),
    /// References of one object, with field or index names
    References(ReferencesArguments),
    /// Shortest path from a GC root to an object; with --all those of many objects merged into a tree
    Paths(PathsArguments),
    /// Before and after: what grew between dumps of one program, and who holds it
    Diff(DiffArguments),
    /// Threads: stacks, what each frame holds, bytes kept by each
    Threads(TableArguments),
    /// GC roots by kind, and what those of a kind keep alive together; with --ownership or --listing roots that are
    /// found in any dump, and what they own
    Roots(RootsArguments),
    /// The shortest way from one object to another
    Route(RouteArguments),
    /// What an object alone keeps alive
    Kept(KeptArguments),
    /// Holes between objects: how large, how many
    Gaps(TableArguments),
    /// Where objects were allocated, as a tree of calls; only of dumps taken while allocations were tracked
    Sites(SitesArguments),
    /// Class loaders: classes, objects and bytes of each, duplicate classes, and what holds it
    Loaders(TableArguments),
    /// Objects with a finalizer that is still to run, by class
    Finalizers(TableArguments),
    /// What some objects keep alive together: what would be freed if all of them went
    Retained(RetainedArguments),
    /// Duplicate strings, what they cost and who holds them
    Strings(TableArguments),
    /// Strings whose text contains TEXT, in address order
    Search(SearchArguments),
    /// Collections by class: how many are empty or sparse, how full they are, what their unused room takes
    Collections(TableArguments),
    /// Bitmaps of a dump of Android: size, bytes, which are alike, who shows each
    Bitmaps(BitmapsArguments),
    /// One row per kind of waste, with the objects that waste the most
    Waste(TableArguments),
    /// What only snapshots of JavaScript engines tell: detached nodes, closures, native contexts, what each keeps, timeline
    #[command(name = "javascript")]
    JavaScript(JavaScriptArguments),
    /// Have the file manager open dumps with heaplens: desktop entry, file types and icon of this user
    Desktop(DesktopArguments),
    /// Write the analysis to a file that opens without the dump: structure and names, no values
    Index(IndexArguments),
    /// Write a dump anew without texts and numbers, so that it can be given to others: shape, sizes and names stay
    Strip(StripArguments),
    /// Write man pages, or what a shell needs to complete commands and options
    Generate(GenerateArguments),
    /// Which heaplens this is: version, commit, with or without the window, compiler, target
    Version,
}
