//! Names lead back to their objects, are the same in the next dump, and show no
//! address; owners are who the source says.

use std::path::Path;

use heaplens::analysis::naming::{NameIndex, Namer, RuntimeClasses, Unresolved};
use heaplens::heap::ids::ObjectId;
use heaplens::session::dump::{OpenDump, OpenOptions, open_and_wait};
use heaplens::task::Task;

/// A fixture, opened, with what names need.
struct Named {
    dump: OpenDump,
    index: NameIndex,
}

impl Named {
    fn open(fixture: &str) -> Self {
        Self::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(format!("{fixture}.hprof.gz")))
    }

    fn at(path: &Path) -> Self {
        let dump = open_and_wait(path, &OpenOptions::default(), &Task::new()).expect("a dump");
        let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
        let index = NameIndex::new(heap, contents, &dump.analyzed, RuntimeClasses::default(), &Task::new());
        Self { index: index.expect("nobody cancels"), dump }
    }

    fn namer(&self) -> Namer<'_> {
        let facts = &self.dump.facts;
        Namer { heap: &facts.heap, contents: &*facts.contents, analyzed: &self.dump.analyzed, index: &self.index }
    }

    fn name(&self, object: ObjectId) -> Option<String> {
        self.namer().name(object, &Task::new()).expect("nobody cancels")
    }

    fn resolve(&self, name: &str) -> ObjectId {
        self.namer().resolve(name, &Task::new()).unwrap_or_else(|error| panic!("{name}: {error:?}"))
    }

    fn refusal(&self, name: &str) -> String {
        match self.namer().resolve(name, &Task::new()) {
            Err(Unresolved::NotFound(why)) => why,
            other => panic!("{name}: {other:?}"),
        }
    }

    fn owner(&self, object: ObjectId) -> Option<String> {
        self.namer().owner(object, &Task::new()).expect("nobody cancels").map(|owner| owner.text)
    }

    fn reachable(&self) -> impl Iterator<Item = ObjectId> {
        self.dump.facts.heap.objects().filter(|&object| self.dump.analyzed.is_reachable(object))
    }
}

/// Every object that a root reaches has a name that leads back to it and to nothing else.
fn every_name_leads_back(fixture: &str) {
    let named = Named::open(fixture);
    let mut wrong = Vec::new();
    for object in named.reachable() {
        let id = named.dump.facts.heap.id_text(object);
        let name = named.name(object).unwrap_or_default();
        let found = named.namer().resolve(&name, &Task::new());
        if found != Ok(object) {
            wrong.push(format!("{id} {name}: {found:?}"));
        }
        // Texts of the program may hold anything.
        if name.contains("0x") && !name.contains('"') {
            wrong.push(format!("{id} {name} shows an address"));
        }
    }
    assert_eq!(wrong.len(), 0, "{}", wrong[..wrong.len().min(40)].join("\n"));
}

#[test]
fn names_lead_back_in_the_leak() {
    every_name_leads_back("leak-before");
}

#[test]
fn names_lead_back_in_one_of_everything() {
    every_name_leads_back("facts-jdk17");
}

#[test]
fn names_lead_back_on_the_other_jdk() {
    every_name_leads_back("facts-jdk25");
}
