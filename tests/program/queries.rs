//! Queries whose answers are those of other commands, on every kind of dump where they make sense.

use crate::golden::heaplens;

const HPROF: &str = "fixtures/leak-after.hprof.gz";
const BEFORE: &str = "fixtures/leak-before.hprof.gz";
const GARBAGE: &str = "fixtures/leak-before-all.hprof.gz";
const SCRIPT: &str = "fixtures/node/desk-final.heapsnapshot.gz";
const PHD: &str = "fixtures/ibm/shop-v5.phd";

/// Rows of an answer in CSV: the header first.
fn rows(arguments: &[&str]) -> Vec<Vec<String>> {
    let output = heaplens(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
    let mut rows = vec![vec![String::new()]];
    let (mut is_quoted, mut characters) = (false, text.chars().peekable());
    while let Some(c) = characters.next() {
        let row = rows.last_mut().expect("a row");
        match c {
            '"' if is_quoted && characters.peek() == Some(&'"') => {
                row.last_mut().expect("a cell").push('"');
                characters.next();
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(String::new()),
            '\n' if !is_quoted => rows.push(vec![String::new()]),
            c => row.last_mut().expect("a cell").push(c),
        }
    }
    rows.pop();
    rows
}

fn answer_of(file: &str, query: &str) -> Vec<Vec<String>> {
    rows(&["query", file, query, "--format", "csv"])
}

/// Rows of a command, only the columns with these names.
fn columns(command: &[&str], names: &[String]) -> Vec<Vec<String>> {
    let all = rows(&[command, &["--format", "csv"]].concat());
    let index =
        |name: &String| all[0].iter().position(|of| of == name).unwrap_or_else(|| panic!("{command:?}: {name}"));
    let indexes: Vec<usize> = names.iter().map(index).collect();
    all.iter().map(|row| indexes.iter().map(|&index| row[index].clone()).collect()).collect()
}

/// The rows of a query are those of a command, in the same order.
fn same(file: &str, query: &str, command: &str) {
    let actual = answer_of(file, query);
    let words: Vec<&str> = command.split(' ').collect();
    let expected = columns(&[&[words[0], file], &words[1..]].concat(), &actual[0]);
    assert!(actual.len() > 1, "{file}: {query}: no row");
    for (at, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
        assert_eq!(actual, expected, "{file}: {query}, row {at}");
    }
    assert_eq!(actual.len(), expected.len(), "{file}: {query}");
}

/// The same without an order: what a group-by does not define.
fn same_set(file: &str, query: &str, command: &str) {
    let mut actual = answer_of(file, query);
    let words: Vec<&str> = command.split(' ').collect();
    let mut expected = columns(&[&[words[0], file], &words[1..]].concat(), &actual[0]);
    assert!(actual.len() > 1, "{file}: {query}: no row");
    actual.sort();
    expected.sort();
    assert_eq!(actual, expected, "{file}: {query}");
}

#[test]
fn tables_have_the_rows_of_their_commands() {
    for file in [HPROF, SCRIPT, PHD] {
        same(file, "SELECT * FROM classes", "histogram");
        same(file, "SELECT * FROM packages", "histogram --by package");
        same(file, "SELECT * FROM root_kinds", "roots");
    }
    for file in [HPROF, PHD] {
        same(file, "SELECT label, classes, objects, retained_bytes, duplicate_classes FROM loaders", "loaders");
    }
    for file in [HPROF, SCRIPT] {
        same(file, "SELECT * FROM strings", "strings");
        same(file, "SELECT * FROM collections", "collections");
        same(file, "SELECT * FROM waste", "waste");
        same(file, "SELECT * FROM findings", "leaks");
    }
    same(HPROF, "SELECT * FROM gaps", "gaps");
    let threads = "SELECT id, name, class, state, priority, tid, retained_bytes, frames, locals FROM threads";
    same(HPROF, threads, "threads");
    same(SCRIPT, "SELECT * FROM detached", "javascript --of detached");
    same(SCRIPT, "SELECT * FROM closures", "javascript --of closures");
}

#[test]
fn objects_are_those_of_the_commands() {
    for (file, class) in [(HPROF, "java.util.HashMap"), (SCRIPT, "Array"), (PHD, "java.lang.String")] {
        let columns = "id, class, shallow_bytes, retained_bytes, immediate_dominator, distance";
        let query = format!("SELECT {columns} FROM objects WHERE class = '{class}' AND reachable");
        same(file, &query, &format!("objects --class {class}"));
        // The order of equal sizes is no one's promise.
        let query = format!("SELECT id, retained_bytes FROM objects WHERE reachable AND class = '{class}'");
        same_set(file, &query, &format!("objects --class {class} --sort retained_bytes"));
        // Conditions and orders that are looked up give the rows of those that are not.
        let pairs = [
            ("class LIKE 'j%a%' AND reachable = 1", "+class LIKE 'j%a%' AND +reachable = 1"),
            ("retained > 100 AND retained <= 5000", "+retained > 100 AND +retained <= 5000"),
            ("shallow = 24", "+shallow = 24"),
            ("retained >= 99.5", "+retained >= 99.5"),
            ("class GLOB '*[am]*'", "+class GLOB '*[am]*'"),
            ("class IN ('Array', 'java.lang.String')", "+class IN ('Array', 'java.lang.String')"),
            ("retained < -1", "+retained < -1"),
        ];
        for (quick, plain) in pairs {
            let counted =
                |by| answer_of(file, &format!("SELECT count(*), sum(shallow), sum(id) FROM objects WHERE {by}"));
            assert_eq!(counted(quick), counted(plain), "{file}: {quick}");
        }
        let sorted = |by: &str| answer_of(file, &format!("SELECT retained FROM objects ORDER BY {by} LIMIT 9000"));
        assert_eq!(sorted("retained DESC"), sorted("+retained DESC"), "{file}");
        assert_eq!(sorted("shallow, id"), sorted("+shallow, id"), "{file}");
    }
    // Grouped in the order of classes, and sorted by SQLite.
    for file in [HPROF, GARBAGE, SCRIPT, PHD] {
        let grouped = |by: &str| {
            let columns = "class, count(*) AS objects, sum(shallow_bytes) AS shallow_bytes";
            // The histogram of a snapshot leaves out nodes without a size.
            let which = if file == SCRIPT { "reachable AND shallow > 0" } else { "reachable" };
            format!("SELECT {columns} FROM objects WHERE {which} GROUP BY {by}")
        };
        // The histogram has a row for each class, several of which may have one name.
        let of_classes = "SELECT class, sum(objects) AS objects, sum(shallow_bytes) AS shallow_bytes FROM classes";
        let expected = answer_of(file, &format!("{of_classes} GROUP BY class ORDER BY class"));
        assert_eq!(answer_of(file, &grouped("class")), expected, "{file}");
        assert_eq!(answer_of(file, &(grouped("+class") + " ORDER BY class")), expected, "{file}");
        let backwards = grouped("class") + " ORDER BY class DESC";
        assert_eq!(answer_of(file, &backwards)[1..], expected[1..].iter().rev().cloned().collect::<Vec<_>>(), "{file}");
    }
    let garbage = "SELECT class, count(*) AS objects FROM objects WHERE NOT reachable GROUP BY class";
    same_set(GARBAGE, garbage, "histogram --unreachable");
}

#[test]
fn the_graph_is_that_of_the_commands() {
    for file in [HPROF, SCRIPT, PHD] {
        let top = "SELECT id, class, shallow_bytes, retained_bytes FROM objects";
        let largest = answer_of(file, &format!("{top} WHERE reachable ORDER BY dominated DESC, id LIMIT 3"));
        for row in &largest[1..] {
            let id = &row[0];
            let of = format!("{top} WHERE immediate_dominator = object('{id}')");
            same_set(file, &of, &format!("dominators --of {id} --top 100000"));
            let stored = "SELECT class, count(*) AS objects, sum(shallow_bytes) AS shallow_bytes FROM retained_set";
            // Snapshots have several kinds of nodes with one name.
            if file != SCRIPT {
                same_set(file, &format!("{stored}(object('{id}')) GROUP BY class"), &format!("kept {id}"));
            }
            same(file, &format!("SELECT step, reference, id, class, label FROM path('{id}')"), &format!("paths {id}"));
            let retained = format!("SELECT retained(object('{id}')) AS retained_bytes");
            same(file, &retained, &format!("retained {id}"));
            let incoming = format!("SELECT DISTINCT r.source AS id FROM refs r WHERE r.target = object('{id}')");
            let mut actual = answer_of(file, &incoming);
            let mut expected = columns(&["references", file, id, "--in", "--format", "csv"][..4], &["id".to_owned()]);
            expected.dedup();
            actual.sort();
            expected.sort();
            expected.dedup();
            assert!(actual.iter().all(|row| expected.contains(row)), "{file}: {id}");
        }
    }
    let outgoing = "SELECT field AS name, target AS id, strength FROM refs WHERE source = 0xfe0c8bf8";
    let mut expected =
        columns(&["references", HPROF, "0xfe0c8bf8", "--out"], &["name", "id", "strength"].map(String::from));
    expected.retain(|row| row[0] != "<class>");
    assert_eq!(answer_of(HPROF, outgoing), expected);
    // Every reference is listed once from its source and once from its target.
    for file in [HPROF, SCRIPT, PHD] {
        let all = answer_of(file, "SELECT count(*), count(DISTINCT source) FROM refs");
        let of_sources =
            "SELECT count(*), count(DISTINCT r.source) FROM objects o CROSS JOIN refs r WHERE r.source = o.id";
        let of_targets =
            "SELECT count(*), count(DISTINCT r.source) FROM objects o CROSS JOIN refs r WHERE r.target = o.id";
        assert_eq!(answer_of(file, of_sources)[1], all[1], "{file}");
        assert_eq!(answer_of(file, of_targets)[1], all[1], "{file}");
    }
}

#[test]
fn values_are_those_of_the_commands() {
    same(HPROF, "SELECT field AS name FROM fields(0xfe0c8bf8)", "object 0xfe0c8bf8");
    let texts = "SELECT object AS id FROM \"java.lang.String\" WHERE text(object) LIKE '%timeout%'";
    same(HPROF, texts, "search timeout");
    let freed = answer_of(HPROF, "SELECT bytes FROM what_if('desk.SessionCache.ENTRIES')");
    assert_eq!(freed[1], ["5384272"]);
    let entries = answer_of(HPROF, "SELECT count(*), max(position) FROM entries(0xfe0c8bf8)");
    assert_eq!(entries[1], ["1200", "1199"]);
    // Without values, in a format that has none.
    assert_eq!(answer_of(PHD, "SELECT count(text(id)) FROM objects")[1], ["0"]);
}

#[test]
fn two_dumps_are_two_schemas() {
    let query = "SELECT a.class, a.objects - ifnull(b.objects, 0) AS delta_objects FROM classes a \
                 LEFT JOIN before.classes b USING (class) WHERE a.class IN ('desk.Session', 'desk.Order', 'byte[]')";
    let mut actual = rows(&["query", HPROF, query, "--before", BEFORE, "--format", "csv"]);
    let diff = ["diff", BEFORE, HPROF, "--of", "classes"];
    let mut expected = columns(&diff, &["class", "delta_objects"].map(String::from));
    expected.retain(|row| actual.iter().any(|actual| actual[0] == row[0]));
    actual.sort();
    expected.sort();
    assert_eq!(actual, expected);
}

#[test]
fn growth_and_matches_are_those_of_the_comparison() {
    let both = |query: &str| rows(&["query", HPROF, query, "--before", BEFORE, "--format", "csv"]);
    let actual = both("SELECT owner, class, charged_objects, charged_bytes, after_retained_bytes FROM growth");
    let expected = columns(&["diff", BEFORE, HPROF, "--of", "owners"], &actual[0]);
    assert!(actual.len() > 3);
    assert_eq!(actual, expected);
    // Each object of either dump is there once.
    let counts = both("SELECT count(id), count(before_id), count(DISTINCT id), count(DISTINCT before_id) FROM matches");
    let reachable = |file| answer_of(file, "SELECT sum(reachable) FROM objects")[1][0].clone();
    let (after, before) = (reachable(HPROF), reachable(BEFORE));
    assert_eq!(counts[1], [after.clone(), before.clone(), after, before]);
    let statuses = both("SELECT DISTINCT status FROM matches ORDER BY status");
    assert_eq!(statuses[1..].concat(), ["added", "ambiguous", "matched", "removed"]);
    let sessions =
        both("SELECT count(*) FROM matches m JOIN \"desk.Session\" s ON m.id = s.object WHERE m.status = 'added'");
    assert_eq!(sessions[1], ["1140"]);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases = [
        ("SELECT weight FROM objects", "no such column: weight", "line 1, column 8"),
        ("SELECT *\nFROM HashMap", "\"java.util.HashMap\"", "line 2, column 6"),
        ("SELECT class FRM objects", "syntax error", "column 18"),
        ("SELECT 1; SELECT 2", "one statement at a time", ""),
        ("", "the query is empty", ""),
        ("ATTACH 'x' AS y", "not authorized", ""),
        ("CREATE TABLE t(a)", "not authorized", ""),
        ("PRAGMA hard_heap_limit = 0", "not authorized", ""),
        ("SELECT load_extension('x')", "not authorized", ""),
        ("SELECT s.@usedHeap FROM java.lang.Thread s", "@usedHeapSize", "column 9"),
        ("SELECT * FROM path()", "path needs the id of an object", ""),
        ("SELECT * FROM freed_by('no.such.Class.field')", "no.such.Class", ""),
    ];
    for (query, message, index) in cases {
        let output = heaplens(&["query", HPROF, query]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{query}: {text}");
        assert!(text.contains(message) && text.contains(index), "{query}: {text}");
        assert!(output.stdout.is_empty(), "{query}");
    }
}

#[test]
fn a_query_ends_at_its_limit() {
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let output = heaplens(&["query", HPROF, endless, "--timeout", "0.3"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("the query took longer than 0.3 s"), "{text}");
    let output = heaplens(&["query", HPROF, endless, "--top", "1", "--timeout", "0.3"]);
    assert_eq!(output.status.code(), Some(1));
    // What is asked of the heap ends, too.
    let product = "SELECT count(*) FROM objects a, objects b WHERE a.shallow + b.shallow < 0";
    assert_eq!(heaplens(&["query", HPROF, product, "--timeout", "0.3"]).status.code(), Some(1));
}
