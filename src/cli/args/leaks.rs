//! What `leaks` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::opening::bytes;
use super::{AndroidArguments, OpenArguments, OrderArguments, RulesArguments};
use crate::tables::javascript_leaks::BetweenOf;
use crate::units::Bytes;

/// `leaks`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct LeaksArguments {
    /// The dump
    pub file: PathBuf,
    /// text is for people, markdown for a ticket; json and csv are stable
    #[arg(long, value_enum, default_value = "text")]
    pub format: LeaksFormat,
    /// Findings at most [default: 20; json and csv: all]
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Findings whose name, class or fingerprint contains TEXT (/re/ is a regular expression)
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Leave out what frees less, such as 500kB or 0.5% of the heap [default: 1%; between snapshots: nothing]
    #[arg(long, value_name = "BYTES|PERCENT", value_parser = least)]
    pub least: Option<Least>,
    /// Of snapshots of JavaScript: one taken before anything happened; what was not there then, and stayed, leaks
    #[arg(long = "baseline", value_name = "FILE")]
    pub baselines: Vec<PathBuf>,
    /// The snapshot in which it had happened [default: the last]
    #[arg(long, value_name = "FILE", requires = "baselines")]
    pub target: Option<PathBuf>,
    /// With --baseline, only this: what came and stayed, or what only grows
    #[arg(long, value_enum, value_name = "WHAT", requires = "baselines")]
    pub of: Option<BetweenArgument>,
    /// With --of: rows to leave out, their order
    #[command(flatten)]
    pub order: OrderArguments,
    /// Of a dump of Android: its report in the form of another tool instead
    #[arg(long, value_enum, conflicts_with_all = ["format", "top", "filter"])]
    pub form: Option<LeaksForm>,
    #[command(flatten)]
    pub android: AndroidArguments,
    #[command(flatten)]
    pub rules: RulesArguments,
    /// Exit with 3 if a leak is found whose cut frees at least so much, such as 10MB
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub fail_on: Option<u64>,
    #[command(flatten)]
    pub open: OpenArguments,
}

/// `--of`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BetweenArgument {
    /// What came after the baseline and is still there
    Stayed,
    /// What leads to more and more
    Growing,
}

impl From<BetweenArgument> for BetweenOf {
    fn from(of: BetweenArgument) -> Self {
        match of {
            BetweenArgument::Stayed => Self::Stayed,
            BetweenArgument::Growing => Self::Growing,
        }
    }
}

/// Form of the findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LeaksFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For tables
    Csv,
    /// For a ticket
    Markdown,
}

/// Forms of other tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LeaksForm {
    /// As LeakCanary writes it
    Leakcanary,
    /// As KOOM writes it, in json: activities and fragments that are over, big bitmaps and arrays
    Koom,
}

/// `--least`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Least {
    /// So many bytes.
    Bytes(u64),
    /// Thousandths of a percent of what is reachable.
    OfHeap(u64),
}

impl Least {
    /// A hundredth of the heap: what is said unless something else is asked for.
    pub const USUAL: Self = Self::OfHeap(1_000);

    /// In bytes, of a heap of so many.
    pub fn of(self, whole: Bytes) -> Bytes {
        match self {
            Self::Bytes(bytes) => Bytes(bytes.max(1)),
            Self::OfHeap(part) => Bytes((u128::from(whole.0) * u128::from(part)).div_ceil(100_000).max(1) as u64),
        }
    }
}

fn least(text: &str) -> Result<Least, String> {
    let Some(percent) = text.strip_suffix('%') else { return bytes(text).map(Least::Bytes) };
    let percent: f64 = percent.trim().parse().map_err(|_no_number| "write it as 500kB or 0.5%".to_owned())?;
    if (0.0..=100.0).contains(&percent) {
        Ok(Least::OfHeap((percent * 1_000.0) as u64))
    } else {
        Err("a part of the heap is between 0% and 100%".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_is_bytes_or_a_part() {
        assert_eq!(least("2kB"), Ok(Least::Bytes(2_000)));
        assert_eq!(least("0.5%").map(|least| least.of(Bytes(1_000_000))), Ok(Bytes(5_000)));
        assert_eq!(least("1%").map(|least| least.of(Bytes(150))), Ok(Bytes(2)));
        assert!(least("101%").is_err() && least("much%").is_err() && least("NaN%").is_err());
    }
}
