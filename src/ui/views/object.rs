//! The inspector: everything about the chosen object. What is read for the
//! object before stays, dimmed, until the next is there.

use eframe::egui;
use egui::{Id, Rect, RichText, Ui, vec2};

use super::elements::Elements;
use super::entries::Entries;
use super::fields;
use super::references::Neighbours;
use crate::analysis::object::{ObjectDetails, describe};
use crate::analysis::references::Direction;
use crate::heap::ids::ObjectId;
use crate::session::slot::Slot;
use crate::ui::command::{Command, Verb};
use crate::ui::scene::Scene;
use crate::ui::theme::icons::Icon;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::widgets::object_link::{ObjectName, split_class};
use crate::ui::widgets::table::TableState;
use crate::ui::widgets::{controls, waiting};
use crate::units::{Bytes, Count, Share};

/// Characters of a text that are read.
const CHARACTERS: usize = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Tab {
    #[default]
    Inside,
    /// Of a collection, whose inside is what it holds.
    Fields,
    Incoming,
    Outgoing,
    Stack,
}

/// The pane.
pub struct Inspector {
    slot: Slot<ObjectDetails>,
    asked: Option<ObjectId>,
    tab: Tab,
    fields: TableState,
    elements: Elements,
    entries: Entries,
    incoming: Neighbours,
    outgoing: Neighbours,
}

impl Default for Inspector {
    fn default() -> Self {
        Self {
            slot: Slot::default(),
            asked: None,
            tab: Tab::default(),
            fields: TableState::default(),
            elements: Elements::default(),
            entries: Entries::default(),
            incoming: Neighbours::new(Direction::Incoming),
            outgoing: Neighbours::new(Direction::Outgoing),
        }
    }
}

impl Inspector {
    /// Takes in what was asked for, also what is not shown any more.
    pub fn tick(&mut self) {
        if self.slot.poll() {
            self.fields = TableState::default();
        }
        self.incoming.poll();
        self.outgoing.poll();
        self.elements.poll();
        self.entries.poll();
    }

    /// Draws the pane.
    pub fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        self.ask(scene);
        let room = ui.available_rect_before_wrap();
        if let Some(error) = self.slot.error() {
            waiting::empty_ui(ui, room, Icon::Warning, "The object could not be read", error);
            return;
        }
        let Some(details) = self.slot.get() else {
            let chosen = scene.place.object.is_some();
            waiting::line_ui(ui, if chosen { "Reading the object…" } else { "Choose an object to look inside" });
            return;
        };
        let stale = scene.place.object != Some(details.object);
        if stale {
            ui.multiply_opacity(0.6);
        }
        ui.spacing_mut().item_spacing.y = 4.0;
        egui::Frame::NONE.inner_margin(egui::Margin::symmetric(sizes::PAD as i8, 8)).show(ui, |ui| {
            header_ui(ui, scene, details);
        });
        let object = details.object;
        self.incoming.ask(scene, object);
        self.outgoing.ask(scene, object);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.add_space(2.0);
            let fields = Some(details.fields.len() as u64);
            let (inside, count) = match (details.length, details.stands_for) {
                _ if let Some((_, size)) = details.collection => ("Entries", Some(size)),
                (Some(length), _) => ("Elements", Some(length)),
                (None, _) if details.is_array => ("Elements", None),
                (None, Some(_)) => ("Statics", fields),
                (None, None) => ("Fields", fields),
            };
            let short = |n: Count| super::opening::short(n.0);
            let raw = details.collection.map(|_| (Tab::Fields, "Fields", fields.map(Count)));
            let first = std::iter::once((Tab::Inside, inside, count.map(Count))).chain(raw);
            let tabs = [
                (Tab::Incoming, "Incoming", self.incoming.count(Some(object))),
                (Tab::Outgoing, "Outgoing", self.outgoing.count(Some(object))),
            ];
            let frames = details.stack.len() as u64;
            let stack = (frames > 0).then_some((Tab::Stack, "Stack", Some(Count(frames))));
            for (tab, name, count) in first.chain(tabs).chain(stack) {
                if controls::tab(ui, self.tab == tab, name, count.map(short)).clicked() {
                    self.tab = tab;
                }
            }
        });
        let line = ui.cursor().min - vec2(0.0, 4.0);
        ui.painter().hline(room.x_range(), line.y, (1.0, tokens(ui).border));
        ui.advance_cursor_after_rect(Rect::from_min_size(line, vec2(0.0, 0.0)));
        // The stack is a thread's; the next object may be none.
        match self.tab {
            Tab::Stack if !details.stack.is_empty() => stack_ui(ui, &details.stack),
            Tab::Incoming => self.incoming.ui(ui, scene),
            Tab::Outgoing => self.outgoing.ui(ui, scene),
            Tab::Inside if let Some(collection) = details.collection => {
                self.entries.ui(ui, scene, object, collection);
            }
            Tab::Inside | Tab::Fields | Tab::Stack => {
                if let Some(error) = &details.unreadable {
                    ui.label(RichText::new(error).color(tokens(ui).warn));
                }
                match details.length {
                    Some(length) => self.elements.ui(ui, scene, object, length),
                    None if details.is_array && details.unreadable.is_none() => {
                        let room = ui.available_rect_before_wrap();
                        let (title, why) = ("Elements not available", "They can be read only with the dump at hand");
                        waiting::empty_ui(ui, room, Icon::File, title, why);
                    }
                    None => fields::ui(ui, scene, &mut self.fields, details),
                }
            }
        }
        if self.slot.is_running() {
            waiting::running_ui(ui, Rect::from_min_size(room.min, vec2(room.width(), 2.0)));
        }
    }

    fn ask(&mut self, scene: &Scene<'_>) {
        let Some(object) = scene.place.object else { return };
        if self.asked == Some(object) {
            return;
        }
        self.asked = Some(object);
        let answers = scene.answers.clone();
        self.slot.ask(scene.jobs, "inspect an object", move |_| {
            Ok(describe(&answers.heap, &*answers.contents, &answers.analyzed, object, CHARACTERS))
        });
    }

    /// Whether anything is being read.
    pub fn is_running(&self) -> bool {
        self.slot.is_running()
            || self.incoming.is_running()
            || self.outgoing.is_running()
            || self.elements.is_running()
            || self.entries.is_running()
    }
}

/// The name without addresses, on two lines at most; a click copies it.
fn name_ui(ui: &mut Ui, scene: &mut Scene<'_>, object: ObjectId) {
    let Some(name) = scene.labels.name(object).map(str::to_owned) else { return };
    let t = tokens(ui);
    let mut job = egui::text::LayoutJob::simple(name.clone(), fonts::small(), t.muted, ui.available_width());
    job.wrap.max_rows = 2;
    job.wrap.break_anywhere = true;
    let response = ui.add(egui::Label::new(job).sense(egui::Sense::click()).selectable(false));
    let said = format!("Copy the name {name}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &said));
    if response.on_hover_text(format!("{name}\n\nClick to copy the name: it is the same in the next dump")).clicked() {
        scene.push(Command::Copy(name, "name".to_owned()));
    }
}

fn header_ui(ui: &mut Ui, scene: &mut Scene<'_>, details: &ObjectDetails) {
    let t = tokens(ui);
    let stands_for = details.label.as_deref().filter(|_| details.stands_for.is_some());
    let (package, name) = split_class(stands_for.unwrap_or(&details.class_name));
    let package = package.trim_end_matches('.');
    ui.horizontal(|ui| {
        let words = if stands_for.is_some() { format!("class object  ·  {package}") } else { package.to_owned() };
        ui.label(RichText::new(words).font(fonts::small()).color(t.muted));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if controls::icon_button(ui, Icon::Cross, "Hide the inspector (F4)", true).clicked() {
                scene.push(Command::Do(Verb::InspectorPane));
            }
        });
    });
    let title = RichText::new(name).font(fonts::heading()).color(t.text);
    ui.add(egui::Label::new(title).truncate()).on_hover_text(stands_for.unwrap_or(&details.class_name));
    ui.horizontal(|ui| {
        let id =
            egui::Label::new(RichText::new(&details.id).font(fonts::mono()).color(t.faint)).sense(egui::Sense::click());
        if ui.add(id).on_hover_text("Copy the id").clicked() {
            scene.push(Command::Do(Verb::CopyId));
        }
        if let Some(length) = details.length {
            ui.label(RichText::new(format!("{} elements", Count(length))).color(t.muted));
        } else if let Some(label) = details.label.as_deref().filter(|_| details.text.is_none() && stands_for.is_none())
        {
            ui.add(egui::Label::new(RichText::new(label).color(t.label)).truncate()).on_hover_text(label);
        }
    });
    name_ui(ui, scene, details.object);
    if let Some(text) = &details.text {
        text_ui(ui, text);
    }
    if !details.roots.is_empty() || !details.reachable {
        ui.horizontal_wrapped(|ui| {
            for root in &details.roots {
                controls::pill(ui, root.name(), t.root).on_hover_text("The object is a GC root for this reason");
            }
            if !details.reachable {
                controls::pill(ui, "Unreachable", t.warn).on_hover_text("No GC root leads here");
            }
        });
    }
    ui.add_space(2.0);
    facts_ui(ui, scene, details);
}

/// The text of a string, a few lines of it at once.
fn text_ui(ui: &mut Ui, text: &str) {
    let t = tokens(ui);
    let frame = egui::Frame::NONE.fill(t.surface).stroke((1.0, t.border)).corner_radius(6.0).inner_margin(8.0);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        egui::ScrollArea::vertical().max_height(96.0).id_salt("text").show(ui, |ui| {
            let words = if text.is_empty() { "(empty)" } else { text };
            let color = if text.is_empty() { t.faint } else { t.label };
            let label = egui::Label::new(RichText::new(words).font(fonts::mono()).color(color));
            ui.add(label.wrap().selectable(true));
        });
    });
}

fn facts_ui(ui: &mut Ui, scene: &mut Scene<'_>, details: &ObjectDetails) {
    let whole = scene.answers.analyzed.shown.shallow;
    let share = Share::of(details.retained, whole);
    let size = |bytes: Bytes, more: String| (format!("{bytes}{more}"), format!("{} bytes", bytes.exact()));
    let facts = [
        ("Retained", size(details.retained, format!("  ·  {share}"))),
        ("Shallow", size(details.shallow, String::new())),
        ("Dominated", (format!("{} objects", Count(details.dominated)), "Kept alive by this object alone".to_owned())),
        (
            "Distance",
            (
                match details.distance {
                    Some(0) => "GC root".to_owned(),
                    Some(1) => "1 reference".to_owned(),
                    Some(n) => format!("{} references", Count(u64::from(n))),
                    None => "Not reachable".to_owned(),
                },
                "References from the nearest GC root".to_owned(),
            ),
        ),
    ];
    for (name, (value, about)) in facts {
        let rect = fact_row(ui, name);
        let t = tokens(ui);
        let galley = crate::ui::widgets::table::elided(ui, value, fonts::text(), t.text, rect.width());
        let y = rect.center().y - galley.size().y / 2.0;
        ui.painter().galley(egui::pos2(rect.left(), y), galley, t.text);
        let response = ui.interact(rect, Id::unique(("fact", name)), egui::Sense::HOVER);
        response.on_hover_text(about);
    }
    let above = details.immediate_dominator;
    object_fact(ui, scene, "Held by", above, if details.reachable { "GC roots alone" } else { "Nothing" });
    object_fact(ui, scene, "Loader", details.loader, "Bootstrap");
}

/// The name of a fact; returns the place for its value.
fn fact_row(ui: &mut Ui, name: &str) -> Rect {
    let width = ui.available_width();
    let (rect, _) = ui.allocate_exact_size(vec2(width, 18.0), egui::Sense::HOVER);
    let t = tokens(ui);
    let at = egui::pos2(rect.left(), rect.center().y);
    ui.painter().text(at, egui::Align2::LEFT_CENTER, name, fonts::small(), t.muted);
    Rect::from_min_max(rect.min + vec2(84.0, 0.0), rect.max)
}

fn object_fact(ui: &mut Ui, scene: &mut Scene<'_>, name: &str, object: Option<ObjectId>, none: &str) {
    let rect = fact_row(ui, name);
    let t = tokens(ui);
    let Some(object) = object else {
        let at = egui::pos2(rect.left(), rect.center().y);
        ui.painter().text(at, egui::Align2::LEFT_CENTER, none, fonts::text(), t.text);
        return;
    };
    let heap = &scene.answers.heap;
    let clicked = scene
        .labels
        .named(heap, object, |of: ObjectName<'_>| of.link_ui(ui, rect, Id::unique(("fact link", name))).clicked());
    if clicked {
        scene.push(Command::Select(object));
    }
}

/// The stack of a thread, innermost frame first.
fn stack_ui(ui: &mut Ui, frames: &[String]) {
    let t = tokens(ui);
    ui.add_space(6.0);
    let row = ui.text_style_height(&egui::TextStyle::Body) + 4.0;
    egui::ScrollArea::both().auto_shrink(false).show_rows(ui, row, frames.len(), |ui, rows| {
        for frame in &frames[rows] {
            ui.horizontal(|ui| {
                ui.add_space(sizes::PAD);
                // The method is what one looks for: it stands out from its class and its place.
                let (path, place) = frame.split_at(frame.find('(').unwrap_or(frame.len()));
                let (class, method) = path.rsplit_once('.').unwrap_or(("", path));
                ui.spacing_mut().item_spacing.x = 0.0;
                let part = |text: &str, color| RichText::new(text).font(fonts::mono()).color(color);
                ui.add(egui::Label::new(part(class, t.muted)).extend());
                ui.add(egui::Label::new(part(if class.is_empty() { "" } else { "." }, t.muted)).extend());
                ui.add(egui::Label::new(part(method, t.text)).extend());
                ui.add(egui::Label::new(part(place, t.faint)).extend());
            });
        }
    });
}
