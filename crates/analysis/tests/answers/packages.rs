//! Packages as a tree, against sums and retained sizes that are computed object by object.

use std::collections::BTreeMap;

use super::open_bytes;
use heaplens_analysis::GroupBy;
use heaplens_analysis::grouping::{GroupRow, groups};
use heaplens_base::{Bytes, Task};
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::ObjectId;

fn rows(dump: &Dump, by: GroupBy) -> Vec<GroupRow> {
    groups(dump.data(), by, &Task::new()).expect("not cancelled")
}

/// Bytes that objects of a package and of those below it retain together: those of the objects with one of them above.
fn retained(dump: &Dump, package: &str) -> Bytes {
    let (heap, analysis) = (&dump.facts.heap, &dump.analysis);
    let is_of = |object: ObjectId| heap.class(object).is_in(package);
    let is_retained = |object: &ObjectId| {
        std::iter::successors(Some(*object), |&below| analysis.immediate_dominator(below)).any(is_of)
    };
    let reachable = heap.objects().filter(|&object| analysis.is_reachable(object));
    reachable.filter(is_retained).map(|object| heap.shallow(object)).sum()
}

#[test]
fn a_package_sums_up_all_below_it() {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    let dump = open_bytes(std::fs::read(fixture).expect("the fixture"), &OpenOptions::default());
    let packages = rows(&dump, GroupBy::Package);
    let tree = rows(&dump, GroupBy::PackageTree);
    let names: BTreeMap<&str, &GroupRow> = tree.iter().map(|row| (&*row.name, row)).collect();
    assert_eq!(names.len(), tree.len(), "each package has one row");
    for package in &packages {
        assert!(names.contains_key(&*package.name), "{}", package.name);
    }
    for row in &tree {
        let is_below = |package: &&GroupRow| {
            package.name.strip_prefix(&*row.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let below: Vec<&GroupRow> = packages.iter().filter(is_below).collect();
        assert_eq!(row.objects, below.iter().map(|package| package.objects).sum::<u64>(), "{}", row.name);
        assert_eq!(row.shallow, below.iter().map(|package| package.shallow).sum(), "{}", row.name);
        assert_eq!(row.members.len(), below.iter().map(|package| package.members.len()).sum::<usize>(), "{}", row.name);
    }
    for name in ["java", "java.util", "desk", "desk.plugin", "jdk.internal"] {
        assert_eq!(names[name].retained, retained(&dump, name), "{name}");
    }
    // More than its parts retain apart, or as much.
    assert!(names["java"].retained >= names["java.util"].retained.max(names["java.lang"].retained));
}
