//! The main owners of the objects of a class, side by side in a cell; a click on one shows the object that it holds.

use eframe::egui::{self, Id, Rect, Role, Sense, pos2};

use crate::ui::ViewContext;
use crate::ui::theme::fonts;
use crate::ui::widgets::{Row, elided};
use heaplens_analysis::class_owners::{ClassOwners, ClassOwnersQuestion};
use heaplens_base::{Bytes, Count};
use heaplens_heap::ClassId;
use heaplens_tables::dump::class_owners::{main_owners, name, share_of};

/// Number of owners in the tooltip.
const LISTED: usize = 10;
/// Least width in which a long name says anything, its distance to its part, and to the next owner, in points.
const LEAST: f32 = 84.0;
const BESIDE: f32 = 6.0;
const GAP: f32 = 14.0;

/// Draws the owners of the objects of a class into a column; `text` is what the cell says.
pub(super) fn held_by_ui(
    row: &mut Row<'_>,
    context: &mut ViewContext<'_>,
    (column, class): (usize, ClassId),
    text: &str,
) {
    let (Some(cell), Some(owners)) = (row.cell(column), context.dump.answers().known(&ClassOwnersQuestion)) else {
        return row.text(column, text, fonts::text(), row.tokens.text);
    };
    let all = owners.of(class);
    let total = all.iter().map(|of| of.bytes).sum();
    let tokens = row.on_selection();
    let (mut left, mut drawn) = (cell.left(), 0);
    for (at, of) in main_owners(&owners, class).iter().enumerate() {
        let share = share_of(of.bytes, total);
        let object = owners.owner(of).and_then(|owner| owner.object);
        let color = if object.is_some() { tokens.text } else { tokens.muted };
        let part = elided(row.ui, share.to_string(), fonts::small(), tokens.muted, cell.width());
        let room = cell.right() - left - part.size().x - BESIDE;
        let words = |width| elided(row.ui, name(&owners, of).to_owned(), fonts::text(), color, width);
        if room < words(cell.width()).size().x.min(LEAST) {
            break;
        }
        let words = words(room);
        let area = Rect::from_min_max(pos2(left, cell.top()), pos2(left + words.size().x, cell.bottom()));
        let top = cell.center().y - words.size().y / 2.0;
        if let Some(object) = object {
            let response = row.ui.interact(area, Id::unique(("owner of a class", row.index, at)), Sense::CLICK);
            if response.hovered() {
                row.ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
                row.ui.painter().hline(area.x_range(), top + words.size().y, (1.0, tokens.accent));
            }
            let label = || format!("{} {share}", name(&owners, of));
            response.widget_info(|| egui::WidgetInfo::labeled(Role::Link, true, label()));
            context.follow(&response, object);
        }
        row.ui.painter().galley(pos2(left, top), words, color);
        left = area.right() + BESIDE;
        let at = pos2(left, cell.center().y - part.size().y / 2.0);
        left += part.size().x + GAP;
        drawn += 1;
        row.ui.painter().galley(at, part, tokens.muted);
    }
    let more = all.len() - drawn;
    let text = elided(row.ui, format!("{} more", Count(more as u64)), fonts::small(), tokens.muted, cell.width());
    if more > 0 && left + text.size().x <= cell.right() {
        row.ui.painter().galley(pos2(left, cell.center().y - text.size().y / 2.0), text, tokens.muted);
    }
    row.hover_in(column, || listed(&owners, class, total));
}

/// The largest owners of the objects of a class, one in each line.
fn listed(owners: &ClassOwners, class: ClassId, total: Bytes) -> String {
    let all = owners.of(class);
    let line = |of: &heaplens_analysis::class_owners::OwnedObjects| {
        let objects = Count(of.objects).of("object", "objects");
        format!("{}: {} in {objects}, {}", name(owners, of), of.bytes, share_of(of.bytes, total))
    };
    let mut lines: Vec<String> = all.iter().take(LISTED).map(line).collect();
    let more = all.len().saturating_sub(LISTED);
    lines.extend((more > 0).then(|| format!("and {}", Count(more as u64).of("more owner", "more owners"))));
    lines.join("\n")
}
