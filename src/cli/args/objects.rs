//! What questions about objects take: one, some, those of a class, and what leads to them.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::opening::bytes;
use super::roots::SoftArgument;
use super::{HeldByArgument, OrderArguments, PrintArguments};

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
    /// Only what a report that KOOM wrote of this dump names, in its order
    #[arg(long, value_name = "REPORT.json", conflicts_with_all = ["class", "objects"])]
    pub koom: Option<PathBuf>,
    /// Of snapshots of JavaScript: only what would be gone without these
    #[arg(long, value_enum, value_name = "WHOM", conflicts_with_all = ["class", "objects", "koom"])]
    pub held_by: Option<HeldByArgument>,
    /// Only objects whose id is one of these, such as 0x10000-0x1ffff; either end may be missing
    #[arg(long, value_name = "LOW-HIGH", value_parser = ids, allow_hyphen_values = true)]
    pub ids: Option<RangeInclusive<u64>>,
    /// Only these lines of the sorted answer, such as 1-25; either end may be missing
    #[arg(long, value_name = "L-U", value_parser = lines, allow_hyphen_values = true, conflicts_with = "skip")]
    pub lines: Option<(usize, usize)>,
    /// Also what each object was given when roots were found: total, descendants, depth, root-owner and kind; --sort
    /// total, descendants or depth says so too
    #[arg(long)]
    pub ownership: bool,
    /// Whether soft, weak and phantom references are followed when roots are found
    #[arg(long, value_enum, default_value = "follow", hide_default_value = true)]
    pub soft: SoftArgument,
    #[command(flatten)]
    pub order: OrderArguments,
    /// Also who of the application holds each object
    #[arg(long)]
    pub owner: bool,
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
    /// Also what the object was given when roots were found: kind, root-owner, total, descendants, depth
    #[arg(long)]
    pub ownership: bool,
    /// Whether soft, weak and phantom references are followed when roots are found
    #[arg(long, value_enum, default_value = "follow", hide_default_value = true)]
    pub soft: SoftArgument,
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
#[command(group = clap::ArgGroup::new("many").multiple(true).args(["class", "of", "least_retained", "least_objects"]))]
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
    /// As if a reference were not there: `0x123.field` or `0x123[7]` of one object, 0x123:0x456 from one to
    /// another, Class.field in all instances or a static; may be repeated
    #[arg(long, value_name = "REFERENCE", conflicts_with = "all")]
    pub ignore: Vec<String>,
    /// The shortest paths of many objects as one tree, roots at the top
    #[arg(long, conflicts_with_all = ["id", "count"], requires = "many")]
    pub all: bool,
    /// All objects of this class
    #[arg(long, value_name = "NAME", requires = "all", conflicts_with = "of")]
    pub class: Option<String>,
    /// This object; may be repeated
    #[arg(long, value_name = "ID", requires = "all")]
    pub of: Vec<String>,
    /// A tree for every class whose objects retain so much together, such as 10MB
    #[arg(long, value_name = "SIZE", requires = "all", conflicts_with_all = ["class", "of", "merge"],
          value_parser = bytes)]
    pub least_retained: Option<u64>,
    /// A tree for every class of so many objects; with --least-retained both must hold
    #[arg(long, value_name = "N", requires = "all", conflicts_with_all = ["class", "of", "merge"])]
    pub least_objects: Option<u64>,
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

/// `0x10-0x20`, `0x10-`, `-0x20`, `@5-@9`: ids.
fn ids(text: &str) -> Result<RangeInclusive<u64>, String> {
    let id = |text: &str, missing: u64| match text.trim().trim_start_matches('@') {
        "" => Some(missing),
        text => match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => text.parse().ok(),
        },
    };
    let ends = text.split_once('-').filter(|&(low, high)| !(low.trim().is_empty() && high.trim().is_empty()));
    let range = ends.and_then(|(low, high)| id(low, 0).zip(id(high, u64::MAX))).filter(|(low, high)| low <= high);
    range.map(|(low, high)| low..=high).ok_or_else(|| "write it as 0x10000-0x1ffff".to_owned())
}

/// `1-25`, `26-`, `-25`, `25`: lines to leave out, and lines to print.
fn lines(text: &str) -> Result<(usize, usize), String> {
    let line = |text: &str, missing: usize| match text.trim() {
        "" => Some(missing),
        text => text.parse().ok().filter(|&line: &usize| line > 0),
    };
    let (first, last) = text.split_once('-').unwrap_or(("", text));
    let range = line(first, 1).zip(line(last, usize::MAX)).filter(|(first, last)| first <= last && text != "-");
    range.map(|(first, last)| (first - 1, last - first + 1)).ok_or_else(|| "write it as 1-25".to_owned())
}
