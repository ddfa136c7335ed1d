//! Values stay hidden until the user shows them again: on screen, in copies, and in the next window.

use super::copying::same;
use super::palette::{look_for, rows};
use super::recovery::{as_after_a_kill, keeping};
use super::*;
use heaplens::ui::command::Command;
use heaplens::ui::tab::Tab;
use heaplens::ui::verb::Verb;

/// A string of the fixture that the window shows.
const SECRET: &str = "status: placed";

/// Redacts, or shows values again; checks the message.
fn redact(h: &mut Harness<'_, App>, output: &str) {
    look_for(h, "Redact");
    assert!(rows(h).first().is_some_and(|row| row.starts_with("Command Redact")), "{:?}", rows(h));
    assert!(says(h, output, |h| h.key_press(Key::Enter)));
}

#[test]
fn values_stay_redacted_until_shown_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = keeping(folder.path(), &[PathBuf::from("fixtures/leak-after.hprof.gz")]);
    look_at(&mut h, View::Strings);
    assert!(has(&h, SECRET));
    redact(&mut h, "Values redacted: strings, numbers");
    assert!(!has(&h, SECRET));
    look_at(&mut h, View::Histogram);
    press(&mut h, Key::Home);
    let (_, command) = same(&mut h, "rows of a redacted dump");
    assert!(command.contains("--redact"), "{command}");
    look_at(&mut h, View::Strings);

    let copy = as_after_a_kill(folder.path());
    let mut next = keeping(copy.path(), &[]);
    click(&mut next, "Reopen");
    settle(&mut next);
    look_at(&mut next, View::Strings);
    assert!(!has(&next, SECRET));
    redact(&mut next, "Values are shown again");
    assert!(has(&next, SECRET));
}

#[test]
fn redacted_dumps_are_compared_again() {
    let mut h = empty();
    drop_files(&mut h, &["leak-before.hprof.gz", "leak-after.hprof.gz"]);
    settle(&mut h);
    look_at(&mut h, View::Strings);
    assert!(has(&h, SECRET));
    let keys: Vec<u64> = h.state().tabs().iter().map(|tab| tab.key).collect();
    let ctx = h.ctx.clone();
    for &key in &keys[..2] {
        h.state_mut().apply(&ctx, Command::ShowTab(key));
        h.state_mut().apply(&ctx, Command::from(Verb::Redact));
        settle(&mut h);
    }
    h.state_mut().apply(&ctx, Command::Compare(keys[0], keys[1]));
    settle(&mut h);
    assert_eq!(h.state().tabs().len(), 3, "in the place of the one before");
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Growth));
    look_at(&mut h, View::Strings);
    assert!(!has(&h, SECRET));
    // With unchanged dumps the open comparison is shown again.
    let now = h.state().location().expect("a location").dump;
    h.state_mut().apply(&ctx, Command::Compare(keys[0], keys[1]));
    settle(&mut h);
    assert_eq!(h.state().location().map(|location| location.dump), Some(now));
}

#[test]
fn a_late_mapping_shows_no_redacted_values() {
    let mut h = window(&[fixture("android/phone.hprof")]);
    let ctx = h.ctx.clone();
    h.state_mut().apply(&ctx, Command::UseMapping(fixture("android/phone.mapping.txt")));
    h.state_mut().apply(&ctx, Command::from(Verb::Redact));
    settle(&mut h);
    let facts = h.state().tabs()[0].dump.facts().expect("an open dump");
    assert!(facts.is_redacted() && facts.mapped.is_some());
}

#[test]
fn redacting_discards_palette_results() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let offers = |h: &mut Harness<'_, App>| {
        look_for(h, "@main");
        let result = h.query_all_by_role(egui::Role::ListBoxOption).next().is_some();
        press(h, Key::Escape);
        result
    };
    assert!(offers(&mut h));
    redact(&mut h, "Values redacted: strings, numbers");
    assert!(!offers(&mut h));
}

#[test]
fn two_tabs_of_one_dump_are_both_restored() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = keeping(folder.path(), &[fixture("leak-after.hprof.gz")]);
    let ctx = h.ctx.clone();
    h.state_mut().apply(&ctx, Command::from(Verb::OpenInNewTab));
    settle(&mut h);
    redact(&mut h, "Values redacted: strings, numbers");
    let copy = as_after_a_kill(folder.path());
    let mut next = keeping(copy.path(), &[]);
    click(&mut next, "Reopen");
    settle(&mut next);
    let redacted: Vec<bool> = next.state().tabs().iter().map(|tab| tab.opened().redacted).collect();
    assert_eq!(redacted, [false, true]);
    let names: Vec<String> = next.state().tabs().iter().map(Tab::name).collect();
    assert_eq!(names, ["leak-after.hprof.gz", "leak-after.hprof.gz (2)"]);
}
