//! Fields, statics and variables of real dumps, by their names in the source.

use heaplens_analysis::variables::{Variable, VariableKind, VariableTarget, variables};
use heaplens_base::Task;
use heaplens_dump::{Dump, open};
use heaplens_testkit::fixtures;

fn opened(name: &str) -> (Dump, Vec<Variable>) {
    let dump = open(fixtures::path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let all = variables(dump.data(), &Task::new()).expect("not cancelled");
    (dump, all)
}

fn one<'a>(all: &'a [Variable], title: &str) -> &'a Variable {
    let mut same = all.iter().filter(|variable| variable.title() == title);
    let known = || all.iter().filter(|v| title.ends_with(&*v.name)).map(Variable::title).collect::<Vec<_>>();
    let variable = same.next().unwrap_or_else(|| panic!("no {title}, but {:?}", known()));
    assert_eq!(same.next(), None, "{title}");
    variable
}

#[test]
fn classes_declare_statics_and_fields() {
    let (dump, all) = opened("leak-after.hprof.gz");
    let heap = &dump.facts.heap;
    let entries = one(&all, "desk.SessionCache.ENTRIES");
    assert_eq!((entries.kind, entries.holders, entries.is_of_runtime), (VariableKind::Static, 1, false));
    let VariableTarget::Value(map) = entries.target else { panic!("{:?}", entries.target) };
    assert!(heap.class(map).name.ends_with("Map"));
    let sessions = heap.classes.named("desk.Session").expect("the class");
    let of_sessions: Vec<_> =
        all.iter().filter(|variable| variable.target == VariableTarget::Instances(sessions)).collect();
    assert!(!of_sessions.is_empty());
    assert!(of_sessions.iter().all(|field| field.holders == dump.analysis.class_totals(sessions).objects));
    assert!(one(&all, "java.util.HashMap.table").is_of_runtime);
    // Inherited fields belong to the class that declares them.
    assert!(all.iter().all(|variable| variable.title() != "java.util.LinkedHashMap.table"));
    assert!(all.is_sorted_by_key(|variable| (&*variable.name, &*variable.declared_by, variable.kind)));
}

#[test]
fn scripts_declare_variables() {
    let (dump, all) = opened("node/desk-final.heapsnapshot.gz");
    let heap = &dump.facts.heap;
    let sessions = one(&all, "desk.js sessions");
    assert_eq!(sessions.kind, VariableKind::Scope);
    assert_eq!(sessions.object().map(|object| &*heap.class(object).name), Some("Map"));
    let visitor = one(&all, "Session.visitor");
    assert!(matches!((visitor.kind, visitor.target), (VariableKind::Field, VariableTarget::Instances(_))));
    one(&all, "Object.focused");
}

/// Every reader has names of fields, or none; no dump has references of the engine or of a file among them.
#[test]
fn every_format_has_a_list() {
    for name in [
        "android/phone.hprof",
        "android/shop.pftrace",
        "engines/bun.heapsnapshot.gz",
        "engines/jsc-debugging.json.gz",
        "facts-jdk25.hprof.gz",
        "node/desk-baseline.heapsnapshot.gz",
    ] {
        let (_, all) = opened(name);
        assert!(all.len() > 10, "{name}: {}", all.len());
        let strange = all.iter().find(|variable| variable.name.starts_with(['<', '?', '[', '(']));
        assert_eq!(strange, None, "{name}");
    }
}
