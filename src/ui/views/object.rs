//! The inspector: details of the selected object. Those of the previous object stay visible, dimmed, until the new ones
//! are read.

use eframe::egui::{self, Rect, RichText, Ui, vec2};

use super::baseline_object::{self, BaselineObject};
use super::bitmap::BitmapPicture;
use super::bytes::{self, Bytes};
use super::dominated::Dominated;
use super::elements::Elements;
use super::entries::Entries;
use super::note::{NoteEditor, star_ui};
use super::references::Neighbours;
use super::{changes, copying, fields, group, object_facts, object_verdict};
use crate::ui::panes::InspectorTab;
use crate::ui::theme::{Icon, fonts, sizes, tokens};
use crate::ui::widgets::{TableState, controls, tabs, waiting};
use crate::ui::{Command, Pane, Reference, Verb, ViewContext};
use heaplens_analysis::object::describe;
use heaplens_analysis::{Direction, ObjectDetails};
use heaplens_base::Count;
use heaplens_base::invisible::visible_line;
use heaplens_heap::{Heap, ObjectId, split_class};
use heaplens_session::Slot;
use heaplens_tables::export::printable::printable;

/// Maximum number of characters of a string that are read.
const CHARACTERS: usize = 10_000;
/// Width of the copy button right of the tabs, with its margins, in points.
const COPY: f32 = 42.0;

/// A tab with its name and number of rows.
type Look = (InspectorTab, &'static str, Option<Count>);

/// The pane.
#[derive(Default)]
pub struct Inspector {
    slot: Slot<ObjectDetails>,
    requested: Option<ObjectId>,
    look: InspectorTab,
    fields: TableState,
    elements: Elements,
    bytes: Bytes,
    entries: Entries,
    dominated: Dominated,
    incoming: Neighbours,
    outgoing: Neighbours,
    note: NoteEditor,
    picture: BitmapPicture,
    copy: Option<ObjectId>,
    /// The object in the baseline, in a comparison.
    beside: BaselineObject,
    changes: TableState,
    /// True in a comparison.
    compares: bool,
}

/// Minimum width and maximum height of a low and wide pane, and width of the facts in it, in points.
const LOW: egui::Vec2 = vec2(640.0, 480.0);
const FACTS: f32 = 330.0;

impl Inspector {
    /// Takes over results, also of hidden tabs.
    pub fn tick(&mut self) {
        if self.slot.poll() {
            self.fields = TableState::default();
            self.changes = TableState::default();
        }
        self.elements.poll();
        self.bytes.poll();
        self.dominated.poll();
        self.entries.poll();
        self.beside.poll();
        self.picture.poll();
    }

    /// Draws the pane.
    pub fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.ask(context);
        if context.comparing.is_some() != self.compares {
            // In a comparison, the changes are the interesting part.
            self.compares = context.comparing.is_some();
            self.look = if self.compares { InspectorTab::Changes } else { InspectorTab::default() };
        }
        let area = ui.available_rect_before_wrap();
        if let Some(error) = self.slot.error() {
            return waiting::empty_ui(ui, area, Icon::Warning, "Cannot read the object", error);
        }
        let Some(details) = self.slot.get() else {
            if context.location.object.is_some() {
                waiting::line_ui(ui, "Reading the object…");
            } else if let Some(count) = group::count(context) {
                group::ui(ui, context, count);
            } else {
                let hint = "Select a row to inspect its sizes, fields and references";
                waiting::empty_pane_ui(ui, Icon::Table, "No object is selected", hint);
            }
            return;
        };
        let stale = context.location.object != Some(details.object);
        if stale {
            ui.multiply_opacity(0.6);
        }
        ui.spacing_mut().item_spacing.y = 4.0;
        let frame = egui::Frame::NONE.inner_margin(egui::Margin::symmetric(sizes::PAD as i8, 8));
        let mut header_ui = |ui: &mut Ui, context: &mut ViewContext<'_>| {
            frame.show(ui, |ui| {
                header_ui(ui, context, details);
                self.picture.ui(ui, context, details.object);
                self.note.ui(ui, context, details.object, &details.id);
            });
        };
        // In a low and wide pane, the facts are beside the fields, not above them.
        let mut beside;
        let (ui, area) = if area.width() >= LOW.x && area.height() < LOW.y {
            let (facts, rest) = area.split_left_right_at_x(area.left() + FACTS);
            let mut at_left = ui.new_child(egui::UiBuilder::new().max_rect(facts));
            egui::ScrollArea::vertical()
                .id_salt(("facts", details.object))
                .show(&mut at_left, |ui| header_ui(ui, context));
            ui.painter().vline(facts.right(), area.y_range(), (1.0, tokens(ui).border));
            ui.advance_cursor_after_rect(area);
            beside = ui.new_child(egui::UiBuilder::new().max_rect(rest.with_min_x(rest.left() + 1.0)));
            beside.add_space(8.0);
            (&mut beside, rest)
        } else {
            header_ui(ui, context);
            (ui, area)
        };
        let object = details.object;
        self.incoming.ask(context, object, Direction::Incoming);
        self.outgoing.ask(context, object, Direction::Outgoing);
        self.beside.ask(context, object);
        if let Some(look) = context.requests.inspector_tab() {
            self.look = look;
        }
        let looks = self.looks(details);
        // Fall back to the tab that all objects have.
        let look = if looks.iter().any(|&(look, ..)| look == self.look) { self.look } else { InspectorTab::Contents };
        if context.focus == Pane::Inspector {
            match look {
                InspectorTab::Incoming => self.incoming.side_keys(ui, context),
                InspectorTab::Outgoing => self.outgoing.side_keys(ui, context),
                InspectorTab::Dominated => self.dominated.take_side_keys(ui),
                _ => {}
            }
        }
        self.look = step_look(ui, context, look, &looks).unwrap_or(self.look);
        ui.horizontal(|ui| {
            ui.add_space(2.0);
            let tab = |&(_, name, count): &Look| tabs::Tab { name, count: count.map(|n| super::opening::short(n.0)) };
            let tabs: Vec<tabs::Tab> = looks.iter().map(tab).collect();
            let now = looks.iter().position(|&(of, ..)| of == look);
            if let Some(at) = tabs::tabs_ui(ui, &tabs, now, area.width() - COPY) {
                self.look = looks[at].0;
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.add_space(6.0);
                if controls::icon_button(ui, Icon::Copy, "Copy inspector rows", !stale).clicked() {
                    context.push(Command::from(Verb::CopyInspector));
                }
            });
        });
        let line = ui.cursor().min - vec2(0.0, 4.0);
        ui.painter().hline(area.x_range(), line.y, (1.0, tokens(ui).border));
        ui.advance_cursor_after_rect(Rect::from_min_size(line, vec2(0.0, 0.0)));
        match look {
            InspectorTab::Changes => {
                if let Some(entries) = self.beside.of(object).and_then(|both| both.entries.as_ref()) {
                    changes::ui(ui, context, &mut self.changes, entries);
                }
            }
            InspectorTab::Stack => stack_ui(ui, details.object, &details.stack),
            InspectorTab::Site => stack_ui(ui, details.object, &details.allocated),
            InspectorTab::Incoming => self.incoming.ui(ui, context),
            InspectorTab::Outgoing => self.outgoing.ui(ui, context),
            InspectorTab::Dominated => self.dominated.ui(ui, context, object),
            InspectorTab::Bytes => {
                let width = bytes::width_of(&details.class_name).unwrap_or(1);
                self.bytes.ui(ui, context, object, details.length.unwrap_or(0), width);
            }
            InspectorTab::Contents if let Some(collection) = details.collection => {
                self.entries.ui(ui, context, object, collection);
            }
            InspectorTab::Contents | InspectorTab::Fields => {
                if let Some(error) = &details.unreadable {
                    ui.label(RichText::new(error).color(tokens(ui).warn));
                }
                match details.length {
                    Some(length) => self.elements.ui(ui, context, object, length),
                    None if details.is_array && details.unreadable.is_none() => {
                        let area = ui.available_rect_before_wrap();
                        let why = "Elements are read from the dump file. Put the file back, then reload";
                        waiting::empty_ui(ui, area, Icon::File, "Elements not available", why);
                    }
                    None => fields::ui(ui, context, &mut self.fields, details, self.beside.of(object)),
                }
            }
        }
        if !stale && self.copy.take() == Some(object) {
            self.copy_rows(context);
        }
        if self.slot.is_running() {
            waiting::running_ui(ui, area);
        }
    }

    /// Tabs of the object, with their names and number of rows.
    fn looks(&self, details: &ObjectDetails) -> Vec<Look> {
        let object = Some(details.object);
        let fields = Some(Count(details.fields.len() as u64));
        let mut looks = Vec::new();
        if let Some(entries) = self.beside.of(details.object).and_then(|both| both.entries.as_ref()) {
            looks.push((InspectorTab::Changes, "Changes", Some(Count(entries.added + entries.removed))));
        }
        looks.push(match (details.length, details.stands_for) {
            _ if let Some((_, size)) = details.collection => (InspectorTab::Contents, "Entries", Some(Count(size))),
            (Some(length), _) => (InspectorTab::Contents, "Elements", Some(Count(length))),
            (None, _) if details.is_array => (InspectorTab::Contents, "Elements", None),
            (None, Some(_)) => (InspectorTab::Contents, "Statics", fields),
            (None, None) => (InspectorTab::Contents, "Fields", fields),
        });
        if details.collection.is_some() {
            looks.push((InspectorTab::Fields, "Fields", fields));
        }
        if details.length.is_some() && bytes::width_of(&details.class_name).is_some() {
            looks.push((InspectorTab::Bytes, "Hex", None));
        }
        looks.push((InspectorTab::Incoming, "Incoming", self.incoming.count(object)));
        looks.push((InspectorTab::Outgoing, "Outgoing", self.outgoing.count(object)));
        if details.dominated > 0 {
            looks.push((InspectorTab::Dominated, "Dominated", None));
        }
        if !details.allocated.is_empty() {
            looks.push((InspectorTab::Site, "Allocated", None));
        }
        if !details.stack.is_empty() {
            looks.push((InspectorTab::Stack, "Stack", Some(Count(details.stack.len() as u64))));
        }
        looks
    }

    /// Copies the listed rows, once they are read.
    pub fn copy(&mut self, object: Option<ObjectId>) {
        self.copy = object;
    }

    fn copy_rows(&self, context: &mut ViewContext<'_>) {
        let Some(details) = self.slot.get() else { return };
        match self.look {
            InspectorTab::Incoming => self.incoming.copy(context),
            InspectorTab::Outgoing => self.outgoing.copy(context),
            InspectorTab::Contents if details.collection.is_some() => self.entries.copy(context),
            InspectorTab::Contents | InspectorTab::Bytes if details.length.is_some() => self.elements.copy(context),
            InspectorTab::Dominated | InspectorTab::Stack | InspectorTab::Site | InspectorTab::Changes => {
                copying::object(context, details.object);
            }
            InspectorTab::Contents | InspectorTab::Fields | InspectorTab::Bytes => {
                fields::copy(context, &self.fields, details);
            }
        }
    }

    /// Reference in the selected row.
    pub fn reference(&self, heap: &Heap) -> Option<Reference> {
        let details = self.slot.get()?;
        match self.look {
            InspectorTab::Incoming => self.incoming.selected(heap),
            InspectorTab::Outgoing => self.outgoing.selected(heap),
            InspectorTab::Contents if details.collection.is_some() => None,
            InspectorTab::Contents if details.length.is_some() => self.elements.selected(heap),
            InspectorTab::Contents | InspectorTab::Fields => fields::selected(heap, &self.fields, details),
            InspectorTab::Bytes
            | InspectorTab::Dominated
            | InspectorTab::Stack
            | InspectorTab::Site
            | InspectorTab::Changes => None,
        }
    }

    fn ask(&mut self, context: &ViewContext<'_>) {
        let Some(object) = context.location.object else {
            if self.requested.take().is_some() {
                self.slot = Slot::default();
            }
            return;
        };
        if self.requested.replace(object) == Some(object) {
            return;
        }
        let dump = context.dump.clone();
        self.slot.ask(context.jobs, "inspect an object", move |_| Ok(describe(dump.data(), object, CHARACTERS)));
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        self.slot.is_at_work()
            || self.incoming.is_running()
            || self.outgoing.is_running()
            || self.elements.is_running()
            || self.bytes.is_running()
            || self.dominated.is_running()
            || self.entries.is_running()
            || self.beside.is_running()
            || self.picture.is_running()
    }
}

/// Left and right switch tabs while the inspector has the focus, except in trees.
fn step_look(ui: &Ui, context: &ViewContext<'_>, now: InspectorTab, looks: &[Look]) -> Option<InspectorTab> {
    if context.focus != Pane::Inspector || ui.ctx().egui_wants_keyboard_input() {
        return None;
    }
    let pressed = |key| ui.input_mut(|i| i.consume_key(egui::Modifiers::NONE, key));
    let at = looks.iter().position(|&(look, ..)| look == now)?;
    let to = match (pressed(egui::Key::ArrowRight), pressed(egui::Key::ArrowLeft)) {
        (true, _) => at + 1,
        (_, true) => at.checked_sub(1)?,
        _ => return None,
    };
    looks.get(to).map(|&(look, ..)| look)
}

/// Address-free name on at most two lines; a click copies it.
fn name_ui(ui: &mut Ui, context: &mut ViewContext<'_>, object: ObjectId) {
    let Some(name) = context.labels.name(object).map(str::to_owned) else { return };
    let t = tokens(ui);
    let mut job = egui::text::LayoutJob::simple(name.clone(), fonts::small(), t.muted, ui.available_width());
    job.wrap.max_rows = 2;
    job.wrap.break_anywhere = true;
    let response = ui.add(egui::Label::new(job).sense(egui::Sense::click()).selectable(false));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Copy name {name}")));
    if response.on_hover_text(format!("{name}\n\nClick to copy this name, which is stable across dumps")).clicked() {
        context.push(Command::Copy(name, "the name".to_owned()));
    }
}

fn header_ui(ui: &mut Ui, context: &mut ViewContext<'_>, details: &ObjectDetails) {
    let t = tokens(ui);
    let stands_for = details.label.as_deref().filter(|_| details.stands_for.is_some());
    let class = visible_line(stands_for.unwrap_or(&details.class_name));
    let (package, name) = split_class(&class);
    let package = package.trim_end_matches('.');
    ui.horizontal(|ui| {
        let words = if stands_for.is_some() { format!("class object  ·  {package}") } else { package.to_owned() };
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if controls::icon_button(ui, Icon::Cross, "Hide the inspector (F4)", true).clicked() {
                context.push(Command::Toggle(Pane::Inspector));
            }
            star_ui(ui, context, &details.id);
            object_verdict::flag_ui(ui, context, details);
            // Use the rest of the line only: a long package name must not widen the pane.
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let text = RichText::new(&words).font(fonts::small()).color(t.muted);
                ui.add(egui::Label::new(text).truncate()).on_hover_text(words);
            });
        });
    });
    let title = RichText::new(name).font(fonts::heading()).color(t.text);
    ui.add(egui::Label::new(title).truncate()).on_hover_text(stands_for.unwrap_or(&details.class_name));
    ui.horizontal(|ui| {
        let id =
            egui::Label::new(RichText::new(&details.id).font(fonts::mono()).color(t.faint)).sense(egui::Sense::click());
        if ui.add(id).on_hover_text("Copy id").clicked() {
            context.push(Command::from(Verb::CopyId));
        }
        if let Some(length) = details.length {
            ui.label(RichText::new(Count(length).of("element", "elements")).color(t.muted));
        } else if let Some(label) = details.label.as_deref().filter(|_| details.text.is_none() && stands_for.is_none())
        {
            ui.add(egui::Label::new(RichText::new(label).color(t.label)).truncate()).on_hover_text(label);
        }
    });
    chain_ui(ui, context, details.object);
    name_ui(ui, context, details.object);
    object_verdict::ui(ui, context, details);
    baseline_object::line_ui(ui, context, details.object);
    if let Some(text) = &details.text {
        text_ui(ui, details.object, text);
    }
    if let Some(missing) = details.missing_text {
        ui.label(RichText::new(format!("String value: {missing}")).color(t.muted));
    }
    if !details.roots.is_empty() || !details.reachable {
        ui.horizontal_wrapped(|ui| {
            for root in &details.roots {
                controls::pill(ui, root.name(), t.root, "GC root of this kind: never freed by the garbage collector");
            }
            if !details.reachable {
                let is_freed = context.dump.heap.is_freed(details.object);
                controls::pill(ui, if is_freed { "Freed" } else { "Unreachable" }, t.warn, "");
            }
        });
    }
    ui.add_space(2.0);
    object_facts::ui(ui, context, details);
}

/// Name of the chain in whose row the object is: the row selects its first object.
fn chain_ui(ui: &mut Ui, context: &ViewContext<'_>, object: ObjectId) {
    let Some(group) = context.selection.group().filter(|_| context.location.object == Some(object)) else { return };
    let text = visible_line(&format!("First of the chain {}", group.name)).into_owned();
    let words = RichText::new(&text).font(fonts::small()).color(tokens(ui).text);
    ui.add(egui::Label::new(words).truncate()).on_hover_text(text);
}

/// First lines of the content of a string.
fn text_ui(ui: &mut Ui, of: ObjectId, text: &str) {
    let t = tokens(ui);
    let frame = egui::Frame::NONE.fill(t.surface).stroke((1.0, t.border)).corner_radius(6.0).inner_margin(8.0);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        egui::ScrollArea::vertical().max_height(96.0).id_salt(("text", of)).show(ui, |ui| {
            let words = if text.is_empty() { "(empty)".into() } else { printable(text) };
            let color = if text.is_empty() { t.faint } else { t.label };
            let label = egui::Label::new(RichText::new(&*words).font(fonts::mono()).color(color));
            ui.add(label.wrap().selectable(true));
        });
    });
}

/// Stack of a thread, innermost frame first.
fn stack_ui(ui: &mut Ui, of: ObjectId, frames: &[String]) {
    let t = tokens(ui);
    ui.add_space(6.0);
    let row = ui.text_style_height(&egui::TextStyle::Body) + 4.0;
    egui::ScrollArea::both().id_salt(("stack", of)).auto_shrink(false).show_rows(ui, row, frames.len(), |ui, rows| {
        for frame in &frames[rows] {
            ui.horizontal(|ui| {
                ui.add_space(sizes::PAD);
                // The method is highlighted: it matters most.
                let (path, source) = frame.split_at(frame.find('(').unwrap_or(frame.len()));
                let (class, method) = path.rsplit_once('.').unwrap_or(("", path));
                ui.spacing_mut().item_spacing.x = 0.0;
                let part = |text: &str, color| RichText::new(visible_line(text)).font(fonts::mono()).color(color);
                ui.add(egui::Label::new(part(class, t.muted)).extend());
                ui.add(egui::Label::new(part(if class.is_empty() { "" } else { "." }, t.muted)).extend());
                ui.add(egui::Label::new(part(method, t.text)).extend());
                ui.add(egui::Label::new(part(source, t.faint)).extend());
            });
        }
    });
}
