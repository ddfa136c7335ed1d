//! Comparison and leak search agree about growth: the first owner and the first finding are the same structure under the
//! same name, and grew by the same bytes, on generated programs in which one structure grows beside others that do not.

use std::fmt::Write as _;

use heaplens_analysis::LeakFinding;
use heaplens_analysis::diff::GrowthRow;
use heaplens_analysis::leaks::rules::LeakRules;
use heaplens_analysis::leaks::{
    BaselineQuery, Group, Kind, LeakQuery, default_min_bytes, find_leaks, owners_short_name, with_baseline,
};
use heaplens_analysis::naming::Namer;
use heaplens_base::{Bytes, Task};
use heaplens_dump::Dump;
use heaplens_heap::SizeModel;
use heaplens_session::OpenOptions;
use heaplens_session::chain::Chain;
use heaplens_session::series::{SeriesKind, series};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::java_collections::{DECLARATIONS, collection};
use heaplens_testkit::notation;
use heaplens_testkit::random::Random;

use super::opened::{compared, held_by, pair, side};

/// Findings of the leak search in a dump.
fn leaks_of(dump: &Dump) -> Vec<LeakFinding> {
    let task = &Task::new();
    let namer = dump.namer(task).expect("not cancelled");
    let (rules, min_bytes) = (&LeakRules::default(), default_min_bytes(dump.analysis.shown.shallow));
    find_leaks(LeakQuery { namer, with_ages: true, rules, min_bytes }, task).expect("not cancelled")
}

/// How the entries of a structure are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A map from numbers.
    Map,
    /// A list.
    List,
    /// An array in a static field, replaced by a longer one.
    Array,
    /// Linked objects; new ones come first.
    Prepended,
    /// Linked objects; new ones come last.
    Appended,
    /// Many small arrays in one array.
    Siblings,
    /// A set of sets, with entries of which each is in two of them.
    SetOfSets,
    /// A list, whose entries a map has, too.
    TwoHolders,
}

const SHAPES: [Shape; 8] = [
    Shape::Map,
    Shape::List,
    Shape::Array,
    Shape::Prepended,
    Shape::Appended,
    Shape::Siblings,
    Shape::SetOfSets,
    Shape::TwoHolders,
];
/// Arrays among siblings, and sets in a set.
const PARTS: usize = 24;

/// Lines of a structure with so many entries.
fn structure(name: &str, shape: Shape, entries: usize) -> String {
    let labels: Vec<String> = (0..entries).map(|at| format!("{name}e{at}")).collect();
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("a string");
    for (at, label) in labels.iter().enumerate() {
        line(format!("{label} = shop.Entry data={label}d number={at}\n{label}d = int[] {at} 2 3 4 5 6 7 8 9 10 11 12"));
    }
    let of = |labels: &[String]| -> Vec<(String, String)> {
        labels.iter().map(|label| (label.clone(), label.clone())).collect()
    };
    let part = |part: usize, step: usize| -> Vec<String> {
        labels
            .iter()
            .enumerate()
            .filter(|(at, _)| at % PARTS == part || (at + step) % PARTS == part)
            .map(|(_, l)| l.clone())
            .collect()
    };
    match shape {
        Shape::Map => line(collection("java.util.HashMap", name, &of(&labels))),
        Shape::List => line(collection("java.util.ArrayList", name, &of(&labels))),
        Shape::Array => line(format!("{name} = shop.Entry[] {}", labels.join(" "))),
        Shape::Prepended | Shape::Appended => {
            for (at, label) in labels.iter().enumerate() {
                let next = match shape {
                    Shape::Prepended => at.checked_sub(1),
                    _ => Some(at + 1).filter(|next| *next < entries),
                };
                let next = next.map_or_else(|| "null".to_owned(), |next| format!("{name}l{next}"));
                line(format!("{name}l{at} = shop.Link entry={label} next={next}"));
            }
        }
        Shape::Siblings => {
            let parts: Vec<String> = (0..PARTS).map(|at| format!("{name}p{at}")).collect();
            line(format!("{name} = java.lang.Object[] {}", parts.join(" ")));
            for (at, part_name) in parts.iter().enumerate() {
                line(format!("{part_name} = shop.Part number={at} entries={part_name}s"));
                line(format!("{part_name}s = shop.Entry[] {}", part(at, 0).join(" ")));
            }
        }
        Shape::SetOfSets => {
            let parts: Vec<String> = (0..PARTS).map(|at| format!("{name}p{at}")).collect();
            line(collection("java.util.ArrayList", name, &of(&parts)));
            for (at, part_name) in parts.iter().enumerate() {
                line(format!("{part_name} = shop.Part number={at} entries={part_name}s"));
                line(collection("java.util.ArrayList", &format!("{part_name}s"), &of(&part(at, 1))));
            }
        }
        Shape::TwoHolders => {
            line(collection("java.util.ArrayList", name, &of(&labels)));
            line(collection("java.util.HashMap", &format!("{name}m"), &of(&labels)));
        }
    }
    text
}

/// The object that the static field of a structure holds.
fn head(name: &str, shape: Shape, entries: usize) -> String {
    match shape {
        Shape::Prepended => format!("{name}l{}", entries - 1),
        Shape::Appended => format!("{name}l0"),
        _ => name.to_owned(),
    }
}

/// A program with some structures, and a full table that has the later addresses.
fn program(structures: &[(String, Shape, usize)]) -> Dump {
    let mut statics = String::new();
    for (name, shape, entries) in structures {
        writeln!(statics, "  static {name}: object = {}", head(name, *shape, *entries)).expect("a string");
        if *shape == Shape::TwoHolders {
            writeln!(statics, "  static {name}Index: object = {name}m").expect("a string");
        }
    }
    let declared = format!(
        "class shop.App
{statics}
        root shop.App class\n"
    );
    let structures: String =
        structures.iter().map(|(name, shape, entries)| structure(name, *shape, *entries)).collect();
    opened(&(declared + &structures))
}

/// A heap with these lines, and the classes of the others.
fn opened(lines: &str) -> Dump {
    let text = format!(
        "{DECLARATIONS}
        class shop.Entry
          field data: object
          field number: int
        class shop.Link
          field entry: object
          field next: object
        class shop.Part
          field number: int
          field entries: object
        {lines}"
    );
    // Sizes of other models depend on the distances between objects, which differ between the two heaps.
    let mut options = OpenOptions::default();
    options.read.sizes = SizeModel::File;
    crate::open_bytes(write(&notation::read(&text).expect("a heap"), Form::MODERN), &options)
}

/// The first owner with its bytes, and all findings of the later heap with growth.
fn ranked(before: &Dump, after: &Dump) -> ((String, i64), Vec<LeakFinding>) {
    let pair = pair(before, after);
    let (task, rules, comparison) = (&Task::new(), &LeakRules::default(), compared(pair));
    let [before, namer] = [pair.before, pair.after].map(|dump| dump.namer(task).expect("not cancelled"));
    let question = LeakQuery { namer, with_ages: true, rules, min_bytes: Bytes(2_000) };
    let known = find_leaks(question, task).expect("not cancelled");
    let query = BaselineQuery { question, before, matches: &comparison.matches, growth: &comparison.growth };
    let findings = with_baseline(query, known, task).expect("not cancelled");
    let all: i64 = comparison.growth.rows.iter().map(|row| row.bytes.0.max(0)).sum();
    let stated = findings.iter().filter(|finding| finding.within.is_none() && finding.growth_within.is_none());
    let stated: i64 = stated.map(|finding| finding.grown().0.cast_signed()).sum();
    assert!(stated * 20 <= all * 21, "growth of {all} is stated as {stated}");
    let row = comparison.growth.rows.first().expect("something grew");
    let name = owners_short_name(namer, &row.owners, task).expect("not cancelled");
    let label = name.map(|name| name.qualified_text());
    ((label.unwrap_or_else(|| "no single owner".to_owned()), row.bytes.0), findings)
}

/// Asserts that the field `name` of the application, and nothing else, grew.
fn check(structures: &[(String, Shape, usize)], grown: usize, to: usize) {
    let mut later = structures.to_vec();
    later[grown].2 = to;
    let (name, shape, _) = &structures[grown];
    let ((owner, bytes), findings) = ranked(&program(structures), &program(&later));
    let listed = || {
        let all =
            findings.iter().map(|finding| format!("{} {} {}", finding.qualified, finding.grown(), finding.certainty));
        format!("{structures:?}: {name} to {to}: {owner} +{bytes}; findings: {}", all.collect::<Vec<_>>().join(", "))
    };
    let field = format!("shop.App.{name}");
    let first = findings.first().unwrap_or_else(|| panic!("no finding: {}", listed()));
    let is_shared = matches!(shape, Shape::TwoHolders | Shape::SetOfSets);
    let is_of_field = |label: &str| match shape {
        Shape::TwoHolders => label.contains(&field),
        // The lists in it grow, each in the same field.
        Shape::Siblings | Shape::SetOfSets => label.contains(&field) || label.contains("shop.Part.entries"),
        _ => label == field,
    };
    assert!(is_of_field(&owner) && is_of_field(&first.qualified), "{}", listed());
    let grew = first.grown().0.cast_signed();
    if is_shared {
        // The cuts of both holders free what they share, and what each of them has of its own.
        assert!(first.qualified.contains(&owner) || owner.contains(&first.qualified), "{}", listed());
        assert!(grew >= bytes, "{}", listed());
    } else {
        // A link may have an entry of its own that nothing matches.
        let is_named = first.qualified == owner || matches!(shape, Shape::Siblings);
        assert!(is_named && (grew - bytes).abs() * 100 <= bytes, "{}", listed());
    }
    for finding in &findings {
        match finding.grown() {
            Bytes(0) => assert!(finding.certainty < 0.1, "{}", listed()),
            _ => assert!(finding.certainty > 0.1, "{}", listed()),
        }
    }
    assert!(first.is_likely(), "{}", listed());
}

#[test]
fn the_first_owner_is_the_first_finding_for_each_shape() {
    for shape in SHAPES {
        let structures = [("table".to_owned(), Shape::Map, 900), ("leak".to_owned(), shape, 96)];
        check(&structures, 1, 480);
    }
}

#[test]
fn the_first_owner_is_the_first_finding_in_random_programs() {
    for seed in 0..24 {
        let mut random = Random::new(seed);
        let count = random.between(3, 6) as usize;
        let structures: Vec<(String, Shape, usize)> = (0..count)
            .map(|at| (format!("field{at}"), *random.pick(&SHAPES), random.between(60, 400) as usize))
            .collect();
        let grown = random.below(count as u32) as usize;
        let to = structures[grown].2 + random.between(120, 500) as usize;
        check(&structures, grown, to);
    }
}

/// The array in a static field is another object in each dump: the field is followed.
#[test]
fn three_dumps_follow_what_a_field_holds() {
    let sizes = [96, 300, 700];
    let dumps = sizes
        .map(|entries| program(&[("table".to_owned(), Shape::Map, 900), ("leak".to_owned(), Shape::Array, entries)]));
    let task = Task::new();
    let chain = Chain::new(dumps.iter().map(Dump::data).collect(), |_| None, &task).expect("not cancelled");
    let actual = series(&chain, &task).expect("not cancelled");
    let held = dumps.each_ref().map(|dump| held_by(side(dump), "shop.App.leak"));
    let first = actual.owners.first().expect("something grew");
    assert_eq!(first.objects, held.map(Some));
    let retained = [0, 1, 2].map(|at| dumps[at].analysis.retained(held[at]));
    assert_eq!(first.amounts.iter().map(|amount| amount.retained).collect::<Vec<_>>(), retained);
    assert!(matches!(&first.owner, SeriesKind::Objects(owners) if owners.len() == 1));
    assert_eq!(first.charged.0, (retained[2].0 - retained[0].0).cast_signed());
    let namers: Vec<Namer<'_>> = dumps.iter().map(|dump| dump.namer(&task).expect("not cancelled")).collect();
    let name = namers[2].short_name(held[2], &task).expect("not cancelled");
    assert_eq!(name.map(|name| name.to_string()).as_deref(), Some("App.leak"));
}

/// Branches of a tree of a library that each grew are one structure, with the name that the finding about it has.
#[test]
fn branches_of_a_tree_have_the_name_of_the_tree() {
    let tree = |entries: usize| {
        let mut text = "class clojure.lang.Trie
          field root: object
        class clojure.lang.Node
          field array: object
        class shop.App
          static leak: object = trie
        root shop.App class
        trie = clojure.lang.Trie root=top\n"
            .to_owned();
        let mut line = |line: String| writeln!(text, "{line}").expect("a string");
        let nodes: Vec<String> = (0..8).map(|at| format!("node{at}")).collect();
        line(format!("top = clojure.lang.Node[] {}", nodes.join(" ")));
        for node in &nodes {
            let entries: Vec<String> = (0..entries).map(|at| format!("{node}e{at}")).collect();
            line(format!("{node} = clojure.lang.Node array={node}a"));
            line(format!("{node}a = java.lang.Object[] {}", entries.join(" ")));
            for (at, entry) in entries.iter().enumerate() {
                line(format!("{entry} = shop.Entry data={entry}d number={at}"));
                line(format!("{entry}d = int[] {at} 2 3 4 5 6 7 8 9 10 11 12"));
            }
        }
        opened(&text)
    };
    let ((owner, bytes), findings) = ranked(&tree(12), &tree(60));
    let first = findings.first().expect("a finding");
    assert_eq!(first.qualified, owner);
    assert!(owner.starts_with("shop.App.leak") && !owner.contains('['), "{owner}");
    assert!((first.grown().0.cast_signed() - bytes).abs() * 10 <= bytes, "{} of {bytes}", first.grown());
}

/// A map that too many objects hold to cut them all: its table is cut. An entry in it has a growth of its own, but the map
/// tells that of the table.
#[test]
fn a_table_grows_with_its_map() {
    let heap = |entries: usize, longer: usize| {
        let holders = 0..20;
        let statics: String =
            holders.clone().fold(String::new(), |all, at| all + &format!("  static holder{at}: object = holder{at}\n"));
        let objects: String =
            holders.fold(String::new(), |all, at| all + &format!("holder{at} = shop.Holder all=leak\n"));
        let class = format!("class shop.App\n{statics}root shop.App class\n");
        let map = structure("leak", Shape::Map, entries);
        let first = "leake0d = int[] 0 2 3 4 5 6 7 8 9 10 11 12";
        assert!(map.contains(first));
        let map = map.replacen(first, &format!("{first}{}", " 13".repeat(longer)), 1);
        opened(&format!("class shop.Holder\n  field all: object\n{class}{objects}{map}"))
    };
    let ((_, bytes), findings) = ranked(&heap(100, 0), &heap(700, 900));
    let first = findings.first().expect("a finding");
    assert!(first.cut.iter().all(|cut| cut.reference == "table"), "{:?}", first.cut);
    assert!(first.grown().0.cast_signed() * 10 >= bytes * 9, "{} of {bytes}", first.grown());
}

/// A queue of nodes that are linked in both directions holds the first and the last: the nodes are no part of one another,
/// and the queue is what grew.
#[test]
fn a_queue_tells_the_growth_of_its_nodes() {
    let heap = |nodes: usize| {
        let mut text = "class shop.Node
          field prev: object
          field next: object
          field data: object
        class shop.Queue
          field first: object
          field last: object
        class shop.App
          static leak: object = queue
        root shop.App class\n"
            .to_owned();
        let label = |at: usize| if at < nodes { format!("node{at}") } else { "null".to_owned() };
        let mut line = |line: String| writeln!(text, "{line}").expect("a string");
        line(format!("queue = shop.Queue first=node0 last={}", label(nodes - 1)));
        for at in 0..nodes {
            line(format!(
                "node{at} = shop.Node prev={} next={} data=data{at}",
                label(at.wrapping_sub(1)),
                label(at + 1)
            ));
            line(format!("data{at} = int[] {at} 2 3 4 5 6 7 8 9 10 11 12"));
        }
        opened(&text)
    };
    let ((owner, bytes), findings) = ranked(&heap(100), &heap(700));
    let first = findings.first().expect("a finding");
    assert_eq!(first.qualified, owner);
    assert!((first.grown().0.cast_signed() - bytes).abs() * 10 <= bytes, "{} of {bytes}", first.grown());
}

/// What a thread local holds has its name, whatever field of a library it is in.
#[test]
fn the_value_of_a_thread_local_has_its_name() {
    let heap = |entries: usize| {
        let lines = "class java.lang.ThreadLocal
        class java.lang.ThreadLocal$ThreadLocalMap
          field table: object
        class java.lang.ThreadLocal$ThreadLocalMap$Entry extends java.lang.ref.WeakReference
          field value: object
        class java.lang.Thread
          field threadLocals: object
        class org.apache.logging.log4j.Stack
          field list: object
        class shop.App
          static CONTEXT: object = key
        root shop.App class
        thread = java.lang.Thread threadLocals=locals
        locals = java.lang.ThreadLocal$ThreadLocalMap table=entries
        entries = java.lang.ThreadLocal$ThreadLocalMap$Entry[] entry
        entry = java.lang.ThreadLocal$ThreadLocalMap$Entry referent=key value=stack
        key = java.lang.ThreadLocal
        stack = org.apache.logging.log4j.Stack list=leak
        root thread thread 1\n";
        opened(&format!("{lines}{}", structure("leak", Shape::List, entries)))
    };
    let ((owner, _), findings) = ranked(&heap(100), &heap(700));
    assert_eq!(owner, "shop.App.CONTEXT");
    assert_eq!(findings.first().map(|finding| &*finding.qualified), Some("shop.App.CONTEXT"));
}

/// Lists in one structure that each grew are one row, wherever they are in it, and the row has the name of the structure.
#[test]
fn parts_of_one_structure_are_one_row() {
    let parts = 40;
    let heap = |class: &str, entries: usize| {
        let mut text = String::new();
        let mut line = |line: String| writeln!(text, "{line}").expect("a string");
        // Lists have their elements for keys.
        let key = |at: usize| if class.ends_with("Map") { format!("key{at}") } else { format!("part{at}") };
        let all: Vec<(String, String)> = (0..parts).map(|at| (key(at), format!("part{at}"))).collect();
        for at in 0..parts {
            line(format!("key{at} = \"key {at}\""));
            line(structure(&format!("part{at}"), Shape::List, entries));
        }
        line(collection(class, "leak", &all));
        opened(&format!("class shop.App\n  static leak: object = leak\nroot shop.App class\n{text}"))
    };
    for class in ["HashMap", "LinkedHashMap", "TreeMap", "LinkedList", "ArrayList", "concurrent.ConcurrentSkipListMap"]
    {
        let class = format!("java.util.{class}");
        let (before, after) = (heap(&class, 4), heap(&class, 12));
        let rows = grown_rows(&before, &after);
        assert_eq!(rows, [("shop.App.leak".to_owned(), parts)], "{class}");
    }
}

/// Lists in the objects of a recursive structure, of which those of one class are below each other by others.
#[test]
fn parts_of_a_recursive_structure_are_one_row() {
    let parts = 40;
    let heap = |entries: usize| {
        let mut text = "class shop.Future
          field dependent: object
          field values: object
        class shop.Step
          field next: object
        class shop.App
          static leak: object = future0
        root shop.App class\n"
            .to_owned();
        for at in 0..parts {
            let next = if at + 1 < parts { format!("future{}", at + 1) } else { "null".to_owned() };
            let future = format!("future{at} = shop.Future dependent=step{at} values=part{at}\n");
            writeln!(text, "{future}step{at} = shop.Step next={next}").expect("a string");
            writeln!(text, "{}", structure(&format!("part{at}"), Shape::List, entries)).expect("a string");
        }
        opened(&text)
    };
    let rows = grown_rows(&heap(4), &heap(12));
    assert_eq!(rows.iter().map(|(_, owners)| *owners).collect::<Vec<_>>(), [parts]);
}

/// Name and number of owners of each row that grew.
fn grown_rows(before: &Dump, after: &Dump) -> Vec<(String, usize)> {
    let pair = pair(before, after);
    let (task, comparison) = (&Task::new(), compared(pair));
    let namer = pair.after.namer(task).expect("not cancelled");
    let grown = comparison.growth.rows.iter().filter(|row| row.bytes.0 > 0);
    let name = |row: &GrowthRow| {
        let name = owners_short_name(namer, &row.owners, task).expect("not cancelled");
        name.map(|name| name.qualified_text()).unwrap_or_default()
    };
    grown.map(|row| (name(row), row.owners.len())).collect()
}

/// What is in a thread local is the program's if the program declares the thread local, whatever class the values have.
#[test]
fn a_thread_local_of_the_program_is_no_memory_of_the_runtime() {
    let group = |class: &str| {
        let mut methods = String::new();
        for at in 0..400 {
            let _whole = writeln!(methods, "m{at} = java.lang.reflect.Method slot={at}");
        }
        let of_list: Vec<(String, String)> = (0..400).map(|at| (format!("m{at}"), format!("m{at}"))).collect();
        let lines = format!(
            "class java.lang.ThreadLocal
        class java.lang.ThreadLocal$ThreadLocalMap
          field table: object
        class java.lang.ThreadLocal$ThreadLocalMap$Entry extends java.lang.ref.WeakReference
          field value: object
        class java.lang.Thread
          field threadLocals: object
        class java.lang.reflect.Method
          field slot: int
          field root: object
          field returnType: object
          field clazz: object
        class {class}
          static LOCAL: object = key
        root {class} class
        thread = java.lang.Thread threadLocals=locals
        locals = java.lang.ThreadLocal$ThreadLocalMap table=entries
        entries = java.lang.ThreadLocal$ThreadLocalMap$Entry[] entry
        entry = java.lang.ThreadLocal$ThreadLocalMap$Entry referent=key value=leak
        key = java.lang.ThreadLocal
        root thread thread 1
        {methods}{}\n",
            collection("java.util.ArrayList", "leak", &of_list)
        );
        let findings = leaks_of(&opened(&lines));
        let actual = findings.into_iter().find(|finding| finding.kind == Kind::ThreadLocals);
        // What is a third of the heap is listed whatever it is.
        actual.map(|finding| (finding.name, finding.unjudged))
    };
    let name = |class: &str| format!("{class}.LOCAL");
    assert_eq!(group("shop.App"), Some((name("shop.App"), Group::Leak)));
    assert_eq!(group("java.lang.Formats"), Some((name("java.lang.Formats"), Group::Normal)));
}

/// A list of which a map has every second entry, too: those are freed by no cut of the list, but they are its growth. The
/// finding about them says so.
#[test]
fn growth_of_shared_objects_is_part_of_that_of_their_structure() {
    let heap = |entries: usize| {
        let list = structure("leak", Shape::List, entries);
        let half: Vec<(String, String)> =
            (0..entries / 2).map(|at| (format!("leake{}", 2 * at), format!("leake{}", 2 * at))).collect();
        let map = collection("java.util.HashMap", "index", &half);
        let class =
            "class shop.App\n  static leak: object = leak\n  static index: object = index\nroot shop.App class\n";
        opened(&format!("{class}{list}{map}"))
    };
    let (_, findings) = ranked(&heap(200), &heap(1_400));
    let grown = |finding: &&LeakFinding| finding.grown() > Bytes(0);
    let listed: Vec<(Kind, &str, Option<&str>)> = findings
        .iter()
        .filter(grown)
        .map(|actual| (actual.kind, &*actual.qualified, actual.growth_within.as_deref()))
        .collect();
    assert_eq!(listed.first(), Some(&(Kind::Collection, "shop.App.leak", None)), "{listed:?}");
    let shared = listed.iter().find(|(kind, ..)| *kind == Kind::Shared);
    assert!(shared.is_some_and(|(.., within)| *within == Some("App.leak")), "{listed:?}");
}
