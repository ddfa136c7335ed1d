//! What findings say is true of the heap, and what they leave out is small: full caches are bounded, counters are no limits,
//! and a structure of a third of the heap is among the first findings, whatever rule knows it.

use std::fmt::Write as _;

use heaplens_analysis::LeakFinding;
use heaplens_analysis::leaks::{Evidence, Group, judge, rank, rules::LeakRules};
use heaplens_analysis::overview::{FindingSubject, Overview, holders};
use heaplens_dump::{Dump, OpenOptions};
use heaplens_testkit::fixtures;
use heaplens_testkit::heaps::random;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

use crate::structures::{ADDRESS, addresses, findings};

/// Maps of Java with the fields that tell how they were changed.
const MAPS: &str = "
class java.util.HashMap
  field table: object
  field size: int
  field modCount: int
class java.util.HashMap$Node
  field key: object
  field value: object
  field next: object
class java.util.LinkedHashMap extends java.util.HashMap
  field accessOrder: boolean
";

/// A map of a class with so many addresses and modifications, and further fields.
fn map(text: &mut String, (name, class): (&str, &str), (entries, changes): (usize, usize), fields: &str) {
    addresses(text, name, entries);
    writeln!(text, "{name} = {class} table={name}-table size={entries} modCount={changes} {fields}").expect("a text");
    let nodes: Vec<String> = (0..entries).map(|at| format!("{name}-{at}")).collect();
    writeln!(text, "{name}-table = java.util.HashMap$Node[] {} null null", nodes.join(" ")).expect("a text");
    for at in 0..entries {
        writeln!(text, "{name}-{at} = java.util.HashMap$Node key={name}text{at} value={name}{at}").expect("a text");
    }
}

/// The finding about a map that an object of a class with further fields holds.
fn of_held(declared: &str, fields: &str, entries: usize, changes: usize) -> LeakFinding {
    let mut text = format!(
        "{ADDRESS}{MAPS}{declared}class desk.Desk\n  static DESK: object = desk\nroot desk.Desk class\n\
         desk = desk.Cache map=map {fields}\n"
    );
    map(&mut text, ("map", "java.util.HashMap"), (entries, changes), "");
    findings(&text).remove(0)
}

/// The finding about a map of a class of the program.
fn of_own(declared: &str, fields: &str, entries: usize, changes: usize) -> LeakFinding {
    let mut text = format!(
        "{ADDRESS}{MAPS}class desk.Lru extends java.util.LinkedHashMap\n{declared}\
         class desk.Desk\n  static CACHE: object = map\nroot desk.Desk class\n"
    );
    map(&mut text, ("map", "desk.Lru"), (entries, changes), fields);
    findings(&text).remove(0)
}

#[test]
fn a_number_beside_a_structure_that_equals_its_entries_is_its_limit() {
    let bound = |finding: &LeakFinding| match finding.evidence.iter().find(|sign| sign.is_bound_of_structure()) {
        Some(Evidence::Bound(field, limit)) => (finding.group, field.clone(), *limit),
        Some(Evidence::Evicts(entries)) => (finding.group, String::new(), *entries),
        _ => (finding.group, String::new(), 0),
    };
    let is = |field: &str, limit| (Group::Bounded, field.to_owned(), limit);
    let own = of_own("  field maxEntries: int\n", "maxEntries=150", 150, 411);
    assert_eq!(bound(&own), is("desk.Lru.maxEntries", 150), "its own");
    let cache = "class desk.Cache\n  field map: object\n  field limit: int\n";
    assert_eq!(bound(&of_held(cache, "limit=150", 150, 411)), is("desk.Cache.limit", 150), "of its holder");
    let with_config = "class desk.Config\n  field capacity: int\nconfig = desk.Config capacity=250\n\
                       class desk.Cache\n  field map: object\n  field config: object\n";
    assert_eq!(
        bound(&of_held(with_config, "config=config", 250, 900)),
        is("desk.Config.capacity", 250),
        "of its settings"
    );
    let constant = "class desk.Cache\n  field map: object\n  static LIMIT: int = 150\n";
    assert_eq!(bound(&of_held(constant, "", 150, 411)), is("desk.Cache.LIMIT", 150), "a constant");
    assert_eq!(bound(&of_own("", "", 300, 900)), is("", 300), "a hook of its class with a number in its code");
    assert_eq!(bound(&of_own("", "accessOrder=true", 300, 300)), is("", 300), "in the order of access");
}

#[test]
fn a_number_that_counts_the_entries_of_a_leak_is_no_limit() {
    let counters = "class desk.Cache\n  field map: object\n  field size: int\n  field peak: int\n  field maxSeen: int\n  \
                    field added: long\n  field live: int\n  \
                    field maxActive: int\n  field initialCapacity: int\n  field maxBytes: int\n  field limit: int\n";
    let fields =
        "size=150 peak=150 maxSeen=150 added=150 live=150 maxActive=150 initialCapacity=150 maxBytes=20000 limit=100";
    // A program that forgets one of four removes the others.
    let finding = of_held(counters, fields, 150, 150 + 2 * 411);
    assert_eq!(finding.group, Group::Leak, "{:?}", finding.evidence);
    assert!(finding.evidence.contains(&Evidence::Removed(411, 150)));
    // It is no limit as long as nothing was removed.
    let finding = of_held("class desk.Cache\n  field map: object\n  field limit: int\n", "limit=150", 150, 150);
    assert_eq!(finding.group, Group::Leak);
    assert!(finding.evidence.contains(&Evidence::NeverRemoved(150)));
    // Accesses are counted as modifications: they tell nothing of removals.
    let finding = of_own("", "accessOrder=true", 150, 1_000);
    assert!(!finding.evidence.iter().any(|sign| matches!(sign, Evidence::Removed(..))), "{:?}", finding.evidence);
}

#[test]
fn the_linked_nodes_of_a_full_cache_are_bounded_by_its_map() {
    let mut text = format!(
        "{ADDRESS}{MAPS}class desk.Cache\n  field map: object\n  field first: object\n  field capacity: int\n\
         class desk.Link\n  field next: object\n  field value: object\n\
         class desk.Desk\n  static DESK: object = desk\nroot desk.Desk class\n\
         desk = desk.Cache map=map first=link0 capacity=200\n"
    );
    addresses(&mut text, "entry", 200);
    let nodes: Vec<String> = (0..200).map(|at| format!("node{at}")).collect();
    writeln!(text, "map = java.util.HashMap table=table size=200 modCount=800").expect("a text");
    writeln!(text, "table = java.util.HashMap$Node[] {} null", nodes.join(" ")).expect("a text");
    for at in 0..200 {
        writeln!(text, "node{at} = java.util.HashMap$Node key=entrytext{at} value=link{at}").expect("a text");
        writeln!(text, "link{at} = desk.Link value=entry{at} next=link{}", (at + 1) % 200).expect("a text");
    }
    let findings = findings(&text);
    let large = findings.iter().filter(|finding| finding.frees.0 * 4 > finding.total.0);
    let groups: Vec<Group> = large.map(|finding| finding.group).collect();
    assert!(!groups.is_empty() && groups.iter().all(|group| *group == Group::Bounded), "{groups:?}");
}

#[test]
fn immutable_collections_do_not_grow_and_of_persistent_ones_nothing_is_known() {
    let of = |declared: &str, object: &str| {
        let mut text = format!(
            "{ADDRESS}{declared}class desk.Desk\n  static TABLE: object = table\nroot desk.Desk class\n{object}\n"
        );
        let all = addresses(&mut text, "item", 200);
        writeln!(text, "array = java.lang.Object[] {all}").expect("a text");
        findings(&text).remove(0).evidence
    };
    let evidence = of(
        "class com.google.common.collect.ImmutableCollection\n\
         class com.google.common.collect.RegularImmutableList extends com.google.common.collect.ImmutableCollection\n  \
         field array: object\n",
        "table = com.google.common.collect.RegularImmutableList array=array",
    );
    assert!(evidence.iter().any(|sign| matches!(sign, Evidence::Unchanging(_))), "{evidence:?}");
    assert!(!evidence.iter().any(|sign| matches!(sign, Evidence::Grows(_))), "{evidence:?}");
    let evidence = of(
        "class scala.collection.immutable.Vector1\n  field prefix1: object\n",
        "table = scala.collection.immutable.Vector1 prefix1=array",
    );
    assert!(!evidence.iter().any(|sign| matches!(sign, Evidence::Grows(_) | Evidence::Unchanging(_))), "{evidence:?}");
}

/// A program with six leaks of a twelfth of the heap, and a structure of half of it: the text declares it, and holds the
/// addresses in the array `large`.
fn with_large(declared: &str) -> Dump {
    let mut text = format!("{ADDRESS}{declared}\n");
    let large = addresses(&mut text, "large", 600);
    writeln!(text, "large = java.lang.Object[] {large}").expect("a text");
    for leak in 0..6 {
        let all = addresses(&mut text, &format!("leak{leak}_"), 100);
        writeln!(
            text,
            "class desk.Leak{leak}\n  static ALL: object = all{leak}\nroot desk.Leak{leak} class\n\
             all{leak} = java.lang.Object[] {all} null"
        )
        .expect("a text");
    }
    let sketch = notation::read(&text).unwrap_or_else(|why| panic!("{why}"));
    crate::open_bytes(write(&sketch, Form::MODERN), &OpenOptions::default())
}

/// Index of the finding about the structure in the leak search and in the overview.
fn ranks(dump: &Dump, rules: &LeakRules, name: &str) -> (Option<usize>, Option<usize>) {
    let mut findings = crate::leaks_of(dump);
    judge(&dump.analysis, rules, &mut findings);
    rank(&mut findings);
    let listed = |finding: &&LeakFinding| matches!(finding.section(), Group::Leak);
    let in_leaks = findings.iter().take_while(listed).position(|finding| finding.name == name);
    let overview = Overview { holders: Some(holders(&dump.analysis, &findings)), ..Overview::default() };
    let is_it = |about: &FindingSubject| matches!(about, FindingSubject::Holder(holder) if holder.name == name);
    (in_leaks, overview.findings().iter().position(|finding| is_it(&finding.about)))
}

#[test]
fn a_structure_of_a_third_of_the_heap_is_among_the_first_whatever_rule_knows_it() {
    let rules = LeakRules::default();
    let runtime = "class java.lang.System\n  static props: object = props\nroot java.lang.System class\n\
                   class java.util.Properties\n  field entries: object\nprops = java.util.Properties entries=large";
    let texts = runtime.replace("entries=large", "entries=texts");
    let bounded = "class desk.Table\n  static ALL: object = large\nroot desk.Table class";
    let dump = with_large(bounded);
    let (in_leaks, in_overview) = ranks(&dump, &rules, "desk.Table.ALL");
    assert!(in_leaks.is_some_and(|at| at < 3) && in_overview.is_some_and(|at| at < 3), "{in_leaks:?} {in_overview:?}");
    let findings = crate::leaks_of(&dump);
    let table = findings.iter().find(|finding| finding.name == "desk.Table.ALL").expect("the table");
    assert_eq!((table.group, table.section()), (Group::Bounded, Group::Leak), "an array without room");
    // A verdict of the user hides.
    let mut expected = LeakRules::default();
    expected.add("expected desk.Table.ALL  # filled at start").expect("a rule");
    assert_eq!(ranks(&dump, &expected, "desk.Table.ALL"), (None, None));
    // Texts alone: no object of the program.
    let names: Vec<String> = (0..900).map(|at| format!("large{}text{at}", at / 600)).collect();
    let strings: Vec<String> = (0..900).map(|at| format!("property{at}")).collect();
    let mut declared = format!("{texts}\ntexts = java.lang.Object[] {} null", strings.join(" "));
    for (name, text) in strings.iter().zip(&names) {
        write!(declared, "\n{name} = \"{text} and a long value of this property, which nobody removes again\"")
            .expect("a text");
    }
    let dump = with_large(&declared);
    let findings = crate::leaks_of(&dump);
    let at = findings.iter().position(|finding| finding.name.starts_with("java.lang.System.props"));
    let finding = &findings[at.expect("the properties")];
    assert_eq!((finding.unjudged, finding.group), (Group::Normal, Group::Leak), "{finding:?}");
    assert!(at.is_some_and(|at| at < 3));
    assert!(finding.verdict.as_ref().is_some_and(|verdict| verdict.group == Group::Normal), "the rule is told");
}

/// Fails if a finding says what is not true of its heap.
fn check(dump: &Dump) {
    let (heap, analysis, contents) = (&*dump.facts.heap, &*dump.analysis, &*dump.facts.contents);
    let reachable = |class: &str| {
        let of_class = |&(_, row): &(_, &heaplens_heap::Class)| *row.name == *class;
        heap.classes.iter().filter(of_class).map(|(id, _)| analysis.class_totals(id).objects).sum::<u64>()
    };
    let mut all = Vec::new();
    for (at, finding) in crate::leaks_of(dump).iter().enumerate() {
        let of = format!("{} {:?}", finding.name, finding.evidence);
        assert!(finding.frees <= finding.total, "{of}");
        if let Some(actual) = &finding.accumulated {
            assert_eq!(actual.of_all, reachable(&actual.class), "{of}");
            assert!(
                actual.objects <= actual.of_all && actual.freed <= finding.objects,
                "{actual:?} {} {of}",
                finding.objects
            );
        }
        let size = finding.collection.as_ref().map(|inside| inside.size);
        for sign in &finding.evidence {
            match sign {
                Evidence::NearlyAll(class, objects, of_all) => {
                    assert!(*of_all == reachable(class) && objects <= of_all && objects * 10 >= of_all * 9, "{of}");
                }
                Evidence::NeverRemoved(entries) | Evidence::Removed(_, entries) | Evidence::Alike(entries, ..) => {
                    assert_eq!(Some(*entries), size, "{of}");
                }
                Evidence::Room(used, length) => {
                    let array = finding.named_object.into_iter().chain(finding.point.iter().map(|point| point.object));
                    let is_so = |array| {
                        let elements = contents.elements(heap, array, 0..*length + 1).unwrap_or_default();
                        let held = elements.iter().filter(|element| element.object().is_some()).count() as u64;
                        elements.len() as u64 == *length && held == *used
                    };
                    assert!(used < length && array.into_iter().any(is_so), "{of}");
                }
                Evidence::Functions(_, count, of_all)
                | Evidence::HoldFunctions(_, count, of_all)
                | Evidence::Refer(_, count, of_all) => {
                    assert!(count <= of_all && count * 10 >= of_all * 9 && *of_all >= 8, "{of}");
                }
                Evidence::Grows(class) => {
                    assert!(heap.classes.named(class).is_some() && !class.contains("Immutable"), "{of}");
                }
                _ => {}
            }
        }
        if finding.within.is_none() && finding.group == Group::Leak {
            let parts = finding.cut.iter().filter_map(|cut| analysis.subtree(cut.to));
            all.extend(parts.map(|part| (part, at, of.clone())));
        }
    }
    // No byte is in two leaks, but for those that say so: their sizes are added.
    all.sort_by_key(|(part, ..)| (part.start, std::cmp::Reverse(part.end)));
    let mut last: Option<&(std::ops::Range<u32>, usize, String)> = None;
    for part in &all {
        if let Some((before, of, words)) = last.filter(|(before, ..)| part.0.start < before.end) {
            assert_eq!(*of, part.1, "{words} {before:?} and {} {:?}", part.2, part.0);
        } else {
            last = Some(part);
        }
    }
}

#[test]
fn what_findings_say_is_true() {
    for seed in 0..40 {
        check(&crate::open_bytes(write(&random(seed, 400), Form::MODERN), &OpenOptions::default()));
    }
    for name in ["leak-after.hprof.gz", "keys-after.hprof.gz", "leak-after-jdk25.hprof.gz"] {
        let path = fixtures::path(name);
        check(&crate::open_bytes(std::fs::read(path).expect("a fixture"), &OpenOptions::default()));
    }
}
