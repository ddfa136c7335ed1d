//! Owners by class against the owner of each object by itself, asked one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use heaplens_analysis::Namer;
use heaplens_analysis::class_owners::{ClassOwnersQuestion, OwnedObjects, class_owners, owner_of};
use heaplens_analysis::structure::ShortName;
use heaplens_base::{Bytes, Task};
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::{ClassId, ObjectId};
use heaplens_testkit::{fixtures, heaps, hprof, notation};

type Sums = BTreeMap<(ClassId, Option<String>), (u64, Bytes)>;

fn open(path: &Path) -> Dump {
    open_with(path, &OpenOptions::default(), &Task::new()).unwrap_or_else(|error| panic!("{error}"))
}

/// What an owner is known by: classes of one name from two loaders are one, threads are not.
fn known(owner: Option<String>) -> Option<String> {
    owner.map(|name| if name.starts_with("thread ") { name } else { name.replace("#2", "") })
}

/// Objects and bytes by class and owner, of all objects at once.
fn at_once(dump: &Dump) -> Sums {
    let owners = dump.data().answer(&ClassOwnersQuestion, &Task::new()).expect("not cancelled");
    let mut sums = Sums::new();
    for row in owners.rows() {
        let name = known(owners.owner(row).expect("an owner").qualified.clone());
        let sum = sums.entry((row.class, name)).or_default();
        *sum = (sum.0 + row.objects, sum.1 + row.bytes);
    }
    for (class, row) in dump.facts.heap.classes.iter() {
        let of_class = owners.of(class).iter().map(|row| (row.objects, row.bytes));
        let all = of_class.fold((0, Bytes(0)), |all, one| (all.0 + one.0, all.1 + one.1));
        let totals = dump.analysis.class_totals(class);
        assert_eq!(all, (totals.objects, totals.shallow), "{}", row.name);
        let bytes = |row: &OwnedObjects| (row.bytes, row.objects);
        assert!(owners.of(class).is_sorted_by(|one, next| bytes(one) >= bytes(next)), "{}", row.name);
    }
    sums
}

/// The same, object by object, with the owner that `owner` finds.
fn one_by_one(dump: &Dump, owner: impl Fn(Namer<'_>, ObjectId) -> Option<String>) -> Sums {
    let namer = dump.namer(&Task::new()).expect("not cancelled");
    let mut sums = Sums::new();
    for object in dump.facts.heap.objects().filter(|&object| dump.analysis.is_reachable(object)) {
        let name = known(owner(namer, object));
        let sum = sums.entry((dump.facts.heap.class_id(object), name)).or_default();
        *sum = (sum.0 + 1, sum.1 + dump.facts.heap.shallow(object));
    }
    sums
}

fn up_its_dominators(namer: Namer<'_>, object: ObjectId) -> Option<String> {
    owner_of(namer, object, &Task::new()).expect("not cancelled")
}

fn of_namer(namer: Namer<'_>, object: ObjectId) -> Option<String> {
    let name = namer.short_name(object, &Task::new()).expect("not cancelled").and_then(ShortName::owner);
    name.map(|name| name.qualified_text())
}

/// The difference of two sums, for a failed comparison.
fn difference(dump: &Dump, one: &Sums, other: &Sums) -> Vec<String> {
    let keys: BTreeSet<_> = one.keys().chain(other.keys()).collect();
    let differing = keys.into_iter().filter(|key| one.get(key) != other.get(key));
    let text = |key: &(ClassId, Option<String>)| {
        let class = &dump.facts.heap.classes.get(key.0).name;
        format!("{class} {:?}: {:?}, {:?}", key.1, one.get(key), other.get(key))
    };
    differing.map(text).collect()
}

fn sketched(sketch: &str) -> Dump {
    let sketch = notation::read(sketch).unwrap_or_else(|why| panic!("{why}"));
    crate::open_bytes(hprof::write(&sketch, hprof::Form::MODERN), &OpenOptions::default())
}

/// Owner and number of objects of a class, most bytes first.
fn owners(dump: &Dump, class: &str) -> Vec<(String, u64)> {
    let owners = dump.data().answer(&ClassOwnersQuestion, &Task::new()).expect("not cancelled");
    let class = dump.facts.heap.classes.named(class).expect("the class");
    let name = |row: &OwnedObjects| owners.owner(row).and_then(|owner| owner.name.clone()).unwrap_or_default();
    owners.of(class).iter().map(|row| (name(row), row.objects)).collect()
}

#[test]
fn owners_of_random_heaps_are_those_of_each_object() {
    let mut named = 0;
    for seed in 0..60 {
        let dump =
            crate::open_bytes(hprof::write(&heaps::random(seed, 250), hprof::Form::MODERN), &OpenOptions::default());
        let (fast, slow) = (at_once(&dump), one_by_one(&dump, up_its_dominators));
        assert!(fast == slow, "seed {seed}: {:#?}", difference(&dump, &fast, &slow));
        named += fast.iter().filter(|((_, name), _)| name.is_some()).map(|(_, sum)| sum.0).sum::<u64>();
    }
    assert!(named > 1_000, "only {named} objects have an owner");
}

#[test]
fn owners_of_fixtures_are_those_of_each_object() {
    for fixture in [
        "keys-after.hprof.gz",
        "android/phone.hprof",
        "android/shop.pftrace",
        "ibm/shop-v5.phd",
        "hprof-text/java.hprof.txt",
    ] {
        let dump = open(&fixtures::path(fixture));
        let (fast, slow) = (at_once(&dump), one_by_one(&dump, up_its_dominators));
        assert!(fast == slow, "{fixture}: {:#?}", difference(&dump, &fast, &slow));
    }
}

/// The owners that names of single objects have, but for those of threads, which own nothing there, and for objects that
/// several hold, whose search goes farther there.
#[test]
fn owners_are_those_that_objects_are_named_by() {
    for (fixture, least) in [
        ("leak-after.hprof.gz", 99),
        ("facts-jdk25.hprof.gz", 98),
        ("android/album.hprof.gz", 95),
        ("node/desk-final.heapsnapshot.gz", 80),
    ] {
        let dump = open(&fixtures::path(fixture));
        let (fast, slow) = (at_once(&dump), one_by_one(&dump, of_namer));
        let same = slow.iter().map(|(key, sum)| sum.1.min(fast.get(key).copied().unwrap_or_default().1)).sum::<Bytes>();
        let all = dump.analysis.shown.shallow;
        assert!(same.0 * 100 >= all.0 * least, "{fixture}: {same} of {all}: {:#?}", difference(&dump, &fast, &slow));
    }
}

#[test]
fn what_is_inside_of_structures_has_the_field_that_holds_them() {
    let dump = sketched(
        "class java.util.Map
           field table: object
         class java.util.Map$Node
           field key: object
           field value: object
           field next: object
         class desk.Order
           field label: object
           field lines: object
         class desk.Cache
           static entries: object = map
           static last: object = o2
         root desk.Cache class
         map = java.util.Map table=table
         table = java.lang.Object[] n0 n1
         n0 = java.util.Map$Node key=k0 value=o0 next=n2
         n1 = java.util.Map$Node key=k1 value=o1
         n2 = java.util.Map$Node key=k2 value=o2
         k0 = byte[] 1 2 3
         k1 = byte[] 1 2 3
         k2 = byte[] 1 2 3
         o0 = desk.Order label=l0 lines=a0
         o1 = desk.Order label=l1
         o2 = desk.Order label=l2
         l0 = byte[] 1
         l1 = byte[] 1
         l2 = byte[] 1
         a0 = java.lang.Object[] i0
         i0 = byte[] 7
         gone = byte[] 1
         alone = byte[] 1
         root alone global\n",
    );
    let owners = |class: &str| owners(&dump, class);
    let text = |name: &str, objects| (name.to_owned(), objects);
    let bytes = owners("byte[]");
    assert_eq!(bytes.len(), 4, "{bytes:?}");
    for owner in [text("Order.label", 3), text("Cache.entries", 3), text("Order.lines", 1), text("", 1)] {
        assert!(bytes.contains(&owner), "{owner:?}: {bytes:?}");
    }
    // Two fields hold the last one: that of the class is nearer.
    assert_eq!(owners("desk.Order"), [text("Cache.entries", 2), text("Cache.last", 1)]);
    assert_eq!(owners("java.util.Map$Node"), [text("Cache.entries", 3)]);
    assert_eq!(owners("java.lang.Object[]").len(), 2);
}

/// An owner leads to the largest object that its member holds, and the answer is the same however many threads look.
#[test]
fn answers_do_not_depend_on_threads() {
    let dump = open(&fixtures::path("leak-after.hprof.gz"));
    let task = Task::new();
    let all = dump.data().answer(&ClassOwnersQuestion, &task).expect("not cancelled");
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    let namer = dump.namer(&task).expect("not cancelled");
    let again = one_thread.install(|| class_owners(namer, &task)).expect("not cancelled");
    assert!(*all == again);
    let heap = &dump.facts.heap;
    let sessions = heap.classes.named("desk.Session").expect("the class");
    let owner = all.owner(&all.of(sessions)[0]).expect("an owner");
    assert_eq!(owner.qualified.as_deref(), Some("desk.SessionCache.ENTRIES"));
    assert_eq!(&*heap.class(owner.object.expect("an object")).name, "java.util.HashMap");
}
