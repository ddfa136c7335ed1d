//! Frames of the window over a large dump, without a display: the CPU time of
//! drawing and tessellating one while lists scroll and jump, columns are
//! sorted and filters typed, with those jobs running beside it.
//!
//! `cargo bench --bench frames -- FILE`

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use eframe::egui;
use egui::{Event, Key, Modifiers, Pos2, RawInput, Rect, Vec2};
use heaplens::session::dump::{OpenOptions, State};
use heaplens::ui::app::App;
use heaplens::ui::place::View;

fn main() {
    let files: Vec<PathBuf> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).map(PathBuf::from).collect();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/leak-after.hprof.gz");
    for file in if files.is_empty() { vec![fixture] } else { files } {
        let mut stage = Stage::new(&file);
        stage.wait();
        println!("\n{}", file.display());
        println!("  {:<44} {:>6} {:>9} {:>9} {:>9}", "", "frames", "median ms", "p99 ms", "most ms");
        for (view, name) in [(View::Dominators, "dominator tree"), (View::Objects, "objects of the biggest class")] {
            stage.app.show(view);
            stage.wait();
            stage.measure(&format!("{name}: line by line"), 200, |_| Some(Key::ArrowDown));
            stage.measure(&format!("{name}: page by page"), 200, |_| Some(Key::PageDown));
            stage.measure(&format!("{name}: end and back"), 100, |n| {
                Some(if n % 2 == 0 { Key::End } else { Key::Home })
            });
            stage.measure(&format!("{name}: unfolding on the way"), 200, |n| {
                Some(if n % 2 == 0 { Key::ArrowRight } else { Key::ArrowDown })
            });
        }
        stage.app.show(View::Dominators);
        stage.wait();
        stage.filter("a");
        stage.measure("while a filter is worked out", 300, |_| None);
    }
}

struct Stage {
    ctx: egui::Context,
    app: App,
    began: Instant,
}

impl Stage {
    fn new(file: &Path) -> Self {
        let ctx = egui::Context::default();
        let app = App::new(&ctx, &[file.to_owned()], OpenOptions::default());
        Self { ctx, app, began: Instant::now() }
    }

    fn frame(&mut self, events: Vec<Event>) -> Duration {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(1440.0, 900.0))),
            time: Some(self.began.elapsed().as_secs_f64()),
            events,
            ..RawInput::default()
        };
        let began = Instant::now();
        let app = &mut self.app;
        let output = self.ctx.run_ui(input, |ui| app.frame(ui));
        let _triangles = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        began.elapsed()
    }

    /// Draws until nothing is on its way any more.
    fn wait(&mut self) {
        let mut quiet = 0;
        while quiet < 4 {
            self.frame(Vec::new());
            quiet = if self.app.is_busy() { 0 } else { quiet + 1 };
            std::thread::sleep(Duration::from_millis(5));
        }
        for tab in self.app.tabs() {
            if let State::Failed(why) = tab.dump.state() {
                println!("  {why}");
            }
        }
    }

    fn filter(&mut self, text: &str) {
        self.frame(vec![key(Key::Slash, true)]);
        self.frame(vec![key(Key::Slash, false)]);
        self.frame(vec![Event::Text(text.to_owned())]);
    }

    fn measure(&mut self, what: &str, frames: usize, keys: impl Fn(usize) -> Option<Key>) {
        let mut times: Vec<Duration> = Vec::new();
        for n in 0..frames {
            let key_of = keys(n);
            times.push(self.frame(key_of.map(|k| key(k, true)).into_iter().collect()));
            times.push(self.frame(key_of.map(|k| key(k, false)).into_iter().collect()));
        }
        times.sort_unstable();
        let ms = |at: usize| times[at].as_secs_f64() * 1e3;
        let last = times.len() - 1;
        println!(
            "  {what:<44} {:>6} {:>9.2} {:>9.2} {:>9.2}",
            times.len(),
            ms(last / 2),
            ms(last * 99 / 100),
            ms(last)
        );
    }
}

fn key(key: Key, pressed: bool) -> Event {
    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE }
}
