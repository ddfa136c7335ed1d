//! List of the processes with a heap, brought up to date every two seconds.

use std::time::{Duration, Instant};

use eframe::egui;
use egui::{RichText, Ui};

use crate::ui::theme::{Icon, fonts, sizes, tokens};
use crate::ui::widgets::table::{RecordColumn, Records};
use crate::ui::widgets::{Row, toolbar, waiting};
use heaplens_base::{Bytes, Count};
use heaplens_platform::processes::NOT_LISTED;
use heaplens_session::{Jobs, Slot};
use heaplens_tables::columns::Value;
use heaplens_take::{Machine, Process, ProcessKind, processes};

/// Time between two lists.
const EVERY: Duration = Duration::from_secs(2);

const COLUMNS: &[RecordColumn<Process>] = &[
    RecordColumn::words(
        "process",
        ("Process", "Main class, jar or script; Enter shows the process"),
        (280.0, 9),
        |process| Value::text(&process.name),
    ),
    RecordColumn::numbers("pid", ("PID", "Number of the process"), (84.0, 1), |process| {
        Value::Count(process.pid.into())
    }),
    RecordColumn::words("kind", ("Kind", "Virtual machine or engine"), (110.0, 4), |process: &Process| {
        Value::text(kind_and_version(process))
    })
    .ordered_by(|process| Value::text(process.kind.name())),
    RecordColumn::numbers(
        "used",
        ("Heap used", "Memory in the heap, garbage included; for JavaScript, all memory"),
        (110.0, 6),
        |process| Value::Bytes(used(process)),
    ),
    RecordColumn::numbers("limit", ("Limit", "Largest size of the heap"), (110.0, 5), |process| {
        Value::optional(process.heap_limit, Value::Bytes)
    }),
    RecordColumn::words("state", ("State", "Whether a dump can be taken, and how"), (280.0, 3), |process: &Process| {
        Value::text(state(process))
    })
    .ordered_by(|process| Value::Count(process.is_permitted.into())),
];

/// The list.
pub(super) struct ProcessList {
    asking: Slot<Vec<Process>>,
    asked_at: Option<Instant>,
    rows: Option<Vec<Process>>,
    table: Records<Process>,
}

impl Default for ProcessList {
    fn default() -> Self {
        let table = Records::new("Processes", COLUMNS, Some("used"));
        Self { asking: Slot::default(), asked_at: None, rows: None, table }
    }
}

impl ProcessList {
    /// True while the first list is asked for.
    pub(super) fn is_running(&self) -> bool {
        self.rows.is_none() && self.asking.is_at_work()
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
        let output = self.table.ui(ui, rows, (is_active, sizes::ROW), draw);
        output.activated.and_then(|row| rows.get(self.table.index(row)?)).cloned()
    }

    /// Asks for the processes now and then, and keeps the cursor on its process. Under the pointer the rows keep their
    /// places, so that a click does not meet another process.
    fn refresh(&mut self, ui: &Ui, machine: &Machine, jobs: &Jobs) {
        if let Some(Ok(mut rows)) = self.asking.take_ended() {
            let before = self.rows.take().unwrap_or_default();
            let chosen = self.table.chosen(&before).map(|one| one.pid);
            let shown = |&index: &u32| before.get(index as usize).map(|one| one.pid);
            let pids: Vec<u32> = self.table.shown.iter().filter_map(shown).collect();
            rows.sort_by_key(|one| one.pid);
            self.table.order(&rows, |_| true);
            if ui.ui_contains_pointer() {
                let row_before = |&index: &u32| pids.iter().position(|&pid| rows[index as usize].pid == pid);
                self.table.shown.sort_by_key(|index| row_before(index).unwrap_or(pids.len()));
            }
            if !self.table.choose(&rows, |one| Some(one.pid) == chosen) && !rows.is_empty() {
                self.table.state.select(Some(0));
            }
            self.rows = Some(rows);
        }
        if !self.asking.is_running() && self.asked_at.is_none_or(|last| last.elapsed() >= EVERY) {
            self.asked_at = Some(Instant::now());
            let machine = machine.clone();
            self.asking.ask(jobs, "processes", move |_| Ok(processes(&machine)));
        }
        ui.ctx().request_repaint_after(EVERY);
    }
}

/// Memory in the heap of a process; all its memory if its machine does not say.
fn used(process: &Process) -> Bytes {
    process.heap_used.unwrap_or(process.resident)
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

/// Draws what is not drawn by its value, and names the row.
fn draw(row: &mut Row<'_>, process: &Process, key: &str) -> bool {
    let t = row.tokens;
    match key {
        "process" => {
            row.text(key, process.name.clone(), fonts::medium(), t.text);
            let (kind, used, state) = (kind_and_version(process), used(process), state(process));
            row.name(format!("{}, {}, {kind}, {used}, {state}", process.name, Count(u64::from(process.pid))));
        }
        "pid" => row.number(key, process.pid.to_string()),
        "kind" => {
            row.text(key, kind_and_version(process), fonts::text(), t.muted);
            if !process.version.is_empty() {
                row.hover_in(key, || process.version.clone());
            }
        }
        "state" => row.text(key, state(process), fonts::text(), if process.is_permitted { t.muted } else { t.warn }),
        _ => return false,
    }
    true
}
