//! Names and lines of the source in snapshots of programs that were made into bundles.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use heaplens_analysis::captured_variables::source_variables;
use heaplens_dump::{Dump, mapping::MappingFile, open};
use heaplens_testkit::bundle::Bundle;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::write::write;

const SHOP: &str = "var «e:carts»=new Map,«i:other»=1;class «n:Cart»{constructor(«o:token»){this.token=«o:token»}}\
    function «t:cartOf»(«r:token»){return «e:carts».get(«r:token»)||new «n:Cart»(«r:token»)}";

/// Writes the snapshot of a program whose script is `path`.
fn snapshot(folder: &Path, bundle: &Bundle, path: &str) -> std::path::PathBuf {
    let snapshot = bundle.snapshot(path, ("t", "(r){"), &["e", "n", "require"], ("n", "class n"));
    let file = folder.join("shop.heapsnapshot");
    fs::write(&file, write(&snapshot, &Form::node20())).expect("disk space");
    file
}

/// Location and label of the function, class of the object, captured variables.
fn names(dump: &Dump) -> Vec<String> {
    let [function, context, object] = ["@3", "@5", "@7"].map(|id| dump.find(id).expect("it is there"));
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    let location = contents.script_location(heap, function).expect("a location");
    let variables = source_variables(dump.data(), context);
    let variables: Vec<String> = variables.iter().map(|(name, of)| format!("{name}={} {}", of.name, of.file)).collect();
    vec![
        location.to_string(),
        dump.label(function).unwrap_or_default(),
        dump.class_name(dump.class_of(object)).to_owned(),
        dump.label(object).unwrap_or_default(),
        variables.join(", "),
    ]
}

fn notes(dump: &Dump) -> Vec<String> {
    dump.facts.heap.notes.iter().map(|note| note.message.clone()).collect()
}

const PATH: &str = "/no/such/app/dist/server.js";
const SOURCE: [&str; 5] = [
    "/no/such/app/src/cart-store.ts:7:1",
    "cartOf()",
    "Cart",
    "",
    "e=carts /no/such/app/src/cart-store.ts, n=Cart /no/such/app/src/cart-store.ts",
];

#[test]
fn a_map_beside_the_dump_gives_names_and_lines() {
    let (folder, bundle) = (tempfile::tempdir().expect("a folder"), Bundle::of(SHOP, "../src/cart-store.ts"));
    let file = snapshot(folder.path(), &bundle, PATH);
    let script = |name: &str| folder.path().join(name);
    let (line, column) = bundle.position("(r){");
    let generated = format!("{PATH}:{}:{}", line + 1, column + 1);
    let plain = [generated.as_str(), "t()", "n", "", ""];
    let dump = open(&file).expect("it opens");
    assert_eq!((names(&dump), notes(&dump)), (plain.map(str::to_owned).to_vec(), Vec::new()), "without a map");

    fs::write(script("server.js.map"), &bundle.map).expect("disk space");
    let dump = open(&file).expect("it opens");
    assert_eq!(names(&dump), [SOURCE[0], "t()", "n", "", ""], "without the script only lines are certain");
    fs::write(script("server.js"), &bundle.script).expect("disk space");
    let dump = open(&file).expect("it opens");
    assert_eq!(names(&dump), SOURCE);
    assert_eq!(notes(&dump), ["1 script with names and lines of the source, by server.js.map; 1 class is renamed"]);
    let (contents, heap) = (&dump.facts.contents, &dump.facts.heap);
    let location = contents.script_location(heap, dump.find("@3").expect("it is there")).expect("a location");
    assert_eq!((location.generated(), location.file()), (Some(generated), Some("/no/such/app/src/cart-store.ts")));
    let redacted = dump.redacted();
    assert_eq!(names(&redacted)[0], "cart-store.ts:7:1");
    assert_eq!(names(&redacted)[4], "e=carts cart-store.ts, n=Cart cart-store.ts");
    assert_eq!(names(&dump.with_facts(dump.facts.with_collections(&Arc::default()))), SOURCE);

    fs::remove_file(script("server.js.map")).expect("it is there");
    fs::write(script("server.js"), bundle.inline()).expect("disk space");
    assert_eq!(names(&open(&file).expect("it opens")), SOURCE, "in the last line of the script");
}

#[test]
fn a_map_of_another_build_is_not_used() {
    let (folder, bundle) = (tempfile::tempdir().expect("a folder"), Bundle::of(SHOP, "../src/cart-store.ts"));
    let file = snapshot(folder.path(), &bundle, PATH);
    fs::write(folder.path().join("server.js.map"), &bundle.map).expect("disk space");
    fs::write(folder.path().join("server.js"), bundle.script.replace("new Map", "new Set")).expect("disk space");
    let dump = open(&file).expect("it opens");
    assert_eq!(names(&dump)[1..], ["t()", "n", "", ""]);
    let why = "source map server.js.map: not used, since the script beside it is not the one of the snapshot";
    assert_eq!(notes(&dump), [why]);
    for damaged in ["", "{", "{\"version\":3,\"mappings\":\"!\"}"] {
        fs::write(folder.path().join("server.js.map"), damaged).expect("disk space");
        let dump = open(&file).expect("it opens");
        assert_eq!(
            (names(&dump)[1..].to_vec(), notes(&dump).len()),
            (["t()", "n", "", ""].map(str::to_owned).to_vec(), 1)
        );
    }
}

#[test]
fn maps_of_a_given_folder_are_applied_and_removed() {
    let (folder, bundle) = (tempfile::tempdir().expect("a folder"), Bundle::of(SHOP, "../../src/cart-store.ts"));
    let file = snapshot(folder.path(), &bundle, "http://localhost:8080/assets/js/server.js?v=3");
    let maps = folder.path().join("build");
    for (part, text) in [("assets/js", &bundle.script), ("other/js", &"f()".to_owned())] {
        fs::create_dir_all(maps.join(part)).expect("disk space");
        fs::write(maps.join(part).join("server.js"), text).expect("disk space");
        fs::write(maps.join(part).join("server.js.map"), &bundle.map).expect("disk space");
    }
    let source = "http://localhost:8080/src/cart-store.ts";
    let dump = open(&file).expect("it opens");
    let before = names(&dump);
    for given in [maps.clone(), maps.join("assets/js/server.js.map"), maps.join("assets/js/server.js")] {
        let mapping = MappingFile::source_maps(&given);
        // A script without a map in it says nothing.
        let Ok(mapping) = mapping.map(Arc::new) else {
            assert_eq!(given.extension().and_then(|end| end.to_str()), Some("js"));
            continue;
        };
        let named = dump.with_facts(dump.facts.renamed(&mapping));
        assert_eq!(names(&named)[..3], [&format!("{source}:7:1"), "cartOf()", "Cart"], "{}", given.display());
        let mapped = named.facts.mapped.as_ref().expect("it is applied");
        assert_eq!((mapped.classes, mapped.doubt.as_deref()), ((1, 1), None));
        assert_eq!(names(&dump.with_facts(named.facts.unmapped())), before);
        assert_eq!(names(&dump.with_facts(named.facts.renamed(&mapping)))[2], "Cart", "again");
    }
    fs::remove_dir_all(maps.join("assets")).expect("it is there");
    let mapping = Arc::new(MappingFile::source_maps(&maps).expect("a folder"));
    let named = dump.with_facts(dump.facts.renamed(&mapping));
    let doubt = named.facts.mapped.as_ref().and_then(|mapped| mapped.doubt.clone());
    assert!(doubt.is_some_and(|doubt| doubt.contains("not the one of the snapshot")));
}
