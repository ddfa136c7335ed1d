//! Fixes: removals with a name, applied to another dump, in a comparison, and from a file.

use super::recovery::{as_after_a_kill, keeping};
use super::*;
use heaplens::ui::Verb;
use heaplens::ui::command::Command;

/// Removes a reference of the dump on screen.
fn remove(h: &mut Harness<'_, App>, name: &str) {
    h.state_mut().cut_named(name).expect("it exists");
    settle(h);
}

/// Types a text into a field of the list of removals.
fn type_into(h: &mut Harness<'_, App>, label: &str, text: &str) {
    h.get_by_role_and_label(egui::Role::TextInput, label).click();
    h.run_steps(3);
    h.get_by_role_and_label(egui::Role::TextInput, label).type_text(text);
    h.run_steps(2);
    h.key_press(Key::Enter);
    settle(h);
}

#[test]
fn a_named_fix_is_offered_in_the_next_dump_and_applied_by_its_names() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let ctx = h.ctx.clone();
    remove(&mut h, "desk.SessionCache.ENTRIES");
    remove(&mut h, "desk.OrderDesk.orders");
    click(&mut h, "Removals: ");
    h.get_by_label("Removal 2: desk.OrderDesk.orders").click();
    settle(&mut h);
    type_into(&mut h, "Name of the fix", "bounded cache");
    assert_eq!(h.state().tabs()[0].cuts.fix_name(), "bounded cache");
    h.get_by_label_contains("Fix \"bounded cache\": Removed desk.SessionCache.ENTRIES");
    let text = copied(&mut h, |h| h.get_by_label("Copy for ticket").click());
    assert!(
        text.starts_with("**Fix \"bounded cache\"**: leak-after.hprof.gz, 7.0 → 1.7 MB after 1 removal\n"),
        "{text}"
    );
    // A name is a change like others.
    h.get_by_role_and_label(egui::Role::Button, "Undo").click();
    settle(&mut h);
    assert_eq!(h.state().tabs()[0].cuts.fix_name(), "");
    h.get_by_role_and_label(egui::Role::Button, "Redo").click();
    settle(&mut h);

    h.state_mut().open(&fixture("leak-before.hprof.gz"));
    settle(&mut h);
    h.state_mut().apply(&ctx, Command::from(Verb::ApplyFix));
    wait_for_label(&mut h, "Apply fix bounded cache");
    let applies = |h: &mut Harness<'_, App>| h.get_by_label_contains("Apply fix bounded cache").click();
    assert!(says(&mut h, "Applied fix \"bounded cache\" with 2 removals", applies));
    settle(&mut h);
    let cuts = &h.state().tabs()[1].cuts;
    assert_eq!((cuts.fix_name(), cuts.all().len(), cuts.active().len()), ("bounded cache", 2, 1));
    assert!(cuts.effect().expect("an effect").what.freed.objects > 0);
    // It is one step.
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut h);
    assert!(h.state().tabs()[1].cuts.is_empty() && !h.state().tabs()[0].cuts.is_empty());

    // A comparison has no removals of its dump, so that its own fix is offered, too.
    let [first, second] = [0, 1].map(|at| h.state().tabs()[at].key);
    h.state_mut().apply(&ctx, Command::Compare(first, second));
    settle(&mut h);
    assert!(h.state().tabs()[2].comparing().is_some() && h.state().tabs()[2].cuts.is_empty());
    h.state_mut().apply(&ctx, Command::from(Verb::ApplyFix));
    wait_for_label(&mut h, "Apply fix bounded cache");
    click(&mut h, "Apply fix bounded cache");
    settle(&mut h);
    assert_eq!(h.state().tabs()[2].cuts.sum(), h.state().tabs()[0].cuts.sum());
    press(&mut h, Key::W);
    assert!(h.state().tabs()[2].is_after());
}

#[test]
fn a_fix_in_a_file_says_which_references_the_dump_does_not_have() {
    let folder = tempfile::tempdir().expect("a folder");
    let dumps = [fixture("leak-after.hprof.gz")];
    let file = folder.path().join("bounded.heapfix");
    let fix = "fix: bounded cache\n# Ann clears it at night\ndesk.SessionCache.ENTRIES\ndesk.OldCache.ENTRIES\nend\n";
    std::fs::write(&file, fix).expect("disk space");
    let mut h = keeping(folder.path(), &dumps);
    let ctx = h.ctx.clone();
    h.state_mut().apply(&ctx, Command::ReadFix(file));
    settle(&mut h);
    // The list is open.
    h.get_by_label_contains("1 reference of the fix is not in this dump");
    h.get_by_label("desk.OldCache.ENTRIES");
    let text = copied(&mut h, |h| h.get_by_label("Copy for ticket").click());
    for line in ["- `desk.SessionCache.ENTRIES`: Ann clears it at night", "- `desk.OldCache.ENTRIES`: not in this dump"]
    {
        assert!(text.lines().any(|other| other == line), "{text}");
    }
    h.run_steps(20);
    let left = as_after_a_kill(folder.path());
    drop(h);

    // It is still known in the next window, and saved with the others.
    let mut next = keeping(left.path(), &dumps);
    let ctx = next.ctx.clone();
    let key = next.state().tabs()[0].key;
    assert_eq!(next.state().tabs()[0].cuts.fix_name(), "bounded cache");
    let path = left.path().join("saved");
    let saves = |next: &mut Harness<'_, App>| next.state_mut().apply(&ctx, Command::SaveFix(key, path));
    assert!(says(&mut next, "Saved fix \"bounded cache\" with 2 removals", saves));
    let saved = std::fs::read_to_string(left.path().join("saved.heapfix")).expect("a file");
    assert!(saved.ends_with(&fix.replace("cache\n#", "cache\n\n#")), "{saved}");

    // A dump of another program has nothing of it.
    let mut other = window(&[fixture("keys-before.hprof.gz")]);
    let ctx = other.ctx.clone();
    other.state_mut().apply(&ctx, Command::ReadFix(left.path().join("saved.heapfix")));
    settle(&mut other);
    other.get_by_label_contains("Fix \"bounded cache\" is not applied: its references are not in this dump: desk.Sess");
    assert!(other.state().tabs()[0].cuts.is_empty());
}

#[test]
fn a_fix_without_a_name_is_called_like_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let ctx = h.ctx.clone();
    remove(&mut h, "desk.SessionCache.ENTRIES");
    let key = h.state().tabs()[0].key;
    h.state_mut().apply(&ctx, Command::SaveFix(key, folder.path().join("small cache.heapfix")));
    settle(&mut h);
    assert_eq!(h.state().tabs()[0].cuts.fix_name(), "small cache");
    let dump = fixture("leak-after.hprof.gz");
    h.state_mut().apply(&ctx, Command::SaveFix(key, dump.clone()));
    settle(&mut h);
    h.get_by_label_contains("Cannot save the fix: ");
    h.state_mut().apply(&ctx, Command::ReadFix(dump));
    settle(&mut h);
    h.get_by_label_contains("Cannot apply the fix: ");
}
