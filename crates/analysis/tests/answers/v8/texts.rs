//! Texts of which a snapshot has a part, or nothing: they are not compared, and shown as what they are.

use std::collections::{BTreeMap, BTreeSet};

use heaplens_analysis::strings::duplicate_strings;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::contents::MISSING;
use heaplens_heap::{ObjectId, RecordedText};
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::texts::{KnownStrings, Representation, TextForm};
use heaplens_testkit::v8::write::write;

use super::naive::Mode;
use super::reader::open;

/// All forms of snapshots.
fn forms() -> impl Iterator<Item = TextForm> {
    let flags = |bits: usize| [bits & 1 > 0, bits & 2 > 0, bits & 4 > 0];
    (0..8).flat_map(move |bits| {
        let [is_wide, has_maps, has_lengths] = flags(bits);
        [0, 20, 1_024].map(|limit| TextForm { limit, is_wide, has_maps, has_lengths })
    })
}

fn at(dump: &Dump, node: usize) -> ObjectId {
    dump.facts.heap.find(&format!("@{}", node * 2 + 1)).expect("it exists")
}

/// Strings are called equal only if they are, and all are that have their text in the file.
#[test]
fn duplicates_are_those_of_whole_texts() {
    let (mut groups, mut partial) = (0, 0);
    for (form_at, form) in forms().enumerate() {
        for seed in 0..12 {
            let known = KnownStrings::random(seed * 100 + form_at as u64, form);
            let dump = open(&write(&known.snapshot, &Form::node20()), Mode::Raw);
            let actual = duplicate_strings(dump.data(), &Task::new()).expect("not cancelled");
            let node_of: BTreeMap<ObjectId, usize> =
                known.strings.iter().map(|string| (at(&dump, string.node), string.node)).collect();
            let text_of: BTreeMap<usize, &[u16]> =
                known.strings.iter().map(|string| (string.node, &string.text[..])).collect();
            let mut claimed = BTreeSet::new();
            for group in &actual.groups {
                let members: Vec<usize> =
                    actual.members(group).iter().filter_map(|object| node_of.get(object).copied()).collect();
                let texts: BTreeSet<&[u16]> = members.iter().map(|node| text_of[node]).collect();
                // Others are the digits of numbers.
                assert!(texts.len() <= 1, "{form:?}, seed {seed}: {members:?} are not equal: {texts:?}");
                let bytes: Vec<u64> = members.iter().map(|&node| known.snapshot.nodes[node].self_size).collect();
                if members.len() as u64 == group.objects {
                    assert_eq!(group.shallow.0, bytes.iter().sum::<u64>());
                    assert_eq!(group.wasted.0, bytes.iter().sum::<u64>() - bytes.iter().min().expect("two"));
                }
                claimed.extend(members);
            }
            let mut by_text: BTreeMap<&[u16], Vec<usize>> = BTreeMap::new();
            for string in known.strings.iter().filter(|string| string.is_recorded) {
                by_text.entry(&string.text).or_default().push(string.node);
            }
            for members in by_text.into_values().filter(|members| members.len() > 1) {
                let missing: Vec<&usize> = members.iter().filter(|node| !claimed.contains(node)).collect();
                assert!(missing.is_empty(), "{form:?}, seed {seed}: {missing:?} of {members:?} are not found");
                groups += 1;
            }
            partial += actual.uncompared.partial;
        }
    }
    assert!(groups > 300 && partial > 500, "{groups} groups, {partial} cut texts");
}

/// What is said of a text is true: a whole one is the text of the program, of others the recorded part is shown with marks.
#[test]
fn recorded_texts_are_those_of_the_program() {
    for (form_at, form) in forms().enumerate() {
        for seed in 0..6 {
            let known = KnownStrings::random(seed * 77 + form_at as u64, form);
            let dump = open(&write(&known.snapshot, &Form::node20()), Mode::Raw);
            let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
            for string in &known.strings {
                let object = at(&dump, string.node);
                let complete = String::from_utf16_lossy(&string.text);
                let (recorded, text) = (contents.recorded_text(heap, object), contents.text(heap, object, 100_000));
                let what = format!("{form:?}, seed {seed}: {:?} {complete:?}", string.representation);
                match recorded {
                    RecordedText::Whole => assert_eq!(text.as_deref(), Some(&*complete), "{what}"),
                    RecordedText::Beginning { total, is_exact, .. } => {
                        let text = text.expect("the beginning");
                        let shown = text.strip_suffix(MISSING);
                        assert_eq!(shown.is_some(), total.is_some(), "{what}: {text:?}");
                        let shown = shown.unwrap_or(&text);
                        assert!(shown.contains('?') || complete.starts_with(shown), "{what}: {shown:?}");
                        let about = total.is_none_or(|total| total.abs_diff(string.text.len() as u64) < 8);
                        assert!(about && (!is_exact || total == Some(string.text.len() as u64)), "{what}: {total:?}");
                    }
                    RecordedText::Parts => assert!(text.is_some(), "{what}"),
                    RecordedText::Nothing => {
                        assert!(matches!(string.representation, Representation::Slice(_)), "{what}");
                        assert_eq!(text, None, "{what}");
                        let label = contents.label(heap, object).expect("a label");
                        assert!(label.starts_with("part of \""), "{what}: {label}");
                    }
                    RecordedText::Unavailable => panic!("{what}: the file is there"),
                }
                assert!(!string.is_recorded || recorded == RecordedText::Whole, "{what}: {recorded:?}");
            }
        }
    }
}
