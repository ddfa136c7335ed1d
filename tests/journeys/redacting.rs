//! What the program had in its objects is left out until somebody wants to see it again: on screen, in what is copied,
//! and in the next window.

use super::copying::same;
use super::palette::{look_for, rows};
use super::recovery::{as_after_a_kill, keeping};
use super::*;

/// A text that the fixture holds, and the window shows.
const SECRET: &str = "status: placed";

/// Redacts, or shows all again; that is said.
fn redact(h: &mut Harness<'_, App>, said: &str) {
    look_for(h, "Redact");
    assert!(rows(h).first().is_some_and(|row| row.starts_with("Command Redact")), "{:?}", rows(h));
    assert!(says(h, said, |h| h.key_press(Key::Enter)));
}

#[test]
fn what_is_redacted_stays_so_until_it_is_shown_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = keeping(folder.path(), &[PathBuf::from("fixtures/leak-after.hprof.gz")]);
    look_at(&mut h, View::Strings);
    assert!(has(&h, SECRET));
    redact(&mut h, "Redacted: texts, numbers");
    assert!(!has(&h, SECRET));
    look_at(&mut h, View::Histogram);
    press(&mut h, Key::Home);
    let (_, command) = same(&mut h, "rows of a redacted dump");
    assert!(command.contains("--redact"), "{command}");
    look_at(&mut h, View::Strings);

    let copy = as_after_a_kill(folder.path());
    let mut next = keeping(copy.path(), &[]);
    click(&mut next, "Open again");
    settle(&mut next);
    look_at(&mut next, View::Strings);
    assert!(!has(&next, SECRET));
    redact(&mut next, "Everything is shown");
    assert!(has(&next, SECRET));
}
