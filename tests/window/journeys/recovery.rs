//! Restoring a window that was closed or killed: its open dumps, locations and notes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use eframe::egui::{self, Key};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use heaplens::ui::app::App;
use heaplens::ui::location::View;
use heaplens::ui::tab::Tab;
use heaplens_session::{OpenOptions, SavedSession};
use heaplens_testkit::random::Random;

use super::{click, fixture, has, press, settle};

/// A window with its settings in `folder`.
pub(super) fn keeping(folder: &Path, paths: &[PathBuf]) -> Harness<'static, App> {
    let (folder, paths) = (folder.to_owned(), paths.to_vec());
    let mut harness = Harness::builder()
        .with_size(egui::vec2(1440.0, 900.0))
        .with_max_steps(200)
        .allow_missing_glyphs()
        .build_eframe(move |cc| {
            App::with_kept(&cc.egui_ctx, SavedSession::begin(&folder), &paths, OpenOptions::default())
        });
    settle(&mut harness);
    harness
}

/// The settings folder after the window was killed: its lock is free, and no orderly end was recorded.
pub(super) fn as_after_a_kill(folder: &Path) -> tempfile::TempDir {
    // Longer than a write may wait for others.
    std::thread::sleep(Duration::from_millis(700));
    let copy = tempfile::tempdir().expect("a folder");
    let windows = copy.path().join("windows");
    std::fs::create_dir(&windows).expect("a folder");
    for (from, to) in [(folder.to_owned(), copy.path().to_owned()), (folder.join("windows"), windows)] {
        for entry in std::fs::read_dir(from).expect("a folder").flatten() {
            if entry.path().is_file() {
                std::fs::copy(entry.path(), to.join(entry.file_name())).expect("disk space");
            }
        }
    }
    copy
}

#[test]
fn a_killed_window_is_restored_with_dumps_locations_and_notes() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = [fixture("leak-before.hprof.gz"), fixture("leak-after.hprof.gz")];
    let mut h = keeping(folder.path(), &paths);
    // From the comparison, which opens by itself, to the later dump.
    h.key_press_modifiers(egui::Modifiers::CTRL | egui::Modifiers::SHIFT, Key::Tab);
    settle(&mut h);
    h.state_mut().show(View::Dominators);
    settle(&mut h);
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    settle(&mut h);
    press(&mut h, Key::N);
    h.event(egui::Event::Text("grows by the hour".to_owned()));
    settle(&mut h);
    press(&mut h, Key::Escape);
    let location = h.state().location().expect("a location");
    assert!(location.object.is_some());
    let id = |h: &Harness<'_, App>| {
        let location = h.state().location().expect("a location");
        let tab = h.state().tabs().iter().find(|tab| tab.key == location.dump).expect("a tab");
        let heap = &tab.open_dump().expect("it is open").heap;
        (location.view, location.object.map(|object| heap.id_text(object)), tab.dump.path().to_owned())
    };
    let before = id(&h);
    let copy = as_after_a_kill(folder.path());

    let mut next = keeping(copy.path(), &[]);
    assert!(has(&next, "Previous session"));
    click(&mut next, "Reopen");
    settle(&mut next);
    let open: Vec<PathBuf> =
        next.state().tabs().iter().filter(|tab| tab.comparing().is_none()).map(|t| t.dump.path().to_owned()).collect();
    assert_eq!(open, paths);
    assert_eq!(id(&next), before);
    next.state_mut().show(View::Stars);
    settle(&mut next);
    next.get_by_label_contains("grows by the hour");
}

#[test]
fn the_saved_session_stays_until_another_replaces_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let h = keeping(folder.path(), &[fixture("leak-before.hprof.gz")]);
    drop(h);
    // A window that is opened and closed without opening a dump.
    drop(keeping(folder.path(), &[]));
    let mut third = keeping(folder.path(), &[]);
    assert!(has(&third, "leak-before.hprof.gz"));
    click(&mut third, "Reopen");
    press(&mut third, Key::Num1);
    assert_eq!(third.state().tabs().len(), 1);
    // A dump that was closed by hand is not offered.
    third.key_press_modifiers(egui::Modifiers::COMMAND, Key::W);
    settle(&mut third);
    drop(third);
    assert!(!has(&keeping(folder.path(), &[]), "Previous session"));
}

/// Settings damaged by a user or a disk: the window opens with the readable part.
#[test]
fn damaged_settings_do_not_stop_the_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = keeping(folder.path(), &[fixture("leak-before.hprof.gz")]);
    press(&mut h, Key::M);
    drop(h);
    let complete = std::fs::read(folder.path().join("settings.json")).expect("they are kept");
    let windows = folder.path().join("windows");
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut bytes = complete.clone();
        for _ in 0..random.between(1, 6) {
            let at = random.below(bytes.len() as u32) as usize;
            match random.below(4) {
                0 => bytes[at] = *random.pick(b"0123456789"),
                1 => bytes.truncate(at.max(1)),
                2 => bytes[at] = random.number() as u8,
                _ => drop(bytes.splice(at..at, b"1e300".iter().copied())),
            }
        }
        std::fs::write(folder.path().join("settings.json"), &bytes).expect("disk space");
        std::fs::create_dir_all(&windows).expect("a folder");
        std::fs::write(windows.join("1.lock"), "").expect("disk space");
        let tabs = [&b"{\"tabs\":[{\"file\":\"a\"}],\"shown\":9}"[..], b"[]", b"{\"tabs\":[{}]}", &bytes];
        std::fs::write(windows.join("1.json"), random.pick(&tabs)).expect("disk space");
        let mut next = keeping(folder.path(), &[]);
        if has(&next, "Reopen") {
            click(&mut next, "Reopen");
        }
        next.step();
    }
}

#[test]
fn sessions_of_several_windows_reopen_in_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = keeping(folder.path(), &[fixture("leak-before.hprof.gz")]);
    first.state_mut().show(View::Strings);
    settle(&mut first);
    let mut second = keeping(folder.path(), &[fixture("leak-after.hprof.gz")]);
    settle(&mut second);
    assert_eq!(second.state().title(), "leak-after.hprof.gz – heaplens");
    let left = as_after_a_kill(folder.path());
    drop((first, second));
    let mut h = keeping(left.path(), &[]);
    assert_eq!(h.state().title(), "heaplens");
    assert!(has(&h, "leak-before.hprof.gz") && has(&h, "leak-after.hprof.gz"));
    click(&mut h, "Reopen");
    let names: Vec<String> = h.state().tabs().iter().map(Tab::name).collect();
    assert_eq!(names.len(), 2, "{names:?}: these were not compared");
}

#[test]
fn an_offered_session_survives_a_kill_until_declined() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = keeping(folder.path(), &[fixture("leak-before.hprof.gz")]);
    let left = as_after_a_kill(folder.path());
    drop(first);
    // Another dump is opened by a double click.
    let mut second = keeping(left.path(), &[fixture("leak-after.hprof.gz")]);
    let left_again = as_after_a_kill(left.path());
    let opened_again = |folder: &Path| {
        let mut window = keeping(folder, &[]);
        click(&mut window, "Reopen");
        window.state().tabs().iter().map(Tab::name).collect::<Vec<_>>()
    };
    assert_eq!(opened_again(left_again.path()), ["leak-after.hprof.gz", "leak-before.hprof.gz"]);
    eframe::App::on_exit(second.state_mut(), None);
    drop(second);
    assert_eq!(opened_again(left.path()), ["leak-after.hprof.gz"]);
}

#[test]
fn a_file_that_cannot_be_opened_is_neither_restored_nor_a_recent_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let letter = folder.path().join("letter.hprof");
    std::fs::write(&letter, "<!DOCTYPE html><title>Please log in</title>").expect("disk space");
    let mut h = keeping(folder.path(), &[fixture("leak-after.hprof.gz"), letter]);
    settle(&mut h);
    click(&mut h, "letter.hprof, failed");
    assert!(has(&h, "found a web page (HTML)") && has(&h, "Download the dump again"));
    let copy = as_after_a_kill(folder.path());
    let next = keeping(copy.path(), &[]);
    assert!(has(&next, "leak-after.hprof.gz"));
    assert!(!has(&next, "letter"));
}
