//! Every kind of file that is kept in the cache folder, damaged in every way: answers equal those without a cache, and
//! the file is made again.
//!
//! `HEAPLENS_DAMAGED_RUNS` sets the number of runs, `HEAPLENS_DAMAGE_SEED` which ones, `HEAPLENS_BINARY` the program that
//! is run: `HEAPLENS_DAMAGED_RUNS=5000 HEAPLENS_BINARY=target/release/heaplens cargo test --test program damaged_kept_files`

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heaplens_testkit::heaps;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::random::Random;
use tempfile::TempDir;

/// Number of runs of an ordinary test.
const RUNS: u32 = 150;
/// Endings of the kinds of kept files.
const KINDS: [&str; 4] = ["heaplens", "answer", "unpacked", "seal"];

fn heaplens(arguments: &[String], more: &[&str]) -> Output {
    let binary = std::env::var_os("HEAPLENS_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_heaplens").into());
    Command::new(binary)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .args(more)
        .output()
        .expect("heaplens starts")
}

fn answer(arguments: &[String], more: &[&str]) -> Vec<u8> {
    let output = heaplens(arguments, more);
    assert!(output.status.success(), "{arguments:?} {more:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn packed_dump(path: &Path, seed: u64) {
    let mut packed = flate2::write::GzEncoder::new(File::create(path).expect("a file"), flate2::Compression::fast());
    packed.write_all(&write(&heaps::random(seed, 3000), Form::MODERN)).expect("disk space");
    packed.finish().expect("disk space");
}

/// A question, what it answers without a cache, and the file that is kept of it.
struct Question {
    arguments: Vec<String>,
    right: Vec<u8>,
    files: Vec<PathBuf>,
}

struct AnswerFiles {
    folder: TempDir,
    cache: PathBuf,
    questions: Vec<Question>,
}

impl AnswerFiles {
    fn fill() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = folder.path().join("cache");
        let mut questions: Vec<Vec<String>> = Vec::new();
        let [before, after] = ["before.hprof.gz", "after.hprof.gz"].map(|name| folder.path().join(name));
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<String>>();
        for (seed, dump) in [(3, &before), (4, &after)] {
            packed_dump(dump, seed);
            let dump = &*dump.to_string_lossy();
            let biggest = owned(&["dominators", dump, "--format", "csv", "--top", "400"]);
            let text = String::from_utf8(answer(&biggest, &["--no-cache"])).expect("text");
            let ids = text.lines().filter(|line| line.starts_with("0x")).filter_map(|line| line.split(',').next());
            questions.extend(ids.step_by(60).take(4).map(|id| owned(&["object", dump, id, "--format", "json"])));
            for command in ["histogram", "objects", "strings", "threads"] {
                questions.push(owned(&[command, dump, "--format", "csv"]));
            }
            questions.extend(["leaks", "overview", "waste"].map(|command| owned(&[command, dump, "--format", "json"])));
            questions.push(biggest);
        }
        let [before, after] = [&before, &after].map(|dump| dump.to_string_lossy());
        questions.push(owned(&["diff", &before, &after, "--format", "json"]));
        let mut files = Self { folder, cache, questions: Vec::new() };
        for arguments in questions {
            let right = answer(&arguments, &["--no-cache"]);
            let known = files.files();
            assert!(files.ask(&arguments) == right, "{arguments:?}: the first time");
            assert!(files.ask(&arguments) == right, "{arguments:?}: from kept files");
            let new = files.files().into_iter().filter(|file| !known.contains(file)).collect();
            files.questions.push(Question { arguments, right, files: new });
        }
        files
    }

    fn ask(&self, arguments: &[String]) -> Vec<u8> {
        answer(arguments, &["--cache-dir", &self.cache.to_string_lossy()])
    }

    fn files(&self) -> Vec<PathBuf> {
        // There is none before the first question.
        let entries = fs::read_dir(&self.cache).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        files
    }

    /// A file of a kind, the question that made it, and others of its kind.
    fn pick(&self, kind: &str, random: &mut Random) -> (PathBuf, &Question, Vec<PathBuf>) {
        let has = |file: &PathBuf| file.extension().is_some_and(|ending| ending == kind);
        let of_kind = self.questions.iter().flat_map(|question| {
            question.files.iter().filter(|file| has(file)).map(move |file| (file.clone(), question))
        });
        let all: Vec<_> = of_kind.collect();
        let (file, question) = random.pick(&all).clone();
        let others = all.iter().map(|(other, _)| other.clone()).filter(|other| *other != file).collect();
        (file, question, others)
    }
}

/// Ways to damage a file; each says what it did.
fn damage(file: &Path, others: &[PathBuf], random: &mut Random) -> &'static str {
    let bytes = fs::read(file).unwrap_or_default();
    let length = bytes.len().max(1);
    let at = random.below(length as u32) as usize;
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        fs::write(file, bytes).expect("it can be written");
    };
    let replaced = |make: &dyn Fn() -> io::Result<()>| {
        fs::remove_file(file).and_then(|()| make()).expect("it can be replaced");
    };
    let other = random.pick(others);
    let (bit, times) = (1 << random.below(8), fs::metadata(file).and_then(|file| file.modified()));
    match random.below(17) {
        0 => (changed(&|bytes| bytes.truncate(at)), "cut").1,
        1 => (changed(&|bytes| bytes.truncate(length - 1)), "cut by a byte").1,
        2 => (changed(&Vec::clear), "empty").1,
        3 => (changed(&|bytes| bytes[at] ^= bit), "a bit").1,
        4 => (changed(&|bytes| bytes[at % 64.min(length)] ^= bit), "a bit of the header").1,
        5 => {
            changed(&|bytes| bytes[at] ^= bit);
            // The time of modification can be restored, that of the last change cannot.
            let file = File::options().append(true).open(file).expect("it exists");
            (file.set_modified(times.expect("a time")).expect("it can be set"), "a bit, with the time restored").1
        }
        6 => (changed(&|bytes| bytes.push(0)), "longer by a byte").1,
        7 => (changed(&|bytes| bytes.extend_from_within(..at)), "longer").1,
        8 => (changed(&|bytes| bytes[at..length.min(at + 4096)].fill(0)), "zeros").1,
        9 => (changed(&|bytes| bytes.fill(0)), "all zeros").1,
        // Bytes 8 to 40 hold version and key of every kind but the copy.
        10 => (changed(&|bytes| bytes[8..40].iter_mut().for_each(|byte| *byte ^= 0x55)), "another build").1,
        // The other may have been damaged, too, and is not there.
        11 => (fs::copy(other, file).map(drop).unwrap_or_default(), "the file of another").1,
        12 => (replaced(&|| fs::create_dir(file)), "a folder").1,
        // Windows allows links to few users.
        13 => (replaced(&|| heaplens_platform::paths::link(other, file).or(Ok(()))), "a link to another").1,
        #[cfg(unix)]
        14 => {
            let nothing = std::os::unix::fs::PermissionsExt::from_mode(0o0);
            (fs::set_permissions(file, nothing).expect("ours"), "no permission").1
        }
        15 => (replaced(&|| Ok(())), "none").1,
        _ => (changed(&|bytes| bytes.iter_mut().for_each(|byte| *byte = byte.rotate_left(3))), "other bytes").1,
    }
}

#[test]
fn damaged_kept_files_never_answer() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let runs = number("HEAPLENS_DAMAGED_RUNS", RUNS);
    let files = AnswerFiles::fill();
    let mut random = Random::new(u64::from(number("HEAPLENS_DAMAGE_SEED", 67)));
    let mut counted: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    for run in 0..runs {
        let kind = KINDS[run as usize % KINDS.len()];
        let (file, question, others) = files.pick(kind, &mut random);
        if !file.exists() {
            files.ask(&question.arguments);
        }
        let what = damage(&file, &others, &mut random);
        // The state of a dump whose analysis is read again, from a copy that is damaged.
        if random.one_in(3) {
            files.files().iter().filter(|file| file.extension().is_some_and(|e| e == "heaplens")).for_each(|stored| {
                let _folder = fs::remove_file(stored);
            });
        }
        let any = random.pick(&files.questions);
        for question in [question, any] {
            if files.ask(&question.arguments) != question.right {
                wrong.push(format!("run {run}: {kind}: {what}: {:?}", question.arguments));
            }
        }
        *counted.entry((kind, what)).or_default() += 1;
        if file.is_dir() {
            fs::remove_dir(&file).expect("it is empty");
        }
    }
    let figures =
        counted.iter().fold(String::new(), |text, ((kind, what), runs)| format!("{text}{kind}, {what}: {runs}\n"));
    let _unseen = writeln!(io::stderr(), "{figures}{runs} damaged runs, {} wrong answers", wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    // All that was damaged has been made again: a second time, everything is from the cache.
    for question in &files.questions {
        assert!(files.ask(&question.arguments) == question.right, "{:?}", question.arguments);
    }
    let endings: Vec<_> =
        files.files().iter().filter_map(|file| Some(file.extension()?.to_str()?.to_owned())).collect();
    for kind in KINDS {
        let count = endings.iter().filter(|ending| *ending == kind).count();
        let expected =
            files.questions.iter().flat_map(|q| &q.files).filter(|f| f.extension().is_some_and(|e| e == kind));
        assert_eq!(count, expected.count(), "{kind}");
    }
    drop(files.folder);
}

/// A truncated copy once gave empty tables with status 0, and a stored analysis of it under the name of the whole dump.
#[test]
fn a_truncated_copy_is_unpacked_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let (dump, cache) = (folder.path().join("dump.hprof.gz"), folder.path().join("cache"));
    packed_dump(&dump, 5);
    let question = ["objects".to_owned(), dump.to_string_lossy().into_owned(), "--format".to_owned(), "csv".to_owned()];
    let right = answer(&question, &["--no-cache"]);
    let ask = || answer(&question, &["--cache-dir", &cache.to_string_lossy()]);
    assert!(ask() == right);
    for file in fs::read_dir(&cache).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("unpacked") => {
                let half = fs::metadata(&file).expect("a copy").len() / 2;
                File::options().write(true).open(&file).and_then(|file| file.set_len(half)).expect("it is truncated");
            }
            Some("heaplens") => fs::remove_file(&file).expect("it exists"),
            _ => {}
        }
    }
    assert!(ask() == right && ask() == right);
}

/// A summary, without what differs between two opens of a dump.
fn summary(dump: &Path, cache: &Path, scratch: Option<&Path>) -> serde_json::Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heaplens"));
    command.arg("summary").arg(dump).args(["--format", "json"]).arg("--cache-dir").arg(cache);
    if let Some(scratch) = scratch {
        command.env("TMPDIR", scratch);
    }
    let output = command.output().expect("heaplens starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// No folder can be made below a file, not even by root: a packed dump is unpacked elsewhere, on Linux in memory.
#[test]
fn a_packed_dump_opens_without_a_usable_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let (dump, taken) = (folder.path().join("dump.hprof.gz"), folder.path().join("a file"));
    packed_dump(&dump, 5);
    fs::write(&taken, "").expect("a file");
    let right = summary(&dump, &folder.path().join("cache"), None);
    let mut scratches = vec![None];
    if cfg!(target_os = "linux") {
        scratches.push(Some(&*taken));
    }
    for scratch in scratches {
        let actual = summary(&dump, &taken.join("cache"), scratch);
        assert_eq!(actual["objects"], right["objects"], "{scratch:?}");
        assert!(actual["notes"].to_string().contains("the analysis was not stored"), "{actual}");
    }
}

#[cfg(unix)]
#[test]
fn a_cache_folder_that_others_can_write_to_is_not_used() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let (dump, cache) = (folder.path().join("dump.hprof.gz"), folder.path().join("cache"));
    packed_dump(&dump, 5);
    fs::create_dir(&cache).expect("a folder");
    for (mode, is_used) in [(0o777, false), (0o775, false), (0o755, true), (0o700, true)] {
        fs::set_permissions(&cache, fs::Permissions::from_mode(mode)).expect("ours");
        let notes = summary(&dump, &cache, None)["notes"].to_string();
        let is_said = notes.contains("is not used: other users can write to it");
        let is_empty = fs::read_dir(&cache).expect("a folder").next().is_none();
        assert_eq!((is_said, is_empty), (!is_used, !is_used), "{mode:o}: {notes}");
    }
}
