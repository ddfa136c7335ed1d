//! Comparisons of dumps of two programs say so in every form.

use serde_json::json;

use super::{check, heaplens, json};

const DESK: [&str; 2] = ["fixtures/leak-before.hprof.gz", "fixtures/leak-after.hprof.gz"];
const FACTS: &str = "fixtures/facts-jdk17.hprof.gz";
const WARNING: &str =
    "These are dumps of different programs (desk.OrderDesk, then facts.Facts): growth between them says little";

#[test]
fn a_comparison_of_two_programs_is_named_as_such() {
    check("diff-programs.txt", &["diff", DESK[0], FACTS, "--of", "packages", "--top", "3"]);
    let text = |arguments: &[&str]| {
        let output = heaplens(arguments);
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"))
    };
    for format in ["text", "markdown"] {
        let [out, err] = text(&["diff", DESK[0], FACTS, "--of", "owners", "--top", "1", "--format", format]);
        assert!(out.contains(&format!("Warning: {WARNING}.")) && err.is_empty(), "{format}: {out} {err}");
    }
    // Cells have no heading.
    let [out, err] = text(&["diff", DESK[0], FACTS, "--of", "packages", "--format", "csv"]);
    assert!(!out.contains("different programs") && err.contains(WARNING), "{err}");
    let answer = json(&["diff", DESK[0], FACTS, "--of", "owners", "--top", "1"]);
    assert_eq!(answer["same_program"], json!(false));
    assert_eq!(json(&["diff", DESK[0], DESK[1], "--of", "owners", "--top", "1"])["same_program"], json!(true));
    let series = json(&["diff", DESK[0], DESK[1], FACTS, "--of", "owners", "--top", "1"]);
    assert_eq!(series["same_program"], json!(false));
    // Growth as evidence of leaks, and queries over two dumps.
    for command in
        [&["leaks", FACTS, "--before", DESK[0], "--top", "1"][..], &["query", FACTS, "--before", DESK[0], "SELECT 1"]]
    {
        let [_, err] = text(command);
        assert!(err.contains(WARNING), "{command:?}: {err}");
    }
    let [_, err] = text(&["leaks", DESK[1], "--before", DESK[0], "--top", "1"]);
    assert!(!err.contains("different programs"), "{err}");
}

/// `--sort change` sorts by the size that grew, not by a count: four threads that grew have the same number as before.
#[test]
fn growth_in_percent_is_one_of_bytes() {
    let answer = json(&["diff", DESK[0], DESK[1], "--of", "packages", "--sort", "change", "--only-grown"]);
    let rows = answer["packages"].as_array().expect("a list");
    let share = |row: &serde_json::Value| {
        let of = |side: &str| row[side]["shallow_bytes"].as_f64().expect("bytes");
        (of("after") - of("before")) / of("before")
    };
    let shares: Vec<f64> = rows.iter().map(share).collect();
    assert!(shares.len() > 2 && shares.windows(2).all(|two| two[0] >= two[1]), "{shares:?}");
}
