//! The window without a display, and the cost of its frames.

use std::path::Path;
use std::time::{Duration, Instant};

use eframe::egui;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2};
use heaplens::ui::app::App;
use heaplens::ui::fleet::FleetPage;
use heaplens_heap::ObjectId;
use heaplens_session::dump::State;
use heaplens_session::{OpenDump, OpenOptions};

/// Between two frames of a display.
const FRAME: Duration = Duration::from_millis(16);

/// The head of a table of figures.
pub(crate) fn head() {
    println!("| | frames | CPU median ms | p99 | most | wall p99 ms | most | answer ms |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
}

/// Frames drawn, and the time until the answer was on screen.
#[derive(Default)]
pub(crate) struct Measurement {
    pub(crate) frames: Vec<Cost>,
    answers: Vec<Duration>,
}

/// Cost of a frame: CPU time and wall time.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    cpu: Duration,
    wall: Duration,
}

impl Cost {
    /// Measures `draw`.
    pub(crate) fn of(draw: impl FnOnce()) -> Self {
        let (cpu, began) = (cpu_of_thread(), Instant::now());
        draw();
        let wall = began.elapsed();
        Self { cpu: cpu_of_thread().saturating_sub(cpu), wall }
    }
}

impl Measurement {
    pub(crate) fn add(&mut self, other: &Self) {
        self.frames.extend(&other.frames);
        self.answers.extend(&other.answers);
    }

    pub(crate) fn print(&self, what: &str) {
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

/// The window, and the cost of its frames.
pub(crate) struct Stage {
    ctx: egui::Context,
    pub(crate) app: App,
    began: Instant,
    frames: Vec<Cost>,
}

impl Stage {
    pub(crate) fn new(file: &Path) -> Self {
        let ctx = egui::Context::default();
        let app = App::new(&ctx, &[file.to_owned()], OpenOptions::default());
        Self { ctx, app, began: Instant::now(), frames: Vec::new() }
    }

    pub(crate) fn open_dump(&self) -> Option<OpenDump> {
        let tab = self.app.tabs().first()?;
        if let State::Failed(why) = tab.dump.state() {
            println!("{why}");
        }
        tab.open_dump().cloned()
    }

    fn frame(&mut self, events: Vec<Event>) -> egui::FullOutput {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(1440.0, 900.0))),
            time: Some(self.began.elapsed().as_secs_f64()),
            events,
            ..RawInput::default()
        };
        let (app, ctx) = (&mut self.app, &self.ctx);
        let mut output = egui::FullOutput::default();
        self.frames.push(Cost::of(|| {
            output = ctx.run_ui(input, |ui| app.frame(ui));
            let shapes = std::mem::take(&mut output.shapes);
            output.textures_delta.clear();
            let _triangles = ctx.tessellate(shapes, output.pixels_per_point);
        }));
        output
    }

    /// Runs `act` and draws until no job is pending.
    pub(crate) fn ask(&mut self, act: impl FnOnce(&mut Self)) -> Measurement {
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
                // Small steps at first: that is the time to be measured.
                let pause = if began.elapsed() < FRAME * 4 { Duration::from_millis(1) } else { FRAME };
                std::thread::sleep(pause.saturating_sub(before.elapsed()));
            } else {
                if quiet == 0 {
                    answered = began.elapsed();
                }
                quiet += 1;
            }
        }
        Measurement { frames: std::mem::take(&mut self.frames), answers: vec![answered] }
    }

    pub(crate) fn wait(&mut self) {
        self.ask(|_| {});
    }

    pub(crate) fn go(&mut self, dump: &OpenDump, object: ObjectId) {
        if let Err(why) = self.app.go_to_object(&dump.heap.id_text(object)) {
            println!("{why}");
        }
    }

    pub(crate) fn go_to(&mut self, dump: &OpenDump, object: ObjectId) {
        self.go(dump, object);
        self.wait();
    }

    pub(crate) fn press_with(&mut self, modifiers: Modifiers, key: Key) {
        for pressed in [true, false] {
            let event = Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
            self.frame(vec![event]);
        }
    }

    pub(crate) fn press(&mut self, key: Key) {
        self.press_with(Modifiers::NONE, key);
    }

    /// Clicks the first element whose name begins with `label`.
    pub(crate) fn click(&mut self, label: &str) {
        let drawn = self.frames.len();
        self.ctx.enable_accesskit();
        let update = self.frame(Vec::new()).platform_output.accesskit_update;
        self.ctx.disable_accesskit();
        // Only this bench reads the names.
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

    /// Opens a choice and takes one of it.
    pub(crate) fn choose(&mut self, choice: &str, one: &str) {
        self.click(choice);
        self.frame(Vec::new());
        self.click(one);
    }

    pub(crate) fn type_text(&mut self, text: &str) {
        self.frame(vec![Event::Text(text.to_owned())]);
    }

    pub(crate) fn filter(&mut self, text: &str) {
        self.press(Key::Slash);
        self.frame(Vec::new());
        self.type_text(text);
        self.press(Key::Enter);
    }

    /// Moves the pointer over the middle of the window in widening circles.
    pub(crate) fn hover(&mut self, name: &str) {
        self.frames.clear();
        for n in 0..300_u16 {
            let began = Instant::now();
            let (turn, far) = (f32::from(n) * 0.21, f32::from(n) * 0.9);
            let at = Pos2::new(700.0, 480.0) + Vec2::angled(turn) * Vec2::new(far, far * 0.9);
            self.frame(vec![Event::PointerMoved(at)]);
            std::thread::sleep(FRAME.saturating_sub(began.elapsed()));
        }
        self.frame(vec![Event::PointerGone]);
        Measurement { frames: std::mem::take(&mut self.frames), answers: Vec::new() }.print(name);
        self.wait();
    }

    /// Goes over the table on screen by lines, pages and to its ends.
    pub(crate) fn travel(&mut self, name: &str) {
        self.measure(&format!("{name}: line by line"), 200, |_| Key::ArrowDown);
        self.measure(&format!("{name}: page by page"), 200, |_| Key::PageDown);
        self.measure(&format!("{name}: end and back"), 100, |n| if n % 2 == 0 { Key::End } else { Key::Home });
        self.wait();
    }

    pub(crate) fn measure(&mut self, what: &str, steps: usize, keys: impl Fn(usize) -> Key) {
        self.frames.clear();
        let mut moved = 0;
        for n in 0..steps {
            let began = Instant::now();
            let position = |app: &App| (app.location(), app.fleet().and_then(FleetPage::cursor));
            let before = position(&self.app);
            self.press(keys(n));
            moved += usize::from(position(&self.app) != before);
            std::thread::sleep(FRAME.saturating_sub(began.elapsed()));
        }
        let measurement = Measurement { frames: std::mem::take(&mut self.frames), answers: Vec::new() };
        measurement.print(&if moved == steps { what.to_owned() } else { format!("{what} ({moved} of {steps} moved)") });
    }
}

/// CPU time of this thread so far, if the system reports it.
fn cpu_of_thread() -> Duration {
    // Yielding makes the system count up to this moment, not to the last tick of the scheduler.
    std::thread::yield_now();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = stat.split_whitespace().next().and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}
