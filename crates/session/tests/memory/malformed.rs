//! Malformed and hostile files: all truncations of small dumps, flipped bytes, hand-made attacks. Each must result in an
//! error or in a heap with parse warnings, never in a panic, an endless loop, or memory out of proportion to the file.

#![expect(clippy::print_stderr, reason = "prints the name of a failing case")]
#![expect(unsafe_code, reason = "GlobalAlloc is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_formats::error::OpenError;
use heaplens_heap::{ObjectId, Severity};
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_testkit::hprof::{Form, Order, Segmentation, write};
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::Sketch;
use heaplens_testkit::{fixtures, heaps, notation};

mod by_hand;
mod costly;
mod shared;

/// Counts allocated bytes and their peak.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn more(bytes: usize) {
    PEAK.fetch_max(NOW.fetch_add(bytes, Ordering::Relaxed) + bytes, Ordering::Relaxed);
}

// SAFETY: every call is passed unchanged to the system allocator; counting has no other effect.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Serializes measurements of concurrent tests.
static MEASURED: Mutex<()> = Mutex::new(());

/// Fixed part of the memory limit of an open, in bytes.
const ALLOWED: usize = 96 << 20;

/// Result of `act`, and its peak memory in bytes.
fn measured<T>(act: impl FnOnce() -> T) -> (T, usize) {
    let _one_at_a_time = MEASURED.lock().unwrap_or_else(PoisonError::into_inner);
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let done = act();
    (done, PEAK.load(Ordering::Relaxed).saturating_sub(before))
}

/// Opens the bytes and reads everything in the heap. `name` is printed on failure.
fn check(name: &str, bytes: &[u8]) -> Result<Dump, OpenError> {
    let _one_at_a_time = MEASURED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("disk space");
    eprintln!("{name}"); // the last one said is the one that failed, or did not end
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let peak = || PEAK.load(Ordering::Relaxed).saturating_sub(before);
    let mut peak_of_opening = 0;
    let opened = catch_unwind(AssertUnwindSafe(|| {
        let opened = open_and_wait(file.path(), &OpenOptions::default(), &Task::new());
        peak_of_opening = peak();
        opened.as_ref().map(run_all_queries).ok();
        opened
    }));
    let opened = opened.unwrap_or_else(|panic| {
        let stored = std::env::temp_dir().join("heaplens-malformed.hprof");
        let _kept = std::fs::write(&stored, bytes);
        eprintln!("{name}: the file is kept at {}", stored.display());
        resume_unwind(panic)
    });
    for (what, peak, each) in [("opening", peak_of_opening, 20), ("looking", peak(), 64)] {
        let within = peak <= ALLOWED + each * bytes.len();
        assert!(within, "{name}: {what} took {} MiB for a file of {} bytes", peak >> 20, bytes.len());
    }
    if let Err(OpenError::Io(error)) = &opened {
        panic!("{name}: the file itself is readable, yet: {error}");
    }
    opened
}

/// Number of objects inspected one by one, spread over the heap.
const LOOKED_AT: usize = 2_000;

/// Runs all queries of the window.
fn run_all_queries(dump: &Dump) {
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    for (nth, object) in heap.objects().step_by(heap.len().div_ceil(LOOKED_AT).max(1)).enumerate() {
        // Nodes of a damaged snapshot may share an id: lookup finds the first, by linear search.
        if heap.snapshot().is_none() {
            assert!(heap.at(heap.address(object)) == Some(object));
        } else if nth.is_multiple_of(100) {
            assert!(heap.at(heap.address(object)).is_some_and(|first| first <= object));
        }
        let _readable = contents.fields(heap, object);
        let _readable = contents.elements(heap, object, 0..20);
        let _readable = contents.elements(heap, object, u64::MAX - 1..u64::MAX);
        let _length = contents.array_length(heap, object);
        let _label = (contents.label(heap, object), contents.text(heap, object, 100), contents.stack(heap, object));
        for &to in heap.references(object).iter().take(3) {
            let to = ObjectId::from_raw(to).expect("a row");
            let _names = contents.reference_names(heap, object, to, 100);
        }
        let dominator = dump.analysis.immediate_dominator(object);
        assert!(dominator.is_none_or(|dominator| dump.analysis.is_reachable(dominator)));
    }
    let first = heap.classes.iter().next().map(|(first, _)| first);
    for (class, _) in heap.classes.iter().take(100) {
        assert!(heap.classes.is_subclass(class, class));
        let _ends = first.is_some_and(|first| heap.classes.is_subclass(class, first));
    }
}

fn tiny() -> Sketch {
    notation::read(
        "class java.lang.Thread
           field name: object
         class java.lang.ref.Reference
           field referent: object
         class Weak extends java.lang.ref.Reference
         class Cart by loader
           field lines: object
           field n: long
           static last: object = cart
           static max: int = 3
         loader = java.lang.ClassLoader
         cart = Cart lines=items n=-1
         items = java.lang.Object[] cart name weak null
         numbers = double[] 1.5 2
         name = \"till 7\"
         weak = Weak referent=cart
         thread = java.lang.Thread name=name
         root thread thread 1 trace 1
         root items frame 1 0
         root Cart class
         root numbers global
         trace 1 thread 1
           frame Cart.sell ()V Cart.java 9",
    )
    .expect("a heap")
}

#[test]
fn every_truncation_opens_with_a_note() {
    let sketch = tiny();
    for (number, form) in Form::all().into_iter().enumerate() {
        let complete = write(&sketch, form);
        check("the whole file", &complete).expect("it opens");
        // All offsets in some formats; in the others one offset in seventeen, different for each format.
        let step = if number % 18 == 0 { 1 } else { 17 };
        for end in (number % step..complete.len()).step_by(step) {
            let name = format!("{form:?} cut to {end} of {} bytes", complete.len());
            let Ok(dump) = check(&name, &complete[..end]) else { continue };
            let heap = &dump.facts.heap;
            for object in heap.objects().filter(|&object| heap.file_offset(object).is_some()) {
                let id = heap.address(object).0;
                let known = sketch.classes.iter().any(|c| c.id == id) || sketch.objects.iter().any(|o| o.id == id);
                assert!(known, "{name}: nothing in the file is at {id:#x}");
            }
            // A dump without length may end at any offset, and so may records after one with a length.
            let tells =
                form.cut != Segmentation::Endless && !(form.cut == Segmentation::Whole && end + 9 > complete.len());
            let text = heap.notes.iter().any(|note| note.severity >= Severity::DataLost);
            assert!(text || !tells, "{name}: {:?}", heap.notes);
        }
    }
}

/// Changes, removes or inserts a few bytes.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..random.between(1, 4) {
        let at = random.below(bytes.len() as u32) as usize;
        match random.below(8) {
            0 => bytes[at] = 0xff,
            1 => bytes[at] = 0,
            2 => bytes[at] ^= 1 << random.below(8),
            3 => drop(bytes.drain(at..(at + random.below(9) as usize).min(bytes.len()))),
            4 => bytes.insert(at, random.number() as u8),
            5 => bytes[at..].iter_mut().take(4).for_each(|byte| *byte = 0xff),
            _ => bytes[at] = random.number() as u8,
        }
        if bytes.is_empty() {
            return;
        }
    }
}

#[test]
fn thousands_of_damaged_small_dumps() {
    let forms = Form::all();
    for seed in 0..4_000 {
        let mut random = Random::new(seed);
        let sketch = if seed % 2 == 0 { tiny() } else { heaps::random(seed, 12) };
        let form = *random.pick(&forms);
        let mut bytes = write(&sketch, form);
        damage(&mut bytes, &mut random);
        let _either = check(&format!("seed {seed}, {form:?}"), &bytes);
    }
}

#[test]
fn a_real_dump_with_flipped_bytes() {
    let packed = std::fs::read(fixtures::path("leak-before.hprof.gz")).expect("it exists");
    let mut complete = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&packed[..]), &mut complete)
        .expect("a complete answer");
    for seed in 0..24 {
        let (mut random, mut bytes) = (Random::new(seed), complete.clone());
        for _ in 0..=seed * 5 {
            damage(&mut bytes, &mut random);
        }
        let _either = check(&format!("leak-before, seed {seed}"), &bytes);
        let end = random.below(packed.len() as u32) as usize;
        if seed % 4 == 0 {
            let _either = check(&format!("leak-before, packed, cut to {end} bytes"), &packed[..end]);
        }
    }
}

/// Dumps with a few changed bytes: `HEAPLENS_FLIPS` variants of each, by default a few.
fn flip(dumps: impl IntoIterator<Item = (&'static str, Vec<u8>)>) {
    let flips: u64 = std::env::var("HEAPLENS_FLIPS").ok().and_then(|times| times.parse().ok()).unwrap_or(12);
    for (name, complete) in dumps {
        let (mut opened, began) = (0, Instant::now());
        for seed in 0..flips {
            let (mut random, mut bytes) = (Random::new(seed), complete.clone());
            damage(&mut bytes, &mut random);
            opened += u64::from(check(&format!("{name}, seed {seed}"), &bytes).is_ok());
        }
        eprintln!("FLIPS {name}: {flips} damaged, {opened} opened, {:.1} s", began.elapsed().as_secs_f64());
    }
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(fixtures::path(name)).expect("it exists")
}

fn unpacked(name: &str) -> Vec<u8> {
    let (packed, mut complete) = (fixture(name), Vec::new());
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&packed[..]), &mut complete)
        .expect("a complete answer");
    complete
}

#[test]
fn small_dumps_of_every_format_with_flipped_bytes() {
    let snapshot = heaplens_testkit::v8::random::random(5, 300);
    flip([
        ("hotspot", write(&heaps::random(11, 400), Form::MODERN)),
        ("android", fixture("android/phone.hprof")),
        ("v8", heaplens_testkit::v8::write::write(&snapshot, &heaplens_testkit::v8::form::Form::node20()).into_bytes()),
        ("phd", fixture("ibm/heapdump.20261122.120000.4711.0001.phd")),
        ("phd of version 5", fixture("ibm/shop-v5.phd")),
        ("ibm text", fixture("ibm/shop-wrong-trailer.txt")),
        ("rawheap", heaplens_testkit::rawheap::Heap::shop().tokens()),
    ]);
}

// One test each: 10,000 variants of one dump take an hour on a core.
#[test]
fn a_hotspot_dump_of_a_real_program_with_flipped_bytes() {
    flip([("hotspot, real", unpacked("leak-before.hprof.gz"))]);
}

#[test]
fn an_android_dump_of_a_real_program_with_flipped_bytes() {
    flip([("android, real", unpacked("android/album.hprof.gz"))]);
}

#[test]
fn a_snapshot_of_a_real_program_with_flipped_bytes() {
    flip([("v8, real", unpacked("node/desk-baseline.heapsnapshot.gz"))]);
}

#[test]
fn a_truncated_gzip_opens_up_to_its_end() {
    let sketch = heaps::random(3, 4_000);
    let form = Form { order: Order::RootsFirst, cut: Segmentation::Segments(4096), ..Form::MODERN };
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&write(&sketch, form)).expect("memory");
    let packed = packer.finish().expect("memory");
    let dump = check("half of a packed dump", &packed[..packed.len() / 2]).expect("half of it exists");
    assert!(dump.facts.heap.len() > 500, "{} objects", dump.facts.heap.len());
    assert!(dump.facts.heap.notes.iter().any(|note| note.message.contains("gzip")), "{:?}", dump.facts.heap.notes);
    for end in 0..40 {
        let _either = check(&format!("the first {end} packed bytes"), &packed[..end]);
    }
}
