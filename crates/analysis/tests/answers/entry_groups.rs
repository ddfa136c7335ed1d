//! What the entries of a structure have in common.

use heaplens_analysis::entry_groups::{CommonValue, common_value};
use heaplens_base::Task;
use heaplens_dump::OpenOptions;
use heaplens_heap::Address;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

/// A list of 40 sessions, of which each has the fields that `fields` writes.
fn common(fields: impl Fn(usize) -> String, texts: &str) -> Option<CommonValue> {
    let mut heap = "
    class shop.Session
      field tenant: object
      field password: object
      field status: int
    class shop.Cache
      static entries: object = list
    class java.util.ArrayList
      field size: int
      field elementData: object
    root shop.Cache class
    list = java.util.ArrayList size=40 elementData=array
    array = java.lang.Object[]"
        .to_owned();
    let names: Vec<String> = (0..40).map(|at| format!("s{at}")).collect();
    heap.extend([" ", &names.join(" "), "\n"]);
    heap.extend(names.iter().enumerate().map(|(at, name)| format!("    {name} = shop.Session {}\n", fields(at))));
    heap.push_str(texts);
    let sketch = notation::read(&heap).expect("a heap");
    let dump = crate::open_bytes(write(&sketch, Form::MODERN), &OpenOptions::default());
    let list = dump.facts.heap.at(Address(sketch.id("list"))).expect("it is in the heap");
    common_value(dump.data(), list, &Task::new()).expect("not cancelled")
}

const TEXTS: &str = "    acme = \"acme\"\n    small = \"small\"\n";

#[test]
fn the_commonest_category_is_told() {
    let tenant = |at: usize| format!("tenant={} status=200", if at.is_multiple_of(5) { "small" } else { "acme" });
    let common = common(tenant, TEXTS).expect("a tenant has most");
    assert_eq!((common.field.as_deref(), &*common.value), (Some("tenant"), "acme"));
    assert_eq!((common.entries, common.compared, common.all, common.values), (32, 40, 40, 2));
}

#[test]
fn defaults_identifiers_and_credentials_are_not_told() {
    // A number that all have may be a default.
    assert_eq!(common(|_| "status=200".to_owned(), TEXTS), None);
    // Each entry has its own.
    assert_eq!(common(|at| format!("status={}", at + 1), TEXTS), None);
    assert_eq!(common(|_| "password=acme".to_owned(), TEXTS), None);
    // A text that all have is none.
    assert_eq!(common(|_| "tenant=acme".to_owned(), TEXTS).map(|common| common.entries), Some(40));
}
