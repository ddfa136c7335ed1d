//! Android owner rules: each object is dominated by its owner, and no object becomes unreachable.

use std::fmt::Write as _;

use heaplens_analysis::android::owners::Owners;
use heaplens_base::Task;
use heaplens_base::storage::MemoryBudget;
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::ObjectId;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::Sketch;

const CLASSES: &str = "
    class android.view.View
      field mParent: object
      field mContext: object
    class android.view.ViewGroup extends android.view.View
      field mChildren: object
      field mChildrenCount: int
    class android.app.Activity
      field mDecor: object
    class android.util.ArrayMap
      field mArray: object
    class android.app.ActivityThread$ActivityClientRecord
      field activity: object
    class android.app.ActivityThread
      field mActivities: object
      static sCurrentActivityThread: object = thread
    class dagger.internal.DoubleCheck
      field instance: object
      static UNINITIALIZED: object = nothing
    root android.app.ActivityThread class
    root dagger.internal.DoubleCheck class
    nothing = java.lang.Object
    class Other
      static first: object = other0
      static second: object = other1
    root Other class
    ";

/// A visible activity with a window, a view group and two views.
const SCREEN: &str = "
    token = java.lang.Object
    thread = android.app.ActivityThread mActivities=running
    running = android.util.ArrayMap mArray=pairs
    pairs = java.lang.Object[] token record null null
    record = android.app.ActivityThread$ActivityClientRecord activity=screen
    screen = android.app.Activity mDecor=decor
    decor = android.view.ViewGroup mContext=screen mChildren=inDecor mChildrenCount=1
    inDecor = android.view.View[] group null
    group = android.view.ViewGroup mParent=decor mContext=screen mChildren=inGroup mChildrenCount=2
    inGroup = android.view.View[] left right gone
    left = android.view.View mParent=group mContext=screen
    right = android.view.View mParent=group mContext=screen
    gone = android.view.View mParent=group
    ";

struct Opened {
    plain: Dump,
    owned: Dump,
    sketch: Sketch,
}

fn by_owners(heap: &str) -> Opened {
    let sketch = notation::read(&format!("{CLASSES}{heap}")).unwrap_or_else(|why| panic!("{why}"));
    let file = crate::temporary_file(write(&sketch, Form { id_bytes: 4, ..Form::MODERN }));
    let task = Task::new();
    let plain = open_with(file.path(), &OpenOptions::default(), &task).unwrap_or_else(|error| panic!("{error}"));
    let facts = &plain.facts;
    let owners = Owners::find(&facts.heap, &*facts.contents, &task).expect("not cancelled");
    let left_out = owners.left_out(&facts.heap, &plain.analysis, &task).expect("not cancelled");
    let owned = plain.without(&left_out, &MemoryBudget::default(), &task).unwrap_or_else(|error| panic!("{error}"));
    Opened { plain, owned, sketch }
}

impl Opened {
    fn object(&self, label: &str) -> ObjectId {
        self.plain.facts.heap.find(&format!("{:#x}", self.sketch.id(label))).expect("it exists")
    }

    /// Label of the object whose reference dominates an object.
    fn owner(&self, dump: &Dump, label: &str) -> Option<String> {
        let above = dump.analysis.immediate_dominator(self.object(label))?;
        let address = dump.facts.heap.address(above).0;
        self.sketch.labels.iter().find(|(_, id)| **id == address).map(|(label, _)| label.clone())
    }

    fn is_owned(&self, label: &str, by: &str) -> bool {
        self.owner(&self.owned, label).as_deref() == Some(by)
    }
}

#[test]
fn a_screen_is_a_tree_whoever_else_refers_to_its_views() {
    let heap = format!(
        "{SCREEN}
        other0 = java.lang.Object[] left screen decor gone
        other1 = java.lang.Object[] left group"
    );
    let opened = by_owners(&heap);
    assert_eq!(opened.owner(&opened.plain, "left"), None, "held from several sides");
    for (object, owner) in
        [("screen", "record"), ("decor", "screen"), ("group", "inDecor"), ("left", "inGroup"), ("right", "inGroup")]
    {
        assert!(opened.is_owned(object, owner), "{object}: {:?}", opened.owner(&opened.owned, object));
    }
    // Elements after the last child are stale.
    assert_eq!(opened.owner(&opened.owned, "gone"), opened.owner(&opened.plain, "gone"));
}

/// An activity reached only through its own view stays there.
#[test]
fn a_screen_leaked_through_its_own_view_is_listed() {
    let heap = format!(
        "{SCREEN}
        other0 = java.lang.Object[] left
        other1 = java.lang.Object[] right"
    );
    let opened = by_owners(&heap.replace("token record", "token null"));
    for label in ["screen", "decor", "group", "left", "right"] {
        assert!(opened.owned.analysis.is_reachable(opened.object(label)), "{label}");
    }
    assert!(opened.is_owned("left", "other0"), "it is the way in");
    assert!(opened.is_owned("right", "inGroup"), "its parent is reached by then");
}

#[test]
fn singletons_belong_to_their_creator() {
    let heap = "
        thread = android.app.ActivityThread
        single = java.lang.Object
        once = dagger.internal.DoubleCheck instance=single
        never = dagger.internal.DoubleCheck instance=nothing
        other0 = java.lang.Object[] once never single
        other1 = java.lang.Object[] single";
    let opened = by_owners(heap);
    assert!(opened.is_owned("single", "once"));
    assert!(!opened.is_owned("nothing", "never"), "the provider has no instance");
}

#[test]
fn every_object_is_listed_once_below_its_owner() {
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let groups = 2 + random.below(8);
        let mut heap = "thread = android.app.ActivityThread\n".to_owned();
        let anything = |random: &mut Random| match random.below(4) {
            0 => "null".to_owned(),
            1 => format!("array{}", random.below(groups)),
            _ => format!("group{}", random.below(groups)),
        };
        for n in 0..groups {
            let [parent, context] = [anything(&mut random), anything(&mut random)];
            let children: Vec<String> = (0..random.below(4)).map(|_| anything(&mut random)).collect();
            let count = random.below(5);
            let _ = write!(
                heap,
                "group{n} = android.view.ViewGroup mParent={parent} mContext={context} mChildren=array{n} mChildrenCount={count}\n\
                 array{n} = android.view.View[] {}\n",
                children.join(" ")
            );
        }
        for n in 0..2 {
            let [one, two] = [anything(&mut random), anything(&mut random)];
            let _ = writeln!(heap, "other{n} = java.lang.Object[] {one} {two}");
        }
        let opened = by_owners(&heap);
        let (plain, owned) = (&opened.plain, &opened.owned);
        for object in plain.facts.heap.objects() {
            assert_eq!(plain.analysis.is_reachable(object), owned.analysis.is_reachable(object), "seed {seed}\n{heap}");
        }
        let owners = Owners::find(&plain.facts.heap, &*plain.facts.contents, &Task::new()).expect("not cancelled");
        for (object, owner) in owners.all() {
            if !owned.analysis.is_reachable(object) {
                continue;
            }
            let holders = owned.analysis.retainers(object);
            // The only remaining referrer is the owner; otherwise the object is an entry point and keeps all referrers.
            let is_owned = holders.iter().all(|&from| from == owner.raw());
            let stays = holders.len() == plain.analysis.retainers(object).len();
            assert!(is_owned || stays, "seed {seed}: {holders:?}\n{heap}");
        }
    }
}
