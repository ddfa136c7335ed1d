//! Accuracy of `heaplens leaks` on planted leaks: runs it on all dumps of a folder made by `fixtures/leaks/make.sh`, and
//! prints the rank of the true owner, the proposed cut and the memory that the cut frees.
//!
//! `cargo bench --bench leaks -- FOLDER...`; default: the dumps in the repository. Both dumps of one program must have
//! the same fingerprint.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../tests/program/leaks/planted.rs"]
mod planted;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use planted::{Planted, cuts, freed, names};
use serde_json::Value;

fn main() -> ExitCode {
    let mut folders: Vec<PathBuf> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).map(PathBuf::from).collect();
    if folders.is_empty() {
        folders.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/leaks"));
    }
    println!(
        "| dump | what | planted | largest harmless | rank | kind | cut | frees | |\n|---|---|--:|--:|--:|---|---|--:|---|"
    );
    let (mut dumps, mut first, mut right) = (0, 0, 0);
    let mut fingerprints: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for dump in folders.iter().flat_map(|folder| dumps_in(folder)) {
        let name = dump.file_name().unwrap_or_default().to_string_lossy().replace(".hprof.gz", "");
        let truth =
            std::fs::read_to_string(dump.with_file_name(format!("{name}.truth.txt"))).expect("lines of the truth file");
        let planted = Planted::read(&truth);
        let findings = findings(&dump);
        let rank = planted.rank(&findings);
        dumps += 1;
        first += u32::from(rank == Some(1));
        let measured = rank.map(|rank| &findings[rank - 1]);
        right += u32::from(rank == Some(1) && measured.is_some_and(|measured| planted.is_cut_off_by(measured)));
        print_row(&name, &planted, rank, &findings);
        if let Some(measured) = measured
            && let Some((program, _)) = name.rsplit_once('-')
        {
            let fingerprint = measured["fingerprint"].as_str().unwrap_or("none").to_owned();
            fingerprints.entry(program.to_owned()).or_default().push(fingerprint);
        }
    }
    let pairs: Vec<_> = fingerprints.values().filter(|both| both.len() == 2).collect();
    let same = pairs.iter().filter(|both| both[0] == both[1]).count();
    println!("\n{dumps} dumps: {first} ranked first, {right} of them with a cut that frees the planted objects.");
    println!("{} programs dumped twice: {same} with the same fingerprint in both.", pairs.len());
    for (program, both) in fingerprints.iter().filter(|(_, both)| both.len() == 2 && both[0] != both[1]) {
        println!("- {program}: {} before, {} after", both[0], both[1]);
    }
    ExitCode::SUCCESS
}

fn print_row(name: &str, planted: &Planted, rank: Option<usize>, findings: &[Value]) {
    let measured = rank.map_or(&Value::Null, |rank| &findings[rank - 1]);
    let verdict = match rank {
        Some(1) if planted.is_cut_off_by(measured) && planted.knows_cut_of(measured) => "correct".to_owned(),
        Some(1) if planted.is_cut_off_by(measured) => "correct, with another reference".to_owned(),
        Some(1) => "first, but with another size".to_owned(),
        _ => {
            let behind = &findings[..rank.map_or(1, |rank| rank - 1).min(findings.len())];
            let behind: Vec<_> = behind.iter().filter_map(|other| names(other).first().copied()).collect();
            format!("{} {}", if rank.is_some() { "behind" } else { "not found; first is" }, behind.join(", "))
        }
    };
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {verdict} |",
        planted.kind,
        planted.bytes,
        planted.harmless.1,
        rank.map_or("–".to_owned(), |rank| rank.to_string()),
        measured["kind"].as_str().unwrap_or("–"),
        cuts(measured).join(" + "),
        freed(measured),
    );
}

/// Dumps of a folder, sorted by name.
fn dumps_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut dumps: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    dumps.retain(|path| path.to_string_lossy().ends_with(".hprof.gz"));
    dumps.sort();
    dumps
}

fn findings(dump: &Path) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .args(["leaks", "--format", "json", "--no-cache"])
        .arg(dump)
        .output()
        .expect("heaplens starts");
    assert!(output.status.success(), "{}: {}", dump.display(), String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer in JSON");
    answer["findings"].as_array().cloned().unwrap_or_default()
}
