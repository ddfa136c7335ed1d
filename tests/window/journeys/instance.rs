//! A second start with files or links: the window that is there opens them.

use std::sync::mpsc;

use super::*;
use heaplens::ui::display;
use heaplens_session::Link;
use heaplens_session::instance::SingleInstance;

#[test]
fn a_second_start_opens_its_file_in_a_tab_of_the_first_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let meeting = SingleInstance::at(folder.path().join("heaplens"), ":0");
    let (sender, requests) = mpsc::channel();
    let listening = display::listen(&meeting, sender.clone()).expect("nobody else listens");
    // The window may not be there yet.
    let other = fixture("leak-after.hprof.gz");
    assert!(meeting.hand_over(std::slice::from_ref(&other), &[]));
    let mut first = window(&[fixture("leak-before.hprof.gz")]);
    let ctx = first.ctx.clone();
    first.state_mut().take_documents(&ctx, requests);
    let began = Instant::now();
    while first.state().tabs().len() < 2 {
        first.step();
        assert!(began.elapsed() < Duration::from_mins(1), "the file did not arrive");
    }
    settle(&mut first);
    assert_eq!(first.state().tabs()[1].dump.path(), other);
    assert_eq!(first.state().location().map(|p| p.dump), Some(first.state().tabs()[1].key));
    // A link alone: it needs no file, since its dump is open.
    let identity = first.state().tabs()[0].open_dump().expect("an open dump").identity.to_string();
    let link = Link { identity: Some(identity), view: Some("threads".to_owned()), ..Link::default() };
    assert!(meeting.hand_over(&[], &[link.to_string()]));
    let is_there = |h: &Harness<'_, App>| h.state().location().is_some_and(|location| location.view == View::Threads);
    while !is_there(&first) {
        first.step();
        assert!(began.elapsed() < Duration::from_mins(1), "the link did not arrive");
    }
    assert_eq!(first.state().location().map(|p| p.dump), Some(first.state().tabs()[0].key));
    // A second window that was requested explicitly does not listen.
    assert!(display::listen(&meeting, sender.clone()).is_none());
    drop(listening);
    assert!(display::listen(&meeting, sender).is_some(), "the first window is closed");
}
