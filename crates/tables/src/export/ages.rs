//! Ages in words and in JSON: of an object among all objects, and of what a structure holds. The window, the command line and
//! tables share them.

use serde::Serialize;

use crate::columns::rounded;
use heaplens_analysis::DumpData;
use heaplens_analysis::clock::{AgeInterval, Ages, EntryAges, EntrySpan, TENTHS};
use heaplens_base::{Count, Share};
use heaplens_heap::ObjectId;

/// Where the dump does not tell an age.
pub const NOT_KNOWN: &str = "not known";
/// Parts of a whole in shares.
const PARTS: u64 = 10_000;
/// Title of the age of what a structure holds.
pub const ENTRIES: &str = "Age of entries";

/// A part of all objects as a share, to a ten-thousandth.
pub(crate) fn share(part: f64) -> Share {
    let part = (part.clamp(0.0, 1.0) * PARTS as f64).round() as u64;
    Share { part, total: PARTS }
}

/// Percent of all objects that are older for certain, and of those that are not newer for certain.
fn percents(age: AgeInterval) -> (u64, u64) {
    let percent = |part: f64| (part * 100.0).clamp(0.0, 100.0);
    (percent(age.from).floor() as u64, percent(age.to).ceil() as u64)
}

/// An age in a cell: `newest 5 %`, `oldest 12 %`, `40–55 %`. Percentages are of all objects, which are older.
pub fn short(age: Option<AgeInterval>) -> String {
    let Some((from, to)) = age.map(percents) else { return NOT_KNOWN.to_owned() };
    match (from, to) {
        (_, 100) => format!("newest {} %", 100 - from),
        (0, _) => format!("oldest {to} %"),
        (from, to) if from == to => format!("{from} %"),
        _ => format!("{from}–{to} %"),
    }
}

/// An age in a sentence.
pub fn explained(age: Option<AgeInterval>) -> String {
    match age.map(percents) {
        None => "Age not known: the dump does not tell when it was allocated".to_owned(),
        Some((from, 100)) => format!("At least {from} % of all objects are older"),
        Some((0, to)) => format!("At most {to} % of all objects are older"),
        Some((from, to)) => format!("{from} % to {to} % of all objects are older"),
    }
}

/// When the entries of a structure were added, as the end of a sentence: `most are among the newest tenth`.
pub fn entries(ages: &EntryAges) -> String {
    match ages.span {
        EntrySpan::Unknown => NOT_KNOWN.to_owned(),
        EntrySpan::Newest => "most are among the newest tenth".to_owned(),
        EntrySpan::Oldest => "most are among the oldest tenth".to_owned(),
        EntrySpan::AllTimes => "at all times: some are old, some are new".to_owned(),
        EntrySpan::Between(newer, 100) => format!("most are newer than {newer} % of objects"),
        EntrySpan::Between(0, last) => format!("most are older than {} % of objects", 100 - last.min(100)),
        EntrySpan::Between(newer, last) => {
            format!("most are newer than {newer} % and older than {} % of objects", 100 - last.min(100))
        }
    }
}

/// What the entries were measured by: `512 of its objects, 480 with a known age`.
pub fn measured(ages: &EntryAges) -> String {
    let (sampled, known) = (Count(ages.sampled.into()), Count(ages.known.into()));
    format!("From a sample of {sampled} of the objects that it dominates, {known} with a known age")
}

/// Ages in the JSON of an object.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ObjectAges {
    /// Age of the object; null if it is not known.
    pub age: Option<ObjectAge>,
    /// Of a structure with enough objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries_added: Option<EntriesAdded>,
    #[serde(skip)]
    interval: Option<AgeInterval>,
}

/// Age of an object: parts of all objects, from 0 to 1.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ObjectAge {
    /// Those that are older for certain.
    pub older_from: f64,
    /// Those that are older or may be.
    pub older_to: f64,
}

/// When the entries of a structure were added.
#[derive(Debug, Clone, Serialize)]
pub struct EntriesAdded {
    /// The sentence that people read.
    pub text: String,
    /// Objects looked up.
    pub sampled: u32,
    /// Those of them whose age is known.
    pub known: u32,
    /// Part of the known ones in each tenth of the history of the heap, oldest first; null if too few are known.
    pub tenths: Option<[f64; TENTHS]>,
}

impl ObjectAges {
    /// Ages of an object, and of its entries if it is a structure with entries.
    pub fn of(ages: &Ages, dump: DumpData<'_>, object: ObjectId, is_structure: bool) -> Self {
        let interval = ages.shown(dump.heap, object);
        let age = interval.map(|age| ObjectAge { older_from: rounded(age.from), older_to: rounded(age.to) });
        let entries = is_structure.then(|| ages.of_entries(dump, object)).flatten();
        let entries_added = entries.map(|ages| EntriesAdded {
            text: self::entries(&ages),
            sampled: ages.sampled,
            known: ages.known,
            tenths: ages.is_known().then(|| ages.tenths.map(rounded)),
        });
        Self { age, entries_added, interval }
    }

    /// Lines for people: title and text.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, String)> {
        let entries = self.entries_added.as_ref().map(|entries| (ENTRIES, entries.text.clone()));
        [("Age", short(self.interval))].into_iter().chain(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_never_claims_more_than_its_interval() {
        let words = |from: f64, to: f64| {
            let age = Some(AgeInterval { from, to });
            (short(age), explained(age))
        };
        let newest = ("newest 6 %".to_owned(), "At least 94 % of all objects are older".to_owned());
        assert_eq!(words(0.949, 0.9991), newest);
        let oldest = ("oldest 13 %".to_owned(), "At most 13 % of all objects are older".to_owned());
        assert_eq!(words(0.004, 0.122), oldest);
        let between = ("40–56 %".to_owned(), "40 % to 56 % of all objects are older".to_owned());
        assert_eq!(words(0.409, 0.551), between);
        assert_eq!(short(None), NOT_KNOWN);
    }

    #[test]
    fn entries_are_said_to_be_of_one_time_in_percent_of_all_objects() {
        let sentence = |span| entries(&EntryAges { sampled: 100, known: 80, tenths: [0.1; TENTHS], span });
        assert_eq!(sentence(EntrySpan::Unknown), NOT_KNOWN);
        assert_eq!(sentence(EntrySpan::Newest), "most are among the newest tenth");
        assert_eq!(sentence(EntrySpan::Between(30, 60)), "most are newer than 30 % and older than 40 % of objects");
        assert_eq!(sentence(EntrySpan::Between(30, 100)), "most are newer than 30 % of objects");
        assert_eq!(sentence(EntrySpan::Between(0, 60)), "most are older than 40 % of objects");
    }
}
