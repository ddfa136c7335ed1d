//! The heap after removals: before and after in all views, the list with undo and redo, marks, and what is kept.

use super::recovery::{as_after_a_kill, keeping};
use super::*;
use heaplens::ui::command::Command;
use heaplens::ui::verb::Verb;

const ENTRIES: &str = "desk.SessionCache.ENTRIES";

/// Removes a reference of the dump on screen.
fn remove(h: &mut Harness<'_, App>, name: &str) {
    h.state_mut().cut_named(name).expect("it exists");
    settle(h);
}

/// Bytes of reachable objects of the heap on screen.
fn reachable(h: &Harness<'_, App>) -> u64 {
    h.state().tabs()[0].shown_dump().expect("a dump").analysis.shown.shallow.0
}

#[test]
fn every_view_answers_for_the_heap_after_and_goes_back() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    remove(&mut h, ENTRIES);
    let before = reachable(&h);
    h.get_by_label_contains("7.0 → 1.7 MB after 1 removal");
    press(&mut h, Key::W);
    assert!(h.state().tabs()[0].is_after());
    let after = reachable(&h);
    let freed = h.state().tabs()[0].cuts.effect().expect("an effect").what.freed.shallow.0;
    assert_eq!(before - after, freed);
    // Each view draws the heap after, without a failure.
    for view in
        [View::Overview, View::Leaks, View::Dominators, View::Histogram, View::Objects, View::Threads, View::Strings]
    {
        h.state_mut().show(view);
        settle(&mut h);
    }
    look_at(&mut h, View::Histogram);
    assert!(h.query_by_label_contains("desk.Session,").is_none());
    look_at(&mut h, View::Overview);
    assert!(h.query_by_label_contains("Holders: SessionCache.ENTRIES").is_none());
    // The views of the dump are as they were left.
    h.get_by_label("Before removals").click();
    settle(&mut h);
    assert_eq!((h.state().tabs()[0].is_after(), reachable(&h)), (false, before));
    h.get_by_label_contains("Holders: SessionCache.ENTRIES");
}

#[test]
fn another_removal_changes_the_heap_after_and_none_leads_back() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    remove(&mut h, ENTRIES);
    press(&mut h, Key::W);
    let one = reachable(&h);
    remove(&mut h, "desk.OrderDesk.orders");
    assert!(h.state().tabs()[0].is_after() && reachable(&h) < one);
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut h);
    assert_eq!(reachable(&h), one);
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut h);
    assert!(!h.state().tabs()[0].is_after() && h.query_by_label_contains("Removals: ").is_none());
    h.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    settle(&mut h);
    h.get_by_label_contains("after 1 removal");
}

#[test]
fn freed_rows_and_removed_references_are_marked() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    remove(&mut h, ENTRIES);
    go_to(&mut h, ENTRIES);
    look_at(&mut h, View::Dominators);
    wait_for_label(&mut h, ", freed by the removals");
    wait_for_label(&mut h, "removed (what if)");
    press(&mut h, Key::W);
    assert!(h.query_by_label_contains(", freed by the removals").is_none());
    wait_for_label(&mut h, "This object is freed by the removals");
}

/// From a finding to a ticket: removed, looked at, switched off and on, with a note, kept, copied.
#[test]
fn a_fix_is_kept_with_its_note_and_copied_to_a_ticket() {
    let folder = tempfile::tempdir().expect("a folder");
    let dumps = [fixture("leak-after.hprof.gz")];
    let mut h = keeping(folder.path(), &dumps);
    let ctx = h.ctx.clone();
    look_at(&mut h, View::Leaks);
    press(&mut h, Key::X);
    remove(&mut h, "desk.OrderDesk.orders");
    press(&mut h, Key::W);
    click(&mut h, "Removals: ");
    let both = h.state().tabs()[0].cuts.sum().expect("a sum");
    h.get_by_label(&format!("Removal 1: {ENTRIES}")).click();
    settle(&mut h);
    let one = h.state().tabs()[0].cuts.sum().expect("a sum");
    assert!(one != both && one.ends_with("after 1 removal"), "{one}");
    h.get_by_role_and_label(egui::Role::Button, "Undo").click();
    settle(&mut h);
    assert_eq!(h.state().tabs()[0].cuts.sum().expect("a sum"), both);
    h.get_by_role_and_label(egui::Role::Button, "Redo").click();
    settle(&mut h);
    let key = h.state().tabs()[0].key;
    h.state_mut().apply(&ctx, Command::NoteCut(key, 1, "Ann clears it at night".to_owned()));
    settle(&mut h);
    h.run_steps(20);
    let left = as_after_a_kill(folder.path());
    drop(h);

    let mut next = keeping(left.path(), &dumps);
    assert_eq!(next.state().tabs()[0].cuts.sum().expect("a sum"), one);
    click(&mut next, "Removals: ");
    let text = copied(&mut next, |h| h.get_by_label("Copy for ticket").click());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], format!("**What if**: leak-after.hprof.gz, {one}"));
    assert_eq!(lines[2], format!("- ~~`{ENTRIES}`~~ (off)"));
    assert_eq!(lines[3], "- `desk.OrderDesk.orders`: Ann clears it at night");
    assert!(
        lines.iter().any(|line| line.starts_with("heaplens summary ") && line.ends_with("--cut desk.OrderDesk.orders"))
    );
}

#[test]
fn the_fewest_references_that_free_an_object_are_one_step() {
    let mut h = window(&[fixture("leaks/two-indexes-jdk17-after.hprof.gz")]);
    h.state_mut().go_to_object("TokenIndex.byToken.table").expect("it exists");
    settle(&mut h);
    h.key_press_modifiers(Modifiers::ALT, Key::X);
    settle(&mut h);
    let effect = h.state().tabs()[0].cuts.effect().expect("an effect").clone();
    assert!(!effect.cuts.is_empty() && effect.what.freed.objects > 0);
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut h);
    assert!(h.state().tabs()[0].cuts.is_empty());
}

#[test]
fn a_policy_is_tried_with_one_key() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Policies);
    click(&mut h, "SessionCache.ENTRIES keeps 100 of its 1,200 entries");
    press(&mut h, Key::X);
    settle(&mut h);
    let frees = |h: &Harness<'_, App>| h.state().tabs()[0].cuts.effect().expect("an effect").what.freed.objects;
    assert_eq!(frees(&h), 16_499);
    h.get_by_label_contains("after 1 removal");
    // The same row puts it back.
    press(&mut h, Key::X);
    settle(&mut h);
    assert!(h.state().tabs()[0].cuts.is_empty());
}

#[test]
fn what_is_removed_can_be_typed() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let ctx = h.ctx.clone();
    h.state_mut().apply(&ctx, Command::from(Verb::CutNamed));
    settle(&mut h);
    h.event(egui::Event::Text("from desk.*".to_owned()));
    settle(&mut h);
    press(&mut h, Key::Enter);
    settle(&mut h);
    let tab = &h.state().tabs()[0];
    assert_eq!(tab.cuts.active().len(), 1);
    assert!(tab.cuts.sum().is_some_and(|sum| sum.ends_with("after 1 removal")));
    // Without a name, the selected object is offered, in each way.
    go_to(&mut h, ENTRIES);
    h.state_mut().apply(&ctx, Command::from(Verb::CutNamed));
    settle(&mut h);
    for entry in ["Remove all entries", "Remove all entries but the last 1,000", "Remove its GC roots"] {
        wait_for_label(&mut h, entry);
    }
    press(&mut h, Key::Escape);
    // A name that means nothing changes nothing, and says why.
    let key = h.state().tabs()[0].key;
    h.state_mut().apply(&ctx, Command::CutNamed(key, "from nothing.*".to_owned()));
    settle(&mut h);
    assert_eq!(h.state().tabs()[0].cuts.active().len(), 1);
    wait_for_label(&mut h, "no class of the package nothing");
}
