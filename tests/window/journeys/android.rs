//! User journeys with an Android dump: leaking objects, their holders, the trace for the ticket; and the bitmaps.

use std::process::Command;

use heaplens_testkit::album;
use heaplens_testkit::art::Writer;
use heaplens_testkit::hprof::Form;

use super::recovery::{as_after_a_kill, keeping};
use super::*;
use heaplens::ui::command::Command as WindowCommand;
use heaplens::ui::verb::Verb;

const ALBUM: &str = "android/album.hprof.gz";

fn leaks_with(options: OpenOptions) -> Harness<'static, App> {
    let mut h = window_with(&[fixture(ALBUM)], options);
    press(&mut h, Key::F);
    h
}

fn leaks() -> Harness<'static, App> {
    leaks_with(OpenOptions::default())
}

fn bitmaps() -> Harness<'static, App> {
    let mut h = window(&[fixture(ALBUM)]);
    press(&mut h, Key::G);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Bitmaps));
    h
}

fn printed(arguments: &[&str]) -> String {
    let nowhere = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .env("XDG_CONFIG_HOME", nowhere.path())
        .arg(arguments[0])
        .arg(fixture(ALBUM))
        .arg("--no-cache")
        .args(&arguments[1..])
        .output()
        .expect("heaplens starts");
    String::from_utf8(output.stdout).expect("text")
}

fn chosen(h: &Harness<'_, App>) -> Option<heaplens_heap::ObjectId> {
    h.state().location().and_then(|location| location.object)
}

#[test]
fn leaking_objects_come_first_with_their_trace() {
    let mut h = leaks();
    h.get_by_label_contains("3 application leaks, 1 library leak, 1 unreachable leaking object");
    h.get_by_label_contains("Application leaks: 3, 430 kB");
    h.get_by_label_contains(
        "Leak 1: com.example.album.PhotoActivity, Held by ShareTracker.listeners · 3 traces, 351 kB",
    );
    h.get_by_label_contains("Leak 2: com.example.album.EditorFragment, Held by ImageLoader.pending");
    // The worst leak is selected: its trace shows for each object whether it leaks, and which references may be the
    // cause.
    assert_eq!(chosen_class(&h), "com.example.album.PhotoActivity");
    h.get_by_label("GC root: System class");
    h.get_by_label_contains("Trace 1: class com.example.album.ShareTracker");
    h.get_by_label_contains("a class is never leaking");
    h.get_by_label("Reference 2: ShareTracker.listeners, a likely cause");
    h.get_by_label("Reference 3: ArrayList[0], a likely cause");
    assert!(has(&h, "instance, Unknown") && has(&h, "instance, Leaking") && has(&h, "class, Not leaking"));
    assert!(has(&h, "received Activity#onDestroy() callback and Activity#mDestroyed is true"));
    h.get_by_label("Retaining 230.4 kB in 3 objects");
    // A step is a link; the leak stays selected.
    click(&mut h, "Trace 3: java.util.ArrayList");
    assert_eq!(chosen_class(&h), "java.util.ArrayList");
    h.get_by_label("Trace 1 of 3");
    // Enter shows the leaking object in the dominator tree; back returns to the leak.
    press(&mut h, Key::ArrowDown);
    assert_eq!(chosen_class(&h), "com.example.album.EditorFragment");
    h.get_by_label("Reference 3: HashMap[\"photos/4711\"], a likely cause");
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Dominators));
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    settle(&mut h);
    h.get_by_label("Reference 3: HashMap[\"photos/4711\"], a likely cause");
}

/// The overview of an Android dump starts with leaking objects, one key away from their trace.
#[test]
fn the_overview_begins_with_leaking_objects() {
    let mut h = opening(&[fixture(ALBUM)], OpenOptions::default());
    settle(&mut h);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Overview));
    h.get_by_label("In short: 3 application leaks, 1 library leak, 1 unreachable leaking object");
    h.get_by_label(
        "Leak 1: 3 com.example.album.PhotoActivity objects leak: held by ShareTracker.listeners, 351 kB retained",
    );
    click(&mut h, "Leak 2: com.example.album.EditorFragment leaks");
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Leaks));
    h.get_by_label("Reference 3: HashMap[\"photos/4711\"], a likely cause");
    let h = window(&[fixture("android/phone.hprof")]);
    assert!(!has(&h, "Android leaks"));
}

#[test]
fn traces_of_one_leak_are_stepped_through() {
    let mut h = leaks();
    let first = chosen(&h);
    press(&mut h, Key::CloseBracket);
    h.get_by_label("Trace 2 of 3");
    h.get_by_label("Reference 3: ArrayList[1], a likely cause");
    assert_ne!(chosen(&h), first);
    click(&mut h, "Next trace with this fingerprint");
    h.get_by_label("Trace 3 of 3");
    let third = copied(&mut h, |h| h.get_by_label("Copy trace").click());
    assert!(third.contains("ArrayList[2]") && !third.contains("ArrayList[0]"), "{third}");
    assert!(says(&mut h, "No further leak trace", |h| h.key_press(Key::CloseBracket)));
    press(&mut h, Key::OpenBracket);
    press(&mut h, Key::OpenBracket);
    assert_eq!(chosen(&h), first);
}

#[test]
fn a_trace_and_the_report_are_copied_as_leakcanary_writes_them() {
    let mut h = leaks();
    let report = printed(&["leaks", "--form", "leakcanary"]);
    let trace = copied(&mut h, |h| h.event(egui::Event::Copy));
    assert!(trace.starts_with("350544 bytes retained by leaking objects\n"), "{trace}");
    assert!(trace.contains("│    ↓ ShareTracker.listeners\n│                   ~~~~~~~~~\n"), "{trace}");
    assert!(report.contains(&trace), "{trace}");
    assert_eq!(copied(&mut h, |h| h.get_by_label("Copy report").click()), report);
    // Wherever one is.
    let mut h = window(&[fixture(ALBUM)]);
    h.key_press_modifiers(Modifiers::COMMAND, Key::K);
    settle(&mut h);
    type_text(&mut h, ">copy leakcanary report");
    assert_eq!(copied(&mut h, |h| h.key_press(Key::Enter)), report);
    let mut h = leaks();
    let fingerprint = copied(&mut h, |h| h.get_by_label_contains("Copy fingerprint ").click());
    assert_eq!(fingerprint, "a7d07562b54767fa5c374dd6729e853a4e379b19");
    // The command that is copied prints just that leak.
    let command = copied(&mut h, |h| h.key_press(Key::C));
    assert!(command.ends_with(&format!(" --filter {fingerprint}\n")), "{command}");
    let text = printed(&["leaks", "--filter", &fingerprint]);
    assert!(text.contains("1 application leak, 0 library leaks") && text.contains("ShareTracker.listeners"), "{text}");
    assert!(!text.contains("EditorFragment"), "{text}");
}

#[test]
fn library_leaks_and_unreachable_objects_are_separate_groups() {
    let mut h = leaks();
    press(&mut h, Key::Slash);
    type_text(&mut h, "mNextServedView");
    press(&mut h, Key::Enter);
    assert!(!has(&h, "Application leaks") && !has(&h, "Finding 1: "));
    click(&mut h, "Leak 4: com.example.album.SearchBox");
    h.get_by_label("instance field android.view.inputmethod.InputMethodManager#mNextServedView");
    h.get_by_label_contains("Reference 2: InputMethodManager.mNextServedView, a likely cause, known leak");
    h.get_by_label("Clear the filter").click();
    settle(&mut h);
    // The focus stays in the filter; Enter leads to the rows.
    press(&mut h, Key::Enter);
    press(&mut h, Key::End);
    assert_eq!(chosen_class(&h), "com.example.album.SettingsActivity");
    h.get_by_label("Not strongly reachable: the next garbage collection frees it");
    let text = copied(&mut h, |h| h.event(egui::Event::Copy));
    assert!(text.starts_with("com.example.album.SettingsActivity instance\n"), "{text}");
    assert!(printed(&["leaks", "--form", "leakcanary"]).contains(text.trim_end()));
}

#[test]
fn user_matchers_mark_known_leaks() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("android-references.txt");
    let options = || OpenOptions { references_file: Some(file.clone()), ..OpenOptions::default() };
    let h = leaks_with(options());
    h.get_by_label_contains("Application leaks: 3, ");
    std::fs::write(&file, "library static com.example.album.ShareTracker#INSTANCE  # their kit\n").expect("written");
    let mut h = leaks_with(options());
    h.get_by_label_contains("Application leaks: 2, ");
    h.get_by_label_contains("Library leaks: 2, ");
    click(&mut h, "Leak 3: com.example.album.PhotoActivity");
    h.get_by_label("their kit");
    std::fs::write(&file, "nonsense\n").expect("written");
    let h = leaks_with(options());
    h.get_by_label_contains("The search for Android leaks failed: ");
    h.get_by_label_contains("'nonsense' is not a rule: begin the line with library or ignored");
}

#[test]
fn a_verdict_dims_its_leak() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("verdicts.txt");
    let mut h = leaks_with(OpenOptions { verdicts_file: Some(file.clone()), ..OpenOptions::default() });
    press(&mut h, Key::V);
    type_text(&mut h, "fixed in the next release");
    press(&mut h, Key::Enter);
    let written = std::fs::read_to_string(&file).expect("the verdicts");
    assert!(written.contains("expected  com.example.album.ShareTracker.INSTANCE  # fixed"), "{written}");
    h.get_by_label_contains("3 traces, 351 kB, Expected");
    // Expected leaks are not first in the overview.
    look_at(&mut h, View::Overview);
    assert!(has(&h, "Leak 1: com.example.album.EditorFragment") && !has(&h, "PhotoActivity objects leak"));
    look_at(&mut h, View::Leaks);
    h.get_by_label("Remove verdict").click();
    settle(&mut h);
    assert!(!has(&h, "351 kB, Expected"));
}

#[test]
fn leaks_are_exported_with_their_traces() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = leaks();
    for (name, format) in [("leaks.json", "json"), ("leaks.csv", "csv"), ("leaks.md", "markdown")] {
        let file = folder.path().join(name);
        h.state_mut().export_to(&file);
        assert!(says(&mut h, "Exported ", |h| h.key_press_modifiers(Modifiers::COMMAND, Key::S)));
        let text = std::fs::read_to_string(&file).expect("the export");
        assert_eq!(text, printed(&["leaks", "--format", format]), "{name}");
    }
}

#[test]
fn other_dumps_have_no_android_pages() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::G);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Dominators));
    assert!(!has(&h, "Bitmaps"));
    press(&mut h, Key::F);
    assert!(!has(&h, "Application leaks") && has(&h, "Finding 1: SessionCache"));
}

#[test]
fn bitmaps_are_a_gallery_and_a_list() {
    let mut h = bitmaps();
    h.get_by_label_contains("12 bitmaps · 191 kB in duplicates · 739 kB in the heap");
    let first = "Bitmap 1: 320 × 180, ARGB_8888, 230 kB in the heap, owner: PhotoActivity.photo";
    h.get_by_label(first);
    h.get_by_label_contains("Bitmap 12: 64 × 64, Size in bytes not recorded, recycled, ");
    assert_eq!(chosen_class(&h), "android.graphics.Bitmap");
    h.get_by_label("Bitmap preview, 320 × 180");
    // Keys move between bitmaps; the panes follow.
    let before = chosen(&h);
    press(&mut h, Key::ArrowRight);
    assert_ne!(chosen(&h), before);
    h.get_by_label("Bitmap preview, 160 × 120");
    // Equal bitmaps are adjacent.
    h.get_by_label("Sort: Largest first").click();
    h.run_steps(2);
    h.get_by_label("Group identical").click();
    settle(&mut h);
    h.get_by_label_contains("Bitmap 1: 160 × 120, ARGB_8888, 76.8 kB in the heap, 2 identical");
    h.get_by_label_contains("Bitmap 2: 160 × 120, ARGB_8888, 76.8 kB in the heap, 2 identical");
    // The filtered list equals the output of the command line.
    press(&mut h, Key::Slash);
    type_text(&mut h, "96x96");
    press(&mut h, Key::Enter);
    h.get_by_label_contains("Bitmap 2: 96 × 96, ARGB_8888");
    assert!(!has(&h, "Bitmap 3: "));
    click(&mut h, "Show as a list");
    h.get_by_label_contains("Bitmap 2: 96 × 96, 2 identical, owner: ProfileHeader.avatar");
    click(&mut h, "Bitmap 2: 96 × 96");
    let cells = copied(&mut h, |h| h.event(egui::Event::Copy));
    assert!(cells.contains("ProfileHeader.avatar") && !cells.contains("thumbnails"), "{cells}");
    let command = copied(&mut h, |h| h.key_press(Key::C));
    assert!(command.starts_with("heaplens bitmaps ") && command.ends_with(" --rows 9\n"), "{command}");
    assert!(printed(&["bitmaps", "--rows", "9"]).contains("ProfileHeader.avatar"));
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Dominators));
    // Back restores the list.
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    settle(&mut h);
    h.get_by_label_contains("Bitmap 2: 96 × 96, 2 identical");
}

#[test]
fn a_picture_is_saved_and_copied_and_the_table_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = bitmaps();
    let file = folder.path().join("sea.png");
    h.state_mut().export_to(&file);
    let tile = h.get_by_label_contains("160 × 100, RGB_565");
    tile.click_secondary();
    settle(&mut h);
    assert!(says(&mut h, "Exported ", |h| h.get_by_label("Save image…").click()));
    let saved = std::fs::read(&file).expect("the picture");
    printed(&["bitmaps", "--save", folder.path().to_str().expect("text")]);
    let printed_file = std::fs::read_dir(folder.path()).expect("the folder").filter_map(Result::ok);
    let of_command =
        printed_file.map(|entry| entry.path()).find(|path| path.to_string_lossy().ends_with("160x100.png"));
    assert!(std::fs::read(of_command.expect("it is saved")).expect("the picture") == saved);
    h.get_by_label_contains("160 × 100, RGB_565").click_secondary();
    settle(&mut h);
    h.get_by_label("Copy image").click();
    let mut size = None;
    for _ in 0..200 {
        h.step();
        for command in &h.output().platform_output.commands {
            if let egui::OutputCommand::CopyImage(image) = command {
                size = Some(image.size);
            }
        }
        std::thread::sleep(Duration::from_millis(2));
        if size.is_some() {
            break;
        }
    }
    assert_eq!(size, Some([160, 100]));
    let table = folder.path().join("bitmaps.csv");
    h.state_mut().export_to(&table);
    assert!(says(&mut h, "Exported ", |h| h.key_press_modifiers(Modifiers::COMMAND, Key::S)));
    assert_eq!(std::fs::read_to_string(&table).expect("the export"), printed(&["bitmaps", "--format", "csv"]));
}

/// Bitmaps whose pixels a cropper removed are reported as not recorded, not drawn black.
#[test]
fn missing_pixels_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cropped.hprof");
    std::fs::write(&file, album::sample().write(Writer::Koom)).expect("written");
    let mut h = window(&[file]);
    press(&mut h, Key::G);
    h.get_by_label_contains("Bitmap 1: 320 × 180, ARGB_8888, 230 kB in the heap, pixels not recorded, owner: ");
    h.get_by_label_contains("Bitmap 2: 160 × 120, ARGB_8888, 76.8 kB in the heap, 4 possibly identical");
    let command = copied(&mut h, |h| h.get_by_label("Copy command for pixels").click());
    assert!(command.starts_with("adb shell am dumpheap -b png "), "{command}");
    h.get_by_label_contains("Bitmap 1: 320 × 180").click_secondary();
    settle(&mut h);
    assert!(h.get_by_label("Save image…").accesskit_node().is_disabled());
}

#[test]
fn both_android_pages_fit_small_windows() {
    let folder = tempfile::tempdir().expect("a folder");
    for view in [View::Leaks, View::Bitmaps] {
        for size in [[1000.0, 640.0], [640.0, 400.0], [220.0, 220.0]] {
            let shot = Shot { page: Some(Page::View(view)), size, dark: false, ..Shot::default() };
            let out = folder.path().join("page.png");
            screenshot(&[fixture(ALBUM)], &shot, OpenOptions::default(), &out).expect("a picture");
        }
    }
}

/// An activity with a window and two views; another object refers to a view and the activity.
const SCREEN: &str = "
    class android.view.View
      field mContext: object
    class android.view.ViewGroup extends android.view.View
      field mChildren: object
      field mChildrenCount: int
    class android.app.Activity
      field mDecor: object
    class Other
      static screens: object = screens
      static views: object = views
    root Other class
    screens = java.lang.Object[] screen left
    views = java.lang.Object[] left right
    screen = android.app.Activity mDecor=decor
    decor = android.view.ViewGroup mContext=screen mChildren=children mChildrenCount=2
    children = android.view.View[] left right
    left = android.view.View mContext=screen
    right = android.view.View mContext=screen
    ";

/// Combined retained size of the activities.
fn retained_by_activities(h: &Harness<'_, App>) -> u64 {
    let dump = h.state().tabs()[0].open_dump().expect("an open dump");
    dump.analysis.class_retained(dump.heap.classes.named("android.app.Activity").expect("the class")).0
}

#[test]
fn owner_rules_are_those_of_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let screen = heaplens_testkit::notation::read(SCREEN).expect("a heap");
    let file = folder.path().join("screen.hprof");
    let form = Form { version: "1.0.3", id_bytes: 4, ..Form::MODERN };
    std::fs::write(&file, heaplens_testkit::hprof::write(&screen, form)).expect("disk space");
    let mut h = keeping(folder.path(), std::slice::from_ref(&file));
    let ctx = h.ctx.clone();
    let turn = |h: &mut Harness<'_, App>, verb| {
        h.state_mut().apply(&ctx, WindowCommand::from(verb));
        settle(h);
    };
    let plain = retained_by_activities(&h);
    turn(&mut h, Verb::OwnerRules);
    assert!(has(&h, "only owning references"), "the status says so");
    let owned = retained_by_activities(&h);
    assert!(owned > plain, "{owned}, {plain}");
    look_at(&mut h, View::ParseWarnings);
    assert!(has(&h, "only those of their owners count"));
    look_at(&mut h, View::Histogram);
    click(&mut h, "android.app.Activity 1 object");
    let command = copied(&mut h, |h| h.key_press(Key::C));
    assert!(command.contains(" --owner-rules"), "{command}");
    let table = Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .args(["histogram", "--no-cache", "--owner-rules", "--format", "json", "--filter", "android.app.Activity"])
        .arg(&file)
        .output()
        .expect("heaplens starts");
    let table: serde_json::Value = serde_json::from_slice(&table.stdout).expect("json");
    assert_eq!(table["rows"][0]["retained_bytes"], owned, "{table}");

    let left = as_after_a_kill(folder.path());
    let mut next = keeping(left.path(), &[]);
    click(&mut next, "Reopen");
    settle(&mut next);
    assert_eq!(retained_by_activities(&next), owned);
    // The rules read numbers of children even if values are hidden.
    for verb in [Verb::Redact, Verb::OwnerRules, Verb::OwnerRules] {
        turn(&mut next, verb);
    }
    assert_eq!(retained_by_activities(&next), owned);
    turn(&mut next, Verb::OwnerRules);
    assert_eq!(retained_by_activities(&next), plain);
    assert!(!has(&next, "only owning references"));
}

#[test]
fn owner_rules_change_no_trace() {
    let mut h = leaks();
    let ctx = h.ctx.clone();
    let report =
        |h: &mut Harness<'_, App>| copied(h, |h| h.state_mut().apply(&ctx, WindowCommand::from(Verb::CopyReport)));
    let plain = report(&mut h);
    assert!(plain.contains("com.example.album.PhotoActivity"), "{plain}");
    h.state_mut().apply(&ctx, WindowCommand::from(Verb::OwnerRules));
    settle(&mut h);
    look_at(&mut h, View::Leaks);
    assert_eq!(report(&mut h), plain);
}

#[test]
fn a_mapping_keeps_the_owner_rules() {
    let mut h = window(&[fixture("android/album-r8.hprof.gz")]);
    let ctx = h.ctx.clone();
    h.state_mut().apply(&ctx, WindowCommand::from(Verb::OwnerRules));
    settle(&mut h);
    let is_mapped = |h: &Harness<'_, App>| h.state().tabs()[0].dump.facts().is_some_and(|facts| facts.mapped.is_some());
    for (command, expected) in [
        (WindowCommand::UseMapping(fixture("android/album-r8.mapping.txt")), true),
        (WindowCommand::from(Verb::ForgetMapping), false),
    ] {
        h.state_mut().apply(&ctx, command);
        settle(&mut h);
        assert_eq!((is_mapped(&h), has(&h, "only owning references")), (expected, true));
    }
}
