//! Two programs are told apart, and their classes are not matched with each other.

use std::fmt::Write as _;

use std::path::PathBuf;

use heaplens_analysis::RuntimeClasses;
use heaplens_analysis::diff::program::ProgramMatch;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_testkit::fixtures;
use heaplens_testkit::notation;

use super::laws;
use super::opened::{compared, fixture, made_up, pair, side};

/// A fixture by the path of its file, without values if they are redacted.
fn file(name: &str, redact: bool) -> Dump {
    let path: PathBuf = fixtures::path(name);
    let options = OpenOptions { redact, ..OpenOptions::default() };
    open_and_wait(&path, &options, &Task::new()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn program(one: &str, other: &str, redact: bool) -> ProgramMatch {
    let (one, other) = (file(one, redact), file(other, redact));
    ProgramMatch::of(side(&one), side(&other), &RuntimeClasses::default())
}

/// A sketch with a further class.
fn with_class(mut sketch: String, class: &&str) -> String {
    let _ = writeln!(sketch, "class {class}\nroot {class} class");
    sketch
}

fn names(one: &str, other: &str) -> [String; 2] {
    [one.to_owned(), other.to_owned()]
}

#[test]
fn java_programs_are_told_apart_by_their_main_class() {
    for (one, other) in [
        ("leak-before.hprof.gz", "leak-after.hprof.gz"),
        // On another version of Java.
        ("leak-after.hprof.gz", "leak-after-jdk25.hprof.gz"),
        ("keys-before.hprof.gz", "moved-after.hprof.gz"),
    ] {
        let same = ProgramMatch { is_same: Some(true), names: None };
        assert_eq!(program(one, other, false), same, "{one} and {other}");
        assert_eq!(program(one, other, true), same, "{one} and {other} without values");
    }
    let actual = program("leak-before.hprof.gz", "facts-jdk17.hprof.gz", false);
    assert_eq!((actual.is_same, &actual.names), (Some(false), &Some(names("desk.OrderDesk", "facts.Facts"))));
    assert_eq!(actual.swapped().names, Some(names("facts.Facts", "desk.OrderDesk")));
    // Without values the classes tell.
    let actual = program("leak-before.hprof.gz", "facts-jdk17.hprof.gz", true);
    assert_eq!((actual.is_same, actual.names), (Some(false), None));
}

#[test]
fn snapshots_are_told_apart_by_scripts_and_constructors() {
    let actual = program("node/desk-baseline.heapsnapshot.gz", "node/desk-final.heapsnapshot.gz", false);
    assert_eq!(actual.is_same, Some(true));
    let actual = program("node/desk-baseline.heapsnapshot.gz", "node/recorded.heaptimeline.gz", false);
    assert_eq!(actual.is_same, Some(false), "both have the constructors of Node");
    // Formats that cannot be compared.
    assert!(program("node/desk-final.heapsnapshot.gz", "leak-after.hprof.gz", false).is_different());
}

/// An app of a package, with classes that all apps share when their names were shortened.
fn app(package: &str, classes: &[&str]) -> Dump {
    let classes: String = classes.iter().fold(String::new(), with_class);
    let heap = format!(
        "class android.app.ActivityThread
           field mBoundApplication: object
           static sCurrentActivityThread: object = thread
         class android.app.ActivityThread$AppBindData
           field appInfo: object
         class android.content.pm.ApplicationInfo
           field processName: object
         root android.app.ActivityThread class
         thread = android.app.ActivityThread mBoundApplication=bound
         bound = android.app.ActivityThread$AppBindData appInfo=info
         info = android.content.pm.ApplicationInfo processName=name
         name = \"{package}\"
         {classes}"
    );
    made_up(&notation::read(&heap).unwrap_or_else(|why| panic!("{why}")))
}

#[test]
fn android_apps_are_told_apart_by_their_package() {
    let shortened = ["a.a", "a.b", "a.c", "b.a"];
    let (shop, game) = (app("com.example.shop", &shortened), app("org.example.game", &shortened));
    let of = |one: &Dump, other: &Dump| ProgramMatch::of(side(one), side(other), &RuntimeClasses::default());
    let actual = of(&shop, &game);
    assert_eq!((actual.is_same, actual.names), (Some(false), Some(names("com.example.shop", "org.example.game"))));
    // Another process and another variant of the app.
    for package in ["com.example.shop:remote", "com.example.shop.debug"] {
        assert_eq!(of(&shop, &app(package, &shortened)).is_same, Some(true), "{package}");
    }
    assert_eq!(program("android/album.hprof.gz", "android/album.hprof.gz", false).is_same, Some(true));
    // One class of an application is too little to say more.
    assert_eq!(program("android/album.hprof.gz", "android/phone.hprof", false).is_same, None);
}

/// Programs that say nothing of themselves are compared by the classes of the smaller one.
#[test]
fn few_common_classes_tell_programs_apart() {
    let heap = |classes: &[&str]| {
        let classes: String = classes.iter().fold(String::new(), with_class);
        made_up(&notation::read(&classes).unwrap_or_else(|why| panic!("{why}")))
    };
    let is_same = |one: &[&str], other: &[&str]| {
        ProgramMatch::of(side(&heap(one)), side(&heap(other)), &RuntimeClasses::default()).is_same
    };
    let shop = ["shop.Cart", "shop.Order", "shop.Main", "shop.Item"];
    assert_eq!(is_same(&shop, &["shop.Cart", "shop.Order"]), Some(true));
    assert_eq!(is_same(&shop, &["desk.Cart", "desk.Order", "desk.Main", "shop.Item"]), Some(false));
    // Two classes prove nothing, nor do those of the runtime and of libraries, nor generated ones.
    assert_eq!(is_same(&shop, &["desk.Cart", "desk.Order"]), None);
    assert_eq!(is_same(&shop, &["java.util.A", "io.netty.B", "com.google.common.C", "x.Y$$Lambda$1"]), None);
    assert_eq!(is_same(&[], &[]), None);
}

/// The launcher of the virtual machine refers to the main class by the same path in every program.
#[test]
fn classes_of_different_names_are_not_one_object() {
    let (one, other) = (fixture("leak-before"), fixture("facts-jdk17"));
    let pair = pair(&one, &other);
    let actual = compared(pair);
    laws::hold(pair, &actual);
    let main =
        one.facts.heap.classes.named("desk.OrderDesk").and_then(|class| one.facts.heap.classes.get(class).object);
    assert_eq!(actual.matches.after(main.expect("the main class")), None);
}
