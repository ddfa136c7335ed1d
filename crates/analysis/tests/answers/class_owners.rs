//! Owners by class against the owner of each object by itself, asked one by one.

use std::collections::BTreeMap;
use std::path::Path;

use heaplens_analysis::class_owners::{ClassOwnersQuestion, class_owners};
use heaplens_base::{Bytes, Task};
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::ClassId;
use heaplens_testkit::{fixtures, heaps, hprof};

type Sums = BTreeMap<(ClassId, Option<String>), (u64, Bytes)>;

fn open(path: &Path) -> Dump {
    open_with(path, &OpenOptions::default(), &Task::new()).unwrap_or_else(|error| panic!("{error}"))
}

/// Objects and bytes by class and owner, of all objects at once.
fn at_once(dump: &Dump) -> Sums {
    let owners = dump.data().answer(&ClassOwnersQuestion, &Task::new()).expect("not cancelled");
    let mut sums = Sums::new();
    for row in owners.rows() {
        let name = owners.owner(row).expect("an owner").qualified.clone();
        let sum = sums.entry((row.class, name)).or_default();
        *sum = (sum.0 + row.objects, sum.1 + row.bytes);
    }
    sums
}

/// The same, object by object.
fn one_by_one(dump: &Dump) -> Sums {
    let task = &Task::new();
    let namer = dump.namer(task).expect("not cancelled");
    let mut sums = Sums::new();
    for object in dump.facts.heap.objects().filter(|&object| dump.analysis.is_reachable(object)) {
        let name = namer.short_name(object, task).expect("not cancelled").and_then(|name| name.owner());
        let key = (dump.facts.heap.class_id(object), name.map(|name| name.qualified_text()));
        let sum = sums.entry(key).or_default();
        *sum = (sum.0 + 1, sum.1 + dump.facts.heap.shallow(object));
    }
    sums
}

fn check_totals(dump: &Dump, sums: &Sums) {
    for (class, row) in dump.facts.heap.classes.iter() {
        let of_class = sums.range((class, None)..).take_while(|((of, _), _)| *of == class);
        let (objects, bytes) = of_class.fold((0, Bytes(0)), |(n, b), (_, sum)| (n + sum.0, b + sum.1));
        let totals = dump.analysis.class_totals(class);
        assert_eq!((objects, bytes), (totals.objects, totals.shallow), "{}", row.name);
    }
}

#[test]
#[ignore = "prints"]
fn look() {
    let path = std::env::var("DUMP").expect("a dump");
    let dump = open(Path::new(&path));
    let start = std::time::Instant::now();
    let task = Task::new();
    let namer = dump.namer(&task).unwrap();
    println!("namer {:?}", start.elapsed());
    let start = std::time::Instant::now();
    let _ = heaplens_analysis::retained_by_owner::retained_by_owner(namer, str::to_owned, &task).unwrap();
    println!("retained by owner {:?}", start.elapsed());
    let start = std::time::Instant::now();
    let owners = class_owners(namer, &task).unwrap();
    println!("class owners {:?} rows {}", start.elapsed(), owners.rows().len());
    let fast = at_once(&dump);
    check_totals(&dump, &fast);
    let mut classes: Vec<_> = dump.facts.heap.classes.iter().collect();
    classes.sort_by_key(|(id, _)| std::cmp::Reverse(dump.analysis.class_totals(*id).shallow));
    for (id, class) in classes.into_iter().take(25) {
        let totals = dump.analysis.class_totals(id);
        print!("{:10} {:8} {}: ", totals.shallow.0, totals.objects, class.name);
        for row in owners.of(id).iter().take(5) {
            let o = owners.owner(row).unwrap();
            print!(" {} {}% ·", o.name.as_deref().unwrap_or("-"), row.bytes.0 * 100 / totals.shallow.0.max(1));
        }
        println!(" {} more", owners.of(id).len().saturating_sub(5));
    }
    if std::env::var("SLOW").is_ok() {
        let start = std::time::Instant::now();
        let slow = one_by_one(&dump);
        println!("one by one {:?}", start.elapsed());
        let mut same = 0;
        let mut diff: Vec<(u64, String)> = Vec::new();
        for (key, (_, bytes)) in &slow {
            let other = fast.get(key).map_or(Bytes(0), |s| s.1);
            same += other.0.min(bytes.0);
            let name = &dump.facts.heap.classes.get(key.0).name;
            if other != *bytes {
                diff.push((bytes.0.abs_diff(other.0), format!("{name} {:?} slow {} fast {}", key.1, bytes.0, other.0)));
            }
        }
        for (key, (_, bytes)) in &fast {
            if !slow.contains_key(key) {
                let name = &dump.facts.heap.classes.get(key.0).name;
                diff.push((bytes.0, format!("{name} {:?} slow 0 fast {}", key.1, bytes.0)));
            }
        }
        diff.sort_by_key(|d| std::cmp::Reverse(d.0));
        println!("same {} of {}", same, dump.analysis.shown.shallow.0);
        for d in diff.iter().take(25) {
            println!("   {}", d.1);
        }
    }
}
