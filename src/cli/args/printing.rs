//! Which rows of an answer are printed, in which order and form.

use std::ops::RangeInclusive;

use clap::{Args, ValueEnum};

use super::OpenArguments;

/// Options of everything that prints rows.
#[derive(Debug, Clone, Args)]
pub struct PrintArguments {
    /// text is for people; json and csv are stable
    #[arg(long, value_enum, default_value = "text")]
    pub format: FormatArgument,
    /// Rows at most [default: 50; json and csv: all]
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Rows whose class or label contains TEXT (/re/ is a regular expression)
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// How to open the dump
    #[command(flatten)]
    pub open: OpenArguments,
}

/// Options of everything that prints a table: which rows, in which order.
#[derive(Debug, Clone, Default, Args)]
pub struct OrderArguments {
    /// Sort by this column, as csv names it: biggest first, words by the alphabet
    #[arg(long, value_name = "COLUMN")]
    pub sort: Option<String>,
    /// In the opposite order
    #[arg(long)]
    pub reverse: bool,
    /// Rows to leave out at the beginning
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub skip: usize,
    /// Only the rows at these places of the usual order, such as 1,5-9
    #[arg(long, value_name = "PLACES", value_delimiter = ',', value_parser = places)]
    pub rows: Vec<RangeInclusive<u32>>,
}

impl OrderArguments {
    /// Whether nothing of it was given.
    pub fn is_usual(&self) -> bool {
        self.sort.is_none() && !self.reverse && self.skip == 0 && self.rows.is_empty()
    }
}

/// Form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatArgument {
    /// For people
    Text,
    /// For programs
    Json,
    /// For tables
    Csv,
}

/// `7`, `5-9`: places, from 1.
fn places(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let place = |text: &str| text.trim().parse().ok().filter(|&place: &u32| place > 0);
    let range = place(first).zip(place(last)).filter(|(first, last)| first <= last);
    range.map(|(first, last)| first..=last).ok_or_else(|| "write it as 1,5-9".to_owned())
}
