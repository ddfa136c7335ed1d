//! Two dumps of one process, compared with its log of added and removed entries (`fixtures/java/Ledger*.java`).

use std::collections::{BTreeMap, BTreeSet};

use heaplens_analysis::DumpData;
use heaplens_analysis::diff::Comparison;
use heaplens_analysis::diff::Entries;
use heaplens_analysis::diff::entries::{Entry, entries};
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::{LogicalKind, ObjectId, Value};

use super::opened::{compared, field, fixture, held_by, pair, path};

/// The names of the pairs: where little moved, and where all did.
pub(super) const LEDGERS: [&str; 2] = ["keys", "moved"];

/// A pair and its truth.
pub(super) struct Ledger {
    pub(super) before: Dump,
    pub(super) after: Dump,
    truths: Vec<(String, String)>,
}

/// Keys, each with the number of its value.
type Keys = BTreeSet<(String, String)>;

impl Ledger {
    pub(super) fn open(name: &str) -> Self {
        let (before, after) = (format!("{name}-before"), format!("{name}-after"));
        let truths = [&before, &after].map(|name| {
            let by_holder = std::fs::read_to_string(path(name).with_file_name(format!("{name}.truth.txt")));
            by_holder.expect("a truth file beside the fixture")
        });
        let lines =
            truths.iter().flat_map(|by_holder| by_holder.lines()).filter_map(|line| line.strip_prefix("TRUTH "));
        let truths = lines.filter_map(|line| line.split_once(" = "));
        let truths = truths.map(|(what, value)| (what.to_owned(), value.to_owned())).collect();
        Self { before: fixture(&before), after: fixture(&after), truths }
    }

    pub(super) fn compared(&self) -> Comparison {
        compared(pair(&self.before, &self.after))
    }

    /// Logged value of `what`.
    pub(super) fn truth(&self, what: &str) -> &str {
        let actual = self.truths.iter().find(|(by_holder, _)| by_holder == what);
        &actual.unwrap_or_else(|| panic!("no truth of {what:?}")).1
    }

    /// Statics whose collections changed.
    pub(super) fn holders(&self) -> impl Iterator<Item = &str> {
        self.truths.iter().filter_map(|(what, _)| what.strip_prefix("after size "))
    }

    /// Added and removed keys, by holder of the collection.
    fn keys_by_holder(&self) -> BTreeMap<&str, (Keys, Keys)> {
        let mut by_holder: BTreeMap<&str, (Keys, Keys)> = BTreeMap::new();
        for (what, value) in &self.truths {
            let Some((key, number)) = value.split_once(" -> ") else { continue };
            let entry = (key.to_owned(), number.to_owned());
            if let Some(holder) = what.strip_prefix("after came ") {
                by_holder.entry(holder).or_default().0.insert(entry);
            } else if let Some(holder) = what.strip_prefix("after went ") {
                by_holder.entry(holder).or_default().1.insert(entry);
            }
        }
        by_holder
    }
}

/// The collection in a static, or in a local of a thread.
fn collection(side: DumpData<'_>, holder: &str) -> ObjectId {
    match holder.strip_prefix("thread ") {
        None => held_by(side, holder),
        Some(thread) => drafts(side, thread),
    }
}

/// The thread of a name.
pub(super) fn thread(side: DumpData<'_>, name: &str) -> Option<ObjectId> {
    let is_it = |&object: &ObjectId| {
        let text = field(side, object, "name").and_then(Value::object);
        text.and_then(|text| side.contents.text(side.heap, text, 100)).as_deref() == Some(name)
    };
    let clerks = |&object: &ObjectId| &*side.heap.class(object).name == "ledger.Clerk";
    side.heap.objects().filter(clerks).find(is_it)
}

fn drafts(side: DumpData<'_>, name: &str) -> ObjectId {
    let thread = thread(side, name).unwrap_or_else(|| panic!("no thread is called {name}"));
    let locals = field(side, thread, "threadLocals").and_then(Value::object).expect("it has some");
    let locals = side.contents.logical(side.heap, locals, 0..u64::MAX).expect("a map");
    let values = locals.entries.iter().filter_map(|entry| entry.value.object());
    let maps: Vec<ObjectId> = values.filter(|&value| &*side.heap.class(value).name == "java.util.HashMap").collect();
    let [drafts] = maps[..] else { panic!("{name} has {} maps", maps.len()) };
    drafts
}

/// Entries as the program writes them.
fn written(side: DumpData<'_>, actual: &Entries, entries: &[Entry], by_holder: &Keys) -> Keys {
    let entry = |entry: &Entry| {
        let key = by_holder.iter().map(|(key, _)| key).find(|key| is_written(&entry.key, key)).unwrap_or(&entry.key);
        let number = match (actual.kind, entry.value) {
            (LogicalKind::Set, _) => "0".to_owned(),
            (_, value) => {
                value.and_then(|value| field(side, value, "number")).map_or_else(String::new, |n| n.to_string())
            }
        };
        (key.clone(), number)
    };
    entries.iter().map(entry).collect()
}

/// True if a key is written as the program logged it: an index in brackets, constants with their class, records by
/// their components.
fn is_written(actual: &str, by_holder: &str) -> bool {
    let Some((class, components)) = by_holder.strip_suffix(']').and_then(|by_holder| by_holder.split_once('[')) else {
        let index = actual.strip_prefix('[').and_then(|index| index.strip_suffix(']'));
        let constant = actual.strip_prefix("ledger.Region").map(|constant| &constant[1..]);
        let number = by_holder.strip_suffix('L');
        return actual == by_holder
            || index == Some(by_holder)
            || constant == Some(by_holder)
            || Some(actual) == number;
    };
    let components = components.split(", ").filter_map(|component| component.split_once('=')).map(|(_, value)| value);
    let words: Vec<&str> = actual.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    actual.contains(class) && components.clone().all(|component| words.contains(&component))
}

#[test]
fn collections_list_added_and_removed_keys() {
    let mut wrong = Vec::new();
    for name in LEDGERS {
        let it = Ledger::open(name);
        let (pair, actual) = (pair(&it.before, &it.after), it.compared());
        let by_holder = it.keys_by_holder();
        assert_eq!(by_holder.len(), 16, "collections with something to say");
        for (holder, (added, removed)) in by_holder {
            let (before, after) = (collection(pair.before, holder), collection(pair.after, holder));
            if actual.matches.after(before) != Some(after) {
                wrong.push(format!("{name}: {holder} is not matched to itself"));
            }
            let answer = entries(pair, &actual.matches, before, after, 1_000, &Task::new()).expect("not cancelled");
            let answer = answer.unwrap_or_else(|| panic!("{name}: {holder} is a collection"));
            let additions = written(pair.after, &answer, &answer.new, &added);
            let removals = written(pair.before, &answer, &answer.removed_entries, &removed);
            for (what, actual, by_holder) in [("added", &additions, &added), ("removed", &removals, &removed)] {
                if actual != by_holder {
                    let more: Vec<_> = actual.difference(by_holder).take(3).collect();
                    let less: Vec<_> = by_holder.difference(actual).take(3).collect();
                    wrong.push(format!(
                        "{name}: {holder} {what} {} of {}: not said {more:?}, not found {less:?}",
                        actual.len(),
                        by_holder.len()
                    ));
                }
            }
            if (answer.added, answer.removed) != (added.len() as u64, removed.len() as u64) {
                wrong.push(format!("{name}: {holder} +{} -{}", answer.added, answer.removed));
            }
            if answer.in_both + answer.removed != answer.before || answer.in_both + answer.added != answer.after {
                wrong.push(format!("{name}: {holder} does not add up: {answer:?}"));
            }
            if holder.starts_with("ledger") {
                for (stage, count) in [("before", answer.before), ("after", answer.after)] {
                    assert_eq!(it.truth(&format!("{stage} size {holder}")), count.to_string(), "{name}: {holder}");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
