//! Arguments of `diff`.

use std::path::PathBuf;

use clap::Args;

use super::named::{format, named};
use super::opening::bytes;
use super::{AnalysisArguments, OrderArguments};
use heaplens_base::Bytes;
use heaplens_tables::OutputForm;
use heaplens_tables::diff::DiffRows;
use heaplens_tables::diff::limits::GrowthLimit;

/// `diff`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct DiffArguments {
    /// Baseline: the older dump
    pub before: PathBuf,
    /// Target: the newer dump
    pub after: PathBuf,
    /// Later dumps; all are ordered by time and each is compared with the next
    pub more: Vec<PathBuf>,
    /// Print only this table [default: owners and classes; csv: owners]
    #[arg(long, value_parser = named::<DiffRows>(), value_name = "TABLE")]
    pub of: Option<DiffRows>,
    /// Maximum number of added and of removed keys per collection [default: 5; json: all]
    #[arg(long, value_name = "N")]
    pub keys: Option<usize>,
    /// Swap baseline and target
    #[arg(long, conflicts_with = "more")]
    pub swap: bool,
    /// Print only rows whose size grew
    #[arg(long)]
    pub only_grown: bool,
    /// Print only owners whose retained size grew in every interval
    #[arg(long)]
    pub grew_every_time: bool,
    /// Exit with status 3 if OWNER grew by more than BYTES (repeatable)
    ///
    /// Examples: shop.Cache.ALL=1MB, shop.*=0
    #[arg(long, value_name = "OWNER=BYTES", value_parser = limit)]
    pub fail_if_grew: Vec<GrowthLimit>,
    /// Output format; json and csv are stable for scripts
    #[arg(long, value_parser = format(OutputForm::OF_FINDINGS), default_value = "text", help_heading = "Output options")]
    pub format: OutputForm,
    /// Maximum number of rows per table [default: 50; json and csv: all]
    #[arg(long, value_name = "N", help_heading = "Output options")]
    pub top: Option<usize>,
    /// Print only rows that match TEXT; /re/ is a regular expression
    ///
    /// Owners match by name and by the class of their added or removed objects.
    #[arg(long, value_name = "TEXT", help_heading = "Output options")]
    pub filter: Option<String>,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub open: AnalysisArguments,
}

/// Parses `shop.Cache.ALL=1MB`. Splits at the last `=`, since an owner's name may contain one.
fn limit(text: &str) -> Result<GrowthLimit, String> {
    let (owner, size) = text
        .rsplit_once('=')
        .filter(|(owner, _)| !owner.is_empty())
        .ok_or("expected OWNER=SIZE, such as shop.Cache.ALL=1MB")?;
    Ok(GrowthLimit { owner: owner.to_owned(), bytes: Bytes(bytes(size)?) })
}
