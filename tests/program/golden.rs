//! Output of commands for the fixtures, compared with the files in `tests/golden/`. `UPDATE_GOLDEN=1` rewrites the files;
//! review the changes before you commit them.

mod android;
mod engines;
mod hprof_text;
mod ibm;
mod other_files;
mod owners;
mod ownership;
mod perfetto;
mod programs;
mod ranges;
mod v8;

use std::path::Path;
use std::process::{Command, Output};

/// Runs heaplens without stored analyses.
pub(super) fn heaplens(arguments: &[&str]) -> Output {
    // Run in the repository root, so that output contains the same file names on all machines.
    Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        // `tests/program/stored.rs` compares results from stored analyses with these.
        .arg("--no-cache")
        .output()
        .expect("heaplens starts")
}

/// Replaces values that differ between runs and machines.
fn steady(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        if ["Phase ", "Opened in", "Peak memory"].iter().any(|p| line.starts_with(p)) {
            continue;
        }
        let mut line = line.to_owned();
        if let Ok(serde_json::Value::Object(mut answer)) = serde_json::from_str(&line)
            && answer.contains_key("phases")
        {
            for key in ["phases", "seconds", "peak_memory_bytes"] {
                answer.insert(key.to_owned(), serde_json::Value::Null);
            }
            line = serde_json::Value::Object(answer).to_string();
        }
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

fn check(name: &str, arguments: &[&str]) {
    let output = heaplens(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    compare(name, &steady(&String::from_utf8(output.stdout).expect("answers are UTF-8")));
}

/// Compares text with a stored one.
pub(super) fn compare(name: &str, got: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(&path, got).expect("golden file can be written");
        return;
    }
    let want = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    for (at, (want, got)) in want.lines().zip(got.lines()).enumerate() {
        assert_eq!(got, want, "{name}, line {}", at + 1);
    }
    assert_eq!(got.lines().count(), want.lines().count(), "{name}: lines");
}

const AFTER: &str = "fixtures/leak-after.hprof.gz";
const BEFORE: &str = "fixtures/leak-before.hprof.gz";
const NOCOOPS: &str = "fixtures/leak-after-nocoops.hprof.gz";
const JDK25: &str = "fixtures/leak-after-jdk25.hprof.gz";
const GARBAGE: &str = "fixtures/leak-before-all.hprof.gz";

/// `desk.Samples.colliding` of `AFTER`: a map of forty entries in one bucket.
const COLLIDING: &str = "0xfe073ab0";

/// The class object `desk.SessionCache` of `AFTER`: the owner of the planted leak.
const HOLDER: &str = "0xfe03f300";

#[test]
fn summaries() {
    check("summary.txt", &["summary", AFTER]);
    check("summary.json", &["summary", AFTER, "--format", "json"]);
    check("summary.csv", &["summary", AFTER, "--format", "csv"]);
    check("summary-nocoops.txt", &["summary", NOCOOPS]);
    check("summary-jdk25.txt", &["summary", JDK25]);
    check("summary-garbage.txt", &["summary", GARBAGE]);
    check("summary-garbage-kept.txt", &["summary", GARBAGE, "--keep-unreachable"]);
}

#[test]
fn overviews() {
    check("overview.txt", &["overview", AFTER]);
    check("overview.json", &["overview", AFTER, "--format", "json"]);
    check("overview.md", &["overview", AFTER, "--format", "markdown"]);
    check("overview.html", &["overview", AFTER, "--format", "html"]);
    check("overview-jdk25.txt", &["overview", JDK25]);
    check("overview-facts.txt", &["overview", "fixtures/facts-jdk17-all.hprof.gz"]);
    check("overview-mat.md", &["overview", BEFORE, "--format", "markdown", "--sizes", "mat"]);
}

#[test]
fn leaks() {
    check("leaks.txt", &["leaks", AFTER]);
    check("leaks.json", &["leaks", AFTER, "--format", "json"]);
    check("leaks.csv", &["leaks", AFTER, "--format", "csv"]);
    check("leaks.md", &["leaks", AFTER, "--format", "markdown", "--top", "2"]);
    check("leaks-jdk25.txt", &["leaks", JDK25, "--filter", "desk."]);
    check("leaks-small.csv", &["leaks", "fixtures/facts-jdk17.hprof.gz", "--least", "5kB", "--format", "csv"]);
    check("leaks-before.txt", &["leaks", AFTER, "--before", BEFORE]);
    check("leaks-before.json", &["leaks", AFTER, "--before", BEFORE, "--format", "json", "--top", "3"]);
    check("leaks-before.csv", &["leaks", AFTER, "--before", BEFORE, "--format", "csv"]);
    check("leaks-before.md", &["leaks", AFTER, "--before", BEFORE, "--format", "markdown", "--top", "2"]);
}

/// A sum leaves out what another finding has, too; every form says which that is, and what a finding is by its certainty.
#[test]
fn findings_say_in_which_others_they_are_and_what_they_are() {
    const NESTED: &str = "fixtures/leaks/two-indexes-jdk17-after.hprof.gz";
    const NODE: &str = "fixtures/node/desk-final.heapsnapshot.gz";
    let output = heaplens(&["leaks", NESTED, "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("json");
    let findings = answer["findings"].as_array().expect("findings");
    let of_kind = |kind: &str| findings.iter().find(|finding| finding["kind"] == kind).expect("a finding");
    let waste = of_kind("zero-filled primitive arrays");
    let outer = waste["within"].as_str().expect("a label").to_owned();
    assert!(findings.iter().any(|finding| finding["label"] == *outer), "{outer}");
    assert_eq!(waste["likelihood"], serde_json::Value::Null);
    for finding in findings.iter().filter(|finding| finding["group"] == "leak") {
        let is_leak = finding["certainty"].as_f64().expect("a certainty") >= 0.6;
        assert_eq!(finding["likelihood"], if is_leak { "leak" } else { "suspect" });
        assert_eq!(finding["within"], serde_json::Value::Null);
    }
    let text = |dump| String::from_utf8(heaplens(&["leaks", dump]).stdout).expect("text");
    assert!(text(NESTED).starts_with("Leak suspects — ") && text(NODE).starts_with("Leaks and leak suspects — "));
    let query = "SELECT likelihood, certainty > 0.6, within FROM findings WHERE kind = 'zero-filled primitive arrays' OR likelihood = 'leak'";
    let rows = |dump| String::from_utf8(heaplens(&["query", dump, query, "--format", "csv"]).stdout).expect("csv");
    assert!(rows(NESTED).contains(&format!("\n,,{outer}\n")), "{}", rows(NESTED));
    assert!(rows(NODE).contains("\nleak,1,\n"), "{}", rows(NODE));
}

/// The planted leak is the first finding in all dumps that contain it, with its evidence.
#[test]
fn the_planted_leak_is_the_first_finding() {
    for dump in [AFTER, NOCOOPS, JDK25] {
        let output = heaplens(&["overview", dump, "--format", "json"]);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("json");
        let findings = answer["findings"].as_array().expect("findings");
        assert!((1..=5).contains(&findings.len()), "{dump}");
        let first = &findings[0];
        assert_eq!(first["kind"], "holder", "{dump}");
        assert_eq!(first["holder"]["name"], "desk.SessionCache.ENTRIES", "{dump}");
        assert_eq!(first["holder"]["collection"]["size"], 1200, "{dump}");
        assert_eq!(first["holds"]["class"], "desk.Session", "{dump}");
        assert_eq!(first["holds"]["objects"], 1200, "{dump}");
        assert!(first["share"].as_f64().expect("a share") > 0.7, "{dump}");
        // Structures present in all heaps are no findings.
        let names = findings.iter().filter_map(|finding| finding["holder"]["name"].as_str());
        assert!(names.clone().all(|name| !name.starts_with("java.") && !name.starts_with("jdk.")), "{dump}");
        // Owners are ranked by size; waste, which leaks also cause, has half the weight.
        let of_holders = findings.iter().filter(|finding| finding["kind"] == "holder");
        let bytes: Vec<u64> = of_holders.map(|finding| finding["bytes"].as_u64().expect("bytes")).collect();
        assert!(bytes.is_sorted_by(|a, b| a >= b), "{dump}: {bytes:?}");
    }
}

#[test]
fn histograms() {
    check("histogram.txt", &["histogram", AFTER, "--top", "20"]);
    check("histogram.csv", &["histogram", AFTER, "--filter", "desk.", "--format", "csv"]);
    check("histogram.json", &["histogram", AFTER, "--filter", "/^desk\\.Order/", "--format", "json"]);
    // `crates/dump/tests/readers/true_sizes.rs` compares `auto` with the JVM's histogram.
    check("histogram-mat.csv", &["histogram", AFTER, "--format", "csv", "--sizes", "mat"]);
    check("dominators-mat.txt", &["dominators", AFTER, "--top", "10", "--sizes", "mat"]);
    check("histogram-file-sizes.txt", &["histogram", AFTER, "--top", "10", "--sizes", "file"]);
    check("histogram-strong.txt", &["histogram", AFTER, "--top", "10", "--strength", "strong"]);
}

#[test]
fn dominators() {
    check("dominators.txt", &["dominators", AFTER, "--top", "15"]);
    check("dominators-depth.txt", &["dominators", AFTER, "--top", "3", "--depth", "4"]);
    check(
        "dominators-of.json",
        &["dominators", AFTER, "--of", HOLDER, "--depth", "3", "--top", "2", "--format", "json"],
    );
    check("dominators-depth.csv", &["dominators", AFTER, "--top", "2", "--depth", "3", "--format", "csv"]);
    check("dominators-nocoops.txt", &["dominators", NOCOOPS, "--top", "5"]);
    check("dominators-jdk25.txt", &["dominators", JDK25, "--top", "5"]);
    check("dominators-before.txt", &["dominators", BEFORE, "--top", "5"]);
}

#[test]
fn folded_dominators() {
    check("dominators-fold.txt", &["dominators", AFTER, "--fold", "--top", "15"]);
    check("dominators-fold.csv", &["dominators", AFTER, "--fold", "--top", "3", "--depth", "5", "--format", "csv"]);
    check(
        "dominators-fold.json",
        &["dominators", AFTER, "--of", HOLDER, "--fold", "--depth", "4", "--top", "2", "--format", "json"],
    );
    check("dominators-by-class.txt", &["dominators", JDK25, "--by", "class", "--top", "8", "--depth", "2"]);
    check("dominators-by-package.txt", &["dominators", AFTER, "--by", "package", "--top", "6", "--depth", "2"]);
    check("dominators-by-loader.txt", &["dominators", AFTER, "--by", "loader"]);
    check("dominators-shared.txt", &["dominators", AFTER, "--shared", "--top", "12"]);
    check(
        "dominators-shared.json",
        &["dominators", AFTER, "--shared", "--filter", "customer", "--top", "2", "--format", "json"],
    );
    check("dominators-drops.txt", &["dominators", AFTER, "--drops"]);
    check("dominators-drops.csv", &["dominators", JDK25, "--drops", "--drop-share", "40", "--format", "csv"]);
}

#[test]
fn objects() {
    check("objects.csv", &["objects", AFTER, "--class", "desk.Customer", "--top", "10", "--format", "csv"]);
    check("objects.txt", &["objects", AFTER, "--class", "desk.PluginLoader"]);
    let known = "fixtures/leaks/two-indexes-jdk17-after.hprof.gz";
    check(
        "objects-age.csv",
        &["objects", known, "--class", "shop.web.Session", "--sort", "age", "--top", "3", "--format", "csv"],
    );
    check("objects-age.txt", &["objects", known, "--class", "shop.web.Session", "--age", "--top", "3"]);
    check("object-age.txt", &["object", known, "shop.web.TokenIndex.byToken", "--top", "1"]);
    check("object-age.json", &["object", known, "shop.web.TokenIndex.byToken", "--top", "1", "--format", "json"]);
    check("object-class.txt", &["object", AFTER, HOLDER]);
    check("object-class.json", &["object", AFTER, HOLDER, "--format", "json"]);
    check("object-by-name.txt", &["object", AFTER, "desk.SessionCache.ENTRIES", "--top", "5"]);
    check("objects-preview.txt", &["objects", AFTER, "--class", "desk.Session", "--preview", "--top", "5"]);
    check("objects-owner.csv", &["objects", AFTER, "--class", "desk.Tier", "--owner", "--format", "csv"]);
    check(
        "dominators-owner.json",
        &[
            "dominators",
            AFTER,
            "--of",
            "desk.SessionCache.ENTRIES",
            "--owner",
            "--depth",
            "3",
            "--top",
            "2",
            "--format",
            "json",
        ],
    );
    check("paths-by-name.txt", &["paths", AFTER, "thread \"session-reaper\""]);
    check(
        "retained-by-name.json",
        &["retained", AFTER, "desk.OrderDesk.class", "desk.OrderDesk.orders", "--format", "json"],
    );
}

const CACHE: &str = "desk.SessionCache.ENTRIES";

#[test]
fn cuts() {
    check("summary-cut.txt", &["summary", AFTER, "--cut", CACHE]);
    let two = ["summary", AFTER, "--cut", "desk.Session.page", "--cut", "desk.SessionReaper.lock"];
    check("summary-cut-held.txt", &two);
    check("summary-cut-held.json", &[&two[..], &["--format", "json"]].concat());
    check("summary-cut.csv", &["summary", AFTER, "--cut", "object desk.SessionCache.class", "--format", "csv"]);
    check("dominators-cut.txt", &["dominators", AFTER, "--cut", CACHE, "--top", "5"]);
    check("dominators-cut-fold.txt", &["dominators", AFTER, "--cut", "desk.Session", "--fold", "--top", "5"]);
    check("histogram-cut.txt", &["histogram", AFTER, "--cut", CACHE, "--top", "8"]);
    check_failure(&["summary", AFTER, "--cut", "desk.Sesion"], 1, "similar classes: desk.Session");
    check_failure(&["dominators", AFTER, "--cut", CACHE, "--unreachable"], 2, "--cut");
}

#[test]
fn references_and_paths() {
    check("references-in.txt", &["references", AFTER, HOLDER, "--in"]);
    check("references-out.json", &["references", AFTER, HOLDER, "--out", "--format", "json"]);
    check("paths.txt", &["paths", AFTER, HOLDER]);
    check("paths-more.json", &["paths", AFTER, HOLDER, "--count", "3", "--format", "json"]);
    check("paths-ignore.txt", &["paths", AFTER, HOLDER, "--ignore", "java.lang.ClassLoader.classes", "--count", "2"]);
    check("paths-nothing-else.txt", &["paths", AFTER, COLLIDING, "--ignore", "desk.Samples.colliding"]);
    check("paths-all.txt", &["paths", AFTER, "--all", "--class", "desk.Session$Cart", "--top", "3"]);
    check("paths-all.csv", &["paths", AFTER, "--all", "--of", HOLDER, "--of", COLLIDING, "--format", "csv"]);
    let by_class = ["paths", AFTER, "--all", "--class", "desk.Order", "--merge", "class", "--format", "json"];
    check("paths-all-by-class.json", &by_class);
    let over = ["paths", AFTER, "--all", "--least-retained", "100kB", "--least-objects", "1000", "--top", "3"];
    check("paths-over.txt", &over);
    check("paths-over.csv", &[&over[..], &["--depth", "2", "--format", "csv"]].concat());
    check("paths-over.json", &[&over[..], &["--depth", "3", "--format", "json"]].concat());
    check("paths-over-none.txt", &["paths", AFTER, "--all", "--least-retained", "1GB"]);
    check("paths.csv", &["paths", AFTER, HOLDER, "--count", "2", "--format", "csv"]);
}

#[test]
fn waste() {
    for (dump, name) in [(AFTER, "jdk17"), (JDK25, "jdk25")] {
        check(&format!("strings-{name}.txt"), &["strings", dump, "--top", "8"]);
        check(&format!("strings-{name}.json"), &["strings", dump, "--filter", "status: p", "--format", "json"]);
        check(&format!("collections-{name}.txt"), &["collections", dump]);
        check(&format!("waste-{name}.txt"), &["waste", dump]);
    }
    check("collections.json", &["collections", AFTER, "--filter", "/List$/", "--format", "json"]);
    check("waste.csv", &["waste", AFTER, "--filter", "collections", "--format", "csv"]);
    check("object-map.txt", &["object", AFTER, COLLIDING, "--top", "4"]);
    check("object-map.json", &["object", AFTER, COLLIDING, "--top", "2", "--format", "json"]);
}

#[test]
fn strings_by_value() {
    check("search.txt", &["search", AFTER, "session", "--top", "12"]);
    check("search-variables.txt", &["search", AFTER, "cache entries", "--variables", "--top", "5"]);
    check(
        "search-variables.json",
        &["search", "fixtures/node/desk-final.heapsnapshot.gz", "sessions", "--variables", "--format", "json"],
    );
    check("search.csv", &["search", AFTER, "/^status: p[a-z]+$/", "--top", "3", "--format", "csv"]);
    // The name of a thread, and the list of all names.
    check("search.json", &["search", JDK25, "SESSION-REAPER", "--format", "json"]);
    let facts = |text: &str| json(&["search", "fixtures/facts-jdk17.hprof.gz", text])["rows"].clone();
    for (text, complete) in [("STRASSE", None), ("Straße", Some("Straße")), ("京 🚀", Some("東京 🚀"))] {
        let rows = facts(text);
        let says =
            |complete: &&str| rows.as_array().is_some_and(|rows| rows.iter().any(|row| row["text"] == *complete));
        assert!(complete.is_none_or(|complete| says(&complete)), "{text}: {rows}");
    }
    // Exactly the number of its duplicates.
    let groups = json(&["strings", AFTER, "--filter", "/^status: paid$/"]);
    let actual = json(&["search", AFTER, "/^status: paid$/"]);
    assert_eq!(actual["objects"], groups["objects"]);
    check_failure(&["search", AFTER, "/(/"], 2, "invalid regular expression");
    check_failure(&["search", AFTER, ""], 2, "empty search text");
}

#[test]
fn threads_roots_and_loaders() {
    check("threads.txt", &["threads", AFTER]);
    check("threads.json", &["threads", AFTER, "--filter", "report-writer", "--format", "json"]);
    check("threads.csv", &["threads", AFTER, "--format", "csv"]);
    check("threads-jdk25.csv", &["threads", JDK25, "--format", "csv"]);
    check("threads-virtual.txt", &["threads", JDK25, "--filter", "virtual-"]);
    check("roots.txt", &["roots", AFTER]);
    check("roots.json", &["roots", JDK25, "--format", "json"]);
    check("roots-kept.csv", &["roots", GARBAGE, "--keep-unreachable", "--format", "csv"]);
    check("roots-filter.json", &["roots", AFTER, "--filter", "jni", "--format", "json"]);
    check("loaders.txt", &["loaders", AFTER]);
    check("loaders.csv", &["loaders", JDK25, "--format", "csv"]);
    check("loaders.json", &["loaders", JDK25, "--filter", "PluginLoader", "--format", "json"]);
    check("finalizers.json", &["finalizers", JDK25, "--format", "json"]);
}

#[test]
fn groups_sets_and_unreachable_objects() {
    check("histogram-package.txt", &["histogram", AFTER, "--by", "package", "--top", "12"]);
    check("histogram-package-tree.json", &["histogram", AFTER, "--by", "package-tree", "--format", "json"]);
    check("histogram-loader.json", &["histogram", JDK25, "--by", "loader", "--format", "json"]);
    check("histogram-superclass.csv", &["histogram", AFTER, "--by", "superclass", "--format", "csv"]);
    check("histogram-unreachable.txt", &["histogram", GARBAGE, "--unreachable", "--top", "10"]);
    check(
        "histogram-dead-receipts.json",
        &["histogram", GARBAGE, "--unreachable", "--filter", "Receipt", "--format", "json"],
    );
    check("dominators-unreachable.txt", &["dominators", GARBAGE, "--unreachable", "--top", "10"]);
    check("retained-class.json", &["retained", AFTER, "--class", "desk.Session", "--format", "json"]);
    check("retained-ids.txt", &["retained", AFTER, HOLDER, "0xfe03f810"]);
    check_failure(&["retained", AFTER], 2, "ID");
    check_failure(&["retained", AFTER, "--class", "no.such.Class"], 1, "no class no.such.Class");
    check_failure(&["histogram", AFTER, "--unreachable", "--by", "package"], 2, "--by class");
}

pub(super) fn json(arguments: &[&str]) -> serde_json::Value {
    let output = heaplens(&[arguments, &["--format", "json"]].concat());
    serde_json::from_slice(&output.stdout).expect("json")
}

/// Threads, loaders, direct buffers and garbage match `fixtures/*.truth.txt`.
#[test]
fn threads_loaders_and_garbage_match_the_log() {
    for dump in [AFTER, NOCOOPS, JDK25] {
        let answer = json(&["threads", dump]);
        let threads = answer["threads"].as_array().expect("a list");
        for name in ["main", "session-reaper", "desk-worker-0", "desk-worker-1", "report-writer"] {
            assert_eq!(threads.iter().filter(|thread| thread["name"] == name).count(), 1, "{dump}: {name}");
        }
        let writer = threads.iter().find(|thread| thread["name"] == "report-writer").expect("a thread");
        let locals = |frame: &serde_json::Value| frame["locals"].as_array().expect("a list").clone();
        let frames = writer["frames"].as_array().expect("a list");
        let frame = frames.iter().find(|frame| locals(frame).len() == 2 && frame["retained_bytes"] != 0);
        let frame = frame.expect("the frame that writes the report");
        assert!(frame["frame"].as_str().is_some_and(|text| text.contains("startReport")), "{dump}");
        let report = locals(frame).into_iter().find(|local| local["class"] == "java.util.ArrayList");
        let report = report.expect("the report")["id"].as_str().expect("an id").to_owned();
        let rows = json(&["dominators", dump, "--of", &report, "--depth", "2"]).to_string();
        assert_eq!(rows.matches("\"class\":\"desk.ReportRow\"").count(), 300, "{dump}");
        let is_virtual = |thread: &&serde_json::Value| thread["virtual"] == true && thread["state"] == "WAITING";
        assert_eq!(threads.iter().filter(is_virtual).count(), if dump == JDK25 { 2 } else { 0 }, "{dump}");

        let loaders = json(&["loaders", dump, "--filter", "desk.PluginLoader"]);
        let loaders = loaders["rows"].as_array().expect("a list");
        assert_eq!(loaders.len(), 2, "{dump}");
        for loader in loaders {
            assert_eq!(loader["duplicate_classes"][0], "desk.plugin.TaxRules", "{dump}");
            assert_eq!(loader["held_otherwise"], false, "{dump}");
        }
        let outside = &json(&["summary", dump])["outside_heap"];
        assert!(outside["bytes"].as_u64().is_some_and(|bytes| bytes >= 64 * 1024), "{dump}");
    }
    let dead = json(&["histogram", GARBAGE, "--unreachable", "--filter", "/^desk\\.Receipt$/"]);
    assert_eq!(dead["rows"][0]["objects"], 1000);
    let summary = json(&["summary", GARBAGE]);
    let all = json(&["histogram", GARBAGE, "--unreachable"]);
    assert_eq!(all["objects"], summary["unreachable"]["objects"]);
    assert_eq!(all["shallow_bytes"], summary["unreachable"]["bytes"]);
}

/// Checks the exit status and the line on stderr.
pub(super) fn check_failure(arguments: &[&str], status: i32, says: &str) {
    let output = heaplens(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{arguments:?} printed an answer");
    assert!(stderr.contains(says), "{arguments:?} says {stderr:?}");
    assert!(status != 1 || stderr.trim_end().lines().count() == 1, "{arguments:?}: more than a line: {stderr}");
}

#[test]
fn errors_name_cause_and_position() {
    check_failure(&["summary", "no/such/file"], 1, "cannot read no/such/file: ");
    check_failure(&["summary", "fixtures"], 1, "not a regular file");
    check_failure(&["summary", "Cargo.toml"], 1, "cannot read Cargo.toml: expected a heap dump");
    check_failure(&["object", AFTER, "0x1"], 1, "no object 0x1");
    check_failure(&["histogram", AFTER, "--filter", "/(/"], 2, "invalid regular expression");
    check_failure(&["histogram"], 2, "FILE");
    check_failure(&["histogram", AFTER, "--format", "xml"], 2, "xml");
    check_failure(&["object", AFTER, HOLDER, "--filter", "/(/"], 2, "invalid regular expression");
    check_failure(&["object", AFTER, "0x+fe03f300"], 1, "leak-after.hprof.gz: no object 0x+fe03f300");
    check_failure(&["paths", AFTER, HOLDER, "--count", "0"], 2, "--count");
    check_failure(&["threads", AFTER, "--sort", "age"], 2, "cannot sort by 'age'; the columns are: id, name");
    check_failure(&["roots", AFTER, "--rows", "0-3"], 2, "row numbers such as 1,5-9");
    check_failure(&["sumary", AFTER], 2, "no command or file named 'sumary'");
}

/// Report without a display: the owner of the planted leak is the first row.
#[test]
fn the_planted_holder_is_the_first_row() {
    for dump in [AFTER, NOCOOPS, JDK25] {
        let output = heaplens(&["dominators", dump, "--top", "1", "--format", "json"]);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("json");
        let first = &answer["rows"][0];
        assert_eq!(first["label"], "desk.SessionCache", "{dump}");
        assert!(first["share"].as_f64().expect("a share") > 0.7, "{dump}");
    }
}

/// Output is identical with one and several threads.
#[test]
fn owner_columns_are_refused_for_grouped_rows() {
    for folded in [&["--fold"][..], &["--by", "class"], &["--shared"], &["--drops"]] {
        let output = heaplens(&[&["dominators", "fixtures/leak-before.hprof.gz", "--owner"], folded].concat());
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains("--owner"), "{folded:?}: {text}");
    }
}

#[test]
fn findings_follow_the_list_of_runtime_classes() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("classes.txt");
    let dump = "fixtures/leak-after.hprof.gz";
    let lines = |text: &str| {
        std::fs::write(&list, text).expect("written");
        let output = heaplens(&["overview", dump, "--runtime-classes", list.to_str().expect("a name")]);
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(lines("").contains("Samples.sparse holds"));
    let of_runtime = lines("desk.");
    assert!(!of_runtime.contains("Samples.sparse holds"), "what the runtime holds for itself is no news");
    assert!(of_runtime.contains("SessionCache.ENTRIES holds"), "unless it is a third of the heap");
}

#[test]
fn answers_do_not_depend_on_threads() {
    let moved = ["fixtures/moved-before.hprof.gz", "fixtures/moved-after.hprof.gz"];
    for command in
        [&["histogram", AFTER][..], &["dominators", AFTER], &["objects", AFTER], &["diff", moved[0], moved[1]]]
    {
        let format = if command[0] == "diff" { "json" } else { "csv" };
        let answers: Vec<Vec<u8>> = (["1", "2", "5"].iter())
            .map(|threads| heaplens(&[command, &["--format", format, "--threads", threads]].concat()).stdout)
            .collect();
        assert!(answers.windows(2).all(|w| w[0] == w[1] && !w[0].is_empty()), "{command:?}");
    }
}

/// A closed pipe is no failure.
#[test]
fn a_closed_pipe_is_not_an_error() {
    for format in ["text", "json", "csv"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_heaplens"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["objects", AFTER, "--format", format, "--top", "50000"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("heaplens starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("heaplens ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "{format}: {stderr}");
    }
}

/// JSON and csv output of a tree contain the same rows.
#[test]
fn a_deep_tree_is_written_row_by_row() {
    let arguments = ["dominators", AFTER, "--top", "2", "--depth", "2000", "--format"];
    let json = heaplens(&[&arguments[..], &["json"]].concat()).stdout;
    // The chain of 1,000 links is nested deeper than the default limit of the JSON parser.
    let json = String::from_utf8(json).expect("UTF-8");
    let csv = String::from_utf8(heaplens(&[&arguments[..], &["csv"]].concat()).stdout).expect("UTF-8");
    assert_eq!(json.matches("\"id\":").count(), csv.lines().count() - 1);
    assert_eq!(json.matches('{').count(), json.matches('}').count());
    assert_eq!(json.matches("\"children\":[").count(), json.matches("\"id\":").count());
    assert!(csv.lines().count() > 100, "{}", csv.lines().count());
}

#[test]
fn filters_match_fields_and_paths() {
    check("object-filter.txt", &["object", AFTER, HOLDER, "--filter", "ENTRIES"]);
    check("paths-filter.txt", &["paths", AFTER, HOLDER, "--count", "5", "--filter", "ArrayList"]);
    check("references-filter.json", &["references", AFTER, HOLDER, "--filter", "HashMap", "--format", "json"]);
    check("objects-filter.csv", &["objects", AFTER, "--filter", "session-reaper", "--format", "csv"]);
}

#[test]
fn before_and_after() {
    check("diff.txt", &["diff", BEFORE, AFTER, "--top", "8"]);
    check("diff.md", &["diff", BEFORE, AFTER, "--top", "4", "--format", "markdown"]);
    check("diff.json", &["diff", BEFORE, AFTER, "--top", "2", "--keys", "3", "--format", "json"]);
    check("diff.csv", &["diff", BEFORE, AFTER, "--format", "csv"]);
    check("diff-swapped.txt", &["diff", BEFORE, AFTER, "--swap", "--of", "owners", "--only-grown"]);
    check("diff-classes.csv", &["diff", BEFORE, AFTER, "--of", "classes", "--filter", "desk.", "--format", "csv"]);
    check("diff-packages.txt", &["diff", BEFORE, AFTER, "--of", "packages", "--top", "5"]);
    check("diff-strings.json", &["diff", BEFORE, AFTER, "--of", "strings", "--top", "2", "--format", "json"]);
    check("diff-collections.txt", &["diff", BEFORE, AFTER, "--of", "collections"]);
    check("diff-leaks.txt", &["diff", BEFORE, AFTER, "--of", "leaks"]);
    check("diff-over-time.txt", &["diff", BEFORE, AFTER, GARBAGE, "--top", "4"]);
    check("diff-itself.txt", &["diff", AFTER, AFTER]);
    check_failure(&["diff", BEFORE, AFTER, "--sort", "nothing"], 2, "cannot sort by 'nothing'");
    check_failure(&["diff", BEFORE, AFTER, AFTER, "--of", "threads"], 2, "--of owners");
}

/// The planted growth according to the truth files: 1,140 sessions with a cart each, and nothing else grew as much.
#[test]
fn growth_is_attributed_to_the_planted_holder() {
    let answer = json(&["diff", BEFORE, AFTER]);
    let owners = answer["owners"].as_array().expect("a list");
    let first = &owners[0];
    assert_eq!(first["owner"], "desk.SessionCache.ENTRIES");
    assert_eq!(first["entries"]["came"], 1140);
    assert_eq!(first["entries"]["new"].as_array().expect("keys").len(), 1140);
    assert_eq!(first["entries"]["went"], 0);
    let charged = |owner: &serde_json::Value| owner["charged"]["bytes"].as_i64().expect("bytes");
    assert_eq!(Some(owners.iter().map(charged).sum()), answer["delta"]["bytes"].as_i64());
    let parts = |owner: &serde_json::Value| -> i64 {
        let parts = owner["parts"].as_array().expect("a list");
        parts.iter().map(|part| part["bytes"].as_i64().expect("bytes")).sum()
    };
    assert!(owners.iter().all(|owner| parts(owner) == charged(owner)));
    for class in answer["classes"].as_array().expect("a list") {
        let of = |side: &str, other: &str, unknown: &str| {
            let number = |of: &serde_json::Value| of.as_u64().expect("a number");
            number(&class[side]["objects"]) - number(&class[other]) - number(&class[unknown])
        };
        let stored = of("before", "gone_objects", "unknown_before_objects");
        assert_eq!(stored, of("after", "new_objects", "unknown_objects"), "{class}");
    }
    let itself = json(&["diff", AFTER, AFTER]);
    assert_eq!(itself["owners"], serde_json::json!([]));
    let same = |class: &serde_json::Value| class["before"] == class["after"] && class["new_objects"] == 0;
    assert!(itself["classes"].as_array().expect("a list").iter().all(same));
}

#[test]
fn scripts_fail_when_an_owner_grew() {
    let grew = |limit: &str| heaplens(&["diff", BEFORE, AFTER, "--of", "owners", "--fail-if-grew", limit]);
    for limit in ["desk.SessionCache.ENTRIES=1MB", "desk.SessionCache=0", "desk.*=4.5MiB"] {
        let output = grew(limit);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{limit}: {stderr}");
        assert!(stderr.lines().count() == 1 && stderr.contains("grew by 5.1 MB (5,114,880 bytes)"), "{stderr}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("+1,140 Session, +5.1 MB"), "{limit}");
    }
    assert_eq!(grew("desk.SessionCache.ENTRIES=6MB").status.code(), Some(0));
    let unknown = grew("no.such.Owner=0");
    assert_eq!(unknown.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("no owner named no.such.Owner"));
    check_failure(&["diff", BEFORE, AFTER, "--fail-if-grew", "desk.SessionCache"], 2, "OWNER=SIZE");
}
