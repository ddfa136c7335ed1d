//! Objects and bytes by class. The same table shows the census while a dump is
//! being opened, and the histogram with retained sizes once it is open.

use std::sync::Arc;

use eframe::egui;
use egui::{Id, Rect, Ui, vec2};

use super::copying::{self, AT_MOST};
use super::object_columns::exact;
use super::objects::{hint, tools};
use super::report::{Report, groups};
use crate::analysis::histogram::{self as analysis, ClassOrder, HistogramRow};
use crate::answers::request::{Request, Subject};
use crate::answers::{Arrangement, Classes, Table as _};
use crate::export::copy::{self, Body, Clip, Rows};
use crate::heap::census::Census;
use crate::heap::ids::ClassId;
use crate::session::slot::Slot;
use crate::ui::command::Command;
use crate::ui::place::Stance;
use crate::ui::scene::{Answers, Scene};
use crate::ui::theme::icons::Icon;
use crate::ui::theme::sizes;
use crate::ui::widgets::filter::Filter;
use crate::ui::widgets::find::Find;
use crate::ui::widgets::object_link::ObjectName;
use crate::ui::widgets::table::{Column, Row, Table, TableOutput, TableState};
use crate::ui::widgets::waiting;
use crate::units::{Bytes, Count, Share};

/// One class.
struct ClassRow {
    class: Option<ClassId>,
    name: Box<str>,
    objects: u64,
    shallow: Bytes,
    retained: Option<Bytes>,
}

const COLUMNS: [Column; 4] = [
    Column::words("Class", "Class name", 240.0),
    Column::numbers("Objects", "How many objects of the class there are", 116.0, 6),
    Column::numbers("Shallow size", "Bytes its objects take by themselves, together", 176.0, 7),
    Column::numbers("Retained size", "Bytes its objects keep alive together, each byte once", 176.0, 8),
];

/// The rows, in the order in which they are shown.
pub struct ClassTable {
    rows: Vec<ClassRow>,
    shown: Vec<u32>,
    objects: u64,
    shallow: Bytes,
    by: usize,
    descending: bool,
    stale: bool,
    filter: Filter,
    table: TableState,
    find: Find,
    chosen: Option<ClassId>,
}

impl Default for ClassTable {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            shown: Vec::new(),
            objects: 0,
            shallow: Bytes(0),
            by: 2,
            descending: true,
            stale: true,
            filter: Filter::default(),
            table: TableState::default(),
            find: Find::default(),
            chosen: None,
        }
    }
}

/// What keys ask of the table.
#[derive(Debug, Clone, Copy, Default)]
struct Asked {
    filter: bool,
    find: bool,
}

impl ClassTable {
    fn put(&mut self, rows: Vec<ClassRow>, objects: u64, shallow: Bytes) {
        (self.rows, self.objects, self.shallow) = (rows, objects, shallow);
        self.stale = true;
    }

    /// Sorts and filters the rows if anything about that has changed.
    fn arrange(&mut self) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        let rows = &self.rows;
        let mut shown: Vec<u32> =
            (0..).zip(rows).filter(|(_, r)| self.filter.passes(&r.name)).map(|(i, _)| i).collect();
        let (order, reversed) = self.order();
        shown.sort_by(|&a, &b| {
            let figures = |row: &ClassRow| (row.objects, row.shallow, row.retained.unwrap_or_default());
            let (a, b) = (&rows[a as usize], &rows[b as usize]);
            let by_name = || a.name.cmp(&b.name).then(a.class.cmp(&b.class));
            order.compare(figures(a), figures(b), by_name, reversed)
        });
        self.shown = shown;
        let at = self.chosen.and_then(|class| self.place_of(class));
        self.table.select(at);
    }

    /// By what the rows are sorted, and whether the other way round.
    fn order(&self) -> (ClassOrder, bool) {
        let order = ClassOrder::ALL.get(self.by).copied().unwrap_or_default();
        (order, self.descending == (order == ClassOrder::Name))
    }

    fn place_of(&self, class: ClassId) -> Option<u64> {
        let at = self.shown.iter().position(|&i| self.rows[i as usize].class == Some(class))?;
        Some(at as u64)
    }

    fn row(&self, index: u64) -> Option<&ClassRow> {
        let at = *self.shown.get(usize::try_from(index).ok()?)?;
        self.rows.get(at as usize)
    }

    /// The tools, `more` before the own ones, and the table. `complete` is false while the file is still being read.
    fn ui(&mut self, ui: &mut Ui, asked: Asked, complete: bool, more: impl FnOnce(&mut Ui)) -> TableOutput {
        tools(ui, |ui| {
            more(ui);
            let width = (ui.available_width() * 0.5).clamp(140.0, 320.0);
            let id = Id::unique(("filter of the histogram", complete));
            self.stale |= self.filter.ui(ui, id, "Filter by class", width, asked.filter);
            self.arrange();
            let all = self.shown.len() == self.rows.len();
            let classes = if all {
                format!("{} classes", Count(self.rows.len() as u64))
            } else {
                format!("{} of {} classes", Count(self.shown.len() as u64), Count(self.rows.len() as u64))
            };
            hint(ui, &format!("{classes} · {} objects · {}", Count(self.objects), self.shallow));
        });
        let room = ui.available_rect_before_wrap();
        let columns = if complete { &COLUMNS[..] } else { &COLUMNS[..3] };
        let table = Table {
            name: if complete { "Histogram" } else { "Census" },
            columns,
            rows: self.shown.len() as u64,
            sort: Some((self.by, self.descending)),
            active: true,
            header: true,
            row_height: sizes::ROW,
        };
        let mut state = std::mem::take(&mut self.table);
        let mut find = std::mem::take(&mut self.find);
        let rows = self.shown.len() as u64;
        let found = find.ui(ui, room, asked.find, &mut state, rows, |row| Some(self.row(row)?.name.to_string()));
        self.find = find;
        let mut output = table.show(ui, &mut state, |row| self.draw(row));
        self.table = state;
        output.moved = output.moved.or(found);
        if self.shown.is_empty() && !self.filter.is_empty() {
            let below = Rect::from_min_max(room.min + vec2(0.0, sizes::HEADER), room.max);
            waiting::empty_ui(ui, below, Icon::Search, "No class passes the filter", "Clear it to see all classes");
        }
        if let Some(column) = output.sort {
            self.descending = if self.by == column { !self.descending } else { column != 0 };
            self.by = column;
            self.stale = true;
            self.table.to_top();
        }
        output
    }

    fn draw(&self, row: &mut Row<'_>) {
        let (Some(class), Some(cell)) = (self.row(row.index), row.cell(0)) else { return };
        let name = ObjectName { class: &class.name, label: None, id: "" };
        let cut = name.paint(row.ui, row.tokens, cell);
        row.number(1, Count(class.objects).to_string());
        row.size_with_bar(2, class.shallow, Share::of(class.shallow, self.shallow));
        if let Some(retained) = class.retained {
            row.size_with_bar(3, retained, Share::of(retained, self.shallow));
            if row.pointer_in(3) {
                row.hover(exact("Retained", retained));
            }
        }
        row.selects();
        if row.pointer_in(2) {
            row.hover(exact("Shallow", class.shallow));
        } else if row.pointer_in(0) && cut {
            row.hover(&*class.name);
        }
        row.name(format!("{} {} objects", class.name, Count(class.objects)));
    }

    fn stance(&self) -> Stance {
        let sort = Some((self.by, self.descending));
        Stance { filter: self.filter.text().to_owned(), sort, top: self.table.top() }
    }

    fn stand(&mut self, stance: &Stance) {
        self.filter.set(&stance.filter);
        if let Some((by, descending)) = stance.sort {
            (self.by, self.descending) = (by, descending);
        }
        self.table.come_back_to(stance.top);
        self.stale = true;
    }

    /// What asks for the rows on screen.
    fn request(&self) -> Request {
        let (order, reverse) = self.order();
        let sort = (reverse || order != ClassOrder::default()).then(|| order.key().to_owned());
        let filter = self.filter.understood().to_owned();
        Request { subject: Subject::Classes, how: Arrangement { filter, sort, reverse, ..Arrangement::default() } }
    }

    fn copy(&self, scene: &mut Scene<'_>) {
        let Some(range) = self.table.selection() else { return };
        let last = (*range.end()).min(range.start() + AT_MOST - 1);
        let picked = (*range.start()..=last).filter_map(|at| self.row(at)).filter_map(|row| {
            let (class, retained) = (row.class?, row.retained?);
            Some(HistogramRow { class, objects: row.objects, shallow: row.shallow, retained })
        });
        let rows: Vec<HistogramRow> = picked.collect();
        let mut request = self.request();
        (request.how.skip, request.how.top) = (*range.start() as usize, Some(rows.len()));
        scene.copy(move |answers, _| Ok(clip(answers, rows, &request)));
    }
}

/// Classes to be copied, and what asks for them.
fn clip(answers: &Answers, rows: Vec<HistogramRow>, request: &Request) -> Clip {
    let table = Classes(analysis::Histogram { rows, ..analysis::Histogram::default() });
    let cells = |row| (0..table.columns().len()).map(|at| table.cell(answers.dictionary(), row, at)).collect();
    let rows = Rows {
        headings: table.columns().iter().map(|column| column.heading.to_owned()).collect(),
        rows: (0..table.count()).map(|row| copy::Row { depth: 0, cells: cells(row) }).collect(),
        json: copying::json(&table, answers, 0..table.count()),
    };
    let command = request.command(&answers.heap, &answers.opened);
    copying::clip(answers, "Histogram", command, Body::Rows(rows))
}

/// The census of a dump that is being opened.
#[derive(Default)]
pub struct CensusView {
    table: ClassTable,
    of: Option<Arc<Census>>,
}

impl CensusView {
    /// Draws the census.
    pub fn ui(&mut self, ui: &mut Ui, census: &Arc<Census>) {
        if self.of.as_ref().is_none_or(|of| !Arc::ptr_eq(of, census)) {
            let rows = census.rows.iter().map(|r| ClassRow {
                class: None,
                name: r.class.clone(),
                objects: r.objects,
                shallow: r.shallow,
                retained: None,
            });
            self.table.put(rows.collect(), census.objects, census.shallow);
            self.of = Some(Arc::clone(census));
        }
        self.table.ui(ui, Asked::default(), false, |_| {});
    }
}

/// The histogram of a dump that is open.
pub struct Histogram {
    slot: Slot<Vec<ClassRow>>,
    asked: bool,
    table: ClassTable,
    by: By,
    packages: Report,
    loaders: Report,
    superclasses: Report,
}

/// What a row of the histogram is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Class,
    Package,
    Loader,
    Superclass,
}

impl By {
    const ALL: [Self; 4] = [Self::Class, Self::Package, Self::Loader, Self::Superclass];

    fn name(self) -> &'static str {
        match self {
            Self::Class => "By class",
            Self::Package => "By package",
            Self::Loader => "By class loader",
            Self::Superclass => "By superclass",
        }
    }

    fn ui(&mut self, ui: &mut Ui) {
        let choice = egui::ComboBox::from_id_salt("rows of the histogram").selected_text(self.name()).width(124.0);
        let shown = choice.show_ui(ui, |ui| {
            for by in Self::ALL {
                ui.selectable_value(self, by, by.name());
            }
        });
        let name = format!("Rows {}", self.name().to_lowercase());
        shown.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &name));
        shown.response.on_hover_text("What a row is");
        ui.add_space(8.0);
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            slot: Slot::default(),
            asked: false,
            table: ClassTable::default(),
            by: By::Class,
            packages: Report::new(&groups::PACKAGES),
            loaders: Report::new(&groups::LOADERS),
            superclasses: Report::new(&groups::SUPERCLASSES),
        }
    }
}

impl Histogram {
    /// The table, for the widths of its columns.
    pub fn table(&mut self) -> &mut TableState {
        &mut self.table.table
    }

    /// Draws the view.
    pub fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let by = &mut self.by;
        match *by {
            By::Class => self.classes_ui(ui, scene),
            By::Package => self.packages.ui_with(ui, scene, |ui| by.ui(ui)),
            By::Loader => self.loaders.ui_with(ui, scene, |ui| by.ui(ui)),
            By::Superclass => self.superclasses.ui_with(ui, scene, |ui| by.ui(ui)),
        }
    }

    /// What keys ask of the rows while a picture of them stands in their place.
    pub fn unseen(&self, scene: &mut Scene<'_>) {
        if let Some(class) = scene.place.class.filter(|_| scene.copy_rows) {
            scene.copy(move |answers, _| {
                let rows = analysis::histogram(&answers.heap, &answers.analyzed).rows;
                let (place, row) = (1_u32..).zip(rows).find(|(_, row)| row.class == class).unzip();
                let how =
                    Arrangement { places: place.map(|at| at..=at).into_iter().collect(), ..Arrangement::default() };
                let request = Request { subject: Subject::Classes, how };
                Ok(clip(answers, row.into_iter().collect(), &request))
            });
        }
        if scene.export {
            scene.push(Command::Export(Box::new(self.table.request()), "Histogram".to_owned()));
        }
    }

    fn classes_ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        if !std::mem::replace(&mut self.asked, true) {
            let answers = scene.answers.clone();
            self.slot.ask(scene.jobs, "histogram", move |_| {
                let found = analysis::histogram(&answers.heap, &answers.analyzed);
                let rows = found.rows.iter().map(|r| ClassRow {
                    class: Some(r.class),
                    name: answers.heap.classes.get(r.class).name.clone(),
                    objects: r.objects,
                    shallow: r.shallow,
                    retained: Some(r.retained),
                });
                Ok(rows.collect())
            });
        }
        if self.slot.poll()
            && let Some(rows) = self.slot.get_mut()
        {
            let shown = scene.answers.analyzed.shown;
            self.table.put(std::mem::take(rows), shown.objects, shown.shallow);
        }
        if let Some(error) = self.slot.error() {
            let room = ui.available_rect_before_wrap();
            waiting::empty_ui(ui, room, Icon::Warning, "The histogram could not be made", error);
            return;
        }
        self.follow(scene);
        let by = &mut self.by;
        let asked = Asked { filter: scene.focus_filter, find: scene.find };
        let output = self.table.ui(ui, asked, true, |ui| by.ui(ui));
        self.obey(scene, &output);
    }

    /// Puts the cursor on the class the reader is at.
    fn follow(&mut self, scene: &Scene<'_>) {
        if self.table.chosen == scene.place.class {
            return;
        }
        self.table.arrange();
        self.table.chosen = scene.place.class;
        let at = self.table.chosen.and_then(|class| self.table.place_of(class));
        match at {
            Some(row) => self.table.table.select_and_show(row),
            None => self.table.table.select(None),
        }
    }

    fn obey(&mut self, scene: &mut Scene<'_>, output: &TableOutput) {
        let at = |row: Option<u64>| row.and_then(|r| self.table.row(r)).and_then(|r| r.class);
        let (clicked, moved, activated) = (at(output.clicked), at(output.moved), at(output.activated));
        if let Some(class) = clicked.or(moved) {
            self.table.chosen = Some(class);
            scene.push(if clicked.is_some() { Command::SelectClass(class) } else { Command::PassClass(class) });
        }
        if let Some(class) = activated {
            scene.push(Command::ObjectsOf(class));
        }
        if scene.copy_rows {
            self.table.copy(scene);
        }
        if scene.export {
            scene.push(Command::Export(Box::new(self.table.request()), "Histogram".to_owned()));
        }
    }

    /// How the table stands.
    pub fn stance(&self) -> Stance {
        match self.by {
            By::Class => self.table.stance(),
            By::Package => self.packages.stance(),
            By::Loader => self.loaders.stance(),
            By::Superclass => self.superclasses.stance(),
        }
    }

    /// Puts it as it stood.
    pub fn stand(&mut self, stance: &Stance) {
        match self.by {
            By::Class => self.table.stand(stance),
            By::Package => self.packages.stand(stance),
            By::Loader => self.loaders.stand(stance),
            By::Superclass => self.superclasses.stand(stance),
        }
    }

    /// Whether anything is being worked out.
    pub fn is_running(&self) -> bool {
        match self.by {
            By::Class => self.slot.is_running(),
            By::Package => self.packages.is_running(),
            By::Loader => self.loaders.is_running(),
            By::Superclass => self.superclasses.is_running(),
        }
    }
}
