//! The window over a large dump, without a display: what frames cost while
//! lists scroll, jump, are sorted, filtered and unfolded, with those jobs
//! running beside them; and how long each answer takes.
//!
//! Every journey looks at where it came to: keys that reach no table measure
//! nothing. Frames come as often as a display asks for them, so that jobs get
//! the cores they would get.
//!
//! `cargo bench --bench frames -- [FILE]...`; without files a fixture.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use eframe::egui;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2};
use heaplens::heap::ids::ObjectId;
use heaplens::session::dump::{OpenOptions, State};
use heaplens::ui::app::App;
use heaplens::ui::place::View;
use heaplens::ui::scene::Answers;
use heaplens::units::Count;

/// Between two frames of a display.
const FRAME: Duration = Duration::from_millis(16);
const SORTS: [&str; 3] = ["Object", "Shallow size", "Retained size"];
const LEVELS: usize = 500;

fn main() {
    let files: Vec<PathBuf> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).map(PathBuf::from).collect();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/leak-after.hprof.gz");
    for file in if files.is_empty() { vec![fixture] } else { files } {
        bench(&file);
    }
}

fn bench(file: &Path) {
    let mut stage = Stage::new(file);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    println!("\n## {name}\n");
    let opened = stage.ask(|_| {});
    let Some(answers) = stage.answers() else { return };
    let (widest, children) = widest(&answers);
    let classes = answers.heap.classes.iter().map(|(class, _)| class);
    let Some(biggest) = classes.max_by_key(|&class| answers.analyzed.class_totals(class).objects) else { return };
    let rows = answers.analyzed.class_totals(biggest).objects;
    let (first, distances) = first_and_farthest(&answers, biggest);
    println!(
        "{} objects; the biggest class, {}, has {}; the widest level of the dominator tree has {} rows.\n",
        Count(answers.heap.len() as u64),
        answers.heap.classes.get(biggest).name,
        Count(rows),
        Count(children)
    );
    println!("| | frames | CPU median ms | p99 | most | wall p99 ms | most | answer ms |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    opened.print("opening, to the first page");

    stage.app.show(View::Dominators);
    stage.wait();
    stage.travel("dominator tree, as it opens");
    if let Some(widest) = widest {
        stage.go_to(&answers, widest);
        stage.ask(|stage| stage.press(Key::ArrowRight)).print(&format!("unfold {} children", Count(children)));
        stage.travel("dominator tree, unfolded there");
        for column in SORTS {
            let asked = stage.ask(|stage| stage.click(&format!("Sort by {column}")));
            asked.print(&format!("sort all open levels by {column}"));
        }
        let filtered = stage.ask(|stage| stage.filter("/^java\\..*map/"));
        filtered.print("filter the top level by a class expression");
        stage.ask(|stage| stage.click("Clear the filter")).print("clear that filter");
    }

    if let Some(first) = first {
        stage.go_to(&answers, first);
    }
    stage.ask(|stage| stage.app.show(View::Objects)).print(&format!("list the {} objects of a class", Count(rows)));
    stage.travel("objects of the biggest class");
    for column in SORTS {
        stage.ask(|stage| stage.click(&format!("Sort by {column}"))).print(&format!("sort them by {column}"));
    }
    stage.ask(|stage| stage.filter("a")).print("filter them by label or id");
    stage.ask(|stage| stage.click("Clear the filter")).print("clear that filter");
    let mut selected = Asked::default();
    for n in 0..200 {
        selected.add(&stage.ask(|stage| stage.press(if n % 7 == 6 { Key::Home } else { Key::PageDown })));
    }
    selected.print("choose an object: inspector, references, path (median of 200)");
    let class_object = answers.heap.classes.get(biggest).object;
    let class_object = class_object.map(|object| ("the class object of the biggest class".to_owned(), object));
    stage.app.show(View::Dominators);
    stage.wait();
    for (what, object) in distances.into_iter().chain(class_object) {
        let chosen = stage.ask(|stage| stage.go(&answers, object));
        chosen.print(&format!("show {what} in the tree, and all about it"));
    }
    stage.ask(|stage| stage.app.show(View::Histogram)).print("histogram");
    stage.ask(|stage| stage.click("Sort by Retained size")).print("sort the histogram");
    let began = Instant::now();
    let closed = stage.ask(|stage| stage.press_with(Modifiers::COMMAND, Key::W));
    closed.print("close the dump");
    drop(stage);
    println!("\nThe window was gone {} ms after that.", began.elapsed().as_millis());
}

/// Of the levels down along the object that dominates most, the one with most rows, and how many it has.
fn widest(answers: &Answers) -> (Option<ObjectId>, u64) {
    let (mut at, mut widest) = (None, (None, 0));
    for _ in 0..LEVELS {
        let (mut rows, mut heaviest) = (0, None);
        for child in answers.analyzed.dominator_children(at) {
            rows += 1;
            heaviest = heaviest.max(Some((answers.analyzed.dominated(child), child)));
        }
        if at.is_some() && rows > widest.1 {
            widest = (at, rows);
        }
        match heaviest {
            Some((1.., child)) => at = Some(child),
            _ => break,
        }
    }
    widest
}

/// The first object of a class; the objects farthest from a root, and one that nothing strong holds.
fn first_and_farthest(
    answers: &Answers,
    class: heaplens::heap::ids::ClassId,
) -> (Option<ObjectId>, Vec<(String, ObjectId)>) {
    let (mut first, mut farthest, mut loose) = (None, None, None);
    for object in answers.heap.objects() {
        if first.is_none() && answers.heap.class_id(object) == class && answers.analyzed.is_reachable(object) {
            first = Some(object);
        }
        farthest = farthest.max(answers.analyzed.distance(object).map(|d| (d, object)));
        if loose.is_none() && answers.analyzed.is_reachable(object) && !answers.analyzed.strongly_reachable(object) {
            loose = Some(object);
        }
    }
    let farthest = farthest.map(|(d, o)| (format!("an object {} references from a root", Count(u64::from(d))), o));
    let loose = loose.map(|o| ("an object held by weaker references alone".to_owned(), o));
    (first, farthest.into_iter().chain(loose).collect())
}

/// Frames drawn, and the time until the answer was on screen.
#[derive(Default)]
struct Asked {
    frames: Vec<Cost>,
    answers: Vec<Duration>,
}

/// What a frame took: time on a core, and time.
#[derive(Clone, Copy)]
struct Cost {
    cpu: Duration,
    wall: Duration,
}

impl Asked {
    fn add(&mut self, other: &Self) {
        self.frames.extend(&other.frames);
        self.answers.extend(&other.answers);
    }

    fn print(&self, what: &str) {
        let ms = |mut times: Vec<Duration>, part: usize| {
            times.sort_unstable();
            let last = times.len().saturating_sub(1);
            times.get(last * part / 100).map_or_else(String::new, |t| format!("{:.2}", t.as_secs_f64() * 1e3))
        };
        let (cpu, wall) =
            (|| self.frames.iter().map(|c| c.cpu).collect(), || self.frames.iter().map(|c| c.wall).collect());
        let answer = ms(self.answers.clone(), 50);
        println!(
            "| {what} | {} | {} | {} | {} | {} | {} | {answer} |",
            self.frames.len(),
            ms(cpu(), 50),
            ms(cpu(), 99),
            ms(cpu(), 100),
            ms(wall(), 99),
            ms(wall(), 100)
        );
    }
}

struct Stage {
    ctx: egui::Context,
    app: App,
    began: Instant,
    frames: Vec<Cost>,
}

impl Stage {
    fn new(file: &Path) -> Self {
        let ctx = egui::Context::default();
        let app = App::new(&ctx, &[file.to_owned()], OpenOptions::default());
        Self { ctx, app, began: Instant::now(), frames: Vec::new() }
    }

    fn answers(&self) -> Option<Answers> {
        let tab = self.app.tabs().first()?;
        if let State::Failed(why) = tab.dump.state() {
            println!("{why}");
        }
        tab.answers().cloned()
    }

    fn frame(&mut self, events: Vec<Event>) -> egui::FullOutput {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(1440.0, 900.0))),
            time: Some(self.began.elapsed().as_secs_f64()),
            events,
            ..RawInput::default()
        };
        let (cpu, began) = (cpu_of_thread(), Instant::now());
        let app = &mut self.app;
        let mut output = self.ctx.run_ui(input, |ui| app.frame(ui));
        let shapes = std::mem::take(&mut output.shapes);
        let _triangles = self.ctx.tessellate(shapes, output.pixels_per_point);
        let wall = began.elapsed();
        self.frames.push(Cost { cpu: cpu_of_thread().saturating_sub(cpu), wall });
        output
    }

    /// Does something and draws until nothing is on its way any more.
    fn ask(&mut self, act: impl FnOnce(&mut Self)) -> Asked {
        self.frames.clear();
        let began = Instant::now();
        act(self);
        let mut answered = began.elapsed();
        let mut quiet = 0;
        while quiet < 4 {
            let before = Instant::now();
            self.frame(Vec::new());
            if self.app.is_busy() {
                quiet = 0;
                // The first moments in small steps: they are what is to be measured.
                let pause = if began.elapsed() < FRAME * 4 { Duration::from_millis(1) } else { FRAME };
                std::thread::sleep(pause.saturating_sub(before.elapsed()));
            } else {
                if quiet == 0 {
                    answered = began.elapsed();
                }
                quiet += 1;
            }
        }
        Asked { frames: std::mem::take(&mut self.frames), answers: vec![answered] }
    }

    fn wait(&mut self) {
        self.ask(|_| {});
    }

    fn go(&mut self, answers: &Answers, object: ObjectId) {
        if let Err(why) = self.app.go_to_object(&answers.heap.id_text(object)) {
            println!("{why}");
        }
    }

    fn go_to(&mut self, answers: &Answers, object: ObjectId) {
        self.go(answers, object);
        self.wait();
    }

    fn press_with(&mut self, modifiers: Modifiers, key: Key) {
        for pressed in [true, false] {
            let event = Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
            self.frame(vec![event]);
        }
    }

    fn press(&mut self, key: Key) {
        self.press_with(Modifiers::NONE, key);
    }

    /// Clicks the first thing whose name begins with `label`.
    fn click(&mut self, label: &str) {
        let drawn = self.frames.len();
        self.ctx.enable_accesskit();
        let update = self.frame(Vec::new()).platform_output.accesskit_update;
        self.ctx.disable_accesskit();
        // Nobody looks at names but this bench.
        self.frames.truncate(drawn);
        let nodes = update.map(|update| update.nodes).unwrap_or_default();
        let named = nodes.iter().find(|(_, node)| node.label().is_some_and(|l| l.starts_with(label)));
        let Some(at) = named.and_then(|(_, node)| node.bounds()) else {
            println!("nothing is called {label}");
            return;
        };
        let pos = Pos2::new(at.x0.midpoint(at.x1) as f32, at.y0.midpoint(at.y1) as f32);
        self.frame(vec![Event::PointerMoved(pos)]);
        for pressed in [true, false] {
            let button = PointerButton::Primary;
            self.frame(vec![Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE }]);
        }
    }

    fn filter(&mut self, text: &str) {
        self.press(Key::Slash);
        self.frame(Vec::new());
        self.frame(vec![Event::Text(text.to_owned())]);
        self.press(Key::Escape);
    }

    /// Goes over the table on screen by lines, pages and to its ends.
    fn travel(&mut self, name: &str) {
        self.measure(&format!("{name}: line by line"), 200, |_| Key::ArrowDown);
        self.measure(&format!("{name}: page by page"), 200, |_| Key::PageDown);
        self.measure(&format!("{name}: end and back"), 100, |n| if n % 2 == 0 { Key::End } else { Key::Home });
        self.wait();
    }

    fn measure(&mut self, what: &str, steps: usize, keys: impl Fn(usize) -> Key) {
        self.frames.clear();
        let mut moved = 0;
        for n in 0..steps {
            let began = Instant::now();
            let before = self.app.place();
            self.press(keys(n));
            moved += usize::from(self.app.place() != before);
            std::thread::sleep(FRAME.saturating_sub(began.elapsed()));
        }
        let asked = Asked { frames: std::mem::take(&mut self.frames), answers: Vec::new() };
        asked.print(&if moved == steps { what.to_owned() } else { format!("{what} ({moved} of {steps} moved)") });
    }
}

/// Time this thread had a core so far, where the system says.
fn cpu_of_thread() -> Duration {
    // Who gives way is counted up to that moment, and not to the last tick of the scheduler.
    std::thread::yield_now();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = stat.split_whitespace().next().and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}
