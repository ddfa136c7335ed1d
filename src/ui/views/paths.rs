//! Held by: the shortest path from a GC root to the chosen object, root on
//! top. Steps that dominate the object are marked: every path passes them.

use eframe::egui;
use egui::{Rect, RichText, Ui, pos2, vec2};

use super::copying;
use crate::analysis::paths::{Path, PathStep, Wish, paths};
use crate::export::command_line::CommandLine;
use crate::export::copy::Body;
use crate::heap::classes::Strength;
use crate::heap::ids::ObjectId;
use crate::session::slot::Slot;
use crate::ui::command::{Command, Verb};
use crate::ui::panes::Pane;
use crate::ui::scene::Scene;
use crate::ui::theme::icons::Icon;
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::object_link::ObjectName;
use crate::ui::widgets::table::{Column, Row, Table, TableState, elided};
use crate::ui::widgets::{controls, waiting};
use crate::units::Count;

const COLUMNS: [Column; 1] = [Column::words("Step", "", 120.0)];
const STEP: f32 = 46.0;
/// Steps that are read at either end of a path.
const ENDS: usize = 500;
/// Steps of a path that the command line writes out without being asked to.
const WHOLE: usize = 100;

/// The path to one object; `None` if there is none.
type Found = (ObjectId, Option<Path>);

/// The pane.
#[derive(Default)]
pub struct Paths {
    slot: Slot<Found>,
    asked: Option<ObjectId>,
    table: TableState,
    copy: bool,
}

impl Paths {
    /// Asks for the path to the chosen object.
    fn ask(&mut self, scene: &Scene<'_>) {
        let Some(object) = scene.place.object else { return };
        if self.asked == Some(object) {
            return;
        }
        self.asked = Some(object);
        let answers = scene.answers.clone();
        self.slot.ask(scene.jobs, "path to a root", move |task| {
            let (heap, contents, analyzed) = (&answers.heap, &*answers.contents, &answers.analyzed);
            let ask = |weakest| paths(heap, contents, analyzed, object, Wish { weakest, count: 1, ends: ENDS }, task);
            let mut found = ask(Strength::Strong)?;
            if found.is_empty() {
                found = ask(Strength::Phantom)?;
            }
            Ok((object, found.into_iter().next()))
        });
    }

    /// Copies the path as soon as it is there.
    pub fn copy(&mut self) {
        self.copy = true;
    }

    /// Takes in what was asked for, also while the pane is hidden.
    pub fn tick(&mut self, scene: &mut Scene<'_>) {
        self.ask(scene);
        if self.slot.poll() {
            let last = self.slot.get().and_then(|(_, p)| p.as_ref()).map_or(0, |p| rows(p) - 1);
            self.table = TableState::default();
            self.table.select_and_show(last);
        }
        if let Some((object, path)) = self.slot.get()
            && self.copy
            && Some(*object) == scene.place.object
        {
            self.copy = false;
            match path.clone() {
                Some(path) => copy(scene, *object, path),
                None => scene.push(Command::Say("No path to copy: no GC root reaches the object".to_owned())),
            }
        }
    }

    /// Draws the pane.
    pub fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        self.header_ui(ui, scene);
        let room = ui.available_rect_before_wrap();
        if let Some(error) = self.slot.error() {
            waiting::empty_ui(ui, room, Icon::Warning, "No path could be found", error);
            return;
        }
        match self.slot.get() {
            None if scene.place.object.is_some() => waiting::line_ui(ui, "Looking for the path…"),
            None => waiting::line_ui(ui, "Choose an object to see what holds it"),
            Some((_, None)) => waiting::empty_ui(
                ui,
                room,
                Icon::Search,
                "Held by nothing",
                "No GC root reaches this object: the next collection would free it",
            ),
            Some((_, Some(path))) => {
                let table = Table {
                    name: "Held by",
                    columns: &COLUMNS,
                    rows: rows(path),
                    sort: None,
                    active: scene.focus == Pane::HeldBy,
                    header: false,
                    row_height: STEP,
                };
                let output = table.show(ui, &mut self.table, |row| draw(row, path));
                if let Some(Line::Step(_, step)) = output.clicked.or(output.activated).map(|row| line_of(path, row)) {
                    scene.push(Command::Select(step.object));
                }
            }
        }
        if self.slot.is_running() {
            waiting::running_ui(ui, Rect::from_min_size(room.min, vec2(room.width(), 2.0)));
        }
    }

    fn header_ui(&self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let path = self.slot.get().and_then(|(_, p)| p.as_ref());
        super::objects::tools(ui, |ui| {
            let t = tokens(ui);
            ui.label(RichText::new("Held by").font(fonts::heading()).color(t.text));
            if let Some(path) = path {
                let steps = match path.length() {
                    1 => "1 step".to_owned(),
                    n => format!("{} steps", Count(n as u64)),
                };
                ui.label(RichText::new(steps).font(fonts::small()).color(t.faint));
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if controls::icon_button(ui, Icon::Cross, "Hide the path (F2)", true).clicked() {
                    scene.push(Command::Toggle(Pane::HeldBy));
                }
                if controls::icon_button(ui, Icon::Copy, "Copy path", path.is_some()).clicked() {
                    scene.push(Command::Do(Verb::CopyPath));
                }
            });
        });
        let width = ui.available_width();
        let line = ui.cursor().min;
        ui.painter().hline(line.x..=(line.x + width), line.y - 0.5, (1.0, tokens(ui).border));
    }

    /// Whether a path is on its way.
    pub fn is_running(&self) -> bool {
        self.slot.is_running()
    }
}

/// Copies a path, with the command that finds it.
fn copy(scene: &mut Scene<'_>, object: ObjectId, path: Path) {
    scene.copy(move |answers, _| {
        let mut command = CommandLine::new("paths", &answers.opened).argument(answers.heap.id_text(object));
        if path.strength != Strength::Strong && answers.opened.rules.weakest == Strength::Phantom {
            command = command.option("strength", "all");
        }
        if path.length() > WHOLE {
            command = command.option("top", ENDS.to_string());
        }
        let title = format!("Path to {}", copying::name(answers, object));
        Ok(copying::clip(answers, &title, command, Body::Path(path)))
    });
}

/// The rail at the left of a step: a line from the step above to the one below.
fn rail(row: &Row<'_>, first: bool, last: bool, filled: bool, color: egui::Color32) -> f32 {
    let x = row.rect.left() + 20.0;
    let y = row.rect.center().y;
    let painter = row.ui.painter();
    let line = (1.5, row.tokens.edge);
    if !first {
        painter.vline(x, row.rect.top()..=(y - 6.0), line);
    }
    if !last {
        painter.vline(x, (y + 6.0)..=row.rect.bottom(), line);
    }
    if filled {
        painter.circle_filled(pos2(x, y), 4.5, color);
    } else {
        painter.circle_stroke(pos2(x, y), 4.0, (1.5, color));
    }
    x + 18.0
}

fn draw(row: &mut Row<'_>, path: &Path) {
    let t = row.tokens;
    let right = row.rect.right() - 4.0;
    let last = row.index + 1 == rows(path);
    let (number, step) = match line_of(path, row.index) {
        Line::Step(number, step) => (number, step),
        Line::Root => {
            let x = rail(row, true, last, true, t.root);
            line(row, x, right, -8.5, "GC root", fonts::small(), t.muted);
            line(row, x, right, 8.0, path.root_kind.name(), fonts::medium(), t.root);
            row.name(format!("GC root: {}", path.root_kind.name()));
            return;
        }
        Line::LeftOut(steps) => {
            let x = rail(row, false, last, false, t.edge);
            let text = format!("{} more steps", Count(steps as u64));
            line(row, x, right, 0.0, &text, fonts::text(), t.muted);
            row.name(text);
            return;
        }
    };
    row.object(step.object);
    let color = if step.dominates { t.accent } else { t.faint };
    let x = rail(row, false, last, step.dominates, color);
    let name = ObjectName { class: &step.class, label: step.label.as_deref(), id: &step.id };
    let upper = Rect::from_min_max(pos2(x, row.rect.top() + 4.0), pos2(right, row.rect.center().y + 1.0));
    name.paint(row.ui, t, upper);
    let via = step.reference.as_deref().map(written);
    let retained = format!("{} retained", step.retained);
    let size = elided(row.ui, retained, fonts::small(), t.faint, right - x);
    let y = row.rect.center().y + 9.0;
    let mut at = x;
    if let Some(via) = via {
        let room = right - x - size.size().x - 10.0;
        let field = elided(row.ui, via, fonts::mono(), t.field, room.max(40.0));
        let width = field.size().x;
        row.ui.painter().galley(pos2(at, y - field.size().y / 2.0), field, t.field);
        at += width + 10.0;
    }
    row.ui.painter().galley(pos2(at, y - size.size().y / 2.0), size, t.faint);
    let note =
        if step.dominates { "Dominates the object: every path passes here" } else { "Other paths lead past this step" };
    row.hover(format!("{}\nRetained size {} bytes\n{note}", name.plain(), step.retained.exact()));
    row.name(format!("Step {number}: {}", name.plain()));
}

fn line(row: &Row<'_>, x: f32, right: f32, dy: f32, text: &str, font: egui::FontId, color: egui::Color32) {
    let galley = elided(row.ui, text.to_owned(), font, color, right - x);
    let y = row.rect.center().y + dy - galley.size().y / 2.0;
    row.ui.painter().galley(pos2(x, y), galley, color);
}

/// `.field`, `[17]`, `<class>`.
fn written(reference: &str) -> String {
    if reference.starts_with(['[', '<']) { reference.to_owned() } else { format!(".{reference}") }
}

/// What is in a row of the pane.
enum Line<'a> {
    Root,
    /// A step, and its number in the whole path.
    Step(usize, &'a PathStep),
    /// Steps in the middle of a long path.
    LeftOut(usize),
}

/// Rows of the pane: the root, the steps, and one for those left out.
fn rows(path: &Path) -> u64 {
    path.steps.len() as u64 + 1 + u64::from(path.omission.is_some())
}

fn line_of(path: &Path, row: u64) -> Line<'_> {
    let Some(at) = usize::try_from(row).ok().and_then(|r| r.checked_sub(1)) else { return Line::Root };
    let (at, passed) = match path.omission {
        Some(omission) if at == omission.after => return Line::LeftOut(omission.steps),
        Some(omission) if at > omission.after => (at - 1, omission.steps),
        _ => (at, 0),
    };
    path.steps.get(at).map_or(Line::Root, |step| Line::Step(at + passed + 1, step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::paths::Omission;
    use crate::heap::roots::RootKind;

    #[test]
    fn steps_after_those_left_out_keep_their_numbers() {
        let step = PathStep {
            object: ObjectId::from_raw(1).expect("an id"),
            id: "0x1".to_owned(),
            class: "big.Node".to_owned(),
            label: None,
            shallow: crate::units::Bytes(24),
            retained: crate::units::Bytes(48),
            reference: None,
            dominates: true,
        };
        let omission = Some(Omission { after: 2, steps: 6_000 });
        let path = Path { root_kind: RootKind::Thread, strength: Strength::Strong, steps: vec![step; 3], omission };
        assert_eq!(rows(&path), 5);
        assert!(matches!(line_of(&path, 3), Line::LeftOut(6_000)));
        assert!(matches!(line_of(&path, 4), Line::Step(6_003, _)));
    }
}
