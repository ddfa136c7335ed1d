//! Arguments of commands about objects: `objects`, `object`, `references`, `paths`, `retained` and `search`.

#![expect(missing_docs, reason = "the text below is the help of the command line")]

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;

use super::named::named;
use super::opening::bytes;
use super::{OrderArguments, PrintArguments};
use heaplens_analysis::dominator_tree::PartitionBy;
use heaplens_analysis::javascript::retained_by::RetainerKind;
use heaplens_analysis::paths::merged::MergeBy;
use heaplens_analysis::related::RelatedKind;
use heaplens_heap::SoftLinks;

/// `objects`
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct ObjectsArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// List only objects of this class; use the id of the class object if names collide
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    /// List only this object (repeatable); rows keep the given order
    #[arg(long = "object", value_name = "ID", conflicts_with = "class")]
    pub objects: Vec<String>,
    /// List only the objects named in a KOOM report of this dump, in its order
    #[arg(long, value_name = "REPORT.json", conflicts_with_all = ["class", "objects"])]
    pub koom: Option<PathBuf>,
    /// JavaScript: list only objects retained by this kind of holder alone
    #[arg(long, alias = "held-by", value_parser = named::<RetainerKind>(), value_name = "HOLDER",
          conflicts_with_all = ["class", "objects", "koom"])]
    pub retained_by: Option<RetainerKind>,
    /// List only objects with an id in this range, such as 0x10000-0x1ffff
    ///
    /// Either end may be omitted.
    #[arg(long, value_name = "LOW-HIGH", value_parser = ids, allow_hyphen_values = true)]
    pub ids: Option<RangeInclusive<u64>>,
    /// Print only these lines of the sorted result, such as 1-25
    ///
    /// Lines count from 1; either end may be omitted.
    #[arg(long, value_name = "L-U", value_parser = lines, allow_hyphen_values = true, conflicts_with = "skip")]
    pub lines: Option<(usize, usize)>,
    /// Add columns computed from inferred roots
    ///
    /// The columns are total, descendants, depth, owner and kind. Also added if --sort names one of total, descendants and depth.
    #[arg(long)]
    pub ownership: bool,
    /// Treatment of soft, weak and phantom references when inferring roots
    #[arg(long, value_parser = named::<SoftLinks>(), default_value = "follow", hide_default_value = true)]
    pub soft: SoftLinks,
    /// Add a column with the owner: the nearest application object or field
    #[arg(long)]
    pub owner: bool,
    /// Add a column with the fields that tell objects of a class apart
    #[arg(long)]
    pub preview: bool,
    /// Add columns with the age of objects, where the dump tells the order of allocation
    #[arg(long)]
    pub age: bool,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `object`
#[derive(Debug, Args)]
pub struct ObjectArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Object id (0x…, @…) or name, as printed by other commands
    pub id: String,
    /// Number of fields, elements and entries to skip
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub skip: usize,
    /// Print figures computed from inferred roots
    ///
    /// These are kind, owner, total, descendants and depth.
    #[arg(long)]
    pub ownership: bool,
    /// Treatment of soft, weak and phantom references when inferring roots
    #[arg(long, value_parser = named::<SoftLinks>(), default_value = "follow", hide_default_value = true)]
    pub soft: SoftLinks,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `references`
#[derive(Debug, Args)]
pub struct ReferencesArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Object id (0x…, @…) or name, as printed by other commands
    pub id: String,
    /// List incoming references
    #[arg(long = "in", conflicts_with = "outgoing")]
    pub incoming: bool,
    /// List outgoing references (default)
    #[arg(long = "out")]
    pub outgoing: bool,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `related`
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("set").required(true).multiple(true).args(["ids", "class"]))]
pub struct RelatedArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Object ids (0x…, @…) or names, as printed by other commands
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Use all objects of this class
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    /// Relation to the objects
    #[arg(long, value_parser = named::<RelatedKind>(), value_name = "RELATION", default_value = "retained")]
    pub by: RelatedKind,
    /// Retained set: assume that REFERENCE does not exist (repeatable)
    ///
    /// As in --cut of other commands: `Class.field`, `0x123.field`, a name, or a class.
    #[arg(long, value_name = "REFERENCE")]
    pub without: Vec<String>,
    /// Group the related objects
    #[arg(long, value_parser = named::<PartitionBy>(), value_name = "GROUP", default_value = "class")]
    pub group: PartitionBy,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `paths`
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("many").multiple(true).args(["class", "of", "least_retained", "least_objects"]))]
pub struct PathsArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Object id (0x…, @…) or name, as printed by other commands
    #[arg(required_unless_present = "all")]
    pub id: Option<String>,
    /// Maximum number of paths, each through another referrer of the object
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,
    /// Ignore paths through this reference (repeatable)
    ///
    /// `0x123.field` and `0x123[7]` name a reference of one object, `0x123:0x456` all references from one object to another,
    /// `Class.field` a static field, or an instance field in all instances.
    #[arg(long, value_name = "REFERENCE", conflicts_with = "all")]
    pub ignore: Vec<String>,
    /// Merge the shortest paths to many objects into one tree, GC roots at the top
    #[arg(long, conflicts_with_all = ["id", "count"], requires = "many")]
    pub all: bool,
    /// With --all: merge paths to all objects of this class
    #[arg(long, value_name = "NAME", requires = "all", conflicts_with = "of")]
    pub class: Option<String>,
    /// With --all: merge paths to this object (repeatable)
    #[arg(long, value_name = "ID", requires = "all")]
    pub of: Vec<String>,
    /// With --all: one tree per class that retains at least SIZE, such as 10MB
    #[arg(long, value_name = "SIZE", requires = "all", conflicts_with_all = ["class", "of", "merge"],
          value_parser = bytes)]
    pub least_retained: Option<u64>,
    /// With --all: one tree per class with at least N objects
    ///
    /// Combined with --least-retained, a class must reach both thresholds.
    #[arg(long, value_name = "N", requires = "all", conflicts_with_all = ["class", "of", "merge"])]
    pub least_objects: Option<u64>,
    /// With --all: grouping of rows
    #[arg(long, value_parser = named::<MergeBy>(), value_name = "ROW", default_value = "object", requires = "all")]
    pub merge: MergeBy,
    /// With --all: number of tree levels to print
    #[arg(long, value_name = "N", requires = "all")]
    pub depth: Option<u32>,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `search`
#[derive(Debug, Args)]
pub struct SearchArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Text to search for, case-insensitive; /re/ is a regular expression
    pub text: String,
    /// Search the names of fields, statics and variables instead: parts of a name, in any order
    #[arg(long)]
    pub variables: bool,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `secrets`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct SecretsArguments {
    /// Heap dump to read
    pub file: PathBuf,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// Parses a range of object ids: `0x10-0x20`, `0x10-`, `-0x20`, `@5-@9`.
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
    range.map(|(low, high)| low..=high).ok_or_else(|| "expected a range of ids, such as 0x10000-0x1ffff".to_owned())
}

/// Parses `1-25`, `26-`, `-25` or `25` into the number of lines to skip and to print.
fn lines(text: &str) -> Result<(usize, usize), String> {
    let line = |text: &str, missing: usize| match text.trim() {
        "" => Some(missing),
        text => text.parse().ok().filter(|&line: &usize| line > 0),
    };
    let (first, last) = text.split_once('-').unwrap_or(("", text));
    let range = line(first, 1).zip(line(last, usize::MAX)).filter(|(first, last)| first <= last && text != "-");
    range
        .map(|(first, last)| (first - 1, last - first + 1))
        .ok_or_else(|| "expected a range of lines, such as 1-25".to_owned())
}
