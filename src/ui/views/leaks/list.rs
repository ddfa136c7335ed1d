//! List with a heading for each group and a row for each leak or finding: title, main evidence and size.

use std::borrow::Cow;

use eframe::egui::{Color32, Rect, Ui, pos2, vec2};

use crate::ui::theme::{Icon, fonts, icons};
use crate::ui::views::finding_menu::{self, FindingView};
use crate::ui::widgets::object_menu::Item;
use crate::ui::widgets::{
    Column, Row, Table, TableOutput, TableState, bar, line_at_right_ui, line_ui, units, verdict_mark,
};
use crate::ui::{Verb, ViewContext};
use heaplens_analysis::LeakFinding;
use heaplens_analysis::android::shark::{Leak, LeakSubject};
use heaplens_analysis::leaks::Group;
use heaplens_analysis::leaks::rules::Verdict;
use heaplens_analysis::leaks::words;
use heaplens_base::{Bytes, Count, Share};
use heaplens_heap::split_class;
use heaplens_tables::export::printable::one_line;
use heaplens_tables::export::traces::to_clear;
use heaplens_tables::leak_list::android_leaks::AndroidLeakGroup;
use heaplens_tables::leak_list::groups::GroupHead;
use heaplens_tables::leak_list::lines::{LeakLine, LeakList};
use heaplens_tables::leak_list::verdicts::verdict;

const COLUMNS: [Column; 2] = [
    Column::words("Finding", "Owner and the objects it holds; below it, the reason for the suspicion", 200.0)
        .unsorted(),
    Column::numbers("Frees", "Bytes freed if the references named in the finding were cut", 124.0, 8).unsorted(),
];
const OF_ANDROID: [Column; 2] = [
    Column::words("Leak", "Leaking class; below it, the first suspicious reference on its path", 200.0).unsorted(),
    Column::numbers("Retained size", "Bytes freed if the leaking objects were collected", 124.0, 8).unsorted(),
];
/// Height of a row, in points.
const HIGH: f32 = 44.0;
/// Width of the number of a finding and of the disclosure button of a group, in points.
const BEFORE: f32 = 26.0;
/// Width of a percentage, so that all bars have one length, in points.
const PERCENT: f32 = 44.0;
/// Number of digits of a fingerprint in a row.
const SHORT: usize = 8;

pub(super) fn ui(
    ui: &mut Ui,
    listed: &LeakList<'_>,
    lines: &[LeakLine],
    context: &ViewContext<'_>,
    state: &mut TableState,
    active: bool,
) -> TableOutput {
    let (rules, heap) = (context.rules, &context.dump.heap);
    let table = Table::new("Leaks", if listed.has_leaks() { &OF_ANDROID } else { &COLUMNS }, lines.len() as u64)
        .active(active)
        .row_height(HIGH);
    table.show(ui, state, |row| match lines.get(row.index as usize) {
        Some(LeakLine::Head(head)) => head_ui(row, *head, listed),
        Some(LeakLine::Leak(at)) => {
            if let Some(leak) = listed.traces.leak(*at) {
                leak_ui(row, listed.traces.number(*at), leak, verdict(rules, leak), total_of(listed));
                row.menu(of_leak());
            }
        }
        Some(LeakLine::Lost(at)) => {
            if let Some(object) = listed.traces.unreachable(*at) {
                lost_ui(row, object);
                row.object(object.object);
            }
        }
        Some(LeakLine::Finding(at)) => {
            if let Some(finding) = listed.findings.findings.get(*at) {
                finding_ui(row, *at, finding);
                row.menu(finding_menu::items(context.location.dump, heap, finding, FindingView::Leaks));
            }
        }
        None => {}
    })
}

/// Context menu of an Android leak; actions apply to the object that the click has selected.
fn of_leak() -> Vec<Item> {
    let group = |verbs: &[Verb]| verbs.iter().copied().map(Item::of_selection).collect::<Vec<_>>();
    let mut items = group(&[Verb::ShowInTree, Verb::ObjectsOfClass, Verb::Incoming, Verb::Outgoing]);
    items.push(Item::of_selection(Verb::Star).below_line());
    items.extend(group(&[Verb::Note, Verb::Verdict, Verb::CutReference]));
    items.push(Item::of_selection(Verb::CopyRows).called("Copy leak").below_line());
    items.extend(group(&[Verb::CopyPath, Verb::CopyAs, Verb::CopyCommand, Verb::CopyId, Verb::CopyLink]));
    items
}

fn total_of(listed: &LeakList<'_>) -> Bytes {
    listed.traces.report().map_or(Bytes(0), |report| report.metadata.bytes)
}

fn head_ui(row: &mut Row<'_>, head: GroupHead, listed: &LeakList<'_>) {
    let t = row.tokens;
    let open = listed.is_open(head);
    let (count, bytes) = (listed.below(head).len() as u64, listed.bytes(head));
    let (title, meaning) = match head {
        GroupHead::Gone(removed) => (Cow::Borrowed(removed.name()), removed.meaning()),
        GroupHead::Group(group) => {
            let of_it = listed.findings.findings.iter().filter(|finding| finding.section() == group);
            let (title, meaning) = words::section(group, of_it);
            // Android leaks are listed above, so the title distinguishes these.
            let is_beside = group == Group::Leak && listed.has_leaks();
            (if is_beside { format!("{title} by size").into() } else { title.into() }, meaning)
        }
    };
    let has_size = head != GroupHead::Gone(AndroidLeakGroup::Unreachable);
    let size = if has_size { format!(", {bytes}") } else { String::new() };
    row.branch(0, Some(open));
    row.name(format!("{title}: {}{size}", Count(count)));
    row.hover(meaning);
    let Some(cell) = row.cell(0) else { return };
    let y = row.rect.bottom() - 15.0;
    let icon = Rect::from_center_size(pos2(cell.left() + 6.0, y), vec2(14.0, 14.0));
    icons::paint(row.ui.painter(), if open { Icon::Open } else { Icon::Closed }, icon, 9.0, t.faint);
    let left = cell.left() + BEFORE;
    let line = |left: f32, right: f32| Rect::from_min_max(pos2(left, y), pos2(right, y));
    let head = line_ui(row.ui, line(left, cell.right()), &*title, fonts::medium(), t.text);
    let after = left + head.size().x + 8.0;
    let more = format!("{}  ·  {meaning}", Count(count));
    line_ui(row.ui, line(after, cell.right().max(after + 10.0)), more, fonts::small(), t.faint);
    if let Some(cell) = row.cell(1).filter(|_| has_size) {
        // Findings within others have no bytes of their own.
        let is_within = bytes == Bytes(0) && count > 0;
        let size = if is_within { "in the above".to_owned() } else { units::written(row.ui.ctx(), bytes) };
        line_at_right_ui(row.ui, line(cell.left(), cell.right()), size, fonts::small(), t.faint);
    }
    row.ui.painter().hline(row.rect.x_range(), row.rect.bottom() - 0.5, (1.0, t.border));
}

/// Two lines of text of a row.
struct Words {
    upper: String,
    lower: String,
    ink: Color32,
}

fn words_ui(row: &mut Row<'_>, number: &str, words: &Words, verdict: Option<&Verdict>) {
    let Some(mut cell) = row.cell(0) else { return };
    let t = row.tokens;
    if let Some(verdict) = verdict {
        verdict_mark::paint(row, &mut cell, verdict);
    }
    let number_place = Rect::from_min_size(cell.min + vec2(2.0, -9.0), vec2(BEFORE, cell.height()));
    line_ui(row.ui, number_place, number, fonts::small(), t.faint);
    let left = cell.left() + BEFORE;
    let area = Rect::from_min_max(pos2(left, cell.top()), pos2(cell.right().max(left + 10.0), cell.bottom()));
    line_ui(row.ui, area.translate(vec2(0.0, -9.0)), &*words.upper, fonts::medium(), words.ink);
    line_ui(row.ui, area.translate(vec2(0.0, 9.0)), &*words.lower, fonts::small(), t.muted);
}

fn size_ui(row: &Row<'_>, bytes: Bytes, share: Share, ink: Color32, bar: bool) {
    let Some(cell) = row.cell(1) else { return };
    let t = row.tokens;
    let (upper, lower) = (cell.translate(vec2(0.0, -9.0)), cell.translate(vec2(0.0, 9.0)));
    line_at_right_ui(row.ui, upper, units::written(row.ui.ctx(), bytes), fonts::medium(), ink);
    line_at_right_ui(row.ui, lower, share.to_string(), fonts::small(), t.faint);
    let area = cell.width() - PERCENT - 8.0;
    let rect = Rect::from_min_size(pos2(cell.left(), lower.center().y - 2.5), vec2(area.max(8.0), 5.0));
    if bar {
        bar::paint(row.ui.painter(), rect, share, &row.on_selection());
    }
}

/// Library leaks and expected leaks are listed in muted colours.
fn leak_ui(row: &mut Row<'_>, number: usize, leak: &Leak, verdict: Option<&Verdict>, total: Bytes) {
    let t = row.tokens;
    let is_quiet = leak.known.is_some() || verdict.is_some_and(|verdict| verdict.group != Group::Leak);
    let ink = if is_quiet { t.muted } else { t.text };
    let class = one_line(leak.class());
    let held = leak.traces.first().and_then(to_clear).map(|held| format!("Held by {}", one_line(&held)));
    let held = held.unwrap_or_else(|| "Held only by GC roots".to_owned());
    let traces = match leak.traces.len() {
        1 => String::new(),
        several => format!(" · {} traces", Count(several as u64)),
    };
    let short: String = leak.fingerprint.chars().take(SHORT).collect();
    let known = leak.known.as_ref().map(|known| format!(" · {}", one_line(&known.pattern))).unwrap_or_default();
    row.branch(1, None);
    let label = verdict.map(|verdict| format!(", {}", verdict_mark::word(verdict.group, t).0)).unwrap_or_default();
    row.name(format!("Leak {number}: {class}, {held}{traces}, {}{label}", leak.retained()));
    row.hover(format!("{class}\n{held}{known}\nLeak fingerprint {}", leak.fingerprint));
    let upper = split_class(&class).1.to_owned();
    let words = Words { upper, lower: format!("{held}{traces} · {short}{known}"), ink };
    words_ui(row, &number.to_string(), &words, verdict);
    size_ui(row, leak.retained(), Share::of(leak.retained(), total), ink, !is_quiet);
}

fn lost_ui(row: &mut Row<'_>, object: &LeakSubject) {
    let (class, reason) = (one_line(&object.class), one_line(&object.reason));
    row.branch(1, None);
    row.name(format!("Unreachable: {class}, {reason}"));
    row.hover(format!("{class}\n{reason}"));
    let words = Words { upper: split_class(&class).1.to_owned(), lower: reason, ink: row.tokens.muted };
    words_ui(row, "", &words, None);
}

fn finding_ui(row: &mut Row<'_>, at: usize, finding: &LeakFinding) {
    let t = row.tokens;
    let (title, hint) = (words::title(finding), words::hint(finding));
    row.branch(1, None);
    row.name(format!("Finding {}: {title}", at + 1));
    row.hover(if hint.is_empty() { title } else { format!("{title}\n{hint}") });
    let words = Words { upper: words::statement(finding), lower: one_line(&hint), ink: t.text };
    words_ui(row, &(at + 1).to_string(), &words, None);
    size_ui(row, finding.frees, finding.share(), t.text, true);
}
