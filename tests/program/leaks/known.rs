//! Known leaks of libraries on small programs written as notation: which findings match an entry, entries of the user,
//! and what is printed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use serde_json::Value;
use tempfile::TempDir;

/// Timer tasks of an application in the queue of a timer: the structure of `java.util.Timer`.
const TASKS: &str = "\
    class java.lang.Thread\n field name: object\n class java.util.TaskQueue\n field queue: object\n\
    class java.util.TimerThread extends java.lang.Thread\n field timers: object\n\
    class a.Reminder\n field text: object\n field next: object\n\
    name = \"Timer-0\"\ntimer = java.util.TimerThread name=name timers=queue\nroot timer thread 1\n";

/// A folder with a dump written from notation.
fn dump(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("known.hprof");
    let sketch = notation::read(text).unwrap_or_else(|why| panic!("{why}"));
    std::fs::write(&path, write(&sketch, Form::MODERN)).expect("written");
    (folder, path)
}

/// Elements `label0 label1 …` of a class, with 400 bytes each, and the array that holds them.
fn tasks(array: &str, label: &str, class: &str) -> String {
    let elements = (0..60).fold(String::new(), |all, at| all + &format!(" {label}{at}"));
    let mut text = format!("{array} = java.util.TimerTask[]{elements} null null null null\n");
    for at in 0..60 {
        let _ =
            writeln!(text, "{label}{at} = {class} text={label}text{at}\n{label}text{at} = byte[]{}", " 1".repeat(400));
    }
    text
}

fn timer() -> String {
    format!("{TASKS}queue = java.util.TaskQueue queue=tasks\n{}", tasks("tasks", "task", "a.Reminder"))
}

fn first(path: &Path, more: &[&str]) -> Value {
    let actual = super::findings(path, more);
    actual.first().cloned().unwrap_or_else(|| panic!("no finding in {}", path.display()))
}

/// A file with entries of the user.
fn entries(folder: &TempDir, text: &str) -> String {
    let path = folder.path().join("mine.txt");
    std::fs::write(&path, text).expect("written");
    path.to_string_lossy().into_owned()
}

#[test]
fn a_structure_of_the_jdk_is_known_by_its_field() {
    let (_folder, path) = dump(&timer());
    let finding = first(&path, &[]);
    let known = &finding["known"];
    assert_eq!(known["id"], "timer-tasks", "{finding}");
    assert_eq!(known["source"], "java.util.Timer.purge, API documentation");
    assert_eq!(known["versions"], Value::Null);
    let printed = String::from_utf8(super::leaks(&path, &[]).stdout).expect("text");
    for line in
        ["Known pattern timer-tasks: Tasks of a java.util.Timer", "Call TimerTask.cancel()", "Source: java.util"]
    {
        assert!(printed.contains(&format!("   {line}")), "{line}: {printed}");
    }
    // The general advice for an array.
    assert!(!printed.contains("Clear array elements"), "{printed}");
}

/// The leak is the field of the application's object, which the timer holds by chance.
#[test]
fn a_structure_of_the_application_below_a_known_field_is_not_known() {
    let mut text = TASKS.to_owned();
    text += "class a.Report\n field rows: object\nqueue = java.util.TaskQueue queue=tasks\n";
    text += "tasks = java.util.TimerTask[] report null\nreport = a.Report rows=rows\n";
    text += &tasks("rows", "row", "a.Reminder");
    let (_folder, path) = dump(&text);
    let finding = first(&path, &[]);
    assert_eq!(finding["holder"]["class"], "a.Report", "{finding}");
    assert_eq!(finding["known"], Value::Null, "{finding}");
}

/// The head of the chain belongs to the application, although a known field leads to it.
#[test]
fn the_holder_itself_is_not_exempt() {
    let mut text = TASKS.to_owned();
    text += "queue = java.util.TaskQueue queue=tasks\ntasks = java.util.TimerTask[] part0 null\n";
    for at in 0..60 {
        let next = if at < 59 { format!(" next=part{}", at + 1) } else { String::new() };
        let _ = writeln!(text, "part{at} = a.Reminder text=text{at}{next}\ntext{at} = byte[]{}", " 1".repeat(400));
    }
    let (_folder, path) = dump(&text);
    let finding = first(&path, &[]);
    assert_eq!((&finding["kind"], &finding["known"]), (&Value::from("chain"), &Value::Null), "{finding}");
}

#[test]
fn a_table_of_the_runtime_that_only_grows_is_a_leak() {
    let mut text = String::from(
        "class java.io.DeleteOnExitHook\n static files: object = files\nroot java.io.DeleteOnExitHook class\n\
         class java.util.Locale\n static ALL: object = locales\nroot java.util.Locale class\n",
    );
    // The locales are less than a third of the heap.
    for (array, label, length) in [("files", "file", 300), ("locales", "locale", 50)] {
        let names = (0..80).fold(String::new(), |all, at| all + &format!(" {label}{at}"));
        let _ = writeln!(text, "{array} = java.lang.Object[]{names} null null");
        for at in 0..80 {
            let _ = writeln!(text, "{label}{at} = \"/tmp/{label}-{at}-{}\"", "x".repeat(length));
        }
    }
    let (_folder, path) = dump(&text);
    let actual = super::findings(&path, &[]);
    let group = |name: &str| {
        let finding = actual.iter().find(|finding| finding["name"] == name);
        finding.map_or_else(|| panic!("{name}: {actual:?}"), |finding| (&finding["group"], &finding["known"]["id"]))
    };
    assert_eq!(group("java.io.DeleteOnExitHook.files"), (&Value::from("leak"), &Value::from("delete-on-exit")));
    assert_eq!(group("java.util.Locale.ALL"), (&Value::from("normal"), &Value::Null));
}

#[test]
fn entries_of_the_user_come_first() {
    let (folder, path) = dump(&timer());
    let of = |entry: &str| first(&path, &["--known-leaks", &entries(&folder, entry)])["known"]["id"].clone();
    let with = |lines: &str| format!("mine\n{lines}  title Reminders\n  do Cancel them.\n");
    for lines in [
        "  class a.Reminder\n",
        "  path java.util.TimerThread > java.util.TaskQueue#qu*\n",
        // A superclass of the thread, and a kind.
        "  path java.lang.Thread#timers\n  kind array\n",
        "  name thread \"Timer-*\".timers*\n",
        "  path java.util.TaskQueue#queue\n  with a.Reminder\n",
    ] {
        assert_eq!(of(&with(lines)), "mine", "{lines}");
    }
    for lines in [
        "  class a.Reminders\n",
        "  path java.util.TaskQueue > java.util.TimerThread\n",
        "  path java.lang.Thread#timers\n  kind cache\n",
        "  path java.util.TaskQueue#queue\n  with b.Reminder\n",
    ] {
        assert_eq!(of(&with(lines)), "timer-tasks", "{lines}");
    }
}

#[test]
fn an_invalid_file_is_refused_with_the_number_of_the_line() {
    let (folder, path) = dump(&timer());
    let file = entries(&folder, "# mine\nmine\n  path a.B#c\n  what T\n");
    for arguments in [vec!["--known-leaks", &file], vec!["--known-leaks", "/nowhere/mine.txt"]] {
        let output = super::leaks(&path, &arguments);
        let why = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{why}");
        assert!(
            why.contains("mine.txt") && (arguments[1] != file || why.contains("line 4: 'what' is unknown")),
            "{why}"
        );
    }
}

#[test]
fn planted_leaks_of_threads_and_class_loaders_are_known() {
    // Values in threads of a pool are in nearly every program: that they match is no evidence.
    for (fixture, id, is_evidence) in
        [("thread-local", "thread-locals", false), ("loader-context", "thread-context-loader", true)]
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/leaks/{fixture}-jdk17-after.hprof.gz"));
        let finding = first(&path, &[]);
        assert_eq!(finding["known"]["id"], id, "{finding}");
        let evidence = finding["evidence"].as_array().expect("a list");
        assert_eq!(evidence.iter().any(|key| key == "known pattern"), is_evidence, "{finding}");
    }
}

#[test]
fn a_static_field_of_a_living_class_is_no_leak_of_the_thread_that_holds_its_loader() {
    let mut text = "\
        class java.lang.Thread\n field contextClassLoader: object\n\
        class java.lang.ClassLoader\n field classes: object\n\
        class app.AppLoader extends java.lang.ClassLoader\n\
        class plugins.PluginLoader extends java.lang.ClassLoader\n\
        class plugins.Registry by app\n static plugins: object = plugins\n\
        class plugins.Plugin by app\n field loader: object\n field data: object\n\
        main = java.lang.Thread contextClassLoader=app\nroot main thread 1\n\
        app = app.AppLoader classes=classes\nclasses = java.lang.Object[] plugins.Registry plugins.Plugin\n"
        .to_owned();
    let all = (0..40).fold(String::new(), |all, at| all + &format!(" plugin{at}"));
    let _ = writeln!(text, "plugins = plugins.Plugin[]{all}");
    for at in 0..40 {
        let _ = writeln!(
            text,
            "plugin{at} = plugins.Plugin loader=loader{at} data=data{at}\nloader{at} = plugins.PluginLoader classes=of{at}\n\
             of{at} = java.lang.Object[] main\ndata{at} = byte[]{}",
            " 1".repeat(400)
        );
    }
    let (folder, path) = dump(&text);
    let of_thread = "mine\n  path java.lang.Thread#contextClassLoader\n  between any\n  title Loader\n  do Stop it.\n";
    let file = entries(&folder, of_thread);
    let finding = first(&path, &["--known-leaks", &file]);
    assert_eq!(finding["short_name"], "Registry.plugins", "{finding}");
    assert_eq!(finding["known"], Value::Null, "{finding}");
}
