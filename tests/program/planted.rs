//! Dumps with a marker in every place that can carry a text or a number, and all outputs that are given to others: files
//! of `strip`, answers with `--redact` in every form, the assistant, digests, reports. A marker appears nowhere, or where
//! the definition of a value says so.
//!
//! `cargo test --test program planted -- --nocapture` prints the table of places and outputs; with `HEAPLENS_BINARY`, that
//! of another program.

mod android;
mod hprof;
mod marked_place;
mod snapshot;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use self::marked_place::{MarkedPlace, MarkedPlaces, Shown};

fn binary() -> OsString {
    std::env::var_os("HEAPLENS_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_heaplens").into())
}

/// What is given to others of a dump, by the name of the output.
type Outputs = BTreeMap<&'static str, Vec<u8>>;

/// What a command prints, and whether it succeeded. Errors are not given to others.
fn run(words: &[&str]) -> (bool, Vec<u8>) {
    let output = Command::new(binary()).args(words).output().expect("it starts");
    (output.status.success(), output.stdout)
}

/// Commands that print what is in a dump, and their forms besides text and JSON.
const QUESTIONS: [(&[&str], &[&str]); 22] = [
    (&["summary"], &[]),
    (&["overview"], &["html", "markdown"]),
    (&["leaks", "--least", "1"], &["csv", "markdown"]),
    (&["histogram"], &["csv"]),
    (&["dominators", "--top", "200"], &["csv"]),
    (&["objects", "--owner"], &["csv"]),
    (&["strings"], &[]),
    (&["threads"], &[]),
    (&["roots"], &[]),
    (&["loaders"], &[]),
    (&["waste"], &[]),
    (&["collections"], &[]),
    (&["sites"], &["csv"]),
    (&["finalizers"], &[]),
    (&["gaps"], &[]),
    (&["bitmaps"], &[]),
    (&["javascript"], &[]),
    (&["roots", "--ownership"], &[]),
    (&["related", "--class", ".*", "--by", "dominators"], &[]),
    (&["paths", "--all", "--class", ".*"], &[]),
    (&["search", "VALUE"], &[]),
    (&["query", "SELECT * FROM objects"], &["csv"]),
];

/// Everything that is given to others of a dump.
fn outputs(file: &Path, objects: &[String]) -> Outputs {
    let path = file.to_str().expect("a path");
    let mut all = Outputs::new();
    let check = |file: &str, options: &[&str]| run(&[&["strip", "--check", file], options].concat());
    assert!(!check(path, &[]).0, "the dump has values");
    for (name, options) in [("strip", &[][..]), ("strip --numbers --keys", &["--numbers", "--keys"])] {
        let out = file.with_extension("stripped");
        let out = out.to_str().expect("a path");
        let (done, output) = run(&[&["strip", path, out], options].concat());
        assert!(done, "{}", String::from_utf8_lossy(&output));
        let (is_clean, actual) = check(out, options);
        assert!(is_clean, "{name}: {}", String::from_utf8_lossy(&actual));
        let mut written = std::fs::read(out).expect("it was written");
        written.extend(output);
        all.insert(name, written);
    }
    let mut questions: Vec<(Vec<&str>, &str)> = Vec::new();
    for (words, more) in QUESTIONS {
        questions.extend(["text", "json"].iter().chain(more).map(|form| (words.to_vec(), *form)));
    }
    questions.extend(objects.iter().flat_map(|id| [(vec!["object", id], "text"), (vec!["references", id], "json")]));
    // Two at a time: the processes do the work.
    let answers: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let halves: Vec<_> = questions
            .chunks(questions.len().div_ceil(2))
            .map(|half| {
                scope.spawn(move || {
                    let ask = |(words, form): &(Vec<&str>, &str)| {
                        let words = [&words[..1], &[path], &words[1..], &["--redact", "--no-cache", "--format", form]];
                        run(&words.concat()).1
                    };
                    half.iter().map(ask).collect::<Vec<_>>()
                })
            })
            .collect();
        halves.into_iter().flat_map(|half| half.join().expect("no panic")).collect()
    });
    all.insert("--redact", answers.concat());
    all.insert("digest", run(&["digest", path, "--no-cache"]).1);
    let page = file.with_extension("html");
    let report = run(&["overview", path, "--redact", "--no-cache", "--format", "html"]).1;
    std::fs::write(&page, &report).expect("disk space");
    all.insert("report", report);
    #[cfg(feature = "assistant")]
    all.insert("assistant", assistant(file, objects));
    all
}

/// Answers of all tools of the assistant.
#[cfg(feature = "assistant")]
fn assistant(file: &Path, objects: &[String]) -> Vec<u8> {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    use serde_json::{Value, json};

    let mut server = Command::new(binary())
        .args(["mcp", "--no-cache"])
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = server.stdin.take().expect("its input");
    let mut lines = BufReader::new(server.stdout.take().expect("its output")).lines();
    let mut output = String::new();
    let mut id = 0;
    let mut ask = |method: &str, params: Value| -> Value {
        id += 1;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(input, "{request}").expect("it reads");
        for line in lines.by_ref().map_while(Result::ok) {
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer["id"] == id {
                let _ = writeln!(output, "{line}");
                return answer;
            }
        }
        Value::Null
    };
    let about = json!({"name": "test", "version": "1"});
    ask("initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}));
    ask("tools/call", json!({"name": "open_dump", "arguments": {"file": file.to_str()}}));
    let mut call = |tool: &str, mut arguments: Value| {
        // The first dump that is opened; files are listed by their paths, by which a client opens them.
        arguments["dump"] = json!("d1");
        ask("tools/call", json!({"name": tool, "arguments": arguments}));
    };
    for tool in ["overview", "leaks"] {
        call(tool, json!({"max_tokens": 20_000}));
    }
    for by in ["class", "package", "package-tree", "loader", "superclass"] {
        call("histogram", json!({"by": by, "top": 200, "max_tokens": 20_000}));
    }
    for sql in [
        "SELECT * FROM objects",
        "SELECT id, class, text FROM strings",
        "SELECT * FROM classes",
        "SELECT name(id) FROM objects",
        "SELECT label(id) FROM objects",
        "SELECT * FROM threads",
    ] {
        call("query", json!({"sql": sql, "top": 500, "max_tokens": 20_000}));
    }
    for id in objects {
        call("explain", json!({"object": id, "max_tokens": 20_000}));
        call("what_if", json!({"cut": [id]}));
    }
    call("search", json!({"text": "VALUE"}));
    drop(input);
    let _ended = server.wait();
    // Answers hold JSON as a text.
    output.replace("\\\\", "\\").replace("\\\"", "\"").into_bytes()
}

/// True if the output of that name may have the marker.
fn may_show(marked_place: &MarkedPlace, output: &str) -> bool {
    match marked_place.shown {
        Shown::Never => false,
        Shown::Kept(_) => true,
        Shown::WithoutNumbers | Shown::WithoutKeys => output == "strip",
    }
}

fn is_in(marked_place: &MarkedPlace, output: &str, bytes: &[u8]) -> bool {
    if output.starts_with("strip") {
        let has = |needle: &Vec<u8>| bytes.windows(needle.len()).any(|part| part == needle);
        return marked_place.bytes().iter().any(has);
    }
    let text = String::from_utf8_lossy(bytes);
    marked_place.texts().iter().any(|needle| text.contains(needle))
}

/// Plants, asks, and compares each place with what the definition of a value says.
fn check(format: &str, (bytes, marked_places): (Vec<u8>, MarkedPlaces), extension: &str, objects: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let secret = format!("VALUEpath{format}");
    let file: PathBuf = folder.path().join(&secret).join(format!("dump.{extension}"));
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    std::fs::write(&file, bytes).expect("disk space");
    let objects: Vec<String> = objects.iter().map(|id| (*id).to_owned()).collect();
    let outputs = outputs(&file, &objects);
    let mut table = format!("\n{format}: {} places\n", marked_places.all.len() + 1);
    let mut wrong = Vec::new();
    let names: Vec<&str> = outputs.keys().copied().collect();
    let _ = writeln!(table, "| place | {} | rule |\n|---|{}---|", names.join(" | "), "---|".repeat(names.len()));
    let path =
        MarkedPlace { name: "folder of the dump", marker: marked_place::Marker::Text(secret), shown: Shown::Never };
    for marked_place in marked_places.all.iter().chain([&path]) {
        let mut row = Vec::new();
        for (output, bytes) in &outputs {
            let has = is_in(marked_place, output, bytes);
            if has && !may_show(marked_place, output) {
                wrong.push(format!("{format}, {}: in {output}", marked_place.name));
            }
            if !has && *output == "strip" && marked_place.shown != Shown::Never {
                wrong.push(format!("{format}, {}: lost by {output}", marked_place.name));
            }
            row.push(if !has {
                "none"
            } else if may_show(marked_place, output) {
                "kept"
            } else {
                "SHOWN"
            });
        }
        let rule = match marked_place.shown {
            Shown::Never => "hidden".to_owned(),
            Shown::Kept(kind) => format!("kept: {}", heaplens_heap::value_rules::rule_of(kind).data),
            Shown::WithoutNumbers => "hidden; strip: --numbers".to_owned(),
            Shown::WithoutKeys => "hidden; strip: --keys".to_owned(),
        };
        let _ = writeln!(table, "| {} | {} | {rule} |", marked_place.name, row.join(" | "));
    }
    let _printed = std::io::Write::write_all(&mut std::io::stdout(), format!("{table}\n").as_bytes());
    assert!(wrong.is_empty(), "{} places are not as they should be:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn markers_in_a_dump_of_the_jvm_are_hidden() {
    check("HPROF", hprof::planted(), "hprof", &["shop.Keeper.all"]);
}

#[test]
fn markers_in_a_snapshot_are_hidden() {
    check("V8", snapshot::planted(), "heapsnapshot", &["@5", "@7"]);
}

#[test]
fn markers_in_a_dump_of_android_are_hidden() {
    check("Android", android::planted(), "hprof", &["java.lang.Object[]#1"]);
}
