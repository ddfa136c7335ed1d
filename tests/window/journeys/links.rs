//! Links: copied in one window, opened in another, also in the next dump, with cuts and findings.

use heaplens::ui::command::Command;
use heaplens::ui::verb::Verb;
use heaplens_session::Link;

use super::palette::{look_for, rows};
use super::*;

const ENTRY: &str = r#"desk.SessionCache.ENTRIES["ceb7a421a2ccb0095de77a006253411"]"#;

/// Copies a link to the current place. Not with the key: the frame between press and release may have the copy already.
fn copy_link(h: &mut Harness<'_, App>) -> String {
    let ctx = h.ctx.clone();
    copied_link(h, |h| h.state_mut().apply(&ctx, Command::from(Verb::CopyLink)))
}

/// The link that `act` copies, however long its names take.
fn copied_link(h: &mut Harness<'_, App>, act: impl FnOnce(&mut Harness<'_, App>)) -> String {
    act(h);
    let (mut link, began) = (None, Instant::now());
    while link.is_none() {
        h.step();
        link = h.output().platform_output.commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
        std::thread::sleep(Duration::from_millis(2));
        assert!(began.elapsed() < Duration::from_mins(1), "no link was copied");
    }
    settle(h);
    link.unwrap_or_default()
}

/// Opens a link as another program passes it.
fn open_link(h: &mut Harness<'_, App>, link: &str) {
    let ctx = h.ctx.clone();
    h.state_mut().apply(&ctx, Command::OpenLink(link.to_owned()));
    settle(h);
}

/// Goes to an object by its name.
fn go_to_name(h: &mut Harness<'_, App>, name: &str) {
    h.state_mut().go_to_object(name).expect("it exists");
    settle(h);
}

/// Name of the selected object in the current tab.
fn name_of_chosen(h: &Harness<'_, App>) -> String {
    let location = h.state().location().expect("a location");
    let tab = h.state().tabs().iter().find(|tab| tab.key == location.dump).expect("its tab");
    let (dump, task) = (tab.open_dump().expect("an open dump"), Task::new());
    let name = dump.namer(&task).and_then(|namer| namer.name(location.object.expect("an object"), &task));
    name.expect("not cancelled").expect("a name")
}

/// A dump in a folder of its own, so that a test can delete it.
fn copy_of(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::copy(fixture(name), &path).expect("copied");
    (folder, path)
}

#[test]
fn a_link_opens_its_file_at_the_same_place_with_its_cuts() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    go_to_name(&mut h, ENTRY);
    press(&mut h, Key::X);
    let (ctx, key) = (h.ctx.clone(), h.state().tabs()[0].key);
    h.state_mut().apply(&ctx, Command::NameFix(key, "one slot".to_owned()));
    settle(&mut h);
    let link = copy_link(&mut h);
    assert!(link.starts_with("heaplens://open?dump=") && link.contains("&view=dominators&object=desk."), "{link}");
    let parsed = Link::parse(&link).expect("a link");
    assert_eq!(parsed.file.as_deref(), Some(&*fixture("leak-after.hprof.gz")));
    assert_eq!(parsed.object.as_deref(), Some(ENTRY));
    assert_eq!(parsed.cuts, ["desk.SessionCache.ENTRIES.table[0].value"]);
    assert_eq!(parsed.fix.as_deref(), Some("one slot"));
    assert!(says(&mut h, "Copied the link", |h| h.key_press_modifiers(Modifiers::SHIFT, Key::C)));
    let (location, status) = (h.state().location().expect("a location"), h.state().tabs()[0].cuts.status());

    // Pasted into the palette of a window without a dump.
    let mut other = empty();
    look_for(&mut other, &link);
    let offered = rows(&other);
    assert!(offered.len() == 1 && offered[0].starts_with("Link Open link"), "{offered:?}");
    press(&mut other, Key::Enter);
    assert_eq!(other.state().location(), Some(location));
    let cuts = &other.state().tabs()[0].cuts;
    assert_eq!((cuts.status(), cuts.fix_name()), (status, "one slot"));
    // Once more: in the same tab, with the same cut.
    look_at(&mut other, View::Threads);
    open_link(&mut other, &link);
    assert_eq!((other.state().location(), other.state().tabs().len()), (Some(location), 1));
    assert_eq!(other.state().tabs()[0].cuts.all().len(), 1);
}

#[test]
fn a_link_opens_by_name_in_the_next_dump() {
    let (folder, before) = copy_of("leak-before.hprof.gz");
    let mut h = window(&[before]);
    go_to_name(&mut h, "desk.SessionCache.ENTRIES");
    press(&mut h, Key::X);
    let link = copy_link(&mut h);
    drop((h, folder));
    let mut next = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut next, View::Threads);
    assert!(says(&mut next, "copied from another dump, leak-before.hprof.gz", |h| open_link(h, &link)));
    assert_eq!(next.state().location().map(|location| location.view), Some(View::Dominators));
    assert_eq!(name_of_chosen(&next), "desk.SessionCache.ENTRIES");
    assert_eq!(next.state().tabs()[0].cuts.effect().expect("an effect").names, ["desk.SessionCache.ENTRIES"]);
    // An id of the other dump says nothing here.
    let by_id = Link { object: Some("0xfe03f300".to_owned()), ..Link::parse(&link).expect("a link") };
    assert!(says(&mut next, "0xfe03f300 is an id of the other dump", |h| open_link(h, &by_id.to_string())));
}

#[test]
fn a_link_to_a_missing_file_or_name_warns() {
    let mut h = empty();
    assert!(says(&mut h, "/no/such/app.hprof is not found", |h| open_link(
        h,
        "heaplens://open?file=/no/such/app.hprof"
    )));
    assert!(says(&mut h, "names neither an open dump nor a file", |h| open_link(h, "heaplens://open?view=leaks")));
    assert!(says(&mut h, "unknown link", |h| open_link(h, "heaplens://delete?file=/")));
    look_for(&mut h, "heaplens://open?object=%zz");
    h.get_by_label_contains("damaged link: object contains");
    press(&mut h, Key::Escape);

    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let link = "heaplens://open?view=histogram&object=desk.Missing.FIELD&cut=desk.Nothing&class=desk.Order";
    assert!(says(&mut h, "no class desk.Missing", |h| open_link(h, link)));
    let location = h.state().location().expect("a location");
    assert_eq!((location.view, location.object), (View::Histogram, None));
    assert!(location.class.is_some() && h.state().tabs()[0].cuts.is_empty());
}

#[test]
fn a_link_waits_for_dumps_that_are_being_opened() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Histogram);
    click(&mut h, "desk.Session 1,200 objects");
    let link = copy_link(&mut h);
    assert!(link.ends_with("&view=histogram&class=desk.Session"), "{link}");
    let location = h.state().location();
    // The file of a report has no folder.
    let link = Link { file: Some("leak-after.hprof.gz".into()), ..Link::parse(&link).expect("a link") };
    let mut other = opening(&[fixture("leak-after.hprof.gz")], OpenOptions::default());
    open_link(&mut other, &link.to_string());
    assert_eq!((other.state().location(), other.state().tabs().len()), (location, 1));
}

#[test]
fn a_finding_has_a_link_even_without_an_object() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Leaks);
    let finding = |h: &Harness<'_, App>| h.state().tabs()[0].views.leaks.chosen().map(|f| f.fingerprint.clone());
    for name in ["OrderDesk.orders holds 1,200", "duplicate strings waste"] {
        click(&mut h, name);
        let (link, chosen) = (copy_link(&mut h), finding(&h));
        assert!(chosen.as_ref().is_some_and(|chosen| link.contains(&format!("&finding={chosen}"))), "{link}");
        let mut other = empty();
        open_link(&mut other, &link);
        assert_eq!(other.state().location().map(|location| location.view), Some(View::Leaks));
        assert_eq!(finding(&other), chosen, "{link}");
        assert_eq!(other.state().location().and_then(|p| p.object), h.state().location().and_then(|p| p.object));
    }
    let link = "heaplens://open?view=leaks&finding=0123456789ab";
    assert!(says(&mut h, "does not have the requested finding", |h| open_link(h, link)));
}

#[test]
fn menus_copy_links_to_their_objects_and_findings() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let choose = |h: &mut Harness<'_, App>| {
        settle(h);
        let link = copied_link(h, |h| h.get_all_by_label_contains("Copy link").last().expect("the entry").click());
        Link::parse(&link).expect("a link")
    };
    // A link that is not selected, in a view of objects.
    let links = h.get_all_by_role(egui::Role::Link);
    let is_map = |node: &egui_kittest::Node<'_>| {
        node.accesskit_node().label().is_some_and(|label| label.starts_with("java.util.HashMap"))
    };
    links.into_iter().find(is_map).expect("the map").click_secondary();
    let link = choose(&mut h);
    assert_eq!(link.view.as_deref(), Some("dominators"));
    assert_eq!((link.object.as_deref(), link.class), (Some("desk.SessionCache.ENTRIES"), None));
    look_at(&mut h, View::Overview);
    h.get_all_by_label_contains("Holders: SessionCache.ENTRIES").next().expect("it").click_secondary();
    let link = choose(&mut h);
    assert_eq!(link.view.as_deref(), Some("leaks"));
    assert!(link.finding.is_some() && link.object.as_deref() == Some("desk.SessionCache.ENTRIES"), "{link}");
}

#[test]
fn a_link_of_redacted_values_contains_none() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    go_to_name(&mut h, ENTRY);
    let object = h.state().location().and_then(|location| location.object);
    let ctx = h.ctx.clone();
    h.state_mut().apply(&ctx, Command::from(Verb::Redact));
    settle(&mut h);
    press(&mut h, Key::X);
    let link = copy_link(&mut h);
    let parsed = Link::parse(&link).expect("a link");
    assert!(!link.contains("ceb7a421") && parsed.object.is_some_and(|id| id.starts_with("0x")), "{link}");
    assert_eq!(parsed.file, Some("leak-after.hprof.gz".into()), "without its folder");
    // The same dump still knows its ids.
    look_at(&mut h, View::Threads);
    open_link(&mut h, &link);
    assert_eq!(h.state().location().and_then(|location| location.object), object);
}
