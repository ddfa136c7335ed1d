//! Heaps that no program would have: nothing panics, and sums hold.

use heaplens_analysis::diff::entries::entries;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_testkit::{heaps, notation};

use super::laws;
use super::opened::{compared, made_up, pair};

const EMPTY: &str = "root java.lang.Object class";

/// A node that follows itself, a size of two thousand million, a table that is no array, a map that is its own value.
const LIES: &str = "
    class java.util.HashMap
      field table: object
      field size: int
    class java.util.HashMap$Node
      field hash: int
      field key: object
      field value: object
      field next: object
    class shop.Shop
      static ring: object = ring
      static huge: object = huge
      static odd: object = odd
      static own: object = own
    ring = java.util.HashMap table=ring-table size=3
    ring-table = java.util.HashMap$Node[] loop loop null
    loop = java.util.HashMap$Node hash=1 key=name value=ring next=loop
    huge = java.util.HashMap table=huge-table size=2147483647
    huge-table = java.util.HashMap$Node[] one
    one = java.util.HashMap$Node key=name value=name
    odd = java.util.HashMap table=name size=-5
    own = java.util.HashMap table=own-table size=1
    own-table = java.util.HashMap$Node[] self
    self = java.util.HashMap$Node key=own value=own
    name = \"a name\"
    root shop.Shop class
";

const OTHER: &str = "
    class other.Thing
      field next: object
      static first: object = one
    one = other.Thing next=two
    two = other.Thing next=one
    root other.Thing class
";

fn heap(text: &str) -> Dump {
    made_up(&notation::read(text).expect("a heap"))
}

#[test]
fn sums_add_up_for_any_two_heaps() {
    let heaps = [EMPTY, LIES, OTHER].map(heap);
    for before in &heaps {
        for after in &heaps {
            let (pair, actual) = (pair(before, after), compared(pair(before, after)));
            laws::hold(pair, &actual);
            laws::mirrored(pair, &actual, "hostile");
        }
        let pair = pair(before, before);
        laws::nothing_changed(pair, &compared(pair), "hostile");
    }
}

#[test]
fn maps_with_wrong_sizes_are_compared_by_entry() {
    let [one, two] = [LIES, LIES].map(heap);
    let pair = pair(&one, &two);
    let actual = compared(pair);
    let collections = |name: &str| super::opened::held_by(pair.before, name);
    for name in ["shop.Shop.ring", "shop.Shop.huge", "shop.Shop.odd", "shop.Shop.own"] {
        let map = collections(name);
        let answer = entries(pair, &actual.matches, map, map, 10, &Task::new()).expect("not cancelled");
        let changes =
            answer.map(|answer| (answer.added, answer.removed, answer.new.len(), answer.removed_entries.len()));
        assert!(matches!(changes, None | Some((0, 0, 0, 0))), "{name}: {changes:?}");
    }
}

/// Heaps of other programs, with weak references, threads without object, dangling roots.
#[test]
fn random_heaps_have_exact_sums() {
    for seed in 0..120 {
        let [one, two] = [heaps::random(seed, 60), heaps::random(seed + seed % 3, 90)].map(|sketch| made_up(&sketch));
        let pair = pair(&one, &two);
        let actual = compared(pair);
        laws::hold(pair, &actual);
        laws::mirrored(pair, &actual, &format!("seed {seed}"));
        let same = super::opened::pair(&one, &one);
        laws::nothing_changed(same, &compared(same), &format!("seed {seed}"));
    }
}
