//! A client of the protocol: a line of JSON each.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// Time after which an answer is given up.
const PATIENCE: Duration = Duration::from_mins(2);

/// A server, and what it said.
pub(super) struct Client {
    server: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    answers: BTreeMap<u64, Value>,
    /// Notifications of the server.
    pub(super) notified: Vec<Value>,
    next: u64,
    /// Name of the fence around data.
    pub(super) fence: String,
}

/// Answer of a tool.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) is_error: bool,
    /// All text, as the client gets it.
    pub(super) text: String,
    /// Text outside the fence.
    pub(super) words: String,
    /// What the fence holds; null without one.
    pub(super) data: Value,
    /// Kind of a picture.
    pub(super) picture: Option<String>,
}

impl Client {
    /// Starts a server with arguments, and greets it.
    pub(super) fn start(arguments: &[&OsStr]) -> Self {
        Self::start_version(arguments, "2025-06-18")
    }

    /// As [`Client::start`], with a version of the protocol.
    pub(super) fn start_version(arguments: &[&OsStr], version: &str) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_heaplens"))
            .arg("mcp")
            .args(arguments)
            .arg("--no-cache")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let output = BufReader::new(server.stdout.take().expect("its output"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let input = server.stdin.take();
        let (answers, notified) = (BTreeMap::new(), Vec::new());
        let mut client = Self { server, input, lines, answers, notified, next: 1, fence: String::new() };
        let about = json!({"name": "test", "version": "1"});
        let greeting = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": about});
        let id = client.send("initialize", &greeting);
        let greeted = client.wait(id);
        let instructions = greeted["result"]["instructions"].as_str().expect("instructions");
        let (_, fence) = instructions.split_once('<').expect("a fence");
        let (fence, _) = fence.split_once('>').expect("a fence");
        fence.clone_into(&mut client.fence);
        client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        client
    }

    /// Writes a line as it is.
    pub(super) fn say(&mut self, line: &str) {
        self.say_bytes(line.as_bytes());
    }

    /// Writes a line that may be no text.
    pub(super) fn say_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("input is open");
        input.write_all(&[line, b"\n"].concat()).expect("the server reads");
    }

    /// Number of answers that came and were not waited for.
    pub(super) fn answered(&self) -> usize {
        self.answers.len()
    }

    /// The next message, which is an array.
    pub(super) fn next_array(&mut self) -> Vec<Value> {
        let message = self.lines.recv_timeout(PATIENCE).expect("an answer");
        message.as_array().unwrap_or_else(|| panic!("an array: {message}")).clone()
    }

    /// Sends a request, and returns its number.
    pub(super) fn send(&mut self, method: &str, params: &Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        id
    }

    /// The answer to a request.
    pub(super) fn wait(&mut self, id: u64) -> Value {
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            let message = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to {id}"));
            match message["id"].as_u64() {
                Some(id) => drop(self.answers.insert(id, message)),
                None => self.notified.push(message),
            }
        }
    }

    /// Sends a call of a tool.
    pub(super) fn begin(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.send("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Answer of a call.
    pub(super) fn end(&mut self, id: u64) -> Answer {
        let message = self.wait(id);
        let result = &message["result"];
        let blocks = result["content"].as_array().unwrap_or_else(|| panic!("{message}"));
        let text = blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n");
        let picture = blocks.iter().find_map(|block| block["mimeType"].as_str().map(str::to_owned));
        let (opens, closes) = (format!("<{}>\n", self.fence), format!("\n</{}>", self.fence));
        assert!(text.matches(&opens).count() <= 1 && text.matches(&closes).count() <= 1, "{text}");
        let (words, data) = match text.split_once(&opens) {
            None => (text.clone(), Value::Null),
            Some((before, rest)) => {
                let (data, after) = rest.split_once(&closes).unwrap_or_else(|| panic!("the fence is closed: {text}"));
                (format!("{before}{after}"), serde_json::from_str(data).unwrap_or_else(|e| panic!("{e}: {data}")))
            }
        };
        Answer { is_error: result["isError"] == true, text, words, data, picture }
    }

    /// Calls a tool and waits for its answer.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Answer {
        let id = self.begin(tool, arguments);
        self.end(id)
    }

    /// As [`Client::call`]; the answer is no error.
    pub(super) fn ask(&mut self, tool: &str, arguments: &Value) -> Answer {
        let called = format!("{tool} {arguments}");
        let answer = self.call(tool, arguments);
        assert!(!answer.is_error, "{called}: {}", answer.text);
        answer
    }

    /// Opens a dump, and returns its name.
    pub(super) fn open(&mut self, file: &OsStr) -> String {
        let opened = self.ask("open_dump", &json!({"file": file.to_string_lossy()}));
        opened.data["dump"].as_str().expect("a name").to_owned()
    }

    /// Ends the input; true if the server then ends well.
    pub(super) fn finish(mut self) -> bool {
        drop(self.input.take());
        self.server.wait().is_ok_and(|status| status.success())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended already.
        let _killed = self.server.kill();
        let _ended = self.server.wait();
    }
}
