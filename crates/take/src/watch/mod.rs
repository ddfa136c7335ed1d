//! A process over time: class histograms at intervals, and rules for when a dump is due.

mod alarm;
mod history;
mod watched;

pub use self::alarm::{Alarm, AlarmRules, Alarms};
pub use self::history::{ClassSeries, History, RoundFacts};
pub use self::watched::{Round, Watched};
