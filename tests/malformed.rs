//! Broken and hostile files: every truncation of small dumps, flipped bytes,
//! and files made to hurt. Each must end as an error or as a heap with notes:
//! never in a panic, an endless loop, or memory out of proportion to the file.

#![expect(clippy::print_stderr, reason = "a case says its name, for when it fails")]
#![expect(unsafe_code, reason = "an allocator that counts can only be written so")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use heaplens::formats::error::OpenError;
use heaplens::heap::ids::{Address, ObjectId};
use heaplens::heap::notes::Severity;
use heaplens::session::dump::{OpenDump, OpenOptions, open_and_wait};
use heaplens::synth::hprof::{Cut, Form, Order, Out, write};
use heaplens::synth::random::Random;
use heaplens::synth::sketch::Sketch;
use heaplens::synth::{heaps, notation};
use heaplens::task::Task;

/// Counts the bytes that are allocated, and the most there ever were.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn more(bytes: usize) {
    PEAK.fetch_max(NOW.fetch_add(bytes, Ordering::Relaxed) + bytes, Ordering::Relaxed);
}

// SAFETY: every call is handed to the system's allocator as it came; counting touches nothing else.
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

/// One file is measured at a time, whatever number of tests run.
static MEASURED: Mutex<()> = Mutex::new(());

/// Memory an opening may take beside what grows with the file.
const ALLOWED: usize = 96 << 20;

/// Opens the bytes and looks at everything in the heap. `name` is said when it fails.
fn check(name: &str, bytes: &[u8]) -> Result<OpenDump, OpenError> {
    let _one_at_a_time = MEASURED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("room for it");
    eprintln!("{name}"); // the last one said is the one that failed, or did not end
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let peak = || PEAK.load(Ordering::Relaxed).saturating_sub(before);
    let mut peak_of_opening = 0;
    let opened = catch_unwind(AssertUnwindSafe(|| {
        let opened = open_and_wait(file.path(), &OpenOptions::default(), &Task::new());
        peak_of_opening = peak();
        opened.as_ref().map(look_at_everything).ok();
        opened
    }));
    let opened = opened.unwrap_or_else(|panic| {
        let kept = std::env::temp_dir().join("heaplens-malformed.hprof");
        let _kept = std::fs::write(&kept, bytes);
        eprintln!("{name}: the file is kept at {}", kept.display());
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

/// Asks all that the window would ask.
fn look_at_everything(dump: &OpenDump) {
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    for object in heap.objects() {
        assert_eq!(heap.at(heap.address(object)), Some(object));
        let _readable = contents.fields(heap, object);
        let _readable = contents.elements(heap, object, 0..20);
        let _readable = contents.elements(heap, object, u64::MAX - 1..u64::MAX);
        let _length = contents.array_length(heap, object);
        let _label = (contents.label(heap, object), contents.text(heap, object, 100), contents.stack(heap, object));
        for &to in heap.references(object).iter().take(3) {
            let to = ObjectId::from_raw(to).expect("a row");
            let _names = contents.reference_names(heap, object, to);
        }
        let dominator = dump.analyzed.immediate_dominator(object);
        assert!(dominator.is_none_or(|dominator| dump.analyzed.is_reachable(dominator)));
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
fn every_truncation_shows_what_is_left_and_says_that_something_is_missing() {
    let sketch = tiny();
    for (number, form) in Form::all().into_iter().enumerate() {
        let whole = write(&sketch, form);
        check("the whole file", &whole).expect("it opens");
        // Every place in some forms; in the others one place in seventeen, each form its own.
        let step = if number % 18 == 0 { 1 } else { 17 };
        for end in (number % step..whole.len()).step_by(step) {
            let name = format!("{form:?} cut to {end} of {} bytes", whole.len());
            let Ok(dump) = check(&name, &whole[..end]) else { continue };
            let heap = &dump.facts.heap;
            for object in heap.objects().filter(|&object| heap.file_offset(object).is_some()) {
                let id = heap.address(object).0;
                let known = sketch.classes.iter().any(|c| c.id == id) || sketch.objects.iter().any(|o| o.id == id);
                assert!(known, "{name}: nothing in the file is at {id:#x}");
            }
            // A dump without length may end anywhere, and so may what follows one with a length.
            let tells = form.cut != Cut::Endless && !(form.cut == Cut::Whole && end + 9 > whole.len());
            let told = heap.notes.iter().any(|note| note.severity >= Severity::DataLost);
            assert!(told || !tells, "{name}: {:?}", heap.notes);
        }
    }
}

/// Changes a few bytes, or takes some away, or puts some in.
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
    let packed = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/leak-before.hprof.gz")).expect("there");
    let mut whole = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&packed[..]), &mut whole).expect("whole");
    for seed in 0..24 {
        let (mut random, mut bytes) = (Random::new(seed), whole.clone());
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

#[test]
fn a_packed_dump_that_breaks_off_shows_its_beginning() {
    let sketch = heaps::random(3, 4_000);
    let form = Form { order: Order::RootsFirst, cut: Cut::Segments(4096), ..Form::MODERN };
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&write(&sketch, form)).expect("memory");
    let packed = packer.finish().expect("memory");
    let dump = check("half of a packed dump", &packed[..packed.len() / 2]).expect("half of it is there");
    assert!(dump.facts.heap.len() > 500, "{} objects", dump.facts.heap.len());
    assert!(dump.facts.heap.notes.iter().any(|note| note.message.contains("gzip")), "{:?}", dump.facts.heap.notes);
    for end in 0..40 {
        let _either = check(&format!("the first {end} packed bytes"), &packed[..end]);
    }
}

// ── Files made by hand ──────────────────────────────────────────────────────

const OBJECT: u8 = 2;
const INT: u8 = 10;

/// A file with ids of 8 bytes: the header, then what `records` adds.
fn file(records: impl FnOnce(&mut Out)) -> Vec<u8> {
    let mut out = Out::new(8);
    out.bytes.extend(b"JAVA PROFILE 1.0.2\0");
    out.u4(8);
    out.u8(0);
    records(&mut out);
    out.bytes
}

/// A file of one segment.
fn segment(sub_records: impl FnOnce(&mut Out)) -> Vec<u8> {
    let mut inside = Out::new(8);
    sub_records(&mut inside);
    file(|out| {
        named_classes(out);
        out.record(0x1c, &inside.bytes);
        out.record(0x2c, &[]);
    })
}

/// Names for the classes at 0x100, 0x108 and 0x110.
fn named_classes(out: &mut Out) {
    for (id, name) in [(0x100, "java/lang/Object"), (0x108, "java/lang/Class"), (0x110, "java/lang/String")] {
        let mut text = Out::new(8);
        text.id(id + 0x1000);
        text.bytes.extend(name.bytes());
        out.record(0x01, &text.bytes);
        let mut loaded = Out::new(8);
        loaded.u4(1);
        loaded.id(id);
        loaded.u4(0);
        loaded.id(id + 0x1000);
        out.record(0x02, &loaded.bytes);
    }
}

fn class(out: &mut Out, id: u64, superclass: u64, fields: &[u8]) {
    out.u1(0x20);
    out.id(id);
    out.u4(0);
    out.id(superclass);
    (0..5).for_each(|_| out.id(0));
    out.u4(0);
    out.u2(0);
    out.u2(0);
    out.u2(fields.len() as u16);
    for &kind in fields {
        out.id(1);
        out.u1(kind);
    }
}

fn instance(out: &mut Out, id: u64, class: u64, values: &[u8]) {
    instance_that_claims(out, id, class, values.len() as u32, values);
}

fn instance_that_claims(out: &mut Out, id: u64, class: u64, length: u32, values: &[u8]) {
    out.u1(0x21);
    out.id(id);
    out.u4(0);
    out.id(class);
    out.u4(length);
    out.bytes.extend(values);
}

/// An array of references, or of `kind`.
fn array_that_claims(out: &mut Out, id: u64, length: u32, class: Option<u64>, kind: u8, elements: &[u8]) {
    out.u1(if class.is_some() { 0x22 } else { 0x23 });
    out.id(id);
    out.u4(0);
    out.u4(length);
    match class {
        Some(class) => out.id(class),
        None => out.u1(kind),
    }
    out.bytes.extend(elements);
}

fn root(out: &mut Out, id: u64) {
    out.u1(0xff);
    out.id(id);
}

/// A name, and the file that earned it.
type Case = (&'static str, Vec<u8>);

fn not_dumps() -> Vec<Case> {
    let header = |id_bytes: u32| [&b"JAVA PROFILE 1.0.2\0"[..], &id_bytes.to_be_bytes(), &[0; 8]].concat();
    vec![
        ("an empty file", Vec::new()),
        ("a file of zeros", vec![0; 10_000]),
        ("a header alone", file(|_| ())),
        ("a header without end", b"JAVA PROFILE 1.0.2 and so on".repeat(100)),
        ("ids of no bytes", header(0)),
        ("ids of three bytes", header(3)),
        ("ids of many bytes", header(u32::MAX)),
        ("zeros after the header", file(|out| out.bytes.extend([0; 5000]))),
        ("only gzip magic", vec![0x1f, 0x8b]),
        ("gzip of nothing", vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ]
}

fn wrong_lengths() -> Vec<Case> {
    let everywhere = |tag: u8| file(|out| out.record_that_claims(tag, u32::MAX, &[0; 64]));
    vec![
        ("a string of 4 GiB", everywhere(0x01)),
        ("a loaded class of 4 GiB", everywhere(0x02)),
        ("a frame of 4 GiB", everywhere(0x04)),
        ("a trace of 4 GiB of frames", file(|out| out.record(0x05, &[0xff; 16]))),
        ("a dump of 4 GiB", everywhere(0x0c)),
        ("a segment of 4 GiB", everywhere(0x1c)),
        ("an unknown record of 4 GiB", everywhere(0x77)),
        (
            "records too short for their contents",
            file(|out| {
                for tag in [0x01, 0x02, 0x04, 0x05, 0x06] {
                    out.record(tag, &[1, 2]);
                }
                out.record(0x1c, &[0x21]);
            }),
        ),
        ("ten thousand dumps of length 0", file(|out| (0..10_000).for_each(|_| out.record(0x0c, &[])))),
        (
            "ten thousand dumps that claim 1",
            file(|out| {
                (0..10_000).for_each(|_| out.record_that_claims(0x0c, 1, &[0xff, 0, 0, 0, 0, 0, 0, 0, 8]));
            }),
        ),
        ("fifty thousand segments of nothing", file(|out| (0..50_000).for_each(|_| out.record(0x1c, &[])))),
        ("an instance of 4 GiB", segment(|out| instance_that_claims(out, 8, 0x100, u32::MAX, &[0; 40]))),
        ("an array of 4 G references", segment(|out| array_that_claims(out, 8, u32::MAX, Some(0x100), 0, &[0; 40]))),
        ("an array of 4 G longs", segment(|out| array_that_claims(out, 8, u32::MAX, None, 11, &[0; 40]))),
        ("an array longer than the file", segment(|out| array_that_claims(out, 8, 1000, None, 8, &[0; 999]))),
        ("an array of no known type", segment(|out| array_that_claims(out, 8, 1, None, 3, &[0; 9]))),
        ("a primitive array of references", segment(|out| array_that_claims(out, 8, 1, None, OBJECT, &[0; 8]))),
        (
            "65,535 fields that are not there",
            segment(|out| {
                class(out, 0x100, 0, &[]);
                out.bytes.truncate(out.bytes.len() - 2);
                out.u2(u16::MAX);
                out.bytes.extend([0; 100]);
            }),
        ),
    ]
}

fn hostile_classes() -> Vec<Case> {
    vec![
        (
            "a ring of superclasses",
            segment(|out| {
                class(out, 0x100, 0x118, &[OBJECT]);
                class(out, 0x118, 0x120, &[INT, OBJECT]);
                class(out, 0x120, 0x100, &[OBJECT]);
                class(out, 0x128, 0x128, &[OBJECT]);
                for (at, of) in [0x100, 0x118, 0x120, 0x128].into_iter().enumerate() {
                    instance(out, 0x1000 + 64 * at as u64, of, &[0; 28]);
                }
            }),
        ),
        (
            "a long line of superclasses",
            segment(|out| {
                (0..20_000).for_each(|n| class(out, 0x1000 + 8 * n, 0x1008 + 8 * n, &[OBJECT]));
            }),
        ),
        (
            "a class of 65,535 references with many subclasses",
            segment(|out| {
                class(out, 0x1000, 0, &[OBJECT; u16::MAX as usize]);
                (1..2_000).for_each(|n| class(out, 0x1000 + 8 * n, 0x1000, &[]));
            }),
        ),
        (
            "a class that is also an instance and an array",
            segment(|out| {
                class(out, 0x100, 0, &[]);
                instance(out, 0x100, 0x100, &[]);
                array_that_claims(out, 0x100, 1, Some(0x100), 0, &0x100_u64.to_be_bytes());
                class(out, 0x100, 0x100, &[OBJECT]);
            }),
        ),
        (
            "instances of classes that are no classes",
            segment(|out| {
                instance(out, 0x1000, 0x1000, &[0; 8]);
                instance(out, 0x1008, 0x1000, &[0; 40]);
                instance(out, 0x1010, 0, &[0; 1]);
                instance(out, 0x1018, u64::MAX, &[0; 1]);
                array_that_claims(out, 0x1020, 1, Some(0), 0, &0x1000_u64.to_be_bytes());
                root(out, 0x1020);
            }),
        ),
        ("an unknown class with a large instance", segment(|out| instance(out, 8, 0x999, &vec![1; 3 << 20]))),
        (
            "an instance shorter than its class",
            segment(|out| {
                class(out, 0x118, 0, &[INT, OBJECT, OBJECT]);
                instance(out, 0x1000, 0x118, &[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x10, 0, 7]);
            }),
        ),
        (
            "twice as many instances of classes unknown",
            segment(|out| {
                (1..30_000).for_each(|n| instance(out, 16 * n, 0x8000_0000 + 8 * n, &[0; 4]));
            }),
        ),
        (
            "a string that is its own text",
            segment(|out| {
                let mut named = Out::new(8);
                class(&mut named, 0x110, 0, &[OBJECT]);
                out.bytes.extend(named.bytes);
                instance(out, 0x1000, 0x110, &0x1000_u64.to_be_bytes());
            }),
        ),
    ]
}

fn hostile_addresses() -> Vec<Case> {
    let mut random = Random::new(1);
    let mut scattered = |step: &mut dyn FnMut(&mut Random) -> u64, count: u32| {
        segment(|out| (0..count).for_each(|_| instance(out, step(&mut random), 0x100, &[])))
    };
    let mut next = 0;
    vec![
        ("ids all over 64 bits", scattered(&mut |random| random.number(), 20_000)),
        ("ids all over 47 bits", scattered(&mut |random| random.number() >> 17 & !7, 20_000)),
        ("odd ids", scattered(&mut |random| random.number() >> 17 | 1, 20_000)),
        (
            "ids 1 GiB apart",
            scattered(
                &mut |_| {
                    next += 1 << 30;
                    next
                },
                3_000,
            ),
        ),
        ("one id for all", scattered(&mut |_| 0x1000, 20_000)),
        ("two ids for all", scattered(&mut |random| 0x1000 + random.number() % 2 * 8, 20_000)),
        (
            "an object at 0",
            segment(|out| {
                class(out, 0x118, 0, &[OBJECT]);
                instance(out, 0, 0x118, &0x1000_u64.to_be_bytes());
                (0..9).for_each(|n| instance(out, 0x1000 + 16 * n, 0x118, &0_u64.to_be_bytes()));
                root(out, 0);
            }),
        ),
        (
            "classes at both ends of memory",
            segment(|out| {
                class(out, u64::MAX, 0, &[]);
                class(out, 0, 0, &[]);
                instance(out, 8, u64::MAX, &[]);
                instance(out, u64::MAX - 7, 0, &[]);
            }),
        ),
        (
            "a hundred thousand roots of one object",
            segment(|out| {
                instance(out, 0x1000, 0x100, &[]);
                (0..100_000).for_each(|_| root(out, 0x1000));
            }),
        ),
        (
            "roots of nothing",
            segment(|out| {
                instance(out, 0x1000, 0x100, &[]);
                (0..10_000).for_each(|n| root(out, n * 8));
            }),
        ),
    ]
}

#[test]
fn files_made_to_hurt() {
    for (name, bytes) in not_dumps() {
        let error = check(name, &bytes).err().unwrap_or_else(|| panic!("{name} is no heap")).to_string();
        assert!(error.contains("expected") && error.contains("found"), "{name}: {error}");
    }
    for (name, bytes) in [wrong_lengths(), hostile_classes(), hostile_addresses()].concat() {
        match check(name, &bytes) {
            Ok(dump) => assert!(!dump.facts.heap.notes.is_empty(), "{name}: nothing is said about it"),
            Err(error) => assert!(error.to_string().contains("offset"), "{name}: {error}"),
        }
    }
}

#[test]
fn an_array_whose_class_is_nowhere_keeps_its_references() {
    let bytes = segment(|out| {
        instance(out, 0x1000, 0x100, &[]);
        array_that_claims(out, 0x1020, 1, Some(0), 0, &0x1000_u64.to_be_bytes());
        root(out, 0x1020);
    });
    let dump = check("an array of class 0", &bytes).expect("it is readable");
    let heap = &dump.facts.heap;
    let [array, element] = [0x1020, 0x1000].map(|id| heap.at(Address(id)).expect("it is in the heap"));
    assert_eq!(&*heap.class(array).name, "unknown class 0x0");
    assert_eq!(heap.references(array), [element.raw()]);
    assert_eq!(dump.analyzed.immediate_dominator(element), Some(array));
}

/// What an unknown tag costs is the rest of its own segment, and how much that was is said.
#[test]
fn an_unknown_object_record_costs_one_segment() {
    let mut first = Out::new(8);
    class(&mut first, 0x100, 0, &[]);
    instance(&mut first, 0x1000, 0x100, &[]);
    first.bytes.extend([0xfa; 50]);
    let mut second = Out::new(8);
    instance(&mut second, 0x2000, 0x100, &[]);
    let bytes = file(|out| {
        named_classes(out);
        out.record(0x1c, &first.bytes);
        out.record(0x1c, &second.bytes);
        out.record(0x2c, &[]);
    });
    let dump = check("an unknown object record", &bytes).expect("most of it is readable");
    let heap = &dump.facts.heap;
    assert!([0x1000, 0x2000].into_iter().all(|id| heap.at(Address(id)).is_some()), "both objects are there");
    let said = heap.notes.iter().find(|note| note.message.contains("0xfa")).expect("it is noted");
    assert_eq!(said.severity, Severity::DataLost);
    assert!(said.message.contains("50 bytes"), "{}", said.message);
}
