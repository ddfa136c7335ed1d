//! The histogram counts objects up to a strength, and those that are unreachable, as the program of the dump logged.

use std::process::Command;

/// Rows of the class histogram of a dump of `facts.Facts` with all its objects, as csv.
fn histogram(options: &[&str]) -> String {
    let dump = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/facts-jdk17-all.hprof.gz");
    let mut command = Command::new(env!("CARGO_BIN_EXE_heaplens"));
    let output = command.args(["histogram", dump, "--format", "csv", "--no-cache"]).args(options).output();
    let output = output.expect("heaplens starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

#[test]
fn the_histogram_counts_objects_up_to_a_strength() {
    for (strength, thumbs) in [("strong", 1), ("soft", 2), ("final", 2), ("weak", 3), ("all", 4)] {
        let shown = histogram(&["--filter", "Thumb", "--strength", strength]);
        let rows = shown.lines().filter(|line| line.contains("Thumb,10,")).count();
        assert_eq!(rows, thumbs, "{strength}: {shown}");
    }
}

/// The program drops 150 objects (see its source).
#[test]
fn the_histogram_of_unreachable_objects_counts_those_that_were_dropped() {
    let shown = histogram(&["--unreachable", "--filter", "facts.Dropped"]);
    assert!(shown.lines().any(|line| line.contains("facts.Dropped,150,")), "{shown}");
}
