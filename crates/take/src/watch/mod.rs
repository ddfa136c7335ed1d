//! A process over time: class histograms at intervals, and rules for when a dump is due.

mod alarm;
mod history;
mod rules;
mod scale;
mod watched;

pub use self::alarm::{Alarm, Alarms};
pub use self::history::{ClassSeries, History, RoundFacts};
pub use self::rules::AlarmRules;
pub use self::watched::{Round, Watched};
