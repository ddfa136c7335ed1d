//! Output options: format, number, order and filter of rows.

use std::ops::RangeInclusive;

use clap::Args;

use super::AnalysisArguments;
use super::named::format;
use heaplens_tables::{OutputForm, RowQuery};

/// Options of all commands that print rows.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output options")]
pub struct PrintArguments {
    /// Output format; json and csv are stable for scripts
    #[arg(long, value_parser = format(OutputForm::OF_TABLES), default_value = "text")]
    pub format: OutputForm,
    /// Maximum number of rows [default: 50; json and csv: all]
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Print only rows whose class or label contains TEXT; /re/ is a regular expression
    ///
    /// Tables compare numbers, too: 'retained>1MB', 'objects=10..100', 'share>=5%', before or after other words. A
    /// column is named by its csv heading, with or without `_bytes`; '>1MB' means the retained size, or the first size
    /// of a table without it. A percentage of a size is that of all reachable bytes.
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// What-if and opening options.
    #[command(flatten)]
    pub open: AnalysisArguments,
}

/// Options of all commands that print a table: selection and order of rows.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output options")]
pub struct OrderArguments {
    /// Sort by this csv column: numbers descending, text ascending
    #[arg(long, value_name = "COLUMN")]
    pub sort: Option<String>,
    /// Reverse the order of rows
    #[arg(long)]
    pub reverse: bool,
    /// Number of rows to skip
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub skip: usize,
    /// Print only these rows, numbered from 1 in default order, such as 1,5-9
    #[arg(long, value_name = "RANGES", value_delimiter = ',', value_parser = row_range)]
    pub rows: Vec<RangeInclusive<u32>>,
}

impl OrderArguments {
    /// True if none of the options is given.
    pub fn is_usual(&self) -> bool {
        self.sort.is_none() && !self.reverse && self.skip == 0 && self.rows.is_empty()
    }

    /// Rows that match `--filter`, at most `top`.
    pub fn rows(&self, filter: Option<&str>, top: Option<usize>) -> RowQuery {
        RowQuery {
            owners: false,
            filter: filter.unwrap_or_default().to_owned(),
            numbers: self.rows.clone(),
            sort: self.sort.clone(),
            reverse: self.reverse,
            skip: self.skip,
            top,
            owner: false,
            preview: false,
            age: false,
        }
    }
}

/// Parses `7` or `5-9`: row numbers, from 1.
fn row_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse().ok().filter(|&number: &u32| number > 0);
    let range = number(first).zip(number(last)).filter(|(first, last)| first <= last);
    range.map(|(first, last)| first..=last).ok_or_else(|| "expected row numbers such as 1,5-9".to_owned())
}
