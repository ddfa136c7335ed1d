//! From a running process to what grew in it: the list, two dumps, a watch. The process is acted by a thread.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::*;
use heaplens_take::Machine;
use tempfile::TempDir;

/// A machine with one JVM, in a container.
struct Acted {
    folder: TempDir,
    dumps: TempDir,
}

impl Acted {
    fn new() -> Self {
        let acted = Self { folder: TempDir::new().expect("a folder"), dumps: TempDir::new().expect("a folder") };
        let (proc, root) = (acted.proc(), acted.folder.path().join("root"));
        fs::create_dir_all(proc.join("self/ns")).expect("a folder");
        fs::create_dir_all(proc.join("77/ns")).expect("a folder");
        fs::create_dir_all(root.join("tmp")).expect("a folder");
        let user = fs::metadata(&root).expect("a folder").uid();
        let write = |name: &str, text: String| fs::write(proc.join("77").join(name), text).expect("a file");
        write("status", format!("Uid:\t{user}\t{user}\t{user}\t{user}\nNSpid:\t77\t1\nVmRSS:\t9000 kB\nSigCgt:\t0\n"));
        write("stat", "77 (java) S 1".to_owned());
        write("comm", "java\n".to_owned());
        write("cmdline", "java\0desk.Main\0".to_owned());
        write("maps", "7f00-7f01 r-xp 0 00:00 1 /jdk/lib/libjvm.so\n".to_owned());
        for (link, to) in [("self/ns/mnt", "mnt:[1]"), ("77/ns/mnt", "mnt:[2]"), ("77/exe", "/jdk/bin/java")] {
            symlink(to, proc.join(link)).expect("a link");
        }
        symlink(&root, proc.join("77/root")).expect("a link");
        let listener = UnixListener::bind(root.join("tmp/.java_pid1")).expect("a socket");
        thread::spawn(move || serve(&listener, &root));
        acted
    }

    fn proc(&self) -> PathBuf {
        self.folder.path().join("proc")
    }
}

/// The first dump is that before the leak, the next that after it; every histogram has more sessions.
fn serve(listener: &UnixListener, root: &Path) {
    let (dumps, rounds) = (AtomicUsize::new(0), AtomicUsize::new(1));
    for stream in listener.incoming() {
        let mut stream = stream.expect("a connection");
        let (mut bytes, mut byte) = (Vec::new(), [0]);
        let mut ended = 0;
        while ended < 5 && stream.read(&mut byte).is_ok_and(|read| read == 1) {
            bytes.push(byte[0]);
            ended += usize::from(byte[0] == 0);
        }
        let words: Vec<_> = bytes.split(|&byte| byte == 0).map(String::from_utf8_lossy).collect();
        let answer = match words.get(1).map(AsRef::as_ref) {
            Some("dumpheap") => {
                let name =
                    ["leak-before.hprof.gz", "leak-after.hprof.gz"][dumps.fetch_add(1, Ordering::Relaxed).min(1)];
                fs::copy(fixture(name), root.join(words[2].trim_start_matches('/'))).expect("a dump");
                "0\nHeap dump file created [1 bytes in 0.1 secs]\n".to_owned()
            }
            Some("inspectheap") => {
                let sessions = rounds.fetch_add(1, Ordering::Relaxed) * 50_000;
                format!("0\n 1: {sessions} {} desk.Session\n 2: 7 700 desk.Clock\n", sessions * 40)
            }
            _ => continue,
        };
        stream.write_all(answer.as_bytes()).expect("it listens");
    }
}

fn at_process(acted: &Acted) -> Harness<'static, App> {
    let mut h = empty();
    h.state_mut().look_for_processes_on(Machine::at(acted.proc()), acted.dumps.path().to_owned());
    click(&mut h, "Take dump of process…");
    h.get_by_label("1 process with a heap");
    press(&mut h, Key::Enter);
    h.get_by_label_contains("desk.Main, process 77");
    h
}

#[test]
fn from_a_process_to_what_grew_between_two_dumps() {
    let acted = Acted::new();
    let mut h = at_process(&acted);
    h.get_by_label_contains("desk.Main stops for about 1 s");
    click(&mut h, "Dump now");
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Overview));
    assert_eq!(h.state().tabs().len(), 1);
    let tab = h.query_all_by_label("Processes").last().expect("the tab");
    tab.click();
    settle(&mut h);
    click(&mut h, "Dump again");
    // Two dumps, and their comparison.
    assert_eq!(h.state().tabs().len(), 3);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Growth));
    assert!(has(&h, "desk.SessionCache.ENTRIES"));
    let written = fs::read_dir(acted.dumps.path()).expect("a folder").flatten();
    let names: Vec<_> = written.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    let records = names.iter().filter(|name| name.ends_with(".process.json")).count();
    assert_eq!((names.len(), records), (4, 2), "nothing but the dumps and their records: {names:?}");
}

#[test]
fn a_process_that_has_ended_says_so_and_leads_back_to_the_list() {
    let acted = Acted::new();
    let mut h = at_process(&acted);
    fs::remove_file(acted.proc().join("77/stat")).expect("it was there");
    let began = Instant::now();
    while !has(&h, "desk.Main has ended") {
        settle(&mut h);
        assert!(began.elapsed() < Duration::from_secs(30), "it was not noticed");
    }
    let dump = h.get_by_label("Dump now");
    assert!(dump.accesskit_node().is_disabled(), "nothing is left to dump");
    click(&mut h, "Back to processes");
    assert!(has(&h, "1 process with a heap") || has(&h, "No process with a heap runs here"));
}

#[test]
fn dumps_go_to_the_folder_that_was_chosen() {
    let (acted, other) = (Acted::new(), TempDir::new().expect("a folder"));
    let mut h = at_process(&acted);
    if has_desktop() {
        return; // A desktop dialog would wait for input.
    }
    click(&mut h, "Change folder…");
    // Without a desktop there is a field instead of a dialog.
    wait_for_label(&mut h, "Path of the folder");
    h.get_by_label("Path of the folder").focus();
    settle(&mut h);
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    h.get_by_label("Path of the folder").type_text(&other.path().display().to_string());
    settle(&mut h);
    press(&mut h, Key::Enter);
    wait_for_label(&mut h, "Dump now");
    assert!(has(&h, &format!("The dump goes to {}", other.path().display())));
    click(&mut h, "Dump now");
    assert_eq!(h.state().tabs().len(), 1);
    let files = |folder: &TempDir| fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!((files(&acted.dumps), files(&other)), (0, 2), "the dump and its record");
}

#[test]
fn a_watch_lists_what_grows_and_escape_leads_back() {
    let acted = Acted::new();
    let mut h = at_process(&acted);
    assert!(has(&h, "Watch to see what grows"));
    click(&mut h, "Watch");
    let began = Instant::now();
    while !has(&h, "desk.Session, ") {
        settle(&mut h);
        assert!(began.elapsed() < Duration::from_secs(30), "no round arrived");
    }
    assert!(has(&h, "desk.Clock, 7 objects") && has(&h, "Memory over time: 1 round"));
    click(&mut h, "Stop watching");
    press(&mut h, Key::Escape);
    h.get_by_label("1 process with a heap");
    h.key_press_modifiers(Modifiers::COMMAND, Key::W);
    settle(&mut h);
    assert!(has(&h, "Open a heap dump…"));
}

#[test]
fn a_process_that_refuses_says_why_and_nothing_opens() {
    let acted = Acted::new();
    let mut h = at_process(&acted);
    fs::remove_file(acted.folder.path().join("root/tmp/.java_pid1")).expect("the socket");
    click(&mut h, "Dump now");
    assert!(has(&h, "ignores the attach signal"));
    assert!(h.state().tabs().is_empty());
    assert_eq!(fs::read_dir(acted.dumps.path()).expect("a folder").count(), 0);
}
