//! The palette: type part of a name, choose, done. It finds commands, views,
//! classes, and objects by their id.

pub mod matching;

use eframe::egui;
use egui::{Align2, Area, Context, Id, Key, Modifiers, Rect, Role, Sense, TextEdit, vec2};

use crate::ui::command::{Command, TABLE, Verb};
use crate::ui::scene::Answers;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::widgets::table::elided;

/// Rows offered at most.
const ROWS: usize = 12;

/// The palette while it is open.
#[derive(Default)]
pub struct Palette {
    text: String,
    at: usize,
    asked: bool,
}

struct Offer {
    name: String,
    kind: &'static str,
    more: String,
    command: Command,
}

/// How well `name` fits what was typed; smaller is better, `None` not at all.
fn fits(name: &str, typed: &str) -> Option<usize> {
    let (name, typed) = (name.to_lowercase(), typed.trim().to_lowercase());
    if typed.is_empty() {
        return Some(1_000);
    }
    if let Some(at) = name.find(&typed) {
        let starts_word = at == 0 || name[..at].ends_with([' ', '.', '$', '/']);
        return Some(if starts_word { 0 } else { 100 } + (name.len() - typed.len()).min(99));
    }
    // All letters in order, gaps counted.
    let mut letters = typed.chars().filter(|c| !c.is_whitespace()).peekable();
    let mut gaps = 0;
    for c in name.chars() {
        match letters.peek() {
            Some(&l) if l == c => drop(letters.next()),
            Some(_) => gaps += 1,
            None => break,
        }
    }
    letters.peek().is_none().then_some(200 + gaps)
}

impl Palette {
    fn offers(&self, ctx: &Context, usable: &dyn Fn(Verb) -> bool, answers: Option<&Answers>) -> Vec<Offer> {
        let mut found: Vec<(usize, Offer)> = Vec::new();
        for entry in TABLE.iter().filter(|e| e.verb != Verb::Palette && usable(e.verb)) {
            if let Some(rank) = fits(entry.name, &self.text) {
                let more = entry.keys.first().map(|k| ctx.format_shortcut(k)).unwrap_or_default();
                let command = Command::Do(entry.verb);
                found.push((rank, Offer { name: entry.name.to_owned(), kind: "Command", more, command }));
            }
        }
        if let Some(answers) = answers {
            if let Some(object) = answers.heap.find(&self.text) {
                let name = format!("{} {}", answers.heap.class(object).name, answers.heap.id_text(object));
                let more = answers.analyzed.retained(object).to_string();
                found.push((0, Offer { name, kind: "Object", more, command: Command::Select(object) }));
            }
            if self.text.trim().len() >= 2 {
                for (class, row) in answers.heap.classes.iter() {
                    let objects = answers.analyzed.class_totals(class).objects;
                    let Some(rank) = fits(&row.name, &self.text).filter(|_| objects > 0) else { continue };
                    if found.len() > 4_000 {
                        break;
                    }
                    let more = format!("{} objects", crate::units::Count(objects));
                    let name = row.name.to_string();
                    found.push((rank + 10, Offer { name, kind: "Class", more, command: Command::ObjectsOf(class) }));
                }
            }
        }
        found.sort_by_key(|&(rank, _)| rank);
        found.into_iter().map(|(_, offer)| offer).take(ROWS).collect()
    }

    /// Draws the palette; false once it is closed.
    pub fn ui(
        &mut self,
        ctx: &Context,
        usable: &dyn Fn(Verb) -> bool,
        answers: Option<&Answers>,
        commands: &mut Vec<Command>,
    ) -> bool {
        let offers = self.offers(ctx, usable, answers);
        let key = |key| ctx.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        if key(Key::Escape) {
            return false;
        }
        if key(Key::ArrowDown) {
            self.at += 1;
        }
        if key(Key::ArrowUp) {
            self.at = self.at.saturating_sub(1);
        }
        self.at = self.at.min(offers.len().saturating_sub(1));
        let mut chosen = key(Key::Enter).then_some(self.at);
        let width = 560.0_f32.min(ctx.content_rect().width() - 40.0);
        let area = Area::new(Id::unique("palette")).anchor(Align2::CENTER_TOP, vec2(0.0, 72.0));
        let shown = area.order(egui::Order::Foreground).show(ctx, |ui| {
            egui::Frame::popup(ui.style()).inner_margin(8.0).corner_radius(10.0).show(ui, |ui| {
                ui.set_width(width);
                ui.spacing_mut().item_spacing.y = 1.0;
                let edit = TextEdit::singleline(&mut self.text)
                    .id(Id::unique("palette text"))
                    .hint_text("Command, class, or object id")
                    .margin(egui::Margin::symmetric(10, 8))
                    .desired_width(f32::INFINITY);
                let response = ui.add(edit);
                ctx.accesskit_node_builder(response.id, |node| node.set_label("Do anything"));
                if !std::mem::replace(&mut self.asked, true) {
                    response.request_focus();
                }
                if response.changed() {
                    self.at = 0;
                }
                ui.add_space(4.0);
                for (i, offer) in offers.iter().enumerate() {
                    if offer_ui(ui, offer, i == self.at) {
                        chosen = Some(i);
                    }
                }
                if offers.is_empty() {
                    ui.label("Nothing of that name");
                }
            });
        });
        if let Some(offer) = chosen.and_then(|i| offers.get(i)) {
            commands.push(offer.command.clone());
            return false;
        }
        let outside = ctx.input(|i| i.pointer.any_pressed())
            && ctx.input(|i| i.pointer.interact_pos()).is_some_and(|p| !shown.response.rect.contains(p));
        !outside
    }
}

fn offer_ui(ui: &mut egui::Ui, offer: &Offer, chosen: bool) -> bool {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 30.0), Sense::CLICK);
    response.widget_info(|| {
        egui::WidgetInfo::selected(Role::MenuItem, true, chosen, format!("{} {}", offer.kind, offer.name))
    });
    if chosen || response.hovered() {
        let fill = if chosen { t.selected } else { t.hover };
        ui.painter().rect_filled(rect, f32::from(sizes::CORNER), fill);
    }
    let kind = Rect::from_min_size(rect.min + vec2(10.0, 0.0), vec2(66.0, rect.height()));
    ui.painter().text(kind.left_center(), Align2::LEFT_CENTER, offer.kind, fonts::small(), t.faint);
    let more = ui.painter().layout_no_wrap(offer.more.clone(), fonts::small(), t.muted);
    let right = rect.right() - 10.0 - more.size().x;
    ui.painter().galley(egui::pos2(right, rect.center().y - more.size().y / 2.0), more, t.muted);
    let name = elided(ui, offer.name.clone(), fonts::text(), t.text, right - kind.right() - 8.0);
    ui.painter().galley(egui::pos2(kind.right(), rect.center().y - name.size().y / 2.0), name, t.text);
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn beginnings_of_words_come_first() {
        let rank = |name| fits(name, "hash");
        assert!(rank("java.util.HashMap") < rank("my.RehashTable"));
        assert!(rank("my.RehashTable") < rank("Has a shelf"));
        assert_eq!(rank("String"), None);
        assert!(fits("Dominator tree", "domtr").is_some());
    }
}
