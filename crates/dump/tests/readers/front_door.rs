//! The front door of the engine: a dump is opened, and asked what its documentation promises.

use std::io::Write;

use heaplens_base::Task;
use heaplens_dump::{Dump, OpenError, OpenOptions, open, open_with};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

/// Two paths lead to the second item, both by way of the array.
const SHOP: &str = "
class shop.Item
  field next: object
class shop.Cart
  field lines: object
cart@0x7000 = shop.Cart lines=items
items@0x7100 = java.lang.Object[] first second null
first@0x7200 = shop.Item next=second
second@0x7300 = shop.Item
lost@0x7400 = shop.Item
root cart global
";

fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("disk space");
    file
}

fn shop_file() -> tempfile::NamedTempFile {
    let sketch = notation::read(SHOP).unwrap_or_else(|why| panic!("{why}"));
    file(&write(&sketch, Form::MODERN))
}

fn shop() -> Dump {
    open(shop_file().path()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn an_object_has_class_sizes_dominator_and_path() {
    let dump = shop();
    let at = |id| dump.find(id).expect("in the heap");
    let (cart, items, first, second) = (at("0x7000"), at("0x7100"), at("0x7200"), at("0x7300"));
    assert_eq!(dump.class_name(dump.class_of(cart)), "shop.Cart");
    assert_eq!(dump.id(cart), "0x7000");
    assert_eq!(dump.label(items).as_deref(), Some("[3]"));
    assert_eq!(dump.dominator_of(second), Some(items));
    assert_eq!(dump.dominator_of(cart), None);
    let above = |object| std::iter::successors(Some(object), |&object| dump.dominator_of(object));
    let below = dump.objects().filter(|&object| above(object).any(|above| above == items));
    assert_eq!(dump.retained_size(items).0, below.map(|object| dump.shallow_size(object).0).sum::<u64>());
    assert_eq!(dump.path_from_root(second), [cart, items, second]);
    assert!(dump.references_of(items).eq([first, second]));
    assert!(dump.referrers_of(second).eq([items, first]));
    let largest = dump.largest(dump.objects().count());
    assert!(largest.is_sorted_by(|&a, &b| dump.retained_size(a) >= dump.retained_size(b)));
    assert_eq!(dump.largest(1), largest[..1]);
}

#[test]
fn an_unreachable_object_has_no_path_and_retains_nothing() {
    let dump = shop();
    let warnings = dump.find("0x7400").expect("in the heap");
    assert!(dump.path_from_root(warnings).is_empty());
    assert_eq!((dump.retained_size(warnings).0, dump.dominator_of(warnings)), (0, None));
    assert!(dump.shallow_size(warnings).0 > 0);
}

#[test]
fn other_files_are_refused_and_a_cancelled_task_ends_an_open() {
    assert!(matches!(open(file(b"not a dump").path()), Err(OpenError::Format(_))));
    assert!(matches!(open("/no/such/file"), Err(OpenError::Io(_))));
    let task = Task::new();
    task.cancel();
    assert!(matches!(open_with(shop_file().path(), &OpenOptions::default(), &task), Err(OpenError::Cancelled)));
}
