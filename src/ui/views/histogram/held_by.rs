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
/// Least width in which a name says anything, and the distance between two owners, in points.
const LEAST: f32 = 36.0;
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
    let total = owners.of(class).iter().map(|of| of.bytes).sum();
    let tokens = row.on_selection();
    let mut left = cell.left();
    for (at, of) in main_owners(&owners, class).iter().enumerate() {
        let share = share_of(of.bytes, total);
        let width = cell.right() - left;
        if width < LEAST {
            break;
        }
        let part = elided(row.ui, share.to_string(), fonts::small(), tokens.muted, width);
        let room = (width - part.size().x - 6.0).max(LEAST);
        let object = owners.owner(of).and_then(|owner| owner.object);
        let color = if object.is_some() { tokens.text } else { tokens.muted };
        let words = elided(row.ui, name(&owners, of).to_owned(), fonts::text(), color, room);
        let area = Rect::from_min_max(pos2(left, cell.top()), pos2(left + words.size().x, cell.bottom()));
        let baseline = cell.center().y - words.size().y / 2.0;
        if let Some(object) = object {
            let response = row.ui.interact(area, Id::unique(("owner of a class", row.index, at)), Sense::CLICK);
            if response.hovered() {
                row.ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
                row.ui.painter().hline(area.x_range(), baseline + words.size().y, (1.0, tokens.accent));
            }
            response
                .widget_info(|| egui::WidgetInfo::labeled(Role::Link, true, format!("{} {share}", name(&owners, of))));
            context.follow(&response, object);
        }
        left = area.right() + 6.0;
        row.ui.painter().galley(pos2(area.left(), baseline), words, color);
        if left + part.size().x <= cell.right() {
            let at = pos2(left, cell.center().y - part.size().y / 2.0);
            left += part.size().x + GAP;
            row.ui.painter().galley(at, part, tokens.muted);
        } else {
            break;
        }
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
