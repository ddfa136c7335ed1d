//! Arguments of `take` and `watch`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::named::format;
use super::opening::bytes;
use heaplens_base::Bytes;
use heaplens_tables::OutputForm;
use heaplens_take::watch::AlarmRules;
use heaplens_take::{Gzip, ProcessRecording, TakeOptions, Target};

/// `take`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct TakeArguments {
    /// Process to dump; without it, the processes that can be dumped are listed
    ///
    /// A process number, a part of a process name, or an address: `http://HOST:PORT` (JavaScript inspector),
    /// `android://PROCESS`, `kubectl://NAMESPACE/POD`, `docker://NAME`, `ssh://HOST`.
    pub target: Option<Target>,
    /// Dump to write, or the folder for it [default: this folder, named by process and time]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub what: TakeWhatArguments,
    /// Take a second dump this long after the first, such as 5m
    #[arg(long, value_name = "TIME", value_parser = time, requires = "target")]
    pub twice: Option<Duration>,
    /// Compare the two dumps of --twice
    #[arg(long, requires = "twice")]
    pub diff: bool,
    /// Print the findings of the dump
    #[arg(long, requires = "target", conflicts_with = "twice")]
    pub leaks: bool,
    /// Bring only the stored analysis here; the dump stays on the other machine
    #[arg(long, conflicts_with_all = ["all", "gzip", "twice"], requires = "target")]
    pub index_only: bool,
    /// Output format of the list
    #[arg(long, value_parser = format(OutputForm::OF_TABLES), default_value = "text")]
    pub format: OutputForm,
}

/// What a dump contains.
#[derive(Debug, Clone, Args)]
pub struct TakeWhatArguments {
    /// Include unreachable objects; without, the process collects garbage first
    #[arg(long)]
    pub all: bool,
    /// Compress the dump of a JVM, at level 1 to 9 [default level: 1]
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, default_missing_value = "1", require_equals = true,
        value_parser = clap::value_parser!(u8).range(1..=9))]
    pub gzip: Option<u8>,
    /// Node: switch the inspector on for the dump, and off afterwards
    #[arg(long)]
    pub start_inspector: bool,
    /// Do not record memory, limits and threads of the process beside the dump
    #[arg(long)]
    pub no_record: bool,
}

impl TakeWhatArguments {
    /// Options of the engine.
    pub fn options(&self) -> TakeOptions {
        TakeOptions {
            is_all: self.all,
            gzip: Gzip::level_of(self.gzip.unwrap_or(0)),
            may_start_inspector: self.start_inspector,
            is_index_only: false,
            recording: if self.no_record { ProcessRecording::LeftOut } else { ProcessRecording::BesideDump },
        }
    }
}

/// `watch`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct WatchArguments {
    /// Process of this machine: its number, a part of its name, or http://HOST:PORT
    pub target: Target,
    /// Time between two class histograms
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "1m")]
    pub every: Duration,
    /// Stop after this time [default: when the process ends]
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    pub during: Option<Duration>,
    /// Number of dumps to take; 0 only reports
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub dumps: usize,
    /// Folder for dumps
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub output: PathBuf,
    /// Do not collect garbage before each histogram: cheaper, with more false alarms
    #[arg(long)]
    pub no_collect: bool,
    /// Number of rounds in a row in which a class must grow
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub rounds: usize,
    /// Growth in these rounds below which nothing is reported
    #[arg(long, value_name = "SIZE", value_parser = bytes, default_value = "1MB")]
    pub least: u64,
    /// Growth in these rounds in percent below which nothing is reported
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub percent: u64,
    /// Use of the old generation in percent from which on it is reported; 0 for never
    #[arg(long, value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub old_generation: u8,
    #[command(flatten)]
    pub what: TakeWhatArguments,
    /// Output format; json is a line per round
    #[arg(long, value_parser = format(&[OutputForm::Text, OutputForm::Json]), default_value = "text")]
    pub format: OutputForm,
}

impl WatchArguments {
    /// Rules for alarms.
    pub fn rules(&self) -> AlarmRules {
        AlarmRules {
            rounds: self.rounds,
            min_growth: Bytes(self.least),
            percent: self.percent,
            old_generation: Some(self.old_generation).filter(|&percent| percent > 0),
        }
    }
}

/// Parses a time such as `5m`, `90s` or `1h 30m`.
fn time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| format!("{error}; write it as in 90s, 5m or 1h"))?;
    if time.is_zero() { Err("the time must be longer than 0".to_owned()) } else { Ok(time) }
}
