//! The javacore beside the dump: found by name or passed as an option, used for threads and GC roots, and stored.

use std::fs;
use std::path::PathBuf;

use heaplens_analysis::threads::{stack, threads};
use heaplens_base::Task;
use heaplens_base::storage::Folder;
use heaplens_dump::Dump;
use heaplens_heap::{Address, ObjectId, RootKind, Severity, ThreadState};
use heaplens_session::OpenOptions;
use heaplens_testkit::notation;
use heaplens_testkit::phd::{Form, write};
use heaplens_testkit::sketch::{Id, Sketch};

use crate::try_open;

fn at(dump: &Dump, id: Id) -> ObjectId {
    dump.facts.heap.at(Address(id)).unwrap_or_else(|| panic!("no object {id:#x}"))
}

fn sketch() -> Sketch {
    notation::read(
        "class java.lang.ClassLoader
         class java.lang.Thread
         class shop.Loader extends java.lang.ClassLoader
         class shop.Cart by loader
           field next: object
         loader = shop.Loader
         boot = shop.Loader
         main = java.lang.Thread
         cart = shop.Cart next=held
         held = shop.Cart",
    )
    .expect("a heap")
}

fn javacore(sketch: &Sketch) -> String {
    let id = |label: &str| format!("{:016X}", sketch.id(label));
    format!(
        "0SECTION       TITLE subcomponent dump routine
3LKMONOBJECT       shop/Cart@0x{held}: owner \"main\" (J9VMThread:0x1), entry count 1
3XMTHREADINFO      \"main\" J9VMThread:0x1, j9thread_t:0x2, java/lang/Thread:0x{main}, state:CW, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
4XESTACKTRACE                at shop/Cart.add(Cart.java:17(Compiled Code))
5XESTACKTRACE                   (entered lock: shop/Cart@0x{held}, entry count: 1)
3XMTHREADINFO      \"native\" TID:0x7, state:R, prio=10
2CLTEXTCLLOAD  		Loader *System*(0x{boot})
3CLTEXTCLASS   			java/lang/String(0x0000000000000099)
",
        held = id("held"),
        main = id("main"),
        boot = id("boot"),
    )
}

/// A dump and its javacore with matching names; returns their paths.
fn files(javacore: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let dump = folder.path().join("heapdump.20160404.083909.9480.0002.phd");
    fs::write(&dump, write(&sketch(), Form::MODERN)).expect("a dump");
    fs::write(folder.path().join("javacore.20160404.083909.9480.0003.txt"), javacore).expect("a javacore");
    (folder, dump)
}

fn has_javacore_data(dump: &Dump) {
    let sketch = sketch();
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let rows = threads(dump.data(), &Task::new()).expect("not cancelled");
    let main = rows.iter().find(|row| row.name.as_deref() == Some("main")).expect("a thread");
    assert_eq!(main.object, Some(at(dump, sketch.id("main"))));
    assert_eq!((main.state, main.priority), (Some(ThreadState::Waiting), Some(5)));
    assert_eq!((main.daemon, main.tid), (Some(false), Some(1)));
    let stack = stack(contents, &dump.analysis, main);
    let held = at(dump, sketch.id("held"));
    assert_eq!(stack.frames.len(), 1);
    assert_eq!(stack.frames[0].text, "shop.Cart.add(Cart.java:17)");
    assert_eq!(stack.frames[0].locals.iter().map(|local| local.object).collect::<Vec<_>>(), [held]);
    let native = rows.iter().find(|row| row.name.as_deref() == Some("native")).expect("the other");
    assert_eq!((native.object, native.state), (None, Some(ThreadState::Runnable)));
    let kinds = |label: &str| -> Vec<RootKind> {
        let of = heap.roots.of(at(dump, sketch.id(label)));
        of.iter().map(|root| root.kind).collect()
    };
    assert_eq!(kinds("held"), [RootKind::Monitor]);
    assert_eq!(kinds("main"), [RootKind::Thread]);
    assert_eq!(kinds("boot"), [RootKind::SystemClass]);
    assert_eq!(kinds("java.lang.String"), [RootKind::SystemClass]);
    assert_eq!(kinds("shop.Cart"), []);
    let cart = heap.classes.named("shop.Cart").expect("a class");
    assert_eq!(heap.classes.get(cart).loader, Some(at(dump, sketch.id("loader"))));
}

#[test]
fn a_javacore_beside_the_dump_is_found_and_stored() {
    let (folder, dump) = files(&javacore(&sketch()));
    has_javacore_data(&try_open(&dump, &OpenOptions::default()).expect("a heap"));
    let mut options = OpenOptions::default();
    options.storage.folder = Some(Folder::at(folder.path().join("cache")));
    for is_kept in [false, true] {
        let opened = try_open(&dump, &options).expect("a heap");
        assert_eq!(opened.is_from_cache(), is_kept);
        has_javacore_data(&opened);
    }
    // Another javacore gives another analysis.
    fs::write(folder.path().join("javacore.20160404.083909.9480.0003.txt"), "of another kind").expect("a file");
    let opened = try_open(&dump, &options).expect("a heap");
    assert!(!opened.is_from_cache());
    assert!(opened.facts.contents.stack_owners().is_empty());
}

#[test]
fn a_named_javacore_is_read_or_refused() {
    let (folder, dump) = files("of another kind");
    let mut options = OpenOptions::default();
    let named = folder.path().join("elsewhere");
    options.name_javacore(Some(named.clone()));
    let error = try_open(&dump, &options).map(|_| ()).expect_err("there is none");
    assert!(error.contains("elsewhere"), "{error}");
    fs::write(&named, javacore(&sketch())).expect("a javacore");
    has_javacore_data(&try_open(&dump, &options).expect("a heap"));
    fs::write(&named, "a letter").expect("a file");
    let error = try_open(&dump, &options).map(|_| ()).expect_err("it is none");
    assert!(error.contains("javacore") && error.contains("elsewhere"), "{error}");
}

/// A stored analysis without the javacore is not used if a javacore is requested.
#[test]
fn a_missing_named_javacore_is_refused_despite_a_stored_analysis() {
    let (folder, dump) = files("of another kind");
    let mut options = OpenOptions::default();
    options.storage.folder = Some(Folder::at(folder.path().join("cache")));
    fs::remove_file(folder.path().join("javacore.20160404.083909.9480.0003.txt")).expect("it was there");
    for is_kept in [false, true] {
        assert_eq!(try_open(&dump, &options).expect("a heap").is_from_cache(), is_kept);
    }
    options.name_javacore(Some(folder.path().join("nosuch.txt")));
    let error = try_open(&dump, &options).map(|_| ()).expect_err("there is none");
    assert!(error.contains("nosuch.txt"), "{error}");
    options.storage.folder = None;
    assert_eq!(try_open(&dump, &options).map(|_| ()).expect_err("there is none"), error);
}

#[test]
fn a_javacore_of_another_process_is_not_used() {
    let other = javacore(&sketch()).replace("Thread:0x", "Thread:0x7").replace("(0x", "(0x7");
    let (_folder, dump) = files(&other);
    let opened = try_open(&dump, &OpenOptions::default()).expect("a heap");
    assert!(opened.facts.contents.stack_owners().is_empty());
    let notes = &opened.facts.heap.notes;
    assert!(
        notes.iter().any(|note| note.severity == Severity::Info && note.message.contains("does not match this dump"))
    );
}
