//! Arguments of `check`.

use std::path::PathBuf;

use clap::Args;

use super::leaks::least;
use super::named::{format, named};
use super::opening::bytes;
use super::{OpenArguments, RulesArguments, SizeLimit};
use heaplens_tables::OutputForm;
use heaplens_tables::check::{CheckPart, Tolerance};

/// `check`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct CheckArguments {
    /// Heap dumps to check
    #[arg(required = true, value_name = "FILES")]
    pub dumps: Vec<PathBuf>,
    /// File with the accepted findings; --accept creates it
    #[arg(long, value_name = "FILE")]
    pub baseline: PathBuf,
    /// Accept what the dumps have now: write the baseline instead of failing
    ///
    /// Sections of other dumps, and what people wrote in entries, are kept.
    #[arg(long)]
    pub accept: bool,
    /// Section in the baseline, of one dump only [default: file name without extensions]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// What to check, separated by commas
    #[arg(long, value_parser = named::<CheckPart>(), value_name = "PARTS", value_delimiter = ',', default_value = "leaks")]
    pub of: Vec<CheckPart>,
    /// Smallest size of a finding and of an owner (500kB, 0.5%) [default: 1%]
    ///
    /// A percentage is of the reachable heap.
    #[arg(long, value_name = "SIZE", value_parser = least)]
    pub least: Option<SizeLimit>,
    #[command(flatten)]
    pub grow: GrowArguments,
    #[command(flatten)]
    pub rules: RulesArguments,
    /// Android: read more reference patterns that are known leaks or ignored (repeatable)
    #[arg(long = "references", value_name = "FILE")]
    pub references: Vec<PathBuf>,
    #[command(flatten)]
    pub output: CheckOutputArguments,
    #[command(flatten)]
    pub open: OpenArguments,
}

/// Growth of accepted findings that passes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tolerance options")]
pub struct GrowArguments {
    /// Growth of an accepted finding that passes [default: 100kB]
    ///
    /// A finding fails if it grew by more than this and by more than --grow-by-percent. An entry of the baseline can
    /// have its own "grow_by" and "grow_by_percent".
    #[arg(long, value_name = "SIZE", value_parser = bytes, hide_default_value = true, default_value_t = Tolerance::BYTES.0)]
    pub grow_by: u64,
    /// Growth of an accepted finding that passes, in percent of its accepted size
    #[arg(long, value_name = "N", value_parser = percent, default_value_t = Tolerance::PERCENT)]
    pub grow_by_percent: f64,
}

/// Output of a check.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output options")]
pub struct CheckOutputArguments {
    /// Output format; json is stable for scripts
    #[arg(long, value_parser = format(&[OutputForm::Text, OutputForm::Json, OutputForm::Markdown]), default_value = "text")]
    pub format: OutputForm,
    /// Also write the results as SARIF 2.1.0, for code scanning
    #[arg(long, value_name = "FILE", conflicts_with = "accept")]
    pub sarif: Option<PathBuf>,
    /// Also write the results as JUnit XML: a test case for each finding
    #[arg(long, value_name = "FILE", conflicts_with = "accept")]
    pub junit: Option<PathBuf>,
    /// Also write the results as Markdown, for the summary of a build
    #[arg(long, value_name = "FILE", conflicts_with = "accept")]
    pub markdown: Option<PathBuf>,
}

impl GrowArguments {
    /// The tolerance.
    pub fn tolerance(&self) -> Tolerance {
        Tolerance { bytes: heaplens_base::Bytes(self.grow_by), percent: self.grow_by_percent }
    }
}

fn percent(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').trim().parse().ok().filter(|percent| (0.0..=1e6).contains(percent));
    percent.ok_or_else(|| "expected a percentage, such as 10".to_owned())
}
