//! Opens dumps in process, several times each, and prints per phase the least
//! and the median seconds, bytes per object, and how long a cancelled open
//! takes to end.
//!
//! `cargo bench --bench open -- [FILE]...`; without files the fixtures. Larger
//! dumps are made by `benches/make-dumps/make.sh`. One process opens all files,
//! so the peak memory printed is that of the largest so far: name one file to
//! have its own.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heaplens::session::dump::{OpenOptions, open_and_wait};
use heaplens::session::memory::peak_memory_bytes;
use heaplens::task::{Phase, Task};
use heaplens::units::{Bytes, Count};

const RUNS: usize = 5;
const CANCELS: u32 = 20;

fn main() {
    let mut files: Vec<PathBuf> =
        std::env::args().skip(1).filter(|a| !a.starts_with("--")).map(PathBuf::from).collect();
    if files.is_empty() {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        files = ["leak-after.hprof.gz", "leak-after-jdk25.hprof.gz"].iter().map(|f| fixtures.join(f)).collect();
    }
    for file in &files {
        if let Err(error) = bench(file) {
            println!("{}: {error}", file.display());
        }
    }
}

fn bench(file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut runs: Vec<(Duration, Vec<Phase>)> = Vec::new();
    let (mut objects, mut references) = (0, 0);
    for _ in 0..RUNS {
        let task = Task::new();
        let dump = open_and_wait(file, &OpenOptions::default(), &task)?;
        objects = dump.facts.heap.len() as u64;
        references = dump.facts.heap.reference_count();
        let progress = task.progress();
        runs.push((progress.elapsed, progress.finished));
    }
    let name = file.file_name().map_or_else(|| file.display().to_string(), |n| n.to_string_lossy().into_owned());
    println!("\n{name}: {} objects, {} references, {RUNS} runs", Count(objects), Count(references));
    println!("  {:<28} {:>9} {:>9}", "phase", "least s", "median s");
    for (at, phase) in runs[0].1.iter().enumerate() {
        row(phase.name, runs.iter().map(|(_, phases)| phases[at].elapsed));
    }
    let whole: Duration = row("whole open", runs.iter().map(|r| r.0));
    println!("  {:<28} {:>9.3}", "seconds per million objects", whole.as_secs_f64() * 1e6 / objects as f64);
    if let Some(peak) = peak_memory_bytes() {
        println!(
            "  {:<28} {:>9}  ({} bytes an object, mapped file included)",
            "peak memory",
            Bytes(peak).to_string(),
            peak / objects
        );
    }
    let mut ends: Vec<Duration> = (1..=CANCELS).map(|n| time_to_cancel(file, whole * n / (CANCELS + 1))).collect();
    ends.sort_unstable();
    let (median, most) = (ends[ends.len() / 2], ends[ends.len() - 1]);
    println!(
        "  {:<28} {:>9.3} {:>9.3}  (median, most, of {CANCELS} moments)",
        "cancelled open ends after",
        median.as_secs_f64(),
        most.as_secs_f64()
    );
    Ok(())
}

fn row(name: &str, times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    println!("  {name:<28} {:>9.3} {:>9.3}", times[0].as_secs_f64(), times[times.len() / 2].as_secs_f64());
    times[0]
}

/// How long an open goes on after it is cancelled.
fn time_to_cancel(file: &Path, after: Duration) -> Duration {
    let task = Task::new();
    std::thread::scope(|scope| {
        let opening = scope.spawn(|| {
            // Some opens end before they are cancelled.
            let _ended = open_and_wait(file, &OpenOptions::default(), &task);
            Instant::now()
        });
        std::thread::sleep(after);
        let cancelled = Instant::now();
        task.cancel();
        opening.join().map_or(Duration::MAX, |ended| ended.saturating_duration_since(cancelled))
    })
}
