//! Two dumps, opened, with all there is to say of them.

use std::path::PathBuf;

use heaplens_analysis::DumpData;
use heaplens_analysis::diff::Pair;
use heaplens_analysis::diff::{Comparison, compare};
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::{ObjectId, SizeModel, Value};
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_testkit::fixtures;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::sketch::Sketch;

/// All fixtures, by the names of their files.
pub(super) const FIXTURES: [&str; 12] = [
    "facts-jdk17",
    "facts-jdk17-all",
    "facts-jdk25",
    "keys-before",
    "keys-after",
    "leak-before",
    "leak-before-all",
    "leak-after",
    "leak-after-jdk25",
    "leak-after-nocoops",
    "moved-before",
    "moved-after",
];

/// Fixtures that are compared: of one process, of one program, of one program on different machines.
pub(super) const PAIRS: [(&str, &str); 6] = [
    ("keys-before", "keys-after"),
    ("moved-before", "moved-after"),
    ("leak-before", "leak-after"),
    ("leak-before-all", "leak-after-nocoops"),
    ("leak-before", "leak-after-jdk25"),
    ("facts-jdk17", "facts-jdk17-all"),
];

/// The file of a fixture.
pub(super) fn path(name: &str) -> PathBuf {
    fixtures::path(&format!("{name}.hprof.gz"))
}

/// A fixture.
pub(super) fn fixture(name: &str) -> Dump {
    let opened = open_and_wait(&path(name), &OpenOptions::default(), &Task::new());
    opened.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Opens a generated heap. With these rules objects of one class have one size at any address.
pub(super) fn made_up(sketch: &Sketch) -> Dump {
    let mut options = OpenOptions::default();
    options.read.sizes = SizeModel::Mat;
    crate::open_bytes(write(sketch, Form::MODERN), &options)
}

/// One side of a comparison.
pub(super) fn side(dump: &Dump) -> DumpData<'_> {
    dump.data()
}

/// Both.
pub(super) fn pair<'a>(before: &'a Dump, after: &'a Dump) -> Pair<'a> {
    Pair { before: side(before), after: side(after) }
}

/// The comparison of a pair.
pub(super) fn compared(pair: Pair<'_>) -> Comparison {
    compare(pair, &Task::new()).expect("not cancelled")
}

/// Value of a field of an object; of a class object, a static.
pub(super) fn field(side: DumpData<'_>, object: ObjectId, name: &str) -> Option<Value> {
    let fields = side.contents.fields(side.heap, object).expect("readable");
    fields.into_iter().find(|field| field.name == name).map(|field| field.value)
}

/// Value of the static `package.Class.field`.
pub(super) fn held_by(side: DumpData<'_>, name: &str) -> ObjectId {
    let (class, name) = name.rsplit_once('.').expect("a class and a field");
    let class = side.heap.classes.iter().find(|(_, actual)| &*actual.name == class);
    let class = class.and_then(|(_, class)| class.object).unwrap_or_else(|| panic!("no class object of {name}"));
    field(side, class, name).and_then(Value::object).unwrap_or_else(|| panic!("{name} holds nothing"))
}
