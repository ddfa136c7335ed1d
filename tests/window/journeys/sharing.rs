//! *Share with assistant*: a program asks about the dumps that are open, until the sharing ends.

use std::io::{BufRead, BufReader, Write};

use super::*;
use heaplens::ui::screenshot::pictures;
use heaplens_session::instance::{Stream, reach_window};
use serde_json::{Value, json};

/// A client of the protocol.
struct Assistant {
    reader: BufReader<Stream>,
    writer: Stream,
}

impl Assistant {
    fn meet(cache: &std::path::Path) -> Self {
        let writer = reach_window(cache).expect("the window is shared");
        let reader = BufReader::new(writer.try_clone().expect("a handle"));
        let mut assistant = Self { reader, writer };
        let about = json!({"name": "test", "version": "1"});
        assistant.ask("initialize", &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}));
        writeln!(assistant.writer, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .expect("sent");
        assistant
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        writeln!(self.writer, "{}", json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
            .expect("sent");
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("an answer");
        serde_json::from_str(&line).expect("json")
    }

    /// Text of a tool's answer.
    fn call(&mut self, tool: &str, arguments: &Value) -> String {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }
}

fn menu(h: &mut Harness<'_, App>, entry: &str) {
    h.get_by_label("File").click();
    settle(h);
    click(h, entry);
    settle(h);
}

#[test]
fn an_assistant_asks_about_open_dumps_until_sharing_ends() {
    let cache = tempfile::tempdir().expect("a folder");
    let mut h = opening(&[fixture("leak-after.hprof.gz")], OpenOptions::default());
    h.state_mut().share_below(cache.path().to_owned(), pictures);
    settle(&mut h);
    assert!(reach_window(cache.path()).is_err(), "nothing is shared unless the user says so");
    menu(&mut h, "Share with assistant");
    h.get_by_label_contains("shared with assistant");
    let mut assistant = Assistant::meet(cache.path());
    let listed = assistant.call("list_dumps", &json!({}));
    assert!(listed.contains("leak-after.hprof.gz") && listed.contains("\"d1\""), "{listed}");
    let leaks = assistant.call("leaks", &json!({"dump": "d1", "top": 1}));
    assert!(leaks.contains("desk.SessionCache.ENTRIES"), "{leaks}");
    let threads = assistant.call("query", &json!({"dump": "d1", "sql": "SELECT * FROM threads"}));
    assert!(threads.contains("java.lang.Thread") && !threads.contains("report-writer"), "values are hidden: {threads}");
    let other = fixture("leak-before.hprof.gz");
    let refused = assistant.call("open_dump", &json!({"file": other}));
    assert!(refused.contains("may not be opened"), "{refused}");
    // What the window opens is offered, what it closes no longer.
    h.state_mut().open(&other);
    settle(&mut h);
    let listed = assistant.call("list_dumps", &json!({}));
    assert!(listed.contains("leak-before.hprof.gz") && listed.contains("\"d2\""), "{listed}");
    h.key_press_modifiers(Modifiers::COMMAND, Key::W);
    settle(&mut h);
    let closed = assistant.call("overview", &json!({"dump": "d2"}));
    assert!(closed.contains("No open dump has this name"), "{closed}");
    menu(&mut h, "Share with assistant");
    assert!(h.query_by_label_contains("shared with assistant").is_none());
    assert_eq!(assistant.reader.read_line(&mut String::new()).unwrap_or(0), 0, "the connection is ended");
    assert!(reach_window(cache.path()).is_err());
}
