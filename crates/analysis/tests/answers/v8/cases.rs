//! Snapshots of a few nodes, whose answers can be worked out by hand.

use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::snapshot::Snapshot as Made;
use heaplens_testkit::v8::write::write;

use super::naive::comparison::comparison;
use super::naive::statistics::statistics;
use super::naive::strings::duplicates;
use super::naive::{Mode, Snapshot, names};

/// The root, the engine's roots and a global object, the parents of the nodes added next.
fn small() -> (Made, [usize; 3]) {
    let mut made = Made::default();
    let root = made.add("synthetic", "", 1, 0);
    let machine = made.add("synthetic", "(GC roots)", 3, 0);
    let global = made.add("object", "global", 5, 10);
    made.number(root, "element", 1, machine);
    made.name(root, "shortcut", "0: global", global);
    (made, [root, machine, global])
}

fn devtools(made: &Made) -> Snapshot {
    Snapshot::of(&write(made, &Form::node20()), Mode::DevTools)
}

fn class(of: &Snapshot, node: usize) -> String {
    of.classes.names[node].to_string()
}

fn shown(of: &Snapshot, node: usize) -> String {
    String::from_utf16_lossy(&names::display(&of.graph, node))
}

#[test]
fn nodes_owned_by_pages_are_not_dominated_by_the_engine() {
    let (mut made, [root, machine, global]) = small();
    let cart = made.add("object", "Cart", 7, 20);
    made.name(global, "property", "cart", cart);
    made.number(machine, "element", 1, cart);
    let of = devtools(&made);
    assert_eq!((of.dominators[cart], of.retained[global]), (global, 30));
    assert_eq!((of.distances[global], of.distances[cart], of.distances[root]), (1, 2, 100_000_000));
    let raw = Snapshot::of(&write(&made, &Form::node20()), Mode::Raw);
    assert_eq!((raw.dominators[cart], raw.retained[global]), (root, 10));
}

#[test]
fn objects_with_one_retainer_are_counted_there() {
    let (mut made, [_, machine, global]) = small();
    let (one, two) = (made.add("object", "Map", 7, 20), made.add("object", "Map", 9, 20));
    let (table, inner, shared) =
        (made.add("array", "", 11, 100), made.add("hidden", "x", 13, 5), made.add("array", "", 15, 7));
    let alone = made.add("hidden", "y", 17, 9);
    made.name(global, "property", "one", one);
    made.name(global, "property", "two", two);
    made.name(one, "internal", "table", table);
    made.name(table, "internal", "inner", inner);
    made.name(one, "internal", "shared", shared);
    made.name(two, "internal", "shared", shared);
    made.number(machine, "element", 1, alone);
    let of = devtools(&made);
    assert_eq!([one, two, table, inner, shared, alone].map(|node| of.sizes[node]), [125, 20, 0, 0, 7, 9]);
    let raw = Snapshot::of(&write(&made, &Form::node20()), Mode::Raw);
    assert_eq!(raw.sizes[one], 20);
}

#[test]
fn an_entry_of_a_weak_map_is_held_by_its_key() {
    let (mut made, [_, _, global]) = small();
    let (table, far) = (made.add("array", "", 7, 10), made.add("object", "Far", 9, 10));
    let (key, value) = (made.add("object", "Key", 11, 10), made.add("object", "Value", 13, 50));
    made.name(global, "property", "table", table);
    made.name(global, "property", "far", far);
    made.name(far, "property", "key", key);
    let both = " / part of key (Key @11) -> value (Value @13) pair in WeakMap (table @7)";
    made.name(table, "internal", format!("2{both}"), value);
    made.name(key, "internal", format!("3{both}"), value);
    let of = devtools(&made);
    assert_eq!((of.dominators[value], of.distances[value]), (key, 4), "one step from the farther of the two");
    // A name with a line break does not match.
    for edge in made.nodes.iter_mut().flat_map(|node| &mut node.edges) {
        if edge.to == value {
            edge.label =
                heaplens_testkit::v8::snapshot::Label::Name(format!("2{both}").replace("Key @", "Ke\ny @").into());
        }
    }
    let of = devtools(&made);
    assert_eq!((of.dominators[value], of.distances[value]), (global, 3));
}

#[test]
fn weak_and_shortcut_edges_hold_nothing() {
    let (mut made, [root, _, global]) = small();
    let (weak, short, ring) =
        (made.add("object", "A", 7, 1), made.add("object", "B", 9, 1), made.add("object", "C", 11, 1));
    let below = made.add("object", "D", 13, 1);
    made.name(global, "weak", "1", weak);
    made.name(weak, "property", "below", below);
    made.name(global, "shortcut", "s", short);
    made.name(ring, "property", "self", ring);
    let of = devtools(&made);
    assert_eq!([weak, short, ring, below].map(|node| of.dominators[node]), [root, root, root, weak]);
    assert_eq!([weak, short, ring].map(|node| of.distances[node]), [-5, 2, -5]);
}

#[test]
fn attached_goes_before_detached_and_neither_goes_through_script() {
    let (mut made, [_, _, global]) = small();
    let missing = made.add("native", "HTMLLIElement", 8, 1);
    let below = made.add("native", "<b class=x>", 10, 1);
    let stored = made.add("native", "HTMLDivElement", 12, 1);
    let both = made.add("native", "Text", 14, 1);
    let script = made.add("object", "Handler", 15, 1);
    let after = made.add("native", "Text", 16, 1);
    made.name(global, "property", "lost", missing);
    made.number(missing, "element", 1, below);
    made.number(missing, "element", 2, both);
    made.number(stored, "element", 1, both);
    made.number(missing, "element", 3, script);
    made.number(script, "element", 1, after);
    (made.nodes[missing].detachedness, made.nodes[stored].detachedness, made.nodes[script].detachedness) = (2, 1, 2);
    let of = devtools(&made);
    assert_eq!([missing, below, stored, both, script, after].map(|node| of.detachedness[node]), [2, 2, 1, 1, 2, 0]);
    assert_eq!(
        [missing, below, script].map(|node| class(&of, node)),
        ["Detached HTMLLIElement", "Detached <b>", "Handler"]
    );
}

#[test]
fn plain_objects_are_named_by_their_shape() {
    let (mut made, [_, _, global]) = small();
    let mut object = |id: u64, names: &[&str]| {
        let object = made.add("object", "Object", id, 8);
        made.number(global, "element", id as u32, object);
        names.iter().for_each(|&name| made.name(object, "property", name, global));
        object
    };
    let pairs = [object(7, &["a", "b"]), object(9, &["a", "b"]), object(11, &["__proto__", "b", "a"])];
    let quoted = [object(13, &["x, y"]), object(15, &["x, y"])];
    let (none, more) = (object(17, &["c"]), object(19, &["c", "a", "x, y", "b"]));
    let long = object(
        21,
        &[
            "first of the names",
            "second of the names",
            "third of the names",
            "fourth of the names",
            "fifth of the names",
            "sixth",
        ],
    );
    let of = devtools(&made);
    assert_eq!(pairs.map(|node| class(&of, node)), ["{a, b}"; 3]);
    assert_eq!(quoted.map(|node| class(&of, node)), ["{\"x, y\"}"; 2]);
    assert_eq!([none, more].map(|node| class(&of, node)), ["Object", "{a, b}"]);
    assert_eq!(shown(&of, more), "{c, a, \"x, y\", b}");
    assert_eq!(
        shown(&of, long),
        "{first of the names, second of the names, third of the names, …, fifth of the names, sixth}"
    );
}

#[test]
fn nested_instances_of_a_class_are_retained_once() {
    let (mut made, [_, _, global]) = small();
    let (outer, inner) = (made.add("closure", "f", 7, 10), made.add("closure", "g", 9, 20));
    let (text, named) = (made.add("string", "t", 11, 40), made.add("object", "Function", 13, 80));
    made.name(global, "property", "f", outer);
    made.name(outer, "context", "g", inner);
    made.name(inner, "property", "t", text);
    made.name(global, "property", "n", named);
    let table = devtools(&made).table(|_| true);
    let functions: Vec<_> = table.iter().filter(|group| group.name == "Function").collect();
    assert_eq!(
        functions.iter().map(|group| (group.members.len(), group.retained)).collect::<Vec<_>>(),
        [(2, 70), (1, 80)]
    );
    assert_eq!(functions.iter().map(|group| group.is_lost).collect::<Vec<_>>(), [true, false], "the later one stays");
}

#[test]
fn strings_are_equal_by_value() {
    let (mut made, [_, _, global]) = small();
    let strings: Vec<usize> = [("string", "ab", 7), ("string", "a", 9), ("string", "b", 11), ("string", "", 13)]
        .map(|(kind, text, id)| made.add(kind, text, id, 16))
        .to_vec();
    let (rope, flat) = (made.add("concatenated string", "", 15, 20), made.add("concatenated string", "", 17, 20));
    for (of, [first, second]) in [(rope, [strings[1], strings[2]]), (flat, [strings[0], strings[3]])] {
        made.name(of, "internal", "first", first);
        made.name(of, "internal", "second", second);
        made.name(global, "property", "s", of);
    }
    let of = devtools(&made);
    let actual = duplicates(&of);
    assert_eq!(actual.len(), 1);
    assert_eq!((&*actual[0].text, &actual[0].members[..], actual[0].self_size), ("ab", &[strings[0], rope][..], 36));
    assert_eq!(statistics(&of).strings, 4 * 16 + 2 * 20);
}

#[test]
fn an_object_of_another_class_is_added_and_removed() {
    let (mut made, [_, _, global]) = small();
    let (cart, removed) = (made.add("object", "Cart", 7, 20), made.add("object", "Gone", 9, 4));
    made.name(global, "property", "cart", cart);
    made.name(global, "property", "gone", removed);
    let before = devtools(&made);
    made.nodes[cart].name = "Basket".into();
    let after = devtools(&made.only(|node| node != removed));
    let changes = comparison(&before, &after);
    let rows: Vec<_> = changes.values().map(|change| (&*change.name, &change.new[..], &change.deleted[..])).collect();
    assert_eq!(rows, [("Basket", &[(7, 20)][..], &[][..]), ("Cart", &[], &[(7, 20)]), ("Gone", &[], &[(9, 4)])]);
}
