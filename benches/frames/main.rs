//! The window over a large dump, without a display: cost of frames while lists scroll, jump, are sorted, filtered and
//! expanded, and while the pointer moves over charts, with background jobs running; and the time to each answer. Before
//! that, the same with a hundred million generated rows, a name typed into the palette over a hundred thousand
//! classes, and a fleet of ten thousand dumps.
//!
//! Every journey checks its destination: keys that reach no table measure nothing. Frames come at the rate of a
//! display, so that jobs get the cores they would get in use.
//!
//! `cargo bench --bench frames -- [FILE]...`; without files a fixture.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod fleet;
mod palette;
mod rows;
mod stage;

use std::path::{Path, PathBuf};
use std::time::Instant;

use eframe::egui;
use egui::{Key, Modifiers};
use heaplens::ui::location::View;
use heaplens::view::chart::{Kind, Mode};
use heaplens_base::Count;
use heaplens_heap::ObjectId;
use heaplens_session::OpenDump;
use stage::{Measurement, Stage, head};

const SORTS: [&str; 3] = ["Object", "Shallow size", "Retained size"];
const LEVELS: usize = 500;

fn main() {
    println!("\n## {} rows, no dump\n", Count(rows::ROWS));
    head();
    rows::bench();
    for ended in [palette::bench(), fleet::bench()] {
        if let Err(why) = ended {
            println!("{why}");
        }
    }
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
    let Some(dump) = stage.open_dump() else { return };
    let (widest, children) = widest(&dump);
    let classes = dump.heap.classes.iter().map(|(class, _)| class);
    let Some(biggest) = classes.max_by_key(|&class| dump.analysis.class_totals(class).objects) else { return };
    let rows = dump.analysis.class_totals(biggest).objects;
    let (first, distances) = first_and_farthest(&dump, biggest);
    println!(
        "{} objects; the biggest class, {}, has {}; the widest level of the dominator tree has {} rows.\n",
        Count(dump.heap.len() as u64),
        dump.heap.classes.get(biggest).name,
        Count(rows),
        Count(children)
    );
    head();
    opened.print("opening, until all of the overview is there");

    stage.app.show(View::Dominators);
    stage.wait();
    for (kind, name) in [(Kind::Treemap, "treemap"), (Kind::Icicle, "icicle"), (Kind::Sunburst, "sunburst")] {
        stage.ask(|stage| stage.app.show_as(Mode::Picture(kind))).print(&format!("{name} of the dominator tree"));
        stage.hover(&format!("{name}: the pointer goes over it"));
        stage.measure(&format!("{name}: keys walk over it"), 100, |n| {
            [Key::ArrowDown, Key::ArrowRight, Key::ArrowUp, Key::ArrowLeft][n % 4]
        });
    }
    stage.app.show_as(Mode::Table);
    stage.wait();
    stage.travel("dominator tree, folded");
    if let Some(widest) = widest {
        stage.go_to(&dump, widest);
        stage.ask(|stage| stage.press(Key::ArrowRight)).print(&format!("unfold {} children, folded", Count(children)));
    }
    // Grouped, a level of ten million rows is one row.
    stage.ask(|stage| stage.choose("Tree grouped", "Plain")).print("read the tree plain");
    stage.travel("dominator tree, plain");
    stage.ask(|stage| stage.press_with(Modifiers::COMMAND, Key::A)).print("select all its rows, and who holds them");
    stage.press(Key::Home);
    if let Some(widest) = widest {
        stage.go_to(&dump, widest);
        stage.ask(|stage| stage.press(Key::ArrowRight)).print(&format!("unfold {} children", Count(children)));
        stage.travel("dominator tree, unfolded there");
        for column in SORTS {
            let measurement = stage.ask(|stage| stage.click(&format!("Sort by {column}")));
            measurement.print(&format!("sort all open levels by {column}"));
        }
        let filtered = stage.ask(|stage| stage.filter("/^java\\..*map/"));
        filtered.print("filter the top level by a class expression");
        stage.ask(|stage| stage.click("Clear the filter")).print("clear that filter");
    }

    if let Some(first) = first {
        stage.go_to(&dump, first);
    }
    stage.ask(|stage| stage.app.show(View::Objects)).print(&format!("list the {} objects of a class", Count(rows)));
    stage.travel("objects of the biggest class");
    stage.ask(|stage| stage.press_with(Modifiers::COMMAND, Key::A)).print("select all of them, and who holds them");
    stage.press(Key::Home);
    stage.press(Key::ArrowDown);
    stage.ask(|stage| stage.press_with(Modifiers::SHIFT, Key::End)).print("select all but the first");
    stage.press(Key::Home);
    for column in SORTS {
        stage.ask(|stage| stage.click(&format!("Sort by {column}"))).print(&format!("sort them by {column}"));
    }
    stage.ask(|stage| stage.filter("a")).print("filter them by label or id");
    stage.ask(|stage| stage.click("Clear the filter")).print("clear that filter");
    let mut selected = Measurement::default();
    for n in 0..200 {
        selected.add(&stage.ask(|stage| stage.press(if n % 7 == 6 { Key::Home } else { Key::PageDown })));
    }
    selected.print("choose an object: inspector, references, path (median of 200)");
    let class_object = dump.heap.classes.get(biggest).object;
    let class_object = class_object.map(|object| ("the class object of the biggest class".to_owned(), object));
    stage.app.show(View::Dominators);
    stage.wait();
    for (what, object) in distances.into_iter().chain(class_object) {
        let chosen = stage.ask(|stage| stage.go(&dump, object));
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

/// Level with the most rows on the path down along the largest child, and its row count.
fn widest(dump: &OpenDump) -> (Option<ObjectId>, u64) {
    let (mut at, mut widest) = (None, (None, 0));
    for _ in 0..LEVELS {
        let (mut rows, mut heaviest) = (0, None);
        for child in dump.analysis.dominator_children(at) {
            rows += 1;
            heaviest = heaviest.max(Some((dump.analysis.dominated_count(child), child)));
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
fn first_and_farthest(dump: &OpenDump, class: heaplens_heap::ClassId) -> (Option<ObjectId>, Vec<(String, ObjectId)>) {
    let (mut first, mut farthest, mut loose) = (None, None, None);
    for object in dump.heap.objects() {
        if first.is_none() && dump.heap.class_id(object) == class && dump.analysis.is_reachable(object) {
            first = Some(object);
        }
        farthest = farthest.max(dump.analysis.distance(object).map(|d| (d, object)));
        if loose.is_none() && dump.analysis.is_reachable(object) && !dump.analysis.strongly_reachable(object) {
            loose = Some(object);
        }
    }
    let farthest = farthest.map(|(d, o)| (format!("an object {} references from a root", Count(u64::from(d))), o));
    let loose = loose.map(|o| ("an object held by weaker references alone".to_owned(), o));
    (first, farthest.into_iter().chain(loose).collect())
}
