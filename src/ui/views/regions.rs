//! In which of Android's heaps an object is, and where what it retains lies.

use eframe::egui;

use crate::heap::ids::ObjectId;
use crate::heap::parts::Part;
use crate::ui::scene::Scene;
use crate::ui::widgets::units;
use crate::units::Bytes;

/// A fact: its name, its value, and what it means.
pub(super) type Fact = (&'static str, (String, String));

/// The facts of an object that only dumps with heaps have.
pub(super) fn facts(scene: &Scene<'_>, ctx: &egui::Context, object: ObjectId) -> Vec<Fact> {
    let (heap, analyzed) = (&scene.answers.heap, &scene.answers.analyzed);
    let mut facts = Vec::new();
    if let Some(name) = heap.region_name(object) {
        facts.push(("Heap", (name.to_owned(), "The heap of Android that it is in".to_owned())));
    }
    let retained = |part: &Part| Some(analyzed.retained_part(object, *part)).filter(|&bytes| bytes > Bytes(0));
    let parts = analyzed.parts();
    let by_heap = parts.iter().filter_map(|part| match part {
        Part::Region(kind) => retained(part).map(|bytes| format!("{} {}", kind.name(), units::written(ctx, bytes))),
        Part::Native => None,
    });
    let by_heap: Vec<String> = by_heap.collect();
    if !by_heap.is_empty() {
        facts.push(("By heap", (by_heap.join("  ·  "), "What it retains in each heap".to_owned())));
    }
    if let Some(bytes) = retained(&Part::Native) {
        let own = heap.native(object);
        let of_own = if own > Bytes(0) { format!("  ·  own {}", units::written(ctx, own)) } else { String::new() };
        let about = "Memory outside the heap that it retains, as registered by those that own it".to_owned();
        facts.push(("Native", (units::written(ctx, bytes) + &of_own, about)));
    }
    facts
}
