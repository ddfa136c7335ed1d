//! Arguments of `leaks`.

use std::path::PathBuf;

use clap::Args;

use super::named::{format, named};
use super::opening::bytes;
use super::{AnalysisArguments, AndroidArguments, OrderArguments, RulesArguments};
use heaplens_base::{Bytes, named};
use heaplens_tables::OutputForm;
use heaplens_tables::dump::javascript_leaks::SnapshotLeakKind;

/// Default maximum number of findings in text output.
const SHOWN: usize = 20;

/// `leaks`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct LeaksArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Hide findings that would free less than SIZE (500kB, 0.5%) [default: 1%]
    ///
    /// A percentage is of the reachable heap. With --baseline the default is 0.
    #[arg(long, value_name = "SIZE", value_parser = least)]
    pub least: Option<SizeLimit>,
    /// Earlier dump of the program: growth since then is evidence, and what grew comes first
    ///
    /// Structures that grew by at least the size of --least are findings too, even if FILE alone does not show them.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baselines", "form"])]
    pub before: Option<PathBuf>,
    /// JavaScript: snapshot taken before the action to test (repeatable)
    ///
    /// Objects that are not in a baseline, are in the target and are still alive in FILE are reported as leaks.
    #[arg(long = "baseline", value_name = "FILE")]
    pub baselines: Vec<PathBuf>,
    /// JavaScript: snapshot taken after the action [default: FILE]
    #[arg(long, value_name = "FILE", requires = "baselines")]
    pub target: Option<PathBuf>,
    /// With --baseline: print only this table
    #[arg(long, value_parser = named::<SnapshotLeakKind>(), value_name = "TABLE", requires = "baselines")]
    pub of: Option<SnapshotLeakKind>,
    /// Android: print the report in the format of another tool
    #[arg(long, value_parser = named::<LeaksForm>(), conflicts_with_all = ["format", "top", "filter"])]
    pub form: Option<LeaksForm>,
    #[command(flatten)]
    pub rules: RulesArguments,
    /// Exit with status 3 if fixing one leak would free at least SIZE, such as 10MB
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub fail_on: Option<u64>,
    #[command(flatten)]
    pub android: AndroidArguments,
    /// Output format; json and csv are stable for scripts
    #[arg(long, value_parser = format(OutputForm::OF_FINDINGS), default_value = "text", help_heading = "Output options")]
    pub format: OutputForm,
    /// Maximum number of findings [default: 20; json and csv: all]
    #[arg(long, value_name = "N", help_heading = "Output options")]
    pub top: Option<usize>,
    /// Print only findings whose name, class or fingerprint matches TEXT
    ///
    /// /re/ is a regular expression. 'frees>1MB' and 'objects>100' compare numbers.
    #[arg(long, value_name = "TEXT", help_heading = "Output options")]
    pub filter: Option<String>,
    /// Order of rows, with `--of` only.
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub open: AnalysisArguments,
}

impl LeaksArguments {
    /// Maximum number of findings to print: that of `--top`, or the default of text; `None` for all.
    pub fn shown(&self) -> Option<usize> {
        self.top.or(self.format.is_for_people().then_some(SHOWN))
    }
}

/// Report formats of other tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaksForm {
    /// Text of LeakCanary.
    Leakcanary,
    /// JSON of KOOM.
    Koom,
}

named!(LeaksForm {
    Leakcanary = "leakcanary", "LeakCanary's text report";
    Koom = "koom", "KOOM's JSON report: destroyed activities and fragments, large bitmaps and arrays";
});

/// `--least`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeLimit {
    /// Size in bytes.
    Bytes(u64),
    /// Share of the reachable heap, in thousandths of a percent.
    OfHeap(u64),
}

impl SizeLimit {
    /// Default: 1% of the reachable heap.
    pub const DEFAULT: Self = Self::OfHeap(1_000);

    /// Threshold in bytes for a heap of size `total`; at least 1.
    pub fn of(self, total: Bytes) -> Bytes {
        match self {
            Self::Bytes(bytes) => Bytes(bytes.max(1)),
            Self::OfHeap(part) => Bytes((u128::from(total.0) * u128::from(part)).div_ceil(100_000).max(1) as u64),
        }
    }
}

pub(super) fn least(text: &str) -> Result<SizeLimit, String> {
    let Some(percent) = text.strip_suffix('%') else { return bytes(text).map(SizeLimit::Bytes) };
    let percent: f64 = percent
        .trim()
        .parse()
        .map_err(|_no_number| "expected a size or a percentage, such as 500kB or 0.5%".to_owned())?;
    if (0.0..=100.0).contains(&percent) {
        Ok(SizeLimit::OfHeap((percent * 1_000.0) as u64))
    } else {
        Err("percentage must be between 0% and 100%".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_is_bytes_or_a_share() {
        assert_eq!(least("2kB"), Ok(SizeLimit::Bytes(2_000)));
        assert_eq!(least("0.5%").map(|least| least.of(Bytes(1_000_000))), Ok(Bytes(5_000)));
        assert_eq!(least("1%").map(|least| least.of(Bytes(150))), Ok(Bytes(2)));
        assert!(least("101%").is_err() && least("much%").is_err() && least("NaN%").is_err());
    }
}
