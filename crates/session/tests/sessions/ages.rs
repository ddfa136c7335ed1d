//! The order of allocation: one measurement for all that read it.

use std::fmt::Write as _;

use heaplens_analysis::clock::AgesQuestion;
use heaplens_analysis::leaks::{default_min_bytes, rules::LeakRules};
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

/// `count` addresses with the labels `NAME0`, `NAME1`, and so on; returns the labels.
fn addresses(text: &mut String, name: &str, count: usize) -> String {
    for at in 0..count {
        writeln!(text, "{name}{at} = shop.Address text={name}text{at}\n{name}text{at} = \"street {name} {at}\"")
            .expect("a text");
    }
    (0..count).map(|at| format!("{name}{at}")).collect::<Vec<_>>().join(" ")
}

/// A dump whose addresses are in the order of allocation.
fn dump() -> Dump {
    let mut text = "class shop.Address\n  field text: object\n\
         class shop.Catalogue\n  static all: object = catalogue\nroot shop.Catalogue class\n\
         class shop.Visits\n  static all: object = visits\nroot shop.Visits class\n"
        .to_owned();
    let catalogue = addresses(&mut text, "item", 300);
    let visits = addresses(&mut text, "visit", 100);
    writeln!(text, "catalogue = java.lang.Object[] {catalogue} null\nvisits = java.lang.Object[] {visits} null")
        .expect("a text");
    let sketch = notation::read(&text).unwrap_or_else(|why| panic!("{why}"));
    crate::open_bytes(write(&sketch, Form::MODERN), &OpenOptions::default())
}

#[test]
fn leaks_and_tables_read_one_measurement() {
    let (dump, task) = (dump(), &Task::new());
    let cancelled = Task::new();
    cancelled.cancel();
    assert!(dump.ages(&cancelled).is_err() && dump.answers().computations(&AgesQuestion) == 0);
    let (rules, min_bytes) = (LeakRules::default(), default_min_bytes(dump.analysis.shown.shallow));
    let actual = heaplens_session::leaks::findings(dump.data(), (&rules, min_bytes), task).expect("not cancelled");
    assert!(!actual.is_empty() && dump.answers().computations(&AgesQuestion) == 1, "measured by the leak search");
    assert!(dump.ages(task).is_ok());
    assert_eq!(dump.answers().computations(&AgesQuestion), 1);
}

#[test]
fn threads_that_ask_at_once_share_a_measurement() {
    let dump = &dump();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(dump.ages(&Task::new()).is_ok()));
        }
    });
    assert_eq!(dump.answers().computations(&AgesQuestion), 1);
}
