//! Files that change while open: the window stays open, reports the change, and shows no invalid data.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use eframe::egui::{Key, Modifiers};
use egui_kittest::Harness;
use heaplens::ui::app::App;
use heaplens::ui::command::Command;
use heaplens::ui::location::View;
use heaplens::ui::verb::Verb;
use heaplens_session::dump::State;
use heaplens_testkit::files::is_shortened;

use super::{click, fixture, has, look_at, settle, window};

/// A dump of its own, not packed: the window reads values from it.
fn unpacked(folder: &Path) -> PathBuf {
    let packed = fs::read(fixture("leak-after.hprof.gz")).expect("a fixture");
    let mut bytes = Vec::new();
    flate2::read::MultiGzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("it is complete");
    let path = folder.join("app.hprof");
    fs::write(&path, bytes).expect("disk space");
    path
}

/// Waits for the window to say something.
fn wait_for(h: &mut Harness<'_, App>, output: &str) {
    let began = Instant::now();
    while !has(h, output) {
        h.step();
        std::thread::sleep(Duration::from_millis(20));
        assert!(began.elapsed() < Duration::from_secs(30), "\"{output}\" was never said");
    }
    settle(h);
}

fn is_open(h: &Harness<'_, App>) -> bool {
    h.state().tabs().iter().all(|tab| *tab.dump.state() == State::Ready)
}

#[test]
fn truncating_an_open_dump_keeps_the_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = unpacked(folder.path());
    let mut h = window(std::slice::from_ref(&path));
    assert_eq!(h.state().title(), "app.hprof – heaplens");
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    settle(&mut h);
    // Only the head of the file remains. A read meets the missing part, or the watcher finds it first.
    if !is_shortened(File::options().write(true).open(&path).expect("it exists").set_len(100)) {
        return;
    }
    h.state_mut().show(View::Strings);
    wait_for(&mut h, "Field values, strings and array contents are no longer available");
    assert!(is_open(&h));
    // Answers from references are unchanged.
    h.state_mut().show(View::Dominators);
    settle(&mut h);
    assert!(has(&h, "desk.SessionCache"));
    h.state_mut().show(View::Histogram);
    settle(&mut h);
    assert!(has(&h, "desk.Session"));
    // Another dump opens and is complete.
    h.state_mut().open(&fixture("leak-before.hprof.gz"));
    settle(&mut h);
    assert!(is_open(&h) && h.state().tabs().len() == 2);
    assert!(!has(&h, "Values in objects are not available"));
}

#[test]
fn a_partly_unreadable_answer_is_not_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = unpacked(folder.path());
    let mut h = window(std::slice::from_ref(&path));
    look_at(&mut h, View::Strings);
    let export = folder.path().join("strings.csv");
    fs::write(&export, "of yesterday").expect("disk space");
    h.state_mut().export_to(&export);
    // Before anything finds out: the export does.
    if !is_shortened(File::options().write(true).open(&path).expect("it exists").set_len(100)) {
        return;
    }
    h.key_press_modifiers(Modifiers::COMMAND, Key::S);
    let began = Instant::now();
    while !has(&h, "Export failed") && !has(&h, "Export cancelled") {
        h.step();
        std::thread::sleep(Duration::from_millis(20));
        assert!(began.elapsed() < Duration::from_secs(30), "nothing is said of it");
    }
    settle(&mut h);
    assert_eq!(fs::read_to_string(&export).expect("it exists"), "of yesterday");
}

#[test]
fn an_overwritten_dump_is_no_longer_trusted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = unpacked(folder.path());
    let mut h = window(std::slice::from_ref(&path));
    let complete = fs::metadata(&path).expect("it exists").len();
    // Overwritten in place with the same length: only its modification time differs.
    let mut file = File::options().write(true).open(&path).expect("it exists");
    file.write_all(&vec![b'x'; complete as usize]).expect("disk space");
    drop(file);
    wait_for(&mut h, "overwritten");
    assert!(is_open(&h));
    click(&mut h, "Hide this message");
    assert!(!has(&h, "overwritten"));
}

#[test]
fn a_changed_file_shows_a_banner_and_can_be_reopened() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = unpacked(folder.path());
    let mut h = window(std::slice::from_ref(&path));
    let mut file = File::options().append(true).open(&path).expect("it exists");
    file.write_all(b"more").expect("disk space");
    wait_for(&mut h, "has grown since it was opened");
    click(&mut h, "Reopen");
    assert!(!has(&h, "has grown since it was opened"));
    assert!(is_open(&h));
    let other = folder.path().join("other");
    fs::copy(fixture("leak-before.hprof.gz"), &other).expect("disk space");
    fs::rename(&other, &path).expect("it takes its place");
    wait_for(&mut h, "app.hprof was replaced by another file");
    click(&mut h, "Reopen");
    fs::remove_file(&path).expect("it exists");
    wait_for(&mut h, "was deleted or moved");
    // The old file is still read, although another has its name.
    h.state_mut().show(View::Strings);
    settle(&mut h);
    assert!(is_open(&h));
    assert!(!has(&h, "not available"));
}

#[test]
fn a_dump_is_reopened_with_its_settings() {
    let mut h = window(&[fixture("leak-before.hprof.gz"), fixture("leak-after.hprof.gz")]);
    let keys: Vec<u64> = h.state().tabs().iter().map(|tab| tab.key).collect();
    let ctx = h.ctx.clone();
    let keeps = |h: &Harness<'_, App>, key: u64| {
        h.state().tabs().iter().find(|tab| tab.key == key).expect("its tab").opened().rules.keep_unreachable
    };
    h.state_mut().apply(&ctx, Command::ShowTab(keys[1]));
    settle(&mut h);
    look_at(&mut h, View::Histogram);
    h.state_mut().apply(&ctx, Command::from(Verb::KeepUnreachable));
    h.state_mut().apply(&ctx, Command::Reopen(keys[0]));
    settle(&mut h);
    assert!(keeps(&h, keys[1]), "with the selected option");
    assert!(!keeps(&h, keys[0]), "the other unchanged");
    // In the same tab, where the reader was.
    let location = h.state().location().expect("a location");
    assert_eq!((location.dump, location.view), (keys[1], View::Histogram));
    // The menu shows the option of the current dump: toggling it turns it on here too.
    h.state_mut().apply(&ctx, Command::ShowTab(keys[0]));
    h.state_mut().apply(&ctx, Command::from(Verb::KeepUnreachable));
    settle(&mut h);
    assert!(keeps(&h, keys[0]) && keeps(&h, keys[1]));
}

#[test]
fn reopening_one_of_two_tabs_leaves_the_other() {
    let mut h = window(&[fixture("leak-before.hprof.gz")]);
    let ctx = h.ctx.clone();
    h.state_mut().apply(&ctx, Command::from(Verb::OpenInNewTab));
    settle(&mut h);
    h.state_mut().apply(&ctx, Command::from(Verb::KeepUnreachable));
    settle(&mut h);
    let keeps: Vec<bool> = h.state().tabs().iter().map(|tab| tab.opened().rules.keep_unreachable).collect();
    assert_eq!(keeps, [false, true]);
    assert!(is_open(&h));
}

#[test]
fn a_truncated_dump_says_so_in_its_tab_the_overview_and_the_totals() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = unpacked(folder.path());
    let mut complete = window(std::slice::from_ref(&path));
    settle(&mut complete);
    assert!(has(&complete, "app.hprof, exact") && !has(&complete, "ncomplete"));
    let length = fs::metadata(&path).expect("it exists").len();
    let cut = folder.path().join("cut.hprof");
    fs::copy(&path, &cut).expect("disk space");
    File::options().write(true).open(&cut).expect("it exists").set_len(length - 100_000).expect("it can be shorter");
    let mut h = window(std::slice::from_ref(&cut));
    settle(&mut h);
    assert!(has(&h, "cut.hprof, incomplete"));
    h.state_mut().show(View::Overview);
    settle(&mut h);
    assert!(has(&h, "Incomplete dump: figures are of the part that was read. Data lost: "));
    h.state_mut().show(View::Histogram);
    settle(&mut h);
    assert!(has(&h, "incomplete dump  ·  "));
    h.state_mut().show(View::Overview);
    settle(&mut h);
    click(&mut h, "What fills the memory: Incomplete dump: ");
    assert_eq!(h.state().location().map(|location| location.view), Some(View::ParseWarnings));
}
