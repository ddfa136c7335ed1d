//! `--sizes auto` against the JVM's own class histogram, taken right after each dump.
//!
//! Only classes of which both have equally many objects are compared: the JVM also counts what a
//! dump leaves out, such as class objects of arrays.

#![expect(clippy::print_stdout, reason = "the table of many dumps is for a person")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use heaplens::heap::origin::SizeModel;
use heaplens::session::dump::{OpenOptions, open_and_wait};
use heaplens::task::Task;

/// Objects and bytes by class.
type Histogram = BTreeMap<String, (u64, u64)>;

/// A class name of the JVM as people write it.
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
    let dump = open_and_wait(path, &options, &Task::new()).expect("it opens");
    let heap = &dump.facts.heap;
    let mut all = Histogram::new();
    for object in heap.objects() {
        let sum = all.entry(heap.class(object).name.to_string()).or_default();
        *sum = (sum.0 + 1, sum.1 + heap.shallow(object).0);
    }
    let note = heap.notes.iter().find(|note| note.message.contains("laid out"));
    (all, note.map(|note| note.message.clone()).unwrap_or_default())
}

/// Classes of some number of objects: how many were compared, and are exact.
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
    /// Classes with 10 objects and more, with 2 to 9, with one.
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

    /// Percent that the sum of bytes is off.
    fn error(&self) -> f64 {
        (self.our_bytes as f64 - self.jvm_bytes as f64) * 100.0 / self.jvm_bytes as f64
    }
}

/// Dumps of a folder that have a histogram beside them.
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
fn fixtures_have_the_sizes_that_the_jvm_says() {
    let fixtures = pairs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    assert!(fixtures.len() >= 5);
    for (name, path, text) in fixtures {
        let (ours, note) = of_heaplens(&path, SizeModel::Auto);
        let compared = Comparison::new(&of_jvm(&text), &ours);
        let [many, some, _] = compared.shares;
        assert!(many.compared > 60, "{name}: {many}");
        assert_eq!(many.exact, many.compared, "{name}: {note}\n{}", compared.wrong);
        assert!(some.exact * 100 >= some.compared * 99, "{name}: {some}\n{}", compared.wrong);
        assert!(compared.error().abs() < 0.1, "{name}: {} %\n{}", compared.error(), compared.wrong);
        assert!(note.contains("agree"), "{name}: {note}");
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
