//! User journeys through the window by accessible name, without a display: open, sort, expand, select, follow, copy, go
//! back.

mod after;
mod ages;
mod android;
mod class_owners;
mod clipboard;
mod columns;
mod copying;
mod cuts;
mod faults;
mod filters;
mod fixes;
mod fleets;
mod folders;
mod frame;
mod growth;
mod heaps;
#[path = "journeys/paths.rs"]
mod held_by;
mod help;
mod instance;
mod layout;
mod leaks;
mod links;
mod long_names;
mod mapping;
mod menus;
mod names;
mod overview;
mod ownership;
mod palette;
mod people;
mod pictures;
mod process;
mod processes;
mod programs;
mod queries;
mod recovery;
mod redacting;
mod references;
mod reported;
mod reports;
mod selecting;
mod sets;
mod sharing;
mod snapshots;
mod source_names;
mod start;
mod tasks;
mod through_all;
mod trees;
mod undo;
mod verdicts;
mod views;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui::{self, Key, Modifiers, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use heaplens::ui::app::App;
use heaplens::ui::location::View;
use heaplens::ui::screenshot::{Shot, screenshot};
use heaplens::view::Page;
use heaplens_base::Task;
use heaplens_base::storage::Folder;
use heaplens_session::OpenOptions;
use heaplens_session::dump::{State, open_and_wait};

/// Size of the window: the list of views, and 1440 points for the view and its panes.
const SIZE: egui::Vec2 = egui::vec2(1660.0, 900.0);

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn window(paths: &[PathBuf]) -> Harness<'static, App> {
    window_with(paths, OpenOptions::default())
}

fn window_with(paths: &[PathBuf], options: OpenOptions) -> Harness<'static, App> {
    let mut harness = opening(paths, options);
    settle(&mut harness);
    // Most journeys start in the dominator tree; those of the overview are separate.
    look_at(&mut harness, View::Dominators);
    harness
}

/// A window that has just started to open its dumps.
fn opening(paths: &[PathBuf], options: OpenOptions) -> Harness<'static, App> {
    let paths = paths.to_vec();
    Harness::builder()
        .with_size(SIZE)
        .with_max_steps(200)
        .allow_missing_glyphs()
        .build_eframe(move |cc| App::new(&cc.egui_ctx, &paths, options))
}

/// Shows a view of the dump.
fn look_at(harness: &mut Harness<'_, App>, view: View) {
    harness.state_mut().show(view);
    settle(harness);
}

/// Runs frames until all results on screen are complete.
fn settle(harness: &mut Harness<'_, App>) {
    let (mut quiet, began) = (0, Instant::now());
    while quiet < 5 {
        harness.step();
        quiet = if harness.state().is_busy() { 0 } else { quiet + 1 };
        std::thread::sleep(Duration::from_millis(2));
        assert!(began.elapsed() < Duration::from_mins(1), "the window did not become idle");
    }
}

fn press(harness: &mut Harness<'_, App>, key: Key) {
    harness.key_press(key);
    settle(harness);
}

/// True if any label contains `part`.
fn has(h: &Harness<'_, App>, part: &str) -> bool {
    h.query_all_by_label_contains(part).next().is_some()
}

fn click(harness: &mut Harness<'_, App>, part_of_label: &str) {
    let node = harness.get_all_by_label_contains(part_of_label).next().expect(part_of_label);
    node.click();
    settle(harness);
}

/// A file dropped on the window.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

/// A window without a dump.
fn empty() -> Harness<'static, App> {
    let mut harness = Harness::builder()
        .with_size(SIZE)
        .with_max_steps(200)
        .allow_missing_glyphs()
        .build_eframe(|cc| App::new(&cc.egui_ctx, &[], OpenOptions::default()));
    settle(&mut harness);
    harness
}

/// Frames until a label contains `part`: a thread of its own has the answer.
fn wait_for_label(h: &mut Harness<'_, App>, part: &str) {
    let began = Instant::now();
    while !has(h, part) {
        h.step();
        std::thread::sleep(Duration::from_millis(2));
        assert!(began.elapsed() < Duration::from_secs(20), "{part} never appeared");
    }
}

/// True if a desktop dialog would open and wait for input.
fn has_desktop() -> bool {
    heaplens_platform::desktop::find_display().is_ok()
}

fn drop_files(h: &mut Harness<'_, App>, names: &[&str]) {
    for name in names {
        h.input_mut().dropped_files.push(Arc::new(Dropped(fixture(name))));
    }
    settle(h);
}

fn type_text(h: &mut Harness<'_, App>, text: &str) {
    h.event(egui::Event::Text(text.to_owned()));
    settle(h);
}

/// Runs an action through the command palette.
fn go_to(h: &mut Harness<'_, App>, text: &str) {
    h.key_press_modifiers(Modifiers::COMMAND, Key::K);
    settle(h);
    type_text(h, text);
    press(h, Key::Enter);
}

/// Class of the selected object; of a class object, the class that it represents.
fn chosen_class(h: &Harness<'_, App>) -> String {
    let location = h.state().location().expect("a location");
    let tab = h.state().tabs().iter().find(|tab| tab.key == location.dump).expect("its tab");
    let heap = &tab.open_dump().expect("an open dump").heap;
    let object = location.object.expect("an object");
    let class = heap.classes.of_object(object).unwrap_or_else(|| heap.class_id(object));
    heap.classes.get(class).name.to_string()
}

/// Text that `act` copies to the clipboard.
fn copied(harness: &mut Harness<'_, App>, act: impl FnOnce(&mut Harness<'_, App>)) -> String {
    act(harness);
    for _ in 0..200 {
        harness.step();
        for command in &harness.output().platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                return text.clone();
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("nothing was copied");
}

#[test]
fn from_the_dump_to_the_path_that_holds_the_leak_and_back() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    // The dump opens on the largest object, with its path and its fields.
    let location = h.state().location().expect("a location");
    assert_eq!(location.view, View::Dominators);
    let first = location.object.expect("the first row is selected");
    h.get_by_label_contains("GC root: ");
    h.get_by_label_contains("Step 1: ");
    h.get_by_label_contains("ENTRIES = ");

    // Expand with the keyboard: the owner, its map.
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    let below = h.state().location().and_then(|p| p.object).expect("an object");
    assert_ne!(below, first);
    press(&mut h, Key::ArrowLeft);
    assert_eq!(h.state().location().and_then(|p| p.object), Some(first));
    press(&mut h, Key::ArrowLeft);

    // Sort by shallow size in both orders; the selection stays.
    click(&mut h, "Sort by Shallow size");
    click(&mut h, "Sort by Shallow size, descending");
    h.get_by_label_contains("Sort by Shallow size, ascending");
    assert_eq!(h.state().location().and_then(|p| p.object), Some(first));
    click(&mut h, "Sort by Retained size");

    // Follow a link of the inspector: the tree expands down to it.
    let link = h
        .get_all_by_role(egui::Role::Link)
        .find(|n| n.accesskit_node().label().is_some_and(|l| l.starts_with("java.util.HashMap ")));
    link.expect("the link to the map").click();
    settle(&mut h);
    let map = h.state().location().and_then(|p| p.object).expect("an object");
    assert_ne!(map, first);
    h.get_by_label_contains("Step 2: ");

    // The path and the row as text.
    let path = copied(&mut h, |h| h.key_press(Key::Y));
    assert!(path.starts_with("leak-after.hprof.gz · ") && path.contains("\nGC root: "), "{path}");
    assert!(path.contains("java.util.HashMap") && path.contains("SessionCache"), "{path}");
    let row = copied(&mut h, |h| h.event(egui::Event::Copy));
    assert!(row.contains("\n\nObject ") && row.contains("java.util.HashMap"), "{row}");

    // Go back to the previous position.
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    settle(&mut h);
    assert_eq!(h.state().location().and_then(|p| p.object), Some(first));
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowRight);
    settle(&mut h);
    assert_eq!(h.state().location().and_then(|p| p.object), Some(map));
}

#[test]
fn from_the_histogram_to_the_objects_of_a_class_and_into_the_tree() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Histogram));
    press(&mut h, Key::Slash);
    h.get_by_role_and_label(egui::Role::TextInput, "Filter by class or owner").type_text("/desk.Session$/");
    settle(&mut h);
    press(&mut h, Key::Enter);
    click(&mut h, "desk.Session 1,200 objects");
    press(&mut h, Key::Enter);
    let location = h.state().location().expect("a location");
    assert_eq!(location.view, View::Objects);
    assert!(location.object.is_some(), "the first object is selected");
    press(&mut h, Key::End);
    press(&mut h, Key::D);
    let there = h.state().location().expect("a location");
    assert_eq!(there.view, View::Dominators);
    h.get_all_by_label_contains("desk.Session").next().expect("the session, expanded to");
}

#[test]
fn an_open_error_names_cause_position_and_remedy() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("notes.txt");
    std::fs::write(&bad, "these are no objects").expect("written");
    let mut h = window(&[bad]);
    assert!(matches!(h.state().tabs()[0].dump.state(), State::Failed(_)));
    h.get_by_label_contains("Cannot open this dump");
    h.get_by_label_contains("xpected a heap dump");
    h.get_by_label("Open another…");
    h.key_press_modifiers(Modifiers::COMMAND, Key::W);
    settle(&mut h);
    assert!(h.state().tabs().is_empty());
    h.get_by_label("Open a heap dump…");
}

#[test]
fn each_tab_keeps_its_own_location() {
    let mut h = window(&[fixture("leak-before.hprof.gz")]);
    let first = h.state().location().expect("a location").dump;
    drop_files(&mut h, &["leak-after.hprof.gz"]);
    click(&mut h, "leak-before.hprof.gz, exact");
    press(&mut h, Key::Num2);
    click(&mut h, "leak-after.hprof.gz, exact");
    let second = h.state().location().expect("a location");
    assert_ne!(second.dump, first);
    assert_eq!(second.view, View::Overview);
    h.key_press_modifiers(Modifiers::CTRL, Key::Tab);
    settle(&mut h);
    let again = h.state().location().expect("a location");
    assert_eq!((again.dump, again.view), (first, View::Histogram));
    click(&mut h, "Close leak-before.hprof.gz");
    assert_eq!(h.state().tabs().len(), 1);
    assert_eq!(h.state().location().map(|p| p.dump), Some(second.dump));
}

#[test]
fn menus_palette_and_help_list_the_same_actions() {
    let mut h = window(&[fixture("leak-before.hprof.gz")]);
    h.get_by_label("View").click();
    h.run_steps(3);
    h.get_by_label_contains("Theme").click();
    h.run_steps(4);
    h.get_all_by_label_contains("Use light theme").next().expect("the menu item").click();
    h.run_steps(3);
    assert_eq!(h.ctx.theme(), Theme::Light);
    h.key_press_modifiers(Modifiers::COMMAND, Key::K);
    h.run_steps(3);
    h.event(egui::Event::Text("dark".to_owned()));
    h.run_steps(3);
    h.key_press(Key::Enter);
    h.run_steps(3);
    assert_eq!(h.ctx.theme(), Theme::Dark);
    h.key_press(Key::F1);
    h.run_steps(3);
    h.get_by_label("Close help");
    h.key_press(Key::Escape);
    h.run_steps(3);
    assert!(h.query_by_label("Close help").is_none());
}

/// Options that keep stored analyses in `folder`.
fn kept_in(folder: &Path) -> OpenOptions {
    let mut options = OpenOptions::default();
    options.storage.folder = Some(Folder::at(folder.to_owned()));
    options
}

/// The selected rows in the copy format with the given index.
fn copied_as(harness: &mut Harness<'_, App>, form: Key) -> String {
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Y);
    settle(harness);
    chosen(harness, form)
}

/// Text copied by a key in the list of formats. The key is released one frame later; only the last text counts.
fn chosen(harness: &mut Harness<'_, App>, form: Key) -> String {
    let text = copied(harness, |h| h.key_down(form));
    harness.key_up(form);
    settle(harness);
    text
}

/// Cells of the row under the cursor, with exact numbers, separated by tabs.
fn row(harness: &mut Harness<'_, App>) -> String {
    let text = copied_as(harness, Key::Num4);
    text.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_filter_stays_when_the_selected_object_fails_it() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let first = h.state().location().and_then(|p| p.object).expect("the first row is selected");
    press(&mut h, Key::Slash);
    let field = || (egui::Role::TextInput, "Filter the top level by class");
    h.get_by_role_and_label(field().0, field().1).type_text("/^java.lang.Thread$/");
    settle(&mut h);
    press(&mut h, Key::Enter);
    h.get_by_label_contains("top-level rows match");
    assert_eq!(h.state().location().and_then(|p| p.object), Some(first), "the selection is unchanged");
    // Navigation brings the target into view.
    press(&mut h, Key::Num2);
    click(&mut h, "java.lang.String ");
    press(&mut h, Key::Enter);
    press(&mut h, Key::D);
    assert!(h.query_by_label_contains("top-level rows match").is_none());
}

#[test]
fn a_stored_analysis_without_its_dump_names_missing_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("leak.heaplens");
    let mut options = OpenOptions::default();
    options.storage.target = Some(file.clone());
    open_and_wait(&fixture("leak-after.hprof.gz"), &options, &Task::new()).expect("it opens");

    let (mut h, mut complete) = (window(&[file]), window(&[fixture("leak-after.hprof.gz")]));
    h.get_by_label_contains("GC root: ");
    h.get_by_label_contains("ENTRIES = ");
    let strip = |row: String| row.split('\t').skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(strip(row(&mut h)), strip(row(&mut complete)), "sizes need no dump");

    // A numeric field, and the elements of a numeric array.
    press(&mut h, Key::Num2);
    click(&mut h, "desk.Session ");
    press(&mut h, Key::Enter);
    h.get_all_by_label_contains(" = not available").next().expect("a number in a field");
    assert!(h.query_by_label_contains("could not").is_none());
    press(&mut h, Key::Num2);
    click(&mut h, "byte[] ");
    press(&mut h, Key::Enter);
    assert!(h.query_by_label_contains("could not").is_none());
    press(&mut h, Key::Num0);
    h.get_by_label_contains("a stored analysis without its dump");
}

#[test]
fn the_second_open_reports_the_stored_analysis() {
    let folder = tempfile::tempdir().expect("a folder");
    let dumps = [fixture("leak-before.hprof.gz")];
    let mut rows = Vec::new();
    for opened_from in ["the dump", "the stored analysis of an earlier open"] {
        let mut h = window_with(&dumps, kept_in(folder.path()));
        rows.push(row(&mut h));
        press(&mut h, Key::Num0);
        h.get_by_label(opened_from);
    }
    assert_eq!(rows[0], rows[1]);
}

/// True if a message appears at any time after `act` until the window is idle.
fn says(harness: &mut Harness<'_, App>, message: &str, act: impl FnOnce(&mut Harness<'_, App>)) -> bool {
    act(harness);
    let (mut output, mut quiet) = (false, 0);
    while quiet < 5 {
        harness.step();
        output |= harness.query_by_label_contains(message).is_some();
        quiet = if harness.state().is_busy() { 0 } else { quiet + 1 };
        std::thread::sleep(Duration::from_millis(2));
    }
    output
}

/// Blocks are verified when they are read: the damage is found after the open, when the overview reads more data.
#[test]
fn a_damaged_stored_analysis_is_rebuilt_from_the_dump() {
    const MESSAGE: &str = "Stored analysis is damaged";
    let folder = tempfile::tempdir().expect("a folder");
    let dumps = [fixture("leak-after.hprof.gz")];
    drop(window_with(&dumps, kept_in(folder.path())));
    let mut files = std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let file = files.find(|path| path.extension().is_some_and(|e| e == "heaplens")).expect("a stored analysis");
    let complete = std::fs::read(&file).expect("its bytes");
    let visit = |h: &mut Harness<'_, App>| {
        press(h, Key::Num2);
        click(h, "java.lang.String ");
        press(h, Key::Enter);
        press(h, Key::End);
        row(h)
    };
    let right = visit(&mut window(&dumps));
    for at in (5_000..complete.len()).step_by(9_973) {
        let mut bytes = complete.clone();
        bytes[at] ^= 1;
        std::fs::write(&file, bytes).expect("it can be written");
        let mut h = opening(&dumps, kept_in(folder.path()));
        let is_stored = |h: &Harness<'_, App>| {
            h.state().tabs()[0].open_dump().is_some_and(|a| a.opened_from.starts_with("the stored"))
        };
        // Damage outside blocks is rejected on open; the overview reads nearly all blocks.
        if !says(&mut h, MESSAGE, |_| {}) {
            continue;
        }
        settle(&mut h);
        assert!(!is_stored(&h), "it is open again, from the dump");
        assert_eq!(visit(&mut h), right);
        let mut again = window_with(&dumps, kept_in(folder.path()));
        assert!(is_stored(&again), "and stored again, sound");
        assert_eq!(visit(&mut again), right);
        return;
    }
    panic!("no damage was met by the overview");
}

#[test]
fn screenshots_need_no_display_and_differ_by_theme() {
    let folder = tempfile::tempdir().expect("a folder");
    let dumps = [fixture("leak-before.hprof.gz")];
    let mut mean = Vec::new();
    for dark in [true, false] {
        for page in [Page::Welcome, Page::Opening, Page::View(View::Dominators), Page::View(View::Histogram)] {
            let shot = Shot { page: Some(page), dark, size: [1000.0, 640.0], ..Shot::default() };
            let out = folder.path().join("shot.png");
            screenshot(&dumps, &shot, OpenOptions::default(), &out).expect("a picture");
            let picture = image::open(&out).expect("a png").to_luma8();
            assert_eq!(picture.dimensions(), (1000, 640));
            let colours: std::collections::BTreeSet<u8> = picture.pixels().map(|p| p.0[0]).collect();
            assert!(colours.len() > 30, "{page:?}: text is drawn with soft edges");
            let sum: u64 = picture.pixels().map(|p| u64::from(p.0[0])).sum();
            mean.push(sum / u64::from(picture.width() * picture.height()));
        }
    }
    let (dark, light) = mean.split_at(4);
    assert!(dark.iter().all(|&m| m < 70) && light.iter().all(|&m| m > 200), "{mean:?}");
}
