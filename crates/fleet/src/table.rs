//! Leaks of a fleet with all that a table of them shows.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::digest::NATIVE;
use super::fleet::Fleet;
use super::questions::{FleetAnswer, ask};
use super::record::{DigestRecord, READ};
use super::version_order::version_order;
use heaplens_base::{Bytes, Share, Task};
use heaplens_sql::QueryError;

/// Sections of the findings that the answers about a fleet count, as the queries in `sql/` name them.
const SECTIONS: [&str; 2] = ["leak", NATIVE];

/// What became of a leak in the last version of its program. See `sql/changes.sql`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeakChange {
    /// In the last version, in none before.
    New,
    /// In the last version and an earlier one, but not in the last but one.
    Back,
    /// Larger, or in more dumps.
    Worse,
    /// No difference beyond chance.
    Same,
    /// Smaller, or in fewer dumps.
    Better,
    /// In the last version but one, not in the last.
    Fixed,
    /// In earlier versions only.
    Gone,
}

impl LeakChange {
    /// All changes with their words in answers, worst first.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::New, "new"),
        (Self::Back, "back"),
        (Self::Worse, "worse"),
        (Self::Same, "same"),
        (Self::Better, "better"),
        (Self::Fixed, "fixed"),
        (Self::Gone, "gone"),
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(change, _)| *change == self).map_or("", |(_, word)| word)
    }

    fn of(word: &str) -> Self {
        Self::ALL.iter().find(|(_, known)| *known == word).map_or(Self::Same, |(change, _)| *change)
    }
}

/// A leak in one version.
#[derive(Debug, Clone, PartialEq)]
pub struct LeakInVersion {
    /// The version.
    pub version: Arc<str>,
    /// Share of its dumps with the leak.
    pub share: Share,
    /// Mean size in these dumps.
    pub mean: Bytes,
}

/// A leak of a program.
#[derive(Debug, Clone)]
pub struct FleetLeak {
    /// The program.
    pub app: Arc<str>,
    /// Identifies the leak in its dumps.
    pub fingerprint: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// References to cut.
    pub owner: Arc<str>,
    /// The class that accumulates; empty if there is none.
    pub class: Arc<str>,
    /// What became of it.
    pub change: LeakChange,
    /// Dumps with it, of all dumps of the program that were read as a whole.
    pub dumps: Share,
    /// First and last version with it.
    pub versions: (Arc<str>, Arc<str>),
    /// The first version with its numbers padded, to sort by.
    pub first_order: Arc<str>,
    /// Mean size in the dumps with it.
    pub mean: Bytes,
    /// Its size in all dumps together.
    pub total: Bytes,
    /// All versions of the program, in their order.
    pub by_version: Vec<LeakInVersion>,
}

/// The leaks of a fleet, largest first, with its dumps.
#[derive(Debug, Clone, Default)]
pub struct FleetTable {
    /// The digests.
    pub fleet: Arc<Fleet>,
    /// The leaks.
    pub leaks: Vec<FleetLeak>,
    /// Number of leaks by what became of them, worst first; without those that nothing became of.
    pub changes: Vec<(LeakChange, u64)>,
    /// Dumps that were read as a whole, of all.
    pub readable: Share,
}

impl FleetTable {
    /// The table of a fleet.
    ///
    /// # Errors
    /// If the task is cancelled, or there is no memory.
    pub fn new(fleet: Arc<Fleet>, task: &Task) -> Result<Self, QueryError> {
        let (all, changes, versions) =
            (ask(&fleet, "leaks", task)?, ask(&fleet, "changes", task)?, ask(&fleet, "leaks-by-version", task)?);
        let key = |answer: &FleetAnswer, row: usize| -> (Arc<str>, Arc<str>) {
            (Arc::from(answer.text(row, "app")), Arc::from(answer.text(row, "fingerprint")))
        };
        let rows = |answer: &FleetAnswer| 0..answer.rows.len();
        let change: FxHashMap<_, _> =
            rows(&changes).map(|row| (key(&changes, row), LeakChange::of(changes.text(row, "change")))).collect();
        let mut by_version: FxHashMap<_, Vec<LeakInVersion>> = FxHashMap::default();
        for row in rows(&versions) {
            let number = |column: &str| versions.number(row, column).max(0.0) as u64;
            by_version.entry(key(&versions, row)).or_default().push(LeakInVersion {
                version: versions.text(row, "version").into(),
                share: Share { part: number("dumps"), total: number("dumps_of_version") },
                mean: Bytes(number("mean_bytes")),
            });
        }
        let leak = |row: usize| -> FleetLeak {
            let key = key(&all, row);
            let text = |column: &str| -> Arc<str> { all.text(row, column).into() };
            let number = |column: &str| all.number(row, column).max(0.0);
            let name = if text("name").is_empty() { text("fingerprint") } else { text("name") };
            FleetLeak {
                name,
                owner: text("owner"),
                class: text("class"),
                change: change.get(&key).copied().unwrap_or(LeakChange::Same),
                dumps: Share { part: number("dumps") as u64, total: number("dumps_of_app") as u64 },
                versions: (text("first_version"), text("last_version")),
                first_order: version_order(all.text(row, "first_version")).into(),
                mean: Bytes(number("mean_bytes") as u64),
                total: Bytes(number("total_bytes") as u64),
                by_version: by_version.remove(&key).unwrap_or_default(),
                app: key.0,
                fingerprint: key.1,
            }
        };
        let mut leaks: Vec<FleetLeak> = rows(&all).map(leak).collect();
        leaks.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.fingerprint.cmp(&b.fingerprint)));
        let count = |change| leaks.iter().filter(|leak| leak.change == change).count() as u64;
        let changes = LeakChange::ALL.iter().map(|&(change, _)| (change, count(change)));
        let changes = changes.filter(|&(change, count)| count > 0 && change != LeakChange::Same).collect();
        let readable = fleet.dumps.iter().filter(|dump| dump.status.as_deref() == Some(READ)).count() as u64;
        let readable = Share { part: readable, total: fleet.dumps.len() as u64 };
        Ok(Self { fleet, leaks, changes, readable })
    }

    /// Findings that are this leak, one a dump, in the order of their digests.
    pub fn findings_of(&self, leak: &FleetLeak) -> Vec<&DigestRecord> {
        let is_of = |record: &&DigestRecord| {
            record.fingerprint.as_ref() == Some(&leak.fingerprint)
                && record.app.as_ref() == Some(&leak.app)
                && record.section.as_deref().is_some_and(|section| SECTIONS.contains(&section))
        };
        self.fleet.findings.iter().filter(is_of).collect()
    }
}
