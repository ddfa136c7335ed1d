//! Variables of real dumps by parts of their names.

use heaplens_base::Task;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_tables::search::variables::find_variables;
use heaplens_testkit::fixtures;

/// Titles of the best matches in a fixture.
fn titles(fixture: &str, text: &str) -> Vec<String> {
    let task = Task::new();
    let dump = open_and_wait(&fixtures::path(fixture), &OpenOptions::default(), &task)
        .unwrap_or_else(|error| panic!("{fixture}: {error}"));
    let matches = find_variables(dump.data(), text, 10, &task).expect("not cancelled");
    assert!(matches.best.len() as u64 <= matches.total);
    matches.best.iter().map(heaplens_analysis::variables::Variable::title).collect()
}

#[test]
fn a_static_is_found_by_any_part_of_its_name_in_any_order() {
    for text in
        ["ENTRIES", "entries", "SessionCache.ENTRIES", "desk.SessionCache.ENTRIES", "cache entries", "entries cache"]
    {
        let matches = titles("leak-after.hprof.gz", text);
        assert_eq!(matches.first().map(String::as_str), Some("desk.SessionCache.ENTRIES"), "{text}: {matches:?}");
    }
    assert_eq!(titles("leak-after.hprof.gz", "no such name"), [""; 0]);
}

#[test]
fn variables_of_a_script_come_before_those_that_contain_the_name() {
    for (text, first) in
        [("sessions", "desk.js sessions"), ("desk sessions", "desk.js sessions"), ("addroute", "desk.js addRoute")]
    {
        let matches = titles("node/desk-final.heapsnapshot.gz", text);
        assert_eq!(matches.first().map(String::as_str), Some(first), "{text}: {matches:?}");
    }
}
