//! What comparing dumps takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::opening::bytes;
use super::{OpenArguments, OrderArguments};
use crate::tables::diff::limits::Limit;
use crate::units::Bytes;

/// `diff`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct DiffArguments {
    /// The older dump
    pub before: PathBuf,
    /// The newer dump
    pub after: PathBuf,
    /// Still newer ones: all of them are shown in the order of time, each compared with the next
    pub more: Vec<PathBuf>,
    /// Only this part of the answer [default: owners, then classes; csv: owners]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub of: Option<DiffOf>,
    /// Keys of a collection that came, and as many of those that went [default: 5; json: all]
    #[arg(long, value_name = "N")]
    pub keys: Option<usize>,
    /// The second dump is the older one
    #[arg(long, conflicts_with = "more")]
    pub swap: bool,
    /// Only what has more bytes than before
    #[arg(long)]
    pub only_grown: bool,
    /// Only what retains more in each dump than in the one before
    #[arg(long)]
    pub grew_every_time: bool,
    /// Exit with 3 if OWNER grew by more than BYTES, such as shop.Cache.ALL=1MB or shop.*=0; may be repeated
    #[arg(long, value_name = "OWNER=BYTES", value_parser = limit)]
    pub fail_if_grew: Vec<Limit>,
    /// text is for people, markdown for a ticket; json and csv are stable
    #[arg(long, value_enum, default_value = "text")]
    pub format: DiffFormat,
    /// Rows of each part at most [default: 50; json and csv: all]
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Rows that contain TEXT: owners by name and by class of what came or went (/re/ is a regular expression)
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub open: OpenArguments,
}

/// `--of`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffOf {
    /// Who holds what came and went
    Owners,
    /// Classes, by name and class of the loader
    Classes,
    /// Packages
    Packages,
    /// Class loaders, by class and name
    Loaders,
    /// Threads, by name
    Threads,
    /// Texts that stand in a dump more than once
    Strings,
    /// Collections by class
    Collections,
    /// What leaks, by who holds it
    Leaks,
}

/// Form of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For tables
    Csv,
    /// For a ticket
    Markdown,
}

/// `shop.Cache.ALL=1MB`. A name may hold `=`, a size does not.
fn limit(text: &str) -> Result<Limit, String> {
    let (owner, size) = text.rsplit_once('=').filter(|(owner, _)| !owner.is_empty()).ok_or("write it as OWNER=1MB")?;
    Ok(Limit { owner: owner.to_owned(), bytes: Bytes(bytes(size)?) })
}
