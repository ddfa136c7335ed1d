//! Recent files on the start page: name and folder, and what is known of each.

use std::path::{Path, PathBuf};

use eframe::egui::{self, Rect, Sense, Ui, vec2};

use crate::ui::theme::{Icon, fonts, icons, sizes, tokens};
use crate::ui::widgets::{dates, elided, line_ui};
use heaplens_base::Bytes;
use heaplens_session::recent_dumps::{RecentDump, RecentDumps};

/// Height of a row, and of its second line.
const ROW: f32 = 30.0;
const DETAILS: f32 = 18.0;
/// Maximum number of rows.
const ROWS: usize = 6;

/// Recent files, the last first, and what is known of them.
#[derive(Clone, Copy)]
pub struct RecentFiles<'a> {
    /// The files.
    pub files: &'a [PathBuf],
    /// What is known; `None` if nothing of a dump may be shown.
    pub dumps: Option<&'a RecentDumps>,
}

impl RecentFiles<'_> {
    /// Draws the rows. Returns the file of the row that was clicked.
    pub(super) fn ui(self, ui: &mut Ui) -> Option<PathBuf> {
        let mut chosen = None;
        for file in self.files.iter().take(ROWS) {
            let details = self.dumps.and_then(|dumps| dumps.of(file)).map(details).unwrap_or_default();
            if row_ui(ui, file, &details) {
                chosen = Some(file.clone());
            }
        }
        chosen
    }
}

/// `2026-11-21 02:30 UTC · 1.4 MB · desk.OrderDesk · Suspect: SessionCache.ENTRIES holds …`.
fn details(dump: &RecentDump) -> String {
    let taken = dates::written(dump.taken_at_millis);
    let size = (dump.file_bytes > 0).then(|| Bytes(dump.file_bytes).to_string());
    let parts = [taken, size, dump.program.clone(), dump.finding.clone()];
    parts.into_iter().flatten().collect::<Vec<_>>().join("  ·  ")
}

/// Draws a recent file; true if it was clicked.
fn row_ui(ui: &mut Ui, path: &Path, details: &str) -> bool {
    let t = tokens(ui);
    let height = if details.is_empty() { ROW } else { ROW + DETAILS };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    response.widget_info(|| {
        let label = format!("Open {}", path.display());
        let label = if details.is_empty() { label } else { format!("{label}: {details}") };
        egui::WidgetInfo::labeled(egui::Role::Button, true, label)
    });
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect.expand2(vec2(8.0, 0.0)), f32::from(sizes::CORNER), t.hover);
    }
    let first = rect.with_max_y(rect.top() + ROW);
    let icon = Rect::from_min_size(first.min, vec2(18.0, first.height()));
    icons::paint(ui.painter(), Icon::File, icon, 12.0, t.muted);
    let area = Rect::from_min_size(first.min + vec2(26.0, 0.0), vec2(first.width() * 0.6, first.height()));
    let left = area.left() + line_ui(ui, area, name, fonts::medium(), t.text).size().x + 10.0;
    let folder = path.parent().map(|p| p.display().to_string()).unwrap_or_default();
    let area = first.with_min_x(left).with_max_x(first.right().max(left)).translate(vec2(0.0, 0.5));
    line_ui(ui, area, folder, fonts::small(), t.faint);
    if !details.is_empty() {
        let galley = elided(ui, details.to_owned(), fonts::small(), t.muted, rect.width() - 26.0);
        ui.painter().galley(egui::pos2(rect.left() + 26.0, first.bottom() - 4.0), galley, t.muted);
    }
    let hover = if details.is_empty() { String::new() } else { format!("\n{details}") };
    response.on_hover_text(format!("{}{hover}", path.display())).clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known_is_shown() {
        let all = RecentDump {
            dump: "a.hprof".into(),
            taken_at_millis: Some(1_700_000_000_000),
            file_bytes: 1_421_120,
            program: Some("desk.OrderDesk".to_owned()),
            finding: Some("Leak: A.all".to_owned()),
        };
        assert_eq!(details(&all), "2023-11-14 22:13 UTC  ·  1.4 MB  ·  desk.OrderDesk  ·  Leak: A.all");
        assert_eq!(details(&RecentDump::default()), "");
    }
}
