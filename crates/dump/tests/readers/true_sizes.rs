//! `--sizes auto` against the JVM's own class histogram, taken right after each dump.
//!
//! Only classes with equal object counts are compared: the JVM also counts objects that are not in the dump, such as class
//! objects of arrays.

#![expect(clippy::print_stdout, reason = "prints a table for readers of the test output")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use heaplens_base::Task;
use heaplens_dump::{OpenOptions, open_with};
use heaplens_heap::{NoteTopic, SizeModel};
use heaplens_testkit::fixtures;

/// Objects and bytes by class.
type Histogram = BTreeMap<String, (u64, u64)>;

/// Converts a JVM class name to source form.
fn readable(name: &str) -> String {
    let element = name.trim_start_matches('[');
    let dimensions = name.len() - element.len();
    let kinds = [
        ("B", "byte"),
        ("C", "char"),
        ("D", "double"),
        ("F", "float"),
        ("I", "int"),
        ("J", "long"),
        ("S", "short"),
        ("Z", "boolean"),
    ];
    let primitive = kinds.iter().find(|(letter, _)| dimensions > 0 && *letter == element).map(|(_, name)| *name);
    let plain = if dimensions > 0 { element.trim_start_matches('L').trim_end_matches(';') } else { element };
    primitive.unwrap_or(plain).to_owned() + &"[]".repeat(dimensions)
}

fn of_jvm(text: &str) -> Histogram {
    let mut all = Histogram::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [number, objects, bytes, name, ..] = words[..] else { continue };
        if let (true, Ok(objects), Ok(bytes)) = (number.ends_with(':'), objects.parse::<u64>(), bytes.parse::<u64>()) {
            let sum = all.entry(readable(name)).or_default();
            *sum = (sum.0 + objects, sum.1 + bytes);
        }
    }
    all
}

fn of_heaplens(path: &Path, sizes: SizeModel) -> (Histogram, String) {
    let mut options = OpenOptions::default();
    options.read.sizes = sizes;
    options.rules.keep_unreachable = true;
    let dump = open_with(path, &options, &Task::new()).expect("it opens");
    let heap = &dump.facts.heap;
    let mut all = Histogram::new();
    for object in heap.objects() {
        let sum = all.entry(heap.class(object).name.to_string()).or_default();
        *sum = (sum.0 + 1, sum.1 + heap.shallow(object).0);
    }
    let note = heap.notes.iter().find(|note| note.topic != NoteTopic::Other);
    (all, note.map(|note| note.message.clone()).unwrap_or_default())
}

/// Number of compared classes, and of those with exact sizes.
#[derive(Default, Clone, Copy)]
struct Share {
    exact: usize,
    compared: usize,
}

impl std::fmt::Display for Share {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} of {}", self.exact, self.compared)
    }
}

#[derive(Default)]
struct Comparison {
    /// Classes with 10 or more objects, with 2 to 9, and with one.
    shares: [Share; 3],
    jvm_bytes: u64,
    our_bytes: u64,
    wrong: String,
}

impl Comparison {
    fn new(jvm: &Histogram, ours: &Histogram) -> Self {
        let mut all = Self::default();
        for (class, &(objects, bytes)) in jvm {
            let Some(&(_, our_bytes)) = ours.get(class).filter(|(counted, _)| *counted == objects) else { continue };
            let share = &mut all.shares[if objects >= 10 { 0 } else { 1 + usize::from(objects == 1) }];
            share.compared += 1;
            share.exact += usize::from(bytes == our_bytes);
            all.jvm_bytes += bytes;
            all.our_bytes += our_bytes;
            if bytes != our_bytes {
                writeln!(all.wrong, "  {class}: {objects} objects, {bytes} bytes, here {our_bytes}").expect("a string");
            }
        }
        all
    }

    /// Relative error of the total size, in percent.
    fn error(&self) -> f64 {
        (self.our_bytes as f64 - self.jvm_bytes as f64) * 100.0 / self.jvm_bytes as f64
    }
}

/// Dumps of a folder with a histogram file.
fn pairs(folder: &Path) -> Vec<(String, PathBuf, String)> {
    let mut pairs = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let Some(base) = name.strip_suffix(".hprof.gz").or(name.strip_suffix(".hprof")) else { continue };
        let mut text = String::new();
        if let Ok(packed) = std::fs::read(folder.join(format!("{base}.histogram.txt.gz"))) {
            MultiGzDecoder::new(&packed[..]).read_to_string(&mut text).expect("text");
        } else if let Ok(plain) = std::fs::read_to_string(folder.join(format!("{base}.histogram.txt"))) {
            text = plain;
        } else {
            continue;
        }
        pairs.push((base.to_owned(), path, text));
    }
    pairs.sort();
    pairs
}

#[test]
fn fixtures_have_the_sizes_reported_by_the_jvm() {
    let fixtures = pairs(&fixtures::path(""));
    assert!(fixtures.len() >= 5);
    for (name, path, text) in fixtures {
        let (ours, note) = of_heaplens(&path, SizeModel::Auto);
        let compared = Comparison::new(&of_jvm(&text), &ours);
        let [many, some, _] = compared.shares;
        assert!(many.compared > 60, "{name}: {many}");
        assert_eq!(many.exact, many.compared, "{name}: {note}\n{}", compared.wrong);
        assert!(some.exact * 100 >= some.compared * 99, "{name}: {some}\n{}", compared.wrong);
        assert!(compared.error().abs() < 0.1, "{name}: {} %\n{}", compared.error(), compared.wrong);
        assert!(note.contains("matches"), "{name}: {note}");
    }
}

/// Prints a table of a folder that `benches/make-dumps/true-sizes.sh` made.
#[test]
#[ignore = "needs a folder of dumps: see benches/make-dumps/true-sizes.sh"]
fn table_of_many_layouts() {
    let folder = std::env::var_os("HEAPLENS_TRUE_SIZES").expect("HEAPLENS_TRUE_SIZES names a folder of dumps");
    println!("| dump | 10 objects and more | 2 to 9 | one | JVM's bytes | `auto` | `mat` |");
    println!("|---|---|---|---|---|---|---|");
    let (mut notes, mut wrong) = (String::new(), 0);
    for (name, path, text) in pairs(Path::new(&folder)) {
        let jvm = of_jvm(&text);
        let (ours, note) = of_heaplens(&path, SizeModel::Auto);
        let auto = Comparison::new(&jvm, &ours);
        let mat = Comparison::new(&jvm, &of_heaplens(&path, SizeModel::Mat).0);
        let [many, some, one] = auto.shares;
        let (bytes, off, mat_off) = (auto.jvm_bytes, auto.error(), mat.error());
        println!("| {name} | {many} | {some} | {one} | {bytes} | {off:+.3} % | {mat_off:+.2} % |");
        writeln!(notes, "{name}: {note}\n{}", auto.wrong).expect("a string");
        wrong += usize::from(many.exact != many.compared || off.abs() >= 0.1);
    }
    println!("\n{notes}");
    assert_eq!(wrong, 0, "dumps with a class of ten objects or the sum wrong");
}

/// Dump with 8-byte ids, written record by record, since a sketch cannot express invalid layouts.
struct Made(Vec<u8>);

impl Made {
    fn id(&mut self, id: u64) -> &mut Self {
        self.0.extend(id.to_be_bytes());
        self
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend(bytes);
        self
    }

    fn class(&mut self, id: u64, superclass: u64, fields: &[(u64, u8)]) {
        self.bytes(&[0x20]).id(id).bytes(&[0; 4]).id(superclass).bytes(&[0; 5 * 8 + 4 + 4]);
        self.bytes(&(fields.len() as u16).to_be_bytes());
        for &(name, kind) in fields {
            self.id(name).bytes(&[kind]);
        }
    }

    fn instance(&mut self, id: u64, class: u64, values: &[u8]) {
        self.bytes(&[0x21]).id(id).bytes(&[0; 4]).id(class).bytes(&(values.len() as u32).to_be_bytes()).bytes(values);
    }

    fn ints(&mut self, id: u64, says: u32, elements: &[u8]) {
        self.bytes(&[0x23]).id(id).bytes(&[0; 4]).bytes(&says.to_be_bytes()).bytes(&[10]).bytes(elements);
    }

    /// Total size when opened with the class names `names`.
    fn open(&self, names: &[(u64, &str)]) -> (u64, String) {
        let mut file = b"JAVA PROFILE 1.0.2\0\0\0\0\x08\0\0\0\0\0\0\0\0".to_vec();
        for &(id, name) in names {
            let class = [&1_u32.to_be_bytes()[..], &id.to_be_bytes(), &[0; 4], &(id | 1 << 60).to_be_bytes()].concat();
            for (tag, body) in [(1, [&(id | 1 << 60).to_be_bytes(), name.as_bytes()].concat()), (2, class)] {
                file.extend([&[tag, 0, 0, 0, 0][..], &(body.len() as u32).to_be_bytes(), &body].concat());
            }
        }
        file.extend([&[0x1c, 0, 0, 0, 0][..], &(self.0.len() as u32).to_be_bytes(), &self.0].concat());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("made.hprof");
        std::fs::write(&path, file).expect("it can be written");
        let (histogram, note) = of_heaplens(&path, SizeModel::Auto);
        (histogram.values().map(|&(_, bytes)| bytes).sum(), note)
    }
}

#[test]
fn malformed_layouts_are_sized_as_uncertain() {
    let unsure = |made: &Made, names: &[(u64, &str)]| {
        let (bytes, note) = made.open(names);
        assert!(note.contains("may be wrong"), "{note}");
        bytes
    };
    // Only classes; one object; an array whose length exceeds the file.
    let mut made = Made(Vec::new());
    made.class(0x1000, 0, &[]);
    unsure(&made, &[(0x1000, "java/lang/Object")]);
    made.instance(0x2000, 0x1000, &[]);
    unsure(&made, &[(0x1000, "java/lang/Object")]);
    made.ints(0x2010, u32::MAX, &[0; 8]);
    assert!(unsure(&made, &[(0x1000, "java/lang/Object")]) < 10_000);
    // Objects closer together than a header, one up to the end of the address space, duplicates.
    for step in [1, 2, 8] {
        let mut made = Made(Vec::new());
        made.class(0x1000, 0x1000, &[(1, 11); 900]);
        for n in 0..5000 {
            made.instance(0x9000 + n * step, 0x1000, &[0; 16]);
            made.ints(0x9_0000 + n * step, 2, &[0; 8]);
        }
        made.instance(u64::MAX, 0x1000, &[]);
        made.instance(0x9000, 0x1000, &[]);
        unsure(&made, &[]);
    }
    // Virtual thread stacks of unlimited length, and cyclic superclasses.
    let mut made = Made(Vec::new());
    made.class(0x1000, 0, &[(7 | 1 << 60, 10)]);
    for n in 1..20_000 {
        made.class(0x1000 + n * 8, 0x1000 + (n - 1) * 8, &[(1, 8), (1, 11), (1, 2)]);
    }
    for size in [u32::MAX, 1 << 31, 1 << 26] {
        made.instance(0x10_0000 + u64::from(size % 1000) * 8, 0x1000, &size.to_be_bytes());
    }
    assert!(made.open(&[(0x1000, "jdk/internal/vm/StackChunk"), (7, "size")]).0 > 0);
}
