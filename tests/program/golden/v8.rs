//! Answers about a snapshot of Node.js, as `tests/program/golden.rs` holds them.

use super::check;

const FINAL: &str = "fixtures/node/desk-final.heapsnapshot.gz";
const BASELINE: &str = "fixtures/node/desk-baseline.heapsnapshot.gz";
const TARGET: &str = "fixtures/node/desk-target.heapsnapshot.gz";

#[test]
fn answers_about_a_snapshot() {
    check("node-summary.txt", &["summary", FINAL]);
    check("node-summary.json", &["summary", FINAL, "--format", "json"]);
    check("node-summary-raw.txt", &["summary", FINAL, "--sizes", "raw"]);
    check("node-histogram.txt", &["histogram", FINAL, "--top", "20"]);
    check("node-histogram.csv", &["histogram", FINAL, "--format", "csv", "--sort", "distance", "--top", "20"]);
    check("node-dominators.txt", &["dominators", FINAL, "--top", "5"]);
    check("node-dominators-fold.txt", &["dominators", FINAL, "--fold", "--top", "8"]);
    check("node-strings.txt", &["strings", FINAL, "--top", "5"]);
    check("node-roots.txt", &["roots", FINAL]);
    check("node-overview.txt", &["overview", FINAL]);
}

#[test]
fn leaks_of_a_program_in_javascript() {
    check("node-leaks.txt", &["leaks", FINAL]);
    check("node-leaks-of-three.txt", &["leaks", "--baseline", BASELINE, "--target", TARGET, FINAL]);
    check("node-diff.txt", &["diff", BASELINE, FINAL]);
    let name =
        "global.clearImmediate.<context>.timerListMap[3600000]._idleNext._onTimeout.<context>.<previous>.sessions";
    check("node-paths.txt", &["paths", FINAL, name]);
    check("node-object.txt", &["object", FINAL, name]);
    check("node-references.txt", &["references", FINAL, name, "--in"]);
}
