//! Owners that grew between two dumps of one process, by their names in the source.

use heaplens_analysis::diff::Comparison;
use heaplens_analysis::diff::{GrowthOwner, GrowthRow, MatchExtent, MatchMethod, MatchStatus, Pair};
use heaplens_base::Task;
use heaplens_heap::ObjectId;

use super::ledger::{LEDGERS, Ledger, thread};
use super::opened::{field, held_by, pair};

/// The name of the first owner of each row.
fn named<'a>(pair: Pair<'_>, actual: &'a Comparison) -> Vec<(String, &'a GrowthRow)> {
    let task = Task::new();
    let namer = pair.after.namer(&task).expect("not cancelled");
    let name = |row: &GrowthRow| match row.owners[0] {
        GrowthOwner::Object { after, .. } => namer.name(after, &task).expect("not cancelled").unwrap_or_default(),
        GrowthOwner::Top(kind) => format!("all {}", actual.matches.kinds.get(kind).map_or("", |kind| &*kind.name)),
    };
    actual.growth.rows.iter().map(|row| (name(row), row)).collect()
}

/// Rows as a table, for failure messages.
fn table(rows: &[(String, &GrowthRow)]) -> String {
    let line = |(name, row): &(String, &GrowthRow)| format!("{:>10} {:>6} {name}", row.bytes.0, row.objects.0);
    rows.iter().map(line).collect::<Vec<_>>().join(
        "
",
    )
}

#[test]
fn owners_that_grew_come_first() {
    for name in LEDGERS {
        let it = Ledger::open(name);
        let (pair, actual) = (pair(&it.before, &it.after), it.compared());
        let rows = named(pair, &actual);
        let names: Vec<&str> = rows.iter().map(|(name, _)| &**name).collect();
        let grew: Vec<&str> = it.truth("after grew").split(", ").collect();
        assert_eq!(names.get(..grew.len()), Some(&*grew), "{name}:\n{}", table(&rows));
        let shrank: Vec<&str> = it.truth("after shrank").split(", ").collect();
        assert!(names.ends_with(&shrank), "{name}:\n{}", table(&rows));
        let decoys: Vec<_> = rows.iter().filter(|(name, _)| name.starts_with("ledger.Decoys")).collect();
        assert!(decoys.is_empty(), "{name}: what did not change:\n{}", table(&rows));
        let inside =
            |row: &String| it.holders().any(|holder| row.strip_prefix(holder).is_some_and(|rest| !rest.is_empty()));
        let parts: Vec<_> = rows.iter().map(|(name, _)| name).filter(|name| inside(name)).collect();
        assert!(parts.is_empty(), "{name}: parts of collections own nothing: {parts:?}\n{}", table(&rows));
    }
}

/// The attributed objects are the added ones: 220 accounts, each with its string, two arrays, key and node.
#[test]
fn rows_count_added_objects() {
    for name in LEDGERS {
        let it = Ledger::open(name);
        let (pair, actual) = (pair(&it.before, &it.after), it.compared());
        let rows = named(pair, &actual);
        let (_, accounts) = rows.iter().find(|(name, _)| name == "ledger.Books.ACCOUNTS").expect("it grew");
        let part = accounts
            .parts
            .iter()
            .find(|part| actual.matches.kinds.get(part.kind).is_some_and(|kind| &*kind.name == "ledger.Account"));
        assert_eq!(part.map(|part| (part.added, part.removed)), Some((220, 10)), "{name}");
        assert_eq!(accounts.owners.len(), 1, "{name}");
    }
}

/// Match status of the program's own objects: those with a number are matched by it.
#[test]
fn objects_are_matched_to_themselves() {
    for name in LEDGERS {
        let it = Ledger::open(name);
        let (pair, actual) = (pair(&it.before, &it.after), it.compared());
        let number = |side, object| field(side, object, "number");
        let postings =
            |object: &ObjectId| ["ledger.Account", "ledger.Posting"].contains(&&*pair.before.heap.class(*object).name);
        for object in pair.before.heap.objects().filter(postings) {
            if let MatchStatus::Matched(other, method) = actual.matches.match_status_of_before(object) {
                assert_eq!(number(pair.before, object), number(pair.after, other), "{name}: by {method:?}");
            }
        }
        let thread_of = |side, name| thread(side, name).expect("it runs");
        let zero = [pair.before, pair.after].map(|side| thread_of(side, "clerk-0"));
        assert_eq!(actual.matches.after(zero[0]), Some(zero[1]), "{name}: a thread that kept running");
        let fates = [
            actual.matches.match_status_of_before(thread_of(pair.before, "clerk-1")),
            actual.matches.match_status_of_after(thread_of(pair.after, "clerk-2")),
            actual.matches.match_status_of_after(held_by(pair.after, "ledger.Books.policy")),
        ];
        assert_eq!(
            fates,
            [MatchStatus::Alone; 3],
            "{name}: threads that ended and started, the first object of a class"
        );
        // Other objects of its class are alike: it may be one of those.
        let policy = actual.matches.match_status_of_before(held_by(pair.before, "ledger.Books.policy"));
        assert!(matches!(policy, MatchStatus::Alone | MatchStatus::Unknown), "{name}: {policy:?}");
    }
}

/// Nearly all unchanged bytes are matched, at any address.
#[test]
fn most_bytes_are_matched() {
    for (name, floor) in LEDGERS.into_iter().zip([960, 950]) {
        let it = Ledger::open(name);
        let actual = it.compared();
        let total = actual.growth.totals.before.shallow.0;
        let share = |matched: &MatchExtent| matched.before_bytes * 1000 / total;
        let shares: Vec<String> = (MatchMethod::ALL.iter().zip(&actual.growth.by_how))
            .map(|(method, matched)| format!("{} {}‰", method.name(), share(matched)))
            .collect();
        let rest = format!("alone {}‰, unknown {}‰", share(&actual.growth.alone), share(&actual.growth.unknown));
        eprintln!("{name}: {}, {rest}", shares.join(", "));
        let matched: u64 = actual.growth.by_how.iter().map(share).sum();
        assert!(matched >= floor, "{name}: {matched}‰: {}, {rest}", shares.join(", "));
    }
}

/// The second pair tests moved objects: nearly none is at its old address.
#[test]
fn the_collector_moved_objects_in_one_pair() {
    let shares = LEDGERS.map(|name| {
        let it = Ledger::open(name);
        let pair = pair(&it.before, &it.after);
        let own =
            |object: &ObjectId| ["ledger.Account", "ledger.Posting"].contains(&&*pair.before.heap.class(*object).name);
        let number = |side, object| field(side, object, "number");
        let (mut all, mut stayed) = (0, 0);
        for object in pair.before.heap.objects().filter(own) {
            let there = pair.after.heap.at(pair.before.heap.address(object));
            let is_it = |other| number(pair.after, other) == number(pair.before, object);
            all += 1;
            stayed += usize::from(there.is_some_and(is_it));
        }
        stayed * 100 / all
    });
    assert!(shares[0] > 80 && shares[1] < 5, "of a hundred that lie where they lay: {shares:?}");
}
