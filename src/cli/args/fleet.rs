//! Arguments of `digest` and `fleet`.

#![expect(missing_docs, reason = "the text below is the help of the command line")]

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::named::named;
use super::sql::seconds;
use super::{OpenArguments, RulesArguments};
use heaplens_base::{Name, Named};

/// `digest`
#[derive(Debug, Args)]
pub struct DigestArguments {
    /// Heap dumps to read
    #[arg(required = true, value_name = "FILES")]
    pub dumps: Vec<PathBuf>,
    /// File to write: .parquet, or .jsonl for lines of JSON [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write lines of JSON, whatever the file is named
    #[arg(long)]
    pub jsonl: bool,
    /// Program [default: folder app=NAME, or what the dump records]
    #[arg(long, value_name = "NAME", help_heading = "Identity options")]
    pub app: Option<String>,
    /// Version of the program [default: folder version=NAME]
    #[arg(long, value_name = "NAME", help_heading = "Identity options")]
    pub app_version: Option<String>,
    /// Host or device [default: folder device=NAME]
    #[arg(long, value_name = "NAME", help_heading = "Identity options")]
    pub device: Option<String>,
    /// Name of the dump in the digest, of one dump only [default: the file as given]
    #[arg(long, value_name = "NAME", help_heading = "Identity options")]
    pub name: Option<String>,
    /// Earlier digest of the program, to compare with
    #[arg(long, value_name = "DIGEST")]
    pub baseline: Option<PathBuf>,
    /// Maximum number of findings of a dump
    #[arg(long, value_name = "N", default_value_t = heaplens_fleet::FINDINGS)]
    pub findings: usize,
    /// Maximum number of classes of a dump
    #[arg(long, value_name = "N", default_value_t = heaplens_fleet::CLASSES)]
    pub classes: usize,
    /// Write names with values of the program, such as keys of maps
    #[arg(long)]
    pub values: bool,
    /// Do not read the dumps: write that they are unreadable, and why
    #[arg(long, value_name = "WHY")]
    pub failed: Option<String>,
    /// Give a dump up after this many seconds: it is unreadable then
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    #[command(flatten)]
    pub rules: RulesArguments,
    #[command(flatten)]
    pub open: OpenArguments,
}

/// Form of a report of a fleet, or of an answer about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FleetForm {
    Text,
    Markdown,
    Html,
    Json,
    Csv,
}

impl Named for FleetForm {
    const NAMES: &'static [Name<Self>] = &[
        Name::new(Self::Text, "text", "Aligned text"),
        Name::new(Self::Markdown, "markdown", "Markdown, for tickets; of the report"),
        Name::new(Self::Html, "html", "One HTML file; of the report"),
        Name::new(Self::Json, "json", "JSON"),
        Name::new(Self::Csv, "csv", "Comma-separated values; of an answer"),
    ];
}

/// `fleet`
#[derive(Debug, Args)]
pub struct FleetArguments {
    /// Files of digests, or folders with them
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
    /// Question to answer instead of a report
    #[arg(long, value_name = "QUESTION", value_parser = question)]
    pub of: Option<&'static str>,
    /// SQL to run over the tables dumps, findings and classes instead
    #[arg(long, value_name = "SQL", conflicts_with = "of")]
    pub query: Option<String>,
    /// Output format; json and csv are stable for scripts
    #[arg(long, value_parser = named::<FleetForm>(), default_value = "text", help_heading = "Output options")]
    pub format: FleetForm,
    /// Maximum number of rows of an answer [default: all]
    #[arg(long, value_name = "N", help_heading = "Output options")]
    pub top: Option<usize>,
}

/// Parses the key of a question.
fn question(key: &str) -> Result<&'static str, String> {
    let known = heaplens_fleet::QUESTIONS.iter().map(|question| question.key);
    let keys = || known.clone().collect::<Vec<_>>().join(", ");
    known.clone().find(|known| *known == key).ok_or_else(|| format!("questions are {}", keys()))
}
