//! Times opening dumps in process, several times each. Prints minimum and median seconds per phase, CPU time, peak
//! anonymous memory and bytes per object compared with the budget, the second open, and the latency of cancellation.
//!
//! `cargo bench --bench open -- [FILE]...`; without files the fixtures. Larger
//! dumps are made by `benches/make-dumps/make.sh`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod process;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use heaplens_analysis::histogram::histogram;
use heaplens_base::storage::Folder;
use heaplens_base::task::Phase;
use heaplens_base::{Bytes, Count, Task};
use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use process::{anonymous_memory, cpu_time};

const RUNS: usize = 5;
const CANCELS: u32 = 20;
/// Memory budget in bytes per object, per reference and per dump.
const MEMORY: [u64; 3] = [30, 4, 64 << 20];
/// Disk budget in bytes, likewise.
const DISK: [u64; 3] = [30, 5, 0];

type Ended = Result<(), Box<dyn std::error::Error>>;

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

/// Resource use of one open.
struct Run {
    elapsed: Duration,
    phases: Vec<Phase>,
    cpu: Duration,
    anonymous: u64,
}

fn open(file: &Path, options: &OpenOptions) -> Result<(Run, Dump), Box<dyn std::error::Error>> {
    let (task, done) = (Task::new(), AtomicBool::new(false));
    let before = cpu_time();
    let (dump, anonymous) = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut most = 0;
            while !done.load(Ordering::Relaxed) {
                most = most.max(anonymous_memory());
                std::thread::sleep(Duration::from_millis(4));
            }
            most
        });
        let dump = open_and_wait(file, options, &task);
        done.store(true, Ordering::Relaxed);
        (dump, watch.join().unwrap_or(0))
    });
    let progress = task.progress();
    let run =
        Run { elapsed: progress.elapsed, phases: progress.finished, cpu: cpu_time().saturating_sub(before), anonymous };
    Ok((run, dump?))
}

fn bench(file: &Path) -> Ended {
    let options = OpenOptions::default();
    let mut runs = Vec::new();
    // Objects, references between them, references to classes.
    let mut counts = (0, 0, 0);
    for _ in 0..RUNS {
        let (run, dump) = open(file, &options)?;
        let heap = &dump.facts.heap;
        let explicit: u64 = heap.objects().map(|o| heap.references(o).len() as u64).sum();
        counts = (heap.len() as u64, explicit, heap.reference_count() - explicit);
        runs.push(run);
    }
    let (objects, references, to_classes) = counts;
    let name = file.file_name().map_or_else(|| file.display().to_string(), |n| n.to_string_lossy().into_owned());
    println!(
        "\n{name}: {} objects, {} references between them, {} to classes, {RUNS} runs",
        Count(objects),
        Count(references),
        Count(to_classes)
    );
    println!("  {:<30} {:>9} {:>9}", "phase", "min s", "median s");
    for (at, phase) in runs[0].phases.iter().enumerate() {
        row(phase.name, runs.iter().map(|run| run.phases[at].elapsed));
    }
    let total: Duration = row("whole open", runs.iter().map(|run| run.elapsed));
    row("CPU time (user and system)", runs.iter().map(|run| run.cpu));
    println!("  {:<30} {:>9.3}", "seconds per million objects", total.as_secs_f64() * 1e6 / objects as f64);
    let peak = runs.iter().map(|run| run.anonymous).max().unwrap_or(0);
    against_budget("peak anonymous memory", peak, MEMORY, objects, references);
    second_open(file, objects, references)?;
    let mut ends: Vec<Duration> = (1..=CANCELS).map(|n| time_to_cancel(file, total * n / (CANCELS + 1))).collect();
    ends.sort_unstable();
    let (median, most) = (ends[ends.len() / 2], ends[ends.len() - 1]);
    println!(
        "  {:<30} {:>9.3} {:>9.3}  (median and maximum of {CANCELS} runs)",
        "cancelled open ends after",
        median.as_secs_f64(),
        most.as_secs_f64()
    );
    Ok(())
}

/// Stores the analysis and opens it again.
fn second_open(file: &Path, objects: u64, references: u64) -> Ended {
    // In the folder of the dump: the system's temporary folder may be in memory.
    let folder = tempfile::tempdir_in(file.parent().unwrap_or(Path::new(".")))?;
    let mut options = OpenOptions::default();
    options.storage.folder = Some(Folder::at(folder.path().to_owned()));
    drop(open(file, &options)?);
    let mut stored = 0;
    for entry in std::fs::read_dir(folder.path())? {
        let path = entry?.path();
        stored += if path.extension().is_some_and(|e| e == "heaplens") { path.metadata()?.len() } else { 0 };
    }
    against_budget("stored analysis", stored, DISK, objects, references);
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let began = Instant::now();
        let dump = open_and_wait(file, &options, &Task::new())?;
        let rows = histogram(dump.data()).rows.len();
        assert!(dump.is_from_cache() && rows > 0, "the stored analysis is used");
        times.push(began.elapsed());
    }
    row("second open, to the histogram", times.into_iter());
    Ok(())
}

fn against_budget(what: &str, bytes: u64, [object, reference, fixed]: [u64; 3], objects: u64, references: u64) {
    let budget = object * objects + reference * references + fixed;
    println!(
        "  {what:<30} {:>9}  ({:.1} bytes per object; budget {}, {:.0} % of it)",
        Bytes(bytes).to_string(),
        bytes as f64 / objects as f64,
        Bytes(budget),
        bytes as f64 * 100.0 / budget as f64
    );
}

fn row(name: &str, times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    println!("  {name:<30} {:>9.3} {:>9.3}", times[0].as_secs_f64(), times[times.len() / 2].as_secs_f64());
    times[0]
}

/// Time from cancelling an open to its end.
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
