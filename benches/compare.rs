//! Times the comparison of two open dumps by phase, and prints the share of matched objects.
//!
//! `cargo bench --bench compare -- BEFORE AFTER`; without files two fixtures.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use heaplens_analysis::DumpData;
use heaplens_analysis::diff::{Comparison, compare};
use heaplens_analysis::diff::{MatchMethod, Pair};
use heaplens_base::{Bytes, Count, Share, Task};
use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;

fn main() -> ExitCode {
    let files: Vec<PathBuf> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).map(PathBuf::from).collect();
    let fixture = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    let (before, after) = match &files[..] {
        [before, after] => (before.clone(), after.clone()),
        _ => (fixture("leak-before.hprof.gz"), fixture("leak-after.hprof.gz")),
    };
    let open = |file: &Path| open_and_wait(file, &OpenOptions::default(), &Task::new());
    match (open(&before), open(&after)) {
        (Ok(before), Ok(after)) => bench(&before, &after),
        (Err(error), _) | (_, Err(error)) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn side(dump: &Dump) -> DumpData<'_> {
    dump.data()
}

fn bench(before: &Dump, after: &Dump) -> ExitCode {
    let (task, begun) = (Task::new(), Instant::now());
    let Ok(measured) = compare(Pair { before: side(before), after: side(after) }, &task) else {
        return ExitCode::FAILURE;
    };
    let total = begun.elapsed();
    println!("| phase | seconds |\n|---|--:|");
    let phases = task.progress().finished;
    let rest = total.saturating_sub(phases.iter().map(|phase| phase.elapsed).sum::<Duration>());
    for phase in &phases {
        println!("| {} | {:.2} |", phase.name, phase.elapsed.as_secs_f64());
    }
    println!("| Attributing growth to owners | {:.2} |\n| total | {:.2} |\n", rest.as_secs_f64(), total.as_secs_f64());
    shares(&measured);
    ExitCode::SUCCESS
}

fn shares(measured: &Comparison) {
    let growth = &measured.growth;
    let all = growth.totals.after.shallow;
    println!("| how | objects before | objects after | bytes after |\n|---|--:|--:|--:|");
    let matched = MatchMethod::ALL.iter().zip(&growth.by_how).map(|(method, matched)| (method.name(), matched));
    for (name, of) in matched.chain([("one heap alone", &growth.alone), ("unknown", &growth.unknown)]) {
        let share = Share::of(Bytes(of.after_bytes), all);
        println!("| {name} | {} | {} | {share} |", Count(of.before_objects), Count(of.after_objects));
    }
}
