//! The lists of credentials and of texts that only look like some, each in a dump of the Java VM and in a snapshot of V8.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use heaplens_analysis::secrets::{SecretEvidence, SecretGroup, secrets};
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::{Body, Sketch, Value};
use heaplens_testkit::v8::form::Form as SnapshotForm;
use heaplens_testkit::v8::snapshot::Snapshot;
use heaplens_testkit::v8::write::write as write_snapshot;

use super::super::open_bytes;
use super::template::{Entry, entries};

const SHAPES: &str = include_str!("shapes.txt");
const LOOK_ALIKES: &str = include_str!("look-alikes.txt");
/// Places of the Java VM: snapshots of V8 have no contents of bytes.
const OF_JAVA: [&str; 5] = ["bytes", "bytes16", "bytefield", "builder", "list"];
/// Number of times that each list is filled in: a rule must not depend on luck.
const ROUNDS: u64 = 3;

/// Classes with one field each, and the objects of all entries in the notation. Texts that it cannot write are replaced.
fn sketch(values: &[(String, &Entry, Vec<u8>)]) -> Sketch {
    let mut text = String::from(
        "class java.util.HashMap$Node\n  field key: object\n  field value: object\n\
         class java.util.ArrayList\n  field size: int\n  field elementData: object\n\
         class java.lang.ProcessEnvironment$Variable\n  field str: object\n\
         class java.lang.ProcessEnvironment$Value\n  field str: object\n",
    );
    let mut objects = String::new();
    let mut replaced = BTreeMap::new();
    let bytes = |bytes: &[u8]| bytes.iter().fold(String::new(), |all, byte| format!("{all} {}", byte.cast_signed()));
    for (nth, (name, entry, value)) in values.iter().enumerate() {
        let mut string = |label: &str, value: &[u8]| match std::str::from_utf8(value) {
            Ok(plain) if !plain.contains(['"', '\n', '\r', '\\']) => format!("{label} = \"{plain}\"\n"),
            _ => {
                replaced.insert(format!("@@{label}@@").into_bytes(), value.to_vec());
                format!("{label} = \"@@{label}@@\"\n")
            }
        };
        let units = || String::from_utf8_lossy(value).encode_utf16().collect::<Vec<u16>>();
        let (label, key) = (format!("v{nth}"), format!("k{nth}"));
        let held = match entry.location {
            "charfield" | "chars" | "mapchars" => {
                units().iter().fold(format!("{label} = char[]"), |all, unit| format!("{all} {unit}")) + "\n"
            }
            "bytes16" => {
                let units: Vec<u8> = units().iter().flat_map(|unit| unit.to_le_bytes()).collect();
                format!("{label} = byte[]{}\n", bytes(&units))
            }
            "builder" => format!("{label} = byte[]{}\n", bytes(&[&value[..], &[0; 40]].concat())),
            "bytes" | "bytefield" => format!("{label} = byte[]{}\n", bytes(value)),
            _ => string(&label, value),
        };
        objects.push_str(&held);
        let field = match entry.location {
            "field" | "object" | "charfield" | "bytefield" => entry.key,
            _ => "held",
        };
        let _fits = writeln!(text, "class {name}\n  field {field}: object");
        let to = match entry.location {
            "map" | "mapchars" | "props" => {
                objects.push_str(&string(&key, entry.key.as_bytes()));
                let _fits = writeln!(objects, "n{nth} = java.util.HashMap$Node key={key} value={label}");
                format!("n{nth}")
            }
            "list" => {
                objects.push_str(&string(&key, entry.key.as_bytes()));
                let _fits = writeln!(
                    objects,
                    "a{nth} = java.lang.Object[] {label}\n\
                     l{nth} = java.util.ArrayList size=1 elementData=a{nth}\n\
                     n{nth} = java.util.HashMap$Node key={key} value=l{nth}"
                );
                format!("n{nth}")
            }
            "env" => {
                objects.push_str(&string(&key, entry.key.as_bytes()));
                let _fits = writeln!(
                    objects,
                    "x{nth} = java.lang.ProcessEnvironment$Variable str={key}\n\
                     y{nth} = java.lang.ProcessEnvironment$Value str={label}\n\
                     n{nth} = java.util.HashMap$Node key=x{nth} value=y{nth}"
                );
                format!("n{nth}")
            }
            _ => label,
        };
        let _fits = writeln!(objects, "o{nth} = {name} {field}={to}");
    }
    let all: Vec<String> = (0..values.len()).map(|nth| format!("o{nth}")).collect();
    let mut sketch =
        notation::read(&format!("{text}{objects}all = java.lang.Object[] {}\nroot all global", all.join(" ")))
            .expect("a heap");
    for object in &mut sketch.objects {
        let Body::Primitives { elements, .. } = &mut object.body else { continue };
        let bytes = elements.iter().map(|value| if let Value::Byte(byte) = value { byte.cast_unsigned() } else { 0 });
        if let Some(value) = replaced.get(&bytes.collect::<Vec<u8>>()) {
            *elements = value.iter().map(|byte| Value::Byte(byte.cast_signed())).collect();
        }
    }
    sketch
}

/// The same as properties and entries of objects of JavaScript.
fn snapshot(values: &[(String, &Entry, Vec<u8>)]) -> Snapshot {
    let mut made = Snapshot::default();
    let root = made.add("synthetic", "", 1, 0);
    let global = made.add("object", "global", 3, 40);
    made.name(root, "shortcut", "0: global", global);
    let mut id = 3;
    let mut add = |made: &mut Snapshot, kind: &'static str, name: &str| {
        id += 2;
        made.add(kind, name.to_owned(), id, 24)
    };
    for (name, entry, value) in values {
        let value = String::from_utf8_lossy(value);
        let holder = add(&mut made, "object", name);
        made.name(global, "property", name.clone(), holder);
        let half = value.floor_char_boundary(value.len() / 2);
        let string = match entry.location {
            "sliced" => {
                let string = add(&mut made, "sliced string", "(sliced string)");
                let parent = add(&mut made, "string", &value);
                made.name(string, "internal", "parent", parent);
                string
            }
            "concat" => {
                let string = add(&mut made, "concatenated string", "(concatenated string)");
                for (part, text) in [("first", &value[..half]), ("second", &value[half..])] {
                    let part_of = add(&mut made, "string", text);
                    made.name(string, "internal", part, part_of);
                }
                string
            }
            _ => add(&mut made, "string", &value),
        };
        match entry.location {
            "map" | "mapchars" => {
                let (map, table) = (add(&mut made, "object", "Map"), add(&mut made, "array", ""));
                let key = add(&mut made, "string", entry.key);
                // Three numbers, two buckets, and three of each of four entries.
                made.nodes[table].self_size = 8 * (5 + 2 * (1 + 2 * 3));
                made.name(holder, "property", "entries", map);
                made.name(map, "internal", "table", table);
                made.name(table, "internal", "5", key);
                made.name(table, "internal", "6", string);
            }
            _ if entry.key != "-" => made.name(holder, "property", entry.key, string),
            _ => made.name(holder, "property", "held", string),
        }
    }
    made
}

/// Names of the entries among the owners and holders of what was found, with the kinds.
fn found_in(dump: &Dump, values: &[(String, &Entry, Vec<u8>)]) -> BTreeMap<String, (&'static str, SecretEvidence)> {
    let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
    let actual = secrets(dump.data(), &Task::new()).expect("not cancelled");
    let names: BTreeSet<&str> = values.iter().map(|(name, ..)| name.as_str()).collect();
    let mut of_names: BTreeMap<String, (&'static str, SecretEvidence)> = BTreeMap::new();
    for SecretGroup { kind, objects, evidence, .. } in actual.groups {
        for object in objects {
            // The first object above whose class is that of an entry.
            let above = std::iter::successors(Some(object), |&below| analysis.immediate_dominator(below));
            let name = above.map(|above| heap.class(above).name.to_string()).find(|name| names.contains(name.as_str()));
            of_names.insert(name.unwrap_or_else(|| format!("{object:?}")), (kind, evidence));
        }
    }
    of_names
}

/// Entries of a list that are found, and those that are not.
fn search(
    list: &'static str,
    seed: u64,
    is_snapshot: bool,
) -> (BTreeMap<String, (&'static str, SecretEvidence)>, Vec<String>) {
    let mut random = Random::new(seed);
    let all = entries(list);
    let tried = all.iter().filter(|entry| !is_snapshot || !OF_JAVA.contains(&entry.location));
    let values: Vec<(String, &Entry, Vec<u8>)> =
        tried.map(|entry| (format!("e.{}", entry.name.replace('-', "_")), entry, entry.value(&mut random))).collect();
    let bytes = if is_snapshot {
        write_snapshot(&snapshot(&values), &SnapshotForm::node20()).into_bytes()
    } else {
        write(&sketch(&values), Form::MODERN)
    };
    let actual = found_in(&open_bytes(bytes, &OpenOptions::default()), &values);
    let missed = values.iter().filter(|(name, ..)| !actual.contains_key(name)).map(|(name, ..)| name.clone());
    let missed = missed.collect();
    (actual, missed)
}

#[test]
fn all_shapes_are_found() {
    assert!(entries(SHAPES).len() >= 200);
    for (seed, is_snapshot) in (0..ROUNDS).flat_map(|seed| [(seed, false), (seed, true)]) {
        let (actual, missed) = search(SHAPES, seed, is_snapshot);
        assert_eq!(missed, Vec::<String>::new(), "seed {seed}, snapshot {is_snapshot}");
        let kind = |name: &str| actual.get(name).map(|(kind, evidence)| (*kind, evidence.certainty()));
        assert_eq!(kind("e.github_classic"), Some(("github-token", "high")));
        assert_eq!(kind("e.map_db_password"), Some(("password", "medium")));
        assert_eq!(kind("e.datadog_env"), Some(("secret", "medium")));
    }
}

#[test]
fn no_look_alike_is_found() {
    assert!(entries(LOOK_ALIKES).len() >= 140);
    for (seed, is_snapshot) in (0..ROUNDS).flat_map(|seed| [(seed, false), (seed, true)]) {
        let (actual, _) = search(LOOK_ALIKES, seed, is_snapshot);
        // With low certainty only: a token with a wrong checksum may be of a server of another kind, and a random text
        // in base64 is a token as often as not.
        let wrong = actual.iter().filter(|(name, (_, evidence))| {
            !(["e.ghp_badcrc", "e.nonce_b64"].contains(&name.as_str()) && evidence.certainty() == "low")
        });
        assert_eq!(wrong.collect::<Vec<_>>(), [], "seed {seed}, snapshot {is_snapshot}");
    }
}
