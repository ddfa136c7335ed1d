//! Text that people read is cut to the terminal and to a generous length in files; output for programs is not.

use super::golden::heaplens;

const DUMP: &str = "fixtures/leak-after.hprof.gz";
/// One value of 100,000 characters.
const LONG: &str = "SELECT printf('%.*c', 100000, 'x') AS value, 7 AS number";

fn output(words: &[&str]) -> String {
    let output = heaplens(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_long_value_is_cut_in_text_only() {
    let text = output(&["query", DUMP, LONG]);
    assert!(text.contains("x…x") && text.ends_with("x       7\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 2_100), "{text}");
    // The title of a column without a name is its expression.
    let untitled = output(&["query", DUMP, &format!("SELECT '{}'", "y".repeat(100_000))]);
    assert!(untitled.lines().all(|line| line.chars().count() <= 2_000), "{untitled}");
    for form in ["json", "csv"] {
        let complete = output(&["query", DUMP, LONG, "--format", form]);
        assert!(complete.contains(&"x".repeat(100_000)) && !complete.contains('…'), "{form}");
    }
}

/// `script` runs a program with a terminal as its output.
#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::print_stderr, reason = "reports why a test is skipped")]
fn rows_fit_the_terminal() {
    use std::process::{Command, Stdio};

    for (width, words) in [
        (100, "histogram DUMP --owners --top 12"),
        (110, "dominators DUMP --depth 4 --top 4"),
        (60, "query DUMP 'SELECT id, class, name FROM objects ORDER BY retained_bytes DESC LIMIT 9'"),
    ] {
        let program = env!("CARGO_BIN_EXE_heaplens");
        let line = format!("{program} {} --no-cache 2>/dev/null", words.replace("DUMP", DUMP));
        let mut script = Command::new("script");
        script.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(env!("CARGO_MANIFEST_DIR"));
        script.env("COLUMNS", width.to_string()).stdin(Stdio::null()).stderr(Stdio::null());
        let Ok(output) = script.output() else {
            eprintln!("skipped: there is no script, which makes a terminal");
            return;
        };
        let text = String::from_utf8_lossy(&output.stdout).replace('\r', "");
        assert!(output.status.success(), "{words}: {text}");
        let rows: Vec<&str> = text.lines().collect();
        assert!(rows.len() > 5 && rows.iter().any(|row| row.contains('…')), "{words}: {text}");
        assert!(rows.iter().all(|row| row.chars().count() <= width), "{words}: {text}");
    }
}
