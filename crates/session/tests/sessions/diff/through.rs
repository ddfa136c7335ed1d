//! More than two dumps of one program, and recognition of dumps of one program.

use heaplens_analysis::diff::program::ProgramMatch;
use heaplens_analysis::diff::{GrowthOwner, MatchMethod};
use heaplens_analysis::naming::Namer;
use heaplens_analysis::runtime_classes::RuntimeClasses;
use heaplens_base::{Bytes, Task};
use heaplens_dump::Dump;
use heaplens_session::chain::Chain;
use heaplens_session::series::{SeriesKind, of_owners, series};

use super::opened::{FIXTURES, compared, fixture, pair, side};

fn names(dump: &Dump) -> Namer<'_> {
    dump.namer(&Task::new()).expect("not cancelled")
}

#[test]
fn owners_are_followed_through_all_dumps_and_sums_add_up() {
    let dumps = ["leak-before", "leak-after", "leak-after-jdk25"].map(fixture);
    let task = Task::new();
    let sides = || dumps.iter().map(Dump::data).collect::<Vec<_>>();
    let chain = Chain::new(sides(), |_| None, &task).expect("not cancelled");
    let actual = series(&chain, &task).expect("not cancelled");
    let charged: i64 = actual.owners.iter().map(|row| row.charged.0).sum();
    let shown = |at: usize| dumps[at].analysis.shown.shallow.0.cast_signed();
    assert_eq!(charged, shown(2) - shown(0), "all added and removed bytes are attributed");
    // Reusing what is known of two of them changes nothing.
    let last = compared(pair(&dumps[1], &dumps[2]));
    let known = Chain::new(sides(), |at| (at == 1).then_some(&last), &task).expect("not cancelled");
    assert_eq!(series(&known, &task).expect("not cancelled"), actual);
    // The map of sessions is in all of them, with its stated size.
    let namer = names(&dumps[2]);
    let map = namer.resolve("desk.SessionCache.ENTRIES", &task).expect("it exists");
    let back = chain.follow(2, map, 0).expect("it was there");
    assert_eq!(chain.follow(0, back, 2), Some(map));
    let row = actual.owners.iter().find(|row| row.objects[2] == Some(map)).expect("it was attributed");
    assert!(matches!(&row.owner, SeriesKind::Objects(objects) if objects.len() == 1));
    let sizes: Vec<Bytes> = row.amounts.iter().map(|amount| amount.retained).collect();
    assert_eq!(sizes[0], dumps[0].analysis.retained(back));
    assert!(sizes[0] < sizes[1]);
    // As drawn beside a comparison of two dumps that are not the ends of the series.
    let before = chain.follow(2, map, 1).expect("there too");
    let owner = [GrowthOwner::Object { before, after: map, method: MatchMethod::Path, field: None }];
    assert_eq!(of_owners(&chain, (1, 2), &owner, &last.matches.kinds, &actual), sizes);
}

#[test]
fn dumps_of_different_programs_are_distinguished() {
    // Two pairs are of one program, once with a collector that moves everything.
    let program = |name: &str| name.split('-').next().expect("a name").replace("moved", "keys");
    let dumps = FIXTURES.map(|name| (program(name), fixture(name)));
    let rules = RuntimeClasses::default();
    for (one, first) in &dumps {
        for (other, second) in &dumps {
            let actual = ProgramMatch::of(side(first), side(second), &rules);
            assert_eq!(actual.is_same, Some(one == other), "{one} and {other}");
        }
    }
}

/// With and without unreachable objects: garbage in one dump was never an object of the other.
#[test]
fn live_and_all_objects_of_one_program_compare() {
    let (live, all) = (fixture("facts-jdk17"), fixture("facts-jdk17-all"));
    let actual = compared(pair(&live, &all));
    let matched: u64 = actual.growth.by_how.iter().map(|matched| matched.before_bytes).sum();
    let complete = actual.growth.totals.before.shallow.0;
    assert!(matched * 100 >= complete * 98, "{matched} of {complete} bytes");
    // The program is the same at both times: the growth is referents that the collector had not cleared yet.
    let namer = names(&all);
    let first = actual.growth.rows.iter().take(2).filter_map(|row| match row.owners.first()? {
        GrowthOwner::Object { after, .. } => namer.name(*after, &Task::new()).expect("not cancelled"),
        GrowthOwner::Top(_) => None,
    });
    let first: Vec<String> = first.collect();
    assert!(first.iter().all(|name| name.starts_with("facts.References.")) && first.len() == 2, "{first:?}");
}
