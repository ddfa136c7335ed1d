//! Files that are truncated, damaged or inconsistent.

use std::fmt::Write;

use heaplens_dump::OpenOptions;
use heaplens_heap::Severity;
use heaplens_testkit::ibm_text::{self, Variant};
use heaplens_testkit::phd::{self, ClassRecord, Form, Writer};
use heaplens_testkit::random::Random;

use super::{heap_of, open_bytes, try_bytes, warnings};

/// Small dumps of all forms.
fn tiny() -> Vec<Vec<u8>> {
    let sketch = heap_of(5, 6);
    let phds = Form::all().into_iter().map(|form| phd::write(&sketch, form));
    let texts = Variant::ALL.into_iter().map(|variant| {
        ibm_text::write(&sketch, ibm_text::Form { variant, end: "\n", wrong_by: 0 }, |_| 16).into_bytes()
    });
    phds.chain(texts).collect()
}

#[test]
fn every_truncation_opens_or_reports_why() {
    let options = OpenOptions::default();
    for complete in tiny() {
        let all = open_bytes(&complete, &options).facts.heap.len();
        let is_text = !complete.starts_with(b"\0");
        let mut most = 0;
        // Every place of a form near the beginning and the end, some between.
        let step = (complete.len() / 25).max(1);
        for end in (0..complete.len()).filter(|end| end % step == 0 || end + 20 > complete.len() || *end < 40) {
            match try_bytes(&complete[..end], &options) {
                Ok(dump) => {
                    let heap = &dump.facts.heap;
                    assert!(heap.len() <= all && heap.len() >= most);
                    most = heap.len();
                    let warnings = warnings(&dump);
                    // The last line of a text is complete without its line end, and without trailing zeros if there are
                    // none.
                    let is_last = is_text && complete[end..].iter().all(|b| b"(0)\r\n".contains(b));
                    assert!(is_last || !warnings.is_empty(), "{} of {} bytes: nothing is said", end, complete.len());
                }
                Err(error) => {
                    assert!(most == 0, "{error}");
                    assert!(error.contains("expected"), "{error}");
                }
            }
        }
        assert!(most > all / 2);
    }
}

#[test]
fn flipped_bytes_do_no_harm() {
    let options = OpenOptions::default();
    for (nth, complete) in (0..).zip(tiny()) {
        let mut random = Random::new(nth);
        for _ in 0..40 {
            let mut bytes = complete.clone();
            for _ in 0..random.between(1, 4) {
                let index = random.below(bytes.len() as u32) as usize;
                bytes[index] = random.number() as u8;
            }
            // A heap or an error: either is an answer.
            let _answer = try_bytes(&bytes, &options).map(|dump| {
                let heap = &dump.facts.heap;
                for object in heap.objects() {
                    let _read = dump.facts.contents.fields(heap, object);
                    let _named = dump.facts.contents.elements(heap, object, 0..10);
                }
            });
        }
    }
}

#[test]
fn a_bad_tag_ends_reading_and_is_noted() {
    let sketch = heap_of(2, 50);
    let mut bytes = phd::write(&sketch, Form { classes_first: true, ..Form::MODERN });
    let complete = open_bytes(&bytes, &OpenOptions::default()).facts.heap.len();
    bytes.pop();
    let at = bytes.len() as u64;
    bytes.extend([0x1f, 3, 3]);
    let dump = open_bytes(&bytes, &OpenOptions::default());
    assert_eq!(dump.facts.heap.len(), complete);
    let message = "unknown record tag 0x1f: the remaining 3 bytes could not be read".to_owned();
    assert_eq!(warnings(&dump), [(Severity::DataLost, 1, message, Some(at))]);
}

#[test]
fn a_transfer_as_text_is_recognised() {
    let bytes = [0x00, 0x12, 0xd7, 0x3f, 0x94, 0xb1, 0x2f, 0xdf, 0x3f, 0x3f];
    let error = try_bytes(&bytes, &OpenOptions::default()).map(|_| ()).expect_err("nothing of it can be read");
    assert!(error.contains("text mode") && error.contains("at byte 2"), "{error}");
}

#[test]
fn a_wrong_trailer_is_noted() {
    let sketch = heap_of(4, 50);
    let form = ibm_text::Form { variant: Variant::Findroots, end: "\n", wrong_by: 3 };
    let text = ibm_text::write(&sketch, form, |_| 16);
    let dump = open_bytes(text.as_bytes(), &OpenOptions::default());
    let messages = warnings(&dump);
    let objects = dump.facts.heap.len();
    let [(Severity::Error, 1, message, Some(at))] = &messages[..] else { panic!("{messages:?}") };
    assert!(message.starts_with(&format!("the last line declares {} objects", objects + 3)), "{message}");
    assert_eq!(text.find("// EOF"), Some(*at as usize));
}

#[test]
fn objects_at_one_address_count_once() {
    let text =
        "// Version: x\n0x10 [16] A 0x20\n0x20 [16] B\n0x10 [24] C\n// EOF:  Total 'Objects',Refs(null) : 3,1(0)\n";
    let dump = open_bytes(text.as_bytes(), &OpenOptions::default());
    let heap = &dump.facts.heap;
    let classes: Vec<&str> = heap.objects().map(|object| &*heap.class(object).name).collect();
    assert_eq!(classes, ["C", "B"]);
    assert_eq!(warnings(&dump).len(), 1);
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, Form::MODERN).expect("a header");
    for class in ["A", "B"] {
        let id = 0x1000 + u64::from(class.as_bytes()[0]) * 8;
        let record = ClassRecord { id, instance_bytes: 24, superclass: 0, name: class, references: &[] };
        writer.class(&record).expect("a class");
        writer.instance(0x8000, id, &[0x1000 + 65 * 8]).expect("an instance");
    }
    writer.end().expect("an end");
    let dump = open_bytes(&bytes, &OpenOptions::default());
    let heap = &dump.facts.heap;
    let object = heap.at(heaplens_heap::Address(0x8000)).expect("it exists");
    assert_eq!((&*heap.class(object).name, heap.references(object).len()), ("A", 1));
    assert_eq!(warnings(&dump)[0].1, 1);
}

/// A list of 200,000 nodes, in both formats: nothing recurses.
#[test]
fn a_long_chain_is_read() {
    let (first, many) = (0x1000_0000_u64, 200_000);
    let id = |nth: u64| first + nth * 24;
    let mut text = "// Version: x\n".to_owned();
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, Form::MODERN).expect("a header");
    for nth in 0..many {
        let next = if nth + 1 < many { vec![id(nth + 1)] } else { Vec::new() };
        let list: Vec<String> = next.iter().map(|to| format!(" {to:#x}")).collect();
        let _written = writeln!(text, "{:#x} [24] Link{}", id(nth), list.concat());
        writer.instance(id(nth), 0x100, &next).expect("an instance");
    }
    let record = ClassRecord { id: 0x100, instance_bytes: 24, superclass: 0, name: "Link", references: &[] };
    writer.class(&record).expect("a class");
    writer.end().expect("an end");
    for file in [text.as_bytes(), &bytes] {
        let dump = open_bytes(file, &OpenOptions::default());
        let heap = &dump.facts.heap;
        let head = heap.at(heaplens_heap::Address(first)).expect("it exists");
        assert_eq!(dump.analysis.retained(head).0, 24 * many);
        assert_eq!(dump.analysis.dominated_count(head), many - 1);
    }
}

#[test]
fn counts_beyond_the_file_size_allocate_nothing() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, Form::MODERN).expect("a header");
    writer.instance(0x8000, 0x100, &[]).expect("an instance");
    writer.end().expect("an end");
    bytes.pop();
    // An array that claims four thousand million references, and a class with as many.
    for tag in [8_u8, 4, 6] {
        let mut bytes = bytes.clone();
        bytes.extend([tag, 0x30, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0xff, 0xff, 0xff, 0xff]);
        let dump = open_bytes(&bytes, &OpenOptions::default());
        assert_eq!(dump.facts.heap.len(), 1);
        assert!(warnings(&dump).iter().any(|(_, _, message, _)| message.contains("truncated inside a record")));
    }
}
