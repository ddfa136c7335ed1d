//! Simulated program: it fills a [`World`] with typical objects, and keeps changing it in ways that it reports.

use std::collections::BTreeMap;

use super::random::Random;
use super::world::{Key, ProgramObject, World};

/// Kinds of records.
const CLASSES: [&str; 4] = ["shop.Order", "shop.Customer", "shop.Link", "shop.Note"];

/// Holder of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// A static of a class.
    Static(String, String),
    /// Another object.
    Object(Key),
}

/// A change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// In a word.
    pub what: &'static str,
    /// To what.
    pub holder: Holder,
}

/// A program that runs.
#[derive(Debug, Clone)]
pub struct Program {
    /// Objects it holds.
    pub world: World,
    random: Random,
    next: Key,
}

impl Program {
    /// Creates a program with about ten objects per unit of `size`.
    pub fn new(seed: u64, size: u32) -> Self {
        let mut program = Self { world: World::default(), random: Random::new(seed), next: 1 };
        for class in CLASSES {
            program.world.classes.insert(class.to_owned(), BTreeMap::new());
        }
        for at in 0..size {
            let class = *program.random.pick(&CLASSES);
            let key = match at % 6 {
                0 | 1 => program.map(),
                2 => program.list(),
                3 => program.array(),
                4 => program.chain(),
                _ => program.record(3),
            };
            program.set_static(class, &format!("s{at}"), key);
        }
        for at in 0..program.random.between(1, 3) {
            let name = program.text(format!("worker-{at}"));
            let locals = vec![program.list(), program.record(1)];
            program.put(ProgramObject::Thread { name, locals });
        }
        program.world.collect();
        program
    }

    /// Makes a random change; `None` if the drawn kind of change was impossible.
    pub fn edit(&mut self) -> Option<Edit> {
        let edit = match self.random.below(10) {
            0 => self.more_entries(),
            1 => self.fewer_entries(),
            2 => self.another_number(),
            3 => self.another_below(),
            4 => self.longer_list(),
            5 => self.list_moves_on(),
            6 => self.moved(),
            7 => self.dropped(),
            8 => Some(self.another_class()),
            _ => self.thread_comes_or_goes(),
        };
        self.world.collect();
        edit
    }

    /// Adds entries to a map, or elements to a list, without other changes.
    pub fn grow(&mut self) -> Option<Edit> {
        if self.random.one_in(2) { self.more_entries() } else { self.longer_list() }
    }

    fn put(&mut self, thing: ProgramObject) -> Key {
        let key = self.next;
        self.next += 1;
        self.world.things.insert(key, thing);
        key
    }

    fn set_static(&mut self, class: &str, field: &str, key: Key) -> Edit {
        let (class, field) = (class.to_owned(), field.to_owned());
        self.world.classes.entry(class.clone()).or_default().insert(field.clone(), Some(key));
        Edit { what: "a static is set", holder: Holder::Static(class, field) }
    }

    fn text(&mut self, text: String) -> Key {
        self.put(ProgramObject::Text(text))
    }

    /// Adds a record with other objects; some are equal, some share objects, some form cycles.
    fn record(&mut self, depth: u32) -> Key {
        let class = (*self.random.pick(&CLASSES)).to_owned();
        // Few distinct numbers, so that some objects are equal.
        let alike = self.random.one_in(4);
        let number = if alike { i64::from(self.random.below(3)) } else { 1_000 + i64::from(self.next) };
        let first = match self.random.below(4) {
            0 => None,
            1 if !alike => Some(self.text(format!("text {}", self.next))),
            2 => self.shared(),
            _ => {
                let word = *self.random.pick(&["open", "paid", "sent"]);
                Some(self.text(word.to_owned()))
            }
        };
        let second = match self.random.below(3) {
            0 if depth > 0 => Some(self.record(depth - 1)),
            1 => self.shared(),
            _ => None,
        };
        self.put(ProgramObject::Record { class, number, fields: [first, second] })
    }

    /// Random object that is already held.
    fn shared(&mut self) -> Option<Key> {
        let random = &mut self.random;
        let things = || self.world.things.iter().filter(|(_, thing)| !matches!(thing, ProgramObject::Thread { .. }));
        let count = things().count() as u32;
        things().nth(random.below(count) as usize).filter(|_| random.one_in(3)).map(|(&key, _)| key)
    }

    fn new_key(&mut self, numbers: bool) -> Key {
        let name = self.next;
        if numbers { self.put(ProgramObject::Number(name.cast_signed())) } else { self.text(format!("key-{name}")) }
    }

    fn map(&mut self) -> Key {
        let numbers = self.random.one_in(3);
        let entries: Vec<(Key, Key)> =
            (0..self.random.below(14)).map(|_| (self.new_key(numbers), self.record(2))).collect();
        let room = room_of_map(16, entries.len());
        self.put(ProgramObject::Map { entries, room })
    }

    fn list(&mut self) -> Key {
        let elements: Vec<Key> = (0..self.random.below(14)).map(|_| self.record(1)).collect();
        let room = room_of_list(10, elements.len());
        self.put(ProgramObject::List { elements, room })
    }

    fn array(&mut self) -> Key {
        let elements = (0..self.random.below(10)).map(|_| (!self.random.one_in(3)).then(|| self.record(1))).collect();
        self.put(ProgramObject::Array(elements))
    }

    /// Adds a linked chain, sometimes closed to a cycle.
    fn chain(&mut self) -> Key {
        let class = "shop.Link".to_owned();
        let (mut tail, mut head) = (None, None);
        for at in 0..self.random.between(1, 12) {
            let payload = if self.random.one_in(2) { Some(self.record(0)) } else { None };
            let link = ProgramObject::Record { class: class.clone(), number: at.into(), fields: [head, payload] };
            head = Some(self.put(link));
            tail = tail.or(head);
        }
        if self.random.one_in(3)
            && let Some(ProgramObject::Record { fields, .. }) = tail.and_then(|tail| self.world.things.get_mut(&tail))
        {
            fields[0] = head;
        }
        head.unwrap_or_default()
    }

    /// Random existing object for which `is` is true.
    fn any(&mut self, is: impl Fn(&ProgramObject) -> bool) -> Option<Key> {
        let keys: Vec<Key> = self.world.things.iter().filter(|(_, thing)| is(thing)).map(|(&key, _)| key).collect();
        (!keys.is_empty()).then(|| *self.random.pick(&keys))
    }

    fn more_entries(&mut self) -> Option<Edit> {
        let map = self.any(|thing| matches!(thing, ProgramObject::Map { .. }))?;
        let new: Vec<(Key, Key)> =
            (0..self.random.between(1, 9)).map(|_| (self.new_key(false), self.record(2))).collect();
        let Some(ProgramObject::Map { entries, room }) = self.world.things.get_mut(&map) else { return None };
        entries.extend(new);
        *room = room_of_map(*room, entries.len());
        Some(Edit { what: "entries come into a map", holder: Holder::Object(map) })
    }

    fn fewer_entries(&mut self) -> Option<Edit> {
        let map = self.any(|thing| matches!(thing, ProgramObject::Map { entries, .. } if !entries.is_empty()))?;
        let count = self.random.between(1, 4);
        for _ in 0..count {
            let Some(ProgramObject::Map { entries, .. }) = self.world.things.get_mut(&map) else { return None };
            if !entries.is_empty() {
                entries.remove(self.random.below(entries.len() as u32) as usize);
            }
        }
        Some(Edit { what: "entries go from a map", holder: Holder::Object(map) })
    }

    fn another_number(&mut self) -> Option<Edit> {
        let record = self.any(|thing| matches!(thing, ProgramObject::Record { .. }))?;
        let fresh = 500_000 + i64::from(self.random.below(100_000));
        let Some(ProgramObject::Record { number, .. }) = self.world.things.get_mut(&record) else { return None };
        *number = fresh;
        Some(Edit { what: "a number changes", holder: Holder::Object(record) })
    }

    fn another_below(&mut self) -> Option<Edit> {
        let record = self.any(|thing| matches!(thing, ProgramObject::Record { .. }))?;
        let new = self.record(3);
        let at = self.random.below(2) as usize;
        let Some(ProgramObject::Record { fields, .. }) = self.world.things.get_mut(&record) else { return None };
        fields[at] = Some(new);
        Some(Edit { what: "what hangs on a field is replaced", holder: Holder::Object(record) })
    }

    fn longer_list(&mut self) -> Option<Edit> {
        let list = self.any(|thing| matches!(thing, ProgramObject::List { .. }))?;
        let new: Vec<Key> = (0..self.random.between(1, 9)).map(|_| self.record(1)).collect();
        let Some(ProgramObject::List { elements, room }) = self.world.things.get_mut(&list) else { return None };
        elements.extend(new);
        *room = room_of_list(*room, elements.len());
        Some(Edit { what: "a list becomes longer", holder: Holder::Object(list) })
    }

    fn list_moves_on(&mut self) -> Option<Edit> {
        let list = self.any(|thing| matches!(thing, ProgramObject::List { elements, .. } if !elements.is_empty()))?;
        let new = self.record(1);
        let Some(ProgramObject::List { elements, .. }) = self.world.things.get_mut(&list) else { return None };
        elements.remove(0);
        elements.push(new);
        Some(Edit { what: "a list loses its first and gets a last", holder: Holder::Object(list) })
    }

    /// Moves an entry of a map into a list.
    fn moved(&mut self) -> Option<Edit> {
        let map = self.any(|thing| matches!(thing, ProgramObject::Map { entries, .. } if !entries.is_empty()))?;
        let list = self.any(|thing| matches!(thing, ProgramObject::List { .. }))?;
        let Some(ProgramObject::Map { entries, .. }) = self.world.things.get_mut(&map) else { return None };
        let (_, value) = entries.remove(self.random.below(entries.len() as u32) as usize);
        let Some(ProgramObject::List { elements, room }) = self.world.things.get_mut(&list) else { return None };
        elements.push(value);
        *room = room_of_list(*room, elements.len());
        Some(Edit { what: "a value moves from a map to a list", holder: Holder::Object(list) })
    }

    fn dropped(&mut self) -> Option<Edit> {
        let held = |(class, statics): (&String, &BTreeMap<String, Option<Key>>)| {
            let set = statics.iter().filter(|(_, held)| held.is_some());
            set.map(|(field, _)| (class.clone(), field.clone())).collect::<Vec<_>>()
        };
        let fields: Vec<(String, String)> = self.world.classes.iter().flat_map(held).collect();
        if fields.is_empty() {
            return None;
        }
        let (class, field) = self.random.pick(&fields).clone();
        self.world.classes.get_mut(&class)?.insert(field.clone(), None);
        Some(Edit { what: "a static is dropped", holder: Holder::Static(class, field) })
    }

    fn another_class(&mut self) -> Edit {
        let held = self.map();
        let class = format!("shop.Late{}", self.next);
        Edit { what: "a class is loaded", ..self.set_static(&class, "held", held) }
    }

    fn thread_comes_or_goes(&mut self) -> Option<Edit> {
        if self.random.one_in(2) {
            let thread = self.any(|thing| matches!(thing, ProgramObject::Thread { .. }))?;
            self.world.things.remove(&thread);
            return Some(Edit { what: "a thread ends", holder: Holder::Object(thread) });
        }
        let name = self.text(format!("late-worker-{}", self.next));
        let locals = vec![self.map()];
        let thread = self.put(ProgramObject::Thread { name, locals });
        Some(Edit { what: "a thread starts", holder: Holder::Object(thread) })
    }
}

fn room_of_map(mut room: usize, entries: usize) -> usize {
    while entries * 4 > room * 3 {
        room *= 2;
    }
    room
}

fn room_of_list(mut room: usize, elements: usize) -> usize {
    while elements > room {
        room += room / 2;
    }
    room
}
