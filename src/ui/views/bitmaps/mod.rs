//! Bitmaps of an Android dump, as a gallery or a list: preview, dimensions, bytes, owner and identical bitmaps.

mod gallery;
mod list;
pub(in crate::ui::views) mod tile;

use crate::ui::export_content::ExportContent;
use std::cmp::Reverse;
use std::sync::Arc;

use eframe::egui::{self, ColorImage, ComboBox, Id, Rect, RichText, Ui, vec2};

use crate::ui::pictures::{self, Pictures};
use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::filter::filter_ui;
use crate::ui::widgets::{TableState, controls, object_menu, toolbar, units, waiting};
use crate::ui::{Command, SelectedBy, ViewContext, ViewState};
use heaplens_analysis::android::bitmaps::Bitmap;
use heaplens_base::Count;
use heaplens_heap::ObjectId;
use heaplens_session::Slot;
use heaplens_tables::export::copy::Row;
use heaplens_tables::query::number_condition::{Quantity, all_are_met};
use heaplens_tables::relations::BITMAPS;
use heaplens_tables::{
    Bitmaps as Table, RowQuery, RowTarget, Table as _, TableContext, TableQuery, TypedFilter, clips,
};

/// Command that takes a dump with pixels, on Android 15 or newer.
const TAKE: &str = "adb shell am dumpheap -b png PROCESS /data/local/tmp/app.hprof";

/// Order of the bitmaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Order {
    /// Most bytes first.
    #[default]
    Bytes,
    /// Most pixels first.
    Pixels,
    /// Identical bitmaps side by side, largest waste first.
    Alike,
    /// By owner.
    Owner,
}

impl Order {
    const ALL: [Self; 4] = [Self::Bytes, Self::Pixels, Self::Alike, Self::Owner];

    fn name(self) -> &'static str {
        match self {
            Self::Bytes => "Largest first",
            Self::Pixels => "Most pixels first",
            Self::Alike => "Group identical",
            Self::Owner => "By owner",
        }
    }
}

/// Display mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Form {
    /// Tiles.
    #[default]
    Gallery,
    /// One per row.
    List,
}

/// User actions in a frame; bitmaps by their position on screen.
#[derive(Default)]
struct BitmapActions {
    clicked: Option<usize>,
    moved: Option<usize>,
    opened: Option<usize>,
    /// Save the image of this bitmap.
    save: Option<ObjectId>,
    /// Copy the image of this bitmap.
    copy: Option<ObjectId>,
}

/// The view.
#[derive(Default)]
pub struct Bitmaps {
    slot: Slot<Arc<Table>>,
    /// Indices of the displayed rows, in order.
    shown: Vec<usize>,
    arranging: Slot<Vec<usize>>,
    is_arranged: bool,
    is_stale: bool,
    order: Order,
    filter: TypedFilter,
    form: Form,
    table: TableState,
    /// Position of the selected bitmap.
    cursor: Option<usize>,
    /// True to scroll to it in the next frame.
    bring: bool,
    /// Selected object when the cursor last followed it.
    followed: Option<ObjectId>,
    pictures: Pictures,
    copying: Slot<ColorImage>,
}

impl ViewPage for Bitmaps {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.ask(context);
        if self.slot.poll() {
            self.is_stale = true;
        }
        self.take_copy(context);
        let area = ui.available_rect_before_wrap();
        let Some(table) = self.slot.get().cloned() else {
            ui.advance_cursor_after_rect(area);
            match self.slot.error() {
                Some(why) => waiting::empty_ui(ui, area, Icon::Warning, "Cannot list the bitmaps", why),
                None => {
                    waiting::empty_ui(ui, area, Icon::Search, "Searching for bitmaps…", "");
                    waiting::progress_ui(ui, area, self.slot.progress().as_ref());
                }
            }
            return;
        };
        let active = ui.memory(|memory| memory.focused().is_none());
        self.tools_ui(ui, context, &table);
        self.arrange(context, &table);
        self.follow(context, &table);
        let area = ui.available_rect_before_wrap();
        if self.shown.is_empty() && !self.is_arranged {
            waiting::line_ui(ui, "Sorting bitmaps…");
        } else if self.shown.is_empty() {
            ui.advance_cursor_after_rect(area);
            let (title, why) = if table.bitmaps_of_heap.bitmaps.is_empty() {
                ("No bitmaps", "The heap has no reachable object of android.graphics.Bitmap")
            } else {
                (
                    "No bitmap matches the filter",
                    "The filter matches object ids, dimensions such as 96x96, formats, owners and names",
                )
            };
            waiting::empty_ui(ui, area, Icon::Picture, title, why);
        } else {
            let actions = if self.form == Form::List {
                self.list_ui(ui, context, &table, active)
            } else {
                self.gallery_ui(ui, context, &table, active)
            };
            self.handle(context, &table, &actions);
        }
        if context.copies_rows() {
            self.copy_rows(context, &table);
        }
        if context.exports() {
            let rows = RowQuery { filter: self.filter.understood(), ..RowQuery::default() };
            let query = TableQuery::new(&BITMAPS, rows);
            context.export(ExportContent::Rows(query), "Bitmaps");
        }
        self.pictures.tick(ui.ctx(), context.dump, context.jobs);
    }

    fn is_running(&self) -> bool {
        let is_wanted = !self.is_asked() || self.is_stale;
        is_wanted
            || self.slot.is_at_work()
            || self.arranging.is_at_work()
            || self.pictures.is_running()
            || self.copying.is_at_work()
    }

    fn view_state(&self) -> Option<ViewState> {
        let order = Order::ALL.iter().position(|&order| order == self.order).unwrap_or(0);
        let (filter, top) = (self.filter.text().to_owned(), self.table.top());
        Some(ViewState { filter, sort: Some((order, self.form == Form::List)), top, ..ViewState::default() })
    }

    fn restore(&mut self, view_state: &ViewState) {
        self.filter.set(&view_state.filter);
        if let Some((order, is_list)) = view_state.sort {
            self.order = Order::ALL.get(order).copied().unwrap_or_default();
            self.form = if is_list { Form::List } else { Form::Gallery };
        }
        self.table.come_back_to(view_state.top);
        (self.is_stale, self.bring) = (true, true);
    }
}

impl Bitmaps {
    fn is_asked(&self) -> bool {
        self.slot.is_running() || self.slot.get().is_some() || self.slot.error().is_some()
    }

    fn ask(&mut self, context: &ViewContext<'_>) {
        if self.is_asked() {
            return;
        }
        let dump = context.dump.clone();
        self.slot.ask(context.jobs, "bitmaps", move |task| {
            let from = TableContext::of(&dump).with_namer(dump.namer(task)?);
            Ok(Arc::new(Table::of(from, task)?))
        });
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, table: &Table) {
        toolbar::tools(ui, |ui| {
            let t = tokens(ui);
            let width = (ui.available_width() * 0.26).clamp(120.0, 240.0);
            let id = Id::unique("filter of bitmaps");
            if filter_ui(&mut self.filter, ui, id, "Filter bitmaps", width, context.focuses_filter()) {
                self.is_stale = true;
            }
            let mut order = self.order;
            let combo = ComboBox::from_id_salt("order of bitmaps").width(112.0);
            let label = |order: Order| format!("Sort: {}", order.name());
            let shown = controls::choice_ui(ui, combo, label, &mut order, Order::ALL, Order::name);
            shown.on_hover_text("Sort order of the bitmaps");
            self.put_order(order);
            let forms =
                [(Form::Gallery, Icon::Tiles, "Show as a gallery"), (Form::List, Icon::Table, "Show as a list")];
            for (form, icon, name) in forms {
                let button = controls::icon_button(ui, icon, name, true);
                if self.form == form {
                    let line = Rect::from_min_max(button.rect.left_bottom() - vec2(-6.0, 2.0), button.rect.max);
                    ui.painter().rect_filled(line.with_max_x(button.rect.right() - 6.0), 1.0, t.accent);
                }
                if button.clicked() {
                    (self.form, self.bring) = (form, true);
                }
            }
            let bitmaps_of_heap = &table.bitmaps_of_heap;
            if !bitmaps_of_heap.bitmaps.is_empty()
                && bitmaps_of_heap.bitmaps.iter().all(|bitmap| bitmap.pixels.is_none())
            {
                let about = "Copy the command that takes a dump with the pixels of bitmaps (Android 15 or newer)";
                if ui.button("Copy command for pixels").on_hover_text(format!("{about}:\n{TAKE}")).clicked() {
                    context
                        .push(Command::Copy(TAKE.to_owned(), "the command that takes a dump with pixels".to_owned()));
                }
            }
            let (in_heap, native, wasted) = bitmaps_of_heap.totals();
            let written = |bytes| units::written(ui.ctx(), bytes);
            let count = bitmaps_of_heap.bitmaps.len() as u64;
            let mut label = Count(count).of("bitmap", "bitmaps");
            // Later parts are the first to be elided.
            for (bytes, what) in [(wasted, "in duplicates"), (in_heap, "in the heap"), (native, "native")] {
                if bytes.0 > 0 {
                    label.extend([" · ", &written(bytes), " ", what]);
                }
            }
            toolbar::hint(ui, &label);
        });
    }

    fn put_order(&mut self, order: Order) {
        self.is_stale |= self.order != order;
        self.order = order;
    }

    /// Requests the table and sorts and filters its rows.
    fn arrange(&mut self, context: &ViewContext<'_>, table: &Arc<Table>) {
        if std::mem::take(&mut self.is_stale) {
            let (dump, table) = (context.dump.clone(), Arc::clone(table));
            let conditions = self.filter.conditions(&Table::number_keys());
            let (filter, order) = (self.filter.pattern().clone(), self.order);
            self.arranging.ask(context.jobs, "bitmap sort", move |task| {
                let from = TableContext::of(&dump);
                let mut rows = Vec::new();
                for row in 0..table.count() {
                    task.checkpoint()?;
                    let number =
                        |column| Quantity::of_cell(&table.cell(from, row, column), dump.analysis.shown.shallow);
                    let meets = all_are_met(&conditions, number);
                    if meets && (filter.is_empty() || table.passes(from, row, &filter)) {
                        rows.push(row);
                    }
                }
                sort(&table, &mut rows, order);
                Ok(rows)
            });
        }
        if let Some(rows) = self.arranging.take_new() {
            let chosen = self.cursor.and_then(|at| self.shown.get(at).copied());
            self.cursor = chosen.and_then(|chosen| rows.iter().position(|&row| row == chosen));
            self.shown = rows;
            (self.is_arranged, self.bring, self.followed) = (true, true, None);
        }
    }

    /// Moves the cursor to the selected object, or to the first bitmap if no bitmap is selected.
    fn follow(&mut self, context: &mut ViewContext<'_>, table: &Table) {
        if self.shown.is_empty() || self.followed.is_some() && self.followed == context.location.object {
            return;
        }
        self.followed = context.location.object;
        let object = |at: usize| Some(table.bitmaps_of_heap.bitmaps.get(*self.shown.get(at)?)?.object);
        let at = context.location.object.and_then(|of| (0..self.shown.len()).find(|&at| object(at) == Some(of)));
        if at.is_some() {
            self.bring |= self.cursor != at;
            self.cursor = at;
        } else if self.cursor.is_none() {
            // Otherwise a related object was selected in another pane.
            self.cursor = Some(0);
            context.select_initially(object(0));
        }
    }

    fn handle(&mut self, context: &mut ViewContext<'_>, table: &Table, actions: &BitmapActions) {
        let object = |shown: &[usize], at: usize| Some(table.bitmaps_of_heap.bitmaps.get(*shown.get(at)?)?.object);
        if let Some(at) = actions.clicked.or(actions.moved) {
            self.cursor = Some(at);
            let by = if actions.clicked.is_some() { SelectedBy::Click } else { SelectedBy::Cursor };
            object(&self.shown, at).into_iter().for_each(|object| context.select_target(RowTarget::Object(object), by));
        }
        let opened = actions.opened.and_then(|at| object(&self.shown, at));
        opened.into_iter().for_each(|object| context.open(RowTarget::Object(object)));
        let named =
            |wanted: ObjectId| table.bitmaps_of_heap.bitmaps.iter().find(|bitmap| bitmap.object == wanted).cloned();
        if let Some(bitmap) = actions.save.and_then(named) {
            let title = format!("bitmap {}", context.dump.heap.id_text(bitmap.object));
            context.export(ExportContent::Picture(Box::new(bitmap)), title);
        }
        if let Some(bitmap) = actions.copy.and_then(named) {
            let dump = context.dump.clone();
            self.copying.ask(context.jobs, "bitmap copy", move |_| pictures::image(&dump, &bitmap));
        }
    }

    fn take_copy(&mut self, context: &mut ViewContext<'_>) {
        if let Some(image) = self.copying.take_new() {
            context.push(Command::CopyPicture(Arc::new(image), "the image".to_owned()));
        } else if let Some(why) = self.copying.error().map(str::to_owned) {
            context.push(Command::Warn(format!("Cannot copy the bitmap: {why}")));
            self.copying = Slot::default();
        }
    }

    fn copy_rows(&self, context: &mut ViewContext<'_>, table: &Arc<Table>) {
        let selected = self.table.selection().filter(|_| self.form == Form::List);
        let rows_selected = selected.map(|rows| (*rows.start() as usize)..=(*rows.end() as usize));
        let rows_selected = rows_selected.or(self.cursor.map(|at| at..=at));
        let rows: Vec<usize> =
            rows_selected.into_iter().flatten().filter_map(|at| self.shown.get(at).copied()).collect();
        let table = Arc::clone(table);
        context.copy(move |dump, _| {
            let from = TableContext::of(dump);
            let columns = table.columns(from);
            let cells =
                |&row: &usize| columns.iter().map(|column| table.cell(from, row, column.index).into_static()).collect();
            let copied = rows.iter().map(|row| Row { depth: 0, cells: cells(row) }).collect();
            let json = clips::json(&*table, dump, rows.iter().copied());
            let rows_selected = rows.iter().map(|&row| row as u32 + 1).map(|number| number..=number).collect();
            let request = TableQuery::new(&BITMAPS, RowQuery { numbers: rows_selected, ..RowQuery::default() });
            let headings = columns.iter().map(|column| column.title);
            Ok(clips::rows(dump, "Bitmaps", &request, headings, copied, json))
        });
    }
}

/// Sorts rows; equal ones keep their order, largest first.
fn sort(table: &Table, rows: &mut [usize], order: Order) {
    let bitmap = |row: &usize| table.bitmaps_of_heap.bitmaps.get(*row);
    match order {
        Order::Bytes => {}
        Order::Pixels => rows.sort_by_key(|row| Reverse(bitmap(row).and_then(Bitmap::count))),
        Order::Alike => rows.sort_by_key(|row| bitmap(row).and_then(|bitmap| bitmap.group).unwrap_or(u32::MAX)),
        Order::Owner => rows.sort_by_key(|&row| (table.owner(row).is_none(), table.owner(row))),
    }
}

fn menu_ui(ui: &mut Ui, bitmap: &Bitmap, actions: &mut BitmapActions) {
    let is_there = bitmap.pixels.is_some();
    let why = if is_there { "" } else { "The dump does not contain the pixels of this bitmap" };
    for (name, of) in [("Save image…", &mut actions.save), ("Copy image", &mut actions.copy)] {
        if ui.add_enabled(is_there, egui::Button::new(name)).on_disabled_hover_text(why).clicked() {
            *of = Some(bitmap.object);
            ui.close();
        }
    }
    ui.separator();
    object_menu::about_ui(ui, bitmap.object, None);
}

/// Draws a caption below a preview.
pub(in crate::ui::views) fn caption(ui: &mut Ui, text: &str) {
    let t = tokens(ui);
    ui.add(egui::Label::new(RichText::new(text).font(fonts::small()).color(t.faint)).truncate());
}
