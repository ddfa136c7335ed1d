//! Structures of several objects are one finding, named by the field to change; the order of allocation tells tables that
//! were filled at start from those that grow.

use std::fmt::Write as _;

use heaplens_analysis::LeakFinding;
use heaplens_analysis::leaks::{Evidence, Group, Novelty};
use heaplens_dump::OpenOptions;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

/// Findings of the heap in a text.
pub(crate) fn findings(text: &str) -> Vec<LeakFinding> {
    let sketch = notation::read(text).unwrap_or_else(|why| panic!("{why}"));
    crate::leaks_of(&crate::open_bytes(write(&sketch, Form::MODERN), &OpenOptions::default()))
}

/// Labels of the leaks, in order.
fn labels(findings: &[LeakFinding]) -> Vec<&str> {
    findings.iter().filter(|finding| finding.group == Group::Leak).map(|finding| finding.qualified.as_str()).collect()
}

/// `count` addresses with the labels `NAME0`, `NAME1`, and so on.
pub(crate) fn addresses(text: &mut String, name: &str, count: usize) -> String {
    for at in 0..count {
        writeln!(text, "{name}{at} = shop.Address text={name}text{at}\n{name}text{at} = \"street {name} {at}\"")
            .expect("a text");
    }
    (0..count).map(|at| format!("{name}{at}")).collect::<Vec<_>>().join(" ")
}

pub(crate) const ADDRESS: &str = "class shop.Address\n  field text: object\n";

#[test]
fn stripes_of_a_cache_are_one_place() {
    let mut text = format!(
        "{ADDRESS}class shop.Geocoder\n  static byUrl: object = cache\nroot shop.Geocoder class\n\
         class org.agrona.Striped\n  field stripes: object\nclass org.agrona.Stripe\n  field table: object\n\
         cache = org.agrona.Striped stripes=stripes\n"
    );
    let stripes: Vec<String> = (0..8).map(|stripe| format!("stripe{stripe}")).collect();
    for stripe in &stripes {
        let entries = addresses(&mut text, &format!("{stripe}_"), 20);
        writeln!(text, "{stripe} = org.agrona.Stripe table={stripe}table").expect("a text");
        writeln!(text, "{stripe}table = java.lang.Object[] {entries} null").expect("a text");
    }
    writeln!(text, "stripes = org.agrona.Stripe[] {}", stripes.join(" ")).expect("a text");
    let findings = findings(&text);
    assert_eq!(labels(&findings), ["shop.Geocoder.byUrl"]);
    assert!(findings[0].share().to_string().starts_with('9'), "{}", findings[0].share());
}

#[test]
fn buckets_of_a_wheel_are_one_place() {
    let mut text = format!(
        "{ADDRESS}class rides.Dispatcher\n  static timer: object = timer\nroot rides.Dispatcher class\n\
         class io.netty.Timer\n  field wheel: object\nclass io.netty.Bucket\n  field head: object\n  field tail: object\n\
         class io.netty.Timeout\n  field next: object\n  field prev: object\n  field task: object\n\
         timer = io.netty.Timer wheel=wheel\n"
    );
    let mut buckets = Vec::new();
    for bucket in 0..16 {
        buckets.push(format!("bucket{bucket}"));
        // Most buckets are empty: deadlines lie close together.
        let count = if bucket < 2 { 60 } else { 0 };
        addresses(&mut text, &format!("task{bucket}_"), count);
        for at in 0..count {
            let (next, prev) = (at + 1, at.checked_sub(1));
            let next = if next < count { format!("timeout{bucket}_{next}") } else { "null".to_owned() };
            let prev = prev.map_or("null".to_owned(), |prev| format!("timeout{bucket}_{prev}"));
            writeln!(text, "timeout{bucket}_{at} = io.netty.Timeout next={next} prev={prev} task=task{bucket}_{at}")
                .expect("a text");
        }
        let ends = if count == 0 {
            String::new()
        } else {
            format!(" head=timeout{bucket}_0 tail=timeout{bucket}_{}", count - 1)
        };
        writeln!(text, "bucket{bucket} = io.netty.Bucket{ends}").expect("a text");
    }
    writeln!(text, "wheel = io.netty.Bucket[] {}", buckets.join(" ")).expect("a text");
    assert_eq!(labels(&findings(&text)), ["rides.Dispatcher.timer"]);
}

#[test]
fn inner_nodes_of_a_tree_are_one_place() {
    let mut text = format!(
        "{ADDRESS}class shop.Index\n  static root: object = node1\nroot shop.Index class\n\
         class shop.Node\n  field left: object\n  field right: object\n  field address: object\n"
    );
    addresses(&mut text, "address", 128);
    for node in 1..128 {
        let child = |at: usize| if at < 128 { format!("node{at}") } else { "null".to_owned() };
        let (left, right) = (child(2 * node), child(2 * node + 1));
        writeln!(text, "node{node} = shop.Node left={left} right={right} address=address{node}").expect("a text");
    }
    assert_eq!(labels(&findings(&text)), ["shop.Index.root"]);
}

#[test]
fn shared_objects_have_the_names_of_the_structures_that_hold_them() {
    let mut text = format!(
        "{ADDRESS}class news.Feed\n  static listeners: object = listeners\nroot news.Feed class\n\
         class news.Desk\n  static open: object = open\nroot news.Desk class\n"
    );
    let all = addresses(&mut text, "listener", 100);
    writeln!(text, "listeners = java.lang.Object[] {all} null\nopen = java.lang.Object[] {all} null null")
        .expect("a text");
    let findings = findings(&text);
    assert_eq!(labels(&findings), ["news.Desk.open + news.Feed.listeners"]);
    let cut: Vec<&str> = findings[0].cut.iter().map(|cut| cut.name.as_str()).collect();
    assert_eq!(cut.len(), 2, "{cut:?}");
}

#[test]
fn a_table_that_still_grows_comes_before_a_larger_one_filled_at_start() {
    let mut text = format!(
        "{ADDRESS}class shop.Catalogue\n  static all: object = catalogue\nroot shop.Catalogue class\n\
         class shop.Visits\n  static all: object = visits\nroot shop.Visits class\n"
    );
    // Addresses of the notation are in the order of its lines.
    let catalogue = addresses(&mut text, "item", 300);
    let visits = addresses(&mut text, "visit", 100);
    writeln!(text, "catalogue = java.lang.Object[] {catalogue} null\nvisits = java.lang.Object[] {visits} null")
        .expect("a text");
    let findings = findings(&text);
    assert_eq!(labels(&findings), ["shop.Visits.all", "shop.Catalogue.all"]);
    let novelty = |at: usize| {
        findings[at].evidence.iter().find_map(|sign| match sign {
            Evidence::Allocated(first, last) => Some(Novelty::of(*first, *last)),
            _ => None,
        })
    };
    assert_eq!((novelty(0), novelty(1)), (Some(Novelty::Newest), Some(Novelty::Oldest)));
    assert!(findings[0].certainty > 0.25 && findings[1].certainty < 0.05);
}

/// Three structures: one filled at start, one that grows all the time, and one that is filled at the end and has most
/// objects. Most objects of the growing one are older than most others, as are all of the first.
#[test]
fn a_table_that_always_grew_is_told_from_one_filled_at_start_although_most_objects_are_newer() {
    let mut text = String::from(ADDRESS);
    for (class, field) in [("Catalogue", "all"), ("Visits", "seen"), ("Report", "lines"), ("Log", "texts")] {
        writeln!(text, "class shop.{class}\n  static {field}: object = {field}\nroot shop.{class} class")
            .expect("a text");
    }
    let all = addresses(&mut text, "item", 100);
    let (mut seen, mut texts) = (Vec::new(), Vec::new());
    for at in 0..20 {
        seen.push(addresses(&mut text, &format!("visit{at}_"), 15));
        texts.push(addresses(&mut text, &format!("text{at}_"), 15));
    }
    let lines = addresses(&mut text, "line", 300);
    for (field, names) in [("all", all), ("seen", seen.join(" ")), ("texts", texts.join(" ")), ("lines", lines)] {
        writeln!(text, "{field} = java.lang.Object[] {names} null").expect("a text");
    }
    let findings = findings(&text);
    let age = |label: &str| {
        let finding =
            findings.iter().find(|finding| finding.qualified == label).unwrap_or_else(|| panic!("no {label}"));
        let age = finding.evidence.iter().find(|sign| matches!(sign, Evidence::Allocated(..)));
        (age.map(Evidence::key), age.map(Evidence::is_against))
    };
    assert_eq!(age("shop.Catalogue.all"), (Some("oldest"), Some(true)));
    assert_eq!(age("shop.Visits.seen"), (Some("over time"), Some(false)), "neither for nor against");
    assert_eq!(age("shop.Log.texts"), (Some("over time"), Some(false)));
    assert_eq!(age("shop.Report.lines"), (Some("newest"), Some(false)));
}

#[test]
fn without_an_order_of_allocation_nothing_is_said_of_age() {
    let mut text = format!("{ADDRESS}class shop.Visits\n  static all: object = visits\nroot shop.Visits class\n");
    let visits = addresses(&mut text, "visit", 100);
    let mut mixed: Vec<&str> = visits.split(' ').collect();
    mixed.sort_by_key(|name| name.chars().rev().collect::<String>());
    writeln!(text, "visits = java.lang.Object[] {} null", mixed.join(" ")).expect("a text");
    let findings = findings(&text);
    assert_eq!(labels(&findings), ["shop.Visits.all"]);
    assert!(!findings[0].evidence.iter().any(|sign| matches!(sign, Evidence::Allocated(..))));
}

#[test]
fn regions_in_descending_order_tell_no_age() {
    let mut text = format!(
        "{ADDRESS}class shop.Catalogue\n  static all: object = catalogue\nroot shop.Catalogue class\n\
         class shop.Visits\n  static all: object = visits\nroot shop.Visits class\n"
    );
    // As with G1: later regions are at lower addresses, and objects of a region in the order of allocation.
    let (mut catalogue, mut visits) = (Vec::new(), Vec::new());
    for region in (0..4).rev() {
        visits.insert(0, addresses(&mut text, &format!("visit{region}_"), 25));
    }
    for region in (0..12).rev() {
        catalogue.insert(0, addresses(&mut text, &format!("item{region}_"), 25));
    }
    let (catalogue, visits) = (catalogue.join(" "), visits.join(" "));
    writeln!(text, "catalogue = java.lang.Object[] {catalogue} null\nvisits = java.lang.Object[] {visits} null")
        .expect("a text");
    for finding in findings(&text) {
        let has_age = finding.evidence.iter().any(|sign| matches!(sign, Evidence::Allocated(..) | Evidence::Recent(_)));
        assert!(!has_age, "{}: {:?}", finding.qualified, finding.evidence);
    }
}

/// Adds an entry of a map, which is allocated after its key and value, and copied before them. Returns its name.
fn map_entry(text: &mut String, name: &str, is_copied: bool) -> String {
    let key = format!("{name}key = \"key {name}\"\n");
    let value = format!("{name}value = shop.Address text={name}text\n{name}text = \"street {name}\"\n");
    let node = format!("{name} = java.util.HashMap$Node hash=1 key={name}key value={name}value next=null\n");
    let parts = if is_copied { [node, key, value] } else { [key, value, node] };
    parts.iter().for_each(|part| *text += part);
    name.to_owned()
}

/// A shop with a catalogue and visits.
fn shop() -> String {
    format!(
        "{}{ADDRESS}class shop.Catalogue\n  static all: object = catalogue\nroot shop.Catalogue class\n\
         class shop.Visits\n  static all: object = visits\nroot shop.Visits class\n",
        heaplens_testkit::java_collections::DECLARATIONS
    )
}

/// A map of some entries, and its table.
fn map_of(name: &str, entries: &[String]) -> (String, String) {
    let size = entries.len();
    let map = format!("{name} = java.util.HashMap table={name}table size={size}\n");
    (map, format!("{name}table = java.util.HashMap$Node[] {}\n", entries.join(" ")))
}

/// Keys of the evidence of the finding with a label.
fn keys<'a>(findings: &'a [LeakFinding], label: &str) -> Vec<&'a str> {
    let finding = findings.iter().find(|finding| finding.qualified == label);
    finding.map(|finding| finding.evidence.iter().map(Evidence::key).collect()).unwrap_or_default()
}

#[test]
fn objects_that_no_collection_has_copied_are_the_newest() {
    let mut text = shop();
    // The newest are at the lowest addresses.
    let mut visits: Vec<String> = (300..360).map(|at| map_entry(&mut text, &format!("visit{at}"), false)).collect();
    visits.extend((0..300).map(|at| map_entry(&mut text, &format!("visit{at}"), true)));
    let items: Vec<String> = (0..700).map(|at| map_entry(&mut text, &format!("item{at}"), true)).collect();
    for (map, table) in [map_of("visits", &visits), map_of("catalogue", &items)] {
        text += &map;
        text += &table;
    }
    let findings = findings(&text);
    let (visits, catalogue) = (keys(&findings, "shop.Visits.all"), keys(&findings, "shop.Catalogue.all"));
    assert!(["newest", "recent"].contains(&visits[0]), "{visits:?}");
    assert!(["old", "oldest", "not recent"].contains(&catalogue[0]), "{catalogue:?}");
    assert_eq!(labels(&findings)[0], "shop.Visits.all");
}

#[test]
fn a_table_that_a_full_collection_slid_is_not_the_newest() {
    let mut text = shop();
    let (before, after): (Vec<usize>, Vec<usize>) = (0..300).partition(|at| *at < 150);
    let mut items: Vec<String> = before.iter().map(|at| map_entry(&mut text, &format!("item{at}"), false)).collect();
    // The map of the visits was slid with the catalogue, and its entries were copied later.
    let entries: Vec<String> = (0..700).map(|at| format!("visit{at}")).collect();
    let (visits, table) = map_of("visits", &entries);
    text += &visits;
    items.extend(after.iter().map(|at| map_entry(&mut text, &format!("item{at}"), false)));
    text += &table;
    for name in &entries {
        map_entry(&mut text, name, true);
    }
    let (catalogue, table) = map_of("catalogue", &items);
    text += &catalogue;
    text += &table;
    let findings = findings(&text);
    for label in ["shop.Visits.all", "shop.Catalogue.all"] {
        let keys = keys(&findings, label);
        assert!(!keys.is_empty(), "{label}");
        let ages = ["newest", "new", "over time", "old", "oldest", "recent", "not recent"];
        assert!(!keys.iter().any(|key| ages.contains(&key.trim_start_matches("likely "))), "{label}: {keys:?}");
    }
}

#[test]
fn a_leak_beside_a_much_larger_structure_of_one_object_is_found() {
    let mut text = format!(
        "{ADDRESS}class toll.Road\n  static ROAD: object = road\nroot toll.Road class\n\
         class toll.TollRoad\n  field accounts: object\n  field reader: object\n\
         class toll.Reader\n  field texts: object\n\
         road = toll.TollRoad accounts=accounts reader=reader\nreader = toll.Reader texts=texts\n"
    );
    let accounts = addresses(&mut text, "account", 970);
    let texts = addresses(&mut text, "text", 30);
    writeln!(text, "accounts = java.lang.Object[] {accounts} null\ntexts = java.lang.Object[] {texts} null")
        .expect("a text");
    let findings = findings(&text);
    let road = findings.iter().find(|finding| finding.qualified == "toll.Reader.texts");
    let share = road.map(|finding| finding.share().to_string());
    assert!(share.as_ref().is_some_and(|share| share == "2.8 %"), "{share:?} {:?}", labels(&findings));
}

#[test]
fn shared_objects_that_only_the_runtime_leads_to_have_the_name_of_its_field() {
    let mut text = format!(
        "{ADDRESS}class java.lang.Hooks\n  static hooks: object = hooks\nroot java.lang.Hooks class\n\
         class org.springframework.Context\n  field beans: object\n\
         class org.springframework.Beans\n  field context: object\n  field all: object\n"
    );
    let count = 40;
    let mut hooks = Vec::new();
    for at in 0..count {
        let held = addresses(&mut text, &format!("bean{at}_"), 4);
        // Both hold the addresses, and the hooks hold both.
        writeln!(text, "all{at} = java.lang.Object[] {held} null\nagain{at} = java.lang.Object[] {held} null null")
            .expect("a text");
        writeln!(text, "context{at} = org.springframework.Context beans=all{at}").expect("a text");
        writeln!(text, "beans{at} = org.springframework.Beans context=context{at} all=again{at}").expect("a text");
        hooks.push(format!("context{at} beans{at}"));
    }
    writeln!(text, "hooks = java.lang.Object[] {} null", hooks.join(" ")).expect("a text");
    let findings = findings(&text);
    let named: Vec<&str> = findings.iter().map(|finding| finding.qualified.as_str()).collect();
    assert!(named.contains(&"java.lang.Hooks.hooks"), "{named:?}");
    assert!(!named.contains(&""), "{named:?}");
}

#[test]
fn an_array_that_is_copied_for_each_element_is_not_bounded() {
    let group = |is_copied: bool| {
        let mut text = format!(
            "{ADDRESS}class boards.Feed\n  static latest: object = listeners\nroot boards.Feed class\n\
             class boards.Network\n  static stations: object = stations\nroot boards.Network class\n"
        );
        let stations = addresses(&mut text, "station", 200);
        let array = format!(
            "listeners = java.lang.Object[] {}",
            (0..100).map(|at| format!("listener{at}")).collect::<Vec<_>>().join(" ")
        );
        let mut own = String::new();
        addresses(&mut own, "listener", 100);
        let (first, last) = if is_copied { (own, array) } else { (array, own) };
        writeln!(text, "{first}\n{last}").expect("a text");
        writeln!(text, "stations = java.lang.Object[] {stations} null").expect("a text");
        let findings = findings(&text);
        findings.iter().find(|finding| finding.qualified == "boards.Feed.latest").map(|finding| finding.group)
    };
    assert_eq!(group(true), Some(Group::Leak));
    assert_eq!(group(false), Some(Group::Bounded));
}

#[test]
fn what_each_of_a_few_entries_holds_is_named() {
    let mut text = format!(
        "{ADDRESS}class town.Cinema\n  static halls: object = halls\nroot town.Cinema class\n\
         class town.Hall\n  field seats: object\n  field name: object\n\
         class town.Seats\n  field listeners: object\n"
    );
    let halls: Vec<String> = (0..6).map(|hall| format!("hall{hall}")).collect();
    for hall in &halls {
        let all = addresses(&mut text, &format!("{hall}_"), 40);
        writeln!(text, "{hall} = town.Hall seats={hall}seats\n{hall}seats = town.Seats listeners={hall}listeners")
            .expect("a text");
        writeln!(text, "{hall}listeners = java.lang.Object[] {all} null").expect("a text");
    }
    writeln!(text, "halls = java.lang.Object[] {} null", halls.join(" ")).expect("a text");
    let findings = findings(&text);
    assert_eq!(labels(&findings), ["town.Cinema.halls"]);
    let field = findings[0].evidence.iter().find_map(|sign| match sign {
        Evidence::InEach(field, bytes) => Some((field.as_str(), bytes.0 * 10 > findings[0].frees.0 * 9)),
        _ => None,
    });
    assert_eq!(field, Some(("Hall.seats.listeners", true)));
}

#[test]
fn a_lazy_stream_is_one_place() {
    let mut text = format!(
        "{ADDRESS}class lottery.Schedule\n  static draws: object = link0\nroot lottery.Schedule class\n\
         class io.vavr.Cons\n  field head: object\n  field tail: object\nclass io.vavr.Lazy\n  field value: object\n"
    );
    addresses(&mut text, "draw", 200);
    for at in 0..200 {
        let next = if at < 199 { format!("link{}", at + 1) } else { "null".to_owned() };
        writeln!(text, "link{at} = io.vavr.Cons head=draw{at} tail=lazy{at}\nlazy{at} = io.vavr.Lazy value={next}")
            .expect("a text");
    }
    let findings = findings(&text);
    assert_eq!(labels(&findings), ["lottery.Schedule.draws"]);
    assert!(findings[0].share().to_string().starts_with('9'), "{}", findings[0].share());
}

#[test]
fn the_age_of_a_table_that_is_nearly_the_whole_heap_is_that_of_its_start() {
    let mut text = format!(
        "{ADDRESS}class shop.Catalogue\n  static all: object = catalogue\nroot shop.Catalogue class\n\
         class shop.Visits\n  static all: object = visits\nroot shop.Visits class\n"
    );
    // All texts of the table first: its addresses lie at the end of its own objects.
    let lines = |name: &str, count: usize, line: &dyn Fn(String) -> String| {
        (0..count).map(|at| line(format!("{name}{at}"))).collect::<String>()
    };
    text += &lines("item", 1_900, &|item| format!("{item}text = \"street {item}\"\n"));
    text += &lines("item", 1_900, &|item| format!("{item} = shop.Address text={item}text\n"));
    let visits = addresses(&mut text, "visit", 400);
    let items = lines("item", 1_900, &|item| format!(" {item}"));
    writeln!(text, "catalogue = java.lang.Object[]{items} null\nvisits = java.lang.Object[] {visits} null")
        .expect("a text");
    let findings = findings(&text);
    assert_eq!(labels(&findings), ["shop.Visits.all", "shop.Catalogue.all"]);
    let age = |at: usize| {
        findings[at].evidence.iter().find_map(|sign| match sign {
            Evidence::Allocated(_, last) | Evidence::LikelyAllocated(_, last) => Some(*last),
            _ => None,
        })
    };
    assert!(age(0) >= Some(97) && age(1) <= Some(5), "{:?} {:?}", age(0), age(1));
}

#[test]
fn a_deque_tells_whether_elements_are_taken_from_it() {
    let is_taken_from = |head: u32, tail: u32| {
        let mut text = format!(
            "{ADDRESS}class java.util.ArrayDeque\n  field elements: object\n  field head: int\n  field tail: int\n\
             class mail.Outbox\n  static waiting: object = waiting\nroot mail.Outbox class\n"
        );
        let count = if head <= tail { tail - head } else { 150 - head + tail };
        addresses(&mut text, "mail", count as usize);
        let mut elements = vec!["null".to_owned(); 150];
        (0..count).for_each(|at| elements[((head + at) % 150) as usize] = format!("mail{at}"));
        writeln!(text, "waiting = java.util.ArrayDeque elements=elements head={head} tail={tail}").expect("a text");
        writeln!(text, "elements = java.lang.Object[] {}", elements.join(" ")).expect("a text");
        let findings = findings(&text);
        assert_eq!(labels(&findings), ["mail.Outbox.waiting"]);
        findings[0].evidence.contains(&Evidence::TakenFrom)
    };
    assert!(!is_taken_from(0, 120), "added at the end alone");
    assert!(!is_taken_from(30, 0), "added in front alone");
    assert!(is_taken_from(20, 140), "taken from the front");
    assert!(!is_taken_from(120, 90), "perhaps added at both ends");
}

#[test]
fn names_of_compilers_are_those_of_the_source() {
    let mut text =
        "class harbour.Pier$\n  static MODULE$: object = pier\n  field buoy: object\nroot harbour.Pier$ class\n\
         class harbour.Buoy\n  field org$harbour$Signals$$watchers: object\n\
         class harbour.Harbour$$Lambda$19+0x0000000100003410\n  field arg$1: object\n\
         pier = harbour.Pier$ buoy=buoy\nbuoy = harbour.Buoy org$harbour$Signals$$watchers=watchers\n\
         class java.util.ArrayList\n  field elementData: object\n  field size: int\n  field modCount: int\n\
         watchers = java.util.ArrayList elementData=elements size=200 modCount=200\n"
            .to_owned();
    for at in 0..200 {
        writeln!(
            text,
            "watcher{at} = harbour.Harbour$$Lambda$19+0x0000000100003410 arg$1=ship{at}\nship{at} = \"ship {at}\""
        )
        .expect("a text");
    }
    let all: Vec<String> = (0..200).map(|at| format!("watcher{at}")).collect();
    writeln!(text, "elements = java.lang.Object[] {}", all.join(" ")).expect("a text");
    let findings = findings(&text);
    assert_eq!(findings[0].label, "Signals.watchers");
    assert_eq!(findings[0].qualified, "org.harbour.Signals.org$harbour$Signals$$watchers");
    // Names of paths can be resolved: they are those of the dump.
    assert!(findings[0].name.ends_with(".buoy.org$harbour$Signals$$watchers"), "{}", findings[0].name);
}
