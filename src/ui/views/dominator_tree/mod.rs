//! The dominator tree as a table: each object below its immediate dominator,
//! unfolded level by level. A level is sorted in the background when it is
//! opened, unless it is small.

mod levels;

use eframe::egui;
use egui::{Id, Key, Modifiers, Rect, Role, Sense, Ui, vec2};

use self::levels::Levels;
use super::copying::{self, AT_MOST};
use super::object_columns::{self, COLUMNS};
use crate::heap::ids::ObjectId;
use crate::ui::command::Command;
use crate::ui::place::Stance;
use crate::ui::scene::Scene;
use crate::ui::theme::icons::{self, Icon};
use crate::ui::theme::{fonts, sizes};
use crate::ui::widgets::filter::Filter;
use crate::ui::widgets::table::{Row, Table, TableOutput, TableState};
use crate::ui::widgets::waiting;
use crate::units::Count;

/// The view.
#[derive(Default)]
pub struct DominatorTree {
    levels: Option<Levels>,
    table: TableState,
    filter: Filter,
    /// The object this view last chose or was told to choose.
    chosen: Option<ObjectId>,
    /// Rows were sorted or filtered: the chosen object may be in another row.
    rearranged: bool,
    /// Rows were sorted anew: what is first now is what somebody wants to see.
    stay_at_top: bool,
    /// How it stood once and is to stand again.
    stands: Option<Stance>,
}

/// What rows ask of the tree while it is only read.
enum Wish {
    Toggle(u64),
}

impl DominatorTree {
    /// Draws the view.
    pub fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let levels = self.levels.get_or_insert_with(|| Levels::new(scene.answers, scene.jobs));
        if let Some(stance) = self.stands.take() {
            let order = object_columns::unmarked(stance.sort);
            let filtered = self.filter.text() != stance.filter;
            self.filter.set(&stance.filter);
            if levels.order() != order {
                levels.put_order(scene.answers, scene.jobs, order, &self.filter);
            } else if filtered {
                levels.filter(scene.answers, scene.jobs, &self.filter);
            }
        }
        let sorted = levels.take_in(scene.answers, scene.jobs);
        let elsewhere = scene.place.object != self.chosen;
        if elsewhere || sorted || std::mem::take(&mut self.rearranged) {
            self.chosen = scene.place.object;
            levels.aim(scene.answers, self.chosen, elsewhere);
        }
        match levels.approach(scene.answers, scene.jobs, &mut self.filter) {
            levels::Aim::Reached(row) if std::mem::take(&mut self.stay_at_top) => {
                self.table.select(Some(row));
                self.table.to_top();
            }
            levels::Aim::Reached(row) => self.table.select_and_show(row),
            levels::Aim::Missing(why) => {
                self.table.select(None);
                scene.push(Command::Say(why));
            }
            levels::Aim::Hidden => self.table.select(None),
            levels::Aim::Nothing => {}
        }
        self.tools_ui(ui, scene);
        self.table_ui(ui, scene);
    }

    fn tools_ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let Some(levels) = &mut self.levels else { return };
        super::objects::tools(ui, |ui| {
            let width = (ui.available_width() * 0.5).clamp(140.0, 320.0);
            let id = Id::unique("filter of the dominator tree");
            if self.filter.ui(ui, id, "Filter the top level by class", width, scene.focus_filter) {
                levels.filter(scene.answers, scene.jobs, &self.filter);
                self.rearranged = true;
            }
            let top = levels.top();
            let text = match (top, self.filter.is_empty()) {
                (Some(n), true) => format!("{} at the top level", Count(n)),
                (Some(n), false) => format!("{} pass the filter", Count(n)),
                (None, _) => String::new(),
            };
            super::objects::hint(ui, &text);
        });
    }

    fn table_ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let Some(levels) = &mut self.levels else { return };
        let room = ui.available_rect_before_wrap();
        let (order, reversed) = levels.order();
        let table = Table {
            name: "Dominator tree",
            columns: &COLUMNS,
            rows: levels.tree.rows(),
            sort: object_columns::marked(order, reversed),
            active: true,
            header: true,
            row_height: sizes::ROW,
        };
        let mut wishes = side_keys(ui, levels, &mut self.table, scene);
        let shown = &*levels;
        let output = table.show(ui, &mut self.table, |row| draw(row, shown, scene, &mut wishes));
        if shown.top() == Some(0) {
            let below = Rect::from_min_max(room.min + vec2(0.0, sizes::HEADER), room.max);
            let (title, hint) = if self.filter.is_empty() {
                ("Nothing is reachable", "No GC root of this dump leads to an object")
            } else {
                ("No class passes the filter", "Only objects at the top level are filtered")
            };
            waiting::empty_ui(ui, below, Icon::Search, title, hint);
        }
        if levels.is_running() {
            waiting::running_ui(ui, Rect::from_min_size(room.min, vec2(room.width(), 2.0)));
        }
        self.obey(scene, &output, wishes);
    }

    fn obey(&mut self, scene: &mut Scene<'_>, output: &TableOutput, mut wishes: Vec<Wish>) {
        let Some(levels) = &mut self.levels else { return };
        if let Some(column) = output.sort {
            levels.sort(scene.answers, scene.jobs, object_columns::order_of(column), &self.filter);
            self.rearranged = true;
            self.stay_at_top = true;
        }
        wishes.extend(output.activated.map(Wish::Toggle));
        let chosen = output.clicked.or(output.moved).and_then(|row| levels.object_at(row));
        if let Some(object) = chosen {
            self.chosen = Some(object);
            let by_keys = output.clicked.is_none();
            scene.push(if by_keys { Command::Pass(object) } else { Command::Select(object) });
        } else if scene.place.object.is_none()
            && self.table.cursor().is_none()
            && let Some(object) = levels.object_at(0)
        {
            self.table.select(Some(0));
            self.chosen = Some(object);
            scene.push(Command::Settle(object));
        }
        scene.select_rows(self.table.selection(), levels.tree.rows() as usize, || {
            self.table.selection().into_iter().flatten().filter_map(|row| levels.object_at(row)).collect()
        });
        for Wish::Toggle(row) in wishes {
            levels.toggle(scene.answers, scene.jobs, row, &mut self.table);
        }
        if scene.copy_rows
            && let Some(range) = self.table.selection()
        {
            let last = (*range.end()).min(range.start() + AT_MOST - 1);
            let spots: Vec<_> = (*range.start()..=last).filter_map(|row| levels.tree.locate(row)).collect();
            let rows: Vec<(usize, ObjectId)> =
                spots.iter().filter_map(|spot| Some((spot.depth, levels.object_in(spot)?))).collect();
            let request = levels.request(&spots, rows.iter().map(|&(_, object)| object).collect(), &self.filter);
            copying::objects(scene, "Dominator tree", rows, request);
        }
        if scene.export {
            let request = Box::new(levels.request_of_level(None, &self.filter));
            scene.push(Command::Export(request, "Dominator tree".to_owned()));
        }
    }

    /// How the tree stands.
    pub fn stance(&self) -> Stance {
        let (order, reversed) = self.levels.as_ref().map(Levels::order).unwrap_or_default();
        let sort = object_columns::marked(order, reversed);
        Stance { filter: self.filter.text().to_owned(), sort, top: self.table.top() }
    }

    /// Puts it as it stood.
    pub fn stand(&mut self, stance: &Stance) {
        self.stands = Some(stance.clone());
        self.table.come_back_to(stance.top);
    }

    /// Whether anything is being worked out.
    pub fn is_running(&self) -> bool {
        self.levels.as_ref().is_none_or(Levels::is_running)
    }
}

/// Right unfolds or goes to the first child, left folds or goes to the row above.
fn side_keys(ui: &Ui, levels: &Levels, table: &mut TableState, scene: &mut Scene<'_>) -> Vec<Wish> {
    let mut wishes = Vec::new();
    let Some(row) = table.cursor() else { return wishes };
    if ui.ctx().egui_wants_keyboard_input() {
        return wishes;
    }
    let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
    let Some(spot) = levels.tree.locate(row) else { return wishes };
    let mut go = |to: u64| {
        if let Some(object) = levels.object_at(to) {
            table.select_and_show(to);
            scene.push(Command::Pass(object));
        }
    };
    if pressed(Key::ArrowRight) {
        match spot.open {
            Some(_) => go(row + 1),
            None => wishes.push(Wish::Toggle(row)),
        }
    }
    if pressed(Key::ArrowLeft) {
        match (spot.open, levels.tree.above(spot.parent)) {
            (Some(_), _) => wishes.push(Wish::Toggle(row)),
            (None, Some((above, index))) => go(levels.tree.row_of(above, index)),
            (None, None) => {}
        }
    }
    wishes
}

fn draw(row: &mut Row<'_>, levels: &Levels, scene: &mut Scene<'_>, wishes: &mut Vec<Wish>) {
    let Some(spot) = levels.tree.locate(row.index) else { return };
    let Some(cell) = row.cell(0) else { return };
    // Deep down the indent stops growing; a number says how deep it is.
    let most = (cell.width() * 0.4 / sizes::INDENT).floor().max(1.0) as usize;
    let mut left = cell.left() + sizes::INDENT * spot.depth.min(most) as f32;
    let tokens = row.tokens;
    row.role(Role::TreeItem);
    if spot.depth > most {
        let text = format!("{}", spot.depth + 1);
        let galley = row.ui.painter().layout_no_wrap(text, fonts::small(), tokens.faint);
        let width = galley.size().x;
        let y = cell.center().y - galley.size().y / 2.0;
        row.ui.painter().galley(egui::pos2(left, y), galley, tokens.faint);
        left += width + 4.0;
    }
    let Some(object) = levels.object_in(&spot) else {
        let text = levels.waiting_text(spot.parent);
        row.name(text.clone());
        let rect = Rect::from_min_max(egui::pos2(left + 20.0, cell.top()), cell.max);
        let galley = crate::ui::widgets::table::elided(row.ui, text, fonts::text(), tokens.faint, rect.width());
        let y = rect.center().y - galley.size().y / 2.0;
        row.ui.painter().galley(egui::pos2(rect.left(), y), galley, tokens.faint);
        return;
    };
    let place = Rect::from_min_max(egui::pos2(left + 20.0, cell.top()), cell.max);
    object_columns::draw(row, scene, object, place);
    if scene.answers.analyzed.dominated(object) > 0 {
        let knob = Rect::from_min_size(egui::pos2(left - 2.0, cell.top()), vec2(20.0, cell.height()));
        let id = Id::unique(("knob of the dominator tree", row.index));
        let response = row.ui.interact(knob, id, Sense::CLICK);
        let (icon, verb) = if spot.open.is_some() { (Icon::Open, "Fold") } else { (Icon::Closed, "Unfold") };
        let color = if response.hovered() { tokens.text } else { tokens.faint };
        icons::paint(row.ui.painter(), icon, knob, 10.0, color);
        let heap = &scene.answers.heap;
        response.widget_info(|| {
            let name = format!("{verb} {} {}", heap.class(object).name, heap.id_text(object));
            egui::WidgetInfo::labeled(Role::DisclosureTriangle, true, name)
        });
        if response.clicked() {
            wishes.push(Wish::Toggle(row.index));
        }
    }
}
