//! Wrong calls, calls at the same time, cancelled calls.

use std::path::Path;

use serde_json::json;

use super::client::Client;
use super::tools::fixture;

/// A query that never ends.
pub(super) const ENDLESS: &str =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

#[test]
fn a_wrong_call_is_answered_with_what_to_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let dumps = folder.path().join("dumps");
    std::fs::create_dir(&dumps).expect("a folder");
    std::fs::copy(fixture("leak-before.hprof.gz"), dumps.join("app.hprof.gz")).expect("disk space");
    std::fs::write(dumps.join("broken.hprof"), "JAVA PROFILE 1.0.2").expect("disk space");
    std::fs::copy(fixture("leak-before.hprof.gz"), folder.path().join("other.hprof.gz")).expect("disk space");
    let mut client = Client::start(&[dumps.as_os_str()]);
    let dump = client.open(Path::new("app.hprof.gz").as_os_str());
    for (tool, arguments, output) in [
        ("overview", json!({}), "schema is in tools/list"),
        ("overview", json!({"dump": [7]}), "schema is in tools/list"),
        ("overview", json!({"dump": dump, "shape": "round"}), "schema is in tools/list"),
        ("overview", json!({"dump": "d99"}), "open: d1"),
        ("overview", json!({"dump": dump, "max_tokens": "many"}), "max_tokens must be a whole number"),
        ("open_dump", json!({"file": "../other.hprof.gz"}), "Call list_dumps"),
        ("open_dump", json!({"file": folder.path().join("other.hprof.gz")}), "Call list_dumps"),
        ("open_dump", json!({"file": "missing.hprof"}), "Call list_dumps"),
        ("open_dump", json!({"file": "broken.hprof"}), "cannot be opened"),
        ("explain", json!({"dump": dump, "object": "0x1"}), "Ids belong to one dump"),
        ("explain", json!({"dump": dump, "object": "no.such.Field"}), "Call search"),
        ("what_if", json!({"dump": dump, "cut": []}), "Name 1 to 20"),
        ("what_if", json!({"dump": dump, "cut": ["no.such.Field"]}), "no reference"),
        ("overview", json!({"dump": dump, "cuts": ["no.such.Field"]}), "no reference"),
        (
            "query",
            json!({"dump": dump, "sql": "SELECT 1", "cuts": ["desk.SessionCache.ENTRIES"], "before": dump}),
            "leave out",
        ),
        ("histogram", json!({"dump": dump, "sort": "colour"}), "correct it by the message"),
        ("histogram", json!({"dump": dump, "filter": "/(/"}), "correct it by the message"),
        ("histogram", json!({"dump": dump, "by": "colour"}), "schema is in tools/list"),
        ("leaks", json!({"dump": dump, "filter": "colour>3"}), "correct it by the message"),
        ("leaks", json!({"dump": dump, "before": "d9"}), "No open dump"),
        ("query", json!({"dump": dump, "sql": "SELECT colour FROM objects"}), "lists tables and columns"),
        ("query", json!({"dump": dump, "sql": "DROP TABLE objects"}), "lists tables and columns"),
        ("query", json!({"dump": dump, "sql": "ATTACH 'x.db' AS x"}), "lists tables and columns"),
        ("search", json!({"dump": dump, "text": " "}), "is empty"),
    ] {
        let called = format!("{tool} {arguments}");
        let answer = client.call(tool, &arguments);
        assert!(answer.is_error && answer.words.contains(output), "{called}: {}", answer.text);
    }
    let unknown = client.send("tools/call", &json!({"name": "shout", "arguments": {}}));
    let unknown = client.wait(unknown);
    assert!(unknown["error"]["message"].as_str().is_some_and(|why| why.contains("list_dumps")), "{unknown}");
    for line in ["{{{", "[]", "null", "\u{0}", r#"{"jsonrpc":"2.0"}"#, r#"{"jsonrpc":"2.0","method":"tools/call"}"#] {
        client.say(line);
    }
    client.ask("overview", &json!({"dump": dump}));
}

#[test]
fn values_are_shown_only_if_the_user_says_so() {
    let java = fixture("leak-after.hprof.gz");
    let mut output = Vec::new();
    for options in [&[][..], &["--values"]] {
        let mut arguments: Vec<_> = options.iter().map(Path::new).map(Path::as_os_str).collect();
        arguments.push(java.as_os_str());
        let mut client = Client::start(&arguments);
        let dump = client.open(java.as_os_str());
        let actual = client.ask("search", &json!({"dump": dump, "text": "report-writer"}));
        let threads = client.ask("query", &json!({"dump": dump, "sql": "SELECT * FROM threads"}));
        output.push((actual.data["strings"].clone(), threads.text.contains("report-writer")));
    }
    assert!(output[0].0.is_null() && !output[0].1, "{output:?}");
    assert!(output[1].0.as_array().is_some_and(|rows| !rows.is_empty()) && output[1].1, "{output:?}");
}

#[test]
fn calls_run_at_the_same_time_and_can_be_cancelled() {
    let java = fixture("leak-before.hprof.gz");
    let mut client = Client::start(&[java.as_os_str()]);
    let dump = client.open(java.as_os_str());
    // More than run at the same time: unless cancelled queries end, the last call is never answered.
    let endless: Vec<u64> = (0..24)
        .map(|n| {
            let arguments = json!({"dump": dump, "sql": ENDLESS});
            let call = json!({"name": "query", "arguments": arguments, "_meta": {"progressToken": n}});
            client.send("tools/call", &call)
        })
        .collect();
    for id in &endless {
        let cancelled = json!({"requestId": id, "reason": "the user asks something else"});
        client.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}).to_string());
    }
    let together: Vec<u64> =
        (0..8).map(|skip| client.begin("histogram", &json!({"dump": dump, "skip": skip}))).collect();
    let classes: Vec<_> = together.into_iter().map(|id| client.end(id).data["rows"][0]["class"].clone()).collect();
    let in_turn = (0..8)
        .map(|skip| client.ask("histogram", &json!({"dump": dump, "skip": skip})).data["rows"][0]["class"].clone());
    assert_eq!(classes, in_turn.collect::<Vec<_>>());
}

#[test]
fn a_call_reports_its_progress() {
    let java = fixture("leak-before.hprof.gz");
    let mut client = Client::start(&[java.as_os_str()]);
    let dump = client.open(java.as_os_str());
    let call = json!({"name": "query", "arguments": {"dump": dump, "sql": ENDLESS}, "_meta": {"progressToken": "p"}});
    let id = client.send("tools/call", &call);
    while client.notified.len() < 3 {
        std::thread::sleep(std::time::Duration::from_millis(100));
        client.ask("list_dumps", &json!({}));
    }
    let cancelled = json!({"requestId": id});
    client.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}).to_string());
    let progress: Vec<f64> =
        client.notified.iter().filter_map(|notified| notified["params"]["progress"].as_f64()).collect();
    assert!(progress.len() >= 3 && progress.is_sorted(), "{:?}", client.notified);
}
