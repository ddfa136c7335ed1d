//! The palette over a hundred thousand classes: cost of frames while a name is typed, and the time from each letter to
//! its answer on screen.

use eframe::egui::{Key, Modifiers};
use heaplens_base::Count;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::sketch::{Body, Class, Object, RootRecord, Sketch, Value};

use crate::stage::{Measurement, Stage, head};

/// Number of generated classes.
const CLASSES: u64 = 100_000;
/// Parts of the generated names.
const WORDS: [&str; 10] =
    ["Order", "Cart", "Line", "Session", "Cache", "Handler", "Factory", "Proxy", "Listener", "Builder"];
/// Queries typed letter by letter: camel humps, the middle of a name, a package and a class, a text without matches.
const TYPED: [&str; 4] = ["OrLiHa", "chefactory", "module12.ses", "zzzzq"];

/// Prints cost of frames and time of answers.
pub(crate) fn bench() -> std::io::Result<()> {
    println!("\n## The palette over {} classes\n", Count(CLASSES));
    let file = tempfile::Builder::new().suffix(".hprof").tempfile()?;
    std::fs::write(file.path(), write(&sketch(), Form::MODERN))?;
    let mut stage = Stage::new(file.path());
    head();
    stage.ask(|_| {}).print("opening");
    let classes = stage.open_dump().map_or(0, |dump| dump.heap.classes.len());
    for typed in TYPED {
        stage.ask(|stage| stage.press_with(Modifiers::COMMAND, Key::K)).print("open the palette");
        let mut letters = Measurement::default();
        for letter in typed.chars() {
            letters.add(&stage.ask(|stage| stage.type_text(&letter.to_string())));
        }
        letters.print(&format!("type {typed:?} over {} classes, each letter (median)", Count(classes as u64)));
        stage.ask(|stage| stage.press(Key::Escape));
    }
    Ok(())
}

/// A root that holds an object of one class; the other classes are there and have none.
fn sketch() -> Sketch {
    let id = |n: u64| 0x1000 + n * 16;
    let object = Class { id: id(0), name: "java.lang.Object".to_owned(), ..Class::default() };
    let word = |n: u64| WORDS[(n % 10) as usize];
    let class = |n: u64| Class {
        id: id(n),
        name: format!("shop.module{}.{}{}{}{n}", n % 317, word(n / 100), word(n / 10), word(n)),
        superclass: id(0),
        ..Class::default()
    };
    let classes: Vec<Class> = std::iter::once(object).chain((1..CLASSES).map(class)).collect();
    let one = Object { id: id(CLASSES), body: Body::Instance { class: id(1), fields: Vec::<Value>::new() } };
    Sketch {
        roots: classes
            .iter()
            .map(|class| (class.id, RootRecord::StickyClass))
            .chain([(one.id, RootRecord::JniGlobal)])
            .collect(),
        classes,
        objects: vec![one],
        ..Sketch::default()
    }
}
