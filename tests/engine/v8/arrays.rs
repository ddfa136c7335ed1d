//! An array that was made with its length is bounded; one with room for more grows.

use heaplens_analysis::leaks::{Group, LeakQuery, leaks, rules::LeakRules, usual_least};
use heaplens_analysis::naming::{NameIndex, Namer};
use heaplens_base::Task;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::snapshot::Snapshot;
use heaplens_testkit::v8::write::write;

use super::naive::Mode;
use super::reader::open;

/// Number of elements.
const ELEMENTS: u32 = 200;

/// Group of the finding about `Gateway.answers`, an array with room for so many elements in words of so many bytes.
fn group(room: u64, word: u64) -> Option<Group> {
    let mut made = Snapshot::default();
    let root = made.add("synthetic", "", 1, 0);
    let global = made.add("object", "global", 3, 10);
    made.name(root, "shortcut", "0: global", global);
    let gateway = made.add("object", "Gateway", 5, 32);
    made.name(global, "property", "gateway", gateway);
    let array = made.add("object", "Array", 7, 4 * word);
    made.name(gateway, "property", "answers", array);
    let store = made.add("array", "(object elements)", 9, (2 + room) * word);
    made.name(array, "internal", "elements", store);
    for at in 0..ELEMENTS {
        let element = made.add("object", "Answer", u64::from(11 + 2 * at), 400);
        made.number(array, "element", at, element);
    }
    let dump = open(&write(&made, &Form::node20()), Mode::DevTools);
    let (heap, contents, analysis) = (&*dump.facts.heap, &*dump.facts.contents, &*dump.analysis);
    let task = &Task::new();
    let index =
        &NameIndex::new(heap, contents, analysis, (*dump.runtime_classes).clone(), task).expect("not cancelled");
    let namer = Namer { heap, contents, analysis, index };
    let question = LeakQuery { namer, rules: &LeakRules::default(), least: usual_least(analysis.shown.shallow) };
    let findings = leaks(question, task).expect("not cancelled");
    findings.iter().find(|finding| finding.label == "Gateway.answers").map(|finding| finding.group)
}

#[test]
fn an_array_without_room_is_bounded() {
    for word in [4, 8] {
        let elements = u64::from(ELEMENTS);
        assert_eq!(group(elements, word), Some(Group::Bounded), "{word}");
        assert_eq!(group(elements + 1, word), Some(Group::Leak), "{word}");
        assert_eq!(group(elements + elements / 2 + 16, word), Some(Group::Leak), "{word}");
    }
}
