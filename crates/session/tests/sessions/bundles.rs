//! Snapshots of JavaScript bundles: their source maps with a stored analysis and kept answers.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use heaplens_base::storage::Folder;
use heaplens_dump::Dump;
use heaplens_dump::mapping::MappingFile;
use heaplens_session::OpenOptions;
use heaplens_testkit::bundle::Bundle;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::write::write;

use crate::try_open;

fn class(dump: &Dump) -> String {
    let object = dump.find("@7").expect("it is there");
    dump.class_name(dump.class_of(object)).to_owned()
}

/// Key of the kept answers.
fn key(dump: &Dump) -> String {
    dump.answers().storage().expect("answers are kept").key().to_owned()
}

fn put(folder: &Path, bundle: &Bundle) {
    fs::create_dir_all(folder).expect("disk space");
    fs::write(folder.join("server.js"), &bundle.script).expect("disk space");
    fs::write(folder.join("server.js.map"), &bundle.map).expect("disk space");
}

#[test]
fn source_maps_are_applied_to_a_stored_analysis_and_distinguish_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let dumps = folder.path().join("dumps");
    let bundle = Bundle::of("var «c:count»=0;class «n:Cart»{}function «t:cartOf»(){return new «n:Cart»}", "cart.ts");
    let snapshot = bundle.snapshot("/no/such/server.js", ("t", "(){"), &["n"], ("n", "class n"));
    let file = dumps.join("shop.heapsnapshot");
    let cache = folder.path().join("cache");
    [&dumps, &cache].into_iter().for_each(|folder| fs::create_dir(folder).expect("disk space"));
    fs::write(&file, write(&snapshot, &Form::node20())).expect("disk space");
    let mut options = OpenOptions::default();
    options.storage.folder = Some(Folder::at(cache));
    let open = |options: &OpenOptions| {
        let dump = try_open(&file, options).expect("it opens");
        dump.wait_until_stored();
        dump
    };
    let plain = open(&options);
    assert_eq!(class(&plain), "n");

    put(&dumps, &bundle);
    let named = open(&options);
    assert_eq!(class(&named), "Cart");
    assert_ne!(key(&named), key(&plain));
    let other = Bundle::of("var «c:count»=0;class «n:Crate»{}function «t:cartOf»(){return new «n:Crate»}", "cart.ts");
    put(&dumps, &other);
    let renamed = open(&options);
    assert_eq!(class(&renamed), "Crate");
    assert_ne!(key(&renamed), key(&named));
    fs::remove_file(dumps.join("server.js.map")).expect("it is there");
    assert_eq!((class(&open(&options)).as_str(), key(&open(&options))), ("n", key(&plain)));

    put(&folder.path().join("maps/dist"), &bundle);
    let maps = MappingFile::source_maps(&folder.path().join("maps")).expect("a folder");
    options.mappings = vec![Arc::new(maps)];
    let given = open(&options);
    assert_eq!((class(&given).as_str(), given.answers().storage().is_none()), ("Cart", true));
    options.redact = true;
    assert_eq!(class(&open(&options)), "Cart", "names of classes are no values");
}
