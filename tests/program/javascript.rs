//! JavaScript analyses on hand-written snapshots, with results computed by hand.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use heaplens_testkit::bundle::Bundle;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::write as snapshots;
use serde_json::Value as Json;

const TYPES: [&str; 10] =
    ["hidden", "array", "string", "object", "code", "closure", "regexp", "number", "native", "synthetic"];
const EDGES: [&str; 7] = ["context", "element", "property", "internal", "hidden", "shortcut", "weak"];

/// Type, name, id, size, allocation trace node, 2 if detached; edges by type, name and target.
type Node = (&'static str, String, u64, u64, u64, u64, Vec<(&'static str, String, usize)>);

fn node(of: &'static str, name: &str, id: u64, size: u64, edges: &[(&'static str, &str, usize)]) -> Node {
    let edges = edges.iter().map(|&(of, name, to)| (of, name.to_owned(), to)).collect();
    (of, name.to_owned(), id, size, 0, 0, edges)
}

/// Snapshot in V8's format; `rest` is inserted before the strings.
fn write(path: &Path, nodes: &[Node], rest: &str, texts: &[&str]) {
    let mut strings: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
    let mut string = |text: &str| {
        strings.iter().position(|other| other == text).unwrap_or_else(|| {
            strings.push(text.to_owned());
            strings.len() - 1
        })
    };
    let index = |list: &[&str], of: &str| list.iter().position(|&other| other == of).expect("a type");
    let (mut rows, mut edges) = (Vec::new(), Vec::new());
    for (of, name, id, size, trace, detached, to) in nodes {
        let (of, name) = (index(&TYPES, of), string(name));
        rows.push(format!("{of},{name},{id},{size},{},{trace},{detached}", to.len()));
        for (of, name, to) in to {
            let name = if *of == "element" { name.parse().expect("a number") } else { string(name) };
            edges.push(format!("{},{name},{}", index(&EDGES, of), to * 7));
        }
    }
    let mut text = format!(
        r#"{{"snapshot":{{"meta":{{"node_fields":["type","name","id","self_size","edge_count","trace_node_id","detachedness"],
        "node_types":[{TYPES:?},"string","number","number","number","number","number"],"edge_fields":["type","name_or_index","to_node"],
        "edge_types":[{EDGES:?},"string_or_number","node"],
        "trace_function_info_fields":["function_id","name","script_name","script_id","line","column"],
        "trace_node_fields":["id","function_info_index","count","size","children"],"sample_fields":["timestamp_us","last_assigned_id"],
        "location_fields":["object_index","script_id","line","column"]}},
        "node_count":{},"edge_count":{},"trace_function_count":1}},"nodes":[{}],"edges":[{}],{rest}"#,
        rows.len(),
        edges.len(),
        rows.join(",\n"),
        edges.join(",\n"),
    );
    write!(text, "\"strings\":{}}}", serde_json::to_string(&strings).expect("json")).expect("text");
    std::fs::write(path, text).expect("a file");
}

/// A page with a detached node in a cache, a closure with a captured variable, a listener, and an object retained by
/// the console.
fn page(folder: &Path) -> PathBuf {
    let mut nodes = vec![
        node("synthetic", "", 1, 0, &[("element", "1", 1), ("shortcut", "g", 2)]),
        node("synthetic", "(GC roots)", 7, 0, &[("internal", "1 / DevTools console", 8), ("weak", "w", 7)]),
        node(
            "object",
            "Window",
            3,
            10,
            &[("property", "cache", 3), ("property", "fn", 5), ("internal", "listener", 9), ("internal", "native", 15)],
        ),
        node("object", "Cache", 5, 20, &[("property", "root", 4)]),
        node("native", "<div id=x>", 6, 30, &[("internal", "data", 10)]),
        node("closure", "handler", 11, 40, &[("internal", "context", 6), ("internal", "shared", 11)]),
        node("object", "system / Context", 13, 50, &[("context", "big", 7)]),
        node("object", "Big", 15, 60, &[]),
        node("object", "Logged", 17, 70, &[]),
        node("native", "V8EventListener", 18, 8, &[("internal", "1", 13)]),
        node("object", "Data", 19, 7, &[]),
        node("code", "handler", 21, 3, &[("internal", "script", 12)]),
        node("code", "/app.js", 23, 0, &[]),
        node("closure", "onclick", 27, 5, &[("internal", "code", 14)]),
        node("code", "machine", 25, 2, &[]),
        node("object", "system / NativeContext", 31, 9, &[("property", "global", 2)]),
    ];
    nodes[4].5 = 2;
    nodes[7].4 = 2;
    nodes[10].4 = 3;
    let rest = r#""trace_function_infos":[0,0,1,0,0,0, 1,2,3,42,1,1, 2,4,3,42,12,5],
        "trace_tree":[1,0,0,0,[2,1,1,60,[3,2,1,7,[]]]],"samples":[0,12,1000,16,2500,30],"locations":[35,42,9,4],"#;
    let path = folder.join("page.heapsnapshot");
    write(&path, &nodes, rest, &["(root)", "", "main", "/app.js", "load"]);
    path
}

fn run(arguments: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_heaplens")).args(arguments).arg("--no-cache").output().expect("starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/node").join(name).display().to_string()
}

fn ask(arguments: &[&str]) -> Json {
    let mut all = arguments.to_vec();
    all.extend(["--format", "json"]);
    serde_json::from_str(&run(&all)).expect("json")
}

/// Some columns of all rows.
fn columns(rows: &Json, keys: &[&str]) -> Vec<Vec<Json>> {
    let rows = rows.as_array().expect("rows").iter();
    rows.map(|row| keys.iter().map(|&key| row[key].clone()).collect()).collect()
}

fn rows(text: &str) -> Vec<Vec<Json>> {
    serde_json::from_str(text).expect("json")
}

#[test]
fn a_snapshot_lists_retainers_by_kind() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path());
    let file = page.to_str().expect("a path");
    let all = ask(&["javascript", file]);
    let actual = columns(&all["held"], &["by", "keepers", "objects", "shallow_bytes"]);
    let wanted = r#"[["detached",1,2,37],["contexts",1,2,110],["console",1,1,70],["handlers",1,2,7]]"#;
    assert_eq!(actual, rows(wanted));
    let actual = columns(&all["native_contexts"], &["name", "objects", "shallow_bytes"]);
    assert_eq!(actual, rows(r#"[["system / NativeContext",12,244],["(shared)",0,0],["(none)",1,70]]"#));
    let actual = columns(&all["detached"], &["class", "holder", "objects", "retained_bytes"]);
    assert_eq!(actual, rows(r#"[["Detached <div>","Cache.root",1,37]]"#));
    let keys = ["function", "source", "closures", "retained_bytes", "captured_bytes", "variables"];
    let actual = columns(&all["closures"], &keys);
    assert_eq!(actual, rows(r#"[["handler()","/app.js:10:5",1,153,110,"big"]]"#));
    let actual = columns(&all["timeline"], &["milliseconds", "objects", "shallow_bytes"]);
    assert_eq!(actual, rows("[[0,3,70],[1,2,110],[2,5,87]]"));
    let between = ask(&["javascript", file, "--of", "timeline", "--between", "1-2"]);
    let sum = |key: &str| columns(&between["rows"], &[key]).iter().map(|row| row[0].as_u64().unwrap_or(0)).sum::<u64>();
    assert_eq!((sum("objects"), sum("shallow_bytes")), (7, 197));
    let actual = columns(&ask(&["histogram", file, "--retained-by", "contexts"])["rows"], &["class", "objects"]);
    assert_eq!(actual, rows(r#"[["Big",1],["system / Context",1]]"#));
    let actual = columns(&ask(&["objects", file, "--held-by", "detached"])["rows"], &["id"]);
    assert_eq!(actual, rows(r#"[["@6"],["@19"]]"#));
}

#[test]
fn a_recording_has_allocation_sites() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path());
    let file = page.to_str().expect("a path");
    let sites = run(&["sites", file, "--format", "csv"]);
    assert!(sites.contains("main (/app.js:1:1),0,2,67,"), "{sites}");
    assert!(sites.contains("load (/app.js:12:5),1,1,7,"), "{sites}");
    assert_eq!(
        ask(&["object", file, "@19"])["allocated"],
        serde_json::json!(["load (/app.js:12:5)", "main (/app.js:1:1)"])
    );
    assert_eq!(ask(&["object", file, "@11"])["source"], "/app.js:10:5");
}

#[test]
fn a_bundle_has_names_and_lines_of_the_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let bundle =
        Bundle::of("var «c:count»=0;class «n:Cart»{}function «t:cartOf»(){return new «n:Cart»}", "../src/cart.ts");
    let snapshot = bundle.snapshot("http://localhost/dist/server.js", ("t", "(){"), &["n"], ("n", "class n"));
    let (file, maps) = (folder.path().join("shop.heapsnapshot"), folder.path().join("maps"));
    std::fs::write(&file, snapshots::write(&snapshot, &Form::node20())).expect("a file");
    std::fs::create_dir(&maps).expect("a folder");
    std::fs::write(maps.join("server.js"), &bundle.script).expect("a file");
    std::fs::write(maps.join("server.js.map"), &bundle.map).expect("a file");
    let (file, maps) = (file.to_str().expect("a path"), maps.to_str().expect("a path"));
    let generated = "http://localhost/dist/server.js:1:28";
    let plain = ask(&["object", file, "@3"]);
    assert_eq!((&plain["source"], &plain["generated"]), (&Json::from(generated), &Json::Null));
    let named = ask(&["object", file, "@3", "--source-maps", maps]);
    assert_eq!(named["source"], "http://localhost/src/cart.ts:4:1");
    assert_eq!(named["generated"], generated);
    let context = ask(&["object", file, "@5", "--source-maps", maps]);
    assert_eq!(columns(&context["fields"], &["name", "source_name"]), rows(r#"[["n","Cart"]]"#));
    let closures = ask(&["javascript", file, "--of", "closures", "--source-maps", maps]);
    let keys = ["function", "source", "generated", "variables"];
    let expected = r#"[["cartOf()","http://localhost/src/cart.ts:4:1","http://localhost/dist/server.js:1:28","Cart"]]"#;
    assert_eq!(columns(&closures["rows"], &keys), rows(expected));
    let classes = run(&["histogram", file, "--source-maps", maps, "--format", "csv"]);
    assert!(classes.lines().any(|line| line.starts_with("Cart,")), "{classes}");
}

/// Sessions in a Map, each with a string.
fn shop(path: &Path, sessions: &[u64]) -> String {
    let numbers: Vec<String> = (0..sessions.len()).map(|at| at.to_string()).collect();
    let entries: Vec<(&'static str, &str, usize)> =
        numbers.iter().enumerate().map(|(at, number)| ("internal", number.as_str(), 4 + 2 * at)).collect();
    let mut nodes = vec![
        node("synthetic", "", 1, 0, &[("shortcut", "g", 1)]),
        node("object", "global", 3, 10, &[("property", "sessions", 2)]),
        node("object", "Map", 5, 16, &[("internal", "table", 3)]),
        node("array", "", 7, 100, &entries),
    ];
    for (at, &id) in sessions.iter().enumerate() {
        nodes.push(node("object", "Session", id, 24, &[("property", "text", 5 + 2 * at)]));
        nodes.push(node("string", "hello", id + 2, 8, &[]));
    }
    write(path, &nodes, "", &["<dummy>"]);
    path.to_str().expect("a path").to_owned()
}

#[test]
fn objects_that_stay_between_snapshots_leak() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let sessions: Vec<u64> = (0..12).map(|at| 101 + 4 * at).collect();
    let before = shop(&path("a.heapsnapshot"), &sessions[..2]);
    let target = shop(&path("b.heapsnapshot"), &sessions);
    let mut left = sessions[..11].to_vec();
    left.push(901);
    let last = shop(&path("c.heapsnapshot"), &left);
    let leaks = ["leaks", last.as_str(), "--baseline", before.as_str(), "--target", target.as_str()];
    let actual = ask(&leaks);
    let keys = ["class", "kind", "objects", "leaked_objects", "retained_bytes", "ways"];
    // One of the ten new objects was removed; the last one added is not among them.
    assert_eq!(columns(&actual["clusters"], &keys), rows(r#"[["Session","collection",9,9,288,1]]"#));
    assert_eq!((actual["stayed_objects"].as_u64(), actual["stayed_bytes"].as_u64()), (Some(18), Some(288)));
    let trace = &actual["clusters"][0]["trace"];
    let steps = columns(trace, &["class"]);
    assert_eq!(steps.last(), Some(&vec![Json::from("Session")]), "{trace}");
    // The table's references and the one to it.
    let actual = columns(&actual["growing"], &["class", "references"]);
    assert!(actual.contains(&vec!["Map".into(), serde_json::json!([3, 13, 13])]), "{actual:?}");

    let rules = path("rules.txt");
    for (text, clusters) in [
        ("expected Session # loaded once", vec![]),
        ("ignore-edge sessions", vec![]),
        ("least-retained 289", vec![]),
        ("least-retained 288", vec![("Session", 9)]),
        ("leaking (string)\nexpected Nothing", vec![("Session", 9)]),
    ] {
        std::fs::write(&rules, text).expect("a file");
        let mut query = leaks.to_vec();
        query.extend(["--rules", rules.to_str().expect("a path")]);
        let actual = columns(&ask(&query)["clusters"], &["class", "objects"]);
        let wanted: Vec<Vec<Json>> = clusters.iter().map(|&(class, of)| vec![class.into(), Json::from(of)]).collect();
        assert_eq!(actual, wanted, "{text}");
    }
}

/// Live objects of an interval of a recording match the fixture program's log.
#[test]
fn a_time_range_lists_its_live_objects() {
    let file = fixture("recorded.heaptimeline.gz");
    let orders = |between: &str| {
        let arguments = ["javascript", &file, "--of", "timeline", "--between", between];
        let actual = ask(&[&arguments[..], &["--filter", "Order"]].concat());
        columns(&actual["rows"], &["class", "objects"]).first().map_or(0, |row| row[1].as_u64().unwrap_or(0))
    };
    // All orders of half a second are alive, of the rest those of every eighth interval of 50 ms; and their prototype.
    assert_eq!(orders("0-60000"), 320 + 1);
    let most = orders("900-1750");
    assert!((180..=240).contains(&most), "{most}");
}

#[test]
fn a_table_of_snapshot_leaks_is_selected_by_name() {
    let [baseline, target, last] =
        ["baseline", "target", "final"].map(|stage| fixture(&format!("desk-{stage}.heapsnapshot.gz")));
    let between = ["leaks", "--baseline", &baseline, "--target", &target, &last];
    let csv = |more: &[&str]| run(&[&between[..], more, &["--format", "csv"]].concat());
    assert_eq!(csv(&["--of", "stayed"]), csv(&[]));
    let all = ask(&between);
    let growing = ask(&[&between[..], &["--of", "growing"]].concat());
    assert_eq!(growing["rows"], all["growing"]);
    assert!(!all["growing"].as_array().expect("rows").is_empty());
}

/// Samples with arbitrary values: largest numbers, and descending ones.
#[test]
fn implausible_samples_are_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = page(folder.path());
    let text = std::fs::read_to_string(&file).expect("a snapshot");
    let samples = "\"samples\":[0,12,1000,18446744073709551615,900,5,2500,18446744073709551615]";
    std::fs::write(&file, text.replace("\"samples\":[0,12,1000,16,2500,30]", samples)).expect("disk space");
    let file = file.to_str().expect("a path");
    let timeline = ask(&["javascript", file, "--of", "timeline"]);
    let actual = columns(&timeline["rows"], &["milliseconds", "objects", "shallow_bytes"]);
    assert_eq!(actual, rows("[[0,3,70],[1,8,206],[2,0,0]]"));
    let between = ask(&["javascript", file, "--of", "timeline", "--between", "2-10000"]);
    assert_eq!(between["rows"], rows_of("[]"));
}

fn rows_of(text: &str) -> Json {
    serde_json::from_str(text).expect("json")
}
