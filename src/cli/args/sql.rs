//! Arguments of `query`.

#![expect(missing_docs, reason = "the text below is the help of the command line")]

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::named::named;
use super::{AnalysisArguments, RulesArguments};
use heaplens_base::{Name, Named};
use heaplens_tables::OutputForm;

/// Form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryForm {
    Text,
    Json,
    Csv,
    Parquet,
    Arrow,
}

impl QueryForm {
    /// True if the output is no text.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow)
    }

    /// The form of a table that says what it is of in the same way; binary forms say it as csv does, on stderr.
    pub fn of_table(self) -> OutputForm {
        match self {
            Self::Text => OutputForm::Text,
            Self::Json => OutputForm::Json,
            Self::Csv | Self::Parquet | Self::Arrow => OutputForm::Csv,
        }
    }
}

impl Named for QueryForm {
    const NAMES: &'static [Name<Self>] = &[
        Name::new(Self::Text, "text", "Aligned text"),
        Name::new(Self::Json, "json", "An object with the rows"),
        Name::new(Self::Csv, "csv", "Comma-separated values"),
        Name::new(Self::Parquet, "parquet", "A Parquet file: redirect the output"),
        Name::new(Self::Arrow, "arrow", "A stream of Arrow, for a pipe"),
    ];
}

/// `query`
#[derive(Debug, Args)]
pub struct QueryArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Query, such as \"SELECT class, objects FROM classes LIMIT 10\"
    #[arg(value_name = "SQL")]
    pub query: Option<String>,
    /// Read the query from a file; - is standard input
    #[arg(short = 'f', long = "file", value_name = "FILE", conflicts_with = "query")]
    pub query_file: Option<PathBuf>,
    /// Older dump of the program, whose tables are named before.objects and so on
    #[arg(long, value_name = "DUMP", conflicts_with_all = ["cuts", "fix"])]
    pub before: Option<PathBuf>,
    /// List tables, columns and functions instead
    #[arg(long, conflicts_with_all = ["query", "query_file"])]
    pub tables: bool,
    #[command(flatten)]
    pub rules: RulesArguments,
    /// Output format; json and csv are stable for scripts
    #[arg(long, value_parser = named::<QueryForm>(), default_value = "text", help_heading = "Output options")]
    pub format: QueryForm,
    /// Maximum number of rows [default: all]
    #[arg(long, value_name = "N", help_heading = "Output options")]
    pub top: Option<usize>,
    /// End the query after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Output options")]
    pub timeout: Option<Duration>,
    #[command(flatten)]
    pub open: AnalysisArguments,
}

/// `export`
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Folder to write the files to; made if it does not exist
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Write only these tables, such as objects,classes [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub tables: Vec<String>,
    /// Write strings with their text, too
    #[arg(long)]
    pub values: bool,
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub rules: RulesArguments,
    #[command(flatten)]
    pub open: AnalysisArguments,
}

/// Parses a number of seconds above 0.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|seconds| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds above 0".to_owned())
}
