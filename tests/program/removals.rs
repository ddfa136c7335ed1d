//! The heap after removals (`--cut`): every command answers for it, or refuses; numbers are the same wherever one asks.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;

use clap::CommandFactory;
use serde_json::Value as Json;

use crate::golden::heaplens;
use heaplens::cli::args::Arguments;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::snapshot::Snapshot;
use heaplens_testkit::v8::storage::PropertyStorage;
use heaplens_testkit::v8::write::write;
use heaplens_testkit::{hprof, notation};

const AFTER: &str = "fixtures/leak-after.hprof.gz";
const BEFORE: &str = "fixtures/leak-before.hprof.gz";
const ANDROID: &str = "fixtures/android/album.hprof.gz";
const PHD: &str = "fixtures/ibm/shop-v5.phd";
const SCRIPT: &str = "fixtures/node/desk-final.heapsnapshot.gz";
const RECORDED: &str = "fixtures/node/recorded.heaptimeline.gz";
const CACHE: &str = "desk.SessionCache.ENTRIES";
/// What an answer about one of the dumps after a removal begins with.
const LINE: &str = "After 1 removal: 7.0 → 1.7 MB (frees 5.4 MB in 18,003 objects)";

pub(super) fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

pub(super) fn answered(words: &[&str]) -> Output {
    let output = heaplens(words);
    assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
    output
}

pub(super) fn json(words: &[&str]) -> Json {
    serde_json::from_slice(&answered(&[words, &["--format", "json"]].concat()).stdout).expect("json")
}

/// A form of a command: its words, the reference to remove, and the forms of its output.
type CommandForm = (&'static str, &'static [&'static str], &'static str, &'static [&'static str]);

const ALL: &[&str] = &["text", "json", "csv"];
/// Commands that answer questions about one dump.
const COMMANDS: &[CommandForm] = &[
    ("summary", &[AFTER], CACHE, &["json", "csv"]),
    ("leaks", &[AFTER], CACHE, &["text", "json", "csv", "markdown"]),
    ("overview", &[AFTER], CACHE, &["text", "json", "markdown"]),
    ("report", &[AFTER], CACHE, &["text", "json", "markdown"]),
    ("histogram", &[AFTER], CACHE, ALL),
    ("histogram", &[AFTER, "--owners"], CACHE, ALL),
    ("class-owners", &[AFTER], CACHE, ALL),
    ("histogram", &[AFTER, "--by", "package"], CACHE, ALL),
    ("histogram", &[AFTER, "--by", "object"], CACHE, ALL),
    ("histogram", &[SCRIPT, "--retained-by", "contexts"], "PriceFeed._events", ALL),
    ("dominators", &[AFTER], CACHE, ALL),
    ("dominators", &[AFTER, "--of", "desk.OrderDesk.class", "--depth", "2"], CACHE, ALL),
    ("dominators", &[AFTER, "--fold"], CACHE, ALL),
    ("dominators", &[AFTER, "--drops"], CACHE, ALL),
    ("objects", &[AFTER, "--class", "desk.Order"], CACHE, ALL),
    ("object", &[AFTER, "desk.OrderDesk.class"], CACHE, ALL),
    ("references", &[AFTER, "desk.OrderDesk.class", "--out"], CACHE, ALL),
    ("related", &[AFTER, "--class", "desk.Order"], CACHE, ALL),
    ("paths", &[AFTER, "desk.OrderDesk.orders"], CACHE, ALL),
    ("paths", &[AFTER, "--all", "--class", "desk.Order", "--depth", "2"], CACHE, ALL),
    ("threads", &[AFTER], CACHE, ALL),
    ("roots", &[AFTER], CACHE, ALL),
    ("roots", &[AFTER, "--ownership"], CACHE, ALL),
    ("route", &[AFTER, "desk.OrderDesk.class", "desk.OrderDesk.orders"], CACHE, ALL),
    ("retained-set", &[AFTER, "desk.OrderDesk.orders"], CACHE, ALL),
    ("retained", &[AFTER, "desk.OrderDesk.orders"], CACHE, ALL),
    ("sites", &[RECORDED], "record.js archive", ALL),
    ("loaders", &[AFTER], CACHE, ALL),
    ("search", &[AFTER, "status"], CACHE, ALL),
    ("secrets", &[AFTER], CACHE, ALL),
    ("query", &[AFTER, "SELECT count(*) FROM objects"], CACHE, ALL),
    ("bitmaps", &[ANDROID], "com.example.album.ThumbnailCache.INSTANCE.thumbnails", ALL),
    ("javascript", &[SCRIPT], "PriceFeed._events", ALL),
    ("collections", &[AFTER], CACHE, ALL),
    ("strings", &[AFTER], CACHE, ALL),
    ("waste", &[AFTER], CACHE, ALL),
    ("finalizers", &[AFTER], CACHE, ALL),
    ("policies", &[AFTER], CACHE, ALL),
    ("process", &[AFTER], CACHE, ALL),
    ("native", &[AFTER], CACHE, ALL),
    ("gaps", &[AFTER], CACHE, ALL),
];

/// Commands that answer for the heap after, whose own tests are below or whose output is files.
const OTHERS: [&str; 2] = ["diff", "export"];

#[test]
fn every_command_answers_for_the_heap_after_or_refuses() {
    let mut table = Arguments::command();
    table.build();
    for command in table.get_subcommands().filter(|command| command.get_name() != "help") {
        let (name, takes) =
            (command.get_name(), command.get_arguments().any(|option| option.get_long() == Some("cut")));
        let is_listed = COMMANDS.iter().any(|(listed, ..)| *listed == name) || OTHERS.contains(&name);
        assert_eq!(takes, is_listed, "{name}: list it above if it takes --cut");
        let takes_fix = command.get_arguments().any(|option| option.get_long() == Some("fix"));
        assert_eq!(takes, takes_fix, "{name}: --cut and --fix go together");
        if !takes {
            let output = heaplens(&[name, "--cut", CACHE]);
            assert_eq!(output.status.code(), Some(2), "{name}");
            assert!(text(&output.stderr).contains("--cut"), "{name}: {}", text(&output.stderr));
        }
    }
}

#[test]
fn every_answer_says_after_which_removals_it_is() {
    for &(command, words, cut, forms) in COMMANDS {
        for form in forms {
            let words = [&[command], words, &["--cut", cut, "--format", form]].concat();
            let output = answered(&words);
            let (out, errors) = (text(&output.stdout), text(&output.stderr));
            match *form {
                "csv" => {
                    assert!(!out.contains("After 1 removal"), "{words:?}: {out}");
                    assert!(errors.contains("heaplens: After 1 removal: "), "{words:?}: {errors}");
                }
                "json" => {
                    let answer: Json = serde_json::from_str(&out).expect("json");
                    let cuts = &answer["cuts"];
                    let bytes = |key: &str| cuts[key]["bytes"].as_u64().expect("bytes");
                    assert_eq!(bytes("before") - bytes("freed"), bytes("after"), "{words:?}");
                    assert!(bytes("freed") > 0 && cuts["rows"][0]["cut"].is_string(), "{words:?}: {cuts}");
                    assert_eq!(out.matches("\"cuts\":").count(), 1, "{words:?}: {out}");
                }
                _ => {
                    assert!(out.starts_with("After 1 removal: "), "{words:?}: {out}");
                    assert_eq!(out.matches("After 1 removal: ").count(), 1, "{words:?}: {out}");
                    assert!(cut != CACHE || out.starts_with(&format!("{LINE}\n\n")), "{words:?}: {out}");
                }
            }
        }
    }
}

/// Of each class, objects and bytes.
fn classes(words: &[&str]) -> Vec<(String, u64, u64)> {
    let answer = json(words);
    let rows = answer["rows"].as_array().expect("rows");
    let number = |row: &Json, key: &str| row[key].as_u64().expect("a number");
    // Classes of several loaders have one name.
    let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for row in rows {
        let (objects, bytes) = sums.entry(row["class"].as_str().expect("a class").to_owned()).or_default();
        *objects += number(row, "objects");
        *bytes += number(row, "shallow_bytes");
    }
    sums.into_iter().map(|(class, (objects, bytes))| (class, objects, bytes)).collect()
}

#[test]
fn numbers_are_the_same_wherever_one_asks() {
    for (file, cut) in
        [(AFTER, CACHE), (AFTER, "desk.Session.page"), (SCRIPT, "PriceFeed._events"), (PHD, "shop.Cache[0]")]
    {
        let summary = json(&["summary", file, "--cut", cut]);
        let complete = json(&["summary", file]);
        assert_eq!(summary["cuts"]["before"], complete["reachable"], "{file} {cut}");
        assert_eq!(summary["cuts"]["after"], summary["reachable"], "{file} {cut}");
        let after = classes(&["histogram", file, "--cut", cut]);
        let sums = |rows: &[(String, u64, u64)]| {
            rows.iter().fold((0, 0), |(objects, bytes), row| (objects + row.1, bytes + row.2))
        };
        let reachable = |of: &Json| (of["objects"].as_u64().expect("objects"), of["bytes"].as_u64().expect("bytes"));
        assert_eq!(sums(&after).1, reachable(&summary["reachable"]).1, "{file} {cut}");
        let per_class = "SELECT class, count(*) AS objects, sum(shallow_bytes) AS shallow_bytes FROM";
        let query = "SELECT class, objects, shallow_bytes FROM classes";
        assert_eq!(classes(&["query", file, query, "--cut", cut]), after, "{file} {cut}");
        let query = "SELECT class, objects, shallow_bytes FROM after.classes";
        assert_eq!(classes(&["query", file, query, "--cut", cut]), after, "{file} {cut}");
        let query = "SELECT class, objects, shallow_bytes FROM before.classes";
        assert_eq!(classes(&["query", file, query, "--cut", cut]), classes(&["histogram", file]), "{file} {cut}");
        // What a function lists is what is removed.
        let query = format!("{per_class} freed_by('{cut}') GROUP BY class");
        let freed = classes(&["query", file, &query]);
        assert_eq!(sums(&freed), reachable(&summary["cuts"]["freed"]), "{file} {cut}");
        let removed = "SELECT b.class, count(*) AS objects, sum(b.shallow_bytes) AS shallow_bytes FROM before.objects b \
                    JOIN after.objects a USING (id) WHERE b.reachable AND NOT a.reachable GROUP BY b.class";
        assert_eq!(classes(&["query", file, removed, "--cut", cut]), freed, "{file} {cut}");
    }
}

#[test]
fn several_references_are_removed_together() {
    let two = ["desk.Session.page", "desk.OrderDesk.orders"];
    let cuts = ["--cut", two[0], "--cut", two[1]];
    let summary = json(&[&["summary", AFTER], &cuts[..]].concat());
    let query = format!("SELECT objects, bytes FROM what_if('{}', '{}')", two[0], two[1]);
    let rows = &json(&["query", AFTER, &query])["rows"];
    assert_eq!(rows[0], summary["cuts"]["freed"]);
    let query =
        format!("SELECT count(*) AS objects, sum(shallow_bytes) AS bytes FROM freed_by('{}', '{}')", two[0], two[1]);
    assert_eq!(json(&["query", AFTER, &query])["rows"][0], summary["cuts"]["freed"]);
    assert!(text(&answered(&[&["roots", AFTER], &cuts[..]].concat()).stdout).starts_with("After 2 removals: "));
}

#[test]
fn the_smallest_cut_of_an_object_frees_it() {
    let query =
        "SELECT cut FROM smallest_cut((SELECT id FROM objects WHERE class = 'desk.Order' AND reachable LIMIT 1))";
    let cut = answered(&["query", AFTER, query, "--format", "json"]);
    let rows: serde_json::Value = serde_json::from_slice(&cut.stdout).expect("json");
    let cuts: Vec<&str> = rows["rows"].as_array().expect("rows").iter().filter_map(|row| row["cut"].as_str()).collect();
    assert!(!cuts.is_empty());
    let texts = cuts.iter().map(|cut| format!("'{}'", cut.replace('\'', "''"))).collect::<Vec<_>>().join(", ");
    let query = format!("SELECT count(*) AS n FROM freed_by({texts}) WHERE class = 'desk.Order'");
    let freed = answered(&["query", AFTER, &query, "--format", "csv"]);
    assert_ne!(text(&freed.stdout).lines().last(), Some("0"), "{cuts:?}");
    let output = heaplens(&["query", AFTER, "SELECT * FROM smallest_cut(object('desk.OrderDesk.class'))"]);
    assert!(text(&output.stderr).contains("no removal of references frees it"), "{}", text(&output.stderr));
}

#[test]
fn queries_of_one_heap_have_no_schemas() {
    let after = answered(&["query", AFTER, "SELECT count(*) FROM after.classes", "--cut", CACHE]);
    assert!(text(&after.stdout).contains("count(*)"), "{}", text(&after.stdout));
    for query in ["SELECT * FROM before.objects", "SELECT count(*) FROM after.classes"] {
        let output = heaplens(&["query", AFTER, query]);
        assert_eq!(output.status.code(), Some(2), "{query}");
        let errors = text(&output.stderr);
        assert!(errors.contains("--cut REFERENCE") && errors.contains("--before DUMP"), "{query}: {errors}");
    }
    let output = heaplens(&["query", AFTER, "SELECT 1", "--cut", CACHE, "--before", BEFORE]);
    assert_eq!(output.status.code(), Some(2));
    let output = heaplens(&["query", AFTER, "SELECT * FROM freed_by()"]);
    assert!(text(&output.stderr).contains("freed_by needs references"), "{}", text(&output.stderr));
}

#[test]
fn a_comparison_removes_a_reference_of_both_dumps_by_name() {
    let diff = |cuts: &[&str], form: &str| {
        let words = [&["diff", BEFORE, AFTER, "--of", "classes", "--format", form], cuts].concat();
        answered(&words)
    };
    let out = text(&diff(&["--cut", CACHE], "text").stdout);
    let mut lines = out.lines();
    for file in ["leak-before.hprof.gz", "leak-after.hprof.gz"] {
        let line = lines.next().unwrap_or_default();
        assert!(line.starts_with(&format!("{file}: After 1 removal: ")), "{out}");
    }
    let answer: Json = serde_json::from_slice(&diff(&["--cut", CACHE], "json").stdout).expect("json");
    let freed = |nth: usize| answer["cuts"][nth]["freed"]["bytes"].as_u64().expect("bytes");
    assert!(freed(0) > 0 && freed(1) > freed(0), "{answer}");
    let session = answer["classes"].as_array().expect("classes").iter().find(|row| row["class"] == "desk.Session");
    assert!(session.is_none_or(|row| row["after"]["objects"] == 0), "{session:?}");
    // A name may exist in one of them only.
    let words = ["diff", "fixtures/keys-before.hprof.gz", AFTER, "--of", "classes", "--cut", CACHE];
    let output = heaplens(&words);
    let out = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        out.starts_with("keys-before.hprof.gz: No removals: desk.SessionCache.ENTRIES not in this dump\n"),
        "{out}"
    );
    let output = heaplens(&["diff", BEFORE, AFTER, "--cut", "desk.Nothing.all"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no class desk.Nothing"), "{}", text(&output.stderr));
    let output = heaplens(&["diff", BEFORE, AFTER, "--cut", "0xfe0c8bf8"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("an object of one dump"), "{}", text(&output.stderr));
}

#[test]
fn references_are_named_as_findings_and_sources_name_them() {
    let freed = |file: &str, cut: &str| json(&["summary", file, "--cut", cut])["cuts"]["freed"].clone();
    for (file, names) in [
        (AFTER, &["desk.SessionCache.ENTRIES", "SessionCache.ENTRIES"][..]),
        (AFTER, &["desk.OrderDesk.orders", "OrderDesk.orders"]),
        (AFTER, &["desk.Session.page", "Session.page"]),
        (AFTER, &["java.util.HashMap$Node.value", "HashMap$Node.value"]),
        (AFTER, &["desk.Session", "Session"]),
        (ANDROID, &["com.example.album.ThumbnailCache.thumbnails", "ThumbnailCache.thumbnails"]),
        (SCRIPT, &["@77827._events", "PriceFeed._events"]),
        (SCRIPT, &["@78713.price", "PriceFeed._events.price"]),
        (SCRIPT, &["@6163.routes", "desk.js routes"]),
        (SCRIPT, &["@6163.sessions", "desk.js sessions"]),
    ] {
        let first = freed(file, names[0]);
        assert!(first["bytes"].as_u64() > Some(0), "{file}: {}", names[0]);
        for name in names {
            assert_eq!(freed(file, name), first, "{file}: {name}");
        }
    }
    for (file, cut, advice) in [
        (SCRIPT, "PriceFeed.events", "PriceFeed has no reference .events; it has ."),
        (AFTER, "Session.pages", "it has "),
        (SCRIPT, "desk.js nothing", "no class desk.js nothing"),
    ] {
        let output = heaplens(&["summary", file, "--cut", cut]);
        assert_eq!(output.status.code(), Some(1), "{cut}");
        assert!(text(&output.stderr).contains(advice), "{cut}: {}", text(&output.stderr));
    }
}

/// A snapshot with so many owners of 100 bytes each, and one more that a second property holds, too.
fn owners(path: &Path, storage: PropertyStorage) {
    let mut made = Snapshot::default();
    let root = made.add("synthetic", "", 1, 0);
    let machine = made.add("synthetic", "(GC roots)", 3, 0);
    let global = made.add("object", "global", 5, 10);
    made.number(root, "element", 1, machine);
    made.name(root, "shortcut", "0: global", global);
    made.number(machine, "element", 1, global);
    for nth in 0..4_u64 {
        let owner = made.add("object", "Owner", 101 + nth * 20, 20);
        let held = made.add("object", "Held", 103 + nth * 20, 60);
        let part = made.add("object", "Part", 105 + nth * 20, 40);
        made.name(global, "property", format!("owner{nth}"), owner);
        made.name(owner, "property", "held", held);
        if nth == 3 {
            made.name(owner, "property", "also", held);
        }
        made.name(held, "property", "part", part);
        made.store_properties(owner, storage);
    }
    std::fs::write(path, write(&made, &Form::node20())).expect("disk space");
}

#[test]
fn a_property_is_removed_in_all_instances_with_its_storage() {
    let folder = tempfile::tempdir().expect("a folder");
    for storage in
        [PropertyStorage::InObject, PropertyStorage::Array, PropertyStorage::Dictionary, PropertyStorage::Cells]
    {
        let path = folder.path().join("owners.heapsnapshot");
        owners(&path, storage);
        let file = path.to_str().expect("a path");
        let cuts = &json(&["summary", file, "--cut", "Owner.held"])["cuts"];
        assert_eq!(cuts["references"], 4, "{storage:?}: {cuts}");
        assert_eq!(cuts["freed"], serde_json::json!({"objects": 6, "bytes": 300}), "{storage:?}: {cuts}");
        let both = ["summary", file, "--cut", "Owner.held", "--cut", "Owner.also"];
        let cuts = &json(&both)["cuts"];
        assert_eq!(cuts["freed"], serde_json::json!({"objects": 8, "bytes": 400}), "{storage:?}: {cuts}");
    }
}

#[test]
fn exported_columns_are_those_of_the_heap_after() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("columns").display().to_string();
    let output = answered(&["export", AFTER, "-o", &out, "--tables", "classes", "--cut", CACHE]);
    assert!(text(&output.stdout).starts_with(LINE), "{}", text(&output.stdout));
    let file = std::fs::read(folder.path().join("columns/classes.parquet")).expect("a file");
    let has = |wanted: &[u8]| file.windows(wanted.len()).any(|part| part == wanted);
    assert!(has(b"cuts") && has(CACHE.as_bytes()), "the file says what was removed");
}

/// Objects and bytes that a removal frees.
fn frees(file: &str, cut: &str) -> (u64, u64) {
    let freed = &json(&["summary", file, "--cut", cut])["cuts"]["freed"];
    (freed["objects"].as_u64().expect("objects"), freed["bytes"].as_u64().expect("bytes"))
}

#[test]
fn each_kind_of_removal_is_named() {
    // 1,200 sessions of 15 objects each, with their nodes.
    let all = frees(AFTER, "SessionCache.ENTRIES[*]");
    assert_eq!((all.0, frees(AFTER, CACHE).0), (18_000, 18_003));
    assert_eq!(frees(AFTER, "SessionCache.ENTRIES[..-1000]").0, 200 * 15);
    assert_eq!(frees(AFTER, "SessionCache.ENTRIES[1000..]").0 % 15, 0);
    assert_eq!(frees(AFTER, "SessionCache.ENTRIES[5..5]"), (0, 0));
    assert_eq!(frees(AFTER, "from SessionCache.ENTRIES").0, 18_002, "all but the map");
    assert_eq!(frees(AFTER, "from desk.SessionCache"), frees(AFTER, CACHE), "the static fields of the class");
    assert!(frees(AFTER, "from desk.*").0 > 18_003);
    let query = "SELECT id FROM objects WHERE class = 'desk.Session'";
    assert_eq!(frees(AFTER, query), frees(AFTER, "desk.Session"));
    // Waste counts all equal strings with their arrays; something else may hold an array.
    let waste = json(&["waste", AFTER]);
    let texts = waste["rows"].as_array().expect("rows").iter().find(|row| row["kind"] == "duplicate strings");
    let wasted = texts.and_then(|row| row["wasted_bytes"].as_u64()).expect("duplicate strings");
    let freed = frees(AFTER, "duplicate strings").1;
    assert!(freed <= wasted && wasted - freed < wasted / 1_000, "{freed} of {wasted}");
    assert!(frees(SCRIPT, "PriceFeed._events.price[..-10]") < frees(SCRIPT, "PriceFeed._events.price[*]"));
    assert_eq!(frees(SCRIPT, "PriceFeed._events[*]"), frees(SCRIPT, "PriceFeed._events.price"), "its only property");
}

/// What a name must be for the removal that is meant.
#[test]
fn a_removal_of_another_kind_than_its_name_is_refused() {
    for (cut, why) in [
        ("root of SessionCache.ENTRIES", "is no GC root"),
        ("from desk.nothing.*", "no class of the package desk.nothing"),
        ("from com.desk.*", "similar packages: desk"),
        ("loader SessionCache.ENTRIES", "is no class loader with classes"),
        ("OrderDesk[*]", "is no collection and no array"),
        ("SELECT 1", "no column with objects"),
        ("SELECT id FROM objects WHERE class = 'no.Such'", "the query returns no objects"),
        ("SELECT missing FROM objects", "the query fails: no such column"),
    ] {
        let output = heaplens(&["summary", AFTER, "--cut", cut]);
        let message = text(&output.stderr);
        assert!(!output.status.success() && message.contains(why), "{cut}: {message}");
    }
}

#[test]
fn each_policy_frees_what_its_removal_does() {
    for file in [AFTER, SCRIPT] {
        let rows = json(&["policies", file]);
        let rows = rows["rows"].as_array().expect("rows");
        assert!(rows.len() > 5);
        for row in rows {
            let cut = row["cut"].as_str().expect("a cut");
            let sizes = (row["freed_objects"].as_u64().expect("objects"), row["freed_bytes"].as_u64().expect("bytes"));
            assert_eq!(sizes, frees(file, cut), "{row}");
        }
    }
}

/// Sessions in a list, one a minute older than the next, with the time of their creation, which is no hint of their use.
/// The dump is of 1,700,000,000 seconds after 1970.
fn sessions(unit: u64) -> Vec<u8> {
    let taken = 1_700_000_000 * unit;
    let items: Vec<String> = (0..60).map(|at| format!("s{at}")).collect();
    let session = |at: u64| {
        let (created, seen) = (taken - 9_000_000 * unit, taken - at * 60 * unit);
        let page = " 1".repeat(500);
        format!("s{at} = shop.Session created={created} seen={seen} visits={at} page=p{at}\np{at} = byte[]{page}\n")
    };
    let text = format!(
        "class java.util.ArrayList\n field elementData: object\n field size: int\n\
        class shop.Session\n field created: long\n field seen: long\n field visits: long\n field page: object\n\
        class shop.Sessions\n static all: object = list\nroot shop.Sessions class\n\
        list = java.util.ArrayList elementData=elements size=60\nelements = java.lang.Object[] {}\n{}",
        items.join(" "),
        (0..60).map(session).collect::<String>()
    );
    hprof::write(&notation::read(&text).unwrap_or_else(|why| panic!("{why}")), hprof::Form::MODERN)
}

#[test]
fn an_age_limit_counts_from_the_dump_in_the_unit_of_the_field() {
    let folder = tempfile::tempdir().expect("a folder");
    for unit in [1, 1_000, 1_000_000, 1_000_000_000] {
        let path = folder.path().join(format!("{unit}.hprof"));
        std::fs::write(&path, sessions(unit)).expect("disk space");
        let file = path.to_str().expect("a path");
        let rows = json(&["policies", file]);
        let is_it = |row: &&Json| row["policy"] == "No Session is older than 30 minutes by its seen";
        let row = rows["rows"].as_array().expect("rows").iter().find(is_it).unwrap_or_else(|| panic!("{unit}: {rows}"));
        assert_eq!(row["freed_objects"], 29 * 2, "{unit}");
        let cut = row["cut"].as_str().expect("a cut");
        assert!(cut.starts_with("SELECT object FROM \"shop.Session\" WHERE \"seen\" < "), "{cut}");
        assert_eq!(frees(file, cut).0, 29 * 2, "{unit}");
    }
}
