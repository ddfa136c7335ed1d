//! Faults during open and analysis: lost files, full or read-only disks, out of memory, concurrent processes, clock
//! changes. Each case ends with a result or an error and leaves no files or threads behind.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use heaplens_base::Task;
use heaplens_base::storage::Folder;
use heaplens_base::storage::folder::STORED;
use heaplens_dump::Dump;
use heaplens_formats::error::OpenError;
use heaplens_heap::Severity;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_testkit::files::is_shortened;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::random::Random;
use heaplens_testkit::{heaps, v8};

mod ends;
#[cfg(unix)]
mod process;
#[cfg(target_os = "linux")]
mod table;

/// Dump with the given number of generated objects.
fn made(folder: &Path, objects: u32) -> PathBuf {
    let path = folder.join("made.hprof");
    fs::write(&path, write(&heaps::random(7, objects), Form::MODERN)).expect("disk space");
    path
}

fn keeping(folder: &Path) -> OpenOptions {
    let mut options = OpenOptions::default();
    options.storage.folder = Some(Folder::at(folder.to_owned()));
    options.storage.scratch = Some(folder.to_owned());
    options
}

fn opened(path: &Path, options: &OpenOptions) -> Dump {
    open_and_wait(path, options, &Task::new()).unwrap_or_else(|error| panic!("{error}"))
}

/// All results that depend on the file and its analysis.
fn figures(dump: &Dump) -> Vec<(u64, u64)> {
    let heap = &dump.facts.heap;
    heap.objects().map(|object| (heap.address(object).0, dump.analysis.retained(object).0)).collect()
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("readable").path()).collect()
}

/// The dump is truncated at any time during the read: the result is a heap with parse warnings, or an error.
#[test]
fn truncating_a_dump_while_reading_opens_or_reports_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = made(folder.path(), 30_000);
    let complete = fs::read(&path).expect("it exists");
    let mut missing = 0;
    for seed in 0..40 {
        fs::write(&path, &complete).expect("disk space");
        let mut random = Random::new(seed);
        let wait = Duration::from_micros(u64::from(random.below(30_000)));
        let left = u64::from(random.below(complete.len() as u32));
        let file = File::options().write(true).open(&path).expect("it exists");
        let (ended, shortened) = std::thread::scope(|scope| {
            let shortened = scope.spawn(|| {
                std::thread::sleep(wait);
                file.set_len(left)
            });
            let ended = open_and_wait(&path, &OpenOptions::default(), &Task::new());
            (ended, shortened.join().expect("no panic"))
        });
        if !is_shortened(shortened) {
            return;
        }
        match ended {
            Ok(dump) => {
                let of_file = |note: &&heaplens_heap::ImportNote| note.severity == Severity::DataLost;
                let output = dump.facts.heap.notes.iter().filter(of_file).count();
                missing += output;
                // All objects can be read without ending the process.
                for object in dump.facts.heap.objects() {
                    let _fields = dump.facts.contents.fields(&dump.facts.heap, object);
                }
                let without = dump.facts.without_file().expect("it continues without");
                assert_eq!(without.heap.len(), dump.facts.heap.len());
                assert_eq!(without.read_failure(), None);
            }
            Err(OpenError::Io(error)) => assert!(error.to_string().contains("truncated"), "{error}"),
            Err(OpenError::Format(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert!(missing > 0, "none of the forty was cut in time");
}

#[test]
fn a_removed_dump_keeps_references_and_shows_no_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = made(folder.path(), 3_000);
    let dump = opened(&path, &OpenOptions::default());
    let before = figures(&dump);
    if !is_shortened(File::options().write(true).open(&path).expect("it exists").set_len(0)) {
        return;
    }
    let heap = &dump.facts.heap;
    for object in heap.objects() {
        let _fields = dump.facts.contents.fields(heap, object);
    }
    assert!(dump.facts.read_failure().is_some_and(|why| why.contains("is unreadable")));
    assert_eq!(figures(&dump), before);
    let without = dump.facts.without_file().expect("it continues without");
    for object in heap.objects() {
        let fields = without.contents.fields(heap, object).expect("shapes are known");
        let made_up = fields.iter().filter(|field| field.value.object().is_some());
        // Only values of reference fields can be inferred from the references.
        assert!(made_up.count() <= heap.references(object).len());
    }
}

#[test]
fn an_unwritable_cache_only_prevents_storing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = made(folder.path(), 500);
    let complete = figures(&opened(&path, &OpenOptions::default()));
    // A file where the folder should be.
    let file = folder.path().join("file");
    fs::write(&file, "").expect("disk space");
    let mut options = keeping(&file);
    options.storage.scratch = Some(folder.path().to_owned());
    let dump = opened(&path, &options);
    assert_eq!(figures(&dump), complete);
    assert!(
        dump.open_warnings.iter().any(|note| note.message.contains("the analysis was not stored")),
        "{:?}",
        dump.open_warnings
    );
}

#[test]
fn stored_files_are_private_to_the_user() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("heaplens");
    let packed = folder.path().join("made.hprof.gz");
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&fs::read(made(folder.path(), 300)).expect("it exists")).expect("memory");
    fs::write(&packed, packer.finish().expect("memory")).expect("disk space");
    drop(opened(&packed, &keeping(&cache)));
    assert_eq!(files(&cache).len(), 3, "the analysis, the unpacked dump and its seal");
    #[cfg(unix)]
    for path in files(&cache).into_iter().chain([cache]) {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&path).expect("it exists").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
    }
}

/// Stored analyses contain names and structure, but no strings and numbers of the program.
#[test]
fn a_stored_analysis_has_no_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    let sketch = heaplens_testkit::notation::read(
        "class Cart
           field owner: object
           field pin: long
         cart = Cart owner=owner pin=7021949999777444321
         owner = \"hunter2 the secret\"
         root cart global",
    );
    let path = folder.path().join("made.hprof");
    fs::write(&path, write(&sketch.expect("a heap"), Form::MODERN)).expect("disk space");
    let has = |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    let secrets: [&[u8]; 4] = [
        b"hunter2",
        b"the secret",
        &7_021_949_999_777_444_321_u64.to_be_bytes(),
        &7_021_949_999_777_444_321_u64.to_le_bytes(),
    ];
    let dump = fs::read(&path).expect("it exists");
    assert!(has(&dump, secrets[0]) && has(&dump, secrets[2]), "the dump has them");
    drop(opened(&path, &keeping(&cache)));
    // The same for snapshots: strings are values, property names are structure.
    let snapshot = folder.path().join("made.heapsnapshot");
    let mut made = v8::random::random(3, 30);
    made.add("string", "hunter2 in a snapshot", 90_001, 32);
    fs::write(&snapshot, v8::write::write(&made, &v8::form::Form::node20())).expect("disk space");
    drop(opened(&snapshot, &keeping(&cache)));
    let remaining = files(&cache);
    assert_eq!(remaining.len(), 2);
    for path in remaining {
        let stored = fs::read(&path).expect("it exists");
        assert_eq!(path.extension().and_then(|e| e.to_str()), Some(STORED));
        for secret in secrets {
            assert!(!has(&stored, secret), "{:?} is in {}", secret.escape_ascii().to_string(), path.display());
        }
    }
}

/// The system clock may change arbitrarily between two starts.
#[test]
fn stored_analyses_are_used_despite_clock_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    let path = made(folder.path(), 300);
    let complete = figures(&opened(&path, &keeping(&cache)));
    let future = SystemTime::now() + Duration::from_hours(24 * 365 * 100);
    for time in [future, SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH - Duration::from_hours(9)] {
        for file in files(&cache) {
            File::options().append(true).open(file).expect("it exists").set_modified(time).expect("a time");
        }
        let again = opened(&path, &keeping(&cache));
        assert!(again.is_from_cache());
        assert_eq!(figures(&again), complete);
        // The cache evicts files for another dump, regardless of their times.
        let mut tight = keeping(&cache);
        tight.storage.folder = Some(Folder { path: cache.clone(), limit: 1 });
        let other = folder.path().join("other.hprof");
        fs::write(&other, write(&heaps::random(9, 200), Form::MODERN)).expect("disk space");
        drop(again);
        drop(opened(&other, &tight));
        assert_eq!(files(&cache).len(), 1, "only what was stored last");
        fs::remove_file(&other).expect("it exists");
        drop(opened(&path, &keeping(&cache)));
        for file in files(&cache) {
            // A dump from before the epoch, or from the future.
            let dump = File::options().append(true).open(&path).expect("it exists");
            dump.set_modified(time).expect("a time");
            drop(file);
        }
        assert_eq!(figures(&opened(&path, &keeping(&cache))), complete);
    }
}

/// Opens cancelled at any time leave no files and no running threads.
#[test]
fn a_thousand_cancelled_opens_leave_no_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    let path = made(folder.path(), 4_000);
    let complete = figures(&opened(&path, &OpenOptions::default()));
    let began = std::time::Instant::now();
    drop(opened(&path, &OpenOptions::default()));
    let default = began.elapsed();
    let (mut cancelled, mut random) = (0, Random::new(3));
    for _ in 0..1_000 {
        let task = Task::new();
        let wait = default.mul_f64(f64::from(random.below(1_200)) / 1_000.0);
        let theirs = task.clone();
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(wait);
            theirs.cancel();
        });
        match open_and_wait(&path, &keeping(&cache), &task) {
            Err(OpenError::Cancelled) => cancelled += 1,
            Ok(dump) => {
                drop(dump);
                for file in files(&cache) {
                    assert_eq!(file.extension().and_then(|e| e.to_str()), Some(STORED), "{}", file.display());
                    fs::remove_file(file).expect("it exists");
                }
            }
            Err(error) => panic!("{error}"),
        }
        canceller.join().expect("it only waits");
    }
    assert!(cancelled > 100, "{cancelled} were given up in time");
    assert_eq!(files(&cache), BTreeSet::new(), "nothing unfinished stays");
    assert_eq!(figures(&opened(&path, &keeping(&cache))), complete);
}

/// Long output waits for its reader; meanwhile another program writes into the dump.
#[test]
fn an_answer_of_a_dump_that_is_written_to_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = made(folder.path(), 30_000);
    let complete = fs::read(&path).expect("it exists");
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heaplens"));
        command.arg("objects").arg(&path).args(["--format", "csv", "--no-cache", "--keep-unreachable"]);
        let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("it starts");
        let mut first = [0; 1];
        child.stdout.as_mut().expect("a pipe").read_exact(&mut first).expect("an answer");
        child
    };
    let later = SystemTime::now() + Duration::from_hours(1);
    let into = |bytes: &[u8]| {
        let mut file = File::options().write(true).open(&path).expect("it exists");
        file.write_all(bytes).expect("written");
        file
    };
    let ended = |child: Child| {
        let output = child.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    // Many bytes, with the old time; one byte, with a new time.
    let modified = fs::metadata(&path).and_then(|metadata| metadata.modified()).expect("a time");
    for (bytes, time) in [(vec![7; complete.len()], modified), (complete[..1].to_vec(), later)] {
        let child = start();
        into(&bytes).set_modified(time).expect("a time");
        let (status, message) = ended(child);
        assert_eq!(status, Some(1), "{message}");
        assert!(message.contains("cannot read made.hprof: the file was written to while in use"), "{message}");
        into(&complete).set_modified(modified).expect("a time");
    }
    // Another name, other permissions, and bytes after its end do not matter.
    let child = start();
    fs::rename(&path, folder.path().join("renamed.hprof")).expect("renamed");
    fs::rename(folder.path().join("renamed.hprof"), &path).expect("renamed");
    fs::set_permissions(&path, fs::metadata(&path).expect("it exists").permissions()).expect("ours");
    File::options().append(true).open(&path).and_then(|mut file| file.write_all(b"more")).expect("written");
    assert_eq!(ended(child), (Some(0), String::new()));
}

fn heaplens(arguments: &[&std::ffi::OsStr]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heaplens")).args(arguments).output().expect("it starts")
}

#[test]
fn many_processes_share_one_cache() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    let dumps: Vec<PathBuf> = (0..3)
        .map(|seed| {
            let path = folder.path().join(format!("{seed}.hprof"));
            fs::write(&path, write(&heaps::random(seed, 2_000), Form::MODERN)).expect("disk space");
            path
        })
        .collect();
    let ask = |dump: &Path, limit: &str| {
        let words = ["dominators".as_ref(), dump.as_os_str(), "--cache-dir".as_ref(), cache.as_os_str()];
        let words: Vec<&std::ffi::OsStr> = words
            .into_iter()
            .chain(["--cache-limit".as_ref(), limit.as_ref(), "--format".as_ref(), "csv".as_ref()])
            .collect();
        heaplens(&words)
    };
    let wanted: Vec<Vec<u8>> = dumps.iter().map(|dump| ask(dump, "1GB").stdout).collect();
    std::thread::scope(|scope| {
        for worker in 0..8 {
            let (dumps, wanted, ask) = (&dumps, &wanted, &ask);
            scope.spawn(move || {
                let mut random = Random::new(worker);
                for _ in 0..12 {
                    let at = random.below(3) as usize;
                    // Some evict files that others are about to read.
                    let limit = if random.one_in(3) { "1" } else { "1GB" };
                    let output = ask(&dumps[at], limit);
                    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                    assert!(output.stdout == wanted[at], "another answer");
                }
            });
        }
    });
    let unfinished: Vec<PathBuf> =
        files(&cache).into_iter().filter(|file| file.extension().is_none_or(|e| e != STORED)).collect();
    assert_eq!(unfinished, Vec::<PathBuf>::new());
}

/// A stored analysis with any changed bytes is detected and rebuilt.
#[test]
fn stored_analyses_damaged_at_random_change_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    let path = made(folder.path(), 2_000);
    let words = ["dominators".as_ref(), path.as_os_str(), "--cache-dir".as_ref(), cache.as_os_str()];
    let words: Vec<&std::ffi::OsStr> = words.into_iter().chain(["--format".as_ref(), "csv".as_ref()]).collect();
    let wanted = heaplens(&words).stdout;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let stored = files(&cache).into_iter().next().expect("it is kept");
        let mut bytes = Vec::new();
        File::open(&stored).expect("it exists").read_to_end(&mut bytes).expect("it is readable");
        for _ in 0..random.between(1, 20) {
            let at = random.below(bytes.len() as u32) as usize;
            match random.below(3) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at..].iter_mut().take(200).for_each(|byte| *byte = 0),
                _ => bytes.truncate(at.max(1)),
            }
        }
        fs::write(&stored, bytes).expect("disk space");
        let output = heaplens(&words);
        assert!(output.status.success(), "seed {seed}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout == wanted, "seed {seed}: another answer");
    }
}
