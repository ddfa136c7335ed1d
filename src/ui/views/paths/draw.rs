//! Drawing of one line of the pane: a step with the reference that holds it, or a chain of steps.

use eframe::egui::{self, Id, Rect, Sense, pos2, vec2};

use crate::ui::ViewContext;
use crate::ui::theme::{Icon, fonts, icons};
use crate::ui::widgets::fitting::fitted;
use crate::ui::widgets::{ObjectName, Row, definition, elided, line_ui, rail};
use heaplens_analysis::PathStep;
use heaplens_analysis::paths::finder::CHOICES;
use heaplens_analysis::paths::text::dotted;
use heaplens_base::Count;
use heaplens_heap::split_class;
use heaplens_tables::paths::details::StepDetails;
use heaplens_tables::paths::lines::{Line, Lines};
use heaplens_tables::paths::query::ShownPath;
use heaplens_tables::reports::elide::UsualCut;

/// Requests of the user for a line.
#[derive(Default)]
pub(super) struct LineActions {
    /// Switch to the next (true) or previous path to a step.
    pub(super) turn: Option<(usize, bool)>,
    /// Ignore the reference to a step.
    pub(super) ignore: Option<usize>,
    /// Open the menu of a step.
    pub(super) menu: Option<usize>,
    /// Expand or collapse a chain.
    pub(super) toggle: Option<usize>,
}

impl LineActions {
    pub(super) fn is_some(&self) -> bool {
        self.turn.is_some() || self.ignore.is_some() || self.menu.is_some() || self.toggle.is_some()
    }
}

/// Number of the current path to a step and of all its paths, by its position from the end and the known number of
/// alternatives.
pub(super) type PathNumbers<'a> = &'a dyn Fn(usize, usize) -> (usize, usize);

pub(super) fn line(
    row: &mut Row<'_>,
    context: &ViewContext<'_>,
    path: &ShownPath,
    lines: &Lines,
    details: &mut StepDetails,
    which: PathNumbers<'_>,
    actions: &mut LineActions,
) {
    let t = row.tokens;
    let right = row.rect.right() - 4.0;
    let last = row.index + 1 == lines.count();
    match lines.at(row.index) {
        Line::Root => {
            let x = rail(row, true, last, true, t.root);
            words(row, x, right, -8.5, "GC root", fonts::small(), t.muted);
            words(row, x, right, 8.0, path.root_kind.name(), fonts::medium(), t.root);
            row.name(format!("GC root: {}", path.root_kind.name()));
            row.hover(definition::sentence(path.root_kind.name()));
        }
        Line::Chain(number) => chain(row, context, path, lines.is_open(number), number, last),
        Line::Step(at) => step(row, context, path, at, last, details, which, actions),
    }
}

/// Draws a chain: steps of one class by one field, as one expandable line.
fn chain(row: &mut Row<'_>, context: &ViewContext<'_>, path: &ShownPath, open: bool, number: usize, last: bool) {
    let Some(chain) = path.chains.get(number) else { return };
    let t = row.tokens;
    let x = rail(row, false, last, false, t.edge);
    let right = row.rect.right() - 24.0;
    let object = path.steps.as_slice().get(chain.first);
    let class = object.map_or("", |&object| &*context.dump.heap.class(object).name);
    let steps = Count(chain.steps as u64);
    words(row, x, right, -8.5, &format!("{} ×{steps}", split_class(class).1), fonts::medium(), t.text);
    words(row, x, right, 9.0, &format!("via {}", dotted(&chain.field)), fonts::mono(), t.field);
    let area = Rect::from_center_size(pos2(row.rect.right() - 14.0, row.rect.center().y), vec2(16.0, 16.0));
    icons::paint(row.ui.painter(), if open { Icon::Open } else { Icon::Closed }, area, 10.0, t.faint);
    row.hover(format!("{steps} steps of {class}, each referenced by the previous one via {}", dotted(&chain.field)));
    row.name(format!("{} {class} ×{steps} via {}", if open { "Collapse" } else { "Expand" }, dotted(&chain.field)));
}

#[expect(clippy::too_many_arguments, reason = "what one line is drawn from, called once")]
fn step(
    row: &mut Row<'_>,
    context: &ViewContext<'_>,
    path: &ShownPath,
    at: usize,
    last: bool,
    details: &mut StepDetails,
    which: PathNumbers<'_>,
    actions: &mut LineActions,
) {
    let t = row.tokens;
    let steps = path.steps.as_slice();
    let (Some(&object), Some(&target)) = (steps.get(at), steps.last()) else { return };
    let (heap, analysis) = (&context.dump.heap, &context.dump.analysis);
    let choices = details.choices(at).unwrap_or(0);
    let known: Option<&PathStep> = details.step(at);
    let dominates = analysis.dominates(object, target);
    let x = rail(row, false, last, dominates, if dominates { t.accent } else { t.faint });
    let right = row.rect.right() - 4.0;
    let id = heap.id_text(object);
    let name = ObjectName { class: &heap.class(object).name, label: known.and_then(|k| k.label.as_deref()), id: &id };
    let upper = row.rect.center().y - 9.0;
    // The first step is held by its root, not by a reference that could be ignored.
    let busy = (row.hovered || row.selected) && at > 0;
    let name_right = if busy { right - 24.0 } else { right };
    let rect = Rect::from_min_max(pos2(x, row.rect.top() + 4.0), pos2(name_right, row.rect.center().y + 1.0));
    name.paint(row.ui, t, rect);
    if busy {
        let rect = Rect::from_center_size(pos2(right - 10.0, upper), vec2(20.0, 20.0));
        if button(row, rect, ("ignore", at), Icon::Cross, "Ignore reference") {
            actions.ignore = Some(at);
        }
        if row.hovered && row.ui.input(|i| i.pointer.secondary_clicked()) {
            actions.menu = Some(at);
        }
    }
    let y = row.rect.center().y + 9.0;
    let mut area = right;
    let (this, of) = if at > 0 { which(steps.len() - at, choices) } else { (1, 1) };
    // The header of the pane shows it for the last step.
    if of > 1 && !last {
        area = turns(row, right, y, at, &of_text(this, of), actions) - 8.0;
    }
    let mut left = x;
    if let Some(name) = known.and_then(|k| k.reference.as_deref()).map(dotted) {
        let size = elided(row.ui, analysis.retained(object).to_string(), fonts::small(), t.faint, f32::INFINITY);
        let most = (area - x - 12.0 - size.size().x).max(36.0);
        let with_via = elided(row.ui, format!("via {name}"), fonts::mono(), t.field, most);
        // In a narrow pane the field matters more than the word.
        let short = || fitted(row.ui, "references", (&name, UsualCut::Middle), (fonts::mono(), t.field), most).0;
        let field = if with_via.elided { short() } else { with_via };
        let width = field.size().x;
        let area = Rect::from_min_size(pos2(left, y - field.size().y / 2.0), field.size());
        row.ui.painter().galley(area.min, field, t.field);
        let from = at.checked_sub(1).and_then(|before| steps.get(before));
        let name = known.and_then(|known| known.reference.as_deref());
        if from.is_some_and(|&from| context.is_removed(from, object, name)) {
            row.strike(area);
        }
        left += width + 10.0;
    }
    let retained = analysis.retained(object);
    let long = elided(row.ui, format!("{retained} retained"), fonts::small(), t.faint, f32::INFINITY);
    let size = if long.size().x > area - left {
        elided(row.ui, retained.to_string(), fonts::small(), t.faint, (area - left).max(10.0))
    } else {
        long
    };
    row.ui.painter().galley(pos2(left, y - size.size().y / 2.0), size, t.faint);
    let note = if dominates {
        "Dominates the object: all paths from GC roots go through this step"
    } else {
        "Some paths from GC roots avoid this step"
    };
    row.hover(format!("{}\nRetained size {} bytes\n{note}", name.plain(), retained.exact()));
    row.name(format!("Step {}: {}", Count(at as u64 + 1), name.plain()));
}

/// Draws `1 of 3 ◂ ▸` at the right end of a line; returns its left edge.
fn turns(row: &mut Row<'_>, right: f32, y: f32, at: usize, text: &str, actions: &mut LineActions) -> f32 {
    let t = row.tokens;
    let area = |n: f32| Rect::from_center_size(pos2(right - 8.0 - 16.0 * n, y), vec2(16.0, 20.0));
    let step = Count(at as u64 + 1);
    if button(row, area(0.0), ("next way", at), Icon::Closed, &format!("Next path to step {step}")) {
        actions.turn = Some((at, true));
    }
    if button(row, area(1.0), ("way before", at), Icon::Back, &format!("Previous path to step {step}")) {
        actions.turn = Some((at, false));
    }
    let galley = elided(row.ui, text.to_owned(), fonts::small(), t.muted, 90.0);
    let left = right - 36.0 - galley.size().x;
    row.ui.painter().galley(pos2(left, y - galley.size().y / 2.0), galley, t.muted);
    left
}

fn button(row: &mut Row<'_>, area: Rect, salt: (&str, usize), icon: Icon, name: &str) -> bool {
    let t = row.tokens;
    let response = row.ui.interact(area, Id::unique(("step of a path", salt)), Sense::CLICK);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    let hot = response.hovered() || response.has_focus();
    icons::paint(row.ui.painter(), icon, area, 9.0, if hot { t.text } else { t.faint });
    response.on_hover_text(name).clicked()
}

/// Line at the left of a step, from the step above to the one below; returns the left edge of its text.
pub(super) fn rail(row: &Row<'_>, first: bool, last: bool, filled: bool, color: egui::Color32) -> f32 {
    let x = row.rect.left() + 20.0;
    rail::paint(row.ui, row.rect, x, (first, last), (filled, color));
    x + 18.0
}

pub(super) fn words(row: &Row<'_>, x: f32, right: f32, dy: f32, text: &str, font: egui::FontId, color: egui::Color32) {
    let area = Rect::from_min_max(pos2(x, row.rect.top()), pos2(right, row.rect.bottom()));
    line_ui(row.ui, area.translate(vec2(0.0, dy)), text, font, color);
}

/// `1 of 3`, or `1 of 1,000+` if there are too many to count.
pub(super) fn of_text(at: usize, of: usize) -> String {
    let (of, more) = if of > CHOICES { (CHOICES, "+") } else { (of, "") };
    format!("{} of {}{more}", Count(at as u64), Count(of as u64))
}
