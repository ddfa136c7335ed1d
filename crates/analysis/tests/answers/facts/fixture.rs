//! An opened fixture of `facts.Facts`, with the log of its program. Checks refer to the names in the source: fields,
//! classes, threads.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::{Class, ClassId, ObjectId, Rules, Strength, Value};
use heaplens_testkit::fixtures;

/// All of them, by the names of their files.
pub(super) const FIXTURES: [&str; 3] = ["facts-jdk17", "facts-jdk17-all", "facts-jdk25"];

/// A dump and its truth.
pub(super) struct Fixture {
    pub(super) name: &'static str,
    pub(super) dump: Dump,
    /// `what` and `value` of each line, in the order of the log.
    truths: Vec<(String, String)>,
}

/// Path of a fixture.
pub(super) fn path(name: &str) -> PathBuf {
    fixtures::path(&format!("{name}.hprof.gz"))
}

/// The words `key=value` of a truth.
pub(super) fn words(value: &str) -> BTreeMap<&str, &str> {
    value.split(' ').filter_map(|word| word.split_once('=')).collect()
}

/// A Java literal as a string; unpaired surrogates become U+FFFD.
pub(super) fn unquoted(literal: &str) -> String {
    let inside = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).expect("text is in quotes");
    let (mut units, mut letters) = (Vec::new(), inside.encode_utf16());
    while let Some(unit) = letters.next() {
        if unit != u16::from(b'\\') {
            units.push(unit);
            continue;
        }
        match letters.next() {
            Some(next) if next == u16::from(b'u') => {
                let digits = String::from_utf16_lossy(&letters.by_ref().take(4).collect::<Vec<_>>());
                units.push(u16::from_str_radix(&digits, 16).expect("four digits"));
            }
            next => units.extend(next),
        }
    }
    String::from_utf16_lossy(&units)
}

impl Fixture {
    /// Opens a fixture with default options.
    pub(super) fn open(name: &'static str) -> Self {
        Self::open_up_to(name, Strength::Phantom)
    }

    /// Opened with references up to a strength.
    pub(super) fn open_up_to(name: &'static str, weakest: Strength) -> Self {
        Self::open_by(name, Rules { min_strength: weakest, ..Rules::default() })
    }

    /// Opened by other rules.
    pub(super) fn open_by(name: &'static str, rules: Rules) -> Self {
        let options = OpenOptions { rules, ..OpenOptions::default() };
        let dump = open_with(path(name), &options, &Task::new()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = path(name).with_file_name(format!("{name}.truth.txt"));
        let text = std::fs::read_to_string(text).expect("a truth file beside the fixture");
        let truths = text.lines().filter_map(|line| line.strip_prefix("TRUTH facts "));
        let truths = truths.filter_map(|line| line.split_once(" = ").or_else(|| Some((line.strip_suffix(" =")?, ""))));
        let truths = truths.map(|(what, value)| (what.to_owned(), value.to_owned())).collect();
        Self { name, dump, truths }
    }

    /// The first words of all lines: `collection`, `thread`, …
    pub(super) fn kinds(&self) -> BTreeSet<&str> {
        self.truths.iter().filter_map(|(what, _)| what.split(' ').next()).collect()
    }

    /// True if the dump contains garbage.
    pub(super) fn has_garbage(&self) -> bool {
        self.name.ends_with("-all")
    }

    /// Logged facts of a kind: subject and value. At least one.
    pub(super) fn truths(&self, kind: &str) -> Vec<(&str, &str)> {
        let of_kind = self.truths.iter().filter_map(|(what, value)| Some((what.strip_prefix(kind)?, value)));
        let of_kind = of_kind.filter_map(|(what, value)| Some((what.strip_prefix(' ')?, &**value)));
        let of_kind: Vec<_> = of_kind.collect();
        assert!(!of_kind.is_empty(), "{}: no truth of the kind {kind:?}", self.name);
        of_kind
    }

    /// Classes of a name; more than one if more than one loader defined it.
    pub(super) fn classes(&self, name: &str) -> Vec<(ClassId, &Class)> {
        self.dump.facts.heap.classes.iter().filter(|(_, class)| &*class.name == name).collect()
    }

    /// Instances of the classes of a name.
    pub(super) fn instances(&self, class: &str) -> Vec<ObjectId> {
        let heap = &self.dump.facts.heap;
        let classes: BTreeSet<ClassId> = self.classes(class).into_iter().map(|(id, _)| id).collect();
        heap.objects().filter(|&object| classes.contains(&heap.class_id(object))).collect()
    }

    /// Instances of a class and of those below it.
    pub(super) fn instances_below(&self, class: &str) -> Vec<ObjectId> {
        let heap = &self.dump.facts.heap;
        let tops: Vec<ClassId> = self.classes(class).into_iter().map(|(id, _)| id).collect();
        let below = |&object: &ObjectId| tops.iter().any(|&top| heap.classes.is_subclass(heap.class_id(object), top));
        heap.objects().filter(below).collect()
    }

    pub(super) fn class_of(&self, object: ObjectId) -> &str {
        &self.dump.facts.heap.class(object).name
    }

    /// Value of a field of an object; of a class object, a static. Fields of subclasses hide those of superclasses.
    pub(super) fn field(&self, object: ObjectId, name: &str) -> Option<Value> {
        let fields = self.dump.facts.contents.fields(&self.dump.facts.heap, object).expect("readable");
        fields.into_iter().find(|field| field.name == name).map(|field| field.value)
    }

    /// Target of a field.
    pub(super) fn follow(&self, object: ObjectId, field: &str) -> Option<ObjectId> {
        self.field(object, field).and_then(Value::object)
    }

    /// Value of the static `package.Class.field`.
    pub(super) fn held_by(&self, field: &str) -> ObjectId {
        let (class, name) = field.rsplit_once('.').expect("a class and a field");
        let [(_, class)] = self.classes(class)[..] else { panic!("{}: {class} is not one class", self.name) };
        let class = class.object.expect("a class object");
        self.follow(class, name).unwrap_or_else(|| panic!("{}: {field} holds nothing", self.name))
    }

    /// Label of an object, as shown to users.
    pub(super) fn label(&self, object: ObjectId) -> Option<String> {
        self.dump.facts.contents.label(&self.dump.facts.heap, object)
    }

    /// Value of a string.
    pub(super) fn text(&self, string: ObjectId) -> String {
        let text = self.dump.facts.contents.text(&self.dump.facts.heap, string, 10_000);
        text.unwrap_or_else(|| panic!("{}: a {} has no text", self.name, self.class_of(string)))
    }

    /// All elements of an array.
    pub(super) fn elements(&self, array: ObjectId) -> Vec<Value> {
        self.dump.facts.contents.elements(&self.dump.facts.heap, array, 0..u64::MAX).expect("readable")
    }

    pub(super) fn length(&self, array: ObjectId) -> u64 {
        self.dump.facts.contents.array_length(&self.dump.facts.heap, array).expect("it is an array")
    }

    /// Elements of a `java.util.ArrayList`.
    pub(super) fn list(&self, list: ObjectId) -> Vec<ObjectId> {
        assert_eq!(self.class_of(list), "java.util.ArrayList");
        let Some(Value::Int(size)) = self.field(list, "size") else { panic!("a list has a size") };
        let array = self.follow(list, "elementData").expect("a list has an array");
        let elements = self.elements(array).into_iter().take(size.cast_unsigned() as usize);
        elements.map(|element| element.object().expect("nothing is null in these lists")).collect()
    }

    /// The thread of a name.
    pub(super) fn thread(&self, name: &str) -> ObjectId {
        let named = |&thread: &ObjectId| self.follow(thread, "name").is_some_and(|text| self.text(text) == name);
        let threads: Vec<ObjectId> = self.instances_below("java.lang.Thread").into_iter().filter(named).collect();
        let [thread] = threads[..] else { panic!("{}: {} threads are called {name}", self.name, threads.len()) };
        thread
    }

    pub(super) fn stack(&self, thread: ObjectId) -> Vec<String> {
        self.dump.facts.contents.stack(&self.dump.facts.heap, thread)
    }
}
