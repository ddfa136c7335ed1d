//! User verdicts on the command line: they apply to all findings that they explain, and appear in the summary, the overview
//! and its reports.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const AFTER: &str = "fixtures/leak-after.hprof.gz";
const PLANTED: &str = "desk.SessionCache.ENTRIES";

/// Output of `heaplens` with only the given user rules.
fn heaplens(command: &str, dump: &str, rules: &str, more: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("own.rules");
    std::fs::write(&file, rules).expect("the rules");
    let output = Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("XDG_CONFIG_HOME", folder.path())
        .args([command, "--no-cache", dump, "--rules"])
        .arg(Path::new(&file))
        .args(more)
        .output()
        .expect("heaplens starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn group_of(dump: &str, name: &str, rules: &str) -> String {
    let output = heaplens("leaks", dump, rules, &["--format", "json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("json");
    let findings = answer["findings"].as_array().expect("findings");
    let finding = findings.iter().find(|finding| finding["name"] == name).expect("the finding");
    finding["group"].as_str().expect("a group").to_owned()
}

#[test]
fn a_rule_covers_findings_it_explains() {
    let of = |rules: &str| group_of(AFTER, PLANTED, rules);
    assert_eq!(of(""), "leak");
    // The field itself, the owner's class, the accumulating class.
    for rule in ["desk.SessionCache.ENTRIES", "desk.SessionCache", "desk.Session"] {
        assert_eq!(of(&format!("expected {rule}")), "expected", "{rule}");
    }
    // An object on the path, and a field on the path by the class of the object.
    for rule in ["desk.SessionCache.ENTRIES.table", "java.util.HashMap.table"] {
        assert_eq!(of(&format!("expected {rule}")), "expected", "{rule}");
    }
    // Objects off the path and similar names explain nothing.
    for rule in ["desk.OrderDesk", "desk.SessionCach", "java.util.LinkedList.first", "desk.SessionCache.ENTRIES[*]"] {
        assert_eq!(of(&format!("expected {rule}")), "leak", "{rule}");
    }
    // A verdict on the finding itself takes precedence over one on an object of its path.
    assert_eq!(of("expected java.util.HashMap.table\nleaking desk.SessionCache.ENTRIES"), "leak");
    assert_eq!(group_of(AFTER, "desk.OrderDesk.orders", "expected java.util.HashMap.table"), "leak");
}

#[test]
fn shared_memory_is_explained_only_by_a_holder_of_all() {
    let (dump, shared) =
        ("fixtures/leaks/two-indexes-jdk17-after.hprof.gz", "shop.web.TokenIndex.byToken + shop.web.UserIndex.byUser");
    assert_eq!(group_of(dump, shared, ""), "leak");
    assert_eq!(group_of(dump, shared, "expected shop.web.TokenIndex.byToken.table"), "leak");
    assert_eq!(group_of(dump, shared, "expected shop.web.Session"), "expected");
}

#[test]
fn the_summary_lists_verdicts_if_any() {
    assert!(!text(&heaplens("summary", AFTER, "", &[])).contains("Leaks "));
    let output = text(&heaplens("summary", AFTER, "expected desk.Session  # one for each user", &[]));
    assert!(output.contains("Leaks        2 leak suspects retain "), "{output}");
    let line = "Expected     SessionCache.ENTRIES holds 1,200 desk.Session, 5.4 MB (76.4 %): one for each user";
    assert!(output.contains(line), "{output}");
    let json = heaplens("summary", AFTER, "leaking desk.Session", &["--format", "json"]);
    let answer: Value = serde_json::from_slice(&json.stdout).expect("json");
    assert_eq!(answer["leaks"]["leaks"], 3);
    assert_eq!(answer["leaks"]["judged"][0]["name"], PLANTED);
    assert_eq!(answer["leaks"]["judged"][0]["group"], "leak");
    let csv = text(&heaplens("summary", AFTER, "expected desk.Session", &["--format", "csv"]));
    assert!(csv.contains("\nleaks,2\n"), "{csv}");
}

#[test]
fn the_overview_and_its_reports_apply_verdicts() {
    let rules = "expected desk.SessionCache  # warm\nleaking desk.OrderDesk.orders  # orders are done by then";
    for (format, expected) in [
        ("text", "Expected by your verdicts\n"),
        ("markdown", "\n## Expected by your verdicts\n"),
        ("html", "<h2>Expected by your verdicts</h2>"),
    ] {
        let output = text(&heaplens("overview", AFTER, rules, &["--format", format]));
        assert!(output.contains(expected) && output.contains("warm"), "{output}");
        assert!(output.contains("Your verdict: leaking (orders are done by then)"), "{output}");
        let plain = text(&heaplens("overview", AFTER, "", &["--format", format]));
        assert!(!plain.contains("your verdicts") && !plain.contains("Your verdict"), "{plain}");
    }
    let json = heaplens("overview", AFTER, rules, &["--format", "json"]);
    let answer: Value = serde_json::from_slice(&json.stdout).expect("json");
    assert_eq!(answer["expected"][0]["name"], PLANTED);
    assert_eq!(answer["expected"][0]["verdict"]["reason"], "warm");
    assert_eq!(answer["findings"][0]["verdict"]["pattern"], "desk.OrderDesk.orders");
}
