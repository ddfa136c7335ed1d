//! Writes the initial corpus: `seeds FOLDER` creates a folder of small files for each target in `FOLDER`.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use heaplens_analysis::android::koom::{Thresholds, koom_report};
use heaplens_analysis::android::shark::{Device, Matchers, Roots, SharkQuery};
use heaplens_tables::export::koom::write_koom;
use heaplens_session::dump::open_and_wait;
use heaplens_session::OpenOptions;
use heaplens_testkit::art::Writer;
use heaplens_testkit::hprof::{self, Form};
use heaplens_testkit::hprof_text::{self, Agent};
use heaplens_testkit::ibm_text::{self, Variant, ebcdic};
use heaplens_testkit::rawheap::{Heap, Static};
use heaplens_testkit::v8::form;
use heaplens_testkit::v8::random::random;
use heaplens_testkit::v8::write::write;
use heaplens_testkit::{album, perfetto, phd, phone};
use heaplens_base::Task;
use heaplens_fuzz::made::{PHONE, javacore, plain, tiny};

struct Seeds(PathBuf);

impl Seeds {
    fn put(&self, target: &str, name: &str, bytes: impl AsRef<[u8]>) {
        let folder = self.0.join(target);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(name), bytes).expect("a seed");
    }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

fn unpacked(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let packed = fs::read(fixtures().join(name)).expect("a fixture");
    flate2::read::MultiGzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("it is complete");
    bytes
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    flate2::read::GzEncoder::new(bytes, flate2::Compression::fast()).read_to_end(&mut packed).expect("memory");
    packed
}

/// A snapshot of JavaScriptCore with one object.
const JSC: &str = "{\"version\":3,\"type\":\"GCDebugging\",\"nodes\":[0,0,0,0,0,\"0x0\",\"0x0\",7,16,1,0,1,\"0x10\",\"0x0\"],\
    \"nodeClassNames\":[\"<root>\",\"Object\"],\"edges\":[0,7,0,0,7,7,1,0],\"edgeTypes\":[\"Internal\",\"Property\"],\
    \"edgeNames\":[\"self\"],\"roots\":[7,2,0],\"labels\":[\"\",\"a\",\"Handles\"]}";

fn main() {
    let seeds = Seeds(std::env::args_os().nth(1).expect("a folder").into());
    let fixture = |name: &str| fs::read(fixtures().join(name)).expect("a fixture");
    for (nth, form) in Form::all().into_iter().enumerate() {
        seeds.put("hprof", &format!("tiny-{nth}"), hprof::write(&tiny(), form));
        seeds.put("hprof", &format!("random-{nth}"), hprof::write(&plain(nth as u64, 12), form));
        seeds.put("laws", &format!("form-{nth}"), [nth as u8, 3, 9, 0, 1, 2, 3, 4]);
    }
    for (name, art) in [("phone", phone::sample()), ("album", album::sample())] {
        for writer in Writer::ALL {
            seeds.put("android", &format!("{name}-{writer:?}"), art.write(writer));
        }
    }
    seeds.put("android", "tracked", fixture("android/tracked.hprof"));
    for seed in 0..40 {
        seeds.put("v8", &format!("random-{seed}"), write(&random(seed, 12), &form::Form::random(seed)));
    }
    seeds.put("v8", "start-of-a-recording", &unpacked("node/recorded.heaptimeline.gz")[..20_000]);
    let shop = Heap::shop();
    seeds.put("rawheap", "addressed", shop.addressed());
    seeds.put("rawheap", "tokens", shop.tokens());
    for is_hybrid in [false, true] {
        seeds.put("rawheap", &format!("static-{is_hybrid}"), Static::shop(is_hybrid).bytes());
    }
    for (nth, form) in phd::Form::all().into_iter().enumerate() {
        seeds.put("phd", &format!("tiny-{nth}"), phd::write(&tiny(), form));
        seeds.put("phd", &format!("plain-{nth}"), phd::write(&plain(nth as u64, 12), form));
    }
    seeds.put("perfetto", "shop", perfetto::shop::sample());
    for (nth, form) in perfetto::Form::all().into_iter().enumerate() {
        seeds.put("perfetto", &format!("tiny-{nth}"), perfetto::write(&tiny(), form, |_| 24));
    }
    for (nth, variant) in Variant::ALL.into_iter().enumerate() {
        for end in ["\n", "\r\n"] {
            let text = ibm_text::write(&plain(nth as u64, 8), ibm_text::Form { variant, end, wrong_by: 0 }, |_| 16);
            seeds.put("ibm_text", &format!("{nth}-{}", end.len()), &text);
            if end == "\n" {
                seeds.put("ibm_text", &format!("ebcdic-{nth}"), ebcdic(&text));
            }
        }
    }
    for (nth, agent) in [Agent::Old, Agent::Jdk5].into_iter().enumerate() {
        seeds.put("hprof_text", &format!("tiny-{nth}"), hprof_text::write(&tiny(), agent, |_| 16));
        seeds.put("hprof_text", &format!("plain-{nth}"), hprof_text::write(&plain(nth as u64, 12), agent, |_| 24));
    }
    for form in ["inspector", "debugging"] {
        // The whole is too long; a part is truncated input.
        let complete = unpacked(&format!("engines/jsc-{form}.json.gz"));
        seeds.put("jsc", &format!("start-{form}"), &complete[..20_000]);
    }
    seeds.put("jsc", "tiny", JSC);
    seeds.put("javacore", "tiny", javacore(&tiny()));
    seeds.put("javacore", "fixture", fixture("ibm/javacore.20261122.120000.4711.0002.txt"));
    seeds.put("packed", "hprof", packed(&hprof::write(&tiny(), Form::MODERN)));
    seeds.put("packed", "v8", packed(write(&random(1, 9), &form::Form::node20()).as_bytes()));
    seeds.put("packed", "phd", packed(&phd::write(&tiny(), phd::Form::MODERN)));
    for mapping in ["phone", "album-r8"] {
        let text = fixture(&format!("android/{mapping}.mapping.txt"));
        seeds.put("mapping", mapping, &text[..text.len().min(8_000)]);
    }
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/process/tests/texts/samples");
    for sample in fs::read_dir(samples).expect("samples").flatten() {
        seeds.put("process", &sample.file_name().to_string_lossy(), fs::read(sample.path()).expect("a sample"));
    }
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/analysis/assets");
    for (which, list) in
        ["leak-rules.txt", "android-matchers.txt", "leak-rules.txt", "runtime-classes.txt"].iter().enumerate()
    {
        let text = fs::read_to_string(assets.join(list)).expect("a list");
        for (nth, lines) in text.lines().collect::<Vec<_>>().chunks(12).enumerate() {
            seeds.put("rules", &format!("{which}-{nth}"), format!("{}{}", char::from(which as u8), lines.join("\n")));
        }
    }
    for (nth, filter) in ["/a(b|c)*d/", "heap:app shop", "Cart", "a*b?"].iter().enumerate() {
        seeds.put("rules", &format!("filter-{nth}"), format!("\u{4}{filter}"));
    }
    seeds.put("rules", "javascript", "\u{2}expected Session\nleaking Cart\nignore-edge cache\nleast 100");
    seeds.put("koom", "written-here", koom());
    seeds.put(
        "koom",
        "by-hand",
        r#"{"gcPaths":[{"leakReason":"Activity Leak","signature":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}]}"#,
    );
    seeds.put("koom", "big", r#"{"leakObjects":[{"className":"byte[]","objectId":"4096","extDetail":"size: 9"}]}"#);
    stored(&seeds);
    commands(&seeds);
    seeds.put("settings", "both", format!("{SETTINGS}\0{OPEN}"));
    seeds.put("settings", "places", format!("{{}}\0{POSITIONS}"));
}

/// Saved settings and sessions of a window.
const SETTINGS: &str = r#"{"recent":["/a/b.hprof","/c"],"theme":"Dark","docks":{"held_by":{"shown":true,"side":"Left",
"size":312.5},"inspector":{"shown":false,"side":"Below","size":null}},"exact_sizes":true,"marks":[{"dump":"hprof 1 2 3",
"file":"b.hprof","marks":{"0x10":{"star":true,"note":"grows","name":"shop.Cart.last"}}}],"memory":1000000000,"form":
"Markdown","layout":{"dominators":{"mode":{"Split":"Treemap"},"share":0.42},"histogram":{"mode":"Table","share":0.9},
"tree":"Plain","weakest":"Weak","tree_columns":[120.0,80.0],"histogram_columns":[],"object_columns":[50.0],"leaks_folded":
[2,3]},"zoom":1.5}"#;
const OPEN: &str = r#"{"tabs":[{"file":"a","view":"Histogram","object":null,"class":"shop.Cart","keep_unreachable":true,
"ignore_vm_roots":false,"redact":true,"mapping":null},{"file":"a","view":"Dominator tree","object":"0x10","class":null}],
"shown":0,"compared":true}"#;
const POSITIONS: &str = r#"{"tabs":[{"file":"a","view":"Objects","object":null,"class":"java.lang.Thread"},{"file":"a","view":
"Merged paths","object":"0x8","class":null},{"file":"a","view":"Leaks"}],"shown":2}"#;

/// Stored analyses of small dumps.
fn stored(seeds: &Seeds) {
    let scratch = tempfile::tempdir().expect("a folder");
    let dumps = [
        ("hprof", hprof::write(&tiny(), Form::MODERN)),
        ("v8", write(&random(1, 30), &form::Form::node20()).into_bytes()),
        ("phd", phd::write(&tiny(), phd::Form::MODERN)),
        ("android", phone::sample().write(Writer::ALL[0])),
    ];
    for (name, bytes) in dumps {
        let (dump, target) = (scratch.path().join(name), scratch.path().join(format!("{name}.heaplens")));
        fs::write(&dump, bytes).expect("disk space");
        let mut options = OpenOptions::default();
        options.storage.target = Some(target.clone());
        drop(open_and_wait(&dump, &options, &Task::new()).expect("it opens"));
        seeds.put("stored", name, fs::read(target).expect("it was written"));
    }
}

/// Command lines as in the manual.
fn commands(seeds: &Seeds) {
    let lines = [
        "summary --format json --cut shop.Cart.last",
        "overview",
        "histogram --by package --sort shallow --top 3 --filter shop",
        "dominators --levels 3 --by class --folded",
        "objects --class shop.Cart --sort retained --reverse --skip 1 --rows 1-3,5",
        "objects --ids 0x1000-0x2000 --owner",
        "objects --lines 1-3 --ownership",
        "object 0x1000",
        "object shop.Cart.last.lines[2]",
        "references 0x1000 --incoming",
        "paths 0x1000 --all",
        "paths --class java.lang.String --all --by class --ignore shop.Cart.lines",
        "leaks --least 1% --format csv",
        "threads --format json --locals",
        "loaders",
        "finalizers",
        "roots --ownership --soft --listing --auto-threshold 20",
        "route 0x1000 0x2000",
        "kept 0x1000 --roots found",
        "gaps --sort bytes",
        "sites",
        "retained --class shop.Cart",
        "strings --filter till --top 5",
        "search till",
        "collections",
        "waste",
        "bitmaps",
        "javascript --of closures",
        "javascript --of timeline --between 0-100",
        "diff OTHER --of leaks --format json",
        "diff OTHER --by package --swap",
    ];
    for (nth, line) in lines.iter().enumerate() {
        for which in 0..4_u8 {
            let text = format!("{}{}", char::from(which), line.replace(' ', "\n"));
            seeds.put("command", &format!("{nth}-{which}"), text);
        }
    }
}

/// Output of `leaks --form koom` for the dump that the target uses.
fn koom() -> Vec<u8> {
    let (heap, contents) = (&*PHONE.facts.heap, &*PHONE.facts.contents);
    let (matchers, device) = (Matchers::default(), Device::default());
    let question = SharkQuery { heap, contents, matchers: &matchers, device: &device, roots: Roots::Pruned };
    let report = koom_report(question, &Thresholds::default(), &Task::new()).expect("not cancelled");
    let mut text = Vec::new();
    write_koom(&mut text, heap, &report).expect("memory");
    text
}
