//! A finding selects the object that its sentence names: in the overview and in Leaks, in every fixture.

use std::path::PathBuf;

use heaplens_analysis::LeakFinding;
use heaplens_analysis::leaks::rules::LeakRules;
use heaplens_analysis::leaks::words::title;
use heaplens_analysis::leaks::{Kind, LeakQuery, default_min_bytes, find_leaks, general};
use heaplens_analysis::naming::Namer;
use heaplens_analysis::overview::{Target, holders};
use heaplens_base::Task;
use heaplens_heap::{ObjectId, split_class};
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_tables::export::report::words::sentence;
use heaplens_testkit::fixtures;

/// Dumps of Java, Android, Node.js and IBM's virtual machines, and those that `HEAPLENS_DUMPS` lists.
fn dumps() -> Vec<PathBuf> {
    let root = fixtures::path("");
    let mut dumps = Vec::new();
    for folder in ["", "leaks", "android", "node", "ibm"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("a file").path();
            let name = path.to_string_lossy().into_owned();
            if [".hprof", ".hprof.gz", ".heapsnapshot.gz", ".phd"].iter().any(|end| name.ends_with(end)) {
                dumps.push(path);
            }
        }
    }
    dumps.sort();
    assert!(dumps.len() > 20);
    let more = std::env::var_os("HEAPLENS_DUMPS").unwrap_or_default();
    dumps.extend(std::env::split_paths(&more).filter(|path| !path.as_os_str().is_empty()));
    dumps
}

/// True if a sentence names an object: by its class or represented class, by its address-free name (with another index
/// where it stands for several), by a name that resolves to it, or by a label that ends in a field of its name.
fn names(namer: Namer<'_>, sentence: &str, finding: &LeakFinding, object: ObjectId, task: &Task) -> bool {
    let heap = namer.heap;
    let class = heap.classes.of_object(object).unwrap_or_else(|| heap.class_id(object));
    let own = namer.name(object, task).expect("not cancelled");
    let name = &finding.name;
    let by_label = |own: &str| {
        let field =
            finding.label.rsplit(['.', ' ']).next().unwrap_or_default().trim_end_matches("[…]").trim_end_matches("()");
        // A lambda expression is named by the method that has it.
        let is_of_name = own.contains(&format!(".{field}")) || own.contains(&format!("${field}$"));
        sentence.contains(field) && is_of_name
    };
    let simple = split_class(&heap.classes.get(class).name).1;
    sentence.contains(simple)
        || sentence.contains(&simple.replace('$', "."))
        || own.is_some_and(|own| general(sentence).contains(&general(&own)) || by_label(&own))
        || (sentence.contains(name) && namer.resolve(name, task) == Ok(object))
}

#[test]
fn a_finding_selects_the_object_named_in_its_title() {
    let (task, rules, mut looked_at) = (&Task::new(), &LeakRules::default(), 0);
    for path in dumps() {
        let dump = open_and_wait(&path, &OpenOptions::default(), task).expect("it opens");
        let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
        let namer = dump.namer(task).expect("not cancelled");
        let min_bytes = default_min_bytes(analysis.shown.shallow);
        let leaks = find_leaks(LeakQuery { namer, with_ages: true, rules, min_bytes }, task).expect("not cancelled");
        for finding in holders(analysis, &leaks).findings {
            // Findings of waste and classes select a view, not an object.
            let Target::Leak(object) = finding.target else { continue };
            let (text, leak) = (sentence(&finding), finding.leak.expect("a finding of the leak search"));
            assert_eq!(leak.named_object, Some(object), "{text}");
            let id = heap.id_text(object);
            let class = &heap.class(object).name;
            // Titles of shared objects name the structures that hold them.
            let is_named = leak.kind == Kind::Shared || names(namer, &text, &leak, object, task);
            assert!(is_named, "{}: {text} selects {class} {id}", path.display());
            looked_at += 1;
        }
        for finding in leaks {
            let (text, object) = (title(&finding), finding.named_object.expect("an object"));
            let class = &heap.class(object).name;
            // A collection is selected, not the array inside it.
            let is_collection = finding.collection.as_ref().is_some_and(|actual| *actual.class == **class);
            let inside = finding.collection.as_ref().map(|actual| &actual.class);
            // Not yet true for shared objects: "global holds 50 Setting" selects the array of these.
            let is_named = finding.kind == Kind::Shared || names(namer, &text, &finding, object, task);
            assert!(is_named, "{}: {text} selects {class}", path.display());
            let is_whole = is_collection || !matches!(finding.kind, Kind::Cache | Kind::Collection);
            let is_above = finding.cut.first().is_some_and(|cut| cut.to == object);
            assert!(is_whole || is_above, "{text} selects {class}, and not the {inside:?}");
            looked_at += 1;
        }
    }
    assert!(looked_at > 100, "{looked_at}");
}
