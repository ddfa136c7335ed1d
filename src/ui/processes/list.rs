//! List of the processes with a heap, brought up to date every two seconds.

use std::time::{Duration, Instant};

use eframe::egui;
use egui::{RichText, Ui};

use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::widgets::table::{order_after_click, place_of};
use crate::ui::widgets::{Column, Row, Table, TableState, toolbar, waiting};
use heaplens_base::{Bytes, Count};
use heaplens_platform::processes::NOT_LISTED;
use heaplens_session::{Jobs, Slot};
use heaplens_take::{Machine, Process, ProcessKind, processes};

/// Time between two lists.
const EVERY: Duration = Duration::from_secs(2);

const COLUMNS: [Column; 6] = [
    Column::words("Process", "Main class, jar or script; Enter shows the process", 280.0),
    Column::numbers("Number", "Number of the process (pid)", 84.0, 1),
    Column::words("Kind", "Virtual machine or engine", 110.0).fixed(4),
    Column::numbers("Heap used", "Memory in the heap, garbage included; for JavaScript, all memory", 110.0, 6),
    Column::numbers("Limit", "Largest size of the heap", 110.0, 5),
    Column::words("State", "Whether a dump can be taken, and how", 280.0).fixed(3),
];
const NAME: usize = place_of(&COLUMNS, "Process");
const NUMBER: usize = place_of(&COLUMNS, "Number");
const KIND: usize = place_of(&COLUMNS, "Kind");
const USED: usize = place_of(&COLUMNS, "Heap used");
const LIMIT: usize = place_of(&COLUMNS, "Limit");
const STATE: usize = place_of(&COLUMNS, "State");

/// The list.
pub(super) struct ProcessList {
    asking: Slot<Vec<Process>>,
    asked_at: Option<Instant>,
    rows: Option<Vec<Process>>,
    sort: (usize, bool),
    table: TableState,
}

impl Default for ProcessList {
    fn default() -> Self {
        Self { asking: Slot::default(), asked_at: None, rows: None, sort: (USED, true), table: TableState::default() }
    }
}

impl ProcessList {
    /// True until the first list is there.
    pub(super) fn is_running(&self) -> bool {
        self.rows.is_none()
    }

    pub(super) fn len(&self) -> usize {
        self.rows.as_ref().map_or(0, Vec::len)
    }

    /// Draws the list; returns a process that was chosen.
    pub(super) fn ui(&mut self, ui: &mut Ui, is_active: bool, machine: &Machine, jobs: &Jobs) -> Option<Process> {
        self.refresh(ui, machine, jobs);
        toolbar::tools(ui, |ui| {
            let t = tokens(ui);
            ui.label(RichText::new("Processes").font(fonts::heading()).color(t.text));
            ui.add_space(8.0);
            toolbar::hint(ui, "Enter shows a process: its classes over time, and its heap dump");
        });
        let area = ui.available_rect_before_wrap();
        let Some(rows) = &self.rows else {
            waiting::empty_ui(ui, area, Icon::Search, "Looking for processes", "");
            return None;
        };
        if rows.is_empty() {
            let hint = "Start a Java or Node.js program. For Android, containers and other machines: heaplens take";
            let (title, hint) = match NOT_LISTED {
                None => ("No process with a heap runs here", hint),
                Some(why) => ("Processes are not listed on this system", why),
            };
            waiting::empty_ui(ui, area, Icon::Table, title, hint);
            return None;
        }
        let table = Table::new("Processes", &COLUMNS, rows.len() as u64).active(is_active).sorted(Some(self.sort));
        let output = table.show(ui, &mut self.table, |row| {
            if let Some(process) = rows.get(row.index as usize) {
                draw(row, process);
            }
        });
        let chosen = output.activated.and_then(|row| rows.get(row as usize)).cloned();
        if let Some(column) = output.sort {
            self.sort = order_after_click(&COLUMNS, Some(self.sort), column);
            self.sort();
        }
        chosen
    }

    /// Asks for the processes now and then, and keeps the cursor on its process. Under the pointer the rows keep their
    /// places, so that a click does not meet another process.
    fn refresh(&mut self, ui: &Ui, machine: &Machine, jobs: &Jobs) {
        if let Some(Ok(rows)) = self.asking.take_ended() {
            let before = self.rows.replace(rows).unwrap_or_default();
            let place_before = |pid: u32| before.iter().position(|one| one.pid == pid);
            let chosen = self.table.cursor().and_then(|row| before.get(row as usize)).map(|one| one.pid);
            self.sort();
            let rows = self.rows.as_deref_mut().unwrap_or_default();
            if ui.ui_contains_pointer() {
                rows.sort_by_key(|one| place_before(one.pid).unwrap_or(before.len()));
            }
            let index = chosen.and_then(|pid| rows.iter().position(|one| one.pid == pid));
            if !rows.is_empty() {
                self.table.select(Some(index.unwrap_or(0) as u64));
            }
        }
        if !self.asking.is_running() && self.asked_at.is_none_or(|last| last.elapsed() >= EVERY) {
            self.asked_at = Some(Instant::now());
            let machine = machine.clone();
            self.asking.ask(jobs, "processes", move |_| Ok(processes(&machine)));
        }
        ui.ctx().request_repaint_after(EVERY);
    }

    fn sort(&mut self) {
        let (column, descending) = self.sort;
        let used = |process: &Process| process.heap_used.unwrap_or(process.resident);
        if let Some(rows) = &mut self.rows {
            rows.sort_by(|a, b| {
                let order = match column {
                    NAME => a.name.cmp(&b.name),
                    NUMBER => a.pid.cmp(&b.pid),
                    KIND => a.kind.name().cmp(b.kind.name()),
                    LIMIT => a.heap_limit.cmp(&b.heap_limit),
                    STATE => a.is_permitted.cmp(&b.is_permitted),
                    _ => used(a).cmp(&used(b)),
                };
                let order = if descending { order.reverse() } else { order };
                order.then(a.pid.cmp(&b.pid))
            });
        }
    }
}

/// Name of a kind for people.
pub(super) fn kind_name(kind: ProcessKind) -> &'static str {
    match kind {
        ProcessKind::Jvm => "JVM",
        ProcessKind::OpenJ9 => "OpenJ9 JVM",
        ProcessKind::JavaScript => "JavaScript",
    }
}

/// Kind and main version, such as `JVM 25`.
fn kind_and_version(process: &Process) -> String {
    // Before Java 9, versions began with `1.`.
    let version = process.version.strip_prefix("1.").unwrap_or(&process.version);
    let main: String = version.chars().take_while(char::is_ascii_digit).collect();
    let space = if main.is_empty() { "" } else { " " };
    format!("{}{space}{main}", kind_name(process.kind))
}

/// Whether a dump of a process can be taken, and how.
fn state(process: &Process) -> String {
    let contained = if process.is_contained { ", in a container" } else { "" };
    match process.kind {
        _ if !process.is_permitted => format!("belongs to user {}", process.user),
        ProcessKind::OpenJ9 => "take its dump with jcmd".to_owned(),
        ProcessKind::JavaScript if process.inspector.is_none() => format!("inspector is off{contained}"),
        _ => format!("ready{contained}"),
    }
}

fn draw(row: &mut Row<'_>, process: &Process) {
    let t = row.tokens;
    let size = |size: Option<Bytes>| size.map_or_else(|| "–".to_owned(), |size| size.to_string());
    row.text(NAME, process.name.clone(), fonts::medium(), t.text);
    row.number(NUMBER, process.pid.to_string());
    let kind = kind_and_version(process);
    row.text(KIND, kind.clone(), fonts::text(), t.muted);
    if !process.version.is_empty() {
        row.hover_in(KIND, || process.version.clone());
    }
    row.size(USED, process.heap_used.unwrap_or(process.resident));
    row.number(LIMIT, size(process.heap_limit));
    let state = state(process);
    let color = if process.is_permitted { t.muted } else { t.warn };
    row.text(STATE, state.clone(), fonts::text(), color);
    let used = process.heap_used.unwrap_or(process.resident);
    row.name(format!("{}, {}, {kind}, {used}, {state}", process.name, Count(u64::from(process.pid))));
}
