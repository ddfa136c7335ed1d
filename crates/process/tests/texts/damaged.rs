//! Texts that were cut off, changed or made to be large.

use heaplens_process::{ProcessRecord, UnreadableRecord};

use super::sample;

const SAMPLES: [&str; 13] = [
    "smaps.txt",
    "smaps_rollup.txt",
    "pmap-x.txt",
    "pmap-columns.txt",
    "native-25.txt",
    "heap-25-serial.txt",
    "heap-17-shenandoah.txt",
    "metaspace-17.txt",
    "codecache-17.txt",
    "hs_err-17.log",
    "node-report.json",
    "kubectl-describe.txt",
    "meminfo.txt",
];

#[test]
fn every_beginning_and_every_end_of_a_text_is_read_or_refused() {
    for name in SAMPLES {
        let bytes = sample(name);
        // Large texts are cut at fewer bytes.
        let step = bytes.len() / 4000 + 1;
        for at in (0..bytes.len()).step_by(step) {
            let _record = ProcessRecord::read(name, &bytes[..at]);
            let _record = ProcessRecord::read(name, &bytes[at..]);
        }
    }
}

#[test]
fn what_was_cut_off_gives_what_is_there() {
    for name in SAMPLES.iter().filter(|name| !name.ends_with("json")) {
        let bytes = sample(name);
        let record = ProcessRecord::read(name, &bytes[..bytes.len() * 3 / 4]);
        let record = record.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_ne!(record, ProcessRecord::new(*name), "{name}");
    }
}

#[test]
fn changed_bytes_and_large_numbers_do_no_harm() {
    let mut random = 1_u64;
    let mut next = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    for name in SAMPLES {
        let bytes = sample(name);
        let large = String::from_utf8_lossy(&bytes).replace(|letter: char| letter.is_ascii_digit(), "99");
        let record = ProcessRecord::read(name, large.as_bytes());
        let _sum = record.map(|record| record.resident());
        for _ in 0..300 {
            let mut changed = bytes.clone();
            for _ in 0..4 {
                let at = next(changed.len());
                changed[at] = next(256) as u8;
            }
            let _record = ProcessRecord::read(name, &changed);
        }
    }
}

/// Each takes far longer than a minute if a line is read again for every other.
#[test]
fn texts_of_long_lines_are_read_once() {
    let generation = format!(" def new generation total 1K, used 1K [{}\n", "1,".repeat(1 << 20));
    let spaces = " the space 1K, 0% used [1, 2)\n".repeat(100_000);
    let columns = format!("{} Address Perm Size Rss Mapping\n{}", "a ".repeat(1 << 20), "1 r 1 1 a\n".repeat(100_000));
    let braces = format!("{{\"javascriptHeap\":{{}},\"header\":[{}1]}}", "[],".repeat(1 << 20));
    for text in [generation + &spaces, columns, braces] {
        let _record = ProcessRecord::read("long", text.as_bytes());
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let text = vec![b' '; (64 << 20) + 1];
    assert!(matches!(ProcessRecord::read("large", &text), Err(UnreadableRecord::TooLarge(..))));
}

#[test]
fn a_list_of_our_own_record_is_bounded() {
    let json = format!(r#"{{"heaplens_process":1,"mappings":[{}{{}}],"pid":7}}"#, "{},".repeat(1_000_005));
    let record = ProcessRecord::read("a", json.as_bytes()).unwrap();
    assert_eq!((record.mappings.len(), record.pid), (1_000_000, Some(7)));
    let deep = format!(r#"{{"heaplens_process":1,"later":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert!(ProcessRecord::read("a", deep.as_bytes()).is_ok());
}

#[test]
fn mappings_are_bounded() {
    let line = "1000-2000 rw-p 0 0:0 0\nRss: 4 kB\n";
    let record = ProcessRecord::read("smaps", line.repeat(1_000_001).as_bytes()).unwrap();
    assert_eq!((record.mappings.len(), record.gaps.len()), (1_000_000, 1));
}
