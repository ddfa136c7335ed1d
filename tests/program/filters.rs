//! Conditions on numbers in `--filter`, against the rows that the whole table has.

use serde_json::Value;

use super::golden::{check_failure, json};

const BEFORE: &str = "fixtures/leak-before.hprof.gz";
const AFTER: &str = "fixtures/leak-after.hprof.gz";

/// Rows of a command, with a filter.
fn rows(command: &[&str], list: &str, filter: Option<&str>) -> Vec<Value> {
    let options = filter.into_iter().flat_map(|filter| ["--filter", filter]);
    let words: Vec<&str> = command.iter().copied().chain(options).collect();
    json(&words)[list].as_array().expect("rows").clone()
}

#[test]
fn conditions_compare_the_numbers_of_a_row() {
    type Passes = fn(&Value) -> bool;
    let cases: [(&[&str], &str, &str, Passes); 9] = [
        (&["histogram", AFTER], "rows", "retained>100kB objects>=300", |row| {
            row["retained_bytes"].as_u64() > Some(100_000) && row["objects"].as_u64() >= Some(300)
        }),
        (&["histogram", AFTER], "rows", "objects=10..20 java.util", |row| {
            (Some(10)..=Some(20)).contains(&row["objects"].as_u64())
                && row["class"].as_str().is_some_and(|class| class.contains("java.util"))
        }),
        (&["histogram", AFTER, "--by", "package"], "rows", "<=1KiB", |row| {
            row["retained_bytes"].as_u64() <= Some(1_024)
        }),
        (&["objects", AFTER], "rows", "retained_bytes>=5MB", |row| row["retained_bytes"].as_u64() >= Some(5_000_000)),
        (&["objects", AFTER], "rows", "distance=2 shallow>1k", |row| {
            row["distance"].as_u64() == Some(2) && row["shallow_bytes"].as_u64() > Some(1_000)
        }),
        (&["dominators", AFTER], "rows", "dominated>100", |row| row["dominated"].as_u64() > Some(100)),
        (&["dominators", AFTER], "rows", "share>1%", |row| row["share"].as_f64() > Some(0.01)),
        (&["collections", AFTER], "rows", "wasted>1k", |row| row["wasted_bytes"].as_u64() > Some(1_000)),
        (&["threads", AFTER], "threads", ">1kB", |row| row["retained_bytes"].as_u64() > Some(1_000)),
    ];
    for (command, list, filter, passes) in cases {
        let all = rows(command, list, None);
        let expected: Vec<Value> = all.iter().filter(|row| passes(row)).cloned().collect();
        assert!(!expected.is_empty() && expected.len() < all.len(), "{command:?} {filter}: {}", expected.len());
        assert_eq!(rows(command, list, Some(filter)), expected, "{command:?} {filter}");
    }
}

#[test]
fn conditions_compare_changes_and_findings() {
    let changes = |filter| rows(&["diff", BEFORE, AFTER, "--of", "classes"], "classes", filter);
    let shrank = |row: &Value| row["delta"]["objects"].as_i64().is_some_and(|delta| delta < 0);
    let expected: Vec<Value> = changes(None).into_iter().filter(shrank).collect();
    assert_eq!(changes(Some("delta_objects<0")), expected);
    assert!(!expected.is_empty());
    let findings = |filter| rows(&["leaks", AFTER], "findings", filter);
    let expected: Vec<Value> =
        findings(None).into_iter().filter(|finding| finding["bytes"].as_u64() > Some(200_000)).collect();
    assert_eq!(findings(Some("frees>200kB")), expected);
    assert!(!expected.is_empty() && expected.len() < findings(None).len());
}

/// Conditions of a grouped tree are on its rows, not on the objects of a group.
#[test]
fn conditions_on_groups_are_on_the_whole_group() {
    let command = &["dominators", AFTER, "--by", "class"];
    let all = rows(command, "rows", None);
    let expected: Vec<Value> = all.iter().filter(|row| row["objects"].as_u64() > Some(10)).cloned().collect();
    assert!(!expected.is_empty() && expected.len() < all.len());
    assert_eq!(rows(command, "rows", Some("objects>10")), expected);
}

/// Columns that a table has only on request can be compared then, and are unknown otherwise.
#[test]
fn columns_of_a_request_are_compared_with_it() {
    let owned = &["objects", AFTER, "--ownership"];
    let all = rows(owned, "rows", None);
    let expected: Vec<Value> = all.iter().filter(|row| row["total_bytes"].as_u64() > Some(100_000)).cloned().collect();
    assert!(!expected.is_empty() && expected.len() < all.len());
    assert_eq!(rows(owned, "rows", Some("total>100kB")), expected);
    check_failure(&["objects", AFTER, "--filter", "total>100kB"], 2, "no column of numbers is called 'total'");
    check_failure(&["histogram", AFTER, "--filter", "native>1"], 2, "no column of numbers is called 'native'");
}

#[test]
fn a_condition_without_its_column_is_an_error() {
    let snapshot = "fixtures/node/desk-final.heapsnapshot.gz";
    check_failure(&["javascript", snapshot, "--filter", "objects>5"], 2, "requires --of");
    check_failure(&["histogram", AFTER, "--filter", "size>1"], 2, "no column of numbers is called 'size'; there are: ");
    check_failure(&["leaks", AFTER, "--filter", "size>1"], 2, "no column of numbers is called 'size'");
    check_failure(&["object", AFTER, "0xfe03f300", "--filter", "retained>1"], 2, "no numbers to compare");
}
