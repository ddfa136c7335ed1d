//! A server whose calls all take for ever still reads, answers and ends.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::calls::ENDLESS;
use super::client::Client;
use super::tools::fixture;

/// Calls at work and in the queue of a server.
const MOST: usize = 8 + 64;
/// Half the time after which an endless query ends by itself.
const LONG: Duration = Duration::from_mins(1);

fn with_endless_calls(count: usize) -> (Client, String, Vec<u64>) {
    let java = fixture("leak-before.hprof.gz");
    let mut client = Client::start(&[java.as_os_str()]);
    let dump = client.open(java.as_os_str());
    let calls = (0..count).map(|_| client.begin("query", &json!({"dump": dump, "sql": ENDLESS}))).collect();
    (client, dump, calls)
}

fn cancel(client: &mut Client, calls: &[u64]) {
    for id in calls {
        let cancelled = json!({"requestId": id});
        client.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}).to_string());
    }
}

#[test]
fn pings_and_lists_are_answered_while_all_calls_are_at_work() {
    let (mut client, dump, calls) = with_endless_calls(MOST);
    let ping = client.send("ping", &json!({}));
    assert_eq!(client.wait(ping)["result"], json!({}));
    assert!(client.ask("list_dumps", &json!({})).words.contains("1 open"));
    let tools = client.send("tools/list", &json!({}));
    assert!(client.wait(tools)["result"]["tools"].as_array().is_some_and(|tools| tools.len() > 5));
    let refused = client.call("overview", &json!({"dump": dump}));
    assert!(refused.is_error && refused.words.contains("Too many calls wait"), "{}", refused.text);
    assert_eq!(client.answered(), 0, "no endless call has ended");
    // The queue is left at once, also by calls that never began.
    cancel(&mut client, &calls);
    client.ask("overview", &json!({"dump": dump}));
}

#[test]
fn the_server_ends_with_its_input_whatever_is_at_work() {
    for count in [1, 10, MOST] {
        let began = Instant::now();
        let (client, ..) = with_endless_calls(count);
        assert!(client.finish(), "{count} calls");
        assert!(began.elapsed() < LONG, "{count} calls");
    }
}

#[test]
fn a_line_that_is_no_json_is_answered_and_the_server_goes_on() {
    let mut client = Client::start(&[fixture("leak-before.hprof.gz").as_os_str()]);
    let surrogate =
        r#"{"jsonrpc":"2.0","id":90,"method":"tools/call","params":{"name":"search","arguments":{"text":"\ud800"}}}"#;
    let lines: [&[u8]; 3] = [b"{{{", surrogate.as_bytes(), b"{\"jsonrpc\":\"2.0\",\"id\":91,\"method\":\"\xff\"}"];
    for line in lines {
        client.say_bytes(line);
    }
    client.ask("list_dumps", &json!({}));
    let errors: Vec<_> = client.notified.iter().map(|error| (&error["id"], &error["error"]["code"])).collect();
    assert_eq!(errors, [(&Value::Null, &json!(-32700)); 3], "{:?}", client.notified);
}

#[test]
fn batches_are_answered_in_the_version_that_has_them() {
    let java = fixture("leak-before.hprof.gz");
    let batch = json!([
        {"jsonrpc": "2.0", "id": "a", "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": {"name": "list_dumps", "arguments": {}}},
        7,
    ]);
    let mut client = Client::start_version(&[java.as_os_str()], "2025-03-26");
    client.say(&batch.to_string());
    let answers = client.next_array();
    let mut ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    ids.sort_by_key(ToString::to_string);
    assert_eq!(ids, [&json!("a"), &json!("b"), &Value::Null]);
    let mut client = Client::start_version(&[java.as_os_str()], "2025-06-18");
    client.say(&batch.to_string());
    client.ask("list_dumps", &json!({}));
    assert_eq!(client.notified.len(), 1);
    assert_eq!(client.notified[0]["error"]["code"], json!(-32600), "{:?}", client.notified);
}
