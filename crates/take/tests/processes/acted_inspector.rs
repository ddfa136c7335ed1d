//! A thread that answers as the inspector of a JavaScript engine does.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, accept};

/// What it does when it is asked for a snapshot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Sends it in pieces.
    Sends,
    /// Closes the connection in the middle.
    Ends,
    /// Says no.
    Refuses,
    /// Sends it, of a page of a browser.
    IsPage,
    /// Sends it without its last piece, as if that were all.
    Loses,
}

/// The pieces of the snapshot.
pub(crate) const PIECES: [&str; 3] = ["{\"snapshot\":{\"meta\":", "{}},\"text\":\"ä\\n\"", "}"];

/// Starts one with `targets` targets; returns its port.
pub(crate) fn start(targets: usize, manner: Manner) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            thread::spawn(move || serve(stream, port, targets, manner));
        }
    });
    port
}

fn serve(mut stream: TcpStream, port: u16, targets: usize, manner: Manner) {
    let mut begin = [0; 10];
    let read = stream.peek(&mut begin).unwrap();
    if begin[..read].starts_with(b"GET /json") {
        // A request is shorter than a packet.
        let _request = stream.read(&mut [0; 4096]).unwrap();
        let target = |n: usize| {
            json!({ "id": format!("t{n}"), "title": format!("/srv/app{n}.js"),
                "webSocketDebuggerUrl": format!("ws://127.0.0.1:{port}/t{n}") })
        };
        let list: Vec<Value> = (0..targets).map(target).collect();
        let body = Value::from(list).to_string();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
        stream.write_all((head + &body).as_bytes()).unwrap();
        return;
    }
    if let Ok(socket) = accept(stream) {
        talk(socket, manner);
    }
}

fn talk(mut socket: WebSocket<TcpStream>, manner: Manner) {
    while let Ok(Message::Text(text)) = socket.read() {
        let call: Value = serde_json::from_str(&text).unwrap();
        let mut say = |message: Value| socket.send(Message::text(message.to_string()));
        let event = |method: &str, params: Value| json!({ "method": method, "params": params });
        let result = match call["method"].as_str().unwrap() {
            "Runtime.getHeapUsage" => json!({ "usedSize": 1000, "totalSize": 2000 }),
            "Runtime.evaluate" if manner == Manner::IsPage => json!({ "result": { "type": "object", "value": null } }),
            "Runtime.evaluate" => json!({ "result": { "type": "object", "value": node_figures() } }),
            "NodeWorker.enable" => {
                say(event("NodeWorker.attachedToWorker", json!({ "sessionId": "1" }))).unwrap();
                say(event("NodeWorker.attachedToWorker", json!({ "sessionId": "2" }))).unwrap();
                json!({})
            }
            "HeapProfiler.takeHeapSnapshot" if manner == Manner::Refuses => {
                say(json!({ "id": call["id"], "error": { "message": "not now" } })).unwrap();
                continue;
            }
            "HeapProfiler.takeHeapSnapshot" => {
                let progress = json!({ "done": 5, "total": 10 });
                say(event("HeapProfiler.reportHeapSnapshotProgress", progress)).unwrap();
                let sent = if manner == Manner::Loses { PIECES.len() - 1 } else { PIECES.len() };
                for piece in &PIECES[..sent] {
                    say(event("HeapProfiler.addHeapSnapshotChunk", json!({ "chunk": piece }))).unwrap();
                    if manner == Manner::Ends {
                        return;
                    }
                }
                json!({})
            }
            _ => json!({}),
        };
        let _closed = say(json!({ "id": call["id"], "result": result }));
    }
}

/// What Node says of itself.
fn node_figures() -> Value {
    json!({
        "memory": { "rss": 55_734_272, "heapTotal": 4_694_016, "heapUsed": 4_122_760, "external": 5_785_650,
            "arrayBuffers": 4_204_995 },
        "heap": { "heap_size_limit": 4_345_298_944_u64, "malloced_memory": 262_312 },
        "spaces": [{ "space_name": "old_space", "space_size": 3_112_960, "space_used_size": 3_057_928 },
            { "space_name": "shared_space", "space_size": 0, "space_used_size": 0 }],
        "version": "v20.20.2", "pid": 26216,
    })
}
