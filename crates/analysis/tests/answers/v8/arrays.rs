//! An array that was made with its length is bounded; one with room for more grows.

use heaplens_analysis::leaks::Group;
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
    let findings = crate::leaks_of(&dump);
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

#[test]
fn names_of_elements_of_a_long_array_are_the_same_however_often_they_are_asked() {
    const LONG: u32 = 600;
    let mut made = Snapshot::default();
    let root = made.add("synthetic", "", 1, 0);
    let array = made.add("object", "Array", 3, 32);
    made.name(root, "shortcut", "0: array", array);
    let elements: Vec<usize> = (0..LONG).map(|at| made.add("object", "Answer", u64::from(5 + 2 * at), 16)).collect();
    for at in 0..LONG {
        // Each stands twice in the array, in another order.
        made.number(array, "element", at, elements[at as usize]);
    }
    (0..LONG).for_each(|at| made.number(array, "element", LONG + at, elements[(LONG - 1 - at) as usize]));
    made.name(array, "property", "last", elements[0]);
    let dump = open(&write(&made, &Form::node20()), Mode::DevTools);
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let array = heap.find("@3").expect("the array");
    for round in 0..3 {
        for at in [0, 1, 299, 300, 598, 599_u32] {
            let element = heap.find(&format!("@{}", 5 + 2 * at)).expect("an element");
            let names = contents.reference_names(heap, array, element, usize::MAX);
            let mut names: Vec<String> = names.into_iter().map(|name| name.text).collect();
            let mut expected = vec![format!("[{at}]"), format!("[{}]", LONG + LONG - 1 - at)];
            expected.extend((at == 0).then(|| "last".to_owned()));
            names.sort();
            expected.sort();
            assert_eq!(names, expected, "round {round}");
            assert_eq!(contents.reference_names(heap, array, element, 1)[0].text, format!("[{at}]"), "round {round}");
        }
    }
}
