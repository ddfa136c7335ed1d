//! The start page: a question leads to its view of the dump that is chosen, and recent files say what is in them.

use super::recovery::keeping;
use super::*;
use heaplens::ui::command::Command;
use heaplens::ui::tab::Tab;
use heaplens::ui::verb::Verb;

fn shown(h: &Harness<'_, App>) -> View {
    h.state().location().expect("a location").view
}

#[test]
fn a_question_leads_to_its_view() {
    for (question, view) in [
        ("What fills the memory?", View::Histogram),
        ("Why is this alive?", View::Dominators),
        ("What does this thread hold?", View::Threads),
        ("Is it the heap at all?", View::Process),
    ] {
        let mut h = empty();
        h.get_by_label(question).click();
        settle(&mut h);
        h.get_by_label(&format!("{question} Choose a dump"));
        drop_files(&mut h, &["leak-after.hprof.gz"]);
        assert_eq!(shown(&h), view, "{question}");
        // The question is answered: another dump begins with its overview.
        drop_files(&mut h, &["leak-before.hprof.gz"]);
        assert_eq!(shown(&h), View::Overview, "{question}");
    }
    // A second click takes the question back.
    let mut h = empty();
    for _ in 0..2 {
        h.get_by_label("What does this thread hold?").click();
        settle(&mut h);
    }
    drop_files(&mut h, &["leak-after.hprof.gz"]);
    assert_eq!(shown(&h), View::Overview);
}

#[test]
fn questions_about_two_dumps_wait_for_both() {
    let mut h = empty();
    h.get_by_label("What has grown?").click();
    settle(&mut h);
    h.get_by_label("What has grown? Choose the earlier dump");
    drop_files(&mut h, &["leak-before.hprof.gz"]);
    assert!(h.state().tabs().is_empty());
    h.get_by_label("What has grown? Choose the dump to compare with leak-before.hprof.gz");
    drop_files(&mut h, &["leak-after.hprof.gz"]);
    assert_eq!(shown(&h), View::Growth);

    let mut h = empty();
    h.get_by_label("Compare two programs").click();
    settle(&mut h);
    drop_files(&mut h, &["leak-before.hprof.gz"]);
    h.get_by_label("Choose the dump of the program to compare with leak-before.hprof.gz");
    drop_files(&mut h, &["facts-jdk17.hprof.gz"]);
    let names: Vec<String> = h.state().tabs().iter().map(Tab::name).collect();
    assert!(names.contains(&"leak-before → facts-jdk17".to_owned()), "{names:?}");
    assert_eq!(shown(&h), View::Growth);
}

#[test]
fn recent_files_say_what_is_in_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = fixture("leak-after.hprof.gz");
    let label = format!("Open {}", file.display());
    let h = keeping(folder.path(), std::slice::from_ref(&file));
    drop(h);
    // The next window knows it, and opens it at the answer to a question.
    let mut h = keeping(folder.path(), &[]);
    let known = "2026-11-21 02:30 UTC  ·  1.4 MB  ·  desk.OrderDesk  ·  Suspect: SessionCache.ENTRIES holds 1,200";
    h.get_by_label_contains(&format!("{label}: {known}"));
    h.get_by_label("What does this thread hold?").click();
    settle(&mut h);
    click(&mut h, &label);
    assert_eq!(shown(&h), View::Threads);
    // Once its values are redacted, only date and size are left.
    let ctx = h.ctx.clone();
    h.state_mut().apply(&ctx, Command::from(Verb::Redact));
    look_at(&mut h, View::Overview);
    h.key_press_modifiers(Modifiers::COMMAND, Key::W);
    settle(&mut h);
    h.get_by_label(&format!("{label}: 2026-11-21 02:30 UTC  ·  1.4 MB"));
}
