//! The fault table of `tests/faults/table.sh`: its short form, which needs no root and no minutes.

use std::process::Command;

/// Commands end with the right answer or a sentence, whatever standard stream, limit, permission or file fails.
#[test]
fn no_fault_of_the_short_table_goes_unnoticed() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/table.sh");
    let output = Command::new("bash").args([script, env!("CARGO_BIN_EXE_heaplens"), "--short"]).output();
    let output = output.expect("a shell");
    let table = String::from_utf8_lossy(&output.stdout);
    let failed: Vec<&str> = table.lines().filter(|line| line.contains("FAILED")).collect();
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{why}\n{}", failed.join("\n"), table.lines().last().unwrap_or_default());
}
