//! The command line, declared once: parsing, help and usage errors follow from
//! it.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::names::rules;
use crate::analysis::naming::RuntimeClasses;
use crate::heap::classes::Strength;
use crate::heap::origin::SizeModel;

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

/// `--screenshot` and what belongs to it.
#[derive(Debug, Clone, Args)]
pub struct PictureArguments {
    /// Draw the window into this PNG file, without a display, once everything is known
    #[arg(long, value_name = "OUT.png")]
    pub screenshot: Option<PathBuf>,
    /// The view to draw [default: the one a dump opens with]
    #[arg(long, value_enum, value_name = "NAME", requires = "screenshot")]
    pub view: Option<ViewArgument>,
    /// Show the rows of the view as a picture
    #[arg(long, value_enum, value_name = "KIND", requires = "screenshot")]
    pub picture: Option<PictureArgument>,
    /// The object to select
    #[arg(long, value_name = "ID|NAME", requires = "screenshot")]
    pub object: Option<String>,
    /// Open the palette with this text typed
    #[arg(long, value_name = "TEXT", requires = "screenshot")]
    pub palette: Option<String>,
    /// Colours of the picture
    #[arg(long, value_enum, default_value_t = ThemeArgument::Dark, requires = "screenshot")]
    pub theme: ThemeArgument,
    /// Size of the window in points
    #[arg(long, value_name = "WxH", default_value = "1440x900", value_parser = size, requires = "screenshot")]
    pub size: (u32, u32),
    /// Pixels per point
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = scale, requires = "screenshot")]
    pub scale: f32,
}

/// A picture of the rows of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureArgument {
    /// Rectangles in rectangles
    Treemap,
    /// Bars below bars
    Icicle,
    /// Rings around the whole
    Sunburst,
    /// The table, and a treemap below it
    Split,
}

/// A page of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ViewArgument {
    /// No dump is open
    Welcome,
    /// A dump is being opened
    Opening,
    /// What the dump is, and what stands out in it
    Overview,
    /// The dominator tree
    Dominators,
    /// The class histogram
    Histogram,
    /// The objects of the biggest class, or of that of --object
    Objects,
    /// Merged paths to all objects of the class that the dump opens on
    Paths,
    /// Threads, their stacks, and what these hold
    Threads,
    /// Duplicate strings
    Strings,
    /// Collections by class
    Collections,
    /// Where memory goes for nothing
    Waste,
    /// Class loaders
    Loaders,
    /// Objects whose finalizer is still to run
    Finalizers,
    /// GC roots by kind
    Roots,
    /// What could not be read as it should have been
    Notes,
    /// Objects with a star or a note.
    Stars,
}

/// A colour theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ThemeArgument {
    /// Dark text on light ground
    Light,
    /// Light text on dark ground
    Dark,
}

/// Options of everything that opens a dump.
#[derive(Debug, Clone, Args)]
pub struct OpenArguments {
    /// How sizes are worked out: what the JVM really used, Eclipse MAT's rules, or as the file says
    #[arg(long, value_enum, value_name = "MODEL", default_value = "auto")]
    pub sizes: SizesArgument,
    /// Treat objects that no GC root reaches as kept
    #[arg(long)]
    pub keep_unreachable: bool,
    /// Which references count, down to the weakest named [default: strong for paths, all for the rest]
    #[arg(long, value_enum, value_name = "WEAKEST")]
    pub strength: Option<StrengthArgument>,
    /// Folder for stored analyses and unpacked dumps [default: the platform's cache folder]
    #[arg(long, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Neither use nor write the stored analysis
    #[arg(long)]
    pub no_cache: bool,
    /// Bytes the cache folder may hold, such as 500MB or 20GB; what was used longest ago goes first [default: 20GB]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub cache_limit: Option<u64>,
    /// Memory for opening, such as 800MB; columns beyond it are worked on in files, which is slower
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// Prefixes of class names that own nothing: the runtime's and its libraries' [default: those built in, and
    /// runtime-classes.txt in the platform's settings folder]
    #[arg(long, value_name = "FILE", value_parser = rules)]
    pub runtime_classes: Option<(PathBuf, Arc<RuntimeClasses>)>,
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}

/// Options of everything that prints rows.
#[derive(Debug, Clone, Args)]
pub struct PrintArguments {
    /// text is for people; json and csv are stable
    #[arg(long, value_enum, default_value = "text")]
    pub format: FormatArgument,
    /// Rows at most [default: 50; json and csv: all]
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Rows whose class or label contains TEXT (/re/ is a regular expression)
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// How to open the dump
    #[command(flatten)]
    pub open: OpenArguments,
}

/// Options of everything that prints a table: which rows, in which order.
#[derive(Debug, Clone, Default, Args)]
pub struct OrderArguments {
    /// Sort by this column, as csv names it: biggest first, words by the alphabet
    #[arg(long, value_name = "COLUMN")]
    pub sort: Option<String>,
    /// In the opposite order
    #[arg(long)]
    pub reverse: bool,
    /// Rows to leave out at the beginning
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub skip: usize,
    /// Only the rows at these places of the usual order, such as 1,5-9
    #[arg(long, value_name = "PLACES", value_delimiter = ',', value_parser = places)]
    pub rows: Vec<RangeInclusive<u32>>,
}

/// Form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatArgument {
    /// For people
    Text,
    /// For programs
    Json,
    /// For tables
    Csv,
}

/// `--sizes`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SizesArgument {
    /// What the JVM really used, worked out from where objects lie
    Auto,
    /// Eclipse MAT's rules
    Mat,
    /// As the file says
    File,
}

/// `--strength`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StrengthArgument {
    /// Ordinary references
    Strong,
    /// Soft references too
    Soft,
    /// Soft and weak references too
    Weak,
    /// Soft, weak and finalizer references too
    Final,
    /// All references
    All,
}

/// What to print.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// What was in the file: counts, sizes, notes, phases
    Summary(FileArguments),
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
    /// Threads: stacks, what each frame holds, bytes kept by each
    Threads(TableArguments),
    /// GC roots by kind, and what those of a kind keep alive together
    Roots(TableArguments),
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
    /// One row per kind of waste, with the objects that waste the most
    Waste(TableArguments),
    /// Have the file manager open dumps with heaplens: desktop entry, file types and icon of this user
    Desktop(DesktopArguments),
    /// Write the analysis to a file that opens without the dump: structure and names, no values
    Index(IndexArguments),
}

/// A dump and how to print.
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct FileArguments {
    /// The dump
    pub file: PathBuf,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// A dump, which rows of its answer, and how to print them.
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct TableArguments {
    /// The dump
    pub file: PathBuf,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `overview`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct OverviewArguments {
    /// The dump
    pub file: PathBuf,
    /// html and markdown are reports, headed by what the dump is
    #[arg(long, value_enum, default_value = "text")]
    pub format: ReportFormat,
    #[command(flatten)]
    pub open: OpenArguments,
}

/// Form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people, on a terminal
    Text,
    /// For programs
    Json,
    /// For a ticket
    Markdown,
    /// One file for a browser, or for paper
    Html,
}

/// `histogram`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct HistogramArguments {
    /// The dump
    pub file: PathBuf,
    /// What a row is
    #[arg(long, value_enum, value_name = "WHAT", default_value = "class")]
    pub by: ByArgument,
    /// Only what no GC root reaches
    #[arg(long)]
    pub unreachable: bool,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `--by`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ByArgument {
    /// A class
    Class,
    /// A package; of an array that of its elements
    Package,
    /// A class loader
    Loader,
    /// The class directly above
    Superclass,
    /// An object
    Object,
}

/// `retained`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct RetainedArguments {
    /// The dump
    pub file: PathBuf,
    /// The objects' ids, as other answers print them, or their names
    #[arg(value_name = "ID", required_unless_present = "class")]
    pub ids: Vec<String>,
    /// All objects of this class
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `dominators`
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line, and clap keeps them apart")]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct DominatorsArguments {
    /// The dump
    pub file: PathBuf,
    /// Begin below this object (id or name), not at the GC roots
    #[arg(long, value_name = "ID")]
    pub of: Option<String>,
    /// Levels of the tree to print
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Only objects whose class contains TEXT, at the first level
    #[arg(long, value_name = "TEXT")]
    pub filter_class: Option<String>,
    /// Only what no GC root reaches: the biggest dead structures
    #[arg(long, conflicts_with = "of")]
    pub unreachable: bool,
    /// Also who of the application holds each object
    #[arg(long)]
    pub owner: bool,
    #[command(flatten)]
    pub order: OrderArguments,
    /// Chains, many siblings of a class, and what the same owners share: one row each
    #[arg(long, conflicts_with = "unreachable")]
    pub fold: bool,
    /// Every row is a group of objects side by side
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["unreachable", "fold"])]
    pub by: Option<DominatorsBy>,
    /// Objects at the top because several things hold them: a row per set of owners
    #[arg(long, conflicts_with_all = ["unreachable", "fold", "by", "of"])]
    pub shared: bool,
    /// Big objects, and where below each what it holds accumulates
    #[arg(long, conflicts_with_all = ["unreachable", "fold", "by", "shared", "of", "depth"])]
    pub drops: bool,
    /// It accumulates where the biggest object below retains less than PERCENT of it
    #[arg(long, value_name = "PERCENT", default_value_t = 70, requires = "drops",
          value_parser = clap::value_parser!(u32).range(1..=100))]
    pub drop_share: u32,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `dominators --by`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DominatorsBy {
    /// Their class
    Class,
    /// The package of their class
    Package,
    /// The loader of their class
    Loader,
}

/// `objects`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct ObjectsArguments {
    /// The dump
    pub file: PathBuf,
    /// Only objects of this class; the id of its class object tells it from others of its name
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    /// Only this object; may be given several times, and rows come in that order
    #[arg(long = "object", value_name = "ID", conflicts_with = "class")]
    pub objects: Vec<String>,
    #[command(flatten)]
    pub order: OrderArguments,
    /// Also who of the application holds each object
    #[arg(long)]
    pub owner: bool,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `search`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct SearchArguments {
    /// The dump
    pub file: PathBuf,
    /// What the strings say somewhere; case does not matter, /re/ is a regular expression
    pub text: String,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `object`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct ObjectArguments {
    /// The dump
    pub file: PathBuf,
    /// The object's id, as other answers print it, or its name
    pub id: String,
    /// Fields, elements and entries to leave out at the beginning
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub skip: usize,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `references`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct ReferencesArguments {
    /// The dump
    pub file: PathBuf,
    /// The object's id, as other answers print it, or its name
    pub id: String,
    /// Incoming references: the object's retainers
    #[arg(long = "in", conflicts_with = "outgoing")]
    pub incoming: bool,
    /// Outgoing references (the default)
    #[arg(long = "out")]
    pub outgoing: bool,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `paths`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct PathsArguments {
    /// The dump
    pub file: PathBuf,
    /// The object's id, as other answers print it, or its name
    #[arg(required_unless_present = "all")]
    pub id: Option<String>,
    /// Ways to find, each through another retainer of the object
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,
    /// As if a reference were not there: 0x123.field or 0x123[7] of one object, 0x123:0x456 from one to
    /// another, Class.field in all instances or a static; may be repeated
    #[arg(long, value_name = "REFERENCE", conflicts_with = "all")]
    pub ignore: Vec<String>,
    /// The shortest paths of many objects as one tree, roots at the top
    #[arg(long, conflicts_with_all = ["id", "count"], requires = "many")]
    pub all: bool,
    /// All objects of this class
    #[arg(long, value_name = "NAME", requires = "all", group = "many")]
    pub class: Option<String>,
    /// This object; may be repeated
    #[arg(long, value_name = "ID", requires = "all", group = "many")]
    pub of: Vec<String>,
    /// What is one row of the tree
    #[arg(long, value_enum, value_name = "WHAT", default_value = "object", requires = "all")]
    pub merge: MergeArgument,
    /// Levels of the tree to print
    #[arg(long, value_name = "N", requires = "all")]
    pub depth: Option<u32>,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `--merge`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MergeArgument {
    /// An object; a run of a list is one row
    Object,
    /// Objects of a class that others hold by one field
    Class,
}

/// `desktop`
#[derive(Debug, Args)]
pub struct DesktopArguments {
    /// What to do
    #[arg(value_enum)]
    pub what: DesktopArgument,
    /// Folder of the user's desktop entries, file types and icons [default: ~/.local/share]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
}

/// What `desktop` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DesktopArgument {
    /// Write the files, over those of an earlier version
    Install,
    /// Delete them
    Remove,
}

impl OpenArguments {
    /// Whether dumps are to be opened as a window opens them that was told nothing.
    pub fn is_usual(&self) -> bool {
        self.sizes == SizesArgument::Auto
            && !self.keep_unreachable
            && self.strength.is_none()
            && self.cache_dir.is_none()
            && !self.no_cache
            && self.cache_limit.is_none()
            && self.memory.is_none()
            && self.threads.is_none()
    }
}

/// `index`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct IndexArguments {
    /// The dump
    pub file: PathBuf,
    /// The file to write, as a rule NAME.heaplens
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub open: OpenArguments,
}

impl From<SizesArgument> for SizeModel {
    fn from(argument: SizesArgument) -> Self {
        match argument {
            SizesArgument::Auto => Self::Auto,
            SizesArgument::Mat => Self::Mat,
            SizesArgument::File => Self::File,
        }
    }
}

impl From<StrengthArgument> for Strength {
    fn from(argument: StrengthArgument) -> Self {
        match argument {
            StrengthArgument::Strong => Self::Strong,
            StrengthArgument::Soft => Self::Soft,
            StrengthArgument::Weak => Self::Weak,
            StrengthArgument::Final => Self::Final,
            StrengthArgument::All => Self::Phantom,
        }
    }
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parse = |n: &str| n.parse().ok().filter(|n| (200..=8_000).contains(n));
    let (width, height) = text.split_once('x').ok_or("write it as 1440x900")?;
    Ok((parse(width).ok_or("a width between 200 and 8000")?, parse(height).ok_or("a height between 200 and 8000")?))
}

fn scale(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|n| (0.5..=4.0).contains(n)).ok_or_else(|| "a number between 0.5 and 4".to_owned())
}

/// `7`, `5-9`: places, from 1.
fn places(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let place = |text: &str| text.trim().parse().ok().filter(|&place: &u32| place > 0);
    let range = place(first).zip(place(last)).filter(|(first, last)| first <= last);
    range.map(|(first, last)| first..=last).ok_or_else(|| "write it as 1,5-9".to_owned())
}

/// `800MB`, `2GiB`, `1000000`: bytes.
fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "t" | "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        _ => return Err(format!("'{unit}' is no unit: write it as 800MB or 2GiB")),
    };
    let number: f64 = number.parse().map_err(|_no_number| "write it as 800MB or 2GiB".to_owned())?;
    Ok((number * factor as f64) as u64)
}
