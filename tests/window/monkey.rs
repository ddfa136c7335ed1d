//! Long-running use: a monkey test with random actions, and a soak test that opens and closes dumps repeatedly. Nothing
//! panics, no job hangs, and all resources are released.
//!
//! Short by default. `HEAPLENS_MONKEY=100000` and `HEAPLENS_SOAK=1000` set the number of actions and opens; figures are
//! printed with `--nocapture`.
#![expect(clippy::print_stderr, reason = "prints the progress of a long run")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use eframe::egui::{self, Event, Key, Modifiers, MouseWheelUnit, Pos2, Role, TouchPhase, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::NodeT;
use heaplens::ui::app::App;
use heaplens::ui::command::{Command, Target};
use heaplens::ui::verb::Verb;
use heaplens_base::storage::{Folder, trim};
use heaplens_session::dump::State;
use heaplens_session::{OpenOptions, SavedSession};
use heaplens_testkit::random::Random;

/// Small dumps of all formats, so that the monkey spends little time waiting.
const DUMPS: [&str; 8] = [
    "leak-before.hprof.gz",
    "leak-after.hprof.gz",
    "facts-jdk25.hprof.gz",
    "android/album.hprof.gz",
    "android/tracked.hprof",
    "node/desk-final.heapsnapshot.gz",
    "ibm/heapdump.20261122.120000.4711.0001.phd",
    "ibm/shop-wrong-trailer.txt",
];

/// Time limit of a job on such a dump.
const STUCK: Duration = Duration::from_mins(2);

/// Accessibility roles of clickable widgets.
const CLICKED: [Role; 12] = [
    Role::Button,
    Role::CheckBox,
    Role::ColumnHeader,
    Role::Link,
    Role::MenuItem,
    Role::RadioButton,
    Role::Row,
    Role::Splitter,
    Role::Tab,
    Role::TextInput,
    Role::TreeItem,
    Role::Unknown,
];

/// Copies of the dumps, since exports are written to their folder.
fn dumps(folder: &Path) -> Vec<PathBuf> {
    let copy = |name: &&str| {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
        let to = folder.join(from.file_name().expect("a name"));
        std::fs::copy(from, &to).expect("disk space");
        to
    };
    DUMPS.iter().map(copy).collect()
}

fn times(variable: &str, default: u32) -> u32 {
    std::env::var(variable).ok().and_then(|times| times.parse().ok()).unwrap_or(default)
}

/// Anonymous memory in bytes, threads and open files.
#[derive(Debug, Clone, Copy)]
struct Taken {
    bytes: u64,
    threads: u64,
    files: usize,
}

/// Resources of this process after everything is released; `None` if the system does not report them.
fn taken() -> Option<Taken> {
    trim::give_back();
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let number = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let files = std::fs::read_dir("/proc/self/fd").ok()?.count();
    Some(Taken { bytes: number("RssAnon:")? * 1024, threads: number("Threads:")?, files })
}

fn window(folder: &Path) -> Harness<'static, App> {
    let mut options = OpenOptions::default();
    options.storage.folder = Some(Folder::at(folder.join("heaplens")));
    options.storage.scratch = Some(folder.to_owned());
    options.runtime_classes_file = Some(folder.join("runtime-classes.txt"));
    options.verdicts_file = Some(folder.join("verdicts.txt"));
    let settings = folder.to_owned();
    Harness::builder()
        .with_size(vec2(1440.0, 900.0))
        .allow_missing_glyphs()
        .build_eframe(move |cc| App::with_kept(&cc.egui_ctx, SavedSession::begin(&settings), &[], options))
}

/// Runs frames until no job is running.
fn run_until_idle(h: &mut Harness<'_, App>, doing: &str) {
    let (mut quiet, began) = (0, Instant::now());
    while quiet < 3 {
        h.step();
        quiet = if h.state().is_busy() { 0 } else { quiet + 1 };
        std::thread::sleep(Duration::from_millis(1));
        assert!(began.elapsed() < STUCK, "{doing}: {:?} at {:?} is stuck", h.state().busy_with(), h.state().location());
    }
}

fn close_all(h: &mut Harness<'_, App>) {
    h.key_press(Key::Escape);
    h.step();
    let keys: Vec<u64> = h.state().tabs().iter().map(|tab| tab.key).collect();
    for key in keys {
        let ctx = h.ctx.clone();
        h.state_mut().apply(&ctx, Command::Do(Verb::CloseTab, Target::Tab(key)));
    }
    run_until_idle(h, "closing");
    // No other event reports that the thread releasing memory has finished.
    std::thread::sleep(Duration::from_millis(200));
}

fn any_key(random: &mut Random) -> (Modifiers, Key) {
    let modifiers = *random.pick(&[
        Modifiers::NONE,
        Modifiers::NONE,
        Modifiers::NONE,
        Modifiers::SHIFT,
        Modifiers::COMMAND,
        Modifiers::ALT,
        Modifiers::COMMAND | Modifiers::SHIFT,
    ]);
    // Keys with an effect are more frequent.
    let moves = [Key::ArrowDown, Key::ArrowUp, Key::ArrowLeft, Key::ArrowRight, Key::Enter, Key::Tab, Key::Escape];
    let key = if random.one_in(2) { *random.pick(&moves) } else { *random.pick(Key::ALL) };
    // Dialogs cannot be answered or closed in a test.
    let asks = modifiers.command && matches!(key, Key::O | Key::S | Key::Q);
    if asks { (Modifiers::NONE, Key::Escape) } else { (modifiers, key) }
}

/// A clickable widget, by its position.
fn any_place(h: &Harness<'_, App>, random: &mut Random) -> Pos2 {
    let wishes = ["Open…", "Export", "Quit", "Import KOOM report", "Apply mapping", "Edit runtime classes"];
    let nodes = h.root().children_recursive();
    let indexes: Vec<Pos2> = nodes
        .filter(|node| {
            let node = node.accesskit_node();
            let label = node.label().unwrap_or_default();
            !wishes.iter().any(|wish| label.starts_with(wish)) && CLICKED.contains(&node.role())
        })
        .map(|node| node.rect().center())
        .filter(|location| location.x.is_finite() && location.y.is_finite())
        .collect();
    if indexes.is_empty() || random.one_in(6) {
        return Pos2::new(random.below(1440) as f32, random.below(900) as f32);
    }
    *random.pick(&indexes)
}

fn click(h: &mut Harness<'_, App>, at: Pos2, button: egui::PointerButton, modifiers: Modifiers) {
    h.event(Event::PointerMoved(at));
    for pressed in [true, false] {
        h.event(Event::PointerButton { pos: at, button, pressed, modifiers });
    }
}

/// One random user action, however senseless.
fn act(h: &mut Harness<'_, App>, dumps: &[PathBuf], random: &mut Random) -> &'static str {
    match random.below(100) {
        0..=39 => {
            let (modifiers, key) = any_key(random);
            h.key_press_modifiers(modifiers, key);
            "a key"
        }
        40..=69 => {
            let at = any_place(h, random);
            let modifiers = *random.pick(&[Modifiers::NONE, Modifiers::NONE, Modifiers::COMMAND, Modifiers::SHIFT]);
            click(h, at, egui::PointerButton::Primary, modifiers);
            "a click"
        }
        70..=74 => {
            let at = any_place(h, random);
            click(h, at, egui::PointerButton::Secondary, Modifiers::NONE);
            "a menu"
        }
        75..=84 => {
            h.event(Event::PointerMoved(any_place(h, random)));
            let delta = vec2(0.0, random.between(0, 4_000) as f32 - 2_000.0);
            let (unit, phase, source) = (MouseWheelUnit::Point, TouchPhase::Move, egui::MouseWheelSource::Wheel);
            h.event(Event::MouseWheel { unit, delta, modifiers: Modifiers::NONE, phase, source });
            "the wheel"
        }
        85..=89 => {
            let (from, to) = (any_place(h, random), any_place(h, random));
            h.drag_at(from);
            h.step();
            h.hover_at(to);
            h.step();
            h.drop_at(to);
            "a drag"
        }
        90..=94 => {
            let texts = ["desk", "/a(b", "java.util.*", "0x", "@17", "\u{202e}", "heap:app x", "Session", "1e9", "…"];
            h.event(Event::Text((*random.pick(&texts)).to_owned()));
            "a text"
        }
        95 => {
            h.set_size(vec2(random.between(300, 2_600) as f32, random.between(200, 1_600) as f32));
            "another size"
        }
        96 if h.state().tabs().len() > 4 => {
            let tabs = h.state().tabs();
            let key = tabs[random.below(tabs.len() as u32) as usize].key;
            let ctx = h.ctx.clone();
            h.state_mut().apply(&ctx, Command::Do(Verb::CloseTab, Target::Tab(key)));
            "closing"
        }
        96 | 97 => {
            h.state_mut().open(random.pick::<PathBuf>(dumps));
            "opening"
        }
        _ => "nothing",
    }
}

#[test]
fn random_input_neither_panics_nor_hangs() {
    let folder = tempfile::tempdir().expect("a folder");
    let actions = times("HEAPLENS_MONKEY", 600);
    let mut h = window(folder.path());
    let dumps = dumps(folder.path());
    let mut random = Random::new(u64::from(times("HEAPLENS_SEED", 1)));
    h.state_mut().open(&dumps[0]);
    run_until_idle(&mut h, "opening");
    let (began, mut floors) = (Instant::now(), Vec::new());
    for action in 0..actions {
        let did = act(&mut h, &dumps, &mut random);
        h.step();
        if action % 250 == 249 {
            run_until_idle(&mut h, did);
        }
        if h.state().tabs().is_empty() {
            h.state_mut().open(random.pick::<PathBuf>(&dumps));
        }
        if action % 10_000 == 9_999 || action + 1 == actions {
            h.set_size(vec2(1440.0, 900.0));
            close_all(&mut h);
            let taken = taken();
            eprintln!("{} actions, {:.0} s: {taken:?}", action + 1, began.elapsed().as_secs_f64());
            floors.extend(taken);
            h.state_mut().open(&dumps[0]);
        }
    }
    run_until_idle(&mut h, "the end");
    does_not_grow(&floors);
}

#[test]
fn opening_and_closing_dumps_leaks_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let opens = times("HEAPLENS_SOAK", 24);
    let mut h = window(folder.path());
    let dumps = dumps(folder.path());
    let mut random = Random::new(5);
    let (began, mut floors) = (Instant::now(), Vec::new());
    for open in 0..opens {
        // From the dump as often as from its stored analysis.
        if random.one_in(2) {
            let _none_there = std::fs::remove_dir_all(folder.path().join("heaplens"));
        }
        let dump = random.pick(&dumps);
        h.state_mut().open(dump);
        // One in four is closed while it opens.
        if random.one_in(4) {
            (0..random.below(12)).for_each(|_| h.step());
        } else {
            run_until_idle(&mut h, "opening");
            assert!(h.state().tabs().iter().all(|tab| *tab.dump.state() == State::Ready), "{}", dump.display());
        }
        close_all(&mut h);
        if open % 100 == 99 || open + 1 == opens || open == opens / 2 {
            let taken = taken();
            eprintln!("{} opens, {:.0} s: {taken:?}", open + 1, began.elapsed().as_secs_f64());
            floors.extend(taken);
        }
    }
    does_not_grow(&floors);
}

/// Resource use hardly grows after the second measurement, when fonts, pools and caches are loaded.
fn does_not_grow(floors: &[Taken]) {
    let Some((first, last)) = floors.get(1).or(floors.first()).zip(floors.last()) else { return };
    assert!(last.bytes < first.bytes + first.bytes / 2 + (64 << 20), "{floors:?}");
    assert!(last.threads <= first.threads + 8, "{floors:?}");
    assert!(last.files <= first.files + 16, "{floors:?}");
}
