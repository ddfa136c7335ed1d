//! The order of allocation: one measurement for all that read it.

use std::fmt::Write as _;

use heaplens_analysis::leaks::{rules::LeakRules, usual_least};
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_session::OpenOptions;
use heaplens_sql::QuerySource;
use heaplens_testkit::hprof::{Form, write as write_dump};
use heaplens_testkit::notation;

use crate::structures::{ADDRESS, addresses};

/// A dump whose addresses are in the order of allocation.
fn dump() -> heaplens_session::LoadedDump {
    let mut text = format!(
        "{ADDRESS}class shop.Catalogue\n  static all: object = catalogue\nroot shop.Catalogue class\n\
         class shop.Visits\n  static all: object = visits\nroot shop.Visits class\n"
    );
    let catalogue = addresses(&mut text, "item", 300);
    let visits = addresses(&mut text, "visit", 100);
    let _whole =
        write!(text, "catalogue = java.lang.Object[] {catalogue} null\nvisits = java.lang.Object[] {visits} null\n");
    crate::open_bytes(
        write_dump(&notation::read(&text).unwrap_or_else(|why| panic!("{why}")), Form::MODERN),
        &OpenOptions::default(),
    )
}

#[test]
fn leaks_tables_and_queries_read_one_measurement() {
    let (dump, task) = (dump(), &Task::new());
    let cancelled = Task::new();
    cancelled.cancel();
    assert!(dump.ages(&cancelled).is_err() && dump.shared_ages().measurements() == 0);
    let (rules, least) = (LeakRules::default(), usual_least(dump.analysis.shown.shallow));
    let found = heaplens_session::leaks::findings(&dump, (&rules, least), task).expect("not cancelled");
    assert!(!found.is_empty() && dump.shared_ages().measurements() == 1, "measured by the leak search");
    let newest = ObjectId::new(dump.facts.heap.len() - 1).expect("an object");
    let of_table = dump.ages(task).expect("not cancelled").shown(&dump.facts.heap, newest);
    let source = QuerySource::loaded(&dump, rules);
    let of_query = source.ages(task).expect("not cancelled").shown(&dump.facts.heap, newest);
    assert!(of_table.is_some() && of_table == of_query);
    assert_eq!(dump.shared_ages().measurements(), 1);
}

#[test]
fn threads_that_ask_at_once_share_a_measurement() {
    let dump = &dump();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(dump.ages(&Task::new()).is_ok()));
        }
    });
    assert_eq!(dump.shared_ages().measurements(), 1);
}
