//! A copy is reported after the desktop returned the text, and as failed otherwise. The test plays the desktop:
//! `tests/desktop` uses real ones.

use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui::{self, ColorImage, Event, Key, ViewportCommand};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use heaplens::ui::app::App;
use heaplens::ui::clipboard::Desktop;
use heaplens::ui::command::Command;

use super::{copied, fixture, has, settle, window};

/// A window on a desktop whose clipboard accepts texts of up to `limit` bytes.
fn on_desktop(limit: Option<usize>) -> Harness<'static, App> {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.state_mut().use_clipboard_of(Desktop::Present { limit });
    h
}

/// True if the window requested the clipboard's contents in this frame.
fn requests_clipboard(h: &Harness<'_, App>) -> bool {
    h.output().viewport_output.values().any(|viewport| viewport.commands.contains(&ViewportCommand::RequestPaste))
}

/// Runs frames until a message is shown: egui draws new content one frame later.
fn draw_message(h: &mut Harness<'_, App>) {
    h.run_steps(3);
}

#[test]
fn a_copy_is_reported_once_the_desktop_returned_it() {
    let mut h = on_desktop(None);
    let text = copied(&mut h, |h| h.key_press(Key::Y));
    assert!(requests_clipboard(&h), "the copy is read back");
    h.step();
    assert!(!has(&h, "Copied the path"), "not read back yet");
    // Desktops rewrite line ends.
    h.event(Event::Paste(text.replace('\n', "\r\n")));
    draw_message(&mut h);
    h.get_by_label_contains("Copied the path as plain text");
}

#[test]
fn a_copy_that_reads_back_differently_is_reported_as_failed() {
    let mut h = on_desktop(None);
    copied(&mut h, |h| h.key_press(Key::Y));
    for _ in 0..9 {
        h.event(Event::Paste("what another program copied".to_owned()));
        h.step();
    }
    h.get_by_label_contains("Cannot copy the path as plain text: the desktop did not accept it");
    assert!(!has(&h, "Copied the path"));
}

#[test]
fn read_back_text_is_not_pasted_into_a_field() {
    let mut h = on_desktop(None);
    h.key_press(Key::Slash);
    settle(&mut h);
    let ctx = h.ctx.clone();
    h.state_mut().apply(&ctx, Command::Copy("0xfe03f300".to_owned(), "the id".to_owned()));
    h.event(Event::Paste("0xfe03f300".to_owned()));
    draw_message(&mut h);
    h.get_by_label_contains("Copied the id");
    let field = h.get_by_role(egui::Role::TextInput);
    assert_eq!(egui_kittest::kittest::NodeT::accesskit_node(&field).value().unwrap_or_default(), "");
    // Then the field accepts what the user pastes.
    h.event(Event::Paste("Session".to_owned()));
    settle(&mut h);
    let field = h.get_by_role(egui::Role::TextInput);
    assert_eq!(egui_kittest::kittest::NodeT::accesskit_node(&field).value().unwrap_or_default(), "Session");
}

#[test]
fn a_text_that_the_desktop_cannot_take_is_refused() {
    let mut h = on_desktop(Some(100));
    let handed_over = |h: &Harness<'_, App>| !h.output().platform_output.commands.is_empty();
    h.event(Event::Copy);
    // Another thread makes the text; how many frames that takes depends on the machine.
    let began = Instant::now();
    while !has(&h, "exceeds the limit of the X11 clipboard (100 B)") {
        h.step();
        assert!(!handed_over(&h));
        std::thread::sleep(Duration::from_millis(2));
        assert!(began.elapsed() < Duration::from_mins(1), "the refusal is not reported");
    }
}

#[test]
fn without_a_clipboard_every_copy_fails() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.state_mut().use_clipboard_of(Desktop::Unreachable);
    h.key_press(Key::Y);
    settle(&mut h);
    h.get_by_label_contains("Cannot copy the path as plain text: the clipboard of the desktop does not respond");
}

#[test]
fn an_image_is_read_back_too() {
    let mut h = on_desktop(None);
    let picture = Arc::new(ColorImage::filled([3, 2], egui::Color32::WHITE));
    let ctx = h.ctx.clone();
    h.state_mut().apply(&ctx, Command::CopyPicture(picture.clone(), "the picture".to_owned()));
    h.step();
    h.event(Event::PasteImage(picture));
    draw_message(&mut h);
    h.get_by_label_contains("Copied the picture");
}
