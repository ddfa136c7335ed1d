//! Dumps of different programs: never compared unless asked for, and then with a warning; comparisons of two programs are
//! restored as they were.

use super::recovery::{as_after_a_kill, keeping};
use super::*;
use heaplens::ui::tab::Tab;

const DESK: [&str; 2] = ["leak-before.hprof.gz", "leak-after.hprof.gz"];
const LEDGER: [&str; 2] = ["keys-before.hprof.gz", "keys-after.hprof.gz"];
const WARNING: &str =
    "These are dumps of different programs (desk.OrderDesk, then facts.Facts): growth between them says little";

fn names(h: &Harness<'_, App>) -> Vec<String> {
    h.state().tabs().iter().map(Tab::name).collect()
}

fn shown(h: &Harness<'_, App>) -> String {
    let location = h.state().location().expect("a location");
    h.state().tabs().iter().find(|tab| tab.key == location.dump).expect("its tab").name()
}

/// Runs frames until all results are complete; true if any of them said `part`. Messages disappear by themselves.
fn says(h: &mut Harness<'_, App>, part: &str) -> bool {
    let (mut quiet, mut is_said, began) = (0, false, Instant::now());
    while quiet < 5 {
        h.step();
        is_said |= has(h, part);
        quiet = if h.state().is_busy() { 0 } else { quiet + 1 };
        std::thread::sleep(Duration::from_millis(2));
        assert!(began.elapsed() < Duration::from_mins(1), "the window did not become idle");
    }
    is_said
}

/// Drops a file on the window; true if that made it say `part`.
fn says_after_drop(h: &mut Harness<'_, App>, file: PathBuf, part: &str) -> bool {
    h.input_mut().dropped_files.push(Arc::new(Dropped(file)));
    says(h, part)
}

#[test]
fn two_programs_on_the_command_line_are_compared_only_on_request() {
    let mut h = opening(&[fixture("leak-before.hprof.gz"), fixture("facts-jdk17.hprof.gz")], OpenOptions::default());
    let hint = "leak-before.hprof.gz and facts-jdk17.hprof.gz are dumps of different programs (desk.OrderDesk, facts.Facts), \
         so they are not compared. Press B to compare them";
    assert!(says(&mut h, hint));
    assert_eq!(names(&h), ["leak-before.hprof.gz", "facts-jdk17.hprof.gz"]);
    press(&mut h, Key::B);
    assert_eq!(shown(&h), "leak-before → facts-jdk17");
    h.get_by_label(WARNING);
    // The main class of one program is not an earlier state of that of the other.
    let after = h.state().tabs().last().and_then(Tab::open_dump).expect("an open dump");
    let (before, result) = after.compared().expect("a comparison");
    let classes = &before.heap.classes;
    let main = classes.named("desk.OrderDesk").and_then(|class| classes.get(class).object).expect("its class object");
    assert_eq!(result.matches.after(main), None);
}

#[test]
fn a_comparison_is_suggested_only_for_one_program() {
    let hint = "Press B to compare";
    let mut h = window(&[fixture("leak-before.hprof.gz")]);
    assert!(!says_after_drop(&mut h, fixture("facts-jdk17.hprof.gz"), hint));
    // The dump that was shown before is of another program.
    assert!(!says_after_drop(&mut h, fixture("leak-after.hprof.gz"), hint));
    let mut h = window(&[fixture("leak-before.hprof.gz")]);
    h.input_mut().dropped_files.push(Arc::new(Dropped(fixture("leak-after.hprof.gz"))));
    wait_for_label(&mut h, "Press B to compare with leak-before.hprof.gz");
    // It does not stay over another tab, such as that of a file that cannot be opened.
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.hprof");
    std::fs::write(&bad, "no dump").expect("disk space");
    h.input_mut().dropped_files.push(Arc::new(Dropped(bad)));
    h.step();
    assert!(!says(&mut h, hint));
    assert!(has(&h, "Cannot open this dump"));
}

/// Two comparisons of two programs, the second of dumps that have no tabs any more.
#[test]
fn comparisons_are_restored_as_they_were() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = keeping(folder.path(), &[]);
    drop_files(&mut h, &DESK);
    drop_files(&mut h, &LEDGER);
    // Baseline and target in the other order.
    press(&mut h, Key::B);
    assert_eq!(shown(&h), "keys-after → keys-before");
    for name in LEDGER {
        click(&mut h, &format!("Close {name}"));
    }
    let open = names(&h);
    assert_eq!(
        open,
        ["leak-before.hprof.gz", "leak-after.hprof.gz", "leak-before → leak-after", "keys-after → keys-before"]
    );
    // A location in the first comparison, and the second on screen.
    click(&mut h, "leak-before → leak-after");
    h.state_mut().show(View::Dominators);
    settle(&mut h);
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    settle(&mut h);
    click(&mut h, "keys-after → keys-before");
    let copy = as_after_a_kill(folder.path());

    let mut next = keeping(copy.path(), &[]);
    assert!(has(&next, "keys-before.hprof.gz"), "the files that are only compared are listed");
    click(&mut next, "Reopen");
    settle(&mut next);
    assert_eq!(names(&next), open);
    assert_eq!(shown(&next), "keys-after → keys-before");
    assert_eq!(next.state().location().map(|location| location.view), Some(View::Growth));
    assert!(!has(&next, "different programs"));
    click(&mut next, "leak-before → leak-after");
    assert_eq!(next.state().location().map(|location| location.view), Some(View::Dominators));
    assert_eq!(chosen_class(&next), "java.util.HashMap");
    // Owners are followed through dumps of one program only.
    for tab in next.state().tabs() {
        assert!(tab.open_dump().is_some_and(|dump| dump.over_time.is_none()), "{}", tab.name());
    }
    // And once more: what was restored is saved as it was.
    let copy = as_after_a_kill(copy.path());
    let mut third = keeping(copy.path(), &[]);
    click(&mut third, "Reopen");
    settle(&mut third);
    assert_eq!(names(&third), open);
}

/// Earlier versions saved only that two of the dumps were compared.
#[test]
fn a_comparison_of_an_earlier_version_is_made_of_one_program() {
    let session = |files: &[&str]| {
        let tab = |name: &&str| serde_json::json!({"file": fixture(name), "view": "Overview"});
        let tabs: Vec<serde_json::Value> = files.iter().map(tab).collect();
        serde_json::json!({"tabs": tabs, "shown": null, "compared": true, "offered": []}).to_string()
    };
    let restored = |files: &[&str]| {
        let folder = tempfile::tempdir().expect("a folder");
        let windows = folder.path().join("windows");
        std::fs::create_dir(&windows).expect("a folder");
        std::fs::write(windows.join("1.lock"), "").expect("disk space");
        std::fs::write(windows.join("1.json"), session(files)).expect("disk space");
        let mut h = keeping(folder.path(), &[]);
        click(&mut h, "Reopen");
        settle(&mut h);
        names(&h)
    };
    assert_eq!(restored(&DESK), ["leak-before.hprof.gz", "leak-after.hprof.gz", "leak-before → leak-after"]);
    assert_eq!(restored(&["leak-before.hprof.gz", "facts-jdk17.hprof.gz"]).len(), 2, "two programs");
}
