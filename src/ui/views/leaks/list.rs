//! The list of findings: a head for each group, a row for each finding with what
//! it is, what says most about it, and what cutting it frees.

use eframe::egui;
use egui::{Rect, Ui, pos2, vec2};

use super::search::Found;
use crate::analysis::filter::TextFilter;
use crate::analysis::leaks::{Finding, Group};
use crate::export::leaks::words;
use crate::ui::theme::fonts;
use crate::ui::theme::icons::{self, Icon};
use crate::ui::widgets::table::{Column, Row, Table, TableOutput, TableState, elided};
use crate::ui::widgets::{bar, units};
use crate::units::{Bytes, Count, Share};

const COLUMNS: [Column; 2] = [
    Column::words("Finding", "Who holds what; below it why it is thought to be a leak", 200.0).unsorted(),
    Column::numbers("Frees", "What is freed if the references that the finding names are cut", 124.0, 8).unsorted(),
];
/// How high a row is.
const HIGH: f32 = 44.0;
/// Room for the number of a finding, and for the knob of a group.
const BEFORE: f32 = 26.0;

/// What is in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// The head of a group.
    Group(Group),
    /// A finding, by its number.
    Finding(usize),
}

/// The rows: groups that have findings which a filter lets through, with those that are not folded. Who filters looks
/// for something: then nothing is folded.
pub(super) fn lines(findings: &[Finding], folded: &[Group], filter: &TextFilter) -> Vec<Line> {
    let mut lines = Vec::new();
    for group in Group::ALL {
        let of_it = || {
            let all = findings.iter().enumerate();
            all.filter(move |(_, finding)| finding.group == group && finding.passes(filter))
        };
        if of_it().next().is_some() {
            lines.push(Line::Group(group));
        }
        if !filter.is_empty() || !folded.contains(&group) {
            lines.extend(of_it().map(|(at, _)| Line::Finding(at)));
        }
    }
    lines
}

/// What is listed.
pub(super) struct Listed<'a> {
    pub(super) found: &'a Found,
    pub(super) lines: &'a [Line],
    pub(super) folded: &'a [Group],
    pub(super) filter: &'a TextFilter,
}

/// Draws the list into all the room there is.
pub(super) fn ui(ui: &mut Ui, listed: &Listed<'_>, state: &mut TableState, active: bool) -> TableOutput {
    let table = Table {
        name: "Leaks",
        columns: &COLUMNS,
        rows: listed.lines.len() as u64,
        sort: None,
        active,
        header: true,
        row_height: HIGH,
    };
    table.show(ui, state, |row| match listed.lines.get(row.index as usize) {
        Some(Line::Group(group)) => group_ui(row, *group, listed),
        Some(Line::Finding(at)) => finding_ui(row, *at, &listed.found.findings),
        None => {}
    })
}

fn group_ui(row: &mut Row<'_>, group: Group, listed: &Listed<'_>) {
    let t = row.tokens;
    let open = !listed.filter.is_empty() || !listed.folded.contains(&group);
    let is_listed = |finding: &&Finding| finding.group == group && finding.passes(listed.filter);
    let of_it = || listed.found.findings.iter().filter(is_listed);
    let (count, bytes) = (of_it().count() as u64, of_it().map(|finding| finding.frees).sum::<Bytes>());
    let (title, meaning) = (words::group(group), words::meaning(group));
    row.branch(0, Some(open));
    row.name(format!("{title}: {}, {bytes}", Count(count)));
    row.hover(meaning);
    let Some(cell) = row.cell(0) else { return };
    let y = row.rect.bottom() - 15.0;
    let knob = Rect::from_center_size(pos2(cell.left() + 6.0, y), vec2(14.0, 14.0));
    icons::paint(row.ui.painter(), if open { Icon::Open } else { Icon::Closed }, knob, 9.0, t.faint);
    let left = cell.left() + BEFORE;
    let head = elided(row.ui, title.to_owned(), fonts::medium(), t.text, cell.right() - left);
    let after = left + head.size().x + 8.0;
    row.ui.painter().galley(pos2(left, y - head.size().y / 2.0), head, t.text);
    let more = format!("{}  ·  {meaning}", Count(count));
    let more = elided(row.ui, more, fonts::small(), t.faint, (cell.right() - after).max(10.0));
    row.ui.painter().galley(pos2(after, y - more.size().y / 2.0), more, t.faint);
    if let Some(cell) = row.cell(1) {
        let size = elided(row.ui, units::written(row.ui.ctx(), bytes), fonts::small(), t.faint, cell.width());
        row.ui.painter().galley(pos2(cell.right() - size.size().x, y - size.size().y / 2.0), size, t.faint);
    }
    row.ui.painter().hline(row.rect.x_range(), row.rect.bottom() - 0.5, (1.0, t.border));
}

fn finding_ui(row: &mut Row<'_>, at: usize, findings: &[Finding]) {
    let Some(finding) = findings.get(at) else { return };
    let t = row.tokens;
    let (title, hint) = (words::title(finding), words::hint(finding));
    row.branch(1, None);
    row.name(format!("Finding {}: {title}", at + 1));
    row.hover(if hint.is_empty() { title } else { format!("{title}\n{hint}") });
    if let Some(cell) = row.cell(0) {
        let left = cell.left() + BEFORE;
        let (upper, lower) = (cell.center().y - 9.0, cell.center().y + 9.0);
        let number = elided(row.ui, (at + 1).to_string(), fonts::small(), t.faint, BEFORE);
        row.ui.painter().galley(pos2(cell.left() + 2.0, upper - number.size().y / 2.0), number, t.faint);
        let head = elided(row.ui, words::statement(finding), fonts::medium(), t.text, cell.right() - left);
        row.ui.painter().galley(pos2(left, upper - head.size().y / 2.0), head, t.text);
        let below = elided(row.ui, hint_line(finding), fonts::small(), t.muted, cell.right() - left);
        row.ui.painter().galley(pos2(left, lower - below.size().y / 2.0), below, t.muted);
    }
    if let Some(cell) = row.cell(1) {
        let (upper, lower) = (cell.center().y - 9.0, cell.center().y + 9.0);
        let size = units::written(row.ui.ctx(), finding.frees);
        let size = elided(row.ui, size, fonts::medium(), t.text, cell.width());
        row.ui.painter().galley(pos2(cell.right() - size.size().x, upper - size.size().y / 2.0), size, t.text);
        let share: Share = finding.share();
        let part = elided(row.ui, share.to_string(), fonts::small(), t.faint, cell.width());
        let room = cell.width() - part.size().x - 8.0;
        row.ui.painter().galley(pos2(cell.right() - part.size().x, lower - part.size().y / 2.0), part, t.faint);
        let place = Rect::from_min_size(pos2(cell.left(), lower - 2.5), vec2(room.max(8.0), 5.0));
        bar::paint(row.ui.painter(), place, share, t);
    }
}

fn hint_line(finding: &Finding) -> String {
    words::hint(finding).chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
