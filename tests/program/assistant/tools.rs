//! Every tool on every kind of dump; answers are those of the command line.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::client::Client;
use heaplens_testkit::notation;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::sketch_conversion::snapshot;
use heaplens_testkit::v8::write::write;

pub(super) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// A snapshot of V8 with a map that holds carts.
fn page(folder: &Path) -> PathBuf {
    let carts: Vec<String> = (0..40).map(|n| format!("c{n}")).collect();
    let lines: Vec<String> = carts.iter().map(|cart| format!("{cart} = shop.Cart next=null")).collect();
    let heap = format!(
        "class shop.Cart\n field next: object\nclass shop.Cache\n static all: object = list\nlist = java.lang.Object[] {}\n{}\nroot shop.Cache class",
        carts.join(" "),
        lines.join("\n"),
    );
    let path = folder.join("page.heapsnapshot");
    let sketch = notation::read(&heap).expect("a heap");
    std::fs::write(&path, write(&snapshot(&sketch, |_| 32), &Form::node20())).expect("disk space");
    path
}

/// What the command line prints as JSON.
fn printed(words: &[&str], file: &Path) -> Value {
    let (command, options) = words.split_first().expect("a command");
    let mut heaplens = Command::new(env!("CARGO_BIN_EXE_heaplens"));
    let output = heaplens.arg(command).arg(file).args(options).args(["--format", "json", "--no-cache", "--redact"]);
    serde_json::from_slice(&output.output().expect("it starts").stdout).expect("json")
}

#[test]
fn every_tool_answers_on_every_kind_of_dump() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path());
    let phd = fixture("ibm/heapdump.20261122.120000.4711.0001.phd");
    let (java, android) = (fixture("leak-after.hprof.gz"), fixture("android/album.hprof.gz"));
    let indexes = [page.as_os_str(), phd.as_os_str(), java.as_os_str(), android.as_os_str()];
    let mut client = Client::start(&indexes);
    let listed = client.ask("list_dumps", &json!({}));
    assert_eq!(listed.data["dumps"].as_array().map(Vec::len), Some(4), "{}", listed.text);
    for index in indexes {
        let dump = client.open(index);
        let overview = client.ask("overview", &json!({"dump": dump}));
        assert!(overview.data["objects"].is_array(), "{}", overview.text);
        let leaks = client.ask("leaks", &json!({"dump": dump, "max_tokens": 6000}));
        assert!(leaks.data["findings"].is_array(), "{}", leaks.text);
        for by in ["class", "package", "loader", "superclass"] {
            let rows = client.ask("histogram", &json!({"dump": dump, "by": by, "top": 3}));
            assert!(!rows.data["rows"].as_array().expect("rows").is_empty(), "{by}: {}", rows.text);
        }
        let largest = client.ask(
            "query",
            &json!({"dump": dump, "top": 1, "sql":
            "SELECT id, class FROM objects WHERE reachable AND class NOT LIKE '(%' ORDER BY retained_bytes DESC"}),
        );
        let (id, class) = (&largest.data["rows"][0][0], &largest.data["rows"][0][1]);
        let explained = client.ask("explain", &json!({"dump": dump, "object": id}));
        assert_eq!(&explained.data["object"]["class"], class, "{}", explained.text);
        assert!(explained.data["paths"].is_array() && explained.data["incoming"].is_array(), "{}", explained.text);
        let actual = client.ask("search", &json!({"dump": dump, "text": class}));
        assert!(actual.data["classes"].as_array().is_some_and(|rows| !rows.is_empty()), "{class}: {}", actual.text);
        let freed = client.ask("what_if", &json!({"dump": dump, "cut": [id]}));
        assert!(freed.words.starts_with("All cuts together free"), "{}", freed.text);
        let tables = client.ask("query", &json!({"dump": dump, "sql": ""}));
        assert!(tables.text.contains("retained_set"), "{}", tables.text);
        let drawn = client.call("screenshot", &json!({"dump": dump, "view": "histogram", "theme": "light"}));
        let after = json!({"dump": dump, "view": "histogram", "theme": "light", "cuts": [id]});
        let after = client.call("screenshot", &after);
        if cfg!(feature = "gui") {
            assert_eq!(drawn.picture.as_deref(), Some("image/png"), "{}", drawn.text);
            assert_eq!(after.picture.as_deref(), Some("image/png"), "{}", after.text);
        } else {
            assert!(drawn.is_error && drawn.words.contains("no window"), "{}", drawn.text);
        }
    }
    assert!(client.finish(), "it ends when its input does");
}

#[test]
fn answers_are_those_of_the_command_line() {
    let java = fixture("leak-after.hprof.gz");
    let mut client = Client::start(&[java.as_os_str()]);
    let dump = client.open(java.as_os_str());
    let rows = client.ask("histogram", &json!({"dump": dump, "top": 6, "skip": 2}));
    let printed_rows = printed(&["histogram", "--sort", "retained_bytes", "--top", "8"], &java);
    assert_eq!(
        rows.data["rows"].as_array().map(Vec::as_slice),
        printed_rows["rows"].as_array().map(|rows| &rows[2..8])
    );
    assert!(rows.words.contains("This is 3 to 8 in rows") && rows.words.contains("\"skip\": 8"), "{}", rows.words);
    let leaks = client.ask("leaks", &json!({"dump": dump, "top": 1, "max_tokens": 20000}));
    let first = &printed(&["leaks", "--top", "1"], &java)["findings"][0];
    let text = leaks.data["findings"][0].as_object().expect("a finding");
    for (key, value) in text.iter().filter(|(key, _)| *key != "advice") {
        assert_eq!(Some(value), first.get(key), "{key}");
    }
    assert!(
        text.len() > 15 && text["advice"].as_str().is_some_and(|advice| advice.contains("Limit the size")),
        "{text:?}"
    );
    assert_eq!(leaks.data["left_out"]["next"]["skip"], 1, "{}", leaks.text);
    let cut = client.ask("what_if", &json!({"dump": dump, "cut": [first["cut"][0]["name"]]}));
    assert_eq!(cut.data["freed"]["bytes"], first["frees"], "{}", cut.text);
}

#[test]
fn growth_between_two_dumps_is_evidence() {
    let [before, after] = ["leak-before.hprof.gz", "leak-after.hprof.gz"].map(fixture);
    let mut client = Client::start(&[before.as_os_str(), after.as_os_str()]);
    let [old, new] = [&before, &after].map(|file| client.open(file.as_os_str()));
    let owners = client.ask("compare", &json!({"before": old, "after": new, "top": 3}));
    assert_eq!(owners.data["owners"][0]["owner"], "desk.SessionCache.ENTRIES", "{}", owners.text);
    let classes = client.ask("compare", &json!({"before": old, "after": new, "by": "class", "top": 3}));
    assert_eq!(classes.data["classes"].as_array().map(Vec::len), Some(3), "{}", classes.text);
    let grown = client.ask("leaks", &json!({"dump": new, "before": old, "top": 1}));
    assert!(
        grown.data["findings"][0]["growth"].is_object() || grown.data["findings"][0]["growth"].is_number(),
        "{}",
        grown.text
    );
    let sql = "SELECT (SELECT count(*) FROM objects) - (SELECT count(*) FROM before.objects) AS more";
    let more = client.ask("query", &json!({"dump": new, "before": old, "sql": sql}));
    assert!(more.data["rows"][0][0].as_i64().is_some_and(|more| more > 0), "{}", more.text);
    let same = client.call("compare", &json!({"before": new, "after": new}));
    assert!(same.is_error && same.words.contains("same dump"), "{}", same.text);
}

#[test]
fn an_answer_keeps_its_budget() {
    let java = fixture("leak-after.hprof.gz");
    let mut client = Client::start(&[java.as_os_str()]);
    let dump = client.open(java.as_os_str());
    for (tool, arguments) in [
        ("overview", json!({"dump": dump})),
        ("leaks", json!({"dump": dump})),
        ("histogram", json!({"dump": dump, "top": 500})),
        ("explain", json!({"dump": dump, "object": "desk.SessionCache.ENTRIES"})),
        ("query", json!({"dump": dump, "sql": "SELECT * FROM objects", "top": 500})),
    ] {
        for tokens in [300, 1_000, 4_000] {
            let mut arguments = arguments.clone();
            arguments["max_tokens"] = json!(tokens);
            let answer = client.ask(tool, &arguments);
            // Three bytes a token; words of heaplens and the fence come in addition.
            assert!(answer.text.len() <= tokens * 3 + 700, "{tool} {tokens}: {}", answer.text.len());
        }
    }
}

/// The heap after removals is the one of the command line, whatever tool is asked.
#[test]
fn answers_after_removals_are_those_of_the_command_line() {
    let (java, page) = (fixture("leak-after.hprof.gz"), fixture("node/desk-final.heapsnapshot.gz"));
    let mut client = Client::start(&[java.as_os_str(), page.as_os_str()]);
    for (file, cut) in [(&java, "SessionCache.ENTRIES"), (&page, "PriceFeed._events")] {
        let dump = client.open(file.as_os_str());
        let summary = printed(&["summary", "--cut", cut], file);
        let (cuts, after) = (json!([cut]), &summary["reachable"]);
        let check = |tool: &str, answer: &super::client::Answer| {
            assert!(answer.words.starts_with("After 1 removal: "), "{tool}: {}", answer.text);
            assert_eq!(answer.data["cuts"]["after"], *after, "{tool}: {}", answer.text);
            assert_eq!(answer.data["cuts"]["freed"], summary["cuts"]["freed"], "{tool}: {}", answer.text);
        };
        let rows = client.ask("histogram", &json!({"dump": dump, "cuts": cuts, "top": 8, "max_tokens": 6000}));
        check("histogram", &rows);
        let printed_rows = printed(&["histogram", "--cut", cut, "--sort", "retained_bytes", "--top", "8"], file);
        assert_eq!(rows.data["rows"], printed_rows["rows"], "{}", rows.text);
        let overview = client.ask("overview", &json!({"dump": dump, "cuts": cuts, "max_tokens": 20000}));
        check("overview", &overview);
        assert_eq!(overview.data["totals"]["shallow_bytes"], after["bytes"]);
        let leaks = client.ask("leaks", &json!({"dump": dump, "cuts": cuts, "max_tokens": 20000}));
        check("leaks", &leaks);
        let printed_leaks = printed(&["leaks", "--cut", cut], file);
        assert_eq!(leaks.data["findings"][0]["fingerprint"], printed_leaks["findings"][0]["fingerprint"]);
        let sql = "SELECT sum(b.shallow_bytes) - sum(a.shallow_bytes * a.reachable) AS bytes FROM before.objects b \
                   JOIN after.objects a USING (id) WHERE b.reachable";
        let freed = client.ask("query", &json!({"dump": dump, "sql": sql, "cuts": cuts}));
        check("query", &freed);
        assert_eq!(freed.data["rows"][0][0], summary["cuts"]["freed"]["bytes"], "{}", freed.text);
        let sums = client.ask("what_if", &json!({"dump": dump, "cut": cuts}));
        assert_eq!(sums.data["after"], *after, "{}", sums.text);
        let class = &rows.data["rows"][0]["class"];
        check("search", &client.ask("search", &json!({"dump": dump, "text": class, "cuts": cuts, "max_tokens": 6000})));
        let one = client.ask("query", &json!({"dump": dump, "sql": "SELECT id FROM objects WHERE reachable ORDER BY retained_bytes DESC", "top": 1}));
        let object = &one.data["rows"][0][0];
        check(
            "explain",
            &client.ask("explain", &json!({"dump": dump, "object": object, "cuts": cuts, "max_tokens": 6000})),
        );
        // Without them, the dump is as it was.
        let complete = client.ask("overview", &json!({"dump": dump, "max_tokens": 20000}));
        assert_eq!(complete.data["totals"]["shallow_bytes"], summary["cuts"]["before"]["bytes"], "{}", complete.text);
        assert!(!complete.words.contains("removal"), "{}", complete.text);
    }
}

#[test]
fn both_dumps_of_a_comparison_are_without_the_references() {
    let [before, after] = ["leak-before.hprof.gz", "leak-after.hprof.gz"].map(fixture);
    let mut client = Client::start(&[before.as_os_str(), after.as_os_str()]);
    let [old, new] = [&before, &after].map(|file| client.open(file.as_os_str()));
    let cuts = json!(["desk.SessionCache.ENTRIES"]);
    let compared = client.ask("compare", &json!({"before": old, "after": new, "cuts": cuts, "max_tokens": 20000}));
    let owners = compared.data["owners"].as_array().expect("owners");
    assert!(owners.iter().all(|row| row["owner"] != "desk.SessionCache.ENTRIES"), "{}", compared.text);
    let freed = |key: &str| compared.data[key]["freed"]["bytes"].as_u64().expect("bytes");
    assert!(freed("cuts") > freed("before_cuts") && freed("before_cuts") > 0, "{}", compared.text);
    let leaks = client.ask("leaks", &json!({"dump": new, "before": old, "cuts": cuts, "max_tokens": 20000}));
    assert!(leaks.words.starts_with("After 1 removal: "), "{}", leaks.text);
    let wrong = client.call("compare", &json!({"before": old, "after": new, "cuts": ["0xfe0c8bf8"]}));
    assert!(wrong.is_error && wrong.words.contains("one dump"), "{}", wrong.text);
}
