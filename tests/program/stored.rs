//! Stored analyses: results equal those from the dump, however the file was created; damaged, foreign, outdated and
//! incomplete files are rejected; an index file opens without the dump.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use heaplens_testkit::random::Random;
use tempfile::TempDir;

const AFTER: &str = "fixtures/leak-after.hprof.gz";
const FIXTURES: [&str; 7] = [
    AFTER,
    "fixtures/leak-before-all.hprof.gz",
    "fixtures/leak-after-nocoops.hprof.gz",
    "fixtures/leak-after-jdk25.hprof.gz",
    "fixtures/android/phone.hprof",
    "fixtures/android/shop.pftrace",
    "fixtures/node/desk-final.heapsnapshot.gz",
];

fn heaplens(arguments: &[&str], more: &[&str]) -> Output {
    // Run in the repository root, so that output contains the same file names on all machines.
    Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .args(more)
        .output()
        .expect("heaplens starts")
}

fn answer(arguments: &[&str], more: &[&str]) -> String {
    let output = heaplens(arguments, more);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?} {more:?}: {stderr}");
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

fn summary(file: &str, more: &[&str]) -> serde_json::Value {
    serde_json::from_str(&answer(&["summary", file, "--format", "json"], more)).expect("an answer in JSON")
}

fn is_from_cache(file: &str, more: &[&str]) -> bool {
    summary(file, more)["from_cache"].as_bool().expect("a fact of the summary")
}

/// Results of all queries; those about a single object for a few objects.
fn everything(file: &str, more: &[&str]) -> Vec<String> {
    let mut facts = summary(file, more);
    for changing in ["phases", "seconds", "peak_memory_bytes", "from_cache"] {
        facts[changing] = serde_json::Value::Null;
    }
    // Notes about this open, not about the dump: the memory limit.
    let notes = facts["notes"].as_array_mut().expect("a list");
    notes.retain(|note| !note["message"].as_str().is_some_and(|m| m.contains("memory limit reached")));
    let mut answers = vec![facts.to_string()];
    answers.push(answer(&["histogram", file, "--format", "csv"], more));
    answers.push(answer(&["objects", file, "--format", "csv"], more));
    answers.push(answer(&["dominators", file, "--format", "json", "--depth", "3", "--top", "12"], more));
    for command in ["threads", "roots", "loaders", "finalizers"] {
        answers.push(answer(&[command, file, "--format", "json"], more));
    }
    answers.push(answer(&["histogram", file, "--by", "package", "--format", "csv"], more));
    let biggest = answer(&["dominators", file, "--format", "csv", "--top", "400"], more);
    // Labels may contain line breaks.
    for line in biggest.lines().filter(|line| line.starts_with("0x") || line.starts_with('@')).step_by(97) {
        let id = line.split(',').next().expect("a first column");
        answers.push(answer(&["object", file, id, "--format", "json"], more));
        answers.push(answer(&["references", file, id, "--in", "--format", "json", "--top", "200"], more));
        answers.push(answer(&["references", file, id, "--out", "--format", "json", "--top", "200"], more));
        answers.push(answer(&["paths", file, id, "--format", "json", "--count", "2"], more));
    }
    answers
}

fn folder() -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display().to_string();
    (folder, path)
}

/// Files with an extension in a cache folder.
fn files_in(folder: &TempDir, ending: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    files.sort();
    files
}

fn only_stored(folder: &TempDir) -> PathBuf {
    let files = files_in(folder, "heaplens");
    assert_eq!(files.len(), 1, "one stored analysis: {files:?}");
    files[0].clone()
}

#[test]
fn answers_do_not_depend_on_threads_memory_or_cache() {
    for file in FIXTURES {
        let plain = everything(file, &["--no-cache"]);
        let (folder, path) = folder();
        let cache: &[&str] = &["--cache-dir", &path];
        assert!(!is_from_cache(file, cache) && is_from_cache(file, cache), "{file}");
        only_stored(&folder);
        let paths: [(&str, &[&str]); 6] = [
            ("from the stored analysis", cache),
            ("on one thread", &["--no-cache", "--threads", "1"]),
            ("on seven threads", &["--no-cache", "--threads", "7"]),
            ("with hardly any memory", &["--no-cache", "--memory", "100kB"]),
            ("with some memory, on three threads", &["--no-cache", "--memory", "3MB", "--threads", "3"]),
            ("kept with hardly any memory", &["--cache-dir", &path, "--memory", "1", "--strength", "soft"]),
        ];
        for (method, more) in paths {
            let soft = more.contains(&"soft");
            let expected = if soft { everything(file, &["--no-cache", "--strength", "soft"]) } else { plain.clone() };
            for (got, expected) in everything(file, more).iter().zip(&expected) {
                assert!(got == expected, "{file} {method}: {got:.300} … {expected:.300}");
            }
        }
    }
}

#[test]
fn the_memory_limit_is_reported() {
    let notes = summary(AFTER, &["--no-cache", "--memory", "100kB"])["notes"].to_string();
    assert!(notes.contains("were processed in files"), "{notes}");
    assert!(!summary(AFTER, &["--no-cache"])["notes"].to_string().contains("memory limit reached"));
}

#[test]
fn other_rules_and_sizes_are_stored_apart() {
    let (folder, path) = folder();
    for more in
        [&["--sizes", "file"][..], &["--keep-unreachable"], &["--strength", "weak"], &["--vm-roots", "ignore"], &[]]
    {
        let more = [&["--cache-dir", &*path], more].concat();
        assert!(!is_from_cache(AFTER, &more) && is_from_cache(AFTER, &more), "{more:?}");
    }
    assert_eq!((files_in(&folder, "heaplens").len(), files_in(&folder, "unpacked").len()), (5, 1));
}

/// Single flipped bytes at offsets all over the file, truncated files, and other files in its place.
#[test]
fn a_damaged_or_foreign_file_is_rebuilt() {
    let (folder, path) = folder();
    let cache: &[&str] = &["--cache-dir", &path];
    let questions: [&[&str]; 3] = [
        &["histogram", AFTER, "--format", "csv"],
        &["objects", AFTER, "--format", "csv"],
        &["dominators", AFTER, "--format", "csv", "--top", "50"],
    ];
    let right = questions.map(|question| answer(question, &["--no-cache"]));
    assert!(!is_from_cache(AFTER, cache));
    let file = only_stored(&folder);
    let complete = fs::read(&file).expect("a stored analysis");
    let mut random = Random::new(11);
    let mut damaged: Vec<(String, Vec<u8>)> = Vec::new();
    for n in 0..40 {
        // Small steps in the header, larger ones after it.
        let at = if n < 12 { n * 8 } else { random.below(complete.len() as u32) as usize };
        let mut bytes = complete.clone();
        bytes[at] ^= 1 << random.below(8);
        damaged.push((format!("byte {at} flipped"), bytes));
    }
    for cut in [0, 7, 8, 50, 100, 4095, 4096, complete.len() / 2, complete.len() - 1] {
        damaged.push((format!("cut to {cut}"), complete[..cut].to_vec()));
    }
    damaged.push(("longer".to_owned(), [&complete[..], b"more"].concat()));
    damaged.push(("something else".to_owned(), b"JAVA PROFILE 1.0.2\0".repeat(1000)));
    // Blocks of zeros, as after a power failure.
    for at in (0..complete.len()).step_by(complete.len() / 9) {
        let mut bytes = complete.clone();
        let end = bytes.len().min(at + 100_000);
        bytes[at..end].fill(0);
        damaged.push((format!("zeros from {at}"), bytes));
    }
    for (n, (what, bytes)) in damaged.into_iter().enumerate() {
        fs::write(&file, bytes).expect("it can be written");
        let which = n % questions.len();
        assert!(answer(questions[which], cache) == right[which], "{what}: {:?}", questions[which]);
    }
}

#[test]
fn a_changed_dump_is_read_again() {
    let (folder, path) = folder();
    let dump = folder.path().join("dump.hprof");
    let cache: &[&str] = &["--cache-dir", &path];
    let unpack = |fixture: &str| {
        let mut bytes = Vec::new();
        let packed = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(fixture)).expect("a fixture");
        std::io::Read::read_to_end(&mut flate2::bufread::MultiGzDecoder::new(&packed[..]), &mut bytes).expect("gzip");
        bytes
    };
    let bytes = unpack(AFTER);
    fs::write(&dump, &bytes).expect("it can be written");
    let name = dump.display().to_string();
    assert!(!is_from_cache(&name, cache) && is_from_cache(&name, cache));
    // Same size and time, but one byte of a name differs.
    let times = fs::metadata(&dump).and_then(|m| m.modified()).expect("a time");
    let at = bytes.windows(4).position(|w| w == b"desk").expect("a class of the fixture");
    let mut other = bytes.clone();
    other[at] = b'b';
    fs::write(&dump, &other).expect("it can be written");
    fs::File::options().write(true).open(&dump).and_then(|f| f.set_modified(times)).expect("its time can be set");
    assert!(!is_from_cache(&name, cache));
    fs::write(&dump, unpack(FIXTURES[1])).expect("it can be written");
    assert!(!is_from_cache(&name, cache));
}

#[test]
fn the_folder_keeps_its_limit_and_removes_leftovers() {
    let (folder, path) = folder();
    let abandoned = folder.path().join(".unfinished-abc123");
    fs::write(&abandoned, [0; 5000]).expect("it can be written");
    let stranger = folder.path().join("holiday.jpg");
    fs::write(&stranger, [0; 5000]).expect("it can be written");
    let mut names = Vec::new();
    for file in FIXTURES {
        assert!(!is_from_cache(file, &["--cache-dir", &path]), "{file}");
        names.push(files_in(&folder, "heaplens"));
    }
    assert!(!abandoned.exists() && stranger.exists(), "abandoned files are removed, files of others stay");
    assert_eq!(names[3].len(), 4);
    assert!(!is_from_cache(AFTER, &["--cache-dir", &path, "--sizes", "file", "--cache-limit", "1"]));
    assert_eq!(files_in(&folder, "heaplens").len(), 1, "only the newest is left");
    assert!(!is_from_cache(AFTER, &["--cache-dir", &path]));
}

/// The process is killed 50 times while it writes: the next open is correct, whatever files remain.
#[test]
fn killed_at_random_while_it_writes() {
    let question: &[&str] = &["objects", AFTER, "--format", "csv"];
    let right = answer(question, &["--no-cache"]);
    let (folder, path) = folder();
    let began = Instant::now();
    assert!(answer(question, &["--cache-dir", &path]) == right);
    let mut complete = began.elapsed();
    let mut random = Random::new(5);
    let mut killed_early = 0;
    for round in 0..50 {
        files_in(&folder, "heaplens").iter().for_each(|file| fs::remove_file(file).expect("it exists"));
        let mut running = Command::new(env!("CARGO_BIN_EXE_heaplens"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["summary", AFTER, "--cache-dir", &path])
            .stdout(Stdio::null())
            .spawn()
            .expect("heaplens starts");
        let began = Instant::now();
        let until = Duration::from_micros(u64::from(random.below(complete.as_micros() as u32)));
        let ended = loop {
            match running.try_wait().expect("it can be asked") {
                None if began.elapsed() < until => std::thread::sleep(Duration::from_millis(1)),
                ended => break ended,
            }
        };
        if ended.is_some() {
            // The first run takes longest, much longer on a busy machine.
            complete = complete.min(began.elapsed());
        }
        running.kill().expect("it can be killed");
        let status = running.wait().expect("it ends");
        killed_early += u32::from(!status.success());
        assert!(answer(question, &["--cache-dir", &path]) == right, "round {round}");
    }
    assert!(killed_early > 5, "only {killed_early} of 50 were killed before their end");
    let left = fs::read_dir(&folder).expect("a folder").count();
    assert!(left <= 3, "{left} files are left of 50 killed processes");
}

#[test]
fn an_exported_analysis_opens_without_the_dump() {
    let (folder, path) = folder();
    let out = folder.path().join("leak.heaplens").display().to_string();
    answer(&["index", AFTER, "-o", &out], &["--cache-dir", &path]);
    let more: &[&str] = &["--no-cache"];
    for question in [&["histogram", "--format", "csv"][..], &["objects", "--format", "csv"]] {
        let of = |file: &str| answer(&[&question[..1], &[file], &question[1..]].concat(), more);
        assert!(of(&out) == of(AFTER), "{question:?}");
    }
    let biggest = answer(&["dominators", &out, "--format", "csv", "--top", "1"], more);
    let id = biggest.lines().nth(1).and_then(|line| line.split(',').next()).expect("a row").to_owned();
    let steps = |file: &str| {
        let answer: serde_json::Value =
            serde_json::from_str(&answer(&["paths", file, &id, "--format", "json"], more)).expect("JSON");
        let steps = answer["paths"][0]["steps"].as_array().expect("steps").clone();
        steps.into_iter().map(|step| (step["id"].clone(), step["class"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(steps(&out), steps(AFTER), "the way needs no values");
    let bytes = fs::read(&out).expect("the file");
    assert!(bytes.len() > 100_000, "{} bytes", bytes.len());
    let mut flipped = bytes.clone();
    // One byte of each block after the header.
    (5_000..bytes.len()).step_by(60_000).for_each(|at| flipped[at] ^= 1);
    let damaged = folder.path().join("damaged.heaplens").display().to_string();
    fs::write(&damaged, flipped).expect("it can be written");
    let output = heaplens(&["objects", &damaged, "--format", "csv"], more);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("damaged") && stderr.lines().count() == 1, "{stderr}");
    assert!(Path::new(&damaged).exists(), "a file of the user stays");
    let nowhere = heaplens(&["index", AFTER, "-o", "/proc/no/such/folder/x.heaplens"], &["--cache-dir", &path]);
    assert_eq!(nowhere.status.code(), Some(1), "{}", String::from_utf8_lossy(&nowhere.stderr));
}

/// Answers of long searches that an earlier run kept are those that a search finds.
#[test]
fn kept_answers_equal_computed_ones() {
    for file in FIXTURES {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().display().to_string();
        let answers = || {
            let names = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path());
            names.filter(|path| path.extension().is_some_and(|e| e == "answer")).count()
        };
        for (command, number) in
            [("leaks", 2), ("overview", 3), ("waste", 4), ("strings", 5), ("collections", 6), ("loaders", 7)]
        {
            let words = [command, file, "--format", "json"];
            let computed = answer(&words, &["--no-cache"]);
            assert_eq!(answer(&words, &["--cache-dir", &path]), computed, "{file} {command}: the first time");
            assert_eq!(answers(), number, "{file} {command}: it is kept");
            assert_eq!(answer(&words, &["--cache-dir", &path]), computed, "{file} {command}: the second time");
            assert_eq!(answers(), number, "{file} {command}: the same file");
        }
        // Other references and redacted values: nothing is kept.
        answer(&["leaks", file, "--redact"], &["--cache-dir", &path]);
        assert_eq!(answers(), 7, "{file}: redacted");
    }
}
