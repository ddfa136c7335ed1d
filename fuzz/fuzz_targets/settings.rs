//! Saved state of a window: settings, a zero byte, and the session with open dumps and positions. With any content the
//! window must open and reopen the dumps (small ones, whatever files are named). Needs the window:
//! `cargo fuzz run --features gui settings`.
#![no_main]

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use eframe::egui::vec2;
use egui_kittest::Harness;
use heaplens_session::{OpenOptions, SavedSession};
use heaplens_testkit::hprof::{self, Form};
use heaplens::ui::app::App;
use heaplens::ui::command::Command;
use heaplens::ui::verb::Verb;
use heaplens_fuzz::made::tiny;
use serde_json::Value;

/// Maximum number of dumps reopened in one run.
const TABS: usize = 3;
/// Time limit for opening a tiny dump.
const STUCK: Duration = Duration::from_secs(8);

struct Window {
    harness: Harness<'static, App>,
    folder: PathBuf,
}

thread_local! {
    // Creating a window takes longer than a run, so all runs share one.
    static WINDOW: RefCell<Option<Window>> = const { RefCell::new(None) };
}

fn options(folder: &Path) -> OpenOptions {
    let mut options = OpenOptions::default();
    options.runtime_classes_file = Some(folder.join("runtime-classes.txt"));
    options.verdicts_file = Some(folder.join("verdicts.txt"));
    options
}

fn window() -> Window {
    let folder = tempfile::tempdir().expect("a folder").keep();
    for nth in 0..TABS {
        fs::write(folder.join(dump(nth)), hprof::write(&tiny(), Form::MODERN)).expect("disk space");
    }
    fs::create_dir_all(folder.join("windows")).expect("a folder");
    let of_window = folder.clone();
    let harness = Harness::builder()
        .with_size(vec2(1440.0, 900.0))
        .allow_missing_glyphs()
        .build_eframe(move |cc| App::new(&cc.egui_ctx, &[], options(&of_window)));
    Window { harness, folder }
}

fn dump(nth: usize) -> String {
    format!("tiny-{nth}.hprof")
}

/// Replaces file names in the session by existing dumps: other targets fuzz the readers.
fn of_tiny(open: &[u8], folder: &Path) -> Vec<u8> {
    let Ok(mut left) = serde_json::from_slice::<Value>(open) else { return open.to_vec() };
    if let Some(tabs) = left.get_mut("tabs").and_then(Value::as_array_mut) {
        tabs.truncate(TABS);
        for (nth, tab) in tabs.iter_mut().filter_map(Value::as_object_mut).enumerate() {
            tab.insert("file".to_owned(), Value::from(folder.join(dump(nth)).to_string_lossy()));
            tab.remove("mapping");
        }
    }
    left.to_string().into_bytes()
}

fn run_until_idle(h: &mut Harness<'_, App>) {
    let (mut quiet, began) = (0, Instant::now());
    while quiet < 2 {
        h.step();
        quiet = if h.state().is_busy() { 0 } else { quiet + 1 };
        assert!(began.elapsed() < STUCK, "{:?} is stuck", h.state().busy_with());
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    WINDOW.with_borrow_mut(|stored| {
        let Window { harness, folder } = stored.get_or_insert_with(window);
        let (settings, open) = bytes.split_at(bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len()));
        let (windows, ctx) = (folder.join("windows"), harness.ctx.clone());
        // End the previous window, so that it saves no state later.
        *harness.state_mut() = App::new(&ctx, &[], options(folder));
        fs::write(folder.join("settings.json"), settings).expect("disk space");
        fs::write(windows.join("0.json"), of_tiny(open.get(1..).unwrap_or_default(), folder)).expect("disk space");
        // Lock file of a window that has ended.
        fs::write(windows.join("0.lock"), "").expect("disk space");
        *harness.state_mut() = App::with_kept(&ctx, SavedSession::begin(folder), &[], options(folder));
        harness.step();
        harness.state_mut().apply(&ctx, Command::Do(Verb::OpenLast));
        run_until_idle(harness);
    });
});
