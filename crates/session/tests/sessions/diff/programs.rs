//! A generated program dumped twice, with the true counterpart of each object of the first dump in the second.

use std::collections::{BTreeMap, HashMap};

use heaplens_analysis::DumpData;
use heaplens_analysis::diff::Pair;
use heaplens_dump::Dump;
use heaplens_heap::{Address, ObjectId};
use heaplens_testkit::program::{Edit, Program};
use heaplens_testkit::random::Random;
use heaplens_testkit::world::{Key, ObjectPart, PartAddresses, PartKey, ProgramObject, World};

use super::opened::{made_up, pair};

/// Percentages of objects that stay at their address.
pub(super) const MODES: [u32; 3] = [100, 50, 0];

/// A world as a dump has it.
pub(super) struct Moment {
    pub(super) world: World,
    pub(super) dump: Dump,
    objects: BTreeMap<PartKey, ObjectId>,
    parts: HashMap<ObjectId, PartKey>,
}

/// A program before and after.
pub(super) struct Case {
    /// Name in failure messages.
    pub(super) name: String,
    pub(super) before: Moment,
    pub(super) after: Moment,
    pub(super) edits: Vec<Edit>,
}

impl Moment {
    fn new(world: World, indexes: &PartAddresses) -> Self {
        let dump = made_up(&world.sketch(indexes));
        let object = |&id: &u64| dump.facts.heap.at(Address(id)).expect("it was written");
        let objects: BTreeMap<PartKey, ObjectId> = indexes.parts.iter().map(|(&part, id)| (part, object(id))).collect();
        let parts = objects.iter().map(|(&part, &object)| (object, part)).collect();
        Self { world, dump, objects, parts }
    }

    /// The object that a thing, or a part of it, is.
    pub(super) fn object(&self, part: PartKey) -> Option<ObjectId> {
        self.objects.get(&part).copied()
    }

    /// The part of the program that an object represents; classes are none.
    pub(super) fn part(&self, object: ObjectId) -> Option<PartKey> {
        self.parts.get(&object).copied()
    }

    /// All parts, with their objects.
    pub(super) fn parts(&self) -> impl Iterator<Item = (PartKey, ObjectId)> {
        self.objects.iter().map(|(&part, &object)| (part, object))
    }

    /// Holders by object, with the reference as a key or index.
    pub(super) fn holders(&self) -> HashMap<ObjectId, Vec<(ObjectId, String)>> {
        let mut holders: HashMap<ObjectId, Vec<(ObjectId, String)>> = HashMap::new();
        let mut put = |part: PartKey, holder: ObjectId, step: String| {
            holders.entry(self.objects[&part]).or_default().push((holder, step));
        };
        let heap = &self.dump.facts.heap;
        for (name, statics) in &self.world.classes {
            let class = heap.classes.iter().find(|(_, class)| *class.name == **name);
            let class = class.and_then(|(_, class)| class.object).expect("a class object");
            for (field, key) in statics {
                key.iter().for_each(|&key| put((key, ObjectPart::Whole), class, field.clone()));
            }
        }
        for (&key, thing) in &self.world.things {
            let complete = self.objects[&(key, ObjectPart::Whole)];
            if self.objects.contains_key(&(key, ObjectPart::Inside)) {
                put((key, ObjectPart::Inside), complete, "inside".to_owned());
            }
            match thing {
                ProgramObject::Map { entries, .. } => {
                    for &(entry, value) in entries {
                        let text = self.content(entry, 1);
                        put((key, ObjectPart::Node(entry)), complete, format!("node {text}"));
                        put((entry, ObjectPart::Whole), complete, format!("key {text}"));
                        put((value, ObjectPart::Whole), complete, format!("value {text}"));
                    }
                }
                ProgramObject::Record { fields, .. } => {
                    for (at, held) in fields.iter().enumerate() {
                        held.iter().for_each(|&held| put((held, ObjectPart::Whole), complete, format!("field {at}")));
                    }
                }
                ProgramObject::Array(elements) => {
                    for (at, held) in elements.iter().enumerate() {
                        held.iter().for_each(|&held| put((held, ObjectPart::Whole), complete, format!("[{at}]")));
                    }
                }
                _ => {
                    for (at, held) in thing.references().into_iter().enumerate() {
                        put((held, ObjectPart::Whole), complete, format!("[{at}]"));
                    }
                }
            }
        }
        holders
    }

    /// Content of an object and, up to `depth` references on, of the objects it holds.
    pub(super) fn content(&self, key: Key, depth: u32) -> String {
        let below = |key: &Key| depth.checked_sub(1).map_or_else(String::new, |depth| self.content(*key, depth));
        match &self.world.things[&key] {
            ProgramObject::Text(text) => format!("{text:?}"),
            ProgramObject::Number(number) => number.to_string(),
            ProgramObject::Record { class, number, fields } => {
                format!("{class} {number} {:?}", fields.each_ref().map(|field| field.as_ref().map(below)))
            }
            ProgramObject::Map { entries, room } => {
                // Unordered: two maps are compared by key.
                let mut entries: Vec<_> = entries.iter().map(|(key, value)| (below(key), below(value))).collect();
                entries.sort();
                format!("map {room} {entries:?}")
            }
            ProgramObject::List { elements, room } => {
                format!("list {room} {:?}", elements.iter().map(below).collect::<Vec<_>>())
            }
            ProgramObject::Array(elements) => {
                format!("array {:?}", elements.iter().map(|element| element.as_ref().map(below)).collect::<Vec<_>>())
            }
            ProgramObject::Thread { name, .. } => format!("thread {}", self.content(*name, 1)),
        }
    }

    /// The same of a part of a thing.
    pub(super) fn content_of(&self, (key, piece): PartKey, depth: u32) -> String {
        let node = match piece {
            ObjectPart::Node(key) => self.content(key, 1),
            ObjectPart::Whole | ObjectPart::Inside => String::new(),
        };
        format!("{} {node}", self.content(key, depth))
    }
}

impl Case {
    /// A program generated from `seed` and changed by `change`, with `stored` percent of the objects at their address.
    pub(super) fn new(seed: u64, size: u32, stored: u32, change: impl Fn(&mut Program) -> Vec<Edit>) -> Self {
        let (mut program, mut random) = (Program::new(seed, size), Random::new(seed ^ u64::from(stored)));
        let world = program.world.clone();
        let indexes = PartAddresses::fresh(&world, &mut random);
        let edits = change(&mut program);
        let later = indexes.after(&program.world, stored, &mut random);
        let name = format!("seed {seed}, {stored} % stay, {edits:?}");
        let (before, after) = (Moment::new(world, &indexes), Moment::new(program.world, &later));
        Self { name, before, after, edits }
    }

    pub(super) fn pair(&self) -> Pair<'_> {
        pair(&self.before.dump, &self.after.dump)
    }
}

/// The bytes of some objects.
pub(super) fn bytes(side: DumpData<'_>, objects: impl IntoIterator<Item = ObjectId>) -> i64 {
    objects.into_iter().map(|object| side.heap.shallow(object).0.cast_signed()).sum()
}
